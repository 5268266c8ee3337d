# demo.gp - execution time and, below it, hit ratio against cache size, without and with readahead.
#
# Given by exp-demo.sh: type, csv, trace, setting, verdict, and where the curves cross: mb, seconds.
load 'scripts/plot/style.gp'
if (type eq 'svg') {
	set terminal svg size 960,720 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
} else {
	set terminal pngcairo size 1200,900 font 'Sans,14' fontscale 1.05 linewidth 1.5
}
harm = '#f9dfcc' # pale colours of linux24 and of none: readable with any colour vision
help = '#cce3f0'

set pointsize (type eq 'svg' ? 0.7 : 1)
set key at graph 1, graph 1 right top Left reverse samplen 2 spacing 1.2 textcolor rgb dark
set lmargin at screen 0.1
set rmargin at screen 0.97

# On a log scale the outermost ticks are lost unless they lie well inside; the last point has a label.
stats csv using 1 skip 1 nooutput
set logscale x 2
set xrange [STATS_min / 256 / 1.2 : STATS_max / 256 * 1.28]
stats csv using ($2 > $3 ? $2 : $3) skip 1 nooutput
set yrange [0 : STATS_max / 1e6 * 1.15]
stats csv using ($4 < $5 ? $4 : $5) skip 1 nooutput

s(us) = us / 1e6
percent(a, b) = sprintf('%+.0f %%', change(a, b))
tic(blocks) = sprintf("%.0f\n%.0f", size(blocks), blocks)

set multiplot

set title "{/:Bold ".trace.": ".verdict."}\n{/*0.85 ".setting."}" textcolor rgb dark
set label 1 'execution time (s)' at screen 0.022, graph 0.5 center rotate textcolor rgb dark
set tmargin at screen 0.9
set bmargin at screen 0.41
set xtics format ''
do for [i = 1:words(mb)] {
	x = real(word(mb, i))
	y = real(word(seconds, i))
	set arrow i from x, graph 0 to x, graph 0.52 nohead dashtype 2 linecolor rgb dark front
	set label 100 + i sprintf('%.0f MiB', x) at x, graph 0.56 center front textcolor rgb dark
	set label 200 + i '' at x, y point pointtype 6 pointsize (type eq 'svg' ? 1.5 : 2.2) linecolor rgb dark front
}
plot csv using (size($1)):(s($2)):(s($3)) skip 1 with filledcurves below \
		fillcolor rgb harm title 'linux24 is slower', \
	'' using (size($1)):(s($2)):(s($3)) skip 1 with filledcurves above \
		fillcolor rgb help title 'linux24 is faster', \
	'' using (size($1)):(s($2)):xticlabel('') skip 1 with linespoints \
		linecolor rgb none linewidth 2 pointtype 7 title 'none', \
	'' using (size($1)):(s($3)) skip 1 with linespoints \
		linecolor rgb linux24 linewidth 2 pointtype 5 title 'linux24', \
	'' using (size($1)):($3 > $2 ? s($3) : NaN):(percent($2, $3)) skip 1 with labels \
		offset 1.4,1.0 font ',11' textcolor rgb linux24 notitle, \
	'' using (size($1)):($3 > $2 ? NaN : s($2)):(percent($2, $3)) skip 1 with labels \
		offset 1.8,1.1 font ',11' textcolor rgb none notitle

unset title
unset key
do for [i = 1:words(mb)] {
	set arrow i to real(word(mb, i)), graph 1
	unset label 100 + i
	unset label 200 + i
}
set label 1 'hit ratio'
set xlabel 'cache size (MiB; below: blocks of 4 KiB)' offset 0,-1.2 textcolor rgb dark
set tmargin at screen 0.375
set bmargin at screen 0.135
set yrange [floor(STATS_min * 10) / 10.0 : 1.02]
set ytics STATS_min > 0.5 ? 0.1 : 0.2 format '%.1f'
plot csv using (size($1)):4:xticlabel(tic($1)) skip 1 with linespoints \
		linecolor rgb none linewidth 2 pointtype 7 title 'none', \
	'' using (size($1)):5 skip 1 with linespoints \
		linecolor rgb linux24 linewidth 2 pointtype 5 title 'linux24'

unset multiplot

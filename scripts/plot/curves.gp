# curves.gp - execution time against cache size: none, Linux 2.4 readahead, IPRP; beside it the same
# relative to none, or the hit ratio.
#
# Given by exp-iprp.sh: csv, title, right (relative or hits).
set terminal svg size 1000,420 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
set datafile separator comma

dark = '#333333'
set border 3 linecolor rgb '#777777'
set tics nomirror out textcolor rgb dark
set grid ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6
unset key
# Where two lines are one, the thinner and the smaller lie in front.
set style line 1 linecolor rgb '#0072b2' linewidth 4 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 0.6
set style line 3 linecolor rgb '#111111' linewidth 1.5 dashtype (6,4) pointtype 8 pointsize 0.8

stats csv using 1 skip 1 nooutput
set logscale x 2
set xrange [STATS_min / 256 / 1.15 : STATS_max / 256 * 1.15]
set xtics out format '%g'
set xlabel 'cache size (MiB)' textcolor rgb dark
size(blocks) = blocks / 256.0
change(a, b) = 100.0 * (b / a - 1)

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.085, screen 0.95 left textcolor rgb dark
set label 2 'LRU, Cheetah 9LP, layout of AccuSim, serial replay' at screen 0.085, screen 0.89 \
	left textcolor rgb '#777777'
set key at screen 0.99, screen 0.965 right top horizontal Left reverse samplen 3 width 1 textcolor rgb dark maxcols 1
set lmargin at screen 0.085
set rmargin at screen 0.48
set tmargin at screen 0.8
set bmargin at screen 0.17
stats csv using ($2 > $3 ? $2 : $3) skip 1 nooutput
set yrange [0 : STATS_max / 1e6 * 1.06]
set ylabel 'execution time (s)' offset 0.5,0 textcolor rgb dark
plot csv using (size($1)):($2 / 1e6) skip 1 with linespoints linestyle 1 title 'no prefetching', \
	'' using (size($1)):($3 / 1e6) skip 1 with linespoints linestyle 2 title 'readahead of Linux 2.4', \
	'' using (size($1)):($4 / 1e6) skip 1 with linespoints linestyle 3 title 'IPRP around it'

unset key
unset label 1
unset label 2
set lmargin at screen 0.585
set rmargin at screen 0.98
set yrange [* : *]
if (right eq 'hits') {
	set ylabel 'hit ratio'
	set format y '%.1f'
	set yrange [0 : 1]
	plot csv using (size($1)):5 skip 1 with linespoints linestyle 1, \
		'' using (size($1)):6 skip 1 with linespoints linestyle 2, \
		'' using (size($1)):7 skip 1 with linespoints linestyle 3
} else {
	set ylabel 'time against no prefetching (%)'
	set format y '%+g'
	set ytics add ('0' 0)
	set offsets 0, 0, graph 0.06, graph 0.06
	plot csv using (size($1)):(0) skip 1 with linespoints linestyle 1, \
		'' using (size($1)):(change($2, $3)) skip 1 with linespoints linestyle 2, \
		'' using (size($1)):(change($2, $4)) skip 1 with linespoints linestyle 3
}
unset multiplot

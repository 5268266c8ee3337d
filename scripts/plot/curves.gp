# curves.gp - execution time against cache size: none, linux24, iprp, ledger; beside it the same relative to
# none, or the hit ratio.
#
# Given by exp-iprp.sh: csv, title, setting, right (relative or hits).
load 'scripts/plot/style.gp'
set terminal svg size 1000,440 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
unset key

stats csv using 1 skip 1 nooutput
set logscale x 2
set xrange [STATS_min / 256 / 1.15 : STATS_max / 256 * 1.15]
set xtics out format '%g'
set xlabel 'cache size (MiB)' textcolor rgb dark

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen 0.95 left textcolor rgb dark
set label 2 setting at screen 0.02, screen 0.89 \
	left textcolor rgb grey
set key at screen 0.02, screen 0.865 left top horizontal Left reverse samplen 3 width 1 textcolor rgb dark maxcols 4
set lmargin at screen 0.085
set rmargin at screen 0.48
set tmargin at screen 0.77
set bmargin at screen 0.17
stats csv using ($2 > $3 ? $2 : $3) skip 1 nooutput
set yrange [0 : STATS_max / 1e6 * 1.06]
set ylabel 'execution time (s)' offset 0.5,0 textcolor rgb dark
plot csv using (size($1)):($2 / 1e6) skip 1 with linespoints linestyle 1 title 'none', \
	'' using (size($1)):($3 / 1e6) skip 1 with linespoints linestyle 2 title 'linux24', \
	'' using (size($1)):($4 / 1e6) skip 1 with linespoints linestyle 3 title 'iprp', \
	'' using (size($1)):($5 / 1e6) skip 1 with linespoints linestyle 4 title 'ledger'

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
	plot csv using (size($1)):6 skip 1 with linespoints linestyle 1 title 'none', \
		'' using (size($1)):7 skip 1 with linespoints linestyle 2 title 'linux24', \
		'' using (size($1)):8 skip 1 with linespoints linestyle 3 title 'iprp', \
		'' using (size($1)):9 skip 1 with linespoints linestyle 4 title 'ledger'
} else {
	set ylabel 'time against none (%)'
	set format y '%+g'
	set ytics add ('0' 0)
	set offsets 0, 0, graph 0.06, graph 0.06
	plot csv using (size($1)):(0) skip 1 with linespoints linestyle 1 title 'none', \
		'' using (size($1)):(change($2, $3)) skip 1 with linespoints linestyle 2 title 'linux24', \
		'' using (size($1)):(change($2, $4)) skip 1 with linespoints linestyle 3 title 'iprp', \
		'' using (size($1)):(change($2, $5)) skip 1 with linespoints linestyle 4 title 'ledger'
}
unset multiplot

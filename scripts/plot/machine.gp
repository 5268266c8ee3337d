# machine.gp - each replay: the measured time with its extremes beside the predicted one; and the error of the
# prediction beside the spread of the runs.
#
# Given by exp-machine.sh: csv, title.
load 'scripts/plot/style.gp'
set terminal svg size 1000,440 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
set datafile columnheaders
unset key

name(trace, advice) = trace.(advice eq 'random' ? ', random' : '')
from_median(us, median) = 100.0 * (us / median - 1)

stats csv using (column('elapsed_max_us') > column('predicted_elapsed_us') ? \
	column('elapsed_max_us') : column('predicted_elapsed_us')) nooutput
most = STATS_max / 1e6
rows = STATS_records
set xrange [-0.6 : rows - 0.4]
set xtics rotate by 35 right font ',11'

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen 0.95 left textcolor rgb dark
set label 2 'medians; bars from the fastest run to the slowest; random: without readahead' at screen 0.02, screen 0.89 \
	left textcolor rgb grey
set key at screen 0.99, screen 0.965 right top horizontal Left reverse samplen 2 width 1 textcolor rgb dark
set lmargin at screen 0.085
set rmargin at screen 0.48
set tmargin at screen 0.8
set bmargin at screen 0.26
set yrange [0 : most * 1.06]
set ylabel 'time (s)' offset 1.5,0 textcolor rgb dark
plot csv using ($0 - 0.12):(column('elapsed_us') / 1e6):(column('elapsed_min_us') / 1e6):(column('elapsed_max_us') / 1e6): \
		xtic(name(strcol('trace'), strcol('advice'))) \
		with yerrorbars linecolor rgb none linewidth 2 pointtype 7 pointsize 0.7 title 'measured', \
	'' using ($0 + 0.12):(column('predicted_elapsed_us') / 1e6) \
		with points linecolor rgb linux24 pointtype 5 pointsize 0.7 title 'predicted'

unset key
unset label 1
unset label 2
set lmargin at screen 0.585
set rmargin at screen 0.98
set yrange [* : *]
set offsets 0, 0, graph 0.06, graph 0.06
set format y '%+g'
set ytics add ('0' 0)
set ylabel 'against the median (%)' offset 0,0 textcolor rgb dark
plot csv using ($0 - 0.12):(0):(from_median(column('elapsed_min_us'), column('elapsed_us'))): \
		(from_median(column('elapsed_max_us'), column('elapsed_us'))):xtic(name(strcol('trace'), strcol('advice'))) \
		with yerrorbars linecolor rgb none linewidth 2 pointtype 7 pointsize 0.7, \
	'' using ($0 + 0.12):(from_median(column('predicted_elapsed_us'), column('elapsed_us'))) \
		with impulses linecolor rgb linux24 linewidth 5
unset multiplot

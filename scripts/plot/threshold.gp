# threshold.gp - iprp against the better of none and what it controls, over the threshold: the worst
# ratio and the mean one, on the traces it was chosen on (solid) and on the others (dotted).
#
# Given by exp-threshold.sh: csv, chosen (the default), title.
load 'scripts/plot/style.gp'
set terminal svg size 1000,700 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
unset key

set logscale x 2
set xrange [1.8 : 72]
set xtics (2, 4, 8, 12, 16, 24, 32, 48, 64)
set arrow 1 from chosen, graph 0 to chosen, graph 1 nohead dashtype 2 linecolor rgb '#aaaaaa'
is(half, inner) = strcol(1) eq half && strcol(2) eq inner

set multiplot
set label 1 "{/:Bold ".title."}" \
	at screen 0.02, screen 0.975 left textcolor rgb dark
set label 2 sprintf('time of iprp / the better of none and what it wraps, traces and eight cache sizes: the worst, and the geometric mean; default %d', chosen) \
	at screen 0.02, screen 0.945 left textcolor rgb grey
set key Left reverse samplen 4 textcolor rgb dark
do for [side = 0:1] {
	do for [row = 0:1] {
		inner = side == 0 ? 'linux24' : 'ondemand'
		set lmargin at screen 0.085 + 0.5 * side
		set rmargin at screen 0.485 + 0.5 * side
		set tmargin at screen 0.83 - 0.38 * row
		set bmargin at screen 0.52 - 0.41 * row
		if (row == 0) {
			set title 'around '.inner offset 0,-0.5 textcolor rgb dark
		} else {
			unset title
		}
		set xlabel row == 1 ? 'threshold (consecutive blocks)' : '' textcolor rgb dark
		set ylabel row == 0 ? 'worst ratio' : 'mean ratio' offset 0.5,0 textcolor rgb dark
		set format y '%.2f'
		y = row == 0 ? 8 : 7
		set autoscale y
		stats csv using (column(y)) skip 1 nooutput
		set yrange [STATS_min - (STATS_max - STATS_min) * 0.05 : STATS_max + (STATS_max - STATS_min) * 0.05]
		plot csv using (is('tuning', inner) ? $3 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb iprp linewidth 2 pointtype 7 pointsize 0.7 title 'tuning' at screen 0.08, screen 0.905, \
			'' using (is('reporting', inner) ? $3 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb iprp linewidth 2 dashtype (2,4) pointtype 6 pointsize 0.7 title 'reporting' at screen 0.26, screen 0.905
		unset key
		unset label 1
		unset label 2
	}
}
unset multiplot

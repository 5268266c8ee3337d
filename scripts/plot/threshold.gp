# threshold.gp - iprp against the better of none and what it controls, over the threshold: the worst
# ratio and the mean one, on the traces it was chosen on (solid) and on the others (dotted).
#
# Given by exp-threshold.sh: csv, chosen (the default).
set terminal svg size 1000,700 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
set datafile separator comma

dark = '#333333'
set border 3 linecolor rgb '#777777'
set tics nomirror out textcolor rgb dark
set grid ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6
unset key
paper = '#d55e00'
account = '#0072b2'

set logscale x 2
set xrange [1.8 : 72]
set xtics (2, 4, 8, 12, 16, 24, 32, 48, 64)
set arrow 1 from chosen, graph 0 to chosen, graph 1 nohead dashtype 2 linecolor rgb '#aaaaaa'
is(half, variant, inner) = strcol(1) eq half && strcol(2) eq variant && strcol(3) eq inner

set multiplot
set label 1 '{/:Bold Threshold: time of iprp / the better of none and what it controls}' \
	at screen 0.085, screen 0.965 left textcolor rgb dark
set label 2 sprintf('traces and eight cache sizes: the worst, and the geometric mean; default %d', chosen) \
	at screen 0.085, screen 0.93 left textcolor rgb '#777777'
set key at screen 0.985, screen 0.99 right top Left reverse samplen 4 width 1 textcolor rgb dark maxcols 1
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
		y = row == 0 ? 9 : 8
		set autoscale y
		stats csv using (column(y)) skip 1 nooutput
		set yrange [STATS_min - (STATS_max - STATS_min) * 0.05 : STATS_max + (STATS_max - STATS_min) * 0.05]
		plot csv using (is('tuning', 'paper', inner) ? $4 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb paper linewidth 2 pointtype 5 pointsize 0.6 title "paper's rule, tuning", \
			'' using (is('reporting', 'paper', inner) ? $4 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb paper linewidth 2 dashtype (2,4) pointtype 4 pointsize 0.6 title "paper's rule, reporting", \
			'' using (is('tuning', 'account', inner) ? $4 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb account linewidth 2 pointtype 7 pointsize 0.7 title 'with the account, tuning', \
			'' using (is('reporting', 'account', inner) ? $4 : NaN):(column(y)) skip 1 with linespoints \
				linecolor rgb account linewidth 2 dashtype (2,4) pointtype 6 pointsize 0.7 title 'with the account, reporting'
		unset key
		unset label 1
		unset label 2
	}
}
unset multiplot

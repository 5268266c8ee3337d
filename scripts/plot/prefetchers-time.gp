# prefetchers-time.gp - the time with each prefetcher relative to none: the mean at three cache sizes, and the
# range of all points; the dashed line is the floor.
#
# Given by exp-prefetchers.sh: csv (device, prefetcher, the ratio at each size, least, most, mean, blocks, floor),
# title, the number of rows of each device, devices.
load 'scripts/plot/style.gp'
height = 184 + 25 * rows
set terminal svg size 1000,height font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
at(pixel) = 1 - pixel / real(height) # from the top
unset key
unset grid
set grid xtics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6
set logscale x
set xtics (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 3, 5, 10, 20, 50)
set format x '%g'
set format y ''
set ytics 1 scale 0

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen at(21) left textcolor rgb dark
set label 2 'execution time relative to none with LRU, eleven traces: mean at three cache sizes (shares of the footprint), and all points; left is faster' \
	at screen 0.02, screen at(42) left textcolor rgb grey
set label 3 'execution time relative to none' at screen 0.56, screen at(height - 14) center textcolor rgb dark
set key Left reverse samplen 1 textcolor rgb dark
set tmargin at screen at(118)
set bmargin at screen at(118 + 25 * rows)
do for [side = 0:1] {
	first = side * rows
	last = first + rows - 1
	set autoscale xy
	stats csv every ::first::last using ($13 == 1 ? $8 : NaN) skip 1 nooutput
	floor = STATS_min
	stats csv every ::first::last using 6 skip 1 nooutput
	low = STATS_min / 1.05
	stats csv every ::first::last using 7 skip 1 nooutput
	set xrange [low : STATS_max * 1.05]
	set yrange [rows - 0.4 : -0.6]
	set lmargin at screen 0.14 + 0.43 * side
	set rmargin at screen 0.54 + 0.43 * side
	set title word(devices, side + 1) offset 0,-0.3 textcolor rgb dark
	set arrow 1 from 1, graph 0 to 1, graph 1 nohead linecolor rgb grey
	set arrow 2 from floor, graph 0 to floor, graph 1 nohead linecolor rgb iprp dashtype (6,4)
	plot csv every ::first::last using 6:0:($7 - $6):(0) skip 1 \
			with vectors nohead linecolor rgb '#cccccc' linewidth 3 title 'least to most' at screen 0.05, screen at(68), \
		'' every ::first::last using 3:0 skip 1 with points linecolor rgb none pointtype 7 pointsize 0.8 title 'cache of 1/32' at screen 0.20, screen at(68), \
		'' every ::first::last using 4:0 skip 1 with points linecolor rgb linux24 pointtype 5 pointsize 0.7 title '1/8' at screen 0.34, screen at(68), \
		'' every ::first::last using 5:0 skip 1 with points linecolor rgb '#009e73' pointtype 9 pointsize 0.9 title '1/2' at screen 0.42, screen at(68), \
		'' every ::first::last using (side ? NaN : low):0:2 skip 1 with labels right offset -0.8,0 textcolor rgb dark notitle, \
		NaN with lines linecolor rgb iprp dashtype (6,4) title 'the floor: the best mean of those that know the future' at screen 0.50, screen at(68)
	unset key
	unset label
}
unset multiplot

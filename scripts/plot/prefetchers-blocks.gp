# prefetchers-blocks.gp - the blocks that each prefetcher reads for 100 misses without it, by what became of them.
#
# Given by exp-prefetchers.sh: csv (columns 9 to 12: used in time, used late, evicted unused, left unused), title,
# the number of rows of each device, devices.
load 'scripts/plot/style.gp'
height = 184 + 25 * rows
set terminal svg size 1000,height font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
at(pixel) = 1 - pixel / real(height) # from the top
unset key
unset grid
set grid xtics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6
set style fill solid noborder
set format y ''
set ytics 1 scale 0

stats csv using ($9 + $10 + $11 + $12) skip 1 nooutput
high = STATS_max * 1.05

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen at(21) left textcolor rgb dark
set label 2 'blocks read ahead for 100 misses with none, mean over eleven traces and three cache sizes' \
	at screen 0.02, screen at(42) left textcolor rgb grey
set label 3 'blocks for 100 misses with none' at screen 0.56, screen at(height - 14) center textcolor rgb dark
set key Left reverse samplen 1 textcolor rgb dark
set tmargin at screen at(118)
set bmargin at screen at(118 + 25 * rows)
set xrange [0 : high]
set yrange [rows - 0.4 : -0.6]
do for [side = 0:1] {
	first = side * rows
	last = first + rows - 1
	set lmargin at screen 0.14 + 0.43 * side
	set rmargin at screen 0.54 + 0.43 * side
	set title word(devices, side + 1) offset 0,-0.3 textcolor rgb dark
	plot csv every ::first::last using (0):0:(0):($9):($0 - 0.36):($0 + 0.36) skip 1 \
			with boxxyerror linecolor rgb '#009e73' title 'used in time' at screen 0.05, screen at(68), \
		'' every ::first::last using (0):0:($9):($9 + $10):($0 - 0.36):($0 + 0.36) skip 1 \
			with boxxyerror linecolor rgb '#e69f00' title 'used late' at screen 0.20, screen at(68), \
		'' every ::first::last using (0):0:($9 + $10):($9 + $10 + $11):($0 - 0.36):($0 + 0.36) skip 1 \
			with boxxyerror linecolor rgb linux24 title 'wasted: evicted unused' at screen 0.33, screen at(68), \
		'' every ::first::last using (0):0:($9 + $10 + $11):($9 + $10 + $11 + $12):($0 - 0.36):($0 + 0.36) skip 1 \
			with boxxyerror linecolor rgb '#bbbbbb' title 'unused at the end' at screen 0.54, screen at(68), \
		'' every ::first::last using (side ? NaN : 0):0:2 skip 1 with labels right offset -0.8,0 textcolor rgb dark notitle
	unset key
	unset label
}
unset multiplot

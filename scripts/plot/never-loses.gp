# never-loses.gp - time relative to the better of none and linux24 against cache size, a panel a
# trace: a controller should stay below the upper edge of the band, at 2 %.
#
# Given by exp-never-loses.sh: csv, with a block for each trace: cache size in MiB, none, linux24,
# iprp, ledger; name, an array of the traces; title, setting.
load 'scripts/plot/style.gp'
rows = (|name| + 2) / 3
height = 117 + 261 * rows
set terminal svg size 1100,height font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
at(pixel) = 1 - pixel / real(height) # from the top

stats csv using ($4 < $5 ? $4 : $5) nooutput
low = STATS_min - 0.02
high = 1.15 # worse is cut off
set logscale x 2
set format x '%g'
set format y '%.2f'

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen at(21) left textcolor rgb dark
set label 2 setting at screen 0.02, screen at(42) left textcolor rgb grey
set label 3 'cache size (MiB)' at screen 0.52, screen at(height - 16) center textcolor rgb dark
set label 4 'time relative to the better of none and linux24' at screen 0.016, screen 0.48 center rotate textcolor rgb dark
set key Left reverse samplen 3 textcolor rgb dark
do for [i = 1:|name|] {
	side = (i - 1) % 3
	row = (i - 1) / 3
	set lmargin at screen 0.075 + 0.315 * side
	set rmargin at screen 0.34 + 0.315 * side
	set tmargin at screen at(117 + 261 * row)
	set bmargin at screen at(297 + 261 * row)
	set title name[i] offset 0,-0.6 textcolor rgb dark
	set autoscale xy
	stats csv index i - 1 using 1 nooutput
	set xrange [STATS_min / 1.15 : STATS_max * 1.15]
	set yrange [low : high]
	plot csv index i - 1 using 1:(1):(1.02) with filledcurves fillcolor rgb '#bfe3d6' \
			title 'up to 2 % slower' at screen 0.08, screen at(67), \
		'' index i - 1 using 1:2 with linespoints linestyle 1 linewidth 3 pointsize 0.6 \
			title 'none' at screen 0.25, screen at(67), \
		'' index i - 1 using 1:3 with linespoints linestyle 2 \
			title 'linux24' at screen 0.36, screen at(67), \
		'' index i - 1 using 1:4 with linespoints linestyle 3 \
			title 'iprp' at screen 0.50, screen at(67), \
		'' index i - 1 using 1:5 with linespoints linestyle 4 \
			title 'ledger' at screen 0.61, screen at(67)
	unset key
	unset label
}
unset multiplot

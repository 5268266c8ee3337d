# never-loses.gp - time relative to the better of none and linux24 against cache size, a panel a
# trace: iprp should stay below the upper edge of the band, at 2 %.
#
# Given by exp-never-loses.sh: csv, with a block for each trace: cache size in MiB, none, linux24,
# iprp:variant=paper, iprp; name, an array of the traces; title, setting.
load 'scripts/plot/style.gp'
set terminal svg size 1100,900 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic

stats csv using 5 nooutput
low = STATS_min - 0.02
high = 1.15 # worse is cut off
set logscale x 2
set format x '%g'
set format y '%.2f'

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen 0.977 left textcolor rgb dark
set label 2 setting at screen 0.02, screen 0.953 left textcolor rgb grey
set label 3 'cache size (MiB)' at screen 0.52, screen 0.018 center textcolor rgb dark
set label 4 'time relative to the better of none and linux24' at screen 0.016, screen 0.48 center rotate textcolor rgb dark
set key Left reverse samplen 3 textcolor rgb dark
do for [i = 1:|name|] {
	side = (i - 1) % 3
	row = (i - 1) / 3
	set lmargin at screen 0.075 + 0.315 * side
	set rmargin at screen 0.34 + 0.315 * side
	set tmargin at screen 0.87 - 0.29 * row
	set bmargin at screen 0.67 - 0.29 * row
	set title name[i] offset 0,-0.6 textcolor rgb dark
	set autoscale xy
	stats csv index i - 1 using 1 nooutput
	set xrange [STATS_min / 1.15 : STATS_max * 1.15]
	set yrange [low : high]
	plot csv index i - 1 using 1:(1):(1.02) with filledcurves fillcolor rgb '#bfe3d6' \
			title 'up to 2 % slower' at screen 0.08, screen 0.925, \
		'' index i - 1 using 1:2 with linespoints linestyle 1 linewidth 3 pointsize 0.6 \
			title 'none' at screen 0.25, screen 0.925, \
		'' index i - 1 using 1:3 with linespoints linestyle 2 \
			title 'linux24' at screen 0.36, screen 0.925, \
		'' index i - 1 using 1:4 with linespoints linestyle 4 \
			title 'iprp:variant=paper' at screen 0.50, screen 0.925, \
		'' index i - 1 using 1:5 with linespoints linestyle 3 \
			title 'iprp' at screen 0.71, screen 0.925
	unset key
	unset label
}
unset multiplot

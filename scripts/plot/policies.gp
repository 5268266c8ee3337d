# policies.gp - the mean time of each policy against LRU: without prefetching, with readahead, and with
# readahead that iprp controls.
#
# Given by exp-policies.sh: csv (study, policy, a ratio for each of the three), title, the headings of
# both studies (then, now) and the rows of the first (then_rows).
load 'scripts/plot/style.gp'
set terminal svg size 1000,640 font 'Helvetica,Arial,sans-serif,13' background 'white' dynamic
unset key
unset grid
set grid xtics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6
set format x '%.0f %%'
percent(ratio) = 100 * (ratio - 1)

set multiplot
set label 1 "{/:Bold ".title."}" at screen 0.02, screen 0.965 left textcolor rgb dark
set label 2 'mean time against LRU with the same prefetcher, eleven traces and five cache sizes: left is faster' \
	at screen 0.02, screen 0.93 left textcolor rgb grey
set key Left reverse samplen 1 textcolor rgb dark
set tmargin at screen 0.79
set bmargin at screen 0.09
do for [side = 0:1] {
	first = side == 0 ? 0 : then_rows
	last = side == 0 ? then_rows - 1 : 1000
	set lmargin at screen 0.09 + 0.5 * side
	set rmargin at screen 0.48 + 0.5 * side
	set title side == 0 ? then : now offset 0,-0.3 textcolor rgb dark
	set yrange [*:*] reverse
	set offsets 0, 0, 0.5, 0.5
	set arrow 1 from 0, graph 0 to 0, graph 1 nohead linecolor rgb grey
	plot csv every ::first::last using (percent($3)):0:ytic(2) skip 1 with points linestyle 1 title 'without prefetching' at screen 0.045, screen 0.885, \
		'' every ::first::last using (percent($4)):0 skip 1 with points linestyle 2 pointsize 0.9 title 'readahead' at screen 0.24, screen 0.885, \
		'' every ::first::last using (percent($5)):0 skip 1 with points linestyle 3 title 'readahead, controlled by iprp' at screen 0.37, screen 0.885
	unset key
	unset label 1
	unset label 2
}
unset multiplot

# style.gp - the look of all figures.  The colours of lines are those that bufsim plot gives these
# names: sim/draw/plot_style.c
none = '#0072b2'
linux24 = '#d55e00'
iprp = '#000000'
ledger = '#882255'

dark = '#333333'
grey = '#777777'
set datafile separator comma
set border 3 linecolor rgb grey
set tics nomirror out textcolor rgb dark
set grid ytics linecolor rgb '#e4e4e4' linetype 1 linewidth 0.6

# Where two lines are one, the thinner and the smaller lie in front.
set style line 1 linecolor rgb none linewidth 4 pointtype 7 pointsize 0.9
set style line 2 linecolor rgb linux24 linewidth 2 pointtype 5 pointsize 0.6
set style line 3 linecolor rgb iprp linewidth 1.5 dashtype (6,4) pointtype 8 pointsize 0.8
set style line 4 linecolor rgb ledger linewidth 2 pointtype 9 pointsize 0.7

size(blocks) = blocks / 256.0 # MiB
change(a, b) = 100.0 * (b / a - 1)

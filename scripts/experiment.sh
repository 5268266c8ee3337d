# shellcheck shell=sh
# experiment.sh - common parts of the experiments, which source it with their BUFSIM as $1.
#
# An experiment with modes lists them, as --check, in $modes; one of them may stand before BUFSIM, and $mode is
# its name, else run.  The traces, as binary traces in $tmp; the conditions of AccuSim; and results that are
# written whole or not at all.
set -eu
export LC_ALL=C
mode=run
case " ${modes-} " in
*" $1 "*)
	# shellcheck disable=SC2034 # used by the scripts that source this file
	mode=${1#--}
	shift
	;;
esac
bufsim=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# LRU, one call after the other, the Cheetah 9LP of DiskSim, requests of up to 33 blocks: the rest is the default.
# shellcheck disable=SC2034 # used by the scripts that source this file
conditions='--layout accusim --replay serial --device cheetah9lp-disksim'
# shellcheck disable=SC2034
setting='policy lru, device cheetah9lp-disksim, layout accusim, replay serial; iprp wraps linux24'

# From 1/64 of the footprint to all of it, in seven steps of the same ratio.
# shellcheck disable=SC2034
eight_sizes=1/64:1:x1.8114473285

# Programs that run at the same time: one trace of both, or both at once.
mix=glimpse+tpch-myisam

# Settings are chosen on the traces of the first half, and reported on those of the second.
# shellcheck disable=SC2034
tuning='csq tpch-myisam pgbench git parquet hdf5 zip-random'
# shellcheck disable=SC2034
reporting="cscope glimpse media multi1 $mix"

# All of these programs, each alone.
# shellcheck disable=SC2034
alone="$tuning cscope glimpse media multi1"

# convert TRACE...: each as $tmp/NAME.bst
convert() {
	for trace; do
		name=$(basename "$trace")
		"$bufsim" convert "$trace" "$tmp/${name%%.*}.bst" 2>/dev/null
	done
}

# convert_samples NAME...
convert_samples() {
	for name; do
		convert "traces/samples/$name.txt.gz"
	done
}

# convert_mix: both programs, and one trace of both, all as long as the longest
convert_mix() {
	convert_samples glimpse tpch-myisam
	"$bufsim" convert --merge "$tmp/glimpse.bst" "$tmp/tpch-myisam.bst" "$tmp/$mix.bst" --stretch 2>/dev/null
}

# convert_halves: all traces of both halves
convert_halves() {
	# shellcheck disable=SC2086 # a list of words
	convert_samples $tuning cscope media multi1
	convert_mix
}

# binaries NAME...: their binary traces
binaries() {
	for name; do
		echo "$tmp/$name.bst"
	done
}

# sweep HALF [--together] FILE... OPTION...: append rows to $tmp/runs, with HALF as the first column
sweep() {
	half=$1 at_once=
	shift
	if [ "$1" = --together ]; then at_once=' at once'; fi
	"$bufsim" sweep "$@" >"$tmp/rows"
	sed "1s/^/half,/; 2,\$s/^[^,]*/$half,&$at_once/" "$tmp/rows" >>"$tmp/runs"
}

# sweep_halves OPTION...: all traces of both halves, and both programs at once
sweep_halves() {
	# shellcheck disable=SC2046,SC2086 # lists of words
	sweep tuning $(binaries $tuning) "$@"
	# shellcheck disable=SC2046,SC2086
	sweep reporting $(binaries $reporting) "$@"
	# shellcheck disable=SC2046
	sweep reporting --together $(binaries glimpse tpch-myisam) "$@"
}

# parameters PLUGIN: of each numeric one, name, default, and the unit of that
parameters() {
	"$bufsim" list "$1" | tr -s '\n ' '  ' | sed 's/ :\([a-z_]*\)=/\
\1 /g' | sed -n 's/^\([a-z_]*\) .*(default \([0-9][0-9.]*\)\([A-Za-z]*\), from .*/\1 \2 \3/p'
}

# The beginning of a program of awk: cell(NAME) is the value of that column.  Its names are the first row,
# or any that begins with half.
# shellcheck disable=SC2016,SC2034
cells='
function cell(name) {
	return $column[name]
}
FNR == 1 || $1 == "half" {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}'

# clean_gnuplot ARGUMENT...: without the user's settings
clean_gnuplot() {
	env -i PATH="$PATH" HOME="${HOME-/}" LC_ALL=C gnuplot -d "$@"
}

# name_page TITLE SVG: with that title, without those that gnuplot gives to what has no name
name_page() {
	sed "s|<title>Gnuplot</title>|<title>$1</title>|; s|<title>gnuplot_plot_[^<]*</title>||" "$2"
}

# draw SCRIPT NAME TITLE SETTING...: $tmp/NAME.svg by scripts/plot/SCRIPT.gp, from $tmp/NAME.csv
draw() {
	script=$1 name=$2 title=$3
	shift 3
	settings="csv='$tmp/$name.csv'; title='$title'"
	for given; do
		settings="$settings; $given"
	done
	clean_gnuplot -e "$settings" "scripts/plot/$script.gp" >"$tmp/drawn"
	name_page "$title" "$tmp/drawn" >"$tmp/$name.svg"
}

# finding CSV: the largest loss and gain against none, in the words of bufsim plot
finding() {
	awk -F, '
	function place(blocks) {
		return sprintf((blocks < 2560 ? " at %.1f" : " at %.0f") " MiB", blocks / 256)
	}
	function size(ratio) {
		ratio = ratio > 1 ? ratio - 1 : 1 - ratio
		return sprintf((ratio < 0.0995 ? "%.1f" : "%.0f") " %%", 100 * ratio)
	}
	NR == 1 {
		for (i = 3; i <= NF && $i ~ /_elapsed_us$/; i++) {
			name[i] = $i
			sub(/_elapsed_us$/, "", name[i])
		}
		most = least = 1
		next
	}
	{
		for (i in name) {
			ratio = $i / $2
			if (ratio > most) {
				most = ratio
				slow = name[i]
				slow_at = place($1)
			}
			if (ratio < least) {
				least = ratio
				fast = name[i]
				fast_at = place($1)
			}
		}
	}
	END {
		if (most > 1.02)
			printf "%s is %s slower than none%s", slow, size(most), slow_at
		if (most > 1.02 && least < 0.98)
			printf "; %s%s faster%s", fast == slow ? "" : fast " ", size(least), fast_at
		else if (least < 0.98)
			printf "%s is %s faster than none%s", fast, size(least), fast_at
	}' "$1"
}

# says SVG: its elements and the pieces of its paths, which begin with M; how gnuplot groups and orders them differs
# between its versions
says() {
	# shellcheck disable=SC2020 # two characters
	tr '<M' '\n\n' <"$1" | sed "s/\(rotate([-0-9]*\)\.00/\1/; s/[[:space:]'/>]*$//; /^g [fi]/d; /^desc/d" | sort -u
}

# replace OLD NEW: in its place, whole; a picture that says the same and was drawn by another gnuplot stays
replace() {
	case $1 in
	*.svg)
		if [ -e "$1" ] && ! grep -q -x -F -e "$(grep '^<desc>' "$2")" "$1" && [ "$(says "$1")" = "$(says "$2")" ]; then
			return
		fi
		;;
	esac
	cp "$2" "$1.tmp"
	mv "$1.tmp" "$1"
}

# publish NAME...: $tmp/NAME.* into results/
publish() {
	for name; do
		for file in "$tmp/$name".csv "$tmp/$name".svg "$tmp/$name".png; do
			if [ -e "$file" ]; then replace "results/$(basename "$file")" "$file"; fi
		done
	done
}

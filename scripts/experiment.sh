# shellcheck shell=sh
# experiment.sh - common parts of the experiments about iprp, which source it with their BUFSIM as $1.
#
# The traces, as binary traces in $tmp; the conditions of AccuSim; and results that are written
# whole or not at all.
set -eu
export LC_ALL=C
bufsim=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# LRU, one call after the other, the Cheetah 9LP of DiskSim, requests of up to 33 blocks: the rest is the default.
# shellcheck disable=SC2034 # used by the scripts that source this file
conditions='--layout accusim --replay serial --device cheetah9lp-disksim'

# From 1/64 of the footprint to all of it, in seven steps of the same ratio.
# shellcheck disable=SC2034
eight_sizes=1/64:1:x1.8114473285

# Programs that run at the same time: one trace of both, or both at once.
mix=glimpse+tpch-myisam

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

# sweep_mix OPTION...: both programs at once
sweep_mix() {
	"$bufsim" sweep --together "$tmp/glimpse.bst" "$tmp/tpch-myisam.bst" "$@"
}

# draw SCRIPT NAME SETTING...: $tmp/NAME.svg by scripts/plot/SCRIPT.gp, from $tmp/NAME.csv
draw() {
	script=$1 name=$2
	shift 2
	settings="csv='$tmp/$name.csv'"
	for setting; do
		settings="$settings; $setting"
	done
	gnuplot -e "$settings" "scripts/plot/$script.gp" >"$tmp/$name.svg"
}

# publish NAME...: $tmp/NAME.* into results/
publish() {
	for name; do
		for file in "$tmp/$name".csv "$tmp/$name".svg; do
			if [ -e "$file" ]; then
				cp "$file" "results/.$name.tmp"
				mv "results/.$name.tmp" "results/$(basename "$file")"
			fi
		done
	done
}

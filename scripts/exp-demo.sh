#!/bin/sh
# exp-demo.sh BUFSIM - two recorded programs with and without Linux 2.4 readahead, at eight cache
# sizes each: a table on standard output, results/demo-*.csv, and execution time above hit ratio
# as results/demo-*.svg and .png.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

# sweep TRACE SIZES
sweep() {
	"$bufsim" sweep "traces/samples/$1.txt.gz" --cache "$2" --prefetch none,linux24
}
{
	sweep csq 1024b:16384b:x2,24576b,32768b,65536b
	sweep tpch-myisam 1024b:131072b:x2
} >"$tmp/runs.csv"

# One row a cache size: the two runs side by side.
awk -F, -v OFS=, -v tmp="$tmp" '
$1 == "trace" {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
{
	trace = $column["trace"]
	blocks = $column["cache_blocks"]
}
$column["prefetcher"] == "none" {
	none_us[trace, blocks] = $column["elapsed_us"]
	none_ratio[trace, blocks] = $column["hit_ratio"]
	next
}
{
	out = tmp "/demo-" trace ".csv"
	if (!(trace in seen)) {
		seen[trace] = 1
		print "cache_blocks,none_elapsed_us,linux24_elapsed_us,none_hit_ratio,linux24_hit_ratio" >out
		printf "%s %s %s %s %s %s\n", trace, $column["references"], $column["policy"],
		    $column["device"], $column["layout"], $column["replay"] >(tmp "/traces")
	}
	print blocks, none_us[trace, blocks], $column["elapsed_us"],
	    none_ratio[trace, blocks], $column["hit_ratio"] >out
}
' "$tmp/runs.csv"

# Where the two curves cross: a line "MIB S harm to help" each, interpolated on the plot's axes.
crossings() {
	awk -F, '
	NR > 1 {
		x = log($1 / 256)
		d = $3 - $2
		if (NR > 2 && d * before < 0) {
			part = before / (before - d)
			printf "%.2f %.2f %s\n", exp(at + part * (x - at)),
			    (none + part * ($2 - none)) / 1e6, (d < 0 ? "harm to help" : "help to harm")
		}
		at = x
		before = d
		none = $2
	}' "$1"
}

# The same in words.
verdict() {
	awk '
	{ printf "%s from %s to %s at %.0f MiB", (NR > 1 ? "," : "linux24 turns"), $3, $5, $1 }
	END { if (!NR) printf "linux24 never turns from harm to help at these sizes" }
	' "$tmp/crossings"
}

table() {
	awk -F, '
	BEGIN {
		print "      cache           execution time (s)            hit ratio"
		print "  MiB    blocks      none   linux24   change     none  linux24"
	}
	NR > 1 {
		printf "%5d %9d %9.1f %9.1f %+7.1f%% %8.3f %8.3f\n", $1 / 256, $1, $2 / 1e6, $3 / 1e6,
		    100 * ($3 / $2 - 1), $4, $5
	}' "$1"
}

# plot TRACE SETTING
plot() {
	for type in svg png; do
		clean_gnuplot -e "type='$type'; csv='$tmp/demo-$1.csv'; verdict='$(verdict)'" \
			-e "trace='$1'; setting='$2'" \
			-e "mb='$(cut -d ' ' -f 1 "$tmp/crossings" | paste -sd ' ' -)'" \
			-e "seconds='$(cut -d ' ' -f 2 "$tmp/crossings" | paste -sd ' ' -)'" \
			scripts/plot/demo.gp >"$tmp/demo-$1.$type"
	done
	name_page "$1: $(verdict)" "$tmp/demo-$1.svg" >"$tmp/titled"
	mv "$tmp/titled" "$tmp/demo-$1.svg"
	publish "demo-$1"
}

while read -r trace references policy device layout replay; do
	crossings "$tmp/demo-$trace.csv" >"$tmp/crossings"
	echo "$trace: $references block references; $policy, $device, $layout layout, $replay replay"
	table "$tmp/demo-$trace.csv"
	printf '%s: results/demo-%s.svg and .png\n\n' "$(verdict)" "$trace"
	plot "$trace" "policy $policy, device $device, layout $layout, replay $replay"
done <"$tmp/traces"

#!/bin/sh
# exp-threshold.sh BUFSIM - after how many consecutive blocks is a run sequential?  iprp compared with
# the better of none and the prefetcher that it wraps, for each threshold, with and without its account.
#
# The default was chosen on some traces (tuning) and is reported on others.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

thresholds='2 4 8 12 16 24 32 48 64'
tuning='csq tpch-myisam pgbench'
reporting="cscope glimpse media multi1 $mix"

# shellcheck disable=SC2086 # lists of words
{
	convert_samples $tuning cscope media multi1
	convert_mix
	set -- none linux24 ondemand
	for variant in paper account; do
		for inner in linux24 ondemand; do
			for threshold in $thresholds; do
				set -- "$@" "iprp:variant=$variant;threshold=$threshold+$inner"
			done
		done
	done
	files=
	for trace in $tuning $reporting; do
		files="$files $tmp/$trace.bst"
	done
	"$bufsim" sweep $files --cache "$eight_sizes" $conditions \
		--prefetch "$(echo "$*" | tr ' ;' ',,')" >"$tmp/quoted"
	sed 's/"\([^",]*\),\([^"]*\)"/\1;\2/' "$tmp/quoted" >"$tmp/runs"
}

# For each half, variant, inner prefetcher and threshold: the worst ratio, where it is, and the mean.
default=$("$bufsim" list | sed -n 's/.*:threshold=.*(default \([0-9]*\),.*/\1/p')
awk -F, -v OFS=, -v tuning="$tuning" -v default="$default" '
function of(prefetcher, word) {
	sub(".*" word "=", "", prefetcher)
	sub("[;+].*", "", prefetcher)
	return prefetcher
}
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	n = split(tuning, name, " ")
	for (i = 1; i <= n; i++)
		tunes[name[i]] = 1
	next
}
{
	at = $column["trace"] "," $column["cache_blocks"]
	prefetcher = $column["prefetcher"]
	us[at, prefetcher] = $column["elapsed_us"]
}
prefetcher == "none" {
	point[++points] = at
}
prefetcher ~ /^iprp/ && !(prefetcher in seen) {
	seen[prefetcher] = 1
	setting[++settings] = prefetcher
}
END {
	print "half,variant,inner,threshold,default,points,above_1.02,mean_ratio,worst_ratio,worst_trace,worst_cache_blocks"
	for (h = 1; h <= 2; h++)
		for (s = 1; s <= settings; s++) {
			inner = setting[s]
			sub(/.*\+/, "", inner)
			count = above = sum = worst = 0
			for (p = 1; p <= points; p++) {
				split(point[p], part, ",")
				if ((part[1] in tunes) != (h == 1))
					continue
				best = us[point[p], inner] < us[point[p], "none"] ? \
				    us[point[p], inner] : us[point[p], "none"]
				ratio = us[point[p], setting[s]] / best
				count++
				above += ratio > 1.02
				sum += log(ratio)
				if (ratio > worst) {
					worst = ratio
					where = point[p]
				}
			}
			print h == 1 ? "tuning" : "reporting", of(setting[s], "variant"), inner,
			    of(setting[s], "threshold"), of(setting[s], "threshold") == default ? "yes" : "no", count, above,
			    sprintf("%.5f,%.5f", exp(sum / count), worst), where
		}
}' "$tmp/runs" >"$tmp/threshold.csv"

title="iprp with a threshold of $default: at worst $(awk -F, '
$5 == "yes" && $2 == "account" && $9 > worst { worst = $9 }
END { printf "%.1f", 100 * (worst - 1) }' "$tmp/threshold.csv") % slower than the better of none and what it wraps"
draw threshold threshold "$title" "chosen=$default"
publish threshold
scripts/check-results --update threshold

#!/bin/sh
# exp-threshold.sh BUFSIM - after how many consecutive blocks is a run sequential?  iprp compared with
# the better of none and the prefetcher that it wraps, for each threshold.
#
# The default is chosen on some traces (tuning) and reported on others.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

thresholds='2 4 8 12 16 24 32 48 64'
convert_halves
list=none
for inner in linux24 ondemand; do
	list="$list,$inner"
	for threshold in $thresholds; do
		list="$list,iprp:threshold=$threshold+$inner"
	done
done
# shellcheck disable=SC2086 # a list of words
sweep_halves --cache "$eight_sizes" $conditions --prefetch "$list"

# For each half, inner prefetcher and threshold: the worst ratio, where it is, and the mean.
chosen=$(parameters iprp | sed -n 's/^threshold \([0-9]*\).*/\1/p')
awk -F, -v OFS=, -v chosen="$chosen" "$cells"'
function threshold(prefetcher) {
	sub(/.*=/, "", prefetcher)
	sub(/\+.*/, "", prefetcher)
	return prefetcher
}
{
	at = cell("half") "," cell("trace") "," cell("cache_blocks")
	prefetcher = cell("prefetcher")
	us[at, prefetcher] = cell("elapsed_us")
}
prefetcher == "none" {
	point[++points] = at
}
prefetcher ~ /^iprp/ && !(prefetcher in seen) {
	seen[prefetcher] = 1
	setting[++settings] = prefetcher
}
END {
	print "half,inner,threshold,default,points,above_1.02,mean_ratio,worst_ratio,worst_trace,worst_cache_blocks"
	split("tuning reporting", half, " ")
	for (h = 1; h <= 2; h++)
		for (s = 1; s <= settings; s++) {
			inner = setting[s]
			sub(/.*\+/, "", inner)
			count = above = sum = worst = 0
			for (p = 1; p <= points; p++) {
				split(point[p], part, ",")
				if (part[1] != half[h])
					continue
				best = us[point[p], inner] < us[point[p], "none"] ? \
				    us[point[p], inner] : us[point[p], "none"]
				ratio = us[point[p], setting[s]] / best
				count++
				above += ratio > 1.02
				sum += log(ratio)
				if (ratio > worst) {
					worst = ratio
					where = part[2] "," part[3]
				}
			}
			print half[h], inner, threshold(setting[s]),
			    threshold(setting[s]) == chosen ? "yes" : "no", count, above, sprintf("%.5f,%.5f", exp(sum / count), worst), where
		}
}' "$tmp/runs" >"$tmp/threshold.csv"

title="iprp with a threshold of $chosen: at worst $(awk -F, '
$4 == "yes" && $8 > worst { worst = $8 }
END { printf "%.0f", 100 * (worst - 1) }' "$tmp/threshold.csv") % slower than the better of none and what it wraps"
draw threshold threshold "$title" "chosen=$chosen"
publish threshold
scripts/check-results --update threshold

#!/bin/sh
# exp-ledger-constants.sh BUFSIM - does anything depend on the exact value of a parameter of ledger?
#
# Each numeric parameter that `bufsim list ledger` names, at half and at twice its default, on both
# halves of the traces and three devices.  And leave-one-out: the best of these settings on all
# tuning traces but one, compared with the default on that one.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

devices=cheetah9lp,hc310,nvme-960evo
inners='linux24 ondemand'

# accepted SETTING: could ledger run with it?
accepted() {
	"$bufsim" explain --pattern sequential --calls 1 --prefetch "ledger:$1" >/dev/null 2>&1
}

# variations: NAME=VALUE, half and twice each default; whole numbers where a fraction is refused
variations() {
	parameters ledger | awk '{ print $1, $2, $2 / 2, 2 * $2, $3 }' | while read -r name default half twice unit; do
		for value in $half $twice; do
			if ! accepted "$name=$value$unit"; then value=${value%.*}; fi
			if [ "$value" != "$default" ] && accepted "$name=$value$unit"; then echo "$name=$value$unit"; fi
		done
	done
}

convert_halves
variations >"$tmp/variations"
list=none
for inner in $inners; do
	list="$list,$inner,ledger+$inner"
	while read -r setting; do
		list="$list,ledger:$setting+$inner"
	done <"$tmp/variations"
done
sweep_halves --cache "$eight_sizes" --device $devices --prefetch "$list"

# A row a point and setting: half, trace, device, inner, share, setting, ratio to the better of the two.
awk -F, -v OFS=, "$cells"'
{
	at = cell("half") "," cell("trace") "," cell("device")
	size = cell("cache_blocks")
	prefetcher = cell("prefetcher")
	if (size > footprint[at])
		footprint[at] = size
	us[at, size, prefetcher] = cell("elapsed_us")
}
prefetcher ~ /\+/ {
	n++
	where[n] = at
	blocks[n] = size
	ran[n] = prefetcher
}
END {
	print "half,trace,device,inner,share,setting,ratio"
	for (i = 1; i <= n; i++) {
		inner = setting = ran[i]
		sub(/.*\+/, "", inner)
		sub(/\+.*/, "", setting)
		if (!sub(/^ledger:/, "", setting))
			setting = "default"
		none = us[where[i], blocks[i], "none"]
		other = us[where[i], blocks[i], inner]
		printf "%s,%s,%.4f,%s,%.5f\n", where[i], inner, blocks[i] / footprint[where[i]], setting,
		    us[where[i], blocks[i], ran[i]] / (other < none ? other : none)
	}
}' "$tmp/runs" >"$tmp/ratios"

# For each half, device and setting: how often and how much it loses.
awk -F, "$cells"'
{
	at = cell("half") "," cell("device") "," cell("setting")
	ratio = cell("ratio")
	if (!(at in points))
		group[++groups] = at
	points[at]++
	above[at] += ratio > 1.02
	far[at] += ratio > 1.05
	sum[at] += log(ratio)
	if (ratio > worst[at]) {
		worst[at] = ratio
		where[at] = cell("trace") "," cell("inner") "," cell("share")
	}
}
END {
	print "half,device,setting,points,above_1.02,above_1.05,mean_ratio,worst_ratio,worst_trace,worst_inner,worst_share"
	for (g = 1; g <= groups; g++) {
		at = group[g]
		printf "%s,%d,%d,%d,%.5f,%.5f,%s\n", at, points[at], above[at], far[at], exp(sum[at] / points[at]),
		    worst[at], where[at]
	}
}' "$tmp/ratios" >"$tmp/ledger-constants.csv"

# For each tuning trace: the setting with fewest points above 1.02 on the others, of these the one with the least mean.
awk -F, "$cells"'
cell("half") == "tuning" {
	trace = cell("trace")
	s = cell("setting")
	ratio = cell("ratio")
	if (!seen_trace[trace]++)
		name[++traces] = trace
	if (!seen_setting[s]++)
		setting[++settings] = s
	points[trace, s]++
	above[trace, s] += ratio > 1.02
	sum[trace, s] += log(ratio)
	if (ratio > worst[trace, s])
		worst[trace, s] = ratio
}
function of(t, s) {
	return sprintf("%d,%.5f,%.5f", above[t, s], exp(sum[t, s] / points[t, s]), worst[t, s])
}
END {
	print "trace,points,chosen,others_above_1.02,others_mean_ratio,above_1.02,mean_ratio,worst_ratio," \
	    "default_above_1.02,default_mean_ratio,default_worst_ratio"
	for (i = 1; i <= traces; i++) {
		chosen = ""
		for (k = 1; k <= settings; k++) {
			n = a = m = 0
			for (j = 1; j <= traces; j++)
				if (j != i) {
					n += points[name[j], setting[k]]
					a += above[name[j], setting[k]]
					m += sum[name[j], setting[k]]
				}
			if (chosen == "" || a < least || (a == least && m / n < mean)) {
				chosen = setting[k]
				least = a
				mean = m / n
			}
		}
		printf "%s,%d,%s,%d,%.5f,%s,%s\n", name[i], points[name[i], chosen], chosen, least, exp(mean),
		    of(name[i], chosen), of(name[i], "default")
	}
}' "$tmp/ratios" >"$tmp/ledger-leave-one-out.csv"
publish ledger-constants ledger-leave-one-out
scripts/check-results --update ledger-constants

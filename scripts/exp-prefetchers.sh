#!/bin/sh
# exp-prefetchers.sh BUFSIM - what is every prefetcher worth, and what became of the blocks it read?
#
# All prefetchers that `bufsim list prefetchers` names, with the parameters and inner prefetchers that are
# their defaults: all traces, three cache sizes, a disk and a solid-state drive.  A prefetcher that no
# run takes with LRU is asked for with OPT: it knows the future, and the best of them is the floor.
# Without one, OPT without prefetching is.  And of some of them, a row a trace: a tenth of its footprint,
# two disks.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

tenth=linux24,competitive,leap,mithril,iprp,ledger,fdp,fdp:min=0,switch
sizes=1/32,1/8,1/2
devices=cheetah9lp,nvme-960evo

# takes POLICY PREFETCHER
takes() {
	"$bufsim" run --pattern sequential:size=1M --policy "$1" --prefetch "$2" >/dev/null 2>&1
}

# With LRU, all but none; and with OPT only.
with_lru='' with_opt=''
for name in $("$bufsim" list prefetchers | sed -n 's/^  \([a-z0-9_]\{1,\}\) .*/\1/p'); do
	if [ "$name" = none ]; then continue; fi
	if takes lru "$name"; then
		with_lru=$with_lru,$name
	elif takes opt "$name"; then
		with_opt=$with_opt,$name
	else
		echo "$name: no run takes it: left out" >&2
	fi
done

# study OPTION...: one row a run
study() {
	# shellcheck disable=SC2046,SC2086 # lists of words
	"$bufsim" sweep $(binaries $alone) --cache "$sizes" --device "$devices" "$@" >"$tmp/rows"
	awk -F, -v OFS=, "$cells"'
	FNR > 1 {
		print cell("device"), cell("trace"), cell("policy"), cell("prefetcher"), cell("cache_blocks"), cell("elapsed_us"),
		    cell("references"), cell("misses"), cell("prefetched_blocks"), cell("prefetch_used_blocks"), cell("prefetch_late_blocks"),
		    cell("prefetch_wasted_blocks"), cell("prefetch_unused_blocks") + cell("prefetch_inflight_blocks")
	}' "$tmp/rows"
}

# shellcheck disable=SC2086 # a list of words
convert_samples $alone
{
	echo device,trace,policy,prefetcher,cache_blocks,elapsed_us,references,misses,prefetched_blocks,used_blocks,late_blocks,wasted_blocks,unused_blocks
	study --policy lru --prefetch "none$with_lru"
	study --policy opt --prefetch "none$with_opt"
} >"$tmp/prefetchers.csv"

# Of each device and prefetcher: the mean time relative to none with LRU at each size, the extremes and the mean
# of all, the blocks read ahead for 100 misses of none by what became of them, 1 in the row that is the floor, and
# the points at which it is more than 2 % slower.
# Rows are in the order of the mean time on the first device.
awk -F, -v OFS=, '
NR == 1 {
	next
}
{
	point = $1 OFS $2 OFS $5
	name = $3 == "opt" ? ($4 == "none" ? "none (opt)" : $4 " (opt)") : $4
	if ($3 == "lru" && $4 == "none") {
		none[point] = $6
		missed[point] = $8
		size[point] = sizes[$1, $2]++
		next
	}
	if (!(name in seen)) {
		seen[name] = 1
		names[++n] = name
		future[name] = $3 == "opt"
	}
	if (!($1 in met)) {
		met[$1] = 1
		device[++devices] = $1
	}
	at = $1 OFS name
	ratio = $6 / none[point]
	points[at]++
	slower[at] += ratio > 1.02
	sum[at] += log(ratio)
	of_size[at, size[point]] += log(ratio)
	if (!(at in least) || ratio < least[at])
		least[at] = ratio
	if (ratio > most[at])
		most[at] = ratio
	for (k = 0; k < 4; k++)
		if (missed[point] > 0)
			blocks[at, k] += 100 * $(10 + k) / missed[point]
}
function mean(at) {
	return exp(sum[at] / points[at])
}
END {
	for (i = 1; i <= n; i++)
		for (k = i; k > 1 && mean(device[1] OFS names[k]) < mean(device[1] OFS names[k - 1]); k--) {
			swap = names[k]
			names[k] = names[k - 1]
			names[k - 1] = swap
		}
	print "device,prefetcher,small_ratio,middle_ratio,large_ratio,least_ratio,most_ratio,mean_ratio,used,late,wasted,unused,floor,slower,points"
	for (d = 1; d <= devices; d++) {
		floor = ""
		for (i = 1; i <= n; i++) {
			at = device[d] OFS names[i]
			if (future[names[i]] && (floor == "" || mean(at) < mean(floor)))
				floor = at
		}
		for (i = 1; i <= n; i++) {
			at = device[d] OFS names[i]
			line = device[d] "," names[i]
			for (k = 0; k < 3; k++)
				line = line sprintf(",%.4f", exp(3 * of_size[at, k] / points[at]))
			line = line sprintf(",%.4f,%.4f,%.4f", least[at], most[at], mean(at))
			for (k = 0; k < 4; k++)
				line = line sprintf(",%.2f", blocks[at, k] / points[at])
			print line "," (at == floor) "," slower[at] "," points[at]
		}
	}
}' "$tmp/prefetchers.csv" >"$tmp/prefetchers-mean.csv"

rows=$(awk -F, 'NR > 1 && $1 == first || NR == 2 { first = $1; n++ } END { print n }' "$tmp/prefetchers-mean.csv")
for figure in time blocks; do
	cp "$tmp/prefetchers-mean.csv" "$tmp/prefetchers-$figure.csv"
done
draw prefetchers-time prefetchers-time 'What a prefetcher is worth' "rows=$rows; devices='$(echo $devices | tr , ' ')'"
draw prefetchers-blocks prefetchers-blocks 'Where the prefetched blocks went' "rows=$rows; devices='$(echo $devices | tr , ' ')'"
rm "$tmp/prefetchers-time.csv" "$tmp/prefetchers-blocks.csv"

# shellcheck disable=SC2046,SC2086 # lists of words
"$bufsim" sweep $(binaries $alone) --cache 10% --device cheetah9lp,hc310 --prefetch "none,$tenth" >"$tmp/rows"
{
	echo trace,device,prefetcher,time_ratio
	awk -F, "$cells"'
	cell("prefetcher") == "none" {
		none = cell("elapsed_us")
		next
	}
	{
		printf "%s,%s,%s,%.4f\n", cell("trace"), cell("device"), cell("prefetcher"), cell("elapsed_us") / none
	}' "$tmp/rows"
} >"$tmp/prefetchers-tenth.csv"

publish prefetchers prefetchers-mean prefetchers-tenth prefetchers-time prefetchers-blocks
scripts/check-results --update

#!/bin/sh
# exp-never-loses.sh BUFSIM [--quick] [TRACE...] - is a controller ever slower than the better of no
# prefetching and the prefetcher that it wraps?  Two halves of traces, eight cache sizes, three
# devices, serial replay with five prefetchers and process replay with two.  And does the ledger
# lose less if the uses of planned blocks are known (known)?
#
# Where processes wait at the same time, a little more or less thinking changes the order of their
# calls, and the time by some percent.  A time of process replay is the mean of five: with all
# thinking 4 and 2 % shorter, as recorded, and 2 and 4 % longer.
#
# One row a point, and a summary.  For each point where the ledger loses more than 2 %, the better
# of the two runs again with a little less and a little more cache; the rows and counters give the
# reason.  With TRACEs: these instead; --quick: the first device, serial replay and two prefetchers
# only; both on standard output only.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh
shift

inners_serial='linux24 ondemand linux26 amp obl'
inners_process='linux24 ondemand'
devices=cheetah9lp,hc310,nvme-960evo
replays='serial process'
scales=0.96,0.98,1,1.02,1.04
quick=
if [ "${1-}" = --quick ]; then
	shift
	inners_serial='linux24 ondemand' devices=cheetah9lp replays=serial quick=yes
fi

# Of these controllers, those that this bufsim has.
controllers=
for name in iprp ledger fdp switch; do
	if "$bufsim" list "$name" >/dev/null 2>&1; then controllers="$controllers $name"; fi
done

case $controllers in
*ledger*) controllers="$controllers known" ;;
esac

# prefetchers REPLAY: a list for --prefetch
prefetchers() {
	inners=$inners_serial
	if [ "$1" = process ]; then inners=$inners_process; fi
	list=none
	for inner in $inners; do
		list="$list,$inner"
		for controller in $controllers; do
			if [ "$controller" = known ]; then controller=ledger:uses=known; fi
			list="$list,$controller+$inner"
		done
	done
	echo "$list"
}

# Of every point: the times, the ratios, and what explains those of the ledger.
# shellcheck disable=SC2016
points='
BEGIN {
	controllers = split(list, controller, " ")
	waits = split("miss:misses;ride:readahead read with misses;demand_queue:the queue behind demand;" \
	    "prefetch_queue:the queue behind prefetches;write_queue:the queue behind writes;late:late prefetches;" \
	    "delayed:delayed hits;frame:a free frame or request;write:synchronous writes;idle:an idle device", wait, ";")
	for (w = 1; w <= waits; w++) {
		split(wait[w], part, ":")
		wait_column[w] = "stall_" part[1] "_us"
		wait_name[w] = part[2]
	}
	times = ratios = ""
	for (k = 1; k <= controllers; k++) {
		times = times "," controller[k] "_us"
		ratios = ratios "," controller[k] "_ratio"
	}
	print "half,trace,device,replay,inner,cache_blocks,share,none_us,inner_us" times ratios \
	    ",vetoed_blocks,regretted_blocks,prefetched_blocks,wasted_blocks,longer_wait,longer_us"
}
{
	at = cell("half") "," cell("trace") "," cell("device") "," cell("replay")
	size = cell("cache_blocks")
	prefetcher = cell("prefetcher")
	if (size > footprint[at])
		footprint[at] = size
	us[at, size, prefetcher] += cell("elapsed_us")
	runs[at, size, prefetcher]++
	if (cell("think_scale") != 1)
		next
	for (w = 1; w <= waits; w++)
		stall[at, size, prefetcher, w] = cell(wait_column[w])
	counts[at, size, prefetcher] = cell("ledger_vetoed_blocks") "," cell("ledger_regretted_blocks") "," \
	    cell("prefetched_blocks") "," cell("prefetch_wasted_blocks")
}
prefetcher != "none" && prefetcher !~ /\+/ {
	n++
	where[n] = at
	blocks[n] = size
	inner[n] = prefetcher
}
# The wait of the ledger that grew most.  Those of several processes overlap: they do not add up to a time.
function longer(at, size, better, ledger,	w, most, by, grown) {
	if (at ~ /,process$| at once,/)
		return ","
	for (w = 1; w <= waits; w++) {
		grown = stall[at, size, ledger, w] - stall[at, size, better, w]
		if (grown > by) {
			by = grown
			most = wait_name[w]
		}
	}
	return sprintf("%s,%.0f", most, by)
}
END {
	for (run in runs)
		us[run] /= runs[run]
	for (i = 1; i <= n; i++) {
		at = where[i]
		size = blocks[i]
		none = us[at, size, "none"]
		other = us[at, size, inner[i]]
		better = other < none ? other : none
		times = ratios = ""
		for (k = 1; k <= controllers; k++) {
			setting = controller[k] == "known" ? "ledger:uses=known" : controller[k]
			took = us[at, size, setting "+" inner[i]]
			times = times sprintf(",%.0f", took)
			ratios = ratios sprintf(",%.5f", took / better)
		}
		ledger = "ledger+" inner[i]
		printf "%s,%s,%d,%.4f,%.0f,%.0f%s%s,%s,%s\n", at, inner[i], size, size / footprint[at], none, other,
		    times, ratios, counts[at, size, ledger],
		    longer(at, size, other < none ? inner[i] : "none", ledger)
	}
}'

# For each half, device, replay, prefetcher and controller: how often and how much it loses and wins.
# shellcheck disable=SC2016
summary='
BEGIN {
	controllers = split(list, controller, " ")
	print "half,device,replay,inner,controller,points,above_1.02,above_1.05,worst_ratio,worst_trace,worst_share," \
	    "mean_ratio,faster"
}
{
	at = cell("half") "," cell("device") "," cell("replay") "," cell("inner")
	if (!(at in points))
		group[++groups] = at
	points[at]++
	for (k = 1; k <= controllers; k++) {
		ratio = cell(controller[k] "_ratio")
		above[at, k] += ratio > 1.02
		far[at, k] += ratio > 1.05
		faster[at, k] += ratio < 0.99
		sum[at, k] += log(ratio)
		if (ratio > worst[at, k]) {
			worst[at, k] = ratio
			where[at, k] = cell("trace") "," cell("share")
		}
	}
}
END {
	for (g = 1; g <= groups; g++)
		for (k = 1; k <= controllers; k++) {
			at = group[g]
			printf "%s,%s,%d,%d,%d,%.5f,%s,%.5f,%d\n", at, controller[k], points[at], above[at, k], far[at, k],
			    worst[at, k], where[at, k], exp(sum[at, k] / points[at]), faster[at, k]
		}
}'

# thinking REPLAY: the option for it
thinking() {
	if [ "$1" = process ]; then echo --think-scale $scales; fi
}

# near TRACE DEVICE REPLAY PREFETCHER BLOCKS: times with 94, 98 and 102 % of that cache
near() {
	less=$(($5 * 94 / 100)) below=$(($5 * 98 / 100)) more=$(($5 * 102 / 100))
	# shellcheck disable=SC2046 # two words
	case $1 in
	*' at once') set -- "$@" --together $(binaries glimpse tpch-myisam) ;;
	*) set -- "$@" "$tmp/$1.bst" ;;
	esac
	device=$2 replay=$3 prefetcher=$4
	shift 5
	# shellcheck disable=SC2046 # words
	"$bufsim" sweep "$@" --cache "${less}b,${below}b,${more}b" --device "$device" --replay "$replay" \
		--prefetch "$prefetcher" $(thinking "$replay") >"$tmp/rows"
	awk -F, -v sizes="$less $below $more" "$cells"'
	{
		us[cell("cache_blocks")] += cell("elapsed_us")
		n[cell("cache_blocks")]++
	}
	END {
		split(sizes, size, " ")
		for (k = 1; k <= 3; k++)
			printf "%.0f%s", us[size[k]] / n[size[k]], k < 3 ? " " : "\n"
	}' "$tmp/rows"
}

# at_once TRACE REPLAY: do several processes or programs wait at the same time?
at_once() {
	case $1,$2 in
	*' at once',* | *,process) ;;
	*) return 1 ;;
	esac
}

# Each point where the ledger takes more than 1.02, and why.
reasons() {
	echo 'half,trace,device,replay,inner,cache_blocks,share,iprp_ratio,ledger_ratio,best,best_us,best_94_us,best_98_us,best_102_us,reason'
	awk -F, -v OFS=, "$cells"'
	cell("ledger_ratio") > 1.02 {
		print cell("half"), cell("trace"), cell("device"), cell("replay"), cell("inner"), cell("cache_blocks"),
		    cell("share"), cell("none_us"), cell("inner_us"), cell("ledger_us"), cell("iprp_ratio"),
		    cell("ledger_ratio"), cell("vetoed_blocks"), cell("regretted_blocks"), cell("prefetched_blocks"),
		    cell("wasted_blocks"), cell("longer_wait"), cell("longer_us")
	}' "$1" >"$tmp/above"
	while IFS=, read -r half trace device replay inner blocks share none other ledger iprp_ratio ratio \
		vetoed regretted prefetched wasted wait wait_us; do
		best=none least=$none reason="$wasted of $prefetched prefetched blocks were evicted unused"
		if [ "$other" -lt "$none" ]; then
			best=$inner least=$other
			reason="missed gain: $regretted of $vetoed vetoed blocks would have been used"
		fi
		if [ -n "$wait" ]; then reason="$reason; longer: $wait +$((wait_us / 1000)) ms"; fi
		near "$trace" "$device" "$replay" "$best" "$blocks" >"$tmp/near"
		read -r less below more <"$tmp/near"
		order=
		if [ "$below" -ge "$ledger" ] || [ "$more" -ge "$ledger" ]; then order=yes; fi
		if [ "$best" != none ] && [ "$((vetoed * 100))" -lt "$prefetched" ]; then
			order=yes reason="nearly every plan passed: $vetoed blocks vetoed and $prefetched prefetched"
		fi
		if [ "$less" -ge "$ledger" ]; then reason="a cliff; $reason"; fi
		if [ -n "$order" ] && at_once "$trace" "$replay"; then reason="order of calls; $reason"; fi
		echo "$half,$trace,$device,$replay,$inner,$blocks,$share,$iprp_ratio,$ratio,$best,$least,$less,$below,$more,$reason"
	done <"$tmp/above"
}

# draw_half HALF: around the default on the first device, relative to the better of the two
draw_half() {
	half=$1
	awk -F, -v OFS=, -v half="$half" -v names="$tmp/names" "$cells"'
	cell("half") == half && cell("device") == "cheetah9lp" && cell("replay") == "serial" && cell("inner") == "linux24" {
		if (cell("trace") != before) {
			printf "%s\"%s\"", before == "" ? "" : ",", cell("trace") >names
			if (before != "")
				printf "\n\n"
		}
		before = cell("trace")
		better = cell("inner_us") < cell("none_us") ? cell("inner_us") : cell("none_us")
		print cell("cache_blocks") / 256, cell("none_us") / better, cell("inner_us") / better,
		    cell("iprp_ratio"), cell("ledger_ratio")
	}' "$tmp/never-loses.csv" >"$tmp/never-loses-drawn.csv"
	title=$(awk -F, -v half="$half" '
	NF {
		n++
		within += $5 <= 1.02
	}
	END {
		printf "%s half: ledger takes at most 2 %% longer than the better of none and linux24 at %d of %d points", half, within, n
	}' "$tmp/never-loses-drawn.csv")
	draw never-loses never-loses-drawn "$title" "array name = [$(cat "$tmp/names")]" \
		"setting='policy lru, device cheetah9lp, layout packed, replay serial; iprp and ledger wrap linux24'"
	mv "$tmp/never-loses-drawn.svg" "$tmp/never-loses-$half.svg"
}

given=
if [ $# -gt 0 ]; then
	convert "$@"
	for trace; do
		name=$(basename "$trace")
		given="$given ${name%%.*}"
	done
else
	convert_halves
fi
set -- --cache "$eight_sizes" --device $devices
for replay in $replays; do
	# shellcheck disable=SC2046,SC2086 # lists of words
	if [ -n "$given" ]; then
		sweep given $(binaries $given) "$@" --replay "$replay" --prefetch "$(prefetchers "$replay")" $(thinking "$replay")
	else
		sweep_halves "$@" --replay "$replay" --prefetch "$(prefetchers "$replay")" $(thinking "$replay")
	fi
done
awk -F, -v list="$controllers" "$cells $points" "$tmp/runs" >"$tmp/never-loses.csv"
awk -F, -v list="$controllers" "$cells $summary" "$tmp/never-loses.csv" >"$tmp/never-loses-summary.csv"
reasons "$tmp/never-loses.csv" >"$tmp/never-loses-points.csv"
if [ -n "$given$quick" ]; then
	cat "$tmp/never-loses.csv" "$tmp/never-loses-points.csv" "$tmp/never-loses-summary.csv"
	exit
fi
draw_half tuning
draw_half reporting
publish never-loses never-loses-points never-loses-summary never-loses-tuning never-loses-reporting
scripts/check-results --update never-loses

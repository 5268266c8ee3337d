#!/bin/sh
# exp-never-loses.sh BUFSIM [TRACE...] - is iprp ever slower than the better of no prefetching and the
# prefetcher that it wraps?  Every shipped trace and two mixes, eight cache sizes, each prefetcher.
#
# One row a point.  Points where iprp loses more than 2 % run again with 6 % less cache; the
# counters give the reason.  With TRACEs: these instead, on standard output only.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh
shift

both='linux24 ondemand'		 # in AccuSim's layout, and in the default one
others='linux26 amp obl'	 # in AccuSim's layout

# around INNER...: a list for --prefetch
around() {
	list=none
	for inner; do
		list="$list,$inner,iprp:variant=paper+$inner,iprp+$inner"
	done
	echo "$list"
}

# sweep LAYOUT FILE...: everything at every size; the mix of both programs, if it is there, also at once
sweep() {
	layout=$1
	shift
	inner=$both
	if [ "$layout" = accusim ]; then inner="$both $others"; fi
	# shellcheck disable=SC2086 # a list of words
	set -- "$@" --cache "$eight_sizes" $conditions --layout "$layout" --prefetch "$(around $inner)"
	"$bufsim" sweep "$@"
	if [ -e "$tmp/$mix.bst" ]; then
		while [ "${1#--}" = "$1" ]; do shift; done
		sweep_mix "$@" | sed "s/^$mix,/$mix at once,/"
	fi
}

# Of every point: the times, the counters that explain them, and the ratios.
# shellcheck disable=SC2016 # a program of awk
points='
BEGIN {
	print "trace,layout,inner,cache_blocks,share,none_us,inner_us,paper_us,iprp_us,paper_ratio,iprp_ratio," \
	    "iprp_vetoed_blocks,iprp_regretted_blocks,prefetched_blocks,wasted_blocks"
}
$1 == "trace" {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	next
}
{
	at = $column["trace"] "," $column["layout"]
	size = $column["cache_blocks"]
	if (size > footprint[at])
		footprint[at] = size
	prefetcher = $column["prefetcher"]
	us[at, size, prefetcher] = $column["elapsed_us"]
	counts[at, size, prefetcher] = $column["iprp_vetoed_blocks"] "," $column["iprp_regretted_blocks"] "," \
	    $column["prefetched_blocks"] "," $column["prefetch_wasted_blocks"]
}
prefetcher ~ /^iprp\+/ {
	n++
	where[n] = at
	blocks[n] = size
	inner[n] = substr(prefetcher, 6)
}
END {
	for (i = 1; i <= n; i++) {
		none = us[where[i], blocks[i], "none"]
		other = us[where[i], blocks[i], inner[i]]
		paper = us[where[i], blocks[i], "iprp:variant=paper+" inner[i]]
		iprp = us[where[i], blocks[i], "iprp+" inner[i]]
		best = other < none ? other : none
		printf "%s,%s,%d,%.4f,%.0f,%.0f,%.0f,%.0f,%.5f,%.5f,%s\n", where[i], inner[i], blocks[i],
		    blocks[i] / footprint[where[i]], none, other, paper, iprp, paper / best, iprp / best,
		    counts[where[i], blocks[i], "iprp+" inner[i]]
	}
}'

# elapsed TRACE OPTION...: of one run
elapsed() {
	case $1 in
	*' at once') shift && set -- "$tmp/glimpse.bst" "$tmp/tpch-myisam.bst" "$@" ;;
	*) name=$1 && shift && set -- "$tmp/$name.bst" "$@" ;;
	esac
	"$bufsim" run "$@" --csv |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "elapsed_us") c = i; next } { print $c }'
}

# Each point above 1.02 once more, with 6 % less cache, and why.
reasons() {
	echo 'trace,layout,inner,cache_blocks,paper_ratio,iprp_ratio,best,best_us,best_smaller_us,reason'
	awk -F, 'NR > 1 && $11 > 1.02' "$1" |
		while IFS=, read -r trace layout inner blocks _ none other paper iprp paper_ratio ratio \
			vetoed regretted prefetched wasted; do
			best=none least=$none
			if [ "$other" -lt "$none" ]; then best=$inner least=$other; fi
			# shellcheck disable=SC2086
			less=$(elapsed "$trace" --cache "$((blocks * 94 / 100))b" $conditions \
				--layout "$layout" --prefetch "$best")
			if [ "$best" != none ]; then
				reason="missed gain: $regretted of $vetoed vetoed blocks would have been used"
			elif [ "$((paper * 100))" -gt "$((least * 102))" ]; then
				reason="with a pattern: the readahead that the paper's rule allows costs time as well"
			else
				reason="without a pattern: $wasted of $prefetched prefetched blocks were evicted unused"
			fi
			if [ "$less" -ge "$iprp" ]; then
				reason="a cliff; $reason"
			fi
			echo "$trace,$layout,$inner,$blocks,$paper_ratio,$ratio,$best,$least,$less,$reason"
		done
}

files=
if [ $# -gt 0 ]; then
	convert "$@"
	for trace; do
		name=$(basename "$trace")
		files="$files $tmp/${name%%.*}.bst"
	done
else
	convert_samples cscope csq media multi1 pgbench
	convert_mix
	for name in cscope csq tpch-myisam pgbench glimpse media multi1 $mix; do
		files="$files $tmp/$name.bst"
	done
fi
# shellcheck disable=SC2086 # a list of files
{
	sweep accusim $files >"$tmp/runs"
	sweep packed $files >>"$tmp/runs"
}
awk -F, "$points" "$tmp/runs" >"$tmp/never-loses.csv"
reasons "$tmp/never-loses.csv" >"$tmp/never-loses-points.csv"
if [ $# -gt 0 ]; then
	cat "$tmp/never-loses.csv" "$tmp/never-loses-points.csv"
	exit
fi

# Around the default, relative to the better: does iprp stay within 2 %?
awk -F, -v OFS=, 'NR > 1 && $2 == "accusim" && $3 == "linux24" {
	if (before != "" && $1 != before)
		printf "\n\n"
	before = $1
	better = $7 < $6 ? $7 : $6
	print $4 / 256, $6 / better, $7 / better, $8 / better, $9 / better
}' "$tmp/never-loses.csv" >"$tmp/drawn.csv"
title=$(awk -F, 'NR > 1 && $2 == "accusim" && $3 == "linux24" { n++; within += $11 <= 1.02 }
END { printf "iprp takes at most 2 %% longer than the better of none and linux24 at %d of %d points", within, n }' \
	"$tmp/never-loses.csv")
names=$(awk -F, 'NR > 1 && !seen[$1]++ { printf "%s\"%s\"", comma, $1; comma = "," }' \
	"$tmp/never-loses.csv")
draw never-loses drawn "$title" "array name = [$names]" "setting='$setting'"
mv "$tmp/drawn.svg" "$tmp/never-loses.svg"
publish never-loses never-loses-points
scripts/check-results --update never-loses

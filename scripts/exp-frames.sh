#!/bin/sh
# exp-frames.sh [--check|--analyse|--pages] BUFSIM - allocators of page frames: counts, fragmentation, modelled cores,
# and operations per second of this machine.
#
# What is the same on every machine is in results/frames.csv; times of one machine are in results/frames-times.csv, and
# those of what a kernel did in results/frames-pages.csv.  --pages takes the last times alone, --analyse keeps all
# of them; --check runs a part of the first, and compares the rows.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes='--check --analyse --pages'
. scripts/experiment.sh

pools=buddy,lazy,pcp,ondemand

# study NAME OPTION...: rows of bufsim frames, with the name as the first column, and without quotes
study() {
	study=$1
	shift
	"$bufsim" frames "$@" --csv >"$tmp/study" 2>"$tmp/said" || {
		cat "$tmp/said" >&2
		exit 1
	}
	awk -v study="$study" '
	NR == 1 {
		if (study == "header")
			print "study," $0
		next
	}
	{
		while (match($0, /"[^"]*"/)) {
			quoted = substr($0, RSTART + 1, RLENGTH - 2)
			gsub(/,/, " ", quoted)
			$0 = substr($0, 1, RSTART - 1) quoted substr($0, RSTART + RLENGTH)
		}
		print study "," $0
	}' "$tmp/study"
}

# counted: the same rows without times
counted() {
	awk -F, -v OFS=, '{ $12 = $16 = $17 = $18 = 0; print }'
}

# recording: the frames of a cache, from a real trace
recording() {
	"$bufsim" run traces/samples/csq.txt.gz --cache 2048b --prefetch linux24 --replay process \
		--frames "$tmp/csq-frames.txt" >/dev/null
	echo "$tmp/csq-frames.txt"
}

# What a kernel did (scripts/record-pages).
pages='compile fork-exec oltp shells'

# Lists of Linux 2.6.32: as long, and filled and emptied by batches, which lazy does not.
lists=$pools,pcp:batch=31,high=186,high_max=186

# recorded OPTION...: those loads
recorded() {
	study=$1
	shift
	for load in $pages; do
		study "$study" "traces/samples/pages/$load.ftrace.gz" "$@"
	done
}

# Costs of modelled cores that are as far apart as sockets, not as cores of one chip.
far='transfer=300,handover=600'

# pages_stable: on modelled cores, with the memory that Linux would have for its lists; without what may be the cause; and
# with a program that computes between two operations
pages_stable() {
	recorded pages --allocator $lists --cores model --threads 1:32:x2 --blocks 512
	recorded why --allocator lazy,lazy:limit=1000000,ondemand --threads 16 --blocks 512 \
		--cores model,model:transfer=0,model:transfer=0,handover=0,lock=0
	recorded between --allocator lazy,pcp,ondemand --cores model:base=100:51200:x2 --threads 4,16,32 --blocks 512
	recorded far --allocator lazy,pcp,ondemand --cores model:$far,base=100:51200:x2 --threads 16 --blocks 512
}

# pages_timings: on this machine, 20 times round; 15 runs of each, five in each of three turns, as a machine is not the
# same for long; with the memory that Linux would have for its lists
pages_timings() {
	for turn in 1 2 3; do
		for threads in 1 2 4; do
			recorded turn$turn --allocator $lists --threads $threads --blocks 512 --workload recording:rounds=20 --repeat 5
		done
	done
}

# lengths: of churn, with as many requests each
lengths() {
	for n in 50 100 180 250 350 500 1000 2000; do
		printf '%schurn:n=%d,rounds=%d' "${comma-}" $n $((400000 / n))
		comma=,
	done
}

header() {
	study header --workload churn:rounds=1 --repeat 1 | sed 1q
}

# stable: what is the same on every machine
stable() {
	study counts --allocator $pools --workload churn:n=1,churn:n=100,churn:n=186,churn:n=600 --repeat 1 | counted
	study fragments --allocator $pools --workload mixed,bursts,pass --repeat 1 --fragmentation | counted
	if [ "$mode" = check ]; then
		study model --allocator $pools --workload churn:n=600 --cores model --threads 8 --blocks 64
		recorded pages --allocator $lists --cores model --threads 8 --blocks 512
		return
	fi
	study fragments "$(recording)" --allocator $pools --repeat 1 --fragmentation | counted
	for load in churn:n=100 churn:n=600 mixed pass bursts; do
		study model --allocator $pools --workload $load --cores model --threads 1:32:x2 --blocks 64
	done
	pages_stable
}

# timings: of this machine, and the model beside them
timings() {
	study lengths --allocator lazy,pcp,ondemand --workload "$(lengths)" --repeat 15
	for threads in 1 2 4; do
		study threads --allocator $pools --threads $threads --blocks 64 --repeat 15 \
			--workload churn:n=100,rounds=5000,churn:n=600,rounds=1000,mixed:rounds=100,pass:rounds=2000,bursts:rounds=200
	done
	study latency --allocator $pools --threads 1,2 --blocks 64 --repeat 3 --latency --workload churn:n=600,rounds=1000
	study recording "$(recording)" --allocator $pools --threads 1,2 --repeat 15
	study model --allocator $pools --threads 1,2 --blocks 64 --cores model \
		--workload churn:n=100,churn:n=600,mixed,pass,bursts
}

stable >"$tmp/rows"
if [ "$mode" = check ]; then
	grep -v -x -F -f results/frames.csv "$tmp/rows" >"$tmp/other" || true
	cat "$tmp/other"
	echo "$(($(grep -c . "$tmp/rows") - $(grep -c . "$tmp/other"))) passed, $(grep -c . "$tmp/other") failed"
	exit "$(test -s "$tmp/other" && echo 1 || echo 0)"
fi
{
	header
	cat "$tmp/rows"
} >"$tmp/frames.csv"
publish frames
if [ "$mode" = run ]; then
	{
		header
		timings
	} >"$tmp/frames-times.csv"
	publish frames-times
fi
if [ "$mode" != analyse ]; then
	{
		header
		pages_timings
	} >"$tmp/frames-pages.csv"
	publish frames-pages
fi

# rows FILE PATTERN: the first row, and those that match
rows() {
	sed -n 1p "$1"
	grep -E "$2" "$1"
}
rows results/frames.csv '^model,[^,]*,(churn:n=600|mixed),' >"$tmp/model"
"$bufsim" plot "$tmp/model" -o "$tmp/frames-model.svg" --title 'Modelled cores: one lock stops the buddy system, a lock for each block does not'
rows results/frames.csv '^pages,' | grep -v 'high_max' | sed 's/\.ftrace\.gz//' >"$tmp/pages"
"$bufsim" plot "$tmp/pages" -o "$tmp/frames-pages.svg" --title 'What a kernel did, on modelled cores'
rows results/frames-times.csv '^lengths,' | sed 's/\(churn:n=[0-9]*\) rounds=[0-9]*/\1/' >"$tmp/lengths"
"$bufsim" plot "$tmp/lengths" --x n -o "$tmp/frames-lengths.svg" --title 'Beyond its limit of 186 pages, lazy pays for the buddy system'
publish frames-model frames-pages frames-lengths
scripts/check-results --update

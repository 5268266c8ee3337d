#!/bin/sh
# exp-policies.sh BUFSIM - which replacement policy wins, and does prefetching change that?
#
# The eight policies of AccuSim on the disk of 1998 with the readahead of Linux 2.4, then the
# policies of today on a solid-state drive with that of Linux 6.18: all traces, five cache sizes.
# And AccuSim's own setting: its parameters, its layout, csq with a cache of 64 MiB.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

sizes=1/32:1/2:x2
accusims=opt,lru,lru2,2q,lirs,lrfu,mq,arc
todays=opt,random,fifo,clock,lru,arc,car,ubm,sarc,linux24mm,s3fifo,sieve,wtinylfu,lecar

# study NAME OPTION...: one row a run
study() {
	study=$1
	shift
	# shellcheck disable=SC2046,SC2086 # lists of words
	"$bufsim" sweep $(binaries $tuning cscope glimpse media multi1) --cache "$sizes" "$@" >"$tmp/rows"
	awk -F, -v OFS=, -v study="$study" '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	function cell(name) {
		return $column[name]
	}
	{
		policy = cell("policy")
		sub(/:.*/, "", policy)
		prefetcher = cell("prefetcher")
		sub(/:.*/, "", prefetcher)
		print study, cell("trace"), policy, prefetcher, cell("cache_blocks"), cell("references"), cell("hits"),
		    cell("late_hits"), cell("read_requests"), cell("elapsed_us")
	}' "$tmp/rows"
}

# shellcheck disable=SC2086 # a list of words
convert_samples $tuning cscope glimpse media multi1
{
	echo study,trace,policy,prefetcher,cache_blocks,references,hits,late_hits,read_requests,elapsed_us
	study 2005 --policy "$accusims" --prefetch none,linux24,iprp
	study today --policy "$todays" --prefetch none,ondemand:version=6.18,iprp+ondemand:version=6.18 --device nvme-960evo
} >"$tmp/policies.csv"

# shellcheck disable=SC2086 # a list of words
"$bufsim" sweep "$tmp/csq.bst" --cache 16384b $conditions --writes accusim \
	--policy opt,lru,lru2,2q:kout=100%,lirs,lrfu:lambda=0.5,mq:queues=4,arc:accusim=1 --prefetch none,linux24:max=32 >"$tmp/rows"
awk -F, -v OFS=, '
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	print "policy,prefetcher,hits,read_requests,elapsed_us"
	next
}
{
	print $column["policy"], $column["prefetcher"], $column["hits"], $column["read_requests"], $column["elapsed_us"]
}' "$tmp/rows" >"$tmp/policies-accusim.csv"

publish policies policies-accusim
scripts/check-results --update

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
todays=opt,random,fifo,clock,lru,arc,car,clockpro,ubm,sarc,linux24mm,linux,mglru,s3fifo,sieve,wtinylfu,lecar

# study NAME OPTION...: one row a run
study() {
	study=$1
	shift
	# shellcheck disable=SC2046,SC2086 # lists of words
	"$bufsim" sweep $(binaries $alone) --cache "$sizes" "$@" >"$tmp/rows"
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
convert_samples $alone
{
	echo study,trace,policy,prefetcher,cache_blocks,references,hits,late_hits,read_requests,elapsed_us
	study 2005 --policy "$accusims" --prefetch none,linux24,iprp
	study today --policy "$todays" --prefetch none,ondemand:version=6.18,iprp+ondemand:version=6.18 --device nvme-960evo
} >"$tmp/policies.csv"

# Of each study and policy, its mean time against LRU: a column for each prefetcher.
awk -F, -v OFS=, '
NR > 1 {
	mode = $4 == "none" ? 1 : $4 ~ /^iprp/ ? 3 : 2
	if (!n[$1 OFS $3, mode]++ && mode == 1)
		row[++rows] = $1 OFS $3
	sum[$1 OFS $3, mode] += log($10)
}
function ratio(r, mode,	lru) {
	lru = r
	sub(/,.*/, ",lru", lru)
	return sprintf("%.4f", exp((sum[r, mode] - sum[lru, mode]) / n[r, mode]))
}
END {
	print "study,policy,none,readahead,iprp"
	for (i = 1; i <= rows; i++)
		print row[i], ratio(row[i], 1), ratio(row[i], 2), ratio(row[i], 3)
}' "$tmp/policies.csv" >"$tmp/policies-time.csv"
draw policies policies-time 'What a replacement policy is worth, by prefetcher' \
	"then='2005: a disk, Linux 2.4'; now='today: a solid-state drive, Linux 6.18'; then_rows=$(grep -c '^2005,' "$tmp/policies-time.csv")"

# shellcheck disable=SC2086 # a list of words
"$bufsim" sweep "$tmp/csq.bst" --cache 16384b $conditions --writes accusim --scheduler accusim \
	--policy opt,lru,lru2:accusim=1,2q:kout=100%,accusim=1,lirs:accusim=1,lrfu:lambda=0.5,mq:queues=4,arc:accusim=1 \
	--prefetch none,linux24:max=32 >"$tmp/quoted"
sed 's/"\([^":]*\):[^"]*"/\1/g' "$tmp/quoted" >"$tmp/rows"
awk -F, -v OFS=, '
NR == 1 {
	for (i = 1; i <= NF; i++)
		column[$i] = i
	print "policy,prefetcher,hits,read_requests,elapsed_us"
	next
}
{
	sub(/:.*/, "", $column["policy"])
	print $column["policy"], $column["prefetcher"], $column["hits"], $column["read_requests"], $column["elapsed_us"]
}' "$tmp/rows" >"$tmp/policies-accusim.csv"

publish policies policies-time policies-accusim
scripts/check-results --update

#!/bin/sh
# exp-iprp.sh BUFSIM - execution time against cache size, without prefetching, with readahead of
# Linux 2.4, and with iprp and ledger around that: figure 1 of the paper, (a) and (b) one program each, (c) two
# at the same time; and csq, whose hit ratio does not follow its time.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh

# From 1/64 of the footprint to all of it: the eight sizes of the other experiments are too few to draw.
sizes=1/64:1:x1.41421356
setting="${setting%;*}; iprp and ledger wrap linux24"

convert_samples cscope csq
convert_mix

# beside SWEEP: one row a cache size, the runs side by side
beside() {
	awk -F, -v OFS=, '
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		blocks = $column["cache_blocks"]
		prefetcher = $column["prefetcher"]
		if (!(blocks in seen)) {
			seen[blocks] = 1
			size[++n] = blocks
		}
		us[blocks, prefetcher] = $column["elapsed_us"]
		hits[blocks, prefetcher] = $column["hit_ratio"]
	}
	END {
		print "cache_blocks,none_elapsed_us,linux24_elapsed_us,iprp_elapsed_us,ledger_elapsed_us," \
		    "none_hit_ratio,linux24_hit_ratio,iprp_hit_ratio,ledger_hit_ratio"
		for (i = 1; i <= n; i++) {
			b = size[i]
			print b, us[b, "none"], us[b, "linux24"], us[b, "iprp"], us[b, "ledger"],
			    hits[b, "none"], hits[b, "linux24"], hits[b, "iprp"], hits[b, "ledger"]
		}
	}' "$1"
}

# curves NAME TITLE RIGHT TRACE...: at once, if several; RIGHT is the right half, relative or hits
curves() {
	name=$1 title=$2 right=$3
	shift 3
	# shellcheck disable=SC2086 # a list of words
	"$bufsim" sweep --together "$@" --cache "$sizes" $conditions --prefetch none,linux24,iprp,ledger \
		>"$tmp/runs"
	beside "$tmp/runs" >"$tmp/$name.csv"
	draw curves "$name" "$title: $(finding "$tmp/$name.csv")" "right='$right'" "setting='$setting'"
	publish "$name"
}

curves fig1a 'Figure 1 (a), cscope' relative "$tmp/cscope.bst"
curves fig1b 'Figure 1 (b), tpch-myisam' relative "$tmp/tpch-myisam.bst"
curves fig1c-merged 'Figure 1 (c), glimpse and tpch-myisam merged' \
	relative "$tmp/$mix.bst"
curves fig1c-processes 'Figure 1 (c), glimpse and tpch-myisam at once' \
	relative "$tmp/glimpse.bst" "$tmp/tpch-myisam.bst"
curves csq 'csq' hits "$tmp/csq.bst"
scripts/check-results --update figure-1 csq

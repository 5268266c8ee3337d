#!/bin/sh
# exp-bound.sh BUFSIM [TRACE...] - how much is left to gain for a controller that knows the future, per trace?
#
# Calls are grouped by file and by the length of the sequential run that they belong to, in octaves of
# blocks; writes of a file are a group.  The bound is think time plus, of each group, the response
# times without prefetching or with the prefetcher alone, whichever sum is less.  It is of an oracle
# that decides once for each group.  One group's reads ahead change the cache and the queue of the
# others, so that the ledger may come below it.  With TRACEs: these, on standard output only.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
. scripts/experiment.sh
shift

inners='linux24 ondemand'

# groups NAME: the number of the group of each call, a line each
groups() {
	"$bufsim" convert "$tmp/$1.bst" "$tmp/$1.txt" 2>/dev/null
	awk '
	$4 == "R" || $4 == "W" {
		file[++n] = $5
		read = $4 == "R"
		first = int($7 / 4096)
		last = int(($7 + $8 - 1) / 4096)
		if (!read) {
			run[n] = 0
			next
		}
		if (!($5 in open) || first < at[$5] || first > at[$5] + 1) {
			open[$5] = ++runs
			at[$5] = first - 1
		}
		run[n] = open[$5]
		blocks[run[n]] += last - at[$5]
		at[$5] = last
	}
	END {
		for (i = 1; i <= n; i++) {
			octave = 0
			for (left = run[i] ? blocks[run[i]] : 0; left >= 1; left = int(left / 2))
				octave++
			if (!((file[i], octave) in number))
				number[file[i], octave] = ++numbers
			print number[file[i], octave]
		}
	}' "$tmp/$1.txt" >"$tmp/groups"
	rm "$tmp/$1.txt"
}

# responses NAME PREFETCHER BLOCKS: of each group, the sum of the response times; first: all other time
responses() {
	"$bufsim" run "$tmp/$1.bst" --cache "$3b" --prefetch "$2" --csv --responses "$tmp/responses-$2" >"$tmp/run-$2"
	awk -F, -v groups="$tmp/groups" -v run="$tmp/run-$2" '
	BEGIN {
		getline line <run
		n = split(line, name)
		getline line <run
		split(line, value)
		for (i = 1; i <= n; i++)
			if (name[i] == "elapsed_us")
				other = value[i]
	}
	FNR == 1 {
		for (i = 1; i <= NF; i++)
			if ($i == "response_us")
				column = i
		next
	}
	{
		if ((getline number <groups) != 1)
			exit 1
		sum[number] += $column
		other -= $column
		if (number > last)
			last = number + 0
	}
	END {
		printf "%.0f\n", other
		for (i = 1; i <= last; i++)
			printf "%.0f\n", sum[i]
	}' "$tmp/responses-$2" >"$tmp/sums-$2"
	rm "$tmp/responses-$2" "$tmp/run-$2"
}

# bound INNER: the sum of the better ones
bound() {
	paste -d, "$tmp/sums-none" "$tmp/sums-$1" |
		awk -F, '{ sum += $1 < $2 ? $1 : $2 } END { printf "%.0f\n", sum }'
}

# bounds HALF NAME: a row for each prefetcher and cache size
bounds() {
	list=none
	for inner in $inners; do
		list="$list,$inner,ledger+$inner"
	done
	"$bufsim" sweep "$tmp/$2.bst" --cache "$eight_sizes" --prefetch "$list" >"$tmp/runs"
	groups "$2"
	awk -F, "$cells"'
	cell("prefetcher") == "none" {
		print cell("cache_blocks")
	}' "$tmp/runs" >"$tmp/sizes"
	while read -r blocks; do
		running=
		for prefetcher in none $inners; do
			responses "$2" "$prefetcher" "$blocks" &
			running="$running $!"
		done
		for job in $running; do
			wait "$job"
		done
		for inner in $inners; do
			echo "$inner,$blocks,$(bound "$inner")"
		done
	done <"$tmp/sizes" >"$tmp/bounds"
	awk -F, -v half="$1" '
	NR == FNR {
		bound[$1, $2] = $3
		next
	}'"$cells"'
	{
		trace = cell("trace")
		size = cell("cache_blocks")
		if (cell("prefetcher") == "none")
			place[++sizes] = size
		us[cell("prefetcher"), size] = cell("elapsed_us")
	}
	cell("prefetcher") ~ /\+/ && !seen[cell("prefetcher")]++ {
		inner[++inners] = substr(cell("prefetcher"), 8)
	}
	END {
		for (i = 1; i <= inners; i++)
			for (s = 1; s <= sizes; s++)
				printf "%s,%s,%s,%d,%.4f,%.0f,%.0f,%.0f,%.0f\n", half, trace, inner[i], place[s], place[s] / place[sizes],
				    us["none", place[s]], us[inner[i], place[s]], us["ledger+" inner[i], place[s]],
				    bound[inner[i], place[s]]
	}' "$tmp/bounds" "$tmp/runs"
}

echo 'half,trace,inner,cache_blocks,share,none_us,inner_us,ledger_us,bound_us' >"$tmp/bound.csv"
if [ $# -gt 0 ]; then
	convert "$@"
	for trace; do
		name=$(basename "$trace")
		bounds given "${name%%.*}" >>"$tmp/bound.csv"
	done
	cat "$tmp/bound.csv"
	exit
fi
convert_halves
for name in $tuning; do
	bounds tuning "$name" >>"$tmp/bound.csv"
done
for name in $reporting; do
	bounds reporting "$name" >>"$tmp/bound.csv"
done
publish bound
scripts/check-results --update bound

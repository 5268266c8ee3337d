#!/bin/sh
# exp-record.sh - by how much recorders slow a program down: medians of three runs of bufsim record, each against a
# run without a recorder just before, as a table in CSV.  It needs root, bpftrace, perf and strace.
#
#	scripts/exp-record.sh >results/record.csv
set -eu
bufsim=$PWD/${1:-build/bufsim}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
tree=$PWD
cd "$dir"
head -c 50M /dev/zero >data

seconds() {
	awk -v n="$1" -v unit="$2" 'BEGIN { print n / (unit == "ms" ? 1e3 : unit == "us" ? 1e6 : 1) }'
}

# "time: 3.199 s with strace, 903.2 ms without: ..." of one run, as seconds with and without, and events that were lost.
once() {
	"$bufsim" record --with "$1" -o x.bst -- sh -c "$2" 2>report >/dev/null </dev/null
	tr '\n' ' ' <report | sed 's/.*time: \([0-9.]*\) \([a-z]*\) with [a-z]*, \([0-9.]*\) \([a-z]*\) without.*/\1 \2 \3 \4/' >run.txt
	read -r a ua b ub <run.txt || : # without a newline
	lost=$(sed -n 's/.* lost \([0-9,]*\) events.*/\1/p' report | tr -d ,)
	echo "$(seconds "$a" "$ua") $(seconds "$b" "$ub") ${lost:-0}"
}

echo program,recorder,seconds,seconds_alone,slowdown,lost
while IFS='|' read -r name program; do
	for recorder in bpftrace perf strace; do
		for run in 1 2 3; do
			echo "run $run: $name by $recorder" >&2
			once $recorder "$program"
		done | awk '{ print $1, $2, $1 / $2, $3 }' | sort -k 3 -n | sed -n 2p |
			awk -v OFS=, -v p="$name" -v r=$recorder '{ print p, r, $1, $2, sprintf("%.2f", $3), $4 }'
	done
done <<END
reads of 4 KiB|dd if=data of=/dev/null bs=4k status=none
grep of a source tree|grep -rc prefetch $tree/sim $tree/tests $tree/docs
END

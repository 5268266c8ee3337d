#!/bin/sh
# exp-roi.sh [--check|--analyse] BUFSIM - how far the sweep of bufsim scales, and the paper's programs.
#
# Times the sweep on this machine, with up to twice as many workers as it has processors, and writes
# results/scale.csv; then the analysis: scale-law.csv, scale-levels.csv, scale-paper.csv, and the pictures.
# Times belong to a machine: --analyse takes those that are there, and --check compares its tables with them.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes='--check --analyse'
. scripts/experiment.sh

traces='traces/samples/csq.txt.gz traces/samples/cscope.txt.gz'
cores=$(getconf _NPROCESSORS_ONLN)

# workers: 1, 2, 4 ... cores, and on to twice as many in steps of half of the cores
workers() {
	awk -v cores="$cores" 'BEGIN {
		for (n = 1; n < cores; n *= 2)
			printf "%d,", n
		step = cores < 2 ? 1 : int(cores / 2)
		for (n = cores; n < 2 * cores; n += step)
			printf "%d,", n
		print 2 * cores
	}'
}

# runs: one in a row
runs() {
	# shellcheck disable=SC2086 # a list of words
	"$bufsim" scale --self $traces --threads "$(workers)" --repeat 15 --csv | cut -d, -f2-4 >"$tmp/runs"
	awk -v cores="$cores" 'NR == 1 { print "cores," $0 } NR > 1 { print cores "," $0 }' "$tmp/runs"
}

# programs: the runs as two programs: with up to as many workers as processors, and all of them
programs() {
	awk -F, -v OFS=, '
	NR == 1 {
		print "program", "threads", "total", "region"
		next
	}
	$2 <= ($1 < 2 ? 2 : $1) {
		print "sweep", $2, $3, $4
	}
	{
		all[++n] = "sweep-beyond" OFS $2 OFS $3 OFS $4
	}
	END {
		for (i = 1; i <= n; i++)
			print all[i]
	}' "$1"
}

# paper: times with the seconds and shares of the paper, and curves of the shapes that its text describes
paper() {
	awk -v OFS=, '
	function speedup(group, n) {
		return group == "A" ? n / (1 + 0.05 * (n - 1) + 0.0042 * n * (n - 1)) : n < 50 ? n : 50
	}
	BEGIN {
		print "program", "paper_group", "printed_non_roi_s", "printed_share_percent", "threads", "total", "region"
		counts = split("1 2 4 8 15 30 50 60 80 100 120", threads, " ")
	}
	{
		for (i = 1; i <= counts; i++) {
			region = ($3 / $4 * 100 - $3) / speedup($2, threads[i])
			print $1, $2, $3, $4, threads[i], sprintf("%.6f", $3 + region), sprintf("%.6f", region)
		}
	}' <<-'END'
		canneal A 47.37 8.7
		dedup A 0.74 2.7
		raytrace B 59.52 25.9
	END
}

# laws FILE: a row for each program
laws() {
	"$bufsim" scale "$1" --json | sed 's/,"levels".*//; s/[{}"]//g; s/null//g' | awk -F, '
	{
		names = values = ""
		for (i = 1; i <= NF; i++) {
			split($i, part, ":")
			names = names (i > 1 ? "," : "") part[1]
			values = values (i > 1 ? "," : "") part[2]
		}
		if (NR == 1)
			print names
		print values
	}'
}

if [ "$mode" = run ]; then
	runs >"$tmp/scale.csv"
	publish scale
fi
paper >"$tmp/scale-paper.csv"
programs results/scale.csv >"$tmp/programs"
laws "$tmp/programs" >"$tmp/scale-law.csv"
laws "$tmp/scale-paper.csv" | sed 1d >>"$tmp/scale-law.csv"
"$bufsim" scale "$tmp/programs" --csv >"$tmp/scale-levels.csv"
"$bufsim" scale "$tmp/scale-paper.csv" --csv | sed 1d >>"$tmp/scale-levels.csv"

if [ "$mode" = check ]; then
	failed=0
	for name in scale-paper scale-law scale-levels; do
		diff "results/$name.csv" "$tmp/$name.csv" || failed=$((failed + 1))
	done
	echo "$((3 - failed)) passed, $failed failed"
	exit $failed
fi
"$bufsim" scale "$tmp/programs" -o "$tmp/scale.svg" >"$tmp/text"
"$bufsim" scale "$tmp/scale-paper.csv" -o "$tmp/scale-paper.svg" >"$tmp/text"
publish scale-paper scale-law scale-levels scale
scripts/check-results --update

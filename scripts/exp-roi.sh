#!/bin/sh
# exp-roi.sh [--check|--analyse|--programs] BUFSIM - how far programs scale, the sweep of bufsim, and the paper's programs.
#
# Times programs of Debian and the sweep on this machine, with up to twice as many threads as it has processors, and writes
# results/scale-programs.csv and scale.csv; then the analysis: scale-law.csv, scale-levels.csv, scale-paper.csv, and the
# pictures.  Times belong to a machine: --programs takes those of the programs alone, --analyse those that are there, and
# --check compares its tables with them.  The programs: pigz, xz, zstd, pbzip2, sort, make with a C compiler, sysbench.
# shellcheck disable=SC1091,SC2016,SC2154 # variables of experiment.sh; programs of others
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes='--check --analyse --programs'
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

# timed NAME COMMAND: the runs of a program, under that name; it must not fail with any number of threads
timed() {
	"$bufsim" scale --run "$2" --threads "$(workers)" --repeat 15 --csv >"$tmp/timed"
	sed "1d; s/^[^,]*/$cores,$1/" "$tmp/timed"
}

# unpack_and_pack: a script whose region is the part that is parallel
unpack_and_pack() {
	cat <<-'END'
		now() {
			cut -d ' ' -f 1 /proc/uptime
		}
		xz -d -c "$2.xz" >"$2.unpacked"
		echo "begin $(now)" >>"$BUFSIM_ROI"
		pigz -p "$1" -c "$2.unpacked" >/dev/null
		echo "end $(now)" >>"$BUFSIM_ROI"
	END
}

# compile: a makefile with a target for each of these sources
compile() {
	echo 'all: $(patsubst %.c,%.o,$(wildcard policies/[a-f]*.c))'
	printf '%%.o: %%.c\n\t$(CC) -std=c11 -O1 -I. -D_POSIX_C_SOURCE=200809L -c -o /dev/null $<\n'
}

# real_programs: each with 24 MB of text (pbzip2: 8 MB), or what the text says
real_programs() {
	in=$tmp/in
	gzip -d -c traces/samples/*.gz | head -c 24000000 >"$in"
	xz -1 -k "$in"
	head -c 8000000 "$in" >"$in.short"
	unpack_and_pack >"$tmp/unpack"
	compile >"$tmp/makefile"
	echo cores,program,threads,total,region,user,system
	timed pigz "pigz -p {threads} -c $in"
	timed xz "xz -T {threads} -0 --block-size=1MiB -c $in"
	timed zstd "zstd -q -T{threads} -9 -c $in"
	timed pbzip2 "pbzip2 -p{threads} -k -c $in.short"
	timed sort "sort --parallel={threads} -S 400M $in"
	timed 'unpack and pigz' "sh $tmp/unpack {threads} $in"
	timed make "make -s -f $tmp/makefile -j {threads}"
	timed 'sysbench threads' 'sysbench threads --threads={threads} --time=0 --events=500 --thread-yields=200 --thread-locks=1 run'
}

# within: those runs with up to as many threads as processors
within() {
	awk -F, -v OFS=, 'NR == 1 || $3 <= $1' "$1" | cut -d, -f2-
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

if [ "$mode" = run ] || [ "$mode" = programs ]; then
	real_programs >"$tmp/scale-programs.csv"
	publish scale-programs
	rm "$tmp/scale-programs.csv"
fi
if [ "$mode" = run ]; then
	runs >"$tmp/scale.csv"
	publish scale
fi
paper >"$tmp/scale-paper.csv"
programs results/scale.csv >"$tmp/programs"
laws "$tmp/programs" >"$tmp/scale-law.csv"
within results/scale-programs.csv >"$tmp/real"
cut -d, -f2- results/scale-programs.csv >"$tmp/real-beyond"
laws "$tmp/real" | sed 1d >>"$tmp/scale-law.csv"
laws "$tmp/scale-paper.csv" | sed 1d >>"$tmp/scale-law.csv"
"$bufsim" scale "$tmp/programs" --csv >"$tmp/scale-levels.csv"
"$bufsim" scale "$tmp/real-beyond" --csv | sed 1d >>"$tmp/scale-levels.csv"
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
"$bufsim" scale "$tmp/real-beyond" -o "$tmp/scale-programs.svg" >"$tmp/text"
"$bufsim" scale "$tmp/scale-paper.csv" -o "$tmp/scale-paper.svg" >"$tmp/text"
publish scale-paper scale-law scale-levels scale scale-programs
scripts/check-results --update

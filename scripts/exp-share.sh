#!/bin/sh
# exp-share.sh [--check] BUFSIM [FOLDER] - false sharing by allocator, and what the processes of a node save
# each other under hlrc, in counts and in time.
#
# Counts are by turns (share.csv), times by events (share-times.csv).
# The shared-memory traces of FOLDER, by default those that come with bufsim; a name ends in -p and the number
# of processors.  Rows of programs that are not in FOLDER stay as they are.
# --check runs the shortest of the runs, and compares their rows with those in results.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes=--check
. scripts/experiment.sh
folder=${2-traces/samples/splash}

papers=sequential,sequential:spanning=min,sequential:spanning=fit,size,size:spanning=fit,pp,pp:spanning=fit,ff,ss
todays=sequential,ff,arena,pad
five=sequential,size,pp,ff,ss
starts=start,create
both=hlrc:per=process,hlrc:per=node
dealt=hlrc:per=process,home=roundrobin,hlrc:per=node,home=roundrobin
homes="$both,hlrc:per=process,home=block,hlrc:per=node,home=block,hlrc:per=process,home=roundrobin,hlrc:per=node,home=roundrobin"
paged='lun-p16 radix-p16 water-spatial-p32'
pages=64:64K:x4 nodes=1:16:x2 speeds='1 2 4 8 16'
if [ "$mode" = check ]; then
	papers=sequential starts=start homes=$both nodes=2 paged=radix-p16 speeds=16
fi

# rows_of STUDY TRACE OPTION...: columns of $columns, of a run or several
rows_of() {
	of_study=$1 of_trace=$2
	shift 2
	"$bufsim" share "$@" --csv >"$tmp/quoted"
	sed ':again
	s/^\(\([^"]*"[^"]*"\)*[^"]*"[^",]*\),/\1 /
	tagain
	s/"//g' "$tmp/quoted" >"$tmp/rows"
	awk -F, -v OFS=, -v study="$of_study" -v trace="$of_trace" -v columns="$columns" '
	function parameter(name, otherwise) {
		return $column["protocol"] !~ /^hlrc/ ? "" : match($column["protocol"], name "=[a-z]+") ? \
		    substr($column["protocol"], RSTART + length(name) + 1, RLENGTH - length(name) - 1) : otherwise
	}
	function cell(name,	text) {
		if (name == "per")
			return parameter("per", "process")
		if (name == "home")
			return parameter("home", "first")
		text = name in column ? $column[name] : ""
		if (name == "protocol")
			sub(/:.*/, "", text)
		return text
	}
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		n = split(columns, wanted, " ")
		next
	}
	{
		line = study OFS trace
		for (i = 1; i <= n; i++)
			line = line OFS cell(wanted[i])
		print line
	}' "$tmp/rows"
}

# study NAME TRACE OPTION...: counts of a trace
study() {
	name_of_study=$1 name_of_trace=$2
	shift 2
	rows_of "$name_of_study" "$name_of_trace" "$folder/$name_of_trace.txt.gz" --order turns "$@"
}

# each PROCESSORS: the traces of FOLDER with so many
each() {
	for file in "$folder"/*-p"$1".txt.gz; do
		basename "$file" .txt.gz
	done
}

# reference_ns TRACE: of a reference, so that a fetch has as much computing as in the paper: its seconds on one
# processor and its fetches per process, and our fetches and references.
reference_ns() {
	awk -F, -v trace="$1" '
	BEGIN {
		split("4.71 119884 6.50 24265 44.33 59160 169.55 6224", n, " ")
		seconds["ocean-p16"] = n[1]; fetches["ocean-p16"] = n[2]
		seconds["radix-p16"] = n[3]; fetches["radix-p16"] = n[4]
		seconds["fft-p16"] = n[5]; fetches["fft-p16"] = n[6]
		seconds["water-nsquared-p16"] = n[7]; fetches["water-nsquared-p16"] = n[8]
	}
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	$1 == "homes" && $2 == trace && $column["per"] == "process" && $column["home"] == "roundrobin" && trace in seconds {
		printf ":reference=%.0f\n", 1e9 * seconds[trace] / fetches[trace] * $column["fetches"] / $column["references"]
	}' results/share.csv
}

# on PROCESSORS STUDY TRACE PROGRAM OPTION...: in time, on nodes of two
on() {
	processors=$1
	shift
	rows_of "$@" --processors "$processors" --nodes "$(((processors + 1) / 2))" --from create
}

# in_time: all rows of times.  A pattern has as many processes as processors; a recording has 16.  Homes are
# at the first reference where the paper has no diffs, else page modulo processors, as its diffs fall by 1/15.
in_time() {
	for processors in $speeds; do
		for name in lu-blocks sor; do
			if [ "$mode" = check ] && [ $name = sor ]; then continue; fi
			on "$processors" speed "$name" --pattern "$name:processors=$processors" --protocol "$both"
		done
	done
	if [ "$mode" = check ]; then return; fi
	for name in $(each 32); do
		rows_of placing "$name" "$folder/$name.txt.gz" --allocator "$five" --from create
	done
	for name in barnes fft ocean radix water-nsquared; do
		trace=$folder/$name-p16.txt.gz
		if [ ! -e "$trace" ]; then continue; fi
		ns=$(reference_ns "$name-p16")
		for processors in $speeds; do
			on "$processors" speed "$name" "$trace" --protocol "$dealt" --costs "kdsm2003$ns"
		done
		on 16 small "$name" "$trace" --protocol "$dealt"
		on 16 first "$name" "$trace" --protocol "$both" --costs "kdsm2003$ns"
	done
	on 16 small lu "$folder/lu-p16.txt.gz" --protocol "$both"
}

# runs: all rows of counts, in the order of studies and traces
runs() {
	for name in $(each 32); do
		study allocators "$name" --allocator "$papers" --from "$starts"
		if [ "$mode" = check ]; then continue; fi
		study today "$name" --allocator "$todays" --from create
		study sizes "$name" --allocator "$five" --from create --page 512:8K:x2
	done
	for name in $(each 16); do
		study homes "$name" --protocol "$homes"
		study nodes "$name" --protocol hlrc:per=node --nodes "$nodes"
	done
	rows_of homes lu-blocks --pattern lu-blocks --order turns --from create --protocol "$homes"
	if [ "$mode" != check ]; then
		rows_of homes sor --pattern sor --order turns --from create --protocol "$homes"
	fi
	for name in $paged; do
		if [ -e "$folder/$name.txt.gz" ]; then
			study pages "$name" --page "$pages" --allocator "$todays" --from create
		fi
	done
}

# with_rest NEW FILE: the header of $columns, the rows of NEW, and those of FILE that are not of its programs
with_rest() {
	echo "study,trace,$(echo "$columns" | tr ' ' ,)"
	{
		awk -F, 'FILENAME == ARGV[1] { ran[$2] } FILENAME != ARGV[1] && FNR > 1 && !($2 in ran)' "$1" "$2"
		cat "$1"
	} | sort -s -t, -k1,2
}

# compare NEW FILE: rows of NEW that are not in FILE
compare() {
	grep -v -x -F -f "$2" "$1" >>"$tmp/other" || true
}

counts='processors protocol per home nodes allocator page_bytes from references cold_faults true_faults false_faults upgrades faults fetches diffs diff_bytes messages pages false_sharing'
times='processors protocol per home nodes allocator page_bytes costs references faults home_faults fetches diffs diff_bytes messages write_notices table_intervals table_bytes elapsed_us speedup compute_us fault_us fetch_us diff_us lock_us barrier_us serve_us local_us cold_faults true_faults false_faults upgrades pages placed_late temporary_bytes moved_bytes'
columns=$counts
runs >"$tmp/new"
if [ "$mode" = check ]; then
	compare "$tmp/new" results/share.csv
	columns=$times
	in_time >"$tmp/new-times"
	compare "$tmp/new-times" results/share-times.csv
	cat "$tmp/other"
	all=$(cat "$tmp/new" "$tmp/new-times" | grep -c .)
	echo "$((all - $(grep -c . "$tmp/other"))) passed, $(grep -c . "$tmp/other") failed"
	exit "$(test -s "$tmp/other" && echo 1 || echo 0)"
fi

with_rest "$tmp/new" results/share.csv >"$tmp/share.csv"
publish share
columns=$times
in_time >"$tmp/new-times"
with_rest "$tmp/new-times" results/share-times.csv >"$tmp/share-times.csv"
publish share-times

# rows FILE PATTERN: the first row, and those of results that match
rows() {
	sed -n 1p "$tmp/$1.csv"
	grep -E "$2" "$tmp/$1.csv"
}
rows share '^allocators,(radix|water-spatial)-p32,.*,(sequential|size|pp|ff|ss),4096,create,' >"$tmp/faults"
"$bufsim" plot "$tmp/faults" -o "$tmp/share-faults.svg" \
	--title 'Spaces by size help radix, spaces by first fault help water'
rows share '^homes,(barnes|fft|lu|ocean|radix|water-nsquared)-p16,.*,first,' >"$tmp/fetches"
"$bufsim" plot "$tmp/fetches" --y fetches --relative process -o "$tmp/share-fetches.svg" \
	--title 'Fetches under hlrc, per process and per node of two: about half are saved'
rows share '^pages,' >"$tmp/pages"
"$bufsim" plot "$tmp/pages" --x page --y false-faults -o "$tmp/share-pages.svg" \
	--title 'False sharing grows with the page'
# Nodes follow the processors; homes and costs the program.
rows share-times '^speed,' | cut -d, -f1-5,8,9,11- >"$tmp/speed"
"$bufsim" plot "$tmp/speed" --x processors --y speedup -o "$tmp/share-speedup.svg" \
	--title 'Speed-up under hlrc, per process and per node of two'
rows share-times '^speed,[^,]*,16,' | cut -d, -f1-5,8,9,11- >"$tmp/parts"
"$bufsim" plot "$tmp/parts" --y time --relative process -o "$tmp/share-parts.svg" \
	--title 'Parts of the time under hlrc on 16 processors'
publish share-faults share-fetches share-pages share-speedup share-parts
scripts/check-results --update

#!/bin/sh
# exp-share.sh [--check] BUFSIM [FOLDER] - false sharing by allocator, and what the processes of a node save
# each other under hlrc.
#
# The shared-memory traces of FOLDER, by default those that come with bufsim; a name ends in -p and the number
# of processors.  Rows of programs that are not in FOLDER stay as they are in results/share.csv.
# --check runs the shortest of the runs, and compares their rows with those in results/share.csv.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes=--check
. scripts/experiment.sh
folder=${2-traces/samples/splash}

papers=sequential,sequential:spanning=min,sequential:spanning=fit,size,size:spanning=fit,pp,pp:spanning=fit,ff,ss
todays=sequential,ff,arena,pad
starts=start,create
both=hlrc:per=process,hlrc:per=node
homes="$both,hlrc:per=process,home=block,hlrc:per=node,home=block,hlrc:per=process,home=roundrobin,hlrc:per=node,home=roundrobin"
paged='lun-p16 radix-p16 water-spatial-p32'
pages=64:64K:x4 nodes=1:16:x2
if [ "$mode" = check ]; then
	papers=sequential starts=start homes=$both nodes=2 paged=radix-p16
fi

# study NAME TRACE OPTION...: its rows, with few columns
study() {
	study=$1 trace=$2
	shift 2
	"$bufsim" share "$folder/$trace.txt.gz" "$@" --csv >"$tmp/quoted"
	sed ':again
	s/^\(\([^"]*"[^"]*"\)*[^"]*"[^",]*\),/\1 /
	tagain
	s/"//g' "$tmp/quoted" >"$tmp/rows"
	awk -F, -v OFS=, -v study="$study" -v trace="$trace" '
	function cell(name) {
		return name in column ? $column[name] : ""
	}
	function parameter(name, otherwise) {
		return cell("protocol") !~ /^hlrc/ ? "" : match(cell("protocol"), name "=[a-z]+") ? \
		    substr(cell("protocol"), RSTART + length(name) + 1, RLENGTH - length(name) - 1) : otherwise
	}
	NR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	{
		protocol = cell("protocol")
		sub(/:.*/, "", protocol)
		print study, trace, cell("processors"), protocol, parameter("per", "process"), parameter("home", "first"),
		    cell("nodes"), cell("allocator"), cell("page_bytes"), cell("from"), cell("references"), cell("cold_faults"),
		    cell("true_faults"), cell("false_faults"), cell("upgrades"), cell("faults"), cell("fetches"), cell("diffs"),
		    cell("diff_bytes"), cell("messages"), cell("pages"), cell("false_sharing"), cell("elapsed_us"), cell("speedup")
	}' "$tmp/rows"
}

# each PROCESSORS: the traces of FOLDER with so many
each() {
	for file in "$folder"/*-p"$1".txt.gz; do
		basename "$file" .txt.gz
	done
}

# runs: all rows, in the order of studies and traces
runs() {
	for name in $(each 32); do
		study allocators "$name" --allocator "$papers" --from "$starts"
		if [ "$mode" != check ]; then study today "$name" --allocator "$todays" --from create; fi
	done
	for name in $(each 16); do
		study homes "$name" --protocol "$homes"
		study nodes "$name" --protocol hlrc:per=node --nodes "$nodes"
	done
	for name in $paged; do
		if [ -e "$folder/$name.txt.gz" ]; then
			study pages "$name" --page "$pages" --allocator "$todays" --from create
		fi
	done
}

header=study,trace,processors,protocol,per,home,nodes,allocator,page_bytes,from,references,cold_faults,true_faults,false_faults,upgrades,faults,fetches,diffs,diff_bytes,messages,pages,false_sharing,elapsed_us,speedup
runs >"$tmp/new"
if [ "$mode" = check ]; then
	grep -v -x -F -f results/share.csv "$tmp/new" >"$tmp/other" || true
	cat "$tmp/other"
	echo "$(($(grep -c . "$tmp/new") - $(grep -c . "$tmp/other"))) passed, $(grep -c . "$tmp/other") failed"
	exit "$(test -s "$tmp/other" && echo 1 || echo 0)"
fi

{
	echo "$header"
	{
		awk -F, 'NR == FNR { ran[$2] } NR != FNR && FNR > 1 && !($2 in ran)' "$tmp/new" results/share.csv
		cat "$tmp/new"
	} | sort -s -t, -k1,2
} >"$tmp/share.csv"
publish share

# rows PATTERN: the first row, and those of results that match
rows() {
	sed -n 1p "$tmp/share.csv"
	grep -E "$1" "$tmp/share.csv"
}
rows '^allocators,(radix|water-spatial)-p32,.*,(sequential|size|pp|ff|ss),4096,create,' >"$tmp/faults"
"$bufsim" plot "$tmp/faults" -o "$tmp/share-faults.svg" \
	--title 'Spaces by size help radix, spaces by first fault help water'
rows '^homes,(barnes|fft|lu|ocean|radix|water-nsquared)-p16,.*,first,' >"$tmp/fetches"
"$bufsim" plot "$tmp/fetches" --y fetches --relative process -o "$tmp/share-fetches.svg" \
	--title 'Fetches under hlrc, per process and per node of two: about half are saved'
rows '^pages,' >"$tmp/pages"
"$bufsim" plot "$tmp/pages" --x page --y false-faults -o "$tmp/share-pages.svg" \
	--title 'False sharing grows with the page'
publish share-faults share-fetches share-pages
scripts/check-results --update

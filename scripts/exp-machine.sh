#!/bin/sh
# exp-machine.sh [--check|--analyse] BUFSIM - real replays of traces on this machine beside their prediction.
#
#	DIR=/mnt/disk SIZE=1G ROUNDS=5 scripts/exp-machine.sh build/bufsim
#
# In each round, calibrates this machine before each of five traces, and replays the trace with and without
# readahead: results/machine-rounds.csv, and the medians of the rounds in results/machine.csv.  Then keeps caches of
# three sizes under four policies, one page at a time: results/machine-evict.csv.  The last data sheet is
# results/machine-sheet.dev.  Files are made in DIR, which is on
# the disk to measure, and removed.  Times belong to a machine: --analyse takes those that are there, and --check
# compares the rows with the simulator, and with each other.
# shellcheck disable=SC1091,SC2154 # variables of experiment.sh
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2034 # read by experiment.sh
modes='--check --analyse'
. scripts/experiment.sh

traces='csq tpch-myisam pgbench cscope glimpse'
kept='csq tpch-myisam' # under the policies
sizes='4096 8192 16384'
policies=lru,clock,arc,linux
sheet=results/machine-sheet.dev
if [ "$mode" = run ]; then sheet=$tmp/machine-sheet.dev; fi

figures='pages_read predicted_pages_read resident_pages elapsed_us elapsed_min_us elapsed_max_us predicted_elapsed_us runs'
measured='read_us command_us mb_s segment_us'

# row KEY...: the first value of each key of the object on standard input, behind commas
row() {
	awk -v keys="$*" '
	{
		text = text $0
	}
	END {
		n = split(keys, key, " ")
		for (i = 1; i <= n; i++) {
			if (!match(text, "\"" key[i] "\": *")) {
				print "exp-machine.sh: replay has no " key[i] >"/dev/stderr"
				exit 1
			}
			value = substr(text, RSTART + RLENGTH)
			sub(/[,}].*/, "", value)
			printf ",%s", value == "null" ? "" : value
		}
		print ""
	}'
}

# commas WORD...: the words with commas before them
commas() {
	printf ',%s' "$@"
}

today() {
	date -u +%Y-%m-%d
}

calibrate() {
	"$bufsim" calibrate --dir "${DIR-.}" --size "${SIZE-1G}" --rounds 3 -o "$sheet" >"$tmp/calibrated"
}

# sheet_figures: a read of 4 KB, of it the part of one request at a time, the rate, and a page of a second segment
sheet_figures() {
	awk '
	/^\[/ {
		section = $1
	}
	$2 == "=" {
		value[section $1] = $3
	}
	END {
		command = value["[command_us]read"]
		printf ",%.2f,%.2f,%.1f,%.3f\n", command + value["[latency_us]read"], command, value["[host]read_mb_s"],
		    value["[segment_us]read"]
	}' "$sheet"
}

# replay TRACE OPTION...: what it tells as JSON
replay() {
	trace=$1
	shift
	"$bufsim" replay "traces/samples/$trace.txt.gz" --dir "${DIR-.}" --device "$sheet" --real-time --json "$@"
}

# replayed: in each round, a row for each trace, with and without readahead
replayed() {
	# shellcheck disable=SC2086 # lists of words
	echo "date,trace,advice,calls$(commas $figures $measured)"
	for _ in $(seq "${ROUNDS-5}"); do
		for trace in $traces; do
			calibrate
			for advice in normal random; do
				replay "$trace" --advice "$advice" --runs 3 >"$tmp/told"
				# shellcheck disable=SC2086
				told=$(row calls $figures <"$tmp/told")
				echo "$(today),$trace,$advice$told$(sheet_figures)"
			done
		done
	done
}

# medians ROWS: of the rounds of each trace and advice, in the order of the first round; the runs of all rounds, their extremes
medians() {
	awk -F, '
	function middle(key, column, n,	i, j, v, x) {
		for (i = 1; i <= n; i++) {
			x = value[key, i, column]
			for (j = i; j > 1 && v[j - 1] + 0 > x + 0; j--)
				v[j] = v[j - 1]
			v[j] = x
		}
		return v[int((n + 1) / 2)]
	}
	function folded(key, column, n,	i, best) {
		if (title[column] == "runs") {
			for (i = 1; i <= n; i++)
				best += value[key, i, column]
			return best
		}
		if (title[column] !~ /_(min|max)_/)
			return middle(key, column, n)
		best = value[key, 1, column]
		for (i = 2; i <= n; i++)
			if ((title[column] ~ /_min_/) == (value[key, i, column] + 0 < best + 0))
				best = value[key, i, column]
		return best
	}
	FNR == 1 {
		print
		columns = split($0, title, ",")
		next
	}
	{
		key = $2 "," $3
		if (!rounds[key]++)
			order[++keys] = key
		date[key] = $1
		for (i = 4; i <= columns; i++)
			value[key, rounds[key], i] = $i
	}
	END {
		for (k = 1; k <= keys; k++) {
			line = date[order[k]] "," order[k]
			for (i = 4; i <= columns; i++)
				line = line "," folded(order[k], i, rounds[order[k]])
			print line
		}
	}' "$1"
}

# evicted: a row for each cache that is kept at its size
evicted() {
	# shellcheck disable=SC2086
	echo "date,trace,policy,cache_pages,calls$(commas $figures lost_pages)"
	for trace in $kept; do
		for pages in $sizes; do
			for policy in $(echo "$policies" | tr , ' '); do
				replay "$trace" --advice random --cache "${pages}b" --policy "$policy" --runs 1 --reclaim >"$tmp/told"
				# shellcheck disable=SC2086
				told=$(row calls $figures lost_pages <"$tmp/told")
				echo "$(today),$trace,$policy,$pages$told"
			done
		done
	done
}

# reads TRACE...: the reads of each, as $tmp/TRACE.txt
reads() {
	for trace; do
		"$bufsim" convert "traces/samples/$trace.txt.gz" "$tmp/all.txt" >"$tmp/converted" 2>&1
		awk '/^#/ || $4 == "R"' "$tmp/all.txt" >"$tmp/$trace.txt"
	done
}

# texts TRACE...: their files
texts() {
	for trace; do
		echo "$tmp/$trace.txt"
	done
}

# simulated: trace, policy (none: no page leaves), pages of the cache, pages that are read; by a simulation of the reads
simulated() {
	# shellcheck disable=SC2046,SC2086
	{
		reads $traces
		"$bufsim" sweep $(texts $traces) --cache 4G --device null -o - | sed 's/,lru,/,none,/'
		"$bufsim" sweep $(texts $kept) --cache "$(echo $sizes | sed 's/ /b,/g')b" --policy $policies --device null -o -
	} | awk -F, "$cells"'
	$1 != "trace" {
		print cell("trace") "," cell("policy") "," cell("cache_blocks") "," cell("misses")
	}'
}

# judged ROWS WHAT: a line for each row; what is wrong with it comes first
judged() {
	if [ ! -e "$1" ]; then return; fi
	awk -F, -v what="$2" '
	function cell(name) {
		return $column[name]
	}
	function need(is, text) {
		if (!is)
			wrong = wrong text "; "
	}
	FNR == NR {
		pages[$1, $2, $2 == "none" ? "" : $3] = $4
		next
	}
	FNR == 1 {
		for (i = 1; i <= NF; i++)
			column[$i] = i
		n = NF
		next
	}
	{
		wrong = ""
		key = cell("trace") SUBSEP (what == "evict" ? cell("policy") SUBSEP cell("cache_pages") : "none" SUBSEP "")
		need(NF == n, "it has " NF " cells and not " n)
		need(cell("date") ~ /^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/, "no date")
		need(!seen[key, cell("advice")]++, "the same twice")
		need(key in pages, "not a point of this experiment")
		need(cell("runs") > 0 && cell("calls") > 0 && cell("pages_read") > 0, "nothing was read")
		need(cell("elapsed_min_us") <= cell("elapsed_us") && cell("elapsed_us") <= cell("elapsed_max_us"),
		    "the median is not between the extremes")
		need(cell("elapsed_min_us") > 0 && cell("predicted_elapsed_us") > 0, "no time")
		need(cell("resident_pages") <= (what == "evict" ? cell("cache_pages") : cell("pages_read")), "too many pages stay")
		if (what == "evict")
			need(cell("pages_read") >= cell("predicted_pages_read") && \
			    cell("pages_read") <= cell("predicted_pages_read") + cell("lost_pages"), "lost pages do not explain the pages read")
		if (what == "evict" || cell("advice") == "random")
			need(cell("predicted_pages_read") == pages[key], "a simulation of the reads needs " pages[key] " pages")
		else
			need(cell("predicted_pages_read") >= pages[key], "readahead reads less than none")
		print (wrong ? wrong : "ok ") FILENAME ": " $0
	}
	' "$tmp/simulated" "$1"
}

if [ "$mode" = check ]; then
	simulated >"$tmp/simulated"
	{
		if medians results/machine-rounds.csv | cmp -s - results/machine.csv; then
			echo 'ok medians'
		else
			echo 'results/machine.csv: not the medians of machine-rounds.csv'
		fi
		judged results/machine.csv replay
		judged results/machine-evict.csv evict
	} >"$tmp/judged"
	grep -v '^ok ' "$tmp/judged" || true
	rows=$(grep -c . "$tmp/judged") good=$(grep -c '^ok ' "$tmp/judged" || true)
	expected=$((1 + $(echo "$traces" | wc -w) * 2 + $(echo "$kept" | wc -w) * $(echo "$sizes" | wc -w) * 4))
	if [ "$rows" -ne "$expected" ]; then echo "$rows rows, and not $expected"; fi
	missing=$((rows < expected ? expected - rows : 0))
	echo "$good passed, $((rows - good + missing)) failed"
	exit "$([ "$good" -eq "$expected" ] && [ "$rows" -eq "$expected" ] && echo 0 || echo 1)"
fi
if [ "$mode" = run ]; then
	replayed >"$tmp/machine-rounds.csv"
	medians "$tmp/machine-rounds.csv" >"$tmp/machine.csv"
	publish machine machine-rounds
	cp "$sheet" results/machine-sheet.dev
	evicted >"$tmp/machine-evict.csv"
	publish machine-evict
fi
if [ ! -e results/machine.csv ]; then
	echo "exp-machine.sh: no machine was measured yet; its tables stay empty" >&2
	scripts/check-results --update
	exit
fi
cp results/machine.csv "$tmp/machine.csv"
draw machine machine 'Replays on a real machine, and their prediction'
publish machine
scripts/check-results --update

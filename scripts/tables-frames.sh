# shellcheck shell=sh
# tables-frames.sh - the tables of results/FRAMES.md, for check-results, which sources it.
# shellcheck disable=SC2016,SC2154 # programs of awk; tmp is of check-results

frames_words='
function commas(n,	text) {
	text = sprintf("%d", n)
	while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
		text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
	return text
}
function mega() {
	return cell("operations_per_s") / 1e6
}
# The workload without the number of its rounds, which sets how long it runs.
function load(	text) {
	text = cell("workload")
	sub(/[: ]rounds=[0-9]*/, "", text)
	sub(/.txt$/, "", text)
	return text
}
# One line for each value of key, in the order in which they come; a cell for each allocator.
function keep(key, text) {
	if (!(key in seen)) {
		seen[key] = ++keys
		name[keys] = key
	}
	cell_of[seen[key], cell("allocator")] = text
}
function print_kept(allocators,	i, k, n, one) {
	n = split(allocators, one, " ")
	for (i = 1; i <= keys; i++) {
		printf "| %s |", name[i]
		for (k = 1; k <= n; k++)
			printf " %s |", cell_of[i, one[k]]
		print ""
	}
}
'

# frames FILE STUDY PROGRAM: of the rows of a study
frames() {
	table "results/$1.csv" "$frames_words"'
	NR > 1 && cell("study") != "'"$2"'" {
		next
	}'"$3"
}

all_frames='buddy lazy pcp ondemand'

block_frames_counts() {
	echo '| pages at once | buddy | lazy | pcp | ondemand |'
	echo '|---|---|---|---|---|'
	frames frames counts '
	{
		keep(substr(load(), index(load(), "=") + 1), cell("splits") == cell("merges") ? commas(cell("splits")) : \
		    commas(cell("splits")) " / " commas(cell("merges")))
	}
	END {
		print_kept("'"$all_frames"'")
	}'
}

# Requests that are met, by order, when most pages are taken and after the load.
block_frames_fragments() {
	echo '| load | allocator | taken, % | order 1, % | 5 | 10 | after: 1, % | 5 | 10 |'
	echo '|---|---|---|---|---|---|---|---|---|'
	frames frames fragments '
	function share(n) {
		return sprintf(" %.0f |", 100 * n)
	}
	cell("met") ~ /^[1 ]*$/ && cell("met_after") ~ /^[1 ]*$/ {
		whole = whole (whole == "" ? "" : ", ") cell("allocator") " with " load()
		next
	}
	{
		split(cell("met"), met, " ")
		split(cell("met_after"), after, " ")
		printf "| %s | %s | %.0f |", load(), cell("allocator"), 100 - 100 * cell("free_pages") / cell("total_pages")
		printf "%s", share(met[2]) share(met[6])
		print share(met[11]) share(after[2]) share(after[6]) share(after[11])
	}
	END {
		print "\nMet at all orders, before and after: " whole "."
	}'
}

block_frames_lengths() {
	echo '| pages at once | lazy | pcp | ondemand | ondemand / lazy |'
	echo '|---|---|---|---|---|'
	frames frames-times lengths '
	{
		n = substr(load(), index(load(), "=") + 1)
		keep(n, sprintf("%.0f", mega()))
		rate[seen[n], cell("allocator")] = mega()
	}
	END {
		for (i = 1; i <= keys; i++)
			cell_of[i, "ratio"] = sprintf("%.2f", rate[i, "ondemand"] / rate[i, "lazy"])
		print_kept("lazy pcp ondemand ratio")
	}'
}

# How many times as fast as lazy, by load and number of threads.
block_frames_threads() {
	echo '| load | `ondemand`, 1 thread | 2 | 4 | `pcp`, 1 thread | 2 | 4 | `lazy`, M/s, 1 thread | 2 | 4 |'
	echo '|---|---|---|---|---|---|---|---|---|---|'
	table results/frames-times.csv "$frames_words"'
	function against(allocator, n,	key) {
		key = load_of[i] SUBSEP n SUBSEP
		return key "lazy" in rate ? sprintf(" %.2f |", rate[key allocator] / rate[key "lazy"]) : " |"
	}
	function lazy(n,	key) {
		key = load_of[i] SUBSEP n SUBSEP "lazy"
		return key in rate ? sprintf(" %.0f |", rate[key]) : " |"
	}
	cell("study") == "threads" || cell("study") == "recording" {
		if (!seen[load()]++)
			load_of[++loads] = load()
		rate[load(), cell("threads"), cell("allocator")] = mega()
	}
	END {
		for (i = 1; i <= loads; i++)
			print "| " load_of[i] " |" against("ondemand", 1) against("ondemand", 2) against("ondemand", 4) \
			    against("pcp", 1) against("pcp", 2) against("pcp", 4) lazy(1) lazy(2) lazy(4)
	}'
}

block_frames_latency() {
	echo '| allocator | threads | median, ns | 99 %, ns | 99.9 %, ns | longest, us |'
	echo '|---|---|---|---|---|---|'
	frames frames-times latency '
	{
		printf "| %s | %d | %d | %d | %d | %.0f |\n", cell("allocator"), cell("threads"), cell("latency_p50_ns"),
		    cell("latency_p99_ns"), cell("latency_p999_ns"), cell("latency_max_ns") / 1000
	}'
}

# The time of an operation on real cores, the modelled one, and the difference.
block_frames_judged() {
	echo '| load | threads | buddy, ns (%) | lazy | pcp | ondemand |'
	echo '|---|---|---|---|---|---|'
	table results/frames-times.csv "$frames_words"'
	function each() {
		return cell("threads") * 1e9 / cell("operations_per_s")
	}
	cell("study") == "threads" {
		measured[load(), cell("threads"), cell("allocator")] = each()
	}
	cell("study") == "model" && (load(), cell("threads"), cell("allocator")) in measured {
		real = measured[load(), cell("threads"), cell("allocator")]
		keep(load() " | " cell("threads"), sprintf("%.1f, %.1f (%+.0f)", real, each(), 100 * (each() / real - 1)))
	}
	END {
		print_kept("'"$all_frames"'")
	}'
}

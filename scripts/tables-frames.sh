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
	sub(/.ftrace.gz$/, "", text)
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

# What a kernel did, on this machine: the middle of three medians of five, in millions, and from the slowest to the fastest run.
block_frames_pages() {
	echo '| load | threads | lazy, M/s | ondemand, M/s | ondemand / lazy | pcp / lazy | ondemand / lists of 186 |'
	echo '|---|---|---|---|---|---|---|'
	table results/frames-pages.csv "$frames_words"'
	function middle(a, b, c) {
		return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b)
	}
	function range_of(at) {
		return sprintf("%.0f [%.0f to %.0f]", rate[at], least[at], most[at])
	}
	{
		pool = cell("allocator") ~ /high/ ? "lists" : cell("allocator")
		key = load() " | " cell("threads")
		at = key SUBSEP pool
		slow = mega() * cell("elapsed_us") / cell("elapsed_max_us")
		fast = mega() * cell("elapsed_us") / cell("elapsed_min_us")
		if (!turns[at] || slow < least[at])
			least[at] = slow
		if (fast > most[at])
			most[at] = fast
		turn[at, ++turns[at]] = mega()
		if (turns[at] == 3)
			rate[at] = middle(turn[at, 1], turn[at, 2], turn[at, 3])
		if (!(key in known))
			order[++n] = key
		known[key] = cell("threads")
	}
	END {
		for (t = 1; t <= 4; t *= 2)
			for (i = 1; i <= n; i++) {
				key = order[i]
				if (known[key] != t)
					continue
				printf "| %s | %s | %s | %.2f | %.2f | %.2f |\n", key, range_of(key SUBSEP "lazy"), range_of(key SUBSEP "ondemand"),
				    rate[key, "ondemand"] / rate[key, "lazy"], rate[key, "pcp"] / rate[key, "lazy"],
				    rate[key, "ondemand"] / rate[key, "lists"]
				sum[t] += log(rate[key, "ondemand"] / rate[key, "lazy"])
				sum_pcp[t] += log(rate[key, "pcp"] / rate[key, "lazy"])
				sum_lists[t] += log(rate[key, "ondemand"] / rate[key, "lists"])
				loads[t]++
			}
		for (t = 1; t <= 4; t *= 2)
			printf "| *geometric mean* | %d | | | %.2f | %.2f | %.2f |\n", t, exp(sum[t] / loads[t]), exp(sum_pcp[t] / loads[t]),
			    exp(sum_lists[t] / loads[t])
	}'
}

# The same on modelled cores, ondemand and pcp against lazy; and why.
block_frames_pages_model() {
	echo '| load | 1 core: ondemand, pcp | 2 | 4 | 8 | 16 | 32 | lazy, 1 core: locks an operation | splits and merges |'
	echo '|---|---|---|---|---|---|---|---|---|'
	frames frames pages '
	cell("allocator") !~ /high/ {
		if (!(load() in known))
			order[++n] = load()
		known[load()]
		at = load() SUBSEP cell("threads")
		rate[at, cell("allocator")] = mega()
		if (cell("allocator") == "lazy") {
			locks[at] = cell("lock_acquisitions") / cell("operations")
			moves[at] = (cell("splits") + cell("merges")) / cell("operations")
		}
	}
	END {
		for (i = 1; i <= n; i++) {
			printf "| %s |", order[i]
			for (t = 1; t <= 32; t *= 2) {
				at = order[i] SUBSEP t
				printf " %.2f, %.2f |", rate[at, "ondemand"] / rate[at, "lazy"], rate[at, "pcp"] / rate[at, "lazy"]
			}
			printf " %.2f | %.2f |\n", locks[order[i], 1], moves[order[i], 1]
		}
	}'
}

# The same on 16 cores, without one cause after the other.
block_frames_why() {
	echo '| load | as it is | the limit of lazy is never exceeded | lines move for nothing | locks cost nothing either |'
	echo '|---|---|---|---|---|'
	frames frames why '
	{
		if (!(load() in known))
			order[++n] = load()
		known[load()]
		pool = cell("allocator")
		sub(/:.*/, "", pool)
		cause = cell("allocator") ~ /limit/ ? "limit" : cell("cores") ~ /handover/ ? "locks" : cell("cores") ~ /transfer/ ? "lines" : "none"
		if (pool == "ondemand" || cause != "limit" || cell("cores") == "model")
			rate[load(), pool, cause] = mega()
	}
	END {
		for (i = 1; i <= n; i++) {
			at = order[i]
			printf "| %s | %.1f | %.1f | %.1f | %.1f |\n", at, rate[at, "ondemand", "none"] / rate[at, "lazy", "none"],
			    rate[at, "ondemand", "none"] / rate[at, "lazy", "limit"],
			    rate[at, "ondemand", "lines"] / rate[at, "lazy", "lines"],
			    rate[at, "ondemand", "locks"] / rate[at, "lazy", "locks"]
		}
	}'
}

# apart: of each recording, the time of its two processors for an operation, in ns
apart() {
	for load in compile fork-exec oltp shells; do
		gzip -d -c "traces/samples/pages/$load.ftrace.gz" | awk -v load=$load '
		/ mm_page_(alloc|free): / && match($0, /[0-9]+[.][0-9]+: /) {
			now = substr($0, RSTART, RLENGTH - 2)
			first = n++ ? first : now
		}
		END {
			printf "%s %.0f\n", load, 2e9 * (now - first) / n
		}'
	done
}

# How long a program may compute between two operations of a core so that it gains 56 % in all.
block_frames_between() {
	apart >"$tmp/apart"
	echo '| load | 4 cores, ns | 16 | 32 | 16, far apart | recorded, ns at most | gain there, 16 cores, % | far apart, % |'
	echo '|---|---|---|---|---|---|---|---|'
	table results/frames.csv "$frames_words"'
	# The x at which the line through two points of a curve, in logarithms, is log_y.
	function between(x1, y1, x2, y2, log_y) {
		return exp(log(x1) + (log_y - y1) / (y2 - y1) * (log(x2) - log(x1)))
	}
	function reaches(key,	i) {
		for (i = 2; i <= bases; i++)
			if (curve[key, base[i]] < log(1.56))
				return between(base[i - 1], curve[key, base[i - 1]], base[i], curve[key, base[i]], log(1.56))
	}
	function gain(key, x,	i) {
		for (i = 2; i <= bases && base[i] < x; i++)
			;
		return 100 * (exp(curve[key, base[i - 1]] + (curve[key, base[i]] - curve[key, base[i - 1]]) * \
		    log(x / base[i - 1]) / log(base[i] / base[i - 1])) - 1)
	}
	cell("study") == "between" || cell("study") == "far" {
		match(cell("cores"), /base=[0-9]*/)
		b = substr(cell("cores"), RSTART + 5, RLENGTH - 5) + 0
		key = cell("study") " " load() " " cell("threads")
		if (!(b in is_base))
			base[++bases] = b
		is_base[b]
		if (!(load() in known))
			order[++n] = load()
		known[load()]
		if (cell("allocator") == "lazy")
			lazy[key, b] = mega()
		if (cell("allocator") == "ondemand")
			curve[key, b] = log(mega() / lazy[key, b])
	}
	END {
		while ((getline line <"'"$tmp"'/apart") > 0) {
			split(line, part, " ")
			apart[part[1]] = part[2]
		}
		for (i = 1; i <= n; i++)
			printf "| %s | %s | %s | %s | %s | %s | %.1f | %.1f |\n", order[i], commas(reaches("between " order[i] " 4")),
			    commas(reaches("between " order[i] " 16")), commas(reaches("between " order[i] " 32")),
			    commas(reaches("far " order[i] " 16")), commas(apart[order[i]]),
			    gain("between " order[i] " 16", apart[order[i]]), gain("far " order[i] " 16", apart[order[i]])
	}'
}

# shellcheck shell=sh
# tables-share.sh - the tables of results/SHARE.md, for check-results, which sources it.
#
# Rows that begin with "paper" are figures of the two papers; all others are from results/share.csv, those in time
# from results/share-times.csv.
# shellcheck disable=SC2016 # programs of awk

share_words='
function commas(n,	text) {
	text = sprintf("%d", n)
	while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
		text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
	return text
}
function against(from, to) {
	return from ? change(to / from) : 0
}
function all_faults() {
	return cell("cold_faults") + cell("true_faults") + cell("false_faults")
}
function short(allocator) {
	sub(/:spanning=/, ", ", allocator)
	return allocator
}
# The first cell of a row of a paper.
function italic(text) {
	sub(/ \|/, "* |", text)
	return text
}
function kb(bytes) {
	return commas(bytes / 1000 + 0.5)
}
'

# share STUDY PROGRAM: table of the rows of a study
share() {
	table results/share.csv "$share_words"'
	NR > 1 && cell("study") != "'"$1"'" {
		next
	}'"$2"
}

# in_time STUDY PROGRAM: table of the rows of a study
in_time() {
	table results/share-times.csv "$share_words"'
	NR > 1 && cell("study") != "'"$1"'" {
		next
	}'"$2"
}

# All faults against sequential, with the figures of the paper below.
block_share_change() {
	echo '| program | from | sequential: faults | size, % | size, fit | pp | pp, fit | ff | ss |'
	echo '|---|---|---|---|---|---|---|---|---|'
	share allocators '
	BEGIN {
		paper["cholesky-p32"] = "tk15.O | about 514,000 | +1.5 | | | | fewer | -16.3"
		paper["fft-p32"] = "1,048,576 points | about 124,000 | slightly fewer | | | | +2.8 | slightly more"
		paper["lu512-p32"] = "the same size | about 5.1 M | about equal | | | | +1.7 | slightly more"
		paper["ocean258-p32"] = "the same size | 46 to 76 M | more | | | | +0.2 | slightly more"
		paper["radix-p32"] = "the same size | about 839,000 | much fewer | | | | -16.9 | -16.9"
		paper["water-spatial-p32"] = "512 molecules | about 892,000 | fewer | | | | -61.7 | -62.3"
		columns = split("size size,fit pp pp,fit ff ss", column_of, " ")
	}
	cell("allocator") !~ /min$|^sequential:/ {
		at = cell("trace") SUBSEP cell("from")
		if (!(at in seen)) {
			seen[at] = ++n
			name[n] = cell("trace")
			from[n] = cell("from")
		}
		allocator = short(cell("allocator"))
		sub(/, /, ",", allocator)
		faults[seen[at], allocator] = all_faults()
	}
	END {
		for (i = 1; i <= n; i++) {
			printf "| %s | %s | %s |", name[i], from[i], commas(faults[i, "sequential"])
			for (k = 1; k <= columns; k++)
				printf " %s |", against(faults[i, "sequential"], faults[i, column_of[k]])
			print ""
			if (name[i] in paper && name[i] != name[i + 1])
				printf "| *paper* | *%s |\n", italic(paper[name[i]])
		}
	}'
}

# What a new page for an object that does not fit does without anything else.
block_share_spanning() {
	echo '| program | sequential: false faults | min | fit | paper |'
	echo '|---|---|---|---|---|'
	share allocators '
	BEGIN {
		paper["cholesky-p32"] = "-4,935 (tk15.O)"
		paper["fft-p32"] = "-31 (1,048,576 points)"
		paper["lu512-p32"] = "+1"
		paper["ocean258-p32"] = "+112,505"
		paper["radix-p32"] = "-309,203"
		paper["water-spatial-p32"] = "-110,324"
	}
	function plus(n) {
		return (n > 0 ? "+" : "") commas(n)
	}
	cell("from") != "start" {
		next
	}
	cell("allocator") == "sequential" {
		base = cell("false_faults")
		printf "| %s | %s |", cell("trace"), commas(base)
	}
	cell("allocator") ~ /^sequential:/ {
		printf " %s |", plus(cell("false_faults") - base)
	}
	cell("allocator") == "sequential:spanning=fit" {
		printf " %s |\n", paper[cell("trace")]
	}'
}

# Two allocators of today beside ff.
block_share_today() {
	echo '| program | sequential: faults | pages | ff, % | pages | arena | pages | pad | pages |'
	echo '|---|---|---|---|---|---|---|---|---|'
	share today '
	cell("allocator") == "sequential" {
		base = all_faults()
		printf "| %s | %s | %s |", cell("trace"), commas(base), commas(cell("pages"))
		next
	}
	{
		printf " %s | %s |%s", against(base, all_faults()), commas(cell("pages")), cell("allocator") == "pad" ? "\n" : ""
	}'
}

# False faults of sequential by page size, and how ff changes all faults.
block_share_sizes() {
	echo '| program | 512 | 1K | 2K | 4K | 8K |'
	echo '|---|---|---|---|---|---|'
	share sizes '
	{
		t = cell("trace")
		k = cell("page_bytes")
		if (!(t in seen)) {
			seen[t]
			name[++n] = t
		}
	}
	cell("allocator") == "sequential" {
		false[t, k] = cell("false_faults")
		all[t, k] = all_faults()
	}
	cell("allocator") == "ff" {
		ff[t, k] = all_faults()
	}
	END {
		for (i = 1; i <= n; i++) {
			printf "| %s |", name[i]
			for (k = 512; k <= 8192; k *= 2)
				printf " %s (%s) |", commas(false[name[i], k]), against(all[name[i], k], ff[name[i], k])
			print ""
		}
	}'
}

# Time by allocator, in the order of events, and what placing at the first reference takes.
block_share_placing() {
	echo '| program | false faults by turns | by time | sequential, s | size, % | pp | ff | ss | ff: objects placed late | kB of temporary addresses | kB moved |'
	echo '|---|---|---|---|---|---|---|---|---|---|---|'
	in_time placing '
	BEGIN {
		while ((getline line <"results/share.csv") > 0) {
			split(line, of, ",")
			if (of[1] == "study")
				for (i in of)
					place[of[i]] = i
			else if (of[1] == "today" && of[place["allocator"]] == "sequential")
				turns[of[2]] = of[place["false_faults"]]
		}
	}
	cell("allocator") == "sequential" {
		base = cell("elapsed_us")
		printf "| %s | %s | %s | %.1f |", cell("trace"), commas(turns[cell("trace")]), commas(cell("false_faults")), base / 1e6
		next
	}
	{
		printf " %s |", change(cell("elapsed_us") / base)
	}
	cell("allocator") == "ff" {
		late = sprintf(" %s | %s | %s |", commas(cell("placed_late")), kb(cell("temporary_bytes")), kb(cell("moved_bytes")))
	}
	cell("allocator") == "ss" {
		print late
	}'
}

# Per process and per node, each page at home where it is referenced first.
block_share_hlrc() {
	echo '| program | faults | fetches | change, % | diffs | kB of diffs | messages |'
	echo '|---|---|---|---|---|---|---|'
	share homes '
	BEGIN {
		paper["lu-blocks"] = "1,024 x 1,024 | 8,552 → 6,333 | 8,552 → 4,084 | -52.2 | | 0 → 0"
		paper["sor"] = "4,096 x 4,096 | 2,455 → 1,168 | 2,455 → 1,167 | -52.5 | | 0 → 0"
		paper["fft-p16"] = "128 x 128 x 128 | 120,604 → 111,888 | 59,160 → 52,920 | -10.5 | | 338,912 → 316,318"
		paper["ocean-p16"] = "258 x 258 | 210,775 → 178,672 | 119,884 → 56,208 | -53.1 | | 188,384 → 175,677"
		paper["water-nsquared-p16"] = "1,728 molecules | 9,722 → 8,934 | 6,224 → 3,342 | -46.3 | | 7,297 → 6,752"
		paper["radix-p16"] = "8 M keys | 71,613 → 68,576 | 24,265 → 21,447 | -11.6 | | 93,152 → 86,874"
	}
	function pair(column) {
		return sprintf("%s → %s", commas(before[column]), commas(cell(column)))
	}
	cell("home") == "first" && cell("per") == "process" {
		split("faults fetches diffs diff_bytes messages", counter, " ")
		for (i in counter)
			before[counter[i]] = cell(counter[i])
	}
	cell("home") == "first" && cell("per") == "node" {
		printf "| %s | %s | %s | %s | %s | %s → %s | %s |\n", cell("trace"), pair("faults"), pair("fetches"),
		    against(before["fetches"], cell("fetches")), pair("diffs"), kb(before["diff_bytes"]), kb(cell("diff_bytes")), pair("messages")
		if (cell("trace") in paper)
			printf "| *paper, %s | |\n", italic(paper[cell("trace")])
	}'
}

# Fetches and bytes of diffs per node against per process, by home.
block_share_homes() {
	echo '| program | fetches, %: first | block | roundrobin | paper | kB of diffs, %: first | block | roundrobin | paper |'
	echo '|---|---|---|---|---|---|---|---|---|'
	share homes '
	BEGIN {
		fetches["lu-blocks"] = "-52.2"
		fetches["sor"] = "-52.5"
		fetches["fft-p16"] = "-10.5"
		fetches["ocean-p16"] = "-53.1"
		fetches["water-nsquared-p16"] = "-46.3"
		fetches["radix-p16"] = "-11.6"
		diffs["lu-blocks"] = diffs["sor"] = "no diffs"
		diffs["fft-p16"] = "-6.7"
		diffs["ocean-p16"] = "-6.7"
		diffs["water-nsquared-p16"] = "-7.5"
		diffs["radix-p16"] = "-6.7"
	}
	cell("per") == "process" {
		were = cell("fetches")
		bytes = cell("diff_bytes")
	}
	cell("per") == "node" {
		t = cell("trace")
		if (!(t in less))
			name[++n] = t
		less[t] = less[t] " " against(were, cell("fetches")) " |"
		fewer[t] = fewer[t] " " (bytes ? against(bytes, cell("diff_bytes")) : "no diffs") " |"
	}
	END {
		for (i = 1; i <= n; i++)
			printf "| %s |%s %s |%s %s |\n", name[i], less[name[i]], fetches[name[i]], fewer[name[i]], diffs[name[i]]
	}'
}

# Speed-ups over the processors, per process and per node, and what a node gains.
block_share_speed() {
	echo '| program | a reference, ns | 1 | 2 | 4 | 8 | 16 | faster at 16, % | paper |'
	echo '|---|---|---|---|---|---|---|---|---|'
	in_time speed '
	BEGIN {
		paper["lu-blocks"] = paper["water-nsquared"] = "about 0"
		paper["ocean"] = "+26"
		paper["barnes"] = "+33"
		paper["fft"] = paper["radix"] = paper["sor"] = "depends on the processors"
	}
	{
		t = cell("trace")
		k = cell("processors")
		if (!(t in seen)) {
			seen[t]
			name[++n] = t
		}
		per[t, k, cell("per")] = cell("speedup")
		ns[t] = commas(1000 * cell("compute_us") / cell("references") + 0.5)
	}
	END {
		split("1 2 4 8 16", of, " ")
		for (i = 1; i <= n; i++) {
			t = name[i]
			printf "| %s | %s |", t, ns[t]
			for (j = 1; j <= 5; j++)
				printf " %.2f → %.2f |", per[t, of[j], "process"], per[t, of[j], "node"]
			printf " %s | %s |\n", change(per[t, 16, "node"] / per[t, 16, "process"]), paper[t]
		}
	}'
}

# What a node gains on 16 processors, with other homes and at the sizes of the recordings.
block_share_gains() {
	echo '| program | as above: faster, % | fetches, % | homes at the first reference: faster, % | fetches, % | the recorded size: faster, % | speed-up |'
	echo '|---|---|---|---|---|---|---|'
	table results/share-times.csv "$share_words"'
	NR > 1 && cell("processors") == 16 {
		t = cell("trace")
		what = cell("study")
		if (cell("per") == "process") {
			speed = cell("speedup")
			were = cell("fetches")
			next
		}
		gain[t, what] = change(cell("speedup") / speed)
		less[t, what] = against(were, cell("fetches"))
		both[t] = what == "small" ? sprintf("%.3g → %.3g", speed, cell("speedup")) : both[t]
		if (!(t in seen)) {
			seen[t]
			name[++n] = t
		}
	}
	END {
		split("barnes fft ocean radix water-nsquared", name, " ")
		for (i = 1; i <= 5; i++) {
			t = name[i]
			printf "| %s | %s | %s | %s | %s | %s | %s |\n", t, gain[t, "speed"], less[t, "speed"], gain[t, "first"], less[t, "first"],
			    gain[t, "small"], both[t]
		}
	}'
}

# Parts of the time of the mean processor, of that per process.
block_share_parts() {
	echo '| program | per | compute | fault | fetch | diff | lock | barrier | serve | local | all |'
	echo '|---|---|---|---|---|---|---|---|---|---|---|'
	in_time speed '
	cell("processors") == 16 {
		if (cell("per") == "process")
			whole = 16 * cell("elapsed_us")
		printf "| %s | %s |", cell("trace"), cell("per")
		sum = 0
		n = split("compute fault fetch diff lock barrier serve local", part, " ")
		for (i = 1; i <= n; i++) {
			sum += cell(part[i] "_us")
			printf " %.1f |", 100 * cell(part[i] "_us") / whole
		}
		printf " %.1f |\n", 100 * sum / whole
	}'
}

# The table of write notices: with columns used again, and without.
block_share_notices() {
	echo '| program | notices | without reuse, kB | with reuse, kB | intervals of a process at once |'
	echo '|---|---|---|---|---|'
	in_time speed '
	cell("processors") == 16 && cell("per") == "node" {
		printf "| %s | %s | %s | %.1f | %s |\n", cell("trace"), commas(cell("write_notices")), kb(4 * cell("write_notices")),
		    cell("table_bytes") / 1000, cell("table_intervals")
	}'
}

# Fetches against the number of nodes, as parts of those with most nodes.
block_share_nodes() {
	share nodes '
	{
		t = cell("trace")
		k = cell("nodes")
		if (!(k in n))
			nodes[++levels] = k
		n[k]++
		fetched[t, k] = cell("fetches")
		trace[t]
	}
	END {
		most = levels
		for (t in trace)
			for (i = 1; i < levels; i++) {
				part = fetched[t, nodes[i]] / fetched[t, nodes[most]]
				if (!(i in low) || part < low[i])
					low[i] = part
				if (part > high[i])
					high[i] = part
			}
		printf "The same 16 processes on fewer nodes fetch, of what they fetch on %d:", nodes[most]
		for (i = most - 1; i >= 1; i--)
			if (high[i] > 0)
				printf "%s %d to %d %% on %d nodes", i < most - 1 ? "," : "", 100 * low[i] + 0.5, 100 * high[i] + 0.5, nodes[i]
		print "."
	}'
}

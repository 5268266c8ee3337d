# shellcheck shell=sh
# tables-machine.sh - the tables of results/MACHINE.md, for check-results, which sources it.
# shellcheck disable=SC2016 # programs of awk

machine_words='
function seconds(name) {
	return sprintf("%.3f", cell(name) / 1e6)
}
function error_of() {
	return cell("predicted_elapsed_us") / cell("elapsed_us")
}
function spread() {
	return (cell("elapsed_max_us") - cell("elapsed_min_us")) / cell("elapsed_us")
}
function absolute(x) {
	return x < 0 ? -x : x
}
function commas(n,	text) {
	text = sprintf("%d", n)
	while (match(text, /[0-9][0-9][0-9][0-9]($|,)/))
		text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
	return text
}
function pages(read, predicted) {
	return read == predicted ? commas(read) : commas(read) ", not " commas(predicted)
}
'

# measured FILE: false, with a line that says so, while there are no rows
measured() {
	if [ -e "results/$1.csv" ]; then return; fi
	echo 'No machine was measured yet: `scripts/exp-machine.sh build/bufsim` takes the times.'
	return 1
}

# Where and when.
block_machine_where() {
	measured machine || return 0
	summary=$(sed -n 's/^summary = measured: //p' results/machine-sheet.dev)
	table results/machine.csv '
	{
		if (!first || cell("date") < first)
			first = cell("date")
		if (cell("date") > last)
			last = cell("date")
		if (!least || cell("runs") < least)
			least = cell("runs")
	}
	END {
		printf "%s, %s; medians of at least %d runs.\n", "'"$summary"'", first == last ? first : first " to " last, least
	}'
}

# The calibrations, one before each trace.
block_machine_sheet() {
	measured machine || return 0
	echo '| before | a read of 4 KB, us | of it one at a time, us | contiguous, MB/s | a page of a second segment, us |'
	echo '|---|---|---|---|---|'
	table results/machine.csv '
	cell("advice") == "normal" {
		printf "| %s | %s | %s | %s | %s |\n", cell("trace"), cell("read_us"), cell("command_us"), cell("mb_s"), cell("segment_us")
	}'
}

block_machine_replays() {
	measured machine || return 0
	echo '![measured times with their extremes, predicted times, and the error of the prediction](machine.svg)'
	echo
	echo '| trace | advice | measured, s | from | to | spread, % | predicted, s | error, % | pages read |'
	echo '|---|---|---|---|---|---|---|---|---|'
	table results/machine.csv "$machine_words"'
	{
		printf "| %s | %s | %s | %s | %s | %.0f | %s | %s | %s |\n", cell("trace"), cell("advice"), seconds("elapsed_us"),
		    seconds("elapsed_min_us"), seconds("elapsed_max_us"), 100 * spread(), seconds("predicted_elapsed_us"),
		    change(error_of()), pages(cell("pages_read"), cell("predicted_pages_read"))
	}'
}

# The errors of all traces beside what the machine itself repeats.
block_machine_errors() {
	measured machine || return 0
	echo '| advice | mean error of the time, % | worst | of | mean spread of the runs, % | widest | pages as predicted |'
	echo '|---|---|---|---|---|---|---|'
	table results/machine.csv "$machine_words"'
	{
		advice = cell("advice")
		error = absolute(error_of() - 1)
		if (!n[advice]++)
			name[++modes] = advice
		sum[advice] += error
		if (n[advice] == 1 || error > worst[advice]) {
			worst[advice] = error
			worst_text[advice] = change(error_of()) " | " cell("trace")
		}
		wide[advice] += spread()
		if (spread() > widest[advice])
			widest[advice] = spread()
		exact[advice] += cell("pages_read") == cell("predicted_pages_read")
	}
	END {
		for (i = 1; i <= modes; i++) {
			advice = name[i]
			printf "| %s | %.1f | %s | %.0f | %.0f | %d of %d |\n", advice, 100 * sum[advice] / n[advice],
			    worst_text[advice], 100 * wide[advice] / n[advice], 100 * widest[advice], exact[advice], n[advice]
		}
	}'
}

# Caches that are kept at their size, a page at a time.
block_machine_evict() {
	measured machine-evict || return 0
	echo '| trace | pages of the cache | lru | clock | arc | linux |'
	echo '|---|---|---|---|---|---|'
	table results/machine-evict.csv "$machine_words"'
	{
		key = cell("trace") " | " commas(cell("cache_pages"))
		if (!seen[key]++)
			name[++n] = key
		read[key, cell("policy")] = pages(cell("pages_read"), cell("predicted_pages_read"))
		exact += cell("pages_read") == cell("predicted_pages_read")
		lost += cell("pages_read") != cell("predicted_pages_read") && \
		    cell("pages_read") <= cell("predicted_pages_read") + cell("lost_pages")
		all++
	}
	END {
		for (i = 1; i <= n; i++)
			print "| " name[i] " | " read[name[i], "lru"] " | " read[name[i], "clock"] " | " read[name[i], "arc"] " | " \
			    read[name[i], "linux"] " |"
		print "\nExactly the simulated pages: " exact " of " all ". More, by at most the pages that the system took meanwhile: " lost "."
	}'
}

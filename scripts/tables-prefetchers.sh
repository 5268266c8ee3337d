# shellcheck shell=sh disable=SC2016,SC2317 # programs of awk; blocks are called by name
# tables-prefetchers.sh - the tables of results/PREFETCHERS.md, sourced by check-results.

# prefetchers PROGRAM: after all rows of results/prefetchers-mean.csv: device[1 ..], name[1 ..], in its order,
# and value[device, name, column]; floor[device] is the row that is the floor
prefetchers() {
	table results/prefetchers-mean.csv '
	{
		d = cell("device")
		p = cell("prefetcher")
		if (!seen[d]++)
			device[++devices] = d
		if (!seen["", p]++)
			name[++names] = p
		for (c in column)
			value[d, p, c] = cell(c)
		if (cell("floor"))
			floor[d] = p
	}
	function future(p) {
		return p ~ / \(opt\)$/
	}
	# How much of what is possible it gains, in per cent.
	function gained(d, p) {
		return int(100 * (1 - value[d, p, "mean_ratio"]) / (1 - value[d, floor[d], "mean_ratio"]) + 100.5) - 100
	}
	'"$1"
}

# Sentences, of each device: the fastest, how near they come, and the slower ones.
block_prefetchers_answers() {
	prefetchers '
	function listed(p, d) {
		return sprintf("`%s` (%s)", p, percent(value[d, p, "mean_ratio"]))
	}
	END {
		for (k = 1; k <= devices; k++) {
			d = device[k]
			best = slow = safe = ""
			points = n = 0
			for (i = 1; i <= names; i++) {
				p = name[i]
				if (future(p))
					continue
				points = value[d, p, "points"]
				if (best == "" || value[d, p, "mean_ratio"] < value[d, best, "mean_ratio"])
					best = p
				if (value[d, p, "mean_ratio"] > 1.02)
					slow = slow (slow == "" ? "" : ", ") listed(p, d)
				if (!value[d, p, "slower"])
					safe = safe (safe == "" ? "" : ", ") "`" p "`"
				n++
			}
			if (best == "")
				continue
			printf "- **%s.** On average over %d points `%s` takes least time, %s. ", d, points, best, percent(value[d, best, "mean_ratio"])
			printf "The floor is `%s`, %s", floor[d], percent(value[d, floor[d], "mean_ratio"])
			if (gained(d, best) > 100)
				printf ": `%s` is below it. ", best
			else
				printf ": `%s` gains %d %% of what is possible. ", best, gained(d, best)
			printf "%s. ", slow == "" ? "No prefetcher is more than 2 % slower than `none` on average" : "Slower than `none` on average: " slow
			printf "%s.\n", safe == "" ? "Each is more than 2 % slower at some point" : "Never more than 2 % slower: " safe
		}
	}'
}

block_prefetchers_time() {
	prefetchers '
	END {
		heading = "| "
		line = "|---"
		for (k = 1; k <= devices; k++) {
			heading = heading "| " device[k] ": mean, % | least | most | points above 1.02 | of what is possible, % "
			line = line "|---|---|---|---|---"
		}
		print heading "|\n" line "|"
		for (i = 1; i <= names; i++) {
			p = name[i]
			printf "| `%s`", p
			for (k = 1; k <= devices; k++) {
				d = device[k]
				printf " | %s | %s | %s | %d | %d", change(value[d, p, "mean_ratio"]), change(value[d, p, "least_ratio"]),
				    change(value[d, p, "most_ratio"]), value[d, p, "slower"], gained(d, p)
			}
			print " |"
		}
	}'
}

# shellcheck shell=sh
# tables-scale.sh - the tables of results/SCALE.md, for check-results, which sources it.
#
# The seconds, shares and groups of the paper are in block_scale_paper; all else is from results/scale-*.csv.
# shellcheck disable=SC2016 # programs of awk

scale_words='
function number(text, format) {
	return text == "" ? "none" : sprintf(format, text)
}
function between(name, format,	low) {
	low = cell(name "_low")
	return low == "" ? "" : " [" sprintf(format, low) ", " number(cell(name "_high"), format) "]"
}
function ours() {
	return cell("program") ~ /^sweep/
}
function meaning(program) {
	return program == "sweep" ? "up to the processors" : "up to twice the processors"
}
'

# How far the sweep scales, and what fits.
block_scale_law() {
	awk -F, 'NR == FNR && FNR > 1 { cores = $1; if (!seen[$2]++) n++; runs++ } END {
		printf "Timed on a machine with %d processors, %d runs in all, %d with each number of workers.\n\n", cores, runs, runs / n }' \
		results/scale.csv
	echo '| sweep | scales to | S region | S whole | a | b | peak | R2 | outside the region, 1 worker | S whole, at most |'
	echo '|---|---|---|---|---|---|---|---|---|---|'
	table results/scale-law.csv "$scale_words"'
	ours() {
		fitted = cell("b_is_fitted") == "true"
		printf "| %s | %d | %.2f | %.2f | %.4f%s | %s | %s | %s | %.1f %% | %s |\n", meaning(cell("program")), cell("scales_to"),
		    cell("s_region"), cell("s_whole"), cell("a"), between("a", "%.4f"),
		    fitted ? sprintf("%.4f", cell("b")) between("b", "%.4f") : sprintf("0 (or a = 0, b = %.4f)", cell("a") / 2),
		    fitted ? number(cell("peak"), "%.1f") between("peak", "%.1f") : "-", fitted ? sprintf("%.4f", cell("r2")) : "-",
		    100 * cell("outside_share"), number(cell("s_whole_limit"), "%.1f")
	}'
}

block_scale_levels() {
	echo '| workers | runs | T_non, s | T_roi, s | S region | 95 % | law | S whole |'
	echo '|---|---|---|---|---|---|---|---|'
	table results/scale-levels.csv "$scale_words"'
	cell("program") == "sweep-beyond" {
		printf "| %d | %d | %.4f | %.4f | %.3f | %.3f to %.3f | %.3f | %.3f |\n", cell("threads"), cell("runs"), cell("t_non_s"),
		    cell("t_roi_s"), cell("s_region"), cell("s_region_low"), cell("s_region_high"), cell("s_law"), cell("s_whole")
	}'
}

# Programs of others: the law up to the processors, speed-ups and the kernel's share of the processor time.
block_scale_programs() {
	awk -F, 'NR > 1 { cores = $1; runs++; if (!seen[$2, $3]++) n++ } END {
		printf "Timed on a machine with %d processors, other programs running at a low priority, %d runs with each number of threads.\n\n", cores, runs / n }' \
		results/scale-programs.csv
	echo '| program | S region, 2 threads | 95 % | S whole | a | S region, 4 threads | the kernel has, 1 thread, % | 2 | 4 |'
	echo '|---|---|---|---|---|---|---|---|---|'
	awk -F, '
	function kernel(n,   all) {
		all = user[program, n] + sys[program, n]
		return sprintf("%.1f", 100 * sys[program, n] / all)
	}
	FNR == 1 {
		file++
		split("", column)
		for (i = 1; i <= NF; i++)
			column[$i] = i
		next
	}
	file == 1 {
		known[$2]
	}
	file == 2 {
		at = $1 SUBSEP $column["threads"]
		region[at] = $column["s_region"]
		whole[at] = $column["s_whole"]
		spread[at] = sprintf("%.2f to %.2f", $column["s_region_low"], $column["s_region_high"])
		user[at] = $column["user_s"]
		sys[at] = $column["system_s"]
	}
	file == 3 && ($1 in known) {
		program = $1
		printf "| %s | %.2f | %s | %.2f | %.2f [%.2f, %.2f] | %.2f | %s | %s | %s |\n", program, region[program, 2],
		    spread[program, 2], whole[program, 2], $column["a"], $column["a_low"], $column["a_high"], region[program, 4],
		    kernel(1), kernel(2), kernel(4)
	}' results/scale-programs.csv results/scale-levels.csv results/scale-law.csv
}

# Printed columns, and what follows from them.
block_scale_paper() {
	echo '| program | non-ROI, s | of the total, % | group | total, s | S whole, at most |'
	echo '|---|---|---|---|---|---|'
	awk -F, '
	{
		total = limit = "-"
		if ($3 >= 1) {
			total = sprintf("%.0f", $2 / $3 * 100)
			limit = sprintf("%.1f", 100 / $3)
		}
		printf "| %s | %s | %s | %s | %s | %s |\n", $1, $2, $3, $4, total, limit
	}' <<-'END'
		blackscholes,21.23,12.3,-
		bodytrack,0.10,0.2,A
		canneal,47.37,8.7,A
		dedup,0.74,2.7,A
		ferret,0.18,0.1,A
		freqmine,0.08,0.1,A
		raytrace,59.52,25.9,B
		streamcluster,0.01,0.1,B
		swaptions,0.01,0.1,B
	END
}

block_scale_groups() {
	echo '| program | group of the paper | group | scales to | S region | S with 120 | a | b | peak | S whole, at most |'
	echo '|---|---|---|---|---|---|---|---|---|---|'
	awk -F, '
	FNR == 1 {
		file++
		for (i = 1; i <= NF; i++)
			column[file, $i] = i
		next
	}
	file == 1 {
		group[$1] = $2
	}
	file == 2 && $column[2, "threads"] == 120 {
		last[$1] = $column[2, "s_region"]
	}
	file == 3 && ($1 in group) {
		printf "| %s | %s | %s | %d | %.2f | %.2f | %.3g | %.3g | %.1f | %.1f |\n", $1, group[$1], $column[3, "group"],
		    $column[3, "scales_to"], $column[3, "s_region"], last[$1], $column[3, "a"], $column[3, "b"], $column[3, "peak"],
		    $column[3, "s_whole_limit"]
	}' results/scale-paper.csv results/scale-levels.csv results/scale-law.csv
}

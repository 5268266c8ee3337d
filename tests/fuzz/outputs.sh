#!/bin/sh
# outputs.sh - to be read by a script that has set $bufsim and $tmp: every command that writes or prints.
# shellcheck disable=SC2154

# The files that the commands read, in $tmp/in.
make_inputs() {
	mkdir "$tmp/in"
	gzip -dc tests/data/coreutils.strace.gz >"$tmp/in/t.strace"
	cp tests/cli/data/measured.csv "$tmp/in"
	"$bufsim" convert "$tmp/in/t.strace" "$tmp/in/t.bst" >"$tmp/made" 2>&1
	"$bufsim" sweep "$tmp/in/t.bst" --cache 1M,2M -o "$tmp/in/s.csv"
	"$bufsim" run "$tmp/in/t.bst" --cache 0 --responses "$tmp/in/r.csv" >"$tmp/made"
	rm "$tmp/made"
}

# The name of a file, and a command that writes it: OUT.
writers() {
	cat <<-'END'
	x.bst convert in/t.strace OUT
	x.txt convert in/t.strace OUT
	x.txt.gz convert in/t.strace OUT
	x.bst convert --merge in/t.strace in/t.bst OUT
	x.csv run in/t.bst --responses OUT
	x.txt run in/t.bst --cache 1M --frames OUT
	x.txt.gz run in/t.bst --cache 1M --frames OUT
	x.csv sweep in/t.bst --cache 1M,2M,3M --policy lru,clock -o OUT
	x.json sweep in/t.bst --cache 1M,2M,3M --json -o OUT
	x.csv mrc in/t.bst --csv -o OUT
	x.svg classify in/t.bst -o OUT
	x.svg plot in/s.csv -o OUT
	x.png plot in/s.csv -o OUT
	x.pdf plot in/s.csv -o OUT
	x.svg plot in/r.csv -o OUT
	x.svg validate in/measured.csv -o OUT
	x.csv validate in/measured.csv --responses OUT
	END
}

printers() {
	cat <<-'END'
	run in/t.bst --prefetch linux24
	run in/t.bst --json
	run in/t.bst --csv
	run in/t.strace in/t.bst --replay process --prefetch iprp
	sweep in/t.bst --cache 1M,2M
	sweep in/t.bst --cache 1M,2M --json
	compare in/t.bst --prefetch none,linux24 --policy lru,clock
	compare in/t.bst --json
	mrc in/t.bst
	mrc in/t.bst --json
	mrc in/t.bst --sample 0.5
	stat in/t.bst
	stat in/t.bst --json
	classify in/t.bst
	classify in/t.bst --json
	explain in/t.bst --prefetch linux24
	explain --pattern sequential --calls 0
	plot in/s.csv
	validate in/measured.csv
	validate in/measured.csv --json
	convert in/t.strace - --to text
	list
	list counters
	list cheetah9lp
	help
	help run
	--help=man
	--help=bash
	--version
	END
}

#!/bin/sh
# run.sh BUFSIM - complete command lines in bash, zsh and fish, as far as they are installed.
set -u
export LC_ALL=C
bufsim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
TMP=$(mktemp -d)
export TMP
trap 'rm -rf "$TMP"' EXIT
mkdir "$TMP/bin" "$TMP/here"
ln -s "$bufsim" "$TMP/bin/bufsim"
PATH=$TMP/bin:$PATH
passed=0 failed=0

# that NAME EXPECTED GOT
that() {
	if [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'not so: %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
	fi
}

# What each line may be continued with; bash sees only what stands behind : and =.
cases() {
	cat <<-'END'
	bufsim ru|run
	bufsim run --prefe|--prefetch
	bufsim run x.txt --policy fi|fifo
	bufsim run x.txt --prefetch onde|ondemand
	bufsim run x.txt --prefetch ondemand:pa|ondemand:pages=
	bufsim run x.txt --prefetch iprp:threshold=4+ondemand:version=6.1|iprp:threshold=4+ondemand:version=6.1 iprp:threshold=4+ondemand:version=6.18 iprp:threshold=4+ondemand:version=6.1x
	bufsim run x.txt --scheduler=dead|--scheduler=deadline
	bufsim run x.txt --device ssd-8|ssd-850evo ssd-870qvo
	bufsim sweep x.txt --prefetch none,lin|none,linux24 none,linux26
	bufsim sweep x.txt --policy lru,fi|lru,fifo
	bufsim sweep x.txt --prefetch iprp+i|
	bufsim sweep x.txt --prefetch ondemand,iprp:threshold=4+o|ondemand,iprp:threshold=4+obl ondemand,iprp:threshold=4+ondemand
	bufsim share --pattern mig|migratory
	bufsim share x.txt --allocator pad:t|pad:to=
	bufsim plot x.csv --x page|pages
	bufsim plot x.csv --x prefetcher|prefetcher
	bufsim plot x.csv --relative s3|s3fifo
	bufsim sweep x.txt --writes back,thr|back,through
	bufsim explain --pattern sequential,stride-33|sequential,stride-33
	bufsim explain x.txt --outp|--output
	bufsim list workl|workloads
	bufsim list ondem|ondemand
	bufsim help --cac|--cache
	bufsim help hit_r|hit_ratio
	bufsim plot x.csv --y hit-|hit-ratio
	bufsim convert a b --to bs|bst
	bufsim run fil|file.txt
	bufsim run x.txt --responses fil|file.txt
	END
}

# each SHELL FUNCTION: the function prints what completes a line, in lines
each() {
	while IFS='|' read -r line expected; do
		that "$1: $line" "$expected" "$("$2" "$line" | sort -u | tr '\n' ' ' | sed 's/ $//')"
	done <"$TMP/cases"
}

in_bash() {
	bash -c '
		eval "$(bufsim --help=bash)"
		COMP_LINE=$1 COMP_POINT=${#1}
		_bufsim bufsim
		word=${1##* }
		before=${word%"${word##*[:=]}"}
		for c in "${COMPREPLY[@]}"; do echo "$before$c"; done
		if [ ${#COMPREPLY[@]} -eq 0 ]; then compgen -f -- "${word##*=}"; fi' bash "$1"
}

in_fish() {
	# shellcheck disable=SC2016 # for fish
	fish --no-config -c 'bufsim --help=fish | source; complete -C $argv[1]' "$1" | cut -f 1
}

# A terminal types the line and a tab, and the shell tells with which words it was completed.
in_zsh() {
	zsh -f "$here/zsh.zsh" "$1"
}

cases >"$TMP/cases"
bufsim --help=zsh >"$TMP/_bufsim"
if command -v zsh >/dev/null; then zsh -f -c "autoload -Uz compinit && compinit -u -d $TMP/dump"; fi
cd "$TMP/here" || exit 1
touch file.txt
for shell in bash zsh fish; do
	if command -v "$shell" >/dev/null; then
		each "$shell" "in_$shell"
	else
		echo "skipped: no $shell here"
	fi
done
if command -v zsh >/dev/null; then
	# shellcheck disable=SC2016 # for zsh
	that "zsh without compinit" _bufsim \
		"$(HOME=$TMP zsh -f -c 'eval "$(bufsim --help=zsh)"; echo $_comps[bufsim]' 2>&1)"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# run.sh [--update] BUFSIM [NAME...] - run every case of tests/cli/*.test, or of these NAMEs.
#
#	# a comment
#	$ a command line for sh, run in tests/cli/data, with bufsim in the PATH;
#	  $PLUGINS has what tests/plugins compiles to
#	| a line it must print on standard output
#	! a line it must print on standard error
#	= its exit status, if not 0
#
# A file that begins with "# needs: COMMAND" is skipped where COMMAND fails, with
# what it prints as the reason; machine_shows (../machine_shows.c) tells what this
# machine allows.
#
# --update rewrites what is expected as it is: look at the diff.
set -eu
export LC_ALL=C
update=
if [ "$1" = --update ]; then
	update=yes
	shift
fi
bufsim=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
cd "$(dirname "$0")"
tests=$PWD
TMP=$(mktemp -d)
export TMP
trap 'rm -rf "$TMP"' EXIT
mkdir "$TMP/bin"
ln -s "$bufsim" "$(dirname "$bufsim")/tests/machine_shows" "$TMP/bin"
PATH=$TMP/bin:$PATH
PLUGINS=$TMP/plugins
export PLUGINS
cp -R "$(dirname "$bufsim")/tests/plugins" "$PLUGINS"
if [ $# -eq 0 ]; then set -- *.test; fi

passed=0 failed=0 command=

start() {
	command=$1 status=0
	: >"$TMP/out"
	: >"$TMP/err"
}

# Run the case that has been read, if any, and compare.
finish() {
	if [ -z "$command" ]; then return; fi
	got=0
	(cd data && sh -c "$command") >"$TMP/got.out" 2>"$TMP/got.err" </dev/null || got=$?
	{
		printf '$ %s\n' "$command"
		sed 's/^/| /; s/ $//' "$TMP/got.out"
		sed 's/^/! /; s/ $//' "$TMP/got.err"
		if [ "$got" -ne 0 ]; then echo "= $got"; fi
	} >"$TMP/got"
	{
		printf '$ %s\n' "$command"
		cat "$TMP/out" "$TMP/err"
		if [ "$status" -ne 0 ]; then echo "= $status"; fi
	} >"$TMP/expected"
	cat "$TMP/got" >>"$TMP/new"
	if cmp -s "$TMP/expected" "$TMP/got"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$file:"
		diff "$TMP/expected" "$TMP/got" || :
	fi
	command=
}

for name; do
	file=${name%.test}.test
	needs=$(sed -n '1s/^# needs: //p' "$file")
	if [ "$needs" ] && ! why=$(sh -c "$needs" 2>&1 </dev/null); then
		echo "$file: skipped: needs $needs${why:+: $why}"
		continue
	fi
	: >"$TMP/new"
	while IFS= read -r line; do
		case $line in
		'$ '*)
			finish
			start "${line#??}"
			;;
		'|'*) printf '%s\n' "$line" >>"$TMP/out" ;;
		'!'*) printf '%s\n' "$line" >>"$TMP/err" ;;
		'= '*) status=${line#??} ;;
		*)
			finish
			printf '%s\n' "$line" >>"$TMP/new"
			;;
		esac
	done <"$file"
	finish
	if [ "$update" ]; then cp "$TMP/new" "$tests/$file"; fi
done
if [ "$update" ]; then exit; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

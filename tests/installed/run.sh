#!/bin/sh
# run.sh BUILD - is what `make install` brings enough to embed the library, and to write plug-ins for the program?
#
# Installs the build below BUILD/dest and works with that tree alone.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
build=$1 dest=$PWD/$1/dest work=$PWD/$1/tests/installed
cc="${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wno-unused-parameter ${CI:+-Werror}" # another compiler may warn of more
passed=0 failed=0

# that NAME COMMAND...: a check; what the command prints is for when it fails
that() {
	name=$1
	shift
	if "$@" >"$work/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not so: $name"
		cat "$work/log"
	fi
}

flags() {
	PKG_CONFIG_PATH=$dest/usr/lib/pkgconfig pkg-config "$@" bufsim
}

headers_compile_alone() {
	(cd "$dest/usr/include/bufsim" && find . -name '*.h') >"$work/headers"
	bad=0
	while read -r header; do
		echo "#include \"$header\"" >"$work/alone.c"
		# shellcheck disable=SC2046,SC2086 # lists of words
		$cc $(flags --cflags) -fsyntax-only "$work/alone.c" || bad=1
	done <"$work/headers"
	[ -s "$work/headers" ] && [ $bad -eq 0 ]
}

# All of the library, not only the members that the program names.
links_alone() {
	# shellcheck disable=SC2046,SC2086
	$cc -o "$work/whole" docs/examples/generated.c $(flags --cflags) -Wl,--whole-archive \
		"$dest/usr/lib/libbufsim.a" -Wl,--no-whole-archive $(flags --libs)
}

# example NAME ARGUMENTS...: prints every line of NAME.out; a new plug-in may add more
example() {
	name=$1
	shift
	# shellcheck disable=SC2046,SC2086
	$cc -o "$work/$name" "docs/examples/$name.c" $(flags --cflags --libs) &&
		"$work/$name" "$@" >"$work/$name.out" 2>&1 &&
		! grep -v -x -F -f "$work/$name.out" "tests/installed/$name.out"
}

plug_in() {
	# shellcheck disable=SC2046,SC2086
	$cc -shared -fPIC -o "$work/mine.so" tests/plugins/mine.c $(flags --cflags) &&
		"$dest/usr/bin/bufsim" run traces/samples/csq.txt.gz --policy "$work/mine.so:k=3" \
			--prefetch "$work/mine.so" --csv | grep -q '^csq,mine:k=3,mine,'
}

keeps_to_itself() {
	! nm -A "$dest/usr/lib/libbufsim.a" 2>/dev/null | grep -E ' [UTD] (main|exit|_Exit|abort|atexit|setlocale)$'
}

nothing_is_left() {
	make -s uninstall B="$build" DESTDIR= PREFIX="$dest/usr" &&
		[ -z "$(find "$dest" ! -type d)" ]
}

rm -rf "$dest" "$work"
mkdir -p "$work"
that 'it can be installed' make -s install B="$build" DESTDIR= PREFIX="$dest/usr"
that 'every header compiles alone' headers_compile_alone
that 'all of the library links without the program' links_alone
that 'the example hits works' example hits traces/samples/csq.txt.gz 16384
that 'the example generated works' example generated
that 'a plug-in compiled with the installed headers is taken' plug_in
that 'the library never ends the program' keeps_to_itself
that 'it can be uninstalled' nothing_is_left
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

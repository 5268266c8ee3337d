#!/bin/sh
# run.sh BUILD - is what `make install` brings enough to embed the library, and to write plug-ins for the program?
#
# Installs the build below BUILD/tests/installed, in a folder whose name has blanks and an umlaut,
# and works with that tree alone.  The file abi has what programs that are linked with the shared
# library depend on: its name, its symbols, and the bytes of its objects and of public structures.
# An argument or a member that changes at the same size is seen in review alone.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD build=$1 work=$(mkdir -p "$1/tests" && cd "$1/tests" && pwd)/installed
DESTDIR="$work/Jörg Müller" PREFIX='/buf sim' LIBDIR='/buf sim/lib/x 1'
dest=$DESTDIR$PREFIX lib=$DESTDIR$LIBDIR
cc="${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wno-unused-parameter ${CI:+-Werror}" # another compiler may warn of more
archive='' passed=0 failed=0

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

make_it() {
	make -s "$1" B="$build" DESTDIR="$DESTDIR" PREFIX="$PREFIX" LIBDIR="$LIBDIR"
}

lies_in_its_folder() {
	[ "$(cd "$work" && ls)" = "$(printf '%s\n' 'Jörg Müller' log)" ] && [ "$(ls "$DESTDIR")" = 'buf sim' ]
}

# compile FLAGS ARGUMENT...: those of pkg-config come last; it quotes blanks
compile() {
	# shellcheck disable=SC2086 # a list of words
	flags=$(PKG_CONFIG_PATH=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$DESTDIR pkg-config --cflags $1 bufsim) || return 1
	shift
	eval "$cc \"\$@\" $(echo "$flags" | sed "$archive")"
}

# As docs/embedding.md says.
shared() {
	compile --libs "$@"
}

static() {
	archive=s/-lbufsim/-l:libbufsim.a/
	compile '--static --libs' "$@"
	status=$? archive=
	return $status
}

headers_compile_alone() {
	bad=0
	while read -r header; do
		printf '#include "%s"\nstruct alone;\n' "$header" >"$work/alone.c"
		compile '' -fsyntax-only "$work/alone.c" || bad=1
	done <"$work/headers"
	[ -s "$work/headers" ] && [ $bad -eq 0 ]
}

# names.h has each function and object of the headers, and no other.
names_are_public() {
	(cd "$dest/include/bufsim" && xargs "$tree/scripts/names" <"$work/headers" | diff sim/base/names.h -) && return
	echo 'type: make names'
	return 1
}

# Of archives, programs and shared libraries: names without bufsim_.
exported() {
	case $1 in *.a) what=-g ;; *) what=-D ;; esac
	nm $what --defined-only "$1" | sed -n 's/^[0-9a-f]* [A-Z] \([^@]*\).*/\1/p' | sort -u | grep -v '^BUFSIM_[0-9]*$'
}

# names FOLDER: the public names of headers outside that folder.
names() {
	awk -v folder="$1" '/^\/\* [^ ]*\.h \*\/$/ { skip = folder && index($2, folder) == 1 }
		/^#define .* / && !skip { print $3 }' "$dest/include/bufsim/sim/base/names.h" | sort
}

# The library has no studies; their plug-ins find the names in the program.
exports_public_names() {
	names sim/studies/ >"$work/of-library" && names '' >"$work/of-program"
	for file in "$lib/libbufsim.a" "$lib/libbufsim.so"; do
		exported "$file" | diff "$work/of-library" - || return 1
	done
	exported "$dest/bin/bufsim" | diff "$work/of-program" -
}

# The bytes of each public structure.
sizes() {
	{
		sed 's/.*/#include "&"/' "$work/headers"
		echo '#include <stdio.h>'
		echo 'int main(void) {'
		(cd "$dest/include/bufsim" && xargs sed -n 's/^struct \([a-z0-9_]*\) {$/\1/p' <"$work/headers") | sort -u |
			sed 's/.*/printf("struct & %zu\\n", sizeof(struct &));/'
		echo '}'
	} >"$work/sizes.c"
	compile '' -o "$work/sizes" "$work/sizes.c" && "$work/sizes"
}

# Sizes are recorded for one kind of machine.
interface() {
	case $(uname -sm) in 'Linux x86_64') other='' ;; *) other='/^struct/d; s/ [0-9]*$//' ;; esac
	{
		readelf -d "$lib/libbufsim.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/soname \1/p'
		nm -D -S -t d --defined-only "$lib/libbufsim.so" |
			sed -n 's/@.*//; s/^[0-9]* [0-9]* T /function /p; s/^[0-9]* 0*\([0-9]*\) [BDR] \(.*\)/object \2 \1/p'
		sizes
	} | sort >"$work/abi"
	sed "$other" "$work/abi" >"$work/is"
	sed "$other" tests/installed/abi >"$work/was"
}

keeps_its_interface() {
	interface
	diff "$work/was" "$work/is" && return
	if [ -n "$(comm -23 "$work/was" "$work/is")" ]; then
		echo 'what has gone or changed (<) breaks programs: raise ABI in the Makefile, unless no release has that number yet'
	fi
	echo "record what is new (>): cp $build/tests/installed/abi tests/installed/abi"
	return 1
}

# In a program, and in a plug-in or shared library of others.
links_whole() {
	static -o "$work/whole" docs/examples/generated.c -Wl,--whole-archive "$lib/libbufsim.a" -Wl,--no-whole-archive &&
		static -shared -fPIC -Wl,-z,text -o "$work/whole.so" docs/examples/generated.c
}

# example HOW NAME ARGUMENTS...: prints every line of NAME.out; a new plug-in may add more
example() {
	how=$1 name=$2
	shift 2
	$how -o "$work/$name" "docs/examples/$name.c" &&
		LD_LIBRARY_PATH=$lib "$work/$name" "$@" >"$work/$name.out" 2>&1 &&
		! grep -v -x -F -f "$work/$name.out" "tests/installed/$name.out"
}

both_examples() {
	example "$1" hits traces/samples/csq.txt.gz 16384 && example "$1" generated
}

needs_library() {
	readelf -d "$work/generated" | grep -c 'NEEDED.*libbufsim\.so\.'
}

examples_shared() {
	both_examples shared && [ "$(needs_library)" -eq 1 ]
}

examples_static() {
	both_examples static && [ "$(needs_library)" -eq 0 ]
}

# takes COMMAND...: it takes a policy by its path
takes() {
	LD_LIBRARY_PATH=$lib "$@" "$work/mine.so" >"$work/taken" && [ -s "$work/taken" ]
}

plug_in() {
	compile '' -shared -fPIC -o "$work/mine.so" tests/plugins/mine.c &&
		"$dest/bin/bufsim" run traces/samples/csq.txt.gz --policy "$work/mine.so:k=3" \
			--prefetch "$work/mine.so" --csv | grep -q '^csq,mine:k=3,mine,'
}

plug_in_embedded() {
	shared -o "$work/generated" docs/examples/generated.c && takes "$work/generated" &&
		static -rdynamic -o "$work/generated" docs/examples/generated.c && takes "$work/generated"
}

# The hooks of PARSEC from the header alone, as it says; 30 ms are outside of the region, 40 or 20 in it.
marks_a_region() {
	$cc -D_POSIX_C_SOURCE=200809L -c -x c -D ROI_PARSEC_HOOKS "$dest/include/bufsim/roi.h" -o "$work/hooks.o" &&
		ar rcs "$work/libhooks.a" "$work/hooks.o" &&
		$cc -D_POSIX_C_SOURCE=200809L -o "$work/region" tests/installed/region.c -L"$work" -lhooks &&
		"$dest/bin/bufsim" scale --run "'$work/region' {threads}" --threads 1,2 --repeat 1 --csv >"$work/runs" &&
		awk -F, 'NR > 1 && $4 >= 0.040 / $2 && $3 >= $4 + 0.030 { good++ } END { exit NR != 3 || good != 2 }' "$work/runs"
}

keeps_to_itself() {
	! nm -A "$lib/libbufsim.a" 2>/dev/null | grep -E ' [UTD] (main|exit|_Exit|abort|atexit|setlocale)$'
}

nothing_is_left() {
	make_it uninstall && [ -z "$(find "$DESTDIR" ! -type d -o -name bufsim)" ]
}

refuses_a_relative_prefix() {
	! make -s install PREFIX=relative B="$build" >"$work/relative" 2>&1 &&
		grep -q "PREFIX=relative is not absolute: type PREFIX='.*/relative'" "$work/relative" && [ ! -e relative ]
}

rm -rf "$work"
mkdir -p "$work"
that 'it is not installed into a relative folder' refuses_a_relative_prefix
rm "$work/relative"
that 'it can be installed' make_it install
that 'it is installed below DESTDIR and PREFIX alone' lies_in_its_folder
(cd "$dest/include/bufsim" && find sim prefetch -name '*.h' | sort) >"$work/headers"
that 'every header compiles alone' headers_compile_alone
that 'names.h has the names of the headers' names_are_public
that 'all of the archive links without the program, also into a shared object' links_whole
that 'the examples work with the archive' examples_static
that 'a plug-in compiled with the installed headers is taken' plug_in
case $(PATH=$dest/bin bufsim --help 2>/dev/null) in
*' scale '*) that 'a program with its header marks a region for scale --run' marks_a_region ;;
esac
that 'the library never ends the program' keeps_to_itself
if [ -e "$lib/libbufsim.so" ]; then
	that 'public names are exported, and no others' exports_public_names
	that 'the shared library has the interface that is recorded' keeps_its_interface
	that 'the examples work with the shared library' examples_shared
	that 'a program with the library takes a plug-in, shared and static' plug_in_embedded
fi
that 'it can be uninstalled' nothing_is_left
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

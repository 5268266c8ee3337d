#!/bin/sh
# run.sh BUILD - does scripts/check-layers let this tree pass, and find what is wrong in a spoilt copy?  Are there circles?
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=$1
top=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

result() {
	if [ "$2" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "not so: $1"
		cat "$tmp/said"
	fi
}

# finds TEXT COMMAND: in a copy that COMMAND has spoilt, one line, which contains TEXT
finds() {
	rm -rf "$tmp/tree"
	cp -R "$tmp/good" "$tmp/tree"
	(cd "$tmp/tree" && sh -eu -c "$2")
	found=yes
	if scripts/check-layers "$tmp/tree" >"$tmp/said" 2>&1; then found=no; fi
	grep -qF "$1" "$tmp/said" || found=no
	[ "$(wc -l <"$tmp/said")" -eq 1 ] || found=no
	result "$2: $1" $found
}

mkdir "$tmp/good"
find sim policies prefetch traces -name '*.[ch]' -o -name '*.def' | tar cf - -T - | (cd "$tmp/good" && tar xf -)

good=yes
scripts/check-layers "$top" >"$tmp/said" 2>&1 || good=no
result 'this tree passes' $good
scripts/check-layers "$tmp/good" >"$tmp/said" 2>&1 || good=no
result 'a copy of it passes' $good

finds 'sim/attic/old.c: lies in no room' 'mkdir sim/attic; echo >sim/attic/old.c'
finds 'sim/base/deep/old.h: lies in no room' 'mkdir sim/base/deep; echo >sim/base/deep/old.h'
finds 'sim/base/up.c:1: includes "sim/trace/trace.h": base may not include trace' \
	'echo "#include \"sim/trace/trace.h\"" >sim/base/up.c'
finds 'policies/up.c:2: includes "sim/core/stats.h": policies may not include core' \
	'printf "\n#  include \"sim/core/stats.h\"\n" >policies/up.c'
finds 'sim/core/up.h:1: includes "sim/registry.h": core may not include registry' \
	'echo "#include \"sim/registry.h\"" >sim/core/up.h'
finds 'includes "sim/base/nothing.h", which does not exist' \
	'echo "#include \"sim/base/nothing.h\"" >sim/base/up.c'
finds 'tables of plug-ins are for the registry' \
	'echo "#include \"policies/policies.def\"" >sim/cli/table.c'
finds 'tables of plug-ins are for the registry' \
	'echo "#include \"sim/block/schedulers.def\"" >sim/block/table.c'
finds 'room record: there is no folder sim/host/record' \
	'rm -r sim/host/record; sed -i.old "/sim.host.record/d" sim/host/cli/*.c; rm sim/host/cli/*.old'
finds 'room policies: there is no sim/core/fheap.h below it' \
	'mv sim/core/fheap.h sim/core/sort.h; sed -i.old "/core.fheap/d" */*.[ch] */*/*.[ch]; find . -name "*.old" -exec rm {} +'

good=yes
scripts/check-circles "$build" >"$tmp/said" 2>&1 || good=no
result 'no files call each other in a circle' $good
mkdir -p "$tmp/spoilt/sim/base"
for pair in 'bits map' 'map bits'; do
	echo "int ${pair#* }(void); int ${pair% *}(void); int ${pair% *}(void) { return ${pair#* }(); }" |
		${CC:-cc} -c -x c -o "$tmp/spoilt/sim/base/${pair% *}.o" -
done
good=no
scripts/check-circles "$tmp/spoilt" >"$tmp/said" 2>&1 || good=yes
result 'two files that call each other are found' $good
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]

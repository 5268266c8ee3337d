# bufsim: everything is built under build/; `make help` lists the targets.
ifeq ($(filter extra-prereqs,$(.FEATURES)),) # came with 4.3, whose quoting of \# and newlines is needed
$(error bufsim needs GNU Make 4.3 or newer, this is $(MAKE_VERSION): install it and type gmake, or the path of the new one)
endif
VERSION := $(shell sed -n '1s/^bufsim \([0-9.]*\) .*/\1/p' CHANGES)
DATE    := $(shell sed -n 's/^bufsim [0-9.]* (\([0-9-]*\))$$/\1/p' CHANGES | head -n 1)
CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
VECTORS ?= tests/data/vectors
B       ?= build
# The studies, and the commands that need Linux (record, live, replay, calibrate, advise).  make STUDIES=share HOST=
STUDIES ?= $(patsubst sim/studies/%/study.def,%,$(wildcard sim/studies/*/study.def))
HOST    ?= yes

WARN     = -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Wstrict-prototypes \
           -Wmissing-prototypes -Wno-unused-parameter -Wno-enum-float-conversion # plug-ins have fixed signatures; enum has constants
# The answer of pkg-config, or defaults without pkg-config.
PKG      = $(shell pkg-config $(1) 2>/dev/null || echo '$(2)')
BREW    := $(shell brew --prefix 2>/dev/null)
INCLUDE := -I. $(BREW:%=-I%/include) $(call PKG,--cflags zlib libcjson inih libxxhash)
# Libraries that unpack traces, each built in where its header is: header and macro.  make WITHOUT="zstd bz2"
PACKER_zstd = zstd.h HAVE_LIBZSTD
PACKER_lzma = lzma.h HAVE_LIBLZMA
PACKER_bz2  = bzlib.h HAVE_LIBBZ2
HASH    := \#
COMMA   := ,
PACKERS := $(foreach p,$(filter-out $(WITHOUT),zstd lzma bz2),$(shell \
           echo '$(HASH)include <$(firstword $(PACKER_$p))>' | $(CC) $(INCLUDE) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo $p))
NEEDS   := $(BREW:%=-L%/lib) $(call PKG,--libs zlib inih libxxhash,-lz -linih -lxxhash) $(PACKERS:%=-l%) -lm -pthread \
           $(if $(filter Linux,$(shell uname)),-ldl) # of the library
DEFINE   = -D_POSIX_C_SOURCE=200809L -DBUFSIM_VERSION='"$(VERSION)"' -DBUFSIM_DATE='"$(DATE)"' \
           $(foreach p,$(PACKERS),-D$(lastword $(PACKER_$p))) $(STUDIES:%=-DSTUDY_%) $(if $(HOST),-DWITH_HOST)
LIBS    := $(NEEDS) $(call PKG,--libs libcjson,-lcjson)
OBJCOPY := $(shell $(CC) -print-prog-name=objcopy 2>/dev/null)
CHECK   := $(call PKG,--libs check,-lcheck -lsubunit -lrt -lpthread)
WRAP     = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup
SANITIZE = -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# What each test build turns on: ASSERT() of sim/base/assert.h.
ASSERTED = -DBUFSIM_ASSERT
ASAN     = build/asan$(if $(findstring clang,$(CC)),-clang)
TSAN     = build/tsan$(if $(findstring clang,$(CC)),-clang)
THREADED = $(patsubst %.c,%,$(wildcard tests/unit/frames/check_*threads.c tests/unit/measure/check_*threads.c))
PIC      = -fPIC -fno-semantic-interposition # one object for the program and both libraries; a call may still be inlined
COMPILE  = $(CC) -std=c11 -ffp-contract=off $(PIC) $(WARN) $(INCLUDE) $(DEFINE) $(CPPFLAGS) $(CFLAGS) -MMD -MP
UNIT    := $(if $(filter -O%,$(CFLAGS)),-O0 -U_FORTIFY_SOURCE) # of unit tests: to optimise most of them takes longer than to run them
APART    = $(CC) -std=c11 $(WARN) -I. -MMD -MP -O2 -shared -fPIC # as without the tree

# The library: the simulation with every plug-in.  The program: the rooms above it.
ROOMS    = sim sim/base sim/trace sim/trace/unpack sim/trace/generate sim/block sim/device sim/core sim/core/engine policies prefetch traces traces/columns traces/common traces/calls traces/shapes
objects  = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))
LIB     := $(call objects,$(ROOMS:%=%/*.c)) $(B)/data_sheets.o
LEFT_OUT = $(if $(HOST),,host) $(addprefix studies/,$(filter-out $(STUDIES),$(notdir $(wildcard sim/studies/*))))
PROGRAM := $(filter-out $(LIB) $(B)/sim/cli/main.o $(B)/sim/browser/% $(LEFT_OUT:%=$(B)/sim/%/%),$(call objects,sim/*/*.c sim/*/*/*.c sim/*/*/*/*.c)) \
           $(if $(HOST),$(B)/recipe.o)
# Its interface, with all that these headers include: for programs that embed the library, ...
PUBLIC   = sim/registry.h sim/core/simulate.h sim/trace/load.h sim/base/mapped.h
# ... for plug-ins compiled apart, ...
PUBLIC  += sim/core/policy.h $(patsubst %,sim/core/%.h,flist fheap ghosts) \
           sim/core/prefetch.h $(patsubst %,prefetch/%.h,detect inner sets) sim/device/pace.h \
           sim/block/scheduler.h sim/device/device.h sim/trace/format.h sim/trace/scan.h sim/trace/shape.h \
           $(patsubst %,sim/studies/share/model/%.h,allocator protocol cost_set kind) \
           $(patsubst %,sim/studies/frames/model/%.h,pool load core_kind)
# ... and tools for both.
PUBLIC  += $(patsubst %,sim/base/%.h,bits bytes map memory number word) sim/trace/chance.h
HEADERS  = $(sort $(patsubst ./%,%,$(filter %.h %.def,$(shell $(CC) -I. -MM -x c $(PUBLIC)))))
# The number of the interface: raised when it changes so that a program must be compiled again (tests/installed/abi).
ABI      = 2
# Of systems with ELF; others have the archive alone.
SHARED  := $(if $(findstring __ELF__,$(shell echo __ELF__ | $(CC) -E -P - 2>/dev/null)),,libbufsim.so.$(ABI))
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/unit/check_*.c tests/unit/*/check_*.c))
PLUGINS := $(patsubst %.c,$(B)/%.so,$(wildcard tests/plugins/*.c)) $(B)/tests/plugins/lru.so
VECTOR  := $(patsubst %.c,$(B)/%.o,$(wildcard tests/vectors/*.c))
BENCH   := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/*.c))
HARNESS := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))

# Each may be given alone; DESTDIR comes before all of them.
BINDIR   = $(PREFIX)/bin
LIBDIR   = $(PREFIX)/lib
INCDIR   = $(PREFIX)/include/bufsim
MANDIR   = $(PREFIX)/share/man/man1
DOCDIR   = $(PREFIX)/share/doc/bufsim
BASHDIR  = $(PREFIX)/share/bash-completion/completions
ZSHDIR   = $(PREFIX)/share/zsh/site-functions
FISHDIR  = $(PREFIX)/share/fish/vendor_completions.d

# Else it would be a folder of this one, and bufsim.pc would name one of wherever it is read.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
$(if $(filter-out /%,$(firstword $(PREFIX))),$(error PREFIX=$(PREFIX) is not absolute: type PREFIX='$(CURDIR)/$(PREFIX)'))
endif

Q        = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo '  $(1) $@';)# V=1: whole commands

# A make of our own uses every core, unless -j was given.
CORES   := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
ifneq ($(filter demo check check-asan check-tsan fuzz torture vectors bench crosscheck figures lessons explorer check-explorer check-python lint,$(MAKECMDGOALS)),)
.NOTPARALLEL: # each makes its own, in parallel, in the same place
endif
SUBMAKE  = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(CORES))

all: $(B)/bufsim $(B)/libbufsim.a $(SHARED:%=$(B)/%)  ## build the simulator (the default)

help:                              ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo:                              ## two real traces with and without readahead: tables and plots
	@scripts/setup demo '$(B)'
	+@$(SUBMAKE) all
	@scripts/exp-demo.sh $(B)/bufsim

check:                             ## build and run every test
	@scripts/setup check '$(B)'
	+@$(SUBMAKE) all tests
	@scripts/run-tests $(B)

quick:                             ## build and run the tests of the files that changed since tests last passed
	+@scripts/quick $(B) '$(CFLAGS) $(ASSERTED)'

check-asan:                        ## the same under the address and undefined-behaviour sanitizers: CC=clang PARTS=unit
	@scripts/setup check
	+@$(SUBMAKE) all $(if $(filter-out cli,$(or $(PARTS),all)),tests,plugins) B=$(ASAN) CFLAGS='-O1 $(SANITIZE) $(ASSERTED)'
	@scripts/run-tests $(ASAN) $(or $(PARTS),unit cli vectors)

check-tsan:                        ## threads under the thread sanitizer: CC=clang FRAMES_OPERATIONS=5000
	@scripts/setup check
	+@$(SUBMAKE) $(B)/program.a $(B)/library.a
	@mkdir -p $(TSAN)
	@for t in $(THREADED); do \
	    $(COMPILE) -MF /dev/null -O1 -g -fsanitize=thread $(ASSERTED) -o $(TSAN)/test $$t.c sim/studies/frames/model/*.c sim/host/measure/*.c $(B)/program.a $(B)/library.a $(CHECK) $(LIBS) && \
	    FRAMES_OPERATIONS=$(or $(FRAMES_OPERATIONS),5000) $(shell command -v setarch >/dev/null && echo setarch -R) $(TSAN)/test || exit 1; done

fuzz:                              ## damaged input of every kind (libFuzzer): FUZZ_S=60 FUZZ_RUNS=20000
	@scripts/setup fuzz
	+@$(SUBMAKE) fuzz-programs B=build/fuzz CC=clang CFLAGS='-O1 $(SANITIZE) $(ASSERTED) -fsanitize=fuzzer-no-link -DINPUT_HEAD_BYTES=4096'
	@tests/fuzz/run build/fuzz $(FUZZ)

torture:                           ## random command lines, kills, full disks, no memory: COMMANDS=800 KILLS=24
	@scripts/setup demo
	+@$(SUBMAKE) torture-programs
	+@$(SUBMAKE) torture-programs B=$(ASAN) CFLAGS='-O1 $(SANITIZE) $(ASSERTED)'
	@tests/fuzz/torture $(B) $(ASAN)

vectors:                           ## take every step of golden vectors: VECTORS=folder
	@scripts/setup build
	+@$(SUBMAKE) $(B)/tests/vectors/vectors
	@$(B)/tests/vectors/vectors $(VECTORS)

bench:                             ## time and memory, against libCacheSim: TRACES="a b" BENCH_REFS=20000000
	@scripts/setup build
	+@$(SUBMAKE) all bench-programs
	@scripts/bench $(B) $(TRACES)

crosscheck:                        ## misses of untimed replay, compared with libCacheSim: results/crosscheck.csv
	@scripts/setup build
	+@$(SUBMAKE) all
	@scripts/crosscheck $(B)

TIMING   = scripts/exp-roi.sh scripts/exp-frames.sh scripts/exp-machine.sh # take times of this machine, unless --analyse is given
figures:                           ## regenerate results/, in about a quarter of an hour
	@scripts/setup demo
	+@$(SUBMAKE) all
	@for s in $(filter-out $(TIMING),$(wildcard scripts/exp-*.sh)) $(TIMING:%='% --analyse'); do $$s $(B)/bufsim || exit 1; done

lessons:                           ## draw the pictures of docs/lessons
	@scripts/setup demo
	+@$(SUBMAKE) all
	@scripts/lessons $(B)/bufsim

explorer:                          ## docs/explorer/index.html: the simulator as a web page
	@scripts/setup explorer
	+@$(SUBMAKE) all
	+@$(SUBMAKE) -f scripts/explorer.mk BUFSIM=$(B)/bufsim VERSION=$(VERSION) DATE=$(DATE)

check-explorer: explorer           ## test it in headless Chromium; pictures in build/browser
	@scripts/setup browser
	@tests/browser/run.sh $(B)/bufsim

check-python:                      ## install the package for Python into an environment below build/, and test it
	@scripts/setup python || echo 'setup: without NumPy or pandas, their tests are skipped'
	+@$(SUBMAKE) all
	@tests/python/run.sh

lint:                              ## layers, warnings, formatting, static analysis
	@scripts/setup lint
	@scripts/lint

golden: all $(PLUGINS)             ## rewrite expected results, also in the README: look at the diff
	@scripts/check-golden --update $(B)/bufsim
	@scripts/check-readme --update $(B)/bufsim
	@tests/cli/run.sh --update $(B)/bufsim >/dev/null

dist:                              ## build/bufsim-VERSION.tar.gz: the last commit, the same bytes on every machine
	@scripts/dist $(B)

fresh:                             ## the two commands on minimal Debian 12, 13 and testing, as root and as a user
	@for r in bookworm trixie testing; do scripts/fresh $$r || exit 1; done

man: $(B)/bufsim.1                 ## rewrite docs/bufsim.1
	cp $< docs/bufsim.1

names:                             ## rewrite sim/base/names.h, when a public function has come or gone
	@mkdir -p $(B)
	scripts/names $(filter %.h,$(HEADERS)) >$(B)/names.h
	mv $(B)/names.h sim/base/names.h

# With the path of PREFIX inside others as $${prefix}, and in quotes, as it may have blanks.
from_prefix = $(subst $(PREFIX)/,$${prefix}/,$(1))
define PC
prefix=$(PREFIX)
includedir=$(call from_prefix,$(INCDIR))
libdir=$(call from_prefix,$(LIBDIR))

Name: bufsim
Description: simulates a buffer cache, its prefetching and its disk
Version: $(VERSION)
Cflags: -I"$${includedir}"
Libs: -L"$${libdir}" -lbufsim$(if $(SHARED),, $(NEEDS))
Libs.private: $(NEEDS)
endef
# Paths reach the shell in its variables, as they are.
install uninstall: export bin := $(DESTDIR)$(BINDIR)
install uninstall: export lib := $(DESTDIR)$(LIBDIR)
install uninstall: export inc := $(DESTDIR)$(INCDIR)
install uninstall: export man := $(DESTDIR)$(MANDIR)
install uninstall: export doc := $(DESTDIR)$(DOCDIR)
install uninstall: export bash := $(DESTDIR)$(BASHDIR)
install uninstall: export zsh := $(DESTDIR)$(ZSHDIR)
install uninstall: export fish := $(DESTDIR)$(FISHDIR)
install: export PC := $(PC)
install: all $(B)/bufsim.1 $(B)/bufsim.bash $(B)/bufsim.zsh $(B)/bufsim.fish ## into PREFIX (/usr/local), below DESTDIR
	mkdir -p "$$bin" "$$lib/pkgconfig" "$$inc" "$$man" "$$doc" "$$bash" "$$zsh" "$$fish"
	install -m 755 $(B)/bufsim "$$bin/bufsim"
	install -m 644 $(B)/bufsim.1 "$$man/bufsim.1"
	install -m 644 $(B)/bufsim.bash "$$bash/bufsim"
	install -m 644 $(B)/bufsim.zsh "$$zsh/_bufsim"
	install -m 644 $(B)/bufsim.fish "$$fish/bufsim.fish"
	install -m 644 docs/*.md LICENSE LICENSES/LicenseRef-DiskSim.txt "$$doc"
	for h in $(HEADERS); do \
	    mkdir -p "$$inc/$${h%/*}" && install -m 644 $$h "$$inc/$$h" || exit 1; done
	$(if $(filter scale,$(STUDIES)),install -m 644 sim/studies/scale/roi.h "$$inc/roi.h")
	install -m 644 $(B)/libbufsim.a "$$lib/libbufsim.a"
	for l in $(SHARED); do \
	    install -m 644 $(B)/$$l "$$lib/$$l" && ln -sf $$l "$$lib/libbufsim.so" || exit 1; done
	printf '%s\n' "$$PC" >"$$lib/pkgconfig/bufsim.pc"

uninstall:                         ## undo install
	rm -f "$$bin/bufsim" "$$man/bufsim.1" "$$bash/bufsim" "$$zsh/_bufsim" "$$fish/bufsim.fish"
	rm -f "$$lib/libbufsim.a" "$$lib/libbufsim.so" "$$lib/libbufsim.so.$(ABI)" "$$lib/pkgconfig/bufsim.pc"
	rm -rf "$$doc" "$$inc"

clean:                             ## remove build/
	rm -rf build

plugins: $(PLUGINS)
tests: $(TESTS) plugins $(B)/tests/vectors/vectors $(B)/tests/machine_shows
	@: # else make prints that there is nothing to do
bench-programs: $(BENCH)
fuzz-programs: $(B)/bufsim $(B)/tests/fuzz/lines $(HARNESS)
torture-programs: $(B)/bufsim $(B)/tests/fuzz/lines $(B)/tests/fuzz/refuse.so

# With all of the library, and its public names exported: a plug-in compiled apart may need them.
$(B)/bufsim: $(B)/sim/cli/main.o $(PROGRAM) $(LIB) $(B)/members
	$(call Q,LD)$(CC) $(CFLAGS) $(if $(SHARED),-Wl$(COMMA)--export-dynamic-symbol='bufsim_*',-rdynamic) $(LDFLAGS) \
	    -o $@ $(filter %.o,$^) $(LIBS)
# The library for our tests, which know its private functions, too.
$(B)/library.a: $(LIB)
$(B)/program.a: $(PROGRAM)
# The library to be installed: other names than public ones must not meet those of the program that embeds it.
$(B)/libbufsim.a: $(if $(SHARED),$(B)/libbufsim.o,$(LIB))
$(B)/library.a $(B)/program.a $(B)/libbufsim.a: $(B)/members
	@rm -f $@
	$(call Q,AR)$(AR) rcs $@ $(filter %.o,$^)
$(B)/libbufsim.o: $(LIB) $(B)/members
	$(call Q,LD)$(CC) -r -nostdlib $(if $(findstring -flto,$(CFLAGS)),-flinker-output=nolto-rel) -o $@ $(filter %.o,$^)
	@$(OBJCOPY) --wildcard --keep-global-symbol='bufsim_*' $@
$(B)/libbufsim.so.$(ABI): $(LIB) $(B)/members
	@echo 'BUFSIM_$(ABI) { global: bufsim_*; local: *; };' >$@.map
	$(call Q,LD)$(CC) $(CFLAGS) -shared -Wl,-soname,$(@F) -Wl,--version-script=$@.map -Wl,-Bsymbolic-functions \
	    $(if $(findstring -fsanitize,$(CFLAGS)),,-Wl$(COMMA)--no-undefined) $(LDFLAGS) -o $@ $(filter %.o,$^) $(NEEDS)
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) $(if $(filter $(B)/tests/unit/%,$@),$(UNIT)) -c -o $@ $<
$(B)/data_sheets.o $(B)/recipe.o: $(B)/%.o: $(B)/%.c $(B)/flags
	$(call Q,CC)$(COMPILE) -c -o $@ $<
$(B)/tests/%: $(B)/tests/%.o $(B)/program.a $(B)/library.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(if $(findstring /check_,$@),$(CHECK)) \
	    $(if $(findstring _alloc,$@),$(WRAP)) $(LIBS)
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(patsubst %,$(B)/tests/fuzz/%.o,draw harness laws) \
    $(filter-out %/main.o,$(VECTOR)) $(B)/program.a $(B)/library.a
	$(call Q,LD)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS)
$(B)/tests/fuzz/lines: $(B)/tests/fuzz/lines.o $(B)/tests/fuzz/draw.o $(B)/program.a $(B)/library.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(B)/tests/fuzz/%.so: tests/fuzz/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call Q,CC)$(APART) -o $@ $<
$(B)/tests/plugins/%.so: tests/plugins/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call Q,CC)$(APART) -o $@ $<
$(B)/tests/plugins/%.so: policies/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call Q,CC)$(APART) -o $@ $<
$(B)/tests/vectors/vectors: $(VECTOR) $(B)/program.a $(B)/library.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(B)/bufsim.1: $(B)/bufsim
	$< --help=man > $@.tmp && mv $@.tmp $@
$(B)/bufsim.%: $(B)/bufsim
	$< --help=$* > $@.tmp && mv $@.tmp $@

# Rewritten only when what they hold has changed: flags, sources, data sheets.
$(B)/flags: export HOLDS = $(COMPILE) $(LDFLAGS) $(LIBS)
$(B)/members: export HOLDS = $(LIB) $(PROGRAM)
$(B)/flags $(B)/members: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$HOLDS" | cmp -s - $@ || printf '%s\n' "$$HOLDS" > $@
$(B)/data_sheets.c: FORCE
	@mkdir -p $(@D)
	@scripts/embed $(addsuffix .dev,$(sort $(basename $(wildcard sim/device/sheets/*.dev)))) > $@.tmp
	@cmp -s $@.tmp $@ && rm $@.tmp || mv $@.tmp $@
$(B)/recipe.c: scripts/record/syscalls.bt scripts/embed
	@mkdir -p $(@D)
	@scripts/embed --text recorder_recipe sim/host/record/recorders.h $< > $@.tmp && mv $@.tmp $@

-include $(LIB:.o=.d) $(PROGRAM:.o=.d) $(TESTS:=.d) $(B)/tests/machine_shows.d $(PLUGINS:.so=.d) $(VECTOR:.o=.d) $(B)/sim/cli/main.d $(BENCH:=.d) \
	$(wildcard $(B)/tests/fuzz/*.d)
FORCE:
.PHONY: all help demo check quick dist fresh check-asan check-tsan fuzz torture vectors bench crosscheck figures lessons explorer check-explorer check-python lint golden man names install uninstall clean \
	tests bench-programs fuzz-programs torture-programs FORCE
.DELETE_ON_ERROR:
.SECONDARY:

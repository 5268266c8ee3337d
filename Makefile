# bufsim: everything is built under build/; `make help` lists the targets.
VERSION  = 0.7.0
CC      ?= cc
CFLAGS  ?= -O2 -g
PREFIX  ?= /usr/local
VECTORS ?= tests/data/vectors
B       ?= build

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
PACKERS := $(foreach p,$(filter-out $(WITHOUT),zstd lzma bz2),$(shell \
           echo '$(HASH)include <$(firstword $(PACKER_$p))>' | $(CC) $(INCLUDE) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo $p))
NEEDS   := $(BREW:%=-L%/lib) $(call PKG,--libs zlib inih libxxhash,-lz -linih -lxxhash) $(PACKERS:%=-l%) -lm -pthread \
           $(if $(filter Linux,$(shell uname)),-ldl) # of the library
DEFINE   = -D_POSIX_C_SOURCE=200809L -DBUFSIM_VERSION='"$(VERSION)"' \
           $(foreach p,$(PACKERS),-D$(lastword $(PACKER_$p)))
LIBS    := $(NEEDS) $(call PKG,--libs libcjson,-lcjson)
CHECK   := $(call PKG,--libs check,-lcheck -lsubunit -lrt -lpthread)
WRAP     = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=strdup
SANITIZE = -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
ASAN     = build/asan$(if $(findstring clang,$(CC)),-clang)
TSAN     = build/tsan$(if $(findstring clang,$(CC)),-clang)
THREADED = $(patsubst %.c,%,$(wildcard tests/unit/frames/check_*threads.c tests/unit/machine/check_*threads.c))
COMPILE  = $(CC) -std=c11 -ffp-contract=off $(WARN) $(INCLUDE) $(DEFINE) $(CPPFLAGS) $(CFLAGS) -MMD -MP
UNIT    := $(if $(filter -O%,$(CFLAGS)),-O0) # of unit tests: to optimise most of them takes longer than to run them
APART    = $(CC) -std=c11 $(WARN) -I. -MMD -MP -O2 -shared -fPIC # as without the tree

# The library: the simulation with every plug-in.  The program: the rooms above it.
ROOMS    = sim sim/base sim/trace sim/block sim/device sim/core policies prefetch traces traces/shapes sim/share sim/frames
objects  = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)))
LIB     := $(call objects,$(ROOMS:%=%/*.c)) $(B)/data_sheets.o
PROGRAM := $(filter-out $(LIB) $(B)/sim/cli/main.o $(B)/sim/browser/%,$(call objects,sim/*/*.c))
# Headers for programs that embed the library, and for plug-ins compiled apart.
HEADERS := $(filter %.h,$(wildcard $(patsubst %,%/*.h,$(filter sim%,$(ROOMS))))) prefetch/detect.h
HEADERS += $(shell sed -n 's/^\# *include "\(.*\.def\)"/\1/p' $(HEADERS) | sort -u)
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/unit/check_*.c tests/unit/*/check_*.c))
PLUGINS := $(patsubst %.c,$(B)/%.so,$(wildcard tests/plugins/*.c)) $(B)/tests/plugins/lru.so
VECTOR  := $(patsubst %.c,$(B)/%.o,$(wildcard tests/vectors/*.c))
BENCH   := $(patsubst %.c,$(B)/%,$(wildcard tests/bench/*.c))
HARNESS := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))

BINDIR   = $(DESTDIR)$(PREFIX)/bin
MANDIR   = $(DESTDIR)$(PREFIX)/share/man/man1
BASHDIR  = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR   = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR  = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
INCDIR   = $(DESTDIR)$(PREFIX)/include/bufsim
LIBDIR   = $(DESTDIR)$(PREFIX)/lib
DOCDIR   = $(DESTDIR)$(PREFIX)/share/doc/bufsim

Q        = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo '  $(1) $@';)# V=1: whole commands

# A make of our own uses every core, unless -j was given.
CORES   := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
ifneq ($(filter demo check check-asan check-tsan fuzz torture vectors bench crosscheck figures lessons explorer check-explorer lint,$(MAKECMDGOALS)),)
.NOTPARALLEL: # each makes its own, in parallel, in the same place
endif
SUBMAKE  = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(CORES))

all: $(B)/bufsim $(B)/libbufsim.a  ## build the simulator (the default)

help:                              ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo:                              ## two real traces with and without readahead: tables and plots
	@scripts/setup demo
	+@$(SUBMAKE) all
	@scripts/exp-demo.sh $(B)/bufsim

check:                             ## build and run every test
	@scripts/setup check
	+@$(SUBMAKE) all tests
	@scripts/run-tests $(B)

check-asan:                        ## the same under the address and undefined-behaviour sanitizers: CC=clang PARTS=unit
	@scripts/setup check
	+@$(SUBMAKE) all $(if $(filter-out cli,$(or $(PARTS),all)),tests,plugins) B=$(ASAN) CFLAGS='-O1 $(SANITIZE)'
	@scripts/run-tests $(ASAN) $(or $(PARTS),unit cli vectors)

check-tsan:                        ## threads under the thread sanitizer: CC=clang FRAMES_OPERATIONS=5000
	@scripts/setup check
	+@$(SUBMAKE) $(B)/program.a $(B)/libbufsim.a
	@mkdir -p $(TSAN)
	@for t in $(THREADED); do \
	    $(COMPILE) -MF /dev/null -O1 -g -fsanitize=thread -o $(TSAN)/test $$t.c sim/frames/*.c sim/machine/*.c $(B)/program.a $(B)/libbufsim.a $(CHECK) $(LIBS) && \
	    FRAMES_OPERATIONS=$(or $(FRAMES_OPERATIONS),5000) $(shell command -v setarch >/dev/null && echo setarch -R) $(TSAN)/test || exit 1; done

fuzz:                              ## damaged input of every kind (libFuzzer): FUZZ_S=60 FUZZ_RUNS=20000
	@scripts/setup fuzz
	+@$(SUBMAKE) fuzz-programs B=build/fuzz CC=clang CFLAGS='-O1 $(SANITIZE) -fsanitize=fuzzer-no-link -DINPUT_HEAD_BYTES=4096'
	@tests/fuzz/run build/fuzz $(FUZZ)

torture:                           ## random command lines, kills, full disks, no memory: COMMANDS=800 KILLS=24
	@scripts/setup demo
	+@$(SUBMAKE) torture-programs
	+@$(SUBMAKE) torture-programs B=$(ASAN) CFLAGS='-O1 $(SANITIZE)'
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
	+@$(SUBMAKE) -f scripts/explorer.mk BUFSIM=$(B)/bufsim

check-explorer: explorer           ## test it in headless Chromium; pictures in build/browser
	@scripts/setup browser
	@tests/browser/run.sh $(B)/bufsim

lint:                              ## layers, warnings, formatting, static analysis
	@scripts/setup lint
	@scripts/lint

golden: all $(PLUGINS)             ## rewrite expected results, also in the README: look at the diff
	@scripts/check-golden --update $(B)/bufsim
	@scripts/check-readme --update $(B)/bufsim
	@tests/cli/run.sh --update $(B)/bufsim >/dev/null

man: $(B)/bufsim.1                 ## rewrite docs/bufsim.1
	cp $< docs/bufsim.1

# There is no shared library: every link needs the libraries that it uses.
define PC
prefix=$(PREFIX)
includedir=$${prefix}/include
libdir=$${prefix}/lib

Name: bufsim
Description: simulates a buffer cache, its prefetching and its disk
Version: $(VERSION)
Cflags: -I$${includedir}/bufsim
Libs: -L$${libdir} -lbufsim $(NEEDS)
endef
install: export PC := $(PC)
install: all $(B)/bufsim.1 $(B)/bufsim.bash $(B)/bufsim.zsh $(B)/bufsim.fish ## into PREFIX (/usr/local), below DESTDIR
	mkdir -p $(BINDIR) $(MANDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR) $(DOCDIR)
	install -m 755 $(B)/bufsim $(BINDIR)/bufsim
	install -m 644 $(B)/bufsim.1 $(MANDIR)/bufsim.1
	install -m 644 $(B)/bufsim.bash $(BASHDIR)/bufsim
	install -m 644 $(B)/bufsim.zsh $(ZSHDIR)/_bufsim
	install -m 644 $(B)/bufsim.fish $(FISHDIR)/bufsim.fish
	install -m 644 README.md LICENSE $(DOCDIR)
	for h in $(HEADERS); do \
	    mkdir -p $(INCDIR)/$${h%/*} && install -m 644 $$h $(INCDIR)/$$h || exit 1; done
	mkdir -p $(LIBDIR)/pkgconfig
	install -m 644 $(B)/libbufsim.a $(LIBDIR)/libbufsim.a
	printf '%s\n' "$$PC" >$(LIBDIR)/pkgconfig/bufsim.pc

uninstall:                         ## undo install
	rm -f $(BINDIR)/bufsim $(MANDIR)/bufsim.1 $(BASHDIR)/bufsim
	rm -f $(ZSHDIR)/_bufsim $(FISHDIR)/bufsim.fish
	rm -f $(LIBDIR)/libbufsim.a $(LIBDIR)/pkgconfig/bufsim.pc
	rm -rf $(DOCDIR) $(INCDIR)

clean:                             ## remove build/
	rm -rf build

plugins: $(PLUGINS)
tests: $(TESTS) plugins $(B)/tests/vectors/vectors
	@: # else make prints that there is nothing to do
bench-programs: $(BENCH)
fuzz-programs: $(B)/bufsim $(B)/tests/fuzz/lines $(HARNESS)
torture-programs: $(B)/bufsim $(B)/tests/fuzz/lines $(B)/tests/fuzz/refuse.so

# With all of the library, and every name exported: a plug-in compiled apart may need it.
$(B)/bufsim: $(B)/sim/cli/main.o $(PROGRAM) $(LIB) $(B)/members
	$(call Q,LD)$(CC) $(CFLAGS) -rdynamic $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS)
$(B)/libbufsim.a: $(LIB)
$(B)/program.a: $(PROGRAM)
$(B)/libbufsim.a $(B)/program.a: $(B)/members
	@rm -f $@
	$(call Q,AR)$(AR) rcs $@ $(filter %.o,$^)
$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(call Q,CC)$(COMPILE) $(if $(filter $(B)/tests/unit/%,$@),$(UNIT)) -c -o $@ $<
$(B)/data_sheets.o: $(B)/data_sheets.c $(B)/flags
	$(call Q,CC)$(COMPILE) -c -o $@ $<
$(B)/tests/%: $(B)/tests/%.o $(B)/program.a $(B)/libbufsim.a
	$(call Q,LD)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(if $(findstring /check_,$@),$(CHECK)) \
	    $(if $(findstring _alloc,$@),$(WRAP)) $(LIBS)
$(B)/tests/fuzz/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(patsubst %,$(B)/tests/fuzz/%.o,draw harness laws) \
    $(filter-out %/main.o,$(VECTOR)) $(B)/program.a $(B)/libbufsim.a
	$(call Q,LD)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS)
$(B)/tests/fuzz/lines: $(B)/tests/fuzz/lines.o $(B)/tests/fuzz/draw.o $(B)/program.a $(B)/libbufsim.a
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
$(B)/tests/vectors/vectors: $(VECTOR) $(B)/program.a $(B)/libbufsim.a
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

-include $(LIB:.o=.d) $(PROGRAM:.o=.d) $(TESTS:=.d) $(PLUGINS:.so=.d) $(VECTOR:.o=.d) $(B)/sim/cli/main.d $(BENCH:=.d) \
	$(wildcard $(B)/tests/fuzz/*.d)
FORCE:
.PHONY: all help demo check check-asan check-tsan fuzz torture vectors bench crosscheck figures lessons explorer check-explorer lint golden man install uninstall clean \
	tests bench-programs fuzz-programs torture-programs FORCE
.DELETE_ON_ERROR:
.SECONDARY:

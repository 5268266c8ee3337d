# explorer.mk - docs/explorer/index.html: the simulator in WebAssembly, with its traces and the page, in one file.
#	make explorer
# The compiler is clang with wasi-libc.  sim/browser stands in for what a browser has not.
B       ?= build/explorer
BUFSIM  ?= build/bufsim
PAGE     = docs/explorer
SLICE    = 1:50000

COMPILE  = clang --target=wasm32-wasi -O2 -std=c11 -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion -Wpedantic \
           -Wno-unused-parameter -Wno-gnu-statement-expression -Wno-shorten-64-to-32 \
           -D_POSIX_C_SOURCE=200809L -D_WASI_EMULATED_MMAN -DBUFSIM_VERSION='"$(VERSION)"' -DBUFSIM_DATE='"$(DATE)"' \
           -D_WASI_EMULATED_SIGNAL -I. -Isim/browser -MMD -MP
LIBS     = -lwasi-emulated-mman -lwasi-emulated-signal
# 64 KB, the default, are too few; the stack lies first, so that its overflow is a fault and changes no data.
STACK    = -Wl,--stack-first -Wl,-z,stack-size=1048576
VENDOR   = $(PAGE)/vendor/cJSON/cJSON.c $(PAGE)/vendor/inih/ini.c

# What sim/browser stands in for.  The host and the studies are left out, as by make STUDIES= HOST=.
ABSENT   = $(patsubst %,sim/base/%.c,mapped output progress shared spill stop terminal) sim/points/workers.c \
           sim/cli/cmd_plot.c sim/draw/gnuplot.c sim/trace/unpack/pack_gzip.c
SOURCES  = $(filter-out $(ABSENT) sim/host/% sim/studies/%,$(wildcard sim/*.c sim/*/*.c sim/*/*/*.c policies/*.c prefetch/*.c traces/*.c traces/*/*.c))
OBJECTS  = $(patsubst %.c,$(B)/%.o,$(SOURCES) $(VENDOR) build/data_sheets.c)

SCRIPTS  = $(PAGE)/vendor/uPlot/uPlot.iife.min.js $(wildcard $(addprefix $(PAGE)/,engine.js settings.js curves.js bars.js map.js film.js page.js))
STYLES   = $(PAGE)/vendor/uPlot/uPlot.min.css $(wildcard $(addprefix $(PAGE)/,page.css map.css film.css))
WORKER   = $(addprefix $(PAGE)/,wasi.js worker.js)
PACKED   = $(addprefix $(B)/,bufsim.wasm.b64 csq.b64 tpch-slice.b64)

$(PAGE)/index.html: $(PAGE)/page.html $(PAGE)/traces.json $(SCRIPTS) $(STYLES) $(WORKER) $(PACKED) scripts/explorer
	@scripts/explorer '$(SCRIPTS)' '$(STYLES)' '$(WORKER)' '$(PACKED)' $(PAGE)/traces.json <$< >$@.tmp
	@mv $@.tmp $@
	@echo "$@: $$(wc -c <$@) bytes"

$(B)/bufsim.wasm: $(OBJECTS) scripts/explorer.mk
	@echo '  LD $@'
	@clang --target=wasm32-wasi -O2 -o $@ $(OBJECTS) $(LIBS) $(STACK) -Wl,--strip-all
$(B)/docs/%.o: docs/%.c
	@mkdir -p $(@D)
	@clang --target=wasm32-wasi -O2 -w -c -o $@ $<
$(B)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC $@'
	@$(COMPILE) -c -o $@ $<
$(B)/csq.bst: traces/samples/csq.txt.gz $(BUFSIM)
	@$(BUFSIM) convert $< $@ >/dev/null
$(B)/tpch-slice.bst: traces/samples/tpch-myisam.txt.gz $(BUFSIM)
	@$(BUFSIM) convert --slice $(SLICE) $< $@ >/dev/null
$(B)/%.b64: $(B)/%
	@gzip -9nc $< | base64 -w0 >$@
$(B)/%.b64: $(B)/%.bst
	@gzip -9nc $< | base64 -w0 >$@

-include $(OBJECTS:.o=.d)
.DELETE_ON_ERROR:
.SECONDARY:

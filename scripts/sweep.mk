# sweep.mk - a sweep in M slices by make:
#	make -f scripts/sweep.mk -j8 M=31 OUT=out.csv SWEEP='bufsim sweep ARGUMENTS'
# An interrupted sweep continues when the command is repeated; see docs/cluster.md.
$(if $(and $(shell seq $(M) 2>/dev/null),$(OUT),$(SWEEP)),,$(error type M=31 OUT=out.csv SWEEP='bufsim sweep ARGUMENTS'))
SLICES := $(shell seq -f '$(OUT).%.0f' $(M))

$(OUT): $(SLICES)
	awk 'NR == 1 || FNR > 1' $(SLICES) > $@.part
	$(SWEEP) --jobs 1 --output $@.part --resume
	mv $@.part $@ && rm $(SLICES)
$(OUT).%:
	$(SWEEP) --jobs 1 --points $*/$(M) --output $@.part --resume
	mv $@.part $@

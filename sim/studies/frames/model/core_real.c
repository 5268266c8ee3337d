/* core_real.c - the cores of this machine. */
#include "sim/studies/frames/model/core_kind.h"

CORE(real,
    .plugin = { .name = "real",
	.summary = "threads on the cores of this machine, timed by its clock",
	.state_size = 1 },
    .modelled = false);

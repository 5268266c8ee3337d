/* none.c - demand paging: the baseline.  It is never asked. */
#include "sim/prefetch.h"

const struct prefetcher prefetcher_none = {
	.plugin = { .name = "none", .summary = "demand paging only" },
};

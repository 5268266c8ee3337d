/* none.c - demand paging: the baseline.  It has no functions, so the core never calls it. */
#include "sim/core/prefetch.h"

PREFETCHER(none, .plugin = { .name = "none", .summary = "demand paging only" });

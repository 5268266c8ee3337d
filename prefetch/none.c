/* none.c - demand paging: the baseline.  It is never asked. */
#include "sim/core/prefetch.h"

PREFETCHER(none, .plugin = { .name = "none", .summary = "demand paging only" });

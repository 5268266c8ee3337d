/* assumed.h - settings of a device that had to be assumed, on standard error. */
#ifndef SIM_HOST_ASSUMED_H
#define SIM_HOST_ASSUMED_H

#include "sim/host/live/kernel_rule.h"

void assumed_window_note(const struct kernel_rule *r, const char *dir);

/*
 * Of calls, the longest of which has so many bytes: without readahead (no
 * prefetcher) those beyond a request depend on it, else those beyond a window.
 * True: there was something to say.
 */
bool assumed_request_note(const struct kernel_rule *r, const char *dir, uint64_t longest_bytes);

#endif

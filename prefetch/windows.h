/*
 * windows.h - the common part of the readahead of Linux versions: the size of
 * the first window, its growth, and a window per open file.
 */
#ifndef PREFETCH_WINDOWS_H
#define PREFETCH_WINDOWS_H

#include <stdlib.h>

#include "sim/core/prefetch.h"

static inline uint32_t
at_most(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

static inline uint32_t
power_of_two(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

/* Largest window in KiB instead of blocks, as in Linux's read_ahead_kb; pages counts if not given. */
enum {
	WINDOW_KB_MAX = 1 << 18,
	WINDOW_KB_NOT_GIVEN = WINDOW_KB_MAX + 1,
	WINDOW_PAGES_MAX = 1 << 16
};

#define WINDOW_KB_PARAM(state, field)                                                              \
	{                                                                                          \
		"kb", PARAM_COUNT, WINDOW_KB_NOT_GIVEN, 0, WINDOW_KB_MAX, offsetof(state, field),  \
		    "largest window in KiB instead of pages, as read_ahead_kb of Linux", NULL      \
	}

static inline uint64_t
window_pages(uint64_t pages, uint64_t kb, const struct trace *t)
{
	return kb == WINDOW_KB_NOT_GIVEN ? pages
					 : at_most((kb << 10) >> t->block_shift, WINDOW_PAGES_MAX);
}

/* The first window of a stream of n blocks a request (2.6.12 and later). */
static inline uint32_t
window_first(uint32_t n, uint32_t max)
{
	uint32_t size = power_of_two(n);

	if (size <= max / 32)
		return size * 4;
	if (size <= max / 4)
		return size * 2;
	return max;
}

/* The window after one of that size (2.6.11 and later). */
static inline uint32_t
window_next(uint32_t size, uint32_t max)
{
	return at_most((size < max / 16 ? 4 : 2) * (uint64_t)size, max);
}

/* A zeroed window of that size for every open file, for free(); NULL: out of memory. */
static inline void *
windows_new(const struct trace *t, size_t bytes, struct error *e)
{
	void *window = calloc((size_t)t->nopen + 1, bytes);

	if (!window)
		error_set(e, "out of memory for %u readahead windows", t->nopen);
	return window;
}

#endif

/*
 * counting.h - probes and later uses without a simulation behind: blocks come,
 * and leave, because a test says so.
 */
#ifndef TESTS_UNIT_PREFETCH_COUNTING_H
#define TESTS_UNIT_PREFETCH_COUNTING_H

#include "prefetch/probes.h"
#include "tests/unit/support.h"

enum { FILES = 40, BLOCKS = 2000, LAST = FILES * BLOCKS, READ = 0, VETOED = 1 };

struct holder {
	struct probes probes;
	struct reuse  reuse;
	struct prices prices;
};

static const struct param  params[] = { PROBES_PARAMS(struct holder, probes),
	 REUSE_PARAMS(struct holder, reuse), PRICES_PARAMS(struct holder, prices), { 0 } };
static const struct plugin plugin = { .name = "holder", .params = params };

static struct holder	   holder;
static struct reuse *const r = &holder.reuse;
static struct cache	   cache;
static struct file	   files[FILES];
static struct trace	   trace;

static inline void
teardown(void)
{
	probes_release(&holder.probes);
	reuse_release(r);
	holder = (struct holder){ 0 };
}

/* An empty cache of so many frames, and files of BLOCKS each. */
static inline void
start_with(const char *text, uint32_t frames)
{
	struct error e;

	teardown();
	for (file_t i = 0; i < FILES; i++)
		files[i] = (struct file){ .base = 1 + i * BLOCKS, .nblocks = BLOCKS };
	trace = (struct trace){ .nblocks = 1 + LAST, .nfiles = FILES, .file = files };
	cache = (struct cache){ .nframes = frames };
	ck_assert_msg(!params_set(&plugin, &holder, text, &e), "%s", e.text);
	ck_assert_int_eq(reuse_init(r, &trace, &e), 0);
	ck_assert_int_eq(probes_init(&holder.probes, &trace, r, &e), 0);
}

/* So many blocks have been read, and others have left once the cache was full. */
static inline void
come(uint32_t n)
{
	for (; n; n--)
		if (cache.nused < cache.nframes)
			cache.nused++;
		else
			reuse_evicted(r, LAST, false);
}

static inline void
is(double value, double expected)
{
	ck_assert_double_eq_tol(value, expected, 1e-6);
}

#endif

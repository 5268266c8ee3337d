/*
 * reading.h - reads of one file through a prefetcher, all I/O complete at
 * once, told as the blocks that each call brings in: "0-3", "4-11 20".
 */
#ifndef TESTS_UNIT_READING_H
#define TESTS_UNIT_READING_H

#include <stdio.h>
#include <string.h>

#include "sim/core/prefetch.h"
#include "tests/unit/support.h"

enum { READING_BLOCKS = 4096, READING_BYTES = DRAFT_BLOCK_BYTES };

struct reading {
	struct draft		 draft;
	struct cache		 cache;
	const struct prefetcher *prefetcher;
	void			*self;
	struct access		 call;
	bool			 brought[READING_BLOCKS]; /* by the current call */
	char			 text[512];
	char			 notes[512]; /* of the current call */
};

static inline void
reading_end(struct reading *r)
{
	if (r->self)
		prefetcher_stop(r->prefetcher, r->self);
	r->self = NULL;
	cache_release(&r->cache);
}

/* A file of that many bytes, nothing cached, opened twice (0 and 1). */
static inline void
reading_start(struct reading *r, const struct prefetcher *p, const char *params, uint64_t bytes)
{
	struct error e;
	file_t	     f;

	reading_end(r);
	draft_start(&r->draft);
	f = draft_file(&r->draft, 1, READING_BLOCKS);
	draft_open(&r->draft, f, 0);
	draft_open(&r->draft, f, 0);
	r->prefetcher = p;
	r->self = prefetcher_start(&(struct choice){ .plugin = &p->plugin, .params = params },
	    &r->draft.trace, &e);
	ck_assert_ptr_nonnull(r->self);
	ck_assert_int_eq(cache_init(&r->cache, READING_BLOCKS + 1, READING_BLOCKS + 1, &e), 0);
	r->call = (struct access){ .file_size = bytes };
}

static inline uint8_t *
reading_flags(struct reading *r, uint32_t index)
{
	return &r->cache.frame[cache_find(&r->cache, index + 1)].flags;
}

static inline bool
reading_cached(const struct reading *r, uint32_t index)
{
	return cache_find(&r->cache, index + 1);
}

static inline void
reading_bring(struct reading *r, uint32_t index)
{
	cache_bind(&r->cache, index + 1, index + 1);
	r->cache.frame[index + 1].flags = 0;
	r->brought[index] = true;
}

/* Blocks first .. last are in the cache already, or no longer. */
static inline void
reading_cache(struct reading *r, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++)
		reading_bring(r, i);
}

static inline void
reading_drop(struct reading *r, uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++)
		if (reading_cached(r, i))
			cache_unbind(&r->cache, i + 1);
}

static inline struct demand
reading_demand(const struct reading *r)
{
	return (struct demand){
		.call = &r->call,
		.first = (uint32_t)(r->call.offset / READING_BYTES),
		.cache = &r->cache,
		.base = 1,
		.end = (uint32_t)((r->call.file_size + READING_BYTES - 1) / READING_BYTES),
		.nblocks = READING_BLOCKS,
	};
}

static inline void
reading_carry_out(struct reading *r, const struct plan *plan, uint32_t end)
{
	for (unsigned i = 0; i < plan->n; i++)
		for (uint32_t k = 0; k < plan->extent[i].count; k++) {
			uint32_t index = plan->extent[i].index + k;

			if (index >= end || reading_cached(r, index))
				continue;
			reading_bring(r, index);
			if (plan_marks(plan, index))
				*reading_flags(r, index) |= FRAME_MARKED;
		}
	for (uint32_t k = 0; k < plan->unmark.count; k++)
		if (reading_cached(r, plan->unmark.index + k))
			*reading_flags(r, plan->unmark.index + k) &= (uint8_t)~FRAME_MARKED;
	for (unsigned i = 0; i < plan->nnotes; i++) {
		strcat(r->notes, *r->notes ? "; " : "");
		strcat(r->notes, plan->note[i]);
	}
}

static inline bool
reading_consult(struct reading *r, struct demand *d, bool absent)
{
	struct plan plan;

	d->absent = absent;
	d->how = absent ? REF_MISS : REF_HIT;
	d->marked = !absent && *reading_flags(r, d->index) & FRAME_MARKED;
	if (d->marked)
		*reading_flags(r, d->index) &= (uint8_t)~FRAME_MARKED;
	plan_start(&plan);
	r->prefetcher->access(r->self, d, &plan);
	reading_carry_out(r, &plan, d->end);
	return reading_cached(r, d->index);
}

/* "0-3 7": what has been brought in. */
static inline const char *
reading_text(struct reading *r)
{
	size_t used = 0;

	*r->text = '\0';
	for (uint32_t i = 0, last; i < READING_BLOCKS; i = last + 1) {
		last = i;
		if (!r->brought[i])
			continue;
		while (last + 1 < READING_BLOCKS && r->brought[last + 1])
			last++;
		used += (size_t)snprintf(r->text + used, sizeof(r->text) - used,
		    last > i ? "%s%u-%u" : "%s%u", used ? " " : "", i, last);
	}
	return r->text;
}

/* Read so many bytes at that offset through open file 0 or 1: the blocks that brings in. */
static inline const char *
reading_bytes(struct reading *r, uint32_t open, uint64_t offset, uint32_t bytes)
{
	struct demand d;
	uint32_t      last;

	memset(r->brought, 0, sizeof(r->brought));
	*r->notes = '\0';
	r->call.offset = offset;
	r->call.length = bytes & INT32_MAX;
	r->call.open = open & OPENS_MAX;
	d = reading_demand(r);
	last = (uint32_t)((offset + bytes - 1) / READING_BYTES);
	for (d.index = d.first; d.index <= last; d.index++) {
		d.left = last - d.index + 1;
		d.again = false;
		if (!reading_cached(r, d.index)) {
			if (!reading_consult(r, &d, true))
				reading_bring(r, d.index);
			d.again = true;
		}
		reading_consult(r, &d, false);
	}
	return reading_text(r);
}

static inline const char *
reading_blocks(struct reading *r, uint32_t open, uint32_t first, uint32_t n)
{
	return reading_bytes(r, open, (uint64_t)first * READING_BYTES, n * READING_BYTES);
}

/* The file is newly opened: 0 or 1. */
static inline void
reading_open(struct reading *r, uint32_t open)
{
	r->call.fresh = true;
	r->call.open = open & OPENS_MAX;
}

/* Advice about blocks first .. first + n - 1. */
static inline const char *
reading_advise(struct reading *r, uint32_t open, enum advice_kind kind, uint32_t first, uint32_t n,
    bool fresh)
{
	struct advice a = { .open = open, .kind = kind, .fresh = fresh };
	struct demand d = reading_demand(r);
	struct plan   plan;

	memset(r->brought, 0, sizeof(r->brought));
	d.index = first;
	d.left = n;
	plan_start(&plan);
	r->prefetcher->advise(r->self, &a, &d, &plan);
	reading_carry_out(r, &plan, d.end);
	return reading_text(r);
}

/* Read n blocks at a time, block `first` to `last`: "0:0-3 1:4-11", only calls that bring any in.
 */
static inline const char *
reading_in_order(struct reading *r, uint32_t first, uint32_t last, uint32_t n)
{
	static char all[2048];
	size_t	    used = 0;

	*all = '\0';
	for (uint32_t i = first; i + n <= last + 1; i += n) {
		const char *came = reading_blocks(r, 0, i, n);

		if (*came)
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%u:%s",
			    used ? " | " : "", i, came);
		ck_assert_uint_lt(used, sizeof(all));
	}
	return all;
}

#endif

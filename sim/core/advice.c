/*
 * advice.c - what posix_fadvise() does to the prefetcher and the cache.
 *
 * The prefetcher hears of all but DONTNEED; what it plans is read as if ahead
 * of a call, and the device begins at once, for the advice was a call of its
 * own.  DONTNEED throws out the whole blocks of its range, among them a last
 * one that the end of the file cuts short; dirty ones and those in flight
 * stay, as in Linux (which also starts to write the dirty ones: not here,
 * they wait for their time).  Prefetchers without the hook stand for kernels
 * without posix_fadvise(), 2.4 among them: for these nothing happens at all.
 *
 *	The Open Group Base Specifications Issue 7, posix_fadvise().
 */
#include "sim/core/advice.h"
#include "sim/core/io.h"
#include "sim/core/reference.h"

static const struct file *
file_of(const struct sim *s, const struct advice *a)
{
	return &s->trace->file[s->trace->open[a->open].file];
}

/* Where the range ends, at most at the end of the file. */
static uint64_t
end_of(const struct advice *a)
{
	uint64_t end = a->length ? a->offset + a->length : a->file_size;

	return end < a->file_size ? end : a->file_size;
}

/* The blocks that hold some of n bytes. */
static uint32_t
blocks_up_to(const struct sim *s, uint64_t n)
{
	return (uint32_t)((n + s->trace->block_bytes - 1) >> s->trace->block_shift);
}

static void
consult(struct sim *s, const struct reader *r, const struct advice *a)
{
	uint64_t      first = a->offset >> s->trace->block_shift, read = s->stats.prefetched_blocks;
	struct plan   plan;
	struct demand d = {
		.file = s->trace->open[a->open].file,
		.how = REF_HIT,
		.now = s->now,
		.cache = &s->cache,
		.base = file_of(s, a)->base,
		.end = blocks_up_to(s, a->file_size),
		.nblocks = file_of(s, a)->nblocks,
	};

	d.index = d.first = first < d.end ? (uint32_t)first : d.end;
	d.left = a->offset < end_of(a) ? blocks_up_to(s, end_of(a)) - d.index : 0;
	plan_start(&plan);
	config_prefetcher(&s->cfg)->advise(s->prefetcher_self, a, &d, &plan);
	plan_run(s, r, &d, &plan);
	if (plan.n)
		io_unplug(s);
	s->stats.advice_read_blocks += s->stats.prefetched_blocks - read;
}

/* Can it be thrown out? */
static bool
is_droppable(const struct sim *s, block_t b)
{
	frame_t f = cache_find(&s->cache, b);

	return f && !(s->cache.frame[f].flags & (FRAME_DIRTY | FRAME_INFLIGHT));
}

static void
drop(struct sim *s, const struct advice *a)
{
	uint64_t end = end_of(a);
	block_t	 base = file_of(s, a)->base, b = base + blocks_up_to(s, a->offset), last;

	if (a->offset >= end)
		return;
	last = base +
	    (end == a->file_size ? blocks_up_to(s, end) : (uint32_t)(end >> s->trace->block_shift));
	while (b < last) {
		block_t from = b;

		while (b < last && is_droppable(s, b))
			block_drop(s, cache_find(&s->cache, b++));
		if (b > from)
			observe(s, EVENT_FORGET, from, b - from);
		s->stats.advice_dropped_blocks += b - from;
		b += b < last; /* that one stays */
	}
}

static void
observe_advice(const struct sim *s, const struct advice *a)
{
	const struct observer *o = &s->cfg.observer;

	if (unlikely(o->mask >> EVENT_ADVICE & 1))
		o->see(o->ctx,
		    &(struct event){ .when = s->now,
			.kind = EVENT_ADVICE,
			.block = file_of(s, a)->base,
			.advice = a });
}

void
advice_apply(struct sim *s, const struct reader *r, const struct access *before)
{
	const struct trace *t = s->trace;
	size_t		    i = (size_t)(before - t->access), n;

	if (!config_knows_advice(&s->cfg))
		return;
	for (n = trace_advice(t, i); n < t->nadvice && t->advice[n].before == i; n++) {
		const struct advice *a = &t->advice[n];

		s->stats.advices++;
		observe_advice(s, a);
		if (a->kind == ADVICE_DONTNEED)
			drop(s, a);
		else
			consult(s, r, a);
	}
}

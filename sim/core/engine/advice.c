/*
 * advice.c - what posix_fadvise() does to the prefetcher and the cache.
 *
 * DONTNEED is between the program and the cache, and acts with every prefetcher
 * and without: it drops the whole blocks of its range, and a last block that the
 * end of the file cuts short; dirty blocks, blocks in flight and large folios that
 * the range cuts stay, as in Linux.  (Linux also starts to write the dirty blocks;
 * here they are written at their usual time.)
 *
 * The prefetcher gets all other advice.  Its plan is read as if ahead of a call,
 * and the queue is unplugged at once, because the advice was a call of its own.
 * What finds no free request is left out.  Prefetchers without the hook model
 * kernels without posix_fadvise(), such as 2.4, or read nothing ahead: for these,
 * such advice has no effect.
 *
 *	The Open Group Base Specifications Issue 7, posix_fadvise().
 */
#include "sim/core/engine/advice.h"
#include "sim/core/engine/drop.h"
#include "sim/core/engine/io.h"
#include "sim/core/engine/reference.h"

static const struct file *
file_of(const struct trace *t, const struct advice *a)
{
	return &t->file[t->open[a->open].file];
}

static void
consult(struct node *n, const struct process *p, const struct advice *a)
{
	struct engine	   *g = n->engine;
	const struct trace *t = g->trace;
	const struct file  *f = file_of(t, a);
	uint64_t	    first = a->offset >> t->block_shift, read = n->stats.prefetched_blocks;
	struct plan	    plan;
	struct demand	    d = {
		      .file = t->open[a->open].file,
		      .process = t->open[a->open].process,
		      .how = REF_HIT,
		      .now = g->now,
		      .cache = &n->cache,
		      .base = f->base,
		      .end = advice_blocks(t, a->file_size),
		      .nblocks = f->nblocks,
	};

	d.index = d.first = first < d.end ? (uint32_t)first : d.end;
	d.left = a->offset < advice_end(a) ? advice_blocks(t, advice_end(a)) - d.index : 0;
	plan_start(&plan);
	n->prefetcher->advise(n->prefetcher_self, a, &d, &plan);
	plan.waits = false; /* advice cannot be interrupted */
	plan_run(n, p, &d, &plan);
	if (plan.n)
		io_unplug(g);
	n->stats.advice_read_blocks += n->stats.prefetched_blocks - read;
}

/* Is the block resident, clean and not in flight? */
static bool
is_clean(const struct node *n, block_t b)
{
	frame_t f = cache_find(&n->cache, b);

	return f && !(n->cache.frame[f].flags & (FRAME_DIRTY | FRAME_INFLIGHT));
}

/* May block b be dropped, and all of its folio? */
static bool
is_droppable(const struct node *n, const struct drop_range *r, block_t b)
{
	uint8_t order = n->prefetcher->order ? n->prefetcher->order(n->prefetcher_self, b) : 0;
	block_t first = r->base + ((b - r->base) >> order << order);

	return is_clean(n, b) && first >= r->first && r->last - first >= 1u << order;
}

static void
drop(struct node *n, const struct advice *a)
{
	struct engine	   *g = n->engine;
	const struct trace *t = g->trace;
	struct drop_range   r = drop_range(t, a);

	if (n->shadow.policy)
		shadow_drop(&n->shadow, &n->cache, &r);
	for (block_t b = r.first; (b = slots_next(&n->cache.slots, b, r.last)) < r.last;) {
		block_t from = b;

		while (b < r.last && is_droppable(n, &r, b))
			block_drop(n, cache_find(&n->cache, b++));
		if (b > from)
			observe_by(g, EVENT_FORGET, from, b - from, t->open[a->open].process);
		n->stats.advice_dropped_blocks += b - from;
		b += b < r.last; /* it stays */
	}
}

static void
observe_advice(const struct engine *g, const struct advice *a)
{
	const struct observer *o = &g->cfg.observer;

	if (unlikely(o->mask >> EVENT_ADVICE & 1))
		o->see(o->ctx,
		    &(struct event){ .when = g->now,
			.kind = EVENT_ADVICE,
			.block = file_of(g->trace, a)->base,
			.advice = a });
}

void
advice_apply(struct engine *g, const struct process *p, const struct access *before)
{
	const struct trace *t = g->trace;
	size_t		    i = (size_t)(before - t->access);
	bool		    knows = config_knows_advice(&g->cfg);

	if (g->cfg.ignores_advice)
		return;
	for (size_t k = trace_advice(t, i); k < t->nadvice && t->advice[k].before == i; k++) {
		const struct advice *a = &t->advice[k];

		if (a->kind != ADVICE_DONTNEED && !knows)
			continue;
		p->node->stats.advices++;
		observe_advice(g, a);
		if (a->kind == ADVICE_DONTNEED)
			drop(p->node, a);
		else
			consult(p->node, p, a);
		while (io_next(g) <= g->now) /* a device that takes no time has read them */
			io_step(g);
	}
}

/*
 * replay.c - turn calls into batches of block numbers, for the loop of each
 * policy.  Four bytes a block of the trace and sixteen a frame, for each cache.
 *
 * DONTNEED drops blocks between two batches.  Without a clock no block is known
 * to be dirty, so that all are dropped: the hits are those of a timed run as
 * long as what is dropped there has been written to the device.
 */
#include "sim/core/engine/replay.h"
#include "sim/core/engine/drop.h"
#include <stdlib.h>

/*
 * Block numbers.  Those of one cache stay in the first cache of the processor.
 * Of several caches each finds its own tables displaced by the others, so that
 * it is worth more to stay with one for long.
 */
enum { BATCH = 4096, LONG_BATCH = 1 << 20 };

/* A cache with its policy. */
struct seat {
	const struct policy *policy;
	void		    *self;
	struct cache	     cache;
	uint64_t	     hits, dropped;
};

struct player {
	const struct trace *trace;
	struct seat	   *seat;
	size_t		    nseats;
	struct future	    future; /* if one needs it */
	uint32_t	    passed; /* references of batches before */
	uint64_t	    references, write_references, advices;
	bool		    drops; /* is there DONTNEED, and is it heard? */
	size_t		    batch; /* references, at most */
	block_t		   *ref;
	struct use	   *use;  /* if one needs it */
	block_t		   *base; /* [nopen]: the first block of its file */
};

static void
play_batch(struct player *p, size_t n)
{
	bool passed = false; /* is the future that of the end of the batch? */

	for (struct seat *s = p->seat; s < p->seat + p->nseats; s++) {
		bool	     looks = s->policy->needs & NEEDS_FUTURE;
		struct batch batch = { .ref = p->ref,
			.use = s->policy->needs & NEEDS_USE ? p->use : NULL,
			.future = looks ? &p->future : NULL,
			.n = n };

		if (looks && passed)
			future_return(&p->future, p->ref, n, p->passed);
		passed |= looks;
		if (unlikely(s->cache.slots.group))
			replay_with(s->policy, s->self, &s->cache, &batch, true);
		else
			s->policy->replay(s->self, &s->cache, &batch);
		s->hits += batch.hits;
	}
	p->passed += (uint32_t)n;
	p->references += n;
}

/* The context of a reference of this call, for the policy. */
static struct use
use_of(const struct trace *t, const struct access *a, uint32_t index)
{
	const struct open_file *open = &t->open[a->open];

	return (struct use){ open->file, index, open->process, a->open, a->write, a->time };
}

/* Calls first .. last - 1, for policies with and without context; n references wait in the batch. */
ALWAYS_INLINE size_t
play_calls(struct player *p, size_t first, size_t last, size_t n, bool uses)
{
	const struct trace *t = p->trace;
	const block_t	   *base = p->base;
	block_t		   *ref = p->ref;
	struct use	   *use = p->use;
	size_t		    room = p->batch;
	uint64_t	    written = 0;

	for (const struct access *a = &t->access[first], *end = &t->access[last]; a < end; a++) {
		uint32_t index = access_first(t, a), count = access_count(t, a);
		block_t	 b = base[a->open] + index;

		written += a->write * (uint64_t)count;
		do {
			if (uses)
				use[n] = use_of(t, a, index++);
			ref[n++] = b++;
			if (unlikely(n == room)) {
				play_batch(p, n);
				n = 0;
			}
		} while (--count);
	}
	p->write_references += written;
	return n;
}

/* The same, and DONTNEED before one of them is heard. */
static size_t
play_and_drop(struct player *p, size_t first, size_t last, size_t n)
{
	const struct trace *t = p->trace;

	for (size_t k = trace_advice(t, first); k < t->nadvice && t->advice[k].before < last; k++) {
		struct drop_range r;

		if (t->advice[k].kind != ADVICE_DONTNEED)
			continue;
		n = play_calls(p, first, t->advice[k].before, n, p->use);
		first = t->advice[k].before;
		play_batch(p, n);
		n = 0;
		r = drop_range(t, &t->advice[k]);
		for (struct seat *s = p->seat; s < p->seat + p->nseats; s++)
			s->dropped += drop_all(&s->cache, s->policy, s->self, &r);
		p->advices++;
	}
	return play_calls(p, first, last, n, p->use);
}

static int
play(struct player *p, size_t first, size_t last, struct error *e)
{
	size_t waiting = 0;

	for (size_t n; first < last; first += n) {
		n = last - first < TRACE_BATCH ? last - first : TRACE_BATCH;
		if (trace_check(p->trace, first, n, e))
			return -1;
		if (unlikely(p->drops))
			waiting = play_and_drop(p, first, first + n, waiting);
		else if (p->use)
			waiting = play_calls(p, first, first + n, waiting, true);
		else
			waiting = play_calls(p, first, first + n, waiting, false);
	}
	play_batch(p, waiting);
	return 0;
}

/* ---- start and end ---- */

static int
seat_init(struct seat *s, const struct choice *c, frame_t frames, struct player *p, double rate,
    struct error *e)
{
	const struct trace *t = p->trace;

	s->policy = policy_of(c);
	if (cache_init(&s->cache, frames, slots_most(t), e) || slots_init(&s->cache.slots, t, e))
		return -1;
	s->cache.rate = rate;
	s->self =
	    policy_start(c, &s->cache, t, s->policy->needs & NEEDS_FUTURE ? &p->future : NULL, e);
	return s->self ? 0 : -1;
}

static void
seat_release(struct seat *s)
{
	if (s->policy)
		policy_stop(s->policy, s->self);
	cache_release(&s->cache);
}

/* Make the tables for policies with these needs. */
static int
player_init(struct player *p, const struct trace *t, size_t nseats, unsigned needs, struct error *e)
{
	*p = (struct player){ .trace = t,
		.batch = nseats > 1 ? LONG_BATCH : BATCH,
		.seat = calloc(nseats, sizeof(*p->seat)) };
	p->ref = malloc(p->batch * sizeof(*p->ref));
	if (needs & NEEDS_USE)
		p->use = malloc(p->batch * sizeof(*p->use));
	p->base = malloc(((size_t)t->nopen + 1) * sizeof(*p->base));
	if (!p->seat || !p->ref || (needs & NEEDS_USE && !p->use) || !p->base)
		return error_no_memory(e);
	for (uint32_t i = 0; i < t->nopen; i++)
		p->base[i] = t->file[t->open[i].file].base;
	return needs & NEEDS_FUTURE ? future_init(&p->future, t, e) : 0;
}

static void
player_release(struct player *p)
{
	for (size_t i = 0; i < p->nseats; i++)
		seat_release(&p->seat[i]);
	future_release(&p->future);
	free(p->seat);
	free(p->ref);
	free(p->use);
	free(p->base);
}

/* ---- one cache ---- */

/* Warm up, then count. */
static int
play_all(struct player *p, const struct config *cfg, struct stats *out, struct error *e)
{
	struct seat	     *s = p->seat;
	const struct instance policy = { cfg->policy.plugin, s->self };
	frame_t		      before;

	if (play(p, 0, cfg->warmup_calls, e))
		return -1;
	before = s->cache.nused - s->cache.nvacant;
	p->references = p->write_references = p->advices = s->hits = s->dropped = 0;
	stats_start(out, &policy, 1);
	if (play(p, cfg->warmup_calls, p->trace->naccess, e))
		return -1;
	stats_unknown(out);
	stats_end(out, &policy, 1);
	out->references = p->references;
	out->write_references = p->write_references;
	out->hits = s->hits;
	out->misses = p->references - s->hits;
	out->advices = p->advices;
	out->advice_dropped_blocks = s->dropped;
	out->evictions = out->misses + before - (s->cache.nused - s->cache.nvacant) - s->dropped;
	out->first_hits = out->late_hits = out->delayed_hits = 0;
	return 0;
}

int
replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct player p;
	int	      failed = player_init(&p, t, 1, config_policy(cfg)->needs, e);

	if (!failed) {
		p.nseats = 1;
		p.drops = t->nadvice && !cfg->ignores_advice;
		failed = seat_init(p.seat, &cfg->policy, (frame_t)cfg->cache_blocks, &p, 1, e) ||
		    play_all(&p, cfg, out, e);
	}
	player_release(&p);
	return failed ? -1 : 0;
}

/* ---- several caches ---- */

int
replay_caches(struct replay_cache *c, size_t n, const struct trace *t, double rate, struct error *e)
{
	struct player p;
	unsigned      needs = 0;
	int	      failed;

	for (size_t i = 0; i < n; i++)
		needs |= policy_of(c[i].policy)->needs;
	failed = player_init(&p, t, n, needs, e);
	for (; !failed && p.nseats < n; p.nseats++)
		failed = seat_init(&p.seat[p.nseats], c[p.nseats].policy, c[p.nseats].frames, &p,
		    rate, e);
	if (!failed)
		failed = play(&p, 0, t->naccess, e);
	for (size_t i = 0; !failed && i < n; i++)
		c[i].misses = p.references - p.seat[i].hits;
	player_release(&p);
	return failed ? -1 : 0;
}

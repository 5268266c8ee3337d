/*
 * mq.c - MQ: a queue for each order of magnitude of references.
 *
 * A block that has been referenced n times is in queue log2(n), at most the
 * last one, by last reference.  The oldest block of a queue that has not been
 * referenced for `life` references falls to the queue below.  The oldest block
 * of the lowest queue is evicted, and its number of references remembered.
 *
 *	Y. Zhou, J. F. Philbin, K. Li.  The multi-queue replacement algorithm
 *	for second level buffer caches.  USENIX Annual Technical Conference,
 *	2001.
 *
 * Departures: `life` is a constant; the paper measures at what distance most
 * blocks are referenced again.
 *
 * Prefetching: a prefetch counts no reference.  A block enters the lowest
 * queue, or that of its remembered references, and its first demand reference
 * is counted.  A block evicted before that is not remembered.  O(queues) an
 * eviction, and a reference if a block falls; else O(1).
 *
 * accusim=1 counts as AccuSim did (Butt, Gniady, Hu, SIGMETRICS 2005), by
 * mistake: prefetches instead of references.  Without prefetching that is LRU.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"

/* References are counted up to UINT16_MAX, in a frame's spare: enough for this many queues. */
enum { QUEUES_MAX = 16 };

struct mq {
	struct flist  queue[QUEUES_MAX], out; /* heads: newest; out: remembered */
	struct ghosts ghosts;		      /* in out, with references in spare */
	uint64_t     *expiry;		      /* [frame] the block falls at the next reference */
	uint64_t      now;		      /* in demand references */
	uint64_t      earliest;		      /* no block in queue 1 or above falls up to that */
	uint64_t      nqueues, life_part, ghosts_part, accusim;
	frame_t	      life, nghosts;
	uint16_t      incoming; /* references of the block of the last miss() */
};

static const struct param mq_params[] = {
	{ "queues", PARAM_COUNT, 8, 1, QUEUES_MAX, offsetof(struct mq, nqueues), "queues; 1 is LRU",
	    NULL },
	{ "life", PARAM_PART, SHARE_ONE, 1, 1000 * (uint64_t)SHARE_ONE,
	    offsetof(struct mq, life_part),
	    "references after which a block falls by one queue, as a part of the cache", NULL },
	{ "ghosts", PARAM_PART, SHARE_ONE, 1, 16 * (uint64_t)SHARE_ONE,
	    offsetof(struct mq, ghosts_part), "blocks whose references are remembered", NULL },
	{ "accusim", PARAM_COUNT, 0, 0, 1, offsetof(struct mq, accusim),
	    "1: prefetches are counted instead of references", NULL },
	{ 0 },
};

static int
mq_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct mq *q = self;
	frame_t	   most = c->nframes < UINT32_MAX / 16 ? 16 * c->nframes : UINT32_MAX - 1;

	if (cache_part(c, q->life_part, UINT32_MAX, "life of mq", &q->life, e) ||
	    cache_part(c, q->ghosts_part, most, "ghosts of mq", &q->nghosts, e))
		return -1;
	q->expiry = memory_table((size_t)c->nframes + 1, sizeof(*q->expiry));
	if (!q->expiry)
		return error_set(e, "out of memory for mq and a cache of %u blocks", c->nframes);
	return ghosts_init(&q->ghosts, q->nghosts + 1, c, e);
}

static void
mq_release(void *self)
{
	struct mq *q = self;

	free(q->expiry);
	ghosts_release(&q->ghosts);
}

/* To the head of a queue. */
static void
enter(struct mq *q, struct cache *c, frame_t f, unsigned queue)
{
	ASSERT(queue < q->nqueues);
	c->frame[f].list = (uint8_t)queue;
	flist_push(&q->queue[queue], c->frame, f);
	q->expiry[f] = q->now + q->life;
}

/* To the head of the queue that its references give it. */
static void
rank(struct mq *q, struct cache *c, frame_t f)
{
	unsigned log2 = 31 - (unsigned)__builtin_clz(c->frame[f].spare | 1u);

	enter(q, c, f, log2 < q->nqueues ? log2 : (unsigned)q->nqueues - 1);
}

/* The oldest block of each queue falls if its time is over. */
static void
fall(struct mq *q, struct cache *c)
{
	q->earliest = q->now + q->life;
	for (unsigned k = 1; k < q->nqueues; k++) {
		frame_t f = q->queue[k].tail;

		if (f && q->expiry[f] < q->now) {
			flist_remove(&q->queue[k], c->frame, f);
			enter(q, c, f, k - 1);
			f = q->queue[k].tail;
		}
		if (f && q->expiry[f] < q->earliest)
			q->earliest = q->expiry[f];
	}
}

static uint16_t
one_more(uint16_t references)
{
	return (uint16_t)(references + (references < UINT16_MAX));
}

static void
mq_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct mq    *q = self;
	struct frame *fr = &c->frame[f];

	q->now++;
	if (!q->accusim)
		fr->spare = one_more(fr->spare);
	flist_remove(&q->queue[fr->list], c->frame, f);
	rank(q, c, f);
	if (q->earliest < q->now)
		fall(q, c);
}

static bool
mq_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct mq *q = self;
	frame_t	   ghost = ghosts_find(&q->ghosts, c, b);

	q->now += demand;
	q->incoming = ghost ? q->ghosts.entry[ghost].spare : 0;
	if (demand != q->accusim)
		q->incoming = one_more(q->incoming);
	if (ghost)
		ghosts_remove(&q->ghosts, &q->out, c, ghost);
	return ghost;
}

static void
remember(struct mq *q, const struct cache *c, const struct frame *fr)
{
	frame_t ghost = ghosts_push_most(&q->ghosts, &q->out, q->nghosts, c, fr->block);

	q->ghosts.entry[ghost].spare = fr->spare;
}

static frame_t
mq_evict(void *self, struct cache *c, block_t incoming)
{
	struct mq *q = self;
	unsigned   k = 0;
	frame_t	   f;

	while (f = flist_last_evictable(&q->queue[k], c->frame), !f)
		k++;
	ASSERT(k < q->nqueues && c->frame[f].list == k);
	flist_remove(&q->queue[k], c->frame, f);
	if (!(c->frame[f].flags & FRAME_PREFETCHED))
		remember(q, c, &c->frame[f]);
	return f;
}

static void
mq_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct mq *q = self;

	c->frame[f].spare = q->incoming;
	rank(q, c, f);
	if (q->earliest < q->now && !(c->frame[f].flags & FRAME_PREFETCHED))
		fall(q, c);
}

static void
mq_remove(void *self, struct cache *c, frame_t f)
{
	struct mq *q = self;

	flist_remove(&q->queue[c->frame[f].list], c->frame, f);
}

static const void *
mq_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct mq *)self)->ghosts, b);
}

POLICY(mq,
    .plugin = {
	.name = "mq",
	.summary = "a queue for each order of magnitude of references (Zhou et al. 2001)",
	.source = "Y. Zhou, J. F. Philbin, K. Li: The multi-queue replacement algorithm for second level buffer caches, USENIX ATC 2001",
	.state_size = sizeof(struct mq),
	.params = mq_params,
    },
    .on_hit = HIT_MOVES,
    .init = mq_init,
    .release = mq_release,
    .hit = mq_hit,
    .miss = mq_miss,
    .evict = mq_evict,
    .insert = mq_insert,
    .remove = mq_remove,
    .expect = mq_expect);

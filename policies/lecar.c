/*
 * lecar.c - LeCaR: each victim is chosen by LRU or by LFU, by chance, with weights that are learned.
 *
 * Two experts rank all frames: LRU by last reference, LFU by the number of
 * references.  One of them is drawn by its weight and names the victim, and
 * the block is remembered as a ghost of that expert.  A block that comes back
 * while it is remembered was a mistake: the weight of the other expert is
 * multiplied by exp(rate * discount^(age / c)), where age is the number of
 * references since the eviction, and the weights are scaled to the sum 1.
 *
 *	G. Vietri, L. V. Rodriguez, W. A. Martinez, S. Lyons, J. Liu,
 *	R. Rangaswami, M. Zhao, G. Narasimhan.  Driving cache replacement with
 *	ML-based LeCaR.  10th USENIX Workshop on Hot Topics in Storage and File
 *	Systems (HotStorage), 2018.
 *
 * Departures: a weight stays at 0.01 or above, as one of 0 would never rise
 * again.  A ghost keeps the count of its block (keep=0: it does not).  Counts
 * end at 65535; blocks with that many references are equal to LFU, which
 * evicts the least recent of equals.  The numbers drawn are those of a fixed
 * sequence, chosen by the seed.
 *
 * Prefetching: a prefetched block is the most recent one, with a count of 0 or
 * that of its ghost, and its first demand reference counts.  A prefetch
 * changes no weight.  A block evicted before its first demand reference is not
 * remembered.  O(1); 16 bytes a frame and 24 a ghost, of which there are two
 * for each frame.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"
#include "sim/trace/chance.h"

enum { LRU, LFU, EXPERTS };
enum { COUNTS = 1 << 16, COUNT_MOST = COUNTS - 1, WORD = 64 };

/* Frames by count. */
struct ranks {
	struct flist *list; /* [count] heads: most recent */
	struct frame *link; /* [frame] its links in that list */
	uint64_t     *used; /* a bit for each list: it has frames */
};

struct lecar {
	struct flist  recent; /* head: most recent */
	struct ranks  ranks;
	struct flist  remembered[EXPERTS]; /* heads: newest */
	struct ghosts ghosts;		   /* in remembered */
	uint64_t     *left;		   /* by ghost: when it was evicted */
	uint64_t      now;		   /* demand references */
	uint64_t      evicted[EXPERTS];
	uint64_t      draws;
	double	      weight[EXPERTS]; /* their sum is 1 */
	double	      decay;	       /* of the logarithm of the discount, by reference */
	frame_t	      remembered_most;
	uint16_t      incoming; /* count of the block of the last miss() */
	uint64_t      ghosts_part, rate, discount, start, least, keep, seed;
};

#define OFFSET(field) offsetof(struct lecar, field)

static const struct param lecar_params[] = {
	{ "rate", PARAM_SHARE, SHARE_ONE / 100 * 45, 0, SHARE_ONE, OFFSET(rate), "learning rate",
	    NULL },
	{ "discount", PARAM_SHARE, SHARE_ONE / 1000 * 5, 1, SHARE_ONE, OFFSET(discount),
	    "what a mistake still weighs after as many references as the cache has blocks", NULL },
	{ "ghosts", PARAM_PART, SHARE_ONE, 1, SHARE_ONE, OFFSET(ghosts_part),
	    "blocks remembered for each of LRU and LFU", NULL },
	{ "start", PARAM_SHARE, SHARE_ONE / 2, 0, SHARE_ONE, OFFSET(start),
	    "weight of LRU at the start", NULL },
	{ "least", PARAM_SHARE, SHARE_ONE / 100, 0, SHARE_ONE / 2, OFFSET(least),
	    "weight that LRU and LFU keep at least when weights are learned", NULL },
	{ "keep", PARAM_COUNT, 1, 0, 1, OFFSET(keep),
	    "1: the count of a block is remembered with it", NULL },
	{ "seed", PARAM_COUNT, 0, 0, INT64_MAX, OFFSET(seed),
	    "another number gives other random choices", NULL },
	{ 0 },
};

static const struct counter lecar_counters[] = {
	{ "lru_victims", "blocks", "evicted as the least recently used", OFFSET(evicted[LRU]) },
	{ "lfu_victims", "blocks", "evicted as the least frequently used", OFFSET(evicted[LFU]) },
	{ 0 },
};

/* ---- frames by count ---- */

static int
ranks_init(struct ranks *r, const struct cache *c, struct error *e)
{
	r->list = memory_table(COUNTS, sizeof(*r->list));
	r->link = memory_table((size_t)c->nframes + 1, sizeof(*r->link));
	r->used = memory_table(COUNTS / WORD, sizeof(*r->used));
	return r->list && r->link && r->used
	    ? 0
	    : error_set(e, "out of memory for counts of %u blocks", c->nframes);
}

static void
ranks_release(struct ranks *r)
{
	free(r->list);
	free(r->link);
	free(r->used);
}

static void
ranks_remove(struct ranks *r, frame_t f, unsigned count)
{
	ASSERT(count < COUNTS && r->used[count / WORD] >> count % WORD & 1);
	flist_remove(&r->list[count], r->link, f);
	if (!r->list[count].len)
		r->used[count / WORD] &= ~(UINT64_C(1) << count % WORD);
}

static void
ranks_push(struct ranks *r, frame_t f, unsigned count)
{
	flist_push(&r->list[count], r->link, f);
	r->used[count / WORD] |= UINT64_C(1) << count % WORD;
}

/* The least recent frame of the lowest count that is not in flight; one exists. */
static frame_t
ranks_first_evictable(const struct ranks *r, const struct frame *fr)
{
	for (unsigned i = 0; i < COUNTS / WORD; i++) {
		for (uint64_t used = r->used[i]; used; used &= used - 1) {
			frame_t f = r->list[i * WORD + (unsigned)__builtin_ctzll(used)].tail;

			while (f && unlikely(fr[f].flags & FRAME_INFLIGHT))
				f = r->link[f].prev;
			if (f)
				return f;
		}
	}
	return NIL;
}

/* ---- the policy ---- */

static int
lecar_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct lecar *l = self;

	if (cache_part(c, l->ghosts_part, c->nframes, "ghosts of lecar", &l->remembered_most, e))
		return -1;
	l->weight[LRU] = (double)l->start / SHARE_ONE;
	l->weight[LFU] = 1 - l->weight[LRU];
	l->decay = chance_log((double)l->discount / SHARE_ONE) / c->nframes;
	if (ghosts_init(&l->ghosts, EXPERTS * (uint64_t)l->remembered_most + 1, c, e))
		return -1;
	l->left = memory_table((size_t)l->ghosts.n + 1, sizeof(*l->left));
	if (!l->left)
		return error_set(e, "out of memory for %u ghosts", l->ghosts.n);
	return ranks_init(&l->ranks, c, e);
}

static void
lecar_release(void *self)
{
	struct lecar *l = self;

	free(l->left);
	ghosts_release(&l->ghosts);
	ranks_release(&l->ranks);
}

static uint16_t
more(uint16_t count)
{
	return count < COUNT_MOST ? count + 1 : COUNT_MOST;
}

static void
lecar_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lecar *l = self;
	uint16_t     *count = &c->frame[f].spare;

	l->now++;
	flist_to_head(&l->recent, c->frame, f);
	ranks_remove(&l->ranks, f, *count);
	*count = more(*count);
	ranks_push(&l->ranks, f, *count);
}

/* A victim of this expert has come back after so many references. */
static void
learn(struct lecar *l, uint8_t expert, uint64_t age)
{
	double least = (double)l->least / SHARE_ONE, log_discount = l->decay * (double)age, lru;

	if (!l->rate || log_discount < -100) /* nothing to learn */
		return;
	l->weight[!expert] *= chance_exp((double)l->rate / SHARE_ONE * chance_exp(log_discount));
	lru = l->weight[LRU] / (l->weight[LRU] + l->weight[LFU]);
	lru = lru < least ? least : lru;
	lru = lru > 1 - least ? 1 - least : lru;
	ASSERT(lru >= 0 && lru <= 1);
	l->weight[LRU] = lru;
	l->weight[LFU] = 1 - lru;
}

static bool
lecar_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct lecar	   *l = self;
	frame_t		    ghost = ghosts_find(&l->ghosts, c, b);
	const struct frame *g = &l->ghosts.entry[ghost];

	l->now += demand;
	l->incoming = l->keep && ghost ? g->spare : 0;
	if (demand)
		l->incoming = more(l->incoming);
	if (!ghost)
		return false;
	if (demand)
		learn(l, g->list, l->now - l->left[ghost]);
	ghosts_remove(&l->ghosts, &l->remembered[g->list], c, ghost);
	return true;
}

/* Remember the block of frame f as a victim of this expert. */
static void
remember(struct lecar *l, const struct cache *c, frame_t f, uint8_t expert)
{
	struct flist *list = &l->remembered[expert];
	frame_t	      ghost =
	    ghosts_push_most(&l->ghosts, list, l->remembered_most, c, c->frame[f].block);

	l->ghosts.entry[ghost].list = expert;
	l->ghosts.entry[ghost].spare = c->frame[f].spare;
	l->left[ghost] = l->now;
}

static void
lecar_remove(void *self, struct cache *c, frame_t f)
{
	struct lecar *l = self;

	flist_remove(&l->recent, c->frame, f);
	ranks_remove(&l->ranks, f, c->frame[f].spare);
}

static frame_t
lecar_evict(void *self, struct cache *c, block_t incoming)
{
	struct lecar *l = self;
	bool	      lru = chance_share(chance_at(l->seed, l->draws++)) < l->weight[LRU];
	frame_t	      f = lru ? flist_last_evictable(&l->recent, c->frame)
			      : ranks_first_evictable(&l->ranks, c->frame);

	ASSERT(l->recent.len <= c->nused);
	lecar_remove(l, c, f);
	if (!(c->frame[f].flags & FRAME_PREFETCHED))
		remember(l, c, f, lru ? LRU : LFU);
	l->evicted[lru ? LRU : LFU]++;
	return f;
}

static void
lecar_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lecar *l = self;

	c->frame[f].spare = l->incoming;
	flist_push(&l->recent, c->frame, f);
	ranks_push(&l->ranks, f, l->incoming);
}

static const void *
lecar_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct lecar *)self)->ghosts, b);
}

POLICY(lecar,
    .plugin = {
	.name = "lecar",
	.summary = "LRU or LFU by chance, with weights learned from their mistakes (Vietri et al. 2018)",
	.source = "G. Vietri, L. V. Rodriguez, W. A. Martinez, S. Lyons, J. Liu, R. Rangaswami, M. Zhao, G. Narasimhan: Driving cache replacement with ML-based LeCaR, HotStorage 2018",
	.state_size = sizeof(struct lecar),
	.params = lecar_params,
	.counters = lecar_counters,
    },
    .unsampled = "it learns from every miss, and a sample has few",
    .on_hit = HIT_MOVES,
    .init = lecar_init,
    .release = lecar_release,
    .hit = lecar_hit,
    .miss = lecar_miss,
    .evict = lecar_evict,
    .insert = lecar_insert,
    .remove = lecar_remove,
    .expect = lecar_expect);

/*
 * lrfu.c - LRFU: between least recently and least frequently used.
 *
 * Every reference to a block weighs 2^(-lambda age), and the block whose
 * references weigh least goes.  Lambda 0 counts references, lambda 1 is LRU.
 * A frame keeps the sum at its last reference.  All sums fade alike, so that
 * log2(sum) + lambda * (time of the last reference) ranks them for ever.
 *
 *	D. Lee, J. Choi, J.-H. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim.
 *	LRFU: a spectrum of policies that subsumes the least recently used and
 *	least frequently used policies.  IEEE Transactions on Computers 50(12),
 *	2001.
 *
 * A list has the frames by their last reference.  Its oldest ones move to a
 * heap while they might rank before all others: the rank of a frame is at
 * least that of its last reference alone.  A hit leaves a frame in the heap,
 * which learns the new rank, never a lower one, when the frame comes first
 * with the old one.  (In the paper the recent frames are in the heap.)
 *
 * Prefetching: a prefetched block enters with a sum of 1, and its first demand
 * reference sets the sum to 1.  A hit is O(1), an eviction O(log frames) for
 * itself and for each frame that moves.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/core/fheap.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"
#include "sim/trace/chance.h"

#define LN2 0.69314718055994531

enum { RECENT, RANKED }; /* of a frame's list */
enum { DIGITS = 4, DIGIT_BITS = 8, DIGIT = 1 << DIGIT_BITS };

/* Of a frame. */
struct weight {
	double	 sum; /* of the weights of its references, at the last one */
	uint64_t last;
	uint64_t turn; /* of the last touch */
};

struct lrfu {
	struct flist   recent; /* head: newest */
	struct fheap   ranked;
	struct weight *weight; /* [frame] */
	uint64_t       lambda, crp;
	double	       scale;	/* of lambda; in a sample a reference stands for several */
	uint64_t       now;	/* demand references so far */
	uint64_t       touches; /* with prefetches */
	double	       fade[DIGITS][DIGIT]; /* 2^(-lambda age), by the digits of the age */
};

static const struct param lrfu_params[] = {
	{ "lambda", PARAM_SHARE, SHARE_ONE / 1000, 0, SHARE_ONE, offsetof(struct lrfu, lambda),
	    "0 counts references, 1 looks at the last one only", NULL },
	{ "crp", PARAM_COUNT, 0, 0, UINT32_MAX, offsetof(struct lrfu, crp),
	    "references within which those to one block count as one", NULL },
	{ 0 },
};

static double
exponent(const struct lrfu *l, uint64_t age)
{
	return (double)(l->lambda * age) / l->scale;
}

/* 2^-x; 0 where it no longer changes a sum. */
static double
power(double x)
{
	double whole = floor(x);

	return x > 200 ? 0 : ldexp(chance_exp((whole - x) * LN2), -(int)whole);
}

static int
lrfu_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct lrfu *l = self;

	l->scale = SHARE_ONE * cache_rate(c);
	l->crp = cache_scaled(c, l->crp);
	for (unsigned digit = 0; digit < DIGITS; digit++)
		for (uint64_t i = 0; i < DIGIT; i++)
			l->fade[digit][i] = power(exponent(l, i << digit * DIGIT_BITS));
	if (fheap_init(&l->ranked, c, e))
		return -1;
	l->weight = memory_table((size_t)c->nframes + 1, sizeof(*l->weight));
	return l->weight ? 0 : error_set(e, "out of memory for %u weights", c->nframes);
}

static void
lrfu_release(void *self)
{
	struct lrfu *l = self;

	fheap_release(&l->ranked);
	free(l->weight);
}

static double
faded(const struct lrfu *l, double sum, uint64_t age)
{
	if (unlikely(age > UINT32_MAX))
		age = UINT32_MAX;
	for (unsigned digit = 0; digit < DIGITS; digit++, age >>= DIGIT_BITS)
		sum *= l->fade[digit][age % DIGIT];
	return sum;
}

/* The bits of a number that is not negative are ordered as it is. */
static uint64_t
bits(double x)
{
	uint64_t n;

	memcpy(&n, &x, sizeof(n));
	return n;
}

static struct rank
rank_of(const struct lrfu *l, const struct weight *w)
{
	ASSERT(w->sum >= 1 && w->last <= l->now);
	return (struct rank){ bits(exponent(l, w->last) + chance_log(w->sum) / LN2), w->turn };
}

static void
lrfu_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lrfu   *l = self;
	struct weight *w = &l->weight[f];
	uint64_t       age = ++l->now - w->last;

	if (c->frame[f].flags & FRAME_PREFETCHED)
		w->sum = 1;
	else if (age > l->crp)
		w->sum = 1 + faded(l, w->sum, age);
	w->last = l->now;
	w->turn = ++l->touches;
	if (c->frame[f].list == RECENT)
		flist_to_head(&l->recent, c->frame, f);
}

static bool
lrfu_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	((struct lrfu *)self)->now += demand;
	return false;
}

/* `first` has the least rank in the heap.  False: it goes before all in the list, too. */
static bool
improve(struct lrfu *l, struct cache *c, frame_t first)
{
	frame_t f = l->recent.tail;

	if (first && l->ranked.rank[first].turn != l->weight[first].turn) {
		fheap_set(&l->ranked, first, rank_of(l, &l->weight[first]));
		return true;
	}
	if (!f || (first && bits(exponent(l, l->weight[f].last)) > l->ranked.rank[first].value))
		return false;
	flist_remove(&l->recent, c->frame, f);
	c->frame[f].list = RANKED;
	fheap_set(&l->ranked, f, rank_of(l, &l->weight[f]));
	return true;
}

static frame_t
lrfu_evict(void *self, struct cache *c, block_t incoming)
{
	struct lrfu *l = self;
	frame_t	     f;

	ASSERT(l->recent.len + l->ranked.n <= c->nused);
	for (;;) {
		while (improve(l, c, l->ranked.n ? l->ranked.heap[1] : NIL))
			;
		f = fheap_take_evictable(&l->ranked, c->frame);
		if (!improve(l, c, f)) /* those before it are in flight */
			return f;
		if (f)
			fheap_set(&l->ranked, f, rank_of(l, &l->weight[f]));
	}
}

static void
lrfu_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lrfu *l = self;

	l->weight[f] = (struct weight){ .sum = 1, .last = l->now, .turn = ++l->touches };
	c->frame[f].list = RECENT;
	flist_push(&l->recent, c->frame, f);
}

static void
lrfu_remove(void *self, struct cache *c, frame_t f)
{
	struct lrfu *l = self;

	if (c->frame[f].list == RECENT)
		flist_remove(&l->recent, c->frame, f);
	else
		fheap_remove(&l->ranked, f);
}

POLICY(lrfu,
    .plugin = {
	.name = "lrfu",
	.summary = "between least recently and least frequently used (Lee et al. 2001)",
	.source = "D. Lee et al.: LRFU: a spectrum of policies that subsumes the least recently used and least frequently used policies, IEEE Transactions on Computers 50(12), 2001",
	.state_size = sizeof(struct lrfu),
	.params = lrfu_params,
    },
    .on_hit = HIT_MOVES,
    .init = lrfu_init,
    .release = lrfu_release,
    .hit = lrfu_hit,
    .miss = lrfu_miss,
    .evict = lrfu_evict,
    .insert = lrfu_insert,
    .remove = lrfu_remove);

/*
 * sieve.c - SIEVE: FIFO with a bit per frame, and a hand that leaves used blocks where they are.
 *
 * A reference sets the bit.  The hand moves from the oldest frame to the
 * newest and then begins again at the oldest.  It clears the bits that it
 * finds set, and stops at the first frame whose bit is clear: the victim.
 * Unlike in CLOCK the frames that it passes keep their places, so that new
 * blocks, which come in at the head, are soon looked at.
 *
 *	Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson, K. V. Rashmi.  SIEVE is simpler
 *	than LRU: an efficient turn-key eviction algorithm for web caches.
 *	21st USENIX Symposium on Networked Systems Design and Implementation
 *	(NSDI), 2024.
 *
 * Prefetching: a prefetched block enters with its bit clear, and its first
 * demand reference leaves it clear, so that prefetch and first reference
 * together count as one.  O(1) amortised; a frame in flight is passed over and
 * keeps its bit.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

struct sieve {
	struct flist list; /* head: newest */
	frame_t	     hand; /* the next to be looked at; NIL: the tail */
};

static void
sieve_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct frame *fr = &c->frame[f];

	if (!(fr->flags & FRAME_PREFETCHED))
		fr->list = 1;
}

static void
sieve_remove(void *self, struct cache *c, frame_t f)
{
	struct sieve *s = self;

	if (s->hand == f)
		s->hand = c->frame[f].prev;
	flist_remove(&s->list, c->frame, f);
}

static frame_t
sieve_evict(void *self, struct cache *c, block_t incoming)
{
	struct sieve *s = self;
	frame_t	      f = s->hand ? s->hand : s->list.tail;

	ASSERT(s->list.len <= c->nused);
	for (struct frame *fr; fr = &c->frame[f], fr->list | (fr->flags & FRAME_INFLIGHT);) {
		if (!(fr->flags & FRAME_INFLIGHT))
			fr->list = 0;
		f = fr->prev ? fr->prev : s->list.tail;
	}
	s->hand = f;
	sieve_remove(s, c, f);
	return f;
}

static void
sieve_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	c->frame[f].list = 0;
	flist_push(&((struct sieve *)self)->list, c->frame, f);
}

POLICY(sieve,
    .plugin = {
	.name = "sieve",
	.summary = "FIFO with a reference bit and a hand that moves no frames (Zhang et al. 2024)",
	.source = "Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson, K. V. Rashmi: SIEVE is simpler than LRU: an efficient turn-key eviction algorithm for web caches, NSDI 2024",
	.state_size = sizeof(struct sieve),
    },
    .unsampled = "a new block may go at the next miss, and a sample has few misses",
    .on_hit = HIT_MARKS,
    .hit = sieve_hit,
    .evict = sieve_evict,
    .insert = sieve_insert,
    .remove = sieve_remove);

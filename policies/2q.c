/*
 * 2q.c - 2Q, full version: blocks referenced once pass through a short queue.
 *
 * A1in holds blocks that have come once, in the order of arrival; Am those
 * that came back after they had left it, by last reference; A1out remembers
 * the numbers of blocks that have left A1in.  While A1in is longer than kin,
 * its oldest block is evicted, and remembered; else the oldest of Am.
 *
 *	T. Johnson, D. Shasha.  2Q: a low overhead high performance buffer
 *	management replacement algorithm.  20th International Conference on
 *	Very Large Data Bases (VLDB), 1994.
 *
 * Prefetching: a prefetched block enters A1in, and its first demand reference
 * leaves it there, or moves it to Am if it was remembered.  A block evicted
 * before that is not remembered.  O(1).
 *
 * accusim=1 does as AccuSim did (Butt, Gniady, Hu, SIGMETRICS 2005): a
 * prefetched block that is remembered enters Am at once.
 */
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"

enum { A1IN, AM, WAS_GHOST = 1 << 7 }; /* of a frame's list */

struct twoq {
	struct flist  a1in, am, a1out; /* heads: newest */
	struct ghosts ghosts;	       /* in a1out */
	uint64_t      kin_part, kout_part, accusim;
	frame_t	      kin, kout;
	uint8_t	      incoming; /* where the block of the last miss() goes */
};

static const struct param twoq_params[] = {
	{ "kin", PARAM_PART, SHARE_ONE / 4, 1, SHARE_ONE, offsetof(struct twoq, kin_part),
	    "blocks in A1in before one of them goes", NULL },
	{ "kout", PARAM_PART, SHARE_ONE / 2, 1, SHARE_ONE, offsetof(struct twoq, kout_part),
	    "blocks remembered in A1out", NULL },
	{ "accusim", PARAM_COUNT, 0, 0, 1, offsetof(struct twoq, accusim),
	    "1: a prefetched block that is remembered enters Am at once", NULL },
	{ 0 },
};

static int
twoq_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct twoq *q = self;

	if (cache_part(c, q->kin_part, c->nframes, "kin of 2q", &q->kin, e) ||
	    cache_part(c, q->kout_part, c->nframes, "kout of 2q", &q->kout, e))
		return -1;
	return ghosts_init(&q->ghosts, q->kout + 1, c, e);
}

static void
twoq_release(void *self)
{
	ghosts_release(&((struct twoq *)self)->ghosts);
}

static struct flist *
list_of(struct twoq *q, const struct frame *fr)
{
	return fr->list & AM ? &q->am : &q->a1in;
}

static void
twoq_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct twoq  *q = self;
	struct frame *fr = &c->frame[f];

	if (fr->list & AM) {
		flist_to_head(&q->am, c->frame, f);
	} else if (fr->list & WAS_GHOST) {
		flist_remove(&q->a1in, c->frame, f);
		fr->list = AM;
		flist_push(&q->am, c->frame, f);
	}
}

static bool
twoq_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct twoq *q = self;
	frame_t	     ghost = ghosts_find(&q->ghosts, c, b);

	q->incoming = A1IN;
	if (!ghost)
		return false;
	ghosts_remove(&q->ghosts, &q->a1out, c, ghost);
	q->incoming = demand || q->accusim ? AM : A1IN | WAS_GHOST;
	return true;
}

static frame_t
twoq_evict(void *self, struct cache *c, block_t incoming)
{
	struct twoq *q = self;
	bool	     first = q->a1in.len > q->kin;
	frame_t	     f;

	ASSERT(q->a1in.len + q->am.len <= c->nused);
	f = flist_last_evictable(first ? &q->a1in : &q->am, c->frame);
	if (!f)
		f = flist_last_evictable(first ? &q->am : &q->a1in, c->frame);
	flist_remove(list_of(q, &c->frame[f]), c->frame, f);
	if (!(c->frame[f].list & AM) && !(c->frame[f].flags & FRAME_PREFETCHED))
		ghosts_push_most(&q->ghosts, &q->a1out, q->kout, c, c->frame[f].block);
	return f;
}

static void
twoq_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct twoq *q = self;

	ASSERT(q->a1out.len <= q->kout);
	c->frame[f].list = q->incoming;
	flist_enter(list_of(q, &c->frame[f]), c, f);
}

static void
twoq_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(list_of(self, &c->frame[f]), c->frame, f);
}

static const void *
twoq_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct twoq *)self)->ghosts, b);
}

POLICY(2q,
    .plugin = {
	.name = "2q",
	.summary = "blocks referenced once pass through a short queue (Johnson, Shasha 1994)",
	.source = "T. Johnson, D. Shasha: 2Q: a low overhead high performance buffer management replacement algorithm, VLDB 1994",
	.state_size = sizeof(struct twoq),
	.params = twoq_params,
    },
    .on_hit = HIT_MOVES,
    .places = 1 << INSERT_TAIL,
    .init = twoq_init,
    .release = twoq_release,
    .hit = twoq_hit,
    .miss = twoq_miss,
    .evict = twoq_evict,
    .insert = twoq_insert,
    .remove = twoq_remove,
    .expect = twoq_expect);

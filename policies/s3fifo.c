/*
 * s3fifo.c - S3-FIFO: three queues; blocks referenced once pass through a small one.
 *
 * New blocks enter the small queue S.  At its end, those that were referenced
 * `promote` times or more move to the main queue M; the others are evicted and
 * remembered in G.  A block that comes back while it is remembered enters M,
 * where it gets another round for every reference, up to three.
 *
 *	J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi.  FIFO queues are all you
 *	need for cache eviction.  29th ACM Symposium on Operating Systems
 *	Principles (SOSP), 2023.
 *
 * Departure: in the paper a block that moves from S to a full M may cause an
 * eviction from M besides; here exactly one frame is evicted.
 *
 * Prefetching: a prefetched block enters S, and its first demand reference
 * does not count, or moves it to M if it was remembered.  A block evicted
 * before that is not remembered.  O(1) amortised.
 */
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"

enum { USES = 3, MAIN = 1 << 2, WAS_GHOST = 1 << 7 }; /* of a frame's list; USES is also the most */

struct s3fifo {
	struct flist  small, main, remembered; /* S, M, G; heads: newest */
	struct ghosts ghosts;		       /* in G */
	uint64_t      small_part, promote;
	frame_t	      small_most, remembered_most;
	uint8_t	      incoming; /* where the block of the last miss() goes */
};

static const struct param s3fifo_params[] = {
	{ "small", PARAM_PART, SHARE_ONE / 10, 1, SHARE_ONE, offsetof(struct s3fifo, small_part),
	    "blocks in the small queue before one of them goes", NULL },
	{ "promote", PARAM_COUNT, 2, 1, USES, offsetof(struct s3fifo, promote),
	    "references in the small queue that move a block to the main queue", NULL },
	{ 0 },
};

static int
s3fifo_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct s3fifo *s = self;

	if (cache_part(c, s->small_part, c->nframes, "small of s3fifo", &s->small_most, e))
		return -1;
	s->remembered_most = s->small_most < c->nframes ? c->nframes - s->small_most : 1;
	return ghosts_init(&s->ghosts, s->remembered_most + 1, c, e);
}

static void
s3fifo_release(void *self)
{
	ghosts_release(&((struct s3fifo *)self)->ghosts);
}

static void
push_main(struct s3fifo *s, struct cache *c, frame_t f)
{
	c->frame[f].list = MAIN;
	flist_push(&s->main, c->frame, f);
}

static void
s3fifo_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct s3fifo *s = self;
	struct frame  *fr = &c->frame[f];

	if (likely(!(fr->flags & FRAME_PREFETCHED))) {
		if ((fr->list & USES) < USES)
			fr->list++;
	} else if (fr->list & WAS_GHOST) {
		flist_remove(&s->small, c->frame, f);
		push_main(s, c, f);
	}
}

static bool
s3fifo_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct s3fifo *s = self;
	frame_t	       ghost = ghosts_find(&s->ghosts, c, b);

	s->incoming = 0;
	if (!ghost)
		return false;
	ghosts_remove(&s->ghosts, &s->remembered, c, ghost);
	s->incoming = demand ? MAIN : WAS_GHOST;
	return true;
}

/* Unlink the frame of S that goes, after moving those to M that stay; NIL: S has none that may go. */
static frame_t
evict_small(struct s3fifo *s, struct cache *c)
{
	frame_t f;

	while ((f = flist_last_evictable(&s->small, c->frame))) {
		flist_remove(&s->small, c->frame, f);
		if ((c->frame[f].list & USES) < s->promote)
			break;
		push_main(s, c, f);
	}
	return f;
}

/* The same of M, whose frames get another round for a reference. */
static frame_t
evict_main(struct s3fifo *s, struct cache *c)
{
	frame_t f;

	while ((f = flist_last_evictable(&s->main, c->frame)) && c->frame[f].list & USES) {
		c->frame[f].list--;
		flist_to_head(&s->main, c->frame, f);
	}
	if (f)
		flist_remove(&s->main, c->frame, f);
	return f;
}

static frame_t
s3fifo_evict(void *self, struct cache *c, block_t incoming)
{
	struct s3fifo *s = self;
	frame_t	       f = NIL;

	ASSERT(s->small.len + s->main.len <= c->nused);
	if (s->small.len >= s->small_most)
		f = evict_small(s, c);
	if (!f)
		f = evict_main(s, c);
	if (unlikely(!f)) /* all of M is in flight, or M is empty */
		f = evict_small(s, c);
	if (unlikely(!f)) /* they all moved to M */
		f = evict_main(s, c);
	ASSERT(f && s->remembered.len <= s->remembered_most);
	if (!(c->frame[f].list & MAIN) && !(c->frame[f].flags & FRAME_PREFETCHED))
		ghosts_push_most(&s->ghosts, &s->remembered, s->remembered_most, c,
		    c->frame[f].block);
	return f;
}

static void
s3fifo_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct s3fifo *s = self;

	c->frame[f].list = s->incoming;
	flist_enter(s->incoming & MAIN ? &s->main : &s->small, c, f);
}

static void
s3fifo_remove(void *self, struct cache *c, frame_t f)
{
	struct s3fifo *s = self;

	flist_remove(c->frame[f].list & MAIN ? &s->main : &s->small, c->frame, f);
}

static const void *
s3fifo_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct s3fifo *)self)->ghosts, b);
}

POLICY(s3fifo,
    .plugin = {
	.name = "s3fifo",
	.summary = "three queues: blocks referenced once pass through a small one (Yang et al. 2023)",
	.source = "J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi: FIFO queues are all you need for cache eviction, SOSP 2023",
	.state_size = sizeof(struct s3fifo),
	.params = s3fifo_params,
    },
    .on_hit = HIT_MARKS,
    .places = 1 << INSERT_TAIL,
    .init = s3fifo_init,
    .release = s3fifo_release,
    .hit = s3fifo_hit,
    .miss = s3fifo_miss,
    .evict = s3fifo_evict,
    .insert = s3fifo_insert,
    .remove = s3fifo_remove,
    .expect = s3fifo_expect);

/*
 * lru.c - least recently used.
 *
 * Evicts the block with the oldest last reference.  One list with the most
 * recently used frame at its head; every reference moves its frame there.
 *
 *	R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger.  Evaluation
 *	techniques for storage hierarchies.  IBM Systems Journal 9(2), 1970.
 *
 * Prefetching: a prefetched block enters at the head as if referenced, as
 * in AccuSim (Butt, Gniady and Hu, SIGMETRICS 2005), so useless prefetches
 * evict useful blocks.  With --insert middle the list is kept in two halves,
 * and prefetched blocks enter at the head of the older one.  The parameters are
 * those that AMP expects of the cache (Gill and Bathen, FAST 2007).
 *
 * O(1), except that evict() skips frames in flight.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { OLDER = 1 << 0, RETURNED = 1 << 1 }; /* of a frame's list */
enum { FIRST_MOVE, FIRST_STAY };

struct lru {
	struct flist young, older; /* older: empty without --insert middle */
	bool	     plain;	   /* no parameters, and --insert head */
	uint64_t     first, second;
};

static const char *const first_words[] = { "move", "stay", NULL };

static const struct param lru_params[] = {
	{ "first", PARAM_WORD, FIRST_MOVE, FIRST_MOVE, FIRST_STAY, offsetof(struct lru, first),
	    "does the first reference to a prefetched block move it?", first_words },
	{ "second", PARAM_COUNT, 0, 0, 1, offsetof(struct lru, second),
	    "1: an unused prefetched block returns to the head once before it is evicted", NULL },
	{ 0 },
};

static int
lru_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct lru *lru = self;

	lru->plain = !lru->first && !lru->second && c->ahead == INSERT_HEAD;
	return 0;
}

static void
unlink_frame(struct lru *lru, struct frame *fr, frame_t f)
{
	flist_remove(fr[f].list & OLDER ? &lru->older : &lru->young, fr, f);
	fr[f].list &= (uint8_t)~OLDER;
}

/* Frames move between the halves until they are equally long. */
static void
balance(struct lru *lru, struct cache *c)
{
	frame_t f, half = (lru->young.len + lru->older.len) / 2;

	while (c->ahead == INSERT_MIDDLE && lru->older.len < half) {
		f = lru->young.tail;
		flist_remove(&lru->young, c->frame, f);
		c->frame[f].list |= OLDER;
		flist_push(&lru->older, c->frame, f);
	}
	while (lru->older.len > half) {
		f = lru->older.head;
		unlink_frame(lru, c->frame, f);
		flist_append(&lru->young, c->frame, f);
	}
	ASSERT(c->ahead == INSERT_MIDDLE ? lru->older.len == half : !lru->older.len);
}

static RARE void
hit_specially(struct lru *lru, struct cache *c, frame_t f)
{
	if (lru->first == FIRST_STAY && c->frame[f].flags & FRAME_PREFETCHED)
		return;
	unlink_frame(lru, c->frame, f);
	flist_push(&lru->young, c->frame, f);
	balance(lru, c);
}

static void
lru_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lru *lru = self;

	if (likely(lru->plain))
		flist_to_head(&lru->young, c->frame, f);
	else
		hit_specially(lru, c, f);
}

static frame_t
oldest(const struct lru *lru, const struct frame *fr)
{
	frame_t f = flist_last_evictable(&lru->older, fr);

	return f ? f : flist_last_evictable(&lru->young, fr);
}

static RARE frame_t
evict_specially(struct lru *lru, struct cache *c)
{
	frame_t f;

	ASSERT(lru->young.len + lru->older.len <= c->nused);
	while (f = oldest(lru, c->frame),
	    lru->second && c->frame[f].flags & FRAME_PREFETCHED && !(c->frame[f].list & RETURNED)) {
		c->frame[f].list |= RETURNED;
		unlink_frame(lru, c->frame, f);
		flist_push(&lru->young, c->frame, f);
		balance(lru, c);
	}
	unlink_frame(lru, c->frame, f);
	return f;
}

static frame_t
lru_evict(void *self, struct cache *c, block_t incoming)
{
	struct lru *lru = self;
	frame_t	    victim;

	if (unlikely(!lru->plain))
		return evict_specially(lru, c);
	ASSERT(lru->young.len <= c->nused);
	victim = flist_last_evictable(&lru->young, c->frame);
	flist_remove(&lru->young, c->frame, victim);
	return victim;
}

static RARE void
insert_specially(struct lru *lru, struct cache *c, frame_t f)
{
	c->frame[f].list = 0;
	if (c->ahead == INSERT_MIDDLE && c->frame[f].flags & FRAME_PREFETCHED) {
		c->frame[f].list = OLDER;
		flist_push(&lru->older, c->frame, f);
	} else {
		flist_enter(&lru->young, c, f);
	}
	balance(lru, c);
}

static void
lru_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct lru *lru = self;

	if (likely(lru->plain))
		flist_push(&lru->young, c->frame, f);
	else
		insert_specially(lru, c, f);
}

static void
lru_remove(void *self, struct cache *c, frame_t f)
{
	unlink_frame(self, c->frame, f);
	balance(self, c);
}

POLICY(lru,
    .plugin = {
	.name = "lru",
	.summary = "least recently used (Mattson et al. 1970)",
	.source = "R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger: Evaluation techniques for storage hierarchies, IBM Systems Journal 9(2), 1970",
	.state_size = sizeof(struct lru),
	.params = lru_params,
    },
    .on_hit = HIT_MOVES,
    .places = 1 << INSERT_MIDDLE | 1 << INSERT_TAIL,
    .init = lru_init,
    .hit = lru_hit,
    .evict = lru_evict,
    .insert = lru_insert,
    .remove = lru_remove);

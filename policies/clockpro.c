/*
 * clockpro.c - CLOCK-Pro: LIRS with reference bits instead of a stack.
 *
 * All blocks are on one circle, in the order in which they were put at its
 * head: hot ones, cold ones, and ghosts, which were evicted during their test.
 * A cold block starts a test when it comes; if it is referenced again before
 * the end of that, it becomes hot.  Three hands move around.  The cold hand
 * looks for a cold block to evict, the hot hand for a hot block to make cold
 * if there are too many, and the test hand ends tests if there are too many
 * ghosts.  The head is just behind the hot hand.  The number of frames for
 * cold blocks rises with every test that a reference ends, and falls with
 * every one that ends without.
 *
 *	S. Jiang, F. Chen, X. Zhang.  CLOCK-Pro: an effective improvement of the
 *	CLOCK replacement.  USENIX Annual Technical Conference, 2005.
 *
 * Departures: cold blocks have at least `cold` frames, not 1, as a readahead
 * batch passes through them.  The paper leaves open where a hand stands after
 * a change of the circle: a hand that stands with the hot hand sees the next
 * block at the head first.
 *
 * Prefetching: a prefetched block comes as a cold one in its test, and its
 * first demand reference does not set the bit, unless the block had a ghost.
 * A block evicted before that leaves no ghost.
 *
 * The circle is a ring in which an entry that left is a gap; what the hot hand
 * passes moves to the head.  So hands read memory in order, and only the hot
 * hand and cold entries read a frame.  O(1) amortised.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/policy.h"

enum kind { GAP, GHOST, HOT, COLD, TESTED }; /* TESTED: cold, in its test */

enum { REFERENCED = 1, WAS_GHOST = 2 }; /* of a frame's list */
enum { COLD_LEAST = 32, SOON = 8 };

#define FRAMES_MOST (UINT32_C(1) << 29) /* so that the ring has room for as many gaps */
#define NOT_GIVEN UINT64_MAX		/* of a parameter */

struct clockpro {
	uint8_t	 *kind;	 /* [mask + 1] */
	uint32_t *id;	 /* [mask + 1]: the frame of an entry; of a ghost, the block */
	uint32_t *ghost; /* by slot: 1 + the index of the ghost of a block, or 0 */
	uint32_t  mask;
	uint32_t  hot, cold, test; /* hands; entries hot .. head - 1 are the circle */
	uint32_t  head;
	uint32_t  nhot, ncold, nghosts;
	frame_t	  target, least, most; /* frames for cold blocks */
	bool	  filled;	       /* a block has been evicted */
	bool	  returns;	       /* the block of the last miss() had a ghost */
	frame_t	  comes;	       /* the frame of insert(), else NIL */
	uint64_t  cold_part;
};

static const struct param clockpro_params[] = {
	{ "cold", PARAM_PART, NOT_GIVEN, 1, SHARE_ONE, offsetof(struct clockpro, cold_part),
	    "least frames for cold blocks; default 32b, but at most 25%", NULL },
	{ 0 },
};

/* The least number of frames for cold blocks. */
static int
cold_frames(struct clockpro *p, const struct cache *c, struct error *e)
{
	frame_t quarter = c->nframes / 4, least = (frame_t)cache_scaled(c, COLD_LEAST);

	p->most = c->nframes > 1 ? c->nframes - 1 : 1;
	if (p->cold_part != NOT_GIVEN)
		return cache_part(c, p->cold_part, p->most, "cold of clockpro", &p->least, e);
	p->least = quarter < least ? quarter : least;
	p->least = p->least ? p->least : 1;
	return 0;
}

/* As many ghosts as frames, and one more for a moment; half of the ring is gaps. */
static int
clockpro_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct clockpro *p = self;
	uint32_t	 entries = 2 * c->nframes + 1;

	if (c->nframes > FRAMES_MOST)
		return error_usage(e,
		    "clockpro has at most %u blocks: choose a smaller cache, not %u", FRAMES_MOST,
		    c->nframes);
	if (cold_frames(p, c, e))
		return -1;
	p->target = p->least;
	entries = entries < c->nblocks ? entries : c->nblocks;
	for (p->mask = 3; p->mask / 2 < entries && p->mask < 4 * FRAMES_MOST - 1;
	     p->mask = 2 * p->mask + 1)
		;
	p->kind = memory_table((size_t)p->mask + 1, sizeof(*p->kind));
	p->id = memory_table((size_t)p->mask + 1, sizeof(*p->id));
	p->ghost = memory_table(c->nblocks, sizeof(*p->ghost));
	if (!p->kind || !p->id || !p->ghost)
		return error_set(e, "out of memory for a circle of %u blocks of %u", entries,
		    c->nblocks);
	return 0;
}

static void
clockpro_release(void *self)
{
	struct clockpro *p = self;

	free(p->kind);
	free(p->id);
	free(p->ghost);
}

/* ---- the circle ---- */

ALWAYS_INLINE uint8_t *
kind_at(const struct clockpro *p, uint32_t i)
{
	return &p->kind[i & p->mask];
}

ALWAYS_INLINE uint32_t *
id_at(const struct clockpro *p, uint32_t i)
{
	return &p->id[i & p->mask];
}

ALWAYS_INLINE uint32_t *
ghost_of(const struct clockpro *p, const struct cache *c, block_t b)
{
	return &p->ghost[slots_find(&c->slots, b)];
}

/* Write entry i, and what points to it. */
ALWAYS_INLINE void
enter(struct clockpro *p, struct cache *c, uint32_t i, uint8_t kind, uint32_t id)
{
	ASSERT(id && i - p->hot <= p->mask);
	*kind_at(p, i) = kind;
	*id_at(p, i) = id;
	if (kind == GHOST)
		*ghost_of(p, c, id) = (i & p->mask) + 1;
	else
		c->frame[id].next = i;
}

/* The ring is full: close the gaps. */
static void
squeeze(struct clockpro *p, struct cache *c)
{
	uint32_t to = p->hot, cold = p->head, test = p->head;

	for (uint32_t i = p->hot; i != p->head; i++) {
		uint8_t kind = *kind_at(p, i);

		if (i == p->cold)
			cold = to;
		if (i == p->test)
			test = to;
		if (kind == GAP)
			continue;
		if (i != to)
			enter(p, c, to, kind, *id_at(p, i));
		to++;
	}
	p->cold = cold == p->head ? to : cold;
	p->test = test == p->head ? to : test;
	p->head = to;
	ASSERT(p->head - p->hot <= p->mask); /* there was a gap */
}

/* Frame f goes to the head. */
static void
push(struct clockpro *p, struct cache *c, frame_t f, uint8_t kind)
{
	if (unlikely(p->head - p->hot > p->mask))
		squeeze(p, c);
	while (p->hot != p->head && *kind_at(p, p->hot) == GAP) {
		p->cold += p->cold == p->hot;
		p->test += p->test == p->hot;
		p->hot++;
	}
	if (p->cold == p->hot)
		p->cold = p->head;
	if (p->test == p->hot)
		p->test = p->head;
	enter(p, c, p->head++, kind, f);
}

/* The hot hand goes on; what it pointed to is then at the head. */
ALWAYS_INLINE void
pass(struct clockpro *p, struct cache *c)
{
	uint32_t i = p->hot++, to = p->hot;
	uint8_t	 kind = *kind_at(p, i);

	if (kind != GAP) {
		to = p->head++;
		*kind_at(p, i) = GAP;
		enter(p, c, to, kind, *id_at(p, i));
	}
	if (p->cold == i)
		p->cold = to;
	if (p->test == i)
		p->test = to;
}

/* ---- what the hands do ---- */

/* Hands pass over frames in flight, but insert() must not depend on whether its own frame is. */
ALWAYS_INLINE bool
flies(const struct clockpro *p, const struct cache *c, frame_t f)
{
	return c->frame[f].flags & FRAME_INFLIGHT && f != p->comes;
}

ALWAYS_INLINE void
lower(struct clockpro *p)
{
	p->target -= p->target > p->least;
}

ALWAYS_INLINE void
raise(struct clockpro *p)
{
	p->target += p->target < p->most;
}

/* End the test of entry i, if there is one. */
ALWAYS_INLINE void
end_test(struct clockpro *p, const struct cache *c, uint32_t i)
{
	uint32_t id = *id_at(p, i);

	if (*kind_at(p, i) == GHOST) {
		ASSERT(p->nghosts && *ghost_of(p, c, id) == (i & p->mask) + 1);
		*kind_at(p, i) = GAP;
		*ghost_of(p, c, id) = 0;
		p->nghosts--;
		lower(p);
	} else if (*kind_at(p, i) == TESTED && !flies(p, c, id)) {
		*kind_at(p, i) = COLD;
		if (!(c->frame[id].list & REFERENCED))
			lower(p);
	}
}

/* The hot hand makes one block cold.  False: it has passed all hot ones twice, and they are in flight. */
static bool
cool(struct clockpro *p, struct cache *c)
{
	for (uint64_t flying = 0; flying <= 2 * (uint64_t)p->nhot; pass(p, c)) {
		frame_t f = *id_at(p, p->hot);

		if (*kind_at(p, p->hot) != HOT) {
			end_test(p, c, p->hot);
		} else if (flies(p, c, f)) {
			flying++;
		} else if (c->frame[f].list & REFERENCED) {
			c->frame[f].list = 0;
		} else {
			ASSERT(p->nhot);
			*kind_at(p, p->hot) = COLD;
			p->nhot--;
			p->ncold++;
			return true;
		}
	}
	return false;
}

static void
balance(struct clockpro *p, struct cache *c)
{
	while (p->nhot > c->nframes - p->target && cool(p, c))
		;
}

/* The cold hand goes on to the next cold block; its frame. */
ALWAYS_INLINE frame_t
next_cold(struct clockpro *p)
{
	for (;; p->cold++) {
		if (p->cold == p->head)
			p->cold = p->hot;
		if (*kind_at(p, p->cold) >= COLD)
			return *id_at(p, p->cold);
	}
}

/* A cold block that has been referenced goes to the head. */
static void
spare(struct clockpro *p, struct cache *c, frame_t f)
{
	bool tested = *kind_at(p, p->cold) == TESTED;

	*kind_at(p, p->cold) = GAP;
	c->frame[f].list = 0;
	if (!tested) {
		push(p, c, f, TESTED);
		return;
	}
	raise(p);
	ASSERT(p->ncold);
	p->ncold--;
	p->nhot++;
	push(p, c, f, HOT);
	balance(p, c);
}

/* ---- references ---- */

static void
clockpro_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct frame *fr = &c->frame[f];

	if (fr->flags & FRAME_PREFETCHED)
		fr->list = fr->list & WAS_GHOST ? REFERENCED : 0;
	else
		fr->list = REFERENCED;
}

static bool
clockpro_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct clockpro *p = self;
	uint32_t	*ghost = ghost_of(p, c, b);

	p->returns = *ghost != 0;
	if (!*ghost)
		return false;
	ASSERT(p->nghosts && *kind_at(p, *ghost - 1) == GHOST);
	*kind_at(p, *ghost - 1) = GAP;
	*ghost = 0;
	p->nghosts--;
	if (demand)
		raise(p);
	return true;
}

static const void *
clockpro_expect(const void *self, block_t b)
{
	return &((const struct clockpro *)self)->ghost[b];
}

static frame_t
clockpro_evict(void *self, struct cache *c, block_t incoming)
{
	struct clockpro *p = self;
	uint32_t	 flying = 0;
	frame_t		 f;

	ASSERT(p->nhot + p->ncold <= c->nused);
	p->filled = true;
	for (;;) {
		if (flying == p->ncold) {
			cool(p, c);
			flying = 0;
		}
		f = next_cold(p);
		if (c->frame[f].flags & FRAME_INFLIGHT) {
			flying++;
			p->cold++;
		} else if (c->frame[f].list & REFERENCED) {
			spare(p, c, f);
			flying = 0;
		} else {
			break;
		}
	}
	p->ncold--;
	if (*kind_at(p, p->cold) == TESTED && !(c->frame[f].flags & FRAME_PREFETCHED)) {
		enter(p, c, p->cold, GHOST, c->frame[f].block);
		p->nghosts++;
	} else {
		*kind_at(p, p->cold) = GAP;
	}
	return f;
}

static void
clockpro_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct clockpro *p = self;
	bool		 ahead = c->frame[f].flags & FRAME_PREFETCHED;
	bool		 fits = !p->filled && p->nhot < c->nframes - p->target;

	c->frame[f].list = ahead && p->returns ? WAS_GHOST : 0;
	if (!ahead && (p->returns || fits)) {
		p->nhot++;
		push(p, c, f, HOT);
	} else {
		p->ncold++;
		push(p, c, f, TESTED);
	}
	p->comes = f;
	balance(p, c);
	while (p->nghosts > c->nframes) {
		if (p->test == p->head)
			p->test = p->hot;
		end_test(p, c, p->test++);
	}
	p->comes = NIL;
	ASSERT(p->target >= p->least && p->target <= p->most);
}

static void
clockpro_remove(void *self, struct cache *c, frame_t f)
{
	struct clockpro *p = self;
	uint8_t		*kind = kind_at(p, c->frame[f].next);

	ASSERT(*kind >= HOT && *id_at(p, c->frame[f].next) == f);
	if (*kind == HOT)
		p->nhot--;
	else
		p->ncold--;
	*kind = GAP;
}

POLICY(clockpro,
    .plugin = {
	.name = "clockpro",
	.summary = "LIRS with reference bits instead of a stack (Jiang, Chen, Zhang 2005)",
	.source = "S. Jiang, F. Chen, X. Zhang: CLOCK-Pro: an effective improvement of the CLOCK replacement, USENIX ATC 2005",
	.state_size = sizeof(struct clockpro),
	.params = clockpro_params,
    },
    .on_hit = HIT_MARKS,
    .init = clockpro_init,
    .release = clockpro_release,
    .hit = clockpro_hit,
    .miss = clockpro_miss,
    .expect = clockpro_expect,
    .evict = clockpro_evict,
    .insert = clockpro_insert,
    .remove = clockpro_remove);

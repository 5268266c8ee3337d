/*
 * directory.h - the four lists of ARC and CAR.
 *
 * T1 holds the resident blocks that have come once, T2 those that came back;
 * B1 and B2 remember the numbers of blocks that have left T1 and T2.  With c
 * frames, T1 and B1 have at most c entries together, all four at most 2 c.
 * The target is the length of T1 to aim at: a demand for a block in B1 raises
 * it, one for a block in B2 lowers it.
 *
 * A block enters T1 after directory_make_room(), so that the limits hold
 * also if a block came into an empty frame; an eviction adds at most one
 * ghost for one frame, and a move from T1 to T2 only shortens T1.
 */
#ifndef POLICIES_DIRECTORY_H
#define POLICIES_DIRECTORY_H

#include "sim/core/ghosts.h"

enum { T1, T2, WAS_GHOST = 1 << 7 }; /* of a frame's list; of a ghost: T1 is B1, T2 is B2 */

struct directory {
	struct flist  t[2], b[2]; /* heads: newest */
	struct ghosts ghosts;	  /* in b */
	double	      target;
};

static inline int
directory_init(struct directory *d, const struct cache *c, struct error *e)
{
	return ghosts_init(&d->ghosts, 2 * (uint64_t)c->nframes, c, e);
}

static inline struct flist *
directory_list(struct directory *d, const struct frame *fr)
{
	return &d->t[fr->list & T2];
}

/* The list that remembers this ghost: T1 or T2. */
static inline uint8_t
directory_side(const struct directory *d, frame_t ghost)
{
	return d->ghosts.entry[ghost].list;
}

static inline void
directory_forget(struct directory *d, const struct cache *c, frame_t ghost)
{
	ghosts_remove(&d->ghosts, &d->b[directory_side(d, ghost)], c, ghost);
}

/* A ghost is demanded: aim at a longer T1 if it is in B1, at a shorter one if it is in B2. */
static inline void
directory_adapt(struct directory *d, const struct cache *c, frame_t ghost, bool whole_steps)
{
	uint8_t side = directory_side(d, ghost);
	frame_t other = d->b[!side].len, own = d->b[side].len;
	double	step;

	ASSERT(own); /* the ghost itself */
	step = whole_steps ? other / own : (double)other / own;
	if (step < 1)
		step = 1;
	d->target += side == T1 ? step : -step;
	if (d->target > c->nframes)
		d->target = c->nframes;
	if (d->target < 0)
		d->target = 0;
}

/* A block that no list has will enter T1: forget a ghost if that would exceed a limit. */
static inline void
directory_make_room(struct directory *d, const struct cache *c)
{
	uint64_t first = (uint64_t)d->t[T1].len + d->b[T1].len;

	ASSERT(first <= c->nframes);
	ASSERT(first + d->t[T2].len + d->b[T2].len <= 2 * (uint64_t)c->nframes);
	if (first >= c->nframes)
		directory_forget(d, c, d->b[T1].tail);
	else if (first + d->t[T2].len + d->b[T2].len >= 2 * (uint64_t)c->nframes)
		directory_forget(d, c, d->b[T2].tail);
}

/* Into T1 or T2; the frame is in no list.  A prefetched block enters T1, where the cache says. */
static inline void
directory_push(struct directory *d, struct cache *c, frame_t f, uint8_t list)
{
	c->frame[f].list = list;
	if (list & T2)
		flist_push(&d->t[T2], c->frame, f);
	else
		flist_enter(&d->t[T1], c, f);
}

/* To the head of T2, without marks. */
static inline void
directory_promote(struct directory *d, struct cache *c, frame_t f)
{
	flist_remove(directory_list(d, &c->frame[f]), c->frame, f);
	directory_push(d, c, f, T2);
}

/* The oldest frame of T1 if that is preferred, else of T2, that is not in flight; else of the other. */
static inline frame_t
directory_oldest(const struct directory *d, const struct frame *fr, bool first)
{
	frame_t f = flist_last_evictable(&d->t[first ? T1 : T2], fr);

	return f ? f : flist_last_evictable(&d->t[first ? T2 : T1], fr);
}

/* Frame f leaves, and its block becomes a ghost if it is to be remembered. */
static inline void
directory_evict(struct directory *d, struct cache *c, frame_t f, bool remember)
{
	const struct frame *fr = &c->frame[f];
	uint8_t		    side = fr->list & T2;
	frame_t		    ghost;

	ASSERT(d->target >= 0 && d->target <= c->nframes);
	flist_remove(&d->t[side], c->frame, f);
	if (!remember)
		return;
	ghost = ghosts_push(&d->ghosts, &d->b[side], c, fr->block);
	d->ghosts.entry[ghost].list = side;
}

#endif

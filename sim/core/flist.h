/*
 * flist.h - doubly linked lists of frames.  The links are 32-bit indices in
 * the frames.  A zeroed list is empty.
 */
#ifndef SIM_FLIST_H
#define SIM_FLIST_H

#include "sim/core/cache.h"

struct flist {
	frame_t head, tail, len;
};

ALWAYS_INLINE void
flist_push(struct flist *l, struct frame *fr, frame_t f)
{
	ASSERT(f && f != l->head && f != l->tail);
	ASSERT(!l->head == !l->len && !l->tail == !l->len);
	fr[f].prev = NIL;
	fr[f].next = l->head;
	if (l->head)
		fr[l->head].prev = f;
	else
		l->tail = f;
	l->head = f;
	l->len++;
}

static RARE __attribute__((unused)) void
flist_append(struct flist *l, struct frame *fr, frame_t f)
{
	ASSERT(f && f != l->head && f != l->tail);
	ASSERT(!l->head == !l->len && !l->tail == !l->len);
	fr[f].next = NIL;
	fr[f].prev = l->tail;
	if (l->tail)
		fr[l->tail].next = f;
	else
		l->head = f;
	l->tail = f;
	l->len++;
}

/* Frame f of the cache enters at the head, or at the tail if that is where prefetched blocks go. */
ALWAYS_INLINE void
flist_enter(struct flist *l, const struct cache *c, frame_t f)
{
	if (unlikely(c->ahead == INSERT_TAIL) && c->frame[f].flags & FRAME_PREFETCHED)
		flist_append(l, c->frame, f);
	else
		flist_push(l, c->frame, f);
}

ALWAYS_INLINE void
flist_remove(struct flist *l, struct frame *fr, frame_t f)
{
	frame_t prev = fr[f].prev, next = fr[f].next;

	/* it is in this list */
	ASSERT(l->len && (prev ? fr[prev].next : l->head) == f);
	ASSERT((next ? fr[next].prev : l->tail) == f);
	if (prev)
		fr[prev].next = next;
	else
		l->head = next;
	if (next)
		fr[next].prev = prev;
	else
		l->tail = prev;
	l->len--;
}

ALWAYS_INLINE void
flist_to_head(struct flist *l, struct frame *fr, frame_t f)
{
	if (l->head == f)
		return;
	flist_remove(l, fr, f);
	flist_push(l, fr, f);
}

/* The frame nearest the tail that is not in flight, or NIL. */
ALWAYS_INLINE frame_t
flist_last_evictable(const struct flist *l, const struct frame *fr)
{
	frame_t f = l->tail;

	while (f && unlikely(fr[f].flags & FRAME_INFLIGHT))
		f = fr[f].prev;
	return f;
}

#endif

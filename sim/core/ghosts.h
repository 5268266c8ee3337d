/*
 * ghosts.h - the numbers of blocks that have left the cache, for policies that
 * remember them.
 *
 * A ghost has the links, the list number and the flags of a frame, so that
 * lists of ghosts are those of flist.h.  A policy that remembers more keeps a
 * table of its own, by the number of the ghost.  16 bytes a ghost and 4 a
 * block of the trace.
 */
#ifndef SIM_GHOSTS_H
#define SIM_GHOSTS_H

#include "sim/core/flist.h"

struct ghosts {
	struct frame *entry; /* [1 .. n] */
	frame_t	     *of;    /* by slot: the ghost of a block, or NIL */
	frame_t	      n, nused;
	frame_t	      vacant; /* list, by next */
};

/* Room for n ghosts of the blocks of that cache, and for no more than there are blocks. */
int  ghosts_init(struct ghosts *g, uint64_t n, const struct cache *c, struct error *e);
void ghosts_release(struct ghosts *g);

/* What ghosts_find() will look at; not in a sparse trace. */
ALWAYS_INLINE const void *
ghosts_expect(const struct ghosts *g, block_t b)
{
	return &g->of[b];
}

/* The ghost of block b, or NIL. */
ALWAYS_INLINE frame_t
ghosts_find(const struct ghosts *g, const struct cache *c, block_t b)
{
	return g->of[slots_find(&c->slots, b)];
}

/* Remember block b, which was in the cache, at the head of a list.  There is room. */
ALWAYS_INLINE frame_t
ghosts_push(struct ghosts *g, struct flist *l, const struct cache *c, block_t b)
{
	frame_t i = g->vacant;

	ASSERT(b && !ghosts_find(g, c, b));
	if (i)
		g->vacant = g->entry[i].next;
	else
		i = ++g->nused;
	ASSERT(i <= g->n);
	g->entry[i] = (struct frame){ .block = b };
	g->of[slots_find(&c->slots, b)] = i;
	flist_push(l, g->entry, i);
	return i;
}

/* Forget ghost i, which is in that list. */
ALWAYS_INLINE void
ghosts_remove(struct ghosts *g, struct flist *l, const struct cache *c, frame_t i)
{
	ASSERT(i && ghosts_find(g, c, g->entry[i].block) == i);
	flist_remove(l, g->entry, i);
	g->of[slots_find(&c->slots, g->entry[i].block)] = NIL;
	g->entry[i].next = g->vacant;
	g->vacant = i;
}

/* The same as ghosts_push(); if the list then has more than `most`, at least 1, its oldest goes. */
ALWAYS_INLINE frame_t
ghosts_push_most(struct ghosts *g, struct flist *l, frame_t most, const struct cache *c, block_t b)
{
	frame_t i = ghosts_push(g, l, c, b);

	if (l->len > most)
		ghosts_remove(g, l, c, l->tail);
	return i;
}

#endif

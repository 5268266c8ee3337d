/*
 * fheap.h - a heap of frames: the one with the least rank goes first.  Frames
 * of equal rank go in the order of their turns; every rank is given with a
 * turn of its own.  24 bytes a frame.
 */
#ifndef SIM_FHEAP_H
#define SIM_FHEAP_H

#include "sim/core/cache.h"

struct rank {
	uint64_t value, turn;
};

struct fheap {
	struct rank *rank; /* [frame] */
	frame_t	    *heap; /* [1 .. n] */
	frame_t	    *at;   /* [frame] its place in heap; 0: not in it */
	frame_t	     n;
};

int  fheap_init(struct fheap *h, const struct cache *c, struct error *e);
void fheap_release(struct fheap *h);

/* Frame f, which may be in the heap, has this rank from now on. */
void fheap_set(struct fheap *h, frame_t f, struct rank r);

void fheap_remove(struct fheap *h, frame_t f);

/* Remove and return the first frame that is not in flight; NIL: there is none.  Uses the frames' next. */
frame_t fheap_take_evictable(struct fheap *h, struct frame *fr);

#endif

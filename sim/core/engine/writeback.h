/*
 * writeback.h - the dirty frames, oldest first, and the time when each became
 * dirty.
 *
 * The links are separate from struct frame, whose links belong to the policy;
 * a trace without writes needs none.
 */
#ifndef SIM_WRITEBACK_H
#define SIM_WRITEBACK_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct dirty {
	frame_t older, newer;
	usec_t	since;
};

struct writeback {
	struct dirty *frame; /* [1 .. nframes]; NULL: no block ever becomes dirty */
	frame_t	      oldest, newest, n;
};

int  writeback_init(struct writeback *w, frame_t nframes, struct error *e);
void writeback_release(struct writeback *w);

/* Frame f becomes dirty, or clean.  Times of successive calls never fall. */
void writeback_add(struct writeback *w, frame_t f, usec_t now);
void writeback_remove(struct writeback *w, frame_t f);

#endif

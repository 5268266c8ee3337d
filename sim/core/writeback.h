/*
 * writeback.h - the dirty frames, oldest first, and since when.
 *
 * Links apart from struct frame, whose own belong to the policy; a trace
 * without writes pays nothing.
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
	struct dirty *frame; /* [1 .. nframes]; NULL: nothing is ever dirty */
	frame_t	      oldest, newest, n;
};

int  writeback_init(struct writeback *w, frame_t nframes, struct error *e);
void writeback_release(struct writeback *w);

/* Frame f becomes dirty now, which is not before any earlier call; or clean. */
void writeback_add(struct writeback *w, frame_t f, usec_t now);
void writeback_remove(struct writeback *w, frame_t f);

#endif

/*
 * run_frames.h - record the frames that the cache of a run takes and gives back.
 *
 * A run_frames is an observer (sim/core/observer.h) of a whole run, with its warm-up.  Takes less
 * gives are the frames in use at the end.
 *
 * Memory: 4 bytes a block of the files, 4 bytes a block of the cache, and 64 KB.
 */
#ifndef SIM_RUN_FRAMES_H
#define SIM_RUN_FRAMES_H

#include "sim/core/observer.h"
#include "sim/report/run/recorder.h"
#include "sim/trace/slots.h"

struct run_frames {
	uint64_t	takes, gives;
	struct recorder to;
	struct slots	slots;
	uint32_t       *page; /* of a block, from 1; 0: it is not in the cache */
	uint32_t       *idle; /* stack of pages that were given back */
	uint32_t	pages, nidle;
	bool		failed; /* nothing is written any more */
	struct error	error;
};

/* The events that run_frames_see() is to be given. */
extern const uint32_t run_frames_mask;

/* 0, or -1: no memory.  Release f even then. */
int  run_frames_init(struct run_frames *f, const struct trace *t, uint64_t cache_blocks,
     struct output *out, struct error *e);
void run_frames_release(struct run_frames *f);

/* See an observer's event; f is a struct run_frames. */
void run_frames_see(void *f, const struct event *e);

/* After the run, before output_commit().  0, or -1: some of it could not be written. */
int run_frames_finish(struct run_frames *f, struct error *e);

#endif

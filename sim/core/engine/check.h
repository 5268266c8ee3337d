/*
 * check.h - does a whole structure agree with itself?  For tests.
 *
 * ASSERT() looks at what changes, these functions at everything.  They return
 * the first thing that is wrong, or NULL.  They hold whenever a call begins or
 * ends, and when a request has started (EVENT_CALL, EVENT_CALL_DONE and
 * EVENT_IO_START of an observer); in between, a block may be counted and not
 * be there yet.  frame_check() is in cache.h, queue_check() in queue.h.
 */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H

#include "sim/core/engine/engine.h"

/* The frames, the dirty ones by age, and what the counters say of both. */
const char *node_check(const struct node *n);

/* The queue, and the requests in service. */
const char *storage_check(const struct storage *st);

/* Both, and between them: a frame is in flight if and only if a request brings in its block. */
const char *engine_check(const struct engine *g);

#endif

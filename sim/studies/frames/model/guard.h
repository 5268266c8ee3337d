/*
 * guard.h - what pools share among threads: locks and cache lines, real or modelled.
 *
 * On real cores guard_lock() is a lock that spins, as those of kernels do, and then lets other
 * threads run; touch() is nothing.  On modelled ones (core_kind.h) one thread runs all of them in
 * turn, and both cost the time that the model says.
 */
#ifndef SIM_FRAMES_GUARD_H
#define SIM_FRAMES_GUARD_H

#include <stdatomic.h>

#include "sim/studies/frames/model/frames.h"

enum { LINE_BYTES = 64 };

struct core; /* cores.c */

/* One thread of a program that uses an allocator.  Threads do not share lines. */
struct frames_thread {
	_Alignas(2 * LINE_BYTES) struct frames *frames;
	unsigned	     number;
	struct frames_counts counts;
	struct core	    *core; /* a modelled one; NULL: a real one */
};

struct guard {
	_Alignas(LINE_BYTES) atomic_bool held;

	/* Of the model (cores.h), which uses held too. */
	struct core *first, *last; /* that wait */
	unsigned     last_core;	   /* that held it, from 1 on; 0: none */
};

/* Take the lock when the one that holds it lets go. */
void guard_wait(struct guard *g);

/*
 * Zeroed memory of n times size bytes that shares no line with other memory, for lines_free().
 * NULL: there is none.
 */
void *lines_new(size_t n, size_t size);
void  lines_free(void *memory); /* may be NULL */

struct guard *guard_new(struct error *e); /* for lines_free(); NULL: out of memory */

/* Of a modelled core, in cores.c.  It counts contended locks when it knows of them. */
void core_lock(struct core *c, struct guard *g);
void core_unlock(struct core *c, struct guard *g);
void core_touch(struct core *c, const void *address);

static inline void
guard_lock(struct guard *g, struct frames_thread *t)
{
	t->counts.lock_acquisitions++;
	if (unlikely(t->core != NULL)) {
		core_lock(t->core, g);
		return;
	}
	if (unlikely(atomic_exchange_explicit(&g->held, true, memory_order_acquire))) {
		t->counts.lock_contended++;
		guard_wait(g);
	}
}

static inline void
guard_unlock(struct guard *g, struct frames_thread *t)
{
	if (unlikely(t->core != NULL))
		core_unlock(t->core, g);
	else
		atomic_store_explicit(&g->held, false, memory_order_release);
}

/* The thread is about to read or write the line at that address, which others may have written. */
static inline void
touch(struct frames_thread *t, const void *address)
{
	if (unlikely(t->core != NULL))
		core_touch(t->core, address);
}

#endif

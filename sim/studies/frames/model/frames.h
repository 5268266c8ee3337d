/*
 * frames.h - an allocator of page frames as a library: an arena, a pool that divides it, and the
 * threads that take frames from it.
 *
 *	registry_choose(PLUGIN_POOL, "lazy:limit=186", &choice, e);
 *	f = frames_open(&choice, &(struct frames_shape){ .blocks = 4, .block_pages = 1024, .threads = 2 }, e);
 *	t = frames_thread(f, 0);
 *	page = frames_alloc(t, 0);
 *	frames_free(t, page, 0);
 *	frames_close(f);
 *
 * A request is of 2^order pages, aligned to its size.  Every thread of the program uses a struct
 * frames_thread of its own; nothing else has to be locked.  A page may be freed by another thread
 * than the one that took it.
 *
 * The order of frames_free() is that of frames_alloc().  With checks, a free of an address that is
 * not of the arena, of a page that is not allocated, or with another order is left out, and
 * frames_check() says so; without checks it destroys the lists.
 */
#ifndef SIM_FRAMES_H
#define SIM_FRAMES_H

#include "sim/base/plugin.h"
#include "sim/studies/frames/model/arena.h"

enum { FRAME_THREADS_MAX = 256 };

struct frames_shape {
	uint64_t blocks;
	uint64_t block_pages; /* a power of two */
	uint64_t threads;
	bool	 checked; /* a byte a page, and an exchange of it in each operation */
};

/* What the operations of one thread, or of all, have done. */
struct frames_counts {
	uint64_t operations; /* requests that were met, and frees */
	uint64_t failed;     /* requests that were not met */
	uint64_t splits;     /* a free run of pages became two halves */
	uint64_t merges;     /* two halves became one */
	uint64_t lock_acquisitions;
	uint64_t lock_contended; /* of them, those that had to wait */
};

struct frames;
struct frames_thread;

/* The choice must outlive it.  NULL: an error. */
struct frames	     *frames_open(const struct choice *pool, const struct frames_shape *s,
	   struct error *e);
void		      frames_close(struct frames *f);
struct frames_thread *frames_thread(struct frames *f, unsigned number);

/* NULL: there are no 2^order free pages together, or the order is larger than a block. */
void *frames_alloc(struct frames_thread *t, unsigned order);
void  frames_free(struct frames_thread *t, void *page, unsigned order);

/* Give back the free pages that the pool keeps for that thread alone. */
void frames_drain(struct frames_thread *t);

/* ---- between operations: no thread may be in one ---- */

struct frames_counts frames_counts(const struct frames *f); /* of all threads */
void		     frames_counts_zero(struct frames *f);
const struct arena  *frames_arena(const struct frames *f);

/*
 * With checks: -1 if a free was wrong, a page was given out twice, or pages are neither taken nor
 * free.  What the pool keeps for threads is given back first.
 */
int frames_check(struct frames *f, struct error *e);

/* Free pages, and the order of the largest run that a request would get; -1: there is none. */
uint64_t frames_free_pages(const struct frames *f);
int	 frames_largest_order(const struct frames *f);

#endif

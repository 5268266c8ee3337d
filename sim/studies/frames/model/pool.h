/*
 * pool.h - the interface of pools: allocators of page frames.
 *
 * alloc() and free() are called by several threads at once; all else while no thread is in them.  A
 * pool counts its splits and merges in the counts of the thread; locks count themselves (guard.h).
 * Before it reads or writes memory that threads share, it calls touch(), so that modelled
 * cores can charge for it.
 */
#ifndef SIM_FRAMES_POOL_H
#define SIM_FRAMES_POOL_H

#include "sim/studies/frames/model/guard.h"

struct pool {
	struct plugin plugin;

	/* Parameters are set; all pages are free.  0 or -1. */
	int (*init)(void *self, const struct arena *a, unsigned threads, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	/* order <= a->max_order.  NO_PAGE: none. */
	page_t (*alloc)(void *self, struct frames_thread *t, unsigned order);
	void (*free)(void *self, struct frames_thread *t, page_t page, unsigned order);

	/* Give back what is kept for that thread.  NULL: nothing is. */
	void (*drain)(void *self, struct frames_thread *t);

	uint64_t (*free_pages)(const void *self);
	int (*largest_order)(const void *self); /* that any thread would get; -1: none */
};

#define POOL_SIZES                                                                                 \
	{                                                                                          \
		sizeof(struct pool), sizeof(struct arena), sizeof(struct frames_thread),           \
		    sizeof(struct guard), sizeof(struct frames_counts)                             \
	}

/* Define pool_<id>. */
#define POOL(id, ...)                                                                              \
	const struct pool	      pool_##id = { __VA_ARGS__ };                                 \
	const struct plugin_interface pool_##id##_interface = { PLUGIN_INTERFACE, POOL_SIZES,      \
		&pool_##id.plugin }

#endif

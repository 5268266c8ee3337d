/*
 * zone.h - the buddy system: free runs of 2^k pages in a list for each k.
 *
 * A run is split in halves until it is as large as the request; a freed run merges with its buddy
 * while that is free and as large.  It has no lock: the caller holds one.
 *
 * Source: K. C. Knowlton, "A fast storage allocator", CACM 8(10), 1965; D. E. Knuth, TAOCP 1, 2.5.
 */
#ifndef SIM_FRAMES_ZONE_H
#define SIM_FRAMES_ZONE_H

#include "sim/studies/frames/model/guard.h"

struct zone_page {
	page_t	next, previous; /* in the list of its order; NO_PAGE: none */
	uint8_t free_order;	/* of the first page of a free run, plus 1; else 0 */
};

/* On lines of its own: who has the lock writes it, while others read the rest of a pool. */
struct zone_lists {
	uint64_t free_pages;
	page_t	 head[FRAME_ORDERS];
};

struct zone {
	struct zone_page  *page;
	struct zone_lists *lists;
	unsigned	   max_order;
};

int    zone_init(struct zone *z, const struct arena *a, struct error *e); /* all pages are free */
void   zone_release(struct zone *z);
page_t zone_take(struct zone *z, struct frames_thread *t, unsigned order); /* NO_PAGE: none */
void   zone_give(struct zone *z, struct frames_thread *t, page_t page, unsigned order);
int    zone_largest_order(const struct zone *z);

#endif

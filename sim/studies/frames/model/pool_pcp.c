/*
 * pool_pcp.c - the buddy system below lists of free runs for each processor, as in Linux 6.
 *
 * A thread stands for a processor.  It has a list for each order up to 3 and one for huge pages;
 * what was freed last is taken first.  An empty list is filled by a batch, 2^order times less of
 * larger runs; single pages by twice as many at each time, up to 32 batches, as long as little is
 * freed.  When the lists hold `high` pages, the coldest go back, as many as were freed of late: a
 * batch at least.  Between high and high_max (since Linux 6.7) the number that the lists may hold
 * follows what is taken and freed; without high_max it is an eighth of the pages, divided among the
 * threads.
 *
 * Not as in Linux: high is 4 batches and not a share of the low watermark; nothing lowers it with
 * time or when memory runs short; runs that are freed in a row for another processor are not sent
 * back early; and lists are not drained before a request fails.  All memory is one zone and of one
 * migration type.
 */
#include <stdlib.h>

#include "sim/studies/frames/model/pool.h"
#include "sim/studies/frames/model/zone.h"

enum {
	COSTLY_ORDER = 3, /* the largest with a list, but for huge pages */
	HUGE_ORDER = 9,
	LISTS = COSTLY_ORDER + 2,
	SCALE_MAX = 5, /* log2 of the largest number of batches */
	HIGH_BATCHES = 4,
	SHARE_MAX = 8 /* high_max: pages divided by this and the threads */
};

/* What a processor keeps.  Pages are linked by the links of the zone, which does not have them. */
struct cpu {
	_Alignas(2 * LINE_BYTES) page_t head[LISTS];
	page_t	 tail[LISTS];
	uint64_t count;	      /* pages */
	uint64_t high;	      /* that it may hold */
	uint64_t freed;	      /* of late: each request halves it */
	unsigned alloc_scale; /* log2 of the batches of the next filling */
};

struct pcp {
	uint64_t batch, high, high_max;

	struct guard *guard; /* of the zone */
	struct zone   zone;
	struct cpu   *cpu; /* of each thread */
	unsigned      threads;
};

static const struct param pcp_params[] = {
	{ "batch", PARAM_COUNT, 63, 1, 1 << 20, offsetof(struct pcp, batch),
	    "pages that come or go together", NULL },
	{ "high", PARAM_COUNT, UINT64_MAX, 1, 1 << 24, offsetof(struct pcp, high),
	    "pages that the lists of a thread hold at least before some go back; else 4 batches",
	    NULL },
	{ "high_max", PARAM_COUNT, UINT64_MAX, 1, 1 << 24, offsetof(struct pcp, high_max),
	    "at most; else an eighth of all pages, divided by the threads", NULL },
	{ 0 },
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static int
pcp_init(void *self, const struct arena *a, unsigned threads, struct error *e)
{
	struct pcp *p = self;

	if (p->high == UINT64_MAX)
		p->high = HIGH_BATCHES * p->batch;
	if (p->high_max == UINT64_MAX)
		p->high_max = a->pages / SHARE_MAX / threads;
	p->high_max = most(p->high_max, p->high);
	p->guard = guard_new(e);
	if (!p->guard || zone_init(&p->zone, a, e))
		return -1;
	p->cpu = lines_new(threads, sizeof(*p->cpu));
	if (!p->cpu)
		return error_set(e, "out of memory for the lists of %u threads", threads);
	p->threads = threads;
	for (unsigned i = 0; i < threads; i++) {
		p->cpu[i].high = p->high;
		for (unsigned list = 0; list < LISTS; list++)
			p->cpu[i].head[list] = p->cpu[i].tail[list] = NO_PAGE;
	}
	return 0;
}

static void
pcp_release(void *self)
{
	struct pcp *p = self;

	lines_free(p->cpu);
	zone_release(&p->zone);
	lines_free(p->guard);
}

/* ---- lists ---- */

/* LISTS: runs of that order have none. */
static unsigned
list_of(unsigned order)
{
	if (order <= COSTLY_ORDER)
		return order;
	return order == HUGE_ORDER ? LISTS - 1 : LISTS;
}

static unsigned
order_of(unsigned list)
{
	return list <= COSTLY_ORDER ? list : HUGE_ORDER;
}

static void
push(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list, page_t page)
{
	struct zone_page *link = p->zone.page;
	page_t		  head = c->head[list];

	touch(t, &link[page]);
	link[page].next = head;
	link[page].previous = NO_PAGE;
	if (head != NO_PAGE) {
		touch(t, &link[head]);
		link[head].previous = page;
	} else {
		c->tail[list] = page;
	}
	c->head[list] = page;
	c->count += UINT64_C(1) << order_of(list);
}

static void
append(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list, page_t page)
{
	struct zone_page *link = p->zone.page;
	page_t		  tail = c->tail[list];

	touch(t, &link[page]);
	link[page].next = NO_PAGE;
	link[page].previous = tail;
	if (tail != NO_PAGE) {
		touch(t, &link[tail]);
		link[tail].next = page;
	} else {
		c->head[list] = page;
	}
	c->tail[list] = page;
	c->count += UINT64_C(1) << order_of(list);
}

/* The one that was freed last. */
static page_t
pop(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list)
{
	struct zone_page *link = p->zone.page;
	page_t		  page = c->head[list];

	touch(t, &link[page]);
	c->head[list] = link[page].next;
	if (link[page].next != NO_PAGE) {
		touch(t, &link[link[page].next]);
		link[link[page].next].previous = NO_PAGE;
	} else {
		c->tail[list] = NO_PAGE;
	}
	c->count -= UINT64_C(1) << order_of(list);
	return page;
}

/* The one that was freed first. */
static page_t
pop_coldest(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list)
{
	struct zone_page *link = p->zone.page;
	page_t		  page = c->tail[list];

	touch(t, &link[page]);
	c->tail[list] = link[page].previous;
	if (link[page].previous != NO_PAGE) {
		touch(t, &link[link[page].previous]);
		link[link[page].previous].next = NO_PAGE;
	} else {
		c->head[list] = NO_PAGE;
	}
	c->count -= UINT64_C(1) << order_of(list);
	return page;
}

/* ---- between the lists and the zone ---- */

/* Runs that an empty list gets. */
static uint64_t
filling(const struct pcp *p, struct cpu *c, unsigned order)
{
	uint64_t n = order ? p->batch : p->batch << c->alloc_scale;

	if (c->high < p->batch)
		return 1;
	c->high = least(c->high + n, p->high_max);
	if (!order) {
		uint64_t kept = c->count + p->batch;
		uint64_t room = most(c->high > kept ? c->high - kept : 0, p->batch);

		if (n <= room && c->alloc_scale < SCALE_MAX)
			c->alloc_scale++;
		n = least(n, room);
	}
	return n > 1 ? most(n >> order, 2) : n;
}

static void
fill(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list)
{
	unsigned order = order_of(list);

	guard_lock(p->guard, t);
	for (uint64_t n = filling(p, c, order); n; n--) {
		page_t page = zone_take(&p->zone, t, order);

		if (page == NO_PAGE)
			break;
		append(p, t, c, list, page);
	}
	guard_unlock(p->guard, t);
}

/* At least so many pages, from that list first. */
static void
send_back(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list, uint64_t pages)
{
	uint64_t keep = c->count > pages ? c->count - pages : 0;

	guard_lock(p->guard, t);
	for (; c->count > keep; list = (list + 1) % LISTS)
		while (c->count > keep && c->tail[list] != NO_PAGE)
			zone_give(&p->zone, t, pop_coldest(p, t, c, list), order_of(list));
	guard_unlock(p->guard, t);
}

/* The lists are full. */
static void
trim(struct pcp *p, struct frames_thread *t, struct cpu *c, unsigned list)
{
	uint64_t high = c->high;
	uint64_t top = high > p->batch ? high - p->batch : p->batch;

	if (c->high < c->freed + p->batch)
		c->high = least(most(c->freed + p->batch, p->high), p->high_max);
	send_back(p, t, c, list, least(most(c->freed, p->batch), most(top, p->batch)));
}

static page_t
pcp_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct pcp *p = self;
	struct cpu *c = &p->cpu[t->number];
	unsigned    list = list_of(order);
	page_t	    page;

	if (list == LISTS) {
		guard_lock(p->guard, t);
		page = zone_take(&p->zone, t, order);
		guard_unlock(p->guard, t);
		return page;
	}
	c->freed >>= 1;
	if (c->head[list] == NO_PAGE)
		fill(p, t, c, list);
	return c->head[list] == NO_PAGE ? NO_PAGE : pop(p, t, c, list);
}

static void
pcp_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	struct pcp *p = self;
	struct cpu *c = &p->cpu[t->number];
	unsigned    list = list_of(order);

	if (list == LISTS) {
		guard_lock(p->guard, t);
		zone_give(&p->zone, t, page, order);
		guard_unlock(p->guard, t);
		return;
	}
	c->alloc_scale >>= 1;
	push(p, t, c, list, page);
	c->freed = least(c->freed + (UINT64_C(1) << order), p->batch << SCALE_MAX);
	if (c->count >= c->high)
		trim(p, t, c, list);
}

static void
pcp_drain(void *self, struct frames_thread *t)
{
	struct pcp *p = self;
	struct cpu *c = &p->cpu[t->number];

	send_back(p, t, c, 0, c->count);
}

/* ---- between operations ---- */

static uint64_t
pcp_free_pages(const void *self)
{
	const struct pcp *p = self;
	uint64_t	  n = p->zone.lists->free_pages;

	for (unsigned i = 0; i < p->threads; i++)
		n += p->cpu[i].count;
	return n;
}

static int
pcp_largest_order(const void *self)
{
	const struct pcp *p = self;
	int		  largest = zone_largest_order(&p->zone);

	for (unsigned i = 0; i < p->threads; i++)
		for (unsigned list = 0; list < LISTS; list++)
			if (p->cpu[i].head[list] != NO_PAGE && (int)order_of(list) > largest)
				largest = (int)order_of(list);
	return largest;
}

POOL(pcp,
    .plugin = { .name = "pcp",
	.summary = "the buddy system below lists for each processor, filled and emptied by batches",
	.state_size = sizeof(struct pcp),
	.params = pcp_params,
	.source = "per-CPU page lists of Linux 6.7 and later, mm/page_alloc.c" },
    .init = pcp_init, .release = pcp_release, .alloc = pcp_alloc, .free = pcp_free,
    .drain = pcp_drain, .free_pages = pcp_free_pages, .largest_order = pcp_largest_order);

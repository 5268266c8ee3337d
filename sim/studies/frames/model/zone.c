/* zone.c - the buddy system. */
#include <stdlib.h>

#include "sim/studies/frames/model/zone.h"

static void
push(struct zone *z, struct frames_thread *t, page_t page, unsigned order)
{
	struct zone_page *p = &z->page[page];
	page_t		  head = z->lists->head[order];

	touch(t, p);
	*p = (struct zone_page){ head, NO_PAGE, (uint8_t)(order + 1) };
	if (head != NO_PAGE) {
		touch(t, &z->page[head]);
		z->page[head].previous = page;
	}
	z->lists->head[order] = page;
}

static void
unlink_run(struct zone *z, struct frames_thread *t, page_t page, unsigned order)
{
	struct zone_page *p = &z->page[page];

	touch(t, p);
	if (p->previous == NO_PAGE) {
		z->lists->head[order] = p->next;
	} else {
		touch(t, &z->page[p->previous]);
		z->page[p->previous].next = p->next;
	}
	if (p->next != NO_PAGE) {
		touch(t, &z->page[p->next]);
		z->page[p->next].previous = p->previous;
	}
	p->free_order = 0;
}

int
zone_init(struct zone *z, const struct arena *a, struct error *e)
{
	struct frames_thread start = { 0 };

	z->page = lines_new(a->pages, sizeof(*z->page));
	z->lists = lines_new(1, sizeof(*z->lists));
	if (!z->page || !z->lists)
		return error_set(e, "out of memory for %u pages", a->pages);
	z->max_order = a->max_order;
	for (unsigned order = 0; order < FRAME_ORDERS; order++)
		z->lists->head[order] = NO_PAGE;
	for (uint32_t i = a->blocks; i-- > 0;)
		push(z, &start, i * a->block_pages, a->max_order);
	z->lists->free_pages = a->pages;
	return 0;
}

void
zone_release(struct zone *z)
{
	lines_free(z->page);
	lines_free(z->lists);
	*z = (struct zone){ 0 };
}

page_t
zone_take(struct zone *z, struct frames_thread *t, unsigned order)
{
	unsigned k = order;
	page_t	 page;

	touch(t, z->lists);
	while (k <= z->max_order && z->lists->head[k] == NO_PAGE)
		k++;
	if (k > z->max_order)
		return NO_PAGE;
	page = z->lists->head[k];
	unlink_run(z, t, page, k);
	while (k > order) {
		k--;
		push(z, t, page + (1u << k), k);
		t->counts.splits++;
	}
	z->lists->free_pages -= UINT64_C(1) << order;
	return page;
}

void
zone_give(struct zone *z, struct frames_thread *t, page_t page, unsigned order)
{
	touch(t, z->lists);
	z->lists->free_pages += UINT64_C(1) << order;
	for (; order < z->max_order; order++) {
		page_t buddy = page ^ (1u << order);

		touch(t, &z->page[buddy]);
		if (z->page[buddy].free_order != order + 1)
			break;
		unlink_run(z, t, buddy, order);
		page &= ~(1u << order);
		t->counts.merges++;
	}
	push(z, t, page, order);
}

int
zone_largest_order(const struct zone *z)
{
	for (int k = (int)z->max_order; k >= 0; k--)
		if (z->lists->head[k] != NO_PAGE)
			return k;
	return -1;
}

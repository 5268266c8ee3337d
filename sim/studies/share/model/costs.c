/* costs.c - count faults by object and page, and put them in order. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/studies/share/model/costs.h"

/* No more than the heap has: each object may begin in the middle of a page. */
static uint64_t
count_pages(const struct program *p, uint32_t page_bytes)
{
	uint64_t pages = 0;

	for (uint32_t i = 1; i <= p->nobjects; i++)
		pages += p->object[i].bytes / page_bytes + 2;
	return pages < UINT32_MAX ? pages : UINT32_MAX;
}

int
costs_init(struct costs *c, const struct program *p, uint32_t page_bytes, struct error *e)
{
	*c = (struct costs){ .program = p, .room = (uint32_t)count_pages(p, page_bytes) };
	c->object = memory_table((size_t)p->nobjects + 1, sizeof(*c->object));
	c->page = memory_table((size_t)c->room + 1, sizeof(*c->page));
	c->reads = memory_table((size_t)p->nwords + 1, sizeof(*c->reads));
	c->writes = memory_table((size_t)p->nwords + 1, sizeof(*c->writes));
	if (c->object && c->page && c->reads && c->writes)
		return 0;
	costs_release(c);
	return error_set(e, "out of memory for the faults of %u objects", p->nobjects);
}

void
costs_release(struct costs *c)
{
	free(c->object);
	free(c->page);
	free(c->reads);
	free(c->writes);
	*c = (struct costs){ 0 };
}

uint64_t
cost_faults(const struct cost *c)
{
	return c->faults[FAULT_COLD] + c->faults[FAULT_TRUE] + c->faults[FAULT_FALSE] + c->fetches;
}

uint32_t
program_object_of(const struct program *p, uint32_t word)
{
	uint32_t low = 1, high = p->nobjects;

	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if (p->object[middle].first_word <= word)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* ---- the observer ---- */

/* A sample is false if there is one. */
static void
count(struct cost *c, enum fault_class class, uint64_t number)
{
	if (!c->sample || (class == FAULT_FALSE && !c->faults[FAULT_FALSE]))
		c->sample = number;
	c->faults[class]++;
}

static void
see_fault(void *self, const struct fault *f)
{
	struct costs *c = self;

	c->faults++;
	c->classes[f->class]++;
	count(&c->object[program_object_of(c->program, f->word)], f->class, c->faults);
	count(&c->page[f->page], f->class, c->faults);
}

static void
count_fetch(struct cost *c, uint64_t number)
{
	if (!c->sample)
		c->sample = number;
	c->fetches++;
}

/* A processor fetches the page of the word that it references. */
static void
see_copying(void *self, enum copying what, unsigned processor, uint32_t page)
{
	struct costs *c = self;

	if (what == COPYING_DIFF)
		c->page[page].diffs++;
	if (what != COPYING_FETCH)
		return;
	c->fetches++;
	count_fetch(&c->object[program_object_of(c->program, c->word[processor])], c->fetches);
	count_fetch(&c->page[page], c->fetches);
}

static void
see_reference(void *self, const struct world *w, unsigned processor, uint32_t page, uint32_t word,
    bool write)
{
	struct costs *c = self;

	(write ? c->writes : c->reads)[word] |= UINT64_C(1) << processor;
	c->word[processor] = word;
}

static void
add_sharers(struct cost *c, uint64_t reads, uint64_t writes)
{
	c->read_by |= reads;
	c->written_by |= writes;
}

/* An object that is placed, with its pages.  All but the first have numbers one after the other. */
static void
join(struct costs *c, const struct heap *h, uint32_t object)
{
	const struct object *o = &c->program->object[object];
	struct cost	    *cost = &c->object[object];

	cost->head = cost->next = cost->last = heap_page(h, &h->address[object], 0);
	for (uint32_t w = 0; w < o->words; w++) {
		uint32_t page = heap_page(h, &h->address[object], w), word = o->first_word + w;

		add_sharers(cost, c->reads[word], c->writes[word]);
		add_sharers(&c->page[page], c->reads[word], c->writes[word]);
		c->page[page].objects += !w || page != cost->last;
		if (cost->next == cost->head)
			cost->next = page;
		cost->last = page;
	}
}

static void
see_end(void *self, const struct world *w)
{
	struct costs *c = self;

	c->npages = w->heap->npages;
	for (uint32_t i = 1; i <= c->program->nobjects; i++)
		if (heap_is_placed(w->heap, i))
			join(c, w->heap, i);
}

struct share_observer
costs_observer(struct costs *c)
{
	return (struct share_observer){ c, see_fault, see_copying, see_reference, see_end };
}

/* ---- pages of objects ---- */

/* More false faults, then more of all, then the smaller number. */
static bool
is_worse(const struct cost *items, uint32_t a, uint32_t b)
{
	uint64_t all_a = cost_faults(&items[a]), all_b = cost_faults(&items[b]);

	if (items[a].faults[FAULT_FALSE] != items[b].faults[FAULT_FALSE])
		return items[a].faults[FAULT_FALSE] > items[b].faults[FAULT_FALSE];
	return all_a != all_b ? all_a > all_b : a < b;
}

bool
costs_on_page(const struct costs *c, uint32_t object, uint32_t page)
{
	const struct cost *o = &c->object[object];

	return (o->read_by | o->written_by) &&
	    (page == o->head || (page >= o->next && page <= o->last));
}

uint32_t
costs_worst_page(const struct costs *c, uint32_t object)
{
	const struct cost *o = &c->object[object];
	uint32_t	   worst = o->head;

	for (uint32_t page = o->next; page <= o->last; page++)
		if (is_worse(c->page, page, worst))
			worst = page;
	return worst;
}

/* ---- the order ---- */

/* A heap with the least costly on top: pages may be many, those to print are few. */
static void
sink(const struct cost *items, uint32_t *ranked, uint32_t n, uint32_t at)
{
	for (uint32_t child; (child = 2 * at + 1) < n; at = child) {
		uint32_t moved = ranked[at];

		if (child + 1 < n && is_worse(items, ranked[child], ranked[child + 1]))
			child++;
		if (is_worse(items, ranked[child], moved))
			return;
		ranked[at] = ranked[child];
		ranked[child] = moved;
	}
}

uint32_t
costs_rank(const struct cost *items, uint32_t nitems, uint32_t *ranked, uint32_t n)
{
	uint32_t kept = 0, any = 0;

	for (uint32_t i = 0; i < nitems; i++) {
		if (!cost_faults(&items[i]))
			continue;
		any++;
		if (kept < n) {
			ranked[kept++] = i;
			for (uint32_t at = kept / 2; kept == n && at-- > 0;)
				sink(items, ranked, kept, at);
		} else if (n && is_worse(items, i, ranked[0])) {
			ranked[0] = i;
			sink(items, ranked, kept, 0);
		}
	}
	if (kept < n)
		for (uint32_t at = kept / 2; at-- > 0;)
			sink(items, ranked, kept, at);
	for (uint32_t left = kept; left > 1;) { /* the least costly goes last */
		uint32_t last = ranked[--left];

		ranked[left] = ranked[0];
		ranked[0] = last;
		sink(items, ranked, left, 0);
	}
	return any;
}

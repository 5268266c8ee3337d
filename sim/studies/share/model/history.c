/* history.c - keep the last references to a page. */
#include "sim/studies/share/model/history.h"

static void
find_fault(void *self, const struct fault *f)
{
	struct history *h = self;

	if (++h->faults == h->number && !h->fetched)
		h->fault = *f;
}

/* The number is that of a fetch: such a protocol has no classes of faults. */
static void
find_fetch(void *self, enum copying what, unsigned processor, uint32_t page)
{
	struct history *h = self;

	if (what != COPYING_FETCH || ++h->fetches != h->number)
		return;
	h->fetched = true;
	h->fault = h->now;
}

static void
note_reference(void *self, const struct world *w, unsigned processor, uint32_t page, uint32_t word,
    bool write)
{
	((struct history *)self)->now = (struct fault){ .turn = w->turn,
		.processor = processor,
		.page = page,
		.word = word,
		.write = write };
}

struct share_observer
history_find(struct history *h, uint64_t number)
{
	*h = (struct history){ .number = number };
	return (struct share_observer){ h, find_fault, find_fetch, note_reference, NULL };
}

/* ---- the second run ---- */

static struct past *
last_of(struct history *h)
{
	return &h->past[(h->npast - 1) % HISTORY_MAX];
}

static void
keep(struct history *h, const struct past *p)
{
	struct past *last = h->npast ? last_of(h) : NULL;

	if (last && last->word == p->word && last->processor == p->processor &&
	    last->write == p->write) {
		last->turn = p->turn;
		last->times++;
		return;
	}
	h->npast++;
	*last_of(h) = *p;
}

static void
see_own(struct history *h, const struct past *p)
{
	h->used = *p;
	h->lost = (struct past){ 0 };
	h->writes = h->written_by = 0;
}

static void
see_write(struct history *h, const struct past *p)
{
	if (!h->lost.turn)
		h->lost = *p;
	h->writes++;
	h->written_by |= UINT64_C(1) << p->processor;
	if (p->word == h->fault.word)
		h->written = *p;
}

static void
see_reference(void *self, const struct world *w, unsigned processor, uint32_t page, uint32_t word,
    bool write)
{
	struct history *h = self;
	struct past	p = { .turn = w->turn,
		    .times = 1,
		    .word = word,
		    .processor = processor,
		    .write = write };

	if (page != h->fault.page || w->turn >= h->fault.turn)
		return;
	keep(h, &p);
	if (processor == h->fault.processor)
		see_own(h, &p);
	else if (write)
		see_write(h, &p);
}

static void
see_fault(void *self, const struct fault *f)
{
	struct history *h = self;

	if (f->page != h->fault.page || f->turn >= h->fault.turn)
		return;
	last_of(h)->fault = true;
	last_of(h)->class = f->class;
}

static void
see_copying(void *self, enum copying what, unsigned processor, uint32_t page)
{
	struct history *h = self;

	if (what == COPYING_FETCH && page == h->fault.page && h->npast &&
	    last_of(h)->processor == processor)
		last_of(h)->fetch = true;
}

struct share_observer
history_keep(struct history *h)
{
	return (struct share_observer){ h, see_fault, see_copying, see_reference, NULL };
}

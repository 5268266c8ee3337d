/* hlrc_copies.c - homes, fetches, twins and diffs of the protocol hlrc. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/studies/share/model/hlrc.h"

int
hlrc_copies_init(struct hlrc *v, struct error *e)
{
	const struct world *w = v->world;

	v->pages = (size_t)w->heap->room + 1;
	v->mark_room = (w->heap->page_bytes / w->program->word_bytes + 63) / 64;
	v->mapping = memory_table(v->pages, v->processors);
	v->home = memory_table(v->pages, 1);
	v->copy = memory_table(v->pages, v->teams * sizeof(*v->copy));
	v->mark = memory_table(v->pages, v->teams * v->mark_room * sizeof(*v->mark));
	v->bit = memory_table((size_t)w->program->nwords + 1, sizeof(*v->bit));
	v->bits = memory_table(v->pages, sizeof(*v->bits));
	v->list = memory_table(v->pages, v->processors * sizeof(*v->list));
	if (!v->mapping || !v->home || !v->copy || !v->mark || !v->bit || !v->bits || !v->list)
		return error_set(e, "out of memory for %u pages", w->heap->room);
	return 0;
}

void
hlrc_copies_release(struct hlrc *v)
{
	free(v->mapping);
	free(v->home);
	free(v->copy);
	free(v->mark);
	free(v->bit);
	free(v->bits);
	free(v->list);
}

/* All bytes of a page are read and compared, or written. */
static void
charge_copying(const struct hlrc *v, unsigned process)
{
	clocks_charge(v->world->clocks, process, TIME_DIFF,
	    v->world->heap->page_bytes * v->copy_ns);
}

static void
tell(const struct hlrc *v, enum copying what, unsigned process, uint32_t page)
{
	const struct share_observer *o = v->world->observer;

	if (o && o->copying)
		o->copying(o->self, what, process, page);
}

/* The home of a page is needed for the first time. */
static RARE void
find_home(struct hlrc *v, unsigned process, uint32_t page)
{
	unsigned where = process;

	if (v->home_rule == HOME_BLOCK)
		where = (unsigned)((uint64_t)page * v->processors / v->world->pages);
	else if (v->home_rule == HOME_ROUNDROBIN)
		where = page % v->processors;
	v->home[page] = (uint8_t)(v->team[where] + 1);
	tell(v, COPYING_HOME, where, page);
}

/* What the team has written since its twin stays. */
static void
fetch(struct hlrc *v, unsigned process, uint32_t page)
{
	v->fetches++;
	v->messages += 2;
	hlrc_charge(v, process, TIME_FETCH, 2, v->world->heap->page_bytes);
	copy_of(v, v->team[process], page)->fetched = v->world->turn;
	tell(v, COPYING_FETCH, process, page);
}

static void
begin_writing(struct hlrc *v, unsigned process, uint32_t page)
{
	struct copy *c = copy_of(v, v->team[process], page);

	if (!c->writers) {
		v->twins++;
		charge_copying(v, process);
		tell(v, COPYING_TWIN, process, page);
	}
	c->writers |= UINT64_C(1) << process;
	*mapping_of(v, process, page) |= TWINNED;
}

static void
fault_away(struct hlrc *v, unsigned process, uint32_t page, bool write)
{
	const struct copy *c = copy_of(v, v->team[process], page);
	bool		   mapped = *mapping_of(v, process, page) & READABLE;

	v->faults++;
	clocks_charge(v->world->clocks, process, TIME_FAULT, v->fault_ns);
	if (!mapped && (!c->fetched || c->fetched < c->required))
		fetch(v, process, page);
	if (write)
		begin_writing(v, process, page);
}

RARE void
hlrc_fault(struct hlrc *v, unsigned process, uint32_t page, bool write)
{
	uint8_t *m = mapping_of(v, process, page);

	if (!v->home[page])
		find_home(v, process, page);
	if (!is_home(v, process, page))
		fault_away(v, process, page, write);
	*m |= READABLE;
	if (!write)
		return;
	if (!(*m & LISTED))
		v->list[process * v->pages + v->listed[process]++] = page;
	*m |= WRITABLE | LISTED;
}

void
hlrc_flush(struct hlrc *v, unsigned process, uint32_t page)
{
	unsigned     team = v->team[process];
	struct copy *c = copy_of(v, team, page);
	uint64_t     bytes = c->words * v->world->program->word_bytes;

	c->writers &= ~(UINT64_C(1) << process);
	if (!bytes)
		return;
	v->diffs++;
	v->diff_bytes += bytes;
	v->messages++;
	charge_copying(v, process);
	hlrc_charge(v, process, TIME_DIFF, 1, bytes);
	tell(v, COPYING_DIFF, process, page);
	memset(marks_of(v, team, page), 0, v->mark_room * sizeof(*v->mark));
	c->words = 0;
}

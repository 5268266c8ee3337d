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
	v->current = memory_table(v->pages, sizeof(*v->current));
	v->copy = memory_table(v->pages, v->teams * sizeof(*v->copy));
	v->mark = memory_table(v->pages, v->teams * v->mark_room * sizeof(*v->mark));
	v->bit = memory_table((size_t)w->program->nwords + 1, sizeof(*v->bit));
	v->bits = memory_table(v->pages, sizeof(*v->bits));
	v->list = memory_table(v->pages, v->processors * sizeof(*v->list));
	if (!v->mapping || !v->home || !v->current || !v->copy || !v->mark || !v->bit || !v->bits ||
	    !v->list)
		return error_set(e, "out of memory for %u pages", w->heap->room);
	return 0;
}

void
hlrc_copies_release(struct hlrc *v)
{
	free(v->mapping);
	free(v->home);
	free(v->current);
	free(v->copy);
	free(v->mark);
	free(v->bit);
	free(v->bits);
	free(v->list);
}

static uint64_t
of_page(const struct hlrc *v, uint64_t ps)
{
	return cost_bytes(ps, v->world->heap->page_bytes);
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
	if (where >= v->processors) /* by time there may be more pages than by turns */
		where = v->processors - 1;
	v->home[page] = (uint8_t)(where + 1);
	tell(v, COPYING_HOME, where, page);
}

/* The home answers when it has the diffs that were sent before. */
static uint64_t
bring(struct hlrc *v, unsigned process, uint32_t page)
{
	const struct action_costs *c = v->world->cost;
	unsigned		   home = v->home[page] - 1u;
	uint64_t		   at = hlrc_now(v, process) + c->send_ns;

	at = network_serve(&v->network, home, network_carry(&v->network, process, home, at, 0),
	    c->interrupt_ns + of_page(v, c->copy_ps) + c->send_ns);
	if (v->world->in_time && at < v->current[page])
		at = v->current[page];
	at = network_carry(&v->network, home, process, at, v->world->heap->page_bytes);
	return at + c->interrupt_ns + of_page(v, c->copy_ps);
}

/* What the team has written since its twin stays. */
static void
fetch(struct hlrc *v, unsigned process, uint32_t page)
{
	struct copy *c = copy_of(v, v->team[process], page);

	v->fetches++;
	v->messages += 2;
	c->ready_ns = bring(v, process, page);
	network_wait(&v->network, process, TIME_FETCH, c->ready_ns);
	c->fetched = v->world->turn;
	tell(v, COPYING_FETCH, process, page);
}

static void
begin_writing(struct hlrc *v, unsigned process, uint32_t page)
{
	struct copy *c = copy_of(v, v->team[process], page);

	if (!c->writers) {
		v->twins++;
		hlrc_charge(v, process, TIME_DIFF, of_page(v, v->world->cost->copy_ps));
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
	if (!mapped && (!c->fetched || c->fetched < c->required))
		fetch(v, process, page);
	else if (!mapped && v->world->in_time) /* a neighbour's fetch may be on its way */
		network_wait(&v->network, process, TIME_FETCH, c->ready_ns);
	if (write)
		begin_writing(v, process, page);
}

RARE void
hlrc_fault(struct hlrc *v, unsigned process, uint32_t page, bool write)
{
	uint8_t *m = mapping_of(v, process, page);

	if (!v->home[page])
		find_home(v, process, page);
	if (v->per == PER_NODE)
		network_spin(&v->network, process);
	if (!is_home(v, process, page)) {
		hlrc_charge(v, process, TIME_FAULT, v->world->cost->fault_ns);
		fault_away(v, process, page, write);
	} else if (write) {
		hlrc_charge(v, process, TIME_FAULT, v->world->cost->fault_ns);
		v->home_faults++;
	}
	*m |= READABLE;
	if (!write)
		return;
	if (!(*m & LISTED))
		v->list[process * v->pages + v->listed[process]++] = page;
	*m |= WRITABLE | LISTED;
}

/* The writer compares and sends; the home is interrupted and applies. */
static void
send_diff(struct hlrc *v, unsigned process, uint32_t page, uint64_t bytes)
{
	const struct action_costs *c = v->world->cost;
	unsigned		   home = v->home[page] - 1u;
	uint64_t		   at;

	hlrc_charge(v, process, TIME_DIFF, of_page(v, c->diff_ps) + c->send_ns);
	at = network_push(&v->network, process, home, hlrc_now(v, process), bytes);
	at = network_serve(&v->network, home, at, c->interrupt_ns + cost_bytes(c->apply_ps, bytes));
	if (at > v->current[page])
		v->current[page] = at;
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
	send_diff(v, process, page, bytes);
	tell(v, COPYING_DIFF, process, page);
	memset(marks_of(v, team, page), 0, v->mark_room * sizeof(*v->mark));
	c->words = 0;
}

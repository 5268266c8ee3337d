/*
 * protocol_invalidate.c - a page has one writer, or is read by many: a write takes
 * the page from all others.  Sequentially consistent.
 *
 *	K. Li, P. Hudak.  Memory coherence in shared virtual memory systems.
 *	ACM Transactions on Computer Systems 7(4), 1989.
 *
 * A fault is cold, true or false (protocol.h); true: another processor has written
 * the word since the faulting one lost the page, or since the beginning if it never
 * had it.  Each taking of a page by a writer begins a generation of the page.  All who lose the
 * page then lose it at the generation's first turn, and until the next one only its writer
 * writes; the faulting processor has written nothing since it lost the page.  So
 * a word needs no more than the generation of its last write.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/studies/share/model/protocol.h"

struct page {
	uint64_t holders;  /* who may read */
	uint64_t writer;   /* who may write: one of them, or none */
	uint64_t ready_ns; /* the last one to take it has it */
	uint32_t generation;
};

struct invalidate {
	const struct world *world;
	struct page	   *page;    /* [room of the heap] */
	uint32_t	   *written; /* [words] generation of the last write; 0: none */
	uint32_t	   *lost;    /* [page][processor] generation; 0: never held */
	unsigned	    processors;
	uint64_t	    fault_ns, upgrade_ns;
	uint64_t	    cold_faults, true_faults, false_faults, upgrades;
};

/* A page comes with a message there and back; an upgrade is that without the page. */
static void
set_costs(struct invalidate *v)
{
	const struct action_costs *c = v->world->cost;

	v->upgrade_ns = c->fault_ns + 2 * cost_message(c);
	v->fault_ns =
	    v->upgrade_ns + cost_bytes(c->byte_ps + 2 * c->copy_ps, v->world->heap->page_bytes);
}

static int
invalidate_init(void *self, const struct world *w, struct error *e)
{
	struct invalidate *v = self;

	v->world = w;
	set_costs(v);
	v->processors = w->processors;
	v->page = memory_table((size_t)w->heap->room + 1, sizeof(*v->page));
	v->written = memory_table((size_t)w->program->nwords + 1, sizeof(*v->written));
	v->lost = memory_table((size_t)w->heap->room + 1, v->processors * sizeof(*v->lost));
	if (w->program->nwrites > UINT32_MAX)
		return error_set(e, "more than %u writes", UINT32_MAX); /* and generations */
	if (v->page && v->written && v->lost)
		return 0;
	return error_set(e, "out of memory for %u pages", w->heap->room);
}

static void
invalidate_release(void *self)
{
	struct invalidate *v = self;

	free(v->page);
	free(v->written);
	free(v->lost);
}

static enum fault_class
classify(const struct invalidate *v, unsigned processor, uint32_t page, uint32_t word)
{
	uint64_t referenced = v->world->referenced[word];
	uint32_t written = v->written[word];

	if (!(v->world->cold == COLD_ANY ? referenced : referenced >> processor & 1))
		return FAULT_COLD;
	if (written && written >= v->lost[(size_t)page * v->processors + processor])
		return FAULT_TRUE;
	return FAULT_FALSE;
}

/* Who takes a page has it, and uses it, before it goes on to the next one. */
static void
charge(const struct invalidate *v, unsigned processor, uint32_t page, uint64_t ns)
{
	struct clocks *t = v->world->clocks;
	uint64_t       now = clocks_now(t, processor), ready = v->page[page].ready_ns;

	if (v->world->in_time && ready > now)
		ns += ready - now;
	clocks_charge(t, processor, TIME_FAULT, ns);
}

/* Count a fault, and tell the observer. */
static RARE void
fault(struct invalidate *v, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	uint64_t *const count[] = { &v->cold_faults, &v->true_faults, &v->false_faults };
	const struct share_observer *o = v->world->observer;
	enum fault_class class = classify(v, processor, page, word);

	++*count[class];
	charge(v, processor, page, v->fault_ns);
	if (o && o->fault)
		o->fault(o->self,
		    &(struct fault){ v->world->turn, processor, page, word, write, class,
			v->page[page].holders });
}

static RARE void
upgrade(struct invalidate *v, unsigned processor, uint32_t page)
{
	v->upgrades++;
	charge(v, processor, page, v->upgrade_ns);
}

/* The page is the processor's alone from now on. */
static RARE void
take(struct invalidate *v, unsigned processor, uint32_t page)
{
	struct page *g = &v->page[page];
	uint64_t     one = UINT64_C(1) << processor;

	g->generation++;
	for (uint64_t others = g->holders & ~one; others; others &= others - 1)
		v->lost[(size_t)page * v->processors + (unsigned)__builtin_ctzll(others)] =
		    g->generation;
	g->holders = g->writer = one;
	g->ready_ns = clocks_now(v->world->clocks, processor);
}

static void
invalidate_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	struct invalidate *v = self;
	struct page	  *g = &v->page[page];
	uint64_t	   one = UINT64_C(1) << processor;

	if (!write) {
		if (likely(g->holders & one))
			return;
		fault(v, processor, page, word, false);
		g->holders |= one;
		g->writer = 0;
		return;
	}
	if (unlikely(!(g->writer & one))) {
		if (g->holders & one)
			upgrade(v, processor, page);
		else
			fault(v, processor, page, word, true);
		take(v, processor, page);
	}
	v->written[word] = g->generation;
}

static void
invalidate_answer(const void *self, char *text, size_t room)
{
	const struct invalidate *v = self;
	uint64_t		 faults = v->cold_faults + v->true_faults + v->false_faults;
	char			 n[NUMBER_TEXT], all[NUMBER_TEXT];

	snprintf(text, room, "%s of %s faults come from false sharing (%.1f %%)",
	    number_group(n, v->false_faults), number_group(all, faults),
	    number_percent(v->false_faults, faults));
}

static const struct counter counters[] = {
	{ "cold_faults", "faults", "the processor has not referenced the word before",
	    offsetof(struct invalidate, cold_faults) },
	{ "true_faults", "faults", "another processor has written the word since the page was lost",
	    offsetof(struct invalidate, true_faults) },
	{ "false_faults", "faults", "no other has: the page was lost to writes of other words",
	    offsetof(struct invalidate, false_faults) },
	{ "upgrades", "upgrades", "writes to a page held read-only, which are no faults",
	    offsetof(struct invalidate, upgrades) },
	{ 0 },
};

PROTOCOL(invalidate,
    .plugin = { .name = "invalidate",
	.summary = "a page has one writer, or is read by many: a write takes it from all others",
	.state_size = sizeof(struct invalidate),
	.counters = counters,
	.source =
	    "K. Li, P. Hudak: Memory coherence in shared virtual memory systems, ACM Transactions on Computer Systems 7(4), 1989" },
    .init = invalidate_init, .release = invalidate_release, .reference = invalidate_reference,
    .answer = invalidate_answer);

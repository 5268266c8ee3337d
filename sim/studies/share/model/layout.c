/* layout.c - a run without a protocol. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/studies/share/model/layout.h"
#include "sim/studies/share/model/processors.h"

static void
see_nothing(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
}

static int
place_all(struct processors *m, const struct share_config *c, struct error *e)
{
	static const struct protocol none = { .reference = see_nothing };
	int			     failed;

	m->protocol = &none;
	m->allocator = (const struct allocator *)(const void *)c->allocator.plugin;
	m->allocator_self = plugin_state(c->allocator.plugin, c->allocator.params, e);
	if (!m->allocator_self)
		return -1;
	failed = m->allocator->init && m->allocator->init(m->allocator_self, m->heap, e)
	    ? -1
	    : processors_run(m, !c->from_create, e);
	plugin_free(m->allocator_self, m->allocator->release);
	return failed;
}

int
layout_count(uint32_t *pages, const struct share_config *c, const struct program *p,
    struct error *e)
{
	struct clocks	  t;
	struct heap	  h = { 0 };
	struct world	  w = { .program = p,
		     .heap = &h,
		     .clocks = &t,
		     .processors = share_processors(c, p) };
	struct processors m = { .program = p, .heap = &h, .world = &w };
	int		  failed;

	if (clocks_init(&t, p, w.processors, e))
		return -1;
	failed = heap_init(&h, p, c->page_bytes, e);
	w.referenced = memory_table((size_t)p->nwords + 1, sizeof(*w.referenced));
	if (!failed && !w.referenced)
		failed = error_set(e, "out of memory for %u words", p->nwords);
	if (!failed)
		failed = place_all(&m, c, e);
	*pages = h.npages;
	free(w.referenced);
	heap_release(&h);
	clocks_release(&t);
	return failed;
}

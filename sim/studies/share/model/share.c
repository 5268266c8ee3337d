/* share.c - put the parts of a run together. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/studies/share/model/layout.h"
#include "sim/studies/share/model/processors.h"
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/model/share.h"
#include "sim/studies/share/model/watch.h"

static const struct protocol *
protocol_of(const struct instance *i)
{
	return (const struct protocol *)(const void *)i->plugin;
}

static const struct allocator *
allocator_of(const struct instance *i)
{
	return (const struct allocator *)(const void *)i->plugin;
}

static int
start_allocator(struct share_result *r, const struct share_config *c, const struct world *w,
    struct error *e)
{
	const struct allocator *a;

	r->allocator.plugin = c->allocator.plugin;
	a = allocator_of(&r->allocator);
	r->allocator.self = plugin_state(r->allocator.plugin, c->allocator.params, e);
	if (!r->allocator.self || (a->init && a->init(r->allocator.self, w->heap, e)))
		return -1;
	return 0;
}

static int
start_protocol(struct share_result *r, const struct share_config *c, struct world *w,
    struct error *e)
{
	const struct protocol *v;

	r->protocol.plugin = c->protocol.plugin;
	v = protocol_of(&r->protocol);
	r->protocol.self = plugin_state(r->protocol.plugin, c->protocol.params, e);
	if (!r->protocol.self)
		return -1;
	if (v->needs_pages && v->needs_pages(r->protocol.self) &&
	    layout_count(&w->pages, c, w->program, e))
		return -1;
	return v->init(r->protocol.self, w, e);
}

/* The costs of the set, and of a reference of the program. */
static int
start_costs(struct share_result *r, const struct share_config *c, const struct program *p,
    struct error *e)
{
	const struct plugin *set = c->costs.plugin ? c->costs.plugin : PLUGIN_COSTS->list[0];
	void		    *self = plugin_state(set, c->costs.params, e);

	if (!self)
		return -1;
	memcpy(&r->cost, self, sizeof(r->cost));
	free(self);
	r->cost.reference_ns =
	    cost_reference((const struct cost_set *)(const void *)set, &r->cost, p->name);
	r->clocks.reference_ns = r->cost.reference_ns;
	return 0;
}

static int
run(struct share_result *r, const struct share_config *c, const struct program *p, struct world *w,
    struct heap *h, struct error *e)
{
	struct processors m;
	struct watch	  watch;

	if (clocks_init(&r->clocks, p, w->processors, e) || start_costs(r, c, p, e) ||
	    start_allocator(r, c, w, e) || start_protocol(r, c, w, e))
		return -1;
	m = (struct processors){ .program = p,
		.heap = h,
		.world = w,
		.allocator = allocator_of(&r->allocator),
		.allocator_self = r->allocator.self,
		.protocol = protocol_of(&r->protocol),
		.protocol_self = r->protocol.self };
	if (c->observer && c->observer->reference)
		watch_put_between(&watch, &m);
	if (processors_run(&m, !c->from_create, e) ||
	    sharing_measure(&r->sharing, h, w->referenced, e))
		return -1;
	for (unsigned i = 0; i < w->processors; i++)
		r->references += r->clocks.references[i];
	r->elapsed_ns = clocks_elapsed(&r->clocks);
	r->writes = m.writes;
	r->pages = h->npages;
	r->late = m.late;
	if (c->observer && c->observer->end)
		c->observer->end(c->observer->self, w);
	return 0;
}

int
share_run(struct share_result *r, const struct share_config *c, const struct program *p,
    struct error *e)
{
	struct heap  h;
	struct world w = { .program = p,
		.heap = &h,
		.cost = &r->cost,
		.processors = share_processors(c, p),
		.cold = c->cold,
		.in_time = c->in_time,
		.clocks = &r->clocks,
		.observer = c->observer };
	int	     failed;

	w.nodes = c->nodes && c->nodes < w.processors ? c->nodes : w.processors;
	*r = (struct share_result){ 0 };
	if (heap_init(&h, p, c->page_bytes, e))
		return error_prefix(e, "%s", p->path ? p->path : p->name);
	w.referenced = memory_table((size_t)p->nwords + 1, sizeof(*w.referenced));
	failed = w.referenced ? run(r, c, p, &w, &h, e)
			      : error_set(e, "out of memory for %u words", p->nwords);
	free(w.referenced);
	heap_release(&h);
	if (failed) {
		share_release(r);
		return error_prefix(e, "%s", p->path ? p->path : p->name);
	}
	return 0;
}

void
share_release(struct share_result *r)
{
	if (r->protocol.plugin)
		plugin_free(r->protocol.self, protocol_of(&r->protocol)->release);
	if (r->allocator.plugin)
		plugin_free(r->allocator.self, allocator_of(&r->allocator)->release);
	clocks_release(&r->clocks);
	r->protocol.self = r->allocator.self = NULL;
}

/* cpu.c - charge processes for their calls. */
#include "sim/core/engine/cpu.h"
#include "sim/core/engine/engine.h"
#include "sim/core/engine/io.h"
#include "sim/device/sheet.h"

enum { PS_PER_US = 1000000 };

/* Is nothing read ahead, inside of controllers, too? */
static bool
is_bare(const struct choice *prefetcher)
{
	while (prefetcher->inner)
		prefetcher = prefetcher->inner;
	return !prefetcher_of(prefetcher)->access;
}

void
cpu_init(struct cpu *c, const struct config *cfg)
{
	*c = (struct cpu){ .costs = cfg->cpu, .charges = cpu_costs_any(&cfg->cpu) };
	if (is_bare(&cfg->prefetcher) && c->costs.single_page_ps)
		c->costs.page_ps = c->costs.single_page_ps;
}

/* Blocks that were read since the last charge were read for this process. */
static uint64_t
take_reads(struct cpu *c, const struct stats *st)
{
	uint64_t before = c->reads;

	c->reads = st->misses - st->write_misses + st->prefetched_blocks;
	ASSERT(c->reads >= before);
	return c->reads - before;
}

/* Will anything else have happened by then? */
static bool
is_interrupted(const struct engine *g, usec_t at)
{
	return g->cfg.replay == REPLAY_OPEN || io_next(g) <= at ||
	    clock_next(&g->processes.clock) <= at;
}

bool
cpu_charge(struct engine *g, struct process *p, size_t call, bool done)
{
	const struct access    *a = &g->trace->access[call];
	const struct cpu_costs *c = &g->cpu.costs;
	usec_t			us;

	p->owed_ps += c->read_page_ps * take_reads(&g->cpu, &p->node->stats);
	if (!done)
		return false;
	p->owed_ps += c->call_ps + c->page_ps * access_count(g->trace, a) + c->byte_ps * a->length;
	us = (usec_t)(p->owed_ps / PS_PER_US);
	p->owed_ps %= PS_PER_US;
	if (us && is_interrupted(g, g->now + us)) {
		p->waiting = ON_PROCESSOR;
		p->since = g->now;
		clock_set(&g->processes.clock, process_number(&g->processes, p), g->now + us);
		return false;
	}
	g->now += us;
	g->stats.cpu_us += (uint64_t)us;
	return true;
}

void
cpu_paid(struct engine *g, struct process *p)
{
	ASSERT(p->waiting == ON_PROCESSOR && p->since <= g->now);
	p->waiting = WAITS_NOT;
	g->stats.cpu_us += (uint64_t)(g->now - p->since);
}

bool
cpu_costs_of_device(const struct choice *device, struct cpu_costs *to)
{
	const struct choice *c = device;

	while (c && !(c->sheet && sheet_costs(c->sheet, to)))
		c = c->inner;
	if (!c)
		*to = (struct cpu_costs){ 0 };
	return c;
}

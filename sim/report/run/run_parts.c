/* run_parts.c - add up the events of a run by file and by process. */
#include <stdlib.h>
#include <string.h>

#include "sim/report/run/run_parts.h"

#define BIT(kind) (1u << EVENT_##kind)

const uint32_t run_parts_mask = BIT(HIT) | BIT(FIRST_HIT) | BIT(LATE) | BIT(DELAYED) | BIT(MISS) |
    BIT(FETCH) | BIT(REACH) | BIT(PREFETCH) | BIT(RECOUNT) | BIT(OUTCOME) | BIT(VICTIM) |
    BIT(POLLUTED) | BIT(COVERED) | BIT(EVICT) | BIT(WAIT) | BIT(CALL_DONE);

/* ---- memory ---- */

uint32_t
run_parts_number(const struct run_parts *p, enum parts_of kind)
{
	return kind == PARTS_OF_FILES ? p->t->nfiles : p->t->nprocesses;
}

static int
make_tables(struct run_parts *p, struct error *e)
{
	if (slots_init(&p->slots, p->t, e))
		return -1;
	p->planner = calloc(slots_entries(p->t), sizeof(*p->planner));
	p->evictor = calloc(slots_entries(p->t), sizeof(*p->evictor));
	return p->planner && p->evictor ? 0
					: error_set(e, "out of memory for the blocks of processes");
}

int
run_parts_init(struct run_parts *p, const struct trace *t, bool files, bool processes,
    uint64_t warmup_calls, struct error *e)
{
	const bool wanted[PARTS_KINDS] = { files, processes };

	*p = (struct run_parts){ .t = t, .warmup = warmup_calls };
	for (enum parts_of k = 0; k < PARTS_KINDS; k++) {
		uint32_t n = run_parts_number(p, k);

		if (!wanted[k])
			continue;
		p->part[k] = calloc(n, sizeof(*p->part[k]));
		if (!p->part[k])
			return error_set(e, "out of memory for %u parts of the run", n);
	}
	return processes ? make_tables(p, e) : 0;
}

void
run_parts_release(struct run_parts *p)
{
	for (enum parts_of k = 0; k < PARTS_KINDS; k++)
		free(p->part[k]);
	slots_release(&p->slots);
	free(p->planner);
	free(p->evictor);
	*p = (struct run_parts){ 0 };
}

/* ---- whose it is ---- */

static file_t
file_of(struct run_parts *p, block_t b)
{
	const struct file *f = &p->t->file[p->file];

	if (b - f->base >= f->nblocks)
		p->file = trace_file(p->t, b);
	return p->file;
}

/* The process that planned a prefetched block whose class becomes known, or changes. */
static uint32_t
planner_of(struct run_parts *p, const struct event *e)
{
	return e->from == FATE_OPEN ? p->planner[slots_find(&p->slots, e->block)]
				    : p->evictor[slots_find(&p->slots, p->victim)];
}

static uint32_t
process_of(struct run_parts *p, const struct event *e)
{
	size_t at;

	if (e->kind == EVENT_WAIT)
		return p->t->open[e->call->open].process;
	at = slots_enter(&p->slots, e->block);
	if (e->kind == EVENT_OUTCOME)
		return planner_of(p, e);
	if (e->kind == EVENT_RECOUNT)
		return p->planner[at];
	if (e->kind == EVENT_PREFETCH || e->kind == EVENT_FETCH)
		p->planner[at] = e->process;
	else if (e->kind == EVENT_EVICT)
		p->evictor[at] = e->process;
	return e->process;
}

/* ---- events ---- */

static void
add_outcome(struct part *to, const struct event *e)
{
	if (e->from != FATE_OPEN)
		to->outcome[e->from]--;
	to->outcome[e->to]++;
}

static void
add(struct part *to, const struct event *e)
{
	switch (e->kind) {
	case EVENT_HIT:
	case EVENT_FIRST_HIT:
		to->hits++;
		to->references++;
		break;
	case EVENT_MISS:
	case EVENT_REACH:
		to->misses++;
		to->references++;
		break;
	case EVENT_LATE:
	case EVENT_DELAYED:
		to->references++;
		break;
	case EVENT_PREFETCH:
	case EVENT_RECOUNT:
		to->prefetched++;
		break;
	case EVENT_OUTCOME:
		add_outcome(to, e);
		break;
	case EVENT_VICTIM:
		to->victim_misses++;
		break;
	case EVENT_POLLUTED:
		to->polluted++;
		break;
	case EVENT_COVERED:
		to->covered++;
		break;
	case EVENT_WAIT:
		to->stall_us += (uint64_t)(e->when - e->waited->since);
		break;
	default:
		break;
	}
}

static void
start_counting(struct run_parts *p)
{
	for (enum parts_of k = 0; k < PARTS_KINDS; k++)
		if (p->part[k])
			memset(p->part[k], 0, run_parts_number(p, k) * sizeof(*p->part[k]));
}

void
run_parts_see(void *parts, const struct event *e)
{
	struct run_parts *p = parts;

	if (e->kind == EVENT_CALL_DONE) {
		if (++p->ndone == p->warmup)
			start_counting(p);
		return;
	}
	if (e->kind == EVENT_VICTIM)
		p->victim = e->block;
	if (p->part[PARTS_OF_PROCESSES])
		add(&p->part[PARTS_OF_PROCESSES][process_of(p, e)], e);
	if (p->part[PARTS_OF_FILES])
		add(&p->part[PARTS_OF_FILES][e->kind == EVENT_WAIT ? p->t->open[e->call->open].file
								   : file_of(p, e->block)],
		    e);
}

/* ---- sums ---- */

uint64_t
part_used(const struct part *p)
{
	return p->outcome[FATE_TIMELY] + p->outcome[FATE_LATE] + p->outcome[FATE_COSTLY];
}

uint64_t
part_wasted(const struct part *p)
{
	return p->outcome[FATE_USELESS] + p->outcome[FATE_POLLUTING];
}

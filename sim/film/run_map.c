/* run_map.c - count what happens at each point, then choose a kind for each. */
#include <stdlib.h>
#include <string.h>

#include "sim/core/engine/storage.h"
#include "sim/film/run_map.h"

#define BIT(kind) (1u << EVENT_##kind)

const uint32_t run_map_mask = BIT(CALL) | BIT(CALL_DONE) | BIT(HIT) | BIT(FIRST_HIT) | BIT(LATE) |
    BIT(DELAYED) | BIT(MISS) | BIT(FETCH) | BIT(REACH) | BIT(PREFETCH) | BIT(EVICT) | BIT(FORGET) |
    BIT(IO_DONE);

const char *const run_map_names[RUN_MAP_KINDS] = { "hit", "used", "late", "delayed", "miss",
	"wasted" };

/*
 * What run_map.ahead has of a block: 0, or its read has completed in column
 * ahead - ARRIVED, or is under way; and whether the call for which it is read
 * has not reached it yet.
 */
enum { ARRIVED = 1, UNDER_WAY = 0x7fff, AWAITED = 0x8000 };

/* ---- memory ---- */

int
run_map_init(struct run_map *m, const struct trace *t, uint64_t span, uint64_t warmup_calls,
    struct error *e)
{
	*m = (struct run_map){ .t = t,
		.span = (usec_t)span,
		.warmup = warmup_calls,
		.first = t->file[0].base,
		.last = t->nblocks - 1 };
	if (!span)
		return error_set(e, "--map: the run takes no time: there is nothing to draw");
	if (raster_init(&m->raster, (struct canvas_size){ RUN_MAP_WIDTH, RUN_MAP_HEIGHT },
		raster_point(t), span, m->last - m->first + 1, RUN_MAP_KINDS, e) ||
	    slots_init(&m->slots, t, e))
		return -1;
	m->count =
	    calloc((size_t)m->raster.columns * m->raster.rows, sizeof(*m->count) * RUN_MAP_KINDS);
	m->ahead = calloc(slots_entries(t), sizeof(*m->ahead));
	return m->count && m->ahead ? 0 : error_set(e, "out of memory for the picture");
}

void
run_map_release(struct run_map *m)
{
	raster_release(&m->raster);
	slots_release(&m->slots);
	free(m->count);
	free(m->ahead);
	*m = (struct run_map){ 0 };
}

/* ---- points ---- */

static bool
counts(const struct run_map *m)
{
	return m->ndone >= m->warmup;
}

static unsigned
column_of(const struct run_map *m, usec_t when)
{
	unsigned columns = m->raster.columns;
	uint64_t column = (uint64_t)(when - m->begin) * columns / (uint64_t)m->span;

	return column < columns ? (unsigned)column : columns - 1;
}

static uint32_t *
counts_at(const struct run_map *m, unsigned column, unsigned row)
{
	return &m->count[((size_t)column * m->raster.rows + row) * RUN_MAP_KINDS];
}

static void
add(struct run_map *m, unsigned column, block_t b, enum run_map_kind kind)
{
	uint64_t row = (uint64_t)(b - m->first) * m->raster.rows / (m->last - m->first + 1);

	counts_at(m, column, (unsigned)row)[kind]++;
	m->total[kind]++;
}

/* ---- calls ---- */

/* The first moment of a column of pixels. */
static usec_t
begin_of(const struct run_map *m, unsigned column)
{
	uint64_t span = (uint64_t)m->span;

	return m->begin + (usec_t)((column * span + RUN_MAP_WIDTH - 1) / RUN_MAP_WIDTH);
}

/* Columns that begin before that time begin with the calls as they are now. */
static void
note_calls(struct run_map *m, usec_t until)
{
	uint64_t next = m->ncalls + !m->nopen, all = m->t->naccess, call = next < all ? next : all;

	while (counts(m) && m->nnoted < RUN_MAP_WIDTH && begin_of(m, m->nnoted) < until)
		m->call[m->nnoted++] = call;
}

/* What was read ahead before counting starts is not counted (sim/core/engine/node.c). */
static void
start_counting(struct run_map *m, usec_t now)
{
	m->begin = now;
	memset(m->ahead, 0, slots_used(&m->slots, m->t->nblocks) * sizeof(*m->ahead));
}

static void
see_call(struct run_map *m, const struct event *e)
{
	note_calls(m, e->when);
	if (e->kind == EVENT_CALL) {
		m->ncalls++;
		m->nopen++;
		return;
	}
	m->nopen--;
	if (++m->ndone == m->warmup)
		start_counting(m, e->when);
}

/* ---- blocks ---- */

static void
see_done(struct run_map *m, const struct event *e)
{
	for (block_t b = e->block; !e->service->request.write && b < e->block + e->count; b++) {
		uint16_t *ahead = &m->ahead[slots_find(&m->slots, b)];

		if ((*ahead & UNDER_WAY) == UNDER_WAY)
			*ahead = (uint16_t)((*ahead & AWAITED) |
			    (ARRIVED + (counts(m) ? column_of(m, e->when) : 0)));
	}
}

/* The block was read ahead, and not used. */
static void
waste(struct run_map *m, block_t b, uint16_t ahead, usec_t when)
{
	unsigned arrived = ahead & UNDER_WAY;

	add(m, arrived == UNDER_WAY ? column_of(m, when) : arrived - ARRIVED, b, RUN_MAP_WASTED);
}

/* The first use of a block that the warm-up has read ahead is a hit, or a delayed one. */
static enum run_map_kind
kind_of(enum event_kind event, bool ahead)
{
	static const enum run_map_kind kind[EVENT_KINDS] = {
		[EVENT_HIT] = RUN_MAP_HIT,
		[EVENT_FIRST_HIT] = RUN_MAP_USED,
		[EVENT_LATE] = RUN_MAP_LATE,
		[EVENT_DELAYED] = RUN_MAP_DELAYED,
		[EVENT_MISS] = RUN_MAP_MISS,
		[EVENT_REACH] = RUN_MAP_MISS,
	};

	if (event == EVENT_FIRST_HIT && !ahead)
		return RUN_MAP_HIT;
	return event == EVENT_LATE && !ahead ? RUN_MAP_DELAYED : kind[event];
}

static void
see_block(struct run_map *m, const struct event *e, block_t b)
{
	uint16_t *ahead = &m->ahead[slots_enter(&m->slots, b)];
	bool	  leaves = e->kind == EVENT_EVICT || e->kind == EVENT_FORGET;

	if (e->kind == EVENT_PREFETCH || e->kind == EVENT_FETCH) {
		*ahead = e->kind == EVENT_FETCH ? UNDER_WAY | AWAITED : UNDER_WAY;
		return;
	}
	if (counts(m) && !leaves)
		add(m, column_of(m, e->when), b, kind_of(e->kind, *ahead != 0));
	else if (counts(m) && *ahead)
		waste(m, b, *ahead, e->when);
	*ahead = 0;
}

void
run_map_see(void *map, const struct event *e)
{
	struct run_map *m = map;

	if (e->kind == EVENT_CALL || e->kind == EVENT_CALL_DONE)
		see_call(m, e);
	else if (e->kind == EVENT_IO_DONE)
		see_done(m, e);
	else
		for (block_t b = e->block; b < e->block + e->count; b++)
			see_block(m, e, b);
}

/* ---- the end ---- */

static void
count_unused(struct run_map *m)
{
	block_t end = m->last + 1;

	for (block_t b = m->first; (b = slots_next(&m->slots, b, end)) < end; b++) {
		uint16_t ahead = m->ahead[slots_find(&m->slots, b)];

		if (ahead)
			waste(m, b, ahead, m->end);
	}
}

static void
choose_kind(struct run_map *m, unsigned column, unsigned row)
{
	const uint32_t *n = counts_at(m, column, row);
	unsigned	most = RUN_MAP_HIT + 1;

	for (unsigned kind = most + 1; kind < RUN_MAP_KINDS; kind++)
		most = n[kind] > n[most] ? kind : most;
	if (!n[most])
		most = RUN_MAP_HIT;
	if (n[most])
		raster_add(&m->raster, column, row, most);
}

void
run_map_finish(struct run_map *m)
{
	m->end = m->begin + m->span;
	note_calls(m, m->end);
	count_unused(m);
	for (unsigned column = 0; column < m->raster.columns; column++)
		for (unsigned row = 0; row < m->raster.rows; row++)
			choose_kind(m, column, row);
	raster_finish(&m->raster);
}

uint64_t
run_map_prefetched(const struct run_map *m)
{
	return m->total[RUN_MAP_USED] + m->total[RUN_MAP_LATE] + m->total[RUN_MAP_WASTED];
}

uint64_t
run_map_references(const struct run_map *m)
{
	uint64_t n = 0;

	for (unsigned kind = 0; kind < RUN_MAP_KINDS; kind++)
		n += kind == RUN_MAP_WASTED ? 0 : m->total[kind];
	return n;
}

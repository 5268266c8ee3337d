/* recorded.c - the processes, runs and events of a recording while it is read. */
#include <stdlib.h>

#include "sim/studies/frames/model/recorded.h"

/* ---- processes and runs ---- */

uint32_t
recorded_process(const struct recorded *r, uint64_t process)
{
	uint32_t number = map_get(&r->process, process);

	return number ? number - 1 : GIVEN;
}

static int
add_process(struct recorded *r, uint64_t process, uint32_t *number, struct error *e)
{
	uint32_t *at = map_at(&r->process, process);

	if (!at)
		return error_no_memory(e);
	if (!*at && r->to->facts.processes == GIVEN)
		return error_set(e, "more than %u processes", GIVEN);
	if (!*at)
		*at = ++r->to->facts.processes;
	*number = *at - 1;
	return 0;
}

struct run *
recorded_run(const struct recorded *r, uint64_t page)
{
	uint32_t number = map_get(&r->page, page);

	return number && r->run[number - 1].process != GIVEN ? &r->run[number - 1] : NULL;
}

/* The number of the run, from 0, which may have been there before. */
static int
add_run(struct recorded *r, uint64_t page, uint32_t *number, struct error *e)
{
	uint32_t *at = map_at(&r->page, page);

	if (at && !*at) {
		struct run *more = array_grow(r->run, r->to->runs, &r->room, sizeof(*more));

		if (more) {
			r->run = more;
			*at = ++r->to->runs;
		}
	}
	if (!at || !*at)
		return error_set(e, "out of memory for %u pages", r->to->runs);
	*number = *at - 1;
	return 0;
}

/* ---- events ---- */

static int
add_event(struct recording *r, uint32_t run, uint32_t process, unsigned order, struct error *e)
{
	if (r->n == r->room) {
		size_t		  room = r->room ? 2 * r->room : 1024;
		struct run_event *more = realloc(r->event, room * sizeof(*more));

		if (!more)
			return error_set(e, "out of memory for %zu events", room);
		r->event = more;
		r->room = room;
	}
	r->event[r->n++] =
	    (struct run_event){ run, process & GIVEN, order & ((1U << (32 - PROCESS_BITS)) - 1) };
	return 0;
}

int
recorded_take(struct recorded *r, uint64_t page, unsigned order, uint64_t process, struct error *e)
{
	struct recording *to = r->to;
	uint32_t	  run = 0, by = 0;

	if (add_run(r, page, &run, e) || add_process(r, process, &by, e))
		return -1;
	r->run[run] = (struct run){ by, order, UINT64_C(1) << order };
	r->held += UINT64_C(1) << order;
	to->order = order > to->order ? order : to->order;
	to->facts.takes++;
	if (r->held > to->facts.most)
		to->facts.most = r->held;
	return add_event(to, run, by, order, e);
}

int
recorded_give(struct recorded *r, struct run *run, struct error *e)
{
	run->process = GIVEN;
	r->to->facts.gives++;
	r->held -= UINT64_C(1) << run->order;
	return add_event(r->to, (uint32_t)(run - r->run), GIVEN, run->order, e);
}

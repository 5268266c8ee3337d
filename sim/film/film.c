/*
 * film.c - collect a film from the events of a run.
 *
 * A wait for a missed block is divided as the statistics divide it (sim/core/
 * processes.c): while other requests are served first, each moment belongs to
 * the oldest request then in service.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/film/film.h"

#define BIT(kind) (1u << EVENT_##kind)

const uint32_t film_mask = BIT(CALL) | BIT(HIT) | BIT(FIRST_HIT) | BIT(LATE) | BIT(DELAYED) |
    BIT(MISS) | BIT(FETCH) | BIT(PREFETCH) | BIT(EVICT) | BIT(FORGET) | BIT(IO_START) |
    BIT(IO_DONE) | BIT(CALL_DONE) | BIT(WAIT) | BIT(STEP);

/* In the order of wait_info[]. */
enum {
	ACT_MISS,
	ACT_RIDE,
	ACT_DEMAND_QUEUE,
	ACT_PREFETCH_QUEUE,
	ACT_WRITE_QUEUE,
	ACT_LATE,
	ACT_DELAYED,
	ACT_FRAME,
	ACT_WRITE,
	ACT_IDLE,
};

enum { SPANS, CALLS, REQUESTS, LATES, EVENTS, STAYS };

static const uint32_t no_stay = UINT32_MAX;

/* ---- memory ---- */

int
film_init(struct film *f, const struct trace *t, enum replay replay, uint64_t first, uint64_t last,
    struct error *e)
{
	uint32_t n = replay == REPLAY_PROCESS ? t->nprocesses : t->nprograms;

	*f = (struct film){ .t = t,
		.first = first,
		.last = last,
		.until = USEC_MAX,
		.nprocesses = n ? n : 1,
		.programs = n && replay != REPLAY_PROCESS };
	f->process = calloc(f->nprocesses, sizeof(*f->process));
	f->ahead = calloc((size_t)t->nblocks + 1, sizeof(*f->ahead));
	for (uint32_t i = 0; f->process && i < f->nprocesses; i++)
		f->process[i].idle = -1;
	return f->process && f->ahead ? 0 : error_set(e, "out of memory for the film");
}

void
film_release(struct film *f)
{
	free(f->process);
	free(f->span);
	free(f->call);
	free(f->request);
	free(f->late);
	free(f->event);
	free(f->stay);
	free(f->ahead);
	*f = (struct film){ 0 };
}

/* Room for one more element in *array; false: no memory. */
static bool
grow(struct film *f, void **array, size_t n, unsigned which, size_t bytes)
{
	void *larger = f->lost ? NULL : array_grow(*array, n, &f->rooms[which], bytes);

	if (larger)
		*array = larger;
	else
		f->lost = true;
	return larger;
}

#define GROW(f, array, n, which) grow(f, (void **)&(f)->array, (f)->n, which, sizeof(*(f)->array))

/* ---- processes ---- */

static bool
in_span(const struct film *f, uint64_t call)
{
	return call >= f->first && call <= f->last;
}

/* Do calls of the span still begin, or go on? */
static bool
goes_on(const struct film *f)
{
	return f->began && (f->until == USEC_MAX || f->nopen);
}

static void
add_span(struct film *f, uint32_t process, usec_t from, usec_t to, uint32_t act)
{
	if (from < f->begin)
		from = f->begin;
	if (from >= to || !GROW(f, span, nspans, SPANS))
		return;
	f->process[process].acts = true;
	f->span[f->nspans++] =
	    (struct film_span){ .from = from, .to = to, .process = process, .act = act };
}

static void
see_call(struct film *f, const struct event *e)
{
	struct film_process *p = &f->process[e->process];
	uint32_t	     traced = f->t->open[e->call->open].process;

	p->call = ++f->ncalls;
	p->ready = e->when;
	p->traced = &f->t->process[traced];
	p->program = f->t->program_of ? f->t->program_of[traced] : 0;
	if (f->ncalls == f->first) {
		f->began = true;
		f->begin = f->end = e->when;
	}
	if (f->ncalls == f->last + 1)
		f->until = e->when;
	if (!f->began || f->ncalls > f->last + 1)
		return;
	if (p->idle >= 0)
		add_span(f, e->process, p->idle, e->when, FILM_THINK);
	if (f->ncalls > f->last || !GROW(f, call, ncall, CALLS))
		return;
	p->acts = true;
	p->entry = f->ncall;
	f->nopen++;
	f->call[f->ncall++] = (struct film_call){ .number = f->ncalls,
		.begin = e->when,
		.end = e->when,
		.process = e->process,
		.access = e->call };
}

static void
see_call_done(struct film *f, const struct event *e)
{
	struct film_process *p = &f->process[e->process];

	p->idle = e->when;
	if (f->began && p->call <= f->last)
		add_span(f, e->process, p->ready, e->when, FILM_CPU);
	if (!in_span(f, p->call) || f->lost)
		return;
	f->nopen--;
	f->call[p->entry].end = e->when;
	f->end = e->when > f->end ? e->when : f->end;
}

/* A process that waits for another does not think. */
static void
see_step(struct film *f, const struct event *e)
{
	for (uint32_t i = 0; i < f->nprocesses; i++) {
		struct film_process *p = &f->process[i];

		if (p->traced != &f->t->process[e->step->process])
			continue;
		if (p->idle >= 0 && f->began && p->call <= f->last && f->until == USEC_MAX)
			add_span(f, i, p->idle, e->when, FILM_THINK);
		p->idle =
		    e->step->kind == STEP_WAIT || e->step->kind == STEP_RECEIVE ? -1 : e->when;
	}
}

/* ---- waits ---- */

/* From `from` to `to`, a process waits for requests that are served before its own. */
static void
add_queue(struct film *f, uint32_t process, usec_t from, usec_t to)
{
	static const uint32_t act[FILM_USES] = {
		[FILM_DEMAND] = ACT_DEMAND_QUEUE,
		[FILM_PREFETCH] = ACT_PREFETCH_QUEUE,
		[FILM_WRITE] = ACT_WRITE_QUEUE,
	};

	for (size_t i = 0; i < f->nrequests && f->request[i].started < to && from < to; i++) {
		const struct film_request *r = &f->request[i];
		usec_t			   end = r->done < to ? r->done : to;

		if (end <= from)
			continue;
		if (r->started > from) {
			add_span(f, process, from, r->started, ACT_IDLE);
			from = r->started;
		}
		add_span(f, process, from, end, act[r->use]);
		from = end;
	}
	add_span(f, process, from, to, ACT_IDLE);
}

static void
add_late(struct film *f, uint32_t process, const struct waited *w)
{
	size_t i = f->nrequests;

	while (i > 0 && f->request[i - 1].number != w->by->number)
		i--;
	if (i && w->since >= f->begin && GROW(f, late, nlate, LATES))
		f->late[f->nlate++] = (struct film_late){ w->since, process, i - 1 };
}

static void
see_wait(struct film *f, const struct event *e)
{
	static const uint32_t act[] = {
		[WAITED_LATE] = ACT_LATE,
		[WAITED_DELAYED] = ACT_DELAYED,
		[WAITED_WRITE] = ACT_WRITE,
		[WAITED_ROOM] = ACT_FRAME,
	};
	const struct waited *w = e->waited;
	usec_t		     wanted = w->wanted > w->served ? w->wanted : w->served;

	f->process[e->process].ready = e->when;
	if (!f->began || f->process[e->process].call > f->last || w->since >= e->when)
		return;
	if (w->what != WAITED_MISS) {
		add_span(f, e->process, w->since, e->when, act[w->what]);
		if (w->what == WAITED_LATE)
			add_late(f, e->process, w);
		return;
	}
	wanted = wanted < e->when ? wanted : e->when;
	add_queue(f, e->process, w->since, w->served);
	add_span(f, e->process, w->served, wanted, ACT_MISS);
	add_span(f, e->process, wanted, e->when, ACT_RIDE);
}

/* ---- requests ---- */

static enum film_use
use_of(const struct request *r)
{
	return r->write ? FILM_WRITE : r->demand_end ? FILM_DEMAND : FILM_PREFETCH;
}

static void
see_start(struct film *f, const struct event *e)
{
	const struct in_service *i = e->service;
	struct film_request	*r;

	if (f->began && !goes_on(f) && i->request.queued >= (f->until > f->end ? f->until : f->end))
		return;
	if (!GROW(f, request, nrequests, REQUESTS))
		return;
	r = &f->request[f->nrequests++];
	*r = (struct film_request){ .number = i->number,
		.block = e->block,
		.count = e->count,
		.demanded = i->request.demand_end,
		.use = use_of(&i->request),
		.queued = i->request.queued,
		.started = i->started,
		.done = i->done_at };
	memcpy(r->part, i->service.part, sizeof(r->part));
}

/* Before the span, only requests in service are kept. */
static void
forget_request(struct film *f, uint32_t number)
{
	size_t i = 0;

	while (i < f->nrequests && f->request[i].number != number)
		i++;
	if (i == f->nrequests)
		return;
	f->nrequests--;
	memmove(&f->request[i], &f->request[i + 1], (f->nrequests - i) * sizeof(*f->request));
}

static void
begin_stay(struct film *f, block_t b, usec_t when)
{
	if (!GROW(f, stay, nstays, STAYS))
		return;
	f->stay[f->nstays++] = (struct film_stay){ .block = b, .from = when, .to = USEC_MAX };
	f->ahead[b] = (uint32_t)f->nstays;
}

static void
see_done(struct film *f, const struct event *e)
{
	if (!f->began)
		forget_request(f, e->service->number);
	if (!goes_on(f) || e->service->request.write)
		return;
	for (block_t b = e->block; b < e->block + e->count; b++)
		if (f->ahead[b] == no_stay)
			begin_stay(f, b, e->when);
}

/* ---- blocks ---- */

static void
add_event(struct film *f, usec_t when, block_t b, enum film_fate fate)
{
	struct film_event *last = f->nevents ? &f->event[f->nevents - 1] : NULL;

	if (!f->began || f->until != USEC_MAX)
		return;
	if (last && last->when == when && last->fate == fate && last->block + last->count == b)
		last->count++;
	else if (GROW(f, event, nevents, EVENTS))
		f->event[f->nevents++] = (struct film_event){ when, b, 1, fate };
}

/* A block that was read ahead is used, or leaves. */
static void
end_stay(struct film *f, block_t b, usec_t when, bool arrived)
{
	if (f->ahead[b] == no_stay && arrived && f->began && f->until == USEC_MAX)
		begin_stay(f, b, f->begin); /* it came before the span */
	if (f->ahead[b] && f->ahead[b] != no_stay)
		f->stay[f->ahead[b] - 1].to = when;
	f->ahead[b] = 0;
}

static void
see_blocks(struct film *f, const struct event *e)
{
	static const enum film_fate fate[EVENT_KINDS] = {
		[EVENT_FIRST_HIT] = FILM_FIRST_HIT,
		[EVENT_LATE] = FILM_LATE,
		[EVENT_DELAYED] = FILM_DELAYED,
		[EVENT_MISS] = FILM_MISS,
		[EVENT_FETCH] = FILM_MISS,
	};

	for (block_t b = e->block; b < e->block + e->count; b++) {
		bool leaves = e->kind == EVENT_EVICT || e->kind == EVENT_FORGET;

		if (leaves)
			add_event(f, e->when, b, f->ahead[b] ? FILM_UNUSED : FILM_EVICTED);
		else if (e->kind != EVENT_PREFETCH)
			add_event(f, e->when, b, fate[e->kind]);
		if (leaves || e->kind == EVENT_FIRST_HIT || e->kind == EVENT_LATE)
			end_stay(f, b, e->when, e->kind == EVENT_FIRST_HIT);
		else if (e->kind == EVENT_PREFETCH)
			f->ahead[b] = no_stay;
	}
}

void
film_see(void *film, const struct event *e)
{
	struct film *f = film;

	switch (e->kind) {
	case EVENT_CALL:
		see_call(f, e);
		break;
	case EVENT_CALL_DONE:
		see_call_done(f, e);
		break;
	case EVENT_WAIT:
		see_wait(f, e);
		break;
	case EVENT_STEP:
		see_step(f, e);
		break;
	case EVENT_IO_START:
		see_start(f, e);
		break;
	case EVENT_IO_DONE:
		see_done(f, e);
		break;
	default:
		see_blocks(f, e);
	}
}

/* ---- the end ---- */

/* The end of the last request that was submitted before the next call, or when that call begins. */
static void
find_end(struct film *f)
{
	usec_t done = f->end;

	for (size_t i = 0; i < f->nrequests; i++)
		if (f->request[i].queued < f->until && f->request[i].done > done)
			done = f->request[i].done;
	if (done > f->until)
		done = f->until;
	f->end = done > f->end ? done : f->end;
}

static usec_t
within(const struct film *f, usec_t when)
{
	return when < f->begin ? f->begin : when > f->end ? f->end : when;
}

static void
add_up(struct film *f)
{
	for (size_t i = 0; i < f->nspans; i++) {
		struct film_span *s = &f->span[i];

		s->to = within(f, s->to);
		f->act_us[s->act] += s->to > s->from ? (uint64_t)(s->to - s->from) : 0;
	}
	for (size_t i = 0; i < f->nrequests; i++) {
		const struct film_request *r = &f->request[i];
		usec_t			   at = r->started;

		f->used[r->use] += r->started < f->end && r->done > f->begin;
		for (unsigned k = 0; k < SERVICE_PARTS; at += r->part[k++])
			f->part_us[k] += (uint64_t)(within(f, at + r->part[k]) - within(f, at));
	}
	for (size_t i = 0; i < f->nstays; i++)
		f->stay[i].to = within(f, f->stay[i].to);
	for (size_t i = 0; i < f->nevents; i++)
		f->blocks[f->event[i].fate] += f->event[i].count;
}

int
film_finish(struct film *f, struct error *e)
{
	if (f->lost)
		return error_set(e, "out of memory for the film: fewer --calls take less");
	find_end(f);
	add_up(f);
	if (f->end > f->begin)
		return 0;
	return error_set(e,
	    "these calls take no time: there is nothing to draw; another --first, or more --calls");
}

size_t
film_stays_alike(const struct film *f, size_t i)
{
	const struct film_stay *y = &f->stay[i];
	size_t			n = 1;

	while (i + n < f->nstays && y[n].block == y->block + n && y[n].from == y->from &&
	    y[n].to == y->to)
		n++;
	return n;
}

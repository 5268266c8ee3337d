/*
 * steps.c - the start, the waits and the end of processes.
 *
 * A process that waits is in the list of the one it waits for, which wakes it;
 * one that waits for any of its children is woken by the first that ends.  A
 * process without an end in the trace ends with its last call or step.
 * Processes that wait for others, or to be started, are held: if all are, none
 * would ever go on, and the one that was held first does.  O(1) a step.
 */
#include "sim/core/engine/steps.h"
#include <stdlib.h>

#include "sim/core/engine/engine.h"

/* ---- lists ---- */

static struct kin *
kin_of(struct processes *ps, const struct process *p)
{
	return &ps->kin[process_number(ps, p) + 1];
}

static struct process *
process_of(struct processes *ps, const struct kin *k)
{
	return &ps->process[k - ps->kin - 1];
}

static uint32_t
number_of(const struct processes *ps, const struct kin *k)
{
	return (uint32_t)(k - ps->kin);
}

/* kin[0] is the ring's head. */
static void
hold(struct processes *ps, struct kin *k)
{
	struct kin *head = ps->kin;

	ASSERT(!k->held && !k->ended && ps->nheld < ps->n);
	k->held = true;
	k->held_behind = 0;
	k->held_before = head->held_before;
	ps->kin[head->held_before].held_behind = number_of(ps, k);
	head->held_before = number_of(ps, k);
	ps->nheld++;
}

static void
let_go(struct processes *ps, struct kin *k)
{
	ASSERT(k->held && ps->nheld);
	k->held = false;
	ps->kin[k->held_before].held_behind = k->held_behind;
	ps->kin[k->held_behind].held_before = k->held_before;
	ps->nheld--;
}

/* ---- times ---- */

/* The calls that p makes before it takes a step or ends. */
static void
set_stop(struct process *p, const struct kin *k)
{
	bool has_step = k->step < k->end && k->step->calls < p->calls->n;

	p->stop = has_step ? k->step->calls : p->calls->n;
	if (p->stop < p->next)
		p->stop = p->next;
}

/* Has p more steps to take, or calls to make? */
static bool
has_more(const struct processes *ps, const struct process *p)
{
	const struct kin *k = ps->kin ? &ps->kin[process_number(ps, p) + 1] : NULL;

	return p->next < p->calls->n || (k && k->step < k->end);
}

/* When the next call or step of p was recorded. */
static usec_t
next_recorded(const struct engine *g, const struct process *p)
{
	const struct processes *ps = &g->processes;

	if (p->next < p->stop)
		return g->trace->access[sequence_call(p->calls, p->next)].time;
	return ps->kin[process_number(ps, p) + 1].step->time;
}

/* In the trace, p has come as far as that time, and no further than its next call or step. */
static void
come_to(const struct engine *g, struct process *p, usec_t recorded)
{
	p->recorded = recorded;
	if (has_more(&g->processes, p) && next_recorded(g, p) < recorded)
		p->recorded = next_recorded(g, p);
}

/* p acts after the time that is left of the recorded one, or at once, to end. */
static void
set_clock(struct engine *g, struct process *p)
{
	struct processes *ps = &g->processes;
	usec_t		  at = g->now;

	if (has_more(ps, p))
		at = engine_think(g, p, next_recorded(g, p));
	clock_set(&ps->clock, process_number(ps, p), at);
}

/* ---- waits ---- */

static void
step_taken(const struct engine *g, struct process *p, struct kin *k)
{
	usec_t until = k->step->until;

	ASSERT(k->step < k->end);
	k->step++;
	set_stop(p, k);
	come_to(g, p, until);
}

/* The wait of a process that is held ends now. */
static void
go_on(struct engine *g, struct kin *k)
{
	struct process *p = process_of(&g->processes, k);

	let_go(&g->processes, k);
	ASSERT(p->waiting == WAITS_FOR_PROCESS && p->since <= g->now);
	g->stats.wait_process_us += (uint64_t)(g->now - p->since);
	p->waiting = WAITS_NOT;
	step_taken(g, p, k);
	set_clock(g, p);
}

/* The child that ended first among those that k has not waited for; NULL: there is none. */
static struct kin *
take_ended(struct processes *ps, struct kin *k)
{
	while (k->first_ended) {
		struct kin *child = &ps->kin[k->first_ended];

		k->first_ended = child->next_ended;
		if (!child->reaped)
			return child;
	}
	return NULL;
}

/* Is there nothing to wait for, or has it happened? */
static bool
is_over(struct processes *ps, struct kin *k)
{
	const struct step *s = k->step;
	struct kin *other = s->other == STEP_ANY ? take_ended(ps, k) : &ps->kin[s->other + 1];

	if (s->kind == STEP_RECEIVE)
		return other->ended || other->sent >= s->number;
	if (s->other == STEP_ANY && !other)
		return !k->living;
	if (other->ended && other->parent == number_of(ps, k))
		other->reaped = true;
	return other->ended;
}

static bool
wait_for(struct engine *g, struct process *p, struct kin *k)
{
	struct processes *ps = &g->processes;

	if (is_over(ps, k)) {
		step_taken(g, p, k);
		return true;
	}
	p->waiting = WAITS_FOR_PROCESS;
	p->since = g->now;
	hold(ps, k);
	if (k->step->other != STEP_ANY) {
		struct kin *other = &ps->kin[k->step->other + 1];

		k->next_waiter = other->waiters;
		other->waiters = number_of(ps, k);
	}
	return false;
}

/* Wake those who wait for what has happened to k; the others wait on, in the same order. */
static void
wake_waiters(struct engine *g, struct kin *k)
{
	struct processes *ps = &g->processes;
	uint32_t	 *at = &k->waiters;

	while (*at) {
		struct kin *waiter = &ps->kin[*at];

		if (is_over(ps, waiter)) {
			*at = waiter->next_waiter;
			go_on(g, waiter);
		} else {
			at = &waiter->next_waiter;
		}
	}
}

/* ---- starts and ends ---- */

static void
start(struct engine *g, struct kin *parent, struct kin *child)
{
	struct processes *ps = &g->processes;
	struct process	 *p = process_of(ps, child);

	if (!child->child || !child->held || child->parent || p->waiting == WAITS_FOR_PROCESS)
		return;
	let_go(ps, child);
	child->parent = number_of(ps, parent);
	parent->living++;
	come_to(g, p, parent->step->time);
	set_clock(g, p);
}

static void
tell_parent(struct engine *g, struct kin *k)
{
	struct processes *ps = &g->processes;
	struct kin	 *parent = &ps->kin[k->parent];

	ASSERT(parent->living);
	parent->living--;
	if (parent->first_ended)
		ps->kin[parent->last_ended].next_ended = number_of(ps, k);
	else
		parent->first_ended = number_of(ps, k);
	parent->last_ended = number_of(ps, k);
	if (parent->held && parent->step->other == STEP_ANY && is_over(ps, parent))
		go_on(g, parent);
}

static void
end_process(struct engine *g, struct kin *k)
{
	if (k->ended)
		return;
	k->ended = true;
	wake_waiters(g, k);
	if (k->parent)
		tell_parent(g, k);
}

static void
observe_step(const struct engine *g, const struct step *s)
{
	const struct observer *o = &g->cfg.observer;

	if (unlikely(o->mask >> EVENT_STEP & 1))
		o->see(o->ctx, &(struct event){ .when = g->now, .kind = EVENT_STEP, .step = s });
}

/* p takes its next step.  False: it waits for another process. */
static bool
take_step(struct engine *g, struct process *p)
{
	struct processes *ps = &g->processes;
	struct kin	 *k = kin_of(ps, p);

	observe_step(g, k->step);
	switch (k->step->kind) {
	case STEP_START:
		start(g, k, &ps->kin[k->step->other + 1]);
		break;
	case STEP_EXIT:
		end_process(g, k);
		break;
	case STEP_SEND:
		k->sent++;
		wake_waiters(g, k);
		break;
	default:
		return wait_for(g, p, k);
	}
	step_taken(g, p, k);
	return true;
}

void
steps_come(struct engine *g, struct process *p)
{
	if (has_more(&g->processes, p)) {
		set_clock(g, p);
		return;
	}
	ASSERT(g->nlive);
	g->nlive--;
	if (g->processes.kin)
		end_process(g, kin_of(&g->processes, p));
}

void
steps_run(struct engine *g, struct process *p)
{
	if (!has_more(&g->processes, p) || take_step(g, p))
		steps_come(g, p);
}

/* ---- damaged traces ---- */

static void
leave_waiters(struct processes *ps, const struct kin *k)
{
	uint32_t *at;

	if (k->step->other == STEP_ANY)
		return;
	at = &ps->kin[k->step->other + 1].waiters;
	while (*at != number_of(ps, k))
		at = &ps->kin[*at].next_waiter;
	*at = k->next_waiter;
}

void
steps_break(struct engine *g)
{
	struct processes *ps = &g->processes;
	struct kin	 *k = &ps->kin[ps->kin->held_behind];
	struct process	 *p = process_of(ps, k);

	ASSERT(k != ps->kin && k->held);
	g->stats.broken_waits++;
	if (p->waiting == WAITS_FOR_PROCESS) {
		leave_waiters(ps, k);
		go_on(g, k);
		return;
	}
	let_go(ps, k);
	come_to(g, p, USEC_MAX);
	set_clock(g, p);
}

/* ---- setting up ---- */

int
steps_init(struct processes *ps, const struct config *cfg, const struct trace *t, struct error *e)
{
	if (cfg->replay != REPLAY_PROCESS || !t->nsteps)
		return 0;
	ps->kin = calloc((size_t)ps->n + 1, sizeof(*ps->kin));
	if (!ps->kin)
		return error_set(e, "out of memory for %u processes", ps->n);
	for (size_t i = t->nsteps; i--;) {
		const struct step *s = &t->step[i];
		struct kin	  *k = &ps->kin[s->process + 1];

		k->step = s;
		if (!k->end)
			k->end = s + 1;
		if (s->kind == STEP_START)
			ps->kin[s->other + 1].child = true;
	}
	for (uint32_t i = 0; i < ps->n; i++)
		set_stop(&ps->process[i], &ps->kin[i + 1]);
	return 0;
}

void
steps_release(struct processes *ps)
{
	free(ps->kin);
	ps->kin = NULL;
}

/* Calls are checked before they are looked at: calls_init() has done so for all. */
void
steps_start(struct engine *g)
{
	struct processes *ps = &g->processes;

	for (uint32_t i = 0; i < ps->n; i++) {
		struct process *p = &ps->process[i];
		struct kin     *k = &ps->kin[i + 1];

		if (!k->child && !has_more(ps, p)) {
			k->ended = true;
			continue;
		}
		g->nlive++;
		if (k->child) {
			hold(ps, k);
			continue;
		}
		p->recorded = next_recorded(g, p);
		clock_set(&ps->clock, i,
		    config_scaled(&g->cfg, p->recorded) + engine_think(g, p, p->recorded));
	}
}

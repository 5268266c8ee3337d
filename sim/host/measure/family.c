/* family.c - the start, the waits and the end of threads. */
#include "sim/host/measure/family.h"

#include <stdlib.h>

/* ---- waits ---- */

/* The child that ended first among those that m has not waited for. */
static struct member *
first_ended(const struct member *m)
{
	struct member *child = m->first_ended;

	while (child && child->reaped)
		child = child->next_ended;
	return child;
}

/* Is there nothing to wait for, or has it happened? */
static bool
is_over(const struct family *f, const struct member *m)
{
	const struct member *other;

	if (!m->begun)
		return m->started;
	if (m->step->other == STEP_ANY)
		return first_ended(m) || !m->living;
	other = &f->member[m->step->other];
	if (m->step->kind == STEP_RECEIVE)
		return other->ended || other->sent >= m->step->number;
	return other->ended;
}

/* If each waits for another, let the one go that has waited longest. */
static void
break_ring(struct family *f)
{
	struct member *longest = NULL;

	if (!f->living || f->waiting < f->living)
		return;
	for (uint32_t i = 0; i < f->n; i++) {
		struct member *m = &f->member[i];

		if (!m->since)
			continue;
		if (m->let_go || is_over(f, m))
			return;
		if (!longest || m->since < longest->since)
			longest = m;
	}
	longest->let_go = true;
	for (uint32_t i = 0; i < f->n; i++)
		pthread_cond_broadcast(&f->member[i].changed);
}

/* What happens to `other` ends it, and perhaps the ends of others that wait for the same. */
static void
wait_for(struct family *f, struct member *m, struct member *other)
{
	m->since = ++f->waits;
	f->waiting++;
	break_ring(f);
	while (!f->over && !m->let_go && !is_over(f, m))
		pthread_cond_wait(&other->changed, &f->lock);
	f->waiting--;
	m->since = 0;
	m->let_go = false;
}

/* m has seen the end of what it waits for. */
static void
reap(struct family *f, struct member *m)
{
	bool	       any = m->step->other == STEP_ANY;
	struct member *other = any ? first_ended(m) : &f->member[m->step->other];

	if (other && other->ended && other->parent == m)
		other->reaped = true;
}

static void
take_wait(struct family *f, struct member *m)
{
	struct member *other = m->step->other == STEP_ANY ? m : &f->member[m->step->other];

	if (!is_over(f, m))
		wait_for(f, m, other);
	if (m->step->kind == STEP_WAIT)
		reap(f, m);
}

/* ---- starts and ends ---- */

static void
start(struct member *parent, struct member *child)
{
	if (!child->child || child->started)
		return;
	child->started = true;
	child->parent = parent;
	child->born = parent->step->time;
	parent->living++;
	pthread_cond_broadcast(&child->changed);
}

static void
tell_parent(struct member *m)
{
	struct member *parent = m->parent;

	parent->living--;
	if (parent->first_ended)
		parent->last_ended->next_ended = m;
	else
		parent->first_ended = m;
	parent->last_ended = m;
	pthread_cond_broadcast(&parent->changed);
}

static void
end(struct member *m)
{
	if (m->ended)
		return;
	m->ended = true;
	pthread_cond_broadcast(&m->changed);
	if (m->parent)
		tell_parent(m);
}

bool
family_begin(struct family *f, uint32_t i, usec_t *born)
{
	struct member *m = &f->member[i];

	pthread_mutex_lock(&f->lock);
	if (!m->started)
		wait_for(f, m, m);
	*born = m->born;
	m->started = m->begun = true;
	pthread_mutex_unlock(&f->lock);
	return m->child;
}

const struct step *
family_step(const struct family *f, uint32_t i)
{
	const struct member *m = &f->member[i];

	return m->step < m->end ? m->step : NULL;
}

void
family_take(struct family *f, uint32_t i)
{
	struct member *m = &f->member[i];

	pthread_mutex_lock(&f->lock);
	switch (m->step->kind) {
	case STEP_START:
		start(m, &f->member[m->step->other]);
		break;
	case STEP_EXIT:
		end(m);
		break;
	case STEP_SEND:
		m->sent++;
		pthread_cond_broadcast(&m->changed);
		break;
	default:
		take_wait(f, m);
	}
	m->step++;
	pthread_mutex_unlock(&f->lock);
}

void
family_end(struct family *f, uint32_t i)
{
	pthread_mutex_lock(&f->lock);
	end(&f->member[i]);
	f->living--;
	break_ring(f);
	pthread_mutex_unlock(&f->lock);
}

void
family_dismiss(struct family *f)
{
	pthread_mutex_lock(&f->lock);
	f->over = true;
	for (uint32_t i = 0; i < f->n; i++)
		pthread_cond_broadcast(&f->member[i].changed);
	pthread_mutex_unlock(&f->lock);
}

/* ---- setting up ---- */

int
family_init(struct family *f, const struct trace *t, bool (*calls)(const void *self, uint32_t i),
    const void *self, struct error *e)
{
	*f = (struct family){ .n = t->nprocesses };
	f->member = calloc((size_t)f->n + 1, sizeof(*f->member));
	if (!f->member) {
		f->n = 0;
		return error_set(e, "out of memory for %u processes", t->nprocesses);
	}
	pthread_mutex_init(&f->lock, NULL);
	for (uint32_t i = 0; i < f->n; i++)
		pthread_cond_init(&f->member[i].changed, NULL);
	for (size_t i = t->nsteps; i--;) {
		const struct step *s = &t->step[i];
		struct member	  *m = &f->member[s->process];

		m->step = s;
		if (!m->end)
			m->end = s + 1;
		if (s->kind == STEP_START)
			f->member[s->other].child = true;
	}
	for (uint32_t i = 0; i < f->n; i++) {
		struct member *m = &f->member[i];

		m->started = !m->child;
		m->born = USEC_MAX;
		m->ended = !m->child && m->step == m->end && !calls(self, i);
		f->living += !m->ended;
	}
	return 0;
}

void
family_release(struct family *f)
{
	if (!f->member)
		return;
	for (uint32_t i = 0; i < f->n; i++)
		pthread_cond_destroy(&f->member[i].changed);
	pthread_mutex_destroy(&f->lock);
	free(f->member);
	*f = (struct family){ 0 };
}

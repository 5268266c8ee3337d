/* place_steps.c - sort steps among the accesses.  A few passes; none without steps. */
#include <stdlib.h>
#include <string.h>

#include "sim/trace/place_steps.h"

static int
compare_marks(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	if (x->at.index != y->at.index)
		return x->at.index < y->at.index ? -1 : 1;
	if (x->at.time != y->at.time)
		return x->at.time < y->at.time ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

void
steps_place(struct mark *mark, size_t nmarks, const struct access *access, size_t n,
    const struct sort_key *key)
{
	for (size_t k = 0; k < nmarks; k++) {
		mark[k].at.index = sort_keys_place(&mark[k].at, access, n, key);
		mark[k].place = k;
	}
	if (nmarks)
		qsort(mark, nmarks, sizeof(*mark), compare_marks);
}

/* Since the first access; what precedes it happens together with it. */
static usec_t
since(usec_t time, usec_t origin)
{
	return time > origin ? time - origin : 0;
}

/* calls: [nprocesses], zeroed; at the end, the number of calls of each process. */
static void
count_calls(const struct mark *mark, size_t nmarks, const struct trace *t,
    const struct access *access, uint64_t *calls, struct step *out)
{
	size_t k = 0;

	for (size_t i = 0;; i++) {
		for (; k < nmarks && mark[k].at.index == i; k++) {
			out[k] = mark[k].step;
			out[k].time = since(mark[k].step.time, access[0].time);
			out[k].until = since(mark[k].step.until, access[0].time);
			out[k].calls = calls[out[k].process];
		}
		if (i == t->naccess)
			return;
		calls[t->open[access[i].open].process]++;
	}
}

/* The end of a process is its last step: an earlier one was that of another life, or damage. */
static void
keep_last_exits(struct step *step, struct trace *t, const uint64_t *calls, bool *seen)
{
	size_t n = t->nsteps, kept = n;

	for (size_t k = n; k--;) {
		bool *later = &seen[step[k].process];

		if (step[k].kind == STEP_EXIT && (*later || step[k].calls < calls[step[k].process]))
			continue;
		*later = true;
		step[--kept] = step[k];
	}
	t->nsteps = n - kept;
	memmove(step, step + kept, t->nsteps * sizeof(*step));
}

int
steps_settle(const struct mark *mark, size_t nmarks, struct trace *t, const struct access *access,
    struct step **out)
{
	uint64_t *calls = calloc(t->nprocesses, sizeof(*calls));
	bool	 *seen = calloc(t->nprocesses, sizeof(*seen)), enough;

	*out = calloc(nmarks, sizeof(**out));
	enough = calls && seen && *out;
	if (enough) {
		count_calls(mark, nmarks, t, access, calls, *out);
		t->nsteps = nmarks;
		keep_last_exits(*out, t, calls, seen);
	}
	free(calls);
	free(seen);
	return enough ? 0 : -1;
}

int
steps_sort(struct step *step, size_t n, uint32_t nprocesses)
{
	size_t	    *place = calloc((size_t)nprocesses + 1, sizeof(*place));
	struct step *from = malloc(n * sizeof(*from));
	bool	     enough = place && from;

	if (enough) {
		memcpy(from, step, n * sizeof(*from));
		for (size_t k = 0; k < n; k++)
			place[from[k].process + 1]++;
		for (uint32_t p = 0; p < nprocesses; p++)
			place[p + 1] += place[p];
		for (size_t k = 0; k < n; k++)
			step[place[from[k].process]++] = from[k];
	}
	free(place);
	free(from);
	return enough ? 0 : -1;
}

static bool
refers(const struct trace *t, const struct step *s)
{
	if (s->process >= t->nprocesses || s->kind >= STEP_KINDS)
		return false;
	if (s->kind == STEP_EXIT || s->kind == STEP_SEND)
		return !s->other;
	if (s->kind == STEP_WAIT && s->other == STEP_ANY)
		return true;
	return s->other < t->nprocesses && s->other != s->process;
}

bool
steps_sound(const struct trace *t)
{
	for (size_t k = 0; k < t->nsteps; k++) {
		const struct step *s = &t->step[k];

		if (!refers(t, s) || s->time < 0 || s->until < s->time || s->until > SPAN_MAX_US ||
		    (s->kind == STEP_RECEIVE) != (s->number > 0))
			return false;
		if (k && s->process < s[-1].process)
			return false;
		if (k && s->process == s[-1].process &&
		    (s->time < s[-1].time || s->calls < s[-1].calls || s[-1].kind == STEP_EXIT))
			return false;
	}
	return true;
}

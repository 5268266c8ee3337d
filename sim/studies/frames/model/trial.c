/* trial.c - a load on a pool: repetitions, the median. */
#include <stdlib.h>

#include "sim/studies/frames/model/core_kind.h"
#include "sim/studies/frames/model/cores.h"
#include "sim/studies/frames/model/fragments.h"
#include "sim/studies/frames/model/threads.h"

struct repetition {
	double		     elapsed_ns;
	struct frames_counts counts;
};

static bool
is_modelled(const struct trial *t)
{
	return ((const struct core_kind *)(const void *)t->cores.plugin)->modelled;
}

/* A new arena, with the players at their start. */
static struct frames *
open_fresh(const struct trial *t, struct players *p, struct error *e)
{
	struct frames *f = frames_open(&t->pool, &t->shape, e);

	if (f && p->n) {
		players_restart(p, f);
	} else if (f && players_open(p, f, &t->load, &t->shape, e)) {
		frames_close(f);
		return NULL;
	}
	return f;
}

/* l: NULL, or each operation is timed. */
static int
run_once(struct repetition *r, const struct trial *t, struct players *p, struct trial_latency *l,
    struct error *e)
{
	struct frames *f = open_fresh(t, p, e);
	int	       failed;

	if (!f)
		return -1;
	failed = is_modelled(t) ? cores_run(f, p, &t->cores, &r->elapsed_ns, l, e)
				: threads_run(p, &r->elapsed_ns, l, e);
	r->counts = frames_counts(f);
	failed = failed || frames_check(f, e);
	frames_close(f);
	return failed ? -1 : 0;
}

static int
by_time(const void *a, const void *b)
{
	const struct repetition *x = a, *y = b;

	return (x->elapsed_ns > y->elapsed_ns) - (x->elapsed_ns < y->elapsed_ns);
}

static void
set_median(struct trial_result *r, struct repetition *all, unsigned n)
{
	qsort(all, n, sizeof(*all), by_time);
	r->counts = all[(n - 1) / 2].counts;
	r->elapsed_ns = all[(n - 1) / 2].elapsed_ns;
	r->elapsed_min_ns = all[0].elapsed_ns;
	r->elapsed_max_ns = all[n - 1].elapsed_ns;
}

static int
repeat(struct trial_result *r, const struct trial *t, struct players *p, struct error *e)
{
	struct repetition all[TRIAL_REPEATS_MAX] = { { 0 } };
	unsigned	  n = is_modelled(t) ? 1 : t->repeat;

	for (unsigned i = 0; i < n; i++)
		if (run_once(&all[i], t, p, NULL, e))
			return -1;
	set_median(r, all, n);
	r->script_operations = p->operations;
	return 0;
}

static int
measure(struct trial_result *r, const struct trial *t, struct players *p, struct error *e)
{
	struct repetition timed;

	return repeat(r, t, p, e) || (t->latency && run_once(&timed, t, p, &r->latency, e)) ||
		(t->fragment && fragments_measure(&r->fragments, t, p, e))
	    ? -1
	    : 0;
}

int
trial_run(struct trial_result *r, const struct trial *t, struct error *e)
{
	struct players p = { 0 };
	int	       failed;

	*r = (struct trial_result){ 0 };
	if (!t->repeat || t->repeat > TRIAL_REPEATS_MAX)
		return error_usage(e, "a trial has 1 to %d repetitions, not %u", TRIAL_REPEATS_MAX,
		    t->repeat);
	failed = measure(r, t, &p, e);
	players_close(&p);
	if (failed)
		*r = (struct trial_result){ 0 };
	return failed;
}

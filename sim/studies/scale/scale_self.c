/* scale_self.c - time sweeps. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/workers.h"
#include "sim/cli/points.h"
#include "sim/report/run/record.h"
#include "sim/setup/setup.h"
#include "sim/setup/values.h"
#include "sim/studies/scale/scale_self.h"

enum { WORKERS_MAX = 1024, REPEAT_MAX = 10000, LISTED_MAX = 64 };

struct self {
	struct options o; /* with lists that make a sweep of some length */
	uint32_t       workers[LISTED_MAX];
	unsigned       nworkers;
	uint32_t       most;
};

/* ---- in the process of a run ---- */

struct table {
	char **row;
	size_t n;
};

static int
take_row(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct table *t = self;

	t->row[i] = strdup(text);
	return t->row[i] ? 0 : error_set(e, "out of memory for a row");
}

/* The table goes to memory: a disk would be timed, too. */
static int
write_table(const struct table *t, struct error *e)
{
	struct memo m;

	if (memo_open(&m, e))
		return -1;
	report_csv_header(m.out);
	for (size_t i = 0; i < t->n; i++)
		fputs(t->row[i], m.out);
	if (memo_close(&m, e))
		return -1;
	free(m.text);
	return 0;
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
simulate_all(struct points *p, struct table *t, double *region, struct error *e)
{
	size_t *todo = calloc(p->n, sizeof(*todo));
	double	began;
	int	failed;

	t->row = calloc(p->n, sizeof(*t->row));
	t->n = p->n;
	if (!todo || !t->row) {
		free(todo);
		return error_set(e, "out of memory for %zu points", p->n);
	}
	for (size_t i = 0; i < p->n; i++)
		todo[i] = i;
	began = seconds();
	failed = points_run(p,
	    &(struct points_work){ .todo = todo,
		.ntodo = p->n,
		.self = t,
		.print = report_csv_row,
		.take = take_row },
	    e);
	*region = seconds() - began;
	free(todo);
	return failed;
}

static void
table_release(struct table *t)
{
	for (size_t i = 0; t->row && i < t->n; i++)
		free(t->row[i]);
	free(t->row);
}

static int
sweep(const struct self *s, struct timed_run *r, struct error *e)
{
	double	      began = seconds();
	struct table  t = { 0 };
	struct points p;
	int	      failed = points_init(&p, &s->o, e);

	p.jobs = r->threads;
	if (!failed && p.n < s->most)
		failed = error_usage(e,
		    "%zu points are too few for %u workers: give longer lists, such as --cache "
		    "1/64:1:x1.4",
		    p.n, s->most);
	if (!failed)
		failed = simulate_all(&p, &t, &r->region, e) || write_table(&t, e);
	r->total = seconds() - began;
	table_release(&t);
	points_release(&p);
	return failed ? -1 : 0;
}

/* ---- in the process that times ---- */

struct timing {
	const struct self *s;
	struct timed_run   run;
};

static int
make(void *self, size_t i, FILE *out, struct error *e)
{
	struct timing *t = self;

	if (sweep(t->s, &t->run, e))
		return -1;
	fwrite(&t->run, sizeof(t->run), 1, out);
	return 0;
}

static int
take(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct timing *t = self;

	ASSERT(bytes == sizeof(t->run));
	memcpy(&t->run, text, bytes);
	return 0;
}

/* A process of its own: what one run leaves in memory does not help the next. */
static int
time_run(const struct self *s, uint32_t workers, struct timed_run *r, struct error *e)
{
	struct timing	  t = { s, { .threads = workers } };
	const struct work one = { .npieces = 1, .jobs = 1, .self = &t, .make = make, .take = take };

	if (work_run(&one, e))
		return -1;
	*r = t.run;
	return 0;
}

static int
time_all(struct timings *t, const struct self *s, struct error *e)
{
	uint64_t	 n = s->o.runs * s->nworkers;
	struct timed_run r;
	int		 failed;

	progress_begin("timing", "runs", n + 1);
	failed = time_run(s, s->most, &r, e);
	for (uint64_t i = 0; !failed && i < n; i++) {
		uint64_t turn = i / s->nworkers + i % s->nworkers;

		progress_reach(i + 1);
		failed = time_run(s, s->workers[turn % s->nworkers], &r, e) ||
		    timings_add(t, "bufsim sweep", &r, e);
	}
	progress_end();
	return failed ? -1 : 0;
}

/* ---- settings ---- */

static void
set_workers(struct self *s, uint32_t n)
{
	for (unsigned i = 0; i < s->nworkers; i++)
		if (s->workers[i] == n)
			return;
	s->workers[s->nworkers++] = n;
	s->most = n > s->most ? n : s->most;
}

static int
default_workers(struct self *s, struct error *e)
{
	unsigned processors;

	if (setup_jobs(&processors, &s->o, e))
		return -1;
	processors = processors < 2 ? 2 : processors > WORKERS_MAX ? WORKERS_MAX : processors;
	for (uint32_t n = 1; n < processors; n *= 2)
		set_workers(s, n);
	set_workers(s, processors);
	return 0;
}

static int
set_listed(struct self *s, char *const *text, unsigned n, struct error *e)
{
	uint64_t workers;

	if (n > LISTED_MAX)
		return error_usage(e, "more than %d numbers: take fewer", LISTED_MAX);
	for (unsigned i = 0; i < n; i++) {
		if (!number_whole(text[i], &workers) || !workers || workers > WORKERS_MAX)
			return error_usage(e,
			    "'%s' will not do: type numbers from 1 to %d, such as 1,2,4", text[i],
			    WORKERS_MAX);
		set_workers(s, (uint32_t)workers);
	}
	for (unsigned i = 0; i < s->nworkers; i++)
		if (s->workers[i] == 1 && s->nworkers > 1)
			return 0;
	return error_usage(e, "type 1, which the others are compared with, and others: 1,2,4");
}

static int
listed_workers(struct self *s, struct error *e)
{
	char   **text = NULL;
	unsigned n = 0;
	int	 failed = values_expand(s->o.workers, &text, &n, e) || set_listed(s, text, n, e);

	for (unsigned i = 0; i < n; i++)
		free(text[i]);
	free(text);
	return failed ? error_prefix(e, "--workers") : 0;
}

/* One size and no prefetcher would be a single point. */
static void
set_lists(struct options *o)
{
	if (o->text[OPTION_cache] == option_info[OPTION_cache].initial)
		o->text[OPTION_cache] = "1/64:1:x2";
	if (o->text[OPTION_prefetch] == option_info[OPTION_prefetch].initial)
		o->text[OPTION_prefetch] = "none,linux24,ondemand,iprp";
	if (!o->narguments && !o->pattern)
		o->pattern = o->text[OPTION_pattern] = "zipf:alpha=0.9,blocks=20000";
}

int
scale_self(struct timings *t, const struct options *o, struct error *e)
{
	struct self s = { .o = *o };

	*t = (struct timings){ 0 };
	if (!o->runs || o->runs > REPEAT_MAX)
		return error_usage(e, "--repeat: '%s' is not from 1 to %d", o->text[OPTION_runs],
		    REPEAT_MAX);
	for (unsigned i = 0; i < o->narguments; i++)
		if (!strcmp(o->argument[i], "-"))
			return error_usage(e,
			    "--self reads a trace many times: save standard input to a file");
	set_lists(&s.o);
	if ((o->workers ? listed_workers : default_workers)(&s, e) || time_all(t, &s, e))
		return -1;
	return timings_end(t, "bufsim sweep", e);
}

/* scale_self.c - time sweeps. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/cli/sweep_points.h"
#include "sim/report/run/run_data.h"
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

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int
simulate_all(struct sweep_points *p, struct memo *rows, double *region, struct error *e)
{
	const struct points work = sweep_points_work(p, report_csv_row);
	double		    began = seconds();
	int		    failed = points_print(&work, point_to_file, rows->out, e);

	*region = seconds() - began;
	return failed;
}

/* The table goes to memory: a disk would be timed, too. */
static int
write_table(const struct memo *rows, struct error *e)
{
	struct memo m;

	if (memo_open(&m, e))
		return -1;
	report_csv_header(m.out);
	fwrite(rows->text, 1, rows->bytes, m.out);
	if (memo_close(&m, e))
		return -1;
	free(m.text);
	return 0;
}

static int
make_table(struct sweep_points *p, double *region, struct error *e)
{
	struct memo rows;
	int	    failed;

	if (memo_open(&rows, e))
		return -1;
	failed = simulate_all(p, &rows, region, e);
	failed = memo_close(&rows, e) || failed || write_table(&rows, e);
	free(rows.text);
	return failed;
}

static int
sweep(const struct self *s, struct timed_run *r, struct error *e)
{
	double		    began = seconds();
	struct sweep_points p;
	int		    failed = sweep_points_init(&p, &s->o, e);

	p.jobs = r->threads;
	if (!failed && p.n < s->most)
		failed = error_usage(e,
		    "%zu points are too few for %u workers: give longer lists, such as --cache "
		    "1/64:1:x1.4",
		    p.n, s->most);
	if (!failed)
		failed = make_table(&p, &r->region, e);
	r->total = seconds() - began;
	sweep_points_release(&p);
	return failed ? -1 : 0;
}

/* ---- in the process that times ---- */

struct timing {
	const struct self *s;
	uint32_t	   workers;
};

static int
time_sweep(void *self, size_t i, FILE *out, struct error *e)
{
	const struct timing *t = self;
	struct timed_run     r = { .threads = t->workers };

	if (sweep(t->s, &r, e))
		return -1;
	fwrite(&r, sizeof(r), 1, out);
	return 0;
}

/* A process of its own: what one run leaves in memory does not help the next. */
static int
time_run(const struct self *s, uint32_t workers, struct timed_run *r, struct error *e)
{
	struct timing	    t = { s, workers };
	const struct points one = { .n = 1, .jobs = 1, .self = &t, .make = time_sweep };

	return points_collect(&one, r, sizeof(*r), sizeof(*r), e);
}

static int
time_all(struct timings *t, const struct self *s, struct error *e)
{
	uint64_t	 n = s->o.runs * s->nworkers;
	struct timed_run r = { 0 };
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

/* scale_self.c - time sweeps. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "sim/base/memo.h"
#include "sim/cli/sweep_points.h"
#include "sim/report/run/run_data.h"
#include "sim/studies/scale/scale_self.h"
#include "sim/studies/scale/seconds.h"
#include "sim/studies/scale/turns.h"

struct self {
	struct options o;    /* with lists that make a sweep of some length */
	uint32_t       most; /* workers */
};

/* ---- in the process of a run ---- */

static int
simulate_all(struct sweep_points *p, struct memo *rows, double *region, struct error *e)
{
	const struct points work = sweep_points_work(p, report_csv_row);
	double		    began = seconds_now();
	int		    failed = points_print(&work, point_to_file, rows->out, e);

	*region = seconds_now() - began;
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

/* Of this process, which is new, and of its workers, which have ended. */
static void
take_usage(struct timed_run *r)
{
	struct rusage used;

	for (int i = 0; i < 2; i++)
		if (!getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &used)) {
			r->user += seconds_of(used.ru_utime);
			r->system += seconds_of(used.ru_stime);
		}
}

static int
sweep(const struct self *s, struct timed_run *r, struct error *e)
{
	double		    began = seconds_now();
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
	r->total = seconds_now() - began;
	take_usage(r);
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
time_run(void *self, uint32_t workers, struct timed_run *r, struct error *e)
{
	struct timing	    t = { self, workers };
	const struct points one = { .n = 1, .jobs = 1, .self = &t, .make = time_sweep };

	return points_collect(&one, r, sizeof(*r), sizeof(*r), e);
}

/* ---- settings ---- */

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
	struct self  s = { .o = *o };
	struct turns turns;

	for (unsigned i = 0; i < o->narguments; i++)
		if (!strcmp(o->argument[i], "-"))
			return error_usage(e,
			    "--self reads a trace many times: save standard input to a file");
	set_lists(&s.o);
	if (turns_init(&turns, o, e))
		return -1;
	s.most = turns.threads[turns.most];
	return turns_time(&turns, time_run, &s, "bufsim sweep", t, e);
}

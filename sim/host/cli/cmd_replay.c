/*
 * cmd_replay.c - bufsim replay: make the reads of a trace on real files of this
 * machine, and print the prediction beside the measurement.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/output.h"
#include "sim/base/terminal.h"
#include "sim/cli/cmd.h"
#include "sim/host/cli/assumed.h"
#include "sim/host/live/reads.h"
#include "sim/host/live/scratch.h"
#include "sim/host/report/replay_report.h"
#include "sim/setup/endings.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/generate/workload.h"

enum { RUNS_MAX = 1000 };

struct session {
	const struct options *o;
	struct options	      own; /* the same, as a simulation knows them */
	struct setup	      setup;
	struct run_how	      how;
	struct kernel_rule    rule; /* without readahead, its host alone */
	struct trace	      calls;
	size_t		      left_out;
	struct stage	      stage;
	enum plot_target      target;
};

/* ---- the command line ---- */

static int
check_cache(const struct options *o, struct error *e)
{
	if (!o->text[OPTION_kept])
		return option_is_typed(o, OPTION_policy)
		    ? error_usage(e,
			  "--policy belongs to --cache: without it all pages stay in memory")
		    : 0;
	if (!o->kept.n)
		return error_usage(e, "--cache 0: a call needs its pages: type at least 1b");
	if (o->text[OPTION_opening] && !o->opening)
		return error_usage(e,
		    "--cache keeps single pages, and readahead would bring in others: leave out "
		    "--advice normal");
	if (o->warm)
		return error_usage(e, "--cache or --warm, not both");
	return o->replay_by ? error_usage(e,
				  "--cache evicts pages before each call, which has an order only "
				  "with --replay serial")
			    : 0;
}

static int
check(struct session *s, const struct options *o, struct error *e)
{
	if (!*o->dir)
		return error_usage(e, "--dir: the directory is missing");
	if (o->json && o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (o->responses && !strcmp(o->responses, "-"))
		return error_usage(e, "--responses needs a file: standard output has the report");
	if (!o->counted_runs || o->counted_runs > RUNS_MAX)
		return error_usage(e, "--runs: '%s' is not between 1 and %d",
		    o->text[OPTION_counted_runs], RUNS_MAX);
	if (check_cache(o, e))
		return -1;
	if (o->rule && (o->opening || o->text[OPTION_kept]))
		return error_usage(e,
		    "--prefetch is for the readahead of the kernel, and there is none with "
		    "--advice random or --cache");
	if (option_is_typed(o, OPTION_cpu) && !o->here && !o->warm)
		return error_usage(e, "--cpu is a part of the time: type --device too, or --warm");
	if (endings_check("--responses ", o->responses, &written_csv, e))
		return -1;
	return o->output ? picture_target(o->output, &s->target, e) : 0;
}

/* The settings of a simulation of this replay. */
static void
translate(struct session *s, const struct options *o)
{
	struct options *own = &s->own;

	*own = *o;
	own->device = own->text[OPTION_device] = o->here ? o->here : "null";
	own->cache = o->text[OPTION_kept] ? o->kept : (struct size){ .n = 1, .blocks = true };
	own->replay = o->replay_by;
	own->think_scale = o->pause;
	s->how = (struct run_how){
		.random = o->opening || o->text[OPTION_kept],
		.warm = o->warm,
		.reclaim = o->reclaim,
		.writes = o->with_writes,
		.by_process = o->replay_by == REPLAY_PROCESS,
		.real_time = o->real_time,
		.think_scale = o->pause,
	};
}

/* ---- the kernel, and the prediction ---- */

static int
find_rule(struct session *s, struct error *e)
{
	const struct trace_options how = { .block_bytes = SCRATCH_PAGE };
	const char		  *dir = s->o->dir;
	struct trace		   calls;
	int			   failed;

	if (s->how.random) {
		host_init(&s->rule.host, dir);
		return 0;
	}
	if (pattern_load(&calls, workloads[0].name, &how, PATTERN_SLOW_US, e))
		return -1;
	failed = kernel_rule_init(&s->rule, dir, s->o->rule, &calls, e) || scratch_probe(dir, e) ||
	    kernel_rule_measure(&s->rule, dir, &calls, e);
	trace_release(&calls);
	return failed ? -1 : 0;
}

static uint32_t
request_pages(const struct kernel_rule *r)
{
	enum host_from from;
	uint32_t       pages;

	return r->prefetcher && kernel_rule_request(r, &pages, &from) ? pages : r->host.io_pages;
}

static int
predict_replay(struct prediction *p, const struct session *s, struct error *e)
{
	const struct config	*c = &s->setup.config;
	const struct predict_how how = {
		.rule = s->how.random ? NULL : &s->rule,
		.device = s->o->here ? &c->device : NULL,
		.policy = s->o->text[OPTION_kept] ? &c->policy : NULL,
		.cache_pages = c->cache_blocks,
		.request_pages = request_pages(&s->rule),
		.cpu = c->cpu,
		.replay = c->replay,
		.think_scale = c->think_scale,
		.warm = s->how.warm,
	};

	return predict(p, &s->calls, &how, e);
}

/* ---- the report ---- */

static int
print_text(struct replay_report *r, FILE *out, struct error *e)
{
	struct fold f;

	r->colour = terminal_colours(out);
	if (fold_open(&f, out, e))
		return -1;
	replay_text(r, f.out);
	return fold_close(&f, 0, e);
}

static int
write_responses(const struct replay_report *r, const char *path, struct error *e)
{
	struct output *to = output_open(path, e);

	if (!to)
		return -1;
	if (!replay_responses(r, to, e))
		return output_commit(to, NULL, e);
	output_abandon(to);
	return -1;
}

static int
draw(const struct replay_report *r, const char *path, enum plot_target target, struct error *e)
{
	struct picture picture = { 0 };
	int	       failed =
	    replay_draw(r, target, &picture, e) || output_whole(path, picture.bytes, picture.n, e);

	free(picture.bytes);
	return failed ? -1 : 0;
}

static int
report(const struct session *s, const struct rounds *rounds, const struct prediction *p, FILE *out,
    struct error *e)
{
	const struct options *o = s->o;
	struct replay_report  r = {
		 .calls = &s->calls,
		 .host = &s->rule.host,
		 .how = &s->how,
		 .rounds = rounds,
		 .predicted = p,
		 .rule = s->how.random ? NULL : &s->rule,
		 .device = o->here,
		 .policy = o->text[OPTION_kept] ? o->policy : NULL,
		 .cache_pages = s->setup.config.cache_blocks,
		 .left_out = s->left_out,
		 .real_time = s->stage.fifo,
	};

	if ((o->responses && write_responses(&r, o->responses, e)) ||
	    (o->output && draw(&r, o->output, s->target, e)))
		return -1;
	if (o->json)
		return replay_json(&r, out, e);
	if (!o->csv)
		return print_text(&r, out, e);
	replay_csv(&r, out);
	return 0;
}

/* ---- the runs ---- */

static int
run_once(void *self, struct run_times *out, struct error *e)
{
	struct session *s = self;

	return stage_run(&s->stage, &s->how, out, e);
}

static int
run(struct session *s, FILE *out, struct error *e)
{
	struct prediction p;
	struct rounds	  rounds;
	int		  failed;

	if (predict_replay(&p, s, e))
		return -1;
	if (!s->how.random)
		assumed_window_note(&s->rule, s->o->dir);
	if (!s->how.random || s->o->here)
		assumed_request_note(&s->rule, s->o->dir, s->calls.longest_bytes);
	s->how.evict = s->o->text[OPTION_kept] ? &p.evict : NULL;
	failed = rounds_make(&rounds, (unsigned)s->o->counted_runs, s->calls.naccess, &s->how,
	    run_once, s, e);
	if (!failed) {
		failed = report(s, &rounds, &p, out, e);
		rounds_release(&rounds);
	}
	prediction_release(&p);
	return failed;
}

static int
run_staged(struct session *s, FILE *out, struct error *e)
{
	int failed;

	if (setup_fit(&s->setup, &s->own, &s->calls, e) || find_rule(s, e) ||
	    stage_make(&s->stage, &s->calls, s->o->dir, e))
		return -1;
	failed = run(s, out, e);
	stage_release(&s->stage);
	return failed;
}

/* The calls to make: the whole trace, or its reads. */
static int
select_calls(struct session *s, struct error *e)
{
	struct trace t;
	int	     failed;

	if (inputs_trace(&t, s->o, s->o->narguments, &s->setup.trace, false, e))
		return -1;
	if (s->o->with_writes) {
		s->calls = t;
		return 0;
	}
	failed = reads_select(&s->calls, &t, 0, e);
	if (!failed)
		s->left_out = t.naccess - s->calls.naccess;
	trace_release(&t);
	return failed;
}

int
cmd_replay(const struct options *o, FILE *out, struct error *e)
{
	struct session s = { .o = o };
	int	       failed;

	if (check(&s, o, e))
		return -1;
	translate(&s, o);
	if (setup_init(&s.setup, &s.own, e))
		return -1;
	failed = select_calls(&s, e);
	if (!failed) {
		failed = run_staged(&s, out, e);
		trace_release(&s.calls);
	}
	setup_release(&s.setup);
	return failed;
}

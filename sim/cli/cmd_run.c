/* cmd_run.c - bufsim run: one simulation and its report. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/terminal.h"
#include "sim/cli/against.h"
#include "sim/cli/cmd.h"
#include "sim/cli/map_file.h"
#include "sim/registry.h"
#include "sim/report/run/parts_report.h"
#include "sim/report/run/run_data.h"
#include "sim/report/run/run_frames.h"
#include "sim/setup/endings.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"

/* ---- what a run did with its parts: programs, files, processes ---- */

struct finish {
	const struct trace *t;
	uint64_t	   *us;	   /* the end of each program; NULL: there is one, or no time */
	struct run_parts    parts; /* t is NULL: they are not asked for */
};

static void
see_call_done(void *ctx, const struct event *e)
{
	const struct finish *f = ctx;

	f->us[f->t->program_of[f->t->open[e->call->open].process]] = (uint64_t)e->when;
}

/* The last program ends with the run.  Times are since counting started; 0: ended before. */
static void
count_from_start(const struct finish *f, const struct stats *st)
{
	uint64_t end = 0;

	for (uint32_t i = 0; i < f->t->nprograms; i++)
		end = f->us[i] > end ? f->us[i] : end;
	for (uint32_t i = 0; i < f->t->nprograms; i++) {
		uint64_t start = end - st->elapsed_us;

		f->us[i] = f->us[i] > start ? f->us[i] - start : 0;
	}
}

static int
finish_init(struct finish *f, const struct trace *t, const struct options *o,
    const struct config *c, struct error *e)
{
	*f = (struct finish){ .t = t };
	if ((o->per_file || o->per_process) &&
	    run_parts_init(&f->parts, t, o->per_file, o->per_process, c->warmup_calls, e))
		return -1;
	if (!t->nprograms || c->replay == REPLAY_UNTIMED)
		return 0;
	f->us = calloc(t->nprograms, sizeof(*f->us));
	return f->us ? 0 : error_set(e, "out of memory for %u programs", t->nprograms);
}

static void
finish_release(struct finish *f)
{
	free(f->us);
	run_parts_release(&f->parts);
}

/* ---- the run ---- */

/* What observes a run. */
struct watch {
	struct finish	  *finish; /* if its us is not NULL */
	struct run_frames *frames; /* or NULL */
	struct run_parts  *parts;  /* or NULL */
};

static void
see(void *ctx, const struct event *e)
{
	const struct watch *w = ctx;

	if (e->kind == EVENT_CALL_DONE && w->finish->us)
		see_call_done(w->finish, e);
	if (w->frames && run_frames_mask >> e->kind & 1)
		run_frames_see(w->frames, e);
	if (w->parts && run_parts_mask >> e->kind & 1)
		run_parts_see(w->parts, e);
}

static int
simulate_watched(const struct config *c, struct finish *f, struct run_frames *frames,
    struct stats *out, struct error *e)
{
	struct config	  watched = *c;
	struct run_parts *parts = f->parts.t ? &f->parts : NULL;
	struct watch	  w = { f, frames, parts };

	watched.observer = (struct observer){ (f->us ? 1u << EVENT_CALL_DONE : 0) |
		    (frames ? run_frames_mask : 0) | (parts ? run_parts_mask : 0),
		see, &w };
	if (simulate(&watched, f->t, out, e))
		return -1;
	if (f->us)
		count_from_start(f, out);
	return 0;
}

/* The same run without prefetching, for comparison; *ran is false if c does not prefetch. */
static int
simulate_without(const struct config *c, struct finish *f, struct stats *out, bool *ran,
    struct error *e)
{
	struct config none = *c;

	if (registry_choose(PLUGIN_PREFETCHER, "none", &none.prefetcher, e))
		return -1;
	none.response = NULL;
	none.shadow = false;
	*ran = none.prefetcher.plugin != c->prefetcher.plugin;
	return *ran ? simulate_watched(&none, f, NULL, out, e) : 0;
}

static int
print_run(const struct report *run, struct finish *alone, FILE *out, struct error *e)
{
	struct stats	without;
	struct possible possible;
	struct report	r = *run;
	struct fold	f;
	bool		compared;

	if (r.options->csv && !r.parts)
		return report_csv(&r, out, e);
	if (simulate_without(r.config, alone, &without, &compared, e) < 0)
		return -1;
	r.without = compared ? &without : NULL;
	r.program_us_without = alone->us;
	r.parts_without = compared && r.parts ? &alone->parts : NULL;
	if (r.options->csv)
		return parts_csv(&r, out, e);
	if (r.options->against && against_find(r.config, r.trace, &possible, e))
		return -1;
	r.possible = r.options->against ? &possible : NULL;
	if (r.options->json)
		return report_json(&r, out, e);
	r.colour = terminal_colours(out);
	if (fold_open(&f, out, e))
		return -1;
	report_text(&r, f.out);
	return fold_close(&f, 0, e);
}

/* Allocate the response times for --responses. */
static int
keep_responses(struct config *c, const struct trace *t, const struct options *o, struct error *e)
{
	if (!o->responses)
		return 0;
	c->response = calloc(t->naccess, sizeof(*c->response));
	return c->response
	    ? 0
	    : error_set(e, "out of memory for the responses of %zu calls", t->naccess);
}

static int
simulate_and_write_frames(const struct config *c, struct finish *f, struct stats *out,
    struct output *file, struct error *e)
{
	struct run_frames frames;
	int		  failed = run_frames_init(&frames, f->t, c->cache_blocks, file, e) ||
	    simulate_watched(c, f, &frames, out, e) || run_frames_finish(&frames, e);

	run_frames_release(&frames);
	return failed ? -1 : 0;
}

/* The run of the report, and the file of --frames or --responses. */
static int
simulate_and_write(const struct config *c, const struct options *o, struct finish *f,
    struct stats *out, struct output *file, struct error *e)
{
	if (o->frames)
		return simulate_and_write_frames(c, f, out, file, e);
	if (simulate_watched(c, f, NULL, out, e))
		return -1;
	return o->responses
	    ? responses_write(c->response, f->t, c->warmup_calls, !c->cache_blocks, file, e)
	    : 0;
}

static int
make_map(const struct config *c, const struct options *o, const struct trace *t,
    const struct stats *st, struct picture *map, struct error *e)
{
	return o->map ? map_file_make(c, o, t, st, map, e) : 0;
}

static int
write_map(const struct options *o, const struct picture *map, struct error *e)
{
	return o->map ? output_whole(o->map, map->bytes, map->n, e) : 0;
}

/* What is written beside the report: a file, and the bytes of another one. */
struct beside {
	struct output *file; /* of --responses or --frames; or NULL */
	struct picture map;
};

static int
run_on(struct setup *s, const struct options *o, const struct trace *t, struct beside *files,
    FILE *out, struct error *e)
{
	struct stats  stats;
	struct finish finish = { 0 }, without = { 0 };
	struct report r = { .options = o, .config = &s->config, .trace = t, .stats = &stats };
	int	      failed = keep_responses(&s->config, t, o, e) ||
	    finish_init(&finish, t, o, &s->config, e) ||
	    finish_init(&without, t, o, &s->config, e) ||
	    simulate_and_write(&s->config, o, &finish, &stats, files->file, e) ||
	    make_map(&s->config, o, t, &stats, &files->map, e);

	if (!failed) {
		r.program_us = finish.us;
		r.parts = finish.parts.t ? &finish.parts : NULL;
		failed = print_run(&r, &without, out, e);
	}
	finish_release(&finish);
	finish_release(&without);
	free(s->config.response);
	return failed ? -1 : 0;
}

static int
run(struct setup *s, const struct options *o, struct beside *files, FILE *out, struct error *e)
{
	struct trace t;
	int	     failed;

	if (inputs_trace(&t, o, o->narguments, &s->trace, MERGE_BY_TIME, e))
		return -1;
	failed = setup_fit(s, o, &t, e) || run_on(s, o, &t, files, out, e);
	trace_release(&t);
	return failed ? -1 : 0;
}

/* Each file is written whole or not at all. */
static int
run_and_tell(struct setup *s, const struct options *o, FILE *out, struct error *e)
{
	const char   *path = o->responses ? o->responses : o->frames;
	struct beside files = { .file = path ? output_open(path, e) : NULL };
	int	      failed;

	if (path && !files.file)
		return -1;
	failed = run(s, o, &files, out, e);
	if (files.file && failed)
		output_abandon(files.file);
	else if (files.file)
		failed = output_commit(files.file, NULL, e);
	if (!failed)
		failed = write_map(o, &files.map, e);
	free(files.map.bytes);
	return failed;
}

static int
check_frames(const struct options *o, struct error *e)
{
	if (!strcmp(o->frames, "-"))
		return error_usage(e, "--frames needs a file: standard output has the report");
	if (o->responses)
		return error_usage(e, "--frames or --responses, not both");
	if (!o->cache.n)
		return error_usage(e,
		    "--cache 0: without a cache no frame is taken: leave out --frames");
	return o->replay == REPLAY_UNTIMED
	    ? error_usage(e, "--replay untimed does not tell what is evicted: leave out --frames")
	    : 0;
}

static int
check_top(const struct options *o, struct error *e)
{
	return option_is_typed(o, OPTION_parts_top)
	    ? error_usage(e, "--top belongs to --per-file and --per-process: type one of them too")
	    : 0;
}

static int
check_parts(const struct options *o, struct error *e)
{
	const char *option = o->per_file ? "per-file" : "per-process";

	if (o->per_file && o->per_process && o->csv)
		return error_usage(e,
		    "--csv prints one table: --per-file or --per-process, not both");
	return o->replay == REPLAY_UNTIMED || !o->cache.n
	    ? error_usage(e, "--%s needs a cache and a clock: leave it out", option)
	    : 0;
}

static int
check(const struct options *o, struct error *e)
{
	static const struct written responses = { .what = "CSV", .endings = ".csv", .drawn = true };

	if (o->per_file || o->per_process ? check_parts(o, e) : check_top(o, e))
		return -1;
	if (o->json && o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (o->responses && !strcmp(o->responses, "-"))
		return error_usage(e, "--responses needs a file: standard output has the report");
	if ((o->map && map_file_check(o, e)) || (o->frames && check_frames(o, e)))
		return -1;
	return endings_check("--responses ", o->responses, &responses, e) ||
		endings_check("--frames ", o->frames, &written_text, e)
	    ? -1
	    : 0;
}

int
cmd_run(const struct options *o, FILE *out, struct error *e)
{
	struct setup s;
	int	     failed;

	if (check(o, e) || setup_init(&s, o, e) < 0)
		return -1;
	failed = (o->against && against_check(&s.config, o, e)) || run_and_tell(&s, o, out, e);
	setup_release(&s);
	return failed ? -1 : 0;
}

/* cmd_run.c - bufsim run: one simulation and its report. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/terminal.h"
#include "sim/cli/cmd.h"
#include "sim/cli/map_file.h"
#include "sim/registry.h"
#include "sim/report/record.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"

/* ---- the end of each of several programs ---- */

struct finish {
	const struct trace *t;
	uint64_t	   *us; /* [nprograms]; NULL: there is one program, or no time */
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
finish_init(struct finish *f, const struct trace *t, const struct config *c, struct error *e)
{
	*f = (struct finish){ .t = t };
	if (!t->nprograms || c->replay == REPLAY_UNTIMED)
		return 0;
	f->us = calloc(t->nprograms, sizeof(*f->us));
	return f->us ? 0 : error_set(e, "out of memory for %u programs", t->nprograms);
}

static int
simulate_programs(const struct config *c, struct finish *f, struct stats *out, struct error *e)
{
	struct config watched = *c;

	if (!f->us)
		return simulate(c, f->t, out, e);
	watched.observer = (struct observer){ 1u << EVENT_CALL_DONE, see_call_done, f };
	if (simulate(&watched, f->t, out, e))
		return -1;
	count_from_start(f, out);
	return 0;
}

/* ---- the run ---- */

/* The same run without prefetching, for comparison; *ran is false if c does not prefetch. */
static int
simulate_without(const struct config *c, struct finish *f, struct stats *out, bool *ran,
    struct error *e)
{
	struct config none = *c;

	if (registry_choose(PLUGIN_PREFETCHER, "none", &none.prefetcher, e))
		return -1;
	none.response = NULL;
	*ran = none.prefetcher.plugin != c->prefetcher.plugin;
	return *ran ? simulate_programs(&none, f, out, e) : 0;
}

static int
print_run(const struct report *run, struct finish *alone, FILE *out, struct error *e)
{
	struct stats  without;
	struct report r = *run;
	struct fold   f;
	bool	      compared;

	if (r.options->csv)
		return report_csv(&r, out, e);
	if (simulate_without(r.config, alone, &without, &compared, e) < 0)
		return -1;
	r.without = compared ? &without : NULL;
	r.program_us_without = alone->us;
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
keep_responses(struct config *c, const struct trace *t, const struct output *file, struct error *e)
{
	if (!file)
		return 0;
	c->response = calloc(t->naccess, sizeof(*c->response));
	return c->response
	    ? 0
	    : error_set(e, "out of memory for the responses of %zu calls", t->naccess);
}

static int
write_responses(const struct config *c, const struct trace *t, struct output *file, struct error *e)
{
	return file ? responses_write(c->response, t, c->warmup_calls, !c->cache_blocks, file, e)
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
	struct output *responses;
	struct picture map;
};

static int
run_on(struct setup *s, const struct options *o, const struct trace *t, struct beside *files,
    FILE *out, struct error *e)
{
	struct stats  stats;
	struct finish finish = { 0 }, without = { 0 };
	struct report r = { .options = o, .config = &s->config, .trace = t, .stats = &stats };
	int	      failed = keep_responses(&s->config, t, files->responses, e) ||
	    finish_init(&finish, t, &s->config, e) || finish_init(&without, t, &s->config, e) ||
	    simulate_programs(&s->config, &finish, &stats, e) ||
	    write_responses(&s->config, t, files->responses, e) ||
	    make_map(&s->config, o, t, &stats, &files->map, e);

	if (!failed) {
		r.program_us = finish.us;
		failed = print_run(&r, &without, out, e);
	}
	free(finish.us);
	free(without.us);
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
	struct beside files = { .responses = o->responses ? output_open(o->responses, e) : NULL };
	int	      failed;

	if (o->responses && !files.responses)
		return -1;
	failed = run(s, o, &files, out, e);
	if (files.responses && failed)
		output_abandon(files.responses);
	else if (files.responses)
		failed = output_commit(files.responses, NULL, e);
	if (!failed)
		failed = write_map(o, &files.map, e);
	free(files.map.bytes);
	return failed;
}

static int
check(const struct options *o, struct error *e)
{
	if (o->json && o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (o->responses && !strcmp(o->responses, "-"))
		return error_usage(e, "--responses needs a file: standard output has the report");
	if (o->map && map_file_check(o, e))
		return -1;
	return setup_output("responses", o->responses, e);
}

int
cmd_run(const struct options *o, FILE *out, struct error *e)
{
	struct setup s;
	int	     failed;

	if (check(o, e) || setup_init(&s, o, e) < 0)
		return -1;
	failed = run_and_tell(&s, o, out, e);
	setup_release(&s);
	return failed;
}

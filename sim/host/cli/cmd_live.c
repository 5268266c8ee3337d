/*
 * cmd_live.c - bufsim live: compare predictions with the running kernel.
 *
 * The calls and the advice of a workload or a trace are made on scratch files
 * that are not in memory; after each, mincore() shows the pages that have come
 * into memory.  A simulation with a device that takes no time has
 * predicted them.  Every step waits until all reads are complete, so the
 * comparison is about the pages that are read, not about time.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/host/cli/assumed.h"
#include "sim/host/live/kernel_rule.h"
#include "sim/host/live/performer.h"
#include "sim/host/report/live_table.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/generate/workload.h"

enum { SUMMARY_ROOM = 512 };
enum { BY_READ, BY_FAULT }; /* --by */

struct session {
	const struct options *o;
	FILE		     *out;
	struct live_view      view;
	struct fold	      fold; /* not with --csv */
	struct kernel_rule    rule;
	bool		      noted; /* that the largest request had to be assumed */
};

static void
print_pages(const char *what, uint32_t pages, enum host_from from, FILE *out)
{
	fprintf(out, "%s of %u pages", what, pages);
	if (from != HOST_SYSFS)
		fprintf(out, " (%s)", host_from_word[from]);
}

/* What was typed stands for what the machine does not tell. */
static void
print_host(const struct session *s, FILE *out)
{
	const struct host *h = &s->rule.host;
	uint32_t	   window = h->ra_pages, request = h->io_pages;
	enum host_from	   window_from = h->ra_from, request_from = h->io_from;

	if (window_from == HOST_ASSUMED)
		kernel_rule_window(&s->rule, &window, &window_from);
	if (request_from == HOST_ASSUMED)
		kernel_rule_request(&s->rule, &request, &request_from);
	fprintf(out, "%s %s, %s on device %s: ", h->system, h->release,
	    *h->type ? h->type : "a file system", h->device);
	print_pages("windows", window, window_from, out);
	print_pages(", requests", request, request_from, out);
	if (*h->why)
		fprintf(out, "; %s", h->why);
	putc('\n', out);
}

/* ---- one trace ---- */

/* Not reads alone? */
static bool
has_kinds(const struct session *live, const struct trace *t)
{
	return t->nadvice || t->writes || live->o->by == BY_FAULT;
}

static void
begin_view(struct session *live, const char *name, const char *group, const char *summary,
    bool kinds)
{
	live->view = (struct live_view){ live->out, name, group, live->o->csv, kinds };
	live_print_heading(&live->view, summary);
}

static int
show_step(struct session *live, size_t i, file_t file, const struct live_outcome *p,
    struct error *e)
{
	progress_hide();
	if (live_print_step(&live->view, i, file, p, e))
		return -1;
	if (!live->o->csv)
		fold_flush(&live->fold);
	return 0;
}

static int
run_steps(struct session *live, struct performer *made, const struct forecast *f,
    struct live_tally *tally, struct error *e)
{
	const struct trace *t = made->trace;
	struct live_steps   all = { .trace = t, .faults = live->o->by == BY_FAULT };
	struct live_step    s;
	int		    failed = 0;

	progress_begin("reading", "steps", live_steps_of(t));
	for (size_t i = 0; !failed && live_steps_next(&all, &s); i++) {
		struct live_outcome p;
		file_t		    file;

		failed = performer_make(made, &s, e);
		if (failed)
			break;
		file = t->open[s.open].file;
		p = live_compare(&s, performer_file(made, &s), t->file[file].base, f, i);
		live_tally_step(tally, &p);
		failed = show_step(live, i, file, &p, e);
		progress_reach(i + 1);
	}
	progress_end();
	return failed;
}

/* Count pages that no step has shown. */
static int
count_strays(struct performer *made, struct live_tally *t, struct error *e)
{
	for (file_t f = 0; f < made->trace->nfiles; f++) {
		struct scratch *file = &made->file[f];

		if (scratch_look(file, 0, file->npages, e))
			return -1;
		for (uint32_t i = 0; i < file->npages; i++)
			t->stray += scratch_came(file, i);
	}
	return 0;
}

static int
run_trace(struct session *live, const struct trace *t, struct live_tally *tally, struct error *e)
{
	struct forecast	 f;
	struct performer made;
	int		 failed = -1;

	*tally = (struct live_tally){ 0 };
	if (!live->noted)
		live->noted = assumed_request_note(&live->rule, live->o->dir, t->longest_bytes);
	if (performer_check(t, live->o->dir, e) ||
	    forecast_init(&f, t, live->rule.prefetcher, live->rule.params, e))
		return -1;
	if (!performer_init(&made, t, &live->rule.host, live->o->dir, e)) {
		if (!run_steps(live, &made, &f, tally, e))
			failed = count_strays(&made, tally, e);
		performer_release(&made);
	}
	forecast_release(&f);
	return failed;
}

static int
make_workload(struct trace *t, const struct workload *p, struct error *e)
{
	const struct trace_options how = { .block_bytes = SCRATCH_PAGE };

	return pattern_load(t, p->name, &how, PATTERN_SLOW_US, e);
}

static int
run_workload(struct session *live, const struct workload *p, struct live_tally *tally,
    struct error *e)
{
	struct trace t;
	char	     summary[SUMMARY_ROOM];
	int	     failed;

	snprintf(summary, sizeof(summary), ": %s", p->summary);
	begin_view(live, p->name, p->group, summary, live->o->by == BY_FAULT);
	if (make_workload(&t, p, e))
		return -1;
	failed = run_trace(live, &t, tally, e);
	trace_release(&t);
	return failed;
}

/* ---- all of them ---- */

static int
count_workloads(void)
{
	int n = 0;

	while (workloads[n].name)
		n++;
	return n;
}

static bool
any_steps(const struct live_tally *t)
{
	for (unsigned k = 0; k < LIVE_KINDS; k++)
		if (t->kind[k].steps)
			return true;
	return false;
}

/* Sums of each group and of all; the workloads of a group are adjacent. */
static void
print_groups(FILE *out, const struct live_tally *tally)
{
	struct live_tally all = { 0 }, group = { 0 };

	fputs("\nby group\n", out);
	for (const struct workload *p = workloads; p->name; p++) {
		live_tally_add(&group, &tally[p - workloads]);
		if (p[1].name && !strcmp(p->group, p[1].group))
			continue;
		if (any_steps(&group))
			live_print_tally(out, p->group, &group);
		live_tally_add(&all, &group);
		group = (struct live_tally){ 0 };
	}
	live_print_tally(out, "all", &all);
}

static int
run_workloads(struct session *live, const char *names, struct live_tally *tally, struct error *e)
{
	for (const struct workload *p = workloads; p->name; p++) {
		struct live_tally *t = &tally[p - workloads];

		if (!workload_selected(p, names))
			continue;
		if (run_workload(live, p, t, e))
			return -1;
		if (!live->o->csv)
			live_print_tally(live->out, p->name, t);
	}
	if (!live->o->csv)
		print_groups(live->out, tally);
	return 0;
}

static int
run_names(struct session *live, const char *names, struct error *e)
{
	struct live_tally *tally = calloc((size_t)count_workloads(), sizeof(*tally));
	int		   failed;

	if (!tally)
		return error_no_memory(e);
	failed = run_workloads(live, names, tally, e);
	free(tally);
	return failed;
}

static int
run_one(struct session *live, const struct trace *one, struct error *e)
{
	struct live_tally tally;

	begin_view(live, one->name, "", "", has_kinds(live, one));
	if (run_trace(live, one, &tally, e))
		return -1;
	if (!live->o->csv)
		live_print_tally(live->out, one->name, &tally);
	return 0;
}

/* ---- the command ---- */

/* Find the prefetcher to compare with, once it is known that pages can be observed. */
static int
find_rule(struct session *s, struct error *e)
{
	struct trace calls;
	int	     failed;

	if (make_workload(&calls, workloads, e))
		return -1;
	failed = kernel_rule_init(&s->rule, s->o->dir, s->o->rule, &calls, e) ||
	    scratch_probe(s->o->dir, e) || kernel_rule_measure(&s->rule, s->o->dir, &calls, e);
	trace_release(&calls);
	if (!failed && s->o->by == BY_FAULT)
		failed = kernel_rule_fault(&s->rule, e);
	return failed ? -1 : 0;
}

/* one: a trace; NULL: run the workloads. */
static int
run(struct session *s, const struct trace *one, struct error *e)
{
	if (find_rule(s, e))
		return -1;
	assumed_window_note(&s->rule, s->o->dir);
	if (s->o->csv) {
		live_print_columns(s->out);
	} else {
		print_host(s, s->out);
		fprintf(s->out, "predicted by %s%s%s\n", s->rule.prefetcher->plugin.name,
		    *s->rule.params ? ":" : "", s->rule.params);
	}
	if (one)
		return run_one(s, one, e);
	return run_names(s, s->o->pattern ? s->o->pattern : "all", e);
}

static int
run_file(struct session *s, const struct trace_options *how, struct error *e)
{
	struct trace t, slow;
	int	     failed;

	if (inputs_trace(&t, s->o, s->o->narguments, how, false, e))
		return -1;
	failed = trace_slow(&slow, &t, e);
	if (!failed) {
		failed = run(s, &slow, e);
		trace_slow_release(&slow);
	}
	trace_release(&t);
	return failed;
}

/* A probe with the answer no is a success. */
static int
probe(const char *dir, FILE *out)
{
	struct error why = { 0 };

	if (scratch_probe(dir, &why)) {
		fputs("no: ", out);
		text_print(why.text, out);
		putc('\n', out);
	} else {
		fputs("yes: cached pages can be observed here\n", out);
	}
	return 0;
}

/* Named workloads are made and counted group by group; shapes are read as a trace is. */
static bool
names_workloads(const struct options *o)
{
	return o->pattern ? workload_known(o->pattern) : !o->narguments;
}

static int
run_any(struct session *s, const struct trace_options *how, struct error *e)
{
	return names_workloads(s->o) ? run(s, NULL, e) : run_file(s, how, e);
}

/* The table for a person is folded; rows of CSV are not. */
static int
run_folded(struct session *s, const struct trace_options *how, struct error *e)
{
	if (fold_open(&s->fold, s->out, e))
		return -1;
	s->out = s->fold.out;
	return fold_close(&s->fold, run_any(s, how, e), e);
}

/* Find a slip before the kernel is observed. */
static int
check_pattern(const struct options *o, struct error *e)
{
	struct inputs in;

	if (!o->pattern)
		return 0;
	if (inputs_init(&in, o, o->narguments, PATTERN_SLOW_US, e))
		return -1;
	inputs_release(&in);
	return 0;
}

int
cmd_live(const struct options *o, FILE *out, struct error *e)
{
	struct session	     s = { .o = o, .out = out };
	struct trace_options how;

	if (!*o->dir)
		return error_usage(e, "--dir: the directory is missing");
	if (check_pattern(o, e) || setup_trace(&how, o, e))
		return -1;
	setvbuf(out, NULL, _IOLBF,
	    BUFSIZ); /* steps are printed at once, also if the program is stopped later */
	if (o->probe)
		return probe(o->dir, out);
	return (o->csv ? run_any : run_folded)(&s, &how, e);
}

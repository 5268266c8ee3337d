/*
 * cmd_explain.c - bufsim explain: print a run step by step.
 *
 * An observer of the simulation prints the result of each reference, the rules
 * of the prefetcher that apply, the blocks that are read ahead, the state of
 * the prefetcher, and the work of the device.  Nothing is computed a second
 * time.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/explain_film.h"
#include "sim/core/engine/storage.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"
#include "sim/trace/generate/workload.h"

enum { LABEL_ROOM = 128, RANGE_ROOM = 2 * LABEL_ROOM + 64, TITLE_ROOM = 1024 };

struct run { /* consecutive blocks with the same event */
	block_t	 block;
	uint32_t count;
};

struct begun { /* the current call of a process */
	uint64_t call;
	usec_t	 when, ready; /* ready: the end of its last wait */
};

struct teller {
	FILE		     *out; /* of fold */
	struct fold	      fold;
	const struct options *o;
	const struct trace   *t;
	const char	     *title; /* NULL: it has been printed */
	const struct plugin  *prefetcher;
	uint64_t	      call, first, last; /* calls are counted from 1 */
	usec_t		      told;		 /* the time last printed */
	file_t		      file;		 /* the file named last */
	struct run	      found;		 /* hits not printed yet */
	struct run	      evicted;		 /* victims not printed yet */
	bool		      first_use;	 /* of these hits */
	struct begun	     *begun;		 /* [nprocesses] */
	uint32_t	      advised;		 /* the open file of the last advice */
};

/* ---- names ---- */

static const char *
file_label(const struct trace *t, file_t f, char label[LABEL_ROOM])
{
	if (t->file[f].name)
		text_clean(label, LABEL_ROOM, t->file[f].name);
	else
		snprintf(label, LABEL_ROOM, "file %" PRIu64, t->file[f].inode);
	return label;
}

/* A request may end in another file than it begins in: these lie end to end on the disk. */
static const char *
span_label(const struct teller *p, block_t first, block_t last, char label[RANGE_ROOM])
{
	file_t from = trace_file(p->t, first), to = trace_file(p->t, last);
	char   name[LABEL_ROOM], other[LABEL_ROOM];

	snprintf(label, RANGE_ROOM, "block %u of %s to block %u of %s",
	    first - p->t->file[from].base, file_label(p->t, from, name), last - p->t->file[to].base,
	    file_label(p->t, to, other));
	return label;
}

/* "block 3", "blocks 3-9"; for another file also its name. */
static const char *
range_label(const struct teller *p, const struct run *r, char label[RANGE_ROOM])
{
	file_t	 f = trace_file(p->t, r->block);
	uint32_t index = r->block - p->t->file[f].base;
	char	 name[LABEL_ROOM], of[LABEL_ROOM + 8] = "";

	if (trace_file(p->t, r->block + r->count - 1) != f)
		return span_label(p, r->block, r->block + r->count - 1, label);
	if (f != p->file)
		snprintf(of, sizeof(of), " of %s", file_label(p->t, f, name));
	if (r->count == 1)
		snprintf(label, RANGE_ROOM, "block %u%s", index, of);
	else
		snprintf(label, RANGE_ROOM, "blocks %u-%u%s", index, index + r->count - 1, of);
	return label;
}

/* ---- lines ---- */

static double
in_ms(usec_t us)
{
	return (double)us / 1000;
}

/* Begin a line; the time is printed when it has moved. */
static void
begin_line(struct teller *p, usec_t when)
{
	progress_hide();
	fold_flush(&p->fold);
	if (when == p->told)
		fprintf(p->out, "%14s  ", "");
	else
		fprintf(p->out, "%11.3f ms  ", in_ms(when));
	p->told = when;
}

static void
tell_run(struct teller *p, usec_t when, const struct run *r, const char *what)
{
	char label[RANGE_ROOM];

	begin_line(p, when);
	fprintf(p->out, "%s %s\n", range_label(p, r, label), what);
}

/* Print runs that were held back because the next event could extend them. */
static void
flush(struct teller *p)
{
	if (p->evicted.count)
		tell_run(p, p->told, &p->evicted, "evicted");
	if (p->found.count)
		tell_run(p, p->told, &p->found,
		    p->first_use ? "found in the cache, read ahead before" : "found in the cache");
	p->evicted.count = p->found.count = 0;
}

/* Add a block to a run, or print the run and begin another. */
static void
extend(struct teller *p, struct run *r, block_t b)
{
	if (r->count && b != r->block + r->count)
		flush(p);
	if (!r->count)
		r->block = b;
	r->count++;
}

static void
tell_title(struct teller *p)
{
	const char *const *text = p->o->text;

	fprintf(p->out, "%s\nprefetch %s, wait %s, scheduler %s, cache %s, device %s\n\n", p->title,
	    text[OPTION_prefetch], text[OPTION_wait], text[OPTION_scheduler], text[OPTION_cache],
	    text[OPTION_device]);
	p->title = NULL;
}

static void
tell_call(struct teller *p, const struct event *e)
{
	const struct open_file *open = &p->t->open[e->call->open];
	char			name[LABEL_ROOM], bytes[NUMBER_TEXT], range[RANGE_ROOM];

	p->file = open->file;
	if (p->call > p->first)
		putc('\n', p->out);
	begin_line(p, e->when);
	fprintf(p->out, "call %" PRIu64 ": process %u %s %s of %s, %s at %" PRIu64, p->call,
	    p->t->process[open->process].pid, e->call->write ? "writes" : "reads",
	    range_label(p, &(struct run){ e->block, e->count }, range),
	    file_label(p->t, open->file, name), number_bytes(bytes, e->call->length),
	    e->call->offset);
	if (p->t->nopen > 1)
		fprintf(p->out, ", open file %u%s", e->call->open,
		    e->call->fresh ? ", newly opened" : "");
	putc('\n', p->out);
}

/* In process replay other calls may have begun in between. */
static void
tell_end(struct teller *p, const struct event *e)
{
	const struct begun *b = &p->begun[e->process];
	const char *and = "";

	if (b->call < p->first || b->call > p->last || e->when == b->when)
		return;
	begin_line(p, e->when);
	if (b->call == p->call)
		fputs("the call", p->out);
	else
		fprintf(p->out, "call %" PRIu64, b->call);
	if (b->ready > b->when) {
		fprintf(p->out, " has waited %.3f ms", in_ms(b->ready - b->when));
		and = " and";
	}
	if (e->when > b->ready)
		fprintf(p->out, "%s has taken %.3f ms of the processor", and,
		    in_ms(e->when - b->ready));
	putc('\n', p->out);
}

static void
tell_advice(struct teller *p, const struct event *e)
{
	static const char *const what[ADVICE_KINDS] = {
		[ADVICE_NORMAL] = "normal reads",
		[ADVICE_RANDOM] = "random reads",
		[ADVICE_SEQUENTIAL] = "sequential reads",
		[ADVICE_WILLNEED] = "reads soon",
		[ADVICE_DONTNEED] = "no more use",
	};
	const struct advice *a = e->advice;
	char		     name[LABEL_ROOM], bytes[NUMBER_TEXT];

	p->advised = a->open;
	begin_line(p, e->when);
	fprintf(p->out, "advised before: %s of %s, %s%sfrom %" PRIu64 " on\n", what[a->kind],
	    file_label(p->t, trace_file(p->t, e->block), name),
	    a->length ? number_bytes(bytes, a->length) : "", a->length ? " " : "", a->offset);
}

/* ---- plans ---- */

/* Blocks first .. end - 1 of the demand's file, which are planned. */
static void
tell_planned(struct teller *p, const struct event *e, const char *what, uint32_t first,
    uint32_t end)
{
	const struct demand *d = e->demand;
	char		     range[RANGE_ROOM];
	uint32_t	     present = 0, coming = 0;
	const char	    *where;

	if (first >= end)
		return;
	for (uint32_t i = first; i < end; i++) {
		frame_t f = demand_holds(d, i) ? cache_find(d->cache, d->base + i) : NIL;

		present += f != NIL;
		coming += d->cache->frame[f].flags & FRAME_INFLIGHT;
	}
	where = coming ? "in the cache or being read" : "in the cache";
	begin_line(p, e->when);
	fprintf(p->out, "  %s: %s", what,
	    range_label(p, &(struct run){ d->base + first, end - first }, range));
	if (present == end - first)
		fprintf(p->out, " (%s already)", where);
	else if (present)
		fprintf(p->out, " (%u of them %s already)", present, where);
	putc('\n', p->out);
}

/* The planned blocks of the call itself, and the blocks ahead of it. */
static void
tell_extent(struct teller *p, const struct event *e, struct extent x)
{
	const struct demand *d = e->demand;
	uint32_t	     first = x.index, end = d->end, asked = first, rest;

	if (d->absent && first == d->index)
		first++;
	if (x.index < d->end && x.count < d->end - x.index)
		end = x.index + x.count;
	if (d->call) /* advice has no call */
		asked = d->index + d->left < end ? d->index + d->left : end;
	rest = first < d->index ? d->index : first;
	tell_planned(p, e, "reads before it", first, rest < end ? rest : end);
	tell_planned(p, e, "reads for this call", rest, asked);
	tell_planned(p, e, "reads ahead", asked > rest ? asked : rest, end);
}

static void
tell_state(struct teller *p, const struct event *e, const struct instance *i)
{
	const struct prefetcher *f = (const struct prefetcher *)(const void *)i->plugin;
	int64_t			 value[STATE_MAX];

	if (!f->state)
		return;
	f->state(i->self, e->demand->call ? e->demand->call->open : p->advised, value);
	begin_line(p, e->when);
	fputs("  now", p->out);
	for (unsigned n = 0; f->state_names[n]; n++)
		fprintf(p->out, "%s %s %" PRId64, n ? "," : "", f->state_names[n], value[n]);
	putc('\n', p->out);
}

static void
tell_plan(struct teller *p, const struct event *e)
{
	char subject[RANGE_ROOM];

	if (!e->plan->nnotes && !e->plan->n)
		return;
	flush(p);
	if (e->demand->call)
		range_label(p, &(struct run){ e->block, 1 }, subject);
	for (unsigned i = 0; i < e->plan->nnotes; i++) {
		begin_line(p, e->when);
		fprintf(p->out, "  %s%s%s\n", e->demand->call ? subject : "",
		    e->demand->call ? ": " : "", e->plan->note[i]);
	}
	for (unsigned i = 0; i < e->plan->n; i++)
		tell_extent(p, e, e->plan->extent[i]);
	for (const struct instance *i = &(struct instance){ p->prefetcher, e->self }; i;
	     i = instance_inner(i, 0))
		tell_state(p, e, i);
}

/* ---- the device ---- */

static void
tell_io(struct teller *p, const struct event *e)
{
	char range[RANGE_ROOM];
	bool done = e->kind == EVENT_IO_DONE;

	begin_line(p, e->when);
	fprintf(p->out, "device %s %s", done ? "has done" : "begins",
	    range_label(p, &(struct run){ e->block, e->count }, range));
	if (done)
		fprintf(p->out, " after %.3f ms", in_ms(e->when - e->service->started));
	putc('\n', p->out);
}

/* ---- processes ---- */

static void
tell_step(struct teller *p, const struct event *e)
{
	static const char *const does[STEP_KINDS] = {
		[STEP_START] = "starts",
		[STEP_EXIT] = "ends",
		[STEP_WAIT] = "waits for the end of",
		[STEP_SEND] = "reads, writes or closes a pipe",
		[STEP_RECEIVE] = "waits at a pipe for",
	};
	const struct step   *s = e->step;
	const struct traced *process = p->t->process;

	begin_line(p, e->when);
	fprintf(p->out, "process %u %s", process[s->process].pid, does[s->kind]);
	if (s->kind == STEP_WAIT && s->other == STEP_ANY)
		fputs(" any process that it started", p->out);
	else if (step_has_other(s))
		fprintf(p->out, " process %u", process[s->other].pid);
	putc('\n', p->out);
}

/* ---- the observer ---- */

static void
see_hit(struct teller *p, const struct event *e)
{
	bool first_use = e->kind == EVENT_FIRST_HIT;

	if (p->found.count && p->first_use != first_use)
		flush(p);
	p->first_use = first_use;
	extend(p, &p->found, e->block);
}

static void
see_block(struct teller *p, const struct event *e)
{
	static const char *const what[EVENT_KINDS] = {
		[EVENT_LATE] = "being read ahead, but not there yet",
		[EVENT_DELAYED] = "being read already",
		[EVENT_MISS] = "not in the cache",
		[EVENT_FORGET] = "dropped from the cache",
		[EVENT_DROP] = "left out: no frame or request is free",
		[EVENT_PLUG] = "alone in the queue, plugged until a process sleeps",
		[EVENT_UNPLUG] = "no longer plugged",
	};

	if (e->kind == EVENT_HIT || e->kind == EVENT_FIRST_HIT) {
		see_hit(p, e);
	} else if (e->kind == EVENT_EVICT) {
		extend(p, &p->evicted, e->block);
	} else if (what[e->kind]) {
		flush(p);
		tell_run(p, e->when, &(struct run){ e->block, e->count }, what[e->kind]);
	}
}

static void
see(void *ctx, const struct event *e)
{
	struct teller *p = ctx;

	if (e->kind == EVENT_CALL)
		p->begun[e->process] = (struct begun){ ++p->call, e->when, e->when };
	else if (e->kind == EVENT_WAIT)
		p->begun[e->process].ready = e->when;
	if (p->call > p->last && e->kind == EVENT_CALL_DONE)
		tell_end(p, e);
	if (p->call < p->first || p->call > p->last) {
		flush(p);
		return;
	}
	if (p->title)
		tell_title(p);
	switch (e->kind) {
	case EVENT_CALL:
	case EVENT_CALL_DONE:
	case EVENT_IO_START:
	case EVENT_IO_DONE:
		flush(p);
		if (e->kind == EVENT_CALL)
			tell_call(p, e);
		else if (e->kind == EVENT_CALL_DONE)
			tell_end(p, e);
		else
			tell_io(p, e);
		break;
	case EVENT_PLAN:
		tell_plan(p, e);
		break;
	case EVENT_ADVICE:
		flush(p);
		tell_advice(p, e);
		break;
	case EVENT_STEP:
		flush(p);
		tell_step(p, e);
		break;
	default:
		see_block(p, e);
	}
}

/* ---- the command ---- */

static void
tell_sum(const struct teller *p, const struct stats *st)
{
	char calls[NUMBER_TEXT];

	fprintf(p->out, "\n%s call%s in all: elapsed %.3f ms, stall %.3f ms",
	    number_group(calls, p->t->naccess), p->t->naccess == 1 ? "" : "s",
	    in_ms((usec_t)st->elapsed_us), in_ms((usec_t)st->stall_us));
	if (st->cpu_us)
		fprintf(p->out, ", processor %.3f ms", in_ms((usec_t)st->cpu_us));
	fprintf(p->out, "%s\n",
	    p->o->replay == REPLAY_PROCESS ? ", the processes' added up"
		: p->t->nprograms	   ? ", the programs' added up"
					   : "");
}

static int
explain(struct setup *s, const struct options *o, struct trace *t, const char *title, FILE *out,
    struct error *e)
{
	struct stats  st;
	struct teller p = { .o = o,
		.t = t,
		.title = title,
		.prefetcher = s->config.prefetcher.plugin,
		.first = o->first,
		.last = o->calls && o->calls <= UINT64_MAX - o->first ? o->first + o->calls - 1
								      : UINT64_MAX,
		.told = -1 };
	char	      calls[NUMBER_TEXT];
	int	      failed;

	if (setup_fit(s, o, t, e))
		return -1;
	if (o->first > t->naccess)
		return error_usage(e, "--first %s: %s has %s calls", o->text[OPTION_first], t->name,
		    number_group(calls, t->naccess));
	if (o->output)
		return explain_film(&s->config, o, t, title, e);
	s->config.observer =
	    (struct observer){ .mask = (1u << EVENT_KINDS) - 1, .see = see, .ctx = &p };
	if (fold_open(&p.fold, out, e))
		return -1;
	p.out = p.fold.out;
	p.begun = calloc(t->nprocesses, sizeof(*p.begun));
	failed = p.begun ? simulate(&s->config, t, &st, e) : error_no_memory(e);
	free(p.begun);
	if (!failed)
		tell_sum(&p, &st);
	return fold_close(&p.fold, failed, e);
}

static void
name_workload(const char *name, char title[TITLE_ROOM])
{
	snprintf(title, TITLE_ROOM, "workload %s%s", name,
	    strstr(name, "think=") ? "" : ", one second apart");
	for (const struct workload *w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			snprintf(title, TITLE_ROOM, "workload %s: %s, one second apart", name,
			    w->summary);
}

/* Each workload by itself. */
static int
explain_workloads(struct setup *s, const struct options *o, const struct inputs *in, FILE *out,
    struct error *e)
{
	struct trace t;
	char	     title[TITLE_ROOM];
	int	     failed = 0;

	for (unsigned i = 0; !failed && i < in->n; i++) {
		if (inputs_load(&t, in, i, &s->trace, e))
			return -1;
		name_workload(in->name[i], title);
		if (i)
			putc('\n', out);
		if (o->first > t.naccess && !o->output)
			fprintf(out, "%s\nhas only %zu calls\n", title, t.naccess);
		else
			failed = explain(s, o, &t, o->output ? in->name[i] : title, out, e);
		trace_release(&t);
	}
	return failed;
}

static int
explain_files(struct setup *s, const struct options *o, const struct inputs *in, FILE *out,
    struct error *e)
{
	struct trace t;
	int	     failed;

	if (inputs_load_together(&t, in, &s->trace, MERGE_BY_TIME, e))
		return -1;
	failed = explain(s, o, &t, t.name, out, e);
	trace_release(&t);
	return failed;
}

static int
explain_inputs(struct setup *s, const struct options *o, FILE *out, struct error *e)
{
	struct inputs in;
	int	      failed;

	if (inputs_init(&in, o, o->narguments, o->output ? PATTERN_THINK_US : PATTERN_SLOW_US, e))
		return -1;
	if (o->output && in.made && in.n > 1)
		failed = error_usage(e, "a film shows one workload: --pattern %s", in.name[0]);
	else
		failed = (in.made ? explain_workloads : explain_files)(s, o, &in, out, e);
	inputs_release(&in);
	return failed;
}

int
cmd_explain(const struct options *o, FILE *out, struct error *e)
{
	struct setup s;
	int	     failed;

	if (o->first < 1)
		return error_usage(e, "--first: calls are counted from 1");
	if (!o->argument[0] && !o->pattern)
		return error_usage(e,
		    "the trace is missing; type: bufsim explain TRACE, or --pattern NAME");
	if (o->replay == REPLAY_UNTIMED)
		return error_usage(e,
		    "--replay untimed has only hits and misses: nothing to explain");
	if (o->replay == REPLAY_OPEN || !o->cache.n)
		return error_usage(e,
		    "explain needs a cache and processes that make one call after the other: no "
		    "--cache 0, and --replay serial or process");
	if ((o->output && explain_film_check(o, e)) || setup_init(&s, o, e) < 0)
		return -1;
	if (isatty(fileno(out)))
		setvbuf(out, NULL, _IOLBF, BUFSIZ); /* whole lines, beside that of the progress */
	failed = explain_inputs(&s, o, out, e);
	setup_release(&s);
	return failed;
}

/*
 * cmd_classify.c - bufsim classify: the references of a trace by class, as a
 * table, as CSV or JSON, and as a picture.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/csv.h"
#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/draw/plot_classes.h"
#include "sim/report/json.h"
#include "sim/report/trace/survey_json.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"

struct result {
	struct classes	    classes;
	struct class_plot   plot;
	struct class_run   *run; /* all runs, if they are printed */
	uint32_t	    nruns, room;
	uint32_t	    ntop; /* number of loops to print */
	const struct trace *t;
};

/* ---- for a person ---- */

static void
print_head(const struct result *r, FILE *out)
{
	char n[NUMBER_TEXT], params[PARAMS_TEXT];

	fprintf(out, "%s: format %s\n\n", r->t->name, r->t->format);
	fprintf(out, "references %13s by reads, in the order of the trace\n",
	    number_group(n, r->classes.references));
	fprintf(out, "detector   %s\n", classes_params(&r->classes, params));
	fprintf(out, "forgotten  %13s runs, for lack of room\n",
	    number_group(n, r->classes.detector.forgotten));
}

static void
print_class(const char *name, const struct class_total *c, uint64_t all, FILE *out)
{
	char n[NUMBER_TEXT], blocks[NUMBER_TEXT], runs[NUMBER_TEXT];

	fprintf(out, "%-11s %13s %8.1f %% %13s %13s", name, number_group(n, c->references),
	    number_percent(c->references, all), number_group(blocks, c->blocks),
	    number_group(runs, c->runs));
	if (c->runs)
		fprintf(out, " %13.1f\n", (double)c->run_blocks / (double)c->runs);
	else
		fprintf(out, " %13s\n", "-");
}

static void
print_classes(const struct classes *c, FILE *out)
{
	fprintf(out, "\n%-11s %13s %10s %13s %13s %13s\n", "class", "references", "share", "blocks",
	    "runs", "blocks a run");
	for (unsigned i = 0; i < CALL_CLASSES; i++)
		print_class(class_names[class_order[i]], &c->total[class_order[i]], c->references,
		    out);
}

static void
print_bins(const struct classes *c, FILE *out)
{
	char label[NUMBER_TEXT], n[NUMBER_TEXT], runs[NUMBER_TEXT];

	fprintf(out, "\n%-11s %13s %10s %13s %13s\n", "run length", "references", "share", "",
	    "runs");
	for (unsigned i = 0; i < RUN_BINS; i++) {
		unsigned from = 1u << i;

		if (i == 0)
			snprintf(label, sizeof(label), "1");
		else if (i == RUN_BINS - 1)
			snprintf(label, sizeof(label), ">= %u", from);
		else
			snprintf(label, sizeof(label), "%u-%u", from, 2 * from - 1);
		fprintf(out, "%-11s %13s %8.1f %% %13s %13s\n", label,
		    number_group(n, c->bin[i].references),
		    number_percent(c->bin[i].references, c->references), "",
		    number_group(runs, c->bin[i].runs));
	}
}

static void
print_loop(const struct result *r, const struct class_loop *l, FILE *out)
{
	char n[NUMBER_TEXT], times[NUMBER_TEXT], period[NUMBER_TEXT], spread[NUMBER_TEXT];
	char blocks[NUMBER_TEXT], range[NUMBER_TEXT], inode[NUMBER_TEXT];

	snprintf(range, sizeof(range), "%" PRIu32 "-%" PRIu32, l->first, l->last);
	fprintf(out, "%10s %8s %9s %11s %9s  %-13s ", number_group(n, l->references),
	    number_group(times, l->repetitions), number_group(blocks, l->last - l->first + 1),
	    number_group(period, (uint64_t)(l->period + 0.5)),
	    l->repetitions > 1 ? number_group(spread, (uint64_t)(class_loop_spread(l) + 0.5)) : "-",
	    range);
	text_print(class_file_name(r->t, l->file, inode), out);
	putc('\n', out);
}

static void
print_loops(const struct result *r, FILE *out)
{
	const struct classes *c = &r->classes;
	uint64_t	      left = 0;
	char		      n[NUMBER_TEXT], references[NUMBER_TEXT];

	if (!c->nloops) {
		fputs("\nno loops\n", out);
		return;
	}
	fprintf(out, "\n%10s %8s %9s %11s %9s  %-13s %s\n", "references", "repeated", "blocks",
	    "period", "+-", "range", "file");
	for (uint32_t i = 0; i < c->nloops; i++)
		if (i < r->ntop)
			print_loop(r, &c->loop[i], out);
		else
			left += c->loop[i].references;
	if (r->ntop < c->nloops)
		fprintf(out, "%10s in %s more loop%s\n", number_group(references, left),
		    number_group(n, c->nloops - r->ntop), c->nloops - r->ntop == 1 ? "" : "s");
}

static int
print_text(const struct result *r, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	print_head(r, f.out);
	print_classes(&r->classes, f.out);
	print_bins(&r->classes, f.out);
	print_loops(r, f.out);
	return fold_close(&f, 0, e);
}

/* ---- for programs ---- */

static bool
add_params(const struct classes *c, cJSON *to)
{
	cJSON		   *item = cJSON_AddObjectToObject(to, "detector");
	const struct param *q;
	bool		    ok = item;

	for (unsigned i = 0; ok && (q = classes_param(i)); i++) {
		uint64_t value = classes_param_value(c, i);

		if (q->unit == PARAM_WORD)
			ok = cJSON_AddStringToObject(item, q->name, q->words[value]);
		else if (q->unit == PARAM_SHARE)
			ok = json_decimal(item, q->name, (double)value / SHARE_ONE);
		else
			ok = json_count(item, q->name, value);
	}
	return ok;
}

static bool
add_bins(const struct classes *c, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "run_lengths");
	bool   ok = list;

	for (unsigned i = 0; ok && i < RUN_BINS; i++) {
		cJSON *item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) && json_count(item, "from", 1u << i) &&
		    json_count(item, "runs", c->bin[i].runs) &&
		    json_count(item, "references", c->bin[i].references);
	}
	return ok;
}

static bool
add_loops(const struct result *r, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "largest_loops");
	bool   ok = list;

	for (uint32_t i = 0; ok && i < r->ntop; i++) {
		const struct class_loop *l = &r->classes.loop[i];
		cJSON			*item = cJSON_CreateObject();

		ok = cJSON_AddItemToArray(list, item) &&
		    survey_file_json(&r->t->file[l->file], item) &&
		    json_count(item, "first_block", l->first) &&
		    json_count(item, "last_block", l->last) &&
		    json_count(item, "references", l->references) &&
		    json_count(item, "repetitions", l->repetitions) &&
		    json_decimal(item, "period", l->period) &&
		    json_decimal(item, "period_mean", l->mean) &&
		    json_decimal(item, "period_spread", class_loop_spread(l));
	}
	return ok;
}

static int
print_json(const struct result *r, FILE *out, struct error *e)
{
	const struct classes *c = &r->classes;
	cJSON		     *object = cJSON_CreateObject();

	return json_print(object,
	    object && cJSON_AddStringToObject(object, "trace", r->t->name) &&
		cJSON_AddStringToObject(object, "format", r->t->format) &&
		json_count(object, "block_bytes", r->t->block_bytes) && add_params(c, object) &&
		json_count(object, "references", c->references) &&
		json_count(object, "forgotten_runs", c->detector.forgotten) &&
		survey_classes_json(c->total, object) && add_bins(c, object) &&
		json_count(object, "loops", c->nloops) && add_loops(r, object),
	    out, e);
}

static int
by_began(const void *a, const void *b)
{
	const struct class_run *r = a, *s = b;

	return r->began < s->began ? -1 : r->began > s->began;
}

static void
print_csv(const struct result *r, FILE *out)
{
	qsort(r->run, r->nruns, sizeof(*r->run), by_began);
	fputs("trace,inode,file,first_block,last_block,blocks,began,references,class,"
	      "loop_first_block,period\n",
	    out);
	for (const struct class_run *n = r->run; n < r->run + r->nruns; n++) {
		const struct file *f = &r->t->file[n->file];

		csv_text(r->t->name, out);
		fprintf(out, ",%" PRIu64 ",", f->inode);
		if (f->name)
			csv_text(f->name, out);
		fprintf(out, ",%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%s,", n->first, n->last, n->blocks,
		    n->began, n->references, class_names[n->class]);
		if (n->loop)
			fprintf(out, "%u,%.9g\n", n->loop_first, n->period);
		else
			fputs(",\n", out);
	}
}

/* ---- the command ---- */

static void
draw_reference(void *self, uint64_t number, block_t b, enum reference_class class)
{
	class_plot_add(&((struct result *)self)->plot, number, b, class);
}

static int
keep_run(void *self, const struct class_run *run, struct error *e)
{
	struct result	 *r = self;
	struct class_run *grown = array_grow(r->run, r->nruns, &r->room, sizeof(*r->run));

	if (!grown)
		return error_set(e, "out of memory for the runs of %s", r->t->name);
	r->run = grown;
	r->run[r->nruns++] = *run;
	return 0;
}

static int
find(struct result *r, const struct options *o, struct error *e)
{
	const struct class_observer observer = {
		.self = r,
		.reference = o->output ? draw_reference : NULL,
		.run = o->csv ? keep_run : NULL,
	};

	if (o->output && class_plot_init(&r->plot, r->t, o->from, o->until, e))
		return -1;
	if (classes_find(&r->classes, r->t, o->detect, &observer, e))
		return -1;
	r->ntop = r->classes.nloops;
	if (o->top && o->top < r->ntop)
		r->ntop = (uint32_t)o->top;
	return 0;
}

static int
draw(struct result *r, const char *path, enum plot_target target, struct error *e)
{
	struct picture picture = { 0 };
	int	       failed;

	classes_params(&r->classes, r->plot.params);
	failed = class_plot_draw(&r->plot, target, &picture, e);
	if (!failed)
		failed = output_whole(path, picture.bytes, picture.n, e);
	free(picture.bytes);
	return failed;
}

static int
classify(const struct trace *t, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	struct result r = { .t = t };
	int	      failed;

	progress_begin("classifying", NULL, t->naccess);
	failed = find(&r, o, e);
	progress_end();
	if (!failed && o->output)
		failed = draw(&r, o->output, target, e);
	if (!failed && o->csv)
		print_csv(&r, out);
	else if (!failed)
		failed = (o->json ? print_json : print_text)(&r, out, e);
	classes_release(&r.classes);
	class_plot_release(&r.plot);
	free(r.run);
	return failed;
}

static int
check(const struct options *o, enum plot_target *target, struct error *e)
{
	if (o->json && o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (!o->output && (o->from != 1 || o->until))
		return error_usage(e,
		    "--from and --to apply to the picture: add -o and the name of a file");
	if (o->from < 1)
		return error_usage(e, "--from: references are counted from 1");
	if (o->until && o->until < o->from)
		return error_usage(e, "--to %s is before --from %s", o->text[OPTION_until],
		    o->text[OPTION_from]);
	if (classes_check(o->detect, e))
		return error_prefix(e, "--detect");
	return o->output ? picture_target(o->output, target, e) : 0;
}

int
cmd_classify(const struct options *o, FILE *out, struct error *e)
{
	struct trace_options how;
	struct trace	     t;
	enum plot_target     target = PLOT_SVG;
	int		     failed;

	if (check(o, &target, e) || setup_trace(&how, o, e) ||
	    inputs_trace(&t, o, o->narguments, &how, MERGE_BY_TIME, e))
		return -1;
	failed = classify(&t, o, target, out, e);
	trace_release(&t);
	return failed;
}

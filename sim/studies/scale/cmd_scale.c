/*
 * cmd_scale.c - bufsim scale: how far a program scales, by the times of its runs.
 *
 * The times come from a file, or are taken here: of a program, or of a sweep of bufsim itself.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/output.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/studies/scale/plot_scale.h"
#include "sim/studies/scale/scale_report.h"
#include "sim/studies/scale/scale_run.h"
#include "sim/studies/scale/scale_self.h"

enum { NAME_ROOM = 200 };

/* ---- the command line ---- */

static bool
is_of_timing(enum option_id id)
{
	return id == OPTION_counts || id == OPTION_runs;
}

/* Settings of a sweep. */
static bool
is_of_self(enum option_id id)
{
	const struct option_info *i = &option_info[id];

	return option_belongs(i, COMMAND_SCALE) && i->argument && id != OPTION_output &&
	    id != OPTION_run && !is_of_timing(id);
}

static int
check_options(const struct options *o, struct error *e)
{
	for (enum option_id id = 0; id < OPTIONS; id++) {
		if (!option_is_typed(o, id))
			continue;
		if (!o->self && is_of_self(id))
			return error_usage(e, "--%s belongs to --self; type both",
			    option_info[id].name);
		if (!o->self && !o->run && is_of_timing(id))
			return error_usage(e, "--%s belongs to --run or --self; type both",
			    option_info[id].name);
	}
	return 0;
}

static int
check_file(const struct options *o, struct error *e)
{
	if (o->run && o->narguments)
		return error_usage(e,
		    "--run times a program, and FILE has times that were taken: '%s' is too many",
		    o->argument[0]);
	if (!o->run && !o->narguments)
		return error_usage(e,
		    "scale what? Type: bufsim scale FILE ('-' is standard input), or bufsim scale "
		    "--run COMMAND");
	if (o->narguments > 1)
		return error_usage(e,
		    "scale takes one file: '%s' is too many; a column 'program' tells several "
		    "programs apart",
		    o->argument[1]);
	return 0;
}

static int
check(const struct options *o, enum plot_target *target, struct error *e)
{
	if (o->csv && o->json)
		return error_usage(e, "--csv or --json: choose one");
	if (o->self && o->run)
		return error_usage(e, "--self or --run: choose one");
	if (check_options(o, e) || (!o->self && check_file(o, e)))
		return -1;
	return o->output ? picture_target(o->output, target, e) : 0;
}

/* ---- results ---- */

static int
print_text(const struct scale *s, size_t n, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	scale_text(s, n, f.out);
	return fold_close(&f, 0, e);
}

static int
print_json(const struct scale *s, size_t n, FILE *out, struct error *e)
{
	for (size_t i = 0; i < n; i++)
		if (scale_json(&s[i], out, e))
			return -1;
	return 0;
}

static int
print(const struct scale *s, size_t n, const struct options *o, FILE *out, struct error *e)
{
	if (o->json)
		return print_json(s, n, out, e);
	if (!o->csv)
		return print_text(s, n, out, e);
	if (o->self || o->run)
		scale_runs_csv(s->program, out);
	else
		scale_csv(s, n, out);
	return 0;
}

static int
draw(const struct scale *s, size_t n, const char *path, enum plot_target target, struct error *e)
{
	const struct scale_plot p = { s, n, target };
	struct picture		picture = { 0 };
	int			failed =
	    scale_plot_draw(&p, &picture, e) || output_whole(path, picture.bytes, picture.n, e);

	free(picture.bytes);
	return failed ? -1 : 0;
}

/* The picture is last: times that took hours are printed where it cannot be drawn. */
static int
analyse(const struct timings *t, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	struct scale *s;
	size_t	      n = 0;
	int	      failed = 0;

	if (o->output && t->n > SCALE_PANELS)
		return error_usage(e,
		    "--output %s: %zu programs are too many for a picture; take %d", o->output,
		    t->n, SCALE_PANELS);
	s = calloc(t->n, sizeof(*s));
	if (!s)
		return error_set(e, "out of memory for %zu programs", t->n);
	while (!failed && n < t->n) {
		failed = scale_init(&s[n], &t->program[n], e);
		n += !failed;
	}
	if (!failed)
		failed = print(s, n, o, out, e);
	if (!failed && o->output)
		failed = draw(s, n, o->output, target, e);
	while (n)
		scale_release(&s[--n]);
	free(s);
	return failed;
}

/* ---- times that are taken here ---- */

/* Runs that are too few for an analysis are printed: the next call may take them as a file. */
static int
give_measured(struct timings *t, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), "%s", t->program->name);
	if (!timings_end(t, name, e))
		return analyse(t, o, target, out, e);
	scale_runs_csv(t->program, out);
	error_prefix(e, "the runs so far, as CSV, are all there is");
	return -1;
}

static void
note_region(const struct timings *t)
{
	fputs("bufsim: ", stderr);
	text_print(t->program->name, stderr);
	fputs(" marks no region: its region is all of it (docs/scale.md has roi_begin)\n", stderr);
}

/* An error in the middle does not lose what came before. */
static int
measure(struct timings *t, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	bool	     marked = true;
	struct error later = { 0 };
	int	     failed = o->self ? scale_self(t, o, e) : scale_run(t, o, &marked, e);

	if (!t->n)
		return failed;
	if (!marked)
		note_region(t);
	if (give_measured(t, o, target, out, failed ? &later : e))
		failed = -1;
	fflush(out); /* a signal ends the program soon */
	return failed;
}

int
cmd_scale(const struct options *o, FILE *out, struct error *e)
{
	enum plot_target target = PLOT_SVG;
	struct timings	 t = { 0 };
	int		 failed;

	if (check(o, &target, e))
		return -1;
	if (o->self || o->run)
		failed = measure(&t, o, target, out, e);
	else
		failed = timings_read(&t, o->argument[0], e) || analyse(&t, o, target, out, e);
	timings_release(&t);
	return failed ? -1 : 0;
}

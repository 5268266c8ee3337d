/*
 * cmd_frames.c - bufsim frames: allocators of page frames.
 *
 * One combination of settings is a report, several are a table; CSV and JSON have a line for
 * each, and -o may be a picture.  Nothing is printed, and no file written, before all have been measured.
 */
#include <stdlib.h>

#include "sim/base/output.h"
#include "sim/cli/cmd.h"
#include "sim/cli/deliver.h"
#include "sim/setup/endings.h"
#include "sim/studies/frames/frames_points.h"
#include "sim/studies/frames/model/recording.h"
#include "sim/studies/frames/report/frames_recording.h"
#include "sim/studies/frames/report/frames_table.h"
#include "sim/studies/frames/report/plot_frames.h"

/* What is printed, or drawn. */
enum form { FORM_TEXT, FORM_CSV, FORM_JSON, FORM_PICTURE };

static int
choose_form(enum form *form, enum plot_target *target, const struct options *o, struct error *e)
{
	struct error ignored;

	*form = o->json ? FORM_JSON : o->csv || o->output ? FORM_CSV : FORM_TEXT;
	if (o->csv && o->json)
		return error_usage(e, "--csv or --json: choose one");
	if (o->output && !picture_target(o->output, target, &ignored))
		*form = FORM_PICTURE;
	if (*form != FORM_PICTURE)
		return endings_check("--output ", o->output,
		    o->json ? &written_json : &written_table, e);
	if (o->csv || o->json)
		return error_usage(e, "-o %s is a picture: leave out --%s, or type -o FILE.%s",
		    o->output, o->csv ? "csv" : "json", o->csv ? "csv" : "json");
	return 0;
}

static int
print_json(const struct frames_points *p, FILE *out, struct error *e)
{
	for (size_t i = 0; i < p->n; i++)
		if (frames_json(&p->report[i], out, e))
			return -1;
	return 0;
}

/* A recording of a kernel; NULL: none. */
static const struct recording_facts *
kernel_facts(const struct frames_points *p)
{
	const struct recording_facts *f = p->recording.self ? recording_facts(&p->recording) : NULL;

	return f && f->is_kernel ? f : NULL;
}

static void
print_person(const struct frames_points *p, FILE *out)
{
	if (p->n > 1)
		frames_table(p->report, p->n, out);
	else
		frames_text(p->report, out);
	if (kernel_facts(p))
		frames_recording(kernel_facts(p), out);
}

static int
print(const struct frames_points *p, enum form form, FILE *out, struct error *e)
{
	if (form == FORM_JSON)
		return print_json(p, out, e);
	if (form == FORM_CSV)
		frames_csv(p->report, p->n, out);
	else
		print_person(p, out);
	return 0;
}

/* All has been measured. */
static int
print_all(const struct frames_points *p, enum form form, FILE *out, struct error *e)
{
	struct memo m;
	int	    failed;

	if (memo_open(&m, e))
		return -1;
	failed = print(p, form, m.out, e);
	failed = memo_close(&m, e) || failed;
	if (!failed)
		failed = deliver(&m, p->o->output, form == FORM_TEXT, out, e);
	free(m.text);
	return failed ? -1 : 0;
}

static int
draw(const struct frames_points *p, enum plot_target target, struct error *e)
{
	struct picture picture = { 0 };
	int	       failed = frames_plot_draw(&picture, p->report, p->n, target, e);

	if (!failed)
		failed = output_whole(p->o->output, picture.bytes, picture.n, e);
	free(picture.bytes);
	return failed;
}

int
cmd_frames(const struct options *o, FILE *out, struct error *e)
{
	enum plot_target     target = PLOT_SVG;
	enum form	     form;
	struct frames_points p;
	int		     failed;

	if (choose_form(&form, &target, o, e))
		return -1;
	failed = frames_points_init(&p, o, e) || frames_points_run(&p, e);
	if (!failed)
		failed = form == FORM_PICTURE ? draw(&p, target, e) : print_all(&p, form, out, e);
	if (!failed && form != FORM_TEXT && kernel_facts(&p))
		frames_losses(kernel_facts(&p), o->argument[0], stderr);
	frames_points_release(&p);
	return failed ? -1 : 0;
}

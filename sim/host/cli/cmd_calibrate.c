/*
 * cmd_calibrate.c - bufsim calibrate: measure this machine's storage and
 * processor, and write a data sheet.
 *
 * Everything that can be wrong with the command line, the directory or the
 * output is found before the scratch file is written.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/cli/cmd.h"
#include "sim/device/here.h"
#include "sim/host/measure/ground.h"
#include "sim/host/measure/sheet_text.h"
#include "sim/host/report/calibrate_report.h"
#include "sim/registry.h"
#include "sim/setup/endings.h"

enum { PATH_ROOM = 4096, SHEET_HEAD = 4096 };

struct work {
	struct point	       *point; /* [POINTS_MAX] */
	struct calibration	fit;
	struct calibrate_report report;
	uint64_t		bytes;
	char			path[PATH_ROOM]; /* of the sheet */
};

/* ---- where the sheet goes ---- */

/* Another sheet is replaced, and an empty file, but no trace whose name was typed by mistake. */
static int
check_replaced(const char *path, struct error *e)
{
	char   text[SHEET_HEAD + 1], kind[SHEET_HEAD];
	FILE  *f = strcmp(path, "-") != 0 ? fopen(path, "r") : NULL;
	size_t n = 0;

	if (f) {
		n = fread(text, 1, SHEET_HEAD, f);
		fclose(f);
	}
	text[n] = '\0';
	data_sheet_value(text, "kind", kind, sizeof(kind));
	if (!n || *kind)
		return 0;
	return error_set(e, "%s is there and is no data sheet: remove it, or choose another name",
	    path);
}

static int
check_named(const char *path, struct error *e)
{
	static const struct written sheet = { .what = "a data sheet",
		.endings = ".dev",
		.plain = true };

	if (strlen(path) >= PATH_ROOM)
		return error_usage(e, "--output: the path is too long");
	return endings_check("--output ", path, &sheet, e) || check_replaced(path, e) ? -1 : 0;
}

static int
choose_path(struct work *w, const struct options *o, struct error *e)
{
	char *here;
	int   failed;

	w->report.is_here = !o->output;
	if (o->output) {
		if (check_named(o->output, e))
			return -1;
		strcpy(w->path, o->output);
		return 0;
	}
	here = here_prepare(e);
	if (!here)
		return -1;
	if (strlen(here) >= PATH_ROOM)
		failed = error_set(e, "%s: the path is too long: name a file with --output", here);
	else
		failed = output_check(strcpy(w->path, here), e);
	free(here);
	return failed;
}

/* ---- the command line ---- */

static int
check(struct work *w, const struct options *o, struct error *e)
{
	if (!*o->dir)
		return error_usage(e, "--dir: the directory is missing");
	if (o->rounds < 1 || o->rounds > ROUNDS_MAX)
		return error_usage(e, "--rounds: %s is not between 1 and %d",
		    o->text[OPTION_rounds], ROUNDS_MAX);
	if (o->text[OPTION_size] && o->size < GROUND_MIN_BYTES)
		return error_usage(e, "--size: %s is too small: type 64M or more",
		    o->text[OPTION_size]);
	if (o->json && o->output && !strcmp(o->output, "-"))
		return error_usage(e,
		    "--output - prints the sheet: leave --json out, or name a file");
	w->bytes = o->text[OPTION_size] ? o->size : 0;
	return 0;
}

/* ---- the work ---- */

static int
measure(struct work *w, const struct options *o, struct error *e)
{
	struct calibrate_report *r = &w->report;

	w->point = calloc(POINTS_MAX, sizeof(*w->point));
	if (!w->point)
		return error_no_memory(e);
	r->point = w->point;
	r->npoints = points_plan(w->point);
	if (probe_run(w->point, r->npoints, (uint32_t)o->rounds, o->dir, w->bytes, &r->facts, e))
		return -1;
	calibration_fit(&w->fit, w->point, r->npoints, (uint32_t)o->rounds);
	r->fit = &w->fit;
	r->sheet = w->path;
	return 0;
}

static int
write_sheet(const struct work *w, FILE *out, struct error *e)
{
	struct memo m;
	int	    failed;

	if (memo_open(&m, e))
		return -1;
	sheet_print(&w->fit, &w->report.facts, m.out);
	if (memo_close(&m, e))
		return -1;
	if (strcmp(w->path, "-") != 0)
		failed = output_whole(w->path, m.text, m.bytes, e);
	else
		failed = fwrite(m.text, 1, m.bytes, out) != m.bytes; /* main finds that */
	free(m.text);
	return failed ? -1 : 0;
}

static int
report(const struct work *w, const struct options *o, FILE *out, struct error *e)
{
	struct fold f;

	if (!strcmp(w->path, "-"))
		return 0;
	if (o->json)
		return calibrate_json(&w->report, out, e);
	if (fold_open(&f, out, e))
		return -1;
	calibrate_text(&w->report, f.out);
	return fold_close(&f, 0, e);
}

int
cmd_calibrate(const struct options *o, FILE *out, struct error *e)
{
	struct work w = { 0 };
	int	    failed;

	if (check(&w, o, e) || choose_path(&w, o, e) || probe_check(o->dir, &w.bytes, e))
		return -1;
	failed = measure(&w, o, e) || write_sheet(&w, out, e) || report(&w, o, out, e) ? -1 : 0;
	free(w.point);
	return failed;
}

/*
 * cmd_sweep.c - bufsim sweep: every combination of lists of settings.
 *
 * Rows arrive in any order, and the result has them in the order of the points,
 * so it does not depend on the number of workers.  A file of CSV grows as they
 * arrive, may be continued, and is put in order at the end; all other rows are
 * written as soon as those before them are.  On a terminal the results are a
 * table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/sweep_points.h"
#include "sim/report/run/run_data.h"
#include "sim/setup/endings.h"

enum { PATH_ROOM = 4096 };

struct sweep {
	const struct options *o;
	struct sweep_points   points;
	struct points_slice   slice;

	bool	       grows; /* the output is a file of CSV */
	struct rows    rows;
	struct output *whole; /* a file of JSON, or NULL */
	FILE	      *out;   /* if it is no file */
};

static int
write_row(void *to, const char *text, size_t bytes, struct error *e)
{
	const struct sweep *s = to;

	if (s->whole)
		return output_bytes(s->whole, text, bytes, e);
	progress_hide();
	fwrite(text, 1, bytes, s->out);
	return fflush(s->out) ? error_set(e, "standard output: %s", strerror(errno)) : 0;
}

static int
keep_row(void *to, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct sweep *s = to;

	return rows_add(&s->rows, s->points.point[i].place, text, bytes, e);
}

static int
work_off(struct sweep *s, struct error *e)
{
	const struct points work =
	    sweep_points_work(&s->points, s->o->json ? report_json_row : report_csv_row);

	if (!s->grows && !s->o->json)
		report_csv_header(s->out);
	fflush(s->out); /* else every worker would have a copy of pending output */
	return s->grows ? points_run(&work, keep_row, s, e) : points_print(&work, write_row, s, e);
}

/* ---- a file of CSV ---- */

static void
tell_kept(const char *path, unsigned n, const char *of)
{
	if (n)
		fprintf(stderr, "bufsim: %s: %u row%s of %s %s kept at the end\n", path, n,
		    n == 1 ? "" : "s", of, n == 1 ? "is" : "are");
}

/* What was found in the file that is continued. */
static void
tell_rows(const struct sweep *s)
{
	const struct rows *r = &s->rows;
	char		   path[PATH_ROOM];

	text_clean(path, sizeof(path), s->o->output);
	if (r->torn)
		fprintf(stderr, "bufsim: %s: dropped a torn last row\n", path);
	if (r->nthere)
		fprintf(stderr, "bufsim: %s: %zu of %zu points are there already\n", path,
		    r->nthere, s->points.n);
	tell_kept(path, s->points.nchanged,
	    "another trace, data sheet or plug-in of the same name");
	tell_kept(path, r->nothers - s->points.nchanged, "other sweeps");
}

static int
open_rows(struct sweep *s, struct error *e)
{
	struct memo header;

	if (memo_open(&header, e))
		return -1;
	report_csv_header(header.out);
	if (memo_close(&header, e))
		return -1;
	if (rows_open(&s->rows, s->o->output, header.text, s->points.n, s->o->resume,
		sweep_points_place, &s->points, e)) {
		free(header.text);
		return -1;
	}
	tell_rows(s);
	return 0;
}

static int
into_rows(struct sweep *s, struct error *e)
{
	int failed;

	if (open_rows(s, e))
		return -1;
	sweep_points_leave(&s->points, &s->slice, &s->rows);
	failed = work_off(s, e);
	if (failed && !s->rows.lost)
		error_prefix(e, "%zu of %zu points are in %s; --resume adds the others",
		    s->rows.nthere, s->points.n, s->o->output);
	if (!failed)
		failed = rows_sort(&s->rows, e);
	free((void *)(uintptr_t)s->rows.header);
	rows_close(&s->rows);
	return failed;
}

/* ---- a file of JSON ---- */

static int
into_whole(struct sweep *s, struct error *e)
{
	s->whole = output_open(s->o->output, e);
	if (!s->whole)
		return -1;
	if (!work_off(s, e))
		return output_commit(s->whole, NULL, e);
	output_abandon(s->whole);
	return -1;
}

/* ---- all of it ---- */

static bool
names_file(const struct options *o)
{
	return o->output && strcmp(o->output, "-") != 0;
}

/* As with CSV, results are not replaced: they may be of hours. */
static int
check_json(const struct options *o, struct error *e)
{
	struct stat st;

	if (o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (o->resume)
		return error_usage(e, "--resume continues CSV: leave out --json");
	if (names_file(o) && !stat(o->output, &st) && st.st_size)
		return error_usage(e, "%s exists: remove it, or choose another name", o->output);
	return 0;
}

static int
check_options(struct sweep *s, struct error *e)
{
	static const struct written rows = { .what = "CSV",
		.endings = ".csv",
		.plain = true, /* rows are appended to it */
		.drawn = true,
		.or_json = true };
	const struct options	   *o = s->o;

	if (o->json && check_json(o, e))
		return -1;
	if (o->resume && !names_file(o))
		return error_usage(e, "--resume needs a file; type: --output FILE --resume");
	if (endings_check("--output ", o->output, o->json ? &written_json : &rows, e))
		return -1;
	return points_slice_parse(&s->slice, o->points, e);
}

static int
sweep(struct sweep *s, struct error *e)
{
	const struct options *o = s->o;

	if (check_options(s, e) || sweep_points_init(&s->points, o, e))
		return -1;
	if (s->grows)
		return into_rows(s, e);
	sweep_points_leave(&s->points, &s->slice, NULL);
	if (names_file(o))
		return into_whole(s, e);
	if (!o->output && !o->csv && !o->json && isatty(fileno(s->out)))
		return sweep_points_table(&s->points, RANKING_TEXT, s->out, e);
	return work_off(s, e);
}

int
cmd_sweep(const struct options *o, FILE *out, struct error *e)
{
	struct sweep s = { .o = o, .out = out, .grows = names_file(o) && !o->json, .rows.fd = -1 };
	int	     failed = sweep(&s, e);

	sweep_points_release(&s.points);
	return failed;
}

/*
 * cmd_share.c - bufsim share: page-coherent shared memory.
 *
 * One combination of trace and settings is a report, several are a table; CSV and JSON have a line
 * for each.  Nothing is printed, and no file written, before all have succeeded.
 */
#include <stdlib.h>

#include "sim/cli/cmd.h"
#include "sim/cli/deliver.h"
#include "sim/setup/endings.h"
#include "sim/setup/setup.h"
#include "sim/studies/share/report/share_table.h"
#include "sim/studies/share/share_explain.h"
#include "sim/studies/share/share_points.h"
#include "sim/studies/share/share_programs.h"

static bool
is_csv(const struct options *o)
{
	return o->csv || (o->output && !o->json);
}

/* ---- a line or a report of each point ---- */

static int
print_lines(const struct share_points *p, const struct share_report *r, FILE *out, struct error *e)
{
	if (p->o->json)
		return share_json(r, out, e);
	if (is_csv(p->o))
		share_csv(r, &p->columns, out);
	else
		share_text(r, out);
	return 0;
}

static int
lines(struct share_points *p, FILE *out, struct error *e)
{
	const struct points work = share_points_work(p, print_lines);

	if (is_csv(p->o))
		share_csv_names(&p->columns, out);
	return points_print(&work, point_to_file, out, e);
}

/* ---- a table ---- */

static int
print_row(const struct share_points *p, const struct share_report *r, FILE *out, struct error *e)
{
	struct share_row row;

	share_row_of(&row, r);
	fwrite(&row, sizeof(row), 1, out);
	return 0;
}

static int
table(struct share_points *p, FILE *out, struct error *e)
{
	const struct points work = share_points_work(p, print_row);
	struct share_table t = { &p->grid, p->program, p->nprograms, calloc(p->n, sizeof(*t.row)) };
	int		   failed;

	if (!t.row)
		return error_set(e, "out of memory for %zu points", p->n);
	failed = points_collect(&work, t.row, sizeof(*t.row), sizeof(*t.row), e) ||
		share_table_print(&t, out, e)
	    ? -1
	    : 0;
	free(t.row);
	return failed;
}

/* ---- the command ---- */

static const struct written *
written_by(const struct options *o)
{
	static const struct written text = { .what = "text", .endings = ".txt", .or_json = true },
				    json = { .what = "JSON", .endings = JSON_ENDINGS };

	if (o->describe)
		return o->json ? &json : &text;
	return o->json ? &written_json : &written_table;
}

static int
check_options(const struct options *o, struct error *e)
{
	if (o->csv && o->json)
		return error_usage(e, "--csv or --json: choose one");
	if (!o->why && option_is_typed(o, OPTION_fault))
		return error_usage(e, "--fault belongs to --explain; type both");
	if (!o->why && option_is_typed(o, OPTION_costly))
		return error_usage(e, "--top belongs to --explain; type both");
	if (o->why && (o->csv || o->json || o->output))
		return error_usage(e,
		    "--explain prints text: leave out --csv, --json and --output");
	if (o->save && (o->why || o->describe || o->csv || o->json || o->output))
		return error_usage(e, "--save writes a trace, and nothing else");
	if (o->why && o->describe)
		return error_usage(e, "--explain or --stat: choose one");
	if (o->describe && o->csv)
		return error_usage(e, "--stat prints text or --json: leave out --csv");
	return endings_check("--save ", o->save, &written_text, e) ||
		endings_check("--output ", o->output, written_by(o), e)
	    ? -1
	    : 0;
}

static int
print(struct share_points *p, FILE *out, struct error *e)
{
	if (p->o->why)
		return share_explain(p, out, e);
	return (p->n > 1 && !p->o->json && !is_csv(p->o) ? table : lines)(p, out, e);
}

static int
run(const struct share_programs *s, FILE *out, struct error *e)
{
	struct share_points p;
	int		    failed;

	if (s->o->save)
		return share_save(s, e);
	if (s->o->describe)
		return share_describe(s, out, e);
	failed = share_points_init(&p, s, e) || print(&p, out, e);
	share_points_release(&p);
	return failed ? -1 : 0;
}

static int
run_programs(const struct options *o, FILE *out, struct error *e)
{
	struct share_programs s;
	int		      failed;

	if (share_programs_init(&s, o, e))
		return -1;
	failed = run(&s, out, e);
	share_programs_release(&s);
	return failed;
}

int
cmd_share(const struct options *o, FILE *out, struct error *e)
{
	struct memo m = { 0 };
	int	    failed = check_options(o, e) || memo_open(&m, e);

	if (!failed) {
		failed = run_programs(o, m.out, e);
		failed = memo_close(&m, e) || failed;
	}
	if (!failed)
		failed = deliver(&m, o->output, !o->json && !is_csv(o), out, e);
	free(m.text);
	return failed ? -1 : 0;
}

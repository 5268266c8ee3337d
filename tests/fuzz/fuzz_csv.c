/*
 * fuzz_csv.c - the input is a file of comma-separated values: read, written
 * and read again; continued as the output of a sweep; drawn.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/draw/plot.h"
#include "sim/draw/plot_responses.h"
#include "sim/points/rows.h"
#include "tests/fuzz/harness.h"

enum { PLACES = 8, COLUMNS = 80, LINES = 24 };

/* ---- reading ---- */

static void
print_row(char **field, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? "," : "", out);
		csv_text(field[i], out);
	}
	fputc('\n', out);
}

/* All rows of a file, written again; the number of rows is added up. */
static char *
rewritten(const char *path, size_t *rows, bool *whole, size_t *bytes)
{
	struct csv   c;
	struct memo  text;
	struct error e = { 0 };
	int	     status;

	*rows = 0;
	if (csv_open(&c, path, &e)) {
		harness_refused(&e);
		return NULL;
	}
	LAW(!memo_open(&text, &e), "%s", e.text);
	print_row(c.column, c.ncolumns, text.out);
	while ((status = csv_next(&c, &e)) > 0) {
		print_row(c.field, c.ncolumns, text.out);
		++*rows;
	}
	*whole = !status && !c.torn && c.ncolumns;
	if (status < 0)
		harness_refused(&e);
	csv_close(&c);
	LAW(!memo_close(&text, &e), "%s", e.text);
	*bytes = text.bytes;
	return text.text;
}

/* What is written again is a file of the same rows. */
static void
reading_laws(const char *path)
{
	size_t	    rows, again, bytes, more;
	bool	    whole;
	char	   *text = rewritten(path, &rows, &whole, &bytes), *second;
	const char *copy = harness_path("again.csv");

	if (!text || !whole) {
		free(text);
		return;
	}
	harness_write(copy, text, bytes);
	second = rewritten(copy, &again, &whole, &more);
	LAW(second && whole && again == rows && more == bytes && !memcmp(text, second, bytes),
	    "%zu rows, then %zu:\n%s\n%s", rows, again, text, second ? second : "(none)");
	free(text);
	free(second);
}

/* ---- a sweep is continued ---- */

static size_t
place(void *self, char *const *field, unsigned n)
{
	return n && *field[0] >= '0' && *field[0] < '0' + PLACES ? (size_t)(*field[0] - '0')
								 : SIZE_MAX;
}

static void
resuming_laws(const char *path)
{
	static const char header[] = "place,value\n";
	struct rows	  r;
	struct error	  e = { 0 };
	size_t		  others;

	if (rows_open(&r, path, header, PLACES, true, place, NULL, &e)) {
		harness_refused(&e);
		return;
	}
	others = r.nothers;
	for (size_t i = 0; i < PLACES; i++) {
		char row[] = "0,new\n";

		row[0] = (char)('0' + i);
		if (!r.row[i].bytes)
			LAW(!rows_add(&r, i, row, strlen(row), &e), "%s", e.text);
	}
	LAW(r.nthere == PLACES, "%zu rows", r.nthere);
	LAW(!rows_sort(&r, &e), "%s", e.text);
	rows_close(&r);
	LAW(!rows_open(&r, path, header, PLACES, true, place, NULL, &e), "%s", e.text);
	LAW(r.nthere == PLACES && r.nothers == others && !r.torn, "%zu rows and %u others, not %zu",
	    r.nthere, r.nothers, others);
	rows_close(&r);
}

/* ---- pictures ---- */

static void
draw_results(struct csv *c, const char *y, const char *x, const char *base, struct error *e)
{
	struct plot p;
	struct memo script = { 0 };

	plot_start(&p, y, x);
	if (plot_read(&p, c, e) || plot_arrange(&p, base, e) || memo_open(&script, e))
		harness_refused(e);
	else if (plot_script(&p, PLOT_SVG, 0, 0, script.out, e) ||
	    plot_script(&p, PLOT_DUMB, COLUMNS, LINES, script.out, e))
		harness_refused(e);
	if (script.out)
		memo_close(&script, e);
	free(script.text);
	plot_free(&p);
}

static void
draw_responses(struct csv *c, const char *y, struct error *e)
{
	struct response_plot p = { 0 };
	struct memo	     script = { 0 };

	if (response_plot_start(&p, y, e) || response_plot_read(&p, c, e) || memo_open(&script, e))
		harness_refused(e);
	else if (response_plot_script(&p, PLOT_SVG, 0, 0, script.out, e))
		harness_refused(e);
	if (script.out)
		memo_close(&script, e);
	free(script.text);
	response_plot_free(&p);
}

static void
drawing_laws(const char *path, struct draw *d)
{
	static const char *const ys[] = { NULL, "time", "hit-ratio", "miss-ratio", "elapsed_us",
		"value", "outstanding" };
	static const char *const xs[] = { NULL, "cache", "queue", "max", "value" };
	static const char *const bases[] = { NULL, "none", "lru", "linux24" };
	const char		*y = ys[draw_below(d, 7)];
	struct csv		 c;
	struct error		 e = { 0 };

	if (csv_open(&c, path, &e)) {
		harness_refused(&e);
		return;
	}
	if (c.ncolumns && response_plot_recognises(&c))
		draw_responses(&c, y, &e);
	else
		draw_results(&c, y, xs[draw_below(d, 5)], bases[draw_below(d, 4)], &e);
	csv_close(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct draw d = harness_draw(bytes, n);
	const char *path = harness_path("results.csv");

	harness_write(path, bytes, n);
	reading_laws(path);
	drawing_laws(path, &d);
	resuming_laws(path);
	return 0;
}

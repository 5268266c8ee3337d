/* frames_rows.c - read rows of bufsim frames. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/frames/report/frames_rows.h"

bool
frames_rows_recognise(const struct csv *c)
{
	return csv_column(c, "allocator") >= 0 && csv_column(c, "workload") >= 0 &&
	    csv_column(c, "block_pages") >= 0;
}

void
frames_rows_release(struct frames_rows *r)
{
	free(r->report);
	names_release(&r->text);
	*r = (struct frames_rows){ 0 };
}

/* ---- fields ---- */

static int
no_column(const struct csv *c, const char *column, struct error *e)
{
	return error_set(e, "%s: no column %s; write it again: bufsim frames ... -o FILE.csv",
	    c->name, column);
}

static int
no_number(const struct csv *c, const char *column, struct error *e)
{
	return error_set(e, "%s: row %" PRIu64 ": %s: '%.40s' is not a number", c->name, c->row,
	    column, c->field[csv_column(c, column)]);
}

/* NULL: an error. */
static const char *
field_of(const struct csv *c, const char *column, struct error *e)
{
	int at = csv_column(c, column);

	if (at >= 0)
		return c->field[at];
	no_column(c, column, e);
	return NULL;
}

static int
read_text(struct frames_rows *r, const struct csv *c, const char *column, const char **to,
    struct error *e)
{
	bool	    old = !strcmp(column, "cores") && csv_column(c, column) < 0; /* bufsim 1.0 */
	const char *field = field_of(c, old ? "machine" : column, e);
	uint32_t    number = field ? names_intern(&r->text, field) : 0;

	if (!field)
		return -1;
	if (!number)
		return error_no_memory(e);
	*to = r->text.name[number];
	return 0;
}

static int
read_whole(const struct csv *c, const char *column, uint64_t *to, struct error *e)
{
	const char *field = field_of(c, column, e);

	if (!field)
		return -1;
	return number_whole(field, to) ? 0 : no_number(c, column, e);
}

static int
read_decimal(const struct csv *c, const char *column, double *to, struct error *e)
{
	const char *field = field_of(c, column, e);
	char	   *end;

	if (!field)
		return -1;
	*to = strtod(field, &end);
	return end > field && !*end && isfinite(*to) && *to >= 0 ? 0 : no_number(c, column, e);
}

/* Up to n numbers with blanks between them; how many, or -1: an error. */
static int
read_list(const struct csv *c, const char *column, double *to, int n, struct error *e)
{
	const char *at = field_of(c, column, e);
	char	   *end;
	int	    i;

	if (!at)
		return -1;
	for (i = 0; *at && i < n; i++, at = end) {
		to[i] = strtod(at, &end);
		if (end == at || !isfinite(to[i]))
			return no_number(c, column, e);
	}
	return *at ? no_number(c, column, e) : i;
}

/* ---- rows ---- */

static bool
is_empty(const struct csv *c, const char *column)
{
	int at = csv_column(c, column);

	return at < 0 || !*c->field[at];
}

/* A column that is one field; a rate follows from others. */
static int
read_column(struct frames_rows *r, struct frames_report *to, const struct csv *c,
    const struct column *column, struct error *e)
{
	void *field = (char *)to + column->offset;

	if (column->kind == CELL_TEXT)
		return read_text(r, c, column->key, field, e);
	if (column->kind != CELL_DECIMAL)
		return read_whole(c, column->key, field, e);
	if (!column->offset)
		return 0;
	if (read_decimal(c, column->key, field, e))
		return -1;
	if (text_ends_in(column->key, strlen(column->key), "_us"))
		*(double *)field *= 1000;
	return 0;
}

static int
read_fragments(struct trial_fragments *f, const struct csv *c, struct error *e)
{
	double n[FRAGMENT_SAMPLES + 1];
	int    samples, orders;

	if (read_whole(c, "free_pages", &f->free_pages, e) ||
	    read_whole(c, "total_pages", &f->total_pages, e))
		return -1;
	samples = read_list(c, "largest_order", n, FRAGMENT_SAMPLES + 1, e);
	if (samples < 0)
		return -1;
	if (samples <= FRAGMENT_SAMPLES)
		return error_set(e, "%s: row %" PRIu64 ": largest_order has %d numbers, not %d",
		    c->name, c->row, samples, FRAGMENT_SAMPLES + 1);
	for (int i = 0; i < samples; i++) {
		if (n[i] < -1 || n[i] >= FRAME_ORDERS)
			return no_number(c, "largest_order", e);
		f->largest[i] = (int)n[i];
	}
	orders = read_list(c, "met", f->met, FRAME_ORDERS, e);
	f->orders = orders < 0 ? 0 : (unsigned)orders;
	return orders < 0 || read_list(c, "met_after", f->met_after, FRAME_ORDERS, e) < 0 ? -1 : 0;
}

static int
read_row(struct frames_rows *r, const struct csv *c, struct frames_report *to, struct error *e)
{
	int failed = 0;

	*to = (struct frames_report){ .latency = !is_empty(c, "latency_p50_ns"),
		.fragments = !is_empty(c, "largest_order") };
	for (unsigned i = 0; !failed && i < frames_ncolumns; i++) {
		const struct column *column = &frames_columns[i];

		if (column->key && !column->csv_only && (to->latency || !column->optional))
			failed = read_column(r, to, c, column, e);
	}
	return failed || (to->fragments && read_fragments(&to->result.fragments, c, e)) ? -1 : 0;
}

int
frames_rows_read(struct frames_rows *r, struct csv *c, struct error *e)
{
	int more;

	while ((more = csv_next(c, e)) == 1) {
		struct frames_report *all = array_grow(r->report, r->n, &r->room, sizeof(*all));

		if (!all)
			return error_no_memory(e);
		r->report = all;
		if (read_row(r, c, &all[r->n], e))
			return -1;
		r->n++;
	}
	if (more < 0 || !c->torn)
		return more;
	return error_set(e, "%s: row %" PRIu64 " is torn: its end is missing", c->name, c->row);
}

/* frames_table.c - a row for each measured allocator of page frames, for a person. */
#include <inttypes.h>

#include "sim/base/number.h"
#include "sim/studies/frames/report/frames_table.h"

enum { LINE_WIDTH = 80 };

/* ---- the finding ---- */

/* "buddy", or "threads 8". */
static void
print_compared(const struct frames_report *all, size_t n, const struct frames_report *r, FILE *out)
{
	enum frames_setting along = frames_compared(all, n);
	char		    text[FRAMES_SETTING];

	fprintf(out, "%s%s%s", along == FRAMES_ALLOCATOR ? "" : frames_setting_column(along)->title,
	    along == FRAMES_ALLOCATOR ? "" : " ", frames_setting_text(r, along, text));
}

/* " (workload churn:n=600, threads 8)": what else varies. */
static void
print_others(const struct frames_report *all, size_t n, const struct frames_report *r, FILE *out)
{
	const char *before = " (";
	char	    text[FRAMES_SETTING];

	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		if (s != frames_compared(all, n) && frames_varies(all, n, s)) {
			fprintf(out, "%s%s %s", before, frames_setting_column(s)->title,
			    frames_setting_text(r, s, text));
			before = ", ";
		}
	fputs(*before == ',' ? ")" : "", out);
}

void
frames_finding(const struct frames_report *r, size_t n, FILE *out)
{
	const struct frames_report *best = r;

	for (size_t i = 1; i < n; i++)
		if (frames_ratio(&r[i]) > frames_ratio(best))
			best = &r[i];
	if (best->base == best) {
		fputs("nothing is faster than ", out);
		print_compared(r, n, r, out);
		return;
	}
	print_compared(r, n, best, out);
	fprintf(out, " is %.3g times as fast as ", frames_ratio(best));
	print_compared(r, n, r, out);
	print_others(r, n, best, out);
}

/* ---- columns ---- */

/* A setting that all rows share stands below the table. */
static void
add_column(struct table *t, const struct frames_report *r, size_t n, const struct column *c)
{
	struct column copy = *c;

	if (c->place < FRAMES_SETTINGS && !frames_varies(r, n, c->place))
		copy.title = NULL;
	table_add(t, &copy, 1);
}

/* The first columns stay if there is no room for all. */
static void
print_results(const struct frames_report *r, size_t n, FILE *out)
{
	struct table t;

	frames_table_init(&t, r, n);
	for (unsigned i = 0; i < frames_ncolumns; i++)
		add_column(&t, r, n, &frames_columns[i]);
	for (unsigned i = 1; i < t.nshown; i++)
		t.shown[i]->absent = GIVES_WAY(t.nshown - i);
	table_fit(&t, LINE_WIDTH);
	table_text(&t, out);
}

/* ---- fragmentation ---- */

static void
least_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct frames_report *r = t->row(t, row);
	int			    least = r->result.fragments.largest[0];

	for (unsigned i = 1; i <= FRAGMENT_SAMPLES; i++)
		if (r->result.fragments.largest[i] < least)
			least = r->result.fragments.largest[i];
	snprintf(to->room, CELL_ROOM, "%d", least);
	to->shown = to->room;
}

/* The share of requests of order c->offset. */
static void
order_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct frames_report *r = t->row(t, row);

	*to->room = '\0';
	if (c->offset < r->result.fragments.orders)
		snprintf(to->room, CELL_ROOM, "%.0f", 100 * r->result.fragments.met[c->offset]);
	to->shown = to->room;
}

static unsigned
most_orders(const struct frames_report *r, size_t n)
{
	unsigned most = 0;

	for (size_t i = 0; i < n; i++)
		if (r[i].result.fragments.orders > most)
			most = r[i].result.fragments.orders;
	return most;
}

/* Each order, or each second one and so on, as there is room: try n shows each (n + 1)th. */
static void
add_order(struct table *t, unsigned order, char title[NUMBER_TEXT])
{
	struct column c = { .title = title,
		.kind = CELL_NUMBER,
		.offset = order,
		.cell = order_cell,
		.place = FRAMES_SETTINGS,
		.width = 3,
		.near = true };

	snprintf(title, NUMBER_TEXT, "%u", order);
	for (unsigned try = 1; try < 64; try++)
		if (order % (try + 1))
			c.absent |= UINT64_C(1) << try;
	table_add(t, &c, 1);
}

static void
print_fragments(const struct frames_report *r, size_t n, FILE *out)
{
	static const struct column least = { NULL, "least", CELL_NUMBER, .cell = least_cell,
		.place = FRAMES_SETTINGS };
	struct table		   t;
	char			   title[FRAME_ORDERS][NUMBER_TEXT];

	frames_table_init(&t, r, n);
	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		add_column(&t, r, n, frames_setting_column(s));
	table_add(&t, &least, 1);
	for (unsigned order = 0; order < most_orders(r, n); order++)
		add_order(&t, order, title[order]);
	table_fit(&t, LINE_WIDTH);
	fputs(
	    "\nleast: the order of the largest free run when it was shortest; then, with most pages "
	    "taken, the share of requests of each order that are met, in per cent\n\n",
	    out);
	table_text(&t, out);
}

/* ---- all of it ---- */

/* What all rows have in common. */
static void
print_settings(const struct frames_report *r, size_t n, FILE *out)
{
	const char *before = "\n";
	char	    text[FRAMES_SETTING];

	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		if (!frames_varies(r, n, s)) {
			fprintf(out, "%s%s %s", before, frames_setting_column(s)->title,
			    frames_setting_text(r, s, text));
			before = ", ";
		}
	if (r->repeat > 1)
		fprintf(out, "%smedian of %" PRIu64, before, r->repeat);
	fputs(r->shape.checked ? ", checked\n" : "\n", out);
}

void
frames_table(const struct frames_report *r, size_t n, FILE *out)
{
	frames_finding(r, n, out);
	fputs("\n\n", out);
	print_results(r, n, out);
	if (r->fragments)
		print_fragments(r, n, out);
	print_settings(r, n, out);
}

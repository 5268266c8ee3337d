/*
 * plot_share.c - rows of bufsim share become bars.
 *
 * All columns before "references" but the program and its processors are settings.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/plot_share.h"

static const char *const class_columns[] = { "cold_faults", "true_faults", "false_faults", "faults",
	NULL };
static const char *const time_columns[] = { "compute_us", "fault_us", "fetch_us", "diff_us",
	"lock_us", "barrier_us", "serve_us", "local_us", NULL };
static const char	 not_running[] = "not running";

/* ---- columns ---- */

bool
share_plot_recognises(const struct csv *c)
{
	return csv_column(c, "protocol") >= 0 && csv_column(c, "allocator") >= 0 &&
	    csv_column(c, "page_bytes") >= 0;
}

static void
underline(char column[PANEL_NAME], const char *name)
{
	text_clean(column, PANEL_NAME, name);
	for (char *c = column; (c = strpbrk(c, "- "));)
		*c = '_';
}

void
share_plot_start(struct panels *p, const char *y, const char *x)
{
	*p = (struct panels){ .time = y && !strcmp(y, "time"), .compared = "allocator" };
	underline(p->y, y ? y : "faults");
	if (x)
		underline(p->x, strcmp(x, "page") ? x : "page_bytes");
	if (!strcmp(p->x, "page_bytes")) {
		p->x_title = "page size";
		p->x_bytes = true;
	}
}

static int
no_column(const struct csv *c, const char *option, const char *name, struct error *e)
{
	static const char *const words[] = { "faults", "time", "page" };
	struct nearest		 near = nearest_to(name);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		nearest_offer(&near, words[i]);
	for (unsigned i = 0; i < c->ncolumns; i++)
		nearest_offer(&near, c->column[i]);
	if (near.best)
		return error_usage(e, "%s: no column %s for --%s; did you mean '%s'?", c->name,
		    name, option, near.best);
	return error_usage(e, "%s: no column %s for --%s", c->name, name, option);
}

/* The first file determines what is stacked. */
static int
choose_parts(struct panels *p, const struct csv *c, struct error *e)
{
	const char *const *from = p->time ? time_columns
	    : !strcmp(p->y, "faults")	  ? class_columns
					  : NULL;

	if (!from && csv_column(c, p->y) < 0)
		return no_column(c, "y", p->y, e);
	if (!from)
		p->part[p->nparts++] = p->y;
	for (; from && *from; from++)
		if (csv_column(c, *from) >= 0)
			p->part[p->nparts++] = *from;
	if (p->time)
		p->part[p->nparts++] = not_running;
	return p->nparts ? 0 : no_column(c, "y", p->y, e);
}

static int
choose_settings(struct panels *p, const struct csv *c, struct error *e)
{
	for (unsigned i = 0; i < c->ncolumns && strcmp(c->column[i], "references") != 0; i++) {
		const char *name = c->column[i];

		if (!strcmp(name, "trace") || !strcmp(name, "processors") || !strcmp(name, p->x))
			continue;
		if (p->nsettings == PANEL_SETTINGS)
			return error_set(e, "%s: more than %d settings", c->name, PANEL_SETTINGS);
		text_clean(p->setting[p->nsettings++], PANEL_NAME, name);
	}
	return 0;
}

static int
check_columns(const struct panels *p, const struct csv *c, struct error *e)
{
	if (csv_column(c, "trace") < 0 || csv_column(c, "processors") < 0)
		return error_set(e, "%s: no column trace or processors; it is not of bufsim share",
		    c->name);
	if (*p->x && csv_column(c, p->x) < 0)
		return no_column(c, "x", p->x, e);
	if (p->time && csv_column(c, "elapsed_us") < 0)
		return no_column(c, "y", "elapsed_us", e);
	return 0;
}

/* ---- rows ---- */

/* 0 for an empty field: a counter that the protocol of the row does not have. */
static int
read_number(const struct csv *c, const char *column, double *out, struct error *e)
{
	int   at = csv_column(c, column);
	char *end;

	*out = 0;
	if (at < 0 || !*c->field[at])
		return 0;
	*out = strtod(c->field[at], &end);
	if (!*end && isfinite(*out) && *out >= 0)
		return 0;
	return error_set(e, "%s: row %" PRIu64 ": %s: '%s' is not a number", c->name, c->row,
	    column, c->field[at]);
}

/* Programs with other numbers of processors have other panels, but where these are the axis. */
static int
read_panel(struct panels *p, const struct csv *c, struct panel_bar *b, struct error *e)
{
	char	    name[PANEL_NAME], behind[40];
	const char *n = c->field[csv_column(c, "processors")];
	uint32_t    number;

	text_clean(name, PANEL_NAME - 40, c->field[csv_column(c, "trace")]);
	if (strcmp(p->x, "processors") != 0) {
		snprintf(behind, sizeof(behind), "%.12s processor%s", n, strcmp(n, "1") ? "s" : "");
		if (!names_intern(&p->behind, behind))
			return csv_no_memory(c, e);
		snprintf(name + strlen(name), sizeof(behind) + 2, ", %s", behind);
	}
	number = names_intern(&p->panel, name);
	b->panel = number - 1;
	return number ? 0 : csv_no_memory(c, e);
}

static int
read_settings(struct panels *p, const struct csv *c, struct panel_bar *b, struct error *e)
{
	char	 text[NUMBER_TEXT];
	uint64_t bytes;

	for (unsigned i = 0; i < p->nsettings; i++) {
		int	    at = csv_column(c, p->setting[i]);
		const char *value = at < 0 ? "" : c->field[at];

		if (!strcmp(p->setting[i], "page_bytes") && number_whole(value, &bytes))
			value = number_format(text, bytes, PARAM_BYTES);
		b->value[i] = names_intern(&p->value[i], value);
		if (!b->value[i])
			return csv_no_memory(c, e);
	}
	return 0;
}

/* Sums of all processors become the mean of one; the rest of the elapsed time it did not run. */
static int
spread_time(const struct panels *p, const struct csv *c, struct panel_bar *b, struct error *e)
{
	double processors, elapsed, sum = 0;

	if (read_number(c, "processors", &processors, e) ||
	    read_number(c, "elapsed_us", &elapsed, e))
		return -1;
	for (unsigned i = 0; i < p->nparts; i++) {
		b->part[i] /= fmax(processors, 1) * 1e6;
		sum += b->part[i];
	}
	b->part[p->nparts - 1] = fmax(elapsed / 1e6 - sum, 0);
	return 0;
}

static int
read_row(struct panels *p, const struct csv *c, struct panel_bar *b, struct error *e)
{
	*b = (struct panel_bar){ .file = c->name, .at = c->row };
	if (read_panel(p, c, b, e) || read_settings(p, c, b, e) ||
	    (*p->x && read_number(c, p->x, &b->x, e)))
		return -1;
	for (unsigned i = 0; i < p->nparts; i++)
		if (read_number(c, p->part[i], &b->part[i], e))
			return -1;
	if (p->time && spread_time(p, c, b, e))
		return -1;
	for (unsigned i = 0; i < p->nparts; i++)
		b->sum += b->part[i];
	return 0;
}

int
share_plot_read(struct panels *p, struct csv *c, struct error *e)
{
	int more;

	if (check_columns(p, c, e) ||
	    (!p->nparts && (choose_parts(p, c, e) || choose_settings(p, c, e))))
		return -1;
	while ((more = csv_next(c, e)) == 1) {
		struct panel_bar *all = array_grow(p->bar, p->nbars, &p->room, sizeof(*all));

		if (!all)
			return csv_no_memory(c, e);
		p->bar = all;
		if (read_row(p, c, &all[p->nbars], e))
			return -1;
		p->nbars++;
	}
	if (more < 0 || !c->torn)
		return more;
	return error_set(e, "%s: row %" PRIu64 " is torn: its end is missing", c->name, c->row);
}

/* ---- for bufsim plot ---- */

static void *
start(struct panels *p, const struct panels_view *v, struct error *e)
{
	share_plot_start(p, v->y, v->x);
	p->title = v->title;
	p->linear = v->linear;
	return p;
}

static int
read_rows(void *self, struct csv *c, struct error *e)
{
	return share_plot_read(self, c, e);
}

static int
arrange(void *self, struct panels *p, const struct panels_view *v, struct error *e)
{
	return panels_arrange(p, v->relative, e);
}

static void
release(void *self, struct panels *p)
{
	panels_free(p);
}

const struct panel_source share_panels = {
	.command = "share",
	.recognises = share_plot_recognises,
	.start = start,
	.read = read_rows,
	.arrange = arrange,
	.release = release,
};

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
	"lock_us", "barrier_us", NULL };
static const char	 not_running[] = "not running";

/* ---- columns ---- */

bool
share_plot_recognises(const struct csv *c)
{
	return csv_column(c, "protocol") >= 0 && csv_column(c, "allocator") >= 0 &&
	    csv_column(c, "page_bytes") >= 0;
}

static void
underline(char column[SHARE_NAME], const char *name)
{
	text_clean(column, SHARE_NAME, name);
	for (char *c = column; (c = strpbrk(c, "- "));)
		*c = '_';
}

void
share_plot_start(struct share_plot *p, const char *y, const char *x)
{
	*p = (struct share_plot){ .time = y && !strcmp(y, "time") };
	underline(p->y, y ? y : "faults");
	if (x)
		underline(p->x, strcmp(x, "page") ? x : "page_bytes");
}

void
share_plot_free(struct share_plot *p)
{
	names_release(&p->panel);
	names_release(&p->processors);
	for (unsigned i = 0; i < SHARE_SETTINGS; i++)
		names_release(&p->value[i]);
	free(p->bar);
	*p = (struct share_plot){ 0 };
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
choose_parts(struct share_plot *p, const struct csv *c, struct error *e)
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
choose_settings(struct share_plot *p, const struct csv *c, struct error *e)
{
	for (unsigned i = 0; i < c->ncolumns && strcmp(c->column[i], "references") != 0; i++) {
		const char *name = c->column[i];

		if (!strcmp(name, "trace") || !strcmp(name, "processors") || !strcmp(name, p->x))
			continue;
		if (p->nsettings == SHARE_SETTINGS)
			return error_set(e, "%s: more than %d settings", c->name, SHARE_SETTINGS);
		text_clean(p->setting[p->nsettings++], SHARE_NAME, name);
	}
	return 0;
}

static int
check_columns(const struct share_plot *p, const struct csv *c, struct error *e)
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
read_panel(struct share_plot *p, const struct csv *c, struct share_bar *b, struct error *e)
{
	char	    name[SHARE_NAME];
	const char *n = c->field[csv_column(c, "processors")];
	uint32_t    number;

	text_clean(name, SHARE_NAME - 40, c->field[csv_column(c, "trace")]);
	if (strcmp(p->x, "processors") != 0) {
		if (!names_intern(&p->processors, n))
			return csv_no_memory(c, e);
		snprintf(name + strlen(name), 40, ", %.12s processor%s", n,
		    strcmp(n, "1") ? "s" : "");
	}
	number = names_intern(&p->panel, name);
	b->panel = number - 1;
	return number ? 0 : csv_no_memory(c, e);
}

static int
read_settings(struct share_plot *p, const struct csv *c, struct share_bar *b, struct error *e)
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
spread_time(const struct share_plot *p, const struct csv *c, struct share_bar *b, struct error *e)
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
read_row(struct share_plot *p, const struct csv *c, struct share_bar *b, struct error *e)
{
	*b = (struct share_bar){ .file = c->name, .at = c->row };
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
share_plot_read(struct share_plot *p, struct csv *c, struct error *e)
{
	int more;

	if (check_columns(p, c, e) ||
	    (!p->nparts && (choose_parts(p, c, e) || choose_settings(p, c, e))))
		return -1;
	while ((more = csv_next(c, e)) == 1) {
		struct share_bar *all = array_grow(p->bar, p->nbars, &p->room, sizeof(*all));

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

/* ---- names ---- */

void
share_plot_panel_name(const struct share_plot *p, uint32_t panel, char name[SHARE_NAME])
{
	char *comma;

	text_clean(name, SHARE_NAME, p->panel.name[panel + 1]);
	comma = strrchr(name, ',');
	if (comma && p->processors.n == 1)
		*comma = '\0';
}

void
share_plot_name(const struct share_plot *p, const struct share_bar *b, char name[SHARE_NAME])
{
	size_t used = 0;

	*name = '\0';
	for (unsigned i = 0; i < p->nsettings && used < SHARE_NAME; i++)
		if (p->value[i].n > 1 && b->value[i])
			used += (size_t)snprintf(name + used, SHARE_NAME - used, "%s%s",
			    used ? ", " : "", p->value[i].name[b->value[i]]);
	if (!*name)
		for (unsigned i = 0; i < p->nsettings; i++)
			if (!strcmp(p->setting[i], "allocator") && b->value[i])
				snprintf(name, SHARE_NAME, "%s", p->value[i].name[b->value[i]]);
}

static void
in_words(char *name)
{
	for (; *name; name++)
		*name = *name == '_' ? ' ' : *name;
}

void
share_plot_y_text(const struct share_plot *p, char text[SHARE_NAME])
{
	snprintf(text, SHARE_NAME, "%.100s", p->time ? "time" : p->y);
	in_words(text);
	if (p->relative)
		snprintf(text + strlen(text), SHARE_NAME - strlen(text), " (%% of %.100s)",
		    p->value[p->base].name[p->base_value]);
}

void
share_plot_part_name(const struct share_plot *p, unsigned part, char name[SHARE_NAME])
{
	char *end;

	snprintf(name, SHARE_NAME, "%s", p->part[part]);
	end = strrchr(name, '_');
	if (p->nparts > 1 && end)
		*end = '\0';
	in_words(name);
}

static bool
same_settings(const struct share_plot *p, const struct share_bar *a, const struct share_bar *b)
{
	return !memcmp(a->value, b->value, p->nsettings * sizeof(*a->value));
}

/* ---- arranging ---- */

/* The first bar with the same settings, program and x. */
static size_t
first_like(const struct share_plot *p, const struct share_bar *b)
{
	size_t i = 0;

	while (i < p->nbars &&
	    !(p->bar[i].panel == b->panel && same_settings(p, &p->bar[i], b) &&
		!(p->bar[i].x < b->x) && !(p->bar[i].x > b->x)))
		i++;
	return i;
}

static int
drop_doubles(struct share_plot *p, struct error *e)
{
	size_t kept = 0;
	char   name[SHARE_NAME];

	for (size_t i = 0; i < p->nbars; i++) {
		const struct share_bar *b = &p->bar[i], *first = &p->bar[first_like(p, b)];

		if (first < &p->bar[kept] && memcmp(first->part, b->part, sizeof(b->part)) != 0) {
			share_plot_name(p, b, name);
			return error_set(e,
			    "%s, %s is given twice, with other numbers: %s, row %" PRIu64
			    ", and %s, row %" PRIu64,
			    p->panel.name[b->panel + 1], name, first->file, first->at, b->file,
			    b->at);
		}
		if (first >= &p->bar[kept])
			p->bar[kept++] = *b;
	}
	p->nbars = kept;
	return 0;
}

static void
number_lines(struct share_plot *p)
{
	for (size_t i = 0; i < p->nbars; i++) {
		size_t first = 0;

		while (!same_settings(p, &p->bar[first], &p->bar[i]))
			first++;
		p->bar[i].line = first < i ? p->bar[first].line : p->nlines++;
	}
}

static int
find_base(struct share_plot *p, const char *name, struct error *e)
{
	for (p->base = 0; p->base < p->nsettings; p->base++)
		for (uint32_t v = 1; v <= p->value[p->base].n; v++)
			if (p->value[p->base].n > 1 && !strcmp(p->value[p->base].name[v], name)) {
				p->base_value = v;
				return 0;
			}
	return error_usage(e, "--relative %s: no bar or line has that name", name);
}

/* In per cent of the bar that differs in the base's setting only. */
static int
make_relative(struct share_plot *p, struct error *e)
{
	double *base = calloc(p->nbars, sizeof(*base));
	char	name[SHARE_NAME];
	int	failed = base ? 0 : error_set(e, "out of memory for the plot");

	for (size_t i = 0; !failed && i < p->nbars; i++) {
		struct share_bar key = p->bar[i];
		size_t		 at;

		key.value[p->base] = p->base_value;
		at = first_like(p, &key);
		if (at < p->nbars && p->bar[at].sum > 0) {
			base[i] = p->bar[at].sum;
			continue;
		}
		share_plot_name(p, &p->bar[i], name);
		failed = error_set(e, "%s, %s: there is nothing to compare it with",
		    p->panel.name[p->bar[i].panel + 1], name);
	}
	for (size_t i = 0; !failed && i < p->nbars; i++) {
		p->bar[i].sum *= 100 / base[i];
		for (unsigned k = 0; k < p->nparts; k++)
			p->bar[i].part[k] *= 100 / base[i];
	}
	free(base);
	return failed;
}

int
share_plot_arrange(struct share_plot *p, const char *relative, struct error *e)
{
	p->relative = relative;
	if (!p->nbars)
		return error_set(e, "there are no rows to draw");
	if (!p->measured && drop_doubles(p, e))
		return -1;
	number_lines(p);
	return relative && (find_base(p, relative, e) || make_relative(p, e)) ? -1 : 0;
}

/* ---- the heading ---- */

/* What a bar is compared with: the same with the first allocator, or else the first of its panel. */
static const struct share_bar *
compared_with(const struct share_plot *p, const struct share_bar *b)
{
	struct share_bar key = *b;
	size_t		 at;

	for (unsigned i = 0; i < p->nsettings; i++)
		if (!strcmp(p->setting[i], "allocator") && p->value[i].n > 1)
			key.value[i] = 1;
	at = first_like(p, &key);
	if (at < p->nbars && &p->bar[at] != b)
		return &p->bar[at];
	for (at = 0; p->bar[at].panel != b->panel;)
		at++;
	return &p->bar[at];
}

static void
print_best(const struct share_plot *p, FILE *to)
{
	const struct share_bar *best = NULL, *than = NULL;
	char			name[2][SHARE_NAME], y[SHARE_NAME], panel[SHARE_NAME];

	for (const struct share_bar *b = p->bar; b < p->bar + p->nbars; b++) {
		const struct share_bar *first = compared_with(p, b);

		if (b->sum < first->sum && (!best || b->sum * than->sum < best->sum * first->sum)) {
			best = b;
			than = first;
		}
	}
	snprintf(y, sizeof(y), "%s", p->time ? "time" : p->y);
	in_words(y);
	if (!best) {
		fprintf(to, "%s: nothing is below the first allocator", y);
		return;
	}
	share_plot_name(p, best, name[0]);
	share_plot_name(p, than, name[1]);
	share_plot_panel_name(p, best->panel, panel);
	text_print(panel, to);
	fputs(": ", to);
	text_print(name[0], to);
	fprintf(to, " %s %.1f %% %s %s than ", p->time ? "takes" : "has",
	    100 * (1 - best->sum / than->sum), p->time ? "less" : "fewer", y);
	text_print(name[1], to);
}

static void
print_heading(const void *self, FILE *to)
{
	const struct share_plot *p = self;
	char			 y[SHARE_NAME], x[SHARE_NAME];

	if (!*p->x) {
		print_best(p, to);
		return;
	}
	share_plot_y_text(p, y);
	snprintf(x, sizeof(x), "%s", strcmp(p->x, "page_bytes") ? p->x : "page size");
	in_words(x);
	fprintf(to, "%s by %s", y, x);
}

char *
share_plot_heading(const struct share_plot *p, struct error *e)
{
	return picture_heading_text(p->title, print_heading, p, e);
}

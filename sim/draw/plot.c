/*
 * plot.c - sort results into lines and panels.
 *
 * Texts are replaced by numbers in order of first appearance, so that rows
 * compare as integers and lines are in the order of the input.  A row takes
 * about 200 bytes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/draw/plot.h"

void
plot_start(struct plot *p, const char *y, const char *x)
{
	*p = (struct plot){ .base = SETTINGS, .x_setting = SETTINGS, .automatic = !x };
	if (y)
		plot_underline(p->column, strcmp(y, "time") ? y : "elapsed_us");
	if (x && strcmp(x, "cache") != 0)
		plot_underline(p->x, x);
	p->x_kind = *p->x ? X_UNKNOWN : X_CACHE;
}

void
plot_free(struct plot *p)
{
	names_release(&p->trace);
	for (unsigned s = 0; s < SETTINGS; s++)
		names_release(&p->value[s]);
	free(p->row);
	free(p->series);
	free(p->style);
	free(p->bar_style);
	*p = (struct plot){ 0 };
}

/* ---- names ---- */

const char *
plot_value(const struct plot *p, const struct plot_row *r, unsigned s)
{
	return r->value[s] ? p->value[s].name[r->value[s]] : "";
}

bool
plot_is_setting(unsigned s)
{
	const struct option_info *i = &option_info[s];

	return s != OPTION_cache && s != OPTION_sizes && s != OPTION_format &&
	    !option_is_output(s) && i->argument &&
	    (option_belongs(i, COMMAND_RUN) || option_belongs(i, COMMAND_MRC));
}

void
plot_underline(char buf[PLOT_TEXT], const char *name)
{
	text_clean(buf, PLOT_TEXT, name);
	for (char *c = buf; (c = strchr(c, '-'));)
		*c = '_';
}

const char *
plot_setting_name(unsigned s, char buf[PLOT_TEXT])
{
	if (s == SETTING_KIND)
		return strcpy(buf, "by");
	return option_column((enum option_id)s, buf);
}

bool
plot_varies(const struct plot *p, unsigned s)
{
	return p->value[s].n > 1 || (s == OPTION_cache && p->uncached);
}

/* "ondemand", "ondemand:large=1", "iprp+ondemand". */
bool
plot_has_plugin(const struct plot *p, const char *name)
{
	size_t n = strlen(name);

	for (unsigned s = 0; s < SETTINGS; s++)
		for (uint32_t i = 1; i <= p->value[s].n; i++)
			for (const char *at = p->value[s].name[i]; at; at = strchr(at, '+')) {
				at += *at == '+';
				if (!strncmp(at, name, n) && strcspn(at, ":+") == n)
					return true;
			}
	return false;
}

void
plot_join(char buf[PLOT_TEXT], const char *word)
{
	size_t used = strlen(buf);

	if (!*word)
		return;
	if (used && used + 2 < PLOT_TEXT)
		used = (size_t)(stpcpy(buf + used, ", ") - buf);
	text_clean(buf + used, PLOT_TEXT - used, word);
}

void
plot_list(char buf[PLOT_TEXT], char *const *names, size_t n)
{
	enum { REST = 24 }; /* " and 200 more" */
	size_t i = 0;

	*buf = '\0';
	for (; i < n && strlen(buf) + strlen(names[i]) + REST < PLOT_TEXT; i++)
		plot_join(buf, names[i]);
	if (i < n)
		snprintf(buf + strlen(buf), PLOT_TEXT - strlen(buf), " and %zu more", n - i);
}

char *
plot_size_text(double bytes, char buf[NUMBER_TEXT])
{
	char *end;

	if (bytes < 1)
		return strcpy(buf, "0");
	number_bytes(buf, (uint64_t)bytes);
	end = strstr(buf, ".0 ");
	if (end)
		memmove(end, end + 2, strlen(end + 2) + 1);
	return buf;
}

char *
plot_x_text(const struct plot *p, double x, char buf[PLOT_TEXT])
{
	if (plot_has_bars(p))
		return text_clean(buf, PLOT_TEXT, p->value[SETTING_X].name[lround(x)]);
	if (p->x_kind == X_CACHE || p->measure == MEASURE_BYTES)
		return plot_size_text(x, buf);
	snprintf(buf, PLOT_TEXT, p->measure == MEASURE_SHARE ? "%.10g %%" : "%.10g",
	    p->measure == MEASURE_SHARE ? 100 * x : x);
	return buf;
}

const char *
plot_x_name(const struct plot *p, char buf[PLOT_TEXT])
{
	struct quantity q;

	if (p->x_kind == X_CACHE)
		return strcpy(buf, "cache size");
	plot_quantity(p->x, &q);
	return strcpy(buf, q.name);
}

char *
plot_line_name(const struct plot *p, const struct plot_row *r, char buf[PLOT_TEXT])
{
	*buf = '\0';
	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (plot_varies(p, s))
			plot_join(buf, plot_value(p, r, s));
	return !*buf && p->uncached ? strcpy(buf, "with a cache") : buf;
}

char *
plot_legend_title(const struct plot *p, char buf[PLOT_TEXT])
{
	char name[PLOT_TEXT];

	*buf = '\0';
	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (plot_varies(p, s) && (s != OPTION_cache || !p->uncached))
			plot_join(buf, plot_setting_name(s, name));
	if (!*buf && p->uncached)
		plot_setting_name(OPTION_cache, buf);
	return buf;
}

/* Policy, prefetcher and device, and all settings that differ from their defaults. */
static bool
is_notable(const struct plot *p, unsigned s)
{
	const char *initial = s == OPTION_sample ? "1" : option_info[s].initial;

	if (p->value[s].n != 1 || (s == OPTION_cache && p->uncached))
		return false;
	return s == OPTION_policy || s == OPTION_prefetch || s == OPTION_device ||
	    strcmp(p->value[s].name[1], initial ? initial : "") != 0;
}

char *
plot_shared(const struct plot *p, char buf[PLOT_TEXT])
{
	char name[PLOT_TEXT], both[2 * PLOT_TEXT];

	*buf = '\0';
	for (unsigned s = 0; s < OPTIONS; s++) {
		if (!is_notable(p, s))
			continue;
		plot_setting_name(s, name);
		if (s == OPTION_cache && !(p->row[0].size > 0))
			*name = '\0'; /* "no cache" */
		snprintf(both, sizeof(both), "%s%s%.500s", name, *name ? " " : "",
		    p->value[s].name[1]);
		plot_join(buf, both);
	}
	for (size_t i = 0; i < p->nrows; i++)
		if (p->row[i].error > 0) {
			plot_join(buf, "band: error");
			break;
		}
	return buf;
}

/* ---- arranging ---- */

static int
compare_key(const struct plot_row *a, const struct plot_row *b)
{
	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (a->value[s] != b->value[s])
			return a->value[s] < b->value[s] ? -1 : 1;
	return 0;
}

/* Order by line, panel and cache size; rows that are equal in these are one point. */
static int
compare_points(const void *va, const void *vb)
{
	const struct plot_row *a = va, *b = vb;
	int		       order = compare_key(a, b);

	if (order)
		return order;
	if (a->panel != b->panel)
		return a->panel < b->panel ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* The name of a row in an error. */
static void
describe(const struct plot *p, const struct plot_row *r, char buf[2 * PLOT_TEXT])
{
	char name[PLOT_TEXT], size[NUMBER_TEXT], x[PLOT_TEXT];
	bool both = p->x_kind != X_CACHE && p->x_kind != X_RESULT;

	plot_line_name(p, r, name);
	snprintf(buf, (size_t)2 * PLOT_TEXT, "%.300s%s%s%s%.20s%s%.200s%s%.300s",
	    p->trace.name[r->panel + 1], *p->trace.name[r->panel + 1] ? ", " : "",
	    r->size > 0 ? number_bytes(size, (uint64_t)r->size) : "no cache", both ? ", " : "",
	    both ? p->x : "", both ? " " : "", both ? plot_x_text(p, r->x, x) : "",
	    *name ? ", " : "", name);
}

/* Drop repeated points; points with contradictory values are an error. */
static int
drop_doubles(struct plot *p, struct error *e)
{
	char   what[2 * PLOT_TEXT];
	size_t kept = 0;

	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i], *last = &p->row[kept ? kept - 1 : 0];

		if (!kept || compare_points(last, r)) {
			p->row[kept++] = *r;
			continue;
		}
		if (last->y == r->y || (isnan(last->y) && isnan(r->y)))
			continue;
		describe(p, r, what);
		return error_set(e,
		    "%s is given twice, with another %s: %s, row %" PRIu64 ", and %s, row %" PRIu64,
		    what, p->column, last->file, last->at, r->file, r->at);
	}
	p->nrows = kept;
	return 0;
}

static int
find_base(struct plot *p, const char *base, struct error *e)
{
	char all[PLOT_TEXT] = "";

	for (unsigned s = 0; s < SETTINGS; s++) {
		if (!plot_varies(p, s) || (s == OPTION_cache && p->uncached))
			continue;
		for (uint32_t i = 0; i < p->value[s].n; i++) {
			plot_join(all, p->value[s].name[i + 1]);
			if (strcmp(p->value[s].name[i + 1], base) != 0)
				continue;
			p->base = s;
			p->base_value = i + 1;
			return 0;
		}
	}
	if (!*all)
		return error_usage(e, "--relative %s: there is only one line", base);
	return error_usage(e, "--relative %s: no line has that name; the lines are: %s", base, all);
}

static int
no_base(const struct plot *p, const struct plot_row *r, const char *why, struct error *e)
{
	char what[2 * PLOT_TEXT];

	describe(p, r, what);
	return error_set(e, "%s: there is nothing to compare it with: %s for %s", what, why,
	    p->value[p->base].name[p->base_value]);
}

const struct plot_row *
plot_beside(const struct plot *p, const struct plot_row *r, unsigned setting, uint32_t value)
{
	struct plot_row key = *r;

	if (p->uncached && r->level && !(r->size > 0)) { /* beside those with the first policy */
		key.value[OPTION_cache] = 0;
		key.value[OPTION_policy] = p->value[OPTION_policy].n > 0;
		key.value[OPTION_prefetch] = p->value[OPTION_prefetch].n > 0;
		key.value[OPTION_insert] = p->value[OPTION_insert].n > 0;
		key.value[OPTION_writes] = p->value[OPTION_writes].n > 0;
	}
	key.value[setting] = value;
	if (setting == SETTING_X)
		key.key = value;
	return bsearch(&key, p->row, p->nrows, sizeof(key), compare_points);
}

/* Beside runs with a cache, where the axis is another setting, one without has no counterpart. */
static bool
is_incomparable(const struct plot *p, const struct plot_row *r)
{
	return !(r->size > 0) && !p->uncached && plot_varies(p, OPTION_cache) &&
	    !r->value[p->base] && p->base != SETTING_X;
}

/* Divide each point by the one that differs from it in the base's setting only. */
static int
divide(const struct plot *p, struct plot_row *r, struct error *e)
{
	const struct plot_row *base = plot_beside(p, r, p->base, p->base_value);

	if (!base)
		return no_base(p, r, "no row", e);
	if (!(fabs(base->y) > 0))
		return no_base(p, r, "0 or unknown", e);
	r->y /= base->y;
	r->error = 0; /* the combined error is unknown */
	return 0;
}

static int
make_relative(struct plot *p, const char *base, struct error *e)
{
	size_t kept = 0;

	if (find_base(p, base, e) < 0)
		return -1;
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		if (r->value[p->base] != p->base_value && !is_incomparable(p, r) &&
		    divide(p, r, e) < 0)
			return -1;
	}
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];
		bool		 is_base = r->value[p->base] == p->base_value;

		if (is_incomparable(p, r) || (is_base && p->base != SETTING_X))
			continue;
		if (is_base) { /* every word on the axis has a bar */
			r->y /= r->y;
			r->error = 0;
		}
		p->row[kept++] = *r;
	}
	p->nrows = kept;
	return 0;
}

/* Number the lines, and find the beginning of each in each panel. */
static int
make_series(struct plot *p, struct error *e)
{
	p->series = calloc(p->nrows, sizeof(*p->series));
	if (!p->series)
		return error_set(e, "out of memory for the plot");
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];
		bool		 line = !i || compare_key(r - 1, r);

		p->nlines += line;
		r->line = p->nlines - 1;
		if (line || r[-1].panel != r->panel)
			p->series[p->nseries++] =
			    (struct plot_series){ .line = r->line, .panel = r->panel, .first = i };
		p->series[p->nseries - 1].n++;
	}
	return 0;
}

int
plot_arrange(struct plot *p, const char *base, struct error *e)
{
	bool defined = false;

	for (size_t i = 0; i < p->nrows; i++)
		defined |= !isnan(p->row[i].y);
	if (!p->nrows)
		return error_set(e, "there are no rows to draw");
	if (!defined)
		return error_set(e, "%s is unknown in every row: there is nothing to draw",
		    p->column);
	if (plot_place(p, e) < 0)
		return -1;
	qsort(p->row, p->nrows, sizeof(*p->row), compare_points);
	if (drop_doubles(p, e) < 0 || (base && make_relative(p, base, e) < 0))
		return -1;
	return make_series(p, e) || plot_choose_styles(p, e) ? -1 : 0;
}

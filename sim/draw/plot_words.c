/* plot_words.c - the words of a picture: of values on the axis, of lines, of what is drawn. */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/core/stats.h"
#include "sim/draw/plot.h"
#include "sim/registry.h"

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

/* Does the name contain the unit already? */
static bool
ends_in(const char *name, const char *unit)
{
	size_t n = strlen(name), tail = strlen(unit);

	return n >= tail && !strcmp(name + n - tail, unit);
}

static const char *
unit_of(const char *column, bool *ratio)
{
	*ratio = false;
	for (const struct counter *i = stat_info; i->name; i++)
		if (!strcmp(i->name, column))
			return i->unit;
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		if (!strcmp(i.name, column))
			return i.counter->unit;
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		if (!strcmp(i->name, column)) {
			*ratio = !*i->unit;
			return i->unit;
		}
	return "";
}

void
plot_quantity(const char *column, struct quantity *q)
{
	const char *unit = unit_of(column, &q->ratio);
	size_t	    n;

	text_clean(q->name, sizeof(q->name),
	    strcmp(column, "elapsed_us") ? column : "execution_time_us");
	text_replace(q->name, '_', ' ');
	n = strlen(q->name);
	q->time = !strcmp(unit, "us");
	if (n > 3 && ends_in(q->name, " us"))
		q->name[n - 3] = '\0';
	snprintf(q->unit, sizeof(q->unit), "%s",
	    q->time			 ? "s"
		: ends_in(q->name, unit) ? ""
					 : unit);
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

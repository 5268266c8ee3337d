/*
 * columns_times.c - the unit of the times: as asked for, as usual, or another one if that cannot be true.
 *
 * The first rows decide, in units of the file: two of them are enough to see
 * how far apart calls are.
 */
#include "traces/columns/columns_field.h"

const char *const columns_time_units[] = { "auto", "s", "ms", "us", "ns", "100ns", NULL };

const struct param columns_params[] = { COLUMNS_TIME_UNIT, { 0 } };

/* The times of the first rows. */
struct first_times {
	double	 first, last;
	uint64_t rows;
	bool	 fractions;
};

/* The field of the time in a line; NULL: there is none. */
static char *
find_time(const struct columns *c, char *line)
{
	struct span unused;

	for (unsigned i = 0; i < c->n && *line; i++) {
		line = skip_padding(c, line);
		if (c->kind[i] == COLUMN_TIME || c->kind[i] == COLUMN_ODD_TIME)
			return *line == '#' ? NULL : line;
		line = take_span(c, line, &unused);
		if (!line)
			return NULL;
		line = skip_padding(c, line);
		line += *line && c->separator != ' ';
	}
	return NULL;
}

/* A number of units at s, and whether it has a fraction; false: it is a date, or no time. */
static bool
take_number(struct columns *c, char *s, double *units, bool *fraction)
{
	struct record r;
	uint64_t      whole, billionths;
	const char   *end = scan_fraction(s + (*s == '"'), &whole, &billionths);

	if (end && c->decimal != ',' && (ends(c, *end) || *end == ' ' || *end == '"')) {
		*units = (double)whole;
		*fraction |= billionths;
		return true;
	}
	c->dated = c->fraction = false;
	if ((end && *end == '-') || !c->odd || !columns_odd(c, COLUMN_TIME, s, &r) || c->dated)
		return false;
	*units = (double)r.time;
	*fraction |= c->fraction;
	return true;
}

static void
look(const struct columns *c, const char *head, size_t n, struct first_times *t)
{
	struct columns probe = *c;
	char	       line[COLUMNS_LINE];

	probe.time_unit = TIME_US; /* a number is what it is */
	while (scan_head(&head, &n, line, sizeof(line))) {
		bool   cut = !n && head[-1] != '\n' && t->rows;
		char  *s;
		double units;

		line[strcspn(line, "\r")] = '\0';
		probe.line_end = line + strlen(line);
		s = cut ? NULL : find_time(&probe, line);
		if (!s || !take_number(&probe, s, &units, &t->fractions))
			continue;
		t->first = !t->rows || units < t->first ? units : t->first;
		t->last = !t->rows || units > t->last ? units : t->last;
		t->rows++;
	}
}

/* The first other unit that could be true; TIME_UNITS: none.  Those of Windows are seldom others. */
static enum time_unit
rival(const struct row_table *table, const struct first_times *t)
{
	if (table->rivals >> TIME_100NS & 1 && times_is_of_today(TIME_100NS, t->first))
		return TIME_100NS;
	for (enum time_unit u = TIME_S; u < TIME_100NS; u++)
		if (table->rivals >> u & 1 && times_are_plausible(u, t->first, t->last, t->rows))
			return u;
	return TIME_UNITS;
}

void
columns_choose_unit(struct columns *c, struct input *in, const char *head, size_t n)
{
	struct first_times t = { 0 };
	struct time_scale  times = { c->time_unit, TIME_UNITS, TIMES_GIVEN, c->table->apart_us };
	bool		   plausible;

	if (!c->has_time || c->table->names_unit)
		return;
	look(c, head, n, &t);
	if (!t.rows)
		return;
	if (!c->asked_unit) {
		plausible = times_are_plausible(times.unit, t.first, t.last, t.rows);
		times.choice = TIMES_USUAL;
		times.other = t.fractions || t.first >= t.last ? TIME_UNITS : rival(c->table, &t);
		if (times.other < TIME_UNITS)
			times.choice = plausible ? TIMES_EITHER : TIMES_CHANGED;
		if (times.choice == TIMES_CHANGED) {
			c->time_unit = times.other;
			times.other = times.unit;
			times.unit = c->time_unit;
		}
	}
	input_set_scale(in, &times);
	if (times.unit == TIME_S && !t.fractions)
		input_note(in,
		    "times are whole seconds: calls of the same second have no think time");
}

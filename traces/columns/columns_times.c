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

static void
look(const struct columns *c, const char *head, size_t n, struct first_times *t)
{
	struct columns probe = *c;
	struct record  r;
	char	       line[COLUMNS_LINE];

	probe.time_unit = TIME_US; /* a number is what it is */
	while (scan_head(&head, &n, line, sizeof(line))) {
		bool cut = !n && head[-1] != '\n' && t->rows;

		line[strcspn(line, "\r")] = '\0';
		probe.line_end = line + strlen(line);
		if (cut || !columns_take(&probe, line, &r) || probe.dated)
			continue;
		t->first = !t->rows || (double)r.time < t->first ? (double)r.time : t->first;
		t->last = !t->rows || (double)r.time > t->last ? (double)r.time : t->last;
		t->rows++;
		t->fractions |= probe.fraction;
	}
}

/* The first other unit that could be true; TIME_UNITS: none. */
static enum time_unit
rival(const struct row_table *table, const struct first_times *t)
{
	for (enum time_unit u = TIME_S; u < TIME_UNITS; u++)
		if (table->rivals >> u & 1 && times_are_plausible(u, t->first, t->last, t->rows))
			return u;
	return TIME_UNITS;
}

void
columns_choose_unit(struct columns *c, struct input *in, const char *head, size_t n)
{
	struct first_times t = { 0 };
	struct time_scale  times = { c->time_unit, TIME_UNITS, TIMES_GIVEN };
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

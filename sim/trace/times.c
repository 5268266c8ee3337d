/* times.c - doubts about the unit of times, and what to type for another one. */
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/trace/times.h"
#include "sim/trace/trace.h"

#define YEAR_S (365.25 * 24 * 3600)
#define FIRST_MAX_S (230 * YEAR_S)   /* since 1970: the year 2200 */
#define WINDOWS_MAX_S (600 * YEAR_S) /* since 1601 */
#define TODAY_MIN_S (25 * YEAR_S)    /* since 1970: 1995 to 2050 */
#define TODAY_MAX_S (80 * YEAR_S)
#define WINDOWS_AGO_S (369 * YEAR_S)
#define APART_MIN_S 1e-6 /* between calls, on average */
#define APART_MAX_S 100.0
#define CALLS_MAX 1e18 /* in a second: more is no number */

enum { OPTION_ROOM = 200, WHAT_ROOM = 80 };

const char *const time_unit_word[TIME_UNITS + 1] = { "s", "ms", "us", "ns", "100ns", NULL };
const char *const time_unit_name[TIME_UNITS] = { "seconds", "milliseconds", "microseconds",
	"nanoseconds", "units of 100 ns" };

static const double in_seconds[TIME_UNITS] = { 1, 1e-3, 1e-6, 1e-9, 1e-7 };

bool
times_to_us(enum time_unit unit, uint64_t n, usec_t *us)
{
	static const uint32_t times[TIME_UNITS] = { 1000000, 1000, 1, 1, 1 };
	static const uint32_t parts[TIME_UNITS] = { 1, 1, 1, 1000, 10 };

	if (n > (uint64_t)INT64_MAX / times[unit])
		return false;
	*us = (usec_t)(n * times[unit] / parts[unit]);
	return true;
}

bool
times_are_plausible(enum time_unit unit, double first, double last, uint64_t n)
{
	double apart = n > 1 ? (last - first) / (double)(n - 1) * in_seconds[unit] : 0;

	if (first * in_seconds[unit] > (unit == TIME_100NS ? WINDOWS_MAX_S : FIRST_MAX_S))
		return false;
	return last <= first || (apart > APART_MIN_S && apart <= APART_MAX_S);
}

bool
times_is_of_today(enum time_unit unit, double time)
{
	double s = time * in_seconds[unit] - (unit == TIME_100NS ? WINDOWS_AGO_S : 0);

	return s >= TODAY_MIN_S && s <= TODAY_MAX_S;
}

/* "--format csv:time=1,offset=2,time-unit=us": what the user has typed, with that unit. */
static const char *
option(char text[OPTION_ROOM], const char *format, const char *params, enum time_unit unit)
{
	static const char name[] = "time-unit=";
	const char	 *comma = "";
	size_t		  used = (size_t)snprintf(text, OPTION_ROOM, "--format %s:", format);

	for (; params && *params && *params != '+' && used < OPTION_ROOM;
	     params += *params == ',') {
		size_t n = strcspn(params, ",+");

		if (strncmp(params, name, sizeof(name) - 1) != 0) {
			used += (size_t)snprintf(text + used, OPTION_ROOM - used, "%s%.*s", comma,
			    (int)n, params);
			comma = ",";
		}
		params += n;
	}
	if (used < OPTION_ROOM)
		snprintf(text + used, OPTION_ROOM - used, "%s%s%s", comma, name,
		    time_unit_word[unit]);
	return text;
}

/* "its calls are 7.2 s apart on average", or how many they are in a second. */
static const char *
pace(char text[WHAT_ROOM], double apart_s)
{
	char number[NUMBER_TEXT];

	if (apart_s > APART_MIN_S)
		snprintf(text, WHAT_ROOM, "its calls are %s apart on average",
		    number_time(number, (uint64_t)(apart_s * 1e6 + 0.5)));
	else if (apart_s > 1 / CALLS_MAX)
		snprintf(text, WHAT_ROOM, "it makes %s calls a second",
		    number_group(number, (uint64_t)(1 / apart_s + 0.5)));
	else
		snprintf(text, WHAT_ROOM, "it makes all calls at once");
	return text;
}

/* The nearest unit that would be plausible instead; TIME_UNITS: there is none. */
static enum time_unit
better(enum time_unit taken, double first, double last, uint64_t n)
{
	int at = taken == TIME_100NS ? TIME_NS : (int)taken;

	for (int away = 0; away <= TIME_NS; away++)
		for (int u = at - away; u <= at + away; u += away ? 2 * away : 1)
			if (u >= TIME_S && u <= TIME_NS && u != (int)taken &&
			    times_are_plausible((enum time_unit)u, first, last, n))
				return (enum time_unit)u;
	return TIME_UNITS;
}

/* first and last in the unit of the file. */
static int
note(struct trace *t, const struct time_scale *times, double first, double last, const char *params,
    struct error *e)
{
	char	       what[WHAT_ROOM], typed[OPTION_ROOM];
	const char    *name = time_unit_name[times->unit], *other;
	enum time_unit unit = times->other;
	double	       apart = t->naccess > 1 ? (last - first) / (double)(t->naccess - 1) : 0;

	if (times->choice == TIMES_USUAL)
		unit = better(times->unit, first, last, t->naccess);
	if (unit == TIME_UNITS)
		return 0;
	other = time_unit_name[unit];
	option(typed, t->format, params, unit);
	if (times->choice == TIMES_EITHER)
		return trace_write_note(t, 0, e,
		    "its times are read as %s: if they are %s, type %s", name, other, typed);
	if (times->choice == TIMES_USUAL)
		return trace_write_note(t, 0, e, "as %s, %s: if its times are %s, type %s", name,
		    pace(what, apart * in_seconds[times->unit]), other, typed);
	pace(what, apart * in_seconds[unit]);
	return trace_write_note(t, 0, e,
	    "its times are read as %s: as %s, %s; if that is right, type %s", name, other,
	    times_are_plausible(unit, first, first, 1) ? what : "they are far in the future",
	    typed);
}

static int
explain_span(const struct trace *t, enum time_unit taken, double first, double last,
    const char *params, struct error *e)
{
	char	       typed[OPTION_ROOM];
	enum time_unit unit = TIME_UNITS;

	if (taken < TIME_UNITS)
		unit = better(taken, first, last, t->naccess);
	if (unit == TIME_UNITS)
		return error_set(e, "its times span more than 142 years");
	return error_set(e, "as %s, its times span more than 142 years: if they are %s, type %s",
	    time_unit_name[taken], time_unit_name[unit], option(typed, t->format, params, unit));
}

/* Can the usual unit be true? */
static bool
is_usual(const struct time_scale *times, double first, double last, uint64_t n)
{
	double apart = n > 1 ? (last - first) * in_seconds[times->unit] / (double)(n - 1) : 0;

	return times_are_plausible(times->unit, first, last, n) &&
	    (last <= first || apart > times->apart_us * 1e-6);
}

int
times_judge(struct trace *t, const struct time_scale *times, usec_t first, usec_t last,
    const char *params, struct error *e)
{
	enum time_unit unit = times->unit;
	double	       per_us = unit < TIME_UNITS ? 1e-6 / in_seconds[unit] : 1;
	double	       from = (double)first * per_us, to = (double)last * per_us;

	if (first < 0 || last - first > SPAN_MAX_US)
		return explain_span(t, unit, from, to, params, e);
	if (unit == TIME_UNITS)
		return 0;
	t->time_unit = time_unit_word[unit];
	if (times->choice == TIMES_GIVEN ||
	    (times->choice == TIMES_USUAL && is_usual(times, from, to, t->naccess)))
		return 0;
	return note(t, times, from, to, params, e);
}

/*
 * columns_date.c - dates as times of rows: "2024-01-31 23:59:59.5+02:00".
 */
#include "traces/columns/columns_field.h"

/* Digits of a date that are followed by `end`, unless that is 0; NULL: they are not. */
static const char *
scan_part(const char *s, uint64_t min, uint64_t max, char end, uint64_t *n)
{
	s = scan_digits(s, max, n);
	if (!s || *n < min || (end && *s != end))
		return NULL;
	return s + (end != '\0');
}

/* Days since 1970-01-01 in the calendar of today. */
static uint64_t
days(uint64_t year, uint64_t month, uint64_t day)
{
	static const unsigned before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	uint64_t	      past = year - (month <= 2); /* the last year with a 29 February */

	return (year - 1970) * 365 + (past / 4 - past / 100 + past / 400 - 477) +
	    before[month - 1] + day - 1;
}

/* "+02:00", "-0130", "Z" or nothing: the seconds east of Greenwich. */
static const char *
scan_zone(const char *s, int64_t *seconds)
{
	uint64_t    hours, minutes;
	bool	    west = *s == '-';
	const char *end;

	*seconds = 0;
	if (*s == 'Z')
		return s + 1;
	if (*s != '+' && *s != '-')
		return s;
	end = scan_part(s + 1, 0, 2359, '\0', &hours);
	if (!end)
		return NULL;
	minutes = hours % 100;
	if (end - s == 5)
		hours /= 100;
	else if (end - s != 3 || *end != ':' || !(end = scan_part(end + 1, 0, 59, '\0', &minutes)))
		return NULL;
	*seconds = (int64_t)(hours * 3600 + minutes * 60) * (west ? -1 : 1);
	return end;
}

/* "2024-01-31 23:59:", from 1970 on, in seconds; with a T as well. */
static const char *
scan_minute(const char *s, uint64_t *seconds)
{
	uint64_t year, month, day, minutes;

	if (!(s = scan_part(s, 1970, 9999, '-', &year)) ||
	    !(s = scan_part(s, 1, 12, '-', &month)) || !(s = scan_part(s, 1, 31, '\0', &day)) ||
	    (*s != ' ' && *s != 'T') || !(s = scan_minutes(s + 1, 23, &minutes)))
		return NULL;
	*seconds = days(year, month, day) * (24 * 3600) + minutes * 60;
	return s;
}

/* The minute is often that of the row before. */
const char *
columns_date(struct columns *c, const char *s, usec_t *time)
{
	uint64_t    second, billionths;
	int64_t	    zone;
	const char *end = s + strlen(c->minute);

	if (end == s || strncmp(s, c->minute, sizeof(c->minute) - 1) != 0) {
		end = scan_minute(s, &c->minute_s);
		if (!end)
			return NULL;
		*c->minute = '\0';
		if (end - s == sizeof(c->minute) - 1)
			memcpy(c->minute, s, sizeof(c->minute) - 1);
	}
	c->dated = true;
	end = scan_fraction(end, &second, &billionths);
	if (!end || second > 60 || !(end = scan_zone(end, &zone)))
		return NULL;
	*time = ((usec_t)(c->minute_s + second) - zone) * 1000000 + (usec_t)(billionths / 1000);
	return *time >= 0 ? end : NULL;
}

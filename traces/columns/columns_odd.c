/*
 * columns_odd.c - other forms of numbers and times, in rows whose columns the user names.
 *
 *	0x1f00  4096.0  1.5e3  1,234,567  1'234'567  1.234,5  0.123:
 *	23:59:59.5  11:59:59 PM  2024-01-31T23:59:59.5Z  2024/01/31 23:59:59,5  20240131T235959
 *
 * A comma or a point is the mark of decimals or between thousands.  Which one
 * it is follows from the number, or from the parameter; a number that could be
 * either is an error.
 */
#include <stdio.h>

#include "sim/base/text.h"
#include "traces/columns/columns_field.h"

enum { FIELD_ROOM = 64, DIGITS_MAX = 40, BILLIONTHS = 9, HALF_DAY = 12 * 60 };

/* ---- numbers ---- */

/* A number taken apart: its value is the digits, with so many of them before the decimal mark. */
struct parts {
	char digits[DIGITS_MAX];
	int  n, whole;
};

/* Are the marks in s[0 .. n) where those between thousands are? */
static bool
is_grouped(const char *s, size_t n, char mark)
{
	size_t first = 0, since = 0;
	bool   marked = false;

	for (size_t i = 0; i < n; i++) {
		if (scan_is_digit(s[i])) {
			since++;
		} else {
			if (s[i] != mark || (marked ? since != 3 : since < 1 || since > 3))
				return false;
			first = marked ? first : since;
			marked = true;
			since = 0;
		}
	}
	return !marked || (since == 3 && !(first == 1 && *s == '0'));
}

static size_t
count(const char *s, size_t n, char letter)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += s[i] == letter;
	return found;
}

/*
 * The decimal mark of the n characters; 0: there is none; -1: it could be either.  whole: the
 * number has no fraction other than zero.
 */
static int
decimal_mark(const struct columns *c, const char *s, size_t n, bool whole)
{
	size_t	    points = count(s, n, '.'), commas = count(s, n, ',');
	const char *point = memchr(s, '.', n), *comma = memchr(s, ',', n);

	if (c->decimal || !commas)
		return c->decimal ? c->decimal : points == 1 ? '.' : 0;
	if (points)
		return points > 1 ? ',' : commas > 1 || point > comma ? '.' : ',';
	if (commas > 1)
		return 0;
	if (!is_grouped(s, n, ','))
		return ',';
	return whole ? 0 : -1;
}

/* An exponent at s, or nothing, up to the end of the text. */
static bool
take_exponent(const char *s, int *exponent)
{
	bool	 minus;
	uint64_t n;

	*exponent = 0;
	if (!*s)
		return true;
	if ((*s | 0x20) != 'e')
		return false;
	minus = *++s == '-';
	s = scan_digits(s + (*s == '-' || *s == '+'), DIGITS_MAX, &n);
	*exponent = s ? (int)n * (minus ? -1 : 1) : 0;
	return s && !*s;
}

/* 1: taken; 0: it is no number; -1: it could be two numbers. */
static int
take_apart(const struct columns *c, const char *s, bool whole, struct parts *p)
{
	size_t n = strspn(s, "0123456789.,'_ "), i = 0, before;
	int    mark, exponent;
	char   between = 0;

	mark = decimal_mark(c, s, n, whole);
	if (mark < 0)
		return -1;
	before = mark && memchr(s, mark, n) ? (size_t)((const char *)memchr(s, mark, n) - s) : n;
	for (i = 0; i < before && !between; i++)
		between = scan_is_digit(s[i]) ? 0 : s[i];
	if (!n || !is_grouped(s, before, between) || !take_exponent(s + n, &exponent))
		return 0;
	*p = (struct parts){ .n = 0 };
	for (i = 0; i < n; i++) {
		if (i == before)
			p->whole = p->n;
		else if (scan_is_digit(s[i]) && p->n < DIGITS_MAX)
			p->digits[p->n++] = s[i];
		else if (i > before || p->n == DIGITS_MAX)
			return 0;
	}
	p->whole = (before == n ? p->n : p->whole) + exponent;
	return p->n > 0;
}

/* The whole number, and the fraction in billionths; false: too large. */
static bool
value_of(const struct parts *p, uint64_t *whole, uint64_t *billionths)
{
	*whole = *billionths = 0;
	for (int i = 0; i < p->whole; i++) {
		unsigned digit = i < p->n ? (unsigned)(p->digits[i] - '0') : 0;

		if (*whole > (UINT64_MAX - digit) / 10)
			return false;
		*whole = *whole * 10 + digit;
	}
	for (int i = p->whole; i < p->whole + BILLIONTHS; i++)
		*billionths =
		    *billionths * 10 + (i >= 0 && i < p->n ? (unsigned)(p->digits[i] - '0') : 0);
	return true;
}

/* Has it a fraction, however small? */
static bool
has_fraction(const struct parts *p)
{
	for (int i = p->whole < 0 ? 0 : p->whole; i < p->n; i++)
		if (p->digits[i] != '0')
			return true;
	return false;
}

static bool
whole_number(const struct columns *c, const char *s, uint64_t max, uint64_t *n)
{
	struct parts p;
	uint64_t     billionths;

	if (*s == '0' && (s[1] | 0x20) == 'x') {
		s = scan_hex(s + 2, n);
		return s && !*s && *n <= max;
	}
	return take_apart(c, s, true, &p) > 0 && !has_fraction(&p) &&
	    value_of(&p, n, &billionths) && *n <= max;
}

/* ---- times ---- */

/* "23:59:59.5", "11:59:59.5 PM": a time of day; days pass when it goes back by half of one. */
static bool
take_clock(struct columns *c, const char *s, usec_t *time)
{
	uint64_t minutes, second, billionths;
	usec_t	 now;

	s = scan_minutes(s, 23, &minutes);
	s = s ? scan_fraction(s, &second, &billionths) : NULL;
	if (!s || second > 60)
		return false;
	s = scan_blanks(s);
	if (((*s | 0x20) == 'a' || (*s | 0x20) == 'p') && (s[1] | 0x20) == 'm') {
		minutes = minutes % HALF_DAY + ((*s | 0x20) == 'p' ? HALF_DAY : 0);
		s += 2;
	}
	if (*s)
		return false;
	c->dated = true;
	now = (usec_t)((minutes * 60 + second) * 1000000 + billionths / 1000);
	if (c->midnight && now - c->clock > DAY_US / 2) { /* late, of the day before */
		*time = c->midnight - DAY_US + now;
		return true;
	}
	if (c->clock - now > DAY_US / 2)
		c->midnight += DAY_US;
	c->clock = now;
	*time = c->midnight + now;
	return true;
}

/* "2024/01/31" and "20240131T235959" as ISO 8601 has them. */
static void
usual_date(char *s)
{
	char plain[FIELD_ROOM + 8];

	if (strlen(s) > 4 && s[4] == '/')
		for (unsigned i = 4; i < 8 && s[i]; i += 3)
			s[i] = s[i] == '/' ? '-' : s[i];
	if (strspn(s, "0123456789") != 8 || s[8] != 'T' || strspn(s + 9, "0123456789") != 6 ||
	    strlen(s) > FIELD_ROOM - 5)
		return;
	snprintf(plain, sizeof(plain), "%.4s-%.2s-%.2sT%.2s:%.2s:%s", s, s + 4, s + 6, s + 9,
	    s + 11, s + 13);
	strcpy(s, plain);
}

static bool
take_date(struct columns *c, char *s, usec_t *time)
{
	static const char *const greenwich[] = { " UTC", " GMT", " Z" };
	size_t			 n;
	const char		*end;

	usual_date(s);
	n = strlen(s);
	for (size_t i = 0; i < sizeof(greenwich) / sizeof(*greenwich); i++)
		if (text_ends_in(s, n, greenwich[i]))
			s[n - strlen(greenwich[i])] = '\0';
	for (char *zone = strpbrk(s, "+"); zone && zone > s && zone[-1] == ' '; zone--)
		memmove(zone - 1, zone, strlen(zone) + 1);
	end = columns_date(c, s, time);
	return end && !*end;
}

static bool
take_time(struct columns *c, char *s, usec_t *time)
{
	struct parts p;
	uint64_t     whole, billionths;
	char	    *comma = strchr(s, ':') ? strchr(s, ',') : NULL;
	int	     taken;

	if (comma)
		*comma = '.'; /* of seconds */
	if (strchr(s, ':') || strchr(s, 'T'))
		return take_clock(c, s, time) || take_date(c, s, time);
	taken = take_apart(c, s, false, &p);
	c->undecided = taken < 0;
	if (taken <= 0 || !value_of(&p, &whole, &billionths))
		return false;
	c->fraction |= billionths;
	return columns_time(c, whole, billionths, time);
}

/* ---- fields ---- */

/* The end of a time of day between blanks whose date ends at s; or s. */
static char *
behind_clock(const struct columns *c, const struct span *date, char *s)
{
	char *next = skip_padding(c, s);

	if (c->separator != ' ' || date->end - date->start != 10 ||
	    (date->start[4] != '-' && date->start[4] != '/'))
		return s;
	return scan_is_digit(next[0]) && scan_is_digit(next[1]) && next[2] == ':'
	    ? field_end(c, next)
	    : s;
}

/* The field without quotes, blanks around it and a colon behind it; NULL: no end, or too long. */
static char *
copy_field(const struct columns *c, char *s, char field[FIELD_ROOM])
{
	struct span span;
	char	   *end = take_span(c, s, &span);
	size_t	    n;

	if (!end)
		return NULL;
	if (!span.quoted)
		end = behind_clock(c, &span, end);
	span.end = span.quoted || c->separator != ' ' ? span.end : end;
	n = (size_t)(span.end - span.start);
	if (n >= FIELD_ROOM)
		return NULL;
	memcpy(field, span.start, n);
	while (n && (field[n - 1] == ' ' || field[n - 1] == '\t'))
		n--;
	n -= n > 1 && field[n - 1] == ':';
	field[n] = '\0';
	return end;
}

char *
columns_odd(struct columns *c, enum column kind, char *s, struct record *r)
{
	char	 field[FIELD_ROOM];
	char	*end = copy_field(c, s, field);
	uint64_t n = 0;
	bool	 taken = false;

	if (!end)
		return NULL;
	switch (kind) {
	case COLUMN_TIME:
	case COLUMN_ODD_TIME:
		taken = take_time(c, field, &r->time);
		break;
	case COLUMN_OFFSET:
		taken = whole_number(c, field, c->offset_max, &n);
		r->offset = n * c->offset_unit;
		break;
	case COLUMN_LENGTH:
		taken = whole_number(c, field, c->length_max, &n);
		r->length = n * c->length_unit;
		break;
	case COLUMN_PID:
		taken = whole_number(c, field, UINT32_MAX, &n);
		r->pid = (uint32_t)n;
		break;
	case COLUMN_FILE_SIZE:
		taken = whole_number(c, field, SIZE_UNKNOWN - 1, &r->file_size);
		break;
	default:
		break;
	}
	return taken ? end : NULL;
}

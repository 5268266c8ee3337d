/*
 * columns_field.h - what the files of traces/columns/columns.h share: fields, and functions of each other.
 */
#ifndef TRACES_COLUMNS_FIELD_H
#define TRACES_COLUMNS_FIELD_H

#include <string.h>

#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

enum { COLUMNS_LINE = 4096 }; /* longer lines are no headings */

ALWAYS_INLINE bool
ends(const struct columns *c, char letter)
{
	return letter == c->separator || letter == c->tab || letter == '\0';
}

/* Blanks around a field that are not separators. */
ALWAYS_INLINE char *
skip_padding(const struct columns *c, char *s)
{
	while (*s == ' ' || (*s == '\t' && c->separator != '\t'))
		s++;
	return s;
}

/* A library's search beats a loop whose end the processor cannot predict. */
ALWAYS_INLINE char *
field_end(const struct columns *c, char *s)
{
	char *end = NULL;

	if (c->separator != ' ')
		end = memchr(s, c->separator, (size_t)(c->line_end - s));
	else
		for (end = s; !ends(c, *end);)
			end++;
	return end ? end : c->line_end;
}

/* Behind the field; NULL: its quotes do not end. */
ALWAYS_INLINE char *
take_span(const struct columns *c, char *s, struct span *span)
{
	span->quoted = *s == '"';
	if (likely(!span->quoted)) {
		span->start = s;
		s = field_end(c, s);
		for (span->end = s; span->end > span->start && span->end[-1] == ' ';)
			span->end--;
		return s;
	}
	span->start = ++s;
	for (; *s != '"' || s[1] == '"'; s += *s == '"' ? 2 : 1)
		if (!*s)
			return NULL;
	span->end = s;
	return s + 1;
}

/* End the text with a zero, without its quotes. */
static inline char *
span_text(struct span *s)
{
	char *to = s->start;

	for (char *from = s->start; s->quoted && from < s->end; from += *from == '"' ? 2 : 1)
		*to++ = *from;
	*(s->quoted ? to : s->end) = '\0';
	return s->start;
}

/* "2.5": units, and billionths of one; NULL: neither. */
ALWAYS_INLINE const char *
scan_fraction(const char *s, uint64_t *whole, uint64_t *billionths)
{
	*billionths = 0;
	s = scan_digits(s, UINT64_MAX, whole);
	return s ? scan_billionths(s, billionths) : NULL;
}

static inline bool
is_text(enum column kind)
{
	return kind == COLUMN_SKIPPED || kind == COLUMN_OP || kind >= COLUMN_PROCESS;
}

/* Units of the file in microseconds; false: too many, or a fraction that cannot be. */
ALWAYS_INLINE bool
columns_time(const struct columns *c, uint64_t whole, uint64_t billionths, usec_t *time)
{
	static const uint32_t times[] = { [TIME_S] = 1000000, [TIME_MS] = 1000, [TIME_US] = 1 };
	enum time_unit	      unit = c->time_unit;

	if (unit == TIME_NS || unit == TIME_100NS) {
		if (unlikely(billionths && c->table->format))
			return false;
		*time = (usec_t)(unit == TIME_NS ? whole / 1000 : whole / 10);
		return *time >= 0;
	}
	if (unlikely(whole >= (uint64_t)INT64_MAX / times[unit]))
		return false;
	*time = (usec_t)(whole * times[unit]);
	if (billionths)
		*time += (usec_t)(billionths * times[unit] / 1000000000);
	return true;
}

/* Behind the field, which is a number or time in another form; NULL: it is none. */
char *columns_odd(struct columns *c, enum column kind, char *s, struct record *r);

/* "2024-01-31 23:59:59.5": the place behind it, or NULL. */
const char *columns_date(struct columns *c, const char *s, usec_t *time);

/* Before the first row: the columns in the order of the table, or of the heading that begins head. */
int columns_begin_table(struct columns *c, const struct row_table *table, const char *head,
    size_t n, struct error *e);

/* Before the first row: the unit of time, by the rows that begin head. */
void columns_choose_unit(struct columns *c, struct input *in, const char *head, size_t n);

/* Is a line that is no row a heading?  It may change the order of columns: 0, or -1. */
bool columns_is_heading(const struct columns *c, char *line);
int  columns_follow(struct columns *c, struct input *in, char *line, struct error *e);

/* Why a line is no row, by c->bad; why a row's word is none.  Return -1. */
int columns_explain(const struct columns *c, char *line, struct error *e);
int columns_explain_word(struct columns *c, char *line, struct error *e);

#endif

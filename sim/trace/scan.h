/*
 * scan.h - lines, fields and numbers for formats of text.
 *
 *	while ((status = scan_line(in, &line, e)) == 1)
 *		if (!scan_number(line, UINT32_MAX, &n))
 *			return scan_explain("pid", line, UINT32_MAX, e);
 *
 * A line is a string without its newline.  The functions that read a number
 * return the place behind it, or NULL if it is not a number or too large; only
 * then is it read again, to explain the fault.  Fields end at blanks, or are
 * cut into strings first: scan_fields().
 */
#ifndef SIM_SCAN_H
#define SIM_SCAN_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct input;

/* ---- lines ---- */

/* As input_line(), but skips blank lines and comments, which begin with #. */
int scan_line(struct input *in, char **line, struct error *e);

/* The same, but comments that begin with `kept` are not skipped. */
int scan_line_or(struct input *in, const char *kept, char **line, struct error *e);

/*
 * Names of columns: each word begins with a letter.  Spreadsheets and concatenation leave such
 * lines in formats that have none: such a line is given to input_skip().
 */
bool scan_is_heading(const char *line);

/*
 * For recognise(): is each of the first rows, five at most, what is_row() takes for one?  Comments,
 * blank lines, headings and a last line that is cut off do not count; false: no row is left.
 */
bool scan_rows_are(const char *head, size_t n, bool (*is_row)(void *context, char *line),
    void *context);

/*
 * For recognise(): take the next line off the n bytes at *head, without a
 * byte-order mark.  The line is cut to the room; false: no byte is left.
 */
bool scan_head(const char **head, size_t *n, char *line, size_t room);

/* ---- letters and words ---- */

ALWAYS_INLINE bool
scan_is_digit(char c)
{
	return (unsigned)c - '0' <= 9;
}

/* A letter, whatever its case. */
ALWAYS_INLINE bool
scan_is_letter(char c)
{
	return (unsigned)(c | 0x20) - 'a' < 26;
}

/* Are the n characters one of the words of a list, "READ WRITE"?  Upper and lower case are the same. */
bool scan_is_among(const char *word, size_t n, const char *list);

/* ---- fields ---- */

/*
 * Cut a line into fields, in place.  Returns their number; the first `room`
 * are in field[].  Fields lie between separators and may be empty; the
 * separator ' ' stands for any number of blanks and tabs.
 */
unsigned scan_fields(char *line, char separator, char *field[], unsigned room);

static inline const char *
scan_blanks(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

ALWAYS_INLINE bool
scan_ends_field(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

static inline bool
scan_ends_line(const char *s)
{
	return *s == '\0' || (*s == '\r' && s[1] == '\0');
}

/* ---- numbers ---- */

enum { SCAN_SAFE_DIGITS = 19 }; /* a number of this length cannot overflow */

/* Decimal digits, with any character behind them. */
ALWAYS_INLINE const char *
scan_digits(const char *s, uint64_t max, uint64_t *number)
{
	const char *first = s;
	uint64_t    n = 0;
	unsigned    digit;

	for (; (digit = (unsigned)*s - '0') <= 9; s++) {
		if (unlikely(s - first >= SCAN_SAFE_DIGITS) &&
		    (n > UINT64_MAX / 10 || digit > UINT64_MAX - n * 10))
			return NULL;
		n = n * 10 + digit;
	}
	if (s == first || n > max)
		return NULL;
	*number = n;
	return s;
}

/* Decimal digits that are the whole field. */
ALWAYS_INLINE const char *
scan_number(const char *s, uint64_t max, uint64_t *number)
{
	s = scan_digits(s, max, number);
	return s && scan_ends_field(*s) ? s : NULL;
}

/* Hexadecimal digits without 0x, with any character behind them. */
const char *scan_hex(const char *s, uint64_t *number);

/* ".25": billionths, nine digits at most; without a point 0.  Behind it. */
ALWAYS_INLINE const char *
scan_billionths(const char *s, uint64_t *number)
{
	uint64_t weight = 100000000;

	*number = 0;
	if (*s != '.')
		return s;
	for (s++; scan_is_digit(*s); s++, weight /= 10)
		*number += ((unsigned)*s - '0') * weight;
	return s;
}

/* "1795253148.651759": seconds with at least one digit behind the point; those past six are cut. */
const char *scan_seconds(const char *s, usec_t *time);

/* ---- times of day ---- */

#define DAY_US ((usec_t)24 * 3600 * 1000000)

/* "23:59:", in minutes, with so many hours at most: behind the second colon, or NULL. */
const char *scan_minutes(const char *s, uint64_t hours, uint64_t *minutes);

/* ---- messages ---- */

/* Explain why scan_number() rejects the field at s.  Returns -1. */
int scan_explain(const char *name, const char *s, uint64_t max, struct error *e);

/*
 * For lines of numbers between blanks, with a message about what is wrong: the next one, which is
 * called `name`, from min to max; *s is then behind it.  And: is nothing left?  0 or -1.
 */
int scan_take(const char **s, const char *name, uint64_t min, uint64_t max, uint64_t *n,
    struct error *e);
int scan_end(const char *s, struct error *e);

/* The first `most` of n characters, printable, then "..." if there are more; text[most + 4]. */
void scan_quote(char *text, size_t most, const char *s, size_t n);

/* The number of characters of the field at s. */
size_t scan_length(const char *s);

#endif

/* scan.c - lines, fields and numbers for formats of text. */
#include <string.h>

#include "sim/trace/input.h"
#include "sim/trace/scan.h"

enum { QUOTE = 20, MICROSECOND_DIGITS = 6, ROWS = 5, ROW_ROOM = 1024 };

#define SECONDS_MAX ((uint64_t)99999999999) /* in microseconds they fit into usec_t */

static bool
is_skipped(const char *line, const char *kept)
{
	if (*line == '#')
		return !kept || strncmp(line, kept, strlen(kept)) != 0;
	return scan_ends_line(scan_blanks(line));
}

int
scan_line_or(struct input *in, const char *kept, char **line, struct error *e)
{
	size_t length;
	bool   whole;

	do {
		int status = input_line(in, line, &length, e);

		if (status <= 0)
			return status;
		whole = **line == '#' || strlen(*line) == length;
	} while (whole && is_skipped(*line, kept));
	return whole ? 1 : error_set(e, "a zero byte in the line: this is not text");
}

int
scan_line(struct input *in, char **line, struct error *e)
{
	return scan_line_or(in, NULL, line, e);
}

bool
scan_is_heading(const char *line)
{
	bool heading = false, inside = false; /* a word */

	for (; *line; line++) {
		bool digit = *line >= '0' && *line <= '9';
		bool letter = (*line | 0x20) >= 'a' && (*line | 0x20) <= 'z';

		if (digit && !inside)
			return false;
		inside = digit || letter || *line == '_';
		heading |= letter;
	}
	return heading;
}

bool
scan_rows_are(const char *head, size_t n, bool (*is_row)(void *context, char *line), void *context)
{
	char	 line[ROW_ROOM];
	unsigned rows = 0;

	while (rows < ROWS && n) {
		bool whole = memchr(head, '\n', n) || !rows;

		scan_head(&head, &n, line, sizeof(line));
		if (*line == '#' || scan_ends_line(scan_blanks(line)) || scan_is_heading(line) ||
		    !whole)
			continue;
		if (!is_row(context, line))
			return false;
		rows++;
	}
	return rows;
}

static void
take_line(const char **head, size_t *n, char *line, size_t room)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };
	const char	 *end;
	size_t		  length, kept;

	if (unlikely(*n >= sizeof(mark) && !memcmp(*head, mark, sizeof(mark)))) {
		*head += sizeof(mark);
		*n -= sizeof(mark);
	}
	end = memchr(*head, '\n', *n);
	length = end ? (size_t)(end - *head) : *n;
	kept = length < room ? length : room - 1;
	memcpy(line, *head, kept);
	line[kept] = '\0';
	length += end != NULL;
	*head += length;
	*n -= length;
}

bool
scan_head(const char **head, size_t *n, char *line, size_t room)
{
	do {
		if (!*n) {
			*line = '\0';
			return false;
		}
		take_line(head, n, line, room);
	} while (unlikely(input_is_fence(line)));
	return true;
}

/* Do the first n characters agree, whatever the case of letters? */
static bool
agree(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i] && ((a[i] ^ b[i]) != 0x20 || !scan_is_letter(a[i])))
			return false;
	return true;
}

bool
scan_is_among(const char *word, size_t n, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, " ");

		if (length == n && agree(word, list, n))
			return true;
		list += length + (list[length] == ' ');
	}
	return false;
}

unsigned
scan_fields(char *line, char separator, char *field[], unsigned room)
{
	char	 other = separator == ' ' ? '\t' : separator;
	char	*end = strchr(line, '\r');
	unsigned n = 0;

	if (end)
		*end = '\0';
	for (;; n++) {
		while (separator == ' ' && (*line == ' ' || *line == '\t'))
			line++;
		if (separator == ' ' && !*line)
			return n;
		if (n < room)
			field[n] = line;
		while (*line && *line != separator && *line != other)
			line++;
		if (!*line)
			return n + 1;
		*line++ = '\0';
	}
}

/* The value of a hexadecimal digit; -1: not a digit. */
static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 'a' - 'A';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *
scan_hex(const char *s, uint64_t *number)
{
	const char *first = s;
	uint64_t    n = 0;

	for (; hex_digit(*s) >= 0; s++) {
		if (n >> 60)
			return NULL;
		n = n << 4 | (uint64_t)hex_digit(*s);
	}
	if (s == first)
		return NULL;
	*number = n;
	return s;
}

const char *
scan_minutes(const char *s, uint64_t hours, uint64_t *minutes)
{
	uint64_t hour, minute;

	s = scan_digits(s, hours, &hour);
	s = s && *s == ':' ? scan_digits(s + 1, 59, &minute) : NULL;
	if (!s || *s != ':')
		return NULL;
	*minutes = hour * 60 + minute;
	return s + 1;
}

const char *
scan_seconds(const char *s, usec_t *time)
{
	uint64_t seconds, us = 0;
	size_t	 digits = 0;

	s = scan_digits(s, SECONDS_MAX, &seconds);
	if (!s || *s++ != '.')
		return NULL;
	for (; *s >= '0' && *s <= '9'; s++, digits++)
		if (digits < MICROSECOND_DIGITS)
			us = us * 10 + (uint64_t)(*s - '0');
	if (!digits)
		return NULL;
	for (; digits < MICROSECOND_DIGITS; digits++)
		us *= 10;
	*time = (usec_t)(seconds * 1000000 + us);
	return s;
}

size_t
scan_length(const char *s)
{
	return strcspn(s, " \t\r");
}

void
scan_quote(char *text, size_t most, const char *s, size_t n)
{
	size_t kept = n < most ? n : most;

	for (size_t i = 0; i < kept; i++)
		text[i] = s[i] >= ' ' && s[i] < 127 ? s[i] : '?';
	strcpy(text + kept, n > most ? "..." : "");
}

int
scan_explain(const char *name, const char *s, uint64_t max, struct error *e)
{
	char	    text[QUOTE + 4];
	const char *digits = *s == '-' || *s == '+' ? s + 1 : s;
	size_t	    n = strspn(digits, "0123456789");

	scan_quote(text, QUOTE, s, scan_length(s));
	if (!n || !scan_ends_field(digits[n]))
		return error_set(e, "%s: '%s' is not a whole number", name, text);
	if (*s == '-')
		return error_set(e, "%s: %s is negative", name, text);
	if (*s == '+')
		return error_set(e, "%s: '%s' is not digits only", name, text);
	return error_set(e, "%s: %s is too large (at most %llu)", name, text,
	    (unsigned long long)max);
}

int
scan_take(const char **s, const char *name, uint64_t min, uint64_t max, uint64_t *n,
    struct error *e)
{
	const char *at = scan_blanks(*s);

	if (scan_ends_line(at))
		return error_set(e, "%s: is missing", name);
	*s = scan_number(at, max, n);
	if (!*s)
		return scan_explain(name, at, max, e);
	if (*n < min)
		return error_set(e, "%s: %llu is too small (at least %llu)", name,
		    (unsigned long long)*n, (unsigned long long)min);
	return 0;
}

int
scan_end(const char *s, struct error *e)
{
	char text[QUOTE + 4];

	s = scan_blanks(s);
	if (scan_ends_line(s))
		return 0;
	scan_quote(text, QUOTE, s, strcspn(s, "\r"));
	return error_set(e, "'%s' is too much on this line", text);
}

/* lines.c - words, times, and lines that are no rows. */
#include "traces/common/lines.h"

void
lines_note_lost(struct input *in, uint64_t events)
{
	input_count_more(in, "events that were lost while the log was recorded are missing",
	    events);
}

bool
lines_lost(struct input *in, const char *line)
{
	for (const char *at = line; (at = strpbrk(at, "Ll")); at++) {
		uint64_t n;

		if ((at[1] | 0x20) != 'o' || (at[2] | 0x20) != 's' || (at[3] | 0x20) != 't' ||
		    !scan_digits(scan_blanks(at + 4 + (at[4] == ':')), UINT32_MAX, &n))
			continue;
		if (n)
			lines_note_lost(in, n);
		return true;
	}
	return false;
}

void
lines_skip(struct input *in, const char *line)
{
	static const char *const said[] = { "Tracing ", "Attaching ", "Attached ", "Ending ",
		"Detaching", "^C", "[...]" };

	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (!strncmp(line, said[i], strlen(said[i])))
			return;
	if (!lines_lost(in, line))
		input_skip(in, line);
}

unsigned
lines_words(const char *line, const char *word[], unsigned room)
{
	unsigned n = 0;

	for (;;) {
		while (*line && (unsigned char)*line <= ' ')
			line++;
		if (!*line || n == room)
			return n;
		word[n++] = line;
		while ((unsigned char)*line > ' ')
			line++;
	}
}

enum lines_unit
lines_unit_of(const char *name, enum lines_unit otherwise)
{
	static const struct {
		char		text[3];
		enum lines_unit unit;
	} units[] = { { "ns", UNIT_NS }, { "us", UNIT_US }, { "ms", UNIT_MS }, { "s", UNIT_S } };
	size_t n = scan_length(name);

	n -= n && name[n - 1] == ')';
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t length = strlen(units[i].text);

		if (n > length && !strncmp(name + n - length, units[i].text, length))
			return units[i].unit;
	}
	return otherwise;
}

char
lines_separator(const char *heading)
{
	return strchr(heading, ';') ? ';' : strchr(heading, '\t') ? '\t' : ',';
}

/* A quoted cell, in place; behind its quote, or at the end of the line. */
static char *
unquote(char *s)
{
	char *to = s, *from = s + 1;

	for (; *from && (*from != '"' || from[1] == '"'); from++) {
		from += *from == '"';
		*to++ = *from;
	}
	from += *from == '"';
	*to = '\0';
	return from;
}

unsigned
lines_cells(char *line, char separator, char *cell[], unsigned room)
{
	unsigned n = 0;

	line[strcspn(line, "\r")] = '\0';
	while (n < room) {
		char *end;

		while (*line == ' ')
			line++;
		cell[n++] = line;
		end = *line == '"' ? unquote(line) : line;
		end += strcspn(end, (char[]){ separator, '\0' });
		line = *end ? end + 1 : NULL;
		*end = '\0';
		while (end > cell[n - 1] && end[-1] == ' ')
			*--end = '\0';
		if (!line)
			break;
	}
	return n;
}

/* What separates groups of digits: the bytes of it, or 0. */
static size_t
group_mark(const char *s)
{
	static const char *const marks[] = { ",", ".", "'", " ", "\xc2\xa0", "\xa0", "\xe2\x80\xaf",
		"\xe2\x80\x99" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (!strncmp(s, marks[i], strlen(marks[i])))
			return strlen(marks[i]);
	return 0;
}

const char *
lines_grouped(const char *s, uint64_t *n)
{
	if (*s == '0' && (s[1] | 0x20) == 'x')
		return scan_hex(s + 2, n);
	s = scan_digits(s, UINT64_MAX, n);
	while (s) {
		size_t	 mark = group_mark(s), digits = strspn(s + mark, "0123456789");
		uint64_t group = 0;

		if (!mark || (digits != 3 && (digits != 2 || !group_mark(s + mark + digits))))
			break; /* two digits: 1,23,45,678 of India */
		scan_digits(s + mark, 999, &group);
		if (*n > (UINT64_MAX - group) / 1000)
			return NULL;
		*n = *n * (digits == 3 ? 1000 : 100) + group;
		s += mark + digits;
	}
	return s;
}

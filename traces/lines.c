/* lines.c - words, times, and lines that are no rows. */
#include "traces/lines.h"

enum { STRAYS_ALLOWED = 4, STRAYS_SHARE = 100 };

void
lines_stray(struct lines *l, struct input *in, const char *line)
{
	if (!l->strays++) {
		l->first = input_line_number(in);
		scan_quote(l->text, LINES_QUOTE, line, strcspn(line, "\r"));
	}
	input_count(in, "lines that are no rows were skipped");
}

int
lines_end(const struct lines *l, struct error *e)
{
	if (l->strays <= STRAYS_ALLOWED + l->rows / STRAYS_SHARE)
		return 0;
	return error_set(e,
	    "%llu lines are rows and %llu are not; the first of these is line %llu: '%s'",
	    (unsigned long long)l->rows, (unsigned long long)l->strays,
	    (unsigned long long)l->first, l->text);
}

void
lines_note_lost(struct input *in, uint64_t events)
{
	input_count_many(in, "events that were lost while the log was recorded are missing",
	    events);
}

bool
lines_lost(struct input *in, const char *line)
{
	for (const char *at = line; (at = strpbrk(at, "Ll")); at++) {
		uint64_t n;

		if ((at[1] | 0x20) != 'o' || (at[2] | 0x20) != 's' || (at[3] | 0x20) != 't' ||
		    at[4] != ' ' || !scan_digits(at + 5, UINT32_MAX, &n))
			continue;
		lines_note_lost(in, n);
		return true;
	}
	return false;
}

unsigned
lines_words(const char *line, const char *word[], unsigned room)
{
	unsigned n = 0;

	for (line = scan_blanks(line); !scan_ends_line(line) && n < room; n++) {
		word[n] = line;
		while (!scan_ends_field(*line))
			line++;
		line = scan_blanks(line);
		line += *line == '\r';
	}
	return n;
}

bool
lines_is(const char *word, const char *list)
{
	size_t n = scan_length(word);

	while (*list) {
		size_t length = strcspn(list, " "), i = 0;

		while (i < n && i < length && (word[i] | 0x20) == (list[i] | 0x20))
			i++;
		if (i == n && i == length)
			return true;
		list += length + (list[length] == ' ');
	}
	return false;
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

/* lines.c - words, times, and lines that are no rows. */
#include "traces/lines.h"

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

/*
 * lines.h - what the formats of logs have in common: words, times in any unit,
 * and lines that are no rows.
 *
 * The log of a tool has headings, prompts and messages between its rows.
 */
#ifndef TRACES_LINES_H
#define TRACES_LINES_H

#include <string.h>

#include "sim/trace/format.h"
#include "sim/trace/scan.h"

/* ---- lines that are no rows ---- */

enum { LINES_QUOTE = 60, LINES_HEAD = 8 /* the first row is among so many lines */ };

/* Skip a line: input_skip(), unless it is what such tools say, or tells of lost events. */
void lines_skip(struct input *in, const char *line);

/* "lost 12 events", as many tools say it between rows: they are added up and noted. */
bool lines_lost(struct input *in, const char *line);
void lines_note_lost(struct input *in, uint64_t events);

/* ---- words ---- */

/* The starts of the words between blanks, at most `room`; returns their number. */
unsigned lines_words(const char *line, const char *word[], unsigned room);

/* Is the word, up to the next blank, one of a list?  See scan_is_among(). */
static inline bool
lines_is(const char *word, const char *list)
{
	return scan_is_among(word, scan_length(word), list);
}

/* ---- cells of spreadsheets ---- */

/* What is between the cells of a heading: a comma, a semicolon or a tab. */
char lines_separator(const char *heading);

/* Cut a line into cells, in place, without quotes and blanks around them; their number. */
unsigned lines_cells(char *line, char separator, char *cell[], unsigned room);

/* "4,096", "4.096", "4 096" with any kind of blank, "4096", "0x1000": behind it, or NULL. */
const char *lines_grouped(const char *s, uint64_t *n);

/* ---- requests ---- */

/* The kind of a request, as the block layer writes its flags: 'R', 'W', or another letter. */
static inline char
lines_request(const char *flags)
{
	return *flags == 'F' && scan_is_letter(flags[1]) ? flags[1] : *flags;
}

/* ---- times ---- */

/* Microseconds of a unit; 0: nanoseconds. */
enum lines_unit { UNIT_NS = 0, UNIT_US = 1, UNIT_MS = 1000, UNIT_S = 1000000 };

/* The unit that the name of a column ends in: "TIME(s)", "LATms"; `otherwise`: it has none. */
enum lines_unit lines_unit_of(const char *name, enum lines_unit otherwise);

/* "2.5" units, with any character behind it: the place there, or NULL. */
ALWAYS_INLINE const char *
lines_time(const char *s, enum lines_unit unit, usec_t *time)
{
	uint64_t whole, part;

	s = scan_digits(s, (uint64_t)INT64_MAX / 4, &whole);
	if (unlikely(!s || whole > (uint64_t)INT64_MAX / 4 / (unit ? unit : 1)))
		return NULL;
	s = scan_billionths(s, &part);
	*time = unit == UNIT_NS ? (usec_t)(whole / 1000)
				: (usec_t)(whole * unit + part * unit / 1000000000);
	return s;
}

/* Times of day in the order of a log: those after midnight follow those before. */
struct lines_days {
	usec_t passed, before;
};

static inline usec_t
lines_follow(struct lines_days *d, usec_t time)
{
	if (time + DAY_US / 2 < d->before)
		d->passed += DAY_US;
	d->before = time;
	return d->passed + time;
}

#endif

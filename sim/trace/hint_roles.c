/* hint_roles.c - what a column is, by the words of its name and by its values. */
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "sim/trace/hint.h"
#include "sim/trace/hint_sheet.h"
#include "sim/trace/scan.h"

enum { TOKENS = 8, SECTORS_MAX = 4096, LONG_HEX = 12 };

/* ---- words ---- */

bool
hint_is_usual(const char *word)
{
	return scan_is_among(word, strlen(word), HINT_READS " " HINT_WRITES);
}

/* Is a part of it, between signs, one of the list, or does one of the stems begin it? */
static bool
has_part(const char *word, const char *list, const char *stems)
{
	for (const char *stem = stems; *stem; stem += strcspn(stem, " "), stem += *stem == ' ')
		if (!strncasecmp(word, stem, strcspn(stem, " ")))
			return true;
	while (*word) {
		size_t n = strcspn(word, "._- :/");

		if (scan_is_among(word, n, list))
			return true;
		word += n + (word[n] != '\0');
	}
	return false;
}

bool
hint_is_read(const char *word)
{
	return has_part(word, "get gets head load lookup fetch select read r l 28 88",
	    "read pread");
}

bool
hint_is_write(const char *word)
{
	return !hint_is_read(word) &&
	    has_part(word,
		"put set add cas replace append prepend incr decr insert update store post copy "
		"write w s m 2a 8a",
		"write pwrite");
}

/* ---- names ---- */

/* The words of a name in lower case: "ioStart_time(us)" is io, start, time, us. */
struct tokens {
	char	 word[TOKENS][HINT_NAME];
	unsigned n;
};

static void
take_tokens(const char *name, struct tokens *t)
{
	unsigned length = 0;

	t->n = 0;
	for (const char *s = name; t->n < TOKENS; s++) {
		bool letter = scan_is_letter(*s);
		bool begins = letter && *s < 'a' && s > name && s[-1] >= 'a' && s[-1] <= 'z';

		if (length && (!letter || begins)) {
			t->word[t->n++][length] = '\0';
			length = 0;
		}
		if (letter && t->n < TOKENS && length < HINT_NAME - 1)
			t->word[t->n][length++] = (char)(*s | 0x20);
		if (!*s)
			break;
	}
}

static bool
has(const struct tokens *t, const char *list)
{
	for (unsigned i = 0; i < t->n; i++)
		if (scan_is_among(t->word[i], strlen(t->word[i]), list))
			return true;
	return false;
}

#define TIMES "time times timestamp timestamps ts date datetime arrival when clock t issued"
#define LENGTHS                                                                                    \
	"length len size bytes nbytes count bcount n num nr sectors blocks pages nlb nblocks "     \
	"npages nsectors iosize bs"
#define FILES "file filename path inode ino fname pathname"

/* Of no use: other times than that of the beginning, and states of a cache. */
#define OTHERS                                                                                     \
	"latency lat duration response resp elapsed end finish complete completion completed "     \
	"delay service wait queue ttl think firstbyte status error result hits hit"

static const struct unit {
	const char *words, *unit;
} units[] = { { "us usec usecs micros microseconds", "us" },
	{ "ms msec msecs millis milliseconds", "ms" }, { "ns nsec nsecs nanos nanoseconds", "ns" },
	{ "s sec secs second seconds", "s" } };

static void
learn_units(struct guess *g, const struct tokens *t)
{
	g->unit = has(t, "byte bytes b")	      ? 1
	    : has(t, "kb kib kbyte kbytes kilobytes") ? 2 * HINT_SECTOR
	    : has(t, "mb mib mbyte mbytes megabytes") ? 2 * 1024 * HINT_SECTOR
	    : has(t, "lba lbn slba sector sectors blkno nlb blknum nsectors sectornum")
	    ? HINT_SECTOR
	    : has(t, "page pages pfn vpn npages") ? 8 * HINT_SECTOR
						  : 0;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (has(t, units[i].words))
			g->time_unit = units[i].unit;
}

/* What the name says. */
static enum role
role_of(const struct guess *g, const struct tokens *t)
{
	static const struct {
		const char *words;
		enum role   role;
	} rest[] = { { "pid tid", ROLE_PID },
		{ "process comm proc command app program", ROLE_PROCESS }, { TIMES, ROLE_TIME },
		{ "op ops operation type rw rwbs iotype cmd opcode action direction dir ddir method "
		  "verb kind what access is_write write",
		    ROLE_OP },
		{ "volume vol device dev disk lun asu drive devno diskid", ROLE_VOLUME },
		{ FILES, ROLE_FILE },
		{ "key obj object objid objectid id item url uri hash hashed identifier itemid",
		    ROLE_OBJECT } };
	bool time = has(t, TIMES) || g->time_unit;

	if (has(t, OTHERS))
		return ROLE_NONE;
	if (has(t,
		"offset off lba lbn slba addr address pos position blkno blknum blocknum "
		"sectornum vaddr"))
		return ROLE_OFFSET;
	if (has(t, FILES) && has(t, LENGTHS))
		return ROLE_NONE; /* its size */
	if (has(t, LENGTHS) && !time)
		return ROLE_LENGTH;
	if (has(t, "start begin") && (g->fractions || g->clocks || time))
		return ROLE_TIME;
	if (has(t, "sector block blk page first start pfn vpn") && !time)
		return ROLE_OFFSET;
	for (size_t i = 0; i < sizeof(rest) / sizeof(*rest); i++)
		if (has(t, rest[i].words))
			return rest[i].role;
	return g->time_unit ? ROLE_TIME : ROLE_NONE;
}

bool
hint_is_name(const struct guess *g)
{
	struct tokens t;

	take_tokens(g->name, &t);
	return role_of(g, &t) || has(&t, OTHERS);
}

/* ---- values ---- */

static bool
is_whole(const struct guess *g)
{
	return g->whole && g->whole + g->empty == g->rows && !g->fractions;
}

/* Hexadecimal, perhaps with values that have no letter. */
static bool
is_hexadecimal(const struct guess *g)
{
	return g->hex && g->hex + g->whole == g->rows;
}

static bool
is_time(const struct guess *g)
{
	return g->clocks == g->rows || g->negative ||
	    (g->whole == g->rows && 2 * (g->rising + 1) >= g->rows);
}

bool
hint_are_bits(const struct guess *g)
{
	return is_whole(g) && g->most == 1 && g->least == 0;
}

/* Words, or codes of SCSI, of reads and writes alone. */
static bool
are_operations(const struct guess *g)
{
	bool known = g->words && g->words < HINT_WORDS, letters = false;

	for (unsigned i = 0; i < g->words && known; i++) {
		letters |= g->word[i][strspn(g->word[i], "0123456789")] != '\0';
		known = hint_is_read(g->word[i]) || hint_is_write(g->word[i]) ||
		    hint_is_usual(g->word[i]);
	}
	return known && letters; /* 28 and 2a, but not 28 alone */
}

/* Those of a cache of objects, such as get and set. */
static bool
are_of_objects(const struct guess *g)
{
	for (unsigned i = 0; g && i < g->words; i++)
		if (!hint_is_usual(g->word[i]) && strlen(g->word[i]) > 2 &&
		    !strpbrk(g->word[i], "0123456789"))
			return strncasecmp(g->word[i], "read", 4) != 0 &&
			    strncasecmp(g->word[i], "write", 5) != 0;
	return false;
}

/* Is one of its words an operation? */
static bool
has_operation(const struct guess *g)
{
	for (unsigned i = 0; i < g->words; i++)
		if (hint_is_read(g->word[i]) || hint_is_write(g->word[i]) ||
		    hint_is_usual(g->word[i]))
			return true;
	return false;
}

/* Can its values be that? */
static bool
fits(const struct guess *g, enum role role)
{
	switch (role) {
	case ROLE_TIME:
		return is_time(g);
	case ROLE_OFFSET:
		return (is_whole(g) && g->most < EXACT) || is_hexadecimal(g);
	case ROLE_LENGTH:
		return is_whole(g) || is_hexadecimal(g);
	case ROLE_OP:
		return hint_are_bits(g) || (g->words < HINT_WORDS && has_operation(g));
	case ROLE_PID:
		return is_whole(g) && g->most <= UINT32_MAX;
	case ROLE_OBJECT:
		return !g->fractions && 2 * g->counting < g->rows;
	default:
		return g->rows > g->empty;
	}
}

/* ---- by names ---- */

static void
take_names(struct sheet *s)
{
	struct tokens t;

	for (unsigned i = 0; i < s->columns; i++) {
		struct guess *g = &s->guess[i];
		enum role     role;

		take_tokens(g->name, &t);
		learn_units(g, &t);
		role = role_of(g, &t);
		g->known = role || has(&t, OTHERS);
		if (role && !s->place[role] && s->place[ROLE_EVENT] != i + 1 &&
		    (fits(g, role) || g->negative))
			s->place[role] = i + 1;
	}
}

/* ---- by values ---- */

/* Is nothing known of the column? */
static bool
is_free(const struct sheet *s, unsigned column)
{
	for (enum role r = ROLE_TIME; r < ROLES; r++)
		if (s->place[r] == column + 1)
			return false;
	return !s->guess[column].known;
}

static void
find_op(struct sheet *s)
{
	for (unsigned i = 0; i < s->columns && !s->place[ROLE_OP]; i++)
		if (is_free(s, i) && are_operations(&s->guess[i]))
			s->place[ROLE_OP] = i + 1;
	for (unsigned i = 0; i < s->columns && !s->place[ROLE_OP] && s->columns > 3; i++)
		if (is_free(s, i) && hint_are_bits(&s->guess[i]))
			s->place[ROLE_OP] = i + 1;
}

/* A request is submitted, issued and completed; the first of these is read. */
const char *
hint_event(const struct guess *g)
{
	static const char *const actions[] = { "Q block_bio_queue queue queued submit",
		"D block_rq_issue issue issued dispatch",
		"C block_rq_complete complete completed" };
	const char		*first = NULL;
	unsigned		 kinds = 0;

	for (size_t a = 0; a < sizeof(actions) / sizeof(*actions) && g->words < HINT_WORDS; a++)
		for (unsigned i = 0; i < g->words; i++)
			if (scan_is_among(g->word[i], strlen(g->word[i]), actions[a])) {
				first = first ? first : g->word[i];
				kinds++;
				break;
			}
	return kinds > 1 && !g->whole ? first : NULL;
}

static void
find_event(struct sheet *s)
{
	for (unsigned i = 0; i < s->columns && !s->place[ROLE_EVENT]; i++)
		if (hint_event(&s->guess[i]))
			s->place[ROLE_EVENT] = i + 1;
}

/* What goes up; a fraction or a time of day tells more than whole numbers do. */
static void
find_time(struct sheet *s)
{
	for (unsigned surely = 2; surely-- > 0 && !s->place[ROLE_TIME];)
		for (unsigned i = 0; i < s->columns && !s->place[ROLE_TIME]; i++) {
			const struct guess *g = &s->guess[i];
			bool		    rises = g->rising + 1 >= g->rows && g->most > g->least;
			bool		    counts = g->counting + 1 == g->rows && g->least <= 1;

			if (!is_free(s, i) || !is_time(g))
				continue;
			if (surely ? g->fractions || g->clocks : rises && !counts && s->columns > 1)
				s->place[ROLE_TIME] = i + 1;
		}
}

/* The numbers that spread the most; an address in hexadecimal tells more. */
static void
find_offset(struct sheet *s)
{
	const struct guess *best = NULL;

	for (unsigned i = 0; i < s->columns; i++) {
		const struct guess *g = &s->guess[i];
		bool		    hex = is_hexadecimal(g);

		if (!is_free(s, i) || !fits(g, ROLE_OFFSET) || hint_are_bits(g))
			continue;
		if (!best || hex > is_hexadecimal(best) ||
		    (hex == is_hexadecimal(best) && g->most > best->most))
			best = g;
	}
	s->place[ROLE_OFFSET] = best ? (unsigned)(best - s->guess) + 1 : 0;
}

/* Multiples of 512, or beside the offset, or as few as sectors are. */
static void
find_length(struct sheet *s)
{
	unsigned offset = s->place[ROLE_OFFSET], score = 0;

	for (unsigned i = 0; i < s->columns; i++) {
		const struct guess *g = &s->guess[i];
		unsigned	    points;

		if (!is_free(s, i) || !is_whole(g) || !g->most || g->most > INT32_MAX)
			continue;
		points = g->sectors == g->rows ? 8 : g->most <= SECTORS_MAX && g->least > 0 ? 1 : 0;
		points += i == offset ? 4 : i + 2 == offset ? 2 : 0;
		if (points > score) {
			score = points;
			s->place[ROLE_LENGTH] = i + 1;
		}
	}
}

/* Words, or numbers that are no offsets: those of which most are different. */
static void
find_object(struct sheet *s)
{
	unsigned most = 0;

	for (unsigned i = 0; i < s->columns; i++) {
		const struct guess *g = &s->guess[i];
		bool		    large = g->whole && g->most >= EXACT;
		bool		    hash = g->hex && g->longest >= LONG_HEX;
		unsigned	    different = large || hash ? g->rows : g->words;

		if (is_free(s, i) && !g->fractions && !g->clocks && g->rows > 1 &&
		    (large || hash || 2 * g->whole < g->rows) && different > most) {
			most = different;
			s->place[ROLE_OBJECT] = i + 1;
		}
	}
}

/* Offsets or objects, not both. */
static void
find_what(struct sheet *s)
{
	const struct guess *time = hint_guess(s, ROLE_TIME);
	bool		    keys = are_of_objects(hint_guess(s, ROLE_OP)) ||
	    (s->columns == 1 && 4 * s->guess[0].words > s->guess[0].rows && !s->guess[0].hex &&
		s->guess[0].whole < s->guess[0].rows);

	if (s->place[ROLE_OBJECT] && s->place[ROLE_OFFSET])
		s->place[ROLE_OBJECT] = 0;
	if (s->place[ROLE_OFFSET] || s->place[ROLE_OBJECT])
		return;
	if (keys)
		find_object(s);
	if (!s->place[ROLE_OBJECT] && !s->place[ROLE_FILE])
		find_offset(s);
	if (!s->place[ROLE_OFFSET] && !s->place[ROLE_OBJECT])
		find_object(s);
	if (!s->place[ROLE_OFFSET] && !s->place[ROLE_OBJECT])
		s->place[ROLE_OBJECT] = s->place[ROLE_FILE];
	if (!s->place[ROLE_OFFSET] && !s->place[ROLE_OBJECT] && time && time->most >= EXACT) {
		s->place[ROLE_OBJECT] =
		    s->place[ROLE_TIME]; /* numbers that only seemed to be times */
		s->place[ROLE_TIME] = 0;
	}
}

void
hint_roles(struct sheet *s)
{
	find_event(s);
	if (s->heading < UINT_MAX)
		take_names(s);
	if (!s->place[ROLE_TIME])
		find_time(s);
	if (!s->place[ROLE_OP])
		find_op(s);
	find_what(s);
	if (s->place[ROLE_OFFSET] && !s->place[ROLE_LENGTH])
		find_length(s);
	if (s->place[ROLE_OBJECT])
		s->place[ROLE_LENGTH] = s->place[ROLE_FILE] = s->place[ROLE_VOLUME] = 0;
	if (s->place[ROLE_FILE])
		s->place[ROLE_VOLUME] = 0;
}

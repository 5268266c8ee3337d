/*
 * columns.c - read rows of columns by a table.
 *
 * A row is read in one pass, digit by digit, and changed only when all of it
 * is right.  Everything else - headings, comments, blank lines, faults - is
 * found out in a second look at the row that failed.
 */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/word.h"
#include "sim/trace/scan.h"
#include "traces/columns.h"

enum { QUOTE = 20, LINE_ROOM = 4096, LIST_ROOM = 200 };

enum row { ROW_WHOLE, ROW_OTHER, ROW_BAD };

static const char *const kind_name[COLUMN_KINDS] = { "", "time", "op", "flags", "offset", "length",
	"volume", "pid", "size", "process", "name", "inode" };

/* ---- fields ---- */

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

/* A byte of 0x80 for each byte of the word that is this letter. */
ALWAYS_INLINE uint64_t
find_bytes(uint64_t word, char letter)
{
	uint64_t each = UINT64_C(0x0101010101010101), low = 0x7f * each;
	uint64_t zero = word ^ each * (unsigned char)letter;

	return ~(((zero & low) + low) | zero | low);
}

/*
 * The end of the last of n fields that are skipped, eight characters at a time; NULL: there are
 * not so many, or some are quoted.
 */
static char *
skip_fields(const struct columns *c, char *s, unsigned n)
{
	for (uint64_t word, found; c->line_end - s >= (ptrdiff_t)sizeof(word); s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
			word = __builtin_bswap64(word);
		if (unlikely(find_bytes(word, '"')))
			return NULL;
		for (found = find_bytes(word, c->separator); found; found &= found - 1)
			if (!--n)
				return s + __builtin_ctzll(found) / 8;
	}
	for (; s < c->line_end && *s != '"'; s++)
		if (*s == c->separator && !--n)
			return s;
	return n == 1 && s == c->line_end ? s : NULL;
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
static char *
span_text(struct span *s)
{
	char *to = s->start;

	for (char *from = s->start; s->quoted && from < s->end; from += *from == '"' ? 2 : 1)
		*to++ = *from;
	*(s->quoted ? to : s->end) = '\0';
	return s->start;
}

ALWAYS_INLINE bool
is_word(const uint64_t *list, uint64_t word)
{
	for (; *list; list++)
		if (*list == word)
			return true;
	return false;
}

/* ---- numbers ---- */

/* "2.5": units, and billionths of one; NULL: neither. */
ALWAYS_INLINE const char *
scan_fraction(const char *s, uint64_t *whole, uint64_t *billionths)
{
	uint64_t weight = 100000000;

	*billionths = 0;
	s = scan_digits(s, UINT64_MAX, whole);
	if (!s || *s != '.')
		return s;
	for (s++; (unsigned)*s - '0' <= 9; s++, weight /= 10)
		*billionths += ((unsigned)*s - '0') * weight;
	return s;
}

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
	uint64_t year, month, day, hour, minute;

	if (!(s = scan_part(s, 1970, 9999, '-', &year)) ||
	    !(s = scan_part(s, 1, 12, '-', &month)) || !(s = scan_part(s, 1, 31, '\0', &day)) ||
	    (*s != ' ' && *s != 'T') || !(s = scan_part(s + 1, 0, 23, ':', &hour)) ||
	    !(s = scan_part(s, 0, 59, ':', &minute)))
		return NULL;
	*seconds = (days(year, month, day) * 24 + hour) * 3600 + minute * 60;
	return s;
}

/* "2024-01-31 23:59:59.5"; the minute is often that of the row before. */
static const char *
scan_date(struct columns *c, const char *s, usec_t *time)
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
	end = scan_fraction(end, &second, &billionths);
	if (!end || second > 60 || !(end = scan_zone(end, &zone)))
		return NULL;
	*time = ((usec_t)(c->minute_s + second) - zone) * 1000000 + (usec_t)(billionths / 1000);
	return *time >= 0 ? end : NULL;
}

/* Units of the table in microseconds; false: too many. */
ALWAYS_INLINE bool
to_usec(enum time_unit unit, uint64_t whole, uint64_t billionths, usec_t *time)
{
	static const uint32_t times[] = { [TIME_S] = 1000000, [TIME_MS] = 1000, [TIME_US] = 1 };

	if (unit == TIME_NS || unit == TIME_100NS) {
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

static const char *
scan_time(struct columns *c, const char *s, usec_t *time)
{
	uint64_t    whole, billionths;
	const char *end = scan_fraction(s, &whole, &billionths);

	if (unlikely(end && end - s == 4 && *end == '-'))
		return scan_date(c, s, time);
	return end && to_usec(c->time_unit, whole, billionths, time) ? end : NULL;
}

/* ---- a row ---- */

static const char *
scan_flags(const char *s, struct record *r)
{
	uint64_t flags;

	s = scan_hex(s, &flags);
	if (s)
		r->op = flags & 1 ? OP_READ : OP_WRITE;
	return s;
}

static const char *
scan_size(const struct columns *c, const char *s, struct record *r)
{
	return ends(c, *s) || *s == '"' ? s : scan_digits(s, SIZE_UNKNOWN - 1, &r->file_size);
}

/* The number in a field, without quotes; NULL: there is none, or it is too large. */
ALWAYS_INLINE const char *
take_number(struct columns *c, enum column kind, const char *s, struct record *r)
{
	uint64_t n = 0;

	switch (kind) {
	case COLUMN_TIME:
		return scan_time(c, s, &r->time);
	case COLUMN_FLAGS:
		return scan_flags(s, r);
	case COLUMN_OFFSET:
		s = scan_digits(s, c->offset_max, &n);
		r->offset = n * c->offset_unit;
		return s;
	case COLUMN_LENGTH:
		s = scan_digits(s, c->length_max, &n);
		r->length = n * c->length_unit;
		return s;
	case COLUMN_VOLUME:
		return scan_digits(s, UINT64_MAX, &r->inode);
	case COLUMN_PID:
		s = scan_digits(s, UINT32_MAX, &n);
		r->pid = (uint32_t)n;
		return s;
	case COLUMN_FILE_SIZE:
		return scan_size(c, s, r);
	default:
		return NULL;
	}
}

/* One that has no number. */
ALWAYS_INLINE char *
take_text(struct columns *c, enum column kind, char *s)
{
	struct span unused, *span = &unused;

	if (kind == COLUMN_NAME)
		span = &c->part[c->nparts++];
	else if (kind == COLUMN_PROCESS)
		span = &c->process;
	else if (kind == COLUMN_INODE)
		span = &c->inode;
	s = take_span(c, s, span);
	if (s && kind == COLUMN_OP) {
		c->word = word_pack(span->start, (size_t)(span->end - span->start));
		c->bad_field = span->start; /* in case it is no word of the table */
	}
	return s;
}

ALWAYS_INLINE bool
is_text(enum column kind)
{
	return kind == COLUMN_SKIPPED || kind == COLUMN_OP || kind >= COLUMN_PROCESS;
}

/* Behind the field and the blanks that follow it; NULL: it is wrong. */
ALWAYS_INLINE char *
take_field(struct columns *c, enum column kind, char *s, struct record *r)
{
	bool  quoted = *s == '"';
	char *end;

	if (kind == COLUMN_SKIPPED && !quoted)
		return field_end(c, s);
	if (is_text(kind)) {
		end = take_text(c, kind, s);
	} else {
		end = (char *)(uintptr_t)take_number(c, kind, s + quoted, r);
		if (end && quoted)
			end = *end == '"' ? end + 1 : NULL;
	}
	if (!end)
		return NULL;
	if (c->separator != ' ')
		end = skip_padding(c, end);
	return ends(c, *end) ? end : NULL;
}

static bool
is_wrong(struct columns *c, unsigned column, const char *field)
{
	c->bad = column;
	c->bad_field = field;
	return false;
}

/* All fields of a row; false: c->bad says which one is wrong. */
static bool
take_fields(struct columns *c, char *s, struct record *r)
{
	const unsigned n = c->n;
	unsigned       i;

	c->nparts = 0;
	for (i = 0; i < n; s++) {
		char *field;

		if (c->skip[i] > 1 && (field = skip_fields(c, s, c->skip[i]))) {
			i += c->skip[i];
			s = field;
			if (!*s)
				break;
			continue;
		}
		field = skip_padding(c, s);
		if (unlikely(!*field && (c->separator == ' ' || !i)))
			return is_wrong(c, n, field);
		s = take_field(c, c->kind[i], field, r);
		if (unlikely(!s))
			return is_wrong(c, i, field);
		i++;
		if (!*s)
			break;
	}
	if (unlikely(i < n || (!c->more && *skip_padding(c, s))))
		return is_wrong(c, n, s);
	return true;
}

static enum row
take_row(struct columns *c, char *line, struct record *r)
{
	if (unlikely(*line == '#' || !take_fields(c, line, r)))
		return ROW_BAD;
	if (!c->has_op)
		return ROW_WHOLE;
	if (is_word(c->read, c->word))
		return ROW_WHOLE;
	r->op = OP_WRITE;
	return likely(is_word(c->write, c->word)) ? ROW_WHOLE : ROW_OTHER;
}

/* ---- files and processes ---- */

static int
no_memory(struct error *e)
{
	return error_set(e, "out of memory");
}

/* A name that lacks its directory is that of several files: the inode tells them apart. */
static bool
wants_inode(struct columns *c)
{
	if (!c->inode.start || c->inode.end == c->inode.start)
		return false;
	return !memchr(c->part[0].start, '/', (size_t)(c->part[0].end - c->part[0].start));
}

/* The parts of a name with colons between them. */
static int
join_name(struct columns *c, struct error *e)
{
	size_t n = 0;

	for (unsigned i = 0; i < c->nparts; i++) {
		const char *text = span_text(&c->part[i]);
		size_t	    length = strlen(text);

		if (n + length + 2 > sizeof(c->joined))
			return error_set(e, "%s: it is longer than %zu characters",
			    kind_name[COLUMN_NAME], sizeof(c->joined) - 2);
		if (n && length)
			c->joined[n++] = ':';
		memcpy(c->joined + n, text, length);
		n += length;
	}
	c->joined[n] = '\0';
	return 0;
}

static int
name_file(struct columns *c, struct record *r, struct error *e)
{
	if (wants_inode(c))
		c->part[c->nparts++] = c->inode;
	if (c->nparts == 1)
		r->path = span_text(&c->part[0]);
	else if (join_name(c, e))
		return -1;
	else
		r->path = c->joined;
	if (!*r->path)
		r->path = "(no name)";
	r->no_fd = true;
	return 0;
}

static int
name_process(struct columns *c, struct record *r, struct error *e)
{
	r->process_name = span_text(&c->process);
	if (!c->has_pid)
		r->pid = names_intern(&c->processes, r->process_name);
	return c->has_pid || r->pid ? 0 : no_memory(e);
}

/* What no column of this format tells. */
static int
complete(struct columns *c, struct record *r, struct error *e)
{
	if (!c->has_pid)
		r->pid = 1;
	if (!c->has_length)
		r->length = c->length_unit;
	if (c->nparts ? name_file(c, r, e) : !c->has_volume && !(r->inode = 1))
		return -1;
	return c->has_process && name_process(c, r, e) ? -1 : 1;
}

/* ---- what the columns are ---- */

void
columns_words(uint64_t packed[WORDS_MAX], const char *words)
{
	unsigned n = 0;

	for (; words && *words && n < WORDS_MAX - 2; words += *words == ' ') {
		size_t length = strcspn(words, " ");

		packed[n++] = word_pack(words, length);
		words += length;
	}
	packed[n] = 0;
}

static void
learn_kinds(struct columns *c)
{
	bool has[COLUMN_KINDS] = { false };

	memset(c->skip, 0, sizeof(c->skip));
	for (unsigned i = c->n; i--;) {
		has[c->kind[i]] = true;
		if (c->kind[i] == COLUMN_SKIPPED && c->separator != ' ')
			c->skip[i] = (uint8_t)(1 + (i + 1 < c->n ? c->skip[i + 1] : 0));
	}
	c->has_op = has[COLUMN_OP];
	c->has_pid = has[COLUMN_PID];
	c->has_length = has[COLUMN_LENGTH];
	c->has_volume = has[COLUMN_VOLUME];
	c->has_process = has[COLUMN_PROCESS];
	c->inode = c->process = (struct span){ 0 };
}

/* The columns in the order of the table. */
static void
take_order(struct columns *c, const struct row_table *table)
{
	for (c->n = 0; c->n < TABLE_COLUMNS && table->column[c->n].name; c->n++) {
		c->kind[c->n] = (uint8_t)table->column[c->n].kind;
		c->name[c->n] = table->column[c->n].name;
	}
	c->more = table->more;
}

/* A first line without the # that it may begin with. */
static bool
first_line(const char *head, size_t n, char line[LINE_ROOM])
{
	size_t skipped;

	do {
		if (!scan_head(&head, &n, line, LINE_ROOM))
			return false;
		line[strcspn(line, "\r")] = '\0';
	} while (!*scan_blanks(line));
	skipped = *line == '#';
	skipped = (size_t)(scan_blanks(line + skipped) - line);
	memmove(line, line + skipped, strlen(line + skipped) + 1);
	return true;
}

/* The same, but for upper and lower case of letters. */
static bool
equal(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && (!word_digit(*a) || word_digit(*a) != word_digit(*b)))
			return false;
	return *a == *b;
}

/* The place of a name in the table; TABLE_COLUMNS: it is not there. */
static unsigned
find_name(const struct row_table *table, const char *name)
{
	unsigned i = 0;

	while (i < TABLE_COLUMNS && table->column[i].name && !equal(table->column[i].name, name))
		i++;
	return i < TABLE_COLUMNS && table->column[i].name ? i : TABLE_COLUMNS;
}

/* Columns in the order of a heading.  NULL, or the first name that it lacks. */
static const char *
take_heading(struct columns *c, const struct row_table *table, char *line)
{
	bool	    found[TABLE_COLUMNS] = { false };
	unsigned    last = 0;
	struct span span;
	const char *lacking = NULL;

	c->line_end = line + strlen(line);
	c->separator = strchr(line, ',') ? ',' : strchr(line, '\t') ? '\t' : ' ';
	c->tab = c->separator == ' ' ? '\t' : c->separator;
	memset(c->kind, 0, sizeof(c->kind));
	for (c->n = 0; c->n < COLUMNS_MAX && *line; c->n++) {
		unsigned i;

		line = take_span(c, skip_padding(c, line), &span);
		if (!line)
			return "\"";
		line = skip_padding(c, line);
		line += *line && (c->separator != ' ');
		i = find_name(table, span_text(&span));
		if (i == TABLE_COLUMNS || found[i])
			continue;
		found[i] = true;
		c->kind[c->n] = (uint8_t)table->column[i].kind;
		c->name[c->n] = table->column[i].name;
		last = c->n + 1;
	}
	for (unsigned i = TABLE_COLUMNS; i--;)
		if (table->column[i].name && !table->column[i].optional && !found[i])
			lacking = table->column[i].name;
	c->n = last;
	c->more = true;
	learn_kinds(c);
	return lacking;
}

void
columns_prepare(struct columns *c, const struct row_table *table)
{
	learn_kinds(c);
	c->table = table;
	c->tab = c->separator == ' ' ? '\t' : c->separator;
	if (!c->offset_unit)
		c->offset_unit = table->offset_unit ? table->offset_unit : 1;
	if (!c->length_unit)
		c->length_unit = table->length_in_blocks ? c->offset_unit
		    : table->length_unit		 ? table->length_unit
							 : 1;
	c->offset_max = UINT64_MAX / c->offset_unit;
	c->length_max = UINT64_MAX / c->length_unit;
	if (!*c->read)
		columns_words(c->read, table->reads);
	if (!*c->write)
		columns_words(c->write, table->writes);
}

/* ---- the second look at a row ---- */

/* Is there a letter where every number should be, and all of them? */
static bool
is_heading(const struct columns *c, char *line)
{
	struct span span;
	unsigned    i = 0, letters = 0;

	for (; i < c->n && *line; i++) {
		line = skip_padding(c, line);
		if (!is_text(c->kind[i]) || c->kind[i] == COLUMN_INODE) {
			char first = (char)(line[*line == '"'] | 0x20);

			if ((first < 'a' || first > 'z') && first != ('_' | 0x20))
				return false;
			letters++;
		}
		line = take_span(c, line, &span);
		if (!line)
			return false;
		line = skip_padding(c, line);
		line += *line && c->separator != ' ';
	}
	return i == c->n && letters;
}

/* The number of fields; quotes that do not end are one. */
static unsigned
count_fields(const struct columns *c, char *line)
{
	struct span span;
	unsigned    n = 0;

	for (line = skip_padding(c, line); *line; n++) {
		line = take_span(c, line, &span);
		if (!line)
			return n + 1;
		if (c->separator == ' ')
			line = skip_padding(c, line);
		else if (*line)
			line++;
	}
	return n;
}

static int
explain_count(const struct columns *c, char *line, struct error *e)
{
	char	 list[LIST_ROOM] = "";
	size_t	 used = 0;
	unsigned fields = count_fields(c, line);

	for (unsigned i = 0; i < c->n && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? " " : "",
		    c->name[i]	     ? c->name[i]
			: c->kind[i] ? kind_name[c->kind[i]]
				     : "-");
	return error_set(e, "%u field%s instead of %s%u (%s)", fields, fields == 1 ? "" : "s",
	    c->more ? "at least " : "", c->n, list);
}

static int
explain_op(const struct columns *c, const char *name, const char *text, struct error *e)
{
	if (!c->table->reads)
		return error_set(e,
		    "%s: '%s' is not a word for reads or writes: name them, as in "
		    "--format csv:...,read=0,write=1, or skip others with others=skip",
		    name, text);
	return error_set(e, "%s: '%s' is not one of %s (reads) and %s (writes)", name, text,
	    c->table->reads, c->table->writes);
}

static int
explain_time(const struct columns *c, const char *name, const char *text, struct error *e)
{
	static const char *const unit[] = { "seconds", "milliseconds", "microseconds",
		"nanoseconds", "units of 100 ns" };
	uint64_t		 whole, billionths;
	const char		*end = scan_fraction(text, &whole, &billionths);

	if (*text == '-')
		return error_set(e, "%s: %s is negative", name, text);
	if (end && !*end)
		return error_set(e, "%s: %s %s are too many", name, text, unit[c->time_unit]);
	return error_set(e, "%s: '%s' is not a number of %s", name, text, unit[c->time_unit]);
}

static int
explain_number(const struct columns *c, enum column kind, const char *name, const char *text,
    struct error *e)
{
	uint64_t max = kind == COLUMN_OFFSET ? c->offset_max
	    : kind == COLUMN_LENGTH	     ? c->length_max
	    : kind == COLUMN_PID	     ? UINT32_MAX
	    : kind == COLUMN_FILE_SIZE	     ? SIZE_UNKNOWN - 1
					     : UINT64_MAX;

	if (strpbrk(text, " \t"))
		return error_set(e, "%s: '%s' is not a whole number", name, text);
	return scan_explain(name, text, max, e);
}

/* Why the row is not one. */
static int
explain(const struct columns *c, char *line, struct error *e)
{
	char	    text[QUOTE * 2 + 4], name[LIST_ROOM];
	unsigned    column = c->bad;
	enum column kind = column < c->n ? c->kind[column] : COLUMN_SKIPPED;
	size_t	    n = 0;

	if (column == c->n)
		return explain_count(c, line, e);
	while (!ends(c, c->bad_field[n]))
		n++;
	scan_quote(text, (size_t)QUOTE * 2, c->bad_field, n);
	if (c->name[column])
		snprintf(name, sizeof(name), "%s", c->name[column]);
	else
		snprintf(name, sizeof(name), "column %u (%s)", column + 1, kind_name[kind]);
	if (kind == COLUMN_OP && *c->bad_field != '"')
		return explain_op(c, name, text, e);
	if (is_text(kind))
		return error_set(e, "%s: %s is not one quoted field", name, text);
	if (kind == COLUMN_TIME)
		return explain_time(c, name, text, e);
	if (kind == COLUMN_FLAGS)
		return error_set(e, "%s: '%s' is not a hexadecimal number", name, text);
	return explain_number(c, kind, name, text, e);
}

/* The same, of a row that is right but for its word. */
static int
explain_word(struct columns *c, char *line, struct error *e)
{
	for (c->bad = 0; c->kind[c->bad] != COLUMN_OP;)
		c->bad++;
	return explain(c, line, e);
}

/* Does the line name all columns of a table by header? */
static bool
is_whole_heading(const struct columns *c, const char *line)
{
	char	       copy[LINE_ROOM];
	struct columns probe = { 0 };

	if (!c->table->by_header || strlen(line) >= sizeof(copy))
		return false;
	strcpy(copy, line);
	return !take_heading(&probe, c->table, copy);
}

/* A heading in the middle may have another order. */
static int
follow_heading(struct columns *c, struct input *in, char *line, struct error *e)
{
	const char *lacking;

	if (c->headings++ || !c->table->headed)
		input_note(in, "lines of headings were skipped");
	if (!c->table->by_header)
		return 0;
	lacking = take_heading(c, c->table, line);
	return lacking ? error_set(e, "the heading has no column %s", lacking) : 0;
}

/* 0: the line is no row, and rightly so. */
static int
look_again(struct columns *c, struct input *in, char *line, struct error *e)
{
	if (*line == '#')
		return 0;
	if (!*scan_blanks(line)) {
		input_note(in, "blank lines were skipped");
		return 0;
	}
	if (c->table->mark && *line == c->table->mark && !*scan_blanks(line + 1)) {
		input_note(in, c->table->others);
		return 0;
	}
	return is_whole_heading(c, line) || is_heading(c, line) ? follow_heading(c, in, line, e)
								: explain(c, line, e);
}

/* ---- reading ---- */

static int
begin(struct columns *c, const struct row_table *table, struct input *in, struct error *e)
{
	char	    line[LINE_ROOM];
	const char *lacking = NULL, *head;
	size_t	    n;

	c->begun = true;
	head = input_head(in, &n, e); /* skips a byte-order mark */
	if (!head)
		return -1;
	if (table->note)
		input_note(in, table->note);
	if (c->table)
		return 0;
	c->separator = table->separator;
	c->time_unit = table->time_unit;
	if (table->by_header)
		lacking = first_line(head, n, line) ? take_heading(c, table, line) : "";
	else
		take_order(c, table);
	columns_prepare(c, table);
	return lacking ? error_set(e, "the first line has no column %s", lacking) : 0;
}

/* The next line without its end, or a status. */
static int
next_line(struct columns *c, struct input *in, char **line, struct error *e)
{
	size_t length;
	int    status = input_line(in, line, &length, e);

	if (status <= 0)
		return status;
	if (unlikely(strlen(*line) != length))
		return error_set(e, "a zero byte in the line: this is not text");
	if (unlikely(length && (*line)[length - 1] == '\r')) {
		(*line)[--length] = '\0';
		input_note(in, "lines end in CR LF");
	}
	c->line_end = *line + length;
	return 1;
}

int
columns_read(struct columns *c, const struct row_table *table, struct input *in, struct record *r,
    struct error *e)
{
	char *line;
	int   status = c->begun ? 0 : begin(c, table, in, e);

	while (!status) {
		status = next_line(c, in, &line, e);
		if (status <= 0)
			return status;
		switch (take_row(c, line, r)) {
		case ROW_WHOLE:
			return complete(c, r, e);
		case ROW_OTHER:
			if (!c->table->others)
				return explain_word(c, line, e);
			input_note(in, c->table->others);
			status = 0;
			break;
		case ROW_BAD:
			status = look_again(c, in, line, e);
		}
		r->file_size = SIZE_UNKNOWN;
		r->op = OP_READ;
	}
	return status;
}

void
columns_release(void *self)
{
	struct columns *c = self;

	names_release(&c->processes);
}

/* ---- recognition ---- */

/* A copy without quotes, and without blanks beside commas and at the end. */
static void
plain_row(char plain[LINE_ROOM], const char *line)
{
	size_t n = 0;

	for (; *line && *line != '\r' && n < LINE_ROOM - 1; line++) {
		if (*line == '"' || (*line == ' ' && n && plain[n - 1] == ','))
			continue;
		while (*line == ',' && n && plain[n - 1] == ' ')
			n--;
		plain[n++] = *line;
	}
	while (n && plain[n - 1] == ' ')
		n--;
	plain[n] = '\0';
}

bool
columns_match(const char *line, const char *pattern)
{
	char	plain[LINE_ROOM];
	regex_t r;
	bool	matches;

	if (regcomp(&r, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	plain_row(plain, line);
	matches = !regexec(&r, plain, 0, NULL, 0);
	regfree(&r);
	return matches;
}

bool
columns_headed(const struct row_table *table, const char *head, size_t n)
{
	char	       line[LINE_ROOM];
	struct columns c = { 0 };

	return first_line(head, n, line) && !take_heading(&c, table, line);
}

bool
columns_begin(const char *heading, const char *head, size_t n)
{
	char line[LINE_ROOM], plain[LINE_ROOM];

	if (!first_line(head, n, line))
		return false;
	plain_row(plain, line);
	return equal(plain, heading);
}

/*
 * columns.c - read rows of columns by a table.
 *
 * A row is read in one pass, digit by digit, and changed only when all of it
 * is right.  Everything else - headings, comments, blank lines, faults - is
 * found out in a second look at the row that failed (columns_setup.c and
 * columns_fault.c).
 */
#include <strings.h>

#include "sim/base/word.h"
#include "traces/columns/columns_field.h"

enum row { ROW_WHOLE, ROW_OTHER, ROW_BAD };

/* ---- fields ---- */

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

ALWAYS_INLINE bool
is_word(const uint64_t *list, uint64_t word)
{
	for (; *list; list++)
		if (*list == word)
			return true;
	return false;
}

/* ---- numbers ---- */

static const char *
scan_time(struct columns *c, const char *s, usec_t *time)
{
	uint64_t    whole, billionths;
	const char *end = scan_fraction(s, &whole, &billionths);

	if (unlikely(end && end - s == 4 && *end == '-'))
		return columns_date(c, s, time);
	return end && columns_time(c, whole, billionths, time) ? end : NULL;
}

static const char *
scan_flags(const char *s, struct record *r)
{
	uint64_t flags;

	s = scan_hex(s, &flags);
	if (s)
		r->op = flags & 1 ? OP_READ : OP_WRITE;
	return s;
}

/* NULL: it is none, or above max. */
static const char *
scan_any_hex(const char *s, uint64_t max, uint64_t *n)
{
	s = scan_hex(s + (*s == '0' && (s[1] | 0x20) == 'x' ? 2 : 0), n);
	return s && *n <= max ? s : NULL;
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
	case COLUMN_HEX_OFFSET:
		s = scan_any_hex(s, c->offset_max, &n);
		r->offset = n * c->offset_unit;
		return s;
	case COLUMN_HEX_LENGTH:
		s = scan_any_hex(s, c->length_max, &n);
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
	else if (kind == COLUMN_OBJECT)
		span = &c->object;
	else if (kind == COLUMN_EVENT)
		span = &c->event;
	s = take_span(c, s, span);
	if (s && kind == COLUMN_OP) {
		c->word = word_pack(span->start, (size_t)(span->end - span->start));
		c->bad_field = span->start; /* in case it is no word of the table */
	}
	return s;
}

/* Behind the field and the blanks that follow it; NULL: no field ends there. */
ALWAYS_INLINE char *
behind_field(const struct columns *c, char *end)
{
	if (!end)
		return NULL;
	if (c->separator != ' ')
		end = skip_padding(c, end);
	return ends(c, *end) ? end : NULL;
}

/* The same; NULL: the field is wrong. */
ALWAYS_INLINE char *
take_field(struct columns *c, enum column kind, char *s, struct record *r)
{
	bool  quoted = *s == '"';
	char *end;

	if (kind == COLUMN_SKIPPED && !quoted)
		return field_end(c, s);
	if (is_text(kind))
		return behind_field(c, take_text(c, kind, s));
	end = (char *)(uintptr_t)take_number(c, kind, s + quoted, r);
	if (end && quoted)
		end = *end == '"' ? end + 1 : NULL;
	end = behind_field(c, end);
	if (unlikely(!end) && c->odd)
		end = behind_field(c, columns_odd(c, kind, s, r));
	return end;
}

/* ---- rows ---- */

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

/* Is the word one of those between |, which end at a comma or +? */
static bool
is_listed(const struct columns *c, const char *list, const char *word)
{
	size_t n = 0;

	while (list && !ends(c, word[n]) && word[n] != '"' && word[n] != ' ')
		n++;
	for (; list && *list && *list != ',' && *list != '+'; list += *list == '|') {
		size_t length = strcspn(list, "|,+");

		if (length == n && !strncasecmp(list, word, n))
			return true;
		list += length;
	}
	return false;
}

/* Long words of the user.  ROW_BAD: it is none of them. */
static enum row
find_word(const struct columns *c, struct record *r)
{
	bool reads = is_listed(c, c->words[0], c->bad_field);

	if (!reads && !is_listed(c, c->words[1], c->bad_field))
		return ROW_BAD;
	r->op = reads ? OP_READ : OP_WRITE;
	return ROW_WHOLE;
}

ALWAYS_INLINE enum row
take_row(struct columns *c, char *line, struct record *r)
{
	enum row status;

	if (unlikely(*line == '#' || !take_fields(c, line, r)))
		return ROW_BAD;
	if (!c->has_op)
		return ROW_WHOLE;
	if (unlikely(c->words[0] || c->words[1]) && (status = find_word(c, r)) != ROW_BAD)
		return status;
	if (is_word(c->read, c->word))
		return ROW_WHOLE;
	r->op = OP_WRITE;
	return likely(is_word(c->write, c->word)) ? ROW_WHOLE : ROW_OTHER;
}

/* ---- files and processes ---- */

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
			return error_set(e, "name: it is longer than %zu characters",
			    sizeof(c->joined) - 2);
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
	return c->has_pid || r->pid ? 0 : error_no_memory(e);
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

/* ---- reading ---- */

/* 0: the line is no row, and rightly so. */
static int
look_again(struct columns *c, struct input *in, char *line, struct error *e)
{
	const char *first = scan_blanks(line);

	if (*line == '#') {
		if (c->odd && c->met) /* do they say what the rows do not? */
			input_count(in, "lines of comments (#) between rows were skipped");
		return 0;
	}
	if (!*first) {
		input_count(in, "blank lines were skipped");
		return 0;
	}
	if (c->table->mark && *first == c->table->mark && !*scan_blanks(first + 1)) {
		input_count(in, c->table->others);
		return 0;
	}
	return columns_is_heading(c, line) ? columns_follow(c, in, line, e)
					   : columns_explain(c, line, e);
}

static int
begin(struct columns *c, const struct row_table *table, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e); /* skips a byte-order mark */

	if (!head)
		return -1;
	c->begun = true;
	if (!c->table && columns_begin_table(c, table, head, n, e))
		return -1;
	columns_choose_unit(c, in, head, n);
	return 0;
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
			c->met = true;
			return complete(c, r, e);
		case ROW_OTHER:
			if (!c->met && scan_is_heading(line)) { /* whose columns are all texts */
				status = columns_follow(c, in, line, e);
				break;
			}
			if (!c->table->others)
				return columns_explain_word(c, line, e);
			input_count(in, c->table->others);
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

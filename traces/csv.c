/*
 * csv.c - rows of columns that the command line names: --format csv:offset=2,length=3
 *
 *	time_us,pid,op,file,offset,length
 *	558,3910,R,/lib/libc.so.6,0,832
 *
 * A parameter is the number of a column, from 1, or its name in the heading.
 * A column that is not given is not in the trace: without op all calls are
 * reads, without length a call is one unit of offset, or one byte if that is
 * its unit.  An object is one block, numbered by first appearance; its
 * identifier is known by a checksum of 64 bits.
 *
 * The format that is written is the one above.  Its heading is the only one
 * that is recognised, and needs no parameters; a name is quoted if it has more
 * than letters, digits and the usual signs.  Opens, sizes of files and advice
 * are not written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/base/map.h"
#include "sim/base/word.h"
#include "sim/trace/hint.h"
#include "sim/trace/scan.h"
#include "traces/columns/columns.h"
#include "traces/common/objects.h"

#define HEADING "time_us,pid,op,file,offset,length"

static const struct row_table own_table = {
	.column = { { "time_us", COLUMN_TIME }, { "pid", COLUMN_PID }, { "op", COLUMN_OP },
	    { "file", COLUMN_NAME }, { "offset", COLUMN_OFFSET }, { "length", COLUMN_LENGTH } },
	.headed = true,
	.by_header = true,
	.names_unit = true,
	.time_unit = TIME_US,
	.reads = "R",
	.writes = "W",
};

#define OTHER_UNITS (1U << TIME_MS | 1U << TIME_US | 1U << TIME_NS | 1U << TIME_100NS)

static const struct row_table table = { .rivals = OTHER_UNITS },
			      skipping_table = {
				      .rivals = OTHER_UNITS,
				      .others = "rows other than reads and writes were skipped",
			      };

/* Columns that the user names.  In the order of their parameters. */
enum { TIME, OP, OFFSET, LENGTH, OBJECT, VOLUME, FILE_NAME, PID, PROCESS, SIZE, EVENT, GIVEN };

struct csv {
	struct columns columns;
	uint64_t       column[GIVEN]; /* the text: a number or a name */
	uint64_t       unit, separator, read, write, others, skip, hex, decimal, take;
	struct objects objects;
	bool	       begun;
};

static const enum column kind_of[GIVEN] = { COLUMN_TIME, COLUMN_OP, COLUMN_OFFSET, COLUMN_LENGTH,
	COLUMN_OBJECT, COLUMN_NAME, COLUMN_NAME, COLUMN_PID, COLUMN_PROCESS, COLUMN_FILE_SIZE,
	COLUMN_EVENT };

static const char *const separators[] = { "auto", "comma", "blank", "tab", "semicolon", "pipe",
	NULL };
static const char *const others[] = { "refuse", "skip", NULL };

enum { HEX_NONE, HEX_OFFSET, HEX_LENGTH, HEX_BOTH };
static const char *const hexes[] = { "none", "offset", "length", "both", NULL };

enum { DECIMAL_AUTO, DECIMAL_POINT, DECIMAL_COMMA };
static const char *const decimals[] = { "auto", "point", "comma", NULL };

enum { SKIP_MAX = 1000000, OBJECT_UNIT = 4096, HEADING_ROOM = 4096, NAME_ROOM = 256 };

#define COLUMN(name, place, meaning)                                                               \
	{                                                                                          \
		name, PARAM_TEXT, 0, 0, UINT64_MAX,                                                \
		    offsetof(struct csv, column) + (place) * sizeof(uint64_t), meaning, NULL       \
	}

static const struct param params[] = {
	COLUMN("time", TIME, "column of the time: its number, or its name in the heading"),
	COLUMN("op", OP, "... of the kind of call, such as R, read, W or write"),
	COLUMN("offset", OFFSET, "... of the offset"),
	COLUMN("length", LENGTH, "... of the length"),
	COLUMN("object", OBJECT, "... of an identifier, word or number, instead of offsets"),
	COLUMN("volume", VOLUME, "... of the name or number of the volume"),
	COLUMN("file", FILE_NAME, "... of the name or number of the file"),
	COLUMN("pid", PID, "... of the number of the process"),
	COLUMN("process", PROCESS, "... of the name of the process"),
	COLUMN("size", SIZE, "... of the size of the file in bytes"),
	COLUMN("event", EVENT, "... of a word, such as Q, D or C, that take= asks for"),
	{ "take", PARAM_TEXT, 0, 0, UINT64_MAX, offsetof(struct csv, take),
	    "the word in the column event of the rows that are read; others are skipped", NULL },
	{ "unit", PARAM_BYTES, 1, 1, 1 << 30, offsetof(struct csv, unit),
	    "bytes of a unit of offset and length; of an object, 4K if not given", NULL },
	{ "offset-unit", PARAM_BYTES, 0, 0, 1 << 30, offsetof(struct csv, columns.offset_unit),
	    "bytes of a unit of offset, if another; 0: the same", NULL },
	{ "length-unit", PARAM_BYTES, 0, 0, 1 << 30, offsetof(struct csv, columns.length_unit),
	    "bytes of a unit of length, if another; 0: the same", NULL },
	COLUMNS_TIME_UNIT,
	{ "separator", PARAM_WORD, 0, 0, 5, offsetof(struct csv, separator),
	    "what is between columns; blank: any number of blanks and tabs", separators },
	{ "read", PARAM_TEXT, 0, 0, UINT64_MAX, offsetof(struct csv, read),
	    "the words of reads, A|B, besides R, read and the like", NULL },
	{ "write", PARAM_TEXT, 0, 0, UINT64_MAX, offsetof(struct csv, write),
	    "the words of writes, A|B, besides W, write and the like", NULL },
	{ "others", PARAM_WORD, 0, 0, 1, offsetof(struct csv, others),
	    "rows whose word is neither of a read nor of a write", others },
	{ "skip", PARAM_COUNT, 0, 0, SKIP_MAX, offsetof(struct csv, skip),
	    "lines before the heading or the first row", NULL },
	{ "hex", PARAM_WORD, 0, 0, HEX_BOTH, offsetof(struct csv, hex),
	    "columns that are hexadecimal without 0x", hexes },
	{ "decimal", PARAM_WORD, 0, 0, DECIMAL_COMMA, offsetof(struct csv, decimal),
	    "what is before decimals, where numbers leave it open", decimals },
	{ 0 },
};

static bool
csv_recognise(const char *head, size_t n)
{
	return columns_begin(HEADING, head, n);
}

/* Is the column given?  0 means that there is none. */
static bool
has(const struct csv *s, unsigned column)
{
	size_t	    n;
	const char *text = param_text(s->column[column], &n);

	return text && !(n == 1 && *text == '0');
}

static bool
is_given(const struct csv *s)
{
	for (unsigned i = 0; i < GIVEN; i++)
		if (has(s, i))
			return true;
	return false;
}

static unsigned
lacking(const void *self)
{
	const struct csv *s = self;
	unsigned	  lacks = 0;

	if (!is_given(s))
		return 0;
	lacks |= has(s, FILE_NAME) ? 0 : LACKS_FILES;
	lacks |= has(s, PID) || has(s, PROCESS) ? 0 : LACKS_PROCESSES;
	lacks |= has(s, TIME) ? 0 : LACKS_TIMES;
	lacks |= has(s, OBJECT) ? LACKS_ADDRESSES : 0;
	return lacks | (has(s, LENGTH) ? 0 : LACKS_LENGTHS);
}

/* ---- which columns there are ---- */

/* The number that stands for a column, or SIZE_MAX: it is a name. */
static size_t
number_of(const struct csv *s, unsigned column)
{
	size_t	    n, number = 0;
	const char *text = param_text(s->column[column], &n);

	for (size_t i = 0; i < n; i++) {
		if (text[i] < '0' || text[i] > '9')
			return SIZE_MAX;
		number = number < SIZE_MAX / 100 ? number * 10 + (size_t)(text[i] - '0') : number;
	}
	return number;
}

static int
place(struct csv *s, unsigned column, size_t number, struct error *e)
{
	enum column kind = kind_of[column];

	if (number > COLUMNS_MAX)
		return error_usage(e, "csv: %s is a column from 1 to %d, or its name",
		    params[column].name, COLUMNS_MAX);
	if (s->columns.kind[number - 1])
		return error_usage(e, "csv: column %zu is given twice, last as %s", number,
		    params[column].name);
	if (kind == COLUMN_TIME && s->decimal == DECIMAL_COMMA)
		kind = COLUMN_ODD_TIME;
	if (kind == COLUMN_OFFSET && s->hex & HEX_OFFSET)
		kind = COLUMN_HEX_OFFSET;
	if (kind == COLUMN_LENGTH && s->hex & HEX_LENGTH)
		kind = COLUMN_HEX_LENGTH;
	s->columns.kind[number - 1] = (uint8_t)kind;
	if (s->columns.n < number)
		s->columns.n = (unsigned)number;
	return 0;
}

static int
place_numbers(struct csv *s, struct error *e)
{
	for (unsigned i = 0; i < GIVEN; i++)
		if (has(s, i) && number_of(s, i) != SIZE_MAX && place(s, i, number_of(s, i), e))
			return -1;
	return 0;
}

static bool
has_names(const struct csv *s)
{
	for (unsigned i = 0; i < GIVEN; i++)
		if (has(s, i) && number_of(s, i) == SIZE_MAX)
			return true;
	return false;
}

static int
place_names(struct csv *s, const char *heading, struct error *e)
{
	char name[NAME_ROOM];

	for (unsigned i = 0; i < GIVEN; i++) {
		size_t	    n;
		const char *text = param_text(s->column[i], &n);
		unsigned    number;

		if (!has(s, i) || number_of(s, i) != SIZE_MAX)
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)n, text);
		number = columns_find(s->columns.separator, heading, name, e);
		if (!number || place(s, i, number, e))
			return -1;
	}
	return 0;
}

/* ---- words of the user ---- */

/* The words of the user come first, then those that are usual; short ones are compared fast. */
static void
add_words(struct csv *s, unsigned writes, const char *usual)
{
	uint64_t   *list = writes ? s->columns.write : s->columns.read;
	size_t	    n, most = WORDS_MAX / 2;
	const char *word = param_text(writes ? s->write : s->read, &n);
	const char *end = word ? word + n : NULL;

	for (const char *at = word; at < end; at += at < end) {
		size_t length = strcspn(at, "|,+"), letters = 0;

		while (letters < length && word_digit(at[letters]))
			letters++;
		if (letters && letters == length && length <= WORD_LETTERS && most-- > 1)
			*list++ = word_pack(at, length);
		else if (length)
			s->columns.words[writes] = word;
		at += length;
	}
	columns_words(list, usual);
}

static int
check_given(const struct csv *s, struct error *e)
{
	if (!has(s, OFFSET) && !has(s, OBJECT))
		return error_usage(e,
		    "csv: which column is the offset, or the identifier of an object? as in "
		    "csv:offset=2 or csv:object=2");
	if (has(s, OBJECT) &&
	    (has(s, OFFSET) || has(s, LENGTH) || has(s, VOLUME) || has(s, FILE_NAME) ||
		has(s, SIZE)))
		return error_usage(e,
		    "csv: an object is one block: leave out offset, length, size, file and volume");
	if (has(s, EVENT) != !!s->take)
		return error_usage(e,
		    "csv: event and take belong together, as in csv:event=3,take=Q,offset=5");
	return 0;
}

static int
init(void *self, struct error *e)
{
	static const char separator[] = { 0, ',', ' ', '\t', ';', '|' };
	static const char decimal[] = { 0, '.', ',' };
	struct csv	 *s = self;

	if (!is_given(s))
		return 0;
	if (check_given(s, e) || place_numbers(s, e))
		return -1;
	s->objects.unit = s->unit > 1 ? s->unit : OBJECT_UNIT;
	s->columns.odd = s->columns.more = true;
	s->columns.separator = separator[s->separator];
	s->columns.decimal = decimal[s->decimal];
	if (!s->columns.offset_unit)
		s->columns.offset_unit = s->unit;
	if (!s->columns.length_unit)
		s->columns.length_unit = has(s, LENGTH) ? s->unit : s->columns.offset_unit;
	add_words(s, 0, HINT_READS);
	add_words(s, 1, HINT_WRITES);
	return 0;
}

/* ---- reading ---- */

static int
skip_lines(struct csv *s, struct input *in, struct error *e)
{
	char  *line;
	size_t length;

	for (uint64_t i = 0; i < s->skip; i++) {
		int status = input_line(in, &line, &length, e);

		if (status <= 0)
			return status
			    ? status
			    : error_set(e,
				  "has no more than the %" PRIu64 " lines of skip=", s->skip);
	}
	return 0;
}

/* The next line that is not blank tells the columns. */
static int
read_heading(struct csv *s, struct input *in, struct error *e)
{
	char	    heading[HEADING_ROOM], *line;
	const char *names;
	size_t	    length;

	do {
		int status = input_line(in, &line, &length, e);

		if (status <= 0)
			return status ? status : error_set(e, "has no heading");
		line[strcspn(line, "\r")] = '\0';
		names = scan_blanks(line);
	} while (!*names);
	s->columns.heading = checksum(line, strlen(line));
	s->columns.headings = 1;
	if (*names == '#')
		names = scan_blanks(names + 1);
	snprintf(heading, sizeof(heading), "%s", names);
	return place_names(s, heading, e);
}

static int
begin(struct csv *s, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head;

	s->begun = true;
	if (skip_lines(s, in, e))
		return -1;
	if (!is_given(s))
		return 0;
	head = input_head(in, &n, e);
	if (!head)
		return -1;
	if (!s->columns.separator)
		s->columns.separator = columns_separator(head, n);
	if (has_names(s) && read_heading(s, in, e))
		return -1;
	columns_prepare(&s->columns, s->others ? &skipping_table : &table);
	if (has(s, OBJECT))
		input_note(in, "each identifier is one block, whatever the size of its object");
	return 0;
}

/* Is the row one of those that are asked for? */
static bool
is_taken(const struct csv *s)
{
	const struct span *event = &s->columns.event;
	size_t		   n;
	const char	  *word = param_text(s->take, &n);

	return !event->start ||
	    (n == (size_t)(event->end - event->start) && !memcmp(event->start, word, n));
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	struct csv  *s = self;
	struct span *object = &s->columns.object;
	int	     status;

	if (unlikely(!s->begun) && begin(s, in, e))
		return -1;
	while ((status = columns_read(&s->columns, &own_table, in, r, e)) > 0 &&
	    unlikely(!is_taken(s))) {
		input_count(in, "rows of other events were skipped");
		*r = (struct record){ .file_size = SIZE_UNKNOWN };
	}
	if (status > 0 && unlikely(object->start))
		return objects_place(&s->objects,
			   checksum(object->start, (size_t)(object->end - object->start)), r, e)
		    ? -1
		    : 1;
	if (status < 0 && s->columns.table == &own_table && !input_line_number(in))
		return error_set(e, "which columns? The first line is not " HEADING);
	return status;
}

static void
csv_release(void *self)
{
	columns_release(self);
	map_release(&((struct csv *)self)->objects.number);
}

/* ---- writing ---- */

enum { LINE_ROOM = 128 };

/* Can it do without quotes? */
static bool
is_plain(const char *name)
{
	size_t usual = strspn(name,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "/._-+:=~@%");

	return *name && !name[usual];
}

/* "the ""name""": room for twice the name and three characters more. */
static void
quote(char *to, const char *name)
{
	*to++ = '"';
	for (; *name; name++) {
		*to++ = (unsigned char)*name < ' ' ? '?' : *name;
		if (*name == '"')
			*to++ = '"';
	}
	*to++ = '"';
	*to = '\0';
}

/* The name of a file as it is written, for free(); NULL: out of memory. */
static char *
written_name(const struct trace *t, file_t f, struct names *taken, struct error *e)
{
	const char *name = t->file[f].name;
	size_t	    room = (name ? 2 * strlen(name) : 0) + LINE_ROOM, n;
	char	   *text = malloc(room);
	uint32_t    before = taken->n;

	if (!text)
		goto no_memory;
	if (!name)
		snprintf(text, room, "%" PRIu64, t->file[f].inode);
	else if (is_plain(name))
		strcpy(text, name);
	else
		quote(text, name);
	if (!names_intern(taken, text))
		goto no_memory;
	if (taken->n > before)
		return text;
	n = strlen(text); /* the name of another file, too: number them */
	n -= text[n - 1] == '"';
	snprintf(text + n, room - n, "#%" PRIu32 "%s", f, *text == '"' ? "\"" : "");
	return text;
no_memory:
	error_no_memory(e);
	free(text);
	return NULL;
}

static int
write_access(const struct trace *t, const struct access *a, char *const name[], struct output *out,
    struct error *e)
{
	const struct open_file *f = &t->open[a->open];
	char			line[LINE_ROOM];
	int			n;

	n = snprintf(line, sizeof(line), "%" PRId64 ",%" PRIu32 ",%c,", a->time,
	    t->process[f->process].pid, a->write ? 'W' : 'R');
	if (output_bytes(out, line, (size_t)n, e) ||
	    output_bytes(out, name[f->file], strlen(name[f->file]), e))
		return -1;
	n = snprintf(line, sizeof(line), ",%" PRIu64 ",%" PRIu32 "\n", a->offset,
	    (uint32_t)a->length);
	return output_bytes(out, line, (size_t)n, e);
}

static int
name_files(const struct trace *t, char *name[], struct error *e)
{
	struct names taken = { 0 };
	int	     status = 0;

	for (file_t f = 0; f < t->nfiles && !status; f++) {
		name[f] = written_name(t, f, &taken, e);
		status = name[f] ? 0 : -1;
	}
	names_release(&taken);
	return status;
}

/* Reading the lines gives the same accesses, but for opens and sizes of files. */
static int
csv_write(const struct trace *t, struct output *out, struct error *e)
{
	char **name = calloc(t->nfiles, sizeof(*name));
	int    status = name ? name_files(t, name, e) : error_no_memory(e);

	if (!status)
		status = output_bytes(out, HEADING "\n", strlen(HEADING "\n"), e);
	for (size_t i = 0; i < t->naccess && !status; i++)
		if ((i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e)) ||
		    write_access(t, &t->access[i], name, out, e))
			status = -1;
	for (file_t f = 0; name && f < t->nfiles; f++)
		free(name[f]);
	free(name);
	return status;
}

FORMAT(csv,
    .plugin = { .name = "csv",
	.summary = "rows of columns: csv:time=1,op=2,offset=3,length=4, or the heading " HEADING,
	.state_size = sizeof(struct csv),
	.params = params },
    .ending = ".csv", .loses = LOSES_OPENS | LOSES_SIZES | LOSES_ADVICE | LOSES_STEPS,
    .recognise = csv_recognise, .lacking = lacking, .init = init, .read = read_row,
    .release = csv_release, .write = csv_write);

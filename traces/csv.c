/*
 * csv.c - rows of columns that the command line names: --format csv:offset=2,length=3
 *
 *	time_us,pid,op,file,offset,length
 *	558,3910,R,/lib/libc.so.6,0,832
 *
 * A parameter is the number of a column, from 1.  A column that is not given
 * is not in the trace: without op all calls are reads, without length a call
 * is one unit of offset, or one byte if that is its unit.
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

#include "sim/base/map.h"
#include "sim/base/word.h"
#include "traces/columns/columns.h"

#define HEADING "time_us,pid,op,file,offset,length"
#define READS "r read reads pread readv rd rs ra rm rsm ram"
#define WRITES "w write writes pwrite writev wr ws wm wsm wfs"

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

#define OTHER_UNITS (1U << TIME_MS | 1U << TIME_US | 1U << TIME_NS)

static const struct row_table table = { .rivals = OTHER_UNITS },
			      skipping_table = {
				      .rivals = OTHER_UNITS,
				      .others = "rows other than reads and writes were skipped",
			      };

/* Columns by number; 0: not given.  In the order of their parameters. */
enum { TIME, OP, OFFSET, LENGTH, VOLUME, FILE_NAME, PID, PROCESS, SIZE, GIVEN };

struct csv {
	struct columns columns;
	uint64_t       column[GIVEN];
	uint64_t       unit, separator, read, write, others;
};

static const enum column kind_of[GIVEN] = { COLUMN_TIME, COLUMN_OP, COLUMN_OFFSET, COLUMN_LENGTH,
	COLUMN_NAME, COLUMN_NAME, COLUMN_PID, COLUMN_PROCESS, COLUMN_FILE_SIZE };

static const char *const separators[] = { "comma", "blank", "tab", "semicolon", NULL };
static const char *const others[] = { "refuse", "skip", NULL };

#define COLUMN(name, place, meaning)                                                               \
	{                                                                                          \
		name, PARAM_COUNT, 0, 0, COLUMNS_MAX,                                              \
		    offsetof(struct csv, column) + (place) * sizeof(uint64_t), meaning, NULL       \
	}

static const struct param params[] = {
	COLUMN("time", TIME, "number of the column of the time; 0: there is none"),
	COLUMN("op", OP, "... of the kind of call, such as R, read, W or write"),
	COLUMN("offset", OFFSET, "... of the offset"),
	COLUMN("length", LENGTH, "... of the length"),
	COLUMN("volume", VOLUME, "... of the name or number of the volume"),
	COLUMN("file", FILE_NAME, "... of the name or number of the file"),
	COLUMN("pid", PID, "... of the number of the process"),
	COLUMN("process", PROCESS, "... of the name of the process"),
	COLUMN("size", SIZE, "... of the size of the file in bytes"),
	{ "unit", PARAM_BYTES, 1, 1, 1 << 30, offsetof(struct csv, unit),
	    "bytes of a unit of offset and length", NULL },
	{ "offset-unit", PARAM_BYTES, 0, 0, 1 << 30, offsetof(struct csv, columns.offset_unit),
	    "bytes of a unit of offset, if another; 0: the same", NULL },
	{ "length-unit", PARAM_BYTES, 0, 0, 1 << 30, offsetof(struct csv, columns.length_unit),
	    "bytes of a unit of length, if another; 0: the same", NULL },
	COLUMNS_TIME_UNIT,
	{ "separator", PARAM_WORD, 0, 0, 3, offsetof(struct csv, separator),
	    "what is between columns; blank: any number of blanks and tabs", separators },
	{ "read", PARAM_NAME, 0, 0, WORD_MAX, offsetof(struct csv, read),
	    "the word of a read, besides R, read and the like", NULL },
	{ "write", PARAM_NAME, 0, 0, WORD_MAX, offsetof(struct csv, write),
	    "the word of a write, besides W, write and the like", NULL },
	{ "others", PARAM_WORD, 0, 0, 1, offsetof(struct csv, others),
	    "rows whose word is neither of a read nor of a write", others },
	{ 0 },
};

static bool
csv_recognise(const char *head, size_t n)
{
	return columns_begin(HEADING, head, n);
}

static bool
is_given(const struct csv *s)
{
	for (unsigned i = 0; i < GIVEN; i++)
		if (s->column[i])
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
	lacks |= s->column[FILE_NAME] ? 0 : LACKS_FILES;
	lacks |= s->column[PID] || s->column[PROCESS] ? 0 : LACKS_PROCESSES;
	lacks |= s->column[TIME] ? 0 : LACKS_TIMES;
	return lacks | (s->column[LENGTH] ? 0 : LACKS_LENGTHS);
}

static int
place_columns(struct csv *s, struct error *e)
{
	for (unsigned i = 0; i < GIVEN; i++) {
		uint64_t number = s->column[i];

		if (!number)
			continue;
		if (s->columns.kind[number - 1])
			return error_usage(e, "csv: column %" PRIu64 " is given twice, last as %s",
			    number, params[i].name);
		s->columns.kind[number - 1] = (uint8_t)kind_of[i];
		if (s->columns.n < number)
			s->columns.n = (unsigned)number;
	}
	return 0;
}

/* The word of the user comes first, then those that are usual. */
static void
add_word(uint64_t list[WORDS_MAX], uint64_t word, const char *usual)
{
	if (word)
		*list++ = word;
	columns_words(list, usual);
}

static int
init(void *self, struct error *e)
{
	static const char separator[] = { ',', ' ', '\t', ';' };
	struct csv	 *s = self;

	if (!is_given(s))
		return 0;
	if (!s->column[OFFSET])
		return error_usage(e, "csv: which column is the offset? as in csv:offset=2");
	if (place_columns(s, e))
		return -1;
	s->columns.more = true;
	s->columns.separator = separator[s->separator];
	if (!s->columns.offset_unit)
		s->columns.offset_unit = s->unit;
	if (!s->columns.length_unit)
		s->columns.length_unit = s->column[LENGTH] ? s->unit : s->columns.offset_unit;
	add_word(s->columns.read, s->read, READS);
	add_word(s->columns.write, s->write, WRITES);
	columns_prepare(&s->columns, s->others ? &skipping_table : &table);
	return 0;
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	struct csv *s = self;
	int	    status;

	status = columns_read(&s->columns, &own_table, in, r, e);
	if (status >= 0 || s->columns.table != &own_table || input_line_number(in))
		return status;
	return error_set(e,
	    "which columns? The first line is not " HEADING
	    ": give their numbers, as in --format csv:time=1,op=2,offset=3,length=4");
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
    .release = columns_release, .write = csv_write);

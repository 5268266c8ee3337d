/*
 * fiolog.c - logs of single requests that fio writes: write_lat_log, write_iops_log, write_bw_log.
 *
 *	1, 5041, 1, 4096, 12288, 0
 *
 * A row is a request that fio has made: milliseconds from its start (or since
 * 1970), the value measured, 0 for a read, 1 a write, 2 a trim, and bytes.  The
 * offset is there with log_offset=1; a priority follows it since fio 3.20, and
 * with log_issue_time=1 the nanosecond at which the request was issued.
 * Without log_offset, the priority is where the offset would be: it is the same
 * in all rows.  With log_avg_msec rows are averages and no requests.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

enum { ROWS = 64, LINE_ROOM = 128, FIELDS = 8, BYTES = 3, OFFSET = 4, ISSUED = 6 };

static const struct row_table table = {
	.separator = ',',
	.column = { { "time", COLUMN_TIME }, { "value", COLUMN_SKIPPED },
	    { "direction", COLUMN_OP }, { "bytes", COLUMN_LENGTH }, { "offset", COLUMN_OFFSET } },
	.more = true,
	.time_unit = TIME_MS,
	.reads = "0",
	.writes = "1",
	.others = "trims and syncs were left out",
};

/* With the time at which a request was issued, in a file that has it. */
static const struct row_table issued_table = {
	.separator = ',',
	.column = { { "time", COLUMN_SKIPPED }, { "value", COLUMN_SKIPPED },
	    { "direction", COLUMN_OP }, { "bytes", COLUMN_LENGTH }, { "offset", COLUMN_OFFSET },
	    { "priority", COLUMN_SKIPPED }, { "issued", COLUMN_TIME } },
	.more = true,
	.time_unit = TIME_NS,
	.reads = "0",
	.writes = "1",
	.others = "trims and syncs were left out",
};

struct fiolog {
	struct columns columns;
	bool	       begun, issued;
};

/* What the first rows have in common. */
struct seen {
	unsigned rows, fields; /* of the shortest */
	bool	 sized,
	    placed; /* a length that is not 0; offsets that differ, or that a priority follows */
	uint64_t offset;
	unsigned issued; /* rows with the time at which they were */
};

static void
look_at_row(struct seen *s, char *line)
{
	char	*field[FIELDS];
	unsigned n = scan_fields(line, ',', field, FIELDS);
	uint64_t offset;

	if (!s->rows++ || n < s->fields)
		s->fields = n;
	if (n <= BYTES)
		return;
	s->issued += n > ISSUED && strtoull(field[ISSUED], NULL, 10);
	s->sized |= strcmp(field[BYTES], " 0") != 0;
	if (n <= OFFSET)
		return;
	offset = strtoull(field[OFFSET], NULL, 10);
	s->placed |=
	    n > OFFSET + 1 || (s->rows > 1 && s->offset != offset && offset % SECTOR_BYTES == 0);
	s->offset = offset;
}

static struct seen
look(const char *head, size_t n)
{
	char	    line[LINE_ROOM];
	struct seen s = { 0 };

	while (s.rows < ROWS && memchr(head, '\n', n) && scan_head(&head, &n, line, sizeof(line)))
		look_at_row(&s, line);
	return s;
}

/* Blanks behind commas tell such a row from other rows of five numbers. */
static bool
is_row(void *context, char *line)
{
	const char *s = line;
	uint64_t    n[BYTES + 1];

	for (unsigned i = 0; i <= BYTES; i++) {
		s = scan_digits(s, UINT64_MAX, &n[i]);
		if (!s || (i < BYTES && (*s++ != ',' || *s++ != ' ')))
			return false;
	}
	return n[2] <= 3 && n[3] % SECTOR_BYTES == 0 &&
	    (scan_ends_line(s) || (*s == ',' && s[1] == ' '));
}

static bool
fiolog_recognise(const char *head, size_t n)
{
	return scan_rows_are(head, n, is_row, NULL);
}

static int
begin(struct fiolog *f, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);
	struct seen s;

	if (!head)
		return -1;
	f->begun = true;
	s = look(head, n);
	if (s.rows && !s.sized)
		return error_set(e,
		    "averages instead of requests: run fio without log_avg_msec, and with log_offset=1");
	if (s.rows && (s.fields <= OFFSET || (!s.placed && s.rows > 1)))
		return error_set(e, "requests without offsets: run fio with log_offset=1");
	f->issued = s.rows && s.issued == s.rows;
	input_note(in,
	    f->issued ? "times are those at which requests were issued"
		      : "times are whole milliseconds, at which requests had been completed");
	return 0;
}

static int
fiolog_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct fiolog *f = self;

	if (unlikely(!f->begun) && begin(f, in, e))
		return -1;
	return columns_read(&f->columns, f->issued ? &issued_table : &table, in, r, e);
}

FORMAT(fiolog,
    .plugin = { .name = "fiolog",
	.summary = "logs of fio with log_offset: time, value, direction, bytes, offset",
	.state_size = sizeof(struct fiolog) },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = fiolog_recognise, .read = fiolog_read,
    .release = columns_release);

/*
 * arc.c - traces of the authors of ARC (.lis).
 *
 *	110765 64 0 0
 *
 * A row is a request: first block, number of blocks, a number without meaning,
 * number of the request.  The last of these counts rows, in parts of a file as
 * well, or is 0 in all of them: that tells the format from other rows of four
 * numbers, such as time, block, 0 and size.  All are reads.  Blocks are 512 bytes, except for those of OLTP, which are pages
 * of a data base: unit=4096.
 *
 *	N. Megiddo, D. S. Modha.  ARC: a self-tuning, low overhead replacement
 *	cache.  FAST 2003.
 */
#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "start", COLUMN_OFFSET }, { "blocks", COLUMN_LENGTH },
	    { "ignored", COLUMN_SKIPPED }, { "request", COLUMN_SKIPPED } },
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of a block", NULL },
	{ 0 },
};

/* The requests of the rows so far. */
struct requests {
	uint64_t last, rows, steps;
};

static bool
is_row(void *context, char *line)
{
	struct requests *q = context;
	const char	*s = scan_blanks(line);
	uint64_t	 number = 0;

	for (unsigned i = 0; i < 4; i++) {
		s = scan_number(s, UINT64_MAX, &number);
		if (!s)
			return false;
		s = scan_blanks(s);
	}
	if (!scan_ends_line(s) || (q->rows++ && number - q->last > 1))
		return false;
	q->steps += q->rows > 1 && number != q->last;
	q->last = number;
	return true;
}

static bool
arc_recognise(const char *head, size_t n)
{
	struct requests q = { 0 };

	return scan_rows_are(head, n, is_row, &q) && (q.rows == 1 || q.steps || !q.last);
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	return columns_read(self, &table, in, r, e);
}

FORMAT(arc,
    .plugin = { .name = "arc",
	.summary = "ARC (.lis): start blocks 0 request",
	.state_size = sizeof(struct columns),
	.params = params,
	.source = "Megiddo, Modha: ARC, FAST 2003" },
    .lacks = LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES, .recognise = arc_recognise,
    .read = read_row, .release = columns_release);

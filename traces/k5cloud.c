/*
 * k5cloud.c - block traces of Fujitsu's cloud K5.
 *
 *	1157,3.828359000,W,7155568640,4096
 *
 * A row is a request to a volume: its number, seconds since the start, R or W,
 * offset and length in bytes.  There is no heading.  Rows that are numbered in
 * front are those of something else.
 *
 *	Fujitsu K5 cloud service traces.  SNIA IOTTA repository.
 */
#include "sim/trace/scan.h"
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "volume", COLUMN_VOLUME }, { "timestamp", COLUMN_TIME },
	    { "type", COLUMN_OP }, { "offset", COLUMN_OFFSET }, { "size", COLUMN_LENGTH } },
	.time_unit = TIME_S,
	.reads = "R",
	.writes = "W",
	.row = "^[0-9]+,[0-9]+\\.[0-9]+,[RW],[0-9]+,[0-9]+$",
};

enum { NUMBERED = 3, LINE_ROOM = 256 };

/* Do the first rows begin with 1, 2 and 3, or 0, 1 and 2? */
static bool
are_numbered(const char *head, size_t n)
{
	char	 line[LINE_ROOM];
	uint64_t first = 0;

	for (unsigned rows = 0; rows < NUMBERED;) {
		uint64_t    number;
		const char *end;

		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
		end = scan_digits(line + (*line == '"'), UINT32_MAX, &number);
		if (!end)
			continue; /* a heading */
		first = rows ? first : number;
		if (first > 1 || number != first + rows++)
			return false;
	}
	return true;
}

static bool
k5cloud_recognise(const char *head, size_t n)
{
	return columns_recognise(&table, head, n) && !are_numbered(head, n);
}

static int
k5cloud_read(void *self, struct input *in, struct record *r, struct error *e)
{
	return columns_read(self, &table, in, r, e);
}

FORMAT(k5cloud,
    .plugin = { .name = "k5cloud",
	.summary = "K5cloud: volume,timestamp,type,offset,size",
	.state_size = sizeof(struct columns),
	.params = columns_params },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = k5cloud_recognise, .read = k5cloud_read,
    .release = columns_release);

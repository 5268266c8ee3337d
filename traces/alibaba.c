/*
 * alibaba.c - block traces of Alibaba Cloud.
 *
 *	419,W,8792731648,16384,1577808144360767
 *
 * A row is a request to a virtual disk: its number, R or W, offset and length in
 * bytes, microseconds since 1970.  There is no heading.
 *
 *	J. Li, Q. Wang, P. P. C. Lee, C. Shi.  An in-depth analysis of cloud
 *	block storage workloads in large-scale production.  IISWC 2020.
 */
#include "sim/trace/scan.h"
#include "traces/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "device", COLUMN_VOLUME }, { "opcode", COLUMN_OP },
	    { "offset", COLUMN_OFFSET }, { "length", COLUMN_LENGTH },
	    { "timestamp", COLUMN_TIME } },
	.time_unit = TIME_US,
	.reads = "R",
	.writes = "W",
};

static bool
is_row(char *line)
{
	return columns_match(line, "^[0-9]+,[RW],[0-9]+,[0-9]+,[0-9]{16}$");
}

static bool
recognise(const char *head, size_t n)
{
	return scan_rows_are(head, n, is_row);
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	return columns_read(self, &table, in, r, e);
}

FORMAT(alibaba,
    .plugin = { .name = "alibaba",
	.summary = "Alibaba Cloud: device,opcode,offset,length,timestamp",
	.state_size = sizeof(struct columns),
	.source =
	    "Li, Wang, Lee, Shi: An in-depth analysis of cloud block storage workloads, IISWC 2020" },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = recognise, .read = read_row,
    .release = columns_release);

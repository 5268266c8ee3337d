/*
 * lirs.c - traces of the authors of LIRS.
 *
 *	42
 *	*
 *
 * A row is the number of a block, which is read.  A * is a break between programs
 * and is skipped.  The numbers of the published traces are given in the order of
 * first use: neighbours are not neighbours on a device, and a prefetcher of the
 * next block is right by construction.  A block is `unit` bytes long.
 *
 *	S. Jiang, X. Zhang.  LIRS: an efficient low inter-reference recency set
 *	replacement policy to improve buffer cache performance.  SIGMETRICS 2002.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "block", COLUMN_OFFSET } },
	.others = "lines of * were skipped",
	.mark = '*',
	.row = "^[[:blank:]]*([0-9]+|\\*)[[:blank:]]*$",
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 4096, 512, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of each block: that of --block", NULL },
	{ 0 },
};

static bool
lirs_recognise(const char *head, size_t n)
{
	return n && *head != '#' && columns_recognise(&table, head, n);
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	return columns_read(self, &table, in, r, e);
}

FORMAT(lirs,
    .plugin = { .name = "lirs",
	.summary = "LIRS: numbers of blocks",
	.state_size = sizeof(struct columns),
	.params = params,
	.source = "Jiang, Zhang: LIRS, SIGMETRICS 2002" },
    .lacks = LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES,
    .recognise = lirs_recognise, .read = read_row, .release = columns_release);

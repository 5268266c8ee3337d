/*
 * arc.c - traces of the authors of ARC (.lis).
 *
 *	110765 64 0 0
 *
 * A row is a request: first block, number of blocks, 0, number of the request.
 * All are reads.  Blocks are 512 bytes, except for those of OLTP, which are pages
 * of a data base: unit=4096.
 *
 *	N. Megiddo, D. S. Modha.  ARC: a self-tuning, low overhead replacement
 *	cache.  FAST 2003.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "start", COLUMN_OFFSET }, { "blocks", COLUMN_LENGTH },
	    { "ignored", COLUMN_SKIPPED }, { "request", COLUMN_SKIPPED } },
	.row = "^[[:blank:]]*[0-9]+[[:blank:]]+[0-9]+[[:blank:]]+0[[:blank:]]+[0-9]+[[:blank:]]*$",
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of a block", NULL },
	{ 0 },
};

COLUMNS_FORMAT(arc,
    .plugin = { .name = "arc",
	.summary = "ARC (.lis): start blocks 0 request",
	.state_size = sizeof(struct columns),
	.params = params,
	.source = "Megiddo, Modha: ARC, FAST 2003" },
    .lacks = LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES);

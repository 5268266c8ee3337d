/*
 * spc.c - the trace format of the Storage Performance Council, as of UMass.
 *
 *	0,20941264,8192,W,0.551706
 *
 * A row is a request to an application storage unit: its number, the first
 * block, the length in bytes, R or W, seconds since the start.  Blocks are 512
 * bytes in the published traces, and are counted from 0 in each unit, which is a
 * volume here.  Further fields may follow; they are skipped.
 *
 *	Storage Performance Council.  SPC trace file format specification,
 *	revision 1.0.1, 2002.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "asu", COLUMN_VOLUME }, { "lba", COLUMN_OFFSET }, { "size", COLUMN_LENGTH },
	    { "opcode", COLUMN_OP }, { "timestamp", COLUMN_TIME } },
	.more = true,
	.time_unit = TIME_S,
	.offset_unit = 512,
	.reads = "R",
	.writes = "W",
	.row = "^[0-9]+,[0-9]+,[0-9]+,[RrWw],[0-9]+(\\.[0-9]+)?(,|$)",
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of a block of lba", NULL },
	COLUMNS_TIME_UNIT,
	{ 0 },
};

COLUMNS_FORMAT(spc,
    .plugin = { .name = "spc",
	.summary = "SPC (UMass): asu,lba,size,opcode,timestamp",
	.state_size = sizeof(struct columns),
	.params = params,
	.source = "SPC trace file format specification, revision 1.0.1, 2002" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

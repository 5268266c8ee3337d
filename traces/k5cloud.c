/*
 * k5cloud.c - block traces of Fujitsu's cloud K5.
 *
 *	1157,3.828359000,W,7155568640,4096
 *
 * A row is a request to a volume: its number, seconds since the start, R or W,
 * offset and length in bytes.  There is no heading.
 *
 *	Fujitsu K5 cloud service traces.  SNIA IOTTA repository.
 */
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

COLUMNS_FORMAT(k5cloud,
    .plugin = { .name = "k5cloud",
	.summary = "K5cloud: volume,timestamp,type,offset,size",
	.state_size = sizeof(struct columns),
	.params = columns_params },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

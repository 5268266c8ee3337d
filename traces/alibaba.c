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
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "device", COLUMN_VOLUME }, { "opcode", COLUMN_OP },
	    { "offset", COLUMN_OFFSET }, { "length", COLUMN_LENGTH },
	    { "timestamp", COLUMN_TIME } },
	.time_unit = TIME_US,
	.reads = "R",
	.writes = "W",
	.row = "^[0-9]+,[RW],[0-9]+,[0-9]+,[0-9]{16}$",
};

COLUMNS_FORMAT(alibaba,
    .plugin = { .name = "alibaba",
	.summary = "Alibaba Cloud: device,opcode,offset,length,timestamp",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source =
	    "Li, Wang, Lee, Shi: An in-depth analysis of cloud block storage workloads, IISWC 2020" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

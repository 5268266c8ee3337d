/*
 * msr.c - block traces of MSR Cambridge servers.
 *
 *	128166372003061629,hm,1,Read,383496192,32768,113736
 *
 * A row is a request to a volume: time in units of 100 ns since 1601, host and
 * number of the disk, Read or Write, offset and length in bytes, response time.
 * Host and disk are the name of the volume, "hm:1".  There is no heading.
 *
 *	D. Narayanan, A. Donnelly, A. Rowstron.  Write off-loading: practical
 *	power management for enterprise storage.  FAST 2008.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "timestamp", COLUMN_TIME }, { "host", COLUMN_NAME }, { "disk", COLUMN_NAME },
	    { "type", COLUMN_OP }, { "offset", COLUMN_OFFSET }, { "size", COLUMN_LENGTH },
	    { "response", COLUMN_SKIPPED } },
	.time_unit = TIME_100NS,
	.format = "msr",
	.reads = "Read R",
	.writes = "Write W",
	.row = "^1[0-9]{17},[^,]*,[0-9]+,([Rr]ead|[Ww]rite),[0-9]+,[0-9]+,[0-9]+$",
};

COLUMNS_FORMAT(msr,
    .plugin = { .name = "msr",
	.summary = "MSR Cambridge: timestamp,host,disk,type,offset,size,response",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source = "Narayanan, Donnelly, Rowstron: Write off-loading, FAST 2008" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

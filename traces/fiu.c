/*
 * fiu.c - block traces of Florida International University (FIU IODedup).
 *
 *	89968195792462 20782 gzip 283193184 8 R 6 0 56f11b711d91a065a2b6458eca924523
 *
 * A row is a request to a device: time in nanoseconds, number and name of the
 * process, first sector and number of sectors of 512 bytes, R or W, major and
 * minor number of the device, hash of the data.  The device is a volume, "6:0".
 *
 *	R. Koller, R. Rangaswami.  I/O deduplication: utilizing content
 *	similarity to improve I/O performance.  FAST 2010.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "timestamp", COLUMN_TIME }, { "pid", COLUMN_PID },
	    { "process", COLUMN_PROCESS }, { "lba", COLUMN_OFFSET }, { "size", COLUMN_LENGTH },
	    { "type", COLUMN_OP }, { "major", COLUMN_NAME }, { "minor", COLUMN_NAME } },
	.more = true,
	.time_unit = TIME_NS,
	.apart_us = 50, /* on the disks of a server */
	.format = "fiu",
	.offset_unit = 512,
	.reads = "R",
	.writes = "W",
	.row =
	    "^ *[0-9]+ +[0-9]+ +[^ ]+ +[0-9]+ +[0-9]+ +[RrWw] +[0-9]+ +[0-9]+( +[0-9a-fA-F]+)? *$",
};

COLUMNS_FORMAT(fiu,
    .plugin = { .name = "fiu",
	.summary = "FIU: timestamp pid process lba size type major minor md5",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source = "Koller, Rangaswami: I/O deduplication, FAST 2010" },
    .lacks = LACKS_FILES);

/*
 * iotracer.c - file traces of io-tracer.
 *
 *	timestamp,operation,pid,command,filename,size,inode,flags,latency_ns,offset,tid
 *	2024-01-31 23:59:59.500000,READ,4321,sqlite3,/data/my.db,4096,77,,1200,8192,4321
 *
 * A row is a call: time as a date or in nanoseconds, kind, number and name of the
 * process, name of the file, bytes moved, inode, offset.  The heading is required:
 * it tells the order of the columns, some of which older or newer versions lack.
 * Rows other than reads and writes are skipped.  A name without a directory is
 * told from others by the inode.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.column = { { "timestamp", COLUMN_TIME }, { "operation", COLUMN_OP }, { "pid", COLUMN_PID },
	    { "command", COLUMN_PROCESS | OPTIONAL }, { "filename", COLUMN_NAME },
	    { "size", COLUMN_LENGTH }, { "inode", COLUMN_INODE | OPTIONAL },
	    { "offset", COLUMN_OFFSET } },
	.headed = true,
	.by_header = true,
	.time_unit = TIME_NS,
	.format = "io-tracer",
	.reads = "READ R",
	.writes = "WRITE W",
	.others = "rows other than reads and writes were skipped",
};

COLUMNS_FORMAT(iotracer,
    .plugin = { .name = "io-tracer",
	.summary = "io-tracer: a heading with timestamp, operation, pid, filename, size, offset",
	.state_size = sizeof(struct columns),
	.params = columns_params });

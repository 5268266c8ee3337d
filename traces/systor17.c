/*
 * systor17.c - block traces of virtual desktops (Systor '17).
 *
 *	Timestamp,Response,IOType,LUN,Offset,Size
 *	1456095145.133076000,0.000806000,R,0,899056122368,131072
 *
 * A row is a request to a volume: seconds since 1970, response time in seconds,
 * R or W, number of the volume, offset and length in bytes.  A row without a type
 * is a command that moves no data: it is skipped, and the report says so.  The
 * response time may be missing.
 *
 *	C. Lee, T. Kumano, T. Matsuki, H. Endo, N. Fukumoto, M. Sugawara.
 *	Understanding storage traffic characteristics on enterprise virtual
 *	desktop infrastructure.  SYSTOR 2017.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "timestamp", COLUMN_TIME }, { "response", COLUMN_SKIPPED },
	    { "iotype", COLUMN_OP }, { "lun", COLUMN_VOLUME }, { "offset", COLUMN_OFFSET },
	    { "size", COLUMN_LENGTH } },
	.headed = true,
	.time_unit = TIME_S,
	.reads = "R",
	.writes = "W",
	.others = "rows that are neither reads nor writes (no R, no W) were skipped",
	.row = "^[0-9]{9,10}\\.[0-9]+,([0-9.]+)?,[A-Z]*,[0-9]+,[0-9]+,[0-9]+$",
};

COLUMNS_FORMAT(systor17,
    .plugin = { .name = "systor17",
	.summary = "Systor'17: timestamp,response,iotype,lun,offset,size",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source =
	    "Lee et al.: Understanding storage traffic characteristics on enterprise virtual desktop infrastructure, SYSTOR 2017" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

/*
 * tencent.c - block traces of Tencent's Cloud Block Storage.
 *
 *	1538323200,12910952,128,0,1063
 *
 * A row is a request to a virtual disk: seconds since 1970, offset and length in
 * sectors of 512 bytes, 0 for a read and 1 for a write, number of the disk.
 * There is no heading.  In one published copy offsets are in bytes: offset-unit=1.
 *
 *	Y. Zhang, P. Huang, K. Zhou, H. Wang, J. Hu, Y. Ji, B. Cheng.  OSCA: an
 *	online-model based cache allocation scheme in cloud block storage
 *	systems.  USENIX ATC 2020.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "timestamp", COLUMN_TIME }, { "offset", COLUMN_OFFSET },
	    { "size", COLUMN_LENGTH }, { "type", COLUMN_OP }, { "volume", COLUMN_VOLUME } },
	.time_unit = TIME_S,
	.length_unit = 512,
	.reads = "0",
	.writes = "1",
	.row = "^[0-9]{10},[0-9]+,[0-9]+,[01],[0-9]+$",
};

static const struct param params[] = {
	{ "offset-unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of a unit of offset", NULL },
	{ "length-unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, length_unit),
	    "bytes of a unit of size", NULL },
	COLUMNS_TIME_UNIT,
	{ 0 },
};

COLUMNS_FORMAT(tencent,
    .plugin = { .name = "tencent",
	.summary = "Tencent Cloud: timestamp,offset,size,type,volume",
	.state_size = sizeof(struct columns),
	.params = params,
	.source = "Zhang et al.: OSCA, USENIX ATC 2020" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

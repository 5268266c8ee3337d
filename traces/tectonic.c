/*
 * tectonic.c - block traces of Meta's Tectonic file system.
 *
 *	block_id io_offset io_size op_time op_name user_namespace ...
 *
 * A row is a request to a block, which is a file here: its number, offset and
 * length in bytes, seconds, name of the operation.  getChunkData is a read,
 * putChunk a write, whatever follows behind a point.  The heading is required:
 * it tells the order of the columns, and whether commas or blanks are between.
 *
 *	D. L.-K. Wong, H. Wu, C. Molder, S. Gunasekar, J. Lu, S. Khandkar,
 *	A. Sharma, D. S. Berger, N. Beckmann, G. R. Ganger.  Baleen: ML admission
 *	& prefetching for flash caches.  FAST 2024.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.column = { { "op_time", COLUMN_TIME }, { "block_id", COLUMN_NAME },
	    { "io_offset", COLUMN_OFFSET }, { "io_size", COLUMN_LENGTH },
	    { "op_name", COLUMN_OP | OPTIONAL } },
	.headed = true,
	.by_header = true,
	.time_unit = TIME_S,
	.reads = "getChunkData",
	.writes = "putChunk",
	.others = "rows other than getChunkData and putChunk were skipped",
};

COLUMNS_FORMAT(tectonic,
    .plugin = { .name = "tectonic",
	.summary = "Tectonic (Meta): a heading with op_time, block_id, io_offset, io_size",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source = "Wong et al.: Baleen, FAST 2024" },
    .lacks = LACKS_PROCESSES);

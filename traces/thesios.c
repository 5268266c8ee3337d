/*
 * thesios.c - file traces of Google's storage, made by Thesios.
 *
 *	filename,file_offset,...,op_type,...,request_io_size_bytes,...,start_time,...
 *
 * A row is a request to a file: name, offset and length in bytes, READ or WRITE,
 * seconds since 1970.  The heading is required: it tells the order of the columns.
 *
 *	P. M. Phothilimthana, S. Kadekodi, S. Ghodrati, S. Moon, M. Maas.
 *	Thesios: synthesizing accurate counterfactual I/O traces from I/O
 *	samples.  ASPLOS 2024.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.column = { { "filename", COLUMN_NAME }, { "file_offset", COLUMN_OFFSET },
	    { "op_type", COLUMN_OP }, { "request_io_size_bytes", COLUMN_LENGTH },
	    { "start_time", COLUMN_TIME } },
	.headed = true,
	.by_header = true,
	.time_unit = TIME_S,
	.reads = "READ",
	.writes = "WRITE",
	.others = "rows other than reads and writes were skipped",
};

COLUMNS_FORMAT(thesios,
    .plugin = { .name = "thesios",
	.summary = "Thesios (Google): a heading with filename, file_offset, op_type, ...",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source = "Phothilimthana et al.: Thesios, ASPLOS 2024" },
    .lacks = LACKS_PROCESSES);

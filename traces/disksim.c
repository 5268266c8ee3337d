/*
 * disksim.c - the ASCII format of DiskSim.
 *
 *	13.191135 30 0 5 1
 *
 * A row is a request to a device: milliseconds since the start, number of the
 * device, first block and number of blocks of 512 bytes, flags in hexadecimal, of
 * which bit 0 is set for a read.  Files without a fraction in the first times
 * are recognised as mqsim, which reads milliseconds as well.
 *
 *	J. S. Bucy, J. Schindler, S. W. Schlosser, G. R. Ganger.  The DiskSim
 *	simulation environment version 4.0 reference manual.  CMU-PDL-08-101,
 *	2008.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "time", COLUMN_TIME }, { "device", COLUMN_VOLUME },
	    { "block", COLUMN_OFFSET }, { "size", COLUMN_LENGTH }, { "flags", COLUMN_FLAGS } },
	.time_unit = TIME_MS,
	.row =
	    "^[[:blank:]]*[0-9]+\\.[0-9]+([[:blank:]]+[0-9]+){3}[[:blank:]]+[0-9a-fA-F]+[[:blank:]]*$",
};

static const struct param params[] = {
	{ "unit", PARAM_BYTES, 512, 1, 1 << 20, offsetof(struct columns, offset_unit),
	    "bytes of a block", NULL },
	COLUMNS_TIME_UNIT,
	{ 0 },
};

COLUMNS_FORMAT(disksim,
    .plugin = { .name = "disksim",
	.summary = "DiskSim: time device block size flags",
	.state_size = sizeof(struct columns),
	.params = params,
	.source =
	    "Bucy, Schindler, Schlosser, Ganger: The DiskSim simulation environment, CMU-PDL-08-101, 2008" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

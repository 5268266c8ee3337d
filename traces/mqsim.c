/*
 * mqsim.c - the ASCII format of MQSim and SSDsim.
 *
 *	11413000 0 657728 16 1
 *
 * A row is a request to a device: nanoseconds since the start, number of the
 * device, first sector and number of sectors of 512 bytes, 1 for a read and 0 for
 * a write.  DiskSim's format differs by the unit of time, milliseconds with a fraction:
 * whole numbers that cannot be nanoseconds are milliseconds.
 *
 *	A. Tavakkol, J. Gomez-Luna, M. Sadrosadati, S. Ghose, O. Mutlu.  MQSim:
 *	a framework for enabling realistic studies of modern multi-queue SSD
 *	devices.  FAST 2018.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ' ',
	.length_in_blocks = true,
	.column = { { "time", COLUMN_TIME }, { "device", COLUMN_VOLUME }, { "lba", COLUMN_OFFSET },
	    { "size", COLUMN_LENGTH }, { "type", COLUMN_OP } },
	.time_unit = TIME_NS,
	.format = "mqsim",
	.rivals = 1U << TIME_MS, /* of DiskSim */
	.offset_unit = 512,
	.reads = "1",
	.writes = "0",
	.row = "^[[:blank:]]*([0-9]+[[:blank:]]+){4}[01][[:blank:]]*$",
};

COLUMNS_FORMAT(mqsim,
    .plugin = { .name = "mqsim",
	.summary = "MQSim and SSDsim: time device lba size type",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source = "Tavakkol et al.: MQSim, FAST 2018" },
    .lacks = LACKS_FILES | LACKS_PROCESSES);

/*
 * cloudphysics.c - block traces of CloudPhysics, as CSV.
 *
 *	version,time,op,size,lbn
 *	1,5633898,2a,512,42932745
 *
 * A row is a request to a virtual disk: version of the record, seconds, operation
 * code of SCSI in hexadecimal, length in bytes, first sector of 512 bytes.  Codes
 * other than those of READ and WRITE are skipped.  The heading is required: five
 * numbers could be anything.
 *
 *	C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad.  Efficient MRC
 *	construction with SHARDS.  FAST 2015.
 */
#include "traces/columns/columns.h"

static const struct row_table table = {
	.separator = ',',
	.column = { { "version", COLUMN_SKIPPED }, { "time", COLUMN_TIME }, { "op", COLUMN_OP },
	    { "size", COLUMN_LENGTH }, { "lbn", COLUMN_OFFSET } },
	.headed = true,
	.time_unit = TIME_S,
	.rivals = 1U << TIME_US,
	.offset_unit = 512,
	.reads = "28 8 08 88 a8",
	.writes = "2a a 0a 8a aa",
	.others = "rows that are neither reads nor writes (SCSI 28, 2a and their kin) were skipped",
};

static bool
cloudphysics_recognise(const char *head, size_t n)
{
	return columns_begin("version,time,op,size,lbn", head, n);
}

static int
read_row(void *self, struct input *in, struct record *r, struct error *e)
{
	return columns_read(self, &table, in, r, e);
}

FORMAT(cloudphysics,
    .plugin = { .name = "cloudphysics",
	.summary = "CloudPhysics as CSV: version,time,op,size,lbn",
	.state_size = sizeof(struct columns),
	.params = columns_params,
	.source =
	    "Waldspurger, Park, Garthwaite, Ahmad: Efficient MRC construction with SHARDS, FAST 2015" },
    .lacks = LACKS_FILES | LACKS_PROCESSES, .recognise = cloudphysics_recognise, .read = read_row,
    .release = columns_release);

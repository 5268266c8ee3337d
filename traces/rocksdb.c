/*
 * rocksdb.c - references of RocksDB's block cache, as block_cache_trace_analyzer prints them for people.
 *
 *	1571083395212531,7,9,4123,0,default,4,138,1,0,56,2,100,1,1,30,3,5100,12,20,81920
 *
 * Of 21 columns, those that are read are the time in microseconds, the size of
 * the block in memory (4), the level (7), the number of the SST file (8) and the
 * offset of the block in it (21).  An SST file is a file here.  A block that is
 * compressed is smaller there than its size, and so the end of one may lie
 * beyond the start of the next.  Older versions print no offsets.
 */
#include <inttypes.h>
#include <stdio.h>

#include "traces/common/lines.h"

enum { COLUMNS = 21, SIZE = 3, NAME = 5, FILE_NUMBER = 7, OFFSET = 20, ROWS = 5, LINE_ROOM = 1024 };

#define TIME_MIN UINT64_C(1000000000000000) /* of 2001 */

struct rocksdb {
	uint64_t file;
	char	 name[40];
};

/* 21 cells, all of which but the name of the column family are numbers. */
static bool
scan_row(const char *line, uint64_t cell[COLUMNS])
{
	const char *s = line;

	for (unsigned i = 0; i < COLUMNS; i++) {
		if (i == NAME)
			s = strchr(s, ',');
		else
			s = scan_digits(s, UINT64_MAX, &cell[i]);
		if (!s || (i < COLUMNS - 1 && *s++ != ','))
			return false;
	}
	return scan_ends_line(s) && cell[0] >= TIME_MIN && cell[0] <= INT64_MAX;
}

static bool
is_row(void *context, char *line)
{
	uint64_t cell[COLUMNS];

	return scan_row(line, cell);
}

static bool
rocksdb_recognise(const char *head, size_t n)
{
	return scan_rows_are(head, n, is_row, NULL);
}

static int
rocksdb_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct rocksdb *d = self;
	uint64_t	cell[COLUMNS] = { 0 };
	char	       *line;

	while (!cell[SIZE]) {
		int status = scan_line(in, &line, e);

		if (status <= 0)
			return status;
		if (!scan_row(line, cell)) {
			input_skip(in, line);
			cell[SIZE] = 0;
		} else if (!cell[SIZE]) {
			input_count(in, "references to blocks of no size were left out");
		}
	}
	input_note(in,
	    "lengths are those of blocks in memory, which are longer than compressed ones");
	if (cell[FILE_NUMBER] != d->file || !*d->name) {
		d->file = cell[FILE_NUMBER];
		snprintf(d->name, sizeof(d->name), "%06" PRIu64 ".sst", d->file);
	}
	r->op = OP_READ;
	r->time = (usec_t)cell[0];
	r->pid = 1;
	r->no_fd = true;
	r->path = d->name;
	r->offset = cell[OFFSET];
	r->length = cell[SIZE];
	return 1;
}

FORMAT(rocksdb,
    .plugin = { .name = "rocksdb",
	.summary = "block cache trace of RocksDB, as its analyzer prints it",
	.state_size = sizeof(struct rocksdb) },
    .lacks = LACKS_PROCESSES, .recognise = rocksdb_recognise, .read = rocksdb_read);

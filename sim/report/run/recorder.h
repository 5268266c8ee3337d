/*
 * recorder.h - the frames that a cache takes and gives back, as a file.
 *
 *	# bufsim frames 1, cache 2048, processes 3, trace csq
 *	+ page process		the process takes a page
 *	- page process		the process gives a page back, which another may have taken
 *
 * One event a line, in the order of time, packed if the name of the file ends in .gz.  A page is a
 * number below the blocks of the cache: a name for what is held until it is given back, not an
 * address.  A process is a number below that of processes.  Blank lines and further lines that
 * begin with # are skipped.
 */
#ifndef SIM_REPORT_RECORDER_H
#define SIM_REPORT_RECORDER_H

#include "sim/base/output.h"

enum { RECORDER_FORMAT = 1 };

struct recording_head {
	uint64_t    cache_blocks;
	uint32_t    processes;
	const char *trace; /* a name on one line */
};

enum { RECORDER_BYTES = 1 << 16 };

/* Lines on their way to a file. */
struct recorder {
	struct output *out;
	size_t	       n;
	char	       text[RECORDER_BYTES];
};

void recorder_begin(struct recorder *r, struct output *out, const struct recording_head *head);
int  recorder_take(struct recorder *r, uint32_t page, uint32_t process, struct error *e);
int  recorder_give(struct recorder *r, uint32_t page, uint32_t process, struct error *e);

/* To be called before output_commit(). */
int recorder_end(struct recorder *r, struct error *e);

#endif

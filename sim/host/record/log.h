/*
 * log.h - the log of strace while it is written: passed on line by line to
 * the format strace, with what only this machine can tell put in between.
 *
 * After each line in which a file is opened there is one more, an fstat() of
 * that file: strace's own log has sizes only where the program wanted them.
 * A last line that is cut off is dropped.
 */
#ifndef SIM_RECORD_LOG_H
#define SIM_RECORD_LOG_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { LOG_REASON = 128 };

struct log {
	char  *text; /* whole lines [taken, whole), then a line that has not ended */
	size_t taken, whole, n, capacity;

	uint32_t pid; /* of the program; 0: no line yet */
	usec_t	 began, ended;
	bool	 over;			      /* the program has ended */
	int	 status;		      /* of its end: as a shell shows it */
	char	 refused[LOG_REASON];	      /* why it did not start, or "" */
	uint64_t lines, rings;		      /* io_uring_setup() */
	uint64_t ring_requests, aio_requests; /* that the log does not show */
};

/* More bytes of the log.  0, or -1: out of memory. */
int log_add(struct log *l, const char *bytes, size_t n, struct error *e);

/* Take at most n bytes of whole lines: their number. */
size_t log_take(struct log *l, char *to, size_t n);

void log_release(struct log *l);

/*
 * A path as strace prints it, with "\303" and the like for bytes that are not ASCII, and without
 * " (deleted)", as the kernel knows it.  False: it is too long.
 */
bool log_path(const char *text, size_t n, char *path, size_t room);

#endif

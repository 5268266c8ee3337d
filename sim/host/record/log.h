/*
 * log.h - the log of a recorder while it is written: passed on line by line to
 * the format that reads it, with what only this machine can tell put in between.
 *
 * In the log of strace, after each line in which a file is opened there is one more,
 * an fstat() of that file: strace itself has sizes only where the program wanted them.
 * A last line that is cut off is dropped.
 */
#ifndef SIM_RECORD_LOG_H
#define SIM_RECORD_LOG_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { LOG_REASON = 128 };

struct log;

/* A whole line has come: what does it tell?  -1: out of memory. */
typedef int (*log_see)(struct log *l, const char *line, struct error *e);

struct log {
	log_see see;  /* of the recorder */
	char   *text; /* whole lines [taken, whole), then a line that has not ended */
	size_t	taken, whole, n, capacity;
	size_t	line; /* where the line that is seen begins */

	uint32_t pid; /* of the program; 0: no line yet */
	usec_t	 began, ended;
	bool	 over;			      /* the program has ended */
	int	 status;		      /* of its end: as a shell shows it */
	char	 refused[LOG_REASON];	      /* why it did not start, or "" */
	uint64_t lines, rings;		      /* io_uring_setup() */
	uint64_t ring_requests, aio_requests; /* that the log does not show */
	uint64_t lost;			      /* events, as the recorder says */

	/* of a recorder that attaches to the program */
	bool	  ready;  /* it has attached */
	uint32_t *living; /* processes that it has seen, and not seen ending */
	uint32_t  nliving, living_capacity;
	char	  said[LOG_REASON]; /* the first line that is none of a log */
};

int log_see_strace(struct log *l, const char *line, struct error *e);
int log_see_perf(struct log *l, const char *line, struct error *e);
int log_see_bpftrace(struct log *l, const char *line, struct error *e);

/* More bytes of the log.  0, or -1: out of memory. */
int log_add(struct log *l, const char *bytes, size_t n, struct error *e);

/* A process has begun.  0, or -1: out of memory. */
int log_add_process(struct log *l, uint32_t pid, struct error *e);

/* Take at most n bytes of whole lines: their number. */
size_t log_take(struct log *l, char *to, size_t n);

void log_release(struct log *l);

/*
 * A path as strace prints it, with "\303" and the like for bytes that are not ASCII, and without
 * " (deleted)", as the kernel knows it.  False: it is too long.
 */
bool log_path(const char *text, size_t n, char *path, size_t room);

#endif

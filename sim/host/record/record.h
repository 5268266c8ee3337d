/*
 * record.h - run a program, and make a trace of its calls.
 *
 * Unless it is left out, there is a first run without a recorder, to measure by
 * how much that slows the program down.
 */
#ifndef SIM_RECORD_H
#define SIM_RECORD_H

#include "sim/trace/trace.h"

struct format;
struct recorder;

struct record_options {
	char *const	      *argv; /* the program and its arguments; ends with NULL */
	const struct recorder *recorder;
	const struct format   *format; /* of its log */
	bool		       baseline, faults;
};

enum { RECORD_WHY = 128 };

struct recorded {
	int	 status;		 /* of the program, as a shell shows it */
	usec_t	 traced_us;		 /* how long it ran under the recorder */
	usec_t	 untraced_us;		 /* and without; -1: unknown */
	double	 factor;		 /* think times were multiplied by it */
	uint64_t cold_bytes;		 /* that the run without read from a disk */
	char	 unscaled[RECORD_WHY];	 /* why untraced_us is unknown or not used, or "" */
	bool	 cut;			 /* the log ended before the program did */
	uint64_t mappings, mapped_bytes; /* of files, as far as they reach */
	uint64_t faults;		 /* that became reads */
	uint64_t rings, ring_requests, aio_requests;
	uint64_t skipped; /* lines of the log that the format does not understand */
	char	 first_skipped[RECORD_WHY];
	uint64_t lost; /* events, says the recorder */
};

/* Is the program here?  Else -1, before it runs. */
int record_check(const struct record_options *o, struct error *e);

/*
 * Fill the trace, to be released by trace_release(), and *r, which is filled as far as possible
 * after an error, too.  Both runs use the standard streams of bufsim.  Signals are caught (child.h).
 */
int record_run(struct trace *t, const struct record_options *o, struct recorded *r,
    struct error *e);

/* The factor of think times: untraced / traced, never above 1. */
double record_factor(usec_t untraced_us, usec_t traced_us);

#endif

/*
 * tracer.h - a recorder at work: its log through a pipe, while the program runs.
 *
 * The recorder opens the pipe by its name below /proc, so that neither the program
 * nor its children have a descriptor of it.
 */
#ifndef SIM_RECORD_TRACER_H
#define SIM_RECORD_TRACER_H

#include <sys/types.h>

#include "sim/base/error.h"
#include "sim/host/record/faults.h"
#include "sim/host/record/recorders.h"

enum { TRACER_PATH = 64, TRACER_PID = 16 };

struct channel { /* a pipe that another program opens by its path */
	int  from, to;
	char path[TRACER_PATH];
};

struct tracer {
	char		       own[TRACER_PID]; /* the process of bufsim */
	const struct recorder *recorder;
	struct channel	       log_channel, faults_channel;
	struct log	       log;
	struct faults	       faults;
	pid_t		       child;		/* the recorder, or perf around it */
	pid_t		       strace, program; /* 0: not known yet */
	bool		       with_faults, told, log_ended, stopped;
	usec_t		       began;	/* when the program was started */
	usec_t		       over_at; /* when the end of the program was seen */
	usec_t		       last_at; /* when the log had bytes */
	usec_t		       stopped_at;
};

/* Start the program under the recorder.  Signals are caught (child.h). */
int tracer_start(struct tracer *t, const struct recorder *r, char *const argv[], bool with_faults,
    struct error *e);

/* An input_source: the lines of the log. */
ssize_t tracer_read(void *tracer, void *to, size_t n, struct error *e);

/* All that perf has to tell, after the end of the log. */
void tracer_end_faults(struct tracer *t);

/* Read to the end, whatever has failed, and wait.  The exit status of the program, as of a shell. */
int tracer_end(struct tracer *t);

void tracer_release(struct tracer *t);

#endif

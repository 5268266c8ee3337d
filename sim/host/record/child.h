/*
 * child.h - start programs, and let signals reach them.
 *
 * While a program runs, Ctrl-C is its own: the terminal sends it to all
 * programs in the foreground, and bufsim does not end by it.  A signal that was
 * sent to bufsim alone is passed on.
 */
#ifndef SIM_RECORD_CHILD_H
#define SIM_RECORD_CHILD_H

#include <sys/types.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { CHILD_NOT_EXECUTABLE = 126, CHILD_NOT_FOUND = 127 };

/*
 * The file that execvp() would execute, to be freed.  NULL: there is none, and the exit code of e
 * is that of a shell in that case.
 */
char *child_find(const char *name, struct error *e);

/*
 * From here on SIGINT, SIGTERM, SIGHUP and SIGQUIT do not end bufsim: Ctrl-C is pressed twice
 * easily, and the trace is still to be written.
 */
void child_catch_signals(void);

/* The last signal since the last call, 0: none; *sent: to bufsim alone, not by a terminal. */
int child_signal(bool *sent);

enum child_how {
	CHILD_PLAIN,
	CHILD_QUIET, /* what it writes is read and dropped, unless that is a terminal */
	CHILD_APART, /* Ctrl-C is not for it; it gets that signal when bufsim is gone */
	CHILD_HELD
};

/* Start a program with the standard streams of bufsim.  -1: error. */
pid_t child_start(const char *path, char *const argv[], enum child_how how, struct error *e);

struct held { /* a child that has not become its program */
	pid_t pid;
	int   report[2], release[2];
};

/*
 * A child that waits, so that another program can attach to it, until it is released, which
 * starts its program, or given up, which ends it.
 */
int  child_hold(const char *path, char *const argv[], struct held *h, struct error *e);
int  child_release(struct held *h, const char *name, struct error *e);
void child_give_up(struct held *h);

/* Wait for its end: the exit status as a shell shows it. */
int child_wait(pid_t child);

/* Microseconds of a clock that only goes forward. */
usec_t child_clock(void);

#endif

/*
 * program.h - run a program with a number of threads, and take its times.
 *
 * The program is a command line of sh, in which each {threads} becomes the number.  Its standard
 * input is empty, its output is dropped, and of what it says on standard error the last line is part
 * of an error.  The variable BUFSIM_ROI names the file for the marks of its region (roi.h).
 *
 * Between open and close a signal that stops bufsim goes to the program and all that it has started.
 * From then on others do nothing, so that the runs so far can be printed: timeout(1) sends two.
 */
#ifndef SIM_SCALE_PROGRAM_H
#define SIM_SCALE_PROGRAM_H

#include <signal.h>
#include <stdio.h>

#include "sim/base/stop.h"
#include "sim/studies/scale/timings.h"

enum { MARKS_PATH = 4096 };

struct program {
	const char	*command;
	char		 path[MARKS_PATH]; /* of the marks */
	FILE		*marks, *said;
	struct sigaction before[STOP_SIGNALS];
};

/* A usage error if no {threads} is in the command. */
int program_open(struct program *p, const char *command, struct error *e);

/*
 * 0: r is filled, and its region is 0 if the program has no marks; 1: the program failed, and e
 * says how; -1: it cannot be run, or a signal stops bufsim, which the exit code of e tells.
 */
int  program_run(struct program *p, uint32_t threads, struct timed_run *r, struct error *e);
void program_close(struct program *p);

/* The name for a report: the file name of the first word of the command that is no assignment, or sh. */
void program_name(const char *command, char *name, size_t room);

#endif

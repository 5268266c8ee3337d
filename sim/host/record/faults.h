/*
 * faults.h - page faults on mapped files, as `perf trace -F all` prints them.
 *
 * The times of perf have an origin of their own.  The first fault of the
 * program itself is taken to happen at its execve() in the log of strace, so
 * that faults lie among the calls to within about a millisecond.
 */
#ifndef SIM_RECORD_FAULTS_H
#define SIM_RECORD_FAULTS_H

#include "sim/base/error.h"
#include "sim/base/map.h"
#include "sim/base/types.h"

enum { FAULT_LINE = 8192, FAULT_BYTES = 4096 };

struct fault {
	usec_t	 time;
	uint32_t pid, path; /* number of its path */
	uint64_t offset;    /* of its page in the file */
};

struct faults {
	struct names  paths;
	struct fault *fault;
	uint32_t      n, capacity;
	char	      line[FAULT_LINE]; /* begun */
	size_t	      length;
	uint32_t      first_pid; /* of lines with another name than strace: the first */
	usec_t	      first;	 /* its time */
};

/* 0, or -1: this machine does not allow it, with what is missing. */
int faults_check(struct error *e);

/* More of what perf prints.  0, or -1: out of memory. */
int faults_add(struct faults *f, const char *bytes, size_t n, struct error *e);

/* The program began at that time: earlier faults are dropped, the others get times of the log. */
void faults_place(struct faults *f, usec_t began);

void faults_release(struct faults *f);

#endif

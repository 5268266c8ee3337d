/*
 * roi.h - mark the region of interest of a program, its parallel part, for bufsim scale --run.
 *
 *	#include <bufsim/roi.h>
 *	roi_begin();	just before the threads start
 *	roi_end();	just after the last has ended
 *
 * From one thread.  A region that begins again is added.  Each call appends a line, "begin" or "end"
 * and the seconds of a clock, to the file that the variable BUFSIM_ROI names; without it both do
 * nothing.  This file needs nothing else of bufsim, and C99 or C++ with POSIX.
 *
 * The programs of PARSEC call hooks instead, which they take from a library.  This makes one:
 *
 *	cc -c -x c -D ROI_PARSEC_HOOKS roi.h -o hooks.o && ar rcs libhooks.a hooks.o
 */
#ifndef BUFSIM_ROI_H
#define BUFSIM_ROI_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline void
roi_mark(const char *what)
{
	const char     *path = getenv("BUFSIM_ROI");
	struct timespec t;
	FILE	       *to;

	clock_gettime(CLOCK_MONOTONIC, &t);
	to = path ? fopen(path, "a") : NULL;
	if (!to)
		return;
	fprintf(to, "%s %lld.%09ld\n", what, (long long)t.tv_sec, t.tv_nsec);
	fclose(to);
}

static inline void
roi_begin(void)
{
	roi_mark("begin");
}

static inline void
roi_end(void)
{
	roi_mark("end");
}

#ifdef ROI_PARSEC_HOOKS
void __parsec_bench_begin(int program);
void __parsec_roi_begin(void);
void __parsec_roi_end(void);
void __parsec_bench_end(void);

void
__parsec_bench_begin(int program)
{
	(void)program;
}

void
__parsec_roi_begin(void)
{
	roi_begin();
}

void
__parsec_roi_end(void)
{
	roi_end();
}

void
__parsec_bench_end(void)
{
}
#endif

#endif

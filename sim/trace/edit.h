/*
 * edit.h - make another trace of a trace: a slice of its calls, some of its
 * files or processes, a sample, other think times, no names.
 */
#ifndef SIM_EDIT_H
#define SIM_EDIT_H

#include "sim/trace/sampling.h"
#include "sim/trace/trace.h"

struct slice {
	enum { SLICE_ALL, SLICE_CALLS, SLICE_TIMES } kind;
	uint64_t from, to; /* calls from 1, both included; or microseconds, `to` excluded */
};

struct edit {
	struct slice	slice;
	const char     *only; /* words separated by commas, of which a call meets one; or NULL */
	struct sampling sample;
	double		scale; /* of the times between calls; 1: none */
	bool		anonymise;
};

/* "1000:2000", "10s:20s", ":500ms", "7:".  0, or -1: usage error. */
int slice_parse(const char *text, struct slice *s, struct error *e);

/*
 * "file=GLOB", "inode=N", "pid=N" or "process=GLOB", separated by commas: is it spelt right?
 * 0, or -1: usage error.
 */
int only_check(const char *text, struct error *e);

/*
 * Replace t.  A call of which a sample keeps several parts is a call for each, at the same time,
 * and the next call of an open file is its first one if that is left out.  Files, processes and open files that no call uses any more are left out, times
 * start at 0 again.  -1: no call is left, a damaged trace, or out of memory; t is then unchanged.
 */
int trace_edit(struct trace *t, const struct edit *how, struct error *e);

#endif

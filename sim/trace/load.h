/*
 * load.h - load a trace from a file of any format, or make one from records.
 */
#ifndef SIM_LOAD_H
#define SIM_LOAD_H

#include "sim/trace/trace.h"

struct format;
struct input;
struct record;

struct trace_options {
	uint32_t	     block_bytes;   /* a power of two, 512 .. 1M */
	const struct format *format;	    /* or NULL: recognised by content */
	const char	    *format_params; /* of that format: "a=1,b=2"; or NULL */
	bool		     touch_mmaps;   /* read each mapping once, in order */
	const char	    *folder;	  /* for a temporary file, if the trace is large; or NULL */
	enum stream_by	     stream_by;	  /* of a format that lacks files */
	bool		     share_files; /* of several traces: sim/trace/merge.h */
};

/* path "-" is standard input.  On failure nothing is left to release. */
int trace_load(struct trace *t, const char *path, const struct trace_options *o, struct error *e);

/* The same from n files that are one trace: the format, which o names, finds them behind the first. */
int trace_load_set(struct trace *t, const char *const *path, unsigned n,
    const struct trace_options *o, struct error *e);

/* 1: *r is the next record; 0: that was the last; -1: error. */
typedef int record_reader(void *self, struct input *in, struct record *r, struct error *e);

/* The same from records that read() generates: its `in` is NULL. */
int trace_make(struct trace *t, const char *name, const struct trace_options *o,
    record_reader *read, void *self, struct error *e);

#endif

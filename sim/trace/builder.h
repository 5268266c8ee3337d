/*
 * builder.h - a trace out of records, one after the other.
 *
 *	b = builder_new(&t, touch_mmaps, e);
 *	while (...) builder_add(b, &record, e) ...
 *	builder_finish(b, e) ...
 *	builder_free(b);
 */
#ifndef SIM_BUILDER_H
#define SIM_BUILDER_H

#include "sim/trace/format.h"
#include "sim/trace/trace.h"

struct builder;

/* t has its block size and nothing else.  NULL: out of memory. */
struct builder *builder_new(struct trace *t, bool touch_mmaps, struct error *e);

/* The next record, in the order of the trace; 0, or -1: it cannot be. */
int builder_add(struct builder *b, const struct record *r, struct error *e);

/* That was the last: accesses and advice in the order of time, files with their blocks. */
int builder_finish(struct builder *b, struct error *e);

/* b may be NULL.  What has been put into t stays there, for trace_release(). */
void builder_free(struct builder *b);

#endif

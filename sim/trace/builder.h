/*
 * builder.h - build a trace from records.
 *
 *	b = builder_new(&t, &options, e);
 *	while (...) builder_add(b, &record, e) ...
 *	builder_finish(b, e) ...
 *	builder_free(b);
 */
#ifndef SIM_BUILDER_H
#define SIM_BUILDER_H

#include "sim/trace/format.h"
#include "sim/trace/times.h"
#include "sim/trace/trace.h"

struct builder;

/* t has its block size, what it lacks and its stream, nothing else.  NULL: out of memory. */
struct builder *builder_new(struct trace *t, const struct trace_options *o, struct error *e);

/* Add the next record, in the order of the trace.  0, or -1: the record is impossible. */
int builder_add(struct builder *b, const struct record *r, struct error *e);

/* After the last record: sort accesses and advice by time, judge times, give files their blocks. */
int builder_finish(struct builder *b, const struct time_scale *times, struct error *e);

/* b may be NULL.  The contents of t stay, for trace_release(). */
void builder_free(struct builder *b);

#endif

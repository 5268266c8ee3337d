/*
 * tracepoint.h - lines of events of the Linux kernel, as text.
 *
 *	  appd-1692    [001] d..1. 7269912.982162: block_rq_issue: 202,1 W ...	ftrace
 *	  appd-1692    ( 1690) [001] 7269912.982162: block_rq_issue: 202,1 W ...	trace-cmd report
 *	  a b  1692/1693 [001] 7269912.982162:  block:block_rq_issue: 202,1 W ...	perf script
 *	  appd-1692    [001] ..... 7269912.982162: sys_read(fd: 3, buf: 7ffd0000, count: 1000)
 *
 * Processor, flags, group of threads and the subsystem of an event may be missing.
 */
#ifndef TRACES_TRACEPOINT_H
#define TRACES_TRACEPOINT_H

#include "traces/common/lines.h"

struct tracepoint {
	usec_t	 time;
	uint32_t pid, tid; /* equal where only one is shown */
	char	*comm;	   /* the name of the process, or NULL */
	char	*comm_end;
	char	*name; /* of the event, without its subsystem */
	size_t	 length;
	char	*body; /* behind "name: ", or behind the name */
};

/* Take a line apart; it is not changed.  false: it is no event. */
bool tracepoint_scan(char *line, struct tracepoint *t);

ALWAYS_INLINE bool
tracepoint_is(const struct tracepoint *t, const char *name)
{
	return t->length == strlen(name) && !memcmp(t->name, name, t->length);
}

/* Skip a line without an event.  Headings, call chains and lost events belong to such a file. */
void tracepoint_skip(struct input *in, const char *line);

/* For scan_line_or(): the comment of ftrace that tells how many events were overwritten. */
#define TRACEPOINT_KEPT "# entries-in-buffer/"

#endif

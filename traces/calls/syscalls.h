/*
 * syscalls.h - records of system calls, for the formats that are logs of them.
 *
 * A format finds the process, the time and the text of a call in its lines; a
 * call in two lines counts when it returns, with the time when it began.  What
 * the calls do is in effects.h, what is open in kernel.h, and who waits for
 * whom in depend.h.
 *
 *	while (!syscalls_take(&s->calls, r))
 *		... the next line: syscalls_whole(), syscalls_begin(), syscalls_resume() or syscalls_exit()
 */
#ifndef TRACES_SYSCALLS_H
#define TRACES_SYSCALLS_H

#include "traces/calls/call.h"
#include "traces/calls/depend.h"
#include "traces/calls/kernel.h"

struct syscalls {
	struct kernel  kernel;
	struct depend  depend;
	struct input  *in; /* for notes */
	struct record *queue;
	uint32_t       queued, taken, capacity;
	uint32_t       npipes;
	bool	       named; /* descriptors are shown with their paths */
};

void syscalls_release(struct syscalls *s);

/* The next record of what was read; false: there is none. */
bool syscalls_take(struct syscalls *s, struct record *r);

/* These return 0 or -1.  "read(3</a>, ""..., 10) = 10" is cut in place; end: when it returned. */
int syscalls_whole(struct syscalls *s, struct task *t, usec_t time, usec_t end, char *text,
    struct error *e);

/* The first n characters of a call that has not returned. */
int syscalls_begin(struct syscalls *s, struct task *t, usec_t time, const char *text, size_t n,
    struct error *e);

/* "read resumed>""..., 10) = 10": what is behind the > completes the call. */
int syscalls_resume(struct syscalls *s, struct task *t, usec_t time, const char *rest,
    struct error *e);

/* A process has ended, in whatever way. */
int syscalls_exit(struct syscalls *s, uint32_t pid, usec_t time, struct error *e);

/* Is "read(..." a call that makes a difference? */
bool syscalls_know(const char *text);

/* One more record, for which there must be room; and room for n. */
void syscalls_add(struct syscalls *s, const struct record *r);
int  syscalls_reserve(struct syscalls *s, uint32_t n, struct error *e);

#endif

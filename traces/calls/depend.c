/* depend.c - waits for children and for pipes. */
#include "traces/calls/depend.h"
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"

/* Pipes without a name in the log have these numbers. */
#define OWN_NUMBERS ((uint64_t)1 << 63)

void
depend_release(struct depend *d)
{
	map_release(&d->pipe_map);
	free(d->pipe);
}

/* ---- pipes ---- */

enum pipe_call { PIPE_NOT, PIPE_READ, PIPE_WRITE, PIPE_CLOSE };

static enum pipe_call
pipe_call(const char *text)
{
	static const struct {
		const char    *name;
		enum pipe_call call;
	} calls[] = { { "read(", PIPE_READ }, { "readv(", PIPE_READ }, { "write(", PIPE_WRITE },
		{ "writev(", PIPE_WRITE }, { "close(", PIPE_CLOSE } };

	if (*text != 'r' && *text != 'w' && *text != 'c')
		return PIPE_NOT;
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strncmp(text, calls[i].name, strlen(calls[i].name)))
			return calls[i].call;
	return PIPE_NOT;
}

/* The number of the pipe of "read(3<pipe:[711044]>", or of 3 if the log has opened it. */
static bool
pipe_number(const struct kernel *k, const struct task *t, const char *text, uint64_t *number)
{
	static const char	 shown[] = "<pipe:[";
	const char		*p = strchr(text, '(');
	const struct descriptor *descriptor;
	uint64_t		 fd;

	p = p ? scan_digits(p + 1, INT32_MAX, &fd) : NULL;
	if (!p)
		return false;
	if (*p == '<')
		return !strncmp(p, shown, strlen(shown)) &&
		    scan_digits(p + strlen(shown), OWN_NUMBERS - 1, number);
	descriptor = t->table ? table_find(t->table, (uint32_t)fd) : NULL;
	*number = descriptor ? k->description[descriptor->description].pipe : 0;
	*number |= OWN_NUMBERS;
	return *number != OWN_NUMBERS;
}

/* NULL without *bad: the call is to anything else. */
static struct pipe *
find_pipe(struct depend *d, const struct kernel *k, const struct task *t, const char *text,
    bool *bad, struct error *e)
{
	uint64_t     number;
	uint32_t    *at;
	struct pipe *grown;

	*bad = false;
	if (!pipe_number(k, t, text, &number))
		return NULL;
	at = map_at(&d->pipe_map, number);
	if (at && !*at) {
		grown =
		    array_grow(d->pipe, (size_t)d->npipes + 1, &d->pipe_capacity, sizeof(*grown));
		if (grown) {
			d->pipe = grown;
			*at = ++d->npipes;
			d->pipe[*at] = (struct pipe){ 0 };
		}
	}
	*bad = !at || !*at;
	if (*bad)
		error_no_memory(e);
	return *bad ? NULL : &d->pipe[*at];
}

static struct record
record_of(const struct task *t, enum op op, usec_t time)
{
	return (struct record){ .time = time, .pid = t->pid, .op = op, .file_size = SIZE_UNKNOWN };
}

/* t does what the process at the other side waits for, if there is one. */
static bool
send_to(struct pipe_side *other, struct task *t, usec_t time, struct record *r)
{
	if (!other->waits || other->number || other->pid == t->pid)
		return false;
	*r = record_of(t, OP_SEND, time);
	other->cause = t->pid;
	other->number = ++t->sends;
	return true;
}

/* A close ends a read only if it is the last one: that is seen at the end of the read. */
static bool
close_end(struct pipe *p, struct task *t, usec_t time, struct record *r)
{
	if (!p->reads.waits || p->reads.number || p->reads.pid == t->pid)
		return false;
	*r = record_of(t, OP_SEND, time);
	p->closer = t->pid;
	p->closes = ++t->sends;
	return true;
}

int
depend_begins(struct depend *d, struct kernel *k, struct task *t, const char *text, usec_t time,
    bool whole, struct record *r, struct error *e)
{
	enum pipe_call	  call = pipe_call(text);
	bool		  bad;
	struct pipe	 *p = call ? find_pipe(d, k, t, text, &bad, e) : NULL;
	struct pipe_side *own;

	if (!p)
		return call && bad ? -1 : 0;
	if (call == PIPE_CLOSE)
		return close_end(p, t, time, r);
	own = call == PIPE_READ ? &p->reads : &p->writes;
	if (!whole)
		*own = (struct pipe_side){ .pid = t->pid, .waits = true };
	if (call == PIPE_WRITE) {
		p->writer = t->pid;
		p->written = true;
	} else if (!whole) {
		p->closer = p->closes = 0;
	}
	return send_to(call == PIPE_READ ? &p->writes : &p->reads, t, time, r);
}

/* At the end of a pipe, the read has waited for the end of the last writer, or for a close. */
static int
end_of_pipe(const struct pipe *p, struct kernel *k, struct record *r, struct error *e)
{
	struct task *writer = p->written ? kernel_entry(k, p->writer, e) : NULL;

	if (p->written && !writer)
		return -1;
	if (p->writer && writer && !writer->table) { /* a wait for number 0 would be for any */
		r->op = OP_WAIT;
		r->child = p->writer;
	} else if (p->closes) {
		r->child = p->closer;
		r->number = p->closes;
	} else {
		return 0;
	}
	return r->child != r->pid;
}

int
depend_ends(struct depend *d, struct kernel *k, const struct task *t, const char *text,
    uint64_t result, struct record *r, struct error *e)
{
	enum pipe_call	  call = pipe_call(text);
	bool		  bad;
	struct pipe	 *p = call ? find_pipe(d, k, t, text, &bad, e) : NULL;
	struct pipe_side *own, side;

	if (!p || call == PIPE_CLOSE)
		return call && bad ? -1 : 0;
	own = call == PIPE_READ ? &p->reads : &p->writes;
	if (!own->waits || own->pid != t->pid)
		return 0;
	side = *own;
	own->waits = false;
	*r = record_of(t, OP_RECEIVE, t->begun_time);
	if (side.number) {
		r->child = side.cause;
		r->number = side.number;
		return 1;
	}
	return call == PIPE_READ && !result ? end_of_pipe(p, k, r, e) : 0;
}

/* ---- children ---- */

void
depend_starts(struct task *t, uint32_t child, bool thread)
{
	t->content |= t->took_older;
	t->took_older = t->idle = t->polled = false;
	if (!thread)
		t->youngest = child;
}

bool
depend_waits(struct task *t, const struct wait *w, struct record *r)
{
	bool since = !w->hangs && (t->idle || t->polled);

	t->polled = !w->child && !w->hangs;
	if (!w->child) {
		if (!t->idle)
			t->idle_since = w->end;
		return false;
	}
	*r = record_of(t, OP_WAIT, since ? t->idle_since : w->start);
	r->lasts = w->end - r->time;
	r->child = w->any && (t->content || w->child != t->youngest) ? 0 : w->child;
	t->took_older = w->any && w->child != t->youngest && (w->hangs || since);
	t->idle = false;
	return true;
}

void
depend_passes(struct task *t, usec_t start, bool interrupted)
{
	t->polled = false;
	if (!interrupted)
		return;
	t->idle = true;
	t->idle_since = start;
}

/* syscalls.c - whole calls and split ones, one after the other, to a queue of records. */
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/calls/effects.h"
#include "traces/calls/syscalls.h"

enum { RECORDS_MOST = 16 }; /* of a call, but for io_submit */

void
syscalls_release(struct syscalls *s)
{
	kernel_release(&s->kernel);
	depend_release(&s->depend);
	free(s->queue);
}

bool
syscalls_know(const char *text)
{
	return effect_of(text);
}

/* A signal has interrupted the call: "= ? ERESTARTNOHAND (To be ...)", "= -1 EINTR (...)". */
static bool
is_interrupted(const char *text)
{
	const char *result = strrchr(text, '=');

	return result &&
	    (!strncmp(result, "= ? ERESTART", 12) || !strncmp(result, "= -1 EINTR", 10));
}

static int
finished(struct syscalls *s, struct task *t, usec_t time, usec_t end, char *text, struct error *e)
{
	const struct effect *h = effect_of(text);
	enum effect_kind     kind = h ? h->kind : EFFECT_PLAIN;
	struct call	     c = { .task = t, .time = time, .end = end };

	if (kind != EFFECT_WAIT && (*text != 'r' || strncmp(text, "rt_sig", 6) != 0))
		depend_passes(t, time, false);
	if ((!h || kind == EFFECT_WAIT || kind == EFFECT_READ || kind == EFFECT_KIND) &&
	    is_interrupted(text))
		depend_passes(t, time, true);
	if (!h || (kind == EFFECT_KIND && s->named))
		return 0;
	if (!call_cut(&c, text))
		return error_set(e, "the call %s(...) is cut off: no result", h->name);
	if (kind == EFFECT_EXIT)
		return effect_exit(s, &c, e);
	if (!call_number(c.result_text, &c.result)) /* failed, or restarted */
		return kind == EFFECT_CLONE ? kernel_end_clone(&s->kernel, t, 0, false, e) : 0;
	if (c.result > INT64_MAX)
		return error_set(e, "the result of %s(...) is too large", h->name);
	return h->handle(s, &c, e);
}

/* A call to a pipe begins: it may be what another process waits for. */
static int
begin_pipe(struct syscalls *s, struct task *t, usec_t time, const char *text, bool whole,
    struct error *e)
{
	struct record r;
	int	      status;

	if (syscalls_reserve(s, RECORDS_MOST, e))
		return -1;
	status = depend_begins(&s->depend, &s->kernel, t, text, time, whole, &r, e);
	if (status > 0)
		syscalls_add(s, &r);
	return status < 0 ? -1 : 0;
}

/* A call to a pipe that was split in two has returned: it may have waited. */
static int
end_pipe(struct syscalls *s, struct task *t, usec_t end, const char *text, struct error *e)
{
	const char   *equals = strrchr(text, '=');
	uint64_t      result;
	struct record r;
	int	      status;

	if (!equals || !scan_digits(equals + 1 + strspn(equals + 1, " "), INT64_MAX, &result))
		return 0;
	status = depend_ends(&s->depend, &s->kernel, t, text, result, &r, e);
	if (status > 0) {
		r.lasts = end > r.time ? end - r.time : 0;
		syscalls_add(s, &r);
	}
	return status < 0 ? -1 : 0;
}

int
syscalls_whole(struct syscalls *s, struct task *t, usec_t time, usec_t end, char *text,
    struct error *e)
{
	return begin_pipe(s, t, time, text, true, e) || finished(s, t, time, end, text, e) ? -1 : 0;
}

int
syscalls_begin(struct syscalls *s, struct task *t, usec_t time, const char *text, size_t n,
    struct error *e)
{
	const struct effect *h = effect_of(text);
	char		    *copy = realloc(t->begun, n + 1);

	if (!copy)
		return error_no_memory(e);
	memcpy(copy, text, n);
	copy[n] = '\0';
	t->begun = copy;
	t->begun_time = time;
	if (h && h->kind == EFFECT_CLONE)
		kernel_begin_clone(&s->kernel, t, time, effect_shares(copy));
	return begin_pipe(s, t, time, copy, false, e);
}

int
syscalls_resume(struct syscalls *s, struct task *t, usec_t time, const char *rest, struct error *e)
{
	char  *whole = t->begun;
	size_t before;
	int    status;

	if (!whole)
		return 0; /* it began before the log did */
	before = strlen(whole);
	whole = realloc(whole, before + strlen(rest) + 1);
	if (!whole)
		return error_no_memory(e);
	strcpy(whole + before, rest);
	t->begun = NULL;
	status = syscalls_reserve(s, RECORDS_MOST, e);
	if (!status)
		status = end_pipe(s, t, time, whole, e);
	if (!status)
		status = finished(s, t, t->begun_time, time, whole, e);
	free(whole);
	return status;
}

int
syscalls_exit(struct syscalls *s, uint32_t pid, usec_t time, struct error *e)
{
	struct task *t = kernel_entry(&s->kernel, pid, e);
	struct call  c = { .task = t, .time = time };

	if (!t || syscalls_reserve(s, RECORDS_MOST, e))
		return -1;
	return t->table ? effect_exit(s, &c, e) : 0;
}

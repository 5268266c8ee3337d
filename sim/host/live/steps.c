/* steps.c - go through the calls and the advice of a trace together. */
#include <stdlib.h>
#include <string.h>

#include "sim/host/live/steps.h"

enum { SECOND_US = 1000000 };

static struct live_step
step_of_call(const struct access *a, bool faults)
{
	uint64_t size = a->file_size, end = a->offset + a->length;

	if (!a->write && end > size)
		size = end;
	return (struct live_step){
		.kind = a->write ? LIVE_WRITE
		    : faults	 ? LIVE_FAULT
				 : LIVE_READ,
		.call = a,
		.open = a->open,
		.offset = a->offset,
		.length = a->length,
		.size = size,
	};
}

static struct live_step
step_of_advice(const struct advice *a)
{
	return (struct live_step){
		.kind = LIVE_ADVICE,
		.advice = a,
		.open = a->open,
		.offset = a->offset,
		.length = a->length,
		.size = a->file_size,
	};
}

bool
live_steps_next(struct live_steps *s, struct live_step *next)
{
	const struct trace *t = s->trace;

	if (s->advice < t->nadvice && t->advice[s->advice].before == s->calls)
		*next = step_of_advice(&t->advice[s->advice++]);
	else if (s->calls < t->naccess)
		*next = step_of_call(&t->access[s->calls++], s->faults);
	else
		return false;
	return true;
}

size_t
live_step_of_call(const struct trace *t, size_t call)
{
	return call + trace_advice(t, call + 1);
}

size_t
live_step_of_advice(const struct trace *t, const struct advice *a)
{
	return (size_t)a->before + (size_t)(a - t->advice);
}

const char *
live_step_word(const struct live_step *s)
{
	static const char *const
	    call[] = { [LIVE_READ] = "read", [LIVE_FAULT] = "fault", [LIVE_WRITE] = "write" };
	static const char *const advice[ADVICE_KINDS] = { [ADVICE_NORMAL] = "normal",
		[ADVICE_RANDOM] = "random",
		[ADVICE_SEQUENTIAL] = "sequential",
		[ADVICE_WILLNEED] = "willneed",
		[ADVICE_DONTNEED] = "dontneed" };

	return s->advice ? advice[s->advice->kind] : call[s->kind];
}

int
trace_slow(struct trace *slow, const struct trace *t, struct error *e)
{
	struct access *copy;

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	copy = malloc(t->naccess * sizeof(*copy));
	if (!copy)
		return error_set(e, "out of memory for %zu calls", t->naccess);
	memcpy(copy, t->access, t->naccess * sizeof(*copy));
	for (size_t i = 0; i < t->naccess; i++)
		copy[i].time = (usec_t)i * SECOND_US;
	*slow = *t;
	slow->mapping = NULL;
	slow->access = copy;
	return 0;
}

void
trace_slow_release(struct trace *slow)
{
	free((void *)(uintptr_t)slow->access);
	slow->access = NULL;
}

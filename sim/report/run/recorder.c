/* recorder.c - a recording of frames in its text form. */
#include <stdio.h>
#include <string.h>

#include "sim/report/run/recorder.h"

enum { LINE_ROOM = 32, DIGITS = 10, TRACE_ROOM = 4096 };

void
recorder_begin(struct recorder *r, struct output *out, const struct recording_head *head)
{
	r->out = out;
	r->n = (size_t)snprintf(r->text, sizeof(r->text),
	    "# bufsim frames %d, cache %llu, processes %u, trace %.*s\n", RECORDER_FORMAT,
	    (unsigned long long)head->cache_blocks, head->processes, TRACE_ROOM, head->trace);
}

int
recorder_end(struct recorder *r, struct error *e)
{
	size_t n = r->n;

	r->n = 0;
	return output_bytes(r->out, r->text, n, e);
}

static void
put_number(struct recorder *r, uint32_t number)
{
	char   digits[DIGITS];
	size_t n = 0;

	do
		digits[DIGITS - ++n] = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(r->text + r->n, digits + DIGITS - n, n);
	r->n += n;
}

static int
put_event(struct recorder *r, char what, uint32_t page, uint32_t process, struct error *e)
{
	if (r->n > sizeof(r->text) - LINE_ROOM && recorder_end(r, e))
		return -1;
	r->text[r->n++] = what;
	r->text[r->n++] = ' ';
	put_number(r, page);
	r->text[r->n++] = ' ';
	put_number(r, process);
	r->text[r->n++] = '\n';
	return 0;
}

int
recorder_take(struct recorder *r, uint32_t page, uint32_t process, struct error *e)
{
	return put_event(r, '+', page, process, e);
}

int
recorder_give(struct recorder *r, uint32_t page, uint32_t process, struct error *e)
{
	return put_event(r, '-', page, process, e);
}

/*
 * memo.c - a stream that grows in memory.
 *
 * Of the GNU C library, open_memstream() forgets that memory ran out: neither
 * ferror() nor fclose() reports it, and text is missing.  So Linux gets a
 * stream of our own.
 */
#define _GNU_SOURCE /* fopencookie() */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/types.h"

#ifdef __linux__
enum { FIRST_ROOM = 4096 };

/* 0: an error. */
static ssize_t
append(void *self, const char *bytes, size_t n)
{
	struct memo *m = self;
	size_t	     room = m->room;
	char	    *grown;

	while (m->bytes + n >= room)
		room = room ? 2 * room : FIRST_ROOM;
	grown = room > m->room ? realloc(m->text, room) : m->text;
	if (!grown)
		return 0;
	m->text = grown;
	m->room = room;
	memcpy(m->text + m->bytes, bytes, n);
	m->bytes += n;
	m->text[m->bytes] = '\0';
	return (ssize_t)n;
}

static FILE *
open_stream(struct memo *m)
{
	return fopencookie(m, "w", (cookie_io_functions_t){ .write = append });
}

void
memo_empty(struct memo *m)
{
	m->bytes = 0;
}
#else
static FILE *
open_stream(struct memo *m)
{
	return open_memstream(&m->text, &m->bytes);
}

void
memo_empty(struct memo *m)
{
	rewind(m->out);
}
#endif

int
memo_open(struct memo *m, struct error *e)
{
	*m = (struct memo){ 0 };
	m->out = open_stream(m);
	return m->out ? 0 : error_no_memory(e);
}

int
memo_close(struct memo *m, struct error *e)
{
	bool lost = !m->out || ferror(m->out);

	if (m->out && fclose(m->out))
		lost = true;
	if (!lost && (m->text || (m->text = calloc(1, 1))))
		return 0;
	free(m->text);
	m->text = NULL;
	m->bytes = 0;
	return error_no_memory(e);
}

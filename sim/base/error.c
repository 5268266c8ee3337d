/*
 * error.c - compose the line that describes an error.
 *
 * A text without room is shortened in the middle: a long path stands in
 * front, and the reason behind it.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/error.h"

static bool
splits_character(const char *at)
{
	return ((unsigned char)*at & 0xc0) == 0x80; /* UTF-8 */
}

/* Keep both ends of whole, which is longer than the room. */
static void
shorten(struct error *e, const char *whole, size_t n)
{
	static const char gap[] = "...";
	size_t		  ends = sizeof(e->text) - sizeof(gap), first = ends / 2;
	const char	 *last = whole + n - (ends - first);

	while (first && splits_character(whole + first))
		first--;
	while (splits_character(last))
		last++;
	snprintf(e->text, sizeof(e->text), "%.*s%s%s", (int)first, whole, gap, last);
}

static int
fill(struct error *e, int code, const char *format, va_list arg)
{
	va_list again;
	char   *whole;
	int	n;

	va_copy(again, arg);
	n = vsnprintf(e->text, sizeof(e->text), format, arg);
	e->exit_code = code;
	whole = n < (int)sizeof(e->text) ? NULL : malloc((size_t)n + 1);
	if (whole) { /* else there is room, or no memory to do better */
		vsnprintf(whole, (size_t)n + 1, format, again);
		shorten(e, whole, (size_t)n);
		free(whole);
	}
	va_end(again);
	return -1;
}

int
error_set(struct error *e, const char *format, ...)
{
	va_list arg;

	va_start(arg, format);
	fill(e, EXIT_FAILED, format, arg);
	va_end(arg);
	return -1;
}

int
error_usage(struct error *e, const char *format, ...)
{
	va_list arg;

	va_start(arg, format);
	fill(e, EXIT_USAGE, format, arg);
	va_end(arg);
	return -1;
}

int
error_prefix(struct error *e, const char *format, ...)
{
	struct error said = *e, first = { 0 };
	va_list	     arg;

	va_start(arg, format);
	fill(&first, said.exit_code, format, arg);
	va_end(arg);
	error_set(e, "%s: %s", first.text, said.text);
	e->exit_code = said.exit_code;
	return -1;
}

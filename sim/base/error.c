/* error.c - compose the line that describes an error. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/error.h"

static int
fill(struct error *e, int code, const char *format, va_list arg)
{
	e->exit_code = code;
	vsnprintf(e->text, sizeof(e->text), format, arg);
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
	struct error said = *e;
	size_t	     used;
	va_list	     arg;

	va_start(arg, format);
	fill(e, said.exit_code, format, arg);
	va_end(arg);
	used = strlen(e->text);
	snprintf(e->text + used, sizeof(e->text) - used, ": %s", said.text);
	return -1;
}

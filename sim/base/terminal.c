/* terminal.c - ask the terminal and the environment. */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/base/terminal.h"

enum { LEAST = 40, MOST = 1000 };

bool
terminal_is(int fd)
{
	const char *kind = getenv("TERM");

	return isatty(fd) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static unsigned
bounded(uint64_t columns)
{
	return columns < LEAST ? LEAST : columns > MOST ? MOST : (unsigned)columns;
}

unsigned
terminal_width(FILE *out)
{
	const char    *set = getenv("COLUMNS");
	struct winsize size;
	uint64_t       columns;

	if (fileno(out) < 0 || !isatty(fileno(out)))
		return TERMINAL_COLUMNS;
	if (set && number_whole(set, &columns) && columns)
		return bounded(columns);
	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col)
		return bounded(size.ws_col);
	return TERMINAL_COLUMNS;
}

bool
terminal_colours(FILE *out)
{
	const char *no = getenv("NO_COLOR");

	return fileno(out) >= 0 && terminal_is(fileno(out)) && !(no && *no);
}

/* harness.c - files and findings of a harness. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/checksum.h"
#include "tests/fuzz/harness.h"

enum { PATH_TEXT = 512, PATHS = 8 };

void
broken_law(const char *condition, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "broken law: %s: ", condition);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
	abort();
}

const char *
harness_path(const char *name)
{
	static char path[PATHS][PATH_TEXT];
	const char *folder = getenv("TMPDIR");
	unsigned    i = 0;

	for (; i < PATHS - 1 && *path[i]; i++)
		if (!strcmp(strrchr(path[i], '/') + 1, name))
			return path[i];
	snprintf(path[i], PATH_TEXT, "%s/%s", folder ? folder : "/tmp", name);
	return path[i];
}

void
harness_write(const char *path, const void *bytes, size_t n)
{
	int fd;

	unlink(path); /* it may be mapped */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd)) {
		perror(path);
		exit(EXIT_FAILURE);
	}
}

struct draw
harness_draw(const uint8_t *bytes, size_t n)
{
	return (struct draw){ checksum(bytes, n) };
}

void
harness_refused(const struct error *e)
{
	LAW(e->exit_code == EXIT_FAILED || e->exit_code == EXIT_USAGE, "exit code %d",
	    e->exit_code);
	LAW(*e->text, "a message");
}

/* spill.c - a table in a temporary file without a name, mapped. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/base/spill.h"

int
spill_open(struct spill *s, const char *folder, struct error *e)
{
	static const char name[] = "/.bufsim-XXXXXX";
	size_t		  n = strlen(folder);
	char		 *path = malloc(n + sizeof(name));

	*s = (struct spill){ .fd = -1 };
	if (!path)
		return error_no_memory(e);
	memcpy(path, folder, n);
	memcpy(path + n, name, sizeof(name));
	s->fd = mkstemp(path);
	if (s->fd >= 0)
		unlink(path);
	else
		error_set(e, "%s: no temporary file can be made there: %s", folder,
		    strerror(errno));
	free(path);
	return s->fd < 0 ? -1 : 0;
}

int
spill_grow(struct spill *s, size_t bytes, struct error *e)
{
	int   failed = posix_fallocate(s->fd, 0, (off_t)bytes);
	void *base;

	if (failed)
		return error_set(e, "a temporary file of %zu bytes beside the output: %s", bytes,
		    strerror(failed));
	base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (base == MAP_FAILED)
		return error_set(e, "a temporary file cannot be mapped: %s", strerror(errno));
	if (s->base)
		munmap(s->base, s->bytes);
	s->base = base;
	s->bytes = bytes;
	return 0;
}

void
spill_close(struct spill *s)
{
	if (s->base)
		munmap(s->base, s->bytes);
	if (s->fd >= 0)
		close(s->fd);
	*s = (struct spill){ .fd = -1 };
}

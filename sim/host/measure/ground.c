/* ground.c - make a file for measurements, and take it out of memory. */
#define _GNU_SOURCE /* O_TMPFILE, O_DIRECT, mincore() */
#include "sim/host/measure/ground.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/host/live/scratch.h"
#include "sim/trace/chance.h"

enum { CHUNK = 4 << 20, ALIGNMENT = 1 << 16, PAGE = 4096 };

#define MOST_BYTES (UINT64_C(4) << 30)

static int
refused(const char *what, struct error *e)
{
	return error_set(e, "%s: %s", what, strerror(errno));
}

int
ground_size(uint64_t *bytes, const char *dir, struct error *e)
{
	char	 wanted[NUMBER_TEXT], have[NUMBER_TEXT];
	uint64_t room;

	if (scratch_room(dir, &room, e))
		return -1;
	number_bytes(have, room);
	if (*bytes > room)
		return error_set(e,
		    "--size: the scratch file takes %s, and %s has %s free: type a smaller size, "
		    "or another directory with --dir",
		    number_bytes(wanted, *bytes), dir, have);
	if (!*bytes)
		*bytes = room / 4 < MOST_BYTES ? room / 4 : MOST_BYTES;
	if (*bytes < GROUND_MIN_BYTES)
		return error_set(e,
		    "%s has %s free: a scratch file of a quarter of it is too small: name another "
		    "directory with --dir",
		    dir, have);
	*bytes -= *bytes % CHUNK;
	return 0;
}

/* ---- making it ---- */

static int
fill(int fd, uint64_t bytes, uint64_t *chunk, struct error *e)
{
	uint64_t key = (uint64_t)time(NULL);

	progress_begin("writing the scratch file", NULL, bytes);
	for (uint64_t at = 0; at < bytes; at += CHUNK) {
		for (size_t i = 0; i < CHUNK / sizeof(*chunk); i++)
			chunk[i] = chance_next(&key);
		errno = 0;
		if (pwrite(fd, chunk, CHUNK, (off_t)at) != CHUNK) {
			errno = errno ? errno : ENOSPC;
			return error_set(e, "writing the scratch file: %s%s", strerror(errno),
			    errno == ENOSPC ? ": type a smaller --size" : "");
		}
		progress_reach(at);
	}
	return fsync(fd) ? refused("fsync of the scratch file", e) : 0;
}

static int
fill_direct(struct ground *g, struct error *e)
{
	void *chunk;
	int   fd = ground_open(g, true, e), failed;

	if (fd < 0)
		return -1;
	if (posix_memalign(&chunk, ALIGNMENT, CHUNK)) {
		close(fd);
		return error_no_memory(e);
	}
	failed = fill(fd, g->bytes, chunk, e);
	progress_end();
	free(chunk);
	close(fd);
	return failed;
}

int
ground_make(struct ground *g, const char *dir, uint64_t bytes, struct error *e)
{
	*g = (struct ground){ .fd = scratch_create(dir, bytes, e),
		.bytes = bytes,
		.map = MAP_FAILED };
	if (g->fd < 0)
		return -1;
	snprintf(g->path, sizeof(g->path), "/proc/self/fd/%d", g->fd);
	if (!fill_direct(g, e)) {
		g->map = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, g->fd, 0);
		if (g->map != MAP_FAILED)
			return 0;
		refused("mmap of the scratch file", e);
	}
	ground_release(g);
	return -1;
}

void
ground_release(struct ground *g)
{
	if (g->map != MAP_FAILED)
		munmap(g->map, g->bytes);
	if (g->fd >= 0)
		close(g->fd);
	*g = (struct ground){ .fd = -1, .map = MAP_FAILED };
}

/* ---- using it ---- */

int
ground_open(const struct ground *g, bool direct, struct error *e)
{
	int fd = open(g->path, (direct ? O_RDWR | O_DIRECT : O_RDONLY) | O_CLOEXEC);

	if (fd < 0 && direct && errno == EINVAL)
		return error_set(e,
		    "this file system refuses direct reads (O_DIRECT): name a directory on a disk "
		    "with --dir");
	return fd < 0 ? refused(g->path, e) : fd;
}

int
ground_drop(const struct ground *g, struct error *e)
{
	errno = posix_fadvise(g->fd, 0, 0, POSIX_FADV_DONTNEED);
	return errno ? refused("POSIX_FADV_DONTNEED", e) : 0;
}

double
ground_resident(const struct ground *g, uint64_t offset, uint64_t bytes, struct error *e)
{
	size_t	       n = bytes / PAGE, resident = 0;
	unsigned char *page = malloc(n);

	if (!page || mincore((char *)g->map + offset, bytes, page)) {
		refused("mincore", e);
		free(page);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		resident += page[i] & 1;
	free(page);
	return (double)resident / (double)n;
}

#else

int
ground_size(uint64_t *bytes, const char *dir, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

int
ground_make(struct ground *g, const char *dir, uint64_t bytes, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

void
ground_release(struct ground *g)
{
}

int
ground_open(const struct ground *g, bool direct, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

int
ground_drop(const struct ground *g, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

double
ground_resident(const struct ground *g, uint64_t offset, uint64_t bytes, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

#endif

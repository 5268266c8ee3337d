/* scratch_calls.c - what a program does with a file: reads, writes, page faults, advice. */
#define _GNU_SOURCE /* madvise() */
#include "sim/host/live/scratch.h"
#include "sim/host/live/steps.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int
refused(const char *what, struct error *e)
{
	return error_set(e, "%s: %s", what, strerror(errno));
}

int
scratch_open(const struct scratch *s, struct error *e)
{
	int fd = open(s->path, O_RDWR);

	return fd < 0 ? refused(s->path, e) : fd;
}

int
scratch_read(int fd, uint64_t offset, uint32_t length, struct error *e)
{
	char   *bytes = malloc(length);
	ssize_t n;

	if (!bytes)
		return error_no_memory(e);
	n = pread(fd, bytes, length, (off_t)offset);
	free(bytes);
	return n < 0 ? refused("reading the scratch file", e) : 0;
}

int
scratch_write(struct scratch *s, int fd, uint64_t offset, uint32_t length, struct error *e)
{
	char   *bytes = malloc(length);
	ssize_t n;

	if (!bytes)
		return error_no_memory(e);
	memset(bytes, 'w', length);
	n = pwrite(fd, bytes, length, (off_t)offset);
	free(bytes);
	if (n < 0)
		return refused("writing the scratch file", e);
	if (offset + (uint64_t)n > s->size)
		s->size = offset + (uint64_t)n;
	return (uint32_t)n == length ? 0
				     : error_set(e, "writing the scratch file: no space is left");
}

void *
scratch_map(const struct scratch *s, int fd, struct error *e)
{
	void *map = mmap(NULL, s->bytes ? s->bytes : 1, PROT_READ, MAP_SHARED, fd, 0);

	if (map != MAP_FAILED)
		return map;
	refused("mmap of the scratch file", e);
	return NULL;
}

int
scratch_unmap_pages(const struct scratch *s, void *map, struct error *e)
{
	return madvise(map, s->bytes, MADV_DONTNEED) ? refused("madvise of the scratch file", e)
						     : 0;
}

void
scratch_unmap(const struct scratch *s, void *map)
{
	if (map)
		munmap(map, s->bytes ? s->bytes : 1);
}

int
scratch_touch(const struct scratch *s, void *map, uint64_t offset, uint32_t length, struct error *e)
{
	volatile const char *byte = map;
	uint64_t	     page = offset & ~(uint64_t)(SCRATCH_PAGE - 1);

	if (offset + length > s->size)
		return error_set(e, "a fault behind the end of the scratch file");
	for (; page < offset + length; page += SCRATCH_PAGE) {
		if (madvise((char *)map + page, SCRATCH_PAGE, MADV_DONTNEED))
			return refused("madvise of the scratch file", e);
		(void)byte[page];
	}
	return 0;
}

int
scratch_advise(struct scratch *s, int fd, unsigned kind, uint64_t offset, uint64_t length,
    struct error *e)
{
	static const int advice[ADVICE_KINDS] = { [ADVICE_NORMAL] = POSIX_FADV_NORMAL,
		[ADVICE_RANDOM] = POSIX_FADV_RANDOM,
		[ADVICE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		[ADVICE_WILLNEED] = POSIX_FADV_WILLNEED,
		[ADVICE_DONTNEED] = POSIX_FADV_DONTNEED };

	if (kind == ADVICE_DONTNEED && fdatasync(s->fd))
		return refused("fdatasync of the scratch file", e);
	errno = posix_fadvise(fd, (off_t)offset, (off_t)length, advice[kind]);
	return errno ? refused("posix_fadvise", e) : 0;
}

int
scratch_resize(struct scratch *s, uint64_t bytes, struct error *e)
{
	if (bytes == s->size)
		return 0;
	if (ftruncate(s->fd, (off_t)bytes))
		return refused("changing the size of the scratch file", e);
	s->size = bytes;
	return 0;
}

#else

int
scratch_open(const struct scratch *s, struct error *e)
{
	return -1;
}

int
scratch_read(int fd, uint64_t offset, uint32_t length, struct error *e)
{
	return -1;
}

int
scratch_write(struct scratch *s, int fd, uint64_t offset, uint32_t length, struct error *e)
{
	return -1;
}

void *
scratch_map(const struct scratch *s, int fd, struct error *e)
{
	return NULL;
}

int
scratch_unmap_pages(const struct scratch *s, void *map, struct error *e)
{
	return -1;
}

void
scratch_unmap(const struct scratch *s, void *map)
{
}

int
scratch_touch(const struct scratch *s, void *map, uint64_t offset, uint32_t length, struct error *e)
{
	return -1;
}

int
scratch_advise(struct scratch *s, int fd, unsigned kind, uint64_t offset, uint64_t length,
    struct error *e)
{
	return -1;
}

int
scratch_resize(struct scratch *s, uint64_t bytes, struct error *e)
{
	return -1;
}

#endif

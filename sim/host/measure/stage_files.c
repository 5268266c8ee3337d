/*
 * stage_files.c - make many files fast, and be sure that none of their pages is in
 * memory.
 *
 * All files are written first, then the file system is synced once.  Their
 * bytes are random: some file systems pack or share others.  mincore() shows
 * the pages that are in memory and up to date; until reads in flight are
 * complete, cachestat() counts more (sim/host/live/scratch.c).
 */
#define _GNU_SOURCE /* mincore(), syncfs(), sync_file_range() */
#include "sim/host/measure/stage_files.h"

#include "sim/host/live/host.h"
#include "sim/host/live/scratch.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"

enum {
	CHUNK = 1 << 20,
	DROPS_MAX = 50,
	POLL_US = 1000,
	POLLS_QUIET = 30, /* without cachestat() */
};

static int
refused(const char *what, struct error *e)
{
	return error_set(e, "%s: %s", what, strerror(errno));
}

static void
doze(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = POLL_US * 1000 }, NULL);
}

/* ---- making them ---- */

static void
scramble(uint64_t *state, uint64_t *chunk)
{
	uint64_t x = *state;

	for (size_t i = 0; i < CHUNK / sizeof(*chunk); i++) { /* Marsaglia's xorshift */
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		chunk[i] = x;
	}
	*state = x;
}

static int
fill(const struct stage_files *fs, file_t f, uint64_t *state, uint64_t *chunk, uint64_t *done,
    struct error *e)
{
	for (uint64_t left = fs->trace->file[f].bytes; left;) {
		ssize_t n;

		scramble(state, chunk);
		n = write(fs->fd[f], chunk, left < CHUNK ? (size_t)left : CHUNK);
		if (n < 0)
			return error_set(e, "writing file %u of %u in %s: %s", f + 1,
			    fs->trace->nfiles, fs->dir, strerror(errno));
		left -= (uint64_t)n;
		*done += (uint64_t)n;
		progress_reach(*done);
	}
	return 0;
}

static int
fill_all(struct stage_files *fs, const char *dir, struct error *e)
{
	uint64_t *chunk = malloc(CHUNK), state = UINT64_C(88172645463325252), done = 0;
	int	  failed = chunk ? 0 : error_no_memory(e);

	progress_begin("making the files", NULL, fs->bytes);
	for (file_t f = 0; !failed && f < fs->trace->nfiles; f++) {
		fs->fd[f] = scratch_create(dir, fs->trace->file[f].bytes, e);
		failed = fs->fd[f] < 0 ? -1 : fill(fs, f, &state, chunk, &done, e);
	}
	progress_end();
	free(chunk);
	return failed;
}

int
stage_files_make(struct stage_files *fs, const struct trace *t, const char *dir, struct error *e)
{
	struct host host;

	*fs = (struct stage_files){ .trace = t, .dirty = true };
	host_init(&host, dir);
	snprintf(fs->type, sizeof(fs->type), "%s", host.type);
	snprintf(fs->dir, sizeof(fs->dir), "%s", dir);
	if (!stage_files_check(fs, dir, e)) {
		fs->fd = malloc(((size_t)t->nfiles + 1) * sizeof(*fs->fd));
		for (file_t f = 0; fs->fd && f < t->nfiles; f++)
			fs->fd[f] = -1;
		if (!fs->fd)
			error_set(e, "out of memory for %u files", t->nfiles);
		else if (!fill_all(fs, dir, e) && !stage_files_drop(fs, e))
			return 0;
	}
	stage_files_release(fs);
	return -1;
}

void
stage_files_release(struct stage_files *fs)
{
	for (file_t f = 0; fs->fd && f < fs->trace->nfiles; f++)
		if (fs->fd[f] >= 0)
			close(fs->fd[f]);
	free(fs->fd);
	free(fs->last);
	*fs = (struct stage_files){ 0 };
}

int
stage_files_open(const struct stage_files *fs, file_t f, bool write, struct error *e)
{
	char path[48];
	int  fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fs->fd[f]);
	fd = open(path, write ? O_RDWR : O_RDONLY);
	return fd < 0 ? refused(path, e) : fd;
}

/* ---- what is in memory ---- */

static int
look(const struct stage_files *fs, file_t f, unsigned char *page, uint64_t *resident,
    struct error *e)
{
	uint64_t left = stage_files_pages(fs->trace, f);
	size_t	 bytes = (size_t)left * SCRATCH_PAGE;
	char	*map, *at;
	int	 failed = 0;

	if (!left)
		return 0;
	map = at = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, fs->fd[f], 0);
	if (map == MAP_FAILED)
		return refused("mmap of a file", e);
	while (!failed && left) {
		size_t n = left < CHUNK ? (size_t)left : CHUNK;

		failed = mincore(at, n * SCRATCH_PAGE, page) ? refused("mincore", e) : 0;
		for (size_t i = 0; !failed && i < n; i++)
			*resident += page[i] & 1;
		at += n * SCRATCH_PAGE;
		left -= n;
	}
	munmap(map, bytes);
	return failed;
}

static int
look_at_all(const struct stage_files *fs, uint64_t *resident, struct error *e)
{
	unsigned char *page = malloc(CHUNK);
	int	       failed = page ? 0 : error_no_memory(e);

	*resident = 0;
	for (file_t f = 0; !failed && f < fs->trace->nfiles; f++)
		failed = look(fs, f, page, resident, e);
	free(page);
	return failed;
}

/* Pages in memory, also those being read; UINT64_MAX: the kernel does not report it. */
static uint64_t
count(const struct stage_files *fs)
{
	uint64_t sum = 0;

	for (file_t f = 0; f < fs->trace->nfiles; f++) {
		uint64_t n = scratch_count(fs->fd[f], 0, 0);

		if (n == UINT64_MAX)
			return n;
		sum += n;
	}
	return sum;
}

int
stage_files_resident(const struct stage_files *fs, uint64_t *pages, struct error *e)
{
	uint64_t before = UINT64_MAX;
	unsigned quiet = 0;

	for (; quiet < POLLS_QUIET; before = *pages, doze()) {
		if (look_at_all(fs, pages, e))
			return -1;
		if (count(fs) == *pages)
			return 0;
		quiet = *pages == before ? quiet + 1 : 0;
	}
	return 0;
}

void
stage_files_drop_range(const struct stage_files *fs, file_t f, uint64_t first, uint64_t n)
{
	off_t offset = (off_t)(first * SCRATCH_PAGE), bytes = (off_t)(n * SCRATCH_PAGE);

	if (fs->dirty && !strcmp(fs->type, "overlay"))
		fdatasync(fs->fd[f]); /* sync_file_range() does nothing there */
	else if (fs->dirty)
		sync_file_range(fs->fd[f], offset, bytes,
		    SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			SYNC_FILE_RANGE_WAIT_AFTER);
	posix_fadvise(fs->fd[f], offset, bytes, POSIX_FADV_DONTNEED);
}

int
stage_files_drop(struct stage_files *fs, struct error *e)
{
	uint64_t resident;

	if (fs->dirty && fs->trace->nfiles && syncfs(fs->fd[0]))
		return refused("syncfs", e);
	fs->dirty = false;
	for (unsigned i = 0; i < DROPS_MAX; i++, doze()) {
		for (file_t f = 0; f < fs->trace->nfiles; f++) {
			errno = posix_fadvise(fs->fd[f], 0, 0, POSIX_FADV_DONTNEED);
			if (errno)
				return refused("POSIX_FADV_DONTNEED", e);
		}
		if (look_at_all(fs, &resident, e))
			return -1;
		if (!resident)
			return 0;
	}
	return error_set(e,
	    "%llu pages are still in memory after POSIX_FADV_DONTNEED: the file system of %s%s%s "
	    "keeps them: name another directory with --dir",
	    (unsigned long long)resident, fs->dir, *fs->type ? ", " : "", fs->type);
}

#else

int
stage_files_make(struct stage_files *fs, const struct trace *t, const char *dir, struct error *e)
{
	*fs = (struct stage_files){ 0 };
	return error_set(e, "files are made, and replayed, on Linux only");
}

void
stage_files_release(struct stage_files *fs)
{
}

int
stage_files_open(const struct stage_files *fs, file_t f, bool write, struct error *e)
{
	return -1;
}

int
stage_files_drop(struct stage_files *fs, struct error *e)
{
	return -1;
}

void
stage_files_drop_range(const struct stage_files *fs, file_t f, uint64_t first, uint64_t n)
{
}

int
stage_files_resident(const struct stage_files *fs, uint64_t *pages, struct error *e)
{
	return -1;
}

#endif

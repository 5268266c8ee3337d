/*
 * scratch.c - make a file, drop it from memory, and find its pages in memory.
 *
 * The file has no name, or loses it at once, so that nothing remains after any
 * end of the program; it is reopened through /proc.  mincore() shows which
 * pages are in memory and up to date, and changes nothing.  It does not count
 * a page that is still being read, so it is repeated until its number of pages
 * is that of cachestat(), which counts such pages, too.  If the kernel has no
 * cachestat() (before 6.5), or cachestat() counts another file (overlayfs) or a
 * page that was written in part and is never read whole (blocks smaller than
 * pages), mincore() is repeated until nothing has changed for a while.
 */
#define _GNU_SOURCE /* mincore(), syscall() */
#include "sim/host/live/scratch.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/number.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451 /* on every architecture but alpha */
#endif

enum {
	CHUNK = 1 << 20,
	POLL_US = 100,
	POLLS_MAX = 50000,   /* five seconds */
	POLLS_QUIET = 30,    /* without cachestat() */
	POLLS_STUCK = 10000, /* with it: what it counts besides is not being read */
	DOUBTS_MAX = 10,     /* wrong answers of cachestat() before it is no longer used */
	DROPS_MAX = 20,
	PROBE_BYTES = 512 * SCRATCH_PAGE,
	PROBE_PAGE = 300,
};

static int
refused(const char *what, struct error *e)
{
	return error_set(e, "%s: %s", what, strerror(errno));
}

/* ---- the file ---- */

static int
fill(int fd, uint64_t bytes, struct error *e)
{
	char *chunk = malloc(CHUNK);

	if (!chunk)
		return error_no_memory(e);
	memset(chunk, 'b', CHUNK);
	for (uint64_t left = bytes; left;) {
		ssize_t n = write(fd, chunk, left < CHUNK ? (size_t)left : CHUNK);

		if (n < 0) {
			free(chunk);
			return refused("writing the scratch file", e);
		}
		left -= (uint64_t)n;
	}
	free(chunk);
	return 0;
}

int
scratch_room(const char *dir, uint64_t *bytes, struct error *e)
{
	struct statvfs v;

	if (statvfs(dir, &v))
		return error_set(e, "%s: %s: name another directory with --dir", dir,
		    strerror(errno));
	*bytes = v.f_blocks ? (uint64_t)v.f_bavail * v.f_frsize : UINT64_MAX;
	return 0;
}

uint64_t
scratch_descriptors(uint64_t n)
{
	struct rlimit l, raised;

	if (getrlimit(RLIMIT_NOFILE, &l))
		return 0;
	if (l.rlim_cur >= n)
		return l.rlim_cur;
	raised = (struct rlimit){ n < l.rlim_max ? n : l.rlim_max, l.rlim_max };
	return setrlimit(RLIMIT_NOFILE, &raised) ? l.rlim_cur : raised.rlim_cur;
}

static int
cannot_create(const char *dir, struct error *e)
{
	return error_set(e, "no scratch file can be made in %s: %s: %s", dir, strerror(errno),
	    errno == EMFILE ? "raise the limit with ulimit -Hn"
			    : "name another directory with --dir");
}

int
scratch_limit(uint64_t bytes, struct error *e)
{
	char	      needed[NUMBER_TEXT], most[NUMBER_TEXT];
	struct rlimit l;

	if (getrlimit(RLIMIT_FSIZE, &l) || l.rlim_cur == RLIM_INFINITY || bytes <= l.rlim_cur)
		return 0;
	return error_set(e,
	    "a scratch file takes %s, beyond the file size limit of %s: raise it with ulimit -f",
	    number_bytes(needed, bytes), number_bytes(most, l.rlim_cur));
}

int
scratch_create(const char *dir, uint64_t bytes, struct error *e)
{
	size_t room = strlen(dir) + sizeof("/bufsim-XXXXXX");
	char  *name;
	int    fd;

	if (scratch_limit(bytes, e))
		return -1;
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd >= 0)
		return fd;
	name = malloc(room); /* the file system needs a name */
	if (!name)
		return error_no_memory(e);
	snprintf(name, room, "%s/bufsim-XXXXXX", dir);
	fd = mkstemp(name);
	if (fd < 0)
		cannot_create(dir, e);
	else
		unlink(name);
	free(name);
	return fd;
}

static int
make_file(struct scratch *s, const char *dir, struct error *e)
{
	s->fd = scratch_create(dir, s->bytes, e);
	return s->fd < 0 ? -1 : fill(s->fd, s->bytes, e);
}

/* ---- what is in memory ---- */

static int
look_once(struct scratch *s, uint64_t *resident, struct error *e)
{
	size_t bytes = (size_t)(s->end - s->first) * SCRATCH_PAGE;

	*resident = 0;
	if (!bytes)
		return 0;
	if (mincore((char *)s->map + (size_t)s->first * SCRATCH_PAGE, bytes, &s->page[s->first]))
		return refused("mincore", e);
	for (uint32_t i = s->first; i < s->end; i++)
		*resident += s->page[i] & 1;
	return 0;
}

uint64_t
scratch_count(int fd, uint64_t offset, uint64_t length)
{
	struct {
		uint64_t offset, length;
	} range = { offset, length };
	struct {
		uint64_t cached, dirty, writeback, evicted, recently_evicted;
	} count = { 0 };

	return syscall(SYS_cachestat, fd, &range, &count, 0) ? UINT64_MAX : count.cached;
}

/* Of the last look. */
static uint64_t
count(const struct scratch *s)
{
	uint64_t offset = (uint64_t)s->first * SCRATCH_PAGE;
	uint64_t length = (uint64_t)(s->end - s->first) * SCRATCH_PAGE;

	return length ? scratch_count(s->fd, offset, length) : 0;
}

/*
 * Does cachestat() count exactly these pages, and no page that is still being
 * read?  It may count fewer once, if a page has left in between; if it counts
 * fewer repeatedly, it counts another file.
 */
static bool
count_agrees(struct scratch *s, uint64_t seen)
{
	uint64_t n = count(s);

	s->doubts = n < seen ? s->doubts + 1 : 0;
	s->counted = s->doubts < DOUBTS_MAX;
	return n == seen;
}

static void
doze(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = POLL_US * 1000 }, NULL);
}

int
scratch_look(struct scratch *s, uint32_t first, uint32_t n, struct error *e)
{
	uint64_t now, before = UINT64_MAX;
	unsigned quiet = 0;

	s->first = first < s->npages ? first : s->npages;
	s->end = n < s->npages - s->first ? s->first + n : s->npages;
	memcpy(&s->seen[s->first], &s->page[s->first], s->end - s->first);
	for (unsigned i = 0; i < POLLS_MAX; i++, before = now, doze()) {
		if (look_once(s, &now, e))
			return -1;
		if (s->counted && count_agrees(s, now))
			return 0;
		quiet = now == before ? quiet + 1 : 0;
		if (quiet == POLLS_STUCK)
			s->counted = false;
		if (!s->counted && quiet >= POLLS_QUIET)
			return 0;
	}
	return error_set(e, "the number of pages in memory does not come to rest");
}

/* ---- the same, put together ---- */

/* After fsync() all pages are clean and can be dropped; sometimes the kernel still holds one. */
int
scratch_drop(struct scratch *s, struct error *e)
{
	uint64_t resident = 1;

	if (fsync(s->fd))
		return refused("fsync of the scratch file", e);
	s->first = 0;
	s->end = s->npages;
	for (unsigned i = 0; resident && i < DROPS_MAX; i++) {
		if (i)
			doze();
		errno = posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED);
		if (errno)
			return refused("POSIX_FADV_DONTNEED", e);
		if (look_once(s, &resident, e))
			return -1;
	}
	if (resident)
		return error_set(e,
		    "%llu of %u pages are still in memory after POSIX_FADV_DONTNEED: this file "
		    "system keeps its files there, or another process holds them",
		    (unsigned long long)resident, s->npages);
	s->counted = count(s) == 0;
	return 0;
}

int
scratch_init(struct scratch *s, const char *dir, uint64_t bytes, struct error *e)
{
	*s = (struct scratch){
		.fd = -1,
		.map = MAP_FAILED,
		.bytes = bytes,
		.size = bytes,
		.npages = (uint32_t)((bytes + SCRATCH_PAGE - 1) / SCRATCH_PAGE),
	};
	if (sysconf(_SC_PAGESIZE) != SCRATCH_PAGE)
		return error_set(e, "pages here are of %ld bytes, not of %d", sysconf(_SC_PAGESIZE),
		    SCRATCH_PAGE);
	s->page = calloc(s->npages + 1, 1);
	s->seen = calloc(s->npages + 1, 1);
	if (!s->page || !s->seen)
		error_no_memory(e);
	else if (!make_file(s, dir, e)) {
		snprintf(s->path, sizeof(s->path), "/proc/self/fd/%d", s->fd);
		s->map = mmap(NULL, bytes ? bytes : 1, PROT_NONE, MAP_SHARED, s->fd, 0);
		if (s->map == MAP_FAILED)
			refused("mmap of the scratch file", e);
		else if (!scratch_drop(s, e))
			return 0;
	}
	scratch_release(s);
	return -1;
}

void
scratch_release(struct scratch *s)
{
	if (s->map != MAP_FAILED)
		munmap(s->map, s->bytes ? s->bytes : 1);
	if (s->fd >= 0)
		close(s->fd);
	free(s->page);
	free(s->seen);
	*s = (struct scratch){ .fd = -1, .map = MAP_FAILED };
}

/* After a read of one page in the middle, that page must be in memory, but not all pages. */
static int
probe_read(struct scratch *s, int fd, struct error *e)
{
	uint32_t came = 0;

	if (scratch_read(fd, PROBE_PAGE * SCRATCH_PAGE, SCRATCH_PAGE, e) ||
	    scratch_look(s, 0, s->npages, e))
		return -1;
	for (uint32_t i = 0; i < s->npages; i++)
		came += scratch_came(s, i);
	if (!scratch_came(s, PROBE_PAGE))
		return error_set(e,
		    "a page that was read is not in memory according to mincore: this "
		    "file system has a cache of its own, or none");
	if (came == s->npages)
		return error_set(e,
		    "mincore reports every page in memory after one was read: it is "
		    "restricted here, or this file system reads whole files");
	return 0;
}

int
scratch_probe(const char *dir, struct error *e)
{
	struct error   why = { 0 };
	struct scratch s;
	int	       fd = scratch_create(dir, PROBE_BYTES, e), failed = -1;

	if (fd < 0)
		return -1;
	close(fd);
	if (!scratch_init(&s, dir, PROBE_BYTES, &why)) {
		fd = scratch_open(&s, &why);
		if (fd >= 0) {
			failed = probe_read(&s, fd, &why);
			close(fd);
		}
		scratch_release(&s);
	}
	if (!failed)
		return 0;
	return error_set(e,
	    "cached pages cannot be observed in %s: %s: name another directory with --dir", dir,
	    why.text);
}

#else

int
scratch_room(const char *dir, uint64_t *bytes, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

uint64_t
scratch_descriptors(uint64_t n)
{
	return 0;
}

int
scratch_create(const char *dir, uint64_t bytes, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

int
scratch_init(struct scratch *s, const char *dir, uint64_t bytes, struct error *e)
{
	*s = (struct scratch){ .fd = -1 };
	return error_set(e, "this works on Linux only");
}

void
scratch_release(struct scratch *s)
{
}

int
scratch_drop(struct scratch *s, struct error *e)
{
	return -1;
}

int
scratch_look(struct scratch *s, uint32_t first, uint32_t n, struct error *e)
{
	return -1;
}

int
scratch_probe(const char *dir, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

#endif

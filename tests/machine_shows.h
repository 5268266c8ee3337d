/*
 * machine_shows.h - what the machine under a test allows, found by plain system
 * calls.  Nothing here is a part of the program, so that a fault of the program
 * never looks like an odd machine.
 */
#ifndef TESTS_MACHINE_SHOWS_H
#define TESTS_MACHINE_SHOWS_H

#if defined(__linux__) && !defined(_GNU_SOURCE)
#error "define _GNU_SOURCE, for mincore() and O_DIRECT"
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__

#include <sys/vfs.h>
#include <sys/wait.h>

enum { SHOWS_PAGE = 4096, SHOWS_PAGES = 4096, SHOWS_TRIES = 10 };

/* A file without a name, of SHOWS_PAGES pages on the drive, none of them in memory; or why not. */
struct shows {
	int	      fd;
	unsigned char page[SHOWS_PAGES];
	char	      why[256];
};

static inline bool
shows_not(struct shows *s, const char *what)
{
	snprintf(s->why, sizeof(s->why), "%s: %s", what, strerror(errno));
	return false;
}

/* Pages in memory; SHOWS_PAGES + 1: they cannot be seen. */
static inline unsigned
shows_resident(struct shows *s)
{
	size_t	 bytes = (size_t)SHOWS_PAGES * SHOWS_PAGE;
	void	*map = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, s->fd, 0);
	unsigned n = 0;

	if (map == MAP_FAILED)
		return SHOWS_PAGES + 1;
	if (mincore(map, bytes, s->page))
		n = SHOWS_PAGES + 1;
	for (unsigned i = 0; n <= SHOWS_PAGES && i < SHOWS_PAGES; i++)
		n += s->page[i] & 1;
	munmap(map, bytes);
	return n;
}

static inline void
shows_doze(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static inline bool
shows_drop(struct shows *s)
{
	for (unsigned i = 0; i < SHOWS_TRIES; i++, shows_doze())
		if (!posix_fadvise(s->fd, 0, 0, POSIX_FADV_DONTNEED) && !shows_resident(s))
			return true;
	snprintf(s->why, sizeof(s->why),
	    "pages do not leave memory: a file system in memory, or one without mincore()");
	return false;
}

static inline bool
shows_make(struct shows *s, const char *dir)
{
	static char page[SHOWS_PAGE] = "x";
	char	    path[4096];

	*s = (struct shows){ .fd = -1 };
	if (sysconf(_SC_PAGESIZE) != SHOWS_PAGE) {
		snprintf(s->why, sizeof(s->why), "pages are not of 4096 bytes");
		return false;
	}
	snprintf(path, sizeof(path), "%s/shows-XXXXXX", dir);
	s->fd = mkstemp(path);
	if (s->fd < 0)
		return shows_not(s, "no file can be made");
	unlink(path);
	for (unsigned i = 0; i < SHOWS_PAGES; i++)
		if (write(s->fd, page, SHOWS_PAGE) != SHOWS_PAGE)
			return shows_not(s, "writing 16 MiB");
	return fsync(s->fd) ? shows_not(s, "fsync") : shows_drop(s);
}

static inline bool
shows_read(struct shows *s, unsigned first, unsigned n)
{
	static char page[SHOWS_PAGE];

	for (unsigned i = first; i < first + n; i++)
		if (pread(s->fd, page, SHOWS_PAGE, (off_t)i * SHOWS_PAGE) != SHOWS_PAGE)
			return shows_not(s, "reading");
	return true;
}

/* A page that is read comes into memory, and not the whole file with it. */
static inline bool
shows_pages(struct shows *s)
{
	unsigned n;

	if (access("/proc/self/fd", X_OK))
		return shows_not(s, "/proc/self/fd");
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_RANDOM);
	if (!shows_drop(s) || !shows_read(s, SHOWS_PAGES / 2, 1))
		return false;
	n = shows_resident(s);
	if (s->page[SHOWS_PAGES / 2] & 1 && n < SHOWS_PAGES)
		return true;
	snprintf(s->why, sizeof(s->why), "mincore() does not tell which pages are in memory");
	return false;
}

static inline unsigned long long
shows_bytes_read(void)
{
	unsigned long long bytes = 0;
	char		   line[128];
	FILE		  *f = fopen("/proc/self/io", "r");

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "read_bytes: %llu", &bytes);
	if (f)
		fclose(f);
	return bytes;
}

/* The kernel counts what a process reads from the drive. */
static inline bool
shows_counts(struct shows *s)
{
	unsigned long long before = shows_bytes_read();

	posix_fadvise(s->fd, 0, 0, POSIX_FADV_RANDOM);
	if (!shows_drop(s) || !shows_read(s, 0, 100))
		return false;
	if (shows_bytes_read() - before == 100 * SHOWS_PAGE)
		return true;
	snprintf(s->why, sizeof(s->why), "/proc/self/io does not count the bytes read from a file");
	return false;
}

/* Pages that were read stay in memory for a while. */
static inline bool
shows_stay(struct shows *s)
{
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_NORMAL);
	for (unsigned i = 0; i < SHOWS_TRIES; i++) {
		if (!shows_drop(s) || !shows_read(s, 0, SHOWS_PAGES))
			return false;
		shows_doze();
		if (shows_resident(s) == SHOWS_PAGES)
			return true;
	}
	snprintf(s->why, sizeof(s->why), "the system takes pages back at once: memory is short");
	return false;
}

/* POSIX_FADV_WILLNEED reads ahead. */
static inline bool
shows_willneed(struct shows *s)
{
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_NORMAL);
	if (!shows_drop(s))
		return false;
	posix_fadvise(s->fd, 0, 64 * SHOWS_PAGE, POSIX_FADV_WILLNEED);
	for (unsigned i = 0; i < SHOWS_TRIES; i++, shows_doze())
		if (shows_resident(s) == 64)
			return true;
	snprintf(s->why, sizeof(s->why), "POSIX_FADV_WILLNEED does not read 64 pages");
	return false;
}

/* The first page of a file brings others with it. */
static inline bool
shows_ahead(struct shows *s)
{
	char path[48];
	int  fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	posix_fadvise(s->fd, 0, 0, POSIX_FADV_NORMAL);
	if (!shows_drop(s))
		return false;
	fd = open(path, O_RDONLY); /* with a readahead state of its own */
	if (fd < 0 || read(fd, s->why, 1) != 1)
		return shows_not(s, "reading");
	close(fd);
	for (unsigned i = 0; i < SHOWS_TRIES; i++, shows_doze())
		if (shows_resident(s) >= 4)
			return true;
	snprintf(s->why, sizeof(s->why), "the device reads fewer than four pages ahead");
	return false;
}

/* The kernel counts pages that are still being read, too: cachestat(), of this file. */
static inline bool
shows_inflight(struct shows *s)
{
	enum { CACHESTAT = 451 }; /* on every architecture but alpha */
	unsigned long long range[2] = { 0, 0 }, count[5] = { 0 };

	posix_fadvise(s->fd, 0, 0, POSIX_FADV_RANDOM);
	if (!shows_drop(s) || !shows_read(s, 9, 1))
		return false;
	if (syscall(CACHESTAT, s->fd, range, count, 0) || count[0] != 1) {
		snprintf(s->why, sizeof(s->why),
		    "the kernel does not count pages being read: cachestat()");
		return false;
	}
	if (pwrite(s->fd, "x", 1, SHOWS_PAGE + 1) != 1 || fsync(s->fd))
		return shows_not(s, "writing");
	if (shows_resident(s) == 2)
		return true;
	snprintf(s->why, sizeof(s->why),
	    "a page that is written in part is not read whole: blocks are smaller than pages");
	return false;
}

static inline bool
shows_direct(struct shows *s)
{
	char path[48];
	int  fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", s->fd);
	fd = open(path, O_RDONLY | O_DIRECT);
	if (fd < 0)
		return shows_not(s, "O_DIRECT");
	close(fd);
	return true;
}

/* A process may map a gigabyte, and use a part of it.  A child tries, as it may be killed. */
static inline bool
shows_memory(struct shows *s)
{
	enum { MAPPED = 1 << 30, USED = 160 << 20 };
	pid_t child = fork();
	int   status = 0;
	void *map;

	if (!child) {
		map =
		    mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (map != MAP_FAILED)
			memset(map, 1, USED);
		_exit(map == MAP_FAILED);
	}
	if (child > 0 && waitpid(child, &status, 0) == child && !status)
		return true;
	snprintf(s->why, sizeof(s->why),
	    "memory is limited: 160 MiB of a gigabyte are not to be had");
	return false;
}

/* A kernel and a file system whose readahead was recorded: docs/live.md. */
static inline bool
shows_recorded(struct shows *s)
{
	struct utsname u;
	struct statfs  fs;
	unsigned       major = 0, minor = 0;
	bool	       known;

	if (uname(&u) || fstatfs(s->fd, &fs))
		return shows_not(s, "uname, fstatfs");
	sscanf(u.release, "%u.%u", &major, &minor);
	/* Kernels of RHEL (.el8) have much of later versions. */
	known = !strstr(u.release, ".el") &&
	    ((major == 4 && minor == 19) || (major == 5 && minor == 15) ||
		(major == 6 && (minor == 1 || (minor >= 8 && minor <= 18))));
	snprintf(s->why, sizeof(s->why), "the readahead of Linux %s was never recorded", u.release);
	if (known && fs.f_type != 0xEF53 && fs.f_type != 0x58465342 && fs.f_type != 0x794C7630) {
		known = false;
		snprintf(s->why, sizeof(s->why),
		    "readahead was recorded on ext4, xfs and overlay, not on type %lx",
		    (unsigned long)fs.f_type);
	}
	return known;
}

#else

struct shows {
	int  fd;
	char why[32];
};

static inline bool
shows_make(struct shows *s, const char *dir)
{
	(void)dir;
	*s = (struct shows){ .fd = -1, .why = "this is not Linux" };
	return false;
}

static bool (*const shows_pages)(struct shows *), (*const shows_counts)(struct shows *),
    (*const shows_stay)(struct shows *), (*const shows_ahead)(struct shows *),
    (*const shows_willneed)(struct shows *), (*const shows_inflight)(struct shows *),
    (*const shows_direct)(struct shows *), (*const shows_memory)(struct shows *),
    (*const shows_recorded)(struct shows *);

#endif

/* All of that, in that directory; else say why not, for scripts/run-tests. */
static inline bool
machine_shows(const char *dir, unsigned n, bool (*const what[])(struct shows *))
{
	static struct shows s;
	bool		    good = shows_make(&s, dir);

	for (unsigned i = 0; good && i < n; i++)
		good = what[i](&s);
	if (s.fd >= 0)
		close(s.fd);
	if (!good)
		printf("skipped: %s: %s\n", dir, s.why);
	return good;
}

#endif

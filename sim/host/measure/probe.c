/*
 * probe.c - time reads of a file that nothing else uses.
 *
 * The file is divided: its head is brought into memory, once by readahead and
 * behind that page by page, for the reads of cached pages; its tail, a
 * sixteenth, is kept for first reads, a part of it for each round; all but the
 * tail serves the other reads.
 */
#define _GNU_SOURCE /* MADV_HUGEPAGE, O_DIRECT, sched_setscheduler() */
#include "sim/host/measure/probe.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/progress.h"
#include "sim/host/live/scratch.h"
#include "sim/host/measure/crowd.h"
#include "sim/host/measure/series.h"
#include "sim/trace/chance.h"

enum {
	HUGE_BYTES = 2 << 20,
	BUFFER_BYTES = LARGEST_PAGES * FIT_PAGE,
	PIECE_BYTES = 1 << 20,	/* to bring pages in */
	SINGLE_PIECE = 8 << 20, /* the same one by one */
	SINGLE_US = 2000000,
};

#define LARGE_BYTES (UINT64_C(256) << 20)
#define SINGLE_BYTES (UINT64_C(128) << 20)
#define RESIDENT_MIN 0.98

/* ---- scheduling ---- */

static bool
set_priority(int policy, int priority)
{
	return !sched_setscheduler(0, policy, &(struct sched_param){ .sched_priority = priority });
}

/* ---- buffers ---- */

static bool
huge_pages_are_off(void)
{
	char  line[64] = "";
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");

	if (f) {
		if (!fgets(line, sizeof(line), f))
			*line = '\0';
		fclose(f);
	}
	return !f || strstr(line, "[never]");
}

static void *
map_memory(size_t bytes)
{
	void *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return m == MAP_FAILED ? NULL : m;
}

/* Pages that are neighbours in the small buffer are touched one after another at no time. */
static int
make_buffers(struct probe *p)
{
	struct scatter order;

	p->arena = map_memory(BUFFER_BYTES + HUGE_BYTES);
	p->small = map_memory(BUFFER_BYTES);
	if (!p->arena || !p->small)
		return error_no_memory(p->meter.e);
	p->huge = (char *)p->arena + (HUGE_BYTES - (uintptr_t)p->arena % HUGE_BYTES) % HUGE_BYTES;
	p->facts->huge = !madvise(p->huge, BUFFER_BYTES, MADV_HUGEPAGE) && !huge_pages_are_off();
	madvise(p->small, BUFFER_BYTES, MADV_NOHUGEPAGE);
	memset(p->huge, 1, BUFFER_BYTES);
	scatter_init(&order, LARGEST_PAGES);
	for (uint64_t i = 0; i < LARGEST_PAGES; i++)
		p->small[scatter_place(&order, i) * FIT_PAGE] = 1;
	return 0;
}

/* ---- rounds ---- */

/* Read an area through the page cache, and see that it stays there. */
static int
bring_in(struct probe *p, int fd, uint64_t first, uint64_t bytes)
{
	double share;

	for (uint64_t at = 0; at < bytes; at += PIECE_BYTES) {
		size_t n = bytes - at < PIECE_BYTES ? (size_t)(bytes - at) : PIECE_BYTES;

		if (pread(fd, p->small, n, (off_t)(first + at)) != (ssize_t)n)
			return error_set(p->meter.e, "reading the scratch file failed");
	}
	share = ground_resident(&p->ground, first, bytes, p->meter.e);
	if (share < 0)
		return -1;
	if (share < RESIDENT_MIN)
		return error_set(p->meter.e,
		    "of the pages that were just read, %.0f %% have left memory again: free some "
		    "memory, or type a smaller --size",
		    100 * (1 - share));
	return 0;
}

/*
 * Begin to read every page by itself, in an order far from that of the file:
 * so they lie in memory as random reads leave them.
 */
static int
begin_single(struct probe *p, uint64_t first, uint64_t bytes)
{
	struct scatter order;

	scatter_init(&order, bytes / FIT_PAGE);
	for (uint64_t i = 0; i < order.n; i++) {
		uint64_t at = first + scatter_place(&order, i) * FIT_PAGE;

		errno = posix_fadvise(p->random, (off_t)at, FIT_PAGE, POSIX_FADV_WILLNEED);
		if (errno)
			return error_set(p->meter.e, "POSIX_FADV_WILLNEED: %s", strerror(errno));
	}
	return 0;
}

/* On a slow device the area becomes smaller. */
static int
bring_in_single(struct probe *p)
{
	double begin = clock_us();

	for (uint64_t at = 0; at < p->single; at += SINGLE_PIECE) {
		uint64_t rest = p->single - at, n = rest < SINGLE_PIECE ? rest : SINGLE_PIECE;

		if (begin_single(p, p->large + at, n) || bring_in(p, p->random, p->large + at, n))
			return -1;
		if (clock_us() - begin > SINGLE_US)
			p->single = at + n;
	}
	return 0;
}

static int
prepare_memory(struct probe *p)
{
	if (ground_drop(&p->ground, p->meter.e) || bring_in_single(p))
		return -1;
	return bring_in(p, p->plain, 0, p->large);
}

static int
run_round(struct probe *p, struct point *point, unsigned n, uint32_t column)
{
	if (prepare_memory(p))
		return -1;
	for (unsigned i = 0; i < n; i++) {
		double us = series_measure(p, &point[i]);

		if (us < 0)
			return -1;
		point[i].us[column] = us;
		progress_reach((uint64_t)p->round * n + i);
	}
	return 0;
}

static int
run_rounds(struct probe *p, struct point *point, unsigned n)
{
	double begin = clock_us(), waited = waited_us();
	int    failed;

	progress_begin("measuring", NULL, (uint64_t)(p->rounds + 1) * n);
	failed = run_round(p, point, n, 0);
	p->meter.patient = true;
	for (p->round = 1; !failed && p->round <= p->rounds; p->round++)
		failed = run_round(p, point, n, p->round - 1);
	progress_end();
	p->facts->elapsed_s = (clock_us() - begin) / 1e6;
	p->facts->waited_s = (waited_us() - waited) / 1e6;
	return failed;
}

/* ---- the whole ---- */

static int
open_all(struct probe *p)
{
	p->direct = ground_open(&p->ground, true, p->meter.e);
	p->plain = p->direct < 0 ? -1 : ground_open(&p->ground, false, p->meter.e);
	p->random = p->plain < 0 ? -1 : ground_open(&p->ground, false, p->meter.e);
	if (p->random < 0)
		return -1;
	errno = posix_fadvise(p->random, 0, 0, POSIX_FADV_RANDOM);
	return errno ? error_set(p->meter.e, "POSIX_FADV_RANDOM: %s", strerror(errno)) : 0;
}

static void
release(struct probe *p)
{
	const int fd[] = { p->direct, p->plain, p->random };

	for (unsigned i = 0; i < sizeof(fd) / sizeof(*fd); i++)
		if (fd[i] >= 0)
			close(fd[i]);
	if (p->arena)
		munmap(p->arena, BUFFER_BYTES + HUGE_BYTES);
	if (p->small)
		munmap(p->small, BUFFER_BYTES);
	ground_release(&p->ground);
}

static void
divide(struct probe *p)
{
	uint64_t bytes = p->ground.bytes, quarter;

	p->span = (bytes - bytes / 16) / BUFFER_BYTES * BUFFER_BYTES;
	quarter = p->span / 4 / FIT_PAGE * FIT_PAGE;
	p->large = quarter < LARGE_BYTES ? quarter : LARGE_BYTES;
	p->single = quarter < SINGLE_BYTES ? quarter : SINGLE_BYTES;
}

static int
probe_file(struct probe *p, struct point *point, unsigned n)
{
	int policy = sched_getscheduler(0), failed;

	divide(p);
	if (make_buffers(p) || open_all(p))
		return -1;
	p->facts->fifo = set_priority(SCHED_FIFO, 1);
	failed = run_rounds(p, point, n);
	if (p->facts->fifo)
		set_priority(policy, 0);
	return failed;
}

int
probe_check(const char *dir, uint64_t *bytes, struct error *e)
{
	return ground_size(bytes, dir, e) || scratch_probe(dir, e) ? -1 : 0;
}

int
probe_run(struct point *point, unsigned npoints, uint32_t rounds, const char *dir, uint64_t bytes,
    struct probe_facts *out, struct error *e)
{
	struct statvfs fs;
	struct probe   p = { .direct = -1,
		  .plain = -1,
		  .random = -1,
		  .meter = { .key = (uint64_t)time(NULL), .e = e },
		  .rounds = rounds,
		  .facts = out };
	int	       failed;

	*out = (struct probe_facts){ .bytes = bytes };
	host_init(&out->host, dir);
	if (!statvfs(dir, &fs))
		out->device_bytes = (uint64_t)fs.f_blocks * fs.f_frsize;
	if (ground_make(&p.ground, dir, bytes, e))
		return -1;
	failed = probe_file(&p, point, npoints);
	release(&p);
	return failed;
}

#else

int
probe_check(const char *dir, uint64_t *bytes, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

int
probe_run(struct point *point, unsigned npoints, uint32_t rounds, const char *dir, uint64_t bytes,
    struct probe_facts *out, struct error *e)
{
	return error_set(e, "this works on Linux only");
}

#endif

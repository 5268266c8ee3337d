/*
 * window.c - a page fault in the middle of a file of which nothing is in
 * memory reads exactly one window, half of it before the page.
 */
#include <time.h>
#include <unistd.h>

#include "sim/host/live/scratch.h"
#include "sim/host/live/window.h"

enum { FILE_PAGES = 8192, MIDDLE = FILE_PAGES / 2, FAULTS_MAX = 6, LOOKS_MAX = 20, REST_MS = 5 };

/* The pages in memory at the last look. */
struct resident {
	uint32_t n, first, last;
};

static struct resident
resident(const struct scratch *s)
{
	struct resident r = { 0 };

	for (uint32_t i = 0; i < s->npages; i++) {
		if (!(s->page[i] & 1))
			continue;
		r.first = r.n ? r.first : i;
		r.last = i;
		r.n++;
	}
	return r;
}

/* Until two looks find the same: without cachestat(), one may find a window half read. */
static int
look(struct scratch *s, struct resident *r, struct error *e)
{
	uint32_t before = 0;

	for (unsigned i = 0; i < LOOKS_MAX; i++, before = r->n) {
		if (i)
			nanosleep(&(struct timespec){ .tv_nsec = REST_MS * 1000000 }, NULL);
		if (scratch_look(s, 0, s->npages, e))
			return -1;
		*r = resident(s);
		if (r->n && r->n == before)
			break;
	}
	return 0;
}

/* Take all pages out of memory, and touch the one in the middle. */
static int
fault(struct scratch *s, struct resident *r, struct error *e)
{
	void *map = NULL;
	int   failed = scratch_drop(s, e), fd = failed ? -1 : scratch_open(s, e);

	failed = fd < 0 || !(map = scratch_map(s, fd, e)) ||
	    scratch_touch(s, map, MIDDLE * SCRATCH_PAGE, SCRATCH_PAGE, e) || look(s, r, e);
	scratch_unmap(s, map);
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

/* A window of one page, or none: the first reads ahead of a call of two pages. */
static int
one_or_none(struct scratch *s, uint32_t *pages, struct error *e)
{
	struct resident r = { 0 };
	int		failed = scratch_drop(s, e), fd = failed ? -1 : scratch_open(s, e);

	failed = fd < 0 || scratch_read(fd, 0, 2 * SCRATCH_PAGE, e) || look(s, &r, e);
	*pages = r.n > 2;
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

static bool
is_window(const struct resident *r)
{
	return r->n && r->n < FILE_PAGES && r->last - r->first + 1 == r->n &&
	    r->first == MIDDLE - r->n / 2;
}

/* The same twice in a row: the system may have taken pages back. */
static int
measure(struct scratch *s, uint32_t *pages, struct error *e)
{
	struct resident r = { 0 };
	uint32_t	before = 0;

	for (unsigned i = 0; i < FAULTS_MAX; i++, before = r.n) {
		if (fault(s, &r, e))
			return -1;
		if (i && r.n == before && is_window(&r)) {
			*pages = r.n;
			return r.n == 1 ? one_or_none(s, pages, e) : 0;
		}
	}
	return error_set(e, "page faults do not show it");
}

int
window_measure(const char *dir, uint32_t *pages, struct error *e)
{
	struct scratch s;
	int	       failed;

	if (scratch_init(&s, dir, FILE_PAGES * SCRATCH_PAGE, e))
		return -1;
	failed = measure(&s, pages, e);
	scratch_release(&s);
	return failed;
}

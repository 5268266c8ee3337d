/*
 * window.c - a page fault in the middle of a file of which nothing is in
 * memory reads exactly one window, half of it before the page.
 */
#include <unistd.h>

#include "sim/live/scratch.h"
#include "sim/live/window.h"

enum { FILE_PAGES = 8192, MIDDLE = FILE_PAGES / 2 };

/* The pages of the last look that have come. */
struct arrived {
	uint32_t n, first, last;
};

static struct arrived
arrived(const struct scratch *s)
{
	struct arrived a = { 0 };

	for (uint32_t i = s->first; i < s->end; i++) {
		if (!scratch_came(s, i))
			continue;
		a.first = a.n ? a.first : i;
		a.last = i;
		a.n++;
	}
	return a;
}

/* Take all pages out of memory, and touch the one in the middle. */
static int
fault(struct scratch *s, struct arrived *a, struct error *e)
{
	void *map = NULL;
	int   failed = scratch_drop(s, e), fd = failed ? -1 : scratch_open(s, e);

	failed = fd < 0 || !(map = scratch_map(s, fd, e)) ||
	    scratch_touch(s, map, MIDDLE * SCRATCH_PAGE, SCRATCH_PAGE, e) ||
	    scratch_look(s, 0, s->npages, e);
	*a = arrived(s);
	scratch_unmap(s, map);
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

/* A window of one page, or none: the first reads ahead of a call of two pages. */
static int
one_or_none(struct scratch *s, uint32_t *pages, struct error *e)
{
	int failed = scratch_drop(s, e), fd = failed ? -1 : scratch_open(s, e);

	failed =
	    fd < 0 || scratch_read(fd, 0, 2 * SCRATCH_PAGE, e) || scratch_look(s, 0, s->npages, e);
	*pages = arrived(s).n > 2;
	if (fd >= 0)
		close(fd);
	return failed ? -1 : 0;
}

static int
look(struct scratch *s, uint32_t *pages, struct error *e)
{
	struct arrived a, again;

	if (fault(s, &a, e) || fault(s, &again, e))
		return -1;
	if (a.n != again.n || !a.n || a.last - a.first + 1 != a.n || a.first != MIDDLE - a.n / 2 ||
	    a.n == s->npages)
		return error_set(e, "page faults do not show it");
	*pages = a.n;
	return a.n == 1 ? one_or_none(s, pages, e) : 0;
}

int
window_measure(const char *dir, uint32_t *pages, struct error *e)
{
	struct scratch s;
	int	       failed;

	if (scratch_init(&s, dir, FILE_PAGES * SCRATCH_PAGE, e))
		return -1;
	failed = look(&s, pages, e);
	scratch_release(&s);
	return failed;
}

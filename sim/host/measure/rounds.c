/* rounds.c - make the runs, reject some, and sort the others by time. */
#include <stdlib.h>

#include "sim/host/measure/rounds.h"

enum {
	MORE = 4,   /* runs than twice as many as are asked for */
	FEW = 1000, /* one page in so many may be lost */
};

double
round_us(const struct run_how *how, const struct run_times *t)
{
	double us = how->by_process || how->think_scale > 0 ? t->elapsed_us : t->calls_us;

	if (how->by_process)
		return us;
	return us > t->waited_us ? us - t->waited_us : 0;
}

/* ---- the runs ---- */

static int
by_time(const void *a, const void *b)
{
	const struct round *x = a, *y = b;

	return x->us < y->us ? -1 : x->us > y->us;
}

static bool
lost_too_many(const struct run_times *t, const struct run_how *how)
{
	return !how->reclaim && t->lost_pages > t->pages_read / FEW;
}

static int
make_one(struct rounds *r, size_t calls, const struct run_how *how, round_make *make, void *self,
    bool counts, struct error *e)
{
	struct round *it = &r->round[r->n];

	*it = (struct round){ .times.call_us = r->call_us + r->n * calls };
	if (make(self, &it->times, e))
		return -1;
	it->us = round_us(how, &it->times);
	if (!counts)
		return 0;
	if (how->warm && !how->writes)
		it->times.lost_pages = it->times.pages_read;
	if (it->times.lost_pages > r->lost_pages)
		r->lost_pages = it->times.lost_pages;
	if (lost_too_many(&it->times, how))
		r->rejected++;
	else
		r->n++;
	return 0;
}

int
rounds_make(struct rounds *r, unsigned runs, size_t calls, const struct run_how *how,
    round_make *make, void *self, struct error *e)
{
	int failed = 0;

	*r = (struct rounds){
		.round = calloc(runs, sizeof(*r->round)),
		.call_us = calloc(runs * calls, sizeof(*r->call_us)),
	};
	if (!r->round || !r->call_us)
		failed = error_set(e, "out of memory for %u runs of %zu calls", runs, calls);
	if (!failed)
		failed = make_one(r, calls, how, make, self, false, e);
	for (unsigned i = 0; !failed && i < 2 * runs + MORE && r->n < runs; i++)
		failed = make_one(r, calls, how, make, self, true, e);
	if (!failed && !r->n)
		failed = error_set(e,
		    "pages left memory in all %u runs, up to %llu of them: the files need more "
		    "memory than is free here, or other programs take it",
		    r->rejected, (unsigned long long)r->lost_pages);
	if (failed)
		rounds_release(r);
	else
		qsort(r->round, r->n, sizeof(*r->round), by_time);
	return failed;
}

void
rounds_release(struct rounds *r)
{
	free(r->round);
	free(r->call_us);
	*r = (struct rounds){ 0 };
}

/* ---- what they say together ---- */

const struct round *
rounds_median(const struct rounds *r)
{
	return &r->round[(r->n - 1) / 2];
}

uint64_t
round_pages_read(const struct round *r)
{
	return r->times.pages_read;
}

uint64_t
round_lost_pages(const struct round *r)
{
	return r->times.lost_pages;
}

uint64_t
round_resident_pages(const struct round *r)
{
	return r->times.resident_pages;
}

struct round_counts
rounds_counts(const struct rounds *r, uint64_t (*of)(const struct round *))
{
	struct round_counts c = { .least = UINT64_MAX };
	unsigned	    middle = (r->n - 1) / 2;

	for (unsigned i = 0; i < r->n; i++) {
		uint64_t x = of(&r->round[i]);
		unsigned less = 0, same = 0;

		c.least = x < c.least ? x : c.least;
		c.greatest = x > c.greatest ? x : c.greatest;
		for (unsigned k = 0; k < r->n; k++) {
			less += of(&r->round[k]) < x;
			same += of(&r->round[k]) == x;
		}
		if (less <= middle && middle < less + same)
			c.median = x;
	}
	return c;
}

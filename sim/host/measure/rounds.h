/*
 * rounds.h - several runs of a replay: the first is discarded, runs that lost
 * more than a thousandth of their pages are rejected, and the medians of the
 * others count.
 *
 * The first run takes memory that a virtual machine's host has to supply.
 */
#ifndef SIM_ROUNDS_H
#define SIM_ROUNDS_H

#include "sim/host/measure/stage.h"

struct round {
	struct run_times times;
	double us; /* the time to compare: without waits for a processor if one thread runs */
};

struct rounds {
	struct round *round;   /* [n] that count, by rising time */
	float	     *call_us; /* of all of them */
	unsigned      n, rejected;
	uint64_t      lost_pages; /* of a run, at most */
};

/* The time of a run: of its calls alone if they follow each other without think time. */
double round_us(const struct run_how *how, const struct run_times *t);

/* One run; call_us of *out is set. */
typedef int round_make(void *self, struct run_times *out, struct error *e);

/*
 * Make a run that is discarded, and others of so many calls until that many
 * count, or twice as many and four have been made.  None counts: an error.
 */
int  rounds_make(struct rounds *r, unsigned runs, size_t calls, const struct run_how *how,
     round_make *make, void *self, struct error *e);
void rounds_release(struct rounds *r);

/* The run with the median time; of an even number the faster of the two in the middle. */
const struct round *rounds_median(const struct rounds *r);

/* The least, the median and the greatest of a count of all runs. */
struct round_counts {
	uint64_t least, median, greatest;
};
struct round_counts rounds_counts(const struct rounds *r, uint64_t (*of)(const struct round *));

uint64_t round_pages_read(const struct round *r);
uint64_t round_lost_pages(const struct round *r);
uint64_t round_resident_pages(const struct round *r);

#endif

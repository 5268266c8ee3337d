/*
 * demerit.h - the distance between a device and measurements of a drive.
 *
 * The demerit is the root mean square of the differences between the sorted
 * measured and the sorted simulated response times: the horizontal distance
 * of the two distributions.
 *
 * After: C. Ruemmler, J. Wilkes, An introduction to disk drive modeling, IEEE
 * Computer 27(3), 1994.
 */
#ifndef SIM_DEMERIT_H
#define SIM_DEMERIT_H

#include "sim/analysis/measured.h"
#include "sim/core/simulate.h"

enum request_kind {
	KIND_READ_SEQUENTIAL,
	KIND_READ_OTHER,
	KIND_WRITE_SEQUENTIAL,
	KIND_WRITE_OTHER,
	REQUEST_KINDS
};

struct times { /* of some requests, in ms */
	size_t n;
	double measured, simulated; /* sums */
};

struct comparison {
	size_t	     n;
	double	    *measured, *simulated; /* ms, sorted */
	struct times all, kind[REQUEST_KINDS];
	double	     demerit;		  /* ms */
	usec_t	     part[SERVICE_PARTS]; /* of all simulated services */
};

/*
 * Serve the requests one at a time, each idle_us after the simulated end of
 * the one before, by a newly started device: out[m->n].  All requests must lie
 * on the device.
 */
int demerit_replay(const struct measured *m, const struct config *c, struct service *out,
    struct error *e);

/* Compare requests from .. to - 1, at least one; s: the services of all requests of m. */
int  comparison_init(struct comparison *c, const struct measured *m, const struct service *s,
     size_t from, size_t to, struct error *e);
void comparison_release(struct comparison *c);

void sort_times(double *ms, size_t n);

/* The nearest rank: the smallest time that at least `percent` of the times do not exceed. */
double sorted_percentile(const double *sorted, size_t n, double percent);

#endif

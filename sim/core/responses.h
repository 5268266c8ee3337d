/*
 * responses.h - the response time of each call, from its arrival to its end,
 * and the number of calls under way over time.
 *
 * Exact percentiles take eight bytes a call.  The details of each call, for a
 * file, take more and are stored only if the caller provides an array.
 */
#ifndef SIM_RESPONSES_H
#define SIM_RESPONSES_H

#include "sim/base/output.h"
#include "sim/core/stats.h"
#include "sim/device/device.h"
#include "sim/trace/trace.h"

/* The parts of a response, if a call is one request: the queue, then the parts of the service. */
enum { RESPONSE_PARTS = 1 + SERVICE_PARTS };

struct response {
	usec_t	 arrival, us;
	usec_t	 part[RESPONSE_PARTS]; /* add up to us; of a device replay only */
	uint32_t outstanding;	       /* other calls under way at the arrival */
};

struct responses {
	usec_t		*us; /* [ncalls]; of a call under way, its arrival; NULL: not recorded */
	size_t		 ncalls;
	uint32_t	 under_way, most;
	uint64_t	 sum_us; /* of the calls under way, over time */
	usec_t		 until;	 /* sum_us is up to then */
	struct response *detail; /* [ncalls], of the caller; or NULL */
};

int  responses_init(struct responses *r, size_t ncalls, struct response *detail, struct error *e);
void responses_release(struct responses *r);

/* Time never falls. */
void response_arrives(struct responses *r, size_t call, usec_t now);
void response_ends(struct responses *r, size_t call, usec_t now);

/* Counting starts. */
void responses_restart(struct responses *r, usec_t now);

/*
 * All calls have ended: set the counters from the calls from `first` on.  This
 * reorders r->us.  If r->us is NULL, the counters are STAT_UNKNOWN.
 */
void responses_count(struct responses *r, size_t first, usec_t now, struct stats *st);

/*
 * The percentile of nearest rank: the least of the n values that per_mille in
 * a thousand do not exceed.  Reorders the values.
 */
usec_t percentile(usec_t *value, size_t n, unsigned per_mille);

/*
 * CSV of the calls from `first` on; with the parts of each response if
 * `parts`.  Such a file is recognised by the columns named here.
 */
int responses_write(const struct response *r, const struct trace *t, size_t first, bool parts,
    struct output *to, struct error *e);

#define RESPONSE_ARRIVAL "arrival_us"
#define RESPONSE_US "response_us"
#define RESPONSE_OUTSTANDING "outstanding"

#endif

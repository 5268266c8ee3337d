/*
 * responses.h - how long each call took, from its arrival to its end, and how
 * many were under way at a time.
 *
 * Eight bytes a call, for percentiles that are exact; what a file says of
 * each call takes more, and is kept where the caller has made room for it.
 */
#ifndef SIM_RESPONSES_H
#define SIM_RESPONSES_H

#include "sim/base/output.h"
#include "sim/core/stats.h"
#include "sim/device/device.h"
#include "sim/trace/trace.h"

/* The parts of the response of a request that is a call: the queue before the device, and its
 * service. */
enum { RESPONSE_PARTS = 1 + SERVICE_PARTS };

struct response {
	usec_t	 arrival, us;
	usec_t	 part[RESPONSE_PARTS]; /* add up to us; of a device replay only */
	uint32_t outstanding;	       /* other calls under way at the arrival */
};

struct responses {
	usec_t		*us; /* of a call under way, when it arrived; NULL: no account is kept */
	size_t		 ncalls;
	uint32_t	 under_way, most;
	uint64_t	 sum_us; /* of the calls under way, over time */
	usec_t		 until;	 /* sum_us is up to then */
	struct response *detail; /* [ncalls], the caller's; or NULL */
};

int  responses_init(struct responses *r, size_t ncalls, struct response *detail, struct error *e);
void responses_release(struct responses *r);

/* Time never falls. */
void response_arrives(struct responses *r, size_t call, usec_t now);
void response_ends(struct responses *r, size_t call, usec_t now);

/* Counting starts. */
void responses_restart(struct responses *r, usec_t now);

/* All calls have ended: count those from `first` on.  The account is of no use afterwards.
 * Without one nothing is known. */
void responses_count(struct responses *r, size_t first, usec_t now, struct stats *st);

/*
 * The percentile of nearest rank: the least of the n values that so many in
 * a thousand do not exceed.  The values change their places.
 */
usec_t percentile(usec_t *value, size_t n, unsigned per_mille);

/*
 * CSV of the calls from `first` on; with the parts of each, if they have
 * been told apart.  It is known by the columns that have names here.
 */
int responses_write(const struct response *r, const struct trace *t, size_t first, bool parts,
    struct output *to, struct error *e);

#define RESPONSE_ARRIVAL "arrival_us"
#define RESPONSE_US "response_us"
#define RESPONSE_OUTSTANDING "outstanding"

#endif

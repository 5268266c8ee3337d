/*
 * prices.h - what the device's time costs the processes, learned from the
 * requests that it finishes.
 *
 * The service of a read is positioning + transfer.  Everything is in
 * microseconds:
 *
 *	transfer	of a block
 *	a miss		positioning of a request that brings in the first block of
 *			a call that a plan had named, and that is absent: the price
 *			of a request that reading ahead would have saved.  It depends
 *			on where the call begins, and so there are three prices
 *	apart		positioning of a request that is only read ahead
 *	share		the part of the time of such requests that processes wait
 *			for: late hits, and demand that is queued behind them
 *
 * If the next request continues the one before a miss, or before a request that
 * is only read ahead, its positioning is added to theirs: the way back.
 *
 * A mean is halved when it has `memory` entries, so that it follows a program
 * that changes.  Before anything is learned, a mean is that of all requests.
 */
#ifndef PREFETCH_PRICES_H
#define PREFETCH_PRICES_H

#include "prefetch/mean.h"
#include "sim/core/prefetch.h"

enum miss {
	MISS_NEXT,   /* the call continues the previous one */
	MISS_STRIDE, /* it does not, but begins in what had been planned a moment ago */
	MISS_FAR,    /* it begins in what had been planned earlier */
	MISSES
};

enum { PRICES_ENDS = 8, PRICES_NOTED = 8, PRICES_AHEAD = 4 };

struct prices {
	/* Parameters, as in PRICES_PARAMS. */
	uint64_t memory, prior;

	struct mean transfer;  /* n: blocks */
	struct mean near, far; /* positioning: behind the end of a recent request, and elsewhere */
	struct mean miss[MISSES], apart;
	double	    busy;	   /* the device's time so far */
	double	    ahead, waited; /* time of requests that were only read ahead; waits for them */

	block_t	     end[PRICES_ENDS];	       /* of recent requests */
	unsigned     next_end, latest, before; /* of the last two requests */
	struct mean *interrupts; /* the price that the last request added to, or NULL */
	struct {
		usec_t from, to;
	} service[PRICES_AHEAD]; /* of the last requests that were only read ahead */
	unsigned next_service;
	struct {
		block_t	  block;
		enum miss what;
	} missed[PRICES_NOTED]; /* misses to be priced, not finished yet */
	unsigned nmissed;
	struct {
		block_t block;
		usec_t	since;
	} late[PRICES_NOTED]; /* late hits, not finished yet */
	unsigned nlate;
};

/* For the parameters of a plug-in; its state `type` has a struct prices `field`. */
#define PRICES_PARAMS(type, field)                                                                 \
	{ "memory", PARAM_COUNT, 512, 1, 1 << 30, offsetof(type, field.memory),                    \
		"a price forgets half of its requests when it has this many", NULL },              \
	{                                                                                          \
		"prior", PARAM_COUNT, 8, 1, 1 << 30, offsetof(type, field.prior),                  \
		    "weight of the mean of all requests in each price, in requests", NULL          \
	}

/* A miss to be priced: the first block of a call, which a plan had named, and absent. */
void prices_miss(struct prices *p, block_t b, enum miss what);

/* A late hit. */
void prices_late(struct prices *p, block_t b, usec_t now);

/* The hook of struct prefetcher. */
void prices_finished(struct prices *p, const struct finished *f);

/* In microseconds; share: from 0 to 1. */
double prices_of_transfer(const struct prices *p);
double prices_of_miss(const struct prices *p, enum miss what);
double prices_apart(const struct prices *p);
double prices_share(const struct prices *p, usec_t now);

#endif

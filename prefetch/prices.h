/*
 * prices.h - what the device's time costs the processes, learned from the
 * requests that it finishes.  All prices are in microseconds.
 *
 * Idea.  The service of a read is positioning (seek, rotation, overhead) and
 * transfer.  Reading a block ahead does not save its transfer for the device:
 * it saves a process the wait for it, and a whole positioning where it makes a
 * request of its own unnecessary.
 *
 *	transfer	of a block: the mean over all blocks read
 *	miss		positioning of a request that brings in the first block of
 *			a call, which a plan had named, and which is absent: such a
 *			request would have been saved.  There are three prices, by
 *			where the call begins: see enum miss
 *	apart		positioning of a request that is only read ahead
 *	share		the part of the time of such requests that processes wait
 *			for: late hits, and demand that is queued behind them
 *
 * The way back.  A request elsewhere also makes the next one longer.  If that
 * continues the request before it, its positioning is added to the price:
 *
 *	blocks	 2000		    7000		 2001
 *	device	[100 + 10]	  [500 + 10]		[300 + 10]
 *		 a stream	   a miss, far away	 the stream goes on
 *
 *	The miss costs 500 + 300 = 800, not 500.
 *
 * Share.  Requests only read ahead take from 0 to 100 and from 100 to 250.  A
 * process needs a block at 40, and its request starts at 250.  It has waited 60
 * for the first and 150 for the second: 210 of 250, a share of 0.84.  At first
 * the share is that for which the device is busy: the chance that a request finds
 * it so.
 *
 * Prior.  Each price begins as the mean of all requests that are as near to the
 * one before, with the weight of `prior` requests.  With a prior of 4, near
 * requests of 450 on average, and one miss of 700, a miss costs
 * (700 + 4 x 450) / 5 = 500.
 *
 * A mean is halved when it has more than `memory` entries, so that it follows a
 * program that changes: a request of long ago counts 1/2, 1/4, ...  O(1) a request.
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

enum {
	PRICES_ENDS = 8,  /* recent requests that another one may continue: streams at a time */
	PRICES_NOTED = 8, /* misses, and late hits, at a time: one for each process that waits */
	PRICES_AHEAD = 4  /* requests read ahead for which a demand may have waited */
};

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

/*
 * account.h - would it pay to read ahead where there is no pattern?
 *
 * An account is kept of every block that would be read ahead without one,
 * whether it then is or not.  In units of one block's transfer,
 *
 *	a planned block costs	its transfer: 1 if a reader waits for the
 *				request that it rides in, else as much of 1 as
 *				the device has been busy
 *				+ its frame: margin x w x the misses that a
 *				frame less would have caused
 *	demanded later it pays	w, what a request of its own would have cost
 *
 * as long as it would still be in the cache.  w is what requests have been
 * measured to take: 1 + positioning of a request / transfer of a block.  What
 * a frame is worth is seen from blocks missed soon after their eviction.
 *
 * Reading ahead is allowed while the balance is positive, in two phases:
 *
 *	The cache has never been full: nothing can be lost but transfers.  The
 *	balance starts with a stake, at most a sixteenth of the cache.  A use that is not soon
 *counts as many times as what is in the cache goes into what the cache can hold, as such uses come
 *the more often the more is there.  A lost stake ends the phase. The cache is full: the balance
 *starts deep in the red.  A use that is soon only pays 1: the device's own read-ahead would have
 *had it.
 *
 * The rule is bufsim's own.  Evictions that are soon regretted are the
 * refaults of Linux; a stake, and that its loss ends the matter, was what
 * real traces asked for: docs/iprp.md.  O(1) a block; 8 bytes per block of
 * the trace.
 */
#ifndef PREFETCH_ACCOUNT_H
#define PREFETCH_ACCOUNT_H

#include "sim/core/prefetch.h"

struct account {
	/* Parameters, as in ACCOUNT_PARAMS. */
	uint64_t stake, soon, margin;

	uint32_t *planned; /* [nblocks] the clock when it was planned, + 1 if vetoed; 0: resolved */
	uint32_t *evicted; /* [nblocks] number of its last eviction; 0: none, or missed since */
	uint32_t  evictions, vetoed;
	double	  refaults; /* evictions soon regretted, of the last few thousand */
	double	  balance;
	bool	  lost; /* the stake */
	bool	  full; /* the cache has been */

	usec_t	 positioning, transfer; /* the device's time so far */
	uint64_t requests, blocks;
	double	 w;
};

/* For the parameters of a plug-in whose state `type` has a struct account `field`. */
#define ACCOUNT_PARAMS(type, field)                                                                \
	{ "stake", PARAM_COUNT, 1024, 0, 1 << 30, offsetof(type, field.stake),                     \
		"blocks bet on an empty cache without a pattern", NULL },                          \
	    { "soon", PARAM_COUNT, 128, 0, 1 << 30, offsetof(type, field.soon),                    \
		    "used before so many blocks came: the device would have had it", NULL },       \
	{                                                                                          \
		"margin", PARAM_COUNT, 2, 0, 1000, offsetof(type, field.margin),                   \
		    "a full cache's frames are worth so many times their refaults", NULL           \
	}

/* The parameters are set. */
int  account_init(struct account *a, const struct trace *t, struct error *e);
void account_release(struct account *a);

/*
 * A block is demanded, the first time it is asked about.  True: a veto is
 * regretted; the block would have been in the cache.
 */
bool account_demand(struct account *a, const struct demand *d);

/*
 * Block `index` of the demand's file, which is not in the cache, is planned
 * ahead.  False: it was before, and is no news.
 */
bool account_plan(struct account *a, const struct demand *d, uint32_t index, bool vetoed);

/* As the hooks of struct prefetcher. */
void account_evicted(struct account *a, block_t b);
void account_served(struct account *a, usec_t positioning, usec_t transfer, uint32_t blocks);

/* May what is planned without a pattern be read? */
static inline bool
account_allows(const struct account *a)
{
	return a->balance > 0 && !a->lost;
}

#endif

/*
 * account.h - does reading ahead pay where references have no pattern?
 *
 * The account has an entry for every block that the inner prefetcher plans
 * without a pattern, whether the plan is carried out or vetoed.  In units of
 * the transfer of one block:
 *
 *	A planned block costs its transfer and its frame.
 *		transfer: 1 if a process waits for the request that contains the
 *		block, else the share of time in which the device is busy.
 *		frame: margin x w x the misses that one frame less would cause.
 *	A use pays w, the cost of a request of its own, if the block would
 *	still be in the cache by then.
 *
 * w is measured: 1 + positioning of a request / transfer of a block.  The
 * worth of a frame is estimated from blocks that were missed soon after
 * their eviction.
 *
 * Reading ahead is allowed while the balance is positive.  There are two
 * phases:
 *
 *	The cache has never been full.  Only transfers can be lost.  The balance
 *	starts with a stake, at most a sixteenth of the cache.  A use that is
 *	not soon counts cache size / blocks in the cache times, because such
 *	uses become more frequent as the cache fills.  The loss of the stake
 *	ends the phase.
 *
 *	The cache is full.  The balance starts at its lowest value.  A use that
 *	is soon pays only 1: the device's own read-ahead would have served it.
 *
 * The rule is bufsim's own.  Misses soon after an eviction are the refaults
 * of Linux.  The stake, and its final loss, were found on real traces:
 * docs/iprp.md.  O(1) a block; 8 bytes per block of the trace.
 */
#ifndef PREFETCH_ACCOUNT_H
#define PREFETCH_ACCOUNT_H

#include "sim/core/prefetch.h"

struct account {
	/* Parameters, as in ACCOUNT_PARAMS. */
	uint64_t stake, soon, margin;

	uint32_t    *planned; /* by slot: clock at the plan, + 1 if vetoed; 0: resolved */
	uint32_t    *evicted; /* by slot: number of its last eviction; 0: none, or missed since */
	struct slots slots;
	uint32_t     evictions, vetoed;
	double refaults; /* misses soon after an eviction, in the last few thousand evictions */
	double balance;
	bool   lost; /* the stake is lost */
	bool   full; /* the cache has been full */

	usec_t	 positioning, transfer; /* the device's time so far */
	uint64_t requests, blocks;
	double	 w;
};

/* For the parameters of a plug-in; its state `type` has a struct account `field`. */
#define ACCOUNT_PARAMS(type, field)                                                                \
	{ "stake", PARAM_COUNT, 1024, 0, 1 << 30, offsetof(type, field.stake),                     \
		"blocks that may be lost without a pattern while the cache has never been full",   \
		NULL },                                                                            \
	    { "soon", PARAM_COUNT, 128, 0, 1 << 30, offsetof(type, field.soon),                    \
		    "a use within this many new blocks is soon: the device would have served it",  \
		    NULL },                                                                        \
	{                                                                                          \
		"margin", PARAM_COUNT, 2, 0, 1000, offsetof(type, field.margin),                   \
		    "weight of the misses that a lost frame would cause, in a full cache", NULL    \
	}

/* To be called when the parameters are set. */
int  account_init(struct account *a, const struct trace *t, struct error *e);
void account_release(struct account *a);

/*
 * Enter a demand of a block, once per reference (not if d->again).  True: a
 * veto is regretted, because the block would have been in the cache.
 */
bool account_demand(struct account *a, const struct demand *d);

/*
 * Enter a plan of block `index` of the demand's file, which is not in the
 * cache.  False: an earlier plan of the block is still open.
 */
bool account_plan(struct account *a, const struct demand *d, uint32_t index, bool vetoed);

/* To be called from the hooks of struct prefetcher with the same names. */
void account_evicted(struct account *a, block_t b);
void account_served(struct account *a, usec_t positioning, usec_t transfer, uint32_t blocks);

/* May blocks be read ahead without a pattern now? */
static inline bool
account_allows(const struct account *a)
{
	return a->balance > 0 && !a->lost;
}

#endif

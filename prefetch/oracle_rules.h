/*
 * oracle_rules.h - what to read when the device has nothing to do, by one who
 * knows all references to come.
 *
 *	aggressive	the next missing block, if the block referenced farthest in
 *			the future is referenced after it
 *	conservative	the misses of the optimum without prefetching, in order, each as
 *			soon as its victim is not used before it
 *	horizon		aggressive, but only a block needed within H references
 *	forestall	aggressive, but only if the program would stall otherwise: for
 *			some i, the i-th missing block is needed within the time of i reads
 *
 *	P. Cao, E. W. Felten, A. R. Karlin, K. Li.  A study of integrated prefetching
 *	and caching strategies.  SIGMETRICS 1995: do no harm, aggressive, conservative.
 *	T. Kimbrel, A. Tomkins, R. H. Patterson, B. Bershad, P. Cao, E. W. Felten,
 *	G. A. Gibson, A. R. Karlin, K. Li.  A trace-driven comparison of algorithms for
 *	parallel prefetching and caching.  OSDI 1996: fixed horizon, forestall.
 *
 * Time is counted in references, and a reference stands for the block it needs.
 */
#ifndef PREFETCH_ORACLE_RULES_H
#define PREFETCH_ORACLE_RULES_H

#include "sim/base/bits.h"
#include "sim/core/prefetch.h"

enum oracle_rule { ORACLE_AGGRESSIVE, ORACLE_CONSERVATIVE, ORACLE_HORIZON, ORACLE_FORESTALL };

struct outlook {
	uint32_t     cursor;	     /* the next reference */
	struct bits *missing;	     /* next references to blocks that are not in the cache */
	double	     request, block; /* time of a read; of that, for each of its blocks */
	uint32_t     batch;	     /* blocks to choose, at most */
	uint32_t     vacant;	     /* empty frames */
	uint32_t     within;	     /* missing blocks that forestall looks at */

	/* Of conservative: of each miss of the optimum, the next reference to its victim. */
	const uint32_t *victim;

	/* The next reference to the i-th block that would leave the cache; 0: none can. */
	uint32_t (*leaves)(void *ctx, uint32_t i);

	/* The next reference to the block so far behind that of p on the device; FUTURE_NEVER: none. */
	uint32_t (*beside)(void *ctx, uint32_t p, int64_t distance);
	void *ctx;
};

/*
 * The references whose blocks are to be read now, the next one first; how many.
 * They are no longer missing.  With a batch, each is followed by missing blocks
 * beside it, which cost little if they are read with it; not if the rule is
 * conservative, which has an order of its own.
 */
uint32_t oracle_choose(enum oracle_rule rule, const struct outlook *o, uint32_t *chosen);

/* How many references forestall may wait; 0: the program stalls unless a read begins now. */
uint32_t oracle_slack(const struct outlook *o);

#endif

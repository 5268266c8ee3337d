/*
 * curves.h - the misses of policies in caches of several sizes, exact or
 * estimated from a sample of the blocks.
 *
 * The misses of LRU at all sizes come from stack distances (mrc.h, shards.h).
 * Those of other policies are counted by a replay at each size (replay.h), of
 * the trace or of miniatures of it (miniature.h).
 */
#ifndef SIM_CURVES_H
#define SIM_CURVES_H

#include "sim/analysis/shards.h"
#include "sim/core/engine/replay.h"

struct curves {
	const struct choice *policy;
	unsigned	     npolicies;
	uint64_t	     references, footprint;
	uint64_t	     least; /* the smallest cache with an estimate */
	double		     rate;  /* the share of the blocks that is followed; 1: all */

	/* Of LRU: exact, or of the sample. */
	struct mrc    exact;
	struct sample sample;
	struct shards shards;

	/* Of other policies: the trace, or the miniatures of the sample and of its parts. */
	struct scene *scene;
	unsigned      nscenes;
};

/* A usage error if a sample does not show what one of these policies does. */
int curves_check_sample(const struct choice *policy, unsigned npolicies, struct error *e);

/*
 * Find the footprint, choose the sample if rate < 1, and count the misses of LRU.  seed chooses among
 * samples.  Policies are borrowed; c is not to be moved.  To be released also after a failure.
 */
int  curves_init(struct curves *c, struct trace *t, const struct choice *policy, unsigned npolicies,
     double rate, uint64_t seed, struct error *e);
void curves_release(struct curves *c);

/* How the replays for these sizes are distributed. */
struct curves_plan {
	const uint64_t *blocks; /* the sizes of the caches */
	size_t		n;
	unsigned	jobs;	  /* processes at once */
	uint64_t	memory;	  /* bytes: not to be exceeded */
	size_t		together; /* result: caches that share a pass, at most */
	bool		cut;	  /* result: fewer than if there were more memory */
};

/* Replay the policies other than LRU at these sizes; once. */
int curves_replay(struct curves *c, struct curves_plan *p, struct error *e);

/* The misses of a policy in a cache of one of these sizes; of LRU, of any. */
struct estimate curves_at(const struct curves *c, unsigned policy, uint64_t blocks);

#endif

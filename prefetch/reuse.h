/*
 * reuse.h - reuse estimates: a block that a plan names, and that is not used
 * soon, what does it save later, and what does its frame cost until then?
 *
 * Idea.  Such a block pays if it is used before it would leave the cache, that
 * is, before as many blocks have come as the cache has frames:
 *
 *	plan, age 0     64      192          448        age = frames
 *	  |-------------|-------|------------|-----  ...  ---|
 *	  brought in       a use here saves its miss         evicted
 *
 * The clock of these ages counts blocks brought in, and unused vetoed ones, which
 * would have been.  Blocks enter when their probe ends (probes.h), read or
 * vetoed alike: whether a block would be used does not depend on the verdict.
 *
 * Chance of a use.  Uses / blocks entered is too low while most blocks are young:
 * their uses are still to come.  So, until the full cache has been replaced once, a
 * life table is kept, of all files.  The hazard of a class of ages is
 *
 *	(used at that age + w x prior) / (unused when they reached it + w)
 *
 * with the prior weight w (`stake`, in blocks), and the chance of a use is
 * 1 - (1 - hazard) (1 - hazard) ... up to the number of frames.  While the cache
 * fills, the prior of a class is twice the hazard of the class before, as it is twice
 * as long, and that of the first makes a plan pay a little more than it costs: else
 * all plans would be vetoed before the first use is seen.  Once it is full, blocks of
 * all ages have been seen: the prior is the hazard of the class before, and that of the
 * first is 0.
 *
 *	256 frames, w = 100, prior of the first class 0.01; 100 blocks entered,
 *	50 were used at ages below 64, none of the others yet:
 *		first class	(50 + 100 x 0.01) / (100 + 100)	= 0.255
 *		second class	( 0 + 100 x 0.51) / ( 50 + 100)	= 0.34
 *		chance		1 - 0.745 x 0.66		= 0.51
 *
 * Uses / blocks entered is counted of each file once the cache is full.  It decides at
 * once which blocks stay.  Which plans pass it decides when as many blocks have come
 * as the cache has frames, as it shows too few uses before; and also while less than
 * 1/near of the cache has been evicted: frames have no price yet (below), and too few
 * uses make up for that.  The
 * prior of a file is what the others show, with the weight w / 4.  Its own uses
 * are those of blocks planned since the cache was full; all other uses are
 * those of the others.
 *
 * Price of a frame.  With one frame less there would be more misses.  How many is
 * seen from refaults, as in Linux: blocks missed again before 1/near of the cache
 * was evicted after them.  With frames/near more frames these would be hits, so
 * one frame saves near/frames of them.  A frame that is held while the whole cache
 * is evicted, frames times, then costs
 *
 *	near / frames x refaults per eviction x frames = near x refaults per eviction
 *
 * misses: with near = 8 and one refault in 100 evictions 0.08, or 8 us if a
 * refault costs 100 us.  An unused block does not stay so long where
 * hits deep in the cache make others young: the cost is multiplied by the mean
 * age, since the last reference, at which blocks leave, as a share of frames.
 *
 * A use, and a refault, saves its block's share of the miss of its call.
 * O(1) a reference and an entry.  8 bytes per block of the trace.
 */
#ifndef PREFETCH_REUSE_H
#define PREFETCH_REUSE_H

#include "prefetch/prices.h"

enum {
	REUSE_GRAINS = 256, /* of the time in which the cache is filled: 0.4 % each */
	REUSE_AGES = 32,    /* classes, a power of two each: the clock has 32 bits */
	REUSE_SAMPLE = 32   /* the age at eviction is taken from one block in so many */
};

/* `evicted` of a sampled block that is in the cache and was used: the clock at its last reference. */
struct reuse_block {
	uint32_t entered; /* clock at the entry; 0: none, or used since */
	uint32_t evicted; /* number of its last eviction; 0: none, or missed since */
};

struct reuse_counts {
	double n, uses;		  /* blocks entered, and used */
	double calls, next_calls; /* misses that they would have saved; next: MISS_NEXT */
};

struct reuse {
	/* Parameters, as in REUSE_PARAMS. */
	uint64_t prior_weight, near; /* prior_weight: `stake` */

	struct reuse_block *block; /* by slot */
	struct slots	    slots;
	uint32_t	    evictions, vetoed;
	uint32_t	    recent;		     /* evictions, up to RECENT */
	double		    refaults, refault_calls; /* in these; and misses that they share */
	struct mean	    younger; /* frames less age, of sampled blocks that left */
	bool		    full;    /* the cache has been full */
	uint32_t	    full_at; /* clock of the entries then, or 0 */
	bool		    renewed; /* all that it held has left since */

	struct reuse_counts all, *own; /* [nown] */
	uint32_t	    nown;
	double		    died[REUSE_AGES]; /* uses by age */

	/* How many blocks had entered when the clock was a multiple of the grain. */
	uint32_t grain, at, total, before[REUSE_GRAINS + 1];
};

/* For the parameters of a plug-in; its state `type` has a struct reuse `field`. */
#define REUSE_PARAMS(type, field)                                                                  \
	{ "stake", PARAM_COUNT, 512, 1, 1 << 30, offsetof(type, field.prior_weight),               \
		"weight of what is assumed about later uses at first, in blocks", NULL },          \
	{                                                                                          \
		"near", PARAM_COUNT, 8, 1, 1 << 30, offsetof(type, field.near),                    \
		    "a frame costs what is missed again before 1/near of the cache is evicted",    \
		    NULL                                                                           \
	}

/*
 * Tallies of single files; files whose numbers are equal modulo REUSE_TALLIES share
 * one.  With the tallies of probes.h a file takes 144 bytes: at most 1.2 MB.
 */
static inline uint32_t
reuse_tallies(const struct trace *t)
{
	enum { REUSE_TALLIES = 8192 };

	return t->nfiles < REUSE_TALLIES ? t->nfiles + 1 : REUSE_TALLIES;
}

/* To be called when the parameters are set. */
int  reuse_init(struct reuse *r, const struct trace *t, struct error *e);
void reuse_release(struct reuse *l);

/* Blocks brought in so far, except in place of early evictions: the others do not age by those. */
static inline uint32_t
reuse_clock(const struct reuse *r, const struct cache *c)
{
	return c->nused + r->evictions;
}

/* Enter a block that was planned at that clock, was not used since, and may be used later. */
void reuse_enter(struct reuse *r, const struct cache *c, file_t file, block_t b, uint32_t planned,
    bool vetoed);

/*
 * Enter a demand of a block, once per reference (not if d->again); next: its
 * call continues the previous one.  True: a use that counts.
 */
bool reuse_demand(struct reuse *r, const struct demand *d, bool next);

/* Is the age of that block at its eviction taken?  By a multiplicative hash (2^32 / golden ratio). */
static inline bool
reuse_samples(block_t b)
{
	return b * 2654435761u < (1ull << 32) / REUSE_SAMPLE;
}

/* A reference to a sampled block, after reuse_demand(). */
void reuse_touch(struct reuse *r, const struct demand *d);

/* Block b is evicted; used: it was demanded, or has been used since it was read ahead. */
void reuse_evicted(struct reuse *r, block_t b, bool used);

/* The program drops block b: its next miss is no refault, nor a use of what was read ahead. */
void reuse_dropped(struct reuse *r, block_t b);

/* What a block of that file saves that is not used soon, in microseconds; cost: of reading it. */
double reuse_saves(const struct reuse *r, const struct cache *c, file_t file,
    const struct prices *p, double cost);

/* The same of one that is in the cache. */
double reuse_seen(const struct reuse *r, const struct cache *c, file_t file,
    const struct prices *p);

/* What its frame costs, in microseconds. */
double reuse_frame(const struct reuse *r, const struct cache *c, const struct prices *p);

#endif

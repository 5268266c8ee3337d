/*
 * later.h - are blocks that a plan names, and that are not used soon, used
 * later?  And what does the frame cost that holds them until then?
 *
 * Blocks enter when a probe ends and they have not been used (probes.h),
 * whether they were read or vetoed.  A use counts if the block would still be
 * in the cache: if, since the plan, fewer blocks came than the cache has frames.
 * The clock counts blocks brought in, and unused vetoed ones.  A use saves its
 * block's share of the miss of its call.
 *
 *	The cache has never been full.  A life table: of the blocks that reached
 *	an age of 2^j, how many were used before 2^(j+1)?  These hazards give
 *	the chance of a use until the cache is full.  A hazard is first believed
 *	to be twice that of half the age; so are those of ages not reached yet.
 *
 *	The cache is full.  Uses / blocks entered, of each file (of files whose
 *	numbers are equal modulo 8192).  A file is first believed to be as the
 *	others, with the weight of stake / 4 blocks.  Its own uses are of blocks
 *	that were planned since the cache was full; all uses less these are those
 *	of the others.
 *
 * A frame costs the misses that one frame less causes.  They are estimated
 * from blocks that are missed again before 1/near of the cache was evicted
 * after them: the refaults of Linux.  Each costs its block's share of the miss of
 * its call.  They cost it for as long as an unused block stays in the cache: the
 * mean age, since the last reference, at which blocks leave, taken from one block
 * in 32.  Hits deep in the cache make it less than the number of frames.
 * O(1) a reference and an entry.  8 bytes per block of the trace.
 */
#ifndef PREFETCH_LATER_H
#define PREFETCH_LATER_H

#include "prefetch/prices.h"

enum { LATER_GRAINS = 256, LATER_AGES = 32 };

/* `evicted` of a sampled block that is in the cache and was used: the clock at its last reference. */
struct later_block {
	uint32_t entered; /* clock at the entry; 0: none, or used since */
	uint32_t evicted; /* number of its last eviction; 0: none, or missed since */
};

struct later_uses {
	double n, uses;		  /* blocks entered, and used */
	double calls, next_calls; /* misses that they would have saved; next: MISS_NEXT */
};

struct later {
	/* Parameters, as in LATER_PARAMS. */
	uint64_t stake, near;

	struct later_block *block; /* by slot */
	struct slots	    slots;
	uint32_t	    evictions, vetoed;
	uint32_t	    recent;		     /* evictions, up to a few thousand */
	double		    refaults, refault_calls; /* in these; and misses that they share */
	struct mean	    younger; /* frames less age, of sampled blocks that left */
	bool		    full;    /* the cache has been full */
	uint32_t	    full_at; /* clock of the entries then, or 0 */
	bool		    renewed; /* all that it held has left since */

	struct later_uses all, *own; /* [nown] */
	uint32_t	  nown;
	double		  died[LATER_AGES]; /* uses by age */

	/* How many blocks had entered when the clock was a multiple of the grain. */
	uint32_t grain, at, total, before[LATER_GRAINS + 1];
};

/* For the parameters of a plug-in; its state `type` has a struct later `field`. */
#define LATER_PARAMS(type, field)                                                                  \
	{ "stake", PARAM_COUNT, 512, 1, 1 << 30, offsetof(type, field.stake),                      \
		"weight of what is assumed about later uses at first, in blocks", NULL },          \
	{                                                                                          \
		"near", PARAM_COUNT, 8, 1, 1 << 30, offsetof(type, field.near),                    \
		    "a frame costs what is missed again before 1/near of the cache is evicted",    \
		    NULL                                                                           \
	}

/* Tallies of single files: files whose numbers are equal modulo this number share one. */
static inline uint32_t
later_tallies(const struct trace *t)
{
	enum { MOST = 8192 };

	return t->nfiles < MOST ? t->nfiles + 1 : MOST;
}

/* To be called when the parameters are set. */
int  later_init(struct later *l, const struct trace *t, struct error *e);
void later_release(struct later *l);

/* Blocks brought in so far, except into frames that were taken back: the others do not age by those. */
static inline uint32_t
later_clock(const struct later *l, const struct cache *c)
{
	return c->nused + l->evictions;
}

/* Enter a block that was planned at that clock, was not used since, and may be used later. */
void later_enter(struct later *l, const struct cache *c, file_t file, block_t b, uint32_t planned,
    bool vetoed);

/*
 * Enter a demand of a block, once per reference (not if d->again); next: its
 * call continues the previous one.  True: a use that counts.
 */
bool later_demand(struct later *l, const struct demand *d, bool next);

/* Blocks whose age at their eviction is taken: one in 32. */
static inline bool
later_samples(block_t b)
{
	return !(b * 2654435761u >> 27);
}

/* A reference to a sampled block, after later_demand(). */
void later_touch(struct later *l, const struct demand *d);

/* Block b is evicted; used: it was demanded, or has been used since it was read ahead. */
void later_evicted(struct later *l, block_t b, bool used);

/* What a block of that file saves that is not used soon, in microseconds; cost: of reading it. */
double later_saves(const struct later *l, const struct cache *c, file_t file,
    const struct prices *p, double cost);

/* What its frame costs, in microseconds. */
double later_frame(const struct later *l, const struct cache *c, const struct prices *p);

#endif

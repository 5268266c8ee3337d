/*
 * probes.h - which blocks behind a call are used soon, and which misses of calls
 * would reading them ahead save?
 *
 * Idea.  Whether a block is used does not depend on whether it was read ahead.
 * So each piece of a plan opens a probe, carried out or vetoed: which of its
 * first 64 blocks are demanded before the probe ends?  A rule that is learned
 * from plans passed alone could never take back a veto.
 *
 * A miss is saved once for a call, not once for a block.  Each block of a call has
 * 1 / blocks of its miss: a plan that names half of a call saves half of it.
 * Near and far blocks differ, so what is seen is added to tallies by the distance
 * from the start of the piece, in steps of 1, 2, 3-4, 5-8, ... 33-64 blocks:
 *
 *	block	  8  9 10 11 12 13 14 15 16 17 18
 *	plan		1  2  3--4  5--------8		10-17, its steps
 *	calls	 [a-a--a][b][c--c][d--d--d][e--e]	c does not continue b
 *
 *	step	used	misses saved
 *	1	1 of 1	a: 1/3
 *	2	1 of 1	b: 1
 *	3-4	2 of 2	c: 2 x 1/2 = 1, of another kind (MISS_STRIDE)
 *	5-8	4 of 4	d: 3 x 1/3, e: 1/2 (block 18 is not of the plan)
 *
 * There are tallies of all files, and of each file.  The prior of a file is the
 * tally of all files, with the weight of one probe; and the prior of all files is
 * one probe of which nothing was used.  If the first probe saw 1 of 1 block used,
 * 1/2 is expected of all files, and (1 + 1/2) / (1 + 1) = 3/4 of its own.
 *
 * A probe ends when all its blocks are used; when the file has brought in as
 * many blocks as the piece would, and `soon` more; when that many and a quarter of
 * the cache have come; or when there are PROBES younger ones.  Its unused blocks
 * then enter the reuse estimate (reuse.h), which sees whether they are used later.
 *
 * O(1) a reference, at most 64 steps a probe.
 */
#ifndef PREFETCH_PROBES_H
#define PREFETCH_PROBES_H

#include "prefetch/reuse.h"

enum {
	PROBES = 256,	    /* at a time: their numbers fit in the bytes of probed_file.open */
	PROBES_OF_FILE = 8, /* at a time: a reference looks at no more of them */
	PROBE_BLOCKS = 64,  /* a bit of a word each */
	PROBE_STEPS = 7,    /* 1 + the logarithm of PROBE_BLOCKS */
	PROBE_PART = 4,	    /* of the cache: when 1/PROBE_PART has come, the cache has moved on */
	PROBE_GROUP = 32 /* a probe meets at most 3 of 64 groups: most others do not look at it */
};

/* What a plan, or a piece of it, would bring in. */
struct absence {
	uint32_t first, end;	    /* blocks of the file */
	uint32_t n;		    /* blocks that are not in the cache */
	uint32_t riding;	    /* those that continue what the call waits for */
	uint32_t step[PROBE_STEPS]; /* blocks by distance */
	uint64_t mask;		    /* a bit for each of the first PROBE_BLOCKS */
};

struct tally {
	float n, used;	    /* blocks, and those that were used */
	float next, stride; /* misses saved: MISS_NEXT, MISS_STRIDE */
};

struct horizon {	  /* a use of a planned block is soon until */
	uint32_t brought; /* its file has brought in so many blocks, */
	uint32_t clock;	  /* or that clock of reuse.h */
};

struct probe {
	file_t	       file;
	uint32_t       first, n; /* blocks of the file; n is 0 when the probe has ended */
	uint32_t       clock;	 /* of reuse.h, at its start */
	struct horizon end;
	bool	       vetoed;
	uint64_t       absent, used;	      /* a bit for each block */
	float	       saved[2][PROBE_STEPS]; /* misses: MISS_STRIDE, MISS_NEXT */
};

struct probed_file {
	uint64_t       groups;	/* probes_groups() that its probes meet */
	uint32_t       brought; /* blocks, by demand or used ahead */
	struct horizon end;	/* the first of those of its probes */
	uint8_t	       nopen;
	uint8_t	       open[PROBES_OF_FILE]; /* [nopen]: numbers of probes, modulo PROBES */
};

struct probes {
	/* Parameter, as in PROBES_PARAMS. */
	uint64_t soon;

	struct reuse	   *reuse;
	const struct trace *trace;
	struct probe	    probe[PROBES];  /* by number modulo PROBES */
	uint32_t	    oldest, newest; /* numbers; newest: of the next one */
	struct probed_file *file;	    /* [nfiles] */
	struct tally	    all[PROBE_STEPS], (*own)[PROBE_STEPS];
	uint32_t	    nown;
};

/* For the parameters of a plug-in; its state `type` has a struct probes `field`. */
#define PROBES_PARAMS(type, field)                                                                 \
	{                                                                                          \
		"soon", PARAM_COUNT, 64, 1, 1 << 30, offsetof(type, field.soon),                   \
		    "a use is soon if the file brings in fewer blocks besides those of the plan",  \
		    NULL                                                                           \
	}

/* To be called when the parameters are set. */
int  probes_init(struct probes *p, const struct trace *t, struct reuse *reuse, struct error *e);
void probes_release(struct probes *p);

/*
 * The groups of neighbours, of PROBE_GROUP blocks of a file, that these blocks
 * meet: a bit each, modulo 64.  Most references meet none of their file's probes.
 */
static inline uint64_t
probes_groups(uint32_t first, uint32_t n)
{
	uint32_t from = first / PROBE_GROUP, more = (first + n - 1) / PROBE_GROUP - from;
	uint64_t set = more < 63 ? (2ull << more) - 1 : ~0ull;

	return set << from % 64 | set >> -from % 64;
}

/* May a probe of its file contain the block, or one of its call if that begins? */
ALWAYS_INLINE bool
probes_near(const struct probes *p, const struct demand *d)
{
	uint64_t groups = p->file[d->file].groups;

	if (d->index != d->first || d->left == 1)
		return groups >> d->index / PROBE_GROUP % 64 & 1;
	return groups & probes_groups(d->index, d->left);
}

/*
 * Enter a demand of a block, once per reference (not if d->again); next: its
 * call continues the previous one.  True: a probe of its file contains it.
 * Nothing happens at a hit that is not near.
 */
bool probes_demand(struct probes *p, const struct demand *d, bool next);

/* A plan that would bring in something. */
void probes_open(struct probes *p, const struct demand *d, const struct absence *a, bool vetoed);

/* Does a clock, or a number, show that or more? */
static inline bool
probes_has_come(uint32_t now, uint32_t due)
{
	return (int32_t)(now - due) >= 0;
}

/* Of a plan that would bring in n blocks. */
static inline struct horizon
probes_horizon(const struct probes *p, const struct demand *d, uint32_t n)
{
	return (struct horizon){ .brought = p->file[d->file].brought + (uint32_t)p->soon + n,
		.clock = reuse_clock(p->reuse, d->cache) + n + d->cache->nframes / PROBE_PART };
}

/* Is a use no longer soon? */
static inline bool
probes_is_past(const struct probes *p, file_t file, struct horizon end, const struct cache *c)
{
	return probes_has_come(p->file[file].brought, end.brought) ||
	    probes_has_come(reuse_clock(p->reuse, c), end.clock);
}

/* The last distance of a step, in blocks: 1, 2, 4 ... 64. */
static inline uint32_t
probes_end(unsigned step)
{
	return 1u << step;
}

/* The step of the k-th block behind the call, from 0. */
static inline unsigned
probes_step(uint32_t k)
{
	unsigned step = k ? 32 - (unsigned)__builtin_clz(k) : 0;

	return step < PROBE_STEPS ? step : PROBE_STEPS - 1;
}

/* What is expected of a block: shares of 1, n is not set. */
static inline struct tally
probes_expect(const struct probes *p, file_t file, unsigned step)
{
	const struct tally *all = &p->all[step], *own = &p->own[file % p->nown][step];
	float		    first = step ? (float)probes_end(step - 1) : 1; /* blocks of the step */
	float		    share = first / (all->n + first), of = own->n + first;

	return (struct tally){ .used = (own->used + all->used * share) / of,
		.next = (own->next + all->next * share) / of,
		.stride = (own->stride + all->stride * share) / of };
}

#endif

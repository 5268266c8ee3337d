/*
 * probes.h - which blocks behind a call are used soon?
 *
 * A plan that reaches behind its call opens a probe, whether it is carried out
 * or vetoed: the first 64 blocks behind the call, and which of them are
 * demanded.  The miss that a call is saved is shared among its blocks: a plan
 * that names half of them saves half of it.  The probe ends when all blocks are
 * used; when the file has brought in as many blocks as the plan would, and `soon`
 * more; when that many and a quarter of the cache have come; or when there are
 * 256 younger ones.  A file has at most 8 at a time.  The unused blocks that were
 * planned then enter the account of later uses (later.h).
 *
 * What a probe has seen is added to tallies by the distance behind the call:
 * 1, 2, 3-4, 5-8, ... 33-64 blocks.  There are tallies of all files, and of
 * each file (of files whose numbers are equal modulo 8192).  A file's tally is
 * first believed to be that of all files, which first saw one unused probe.
 *
 * O(1) a reference, at most 64 steps a probe.
 */
#ifndef PREFETCH_PROBES_H
#define PREFETCH_PROBES_H

#include "prefetch/later.h"

enum { PROBES = 256, PROBES_OF_FILE = 8, PROBE_BLOCKS = 64, PROBE_STEPS = 7 };

/* What a plan would bring in behind the call. */
struct absence {
	uint32_t first, end;	    /* of the plan: blocks of the file */
	uint32_t n, pieces;	    /* blocks that are not in the cache; pieces that they form */
	uint32_t riding;	    /* blocks of a piece that continues what the call waits for */
	uint32_t step[PROBE_STEPS]; /* blocks by distance */
	uint64_t mask;		    /* a bit for each of the first 64 of the plan */
};

struct tally {
	float n, used;	    /* blocks, and those that were used */
	float next, stride; /* misses saved: MISS_NEXT, MISS_STRIDE */
};

struct probe {
	file_t	 file;
	uint32_t first, n;	 /* blocks of the file; n is 0 when the probe has ended */
	uint32_t clock, brought; /* of later.h, and by the file, at its start */
	uint32_t coming;	 /* blocks that the plan would bring in */
	bool	 vetoed;
	uint64_t absent, used;		/* a bit for each block */
	float	 saved[2][PROBE_STEPS]; /* misses: MISS_STRIDE, MISS_NEXT */
};

struct probed_file {
	uint32_t brought; /* blocks, by demand or used ahead */
	uint32_t nopen;
	uint32_t open[PROBES_OF_FILE]; /* [nopen]: numbers of probes, modulo PROBES */
};

struct probes {
	/* Parameter, as in PROBES_PARAMS. */
	uint64_t soon;

	struct later	   *later;
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
int  probes_init(struct probes *p, const struct trace *t, struct later *later, struct error *e);
void probes_release(struct probes *p);

/*
 * Enter a demand of a block, once per reference (not if d->again); next: its
 * call continues the previous one.  True: a probe of its file contains it.
 */
bool probes_demand(struct probes *p, const struct demand *d, bool next);

/* A plan that would bring in something. */
void probes_open(struct probes *p, const struct demand *d, const struct absence *a, bool vetoed);

/* Has a quarter of the cache come since that clock of later.h? */
bool probes_are_old(const struct probes *p, const struct cache *c, uint32_t clock);

/* The last distance of a step, in blocks: 1, 2, 4 ... 64. */
static inline uint32_t
probes_end(unsigned step)
{
	return 1u << step;
}

/* What is expected of a block: shares of 1, n is not set. */
struct tally probes_expect(const struct probes *p, file_t file, unsigned step);

#endif

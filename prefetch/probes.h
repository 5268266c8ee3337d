/*
 * probes.h - which blocks behind a call are used soon?
 *
 * A plan that reaches behind its call opens a probe, whether it is carried out
 * or vetoed: the first 64 blocks behind the call, and which of them are
 * demanded.  A call that begins and ends within them is a request that reading
 * ahead saves.  The probe ends when all blocks are used; when the file has
 * brought in `soon` more blocks; or when a quarter of the cache has come.  A file
 * has at most 8 probes at a time, and all files 256.  The unused blocks that
 * were planned then enter the account of later uses (later.h).
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

struct tally {
	float n, used;	    /* blocks, and those that were used */
	float next, stride; /* calls saved: MISS_NEXT, MISS_STRIDE */
};

struct probe {
	file_t	 file;
	uint32_t first, n; /* blocks of the file; n is 0 when the probe has ended */
	uint32_t clock;	   /* of the cache at its start */
	uint32_t brought;  /* by the file at its start */
	bool	 vetoed;
	uint64_t absent, used, next, stride; /* a bit for each block */
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
		    "a use is soon if the file brings in fewer blocks between plan and use", NULL  \
	}

/* To be called when the parameters are set. */
int  probes_init(struct probes *p, const struct trace *t, struct later *later, struct error *e);
void probes_release(struct probes *p);

/*
 * Enter a demand of a block, once per reference (not if d->again); next: its
 * call continues the previous one.  True: a probe of its file contains it.
 */
bool probes_demand(struct probes *p, const struct demand *d, bool next);

/* A plan of n blocks from `first` on, behind the call; absent: those not in the cache. */
void probes_open(struct probes *p, const struct demand *d, uint32_t first, uint32_t n,
    uint64_t absent, bool vetoed);

/* Has the cache moved on, at the clock of later.h? */
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

/*
 * classes.h - the references of a trace by class: how many are sequential,
 * how many loop, what runs they form and which loops there are.
 *
 * Every read goes through the on-line detector (prefetch/detect.h), block by
 * block in the order of the trace, so that a class is what a controller would
 * have known at that moment.  Writes are left out: no prefetcher sees them.
 *
 * Memory is for each file and each block a few bytes, and for each loop.
 */
#ifndef SIM_CLASSES_H
#define SIM_CLASSES_H

#include "prefetch/detect.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/trace/trace.h"

enum { RUN_BINS = 9, PARAMS_TEXT = 128 };

/* References each to the block of the previous one of that file or to the next. */
struct class_run {
	file_t	 file;
	uint32_t first, blocks;	    /* first block, of the file; how many */
	uint32_t loop;		    /* number of the loop that it repeats, from 1; 0: none */
	uint32_t loop_first;	    /* first block of that */
	enum reference_class class; /* of its last reference */
	uint64_t began, references; /* the first, counted from 1; how many */
	double	 period;	    /* of the loop, as known when the run began; 0: no loop */
};

/* A known run, by file and first block, that was met again. */
struct class_loop {
	file_t	 file;
	uint32_t first, last;	   /* blocks of the file, as known when it was last met */
	uint64_t references;	   /* looping ones */
	uint64_t repetitions;	   /* without the first time */
	double	 period;	   /* smoothed, as the detector knows it, in references */
	double	 mean, deviations; /* of the periods; sum of the squares of what they are off */
};

struct class_total {
	uint64_t references, blocks; /* distinct ones */
	uint64_t runs, run_blocks;   /* whose last reference is of this class; their lengths */
};

struct run_bin { /* of 1, 2-3, 4-7, ... blocks; the last has no end */
	uint64_t runs, references;
};

/* Who wants to see all; each may be NULL. */
struct class_observer {
	void *self;
	void (*reference)(void *self, uint64_t number, block_t b, enum reference_class class);

	/* In the order in which they end. */
	int (*run)(void *self, const struct class_run *r, struct error *e);
};

struct classes {
	const struct trace *t;
	struct detector	    detector;
	uint64_t	    references;
	struct class_total  total[CLASSES];
	struct run_bin	    bin[RUN_BINS];
	struct class_loop  *loop; /* once all is seen: those with most references first */
	uint32_t	    nloops;

	struct class_observer observer;
	struct class_run     *open;	/* [nfiles] */
	uint8_t		     *seen;	/* [nblocks] a bit for each class */
	struct map	      loop_map; /* by file and first block: 1 + index of loop */
	uint32_t	      loop_room;
};

/* Are these parameters of the detector, "threshold=4,runs=64"?  NULL: none.  0 or a usage error. */
int classes_check(const char *params, struct error *e);

/* Go through all of t.  Release c even on failure. */
int  classes_find(struct classes *c, const struct trace *t, const char *params,
     const struct class_observer *observer, struct error *e);
void classes_release(struct classes *c);

/* The error of a trace without reads.  Returns -1. */
int classes_unread(const struct trace *t, struct error *e);

/* All parameters of the detector, as classes_check() takes them. */
char *classes_params(const struct classes *c, char buf[PARAMS_TEXT]);

/* The same one by one: the i-th, or NULL. */
const struct param *classes_param(unsigned i);
uint64_t	    classes_param_value(const struct classes *c, unsigned i);

/* Standard deviation of a loop's periods, in references. */
double class_loop_spread(const struct class_loop *l);

/* What a file is called: by its name, or "inode 12" in buf. */
const char *class_file_name(const struct trace *t, file_t f, char buf[NUMBER_TEXT]);

extern const char *const class_names[CLASSES];

#endif

/*
 * classes.h - the references of a trace by class: how many are sequential,
 * how many loop or go backwards, what runs they form and which loops there are.
 *
 * Every read goes through the on-line detector (prefetch/detect.h), block by
 * block in the order of the trace, so that a class is the one that a
 * controller would have at that moment.  Writes are left out, because they are
 * not shown to prefetchers.
 *
 * The detector knows no direction: a file that is read from its end is a run
 * for every call to it.  So calls are followed as well (course.h): those of a
 * backward run that has reached the threshold are of the class backward, and
 * are one run, except where they loop.
 *
 * Takes a few bytes for each open file, each block and each loop.
 */
#ifndef SIM_CLASSES_H
#define SIM_CLASSES_H

#include "prefetch/detect.h"
#include "sim/analysis/course.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/trace/slots.h"

enum { RUN_BINS = 9, PARAMS_TEXT = 128 };
#define ALL_NEW UINT32_MAX

/*
 * References through an open file, each to the block of the previous one or to
 * the next block; or the calls of a backward run.
 */
struct class_run {
	file_t	 file;
	uint32_t first, last;	    /* blocks of the file */
	uint32_t blocks;	    /* distinct ones */
	uint32_t loop;		    /* number of the loop that it repeats, from 1; 0: none */
	uint32_t loop_first;	    /* first block of that */
	enum reference_class class; /* of its last reference */
	uint64_t began, references; /* number of the first, from 1; number of references */
	double	 period;	    /* of the loop, as known when the run began; 0: no loop */
	uint32_t start, length;	    /* of the detector's run: of a backward run, its last one */
	uint32_t below; /* only blocks below it are new; ALL_NEW: one run of the detector */
};

/* A known run, identified by file and first block, that was repeated. */
struct class_loop {
	file_t	 file;
	uint32_t first, last;	   /* blocks of the file, at its last repetition */
	uint64_t references;	   /* looping ones */
	uint64_t repetitions;	   /* without the first time */
	double	 period;	   /* in references, smoothed by the detector */
	double	 mean, deviations; /* of the periods; sum of squared differences from the mean */
};

struct class_total {
	uint64_t references, blocks; /* distinct ones */
	uint64_t runs, run_blocks;   /* runs with a last reference of this class; their lengths */
};

struct run_bin { /* of 1, 2-3, 4-7, ... blocks; the last has no end */
	uint64_t runs, references;
};

/* Callbacks for references and runs; each may be NULL. */
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
	struct class_total  total[CALL_CLASSES];
	struct run_bin	    bin[RUN_BINS];
	struct class_loop  *loop; /* at the end: sorted, those with most references first */
	uint32_t	    nloops;

	struct class_observer observer;
	struct class_run     *open;   /* [nopen] */
	struct course	     *course; /* [nopen] */
	uint8_t		     *seen;   /* by slot: a bit for each class */
	struct slots	      slots;
	struct map	      loop_map; /* by file and first block: 1 + index of loop */
	uint32_t	      loop_room;
};

/* Check parameters of the detector, "threshold=4,runs=64" or NULL.  0 or a usage error. */
int classes_check(const char *params, struct error *e);

/* Classify all of t.  Release c even on failure. */
int  classes_find(struct classes *c, const struct trace *t, const char *params,
     const struct class_observer *observer, struct error *e);
void classes_release(struct classes *c);

/* The error of a trace without reads.  Returns -1. */
int classes_unread(const struct trace *t, struct error *e);

/* All parameters of the detector, in the form of classes_check(). */
char *classes_params(const struct classes *c, char buf[PARAMS_TEXT]);

/* The i-th parameter, or NULL. */
const struct param *classes_param(unsigned i);
uint64_t	    classes_param_value(const struct classes *c, unsigned i);

/* Standard deviation of a loop's periods, in references. */
double class_loop_spread(const struct class_loop *l);

/* The name of a file, or "inode 12" in buf. */
const char *class_file_name(const struct trace *t, file_t f, char buf[NUMBER_TEXT]);

extern const char *const	  class_names[CALL_CLASSES];
extern const enum reference_class class_order[CALL_CLASSES]; /* of reports */

#endif

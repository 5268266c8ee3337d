/*
 * detect.h - classify references as sequential, looping or other, on line.
 *
 * A run is a sequence of references through one open file, each to the block
 * of the previous reference or to the next block.  Open files have a run each,
 * so that processes that read one file at the same time do not break each
 * other's runs.  Runs of at least `threshold` blocks are remembered, for all
 * open files of the file.  A run that starts at the start of a remembered one
 * is a loop, up to the remembered end.
 *
 *	H. Lee, I. H. Doh, S. H. Noh.  Improving Prefetching Effects by
 *	Exploiting Reference Patterns.  Two pages, in Korean, about 2008.
 *	J. M. Kim, J. Choi, J. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim.
 *	A Low-Overhead High-Performance Unified Buffer Management Scheme that
 *	Exploits Sequential and Looping References.  OSDI 2000.
 *
 * Time is counted in block references to all files.  Memory is bounded: a
 * table holds the `runs` runs of a file, and the run that was not repeated
 * for longest is replaced.  At most `files` files have a table; the next file
 * takes over the oldest table.  Runs lost in this way are counted.
 */
#ifndef PREFETCH_DETECT_H
#define PREFETCH_DETECT_H

#include "sim/base/error.h"
#include "sim/base/plugin.h"

enum reference_class {
	CLASS_OTHER,
	CLASS_SEQUENTIAL,
	CLASS_LOOPING,
	CLASSES,		  /* that the detector finds */
	CLASS_BACKWARD = CLASSES, /* of whole calls: only bufsim classify finds it */
	CALL_CLASSES,
};

enum reentry { REENTRY_EXACT, REENTRY_ANYWHERE };

/*
 * A trace does not tell when an open file is closed.  So the end of a known
 * run is looked up when it is needed: the run that last began here may have
 * come further.
 */
struct known_run {
	uint32_t start, end; /* first and last block */
	uint32_t open;	     /* the open file that it last began through */
	uint64_t seen;	     /* when it last began */
	double	 period;     /* references from one repetition to the next; 0: never repeated */
};

struct open_run { /* of an open file; length is 0 before the first reference */
	uint32_t	 start, end, length;
	bool		 repeats;
	uint64_t	 began;
	struct known_run loop; /* that it repeats, as known when it began */
};

struct run_table { /* of a file: its known runs, by start */
	file_t	 file;
	uint32_t n;
};

struct detector {
	/* Parameters, as in DETECTOR_PARAMS. */
	uint64_t threshold, alpha, reentry, runs, files;

	uint64_t	  now;	    /* references so far */
	struct open_run	 *open;	    /* [nopen] */
	uint32_t	 *table_of; /* [nfiles]: 1 + index of the file's table; 0: none */
	struct run_table *table;
	struct known_run *known; /* `runs` for each table */
	uint32_t	  ntables, used, next;

	/* Counters, as in DETECTOR_COUNTERS. */
	uint64_t loops;	      /* known runs that were repeated */
	uint64_t repetitions; /* of known runs */
	uint64_t periods;     /* sum of the references from one repetition to the next */
	uint64_t forgotten;   /* known runs removed to stay within bounds */
};

/* For the parameters of a plug-in; its state `type` has a struct detector `field`. */
#define DETECTOR_PARAMS(type, field)                                                               \
	{ "threshold", PARAM_COUNT, 48, 2, 64, offsetof(type, field.threshold),                    \
		"a run of at least this many blocks is sequential", NULL },                        \
	    { "alpha", PARAM_SHARE, SHARE_ONE / 2, 0, SHARE_ONE, offsetof(type, field.alpha),      \
		    "weight of a loop's newest period", NULL },                                    \
	    { "reentry", PARAM_WORD, REENTRY_EXACT, 0, 1, offsetof(type, field.reentry),           \
		    "where a run must start to repeat a known one", reentry_words },               \
	    { "runs", PARAM_COUNT, 64, 1, 1 << 16, offsetof(type, field.runs),                     \
		    "known runs of a file, at most", NULL },                                       \
	{                                                                                          \
		"files", PARAM_COUNT, 1024, 1, 1 << 24, offsetof(type, field.files),               \
		    "files with known runs, at most", NULL                                         \
	}
extern const char *const reentry_words[];

/* For the counters of the same plug-in. */
#define DETECTOR_COUNTERS(type, field)                                                             \
	{ "loops", "runs", "remembered runs that were repeated", offsetof(type, field.loops) },    \
	    { "loop_repetitions", "times", "repetitions of such runs",                             \
		    offsetof(type, field.repetitions) },                                           \
	    { "loop_period_references", "blocks",                                                  \
		    "references to all files from one repetition to the next, added up",           \
		    offsetof(type, field.periods) },                                               \
	{                                                                                          \
		"forgotten_runs", "runs",                                                          \
		    "runs removed to stay within the bounds of the detector",                      \
		    offsetof(type, field.forgotten)                                                \
	}

/* To be called when the parameters are set, with the trace's numbers of open files and files. */
int  detector_init(struct detector *d, uint32_t nopen, file_t nfiles, struct error *e);
void detector_release(struct detector *d);

/* A reference that does not continue the run: close the run and begin another. */
void detector_jump(struct detector *d, uint32_t open, file_t file, uint32_t block);

/* The run has reached the threshold: remember it.  The known run that it begins or repeats. */
struct known_run *detector_remember(struct detector *d, uint32_t open, file_t file);

/* Enter the next reference, to that block of the file, through an open file of it; its class. */
ALWAYS_INLINE enum reference_class
detector_update(struct detector *d, uint32_t open, file_t file, uint32_t block)
{
	struct open_run *run = &d->open[open];

	d->now++;
	if (run->length && block == run->end + 1) {
		run->end++;
		if (unlikely(++run->length == d->threshold))
			detector_remember(d, open, file);
	} else if (!run->length || block != run->end) {
		detector_jump(d, open, file, block);
	}
	if (run->repeats && block <= run->loop.end)
		return CLASS_LOOPING;
	return run->length >= d->threshold ? CLASS_SEQUENTIAL : CLASS_OTHER;
}

#endif

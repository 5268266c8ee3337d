/*
 * detect.h - which references are sequential, which loop, and which do
 * neither: on line, file by file.
 *
 * A run is a sequence of references each to the block of the previous one or
 * to the next.  Runs of at least `threshold` blocks are remembered; a run that
 * starts where a remembered one did is a loop, up to the remembered end.
 *
 *	H. Lee, I. H. Doh, S. H. Noh.  Improving Prefetching Effects by
 *	Exploiting Reference Patterns.  Two pages, in Korean, about 2008.
 *	J. M. Kim, J. Choi, J. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim.
 *	A Low-Overhead High-Performance Unified Buffer Management Scheme that
 *	Exploits Sequential and Looping References.  OSDI 2000.
 *
 * Time is counted in block references, of all files.  Memory is bounded: a
 * file remembers `runs` of them and forgets the one not seen for longest;
 * `files` of them can remember, and the file that got its table first loses
 * it to the next.  What is lost so is counted.
 */
#ifndef PREFETCH_DETECT_H
#define PREFETCH_DETECT_H

#include "sim/base/error.h"
#include "sim/base/plugin.h"

enum reference_class { CLASS_OTHER, CLASS_SEQUENTIAL, CLASS_LOOPING, CLASSES };

enum reentry { REENTRY_EXACT, REENTRY_ANYWHERE };

struct known_run {
	uint32_t start, end; /* first and last block */
	uint64_t seen;	     /* when it was last begun */
	double	 period;     /* references from one time to the next; 0: never met again */
};

struct open_run { /* of a file; nothing has been referenced while length is 0 */
	uint32_t	  start, end, length;
	uint64_t	  began;
	uint32_t	  table; /* 1 + index of the file's table of known runs; 0: none */
	struct known_run *loop;	 /* the known run that this one repeats, or NULL */
};

struct run_table { /* of a file: its known runs, by start */
	file_t	 file;
	uint32_t n;
};

struct detector {
	/* Parameters, as in DETECTOR_PARAMS. */
	uint64_t threshold, alpha, reentry, runs, files;

	uint64_t	  now;	/* references so far */
	struct open_run	 *open; /* [nfiles] */
	struct run_table *table;
	struct known_run *known; /* `runs` for each table */
	uint32_t	  ntables, used, next;

	/* Counters, as in DETECTOR_COUNTERS. */
	uint64_t loops;	      /* known runs that were met again */
	uint64_t repetitions; /* how often one was */
	uint64_t periods;     /* sum of the references from one time to the next */
	uint64_t forgotten;   /* known runs, to stay within bounds */
};

/* For the parameters of a plug-in whose state `type` has a struct detector `field`. */
#define DETECTOR_PARAMS(type, field)                                                               \
	{ "threshold", PARAM_COUNT, 48, 2, 64, offsetof(type, field.threshold),                    \
		"a run of so many blocks is sequential", NULL },                                   \
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

/* For the counters of the same. */
#define DETECTOR_COUNTERS(type, field)                                                             \
	{ "loops", "runs", "remembered runs that were met again", offsetof(type, field.loops) },   \
	    { "loop_repetitions", "times", "how often such runs were met again",                   \
		    offsetof(type, field.repetitions) },                                           \
	    { "loop_period_references", "blocks",                                                  \
		    "references of all files from one repetition to the next, added up",           \
		    offsetof(type, field.periods) },                                               \
	{                                                                                          \
		"forgotten_runs", "runs",                                                          \
		    "runs forgotten to stay within the bounds of the detector",                    \
		    offsetof(type, field.forgotten)                                                \
	}

/* The parameters are set. */
int  detector_init(struct detector *d, file_t nfiles, struct error *e);
void detector_release(struct detector *d);

/* A reference that does not go on with the file's run: close that and begin another. */
void detector_jump(struct detector *d, file_t file, uint32_t block);

/* The class of a reference to that block of the file, which comes next. */
ALWAYS_INLINE enum reference_class
detector_update(struct detector *d, file_t file, uint32_t block)
{
	struct open_run *run = &d->open[file];

	d->now++;
	if (run->length && block == run->end + 1) {
		run->end++;
		run->length++;
	} else if (!run->length || block != run->end) {
		detector_jump(d, file, block);
	}
	if (run->loop && block <= run->loop->end)
		return CLASS_LOOPING;
	return run->length >= d->threshold ? CLASS_SEQUENTIAL : CLASS_OTHER;
}

#endif

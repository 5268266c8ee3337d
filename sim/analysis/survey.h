/*
 * survey.h - the figures of a trace: counts, distributions, calls by size,
 * files and processes, and the classes of references.
 *
 * Three passes: one finds the footprint, one counts, one classifies reads
 * (classes.h).  Memory does not depend on the number of calls: it is 22 bytes a
 * block of the footprint, 2 more for every block of the files, and up to 33 MB
 * for the lengths of calls.
 */
#ifndef SIM_SURVEY_H
#define SIM_SURVEY_H

#include "sim/analysis/classes.h"
#include "sim/analysis/mrc.h"
#include "sim/analysis/spread.h"

enum {
	SURVEY_LARGEST = 5,	/* files */
	SURVEY_ODD = 64 * 1024, /* bytes: longer calls are told apart if whole sectors */
};

struct figures {
#define FIGURE(name, unit, meaning) uint64_t name;
#define DISTRIBUTION(name, unit, meaning)
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
};

struct figure_info {
	const char *name, *unit, *meaning;
	size_t	    offset; /* of its uint64_t in struct figures; of a distribution: 0 */
};
extern const struct figure_info figure_info[]; /* ends with a NULL name */

enum distribution {
#define FIGURE(name, unit, meaning)
#define DISTRIBUTION(name, unit, meaning) SPREAD_##name,
#include "sim/analysis/figures.def"
#undef FIGURE
#undef DISTRIBUTION
	DISTRIBUTIONS
};
extern const struct figure_info distribution_info[]; /* ends with a NULL name */

/* What a file or a process has of all calls. */
struct survey_part {
	uint64_t reads, writes, read_bytes, write_bytes, references, write_references;
	uint64_t first_references; /* to blocks not referenced before, by anything */
};

struct call_size {
	uint32_t bytes;
	uint64_t calls;
};

struct survey;

/* What to call after each call of the trace; NULL: nothing. */
struct survey_observer {
	void *self;
	void (*call)(void *self, const struct survey *v, size_t number, block_t b, uint32_t count);
};

struct survey {
	const struct trace *t;
	struct figures	    n;
	struct spread	    spread[DISTRIBUTIONS];
	struct survey_part *file, *process;	    /* [nfiles], [nprocesses] */
	uint32_t	   *top_file, *top_process; /* their numbers, most references first */
	struct call_size   *size;		    /* most calls first */
	uint32_t	    nsizes;
	uint64_t other_sizes; /* calls that are longer than SURVEY_ODD and not of whole sectors */
	struct class_total class[CALL_CLASSES]; /* of reads; zero if there are none */
	file_t	 largest[SURVEY_LARGEST];	/* files with most blocks, largest first */
	unsigned nlargest;

	struct mrc mrc;	      /* for reuse distances */
	bool	   distances; /* false: the footprint is MRC_BLOCKS_MAX or more, and mrc is empty */

	/* while calls are counted */
	struct survey_observer observer;
	struct histogram      *histogram; /* [DISTRIBUTIONS] */
	uint64_t	      *touched;	  /* a bit for each block of the footprint */
	uint32_t	      *before; /* blocks of the footprint before those of a word of bits */
	uint64_t      *used;   /* by place in the footprint: when a block was used last, and how */
	block_t	      *last;   /* [nfiles] previous reference, or NIL */
	struct course *course; /* [nopen] */
	usec_t	      *called; /* [nprocesses] previous call; -1: none yet */
	uint64_t      *odd;    /* [SURVEY_ODD + 1] calls by bytes, without whole sectors */
	uint64_t      *whole;  /* calls by sectors */
	block_t	       previous; /* reference, to any file */
};

/* All of t.  Release v even on failure. */
int  survey_find(struct survey *v, const struct trace *t, const struct survey_observer *observer,
     struct error *e);
void survey_release(struct survey *v);

#endif

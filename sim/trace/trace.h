/*
 * trace.h - a trace in memory: reads and writes of files, in the order of time.
 *
 * Files are laid end to end in order of first use, so that a block is one
 * dense number: block = file.base + offset / block size.  Every call that
 * moves data is one struct access; opens, closes and exits have already
 * been turned into open-file numbers by the loader (load.h).
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/base/error.h"
#include "sim/base/types.h"

/* One read or write call of at least one byte.  A binary trace has the same layout. */
struct access {
	usec_t	 time;	 /* start of the call, since the start of the first access; never falls */
	uint64_t offset; /* bytes */
	uint64_t file_size;   /* bytes, at this moment */
	uint32_t length : 31; /* bytes, at least 1 */
	uint32_t write : 1;
	uint32_t open : 30;   /* which open file: index of trace.open, reused after a close */
	uint32_t advised : 1; /* advice precedes this access: trace.advice */
	uint32_t fresh : 1;   /* first read since the open: the readahead state is reset */
};
enum { OPENS_MAX = (1 << 30) - 1 }; /* a mask, too */
_Static_assert(sizeof(struct access) == 32, "two accesses to a cache line");

/* Advice of a program to the kernel about a range of a file, as posix_fadvise() numbers it. */
enum advice_kind {
	ADVICE_NORMAL,
	ADVICE_RANDOM,
	ADVICE_SEQUENTIAL,
	ADVICE_WILLNEED,
	ADVICE_DONTNEED,
	ADVICE_KINDS,
	ADVICE_KIND_MASK = 7
};

/*
 * A binary trace has the same layout.  Advice that is not followed by a read through the same
 * open file is about the file alone; NORMAL, RANDOM and SEQUENTIAL are left out in that case.
 */
struct advice {
	uint64_t before;	 /* the access that it precedes */
	uint64_t offset, length; /* bytes; a length of 0 is to the end of the file */
	uint64_t file_size;	 /* bytes, at this moment */
	uint32_t open;		 /* which open file; of advice about the file alone: its first */
	uint32_t kind : 30;	 /* enum advice_kind */
	uint32_t own : 1;	 /* reads through this open file follow */
	uint32_t
	    fresh : 1; /* the first since the last read of the open file; the next read is fresh */
};
_Static_assert(sizeof(struct advice) == 40, "without gaps");

/* A descriptor of a process while it is open. */
struct open_file {
	file_t	 file;
	uint32_t process; /* 0 .. nprocesses - 1 */
};

/* All files together. */
#define TRACE_BLOCKS_MAX ((uint64_t)1 << 31)

enum { TRACE_BLOCK_BYTES_MAX = 1 << 20 };

struct file {
	block_t	    base;    /* its first block; files lie end to end */
	uint32_t    nblocks; /* covers its size and every access */
	uint64_t    inode;   /* or a number made up by the loader, if the trace has only names */
	uint64_t    bytes;   /* its largest known end */
	const char *name;    /* or NULL: the trace has inodes only */
};

struct traced {
	uint32_t    pid;  /* of several processes, if it was reused */
	const char *name; /* or NULL: the format does not tell */
};

/*
 * What a process does between its calls, and other processes depend on: steps.  Only traces
 * with a STEP_START have any; process replay takes them, all others ignore them.
 */
enum step_kind {
	STEP_START,   /* it starts the process `other` */
	STEP_EXIT,    /* it ends: its last step, after all of its calls */
	STEP_WAIT,    /* it waits until `other` has ended, or STEP_ANY of those that it started */
	STEP_SEND,    /* it writes to a pipe, reads from one or closes one */
	STEP_RECEIVE, /* it waits until `other` has taken `number` steps of kind STEP_SEND */
	STEP_KINDS,
};
#define STEP_ANY UINT32_MAX

/* A binary trace has the same layout. */
struct step {
	usec_t	 time;	  /* its start, as access.time; 0 if it precedes the first access */
	usec_t	 until;	  /* of a wait: its end in the trace; else: time */
	uint64_t calls;	  /* that its process makes before it */
	uint32_t process; /* that takes it */
	uint32_t other;	  /* process; of EXIT and SEND: 0 */
	uint32_t kind;	  /* enum step_kind */
	uint32_t number;  /* of RECEIVE, from 1; else 0 */
};
_Static_assert(sizeof(struct step) == 40, "without gaps");

/* Does it name another process? */
static inline bool
step_has_other(const struct step *s)
{
	return s->kind != STEP_EXIT && s->kind != STEP_SEND && s->other != STEP_ANY;
}

/* What a trace cannot tell, because its format or its records lack it: bits of trace.lacks. */
enum lack {
	LACKS_FILES = 1,      /* volumes instead: a volume is a file, see enum stream_by */
	LACKS_PROCESSES = 2,  /* one process makes all calls */
	LACKS_TIMES = 4,      /* no think time */
	LACKS_LENGTHS = 8,    /* each call is one unit of the format */
	LACKS_ADDRESSES = 16, /* identifiers: neighbouring numbers are not neighbours on a device */
	LACKS = 5,	      /* kinds */
};

/* What is one stream of calls, for prefetchers, in a trace of volumes. */
enum stream_by { STREAM_DEFAULT, STREAM_VOLUME, STREAM_PID, STREAM_PROCESS_NAME, STREAM_NONE };

enum { TRACE_NOTES = 8 };

/* The file that a trace was read from; of a binary trace: the file it was converted from. */
struct source {
	const char *path;    /* as given; "-" is standard input */
	const char *format;  /* its name */
	const char *version; /* of the bufsim that read it */
	uint64_t    bytes;   /* of the file, packed or not */
	uint64_t    xxh3;    /* XXH3-64 of them */
	bool	    touched; /* mappings were read through: --mmap touch */
};

struct trace {
	char	       *name; /* of its file, without directories and endings; safe to print */
	char	       *path; /* as given */
	const char     *format;
	struct source	source;
	struct mapping *mapping; /* of a binary trace: sim/trace/format.h; else NULL */
	uint32_t	block_bytes, block_shift;

	const struct access *access; /* see trace_check() */
	size_t		     naccess;
	uint32_t	     longest_bytes; /* the longest call */
	uint64_t	     fingerprint;   /* of calls and files, the same in every format */
	const struct advice *advice;	    /* in the order of `before` */
	size_t		     nadvice;
	const struct step   *step; /* by process, then in the order in which they are taken */
	size_t		     nsteps;
	struct open_file    *open;
	uint32_t	     nopen; /* at most this many are open at once */
	struct file	    *file;
	file_t		     nfiles;
	char		    *names;   /* of the files, one after the other; or NULL */
	struct traced	    *process; /* those with calls come first */
	uint32_t	     nprocesses;
	uint32_t     nprograms;	 /* programs that run at once: sim/trace/merge.h; 0: not merged */
	const char **program;	 /* [nprograms]: their names; or NULL */
	uint32_t    *program_of; /* [nprocesses]; or NULL */
	block_t	     nblocks;	 /* end of the last file; block 0 is unused */
	block_t	     footprint;	 /* distinct blocks used; 0: see trace_footprint() */

	/* Counts of records, for bufsim stat.  The eleven after `records` add up to it. */
	uint64_t records;
	uint64_t reads, writes, empty_calls, opens, closes, exits, mmaps, advices;
	uint64_t starts, waits, transfers; /* STEP_START; STEP_WAIT; STEP_SEND and STEP_RECEIVE */
	uint64_t mmap_bytes;
	uint64_t out_of_order; /* records that had to be sorted into place */

	unsigned       lacks;	       /* enum lack */
	enum stream_by stream_by;      /* of a trace that lacks files */
	const char    *time_unit;      /* of times in the file: "s"; NULL: only its format's own */
	const char *note[TRACE_NOTES]; /* sentences about what was read, or NULL; not to be freed */
	uint64_t    noted[TRACE_NOTES];	  /* of how many records each is; 0: of none */
	char	   *written[TRACE_NOTES]; /* those of the notes that belong to the trace; or NULL */
	char	   *texts;		  /* of processes and notes, one after the other; or NULL */
};

/* Accesses to check and use at a time, if all are used in order. */
enum { TRACE_BATCH = 1 << 16 };

void trace_release(struct trace *t);

/*
 * To be called before accesses first .. first + n - 1 are used; n may exceed
 * their number.  0, or -1: they are damaged.  Accesses of a binary trace are
 * checked in chunks at their first use, those of other formats while loading.
 */
int trace_check(const struct trace *t, size_t first, size_t n, struct error *e);

/*
 * To be called when accesses have been used, before the result is: 0, or -1: the file of a binary
 * trace has changed meanwhile.
 */
int trace_unchanged(const struct trace *t, struct error *e);

/* The first advice that precedes access i or a later one: its number, or nadvice. */
size_t trace_advice(const struct trace *t, size_t i);

/*
 * The end of making a trace: files, open files and processes are numbered in order of first use,
 * also in accesses, advice and steps; files get their blocks; the fingerprint is computed.
 * Processes without calls follow, by pid; they occur only in a trace with steps.
 */
int trace_renumber(struct trace *t, struct access *access, struct advice *advice, struct step *step,
    struct error *e);
int trace_lay_out(struct trace *t, struct error *e);
void trace_take_fingerprint(struct trace *t);

/* Multiply all times, of accesses and steps, of a trace that is not mapped. */
void trace_scale(struct trace *t, double factor);

/* Add a note that is not freed, about so many records; a note that is there already is counted on. */
void trace_add_note(struct trace *t, const char *note, uint64_t times);

/* Add a note that the trace keeps a copy of, about so many records.  0, or -1: out of memory. */
int trace_write_note(struct trace *t, uint64_t times, struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Note i with its number of records: "requests without data were skipped: 12". */
enum { NOTE_ROOM = 512 };
const char *trace_note(const struct trace *t, unsigned i, char text[NOTE_ROOM]);

/* For the end of a message that so many blocks, or bytes, are beyond a limit: the block size that helps, if any. */
enum { HINT_ROOM = 48 };
const char *trace_block_hint(char text[HINT_ROOM], uint32_t block_bytes, uint64_t n,
    uint64_t limit);

/* A path for messages: "standard input" for "-". */
const char *trace_path(const char *path);

/*
 * The blocks that are read or written: a bit each, in nblocks / 64 + 1 words, to be freed; and
 * their number.  NULL: out of memory, or a damaged trace.
 */
uint64_t *trace_touched(const struct trace *t, block_t *n, struct error *e);

/* Block references of all accesses. */
uint64_t trace_references(const struct trace *t);

/* Set t->footprint, the number of distinct blocks that are read or written, once. */
int trace_footprint(struct trace *t, struct error *e);

/* The first block of the file touched by an access, and the number of blocks. */
ALWAYS_INLINE uint32_t
access_first(const struct trace *t, const struct access *a)
{
	return (uint32_t)(a->offset >> t->block_shift);
}

ALWAYS_INLINE uint32_t
access_count(const struct trace *t, const struct access *a)
{
	return (uint32_t)((a->offset + a->length - 1) >> t->block_shift) - access_first(t, a) + 1;
}

/* The file that block b belongs to. */
static inline file_t
trace_file(const struct trace *t, block_t b)
{
	file_t low = 0, high = t->nfiles;

	while (high - low > 1) {
		file_t middle = low + (high - low) / 2;

		if (t->file[middle].base <= b)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* First block touched by an access. */
ALWAYS_INLINE block_t
access_block(const struct trace *t, const struct access *a)
{
	return t->file[t->open[a->open].file].base + access_first(t, a);
}

#endif

/*
 * trace.h - a loaded trace: who read and wrote what, when.
 *
 * Files are laid end to end in order of first use, so that a block is one
 * dense number: block = file.base + offset / block size.  Every call that
 * moves data is one struct access; opens, closes and exits have already
 * been turned into open-file numbers by the loader.
 */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim/error.h"
#include "sim/types.h"

/* One read or write call of at least one byte. */
struct access {
	usec_t	 time;	 /* start of the call, from that of the trace's first access; never falls */
	uint64_t offset; /* bytes */
	uint64_t file_size; /* bytes, at this moment */
	uint32_t length;    /* bytes, at least 1 */
	uint32_t open;	    /* which open file: index of trace.open, reused after a close */
	bool	 write;
	bool	 fresh; /* first read since this file was opened: its state starts anew */
};

/* A descriptor of a process while it is open. */
struct open_file {
	file_t	 file;
	uint32_t process; /* 0 .. nprocesses - 1 */
};

struct file {
	block_t	 base;	  /* its first block; files lie end to end */
	uint32_t nblocks; /* covers its size and every access */
	uint64_t inode;	  /* or a number of our own, where the trace has only names */
};

struct process {
	uint32_t pid;
};

struct trace {
	char	   *name; /* of the trace: the file's name without directories and endings */
	const char *format;
	uint32_t    block_bytes, block_shift;

	struct access	 *access;
	size_t		  naccess;
	struct open_file *open;
	uint32_t	  nopen; /* at most this many are open at once */
	struct file	 *file;
	file_t		  nfiles;
	struct process	 *process;
	uint32_t	  nprocesses;
	block_t		  nblocks; /* end of the last file; block 0 is unused */

	/* What the records were: stat prints them.  The eight after it add up to records. */
	uint64_t records;
	uint64_t reads, writes, empty_calls, opens, closes, exits, mmaps, advices;
	uint64_t mmap_bytes;
	uint64_t out_of_order; /* records that had to be sorted into place */
};

struct trace_options {
	uint32_t    block_bytes; /* a power of two, 512 .. 1M */
	const char *format;	 /* or NULL: recognised by content */
	bool	    touch_mmaps; /* treat a mapping as read through once, in order */
};

/* path "-" is standard input.  On failure nothing is left to release. */
int  trace_load(struct trace *t, const char *path, const struct trace_options *o, struct error *e);
void trace_release(struct trace *t);

/* First block of the file touched by an access, and how many. */
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

/* First block touched by an access. */
ALWAYS_INLINE block_t
access_block(const struct trace *t, const struct access *a)
{
	return t->file[t->open[a->open].file].base + access_first(t, a);
}

#endif

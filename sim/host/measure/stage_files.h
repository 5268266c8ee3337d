/*
 * stage_files.h - the files of a trace on a real file system: filled, without names,
 * dropped from memory and counted there.  Linux only; elsewhere stage_files_make()
 * fails.
 */
#ifndef SIM_STAGE_FILES_H
#define SIM_STAGE_FILES_H

#include "sim/host/live/scratch.h"
#include "sim/trace/trace.h"

struct stage_files {
	const struct trace *trace;
	int		   *fd;	      /* [trace->nfiles]; no call is made through it */
	size_t		   *last;     /* [trace->nopen] the last call through each open file */
	bool		    scarce;   /* descriptors: they are closed behind that call */
	bool		    dirty;    /* the files have been written to */
	uint64_t	    bytes;    /* of all of them */
	char		    dir[64];  /* for messages, perhaps cut short */
	char		    type[32]; /* of the file system, "" if unknown */
};

/*
 * Check the space and the number of descriptors, make the files as large as
 * they are in the end, and drop them from memory.
 */
int  stage_files_make(struct stage_files *fs, const struct trace *t, const char *dir,
     struct error *e);
void stage_files_release(struct stage_files *fs);

/* Before any file is made: is there room?  Find fs->bytes, fs->last and fs->scarce. */
int stage_files_check(struct stage_files *fs, const char *dir, struct error *e);

/* The pages of a file. */
static inline uint64_t
stage_files_pages(const struct trace *t, file_t f)
{
	return (t->file[f].bytes + SCRATCH_PAGE - 1) / SCRATCH_PAGE;
}

/* Open a file as a program does, with a readahead state of its own. */
int stage_files_open(const struct stage_files *fs, file_t f, bool write, struct error *e);

/* Write what is dirty, and drop all pages from memory. */
int stage_files_drop(struct stage_files *fs, struct error *e);

/* Drop the pages of that range. */
void stage_files_drop_range(const struct stage_files *fs, file_t f, uint64_t first, uint64_t n);

/* The number of pages in memory, when all reads are complete. */
int stage_files_resident(const struct stage_files *fs, uint64_t *pages, struct error *e);

#endif

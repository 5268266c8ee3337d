/*
 * scratch.h - a file to be read for the sake of what the kernel does: which
 * of its pages are in memory?  Linux only; elsewhere scratch_init() says so.
 */
#ifndef SIM_SCRATCH_H
#define SIM_SCRATCH_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { SCRATCH_PAGE = 4096 };

struct scratch {
	int	       fd;  /* keeps the file, which has no name; nothing is read through it */
	void	      *map; /* of all of it, never touched */
	uint64_t       bytes;
	uint32_t       npages;
	unsigned char *page;	   /* bit 0: in memory when last looked at */
	uint32_t       first, end; /* those of the last look */
	unsigned char *seen;	   /* of these, the same before it */
	bool	       counted;	   /* the kernel also says how many, and is right */
	unsigned       doubts;	   /* times in a row that it said fewer */
	char	       path[48];   /* by which it can be opened again */
};

/* A file of so many bytes in a directory, none of whose pages is in memory. */
int  scratch_init(struct scratch *s, const char *dir, uint64_t bytes, struct error *e);
void scratch_release(struct scratch *s);

/* As a program opens it: a file descriptor, with a readahead of its own. */
int scratch_open(const struct scratch *s, struct error *e);

/* Read as a program does; the bytes are forgotten. */
int scratch_read(int fd, uint64_t offset, uint32_t length, struct error *e);

/*
 * Wait until none of the n pages from `first` on is being read any more, and
 * note which are in memory.  The kernel looks them up one by one.
 */
int scratch_look(struct scratch *s, uint32_t first, uint32_t n, struct error *e);

/* Of the pages s->first to s->end - 1 of that look: has it come into memory since?  Has it gone? */
static inline bool
scratch_came(const struct scratch *s, uint32_t i)
{
	return s->page[i] & ~s->seen[i] & 1;
}

static inline bool
scratch_went(const struct scratch *s, uint32_t i)
{
	return s->seen[i] & ~s->page[i] & 1;
}

/* Can pages be observed in that directory?  0, or -1 and why not. */
int scratch_probe(const char *dir, struct error *e);

#endif

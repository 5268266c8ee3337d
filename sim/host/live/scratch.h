/*
 * scratch.h - a file that is read to observe the kernel: which of its pages
 * are in memory?  Linux only; elsewhere scratch_init() fails.
 */
#ifndef SIM_SCRATCH_H
#define SIM_SCRATCH_H

#include "sim/base/error.h"
#include "sim/base/types.h"

enum { SCRATCH_PAGE = 4096 };

struct scratch {
	int	       fd;    /* keeps the file, which has no name; nothing is read through it */
	void	      *map;   /* of all of it, never touched */
	uint64_t       bytes; /* the largest size */
	uint64_t       size;  /* now */
	uint32_t       npages;
	unsigned char *page;	   /* bit 0: in memory when last looked at */
	uint32_t       first, end; /* the pages of the last look */
	unsigned char *seen;	   /* the state of these pages before it */
	bool	       lost;	   /* pages have left that were not advised to; for the caller */
	bool	       counted;	   /* the kernel also reports their number, and is right */
	unsigned       doubts;	   /* times in a row that it reported fewer */
	char	       path[48];   /* for opening it again */
};

/* The free bytes of the file system of a directory; UINT64_MAX: it does not report them. */
int scratch_room(const char *dir, uint64_t *bytes, struct error *e);

/* Raise the limit of file descriptors to n, or as far as possible.  Returns it. */
uint64_t scratch_descriptors(uint64_t n);

/* May a file be so large?  0, or -1 and the limit of the shell. */
int scratch_limit(uint64_t bytes, struct error *e);

/* An empty file in a directory, without a name, that may grow to so many bytes: its descriptor, or -1. */
int scratch_create(const char *dir, uint64_t bytes, struct error *e);

/* Make a file of that size in a directory, with no page of it in memory. */
int  scratch_init(struct scratch *s, const char *dir, uint64_t bytes, struct error *e);
void scratch_release(struct scratch *s);

/*
 * Pages of a file in memory, also those being read, in a range that has pages or, with a length of
 * 0, to its end: by cachestat().  UINT64_MAX: the kernel does not report it.
 */
uint64_t scratch_count(int fd, uint64_t offset, uint64_t length);

/* Open it as a program does: a file descriptor with its own readahead state. */
int scratch_open(const struct scratch *s, struct error *e);

/* Read as a program does; the bytes are discarded. */
int scratch_read(int fd, uint64_t offset, uint32_t length, struct error *e);

/* Write as a program does, through a descriptor of the file; up to its largest size. */
int scratch_write(struct scratch *s, int fd, uint64_t offset, uint32_t length, struct error *e);

/* Touch these pages, which lie within the file, through a mapping of a descriptor. */
int   scratch_touch(const struct scratch *s, void *map, uint64_t offset, uint32_t length,
      struct error *e);
void *scratch_map(const struct scratch *s, int fd, struct error *e); /* or NULL */
int   scratch_unmap_pages(const struct scratch *s, void *map, struct error *e);
void  scratch_unmap(const struct scratch *s, void *map);

/* posix_fadvise(); kind: enum advice_kind.  DONTNEED finds no unwritten page: they are written first. */
int scratch_advise(struct scratch *s, int fd, unsigned kind, uint64_t offset, uint64_t length,
    struct error *e);

/* Give it another size, not above its largest; and drop all its pages from memory. */
int scratch_resize(struct scratch *s, uint64_t bytes, struct error *e);
int scratch_drop(struct scratch *s, struct error *e);

/*
 * Wait until all reads of the n pages from `first` on are complete, and record
 * which pages are in memory.  The kernel looks them up one by one.
 */
int scratch_look(struct scratch *s, uint32_t first, uint32_t n, struct error *e);

/* Has page s->first .. s->end - 1 come into memory at the last look?  Has it left? */
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

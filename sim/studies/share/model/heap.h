/*
 * heap.h - the objects of a program and the pages they are on.
 *
 * An allocator places an object at the end of a space; each space fills pages
 * of its own.  All pages have dense numbers from 0, in the order in which a
 * space begins them, so that a page is an index into the tables of a protocol.
 * An object is placed once and does not move.
 */
#ifndef SIM_SHARE_HEAP_H
#define SIM_SHARE_HEAP_H

#include "sim/studies/share/model/program.h"

enum { PAGE_BYTES_MIN = 64, PAGE_BYTES_MAX = 65536 };

#define UNPLACED UINT32_MAX

/* The end of a space.  Zeroed: empty. */
struct space {
	uint32_t page; /* its last */
	uint32_t left; /* bytes free on it */
};

/* Where an object is. */
struct address {
	uint32_t skew;	/* bytes from the start of its first page to its first word; or UNPLACED */
	uint32_t pages; /* of its first page, in page_of */
};

/* What allocators do that place an object at its first reference. */
struct late_placing {
	uint64_t objects;	  /* placed so */
	uint64_t temporary_bytes; /* of addresses until then */
	uint64_t moved_bytes; /* of objects that had been referenced there, before counting began */
};

struct heap {
	const struct program *program;
	uint32_t	      page_bytes;
	unsigned	      page_shift, word_shift;
	struct address	     *address;	 /* [nobjects + 1] */
	bool		     *requested; /* [nobjects + 1] */
	bool		     *early;	 /* [nobjects + 1] referenced before it was placed */
	uint32_t	     *page_of;	 /* the pages of each object, in order */
	uint32_t	      npages;	 /* begun so far */
	uint32_t	      room;	 /* there are never more pages than this */
};

/* page_bytes is a power of two from PAGE_BYTES_MIN to PAGE_BYTES_MAX.  0, or -1: out of memory. */
int  heap_init(struct heap *h, const struct program *p, uint32_t page_bytes, struct error *e);
void heap_release(struct heap *h);

/* Put an object that is not placed at the end of a space. */
void heap_place(struct heap *h, struct space *s, uint32_t object);

/* The next object begins a page. */
static inline void
heap_begin_page(struct space *s)
{
	s->left = 0;
}

/*
 * Leave bytes free before the next object, which is placed there at once: a page that begins with
 * them is the object's too.
 */
void heap_skip(struct heap *h, struct space *s, uint64_t bytes);

static inline bool
heap_is_placed(const struct heap *h, uint32_t object)
{
	return h->address[object].skew != UNPLACED;
}

/* Bytes with the tag. */
static inline uint64_t
heap_bytes(const struct heap *h, uint32_t object)
{
	return h->program->object[object].bytes;
}

/* The page of a word of an object that is placed. */
ALWAYS_INLINE uint32_t
heap_page(const struct heap *h, const struct address *at, uint32_t word)
{
	return h->page_of[at->pages +
	    ((at->skew + ((uint64_t)word << h->word_shift)) >> h->page_shift)];
}

#endif

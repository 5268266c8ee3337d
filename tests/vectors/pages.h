/*
 * pages.h - what lies between a vector's read loop and a prefetcher: a page
 * cache, files, open files, and a disk that completes what was submitted as
 * the vector's header says.
 *
 * The cache is the simulator's own, with a frame for every page, so that a
 * page leaves it by an "evict" step only.  Any prefetcher is driven through
 * its public interface: it is told of a demand as the simulator tells it,
 * and its plan is carried out page by page.
 *
 * A read loop of a kernel goes like this, page by page:
 *
 *	pages_touch()			time passes, some I/O completes
 *	pages_found() ...		look the page up
 *	pages_demand(), pages_consult(), pages_carry_out()
 *	pages_wait()			until its I/O completes
 */
#ifndef TESTS_VECTORS_PAGES_H
#define TESTS_VECTORS_PAGES_H

#include <cjson/cJSON.h>

#include "sim/core/prefetch.h"

enum { PAGE_SHIFT = 12, PAGE_BYTES = 1 << PAGE_SHIFT, PAGES_BEYOND = 1024 };

/* Text that grows: what happened in a step, in the words of the vectors. */
struct text {
	char  *s; /* never NULL once something was added or it was cleared */
	size_t used, room;
};

void text_clear(struct text *t);
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same as JSON: "[1,2,3]" is text_list_start(), text_list_add() ..., text_list_end(). */
void text_list_start(struct text *t);
void text_list_add(struct text *t, int64_t value);
void text_list_end(struct text *t);

/*
 * Is member `name` of the step, a string or else any JSON, `got`?  0: yes;
 * 1: no, and why[], which was used up to some point, says so; -1: the step
 * has no such member.
 */
int step_compare(const cJSON *step, const char *name, const char *got, char *why, size_t room,
    struct error *e);

/* A whole number of a header or step, at least 0 and at most max.  -1: it is not. */
int json_number(const cJSON *o, const char *name, uint64_t max, uint64_t *value, struct error *e);

/* The same where a header may leave it out. */
int json_optional(const cJSON *o, const char *name, uint64_t fallback, uint64_t max,
    uint64_t *value, struct error *e);

struct page {		    /* what Linux keeps of a page beyond a frame's flags */
	uint64_t submitted; /* at that touch; in mode R: in that request */
	bool	 referenced, active;
	uint8_t	 order; /* of the folio it came in */
};

struct pages {
	struct trace	  trace; /* files and open files; no accesses */
	struct open_file *open;
	uint32_t	 *descriptor; /* as the vector calls an open file */
	bool		 *started;    /* an open file has been read */
	struct file	 *file;
	struct cache	  cache;
	struct page	 *page; /* [block] */

	const struct prefetcher *prefetcher;
	void			*self; /* its state */

	/* When is a page readable?  See the README of the vectors. */
	char	 mode;		   /* A B C R; Z, also if the header has none: at once */
	uint64_t delay, reqmax;	   /* n of C, pages in a request of R */
	uint64_t touches, request; /* so many so far */
	uint64_t in_request;	   /* pages of the newest request; 0: it takes no more */
	block_t *flight;	   /* pages in flight, in the order of submission */
	uint32_t nflight;

	/* For a disk of another kind: told of each page, and called to deliver one.  Or NULL. */
	void (*submitted)(struct pages *p, block_t b, char letter);
	void (*sleep)(struct pages *p, block_t b);
	void (*begin)(struct pages *p); /* a plan wants it to begin at once */

	struct access call; /* the current one: bytes as requested, the file as large as it is */
	struct demand demand;
	struct plan   plan;
	struct text   events, demanded, ahead; /* of the current step */
};

/* Start again with the header's files, opens, mode, n and reqmax, as far as it has them. */
int  pages_begin(struct pages *p, const cJSON *header, const struct prefetcher *prefetcher,
     const char *params, struct error *e);
void pages_end(struct pages *p);

/* If the step is "cache" or "evict": 1, and done.  0: it is "read". */
int pages_change(struct pages *p, const cJSON *step, struct error *e);

/* A "read" step begins: fills in call and demand, clears the texts. */
int pages_call(struct pages *p, const cJSON *step, struct error *e);

/* One event: a letter and a page of the current file. */
void pages_event(struct pages *p, const char *letter, uint32_t index);

/* The read loop turns to a page: the disk may have completed something by now. */
void pages_touch(struct pages *p);

/* Look at a page of the current file. */
bool	     pages_found(const struct pages *p, uint32_t index);
bool	     pages_in_flight(const struct pages *p, uint32_t index);
struct page *pages_page(const struct pages *p, uint32_t index);

/* Bring in page `index`, which is absent, and submit its read; `letter` is the event, NULL: none.
 */
void pages_submit(struct pages *p, uint32_t index, const char *letter);

/* The read loop demands it: the same with the letter D, and it is listed as demanded. */
void pages_demand(struct pages *p, uint32_t index);

/*
 * Tell the prefetcher of page `index`, found or absent; its answer is in
 * p->plan.  `left` pages of the call are left with this one; 0: a call that
 * reads nothing, as it starts at or behind the end of its file.
 */
void pages_consult(struct pages *p, uint32_t index, uint32_t left, bool absent);

/*
 * Submit the blocks of the plan, in order: one event per page, `fresh` if it
 * was absent and else `cached` (NULL: none), and list the absent ones as
 * ahead.  A page of plan.mark that was absent gets a '!' behind its event.
 * Then, if the plan wants that, the disk begins: K0.
 */
void pages_carry_out(struct pages *p, const char *fresh, const char *cached);

/* Sleep until page `index` is readable. */
void pages_wait(struct pages *p, uint32_t index);

/* The I/O of block b is complete.  For p->sleep. */
void pages_done(struct pages *p, block_t b);

#endif

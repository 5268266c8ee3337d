/* read24.h - read(2) of Linux 2.4, page by page, above a prefetcher. */
#ifndef TESTS_VECTORS_READ24_H
#define TESTS_VECTORS_READ24_H

#include "tests/vectors/pages.h"

struct position { /* of an open file */
	uint64_t at;
	bool	 sequential; /* f_reada: nothing has moved it since the last read */
};

struct read24 {
	struct pages	 pages;
	struct position *position;
	bool		 marks; /* pages are marked accessed: not in 2.4.0 */

	/* Of the current step. */
	uint64_t returned; /* bytes */
	bool	 was_sequential;
	int64_t	 state[STATE_MAX + 1]; /* of the prefetcher, after the call */
};

/*
 * kernel is "2.4.20" and the like; min_ra and max_ra are taken from the
 * header, if it has them.
 */
int  read24_begin(struct read24 *r, const cJSON *header, const char *kernel, struct error *e);
void read24_end(struct read24 *r);

/* Take one "read" step: the results are in r and r->pages. */
int read24_step(struct read24 *r, const cJSON *step, struct error *e);

#endif

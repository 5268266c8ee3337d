/*
 * rows.h - a CSV file that grows row by row and stays valid after a crash.
 *
 * A row is appended whole, by one write, as soon as it is complete; a row that
 * does not fit on the disk is removed again.  When all rows are there they are
 * put in order, in a temporary file that replaces this one.
 */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/base/error.h"
#include "sim/base/types.h"

struct row {
	uint64_t at;	/* in the file */
	size_t	 bytes; /* 0: not there */
};

struct rows {
	const char *path, *header; /* the header ends with a newline */
	int	    fd;
	uint64_t    end; /* end of the file */
	struct row *row; /* by place in the finished file */
	size_t	    nrows, nthere;
	struct row *other; /* rows that belong to no place: kept at the end */
	uint32_t    nothers, others_capacity;
	bool	    torn; /* rows_open() dropped a torn last row */
	bool	    lost; /* another program has taken the file away or changed it */
};

/* The place of a row of n fields; SIZE_MAX: it has no place. */
typedef size_t place_function(void *self, char *const *field, unsigned n);

/*
 * Open path for nrows rows.  With resume, the file may exist and keeps its
 * rows; without, a file that is not empty is a usage error.  The file is locked
 * against other sweeps.
 */
int rows_open(struct rows *r, const char *path, const char *header, size_t nrows, bool resume,
    place_function *place, void *self, struct error *e);

/* text ends with a newline.  An error as well if the file is lost. */
int rows_add(struct rows *r, size_t place, const char *text, size_t bytes, struct error *e);

/* Put all rows in order. */
int  rows_sort(struct rows *r, struct error *e);
void rows_close(struct rows *r);

#endif

/*
 * advised.h - a trace with advice about whole files, given each time that one
 * is opened: before the first read of the open file.
 *
 * A kernel reads only so much for one piece of advice, so WILLNEED is given
 * piece by piece.
 */
#ifndef SIM_ADVISE_ADVISED_H
#define SIM_ADVISE_ADVISED_H

#include "sim/trace/trace.h"

struct advised {
	const struct trace *t;
	struct access	   *access; /* all of the trace; those of at[] are marked as advised */
	size_t		   *at;	    /* first reads of open files */
	size_t		    n;
};

struct file_advice {
	file_t		 file;
	enum advice_kind kind;
};

/* Its accesses have been checked.  Release a in any case. */
int  advised_init(struct advised *a, const struct trace *t, struct error *e);
void advised_release(struct advised *a);

/*
 * The trace with that advice beside its own, in a run: it borrows all from a
 * but its advice, which is to be freed.  piece: bytes, of WILLNEED.
 */
int advised_make(const struct advised *a, const struct file_advice *f, unsigned nfiles,
    uint64_t piece, struct trace *out, struct error *e);

/* Only accesses that advice of t precedes are marked from now on, as in a trace to be written. */
void advised_settle(struct advised *a, const struct trace *t);

#endif

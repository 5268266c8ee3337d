/*
 * history.h - what led to one fault, or one fetch of a page: the references to the page before it.
 *
 * Two runs of the same: the first finds the page, the second keeps the last references to it.  So
 * memory does not grow with the references.
 */
#ifndef SIM_SHARE_HISTORY_H
#define SIM_SHARE_HISTORY_H

#include "sim/studies/share/model/share.h"

enum { HISTORY_MAX = 64 };

/* References to one word by one processor, one directly after the other. */
struct past {
	uint64_t turn; /* of the last; 0: there was none */
	uint64_t times;
	uint32_t word;
	unsigned processor;
	bool	 write, fault, fetch;
	enum fault_class class; /* of the fault */
};

struct history {
	uint64_t     number;	      /* of the fault, from 1 */
	uint64_t     faults, fetches; /* so far; fetches are those numbered if there are any */
	bool	     fetched;
	struct fault fault; /* processor P references word w of a page; turn 0: no such fault */
	struct fault now;   /* the reference that is made, without a class */

	struct past past[HISTORY_MAX]; /* a ring */
	uint64_t    npast;	       /* all; the last is past[(npast - 1) % HISTORY_MAX] */
	struct past used;	       /* the last reference of P to the page */
	struct past lost;	       /* the first write of another after it */
	struct past written;	       /* the last write of w by another */
	uint64_t    writes;	       /* of others since `lost` */
	uint64_t    written_by;	       /* these others */
};

/* The observer of the first run, which finds the fault, and of the second. */
struct share_observer history_find(struct history *h, uint64_t number);
struct share_observer history_keep(struct history *h);

#endif

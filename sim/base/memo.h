/*
 * memo.h - text that is printed into memory, as if into a file.
 *
 * Between open and close a struct memo stays where it is.
 */
#ifndef SIM_MEMO_H
#define SIM_MEMO_H

#include <stdio.h>

#include "sim/base/error.h"

struct memo {
	FILE *out; /* print here */
	char *
	    text; /* valid after memo_close(), or fflush(out) if bytes are there; the caller frees it */
	size_t bytes, room;
};

/* Both return 0, or -1: out of memory, and nothing is left to free; out is NULL if open fails. */
int memo_open(struct memo *m, struct error *e);
int memo_close(struct memo *m, struct error *e); /* also after an open that failed */

/* Forget the text so far, which has been flushed. */
void memo_empty(struct memo *m);

#endif

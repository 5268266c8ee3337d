/* memo.h - text that is printed into memory, as if into a file.  Between open and close it stays in its place. */
#ifndef SIM_MEMO_H
#define SIM_MEMO_H

#include <stdio.h>

#include "sim/base/error.h"

struct memo {
	FILE  *out;  /* print here */
	char  *text; /* valid after memo_close(); the caller frees it */
	size_t bytes, room;
};

/* Both return 0, or -1: out of memory, and nothing is left to free. */
int memo_open(struct memo *m, struct error *e);
int memo_close(struct memo *m, struct error *e);

#endif

/*
 * workers.h - pieces of work shared out among forked processes.
 *
 * A worker sees all that its parent had loaded, without a copy, and sends
 * the text it makes back through a pipe.  Pieces are handed out one by one,
 * so that no worker idles while work is left.
 */
#ifndef SIM_WORKERS_H
#define SIM_WORKERS_H

#include <stdio.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

struct work {
	size_t	 npieces;
	unsigned jobs; /* at once, at least 1 */
	void	*self;

	/* In a worker: write what piece i comes to. */
	int (*make)(void *self, size_t i, FILE *out, struct error *e);

	/* In the parent, in order of completion. */
	int (*take)(void *self, size_t i, const char *text, size_t bytes, struct error *e);

	/* In the parent, several times a second. */
	void (*tick)(void *self);
};

/*
 * 0 when all is done.  -1 after the first error; pieces then in progress are
 * finished and taken.  SIGINT, SIGTERM and SIGHUP stop at once: -1, and the
 * exit code is 128 + the signal.
 */
int work_run(const struct work *w, struct error *e);

#endif

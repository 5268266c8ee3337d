/*
 * workers.h - pieces of work distributed among forked processes.
 *
 * A worker shares the memory of its parent at the fork, without a copy, and
 * sends its result back as text through a pipe.  Pieces are handed out one by
 * one, so that no worker is idle while work is left.
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

	/* In a worker: write the result of piece i. */
	int (*make)(void *self, size_t i, FILE *out, struct error *e);

	/* In the parent, in order of completion. */
	int (*take)(void *self, size_t i, const char *text, size_t bytes, struct error *e);
};

/*
 * Returns 0 when all pieces are done.  -1 after the first error; pieces in
 * progress are still finished, and of several errors that of the first piece is
 * kept, so that it does not depend on the speed of the workers.  SIGINT, SIGTERM, SIGHUP and SIGQUIT stop at once:
 * -1, and the exit code is EXIT_SIGNALLED + the signal.
 */
int work_run(const struct work *w, struct error *e);

/* The same without workers, one piece after the other, up to the first error; a signal ends the program. */
int work_alone(const struct work *w, struct error *e);

/* Make piece i.  The caller frees m->text, also after a failure. */
struct memo;
int work_make(const struct work *w, size_t i, struct memo *m, struct error *e);

#endif

/*
 * performer.h - make the steps of a trace on scratch files, one after the
 * other, and look at the pages after each.
 */
#ifndef SIM_PERFORMER_H
#define SIM_PERFORMER_H

#include "sim/host/live/host.h"
#include "sim/host/live/scratch.h"
#include "sim/host/live/steps.h"

struct performer {
	const struct trace *trace;
	struct scratch	   *file; /* [trace->nfiles] */
	int		   *fd;	  /* [trace->nopen], or -1 */
	void		  **map;  /* [trace->nopen], or NULL: of steps that are faults */
	bool	*advised;	  /* [trace->nopen]: advice has opened it before its first read */
	size_t	*last;		  /* [trace->nopen] the number of its last step, from 1 */
	size_t	 made;		  /* steps */
	uint32_t reach;		  /* pages before and behind a step that it may read */
};

/* May its files be made in that directory, all at once? */
int performer_check(const struct trace *t, const char *dir, struct error *e);

/* The files get the sizes that they have when the trace begins. */
int  performer_init(struct performer *p, const struct trace *t, const struct host *h,
     const char *dir, struct error *e);
void performer_release(struct performer *p);

struct scratch *performer_file(const struct performer *p, const struct live_step *s);

/* Make a step; then performer_file() shows the pages that it may have brought or dropped. */
int performer_make(struct performer *p, const struct live_step *s, struct error *e);

#endif

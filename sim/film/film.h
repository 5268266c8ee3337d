/*
 * film.h - what happens in a span of calls, as time goes: what the processes
 * wait for, the requests in the queue and at the device, and what becomes of
 * the blocks in the cache.
 *
 * A film is an observer of a whole run (sim/core/observer.h): what was read
 * before the span may be used in it.
 */
#ifndef SIM_FILM_H
#define SIM_FILM_H

#include "sim/core/engine/storage.h"
#include "sim/core/observer.h"
#include "sim/report/waits.h"

/* What a process does: it waits for one of wait_info[], thinks, or pays for the processor. */
enum { FILM_THINK = WAITS, FILM_CPU, FILM_ACTS };

enum film_use { FILM_DEMAND, FILM_PREFETCH, FILM_WRITE, FILM_USES };

/* What happens to a block in the cache. */
enum film_fate {
	FILM_HIT,
	FILM_FIRST_HIT, /* read ahead, and in time */
	FILM_LATE,
	FILM_DELAYED,
	FILM_MISS,
	FILM_EVICTED,
	FILM_UNUSED, /* read ahead and evicted before it was used */
	FILM_FATES
};

struct film_span {
	usec_t	 from, to;
	uint32_t process, act;
};

struct film_call {
	uint64_t number; /* from 1 */
	usec_t	 begin, end;
	uint32_t process;

	const struct access *access;
};

struct film_request {
	uint32_t      number, count;
	block_t	      block;
	uint32_t      demanded; /* the first blocks: up to the last one that a call has asked for */
	enum film_use use;
	usec_t	      queued, started, done;
	usec_t	      part[SERVICE_PARTS];
};

/* A reference that had to wait for a prefetch under way. */
struct film_late {
	usec_t	 when;
	uint32_t process;
	size_t	 request; /* index in film.request */
};

struct film_event {
	usec_t	       when;
	block_t	       block; /* first of count */
	uint32_t       count;
	enum film_fate fate;
};

/* A block that was read ahead is in the cache, and not used yet. */
struct film_stay {
	block_t block;
	usec_t	from, to;
};

struct film_process {
	bool		     acts;  /* in the span */
	uint64_t	     call;  /* its current or last one */
	size_t		     entry; /* of that one, in film.call */
	usec_t		     idle;  /* when its last call ended; -1: it has made none, or waits */
	usec_t		     ready; /* when its call began, or its last wait ended */
	const struct traced *traced;
	uint32_t	     program;
};

struct film {
	const struct trace *t;
	uint64_t	    first, last; /* calls of the span */
	uint64_t	    ncalls;	 /* that have begun */
	uint64_t	    nopen;	 /* calls of the span that have not ended */
	usec_t		    begin, end;	 /* of the picture; end: after film_finish() */
	usec_t		    until; /* when the call after the span begins; USEC_MAX: none has */
	bool		    began, lost; /* lost: memory ran out */

	struct film_process *process;
	uint32_t	     nprocesses;
	bool		     programs; /* each is one of several programs */
	struct film_span    *span;
	struct film_call    *call;
	struct film_request *request; /* in the order of their starts */
	struct film_late    *late;
	struct film_event   *event;
	struct film_stay    *stay;
	size_t		     nspans, ncall, nrequests, nlate, nevents, nstays;
	uint32_t	     rooms[6]; /* of these arrays */
	uint32_t *ahead; /* [blocks]: read ahead and not used: 1 + its stay; greatest: none */

	/* After film_finish(). */
	uint64_t act_us[FILM_ACTS]; /* of all processes, within the picture */
	uint64_t part_us[SERVICE_PARTS];
	uint64_t used[FILM_USES];    /* requests */
	uint64_t blocks[FILM_FATES]; /* block references and evictions */
};

/* The events that film_see() is to be given. */
extern const uint32_t film_mask;

/* Of calls first to last, in serial or process replay. */
int  film_init(struct film *f, const struct trace *t, enum replay replay, uint64_t first,
     uint64_t last, struct error *e);
void film_release(struct film *f);

/* see() of the observer, with the film as its context. */
void film_see(void *film, const struct event *e);

/* After the run: the end of the picture, and sums. */
int film_finish(struct film *f, struct error *e);

/* So many stays, from i on, are of neighbours that come and go at the same time. */
size_t film_stays_alike(const struct film *f, size_t i);

#endif

/*
 * processes.h - processes as they run: each makes its calls one after the
 * other, waits for what it has called for, and is woken.
 *
 * In serial replay one process makes the calls of all, or one for each
 * program; in open replay there are enough of them for the calls that are
 * under way at a time.
 */
#ifndef SIM_PROCESSES_H
#define SIM_PROCESSES_H

#include "sim/core/calls.h"
#include "sim/core/clock.h"
#include "sim/core/storage.h"

struct engine;
struct node;

/* A block that a call has referenced and whose I/O has not completed. */
struct pending {
	block_t block;
	uint8_t how;   /* enum reference */
	bool	write; /* waits for its write, not for its arrival */
};

enum waiting {
	WAITS_NOT,
	WAITS_FOR_BLOCK,
	WAITS_FOR_ROOM,
	WAITS_FOR_TURN, /* woken; its alarm is set */
};

struct process {
	struct node	      *node; /* whose cache it calls */
	const struct sequence *calls;
	size_t		       next;	 /* of these, the current one; open: of the trace */
	uint32_t	       at;	 /* block of the current call to be referenced next */
	usec_t		       recorded; /* when the previous call started in the trace */

	struct pending *pending; /* of the current call, in order */
	uint32_t	npending, awaited;
	enum waiting	waiting;
	bool		expecting; /* blocks, while it does not run */
	usec_t		since;	   /* waiting since */
	struct meter	meter;	   /* as it stood then */
};

struct processes {
	struct process *process; /* [n] */
	uint32_t	n;
	struct calls	calls;
	struct clock	clock;	   /* when each of them goes on */
	struct pending *arena;	   /* their pending blocks */
	uint32_t       *expecting; /* those that do not run and expect blocks */
	uint32_t	nexpecting;
	uint32_t       *room; /* ring: those that wait for room, first come first */
	uint32_t	room_first, nroom;
	struct process *admitted; /* woken because there is room; or NULL */
};

int  processes_init(struct processes *ps, struct node *node, const struct config *cfg,
     const struct trace *t, struct error *e);
void processes_release(struct processes *ps);

/* Which one it is. */
ALWAYS_INLINE uint32_t
process_number(const struct processes *ps, const struct process *p)
{
	return (uint32_t)(p - ps->process);
}

/* Process p starts a call. */
ALWAYS_INLINE void
process_start_call(struct process *p)
{
	p->at = p->npending = p->awaited = 0;
}

/* Its call comes to a block whose I/O has not completed. */
ALWAYS_INLINE void
process_expect(struct process *p, block_t b, uint8_t how, bool write)
{
	p->pending[p->npending++] = (struct pending){ b, how, write };
}

/* Are blocks of its call still to come? */
ALWAYS_INLINE bool
process_expects(const struct process *p)
{
	return p->awaited < p->npending;
}

/* Process p sleeps until it has its blocks, or until there is room for its next one: the queue is
 * to be unplugged. */
void process_sleep(struct engine *g, struct process *p, enum waiting why);

/* Process p, woken, has its turn. */
void process_resume(struct engine *g, struct process *p);

/* May p bring in a block, or are there no frames and requests, or others before it? */
bool process_has_room(const struct engine *g, const struct process *p);

/* Blocks from .. to - 1 of a request in service have become readable. */
void processes_deliver(struct engine *g, const struct in_service *served, uint32_t from,
    uint32_t to);

/*
 * If there is room, it is the turn of the process that has waited for it
 * longest; the process that was admitted before has had its own.  False: there
 * is none, and processes go on sleeping for it.
 */
bool processes_admit(struct engine *g);
bool processes_dismiss(struct engine *g);

/* What processes have waited up to now is not counted. */
void processes_restart_waits(struct engine *g);

#endif

/*
 * processes.h - the processes of a run: each makes its calls one after the
 * other, sleeps until the blocks of a call arrive, and is woken.
 *
 * Idea.  A process is a place in a list of calls, and a reason why it does not go
 * on.  Only the clock wakes it, so that all that happens at one moment happens in
 * one order:
 *
 *	      +-- a block is in flight --> WAITS_FOR_BLOCK --- the last is here --+
 *	runs -+-- no frame or request ---> WAITS_FOR_ROOM ---- its turn ----------+
 *	 ^    +-- the call costs time ---> ON_PROCESSOR -----> alarm ---> runs    |
 *	 |    +-- a step (steps.h) ------> WAITS_FOR_PROCESS-> the other is there |
 *	 +------------------- alarm: now --- WAITS_FOR_TURN <---------------------+
 *
 * A call expects its blocks in their order.  Those that arrive early are noted
 * (`here`), and the process sleeps on until the first that is not here:
 *
 *	pending	 20	21	22	23
 *		 here	here	-	here
 *			awaited ^
 *
 * When 22 arrives, `awaited` passes 23 too, and the process is woken once.
 *
 * Why did it wait?  The device's time is summed by the kind of the oldest request
 * in service: a meter.  A process keeps its sums when it falls asleep, and the
 * differences are the causes.  It needs 4 blocks from 0 on.  The device reads ahead
 * for others until 60 and writes until 100; then it serves the request, which has
 * 4 more blocks read ahead, with the first block from 120 on:
 *
 *	0	     60	       100	  150	   180
 *	|- prefetch -|- write -|- miss ---|- ride -|
 *	 60 queued    40	50 served  30 for blocks read ahead with it
 *
 *	the wanted blocks were there at 120 + (180 - 120) x 4/8 = 150
 *
 * These add up to its wait, 180.
 *
 * In serial replay one process makes the calls of all, or one for each
 * program; in open replay there are enough of them for the calls that are
 * under way at a time.
 */
#ifndef SIM_PROCESSES_H
#define SIM_PROCESSES_H

#include "sim/core/engine/calls.h"
#include "sim/core/engine/clock.h"
#include "sim/core/engine/storage.h"
#include "sim/core/prefetch.h"

struct engine;
struct kin;
struct node;

/* A block that a call has referenced and whose I/O has not completed. */
struct pending {
	block_t	 block;
	uint32_t after; /* of a write: requests started before have not its data */
	uint8_t	 how;	/* enum reference */
	bool	 write; /* waits for its write, not for its arrival */
	bool	 here;	/* it waits no longer */
};

enum waiting {
	WAITS_NOT,
	WAITS_FOR_BLOCK,
	WAITS_FOR_ROOM,
	WAITS_FOR_TURN,	   /* woken; its alarm is set */
	WAITS_FOR_PROCESS, /* steps.h */
	ON_PROCESSOR,	   /* pays for its call (cpu.h); its alarm is set */
};

struct process {
	struct node	      *node; /* that it calls */
	const struct sequence *calls;
	size_t		       next; /* index of the current call; open: in the trace */
	size_t		       stop; /* index of the call before which it takes a step, or ends */
	uint32_t	       at;   /* block of the current call to be referenced next */
	usec_t		       recorded; /* when the previous call started in the trace */
	uint64_t	       owed_ps;	 /* of the processor, for this call and from earlier ones */

	struct pending *pending; /* of the current call, in the order of blocks */
	uint32_t	npending, awaited;
	enum waiting	waiting;
	bool		expecting;   /* it does not run and expects blocks */
	bool		interrupted; /* in the plan of the block at `at` */
	usec_t		since;	     /* start of the wait, or of the payment */
	struct meter	meter;	     /* at the start of the wait */

	struct plan rest;	 /* of that plan: it waits for a request */
	bool	    rest_absent; /* the block was absent */
};

struct processes {
	struct process *process; /* [n] */
	uint32_t	n;
	struct calls	calls;
	struct clock	clock;	   /* the time when each of them continues */
	struct pending *arena;	   /* their pending blocks */
	uint32_t       *expecting; /* those that do not run and expect blocks */
	uint32_t	nexpecting;
	uint32_t       *room; /* ring: those that wait for room, first come first */
	uint32_t	room_first, nroom;
	struct process *admitted; /* woken because there is room; or NULL */
	struct kin     *kin;	  /* [n + 1], see steps.h; NULL: processes take no steps */
	uint32_t	nheld;	  /* those that wait to be started, or for another process */
};

int  processes_init(struct processes *ps, struct node *node, const struct config *cfg,
     const struct trace *t, struct error *e);
void processes_release(struct processes *ps);

/* The number of process p. */
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

/* The call of p references a block whose I/O has not completed. */
ALWAYS_INLINE void
process_expect(struct process *p, block_t b, uint8_t how)
{
	ASSERT(p->npending < 2 * (size_t)p->calls->most_blocks);
	ASSERT(!p->npending || p->pending[p->npending - 1].block <= b);
	p->pending[p->npending++] = (struct pending){ .block = b, .how = how };
}

/* It writes a block: the next request of that block to start carries its data. */
ALWAYS_INLINE void
process_expect_write(struct process *p, block_t b, uint32_t nstarted)
{
	ASSERT(p->npending < 2 * (size_t)p->calls->most_blocks);
	p->pending[p->npending++] =
	    (struct pending){ .block = b, .after = nstarted, .write = true };
}

/* Are blocks of its call still to come? */
ALWAYS_INLINE bool
process_expects(const struct process *p)
{
	ASSERT(p->awaited <= p->npending);
	return p->awaited < p->npending;
}

/*
 * Process p sleeps until it has its blocks, or until there is room for its
 * next one.  The caller unplugs the queue.
 */
void process_sleep(struct engine *g, struct process *p, enum waiting why);

/* Process p has waited for room, or to begin its call, since p->since. */
void process_account_room(struct engine *g, const struct process *p);

/* Process p, which was woken, continues. */
void process_resume(struct engine *g, struct process *p);

/* May p bring in a block?  False: no frame or request is free, or other processes wait before p. */
bool process_has_room(const struct engine *g, const struct process *p);

/* Blocks from .. to - 1 of a request in service have become readable. */
void processes_deliver(struct engine *g, const struct in_service *served, uint32_t from,
    uint32_t to);

/*
 * admit: if there is room, wake the process that has waited for room longest.
 * dismiss: the process that was admitted has continued.  False: processes wait,
 * and there is no room.
 */
bool processes_admit(struct engine *g);
bool processes_dismiss(struct engine *g);

/* Counting starts: waits before now are not counted. */
void processes_restart_waits(struct engine *g);

#endif

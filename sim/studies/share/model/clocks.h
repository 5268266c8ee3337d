/*
 * clocks.h - the modelled time of each processor, by part.
 *
 * A clock each, in nanoseconds.  A reference takes reference_ns, a protocol charges what its work
 * costs, and waits follow from the clocks: a lock is had when it was released, a flag when it was
 * posted, a barrier when the last has arrived.  With --order events the clocks decide whose event is next; with turns
 * they do not, and a costly protocol does not change who is first at a lock.
 */
#ifndef SIM_SHARE_CLOCKS_H
#define SIM_SHARE_CLOCKS_H

#include "sim/studies/share/model/program.h"

enum time_part {
	TIME_COMPUTE, /* references */
	TIME_FAULT,   /* faults and upgrades, without what is below */
	TIME_FETCH,   /* of pages */
	TIME_DIFF,
	TIME_LOCK,    /* locks and flags, waits included */
	TIME_BARRIER, /* barriers and the end, waits included */
	TIME_SERVE,   /* interrupted by requests of others */
	TIME_LOCAL,   /* locks of the protocol among the processors of a node */
	TIME_PARTS
};
extern const char *const time_part_names[TIME_PARTS];

struct clocks {
	uint64_t  reference_ns;
	uint64_t  references[PROCESSORS_MAX]; /* shown to the protocol so far */
	uint64_t  computed[PROCESSORS_MAX];   /* of these in the clock */
	uint64_t  clock_ns[PROCESSORS_MAX];
	uint64_t  start_ns[PROCESSORS_MAX];	       /* when it was created */
	uint64_t  part_ns[PROCESSORS_MAX][TIME_PARTS]; /* together: clock - start */
	uint64_t  asked_ns[PROCESSORS_MAX]; /* when it last came to a lock, flag or barrier */
	uint64_t *ready_ns[SYNC_SETS];	    /* of each lock, barrier and flag */
	unsigned  processors;
};

int  clocks_init(struct clocks *t, const struct program *p, unsigned processors, struct error *e);
void clocks_release(struct clocks *t);

/* Bring the references so far into the clock. */
static inline void
clocks_settle(struct clocks *t, unsigned processor)
{
	uint64_t n = t->references[processor] - t->computed[processor];

	t->computed[processor] += n;
	t->clock_ns[processor] += n * t->reference_ns;
	t->part_ns[processor][TIME_COMPUTE] += n * t->reference_ns;
}

/* With the references that are not yet in it. */
ALWAYS_INLINE uint64_t
clocks_now(const struct clocks *t, unsigned processor)
{
	return t->clock_ns[processor] +
	    (t->references[processor] - t->computed[processor]) * t->reference_ns;
}

static inline void
clocks_charge(struct clocks *t, unsigned processor, enum time_part part, uint64_t ns)
{
	t->clock_ns[processor] += ns;
	t->part_ns[processor][part] += ns;
}

/* The processor comes to something that it may have to wait for. */
void clocks_ask(struct clocks *t, unsigned processor);
/* Something is ready at the earliest when that processor is so far. */
void clocks_ready(struct clocks *t, enum sync_set set, uint32_t number, unsigned processor);
/* The processor waits until it is. */
void clocks_wait(struct clocks *t, enum sync_set set, uint32_t number, unsigned processor);

/* By processor 0: the others begin; it waits for the end of all others. */
void clocks_create(struct clocks *t);
void clocks_join(struct clocks *t);

/* When the last processor ended. */
uint64_t clocks_elapsed(struct clocks *t);

/* All references by one processor, without a fault. */
uint64_t clocks_alone(const struct clocks *t);

#endif

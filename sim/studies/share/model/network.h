/*
 * network.h - messages between processors: who is busy, who waits, and for how long.
 *
 * A processor serves one request at a time, and the link of a node carries one message with bytes at
 * a time in each direction; who waits for a page has the way in to itself.  A request interrupts who computes; who waits for something else loses nothing by
 * it, as long as it is done before the wait ends.
 *
 * Where turns decide the order of events, clocks are not in step, and nothing queues.
 */
#ifndef SIM_SHARE_NETWORK_H
#define SIM_SHARE_NETWORK_H

#include "sim/studies/share/model/protocol.h"

struct network {
	struct clocks		  *clocks;
	const struct action_costs *cost;
	bool			   queues;
	uint8_t			   node[PROCESSORS_MAX];
	uint64_t		   served_ns[PROCESSORS_MAX]; /* the last request is done */
	uint64_t		   idle_ns[PROCESSORS_MAX];   /* the processor waits until then */
	uint64_t		   spun_ns[PROCESSORS_MAX];   /* of a node: its lock is free */
	uint64_t		   out_ns[PROCESSORS_MAX], in_ns[PROCESSORS_MAX]; /* of a node */
};

void network_init(struct network *n, const struct world *w);

/* When a message that leaves then has reached the other processor, which has not read it yet. */
uint64_t network_carry(struct network *n, unsigned from, unsigned to, uint64_t at, uint64_t bytes);
/* The same of a message that the other does not wait for. */
uint64_t network_push(struct network *n, unsigned from, unsigned to, uint64_t at, uint64_t bytes);

/* A request that has arrived then is read and served for so long: when that is done. */
uint64_t network_serve(struct network *n, unsigned processor, uint64_t at, uint64_t ns);

/* The processor waits until then for an answer. */
void network_wait(struct network *n, unsigned processor, enum time_part part, uint64_t until);

/* The processor takes the lock of the protocol in its node for a moment. */
void network_spin(struct network *n, unsigned processor);

#endif

/*
 * player.h - a thread at its script: one move after the other.
 *
 * Thread i sends pages to thread (i + 1) mod n, and one thread to itself.  In each round the next
 * thread receives as many as were sent, and rounds are as many.  A request that failed leaves its
 * slot empty; an empty slot is sent as such, so that receives match.
 */
#ifndef SIM_FRAMES_PLAYER_H
#define SIM_FRAMES_PLAYER_H

#include <stdatomic.h>

#include "sim/studies/frames/model/load.h"

enum { CHANNEL_APART = 128 /* bytes; processors fetch lines of 64 in pairs */ };

/*
 * What one thread has sent and the next has not yet received.  It has room for two rounds, S pages
 * each, so that threads whose round ends with channels of any size never wait for each other in a
 * circle.  For:
 *
 * Assume that each thread has ended or waits.  Let r be the least round that any of them is in.  If a
 * thread in round r waits for room, then 2 S pages more were sent than received, and the receiver
 * is in a round before r, which is not.  So it waits for a page.  All pages sent so far are received,
 * so the thread before it is in round r at most, thus in r, and waits for a page too; and so do all
 * others.  All channels are empty then, in the midst of one round: that round would not end either
 * if channels had any size.
 *
 * It would if, up to any move of a round, each thread has received at most as many pages as it has
 * sent.
 */
struct channel {
	void **page;
	size_t mask; /* room - 1; room is a power of two */
	char   apart[CHANNEL_APART];

	/* Written by the sender. */
	_Atomic size_t sent;
	size_t	       received_seen; /* so many at least */
	char	       apart_too[CHANNEL_APART];

	/* Written by the receiver. */
	_Atomic size_t received;
	size_t	       sent_seen;
	char	       apart_also[CHANNEL_APART];
};

/* false: full. */
static inline bool
channel_send(struct channel *c, void *page)
{
	size_t sent = atomic_load_explicit(&c->sent, memory_order_relaxed);

	if (unlikely(sent - c->received_seen > c->mask)) {
		c->received_seen = atomic_load_explicit(&c->received, memory_order_acquire);
		if (sent - c->received_seen > c->mask)
			return false;
	}
	c->page[sent & c->mask] = page;
	atomic_store_explicit(&c->sent, sent + 1, memory_order_release);
	return true;
}

/* false: empty. */
static inline bool
channel_receive(struct channel *c, void **page)
{
	size_t received = atomic_load_explicit(&c->received, memory_order_relaxed);

	if (unlikely(received == c->sent_seen)) {
		c->sent_seen = atomic_load_explicit(&c->sent, memory_order_acquire);
		if (received == c->sent_seen)
			return false;
	}
	*page = c->page[received & c->mask];
	atomic_store_explicit(&c->received, received + 1, memory_order_release);
	return true;
}

struct player {
	const struct script  *script;
	size_t		      at; /* the next move */
	uint64_t	      round;
	void		    **slot;
	struct frames_thread *thread;
	struct channel	     *in, *out;
};

enum player_state {
	PLAYER_MOVED,
	PLAYER_BLOCKED, /* it waits for the next thread or for the one before; no move was made */
	PLAYER_DONE
};

/* Take, give, send or receive.  false: it has to wait. */
static inline bool
player_step(struct player *p, const struct move *m)
{
	void **slot = &p->slot[m->slot];

	switch ((enum move_kind)m->kind) {
	case MOVE_TAKE:
		*slot = frames_alloc(p->thread, m->order);
		return true;
	case MOVE_GIVE:
		if (likely(*slot != NULL))
			frames_free(p->thread, *slot, m->order);
		*slot = NULL;
		return true;
	case MOVE_SEND:
		if (!channel_send(p->out, *slot))
			return false;
		*slot = NULL;
		return true;
	default: /* MOVE_RECEIVE */
		return channel_receive(p->in, slot);
	}
}

static inline enum player_state
player_move(struct player *p)
{
	if (unlikely(p->round == p->script->rounds))
		return PLAYER_DONE;
	if (unlikely(!player_step(p, &p->script->move[p->at])))
		return PLAYER_BLOCKED;
	if (unlikely(++p->at == p->script->moves)) {
		p->at = 0;
		p->round++;
	}
	return PLAYER_MOVED;
}

/* All threads of a load. */
struct players {
	struct player  *player; /* [n] */
	struct script  *script;
	struct channel *channel; /* from thread i to the next */
	unsigned	n;
	uint64_t	moves;	    /* of all rounds and threads */
	uint64_t	operations; /* of them, takes and gives */
};

/* Write the scripts for that shape, and set the players at their start on f.  -1: nothing is to be closed. */
int  players_open(struct players *p, struct frames *f, const struct instance *load,
     const struct frames_shape *shape, struct error *e);
void players_close(struct players *p);

/* Set the players at their start again, on an f of the same shape; pages that they hold are forgotten. */
void players_restart(struct players *p, struct frames *f);

#endif

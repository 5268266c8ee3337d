/*
 * load.h - the interface of loads: which pages each thread takes and gives back.
 *
 * A load writes a script for each thread: the moves of one round, and the number of rounds.  A
 * script is made before time counts.  A slot holds what one step has taken until another step gives
 * it back.
 *
 * Requests may be more than the pages of an arena: those that are not met are counted.  What threads
 * may send is in player.h.
 */
#ifndef SIM_FRAMES_LOAD_H
#define SIM_FRAMES_LOAD_H

#include "sim/base/plugin.h"
#include "sim/studies/frames/model/frames.h"

enum move_kind {
	MOVE_TAKE,    /* a request of 2^order pages, into the slot */
	MOVE_GIVE,    /* free what the slot holds; nothing if the request has failed */
	MOVE_SEND,    /* what the slot holds, to the next thread */
	MOVE_RECEIVE, /* from the thread before, into the slot */
};

enum { SCRIPT_MOVES_MAX = 1 << 28 }; /* 2 GiB */

struct move {
	uint32_t slot;
	uint8_t	 kind; /* enum move_kind */
	uint8_t	 order;
};

struct script {
	struct move *move; /* of one round */
	size_t	     moves;
	uint64_t     rounds;
	uint32_t     slots; /* empty at first, and after the last round */
};

struct load {
	struct plugin plugin;

	/* The script of a thread.  The moves are freed with script_release(), also after an error. */
	int (*write)(void *self, struct script *s, unsigned thread,
	    const struct frames_shape *shape, struct error *e);
};

/* Add a move to the round.  A usage error if there are too many. */
int  script_add(struct script *s, enum move_kind kind, uint32_t slot, unsigned order,
     struct error *e);
void script_release(struct script *s);

/* A usage error if 2^order pages are more than a block. */
int order_in_block(unsigned order, const struct frames_shape *shape, struct error *e);

#define LOAD_SIZES                                                                                 \
	{                                                                                          \
		sizeof(struct load), sizeof(struct script), sizeof(struct move),                   \
		    sizeof(struct frames_shape)                                                    \
	}

/* Define load_<id>. */
#define LOAD(id, ...)                                                                              \
	const struct load	      load_##id = { __VA_ARGS__ };                                 \
	const struct plugin_interface load_##id##_interface = { PLUGIN_INTERFACE, LOAD_SIZES,      \
		&load_##id.plugin }

#endif

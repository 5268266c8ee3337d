/* script.c - the moves of a thread. */
#include <inttypes.h>
#include <stdlib.h>

#include "sim/studies/frames/model/load.h"

int
script_add(struct script *s, enum move_kind kind, uint32_t slot, unsigned order, struct error *e)
{
	if (s->moves == SCRIPT_MOVES_MAX)
		return error_usage(e, "a round has more than %d moves", SCRIPT_MOVES_MAX);
	if (!(s->moves & (s->moves - 1))) { /* a power of two: full */
		size_t	     room = s->moves ? 2 * s->moves : 1;
		struct move *more = realloc(s->move, room * sizeof(*more));

		if (!more)
			return error_set(e, "out of memory for %zu moves", room);
		s->move = more;
	}
	s->move[s->moves++] = (struct move){ slot, (uint8_t)kind, (uint8_t)order };
	if (slot >= s->slots)
		s->slots = slot + 1;
	return 0;
}

void
script_release(struct script *s)
{
	free(s->move);
	*s = (struct script){ 0 };
}

int
order_in_block(unsigned order, const struct frames_shape *shape, struct error *e)
{
	if (UINT64_C(1) << order <= shape->block_pages)
		return 0;
	return error_usage(e,
	    "order %u: a block has only %" PRIu64
	    " pages; type a lower order, or --block-pages %" PRIu64,
	    order, shape->block_pages, UINT64_C(1) << order);
}

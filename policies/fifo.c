/*
 * fifo.c - first in, first out: the baseline that ignores references.
 *
 *	L. A. Belady, R. A. Nelson, G. S. Shedler.  An anomaly in space-time
 *	characteristics of certain programs running in a paging machine.
 *	Communications of the ACM 12(6), 1969.
 *
 * O(1), except that evict() skips frames in flight.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

static void
fifo_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
}

static frame_t
fifo_evict(void *self, struct cache *c, block_t incoming)
{
	frame_t victim = flist_last_evictable(self, c->frame);

	ASSERT(((const struct flist *)self)->len <= c->nused);
	flist_remove(self, c->frame, victim);
	return victim;
}

static void
fifo_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_enter(self, c, f);
}

static void
fifo_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(self, c->frame, f);
}

POLICY(fifo,
    .plugin = {
	.name = "fifo",
	.summary = "first in, first out (Belady, Nelson, Shedler 1969)",
	.source = "L. A. Belady, R. A. Nelson, G. S. Shedler: An anomaly in space-time characteristics of certain programs running in a paging machine, CACM 12(6), 1969",
	.state_size = sizeof(struct flist),
    },
    .on_hit = HIT_IGNORES,
    .places = 1 << INSERT_TAIL,
    .hit = fifo_hit,
    .evict = fifo_evict,
    .insert = fifo_insert,
    .remove = fifo_remove);

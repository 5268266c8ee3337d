/*
 * lru.c - least recently used.
 *
 * Evicts the block with the oldest last reference.  One list with the most
 * recently used frame at its head; every reference moves its frame there.
 *
 *	R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger.  Evaluation
 *	techniques for storage hierarchies.  IBM Systems Journal 9(2), 1970.
 *
 * Prefetching: a prefetched block enters at the head as if referenced, as
 * in AccuSim (Butt, Gniady and Hu, SIGMETRICS 2005), so useless prefetches
 * evict useful blocks.  O(1), except that evict() skips frames in flight.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

static void
lru_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_to_head(self, c->frame, f);
}

static frame_t
lru_evict(void *self, struct cache *c, block_t incoming)
{
	frame_t victim = flist_last_evictable(self, c->frame);

	flist_remove(self, c->frame, victim);
	return victim;
}

static void
lru_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_push(self, c->frame, f);
}

static void
lru_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(self, c->frame, f);
}

POLICY(lru,
    .plugin = {
	.name = "lru",
	.summary = "least recently used (Mattson et al. 1970)",
	.source = "R. L. Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger: Evaluation techniques for storage hierarchies, IBM Systems Journal 9(2), 1970",
	.state_size = sizeof(struct flist),
    },
    .on_hit = HIT_MOVES,
    .hit = lru_hit,
    .evict = lru_evict,
    .insert = lru_insert,
    .remove = lru_remove);

/* node.c - create and release the parts of a node. */
#include <stdlib.h>

#include "sim/core/engine/node.h"

/* The cache and its policy. */
static int
init_cache(struct node *n, const struct config *cfg, const struct trace *t, struct error *e)
{
	const struct policy *p = config_policy(cfg);
	block_t entries = config_prefetcher(cfg)->access ? slots_entries(t) : slots_most(t);
	bool	looks = p->needs & NEEDS_FUTURE;

	*n = (struct node){ .policy = p, .needs = p->needs };
	if (cache_init(&n->cache, (frame_t)cfg->cache_blocks, entries, e) ||
	    slots_init(&n->cache.slots, t, e) || (looks && future_init(&n->future, t, e)))
		return -1;
	n->cache.ahead = cfg->insert;
	n->policy_self = policy_start(&cfg->policy, &n->cache, t, looks ? &n->future : NULL, e);
	return n->policy_self ? 0 : -1;
}

int
node_init(struct node *n, struct engine *engine, const struct config *cfg, const struct trace *t,
    struct error *e)
{
	if (init_cache(n, cfg, t, e))
		return -1;
	n->prefetcher = config_prefetcher(cfg);
	n->prefetcher_self = prefetcher_start(&cfg->prefetcher, t, e);
	if (!n->prefetcher_self)
		return -1;
	n->engine = engine;
	n->touched = calloc(n->cache.nblocks / 8 + 1, 1);
	if (!n->touched)
		return error_set(e, "out of memory for %u blocks", t->nblocks);
	if (cfg->writes == WRITES_BACK && t->writes &&
	    writeback_init(&n->writeback, n->cache.nframes, e))
		return -1;
	if (cfg->shadow && shadow_init(&n->shadow, cfg, t, e))
		return -1;
	if (!n->prefetcher->access)
		return 0;
	return outcomes_init(&n->outcomes, &n->cache.slots, n->cache.nblocks, e) ||
		prefetch_ages_init(&n->ages, n->cache.nframes, e)
	    ? -1
	    : 0;
}

void
node_forget_outcomes(struct node *n)
{
	if (n->outcomes.nblocks)
		outcomes_forget(&n->outcomes);
	prefetch_ages_forget(&n->ages);
	for (frame_t f = 1; f <= n->cache.nused; f++) {
		uint8_t *flags = &n->cache.frame[f].flags;

		*flags &= (uint8_t)~FRAME_AWAITED;
		if (*flags & FRAME_PREFETCHED)
			*flags |= FRAME_UNCOUNTED;
	}
}

void
node_count_prefetched(struct node *n)
{
	prefetch_ages_count(&n->ages, &n->stats);
	for (frame_t f = 1; f <= n->cache.nused; f++) {
		uint8_t flags = n->cache.frame[f].flags;

		if (!(flags & FRAME_PREFETCHED) || flags & FRAME_UNCOUNTED)
			continue;
		if (flags & FRAME_INFLIGHT)
			n->stats.prefetch_inflight_blocks++;
		else
			n->stats.prefetch_unused_blocks++;
	}
}

void
node_release(struct node *n)
{
	if (n->policy)
		policy_stop(n->policy, n->policy_self);
	if (n->prefetcher)
		prefetcher_stop(n->prefetcher, n->prefetcher_self);
	cache_release(&n->cache);
	future_release(&n->future);
	writeback_release(&n->writeback);
	outcomes_release(&n->outcomes);
	prefetch_ages_release(&n->ages);
	shadow_release(&n->shadow);
	free(n->touched);
	*n = (struct node){ 0 };
}

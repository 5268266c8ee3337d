/* node.c - the parts of a node are made and released. */
#include <stdlib.h>

#include "sim/core/node.h"

int
node_init_cache(struct node *n, const struct config *cfg, const struct trace *t, struct error *e)
{
	const struct policy *p = cfg->policy;

	*n = (struct node){ .policy = p, .needs = p->needs };
	if (cache_init(&n->cache, (frame_t)cfg->cache_blocks, t->nblocks, e))
		return -1;
	n->policy_self = plugin_state(&p->plugin, cfg->policy_params, e);
	if (!n->policy_self || (p->needs & NEEDS_FUTURE && future_init(&n->future, t, e)))
		return -1;
	if (!p->init)
		return 0;
	return p->init(n->policy_self, &n->cache, t, p->needs & NEEDS_FUTURE ? &n->future : NULL,
	    e);
}

/* The inner prefetcher of a controller is there before the controller. */
static int
plug_in_prefetcher(struct node *n, const struct config *c, const struct trace *t, struct error *e)
{
	const struct prefetcher *p = c->prefetcher, *inner = c->inner;

	assert(!p->control == !inner);
	if (inner) {
		n->inner = inner;
		n->inner_self = plugin_state(&inner->plugin, c->inner_params, e);
		if (!n->inner_self || (inner->init && inner->init(n->inner_self, t, e)))
			return -1;
	}
	n->prefetcher = p;
	n->prefetcher_self = plugin_state(&p->plugin, c->prefetcher_params, e);
	if (!n->prefetcher_self)
		return -1;
	if (inner)
		p->control(n->prefetcher_self, inner, n->inner_self);
	return p->init ? p->init(n->prefetcher_self, t, e) : 0;
}

int
node_init(struct node *n, struct engine *engine, const struct config *cfg, const struct trace *t,
    struct error *e)
{
	if (node_init_cache(n, cfg, t, e) || plug_in_prefetcher(n, cfg, t, e))
		return -1;
	n->engine = engine;
	n->touched = calloc(t->nblocks / 8 + 1, 1);
	if (!n->touched)
		return error_set(e, "out of memory for %u blocks", t->nblocks);
	if (cfg->writes == WRITES_BACK && t->writes &&
	    writeback_init(&n->writeback, n->cache.nframes, e))
		return -1;
	return cfg->prefetcher->access ? outcomes_init(&n->outcomes, t->nblocks, e) : 0;
}

void
node_forget_outcomes(struct node *n)
{
	if (n->outcomes.nblocks)
		outcomes_forget(&n->outcomes);
	for (frame_t f = 1; f <= n->cache.nused; f++)
		n->cache.frame[f].flags &= (uint8_t)~FRAME_AWAITED;
}

void
node_count_unused(struct node *n)
{
	for (frame_t f = 1; f <= n->cache.nused; f++) {
		uint8_t flags = n->cache.frame[f].flags;

		if (flags & FRAME_PREFETCHED && flags & FRAME_INFLIGHT)
			n->stats.prefetch_inflight_blocks++;
		else if (flags & FRAME_PREFETCHED)
			n->stats.prefetch_unused_blocks++;
	}
}

void
node_release(struct node *n)
{
	if (n->policy)
		plugin_free(n->policy_self, n->policy->release);
	if (n->prefetcher)
		plugin_free(n->prefetcher_self, n->prefetcher->release);
	if (n->inner)
		plugin_free(n->inner_self, n->inner->release);
	cache_release(&n->cache);
	future_release(&n->future);
	writeback_release(&n->writeback);
	outcomes_release(&n->outcomes);
	free(n->touched);
	*n = (struct node){ 0 };
}

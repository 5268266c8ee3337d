/* shadow.c - a cache and its policy, without clock, device or prefetching. */
#include "sim/core/engine/shadow.h"

int
shadow_init(struct shadow *s, const struct config *cfg, const struct trace *t, struct error *e)
{
	const struct policy *p = config_policy(cfg);
	bool		     looks = p->needs & NEEDS_FUTURE;

	if (cache_init(&s->cache, (frame_t)cfg->cache_blocks, slots_most(t), e) ||
	    slots_init(&s->cache.slots, t, e) || (looks && future_init(&s->future, t, e)))
		return -1;
	s->self = policy_start(&cfg->policy, &s->cache, t, looks ? &s->future : NULL, e);
	if (!s->self)
		return -1;
	s->policy = p;
	return 0;
}

void
shadow_release(struct shadow *s)
{
	if (s->policy)
		policy_stop(s->policy, s->self);
	cache_release(&s->cache);
	future_release(&s->future);
	*s = (struct shadow){ 0 };
}

void
shadow_reference(struct shadow *s, block_t b, const struct use *u)
{
	const struct policy *p = s->policy;
	frame_t		     f = cache_find(&s->cache, b);
	struct frame	     victim;
	bool		     ghost;

	if (p->needs & NEEDS_FUTURE)
		future_pass(&s->future, b);
	s->held = f != NIL;
	if (s->held)
		p->hit(s->self, &s->cache, f, u);
	else
		cache_fill(&s->cache, p, s->self, b, 0, u, &victim, &ghost);
}

void
shadow_drop(struct shadow *s, const struct cache *run, const struct drop_range *r)
{
	for (block_t b = r->first; (b = drop_next(&s->cache, r, b)) < r->last; b++) {
		uint8_t flags = run->frame[cache_find(run, b)].flags;

		if (!(flags & FRAME_DIRTY) &&
		    (flags & (FRAME_INFLIGHT | FRAME_PREFETCHED)) != FRAME_INFLIGHT)
			cache_drop(&s->cache, s->policy, s->self, cache_find(&s->cache, b));
	}
}

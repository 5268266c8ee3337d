/* policy.c - start and stop a policy. */
#include "sim/core/policy.h"

void *
policy_start(const struct choice *c, const struct cache *cache, const struct trace *t,
    const struct future *future, struct error *e)
{
	const struct policy *p = policy_of(c);
	void		    *self = plugin_state(c->plugin, c->params, e);

	ASSERT(!(p->needs & NEEDS_FUTURE) == !future);
	if (!self || !p->init || !p->init(self, cache, t, future, e))
		return self;
	policy_stop(p, self);
	return NULL;
}

void
policy_stop(const struct policy *p, void *self)
{
	plugin_free(self, p->release);
}

/* prefetch.c - start and stop a prefetcher. */
#include "sim/core/prefetch.h"

void *
prefetcher_start(const struct choice *c, const struct trace *t, struct error *e)
{
	const struct prefetcher *p = prefetcher_of(c);
	void			*self = plugin_state(c->plugin, c->params, e);

	ASSERT(!c->plugin->around == !c->inner);
	if (!self || !p->init || !p->init(self, c, t, e))
		return self;
	prefetcher_stop(p, self);
	return NULL;
}

void
prefetcher_stop(const struct prefetcher *p, void *self)
{
	plugin_free(self, p->release);
}

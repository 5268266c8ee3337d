/* watch.c - a protocol that passes on all that it is shown. */
#include "sim/studies/share/model/watch.h"

static void
watch_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	struct watch		    *w = self;
	const struct share_observer *o = w->world->observer;

	o->reference(o->self, w->world, processor, page, word, write);
	w->protocol->reference(w->protocol_self, processor, page, word, write);
}

static int
watch_sync(void *self, const struct sync_event *s, struct error *e)
{
	struct watch *w = self;

	return w->protocol->sync ? w->protocol->sync(w->protocol_self, s, e) : 0;
}

void
watch_put_between(struct watch *w, struct processors *m)
{
	static const struct protocol between = { .reference = watch_reference, .sync = watch_sync };

	*w = (struct watch){ m->world, m->protocol, m->protocol_self };
	m->protocol = &between;
	m->protocol_self = w;
}

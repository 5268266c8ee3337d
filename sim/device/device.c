/* device.c - start and stop a device. */
#include "sim/device/device.h"

void *
device_start(const struct choice *c, struct error *e)
{
	const struct device *d = device_of(c);
	void		    *self = plugin_state(c->plugin, c->params, e);

	ASSERT(!c->plugin->around == !c->inner);
	if (!self || !d->init || !d->init(self, c, e))
		return self;
	device_stop(d, self);
	return NULL;
}

void
device_stop(const struct device *d, void *self)
{
	plugin_free(self, d->release);
}

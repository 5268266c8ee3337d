/* device.c - the beginning and the end of a device's life. */
#include "sim/device/device.h"

void *
device_start(const struct device *d, void *self, const char *sheet, struct error *e)
{
	if (!self || !d->init || !d->init(self, sheet, e))
		return self;
	device_free(d, self);
	return NULL;
}

void
device_free(const struct device *d, void *self)
{
	plugin_free(self, d->release);
}

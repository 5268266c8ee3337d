/* device.c - the beginning and the end of a device's life. */
#include <stdlib.h>

#include "sim/device.h"

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
	if (self && d->release)
		d->release(self);
	free(self);
}

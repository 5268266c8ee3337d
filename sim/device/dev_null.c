/*
 * dev_null.c - a device that takes no time and is large enough for any trace.
 *
 * A run on it shows the work of cache, policy and prefetcher alone.
 */
#include "sim/device/device.h"

static uint64_t
null_capacity(const void *self)
{
	return UINT64_MAX;
}

static void
null_service(void *self, const struct transfer *r, struct service *out)
{
	*out = (struct service){ .from_buffer = false };
}

DEVICE(null, .plugin = { .name = "null", .summary = "takes no time" }, .capacity = null_capacity,
    .service = null_service);

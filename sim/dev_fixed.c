/*
 * dev_fixed.c - a device whose requests take a fixed time, and then as long
 * as their bytes.
 *
 * It knows no distance and remembers nothing, so results can be worked out
 * by hand.  The same request always takes the same time: the transfer is
 * rounded to the nearest microsecond, halves up.
 */
#include "sim/device.h"

struct fixed {
	uint64_t latency_us, bytes_per_second;
};

/* An hour a request, and a byte a second: the sum of 2^31 of them is still a time. */
#define LATENCY_MAX UINT64_C(3600000000)

static const struct param parameters[] = {
	{ "latency", PARAM_USEC, 8000, 0, LATENCY_MAX, offsetof(struct fixed, latency_us),
	    "of each request, before its first byte", NULL },
	{ "rate", PARAM_BYTES, 20 << 20, 1, UINT64_C(1) << 50,
	    offsetof(struct fixed, bytes_per_second), "bytes per second from then on", NULL },
	{ .name = NULL },
};

static uint64_t
fixed_capacity(const void *self)
{
	return UINT64_MAX;
}

static void
fixed_service(void *self, const struct transfer *r, struct service *out)
{
	const struct fixed *d = self;
	uint64_t	    bytes = (uint64_t)r->sectors * SECTOR_BYTES;
	uint64_t	    us = (bytes * 1000000 + d->bytes_per_second / 2) / d->bytes_per_second;

	*out = (struct service){
		.part[SERVICE_OVERHEAD] = (usec_t)d->latency_us,
		.part[SERVICE_TRANSFER] = (usec_t)us,
		.data_begin = (usec_t)d->latency_us,
	};
}

const struct device device_fixed = {
	.plugin = {
		.name = "fixed",
		.summary = "a fixed time, and then as long as the bytes take",
		.state_size = sizeof(struct fixed),
		.params = parameters,
	},
	.capacity = fixed_capacity,
	.service = fixed_service,
};

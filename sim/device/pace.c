/* pace.c - read one block, and 64, at places spread over the device. */
#include <math.h>

#include "sim/device/pace.h"

enum { READS = 1024, LONG_READ = 64 };

/* Devices without an end are read in their first part. */
#define SECTORS_MAX (UINT64_C(1) << 40)

/* The digits of i in that base, mirrored behind the point: 0, 1/2, 1/4, 3/4, 1/8, ... */
static double
mirrored(unsigned i, unsigned base)
{
	double x = 0, digit = 1.0 / base;

	for (; i; i /= base, digit /= base)
		x += digit * (i % base);
	return x;
}

/* Successive places are far from each other as places drawn at random are: J. Halton, 1960. */
static double
place(unsigned i)
{
	return mirrored(i / 2 + 1, i % 2 ? 3 : 2);
}

/* The mean time of reads of so many blocks, within that many sectors, from time *now on. */
static double
read_us(const struct choice *device, void *self, uint32_t blocks, uint32_t block_sectors,
    uint64_t sectors, usec_t *now)
{
	struct transfer r = { .sectors = blocks * block_sectors, .segments = blocks };
	usec_t		start = *now;

	for (unsigned i = 0; i < READS; i++) {
		struct service s;

		r.now = *now;
		r.sector = (uint64_t)(place(i) * (double)(sectors / block_sectors)) * block_sectors;
		device_of(device)->service(self, &r, &s);
		*now += service_us(&s);
	}
	return (double)(*now - start) / READS;
}

static void
measure(struct pace *out, const struct choice *device, uint32_t block_sectors, void *self)
{
	uint64_t capacity = device_of(device)->capacity(self), least = LONG_READ * block_sectors;
	uint64_t sectors = (capacity < SECTORS_MAX ? capacity : SECTORS_MAX) - least;
	usec_t	 now = 0;
	double	 one, many;

	*out = (struct pace){ 0 };
	if (capacity <= least)
		return;
	one = read_us(device, self, 1, block_sectors, sectors, &now);
	many = read_us(device, self, LONG_READ, block_sectors, sectors, &now);
	out->block_us = fmax(0, (many - one) / (LONG_READ - 1));
	out->switch_us = fmax(0, one - out->block_us);
}

int
pace_measure(struct pace *out, const struct choice *device, uint32_t block_sectors, struct error *e)
{
	void *self = device_start(device, e);

	if (!self)
		return -1;
	measure(out, device, block_sectors, self);
	device_stop(device_of(device), self);
	return 0;
}

/* nearby.c - time random reads of each drive to find the neighbours of one. */
#include <inttypes.h>
#include <stdio.h>

#include "sim/host/advise/nearby.h"
#include "sim/registry.h"
#include "sim/trace/chance.h"

enum { READS = 256, READ_SECTORS = 128 };

static const double apart = 1.05;

/* The mean time of a read in the first sectors of a device, in microseconds; 0: it has fewer. */
static double
mean_read(const struct choice *c, uint64_t sectors)
{
	const struct device *d = device_of(c);
	struct transfer	     r = { .sectors = READ_SECTORS, .segments = 1 };
	struct service	     s;
	struct error	     ignored;
	void		    *self = device_start(c, &ignored);
	uint64_t	     key = 1;

	if (!self)
		return 0;
	for (unsigned i = 0; d->capacity(self) >= sectors && i < READS; i++) {
		r.sector = chance_next(&key) % (sectors - READ_SECTORS + 1);
		d->service(self, &r, &s);
		r.now += service_us(&s);
	}
	device_stop(d, self);
	return (double)r.now / READS;
}

/* The drive of that data sheet, if it is of the same kind: its time; else 0. */
static double
mean_read_of(const char *name, const struct choice *given, uint64_t sectors)
{
	struct choice c;
	struct error  ignored;
	double	      us;

	if (registry_choose(PLUGIN_DEVICE, name, &c, &ignored))
		return 0;
	us = c.plugin == given->plugin ? mean_read(&c, sectors) : 0;
	choice_release(&c);
	return us;
}

static void
find_drives(const char *drive[2], const struct choice *given, uint64_t sectors)
{
	double us = given->sheet ? mean_read(given, sectors) : 0, nearest[2] = { 0 };

	drive[0] = drive[1] = NULL;
	for (const struct data_sheet *s = data_sheets; us > 0 && s->name; s++) {
		double there = mean_read_of(s->name, given, sectors);

		if (there >= us * apart && (!drive[0] || there < nearest[0])) {
			drive[0] = s->name;
			nearest[0] = there;
		} else if (there > 0 && there <= us / apart && (!drive[1] || there > nearest[1])) {
			drive[1] = s->name;
			nearest[1] = there;
		}
	}
}

static void
set(struct nearby *to, uint64_t cache_blocks, const char *device)
{
	to->cache_blocks = cache_blocks ? cache_blocks : 1;
	snprintf(to->cache, sizeof(to->cache), "%" PRIu64 "b", to->cache_blocks);
	to->device = device;
}

void
nearby_find(struct nearby list[NEARBY_MAX], unsigned *n, const struct setup *s,
    const struct options *o, const struct trace *t)
{
	uint64_t    blocks = s->config.cache_blocks, sectors;
	const char *drive[2];

	sectors = (uint64_t)t->nblocks * t->block_bytes / SECTOR_BYTES;
	find_drives(drive, &s->config.device, sectors < READ_SECTORS ? READ_SECTORS : sectors);
	set(&list[NEARBY_GIVEN], blocks, o->device);
	set(&list[NEARBY_LESS], blocks - blocks / 4, o->device);
	set(&list[NEARBY_MORE], blocks + blocks / 4, o->device);
	*n = NEARBY_DRIVES;
	for (unsigned i = 0; i < 2; i++)
		if (drive[i])
			set(&list[(*n)++], blocks, drive[i]);
}

const char *
nearby_name(const struct nearby *list, unsigned i)
{
	return i == NEARBY_LESS ? "cache x 0.75"
	    : i == NEARBY_MORE	? "cache x 1.25"
				: list[i].device;
}

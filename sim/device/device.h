/*
 * device.h - the interface of devices: the time of a request.
 *
 * A kind of device (dev_*.c) is code; a device (sheets/NAME.dev) is a data
 * sheet for a kind.  service() gets a request at its start and sets its times;
 * a device serves depth() requests at a time, which may end in any order.  The
 * state (arm, head angle, buffer) has fractions of a microsecond; the results
 * are in whole microseconds.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include "sim/base/plugin.h"

/* The parts of a service, in the order in which a truncated request loses them. */
enum service_part {
	SERVICE_QUEUE,	  /* waiting for the device's own earlier work */
	SERVICE_OVERHEAD, /* command processing */
	SERVICE_SEEK,	  /* arm movement, head switches, write settle */
	SERVICE_ROTATION, /* waiting for the sector */
	SERVICE_TRANSFER, /* media under the head */
	SERVICE_BUS,	  /* over the interface */
	SERVICE_PARTS
};

enum { DEPTH_MAX = 256 };

struct transfer {
	uint64_t sector;   /* of SECTOR_BYTES */
	uint32_t sectors;  /* at least 1; sector + sectors <= capacity */
	uint32_t segments; /* pieces of memory that it fills, or empties: 1 to sectors */
	bool	 write;
	usec_t	 now; /* never falls; fewer than depth() requests are under way then */
};

struct service {
	usec_t part[SERVICE_PARTS]; /* on the critical path: their sum is the service time */
	usec_t data_begin;  /* start of the data, which arrive at a steady rate until the end */
	bool   from_buffer; /* a read served from the device's own buffer */
};

/* The service time, the sum of the parts. */
static inline usec_t
service_us(const struct service *s)
{
	usec_t us = 0;

	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		us += s->part[i];
	return us;
}

/* No part takes less than no time, and the data begin to arrive before the end. */
static inline bool
service_is_sound(const struct service *s)
{
	bool sound = s->data_begin >= 0 && s->data_begin <= service_us(s);

	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		sound = sound && s->part[i] >= 0;
	return sound;
}

enum takes_sheet { SHEET_NONE, SHEET_OPTIONAL, SHEET_NEEDED };

struct device {
	struct plugin	 plugin;
	enum takes_sheet sheet; /* does init() read a data sheet? */

	/*
	 * May be NULL.  chosen->sheet is the text of a data sheet; NULL for a kind
	 * without data sheets.  An array starts chosen->inner once for each of
	 * its members.
	 */
	int (*init)(void *self, const struct choice *chosen, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	uint64_t (*capacity)(const void *self); /* sectors */
	uint32_t (*depth)(const void *self);	/* 1 to DEPTH_MAX; may be NULL: 1 */
	void (*service)(void *self, const struct transfer *r, struct service *out);

	/*
	 * Microseconds a sector: no schedule of reads moves many in less, on
	 * average.  NULL, or 0: not known.
	 */
	double (*sector_us)(const void *self);

	/* The seek and rotation of r, if it were served now.  NULL: the device has none. */
	usec_t (*positioning)(const void *self, const struct transfer *r);

	/* The cylinder of a sector, for the distances of requests.  NULL: the device has none. */
	uint64_t (*cylinder)(const void *self, uint64_t sector);
};

static inline const struct device *
device_of(const struct choice *c)
{
	return (const struct device *)(const void *)c->plugin;
}

/* The state of what was chosen, initialised; NULL on failure. */
void *device_start(const struct choice *c, struct error *e);
void  device_stop(const struct device *d, void *self); /* self may be NULL */

#define DEVICE_SIZES                                                                               \
	{                                                                                          \
		sizeof(struct device), sizeof(struct transfer), sizeof(struct service)             \
	}

/* Define device_<id>, a kind. */
#define DEVICE(id, ...)                                                                            \
	const struct device	      device_##id = { __VA_ARGS__ };                               \
	const struct plugin_interface device_##id##_interface = { PLUGIN_INTERFACE, DEVICE_SIZES,  \
		&device_##id.plugin }

/* A data sheet compiled in from sim/device/sheets/: <name>.dev. */
struct data_sheet {
	const char *name, *text;
};
extern const struct data_sheet *const data_sheets; /* ends with a NULL name */

#endif

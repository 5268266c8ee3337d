/*
 * pace.h - how fast a device is: what a read far from the one before takes
 * without its blocks, on average, and what each block takes.
 *
 * The two numbers are measured on a device of its own, so that they need no
 * part of the interface and hold for arrays and for plug-ins compiled apart:
 * reads of one block and of 64 at the same places, spread evenly over the
 * device, one after the other.  The difference is the rate at which blocks
 * reach the host, the smallest of medium, interface and whatever else there
 * is.  The rest of the short reads is seek, rotation and overhead.
 */
#ifndef SIM_PACE_H
#define SIM_PACE_H

#include "sim/device/device.h"

struct pace {
	double switch_us, block_us;
};

/* Of the device chosen, with blocks of that many sectors. */
int pace_measure(struct pace *out, const struct choice *device, uint32_t block_sectors,
    struct error *e);

#endif

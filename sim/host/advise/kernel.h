/*
 * kernel.h - what a version of Linux can be set to: its readahead is ondemand
 * in that version, its schedulers are those that bufsim models.
 */
#ifndef SIM_ADVISE_KERNEL_H
#define SIM_ADVISE_KERNEL_H

#include "sim/device/device.h"

enum kernel_scheduler { KERNEL_NONE, KERNEL_DEADLINE, KERNEL_SCHEDULERS };

struct kernel {
	const char *version; /* a word of ondemand's parameter */
	bool	    queues;  /* several queues a device: since 5.0 */
};

/* A usage error, with the versions that are modelled, if that one is not. */
int kernel_init(struct kernel *k, const char *version, struct error *e);

/* The scheduler of bufsim, and its name in /sys/block/DEV/queue/scheduler. */
const char *kernel_model(enum kernel_scheduler s);
const char *kernel_word(const struct kernel *k, enum kernel_scheduler s);

/*
 * Without being set.  A drive that takes more commands at once than SATA and
 * SCSI disks do has a queue for each processor, and no scheduler (NVMe).
 */
enum kernel_scheduler kernel_default(const struct kernel *k, uint32_t depth);

#endif

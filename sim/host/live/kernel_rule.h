/*
 * kernel_rule.h - the prefetcher, with its parameters, that models the
 * readahead of the running kernel on the device of a directory.
 */
#ifndef SIM_KERNEL_RULE_H
#define SIM_KERNEL_RULE_H

#include "sim/core/prefetch.h"
#include "sim/host/live/host.h"

enum { KERNEL_RULE_ROOM = 512 };

struct kernel_rule {
	struct host		 host;
	const struct prefetcher *prefetcher;
	char			 params[KERNEL_RULE_ROOM]; /* "" if there are none */
	size_t			 typed; /* bytes of them that do not depend on the device */
};

/*
 * The rule of that name, or with NULL ondemand, in the newest version that is
 * not newer than the kernel, with the settings of the device.  Parameters that
 * the name has are kept.  calls: a trace of sequential reads of one file, by
 * which the parameters are checked.
 */
int kernel_rule_init(struct kernel_rule *r, const char *dir, const char *name,
    const struct trace *calls, struct error *e);

/*
 * Measure what the kernel does not report: the window, if it is neither in /sys
 * nor typed, and whether the file system uses large folios, which move the ends
 * of windows.
 */
int kernel_rule_measure(struct kernel_rule *r, const char *dir, const struct trace *calls,
    struct error *e);

/* The window, and the largest request; false: the prefetcher has no such parameter. */
bool kernel_rule_window(const struct kernel_rule *r, uint32_t *pages, enum host_from *from);
bool kernel_rule_request(const struct kernel_rule *r, uint32_t *pages, enum host_from *from);

/* Reads are page faults on a mapping. */
int kernel_rule_fault(struct kernel_rule *r, struct error *e);

#endif

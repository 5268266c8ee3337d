/*
 * host.h - the machine we run on: its kernel, and how far it reads ahead on
 * the device of a directory.
 */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include "sim/base/types.h"

struct host {
	char	 system[64], release[64]; /* "Linux", "6.18.44" */
	unsigned major, minor;		  /* 6, 18 */
	char	 device[32], type[32];	  /* "254:0", "ext4"; type is "" if not known */
	uint32_t ra_pages, io_pages;	  /* pages of 4 KB: of a window, of a request */
	bool	 assumed;		  /* the kernel does not tell these two */
};

/* Nothing can fail: what cannot be known is what is usual. */
void host_init(struct host *h, const char *dir);

/* The newest of these versions, "2.6.24" or "6.1x", that is not newer than this kernel, or the
 * oldest. */
unsigned host_version(const struct host *h, const char *const *versions, unsigned n);

#endif

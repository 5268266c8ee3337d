/*
 * host.h - this machine: its kernel, and the readahead settings of the device
 * of a directory.
 */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include "sim/base/types.h"

struct host {
	char	 system[64], release[64]; /* "Linux", "6.18.44" */
	unsigned major, minor;		  /* 6, 18 */
	char	 device[32], type[32];	  /* "254:0", "ext4"; type is "" if unknown */
	uint32_t ra_pages, io_pages;	  /* pages of 4 KB: of a window, of a request */
	bool	 assumed; /* the kernel does not report these two: they are the usual values */
};

/* Never fails: an unknown value is replaced by the usual one. */
void host_init(struct host *h, const char *dir);

/*
 * A line of /proc/self/mountinfo, such as
 * "36 35 254:0 / / rw,relatime - ext4 /dev/vda rw".  If it is of that device:
 * true, its type, 32 bytes, and the directory that an overlay writes to, of
 * HOST_PATH_ROOM bytes, "" if there is none.
 */
enum { HOST_PATH_ROOM = 256 };
bool host_mount(const char *line, const char *device, char *type, char *upper);

/* The newest of these versions ("2.6.24", "6.1x") not newer than this kernel, or the oldest. */
unsigned host_version(const struct host *h, const char *const *versions, unsigned n);

#endif

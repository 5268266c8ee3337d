/*
 * host.h - this machine: its kernel, and the readahead settings of the device
 * of a directory.
 */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include "sim/base/types.h"

/* Where a setting is from. */
enum host_from { HOST_SYSFS, HOST_MEASURED, HOST_TYPED, HOST_ASSUMED };
extern const char *const host_from_word[];

enum { HOST_WHY_ROOM = 192 };

struct host {
	char	       system[64], release[64]; /* "Linux", "6.18.44" */
	unsigned       major, minor;		/* 6, 18 */
	char	       device[32], type[32];	/* "254:0", "ext4"; type is "" if unknown */
	uint32_t       ra_pages, io_pages;	/* pages of 4 KB: of a window, of a request */
	enum host_from ra_from, io_from;
	char	       why[HOST_WHY_ROOM]; /* the kernel does not report one of them; else "" */
};

/* Never fails: an unknown value is replaced by the usual one, HOST_ASSUMED. */
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

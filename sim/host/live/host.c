/*
 * host.c - read uname, /sys and /proc.
 *
 * A disk's readahead is its backing device's, /sys/class/bdi/MAJOR:MINOR; a
 * partition has its disk's, one directory up.  An overlay has none: files are
 * made in its upper directory, and read with the readahead of that.
 */
#define _DEFAULT_SOURCE /* major(), minor() */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "sim/host/live/host.h"

enum { PAGE_KB = 4, USUAL_PAGES = 32, PATH_ROOM = 128, LINE_ROOM = 1024, DEVICE_ROOM = 32 };
enum { MOUNT_ROOM = 1 << 14 }; /* paths and options, a page each at most */

const char *const host_from_word[] = { [HOST_SYSFS] = "sysfs",
	[HOST_MEASURED] = "measured",
	[HOST_TYPED] = "typed",
	[HOST_ASSUMED] = "assumed" };

/* The number in a file of /sys. */
static bool
read_number(const char *device, const char *format, uint32_t *n)
{
	char  path[PATH_ROOM];
	FILE *f;
	bool  good;

	snprintf(path, sizeof(path), format, device);
	f = fopen(path, "r");
	if (!f)
		return false;
	good = fscanf(f, "%" SCNu32, n) == 1;
	fclose(f);
	return good;
}

static void
explain(struct host *h, const char *device)
{
	if (h->ra_from == HOST_SYSFS && h->io_from == HOST_SYSFS)
		return;
	if (access("/sys/dev", F_OK))
		snprintf(h->why, sizeof(h->why), "/sys is not mounted");
	else
		snprintf(h->why, sizeof(h->why), "/sys has no %s of device %s",
		    h->ra_from == HOST_SYSFS ? "max_sectors_kb" : "read_ahead_kb",
		    *device ? device : "unknown");
}

static void
find_readahead(struct host *h, const char *device)
{
	uint32_t kb;

	h->ra_pages = h->io_pages = USUAL_PAGES;
	h->ra_from = h->io_from = HOST_ASSUMED;
	if (read_number(device, "/sys/class/bdi/%s/read_ahead_kb", &kb) ||
	    read_number(device, "/sys/dev/block/%s/../queue/read_ahead_kb", &kb)) {
		h->ra_pages = kb / PAGE_KB;
		h->ra_from = HOST_SYSFS;
	}
	if (read_number(device, "/sys/dev/block/%s/queue/max_sectors_kb", &kb) ||
	    read_number(device, "/sys/dev/block/%s/../queue/max_sectors_kb", &kb)) {
		h->io_pages = kb / PAGE_KB;
		h->io_from = HOST_SYSFS;
	}
	explain(h, device);
}

bool
host_mount(const char *line, const char *device, char *type, char *upper)
{
	const char *rest = strstr(line, " - "), *at;
	char	    its[DEVICE_ROOM];

	if (!rest || sscanf(line, "%*s %*s %31s", its) != 1 || strcmp(its, device))
		return false;
	*type = *upper = '\0';
	sscanf(rest, " - %31s", type);
	at = strcmp(type, "overlay") ? NULL : strstr(rest, "upperdir=");
	if (at)
		sscanf(at, "upperdir=%255[^, \n]", upper);
	return true;
}

/* The type, and the upper directory of an overlay, "" if there is none. */
static void
find_mount(struct host *h, char *upper)
{
	FILE *f = fopen("/proc/self/mountinfo", "r");
	char  line[MOUNT_ROOM];

	*upper = '\0';
	while (f && fgets(line, sizeof(line), f))
		host_mount(line, h->device, h->type, upper);
	if (f)
		fclose(f);
}

static void
find_device(const char *dir, char device[DEVICE_ROOM])
{
#ifdef __linux__
	struct stat st;

	if (!stat(dir, &st))
		snprintf(device, DEVICE_ROOM, "%u:%u", major(st.st_dev), minor(st.st_dev));
#else
	(void)dir;
	(void)device;
#endif
}

void
host_init(struct host *h, const char *dir)
{
	struct utsname u;
	char	       upper[HOST_PATH_ROOM], device[DEVICE_ROOM] = "";

	*h = (struct host){ 0 };
	if (!uname(&u)) {
		snprintf(h->system, sizeof(h->system), "%.*s", (int)sizeof(h->system) - 1,
		    u.sysname);
		snprintf(h->release, sizeof(h->release), "%.*s", (int)sizeof(h->release) - 1,
		    u.release);
		sscanf(h->release, "%u.%u", &h->major, &h->minor);
	}
	find_device(dir, h->device);
	find_mount(h, upper);
	find_device(*upper ? upper : dir, device);
	find_readahead(h, device);
}

/* A number that orders versions; in "6.1x" the x stands for any digit. */
static uint64_t
version_order(const char *version)
{
	unsigned part[3] = { 0 };
	char	 digits[LINE_ROOM];

	snprintf(digits, sizeof(digits), "%s", version);
	for (char *c = digits; *c; c++)
		if (*c == 'x')
			*c = '0';
	sscanf(digits, "%u.%u.%u", &part[0], &part[1], &part[2]);
	return (uint64_t)part[0] << 40 | (uint64_t)part[1] << 20 | part[2];
}

unsigned
host_version(const struct host *h, const char *const *versions, unsigned n)
{
	uint64_t ours = version_order(h->release);
	unsigned best = 0;

	for (unsigned i = 1; i < n; i++) {
		uint64_t it = version_order(versions[i]), was = version_order(versions[best]);

		if (it <= ours ? was > ours || it > was : was > ours && it < was)
			best = i;
	}
	return best;
}

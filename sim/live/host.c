/*
 * host.c - read uname, /sys and /proc.
 *
 * A disk's readahead is its backing device's, /sys/class/bdi/MAJOR:MINOR; a
 * partition has its disk's, one directory up.
 */
#define _DEFAULT_SOURCE /* major(), minor() */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/utsname.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif

#include "sim/live/host.h"

enum { PAGE_KB = 4, USUAL_PAGES = 32, PATH_ROOM = 128, LINE_ROOM = 1024 };

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
find_readahead(struct host *h)
{
	uint32_t kb;

	h->ra_pages = h->io_pages = USUAL_PAGES;
	h->assumed = !read_number(h->device, "/sys/class/bdi/%s/read_ahead_kb", &kb) &&
	    !read_number(h->device, "/sys/dev/block/%s/../queue/read_ahead_kb", &kb);
	if (!h->assumed)
		h->ra_pages = kb / PAGE_KB;
	if (read_number(h->device, "/sys/dev/block/%s/queue/max_sectors_kb", &kb) ||
	    read_number(h->device, "/sys/dev/block/%s/../queue/max_sectors_kb", &kb))
		h->io_pages = kb / PAGE_KB;
}

/* Find the type by the device, in lines such as "36 35 254:0 / / rw,relatime - ext4 /dev/vda rw". */
static void
find_type(struct host *h)
{
	char  line[LINE_ROOM], device[sizeof(h->device)];
	FILE *f = fopen("/proc/self/mountinfo", "r");

	while (f && fgets(line, sizeof(line), f)) {
		const char *rest = strstr(line, " - ");

		if (rest && sscanf(line, "%*s %*s %31s", device) == 1 && !strcmp(device, h->device))
			sscanf(rest, " - %31s", h->type);
	}
	if (f)
		fclose(f);
}

void
host_init(struct host *h, const char *dir)
{
	struct utsname u;
	struct stat    st;

	*h = (struct host){ 0 };
	if (!uname(&u)) {
		snprintf(h->system, sizeof(h->system), "%.*s", (int)sizeof(h->system) - 1,
		    u.sysname);
		snprintf(h->release, sizeof(h->release), "%.*s", (int)sizeof(h->release) - 1,
		    u.release);
		sscanf(h->release, "%u.%u", &h->major, &h->minor);
	}
#ifdef __linux__
	if (!stat(dir, &st))
		snprintf(h->device, sizeof(h->device), "%u:%u", major(st.st_dev), minor(st.st_dev));
#else
	(void)st;
#endif
	find_readahead(h);
	find_type(h);
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

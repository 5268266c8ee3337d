/* backing.c - find the file that has read_ahead_kb, by stat(), statfs() and /sys. */
#define _DEFAULT_SOURCE /* major(), minor(), realpath() */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#endif

#include "sim/base/text.h"
#include "sim/device/device.h"
#include "sim/host/advise/backing.h"

enum { SECTORS_OF_KB = 1024 / SECTOR_BYTES, PATH_ROOM = 4096 };

/* File systems without a disk that have a backing device: numbers of statfs(2) and magic.h. */
static const struct {
	uint32_t	  magic;
	enum backing_kind kind;
	const char	 *type; /* NULL: named by the device number */
} systems[] = {
	{ 0x6969, BACKING_NFS, NULL },
	{ 0x65735546, BACKING_FUSE, NULL },
	{ 0xff534d42, BACKING_OTHER, "cifs" },
	{ 0xfe534d42, BACKING_OTHER, "cifs" },
	{ 0x00c36400, BACKING_OTHER, "ceph" },
	{ 0x01021997, BACKING_OTHER, "9p" },
	{ 0x9123683e, BACKING_OTHER, "btrfs" },
};

enum { SYSTEMS = sizeof(systems) / sizeof(*systems), OVERLAY = 0x794c7630 };

/* ---- a disk ---- */

/*
 * The name of a disk: the last folder that /sys/dev/block/8:1 leads to, and of
 * a partition the one above.  "DEV" where /sys does not tell.
 */
static void
name_disk(struct backing *p, const char *sys, unsigned major, unsigned minor)
{
	char  path[PATH_ROOM], to[PATH_ROOM];
	char *name;

	snprintf(p->disk, sizeof(p->disk), "DEV");
	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", sys, major, minor);
	if (!realpath(path, to))
		return;
	snprintf(path, sizeof(path), "%.4000s/partition", to);
	name = strrchr(to, '/');
	if (name && !access(path, F_OK)) {
		*name = '\0';
		name = strrchr(to, '/');
	}
	if (name)
		snprintf(p->disk, sizeof(p->disk), "%.*s", DISK_ROOM - 1, name + 1);
}

static void
set_disk(struct backing *p, const char *sys, unsigned major, unsigned minor)
{
	p->kind = BACKING_DISK;
	name_disk(p, sys, major, minor);
	snprintf(p->file, sizeof(p->file), "/sys/block/%s/queue/read_ahead_kb", p->disk);
}

/* ---- a file system without one ---- */

static void
set_bdi(struct backing *p, unsigned system, unsigned major, unsigned minor)
{
	p->kind = systems[system].kind;
	if (systems[system].type)
		snprintf(p->file, sizeof(p->file), "/sys/class/bdi/%s-N/read_ahead_kb",
		    systems[system].type);
	else
		snprintf(p->file, sizeof(p->file), "/sys/class/bdi/%u:%u%s/read_ahead_kb", major,
		    minor, major ? "-fuseblk" : "");
}

/* The window that it has now, where /sys tells. */
static void
read_now(struct backing *p, const char *sys)
{
	char  path[PATH_ROOM];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", sys, p->file + strlen("/sys"));
	f = fopen(path, "r");
	if (!f)
		return;
	p->tells = fscanf(f, "%" SCNu32, &p->now_kb) == 1;
	fclose(f);
}

int
backing_of(struct backing *p, const char *sys, unsigned major, unsigned minor, uint32_t magic,
    struct error *e)
{
	unsigned i = 0;

	while (i < SYSTEMS && systems[i].magic != magic)
		i++;
	if (magic == OVERLAY)
		return error_usage(e,
		    "an overlay reads with the readahead of the folders below it: type --files "
		    "with the upper or lower one");
	if (i == SYSTEMS && !major)
		return error_usage(e,
		    "its file system (%u:%u) has no disk, and none of the backing devices that "
		    "bufsim knows: look for it in /sys/class/bdi, or leave --files out",
		    major, minor);
	if (i < SYSTEMS)
		set_bdi(p, i, major, minor);
	else
		set_disk(p, sys, major, minor);
	read_now(p, sys);
	return 0;
}

#ifdef __linux__
/* The highest folder above that is on the same device. */
static int
find_mount(struct backing *p, const char *dir, dev_t device, struct error *e)
{
	char	    path[PATH_ROOM];
	struct stat st;

	if (!realpath(dir, path))
		return error_usage(e, "--files: %s: %s", dir, strerror(errno));
	for (;;) {
		char *last = strrchr(path, '/');
		char  was[PATH_ROOM];

		memcpy(was, path, sizeof(was));
		last[last == path] = '\0';
		if (!strcmp(was, path) || stat(path, &st) || st.st_dev != device) {
			snprintf(p->mount, sizeof(p->mount), "%.*s", BACKING_ROOM - 1, was);
			return 0;
		}
	}
}
#endif

int
backing_find(struct backing *p, const char *dir, struct error *e)
{
	*p = (struct backing){ .disk = "DEV", .file = "/sys/block/DEV/queue/read_ahead_kb" };
	if (!dir)
		return 0;
#ifdef __linux__
	struct stat   st;
	struct statfs fs;

	if (stat(dir, &st) || statfs(dir, &fs))
		return error_usage(e, "--files: %s: %s", dir, strerror(errno));
	*p = (struct backing){ 0 };
	if (backing_of(p, "/sys", major(st.st_dev), minor(st.st_dev), (uint32_t)fs.f_type, e))
		return error_prefix(e, "--files: %s", dir);
	return find_mount(p, dir, st.st_dev, e);
#else
	return error_usage(e, "--files: %s: this needs Linux", dir);
#endif
}

/* ---- what to type ---- */

bool
backing_has_queue(const struct backing *p)
{
	return p->kind == BACKING_UNTOLD || p->kind == BACKING_DISK;
}

unsigned
backing_ncommands(const struct backing *p)
{
	return backing_has_queue(p) ? 2 : 1;
}

void
backing_command(const struct backing *p, uint32_t kb, unsigned i, FILE *out)
{
	if (backing_has_queue(p) && !i)
		fprintf(out, "blockdev --setra %" PRIu32 " /dev/%s", kb * SECTORS_OF_KB, p->disk);
	else
		fprintf(out, "echo %" PRIu32 " > %s", kb, p->file);
}

const char *
backing_lasts_where(const struct backing *p)
{
	switch (p->kind) {
	case BACKING_UNTOLD:
	case BACKING_DISK:
		return "in /etc/udev/rules.d/60-readahead.rules";
	case BACKING_NFS:
		return "in section [nfsrahead] of /etc/nfs.conf (NFSv3: nfs)";
	case BACKING_FUSE:
	case BACKING_OTHER:
		break;
	}
	return "after each mount";
}

void
backing_lasting(const struct backing *p, uint32_t kb, FILE *out)
{
	if (backing_has_queue(p)) {
		fprintf(out,
		    "ACTION==\"add|change\", SUBSYSTEM==\"block\", KERNEL==\"%s\", "
		    "ATTR{queue/read_ahead_kb}=\"%" PRIu32 "\"",
		    p->disk, kb);
	} else if (p->kind == BACKING_NFS) {
		fprintf(out, "nfs4=%" PRIu32, kb);
	} else if (p->kind == BACKING_FUSE) {
		fprintf(out, "echo %" PRIu32 " > /sys/class/bdi/$(mountpoint -d ", kb);
		text_shell(p->mount, out);
		fprintf(out, ")%s/read_ahead_kb", strstr(p->file, "-fuseblk") ? "-fuseblk" : "");
	} else {
		backing_command(p, kb, 0, out);
	}
}

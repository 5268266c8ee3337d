/* check_backing.c - where the window is set, by made-up answers of stat(), statfs() and /sys. */
#define _DEFAULT_SOURCE /* mkdtemp() */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/host/advise/backing.h"
#include "tests/unit/support.h"

enum { EXT4 = 0xef53, NFS = 0x6969, FUSE = 0x65735546, TMPFS = 0x01021994 };
#define OVERLAY 0x794c7630u
#define CIFS 0xfe534d42u
#define BTRFS 0x9123683eu

static char	      sys[] = "/tmp/backingXXXXXX";
static struct backing b;
static struct error   e;

static const char *
below(const char *rest)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", sys, rest);
	return path;
}

static void
make(const char *folder)
{
	ck_assert_int_eq(mkdir(below(folder), 0700), 0);
}

static void
put(const char *file, const char *text)
{
	FILE *f = fopen(below(file), "w");

	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
}

/* A disk of one partition, and an NFS mount. */
static void
setup(void)
{
	static const char *const folders[] = { "/block", "/block/sdq", "/block/sdq/queue",
		"/block/sdq/sdq1", "/dev", "/dev/block", "/class", "/class/bdi",
		"/class/bdi/0:52" };

	memcpy(strchr(sys, 'g') + 1, "XXXXXX", 6);
	ck_assert_ptr_nonnull(mkdtemp(sys));
	for (unsigned i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		make(folders[i]);
	put("/block/sdq/queue/read_ahead_kb", "4096\n");
	put("/block/sdq/sdq1/partition", "1\n");
	put("/class/bdi/0:52/read_ahead_kb", "15360\n");
	ck_assert_int_eq(symlink("../../block/sdq", below("/dev/block/65:0")), 0);
	ck_assert_int_eq(symlink("../../block/sdq/sdq1", below("/dev/block/65:1")), 0);
}

static void
teardown(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", sys);
	ck_assert_int_eq(system(command), 0);
}

static void
find(unsigned major, unsigned minor, uint32_t magic)
{
	b = (struct backing){ .mount = "/mnt/it's" };
	ck_assert_msg(!backing_of(&b, sys, major, minor, magic, &e), "%s", e.text);
}

static void
check_typed(const char *expected)
{
	char  text[1024] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (unsigned i = 0; i < backing_ncommands(&b); i++) {
		backing_command(&b, 512, i, out);
		fputs("; ", out);
	}
	backing_lasting(&b, 512, out);
	fclose(out);
	ck_assert_str_eq(text, expected);
}

START_TEST(a_partition_has_the_queue_of_its_disk)
{
	for (unsigned minor = 0; minor < 2; minor++) {
		find(65, minor, EXT4);
		check_typed("blockdev --setra 1024 /dev/sdq; echo 512 > "
			    "/sys/block/sdq/queue/read_ahead_kb; ACTION==\"add|change\", "
			    "SUBSYSTEM==\"block\", KERNEL==\"sdq\", "
			    "ATTR{queue/read_ahead_kb}=\"512\"");
		ck_assert(b.tells && backing_has_queue(&b));
		ck_assert_uint_eq(b.now_kb, 4096);
	}
}
END_TEST

START_TEST(nfs_is_named_by_its_device_number)
{
	find(0, 52, NFS);
	check_typed("echo 512 > /sys/class/bdi/0:52/read_ahead_kb; nfs4=512");
	ck_assert(strstr(backing_lasts_where(&b), "nfs.conf") && !backing_has_queue(&b));
	ck_assert(b.tells);
	ck_assert_uint_eq(b.now_kb, 15360);
}
END_TEST

START_TEST(fuse_is_set_again_after_each_mount)
{
	find(0, 60, FUSE);
	check_typed("echo 512 > /sys/class/bdi/0:60/read_ahead_kb; echo 512 > "
		    "/sys/class/bdi/$(mountpoint -d '/mnt/it'\\''s')/read_ahead_kb");
	find(65, 1, FUSE);
	check_typed("echo 512 > /sys/class/bdi/65:1-fuseblk/read_ahead_kb; echo 512 > "
		    "/sys/class/bdi/$(mountpoint -d '/mnt/it'\\''s')-fuseblk/read_ahead_kb");
	ck_assert(!b.tells);
}
END_TEST

START_TEST(others_are_named_by_type_and_count)
{
	find(0, 61, CIFS);
	check_typed("echo 512 > /sys/class/bdi/cifs-N/read_ahead_kb; echo 512 > "
		    "/sys/class/bdi/cifs-N/read_ahead_kb");
	find(0, 62, BTRFS);
	ck_assert_str_eq(b.file, "/sys/class/bdi/btrfs-N/read_ahead_kb");
}
END_TEST

START_TEST(without_sys_a_disk_is_dev_and_nfs_is_known)
{
	b = (struct backing){ 0 };
	ck_assert_int_eq(backing_of(&b, "/nowhere", 65, 1, EXT4, &e), 0);
	ck_assert_str_eq(b.file, "/sys/block/DEV/queue/read_ahead_kb");
	ck_assert(!b.tells);
	ck_assert_int_eq(backing_of(&b, "/nowhere", 0, 52, NFS, &e), 0);
	ck_assert_str_eq(b.file, "/sys/class/bdi/0:52/read_ahead_kb");
	ck_assert(!b.tells);
}
END_TEST

START_TEST(what_has_no_readahead_of_its_own_is_refused)
{
	ck_assert_int_eq(backing_of(&b, sys, 0, 30, OVERLAY, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "upper or lower"));
	ck_assert_int_eq(backing_of(&b, sys, 0, 30, TMPFS, &e), -1);
	ck_assert_ptr_nonnull(strstr(e.text, "(0:30)"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("backing");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_partition_has_the_queue_of_its_disk);
	tcase_add_test(tc, nfs_is_named_by_its_device_number);
	tcase_add_test(tc, fuse_is_set_again_after_each_mount);
	tcase_add_test(tc, others_are_named_by_type_and_count);
	tcase_add_test(tc, without_sys_a_disk_is_dev_and_nfs_is_known);
	tcase_add_test(tc, what_has_no_readahead_of_its_own_is_refused);
	return run_tests("backing", tc);
}

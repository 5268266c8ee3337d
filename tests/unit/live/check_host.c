/* check_host.c - the mount of a device, as the kernel tells it. */
#include <string.h>

#include "sim/host/live/host.h"
#include "tests/unit/support.h"

static char type[32], upper[HOST_PATH_ROOM];

START_TEST(a_line_of_the_device_has_its_type)
{
	ck_assert(host_mount("36 35 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n", "254:0",
	    type, upper));
	ck_assert_str_eq(type, "ext4");
	ck_assert_str_eq(upper, "");
}
END_TEST

START_TEST(lines_of_others_change_nothing)
{
	strcpy(type, "xfs");
	ck_assert(!host_mount("36 35 254:0 / / rw - ext4 /dev/vda rw\n", "254:1", type, upper));
	ck_assert(!host_mount("36 35 254:1 / / rw\n", "254:1", type, upper));
	ck_assert(!host_mount("", "254:1", type, upper));
	ck_assert_str_eq(type, "xfs");
}
END_TEST

START_TEST(an_overlay_has_an_upper_directory)
{
	ck_assert(host_mount("48 27 0:39 / /m rw - overlay overlay "
			     "rw,lowerdir=/a:/b,upperdir=/up,workdir=/w,uuid=on\n",
	    "0:39", type, upper));
	ck_assert_str_eq(type, "overlay");
	ck_assert_str_eq(upper, "/up");
	ck_assert(host_mount("48 27 0:39 / /m rw - overlay overlay rw,upperdir=/last\n", "0:39",
	    type, upper));
	ck_assert_str_eq(upper, "/last");
	ck_assert(host_mount("48 27 0:39 / /m ro - overlay overlay ro,lowerdir=/a:/b\n", "0:39",
	    type, upper));
	ck_assert_str_eq(upper, "");
}
END_TEST

START_TEST(other_types_have_none)
{
	ck_assert(host_mount("48 27 0:39 / /m rw - fuse x rw,upperdir=/up\n", "0:39", type, upper));
	ck_assert_str_eq(upper, "");
}
END_TEST

START_TEST(long_paths_are_cut)
{
	char line[1024] = "48 27 0:39 / /m rw - overlay overlay rw,upperdir=/";

	memset(line + strlen(line), 'u', 600);
	ck_assert(host_mount(line, "0:39", type, upper));
	ck_assert_uint_eq(strlen(upper), HOST_PATH_ROOM - 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("host");

	tcase_add_test(tests, a_line_of_the_device_has_its_type);
	tcase_add_test(tests, lines_of_others_change_nothing);
	tcase_add_test(tests, an_overlay_has_an_upper_directory);
	tcase_add_test(tests, other_types_have_none);
	tcase_add_test(tests, long_paths_are_cut);
	return run_tests("host", tests);
}

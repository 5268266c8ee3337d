/* check_vscsi.c - traces/vscsi.c: records of both versions, written here number by number. */
#include "tests/unit/traces/records.h"

static int version; /* of the test that runs: 1 or 2 */

static void
put(unsigned command, uint64_t sector, uint32_t length, uint64_t time)
{
	if (version == 1)
		put_le(n, 4);
	if (version == 2)
		put_le(command, 2), put_le(0x200, 2), put_le(n, 4);
	put_le(length, 4);
	put_le(1, 4);
	if (version == 1)
		put_le(command, 2), put_le(0x100, 2);
	put_le(sector, 8);
	put_le(time, 8);
	if (version == 2)
		put_le(500, 8);
}

START_TEST(sectors_have_512_bytes_and_commands_of_every_length_are_known)
{
	static const char *const expected[] = { "R 0 4096 4096 1 fresh", "R 0 0 512 1",
		"R 0 1024 512 1", "R 0 2199023255040 512 1", "W 0 4096 8192 1", "W 0 512 512 1",
		"W 0 1536 1 1", "W 0 2048 512 1" };

	version = _i;
	put(0x28, 8, 4096, 7000000);
	put(0x08, 0, 512, 7000001);
	put(0xa8, 2, 512, 7000005);
	put(0x88, 4294967295, 512, 7000005);
	put(0x2a, 8, 8192, 7000100);
	put(0x0a, 1, 512, 7000200);
	put(0xaa, 3, 1, 7000300);
	put(0x8a, 4, 512, 7001000);
	loads_as("vscsi");
	accesses_are(8, expected);
	ck_assert_int_eq(trace.access[2].time, 5);
	ck_assert_int_eq(trace.access[7].time, 1000);
	ck_assert_uint_eq(trace.lacks, LACKS_FILES | LACKS_PROCESSES);
	ck_assert_ptr_null(trace.note[0]);
}
END_TEST

START_TEST(other_commands_are_skipped_and_counted)
{
	static const char *const expected[] = { "R 0 0 512 1 fresh", "W 0 512 512 1" };

	version = _i;
	put(0x12, 0, 36, 1);
	put(0x28, 0, 512, 2);
	put(0x35, 0, 0, 3);
	put(0x2a, 1, 512, 4);
	put(0x42, 0, 24, 5);
	loads_as("vscsi");
	accesses_are(2, expected);
	ck_assert_str_eq(trace.note[0], "SCSI commands other than reads and writes were skipped");
	ck_assert_uint_eq(trace.noted[0], 3);
}
END_TEST

START_TEST(a_record_of_another_version_or_half_a_record_is_an_error)
{
	char expected[128];

	version = _i;
	for (unsigned i = 0; i < 40; i++)
		put(0x28, i, 512, i);
	snprintf(expected, sizeof(expected), "record 40: the file ends too early: %d of %d bytes",
	    version == 1 ? 31 : 39, version == 1 ? 32 : 40);
	refuses_bytes(bytes, n - 1, expected);
	bytes[30 * (version == 1 ? 32 : 40) + (version == 1 ? 15 : 3)] = 9;
	snprintf(expected, sizeof(expected),
	    "record 31: its version is 9 instead of %d: the trace is damaged", version);
	refuses_bytes(bytes, n, expected);
}
END_TEST

START_TEST(a_sector_beyond_all_devices_is_an_error)
{
	version = _i;
	put(0x28, UINT64_MAX, 512, 1);
	ck_assert_int_eq(load_bytes(bytes, n), -1);
	ck_assert_ptr_nonnull(
	    strstr(error.text, "record 1: offset 18446744073709551615 is beyond"));
}
END_TEST

extern const struct format format_vscsi;

START_TEST(what_it_is_not_is_said)
{
	scratch_text("# a text that is longer than a record of vscsi, and another one\n");
	ck_assert_int_eq(load_path(scratch_path, &format_vscsi, false), -1);
	ck_assert_ptr_nonnull(strstr(error.text,
	    "record 1: not of vscsi: neither byte 15 of each 32 is 1 nor byte 3 of each 40 is 2"));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("vscsi");

	tcase_add_checked_fixture(tc, records_start, scratch_remove);
	tcase_add_loop_test(tc, sectors_have_512_bytes_and_commands_of_every_length_are_known, 1,
	    3);
	tcase_add_loop_test(tc, other_commands_are_skipped_and_counted, 1, 3);
	tcase_add_loop_test(tc, a_record_of_another_version_or_half_a_record_is_an_error, 1, 3);
	tcase_add_loop_test(tc, a_sector_beyond_all_devices_is_an_error, 1, 3);
	tcase_add_test(tc, what_it_is_not_is_said);
	return run_tests("vscsi", tc);
}

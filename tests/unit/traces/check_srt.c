/* check_srt.c - traces/srt.c: headers and records, written here word by word. */
#include "tests/unit/traces/samples.h"

#include "tests/unit/traces/records.h"

extern const struct format format_srt;

static void
header(const char *text)
{
	n += (size_t)sprintf((char *)bytes, "$$TR_IOREC-1.3\n%s\n\f", text);
}

enum { READ = 0x1b, WRITE = 0x10a };

static void
put(unsigned words, uint32_t type, uint32_t us, uint32_t length, uint32_t block, uint32_t device,
    uint32_t drive, uint32_t flags)
{
	const uint32_t record[] = { words * 4, 4u << 16 | type, us / 1000000, us % 1000000, 50,
		9000, length, block, device, drive, 77, flags };

	for (unsigned i = 0; i < words; i++)
		put_be(i < 12 ? record[i] : 99);
}

START_TEST(blocks_are_sectors_of_the_header_and_devices_are_volumes)
{
	static const char *const expected[] = { "R 0 4096 4096 1 fresh", "W 0 4352 512 1",
		"R 1 256 1024 2 fresh", "R 2 0 256 3 fresh" };

	header("disks = { 0 -> { sectorsize  = 256, interleave = 1 }, 1 -> { sectorsize=256 } };");
	put(14, 1, 1000, 4096, 16, 0x08000107, 4, READ);
	put(13, 4, 1500, 512, 17, 0x080001ff, 4, WRITE);
	put(12, 1, 2500000, 1024, 1, 0x08000007, 4, READ);
	put(20, 1, 2500001, 256, 0, 0x08000107, 5, READ);
	loads_as("srt");
	accesses_are(4, expected);
	ck_assert_int_eq(trace.access[1].time, 500);
	ck_assert_int_eq(trace.access[2].time, 2499000);
	ck_assert_ptr_null(trace.note[0]);
	ck_assert_int_eq(load_with(bytes, n, &format_srt, "sector=1024"), 0);
	ck_assert_uint_eq(trace.access[0].offset, 16384);
}
END_TEST

START_TEST(without_a_size_sectors_have_512_bytes_and_a_note_says_so)
{
	header("version = 1.3;");
	put(14, 1, 0, 4096, 16, 0x08000107, 4, READ);
	put(14, 3, 0, 4096, 16, 0x08000107, 4, READ);
	loads_as("srt");
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_uint_eq(trace.access[0].offset, 8192);
	ck_assert_str_eq(trace.note[0],
	    "the header does not say the size of sectors: 512 bytes are assumed");
	ck_assert_str_eq(trace.note[1], "records other than transfers were skipped");
	ck_assert_uint_eq(trace.noted[1], 1);
}
END_TEST

START_TEST(damage_is_named)
{
	header("sectorsize = 256, sectorsize = 512");
	put(14, 1, 0, 4096, 16, 0x08000107, 4, READ);
	refuses_bytes(bytes, n,
	    "record 1: its disks have sectors of 256 and of 512 bytes: choose with --format "
	    "srt:sector=256");
	refuses_bytes(bytes, 30,
	    "record 1: not of SRT: it has no header of text that ends with a form feed");
	n = 0;
	header("sectorsize = 256");
	refuses_bytes(bytes, n, "has no records");
	put(14, 1, 0, 4096, 16, 0x08000107, 4, READ);
	refuses_bytes(bytes, n - 1, "record 1: the file ends too early: 7 of 8 bytes");
	refuses_bytes(bytes, n - 8, "record 1: the file ends in the middle of a record");
	refuses_bytes(bytes, n - 9, "record 1: the file ends too early: 47 of 48 bytes");
	put(11, 1, 0, 4096, 16, 0x08000107, 4, READ);
	put(11, 1, 0, 4096, 16, 0x08000107, 4, READ);
	refuses_bytes(bytes, n, "record 2: a record of 44 bytes: the trace is damaged");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("srt");

	tcase_add_checked_fixture(tc, records_start, scratch_remove);
	tcase_add_test(tc, blocks_are_sectors_of_the_header_and_devices_are_volumes);
	tcase_add_test(tc, without_a_size_sectors_have_512_bytes_and_a_note_says_so);
	tcase_add_test(tc, damage_is_named);
	return run_tests("srt", tc);
}

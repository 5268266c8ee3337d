/*
 * check_objects.c - traces/common/objects.c, oracleGeneral.c and lcs.c: identifiers become units in the
 * order of first use; what is written has the right future.
 */
#include "tests/unit/traces/samples.h"

#include "tests/unit/traces/records.h"

#define MAGIC 0x123456789abcdef0ull
#define HASH 0xdeadbeefcafe0001ull

extern const struct format format_oracleGeneral;

enum { VERSIONS = 8 };

static const unsigned record_bytes[VERSIONS + 1] = { 0, 24, 28, 36, 40, 44, 52, 68, 100 };

static void
oracle(uint32_t time, uint64_t id, uint32_t size, int64_t next)
{
	put_le(time, 4);
	put_le(id, 8);
	put_le(size, 4);
	put_le((uint64_t)next, 8);
}

static void
header(uint64_t version, size_t length)
{
	put_le(MAGIC, 8);
	put_le(version, 8);
	memset(bytes + n, 7, length - 24);
	n += length - 24;
	put_le(MAGIC, 8);
}

static void
lcs(int version, uint32_t time, uint64_t id, unsigned op)
{
	size_t end = n + record_bytes[version];

	put_le(time, 4);
	put_le(id, 8);
	put_le(1000, version < 3 ? 4 : 8);
	if (version > 1)
		put_le(op | 0x777700, 4);
	if (version > 2)
		put_le(60, 4);
	put_le(UINT64_MAX, 8);
	while (n < end)
		put_le(0xabcdef01, 4);
}

START_TEST(identifiers_are_units_in_the_order_of_first_use)
{
	static const char *const expected[] = { "R 0 0 4096 1 fresh", "R 0 4096 4096 1",
		"R 0 0 4096 1", "R 0 8192 4096 1", "R 0 4096 4096 1" };

	oracle(100, HASH, 1, 3);
	oracle(100, 7, 1 << 30, 5);
	oracle(101, HASH, 1, -1);
	oracle(101, UINT64_MAX, 0, INT64_MAX);
	oracle(104, 7, 9, -1);
	loads_as("oracleGeneral");
	accesses_are(5, expected);
	ck_assert_int_eq(trace.access[2].time, 1000000);
	ck_assert_int_eq(trace.access[4].time, 4000000);
	ck_assert_uint_eq(trace.lacks,
	    LACKS_FILES | LACKS_PROCESSES | LACKS_LENGTHS | LACKS_ADDRESSES);
	ck_assert_str_eq(trace.note[0],
	    "each identifier is one block, whatever the size of its object, and times are whole "
	    "seconds");
	ck_assert_int_eq(load_with(bytes, n, &format_oracleGeneral, "unit=8K"), 0);
	ck_assert_uint_eq(trace.access[3].offset, 16384);
	ck_assert_uint_eq(trace.access[3].length, 8192);
}
END_TEST

START_TEST(a_next_reference_that_is_none_makes_it_another_file)
{
	static const int64_t wrong[] = { 0, -2, (int64_t)1 << 50, 1 };

	for (unsigned i = 0; i < 4; i++) {
		n = 0;
		oracle(1, 5, 1, wrong[i]);
		oracle(1, 6, 1, -1);
		ck_assert_int_eq(load_bytes(bytes, n), i == 3 ? 0 : -1);
	}
	n = 0;
	oracle(1, 5, 1, 3); /* neither record 3 nor, from 0, record 4 is about 5 */
	for (unsigned i = 0; i < 4; i++)
		oracle(1, 6 + i, 1, -1);
	ck_assert_int_eq(load_bytes(bytes, n), -1);
}
END_TEST

START_TEST(half_a_record_is_an_error)
{
	for (unsigned i = 0; i < 200; i++)
		oracle(i, i, 1, -1);
	refuses_bytes(bytes, 24 * 100 + 23, "record 101: the file ends too early: 23 of 24 bytes");
}
END_TEST

/* Behind the head, which is 64 KB. */
START_TEST(text_behind_the_records_is_an_error)
{
	for (unsigned i = 0; i < 3000; i++)
		oracle(i, i, 1, -1);
	oracle(1, 1, 1, 0x3736353433323130);
	refuses_bytes(bytes, n,
	    "record 3001: the number of the next reference cannot be right: the trace is damaged, "
	    "or it is another file");
}
END_TEST

START_TEST(each_version_of_lcs_has_its_length_and_either_header)
{
	static const char *const expected[] = { "R 0 0 4096 1 fresh", "W 0 4096 4096 1",
		"R 0 0 4096 1" };

	for (int large = 0; large < 2; large++) {
		n = 0;
		header((uint64_t)_i, large ? 8192 : 1024);
		lcs(_i, 50, HASH, 1);
		lcs(_i, 50, 3, 3);
		lcs(_i, 52, HASH, 12);
		loads_as("lcs");
		ck_assert_uint_eq(trace.naccess, 3);
		access_is(0, expected[0]);
		access_is(1, _i == 1 ? "R 0 4096 4096 1" : expected[1]);
		access_is(2, expected[2]);
		ck_assert_int_eq(trace.access[2].time, 2000000);
	}
}
END_TEST

START_TEST(a_deletion_is_no_reference)
{
	header(2, 1024);
	lcs(2, 50, 3, 9);
	lcs(2, 50, 4, 1);
	lcs(2, 50, 3, 9);
	loads_as("lcs");
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_str_eq(trace.note[1], "deletions of objects were skipped");
	ck_assert_uint_eq(trace.noted[1], 2);
}
END_TEST

START_TEST(a_header_that_is_wrong_says_how)
{
	header(9, 1024);
	refuses_bytes(bytes, n,
	    "record 1: version 9 of LCS is not known: convert it to version 1 or to oracleGeneral "
	    "with traceConv of libCacheSim");
	refuses_bytes(bytes, 1000,
	    "record 1: the file ends in its header, which has 1,024 or 8,192 bytes");
	memset(bytes + 1000, 0, 9000);
	refuses_bytes(bytes, 10000,
	    "record 1: its header of 1,024 or 8,192 bytes does not end with the magic number: the "
	    "trace is damaged");
}
END_TEST

/* Small reads of one file: blocks 1, 2, 3 of the trace. */
START_TEST(each_block_is_written_with_its_next_reference)
{
	static const unsigned next[] = { 3, 4, 5, 0, 6, 0 }, block[] = { 1, 2, 1, 2, 1, 1 };
	static const unsigned seconds[] = { 0, 0, 2, 2, 2, 3 };
	static unsigned char  written[1000];
	FILE		     *f;
	size_t		      size;

	load("# time_us pid fd op inode file_size offset length\n"
	     "0 1 3 R 9 8192 0 8192\n2000000 1 3 R 9 8192 4000 200\n"
	     "2999999 1 3 W 9 8192 0 1\n3000000 1 3 R 9 8192 0 4096\n");
	ck_assert_msg(!write_scratch(&format_oracleGeneral), "%s", error.text);
	f = fopen(scratch_path, "rb");
	size = fread(written, 1, sizeof(written), f);
	fclose(f);
	ck_assert_uint_eq(size, 6 * 24);
	for (unsigned i = 0; i < 6; i++) {
		n = 0;
		oracle(seconds[i], block[i], 4096, next[i] ? (int64_t)next[i] : -1);
		ck_assert_mem_eq(bytes, written + n * i, n);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("objects");

	tcase_add_checked_fixture(tc, records_start, scratch_remove);
	tcase_add_test(tc, identifiers_are_units_in_the_order_of_first_use);
	tcase_add_test(tc, a_next_reference_that_is_none_makes_it_another_file);
	tcase_add_test(tc, half_a_record_is_an_error);
	tcase_add_test(tc, text_behind_the_records_is_an_error);
	tcase_add_loop_test(tc, each_version_of_lcs_has_its_length_and_either_header, 1,
	    VERSIONS + 1);
	tcase_add_test(tc, a_deletion_is_no_reference);
	tcase_add_test(tc, a_header_that_is_wrong_says_how);
	tcase_add_test(tc, each_block_is_written_with_its_next_reference);
	return run_tests("objects", tc);
}

/* check_holes.c - sim/trace/holes.c: volumes that are too large together. */
#include "sim/trace/format.h"
#include "tests/unit/loading.h"

extern const struct format format_alibaba;

#define TIB (UINT64_C(1) << 40)
#define MIB (UINT64_C(1) << 20)

static void
load_rows(const char *rows)
{
	scratch_text(rows);
	ck_assert_msg(!load_path(scratch_path, &format_alibaba, false), "%s", error.text);
	check_promises();
}

/* A row of volume 1 at 5 TiB, one across two pieces, and one of volume 2 at its place. */
static void
load_large(uint64_t second)
{
	char rows[400];

	snprintf(rows, sizeof(rows),
	    "1,R,%llu,4096,1577808000000046\n1,W,%llu,8192,1577808000000047\n"
	    "2,R,%llu,4096,1577808000000048\n1,R,4096,4096,1577808000000049\n",
	    (unsigned long long)(5 * TIB + 12288), (unsigned long long)(64 * MIB - 4096),
	    (unsigned long long)second);
	load_rows(rows);
}

START_TEST(unused_pieces_are_left_out)
{
	load_large(5 * TIB);
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_uint_eq(trace.access[0].offset, 128 * MIB + 12288);
	ck_assert_uint_eq(trace.access[1].offset, 64 * MIB - 4096);
	ck_assert_uint_eq(trace.access[2].offset, 0);
	ck_assert_uint_eq(trace.access[3].offset, 4096);
	ck_assert_uint_eq(trace.file[0].bytes, 128 * MIB + 16384);
	ck_assert_uint_eq(trace.file[1].bytes, 4096);
	ck_assert_uint_eq(trace.access[0].file_size, trace.file[0].bytes);
	ck_assert_ptr_nonnull(strstr(trace.note[0], "64 MiB"));
	ck_assert_int_eq(trace_footprint(&trace, &error), 0);
	ck_assert_uint_eq(trace.footprint, 5);
}
END_TEST

START_TEST(smaller_volumes_keep_their_places)
{
	load_large(2 * TIB);
	ck_assert_uint_eq(trace.access[0].offset, 5 * TIB + 12288);
	ck_assert_uint_eq(trace.access[2].offset, 2 * TIB);
	ck_assert_ptr_null(trace.note[0]);
}
END_TEST

START_TEST(a_place_beyond_any_volume_is_an_error)
{
	scratch_text("1,R,1125899906842624,4096,1577808000000046\n");
	ck_assert_int_eq(load_path(scratch_path, &format_alibaba, false), -1);
	ck_assert_msg(strstr(error.text, "beyond any volume"), "%s", error.text);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("holes");

	tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
	tcase_add_test(tests, unused_pieces_are_left_out);
	tcase_add_test(tests, smaller_volumes_keep_their_places);
	tcase_add_test(tests, a_place_beyond_any_volume_is_an_error);
	return run_tests("holes", tests);
}

/* check_dxt.c - traces/dxt.c: files and ranks of Darshan's extended trace. */
#include "tests/unit/traces/noted.h"

#define FILE_LINE "# DXT, file_id: 1, file_name: /a\n"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = { "W 0 0 262144 0", "R 0 262144 262144 1 fresh",
		"R 0 0 262144 0 fresh", "R 1 4096 4096 1 fresh" };
	static const usec_t	 time[] = { 0, 200, 1900, 4100 };

	loads_sample("tests/data/small.dxt", "dxt");
	accesses_are(4, expected);
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_str_eq(trace.file[0].name, "/scratch/a b");
	ck_assert_uint_eq(trace.lacks, 0);
	noted(
	    "calls of MPI-IO to files that POSIX was seen to use were left out: they are the same");
	noted("calls without an offset were left out");
}
END_TEST

START_TEST(rows_may_have_more_and_fewer_columns)
{
	load(FILE_LINE
	    "X_POSIX 0 read 0 0 4096 0.1 0.2 140245 extra\r\nX_STDIO 0 write 0 0 4096 0.3 0.4\n"
	    "X_POSIX 0 read 0 0 0 0.3 0.4\nX_POSIX 0 seek 0 0\n");
	ck_assert_uint_eq(trace.records, 2);
	noted("1 of 5 lines is no record: line 5, 'X_POSIX 0 seek 0 0'");
}
END_TEST

START_TEST(a_row_needs_a_file)
{
	refuses("X_POSIX 0 read 0 0 4096 0.1 0.2\n" FILE_LINE,
	    "record 1 (line 1): a row before the line '# DXT, file_id: ..., file_name: ...' that names its "
	    "file: keep the comments of darshan-dxt-parser");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("dxt");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, rows_may_have_more_and_fewer_columns);
	tcase_add_test(tc, a_row_needs_a_file);
	return run_tests("dxt", tc);
}

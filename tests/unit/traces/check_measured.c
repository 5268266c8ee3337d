/* check_measured.c - traces/measured.c: measured requests as a trace. */
#include "tests/unit/traces/noted.h"

#define ROW "R Miss  800 2 5000.500 1000.250\n"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = {
		"W 0 1024000000 2048 1",
		"W 0 1024002048 2048 1",
		"R 0 1536000000 6144 1 fresh",
		"R 0 256000000 1024 1",
		"R 0 256001024 1024 1",
	};
	static const usec_t time[] = { 0, 34850, 99450, 119851, 133851 };

	loads_sample("tests/data/small.measured", "measured");
	accesses_are(5, expected);
	for (size_t i = 0; i < 5; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_uint_eq(trace.lacks, LACKS_FILES | LACKS_PROCESSES);
}
END_TEST

START_TEST(the_gap_comes_before_its_request_or_after_it)
{
	static const char text[] = "R Hit 8 1 100 7\nW Hit 8 1 100.5 20\nR Hit 8 1 100 3\n";

	load(text);
	ck_assert_int_eq(trace.access[1].time, 120);
	ck_assert_int_eq(trace.access[2].time, 223); /* 7 + 100 + 20 + 100.5 + 3 = 230.5 */
	loads_as("measured", "gap=after", text, strlen(text));
	ck_assert_int_eq(trace.access[1].time, 107);
	ck_assert_int_eq(trace.access[2].time, 227);
}
END_TEST

START_TEST(faults_are_named)
{
	refuses(ROW ROW ROW ROW ROW "R Miss 800 2 5000.500\n",
	    "record 6 (line 6): 5 fields instead of 6 (R or W, flag, first block, blocks, response, "
	    "gap)");
	refuses(ROW ROW ROW ROW ROW "R Miss\n",
	    "record 6 (line 6): 2 fields instead of 6 (R or W, flag, first block, blocks, "
	    "response, gap)");
	refuses(ROW ROW ROW ROW ROW "R Miss 800 2 -5 3\n",
	    "record 6 (line 6): response: -5 is negative");
	refuses(ROW ROW ROW ROW ROW "X Miss 800 2 5 3\n",
	    "record 6 (line 6): the first field: 'X' is neither R nor W");
	refuses(ROW ROW ROW ROW ROW "R Miss 800 0 5 3\n",
	    "record 6 (line 6): blocks: at least 1 must be moved");
	refuses(ROW ROW ROW ROW ROW "R Miss 18446744073709551615 1 5 3\n",
	    "record 6 (line 6): first block: 18446744073709551615 is beyond any device");
	refuses(ROW ROW ROW ROW ROW "R Miss 8 1 5 99999999999999999\n" ROW,
	    "record 6 (line 6): the times add up to more than 142 years");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("measured");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, the_gap_comes_before_its_request_or_after_it);
	tcase_add_test(tc, faults_are_named);
	return run_tests("measured", tc);
}

/* check_blkreplay.c - traces/blkreplay.c and fiolog.c: requests of blkreplay and of fio's logs. */
#include "tests/unit/traces/noted.h"

START_TEST(the_sample_of_blkreplay_is_read)
{
	static const char *const expected[] = { "W 0 19336628736 32768 1",
		"R 0 19336663040 8192 1 fresh", "R 0 29350080512 4096 1" };

	loads_sample("tests/data/small.blkreplay", "blkreplay");
	accesses_are(3, expected);
	ck_assert_int_eq(trace.access[2].time, 466638);
}
END_TEST

START_TEST(blkreplay_needs_no_heading)
{
	load("0.5 ; 8 ; 8 ; R\n0.6 ; 16 ; 8 ; WS ; 0.1 ; 0.2\n0.7 ; 16 ; 8 ; D ; 0.0 ; 0.0\n");
	ck_assert_str_eq(trace.format, "blkreplay");
	ck_assert_uint_eq(trace.records, 2);
	noted("rows that neither read nor write, such as discards, were left out");
	refuses("plain words, 1 2 3\nstart;sector;length;op\n0.5;8;8;R\nend of it\n",
	    "record 2 (line 4): start: 'end of it' is not a number of seconds");
}
END_TEST

START_TEST(the_sample_of_fio_is_read)
{
	static const char *const expected[] = { "R 0 12288 4096 1 fresh", "W 0 0 4096 1",
		"R 0 4096 8192 1" };

	loads_sample("tests/data/small.fiolog", "fiolog");
	accesses_are(3, expected);
	ck_assert_int_eq(trace.access[2].time, 5000);
	noted("times are whole milliseconds, at which requests had been completed");
}
END_TEST

START_TEST(offsets_of_fio_may_be_followed_by_priorities)
{
	load("0, 5, 0, 4096, 0\n1, 5, 2, 4096, 8192\n1, 5, 1, 4096, 4096\n");
	ck_assert_uint_eq(trace.records, 2);
	noted("trims and syncs were left out");
	load("0, 5, 0, 4096, 0, 0x6004, 77\n1, 5, 1, 4096, 0, 0x6004, 78\n");
	ck_assert_uint_eq(trace.records, 2);
}
END_TEST

START_TEST(times_of_fio_may_be_one_far_away)
{
	load("153832320140000, 5, 0, 4096, 0, 0\n153832320140000, 5, 0, 4096, 4096, 0\n");
	ck_assert_uint_eq(trace.records, 2);
	noted("as milliseconds, it makes all calls at once: if its times are microseconds, type "
	      "--format fiolog:time-unit=us");
}
END_TEST

START_TEST(logs_of_fio_without_requests_are_refused)
{
	refuses("0, 5, 0, 4096\n1, 5, 0, 4096\n",
	    "record 1: requests without offsets: run fio with log_offset=1");
	refuses("0, 5, 0, 4096, 0\n1, 5, 0, 4096, 0\n2, 5, 0, 4096, 1\n",
	    "record 1: requests without offsets: run fio with log_offset=1");
	refuses("500, 5321, 0, 0, 0\n1000, 5321, 0, 0, 0\n",
	    "record 1: averages instead of requests: run fio without log_avg_msec, and with log_offset=1");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("blkreplay");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_of_blkreplay_is_read);
	tcase_add_test(tc, blkreplay_needs_no_heading);
	tcase_add_test(tc, the_sample_of_fio_is_read);
	tcase_add_test(tc, offsets_of_fio_may_be_followed_by_priorities);
	tcase_add_test(tc, times_of_fio_may_be_one_far_away);
	tcase_add_test(tc, logs_of_fio_without_requests_are_refused);
	return run_tests("blkreplay", tc);
}

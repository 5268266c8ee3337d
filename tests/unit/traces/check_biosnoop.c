/* check_biosnoop.c - traces/biosnoop.c: columns counted from the end of a line, in any order. */
#include "tests/unit/traces/noted.h"

#define HEADING "TIME(s)     COMM           PID    DISK    T SECTOR     BYTES   LAT(ms)\n"
#define ROW "0.500000    a              7      sda     R 8          4096      0.50\n"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = { "W 0 6703390720 4096 1",
		"R 0 6703325184 8192 1 fresh", "W 1 6703329280 4096 2" };
	static const usec_t	 time[] = { 0, 308, 969 };

	loads_sample("tests/data/small.biosnoop", "biosnoop");
	accesses_are(3, expected);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_str_eq(trace.file[0].name, "xvda1");
	noted("requests that read and write nothing, such as flushes, were left out");
	noted("times are those of the start of a request: TIME less its latency");
}
END_TEST

START_TEST(a_heading_tells_the_order_and_the_units)
{
	load("TIME(ms) COMM PID DISK T SECTOR BYTES QUE(ms) LAT(ms)\n"
	     "10 a b 7 sda WS 8 512 -1.000 1.000\n"
	     "20 c 8 RA 16 4096 2.000 3.000\n");
	access_is(0, "W 0 4096 512 1");
	access_is(1, "R 1 8192 4096 2 fresh");
	ck_assert_int_eq(trace.access[1].time, 6000);
	ck_assert_str_eq(trace.file[1].name, "(no disk)");
	load("Tracing block I/O. Ctrl-C to end.\n"
	     "STARTs ENDs COMM PID TYPE DEV BLOCK BYTES LATms\n"
	     "5.25 5.30 a b 7 RM 202,1 8 4096 50.00\n"
	     "5.26 5.31 a b 7 FWS 202,1 16 4096 50.00\n"
	     "5.27 5.31 a b 7 FF 202,1 24 0 50.00\n");
	ck_assert_uint_eq(trace.naccess, 2);
	ck_assert_int_eq(trace.access[1].time, 10000);
	ck_assert_str_eq(trace.file[0].name, "202,1");
}
END_TEST

START_TEST(rows_without_a_heading_have_the_usual_columns)
{
	load("0.5 a 7 sda R 8 4096 0.01 0.50\n" ROW);
	ck_assert_uint_eq(trace.naccess, 1);
	load("  " ROW "0.510000 b 8 sdb W 16 512 0.50 \r\n");
	ck_assert_uint_eq(trace.naccess, 2);
}
END_TEST

START_TEST(lost_events_are_added_up)
{
	load(HEADING "Possibly lost 5 samples\n" ROW "lost 7 events on CPU #3\n" ROW HEADING ROW);
	ck_assert_uint_eq(trace.naccess, 3);
	noted_times("events that were lost while the log was recorded are missing", 12);
}
END_TEST

START_TEST(damage_is_named)
{
	refuses("COMM PID TYPE DEV BLOCK BYTES LATms\na 7 R 8,0 8 4096 0.5\n",
	    "record 1 (line 1): requests without times: record with biosnoop, or with iosnoop -ts");
	refuses(ROW "1\n2\n3\n4\n0.5 a 7 sda R x 4096 0.5\n",
	    "only 1 of 6 lines are records of biosnoop: line 2 is '1'");
	refuses(HEADING "0.5 a 7 sda R 18446744073709551615 4096 0.5\n",
	    "record 1 (line 2): sector: 18446744073709551615 is too large");
}
END_TEST

START_TEST(a_name_twice_in_a_heading_is_the_first_and_pid_follows_comm)
{
	load("TIME(s) COMM (s) COMM PID DISK T SECTOR BYTES LAT(ms)\n"
	     "0.5 a b c 7 sda R 8 4096 0.50\n"
	     "short 7 sda R 8 4096\n");
	ck_assert_uint_eq(trace.naccess, 1);
	access_is(0, "R 0 4096 4096 1 fresh");
	refuses("TIME(s) PID COMM DISK T SECTOR BYTES LAT(ms)\n0.5 7 a sda R 8 4096 0.50\n",
	    "is not a trace that bufsim recognises: its first line is "
	    "'TIME(s) PID COMM DISK T SECTOR BYTES LAT(ms)'; if its columns are what they seem, "
	    "type --format 'csv:time=TIME(s),offset=SECTOR,length=BYTES,volume=DISK,pid=PID,"
	    "process=COMM,time-unit=s,offset-unit=512,separator=blank' (bufsim list csv)");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("biosnoop");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, a_heading_tells_the_order_and_the_units);
	tcase_add_test(tc, rows_without_a_heading_have_the_usual_columns);
	tcase_add_test(tc, lost_events_are_added_up);
	tcase_add_test(tc, damage_is_named);
	tcase_add_test(tc, a_name_twice_in_a_heading_is_the_first_and_pid_follows_comm);
	return run_tests("biosnoop", tc);
}

/* check_fio.c - traces/fio.c: both versions of the log, and one written. */
#include "tests/unit/traces/noted.h"

#define V2 "fio version 2 iolog\n"
#define V3 "fio version 3 iolog\n"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = {
		"R 0 245760 16384 1 fresh",
		"R 0 262144 16384 1",
		"W 1 0 4096 1",
		"R 1 4096 512 1 fresh",
	};

	loads_sample("tests/data/small.fio", "fio");
	accesses_are(4, expected);
	ck_assert_int_eq(trace.access[1].time, 238);
	ck_assert_int_eq(trace.access[3].time, 661);
	ck_assert_str_eq(trace.file[0].name, "/data/f");
	ck_assert_str_eq(trace.file[1].name, "/data/g");
	ck_assert_uint_eq(trace.lacks, LACKS_PROCESSES);
	ck_assert_uint_eq(trace.opens, 3);
	ck_assert_uint_eq(trace.closes, 3);
	noted("trims move nothing and are left out");
}
END_TEST

START_TEST(in_version_2_only_waits_take_time)
{
	load(V2 "/f add\n/f open\n/f read 0 4096\n/f wait 1000 0\n/g write 8 8\n/f datasync\n"
		"/f wait 250\n/f read 4096 4096\n/f close\n");
	ck_assert_uint_eq(trace.naccess, 3);
	ck_assert_int_eq(trace.access[1].time, 1000);
	ck_assert_int_eq(trace.access[2].time, 1250);
	access_is(1, "W 1 8 8 1");
	access_is(2, "R 0 4096 4096 1");
	noted("version 2 of fio's log has no times: only its waits are think time");
}
END_TEST

START_TEST(an_open_between_two_reads_makes_the_second_fresh)
{
	load(V3 "1 /f read 0 1\n2 /f open\n3 /f read 1 1\n4 /f close\n5 /f open\n6 /f read 2 1\n");
	access_is(0, "R 0 0 1 1 fresh");
	access_is(1, "R 0 1 1 1 fresh");
	access_is(2, "R 0 2 1 1 fresh");
	load(V3 "1 /f read 0 1\n2 /ff read 1 1\n3 /f read 1 1\r\n");
	access_is(1, "R 1 1 1 1 fresh");
	access_is(2, "R 0 1 1 1");
}
END_TEST

START_TEST(times_may_have_another_unit)
{
	static const char text[] = "fio version 3 iolog\n0 /f read 0 4096\n7 /f read 4096 4096\n";
	static const char often[] =
	    "fio version 3 iolog\n0 /f read 0 4096\n0 /f read 0 1\n1 /f read 0 1\n";
	static const char late[] = "fio version 3 iolog\n9223372036854775807 /f read 0 1\n";
	static const struct {
		const char *params, *unit;
		usec_t	    time;
	} is[] = { { "", "us", 7 }, { "time-unit=ms", "ms", 7000 }, { "time-unit=ns", "ns", 0 },
		{ "time-unit=s", "s", 7000000 } };

	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		loads_as("fio", is[i].params, text, strlen(text));
		ck_assert_str_eq(trace.time_unit, is[i].unit);
		ck_assert_int_eq(trace.access[1].time, is[i].time);
	}
	loads_as("fio", "", often, strlen(often));
	noted("as microseconds, it makes 2,000,000 calls a second: if its times are milliseconds, "
	      "type --format fio:time-unit=ms");
	ck_assert(load_as("fio", "time-unit=s", late, strlen(late)));
	ck_assert_ptr_nonnull(strstr(error.text, "9223372036854775807 seconds are too many"));
}
END_TEST

START_TEST(logs_one_behind_the_other_are_one)
{
	load("\n" V3 "1 /f read 0 1\n\xef\xbb\xbf" V3 "2 /f read 1 1\r\n" V2 "/f read 2 1\n");
	ck_assert_str_eq(trace.format, "fio");
	ck_assert_uint_eq(trace.naccess, 3);
	noted("lines of headings were skipped");
	refuses(V3 "1 /f read 0 1\nfio version 9 iolog\n",
	    "record 2 (line 3): version 9 of fio's log: versions 2 and 3 are known");
}
END_TEST

START_TEST(faults_are_named)
{
	refuses("fio version 1 iolog\n",
	    "record 1 (line 1): version 1 of fio's log: versions 2 and 3 are known");
	refuses(V3 "1 /f read 0 1\n2 /f frobnicate 0 1\n",
	    "record 2 (line 3): action: 'frobnicate' is not one of add, open, close, read, write, "
	    "trim, sync, datasync, sync_file_range, wait");
	refuses(V3 "1 /f rea 0 1\n",
	    "record 1 (line 2): action: 'rea' is not one of add, open, close, read, write, trim, "
	    "sync, datasync, sync_file_range, wait");
	refuses(V3 "/f read 0 1\n", "record 1 (line 2): time: '/f' is not a whole number");
	refuses(V3 "1 /f read -1 1\n", "record 1 (line 2): offset: -1 is negative");
	refuses(V3 "1 /f read 1\n", "record 1 (line 2): length: '' is not a whole number");
	refuses(V3 "1 /f\n", "record 1 (line 2): a file and an action are needed behind the time");
	refuses(V2 "/f wait soon 0\n", "record 1 (line 2): time: 'soon' is not a whole number");
	refuses(V2 "/f wait 18446744073709551615\n/f wait 1\n",
	    "record 1 (line 2): the waits add up to too much");
	refuses(V3, "has no records");
	ck_assert_int_eq(load_as("fio", NULL, "1 /f read 0 1\n", 14), -1);
	ck_assert_ptr_nonnull(
	    strstr(error.text, "the first line of fio's log is 'fio version 3 iolog'"));
}
END_TEST

/* What is loaded, as fio's log. */
static void
written_is(const char *expected)
{
	char	       text[1000];
	struct output *out = output_open(scratch_path, &error);
	FILE	      *f;

	ck_assert_int_eq(format_called("fio")->write(&trace, out, &error), 0);
	ck_assert_int_eq(output_commit(out, NULL, &error), 0);
	f = fopen(scratch_path, "r");
	ck_assert_ptr_nonnull(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	ck_assert_str_eq(text, expected);
}

START_TEST(each_file_is_added_opened_and_closed)
{
	load("0 7 3 O 50 900 0 0\n0 7 3 R 50 900 10 20\n5 8 4 W 51 900 0 9\n"
	     "6 7 3 R 50 900 30 20\n7 8 3 R 50 900 0 20\n");
	written_is(V3 "0 inode-50 add\n0 inode-50 open\n0 inode-50 read 10 20\n"
		      "5 inode-51 add\n5 inode-51 open\n5 inode-51 write 0 9\n"
		      "6 inode-50 read 30 20\n7 inode-50 close\n7 inode-50 open\n"
		      "7 inode-50 read 0 20\n7 inode-50 close\n7 inode-51 close\n");
}
END_TEST

START_TEST(a_path_of_several_words_becomes_one)
{
	load("10 1.000000 read(3</a b%c\td>, \"\"..., 64) = 64\n");
	written_is(V3 "0 /a%20b%25c%09d add\n0 /a%20b%25c%09d open\n0 /a%20b%25c%09d read 0 64\n"
		      "0 /a%20b%25c%09d close\n");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("fio");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, in_version_2_only_waits_take_time);
	tcase_add_test(tc, an_open_between_two_reads_makes_the_second_fresh);
	tcase_add_test(tc, times_may_have_another_unit);
	tcase_add_test(tc, logs_one_behind_the_other_are_one);
	tcase_add_test(tc, faults_are_named);
	tcase_add_test(tc, each_file_is_added_opened_and_closed);
	tcase_add_test(tc, a_path_of_several_words_becomes_one);
	return run_tests("fio", tc);
}

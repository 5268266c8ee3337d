/* check_text.c - traces/text.c: the text form, read strictly. */
#include "tests/unit/loading.h"

#define HEADER "# time_us pid fd op inode file_size offset length\n"
#define GOOD "5 7 3 R 99 8192 0 4096\n"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = {
		"R 0 0 4096 100 fresh",
		"R 0 4096 4096 100",
		"R 0 8192 1808 100",
		"R 0 100 50 101 fresh",
		"W 1 0 5000 100",
		"W 1 5000 5000 100",
		"R 0 5000 100 100 fresh",
	};

	ck_assert_msg(!load_path("tests/data/small.txt", NULL, false), "%s", error.text);
	accesses_are(7, expected);
	ck_assert_str_eq(trace.name, "small");
	ck_assert_str_eq(trace.format, "text");
	ck_assert_int_eq(trace.access[1].time, 15);
	ck_assert_uint_eq(trace.access[5].file_size, 5000);
	ck_assert_uint_eq(trace.file[1].inode, 12);
}
END_TEST

START_TEST(every_kind_of_record_is_counted)
{
	load(HEADER
	    "0 1 3 O 9 100 0 0\n1 1 3 R 9 100 0 10\n2 1 3 R 9 100 10 0\n3 1 3 W 9 100 0 5\n"
	    "4 1 3 M 9 100 0 4096\n5 1 3 A 9 100 0 50\n6 1 3 C 9 100 0 0\n7 1 0 X 0 0 0 0\n");
	ck_assert_uint_eq(trace.records, 8);
	ck_assert_uint_eq(trace.opens, 1);
	ck_assert_uint_eq(trace.reads, 1);
	ck_assert_uint_eq(trace.empty_calls, 1);
	ck_assert_uint_eq(trace.writes, 1);
	ck_assert_uint_eq(trace.mmaps, 1);
	ck_assert_uint_eq(trace.mmap_bytes, 4096);
	ck_assert_uint_eq(trace.advices, 1);
	ck_assert_uint_eq(trace.closes, 1);
	ck_assert_uint_eq(trace.exits, 1);
}
END_TEST

START_TEST(processes_that_depend_on_each_other_have_steps)
{
	static const char *const expected[] = {
		"1 after 1 at 10 starts 2",
		"1 after 1 at 11 starts 3",
		"1 after 1 at 15 waits 3 until 25",
		"1 after 1 at 30 waits any until 31",
		"1 after 2 at 70 receives 2 number 1 until 80",
		"2 after 1 at 20 sends",
		"2 after 1 at 21 exits",
		"3 after 0 at 22 exits",
	};

	load(HEADER "0 1 3 R 9 100 0 10\n10 1 0 F 2 0 0 0\n11 1 0 F 3 0 0 0\n15 1 0 T 3 0 0 10\n"
		    "18 2 3 R 9 100 0 10\n20 2 0 P 0 0 0 0\n21 2 0 X 0 0 0 0\n22 3 0 X 0 0 0 0\n"
		    "30 1 0 T 0 0 0 1\n50 1 3 R 9 100 0 10\n70 1 0 G 2 0 1 10\n90 1 0 X 0 0 0 0\n");
	steps_are(8, expected);
	ck_assert_uint_eq(trace.records, 12);
	ck_assert_uint_eq(trace.starts, 2);
	ck_assert_uint_eq(trace.waits, 2);
	ck_assert_uint_eq(trace.transfers, 2);
	ck_assert_uint_eq(trace.exits, 3);
	ck_assert_uint_eq(trace.nprocesses, 3); /* the last one makes no calls */
	check_promises();
}
END_TEST

/* The trace is the same as one without these lines. */
START_TEST(without_a_start_there_are_no_steps)
{
	uint64_t without;

	load("0 1 3 R 9 100 0 10\n9 2 3 R 9 100 0 10\n");
	without = trace.fingerprint;
	load("0 1 3 R 9 100 0 10\n2 1 0 T 2 0 0 1\n3 1 0 T 0 0 0 1\n4 1 0 P 0 0 0 0\n"
	     "5 2 0 G 1 0 1 1\n9 2 3 R 9 100 0 10\n10 2 0 X 0 0 0 0\n11 5 0 X 0 0 0 0\n");
	ck_assert_uint_eq(trace.nsteps, 0);
	ck_assert_uint_eq(trace.nprocesses, 2);
	ck_assert_uint_eq(trace.fingerprint, without);
}
END_TEST

START_TEST(a_pid_that_is_started_again_is_another_process)
{
	static const char *const expected[] = {
		"1 after 1 at 1 starts 2",
		"1 after 1 at 3 waits 2 until 5",
		"1 after 1 at 6 starts 2",
		"1 after 1 at 7 waits 2 until 9",
		"2 after 1 at 4 exits",
		"2 after 1 at 8 exits",
	};

	load("0 1 3 R 9 100 0 10\n1 1 0 F 2 0 0 0\n2 2 3 R 9 100 0 10\n3 1 0 T 2 0 0 2\n"
	     "4 2 0 X 0 0 0 0\n6 1 0 F 2 0 0 0\n7 1 0 T 2 0 0 2\n7 2 3 R 9 100 0 10\n"
	     "8 2 0 X 0 0 0 0\n");
	ck_assert_uint_eq(trace.nprocesses, 3);
	ck_assert_uint_eq(trace.process[1].pid, 2);
	ck_assert_uint_eq(trace.process[2].pid, 2);
	ck_assert_uint_eq(trace.step[0].other, 1);
	ck_assert_uint_eq(trace.step[2].other, 2);
	steps_are(6, expected);
}
END_TEST

START_TEST(steps_are_sorted_into_place_as_calls_are)
{
	static const char *const expected[] = {
		"1 after 0 at 0 starts 2", /* before the first call: together with it */
		"1 after 1 at 5 waits 2 until 30",
		"2 after 2 at 25 exits",
	};

	load("100 1 3 R 9 100 0 10\n110 2 3 R 9 100 0 10\n90 1 0 F 2 0 0 0\n"
	     "120 2 3 R 9 100 0 10\n105 1 0 T 2 0 0 25\n125 2 0 X 0 0 0 0\n"
	     "140 1 3 R 9 100 0 10\n");
	steps_are(3, expected);
	ck_assert_uint_eq(trace.nprocesses, 2);
}
END_TEST

START_TEST(an_exit_that_calls_follow_is_none)
{
	static const char *const expected[] = { "1 after 1 at 1 starts 2", "2 after 2 at 9 exits" };

	load("0 1 3 R 9 100 0 10\n1 1 0 F 2 0 0 0\n2 2 3 R 9 100 0 10\n4 2 0 X 0 0 0 0\n"
	     "5 2 3 R 9 100 0 10\n8 2 0 X 0 0 0 0\n9 2 0 X 0 0 0 0\n");
	steps_are(2, expected);
}
END_TEST

START_TEST(comments_blank_lines_and_line_ends_of_either_kind_are_no_matter)
{
	load("# a note\r\n" GOOD
	     "\n   \n# another\n6\t7  3 R 99 8192 4096 4096 \t\r\n7 7 3 R 99 8192 0 1");
	ck_assert_uint_eq(trace.naccess, 3);
	ck_assert_uint_eq(trace.access[1].offset, 4096);
}
END_TEST

START_TEST(eight_good_fields_need_no_header)
{
	load(GOOD);
	ck_assert_str_eq(trace.format, "text");
	load("5 7 3 R 99 8192 0 4096");
	ck_assert_uint_eq(trace.naccess, 1);
}
END_TEST

START_TEST(numbers_may_be_as_large_as_their_field)
{
	load("9223372036854775807 4294967295 4294967295 R 18446744073709551615 0 0 2147483647\n");
	ck_assert_uint_eq(trace.file[0].inode, UINT64_MAX);
	ck_assert_uint_eq(trace.process[0].pid, UINT32_MAX);
	ck_assert_uint_eq(trace.access[0].length, INT32_MAX);
}
END_TEST

START_TEST(a_wrong_line_is_named_with_what_is_wrong)
{
	static const char *const wrong[][2] = {
		{ "6 7 3 R 99 8192 0",
		    "7 fields instead of 8 (time_us pid fd op inode file_size "
		    "offset length)" },
		{ "6", "1 field instead of 8 (time_us pid fd op inode file_size offset length)" },
		{ "6 7 3 R 99 8192 0 4096 1",
		    "9 fields instead of 8 (time_us pid fd op inode "
		    "file_size offset length)" },
		{ "6 7 3 R 99 8192 zero 4096", "offset: 'zero' is not a whole number" },
		{ "6 7 3 R 99 8192 0x10 4096", "offset: '0x10' is not a whole number" },
		{ "6.5 7 3 R 99 8192 0 4096", "time_us: '6.5' is not a whole number" },
		{ "6 7 3 R 99 8192 -4096 4096", "offset: -4096 is negative" },
		{ "6 7 3 R 99 8192 0 -1", "length: -1 is negative" },
		{ "6 7 3 R 99 8192 +1 4096", "offset: '+1' is not digits only" },
		{ "6 7 3 R 99 8192 - 4096", "offset: '-' is not a whole number" },
		{ "6 7 3 r 99 8192 0 4096", "op: 'r' is not one of R W O C M X F T P G A D S J N" },
		{ "6 7 3 READ 99 8192 0 4096",
		    "op: 'READ' is not one of R W O C M X F T P G A D S J N" },
		{ "6 7 0 F 0 0 0 0",
		    "inode: F is without the pid of the child: time_us pid 0 F CHILD 0 0 0" },
		{ "6 7 0 F 4294967296 0 0 0",
		    "inode: the pid of the other process is above 4,294,967,295" },
		{ "6 7 0 F",
		    "4 fields instead of 8 (time_us pid fd op inode file_size offset length)" },
		{ "6 7 0 F 7 0 0 0", "process 7 cannot be its own child" },
		{ "6 7 0 T 7 0 0 0", "process 7 cannot be its own child" },
		{ "6 7 0 T 8 0 0 9000000000000000000", "length: a wait of more than 142 years" },
		{ "6 7 0 T -1 0 0 0", "inode: -1 is negative" },
		{ "9223372036854775807 7 0 T 8 0 0 1", "a wait of more than 142 years" },
		{ "6 7 0 G 8 0 0 1",
		    "offset: G is without the number of the P that it waits for, from 1" },
		{ "6 7 0 G 8 0 4294967296 1", "offset: a number of a P above 4,294,967,295" },
		{ "6 4294967296 3 R 99 8192 0 1",
		    "pid: 4294967296 is too large (at most 4294967295)" },
		{ "6 7 3 R 18446744073709551616 1 0 1",
		    "inode: 18446744073709551616 is too large (at most 18446744073709551615)" },
		{ "6 7 3 R 9 1 0 99999999999999999999999999",
		    "length: 99999999999999999999... is too large (at most 18446744073709551615)" },
		{ "6 7 3 R 9 1 0 \x01\x80", "length: '\?\?' is not a whole number" },
		{ "6 7 3 R 9 1 0 2147483648",
		    "one call cannot move 2147483648 bytes (at most 2147483647)" },
		{ "6 7 3 R 9 1 9000000000000000000 1",
		    "offset 9000000000000000000 is beyond the largest file, 8796093018112 bytes "
		    "with blocks of 4096" },
		{ "6 7 3 R 9 1 18446744073709551615 1",
		    "offset 18446744073709551615 is beyond the largest file, 8796093018112 bytes "
		    "with blocks of 4096" },
		{ "6 7 3 R 9 9000000000000000000 0 1",
		    "a file of 9.0 EB is beyond the largest, 8.8 TB with blocks of 4096" },
		{ "6 7\r3 R 9 1 0 1", "a carriage return in the middle of the line" },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char text[256], expected[256];

		snprintf(text, sizeof(text), HEADER GOOD "# note\n%s\n" GOOD, wrong[i][0]);
		snprintf(expected, sizeof(expected), "record 2 (line 4): %s", wrong[i][1]);
		refuses(text, expected);
	}
}
END_TEST

START_TEST(a_zero_byte_is_no_text)
{
	static const char bytes[] = GOOD "6 7 3 R 99 8192 0 4096\0 5\n";

	refuses_bytes(bytes, sizeof(bytes) - 1,
	    "record 2 (line 2): a zero byte in the line: this is not text");
}
END_TEST

START_TEST(a_header_alone_is_no_trace)
{
	refuses(HEADER, "has no records");
	refuses("\n" HEADER "\n\n# end\n", "has no records");
}
END_TEST

START_TEST(files_may_have_names)
{
	load("# file 10 /var/lib/a b\r\n# file 11\n# file x /y\n# file 12 /unused\n"
	     "0 7 3 R 10 8192 0 100\n1 7 4 R 11 8192 0 100\n"
	     "# file 11 /late\n");
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_uint_eq(trace.records, 2);
	ck_assert_str_eq(trace.file[0].name, "/var/lib/a b");
	ck_assert_uint_eq(trace.file[0].inode, 10);
	ck_assert_str_eq(trace.file[1].name, "/late");
	check_promises();
}
END_TEST

START_TEST(damage_is_survived)
{
	static unsigned char text[2048];
	FILE		    *f = fopen("tests/data/small.txt", "r");
	size_t		     n = fread(text, 1, sizeof(text), f);

	fclose(f);
	survives_damage(text, n, 3000);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("text");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, every_kind_of_record_is_counted);
	tcase_add_test(tc, processes_that_depend_on_each_other_have_steps);
	tcase_add_test(tc, without_a_start_there_are_no_steps);
	tcase_add_test(tc, a_pid_that_is_started_again_is_another_process);
	tcase_add_test(tc, steps_are_sorted_into_place_as_calls_are);
	tcase_add_test(tc, an_exit_that_calls_follow_is_none);
	tcase_add_test(tc, comments_blank_lines_and_line_ends_of_either_kind_are_no_matter);
	tcase_add_test(tc, eight_good_fields_need_no_header);
	tcase_add_test(tc, numbers_may_be_as_large_as_their_field);
	tcase_add_test(tc, a_wrong_line_is_named_with_what_is_wrong);
	tcase_add_test(tc, a_zero_byte_is_no_text);
	tcase_add_test(tc, a_header_alone_is_no_trace);
	tcase_add_test(tc, files_may_have_names);
	tcase_add_test(tc, damage_is_survived);
	return run_tests("text", tc);
}

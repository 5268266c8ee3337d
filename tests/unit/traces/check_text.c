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
		{ "6 7 3 r 99 8192 0 4096", "op: 'r' is not one of R W O C M X A D S J N" },
		{ "6 7 3 READ 99 8192 0 4096", "op: 'READ' is not one of R W O C M X A D S J N" },
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
		    "with blocks of 4096: use a larger --block" },
		{ "6 7 3 R 9 1 18446744073709551615 1",
		    "offset 18446744073709551615 is beyond the largest file, 8796093018112 bytes "
		    "with blocks of 4096: use a larger --block" },
		{ "6 7 3 R 9 9000000000000000000 0 1",
		    "a file of 9.0 EB is beyond the largest, 8.8 TB with blocks of 4096: use a "
		    "larger --block" },
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
	refuses(HEADER "\n\n# end\n", "has no records");
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

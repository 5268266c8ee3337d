/* check_addresses.c - traces/addresses.c: addresses of memory in each form. */
#include "tests/unit/traces/noted.h"

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = { "R 0 4323232 1 1 fresh", "R 0 334881472 1 1",
		"W 0 99059968 1 1", "R 0 4323240 1 1" };

	loads_sample("tests/data/small.addresses", "addresses");
	accesses_are(4, expected);
	ck_assert_uint_eq(trace.lacks, LACKS_FILES | LACKS_TIMES);
}
END_TEST

/* Each form: two references, the second of which is a write to 0x2fff. */
START_TEST(the_first_row_tells_the_order)
{
	static const char *const forms[] = {
		"00001abc R\n00002fff W\n",
		"0x1abc\tread\n0x2fff\twrite\n",
		"1abc,r\r\n2fff,w\r\n",
		"R 1abc\nW 2fff\n#eof\n",
		"l 0x1abc 1\ns 0x2fff 7\n",
		"1 1abc R\n1 2fff W\n",
		"P1 R 0x1abc\nP1 W 0x2fff\n",
		"1abc R 12\n2fff W 13\n",
		"0x401136: R 0x1abc\n0x401139: W 0x2fff\n#eof\n",
		"2 1abc\n1 2fff\n4 0\n",
		"==12== Command: ls\nI  1abc,1\n S 2fff,1\n==12== \n==12== Counted 1 call to main()\n",
		"Address Type\n1abc R\n2fff W\n",
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		load(forms[i]);
		ck_assert_str_eq(trace.format, "addresses");
		ck_assert_msg(trace.naccess == 2, "%s", forms[i]);
		access_is(0, "R 0 6844 1 1 fresh");
		access_is(1, "W 0 12287 1 1");
	}
	load("0x1abc\n2fff\n");
	access_is(1, "R 0 12287 1 1");
}
END_TEST

START_TEST(a_modification_is_a_read_and_a_write)
{
	load("I  1abc,3\n M 2ffe,4\n");
	access_is(1, "R 0 12286 4 1");
	access_is(2, "W 0 12286 4 1");
	ck_assert_uint_eq(trace.naccess, 3);
}
END_TEST

START_TEST(each_process_has_its_own_memory)
{
	load("1 1abc R\n22 1abc W\n");
	access_is(1, "W 1 6844 1 2");
	ck_assert_uint_eq(trace.nfiles, 2);
}
END_TEST

START_TEST(addresses_of_the_kernel_are_addresses)
{
	load("ffffffff81000123 R\n1000 R\n"); /* pieces of 64 MiB without a call are left out */
	access_is(0, "R 0 83886371 1 1 fresh");
	refuses("1abc R\n0001000000000000 R\n",
	    "record 2 (line 2): address: 0x1000000000000 is none of 48 bits");
}
END_TEST

START_TEST(numbers_that_may_be_decimal_are_no_addresses)
{
	refuses("1234 R\n5678 W\n",
	    "is not a trace that bufsim reads (bufsim list formats): its first line is '1234 R'; --format "
	    "overrides the recognition");
	refuses(" ,\n,\n",
	    "is not a trace that bufsim reads (bufsim list formats): its first line is ' ,'; --format "
	    "overrides the recognition");
	loads_as("addresses", NULL, "1234 R\n5678 W\n", 14);
	access_is(1, "W 0 22136 1 1");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("addresses");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, the_first_row_tells_the_order);
	tcase_add_test(tc, a_modification_is_a_read_and_a_write);
	tcase_add_test(tc, each_process_has_its_own_memory);
	tcase_add_test(tc, addresses_of_the_kernel_are_addresses);
	tcase_add_test(tc, numbers_that_may_be_decimal_are_no_addresses);
	return run_tests("addresses", tc);
}

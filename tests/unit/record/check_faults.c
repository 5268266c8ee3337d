/* check_faults.c - lines of perf trace -F all: which are page faults on files, and when. */
#include <string.h>

#include "sim/host/record/faults.h"
#include "tests/unit/support.h"

static struct faults faults;
static struct error  error;

static void
setup(void)
{
	faults = (struct faults){ 0 };
}

static void
teardown(void)
{
	faults_release(&faults);
}

static void
add(const char *text)
{
	for (; *text; text++) /* byte by byte */
		ck_assert_int_eq(faults_add(&faults, text, 1, &error), 0);
}

START_TEST(a_fault_on_a_file_is_kept)
{
	add("     0.250 ( 0.000 ms): cat/7832 minfault [_start+0x0] => /usr/lib/ld.so@0x1ab70 (d.)\n"
	    "     2.500 ( 0.000 ms): a b/c/7833 majfault [f+0x1] => /x y@z@0x1000 (x.)\n");
	ck_assert_uint_eq(faults.n, 2);
	ck_assert_uint_eq(faults.fault[0].pid, 7832);
	ck_assert_uint_eq(faults.fault[0].offset, 0x1a000);
	ck_assert_str_eq(faults.paths.name[faults.fault[0].path], "/usr/lib/ld.so");
	ck_assert_uint_eq(faults.fault[1].pid, 7833);
	ck_assert_uint_eq(faults.fault[1].offset, 0x1000);
	ck_assert_str_eq(faults.paths.name[faults.fault[1].path], "/x y@z");
}
END_TEST

START_TEST(memory_without_a_file_and_other_lines_are_not)
{
	add("     0.000 ( 0.000 ms): cat/1 minfault [elf_load+0x28a] => 0x563c29e44280 (?k)\n"
	    "     0.100 ( 0.000 ms): cat/1 minfault [f+0x1] => [heap]@0x10 (d.)\n"
	    "     0.200 ( 0.000 ms): cat/1 minfault [f+0x1] => //anon@0x10 (d.)\n"
	    "     0.300 ( 0.000 ms): cat/x minfault [f+0x1] => /a@0x10 (d.)\n"
	    "     0.400 ( 0.000 ms): cat/1 minfault [f+0x1] => /a@0xzz (d.)\n"
	    "     0.500 ( 0.000 ms): strace/1 minfault [f+0x1] => /a@0x10 (d.)\n"
	    "LOST 3 events!\n\n minfault [ => \nms): /minfault [] => /a@0x1\n");
	ck_assert_uint_eq(faults.n, 0);
}
END_TEST

START_TEST(a_line_that_is_too_long_does_no_harm)
{
	char line[FAULT_LINE + 100];

	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\0';
	add(line);
	add("\n     0.250 ( 0.000 ms): cat/1 minfault [f] => /a@0x0 (d.)\n");
	ck_assert_uint_eq(faults.n, 1);
}
END_TEST

START_TEST(times_begin_with_the_program_and_earlier_faults_are_dropped)
{
	add("     5.000 ( 0.000 ms): cat/1 minfault [f] => 0x1 (?k)\n"
	    "     4.000 ( 0.000 ms): cat/1 minfault [f] => /early@0x0 (d.)\n"
	    "    -1.000 ( 0.000 ms): cat/1 minfault [f] => /early@0x0 (d.)\n"
	    "     5.125 ( 0.000 ms): cat/1 minfault [f] => /a@0x0 (d.)\n"
	    "  1005.500 ( 0.000 ms): cat/1 minfault [f] => /b@0x0 (d.)\n");
	faults_place(&faults, 7000000);
	ck_assert_uint_eq(faults.n, 2);
	ck_assert_int_eq(faults.fault[0].time, 7000125);
	ck_assert_int_eq(faults.fault[1].time, 8000500);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("faults");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_fault_on_a_file_is_kept);
	tcase_add_test(tc, memory_without_a_file_and_other_lines_are_not);
	tcase_add_test(tc, a_line_that_is_too_long_does_no_harm);
	tcase_add_test(tc, times_begin_with_the_program_and_earlier_faults_are_dropped);
	return run_tests("faults", tc);
}

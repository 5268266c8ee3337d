/* check_stamp.c - traces/calls/stamp.c: what is in front of calls in a log of strace, and what times mean. */
#include "tests/unit/traces/noted.h"

static char note[NOTE_ROOM];

/* The times of the accesses are these, and the processes those of the first access and the last. */
static void
times_are(const char *log, size_t n, const usec_t times[], uint32_t first, uint32_t last)
{
	load(log);
	ck_assert_str_eq(trace.format, "strace");
	check_promises();
	ck_assert_uint_eq(trace.naccess, n);
	ck_assert_uint_eq(trace.out_of_order, 0);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(trace.access[i].time, times[i]);
	ck_assert_uint_eq(trace.process[trace.open[trace.access[0].open].process].pid, first);
	ck_assert_uint_eq(trace.process[trace.open[trace.access[n - 1].open].process].pid, last);
}

static void
first_note_begins(const char *text)
{
	ck_assert_ptr_nonnull(trace.note[0]);
	trace_note(&trace, 0, note);
	ck_assert_msg(!strncmp(note, text, strlen(text)), "%s", note);
}

#define READ "pread64(3</a>, \"\"..., 10, 0) = 10"

START_TEST(seconds_since_1970_may_be_whole_or_have_nine_digits)
{
	times_are("1700000000.5 " READ "\n1700000000.500001999 " READ "\n", 2,
	    (const usec_t[]){ 0, 1 }, 0, 0);
	ck_assert_ptr_null(trace.note[0]);
	times_are("7 1700000000 " READ "\n8     1700000002 " READ "\n", 2,
	    (const usec_t[]){ 0, 2000000 }, 7, 8);
	first_note_begins("its times are whole seconds:");
	times_are("1700000000 " READ "\n1700000002 " READ "\n", 2, (const usec_t[]){ 0, 2000000 },
	    0, 0);
}
END_TEST

START_TEST(times_of_day_pass_midnight)
{
	times_are("7 23:59:59.999999 " READ "\n8 00:00:00.000001 " READ "\n7 12:00:00.000000 " READ
		  "\n7 23:59:59.5 " READ "\n9 00:00:01.5 " READ "\n",
	    5, (const usec_t[]){ 0, 2, 43200000001, 86399500001, 86401500001 }, 7, 9);
	first_note_begins("its times are those of the day (strace -tt)");
	noted("its times of day pass midnight: a day is added from there on");
	times_are("[pid     7] 23:59:59 " READ "\n[pid     8] 00:00:01 " READ "\n", 2,
	    (const usec_t[]){ 0, 2000000 }, 7, 8);
	first_note_begins("its times are whole seconds of the day (strace -t)");
}
END_TEST

START_TEST(differences_are_summed_up_in_the_order_of_lines)
{
	times_are("7      0.000000 getpid() = 7\n7      0.000100 " READ
		  "\n8      0.500000 getpid() = 8\n"
		  "7      0.000010 " READ "\n8      0.000010 " READ "\n",
	    3, (const usec_t[]){ 0, 500010, 500020 }, 7, 8);
	first_note_begins("its times are differences (strace -r)");
	times_are("     0.000000 " READ "\n     0.0000005 " READ "\n     0.0000005 " READ "\n", 3,
	    (const usec_t[]){ 0, 0, 1 }, 0, 0);
	times_are("     0 " READ "\n     2 " READ "\n     1 " READ "\n", 3,
	    (const usec_t[]){ 0, 2000000, 3000000 }, 0, 0);
	times_are("     3.000000 " READ "\n     0.000005 " READ "\n", 2, (const usec_t[]){ 0, 5 },
	    0, 0);
}
END_TEST

/* A clock that nobody has set begins at 0: times never go back. */
START_TEST(small_times_that_never_go_back_are_none)
{
	times_are("7 5.000000 " READ "\n7 5.000001 " READ "\n7 6.000000 " READ "\n7 6.100000 " READ
		  "\n7 6.100000 " READ "\n7 7.000000 " READ "\n",
	    6, (const usec_t[]){ 0, 1, 1000000, 1100000, 1100000, 2000000 }, 7, 7);
	ck_assert_ptr_null(trace.note[0]);
}
END_TEST

START_TEST(durations_alone_are_a_clock)
{
	times_are("7 " READ " <0.000010>\n7 getpid() = 7 <0.000005>\n7 " READ " <0.000001>\n"
		  "7 wait4(-1,  <unfinished ...>\n8 " READ " <0.000100>\n"
		  "7 <... wait4 resumed>NULL, 0, NULL) = 8 <0.000300>\n7 " READ " <0.000001>\n",
	    4, (const usec_t[]){ 0, 15, 16, 316 }, 7, 7);
	first_note_begins("it has durations (strace -T) and no times");
	ck_assert_uint_eq(trace.lacks, 0);
}
END_TEST

START_TEST(a_log_without_times_has_no_think_times)
{
	times_are("execve(\"/x\", [\"x\"], 0x7f /* 1 var */) = 0\n" READ "\n" READ "\n", 2,
	    (const usec_t[]){ 0, 0 }, 0, 0);
	first_note_begins("record with strace -ttt");
	ck_assert_uint_eq(trace.lacks, LACKS_TIMES);
	times_are("[pid  7] " READ "\n[pid 8] " READ "\n", 2, (const usec_t[]){ 0, 0 }, 7, 8);
	times_are("7 " READ "\n8 " READ "\n", 2, (const usec_t[]){ 0, 0 }, 7, 8);
}
END_TEST

START_TEST(what_other_options_add_is_passed_over)
{
	times_are("7<cat> 12:00:00.000001 (+     0.000000) " READ "\n"
		  "[pid 7<a b>] 12:00:00.000002 [00007f5d1234abcd] " READ "\n"
		  "7 12:00:00.000003 [  17] " READ " <0.000001>\r\n"
		  " > /lib/libc.so.6(read+0x1) [0x17]\n"
		  "7 12:00:00.000004 [????????????????] +++ exited with 0 +++\n",
	    3, (const usec_t[]){ 0, 1, 2 }, 7, 7);
	ck_assert_uint_eq(trace.exits, 1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("stamp");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, seconds_since_1970_may_be_whole_or_have_nine_digits);
	tcase_add_test(tc, times_of_day_pass_midnight);
	tcase_add_test(tc, differences_are_summed_up_in_the_order_of_lines);
	tcase_add_test(tc, small_times_that_never_go_back_are_none);
	tcase_add_test(tc, durations_alone_are_a_clock);
	tcase_add_test(tc, a_log_without_times_has_no_think_times);
	tcase_add_test(tc, what_other_options_add_is_passed_over);
	return run_tests("stamp", tc);
}

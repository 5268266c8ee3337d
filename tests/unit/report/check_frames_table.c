/* check_frames_table.c - results of bufsim frames beside each other. */
#include <stdio.h>
#include <string.h>

#include "sim/studies/frames/report/frames_table.h"
#include "tests/unit/framed.h"
#include "tests/unit/support.h"

static char text[1 << 14];

static void
print(const struct frames_report *r, size_t n)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	frames_table(framed_compared(r, n), n, f);
	fclose(f);
}

static void
says(const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s", part, text);
}

static void
finding_is(const struct frames_report *r, size_t n, const char *expected)
{
	FILE *f = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(f);
	frames_finding(framed_compared(r, n), n, f);
	fclose(f);
	ck_assert_str_eq(text, expected);
}

START_TEST(allocators_are_compared_with_the_first_at_the_same_threads)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 1, 10),
		framed_rate("lazy", "churn", 1, 20), framed_rate("buddy", "churn", 8, 5),
		framed_rate("lazy", "churn", 8, 40) };

	print(r, 4);
	says("lazy is 8 times as fast as buddy (threads 8)\n\n");
	says("allocator  threads    op/s   ratio  splits  merges  contended  locks\n"
	     "buddy      1        10.0 M       -      30      20          5    500\n"
	     "lazy       1        20.0 M  2.00 x      30      20          5    500\n"
	     "buddy      8        5.00 M       -      30      20          5    500\n"
	     "lazy       8        40.0 M  8.00 x      30      20          5    500\n");
	says("\nworkload churn, blocks 4, block-pages 8, cores real, median of 5\n");
}
END_TEST

START_TEST(without_several_allocators_threads_are_compared)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn:n=1", 1, 10),
		framed_rate("buddy", "churn:n=9", 1, 100), framed_rate("buddy", "churn:n=1", 4, 15),
		framed_rate("buddy", "churn:n=9", 4, 80) };

	finding_is(r, 4, "threads 4 is 1.5 times as fast as threads 1 (workload churn:n=1)");
	finding_is(r, 2, "workload churn:n=9 is 10 times as fast as workload churn:n=1");
}
END_TEST

START_TEST(the_first_may_be_the_fastest)
{
	const struct frames_report r[] = { framed_rate("buddy", "churn", 1, 10),
		framed_rate("lazy", "churn", 1, 9) };

	finding_is(r, 2, "nothing is faster than buddy");
	finding_is(r, 1, "nothing is faster than workload churn");
}
END_TEST

START_TEST(failures_and_latency_have_columns_if_there_are_any)
{
	struct frames_report r[] = { framed("buddy", "churn", 1), framed("lazy", "churn", 1) };

	r[1].result.counts.failed = 1234;
	framed_latency(&r[0]);
	framed_latency(&r[1]);
	print(r, 2);
	says("allocator   op/s   ratio  failed  median    99 %   99.9 %  splits  merges\n"
	     "buddy      100 M       -       0   45 ns  120 ns  1.45 us      30      20\n"
	     "lazy       100 M  1.00 x   1,234   45 ns  120 ns  1.45 us      30      20\n");
}
END_TEST

static void
fits(void)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (strncmp(line, "least:", 6) != 0)
			ck_assert_msg(strcspn(line, "\n") <= 80, "%s", line);
}

START_TEST(columns_without_room_are_left_out)
{
	struct frames_report r[] = { framed("buddy",
					 "a_workload_with_a_name_that_has_no_end_at_all:n=1", 1),
		framed("lazy:limit=1000,batch=100", "b", 1) };

	r[0].result.counts.splits = UINT64_C(1) << 40;
	print(r, 2);
	fits();
	says("op/s");
	ck_assert_ptr_null(strstr(text, " locks"));
}
END_TEST

START_TEST(fragmentation_is_a_table_of_its_own)
{
	struct frames_report r[] = { framed("buddy", "churn", 1), framed("lazy", "churn", 1) };

	framed_fragments(&r[0]);
	framed_fragments(&r[1]);
	r[1].result.fragments.met[3] = 1;
	print(r, 2);
	says("allocator  least   0   1   2   3\n"
	     "buddy         -1 100  75  50  25\n"
	     "lazy          -1 100  75  50 100\n");
}
END_TEST

START_TEST(orders_without_room_are_left_out)
{
	struct frames_report r[] = { framed("a", "a_workload_with_a_long_name", 1),
		framed("b", "b", 8) };

	for (size_t i = 0; i < 2; i++) {
		framed_fragments(&r[i]);
		r[i].result.fragments.orders = FRAME_ORDERS;
	}
	print(r, 2);
	fits();
	says("least   0   4   8  12  16\n");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("frames_table");

	tcase_add_test(tc, allocators_are_compared_with_the_first_at_the_same_threads);
	tcase_add_test(tc, without_several_allocators_threads_are_compared);
	tcase_add_test(tc, the_first_may_be_the_fastest);
	tcase_add_test(tc, failures_and_latency_have_columns_if_there_are_any);
	tcase_add_test(tc, columns_without_room_are_left_out);
	tcase_add_test(tc, fragmentation_is_a_table_of_its_own);
	tcase_add_test(tc, orders_without_room_are_left_out);
	return run_tests("frames_table", tc);
}

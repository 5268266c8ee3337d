/* check_slice.c - slices have every point once, about as many each, and no rhythm of the lists. */
#include <string.h>

#include "sim/points/slice.h"
#include "tests/unit/support.h"

enum { POINTS = 1000 };

static struct points_slice slice;
static struct error	   error;

START_TEST(every_point_is_in_one_slice)
{
	static const unsigned of[] = { 1, 2, 7, 8, 300, 2000 };
	unsigned	      times[POINTS] = { 0 };

	for (slice = (struct points_slice){ 1, of[_i] }; slice.part <= slice.of; slice.part++) {
		unsigned n = 0;

		for (size_t i = 0; i < POINTS; i++) {
			times[i] += points_slice_has(&slice, i);
			n += points_slice_has(&slice, i);
		}
		ck_assert_uint_ge(n, POINTS / slice.of);
		ck_assert_uint_le(n, POINTS / slice.of + 1);
	}
	for (size_t i = 0; i < POINTS; i++)
		ck_assert_uint_eq(times[i], 1);
}
END_TEST

/* Eight sizes in eight slices: each slice has points of every size. */
START_TEST(a_slice_has_all_values_of_a_list)
{
	unsigned seen = 0;

	slice = (struct points_slice){ 3, 8 };
	for (size_t i = 0; i < POINTS; i++)
		if (points_slice_has(&slice, i))
			seen |= 1U << i % 8;
	ck_assert_uint_eq(seen, 0xff);
}
END_TEST

START_TEST(a_slice_is_typed_as_a_share)
{
	ck_assert_int_eq(points_slice_parse(&slice, "3/8", &error), 0);
	ck_assert(slice.part == 3 && slice.of == 8);
	ck_assert_int_eq(points_slice_parse(&slice, NULL, &error), 0);
	ck_assert(slice.part == 1 && slice.of == 1);
	ck_assert_int_eq(points_slice_parse(&slice, "9/8", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "1/8 for the first"));
	ck_assert_int_eq(points_slice_parse(&slice, "8", &error), -1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("slice");

	tcase_add_loop_test(tests, every_point_is_in_one_slice, 0, 6);
	tcase_add_test(tests, a_slice_has_all_values_of_a_list);
	tcase_add_test(tests, a_slice_is_typed_as_a_share);
	return run_tests("slice", tests);
}

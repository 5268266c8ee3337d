/* check_writeback.c - the dirty frames, oldest first. */
#include "sim/core/engine/writeback.h"
#include "tests/unit/support.h"

enum { FRAMES = 6 };

static struct writeback dirty;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(writeback_init(&dirty, FRAMES, &e), 0);
}

static void
teardown(void)
{
	writeback_release(&dirty);
}

/* The frames from oldest to newest, and back, as digits. */
static const char *
order(void)
{
	static char text[2 * FRAMES + 2];
	size_t	    n = 0;

	for (frame_t f = dirty.oldest; f; f = dirty.frame[f].newer)
		text[n++] = (char)('0' + f);
	text[n++] = '|';
	for (frame_t f = dirty.newest; f; f = dirty.frame[f].older)
		text[n++] = (char)('0' + f);
	text[n] = '\0';
	return text;
}

START_TEST(nothing_is_dirty_at_first)
{
	ck_assert_str_eq(order(), "|");
	ck_assert_uint_eq(dirty.n, 0);
}
END_TEST

START_TEST(frames_stand_in_the_order_in_which_they_became_dirty)
{
	writeback_add(&dirty, 3, 10);
	writeback_add(&dirty, 1, 10);
	writeback_add(&dirty, FRAMES, 25);
	ck_assert_str_eq(order(), "316|613");
	ck_assert_uint_eq(dirty.n, 3);
	ck_assert_int_eq(dirty.frame[3].since, 10);
	ck_assert_int_eq(dirty.frame[FRAMES].since, 25);
}
END_TEST

START_TEST(a_frame_becomes_clean_wherever_it_stands)
{
	for (frame_t f = 1; f <= 5; f++)
		writeback_add(&dirty, f, f);
	writeback_remove(&dirty, 3);
	ck_assert_str_eq(order(), "1245|5421");
	writeback_remove(&dirty, 1);
	ck_assert_str_eq(order(), "245|542");
	writeback_remove(&dirty, 5);
	ck_assert_str_eq(order(), "24|42");
	writeback_remove(&dirty, 2);
	writeback_remove(&dirty, 4);
	ck_assert_str_eq(order(), "|");
	ck_assert_uint_eq(dirty.n, 0);
}
END_TEST

START_TEST(a_frame_dirty_again_is_the_newest)
{
	writeback_add(&dirty, 1, 5);
	writeback_add(&dirty, 2, 6);
	writeback_add(&dirty, 3, 7);
	writeback_remove(&dirty, 1);
	writeback_add(&dirty, 1, 9);
	ck_assert_str_eq(order(), "231|132");
	ck_assert_int_eq(dirty.frame[1].since, 9);
	writeback_remove(&dirty, 1);
	writeback_add(&dirty, 1, 12);
	ck_assert_str_eq(order(), "231|132");
	ck_assert_int_eq(dirty.frame[1].since, 12);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("writeback");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, nothing_is_dirty_at_first);
	tcase_add_test(tests, frames_stand_in_the_order_in_which_they_became_dirty);
	tcase_add_test(tests, a_frame_becomes_clean_wherever_it_stands);
	tcase_add_test(tests, a_frame_dirty_again_is_the_newest);
	return run_tests("writeback", tests);
}

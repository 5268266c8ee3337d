/* check_lrfu.c - LRFU: known answers, a model of it, and the policies at its ends. */
#include <math.h>

#include "tests/unit/policies/model.h"

static const struct row rows[] = {
	{ "lrfu:lambda=0.5", 2, 4, 0, 6, 762, ".H.H.....H.", 2 },
	{ "lrfu:lambda=0.01", 2, 4, 0, 8, 874, ".H.H.....H.", 2 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

/* ---- the ends ---- */

START_TEST(lambda_1_is_lru)
{
	for (frame_t c = 1; c <= SKEW_BLOCKS; c++)
		check_same_hits("lrfu:lambda=1", "lru", c);
}
END_TEST

START_TEST(lambda_0_counts_references)
{
	block_t ref[LENGTH];
	char	text[64];

	make_skew(ref);
	ck_assert_uint_eq(replay("lrfu:lambda=0", 16, ref), 798);
	order_after(text, sizeof(text), "lrfu:lambda=0", "1 2 3 4 1 3 3 2 4 4 4");
	ck_assert_str_eq(text, "1 2 3 4");
	order_after(text, sizeof(text), "lrfu:lambda=0", "1 2 3 4 2 1");
	ck_assert_str_eq(text, "3 4 2 1");
}
END_TEST

/* ---- a model ---- */

static struct {
	double	 sum;
	uint64_t last, touch;
} of[BLOCKS + 1];
static double	lambda;
static uint64_t crp;

static void
demanded(block_t b, bool first)
{
	uint64_t age = model_now - of[b].last;

	if (first)
		of[b].sum = 1;
	else if (age > crp)
		of[b].sum = 1 + of[b].sum * exp2(-lambda * (double)age);
	of[b].last = model_now;
	of[b].touch = model_touches;
}

static void
prefetched(block_t b)
{
	of[b].sum = 1;
	of[b].last = model_now;
	of[b].touch = model_touches;
}

static void
evicted(block_t b, bool unused)
{
	of[b].sum = 0;
}

static double
weight(block_t b)
{
	return log2(of[b].sum) - lambda * (double)(model_now - of[b].last);
}

static bool
before(block_t a, block_t b)
{
	double difference = weight(a) - weight(b);

	/* What is nearly equal may be rounded in either direction. */
	return difference < -1e-9 || (difference == 0 && of[a].touch < of[b].touch);
}

static const struct model model = { NULL, NULL, demanded, prefetched, evicted, before };

START_TEST(victims_are_those_of_a_model)
{
	static const char *const text[] = { "0", "0.000001", "0.001", "0.01", "0.1", "0.5", "0.9",
		"1" };
	static const unsigned	 period[] = { 0, 1, 10 };

	for (unsigned i = 0; i < 8 * 3; i++) {
		char setting[64];

		lambda = atof(text[i / 3]);
		crp = period[i % 3];
		snprintf(setting, sizeof(setting), "lrfu:lambda=%s,crp=%u", text[i / 3],
		    period[i % 3]);
		check_model(&model, setting);
	}
}
END_TEST

/* ---- its parameters ---- */

START_TEST(lambda_weighs_frequency_against_age)
{
	static const char string[] =
	    "1 1 1 2 3 4 2 3 4"; /* three times long ago, or twice lately */
	char text[64];

	order_after(text, sizeof(text), "lrfu:lambda=0.01", string);
	ck_assert_str_eq(text, "2 3 4 1");
	order_after(text, sizeof(text), "lrfu:lambda=0.5", string);
	ck_assert_str_eq(text, "1 2 3 4");
}
END_TEST

START_TEST(references_within_the_correlated_period_count_once)
{
	char text[64];

	order_after(text, sizeof(text), "lrfu:lambda=0,crp=2", "1 1 1 2 3 4 2 3 4");
	ck_assert_str_eq(text, "1 2 3 4");
	order_after(text, sizeof(text), "lrfu:lambda=0,crp=3", "1 1 1 2 3 4 2 3 4 1");
	ck_assert_str_eq(text, "2 3 4 1");
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("lrfu");
	check_prefetch_counts_once("lrfu:lambda=0");
	check_prefetch_counts_once("lrfu:lambda=0.5");
	check_prefetch_counts_once("lrfu:lambda=1");
}
END_TEST

START_TEST(what_was_evicted_is_forgotten)
{
	char text[64];

	order_after(text, sizeof(text), "lrfu:lambda=0", "1 2 2 3 3 4 4 5 5 1");
	ck_assert_str_eq(text, "1 3 4 5");
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("lrfu", 4);
	check_passes_over();
	finish();
	start("lrfu:lambda=0", 4);
	check_passes_over();
	finish();
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("lrfu");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, lambda_1_is_lru);
	tcase_add_test(tests, lambda_0_counts_references);
	tcase_add_test(tests, victims_are_those_of_a_model);
	tcase_add_test(tests, lambda_weighs_frequency_against_age);
	tcase_add_test(tests, references_within_the_correlated_period_count_once);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, what_was_evicted_is_forgotten);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	return run_tests("lrfu", tests);
}

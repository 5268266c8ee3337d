/* check_plugin.c - parameters of plug-ins, from text. */
#include <stddef.h>

#include "sim/base/plugin.h"
#include "tests/unit/support.h"

struct state {
	uint64_t other, count, bytes, time, word, share;
};

static const char *const words[] = { "2.4.0", "2.4.20", "2.4.27" };

static const struct param params[] = {
	{ "count", PARAM_COUNT, 7, 1, 100, offsetof(struct state, count), "how many", NULL },
	{ "bytes", PARAM_BYTES, 4096, 0, 1 << 20, offsetof(struct state, bytes), "how large",
	    NULL },
	{ "time", PARAM_USEC, 1000, 0, 1000000, offsetof(struct state, time), "how long", NULL },
	{ "word", PARAM_WORD, 1, 0, 2, offsetof(struct state, word), "which", words },
	{ "share", PARAM_SHARE, SHARE_ONE / 4, 0, SHARE_ONE, offsetof(struct state, share),
	    "which part", NULL },
	{ 0 },
};
static const struct plugin plugin = { .name = "toy", .params = params };
static const struct plugin bare = { .name = "bare" };

static struct state state;
static struct error e;

static void
setup(void)
{
	state = (struct state){ .other = 42, .count = 99 };
	e = (struct error){ 0 };
}

static void
refuses(const struct plugin *p, const char *text, const char *why)
{
	ck_assert_int_eq(params_set(p, &state, text, &e), -1);
	ck_assert_str_eq(e.text, why);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
}

START_TEST(one_of_parameters_that_set_the_same_may_be_given)
{
	const struct plugin units = { .name = "units",
		.params = plugin.params,
		.either = (const char *const[]){ "count", "bytes", NULL } };

	ck_assert_int_eq(params_set(&units, &state, "count=3,time=1ms", &e), 0);
	ck_assert_int_eq(params_set(&units, &state, "bytes=3,time=1ms+count=1", &e), 0);
	refuses(&units, "bytes=8,time=1ms,count=3",
	    "count and bytes of units set the same: give one of them");
}
END_TEST

START_TEST(a_number_may_have_a_word_that_is_larger_than_all)
{
	static const char *const  off[] = { "off", NULL };
	static const struct param few[] = {
		{ "count", PARAM_COUNT, 7, 1, 100, offsetof(struct state, count), "how many", off },
		{ 0 },
	};
	const struct plugin p = { .name = "few", .params = few };

	ck_assert_int_eq(params_set(&p, &state, "count=off", &e), 0);
	ck_assert_uint_eq(state.count, 101);
	ck_assert_int_eq(params_set(&p, &state, "count=100", &e), 0);
	ck_assert_uint_eq(state.count, 100);
	refuses(&p, "count=101", "count of few is between 1 and 100, or off, not 101");
	refuses(&p, "count=of", "count of few is a whole number or off, not 'of'");
	ck_assert_int_eq(params_set(&plugin, &state, "count=off", &e), -1);
}
END_TEST

START_TEST(without_text_every_parameter_has_its_initial_value)
{
	ck_assert_int_eq(params_set(&plugin, &state, NULL, &e), 0);
	ck_assert_uint_eq(state.count, 7);
	ck_assert_uint_eq(state.bytes, 4096);
	ck_assert_uint_eq(state.time, 1000);
	ck_assert_uint_eq(state.other, 42);
	ck_assert_int_eq(params_set(&plugin, &state, "", &e), 0);
	ck_assert_int_eq(params_set(&bare, &state, NULL, &e), 0);
}
END_TEST

START_TEST(named_parameters_are_set_and_the_others_keep_theirs)
{
	ck_assert_int_eq(params_set(&plugin, &state, "time=30ms,count=1", &e), 0);
	ck_assert_uint_eq(state.time, 30000);
	ck_assert_uint_eq(state.count, 1);
	ck_assert_uint_eq(state.bytes, 4096);
	ck_assert_int_eq(params_set(&plugin, &state, "bytes=64K", &e), 0);
	ck_assert_uint_eq(state.bytes, 65536);
	ck_assert_uint_eq(state.count, 7);
}
END_TEST

START_TEST(a_word_becomes_its_index)
{
	ck_assert_int_eq(params_set(&plugin, &state, NULL, &e), 0);
	ck_assert_uint_eq(state.word, 1);
	ck_assert_int_eq(params_set(&plugin, &state, "word=2.4.27,count=3", &e), 0);
	ck_assert_uint_eq(state.word, 2);
	ck_assert_uint_eq(state.count, 3);
	refuses(&plugin, "word=2.4.2", "word of toy is one of 2.4.0, 2.4.20, 2.4.27, not 2.4.2");
	refuses(&plugin, "word=", "word of toy is empty: it is one of 2.4.0, 2.4.20, 2.4.27");
}
END_TEST

START_TEST(a_share_is_a_part_of_a_million)
{
	ck_assert_int_eq(params_set(&plugin, &state, NULL, &e), 0);
	ck_assert_uint_eq(state.share, 250000);
	ck_assert_int_eq(params_set(&plugin, &state, "share=0.5,count=3", &e), 0);
	ck_assert_uint_eq(state.share, 500000);
	ck_assert_int_eq(params_set(&plugin, &state, "share=100%", &e), 0);
	ck_assert_uint_eq(state.share, SHARE_ONE);
	refuses(&plugin, "share=1.5", "share of toy is between 0 and 1, not 1.5");
	refuses(&plugin, "share=1e3",
	    "share of toy: '1e3' will not do: type a share such as 0.5 or 50%");
}
END_TEST

/* What follows belongs to the prefetcher that a controller controls. */
START_TEST(a_plus_ends_the_parameters)
{
	ck_assert_int_eq(params_set(&plugin, &state, "count=3+other:count=5", &e), 0);
	ck_assert_uint_eq(state.count, 3);
	ck_assert_int_eq(params_set(&plugin, &state, "count=4,bytes=8K+other", &e), 0);
	ck_assert_uint_eq(state.count, 4);
	ck_assert_uint_eq(state.bytes, 8192);
	ck_assert_int_eq(params_set(&plugin, &state, "+count=5", &e), 0);
	ck_assert_uint_eq(state.count, 7);
	ck_assert_int_eq(params_set(&bare, &state, "+count=5", &e), 0);
	refuses(&plugin, "count=3,+other",
	    "toy: parameters are name=value,name=value, not ''"
	    "; it has: count, bytes, time, word, share");
	refuses(&plugin, "count+other",
	    "toy: parameters are name=value,name=value, not 'count'"
	    "; it has: count, bytes, time, word, share");
	refuses(&plugin, "count=+5",
	    "count of toy: '' will not do: type a whole number such as 12");
}
END_TEST

START_TEST(a_parameter_is_given_once)
{
	refuses(&plugin, "count=3,bytes=4K,count=3",
	    "count of toy is given twice: give it once; bufsim sweep, compare and mrc take a list, "
	    "count=A,B");
	refuses(&plugin, "bytes=4K,count=3,count=4+other",
	    "count of toy is given twice: give it "
	    "once; bufsim sweep, compare and mrc take a list, count=A,B");
	ck_assert_int_eq(params_set(&plugin, &state, "count=3+other:count=3", &e), 0);
}
END_TEST

START_TEST(an_unknown_parameter_suggests_the_nearest)
{
	refuses(&plugin, "cuont=3", "unknown parameter of toy 'cuont'; did you mean 'count'?");
	refuses(&plugin, "xyz=3",
	    "unknown parameter of toy 'xyz'; it has: count, bytes, time, word, share");
	refuses(&bare, "count=3", "unknown parameter of bare 'count'; bare has no parameters");
}
END_TEST

START_TEST(a_value_out_of_range_is_refused_in_its_own_unit)
{
	refuses(&plugin, "count=0", "count of toy is between 1 and 100, not 0");
	refuses(&plugin, "bytes=2M", "bytes of toy is between 0 and 1M, not 2M");
	refuses(&plugin, "time=2s", "time of toy is between 0us and 1s, not 2s");
}
END_TEST

START_TEST(what_is_no_assignment_is_refused)
{
	const char *shape =
	    "toy: parameters are name=value,name=value, not ''; it has: count, bytes, time, word, share";

	char longest[300] = "";

	refuses(&plugin, ",", shape);
	refuses(&plugin, "count=3,", shape);
	refuses(&plugin, "count",
	    "toy: parameters are name=value,name=value, not 'count'"
	    "; it has: count, bytes, time, word, share");
	refuses(&plugin, "count=", "count of toy: '' will not do: type a whole number such as 12");
	refuses(&plugin, "count=3=4",
	    "count of toy: '3=4' will not do: type a whole number such as 12");
	memset(longest, 'a', sizeof(longest) - 1);
	refuses(&plugin, longest, "toy: parameter 'aaaaaaaaaaaaaaaaaaaa...' is too long");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("plugin");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, one_of_parameters_that_set_the_same_may_be_given);
	tcase_add_test(tc, a_number_may_have_a_word_that_is_larger_than_all);
	tcase_add_test(tc, without_text_every_parameter_has_its_initial_value);
	tcase_add_test(tc, named_parameters_are_set_and_the_others_keep_theirs);
	tcase_add_test(tc, a_word_becomes_its_index);
	tcase_add_test(tc, a_share_is_a_part_of_a_million);
	tcase_add_test(tc, a_plus_ends_the_parameters);
	tcase_add_test(tc, a_parameter_is_given_once);
	tcase_add_test(tc, an_unknown_parameter_suggests_the_nearest);
	tcase_add_test(tc, a_value_out_of_range_is_refused_in_its_own_unit);
	tcase_add_test(tc, what_is_no_assignment_is_refused);
	return run_tests("plugin", tc);
}

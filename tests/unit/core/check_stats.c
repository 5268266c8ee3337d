/* check_stats.c - the tables of counters and ratios, and the classes of sizes. */
#include <string.h>

#include "sim/core/stats.h"
#include "tests/unit/support.h"

static struct stats stats;

static double
ratio(const char *name)
{
	double value;

	for (const struct ratio_info *i = ratio_info; i->name; i++)
		if (!strcmp(i->name, name))
			return i->value(&stats, 4096, &value) ? value : -1;
	ck_abort_msg("no ratio %s", name);
}

START_TEST(the_table_has_every_counter_in_the_order_of_the_struct)
{
	size_t n = 0;

	for (const struct counter *i = stat_info; i->name; i++, n++) {
		ck_assert_uint_eq(i->offset, n * sizeof(uint64_t));
		ck_assert_uint_gt(strlen(i->meaning), 0);
	}
	ck_assert_uint_eq(n * sizeof(uint64_t), offsetof(struct stats, own));
}
END_TEST

START_TEST(no_two_figures_have_the_same_name)
{
	const char *name[200];
	size_t	    n = 0;

	for (const struct counter *i = stat_info; i->name; i++)
		name[n++] = i->name;
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		name[n++] = i->name;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(name[i], name[j]);
}
END_TEST

START_TEST(a_counter_is_found_by_its_place)
{
	stats = (struct stats){ .references = 5, .size_65_requests = 7 };
	ck_assert_uint_eq(counter_value(&stats, &stat_info[0]), 5);
	for (const struct counter *i = stat_info; i->name; i++)
		if (!strcmp(i->name, "size_65_requests"))
			ck_assert_uint_eq(counter_value(&stats, i), 7);
}
END_TEST

/* ---- what plug-ins count ---- */

struct state {
	uint64_t other, seen, us;
};

static const struct counter own[] = {
	{ "seen", "blocks", "seen", offsetof(struct state, seen) },
	{ "busy", "us", "busy", offsetof(struct state, us) },
	{ 0 },
};
static const struct plugin counts = { .name = "counts", .counters = own };
static const struct plugin mute = { .name = "mute" };

START_TEST(counting_starts_with_nothing_and_touches_nothing_else)
{
	struct state	state = { 1, 2, 3 };
	struct instance part[] = { { &mute, NULL }, { &counts, &state } };

	stats.references = 5;
	stats.own[0].plugin = &mute;
	stats_start(&stats, part, 2);
	ck_assert_uint_eq(stats.references, 0);
	ck_assert_ptr_null(stats.own[0].plugin);
	ck_assert_uint_eq(state.other, 1);
	ck_assert_uint_eq(state.seen, 0);
	ck_assert_uint_eq(state.us, 0);
}
END_TEST

START_TEST(what_several_of_a_kind_have_counted_is_added_up)
{
	struct state	state[] = { { 1, 2, 3 }, { 10, 20, 30 } };
	struct instance part[] = { { &counts, &state[0] }, { &mute, NULL },
		{ &counts, &state[1] } };

	stats_unknown(&stats);
	ck_assert_uint_eq(stats_own(&stats, &counts, &own[0]), STAT_UNKNOWN);
	stats_end(&stats, part, 3);
	ck_assert_uint_eq(stats_own(&stats, &counts, &own[0]), 22);
	ck_assert_uint_eq(stats_own(&stats, &counts, &own[1]), 33);
	ck_assert_ptr_null(stats.own[1].plugin);
}
END_TEST

/* A wrapper that has counted nothing itself, around two that have. */
static struct instance inside[2];

static const struct instance *
both(const void *self, unsigned n)
{
	return n < 2 ? &inside[n] : NULL;
}

START_TEST(what_is_inside_a_wrapper_counts_as_well)
{
	const struct plugin wrapper = { .name = "wrapper", .around = "counts", .inner = both };
	struct state	    state[] = { { 1, 2, 3 }, { 10, 20, 30 } };
	struct instance	    part = { &wrapper, NULL };

	inside[0] = (struct instance){ &counts, &state[0] };
	inside[1] = (struct instance){ &counts, &state[1] };
	stats_unknown(&stats);
	stats_end(&stats, &part, 1);
	ck_assert_uint_eq(stats_own(&stats, &counts, &own[0]), 22);
	ck_assert_ptr_null(stats.own[1].plugin);
	stats_start(&stats, &part, 1);
	ck_assert_uint_eq(state[0].seen + state[0].us + state[1].seen + state[1].us, 0);
	ck_assert_uint_eq(state[0].other + state[1].other, 11);
}
END_TEST

/* ---- ratios ---- */

START_TEST(nothing_divided_by_nothing_is_undefined)
{
	double value;

	stats = (struct stats){ 0 };
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		ck_assert_msg(!i->value(&stats, 4096, &value), "%s", i->name);
}
END_TEST

/* 10 references: 6 hits, 3 of them first hits, 1 late, 3 misses; 8 prefetched, 2 wasted. */
START_TEST(ratios_follow_their_definitions)
{
	stats = (struct stats){ .references = 10,
		.hits = 6,
		.first_hits = 3,
		.late_hits = 1,
		.misses = 3,
		.write_misses = 1,
		.evictions = 4,
		.prefetched_blocks = 8,
		.prefetch_used_blocks = 3,
		.prefetch_late_blocks = 1,
		.prefetch_wasted_blocks = 2,
		.elapsed_us = 2000,
		.device_busy_us = 1000,
		.transfer_us = 100,
		.bus_us = 150,
		.read_requests = 4,
		.read_blocks = 10,
		.write_requests = 1,
		.written_blocks = 1 };
	ck_assert_double_eq(ratio("hit_ratio"), 0.6);
	ck_assert_double_eq(ratio("demand_hit_ratio"), 0.3);
	ck_assert_double_eq(ratio("late_ratio"), 0.1);
	ck_assert_double_eq(ratio("miss_ratio"), 0.3);
	ck_assert_double_eq(ratio("accuracy"), 0.5);
	ck_assert_double_eq(ratio("timeliness"), 0.75);
	ck_assert_double_eq(ratio("coverage"), 4.0 / 7);
	ck_assert_double_eq(ratio("waste"), 0.25);
	ck_assert_double_eq(ratio("eviction_waste"), 0.5);
	ck_assert_double_eq(ratio("utilisation"), 0.5);
	ck_assert_double_eq(ratio("efficiency"), 0.25);
	ck_assert_double_eq(ratio("mean_request_blocks"), 2.2);
	/* 2 read misses, 4 used, 1 written: 7 blocks in 1,000 us */
	ck_assert_double_eq(ratio("effective_bandwidth"), 7 * 4096 / 1000.0);
	ck_assert_double_eq(ratio("raw_bandwidth"), 11 * 4096 / 1000.0);
}
END_TEST

START_TEST(sizes_fall_into_classes_of_doubling_width)
{
	static const uint32_t last[] = { 1, 2, 4, 8, 16, 32, 64 };

	for (unsigned class = 0; class < SIZE_CLASSES - 1; class ++) {
		ck_assert_uint_eq(size_class(last[class]), class);
		ck_assert_uint_eq(size_class(last[class] + 1), class + 1);
	}
	ck_assert_uint_eq(size_class(UINT32_MAX), SIZE_CLASSES - 1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("stats");

	tcase_add_test(tc, the_table_has_every_counter_in_the_order_of_the_struct);
	tcase_add_test(tc, no_two_figures_have_the_same_name);
	tcase_add_test(tc, a_counter_is_found_by_its_place);
	tcase_add_test(tc, counting_starts_with_nothing_and_touches_nothing_else);
	tcase_add_test(tc, what_several_of_a_kind_have_counted_is_added_up);
	tcase_add_test(tc, what_is_inside_a_wrapper_counts_as_well);
	tcase_add_test(tc, nothing_divided_by_nothing_is_undefined);
	tcase_add_test(tc, ratios_follow_their_definitions);
	tcase_add_test(tc, sizes_fall_into_classes_of_doubling_width);
	return run_tests("stats", tc);
}

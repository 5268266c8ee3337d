/* check_clocks.c - modelled time of known programs, and the sum of its parts. */
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"
/* A fault is 30 ns and 4096 bytes of 17 ps; an upgrade 30 ns. */
#define COSTS "cacheline:reference=10,latency=15,byte=17"

/* A run with that allocator and these settings; release it. */
static struct share_result
result_of(const char *text, const char *allocator, const char *costs, struct share_config c)
{
	struct program	    p = program_of(text);
	struct share_result r;
	struct error	    e;

	c.page_bytes = 4096;
	ck_assert(!registry_choose(PLUGIN_PROTOCOL, "invalidate", &c.protocol, &e));
	ck_assert(!registry_choose(PLUGIN_COSTS, costs, &c.costs, &e));
	ck_assert(!registry_choose(PLUGIN_ALLOCATOR, allocator, &c.allocator, &e));
	ck_assert_msg(!share_run(&r, &c, &p, &e), "%s", e.text);
	choice_release(&c.protocol);
	choice_release(&c.costs);
	choice_release(&c.allocator);
	program_release(&p);
	return r;
}

/* The clocks of a run, which are released. */
static struct clocks
clocks_of(const char *text, uint64_t *elapsed)
{
	struct share_result r = result_of(text, "sequential", COSTS, (struct share_config){ 0 });
	struct clocks	    clocks = r.clocks;

	*elapsed = r.elapsed_ns;
	share_release(&r);
	return clocks;
}

static void
expect_parts(const struct clocks *t, unsigned processor, const uint64_t part[TIME_PARTS])
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TIME_PARTS; i++) {
		ck_assert_uint_eq(t->part_ns[processor][i], part[i]);
		sum += part[i];
	}
	ck_assert_uint_eq(t->clock_ns[processor] - t->start_ns[processor], sum);
}

START_TEST(references_faults_and_upgrades_cost_what_is_set)
{
	uint64_t      elapsed;
	struct clocks t =
	    clocks_of(HEAD "P 0\nA 1 24\nR 1 0\nW 1 0\nC\nP 1\nR 1 0\nR 1 1\nR 1 0\n", &elapsed);

	expect_parts(&t, 0, (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 20, [TIME_FAULT] = 129 });
	expect_parts(&t, 1, (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 30, [TIME_FAULT] = 99 });
	ck_assert_uint_eq(t.start_ns[1], 149);
	ck_assert_uint_eq(elapsed, 278);
	ck_assert_uint_eq(clocks_alone(&t), 50);
}
END_TEST

START_TEST(a_lock_is_waited_for)
{
	/* 0 holds the lock for 109 ns; 1 comes at 10 + 99 and waits for nothing. */
	uint64_t      elapsed;
	struct clocks t =
	    clocks_of(HEAD "P 0\nA 1 5000\nC\nL 1\nR 1 0\nR 1 0\nU 1\nP 1\nR 1 600\nL 1\nU 1\n",
		&elapsed);

	expect_parts(&t, 0, (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 20, [TIME_FAULT] = 99 });
	expect_parts(&t, 1,
	    (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 10, [TIME_FAULT] = 99, [TIME_LOCK] = 10 });
	ck_assert_uint_eq(elapsed, 119);
}
END_TEST

START_TEST(a_barrier_and_the_end_wait_for_the_last)
{
	uint64_t      elapsed;
	struct clocks t =
	    clocks_of(HEAD "P 0\nA 1 16\nC\nB 1\nJ\nP 1\nR 1 0\nB 1\nR 1 0\n", &elapsed);

	expect_parts(&t, 0, (uint64_t[TIME_PARTS]){ [TIME_BARRIER] = 119 });
	expect_parts(&t, 1, (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 20, [TIME_FAULT] = 99 });
	ck_assert_uint_eq(elapsed, 119);
}
END_TEST

START_TEST(a_flag_is_had_when_it_was_posted)
{
	uint64_t      elapsed;
	struct clocks t = clocks_of(HEAD "P 0\nA 1 16\nC\nR 1 0\nS 1\nP 1\nV 1\nR 1 0\n", &elapsed);

	expect_parts(&t, 0, (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 10, [TIME_FAULT] = 99 });
	expect_parts(&t, 1,
	    (uint64_t[TIME_PARTS]){ [TIME_COMPUTE] = 10, [TIME_FAULT] = 99, [TIME_LOCK] = 109 });
	ck_assert_uint_eq(elapsed, 218);
}
END_TEST

START_TEST(who_takes_a_page_uses_it_before_the_next_one)
{
	/* Both write at once; by time 1 waits for 0 to have the page, then for its own fault. */
	const char	   *text = HEAD "P 0\nA 1 24\nC\nW 1 0\nW 1 0\nP 1\nW 1 1\nW 1 1\n";
	struct share_result turns =
	    result_of(text, "sequential", COSTS, (struct share_config){ 0 });
	struct share_result time =
	    result_of(text, "sequential", COSTS, (struct share_config){ .in_time = true });

	/* By turns each takes the page from the other at each write. */
	ck_assert_uint_eq(counted(&turns.protocol, "cold_faults"), 2);
	ck_assert_uint_eq(counted(&turns.protocol, "false_faults"), 2);
	ck_assert_uint_eq(counted(&time.protocol, "cold_faults"), 2);
	ck_assert_uint_eq(time.clocks.part_ns[1][TIME_FAULT], 99 + 99);
	share_release(&turns);
	share_release(&time);
}
END_TEST

START_TEST(an_object_placed_late_costs_a_fault_and_what_moves)
{
	/* 0 has written object 1 before the create, and so it moves; object 2 does not. */
	const char *text = HEAD "P 0\nA 1 1000\nA 2 24\nW 1 0\nC\nP 1\nR 1 0\nR 2 0\n";
	const char *costs = "cacheline:reference=0,fault=40,place=3,copy=2000,latency=0,byte=0";
	struct share_result r =
	    result_of(text, "ff", costs, (struct share_config){ .from_create = true });

	ck_assert_uint_eq(r.late.objects, 2);
	ck_assert_uint_eq(r.late.temporary_bytes, 1024);
	ck_assert_uint_eq(r.late.moved_bytes, 1000);
	/* Both are on one page, which is copied out and in. */
	ck_assert_uint_eq(r.clocks.part_ns[1][TIME_FAULT],
	    2 * (40 + 3) + 2 * 1000 + 40 + 2 * 2 * 4096);
	share_release(&r);
	r = result_of(text, "sequential", costs, (struct share_config){ .from_create = true });
	ck_assert_uint_eq(r.late.objects + r.late.temporary_bytes + r.late.moved_bytes, 0);
	share_release(&r);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("clocks");

	tcase_add_test(tc, references_faults_and_upgrades_cost_what_is_set);
	tcase_add_test(tc, a_lock_is_waited_for);
	tcase_add_test(tc, a_barrier_and_the_end_wait_for_the_last);
	tcase_add_test(tc, a_flag_is_had_when_it_was_posted);
	tcase_add_test(tc, who_takes_a_page_uses_it_before_the_next_one);
	tcase_add_test(tc, an_object_placed_late_costs_a_fault_and_what_moves);
	return run_tests("clocks", tc);
}

/* check_clocks.c - modelled time of known programs, and the sum of its parts. */
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

#define HEAD "# program t, processors 2, problem p, words of 8 bytes\n"
/* A fault is 30 ns and 4096 bytes of 17 ps; an upgrade 30 ns. */
#define COSTS "cacheline:reference=10,latency=15,byte=17"

/* The clocks of a run, which are released. */
static struct clocks
clocks_of(const char *text, uint64_t *elapsed)
{
	struct program	    p = program_of(text);
	struct share_config c = { .page_bytes = 4096 };
	struct share_result r;
	struct clocks	    clocks;
	struct error	    e;

	ck_assert(!registry_choose(PLUGIN_PROTOCOL, "invalidate", &c.protocol, &e));
	ck_assert(!registry_choose(PLUGIN_COSTS, COSTS, &c.costs, &e));
	ck_assert(!registry_choose(PLUGIN_ALLOCATOR, "sequential", &c.allocator, &e));
	ck_assert_msg(!share_run(&r, &c, &p, &e), "%s", e.text);
	clocks = r.clocks;
	*elapsed = r.elapsed_ns;
	share_release(&r);
	choice_release(&c.protocol);
	choice_release(&c.costs);
	choice_release(&c.allocator);
	program_release(&p);
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

int
main(void)
{
	TCase *tc = tcase_create("clocks");

	tcase_add_test(tc, references_faults_and_upgrades_cost_what_is_set);
	tcase_add_test(tc, a_lock_is_waited_for);
	tcase_add_test(tc, a_barrier_and_the_end_wait_for_the_last);
	tcase_add_test(tc, a_flag_is_had_when_it_was_posted);
	return run_tests("clocks", tc);
}

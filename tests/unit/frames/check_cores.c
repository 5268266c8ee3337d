/* check_cores.c - clocks of modelled cores: sums by hand, locks in the order of time, the same bytes each time. */
#include <string.h>

#include "sim/studies/frames/model/registry.h"
#include "tests/unit/frames/modelling.h"
#include "tests/unit/support.h"

#define COSTS "base=10,touch=1,transfer=100,lock=20,handover=30,start=0,spread=0"
#define SPIN "model:kind=spin," COSTS
#define QUEUE "model:kind=queue," COSTS

static struct modelled
run(const char *work, const char *cores, struct steps steps, unsigned threads)
{
	const struct choice pool = { .plugin = &pool_work.plugin, .params = work };
	struct modelled	    r;
	struct error	    e;

	ck_assert_msg(!run_modelled(&r, &pool, cores,
			  (struct instance){ &load_steps.plugin, &steps }, threads, &e),
	    "%s", e.text);
	return r;
}

static struct steps
take_and_give(uint64_t rounds)
{
	return (struct steps){ { "tg", "tg" }, rounds };
}

START_TEST(time_of_one_core_is_the_sum_of_its_costs)
{
	struct modelled r = run("lock=1,share=1,own=1", SPIN, take_and_give(50), 1);

	ck_assert_double_eq(r.elapsed_ns, 100 * (20 + 1 + 1 + 10));
	ck_assert_double_eq(r.latency.p50, 32);
	ck_assert_double_eq(r.latency.max, 32);
	ck_assert_double_eq(r.latency.mean, 32);
	ck_assert_uint_eq(r.counts.lock_acquisitions, 100);
	ck_assert_uint_eq(r.counts.lock_contended, 0);
	ck_assert_double_eq(run("early=7", SPIN, take_and_give(1), 1).elapsed_ns, 2 * (7 + 10));
}
END_TEST

START_TEST(cores_that_share_nothing_do_n_times_as_much)
{
	for (unsigned n = 1; n <= 256; n *= 2) {
		struct modelled r = run("own=1", SPIN, take_and_give(50), n);

		ck_assert_double_eq(r.elapsed_ns, 100 * (1 + 10));
		ck_assert_uint_eq(r.counts.operations, 100 * n);
	}
}
END_TEST

START_TEST(a_line_costs_a_transfer_when_another_core_had_it_last)
{
	/* The first to touch it finds it free. */
	ck_assert_double_eq(run("share=1", SPIN, take_and_give(1), 1).elapsed_ns, 2 * 11);
	ck_assert_double_eq(run("share=1", SPIN, (struct steps){ { "t", "t" }, 1 }, 2).elapsed_ns,
	    111);
	ck_assert_double_eq(run("share=1", SPIN, (struct steps){ { "t", "" }, 1 }, 2).elapsed_ns,
	    11);
}
END_TEST

START_TEST(a_queue_hands_the_lock_over_at_each_acquisition)
{
	struct modelled r = run("lock=1,share=1", QUEUE, take_and_give(50), 2);
	const double	held = 20 + 1 + 100;

	ck_assert_double_eq(r.elapsed_ns, 21 + 199 * (30 + held) + 10);
	ck_assert_uint_eq(r.counts.lock_contended, 199);
	/* More cores: the same lock, no faster. */
	r = run("lock=1,share=1", QUEUE, take_and_give(50), 32);
	ck_assert_double_eq(r.elapsed_ns, 21 + 3199 * (30 + held) + 10);
	ck_assert_uint_eq(r.counts.lock_contended, 3199);
	ck_assert_double_le_tol(r.latency.p50, 32 * (30 + held), 0.02 * 32 * (30 + held));
}
END_TEST

START_TEST(a_lock_that_spins_may_be_overtaken)
{
	/*
	 * Core 2 waits from 0 on.  Core 1 releases at 21 and has the lock again from 31 to 31 + 20 + 101, so that core 2 tries in vain at 51,
	 * and again 30 after 152.
	 */
	struct modelled r = run("lock=1,share=1", SPIN, take_and_give(1), 2);

	ck_assert_double_eq(r.elapsed_ns, 182 + (120 + 101 + 10) + (20 + 101 + 10));
	ck_assert_uint_eq(r.counts.lock_contended, 1);
}
END_TEST

START_TEST(hand_overs_and_starts_vary_within_their_spread)
{
	/* Core 1 has the lock for 2000 ns; core 2 wants it from its start on, at 300 to 900. */
	static const struct steps take = { { "t", "t" }, 1 };
	const char *const varied = "model:base=10,lock=2000,handover=700,start=600,spread=50";
	const double	  rest = 2000 + 2000 + 64 + 10;
	struct modelled	  r = run("lock=1", varied, take, 2);

	ck_assert_uint_eq(r.counts.lock_contended, 1);
	ck_assert_double_ge(r.elapsed_ns, rest + 350);
	ck_assert_double_le(r.elapsed_ns, rest + 1050);
	ck_assert_double_ne(r.elapsed_ns, rest + 700);
	ck_assert_double_le(r.latency.max, r.elapsed_ns - 300);
	ck_assert_double_ge(r.latency.max, r.elapsed_ns - 900);
	ck_assert_double_eq(r.elapsed_ns, run("lock=1", varied, take, 2).elapsed_ns);
}
END_TEST

START_TEST(locks_are_taken_in_the_order_of_time_not_of_operations)
{
	/* Core 1 begins first, but wants the lock at 50; core 2 has it from 0 to 20. */
	struct modelled r = run("early=50,lock=1", QUEUE, (struct steps){ { "t", "t" }, 1 }, 2);

	ck_assert_uint_eq(r.counts.lock_contended, 0);
	ck_assert_double_eq(r.elapsed_ns, 50 + 120 + 10);
	r = run("early=5,lock=1", QUEUE, (struct steps){ { "t", "t" }, 1 }, 2);
	ck_assert_uint_eq(r.counts.lock_contended, 1);
	ck_assert_double_eq(r.elapsed_ns, 20 + 30 + 20 + 10);
}
END_TEST

START_TEST(who_receives_waits_until_the_page_is_sent)
{
	/*
	 * A take of 11; the lines of the page and of the pages sent, and the other core has them; that of the pages received;
	 * a free of 11.
	 */
	ck_assert_double_eq(run("own=1", SPIN, (struct steps){ { "ts", "rg" }, 1 }, 2).elapsed_ns,
	    11 + 2 + (101 + 101 + 1) + 11);
	/* One thread sends to itself, and looks for room before the third page. */
	ck_assert_double_eq(run("own=1", SPIN, (struct steps){ { "tsrg", "" }, 3 }, 1).elapsed_ns,
	    3 * (11 + 2 + 3 + 11) + 1);
}
END_TEST

START_TEST(who_receives_looks_only_for_pages_that_it_does_not_know)
{
	/* Core 1 comes when core 2 has sent 2 pages. */
	ck_assert_double_eq(run("early=300", SPIN, (struct steps){ { "trr", "ss" }, 1 }, 2)
				.elapsed_ns,
	    310 + (101 + 101 + 1) + (1 + 1));
}
END_TEST

START_TEST(who_sends_looks_for_room_when_it_knows_of_none)
{
	/* Room for 2 pages: the thread looks before the third and the fifth. */
	ck_assert_double_eq(run("own=1", SPIN, (struct steps){ { "sr", "" }, 5 }, 1).elapsed_ns,
	    5 * (2 + 3) + 2);
}
END_TEST

START_TEST(who_sends_waits_while_the_channel_is_full)
{
	/* 100 rounds, room for 2: the sender ends with the receiver, not long before. */
	struct modelled r = run("own=1", SPIN, (struct steps){ { "ts", "rgtgtgtg" }, 100 }, 2);

	ck_assert_uint_eq(r.counts.operations, 800);
	ck_assert_double_ge(r.elapsed_ns, 100 * 7 * 11);
	ck_assert_double_gt(r.latency.mean, 10);
	for (unsigned n = 1; n <= 64; n++)
		ck_assert_uint_eq(run("own=1", SPIN, (struct steps){ { "tsrg", "tsrg" }, 10 }, n)
				      .counts.operations,
		    20 * n);
}
END_TEST

START_TEST(threads_that_all_wait_are_an_error)
{
	const struct choice pool = { .plugin = &pool_work.plugin };
	struct steps	    steps = { { "rs", "rs" }, 1 };
	struct modelled	    r;
	struct error	    e;

	ck_assert_int_eq(run_modelled(&r, &pool, "model",
			     (struct instance){ &load_steps.plugin, &steps }, 2, &e),
	    -1);
	ck_assert_ptr_nonnull(strstr(e.text, "thread 0 waits"));
}
END_TEST

START_TEST(a_cost_that_is_no_number_is_an_error)
{
	const struct choice pool = { .plugin = &pool_work.plugin };
	struct steps	    steps = take_and_give(1);
	struct modelled	    r;
	struct error	    e;

	ck_assert_int_eq(run_modelled(&r, &pool, "model:touch=soon",
			     (struct instance){ &load_steps.plugin, &steps }, 2, &e),
	    -1);
	ck_assert_ptr_nonnull(strstr(e.text, "touch of model"));
}
END_TEST

/* ---- pools and loads of the program ---- */

static struct modelled
run_named(const char *pool_text, const char *cores, const char *load_text, unsigned threads)
{
	struct choice	pool, load;
	struct instance at_work;
	struct modelled r;
	struct error	e;

	ck_assert_msg(!registry_choose(PLUGIN_POOL, pool_text, &pool, &e), "%s", e.text);
	ck_assert_msg(!registry_choose(PLUGIN_LOAD, load_text, &load, &e), "%s", e.text);
	at_work = (struct instance){ load.plugin, plugin_state(load.plugin, load.params, &e) };
	ck_assert_ptr_nonnull(at_work.self);
	ck_assert_msg(!run_modelled(&r, &pool, cores, at_work, threads, &e), "%s", e.text);
	free(at_work.self);
	return r;
}

START_TEST(results_do_not_depend_on_where_memory_is)
{
	enum { TIMES = 20 };
	void *in_the_way[TIMES];

	for (const struct plugin *const *pool = PLUGIN_POOL->list; *pool; pool++) {
		const struct modelled first =
		    run_named((*pool)->name, "model", "churn:n=100,rounds=4", 4);

		for (size_t i = 0; i < TIMES; i++) {
			struct modelled again;

			in_the_way[i] = malloc(30000 + i * 16);
			again = run_named((*pool)->name, "model", "churn:n=100,rounds=4", 4);
			ck_assert_msg(!memcmp(&first, &again, sizeof(first)),
			    "%s: %g ns, then %g ns", (*pool)->name, first.elapsed_ns,
			    again.elapsed_ns);
		}
		for (size_t i = 0; i < TIMES; i++)
			free(in_the_way[i]);
	}
}
END_TEST

START_TEST(one_core_counts_as_a_thread_does)
{
	struct modelled r = run_named("buddy", "model", "churn:n=600,rounds=100", 1);

	ck_assert_uint_eq(r.counts.splits, 60300);
	ck_assert_uint_eq(r.counts.merges, 60300);
	ck_assert_uint_eq(r.counts.operations, 120000);
	ck_assert_uint_eq(r.counts.lock_acquisitions, 120000);
	ck_assert_double_ge(r.elapsed_ns, 120000 * (4 + 8));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("cores");

	tcase_add_test(tc, time_of_one_core_is_the_sum_of_its_costs);
	tcase_add_test(tc, cores_that_share_nothing_do_n_times_as_much);
	tcase_add_test(tc, a_line_costs_a_transfer_when_another_core_had_it_last);
	tcase_add_test(tc, a_queue_hands_the_lock_over_at_each_acquisition);
	tcase_add_test(tc, a_lock_that_spins_may_be_overtaken);
	tcase_add_test(tc, hand_overs_and_starts_vary_within_their_spread);
	tcase_add_test(tc, locks_are_taken_in_the_order_of_time_not_of_operations);
	tcase_add_test(tc, who_receives_waits_until_the_page_is_sent);
	tcase_add_test(tc, who_receives_looks_only_for_pages_that_it_does_not_know);
	tcase_add_test(tc, who_sends_looks_for_room_when_it_knows_of_none);
	tcase_add_test(tc, who_sends_waits_while_the_channel_is_full);
	tcase_add_test(tc, threads_that_all_wait_are_an_error);
	tcase_add_test(tc, a_cost_that_is_no_number_is_an_error);
	tcase_add_test(tc, results_do_not_depend_on_where_memory_is);
	tcase_add_test(tc, one_core_counts_as_a_thread_does);
	return run_tests("cores", tc);
}

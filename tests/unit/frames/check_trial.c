/* check_trial.c - a load on a pool: counts, the median, latency, fragmentation. */
#define _GNU_SOURCE /* sched_getaffinity() */
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/studies/frames/model/registry.h"
#include "tests/unit/frames/trying.h"

static struct error e;

/* ---- counts ---- */

static const struct known {
	const char *pool, *load;
	uint64_t    splits, merges;
} known[] = {
	{ "buddy", "churn:n=1", 1000, 1000 },
	{ "buddy", "churn:n=100", 10500, 10500 },
	{ "buddy", "churn:n=186", 19000, 19000 },
	{ "buddy", "churn:n=600", 60300, 60300 },
	{ "lazy", "churn:n=1", 10, 0 },
	{ "lazy", "churn:n=100", 105, 0 },
	{ "lazy", "churn:n=186", 190, 0 },
	{ "lazy", "churn:n=600", 41490, 41300 },
	{ "ondemand", "churn:n=1", 0, 0 },
	{ "ondemand", "churn:n=100", 0, 0 },
	{ "ondemand", "churn:n=186", 0, 0 },
	{ "ondemand", "churn:n=600", 0, 0 },
};

START_TEST(splits_and_merges_are_those_of_the_paper)
{
	const struct known *k = &known[_i / 2];
	struct instance	    load = load_by_name(k->load);
	struct trial	    t = trial_of(k->pool, load, 1);
	struct trial_result r;

	t.cores = cores_by_name(_i % 2 ? "model" : "real");
	r = result_of(&t);
	ck_assert_uint_eq(r.counts.splits, k->splits);
	ck_assert_uint_eq(r.counts.merges, k->merges);
	ck_assert_uint_eq(r.counts.operations, r.script_operations);
	ck_assert_uint_eq(r.counts.failed, 0);
	free(load.self);
}
END_TEST

START_TEST(one_thread_counts_what_calls_count)
{
	static void	    *page[600];
	struct instance	     load = load_by_name("churn:n=600,rounds=10");
	struct trial	     t = trial_of("lazy:limit=100", load, 1);
	struct frames	    *f = frames_open(&t.pool, &t.shape, &e);
	struct trial_result  r;
	struct frames_counts n;

	for (unsigned round = 0; round < 10; round++) {
		for (unsigned i = 0; i < 600; i++)
			page[i] = frames_alloc(frames_thread(f, 0), 0);
		for (unsigned i = 0; i < 600; i++)
			frames_free(frames_thread(f, 0), page[i], 0);
	}
	n = frames_counts(f);
	r = result_of(&t);
	ck_assert_mem_eq(&r.counts, &n, sizeof(n));
	ck_assert_uint_eq(r.script_operations, 12000);
	frames_close(f);
	free(load.self);
}
END_TEST

START_TEST(each_pool_serves_each_load_on_all_cores)
{
	static const unsigned threads[] = { 1, 2, 8 };

	for (const struct plugin *const *p = PLUGIN_POOL->list; *p; p++)
		for (const struct plugin *const *l = PLUGIN_LOAD->list; *l; l++)
			for (unsigned i = 0; i < 6; i++) {
				struct instance	    load = load_by_name((*l)->name);
				struct trial	    t = trial_of((*p)->name, load, threads[i % 3]);
				struct trial_result r;

				t.cores = cores_by_name(i / 3 ? "model" : "real");
				r = result_of(&t);
				REQUIRE(r.counts.operations + 2 * r.counts.failed ==
					r.script_operations,
				    "%s %s %u", (*p)->name, (*l)->name, i);
				REQUIRE(r.elapsed_ns > 0 && trial_rate(&r) > 0, "%s %s %u",
				    (*p)->name, (*l)->name, i);
				free(load.self);
			}
}
END_TEST

/* ---- a pool that takes its time, and counts how often it was started ---- */

static struct {
	const unsigned *ms; /* of a request, in each repetition */
	unsigned	started;
#ifdef __linux__
	cpu_set_t cores; /* of a thread that makes a request */
#endif
} slow;

static int
slow_init(void *self, const struct arena *a, unsigned threads, struct error *error)
{
	(void)self;
	(void)a;
	(void)threads;
	(void)error;
	slow.started++;
	return 0;
}

static void
slow_release(void *self)
{
	(void)self;
}

static page_t
slow_alloc(void *self, struct frames_thread *t, unsigned order)
{
	struct timespec time = { .tv_nsec = (long)slow.ms[slow.started - 1] * 1000000 };

	(void)self;
	(void)order;
	nanosleep(&time, NULL);
	t->counts.splits = slow.started;
#ifdef __linux__
	sched_getaffinity(0, sizeof(slow.cores), &slow.cores);
#endif
	return t->number;
}

static void
slow_free(void *self, struct frames_thread *t, page_t page, unsigned order)
{
	(void)self;
	(void)t;
	(void)page;
	(void)order;
}

static const struct pool slow_pool = { .plugin = { .name = "slow", .state_size = 1 },
	.init = slow_init,
	.release = slow_release,
	.alloc = slow_alloc,
	.free = slow_free };

/* One request, by thread 1 of two. */
static struct trial_result
result_of_slow(const unsigned *ms, unsigned repeat, bool latency)
{
	struct typed	    typed = { { "", "t00 g00" }, 1 };
	struct trial	    t = trial_of("buddy", load_typed(&typed), 2);
	struct trial_result r;

	slow.ms = ms;
	slow.started = 0;
	t.pool = (struct choice){ .plugin = &slow_pool.plugin };
	t.shape.checked = false; /* it has no pages to look for */
	t.repeat = repeat;
	t.latency = latency;
	r = result_of(&t);
	ck_assert_uint_eq(slow.started, repeat + latency);
	return r;
}

static void
check_ms(double ns, unsigned ms)
{
	REQUIRE(ns >= 1e6 * ms && ns < 1e6 * (ms + 90), "%g ns, not %u ms", ns, ms);
}

START_TEST(counts_and_time_are_of_the_median)
{
	struct trial_result r =
	    result_of_slow((const unsigned[]){ 400, 1, 300, 200, 100 }, 5, false);

	check_ms(r.elapsed_ns, 200);
	check_ms(r.elapsed_min_ns, 1);
	check_ms(r.elapsed_max_ns, 400);
	ck_assert_uint_eq(r.counts.splits, 4);
	ck_assert_uint_eq(r.counts.operations, 2);
}
END_TEST

START_TEST(of_an_even_number_it_is_the_lower_one)
{
	struct trial_result r = result_of_slow((const unsigned[]){ 300, 200, 100, 1 }, 4, false);

	check_ms(r.elapsed_ns, 100);
	ck_assert_uint_eq(r.counts.splits, 3);
	check_ms(r.elapsed_max_ns, 300);
}
END_TEST

START_TEST(latency_is_measured_apart)
{
	struct trial_result r = result_of_slow((const unsigned[]){ 1, 200 }, 1, true);

	check_ms(r.elapsed_ns, 1);
	ck_assert_uint_eq(r.counts.splits, 1);
	check_ms(r.latency.max, 200); /* of the request; the free takes nothing */
	ck_assert(r.latency.p50 < 9e7 && r.latency.p50 > 0);
	check_ms(2 * r.latency.mean, 200);
	ck_assert(r.latency.p90 >= r.latency.max);
}
END_TEST

#ifdef __linux__
START_TEST(a_thread_stays_on_a_core_of_those_that_it_may_use)
{
	cpu_set_t may, after;
	size_t	  core = 0;

	sched_getaffinity(0, sizeof(may), &may);
	result_of_slow((const unsigned[]){ 1 }, 1, false);
	sched_getaffinity(0, sizeof(after), &after);
	ck_assert(CPU_EQUAL(&after, &may));
	ck_assert_int_eq(CPU_COUNT(&slow.cores), 1);
	while (!CPU_ISSET(core, &may))
		core++;
	if (CPU_COUNT(&may) == 1) {
		ck_assert(CPU_ISSET(core, &slow.cores));
		return;
	}
	do /* thread 1 is on the second one */
		core++;
	while (!CPU_ISSET(core, &may));
	ck_assert(CPU_ISSET(core, &slow.cores));
}
END_TEST
#endif

/* ---- latency ---- */

START_TEST(percentiles_rise_to_the_maximum)
{
	for (unsigned i = 0; i < 2; i++) {
		struct instance	     load = load_by_name("pass:rounds=20");
		struct trial	     t = trial_of("buddy", load, 2);
		struct trial_latency l;

		t.latency = true;
		t.cores = cores_by_name(i ? "model" : "real");
		l = result_of(&t).latency;
		ck_assert(0 < l.p50 && l.p50 <= l.p90 && l.p90 <= l.p99 && l.p99 <= l.p999 &&
		    l.p999 <= l.max && 0 < l.mean && l.mean <= l.max);
		free(load.self);
	}
}
END_TEST

START_TEST(modelled_cores_always_say_the_same)
{
	struct instance	    load = load_by_name("mixed:rounds=2");
	struct trial	    t = trial_of("buddy", load, 8);
	struct trial_result r, again;

	t.cores = cores_by_name("model");
	t.latency = t.fragment = true;
	t.repeat = 3;
	r = result_of(&t);
	again = result_of(&t);
	ck_assert_mem_eq(&r, &again, sizeof(r));
	ck_assert(r.elapsed_ns == r.elapsed_min_ns && r.elapsed_ns == r.elapsed_max_ns);
	free(load.self);
}
END_TEST

/* ---- fragmentation ---- */

static struct trial_fragments
fragments_of(const char *pool, const char *moves, uint64_t blocks, uint64_t block_pages)
{
	struct typed typed = { { moves, moves }, 1 };
	struct trial t = trial_of(pool, load_typed(&typed), 1);

	t.shape.blocks = blocks;
	t.shape.block_pages = block_pages;
	t.fragment = true;
	return result_of(&t).fragments;
}

static void
check_shares(const double *share, unsigned n, const double *expected)
{
	for (unsigned k = 0; k < n; k++)
		REQUIRE(share[k] == expected[k], "order %u: %g", k, share[k]);
}

/* Every other page of a block is taken, then all of the other block. */
#define COMB "t00 t10 t20 t30 t40 t50 t60 t70 g00 g20 g40 g60 t83 g83 t83 g83 g10 g30 g50 g70"

START_TEST(requests_are_met_as_far_as_free_pages_are_together)
{
	struct trial_fragments f = fragments_of("buddy", COMB, 2, 8);

	ck_assert_uint_eq(f.orders, 4);
	ck_assert_uint_eq(f.total_pages, 16);
	ck_assert_uint_eq(f.free_pages, 4);
	check_shares(f.met, 4, (const double[]){ 1, 0, 0, 0 });
	check_shares(f.met_after, 4, (const double[]){ 1, 1, 1, 1 });
	/* Of 20 moves: sample i is after move 20 i / 64, rounded up. */
	ck_assert_int_eq(f.largest[0], 3);
	ck_assert_int_eq(f.largest[25], 3); /* the other block, after 8 */
	ck_assert_int_eq(f.largest[41], 0); /* after 13 */
	ck_assert_int_eq(f.largest[44], 3); /* after 14 */
	ck_assert_int_eq(f.largest[48], 0); /* after 15 */
	ck_assert_int_eq(f.largest[64], 3);
}
END_TEST

START_TEST(they_are_compared_with_what_free_pages_would_be_enough_for)
{
	/* 3 of 16 pages are taken: 13 are free, in 1 + 4 + 8. */
	struct trial_fragments f = fragments_of("buddy", "t00 t10 t20 g00 g10 g20", 1, 16);

	check_shares(f.met, 5, (const double[]){ 1, 1, 1, 1, 0 });
	/* Half of one block in single pages, and a whole one. */
	f = fragments_of("buddy", COMB, 3, 8);
	check_shares(f.met, 4, (const double[]){ 1, 4.0 / 6, 2.0 / 3, 1 });
}
END_TEST

START_TEST(of_several_moments_with_as_many_pages_it_is_the_last)
{
	/* Of one block pages 0 and 2 are taken, then 0 and 1; each time all of the other one. */
	struct trial_fragments f =
	    fragments_of("buddy", "t00 t10 t20 t30 g10 g30 t83 g83 g20 t10 t83 g83 g10 g00", 2, 8);

	ck_assert_uint_eq(f.free_pages, 6);
	check_shares(f.met, 4, (const double[]){ 1, 1, 1, 0 });
}
END_TEST

START_TEST(what_a_pool_keeps_for_a_thread_is_missed_after_the_load)
{
	/* Thread 1 has freed a page of the only block, and keeps it. */
	struct typed	       typed = { { "", "t00 g00" }, 1 };
	struct trial	       t = trial_of("lazy:limit=1,batch=1", load_typed(&typed), 2);
	struct trial_fragments f;

	t.shape.blocks = 1;
	t.shape.block_pages = 4;
	t.fragment = true;
	f = result_of(&t).fragments;
	check_shares(f.met, 3, (const double[]){ 1, 1, 0 });
	check_shares(f.met_after, 3, (const double[]){ 0.75, 0.5, 0 });
}
END_TEST

START_TEST(fragmentation_does_not_depend_on_time)
{
	for (const struct plugin *const *p = PLUGIN_POOL->list; *p; p++)
		for (unsigned i = 0; i < 2; i++) {
			struct instance load =
			    load_by_name(i ? "mixed:rounds=2,n=300,steps=1000" : "pass:rounds=3");
			struct trial	    t = trial_of((*p)->name, load, 8);
			struct trial_result r, again;

			t.fragment = true;
			r = result_of(&t);
			again = result_of(&t);
			ck_assert_mem_eq(&r.fragments, &again.fragments, sizeof(r.fragments));
			REQUIRE(r.fragments.largest[0] == 10 && r.fragments.met[0] > 0, "%s",
			    (*p)->name);
			free(load.self);
		}
}
END_TEST

START_TEST(pages_that_are_never_sent_are_an_error)
{
	struct typed	    typed = { { "r00 t10 s10 g00", "r00 t10 s10 g00" }, 1 };
	struct trial	    t = trial_of("buddy", load_typed(&typed), 2);
	struct trial_result r;

	t.cores = cores_by_name("model");
	ck_assert_int_eq(trial_run(&r, &t, &e), -1);
	ck_assert_str_eq(e.text, "thread 0 waits for a page that is never sent");
	ck_assert_uint_eq(r.script_operations, 0);
}
END_TEST

/* ---- bad settings ---- */

static const struct bad {
	unsigned    threads, repeat;
	const char *why;
} bad[] = {
	{ 1, 0, "a trial has 1 to 1000 repetitions, not 0" },
	{ 1, 1001, "a trial has 1 to 1000 repetitions, not 1001" },
	{ 0, 1, "1 to 256 threads use an allocator, not 0" },
	{ 257, 1, "1 to 256 threads use an allocator, not 257" },
};

START_TEST(bad_settings_are_usage_errors)
{
	struct instance	    load = load_by_name("churn");
	struct trial	    t = trial_of("buddy", load, bad[_i].threads);
	struct trial_result r;

	t.repeat = bad[_i].repeat;
	ck_assert_int_eq(trial_run(&r, &t, &e), -1);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_str_eq(e.text, bad[_i].why);
	free(load.self);
}
END_TEST

START_TEST(threads_that_cannot_start_are_an_error)
{
	struct instance	    load = load_by_name("churn:n=1,rounds=1");
	struct trial	    t = trial_of("buddy", load, 256);
	struct rlimit	    limit = { 1 << 28, 1 << 28 }; /* too little for so many stacks */
	struct trial_result r;

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	ck_assert_int_eq(trial_run(&r, &t, &e), -1);
	ck_assert_msg(!strncmp(e.text, "cannot start thread ", 20), "%s", e.text);
	free(load.self);
}
END_TEST

static TCase *
counts_and_times(void)
{
	TCase *tc = tcase_create("trial");

	tcase_add_loop_test(tc, splits_and_merges_are_those_of_the_paper, 0,
	    2 * sizeof(known) / sizeof(*known));
	tcase_add_test(tc, one_thread_counts_what_calls_count);
	tcase_add_test(tc, each_pool_serves_each_load_on_all_cores);
	tcase_add_test(tc, counts_and_time_are_of_the_median);
	tcase_add_test(tc, of_an_even_number_it_is_the_lower_one);
	tcase_add_test(tc, latency_is_measured_apart);
#ifdef __linux__
	tcase_add_test(tc, a_thread_stays_on_a_core_of_those_that_it_may_use);
#endif
	tcase_add_test(tc, percentiles_rise_to_the_maximum);
	tcase_add_test(tc, modelled_cores_always_say_the_same);
	return tc;
}

int
main(void)
{
	TCase *tc = counts_and_times();

	tcase_add_test(tc, requests_are_met_as_far_as_free_pages_are_together);
	tcase_add_test(tc, they_are_compared_with_what_free_pages_would_be_enough_for);
	tcase_add_test(tc, of_several_moments_with_as_many_pages_it_is_the_last);
	tcase_add_test(tc, what_a_pool_keeps_for_a_thread_is_missed_after_the_load);
	tcase_add_test(tc, fragmentation_does_not_depend_on_time);
	tcase_add_test(tc, pages_that_are_never_sent_are_an_error);
	tcase_add_loop_test(tc, bad_settings_are_usage_errors, 0, sizeof(bad) / sizeof(*bad));
	if (!SANITIZED)
		tcase_add_test(tc, threads_that_cannot_start_are_an_error);
	return run_tests("trial", tc);
}

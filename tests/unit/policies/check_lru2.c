/* check_lru2.c - LRU-2: known answers, a model of it, its history and its parameters. */
#include "tests/unit/policies/model.h"

static const struct row rows[] = {
	{ "lru2:crp=0", 2, 4, 0, 8, 846, ".H.H.....H.", 2 },
	{ "lru2:crp=2", 2, 4, 0, 6, 839, ".H.H.....H.", 2 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

/* ---- a model ---- */

static struct {
	uint64_t h1, h2, last, touch;
} of[BLOCKS + 1];
static block_t	history[BLOCKS + 1]; /* the oldest first */
static unsigned nhistory, history_limit, history_per_cent;
static uint64_t crp;

static void
started(frame_t frames)
{
	history_limit = frames * history_per_cent / 100 ? frames * history_per_cent / 100 : 1;
	nhistory = 0;
}

/* Block b is to come in, with what is remembered of it. */
static void
missed(block_t b)
{
	for (unsigned i = 0; i < nhistory; i++)
		if (history[i] == b) {
			memmove(&history[i], &history[i + 1], (--nhistory - i) * sizeof(*history));
			return;
		}
	of[b].h1 = of[b].h2 = 0;
}

static void
demanded(block_t b, bool first)
{
	if (first) {
		of[b].h2 = of[b].h1;
		of[b].h1 = model_now;
	} else if (model_now - of[b].last > crp) {
		of[b].h2 = of[b].last;
		of[b].h1 = model_now;
	}
	of[b].last = model_now;
	of[b].touch = model_touches;
}

static void
prefetched(block_t b)
{
	of[b].last = model_now;
	of[b].touch = model_touches;
}

static void
evicted(block_t b, bool unused)
{
	if (unused)
		return;
	history[nhistory++] = b;
	if (nhistory > history_limit)
		memmove(history, history + 1, --nhistory * sizeof(*history));
}

static bool
before(block_t a, block_t b)
{
	bool a_may = model_now - of[a].last > crp, b_may = model_now - of[b].last > crp;

	if (a_may != b_may)
		return a_may;
	if (a_may && of[a].h2 != of[b].h2)
		return of[a].h2 < of[b].h2;
	return of[a].touch < of[b].touch;
}

static const struct model model = { started, missed, demanded, prefetched, evicted, before };

START_TEST(victims_are_those_of_a_model)
{
	static const unsigned period[] = { 0, 1, 2, 5, 20, 100 }, per_cent[] = { 1, 20, 100 };

	for (unsigned i = 0; i < 6 * 3; i++) {
		char setting[64];

		crp = period[i / 3];
		history_per_cent = per_cent[i % 3];
		snprintf(setting, sizeof(setting), "lru2:crp=%u,history=%u%%", period[i / 3],
		    per_cent[i % 3]);
		check_model(&model, setting);
	}
}
END_TEST

/* ---- what is evicted, and what is remembered ---- */

START_TEST(the_order_after_a_scan_is_known)
{
	char text[64];

	order_after(text, sizeof(text), "lru2:crp=0", SCAN);
	ck_assert_str_eq(text, "9 10 1 2"); /* H2: 0 0 15 16 */
	start("lru2:crp=0", 4);
	play(SCAN);
	play("5 6 7 8"); /* each is remembered, and makes room in the history for itself */
	ck_assert_uint_eq(player.ghosts, 4);
	finish();
	start("lru2:crp=0", 4);
	play(SCAN);
	play("4");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(references_within_the_correlated_period_count_once)
{
	char text[64];

	order_after(text, sizeof(text), "lru2:crp=3", "1 1 2 3 4 4 4 5 5 5");
	ck_assert_str_eq(text, "2 3 4 5");
	order_after(text, sizeof(text), "lru2:crp=0", "1 1 2 3 4 4 4 5 5 5");
	ck_assert_str_eq(text, "3 1 4 5");
}
END_TEST

START_TEST(a_block_within_the_correlated_period_goes_last)
{
	start("lru2:crp=2", 3);
	play("1 2 1 2 3 3 3 4"); /* 3 has one reference, which was just now */
	ck_assert(cache_find(&player.cache, 3));
	ck_assert(!cache_find(&player.cache, 1));
	finish();
	start("lru2:crp=1000", 3);
	play("1 2 3 1 4"); /* all are within it: the one touched longest ago goes */
	ck_assert(!cache_find(&player.cache, 2));
	finish();
}
END_TEST

START_TEST(an_endless_correlated_period_makes_it_lru)
{
	for (frame_t c = 1; c <= SKEW_BLOCKS; c++)
		check_same_hits("lru2:crp=4294967295", "lru", c);
}
END_TEST

START_TEST(the_history_is_limited)
{
	static const struct {
		const char *setting;
		uint64_t    ghosts;
	} known[] = {
		{ "lru2:crp=0", 4 },
		{ "lru2:crp=0,history=3b", 3 },
		{ "lru2:crp=0,history=50%", 2 },
		{ "lru2:crp=0,history=1b", 1 },
	};

	/* 1 to 6 are evicted; then the last ones come back, the oldest of them first. */
	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++) {
		start(known[i].setting, 4);
		play("1 2 3 4 5 6 7 8 9 10");
		for (block_t b = 7 - (block_t)known[i].ghosts; b <= 6; b++)
			demand(b);
		ck_assert_uint_eq(player.ghosts, known[i].ghosts);
		finish();
		start(known[i].setting, 4);
		play("1 2 3 4 5 6 7 8 9 10");
		demand(6 - (block_t)known[i].ghosts);
		ck_assert_uint_eq(player.ghosts, 0);
		finish();
	}
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("lru2");
	check_prefetch_counts_once("lru2:crp=1");
	check_prefetch_counts_once("lru2:crp=2");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("lru2:crp=0", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(a_prefetched_block_keeps_what_was_remembered)
{
	char text[64];

	order_after(text, sizeof(text), "lru2:crp=0", "1 2 3 4 5 +1 1 6 7");
	ck_assert_str_eq(text, "5 6 1 7"); /* 1 was referenced twice; 7 just now */
	order_after(text, sizeof(text), "lru2:crp=0", "1 1 2 2 3 3 4 4 5 +1 6 7");
	ck_assert_str_eq(text,
	    "1 3 4 7"); /* 1 goes before 3, as it would have at 5, not before 6 */
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	start("lru2:crp=0", 4);
	check_passes_over();
	finish();
	start("lru2", 4);
	check_passes_over();
	finish();
}
END_TEST

START_TEST(a_history_larger_than_the_cache_is_refused)
{
	struct error	     e = { 0 };
	const char	    *params;
	const void	    *found = registry_find(PLUGIN_POLICY, "lru2:history=5b", &params, &e);
	const struct policy *p = found;
	void		    *self = calloc(1, p->plugin.state_size);

	ck_assert_int_eq(cache_init(&player.cache, 4, BLOCKS + 1, &e), 0);
	ck_assert_int_eq(params_set(&p->plugin, self, params, &e), 0);
	ck_assert_int_ne(p->init(self, &player.cache, &given.trace, NULL, &e), 0);
	ck_assert_ptr_nonnull(strstr(e.text, "history of lru2 is at most 4 blocks"));
	p->release(self);
	free(self);
	cache_release(&player.cache);
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 2);
	tcase_add_test(tests, victims_are_those_of_a_model);
	tcase_add_test(tests, the_order_after_a_scan_is_known);
	tcase_add_test(tests, references_within_the_correlated_period_count_once);
	tcase_add_test(tests, a_block_within_the_correlated_period_goes_last);
	tcase_add_test(tests, an_endless_correlated_period_makes_it_lru);
	tcase_add_test(tests, the_history_is_limited);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, a_prefetched_block_keeps_what_was_remembered);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, a_history_larger_than_the_cache_is_refused);
}

int
main(void)
{
	TCase *tests = tcase_create("lru2");

	add_tests(tests);
	return run_tests("lru2", tests);
}

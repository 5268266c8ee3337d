/* check_loads.c - what load.h promises of every load that is registered, and what each asks for. */
#include "sim/studies/frames/model/registry.h"
#include "tests/unit/frames/trying.h"

static struct error e;

static const struct frames_shape one = { 4, 1024, 1, false };

static struct script
script_of(const char *text, unsigned thread, const struct frames_shape *shape)
{
	struct instance	   load = load_by_name(text);
	const struct load *l = (const struct load *)(const void *)load.plugin;
	struct script	   s = { 0 };

	ck_assert_msg(!l->write(load.self, &s, thread, shape, &e), "%s: %s", text, e.text);
	free(load.self);
	return s;
}

/* ---- all of them ---- */

static const unsigned threads[] = { 1, 2, 8 };

static void
check_balance(const char *name, unsigned n)
{
	struct instance	    load = load_by_name(name);
	struct trial	    t = trial_of("buddy", load, n);
	struct trial_result r;

	t.shape.blocks = 64;
	t.fragment = true;
	r = result_of(&t);
	REQUIRE(r.script_operations && r.counts.operations == r.script_operations &&
		!r.counts.failed && r.counts.splits == r.counts.merges,
	    "%s on %u threads", name, n);
	REQUIRE(r.fragments.met_after[10] == 1, "%s on %u threads", name, n);
	free(load.self);
}

START_TEST(each_page_is_given_back)
{
	for (const struct plugin *const *p = PLUGIN_LOAD->list; *p; p++)
		for (unsigned i = 0; i < sizeof(threads) / sizeof(*threads); i++)
			check_balance((*p)->name, threads[i]);
}
END_TEST

START_TEST(so_it_is_when_the_arena_has_too_few)
{
	for (const struct plugin *const *p = PLUGIN_LOAD->list; *p; p++) {
		struct instance	    load = load_by_name((*p)->name);
		struct trial	    t = trial_of("buddy", load, 2);
		struct trial_result r;

		t.shape.blocks = 1;
		t.shape.block_pages = 64;
		t.fragment = true;
		r = result_of(&t);
		REQUIRE(r.counts.failed && r.counts.splits == r.counts.merges, "%s", (*p)->name);
		REQUIRE(r.fragments.met_after[6] == 1, "%s", (*p)->name);
		REQUIRE(r.counts.operations + 2 * r.counts.failed == r.script_operations, "%s",
		    (*p)->name);
		free(load.self);
	}
}
END_TEST

/* No request has a slot in which a page is, and only what was taken is given back, or sent. */
static void
check_slots(const char *name, const struct script *s)
{
	uint8_t *held = calloc(s->slots + 1, 1);

	for (size_t i = 0; i < s->moves; i++) {
		const struct move *m = &s->move[i];
		bool		   fills = m->kind == MOVE_TAKE || m->kind == MOVE_RECEIVE;

		REQUIRE(m->slot < s->slots && held[m->slot] == !fills, "%s: move %zu", name, i);
		held[m->slot] = fills;
	}
	for (uint32_t i = 0; i < s->slots; i++)
		REQUIRE(!held[i], "%s: slot %u after a round", name, i);
	free(held);
}

START_TEST(slots_are_empty_before_and_after_a_round)
{
	const struct frames_shape shape = { 4, 1024, 8, false };

	for (const struct plugin *const *p = PLUGIN_LOAD->list; *p; p++)
		for (unsigned i = 0; i < 8; i++) {
			struct script s = script_of((*p)->name, i, &shape);

			check_slots((*p)->name, &s);
			script_release(&s);
		}
}
END_TEST

/* ---- each ---- */

static uint64_t
requests(const struct script *s, unsigned order)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->moves; i++)
		n += s->move[i].kind == MOVE_TAKE && s->move[i].order == order;
	return n;
}

/* Slots that are held at once. */
static uint64_t
most_held(const struct script *s)
{
	uint64_t held = 0, most = 0;

	for (size_t i = 0; i < s->moves; i++) {
		held += s->move[i].kind == MOVE_TAKE;
		held -= s->move[i].kind == MOVE_GIVE;
		most = held > most ? held : most;
	}
	return most;
}

START_TEST(mixed_has_the_orders_in_their_shares)
{
	struct script s = script_of("mixed:n=100,steps=99900,single=0.3,order=4", 0, &one);
	const double  shares[] = { 0.3, 0.7 * 8 / 15, 0.7 * 4 / 15, 0.7 * 2 / 15, 0.7 / 15, 0 };

	for (unsigned k = 0; k < 6; k++) {
		double is = (double)requests(&s, k) / 100000;

		REQUIRE(is >= shares[k] - 0.005 && is <= shares[k] + 0.005, "order %u: %g", k, is);
	}
	ck_assert_uint_eq(requests(&s, 5), 0);
	ck_assert_uint_eq(s.moves, 200000);
	ck_assert_uint_eq(most_held(&s), 100);
	script_release(&s);
}
END_TEST

START_TEST(mixed_has_only_single_pages_or_none)
{
	struct script s = script_of("mixed:n=10,steps=500,single=1", 0, &one);
	struct script t = script_of("mixed:n=10,steps=500,single=0,order=1", 0, &one);

	ck_assert_uint_eq(requests(&s, 0), 510);
	ck_assert_uint_eq(requests(&t, 1), 510);
	script_release(&s);
	script_release(&t);
}
END_TEST

static bool
same(const char *a, unsigned thread_a, const char *b, unsigned thread_b)
{
	struct script x = script_of(a, thread_a, &one), y = script_of(b, thread_b, &one);
	bool	      is = x.moves == y.moves;

	for (size_t i = 0; is && i < x.moves; i++)
		is = x.move[i].slot == y.move[i].slot && x.move[i].kind == y.move[i].kind &&
		    x.move[i].order == y.move[i].order;
	script_release(&x);
	script_release(&y);
	return is;
}

START_TEST(mixed_follows_its_seed_and_thread)
{
	ck_assert(same("mixed", 0, "mixed:seed=1", 0));
	ck_assert(same("mixed:seed=5", 3, "mixed:seed=5", 3));
	ck_assert(!same("mixed", 0, "mixed:seed=2", 0));
	ck_assert(!same("mixed", 0, "mixed", 1));
	ck_assert(!same("mixed:seed=1", 1, "mixed:seed=2", 0));
}
END_TEST

START_TEST(bursts_take_few_pages_and_then_many)
{
	struct script s = script_of("bursts:calm=3,times=4,burst=50,rounds=7", 0, &one);

	ck_assert_uint_eq(s.rounds, 7);
	ck_assert_uint_eq(s.moves, 2 * (3 * 4 + 50));
	ck_assert_uint_eq(most_held(&s), 50);
	s.moves = (size_t)2 * 3 * 4;
	ck_assert_uint_eq(most_held(&s), 3);
	script_release(&s);
}
END_TEST

/* Requests and frees of each of four threads, run by turns; pages are of order 2. */
static void
check_pass(const char *text, const uint64_t expected[4][2])
{
	struct instance	    load = load_by_name(text);
	struct frames_shape shape = { 4, 1024, 4, true };
	struct choice	    pool = pool_by_name("buddy");
	struct frames	   *f = frames_open(&pool, &shape, &e);
	struct players	    p;

	ck_assert_msg(!players_open(&p, f, &load, &shape, &e), "%s", e.text);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(requests(p.player[i].script, 2), expected[i][0]);
		while (player_move(&p.player[i]) == PLAYER_MOVED) {}
		ck_assert_uint_eq(frames_thread(f, i)->counts.operations, expected[i][1]);
	}
	players_close(&p);
	frames_close(f);
	free(load.self);
}

START_TEST(what_a_thread_passes_the_next_one_frees)
{
	/* Thread 0 takes and waits for thread 3; the others have what the one before has sent. */
	check_pass("pass:n=5,rounds=1,order=2",
	    (const uint64_t[4][2]){ { 5, 5 }, { 5, 10 }, { 5, 10 }, { 5, 10 } });
	check_pass("pass:n=5,rounds=2,order=2,roles=apart",
	    (const uint64_t[4][2]){ { 5, 10 }, { 0, 10 }, { 5, 10 }, { 0, 10 } });
}
END_TEST

/* ---- bad settings ---- */

static const struct bad {
	const char	   *load;
	struct frames_shape shape;
	int		    exit_code;
	const char	   *why;
} bad[] = {
	{ "mixed:order=3", { 4, 4, 1, false }, EXIT_USAGE,
	    "order 3: a block has only 4 pages; type a lower order, or --block-pages 8" },
	{ "pass:order=11", { 4, 1024, 1, false }, EXIT_USAGE,
	    "order 11: a block has only 1024 pages; type a lower order, or --block-pages 2048" },
	{ "pass:roles=apart", { 4, 1024, 3, false }, EXIT_USAGE,
	    "roles=apart: threads are pairs, and 3 are not" },
};

START_TEST(a_load_that_cannot_be_is_refused)
{
	struct instance	    load = load_by_name(bad[_i].load);
	struct trial	    t = trial_of("buddy", load, 1);
	struct trial_result r;

	t.shape = bad[_i].shape;
	ck_assert_int_eq(trial_run(&r, &t, &e), -1);
	ck_assert_int_eq(e.exit_code, bad[_i].exit_code);
	ck_assert_str_eq(e.text, bad[_i].why);
	free(load.self);
}
END_TEST

START_TEST(a_block_may_be_the_largest_request)
{
	struct frames_shape shape = { 4, 8, 1, false };
	struct script	    s = script_of("pass:order=3", 0, &shape);

	ck_assert_uint_eq(requests(&s, 3), 256);
	script_release(&s);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("loads");

	tcase_add_test(tc, each_page_is_given_back);
	tcase_add_test(tc, so_it_is_when_the_arena_has_too_few);
	tcase_add_test(tc, slots_are_empty_before_and_after_a_round);
	tcase_add_test(tc, mixed_has_the_orders_in_their_shares);
	tcase_add_test(tc, mixed_has_only_single_pages_or_none);
	tcase_add_test(tc, mixed_follows_its_seed_and_thread);
	tcase_add_test(tc, bursts_take_few_pages_and_then_many);
	tcase_add_test(tc, what_a_thread_passes_the_next_one_frees);
	tcase_add_loop_test(tc, a_load_that_cannot_be_is_refused, 0, sizeof(bad) / sizeof(*bad));
	tcase_add_test(tc, a_block_may_be_the_largest_request);
	return run_tests("loads", tc);
}

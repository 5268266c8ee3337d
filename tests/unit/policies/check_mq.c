/* check_mq.c - MQ: known answers, its queues and their times, against a plain model. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "mq", 2, 4, 0, 6, 875, ".H.H.....H.", 2 },
	{ "mq:queues=1", 2, 4, 0, 6, 761, ".H.H.....H.", 2 },
	{ "mq:accusim=1", 2, 4, 0, 6, 761, ".H.H.....H.", 2 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(the_queues_after_a_scan_are_known)
{
	check_order("mq", 4, SCAN, "9 10 1 2");
	/* 1 has come five times, which its ghost remembered: three more are eight */
	check_order("mq:life=100", 4, SCAN " 1 1 3 3 3 3", "10 2 1 3");
	check_order("mq:life=100", 4, SCAN " 1 1 1 3 3 3 3", "10 2 3 1");
}
END_TEST

/* Of two blocks, the older one is in the higher queue, or both are in the same. */
START_TEST(the_eighth_reference_moves_a_block_to_the_fourth_queue)
{
	check_order("mq:life=100", 4, "1 2", "1 2");
	check_order("mq:life=100", 4, "1 1 2", "2 1");
	check_order("mq:life=100", 4, "1 1 1 2 2", "1 2");
	check_order("mq:life=100", 4, "1 1 1 1 2 2 2", "2 1");
	check_order("mq:life=100", 4, "1 1 1 1 1 1 1 2 2 2 2", "1 2");
	check_order("mq:life=100", 4, "1 1 1 1 1 1 1 1 2 2 2 2 2 2 2", "2 1");
	check_order("mq:life=100,queues=3", 4, "1 1 1 1 1 1 1 1 2 2 2 2", "1 2");
}
END_TEST

START_TEST(a_block_falls_when_its_time_is_over)
{
	/* 1 is referenced last at time 2; it falls at the first reference after 2 + life */
	check_order("mq:life=2b", 4, "1 1 2 3", "2 3 1");
	check_order("mq:life=2b", 4, "1 1 2 3 2", "3 1 2");
	check_order("mq:life=3b", 4, "1 1 2 3 2", "3 1 2");
	check_order("mq:life=2b", 4, "1 1 2 3 4 2 3 4", "1 2 3 4");
	check_order("mq:life=6b", 4, "1 1 2 3 4 2 3 4", "1 2 3 4");
}
END_TEST

START_TEST(a_prefetch_takes_no_time)
{
	check_order("mq:life=1b", 4, "1 1 2", "2 1");
	check_order("mq:life=1b", 4, "1 1 2 +3 +4", "2 3 4 1");
	check_order("mq:life=1b", 4, "1 1 2 3 4", "2 3 1 4");
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once(rows[_i].setting);
}
END_TEST

/* 1 has come three times when it leaves; 5 has come twice. */
#define THREE_OF_1 "1 1 1 2 2 3 3 4 4 5 5 6 "

START_TEST(a_prefetch_keeps_the_references_of_its_ghost)
{
	check_order("mq:life=100", 4, THREE_OF_1 "+1 5", "3 4 1 5");   /* in the second queue */
	check_order("mq:life=100", 4, THREE_OF_1 "+1 1 5", "3 4 5 1"); /* in the third */
	check_order("mq:life=100", 4, THREE_OF_1 "1 5", "3 4 5 1");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("mq", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(as_many_ghosts_are_remembered_as_it_says)
{
	static const struct {
		const char *setting;
		unsigned    found;
	} row[] = { { "mq:ghosts=1b", 1 }, { "mq:ghosts=50%", 2 }, { "mq", 4 },
		{ "mq:ghosts=200%", 8 }, { "mq:ghosts=64b", 9 } };

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		unsigned found = 0;

		start(row[i].setting, 4);
		play("1 2 3 4 5 6 7 8 9 10 11 12 13");
		for (block_t b = 1; b <= 9; b++)
			found += player.policy->miss(player.self, &player.cache, b, false, NULL);
		ck_assert_uint_eq(found, row[i].found);
		finish();
	}
}
END_TEST

START_TEST(one_queue_is_lru_reference_by_reference)
{
	char	lru[LENGTH];
	block_t skew[LENGTH];

	make_skew(skew);
	for (frame_t frames = 1; frames <= SKEW_BLOCKS; frames += 3) {
		for (unsigned i = 0; i < 3; i++) {
			static const char *const setting[] = { "lru", "mq:queues=1",
				"mq:accusim=1" };

			start(setting[i], frames);
			for (unsigned k = 0; k < LENGTH; k++)
				demand(skew[k]);
			if (!i)
				memcpy(lru, player.marks, LENGTH);
			ck_assert(!memcmp(lru, player.marks, LENGTH));
			finish();
		}
	}
}
END_TEST

/* ---- against a plain model: tables by block, all of them looked through ---- */

enum { LIFE = 5, MOST = 6, QUEUES = 4, FRAMES = 6 };

static struct {
	struct {
		bool	 resident, unused, ghost;
		unsigned references, queue;
		uint64_t moved, expiry, left;
	} block[BLOCKS];
	uint64_t now, turn;
} model;

/* The resident block of the lowest queue, and of those the one moved longest ago; of one queue if it is given. */
static block_t
model_oldest(unsigned first, unsigned last)
{
	for (unsigned k = first; k <= last; k++) {
		block_t oldest = 0;

		for (block_t b = 1; b < BLOCKS; b++)
			if (model.block[b].resident && model.block[b].queue == k &&
			    (!oldest || model.block[b].moved < model.block[oldest].moved))
				oldest = b;
		if (oldest)
			return oldest;
	}
	return 0;
}

static void
model_move(block_t b, unsigned queue)
{
	model.block[b].queue = queue;
	model.block[b].moved = ++model.turn;
	model.block[b].expiry = model.now + LIFE;
}

static void
model_leave(block_t b)
{
	unsigned ghosts = 0;
	block_t	 first = 0;

	model.block[b].resident = false;
	model.block[b].ghost = !model.block[b].unused;
	model.block[b].left = ++model.turn;
	for (block_t g = 1; g < BLOCKS; g++) {
		if (!model.block[g].ghost)
			continue;
		ghosts++;
		if (!first || model.block[g].left < model.block[first].left)
			first = g;
	}
	if (ghosts > MOST)
		model.block[first].ghost = false;
}

static void
model_enter(block_t b)
{
	unsigned resident = 0;

	if (!model.block[b].ghost)
		model.block[b].references = 0;
	model.block[b].ghost = false;
	for (block_t k = 1; k < BLOCKS; k++)
		resident += model.block[k].resident;
	if (resident == FRAMES)
		model_leave(model_oldest(0, QUEUES - 1));
	model.block[b].resident = true;
}

static void
model_rank(block_t b)
{
	unsigned queue = 0;

	while (queue + 1 < QUEUES && model.block[b].references >> (queue + 1))
		queue++;
	model_move(b, queue);
}

static void
model_prefetch(block_t b)
{
	if (model.block[b].resident)
		return;
	model_enter(b);
	model.block[b].unused = true;
	model_rank(b);
}

static bool
model_demand(block_t b)
{
	bool hit = model.block[b].resident;

	model.now++;
	if (!hit)
		model_enter(b);
	model.block[b].unused = false;
	model.block[b].references++;
	model_rank(b);
	for (unsigned k = 1; k < QUEUES; k++) {
		block_t oldest = model_oldest(k, k);

		if (oldest && model.block[oldest].expiry < model.now)
			model_move(oldest, k - 1);
	}
	return hit;
}

START_TEST(every_reference_agrees_with_a_plain_model)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t random = seed;

		memset(&model, 0, sizeof(model));
		start("mq:queues=4,life=5b,ghosts=6b", FRAMES);
		for (unsigned i = 0; i < 1000; i++) {
			block_t b = 1 + random_below(&random, 1 + random_below(&random, 24));

			if (seed % 2 && random_below(&random, 3) == 0) {
				prefetch(b);
				model_prefetch(b);
			} else {
				ck_assert_int_eq(demand(b), model_demand(b));
			}
			for (b = 1; b < 32; b++)
				REQUIRE(!cache_find(&player.cache, b) == !model.block[b].resident,
				    "seed %u, step %u: block %u", (unsigned)seed, i, b);
		}
		finish();
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("mq");

	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 3);
	tcase_add_test(tests, the_queues_after_a_scan_are_known);
	tcase_add_test(tests, the_eighth_reference_moves_a_block_to_the_fourth_queue);
	tcase_add_test(tests, a_block_falls_when_its_time_is_over);
	tcase_add_test(tests, a_prefetch_takes_no_time);
	tcase_add_loop_test(tests, a_prefetch_counts_once, 0, 2);
	tcase_add_test(tests, a_prefetch_keeps_the_references_of_its_ghost);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, as_many_ghosts_are_remembered_as_it_says);
	tcase_add_test(tests, one_queue_is_lru_reference_by_reference);
	tcase_add_test(tests, every_reference_agrees_with_a_plain_model);
	return run_tests("mq", tests);
}

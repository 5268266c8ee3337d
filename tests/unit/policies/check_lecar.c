/* check_lecar.c - LeCaR: its experts, examples computed by hand, and a slow model of it. */
#include <math.h>

#include "sim/trace/chance.h"
#include "tests/unit/policies/player.h"

#define ALWAYS_LRU "lecar:start=100%,rate=0"
#define ALWAYS_LFU "lecar:start=0,rate=0"

enum { LRU, LFU };

/* Draw i of the sequence with that seed. */
static double
draw(uint64_t seed, uint64_t i)
{
	return chance_share(chance_at(seed, i));
}

/* ---- the experts alone ---- */

START_TEST(with_all_weight_on_lru_it_is_lru)
{
	check_row(&(struct row){ ALWAYS_LRU, 2, 4, 0, 6, 761, ".H.H.....H.", 2 });
}
END_TEST

START_TEST(with_all_weight_on_lfu_it_is_lfu)
{
	block_t skew[LENGTH];

	make_skew(skew);
	ck_assert_uint_eq(replay(ALWAYS_LFU ",keep=0", 16, skew), 798);
	start(ALWAYS_LFU, 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2");
	finish();
}
END_TEST

START_TEST(a_count_comes_back_with_its_block)
{
	static const char *const setting[] = { ALWAYS_LFU, ALWAYS_LFU ",keep=0" };

	for (unsigned i = 0; i < 2; i++) {
		start(setting[i], 2);
		play("1 1 2 2 2 3"); /* evicts 1, with a count of 2 */
		play("1 1 4");	     /* the count of 1 is 4, or 2; that of 2 is 3 */
		ck_assert_uint_eq(cache_find(&player.cache, i ? 1 : 2), NIL);
		finish();
	}
}
END_TEST

START_TEST(a_prefetch_keeps_the_count_of_a_ghost_but_does_not_raise_it)
{
	start(ALWAYS_LFU, 2);
	play("1 1 1 2 2 2 2 3"); /* evicts 1, with a count of 3 */
	play("+1 1 4");		 /* 4, as 2 has, which is less recent */
	ck_assert(!cache_find(&player.cache, 2));
	finish();
}
END_TEST

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("lecar");
	check_prefetch_counts_once(ALWAYS_LRU);
	check_prefetch_counts_once(ALWAYS_LFU);
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("lecar", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(frames_in_flight_are_passed_over)
{
	static const char *const setting[] = { "lecar", ALWAYS_LRU, ALWAYS_LFU };

	for (unsigned i = 0; i < 3; i++) {
		start(setting[i], 4);
		check_passes_over();
		finish();
	}
}
END_TEST

/* ---- examples computed by hand ---- */

/*
 * Two frames, discount 0.5, rate 0.45, weights 0.5.  The first eviction, at the
 * fourth reference, takes 1 for LRU and 2 for LFU.
 *
 * 1 1 2 3 2 2 3 1	LRU was drawn.  1 comes back at the age of 4: the weight of LFU is
 *			0.5 exp(0.45 * 0.5^(4/2)) = 0.5 * 1.119072, that of LRU
 *			0.5 / (0.5 + 0.559536) = 0.471904.  LRU takes 2 now, LFU 3.
 * 1 1 2 3 2		LFU was drawn.  2 comes back at the age of 1: the weight of LRU is
 *			0.5 exp(0.45 * 0.5^(1/2)) = 0.5 * 1.374648, scaled
 *			0.687324 / (0.687324 + 0.5) = 0.578885.  LRU takes 1 now, LFU 3.
 *
 * The learned weight shows at which number drawn next the choice changes.
 */
static block_t
second_victim(uint64_t seed, bool ahead, int *first)
{
	char	setting[64];
	block_t victim;

	snprintf(setting, sizeof(setting), "lecar:discount=0.5,seed=%u", (unsigned)seed);
	start(setting, 2);
	play("1 1 2 3");
	*first = cache_find(&player.cache, 2) ? LRU : LFU;
	if (*first == LRU)
		play(ahead ? "2 2 3 +1" : "2 2 3 1");
	else
		play(ahead ? "+2" : "2");
	victim = cache_find(&player.cache, 3) ? *first == LRU ? 2 : 1 : 3;
	finish();
	return victim;
}

START_TEST(weights_learned_are_those_computed_by_hand)
{
	static const double  weight[] = { 0.471904, 0.578885 };
	static const block_t lru_victim[] = { 2, 1 };
	double		     nearest[] = { 1, 1 };

	for (uint64_t seed = 1; seed < 20000; seed++) {
		int	first;
		block_t victim = second_victim(seed, false, &first);
		double	distance = draw(seed, 1) - weight[first];

		ck_assert_int_eq(first, draw(seed, 0) < 0.5 ? LRU : LFU);
		if (fabs(distance) > 0.000001)
			ck_assert_uint_eq(victim, distance < 0 ? lru_victim[first] : 3);
		nearest[first] = fmin(nearest[first], fabs(distance));
	}
	ck_assert(nearest[LRU] < 0.001 && nearest[LFU] < 0.001);
}
END_TEST

START_TEST(a_prefetch_of_a_ghost_teaches_nothing)
{
	static const block_t lru_victim[] = { 2, 1 };

	for (uint64_t seed = 1; seed < 1000; seed++) {
		int	first;
		block_t victim = second_victim(seed, true, &first);

		ck_assert_uint_eq(victim, draw(seed, 1) < 0.5 ? lru_victim[first] : 3);
	}
}
END_TEST

/* ---- a model that searches tables ---- */

enum kind { UNKNOWN, RESIDENT, GHOST_OF_LRU, GHOST_OF_LFU };

static struct {
	struct {
		enum kind kind;
		unsigned  count, left;
		uint64_t  touched; /* or remembered: a number that only rises */
		bool	  unused;
	} block[BLOCKS + 1];
	double	 lru, lfu, rate, discount, least;
	unsigned frames, ghosts, now;
	uint64_t turn, draws, seed;
} model;

/* The first of a kind, by count if that is true, then by turn; 0: there are none. */
static block_t
model_first(enum kind kind, bool by_count, unsigned *n)
{
	block_t best = 0;

	*n = 0;
	for (block_t b = 1; b <= BLOCKS; b++) {
		bool same = by_count && best && model.block[b].count == model.block[best].count;

		if (model.block[b].kind != kind)
			continue;
		++*n;
		if (!best ||
		    (by_count && !same ? model.block[b].count < model.block[best].count
				       : model.block[b].touched < model.block[best].touched))
			best = b;
	}
	return best;
}

static void
model_learn(block_t b)
{
	double age = model.now - model.block[b].left;
	double gain = exp(model.rate * pow(model.discount, age / model.frames)), sum;

	*(model.block[b].kind == GHOST_OF_LRU ? &model.lfu : &model.lru) *= gain;
	sum = model.lru + model.lfu;
	model.lru = fmin(fmax(model.lru / sum, model.least), 1 - model.least);
	model.lfu = fmin(fmax(model.lfu / sum, model.least), 1 - model.least);
}

static void
model_make_room(void)
{
	unsigned n;
	bool	 lru;
	block_t	 b = model_first(RESIDENT, false, &n);

	if (n < model.frames)
		return;
	lru = draw(model.seed, model.draws++) < model.lru;
	if (!lru)
		b = model_first(RESIDENT, true, &n);
	model.block[b].kind = model.block[b].unused ? UNKNOWN : lru ? GHOST_OF_LRU : GHOST_OF_LFU;
	model.block[b].left = model.now;
	model.block[b].touched = ++model.turn;
	b = model_first(lru ? GHOST_OF_LRU : GHOST_OF_LFU, false, &n);
	if (n > model.ghosts)
		model.block[b].kind = UNKNOWN;
}

static bool
model_reference(block_t b, bool ahead)
{
	enum kind was = model.block[b].kind;

	if (ahead && was == RESIDENT)
		return true;
	model.now += !ahead;
	if (was == UNKNOWN)
		model.block[b].count = 0;
	else if (was != RESIDENT && !ahead)
		model_learn(b);
	if (was != RESIDENT) {
		model.block[b].kind = UNKNOWN;
		model_make_room();
	}
	model.block[b].kind = RESIDENT;
	model.block[b].count += !ahead;
	model.block[b].unused = ahead;
	model.block[b].touched = ++model.turn;
	return was == RESIDENT;
}

/* Skewed references to blocks that change in time, and prefetches. */
static void
compare(const char *setting, frame_t c)
{
	uint64_t seed = c;

	model.frames = c;
	model.lru = model.lfu = 0.5;
	start(setting, c);
	for (unsigned i = 0; i < 10000; i++) {
		block_t b =
		    1 + random_below(&seed, 1 + random_below(&seed, 3 * c + 9)) + i / 1000 * 3;
		bool ahead = random_below(&seed, 5) == 0, hit = model_reference(b, ahead);

		REQUIRE(hit == (cache_find(&player.cache, b) != NIL), "%s, %u frames, step %u",
		    setting, c, i);
		REQUIRE(fabs(model.lru + model.lfu - 1) < 1e-12, "weights %g and %g", model.lru,
		    model.lfu);
		if (ahead)
			prefetch(b);
		else
			demand(b);
	}
	finish();
	memset(&model, 0, sizeof(model));
}

START_TEST(a_slow_model_has_the_same_hits)
{
	for (frame_t c = 1; c < 70; c += 7) {
		model.rate = 0.45;
		model.discount = 0.005;
		model.least = 0.01;
		model.ghosts = c;
		compare("lecar", c);
		model.rate = 1;
		model.discount = 0.5;
		model.least = 0.25;
		model.ghosts = c < 2 ? 1 : c / 2;
		model.seed = 7;
		compare("lecar:rate=1,discount=50%,least=25%,ghosts=50%,seed=7", c);
	}
}
END_TEST

/* ---- what it is for ---- */

enum { PHASE = 20000, CACHE = 40, HOT = 30 };

/* Two phases: a scan that would take the place of hot blocks, then ever new hot blocks. */
static block_t
phase_block(unsigned i, uint64_t *seed)
{
	if (i < PHASE)
		return i % 3 == 0 ? 1 + random_below(seed, HOT) : 1 + HOT + i % 200;
	return 1 + (i / 100 * 7 + random_below(seed, HOT)) % BLOCKS;
}

static void
hits_of_phases(const char *setting, uint64_t hits[2])
{
	uint64_t seed = 1;

	start(setting, CACHE);
	for (unsigned i = 0; i < 2 * PHASE; i++) {
		demand(phase_block(i, &seed));
		if (i + 1 == PHASE)
			hits[0] = player.hits;
	}
	hits[1] = player.hits - hits[0];
	finish();
}

START_TEST(it_is_near_the_better_expert_in_both_phases)
{
	uint64_t lru[2], lfu[2], both[2];

	hits_of_phases(ALWAYS_LRU, lru);
	hits_of_phases(ALWAYS_LFU, lfu);
	hits_of_phases("lecar", both);
	ck_assert_uint_gt(lfu[0], lru[0]);
	ck_assert_uint_gt(lru[1], lfu[1]);
	ck_assert_uint_gt(10 * both[0], 9 * lfu[0]);
	ck_assert_uint_gt(10 * both[1], 9 * lru[1]);
}
END_TEST

static void
add_experts(TCase *tests)
{
	tcase_add_test(tests, with_all_weight_on_lru_it_is_lru);
	tcase_add_test(tests, with_all_weight_on_lfu_it_is_lfu);
	tcase_add_test(tests, a_count_comes_back_with_its_block);
	tcase_add_test(tests, a_prefetch_keeps_the_count_of_a_ghost_but_does_not_raise_it);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, frames_in_flight_are_passed_over);
}

int
main(void)
{
	TCase *tests = tcase_create("lecar");

	add_experts(tests);
	tcase_add_test(tests, weights_learned_are_those_computed_by_hand);
	tcase_add_test(tests, a_prefetch_of_a_ghost_teaches_nothing);
	tcase_add_test(tests, a_slow_model_has_the_same_hits);
	tcase_add_test(tests, it_is_near_the_better_expert_in_both_phases);
	return run_tests("lecar", tests);
}

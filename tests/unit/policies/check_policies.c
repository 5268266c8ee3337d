/*
 * check_policies.c - replacement policies: known answers, theorems, and what
 * policy.h promises of every one that is registered, with every parameter at
 * its ends.
 *
 * A string is a list of blocks; +n is a prefetch of n, complete at once.
 */
#include "tests/unit/conformance.h"

extern const struct policy policy_lru, policy_fifo, policy_clock;

enum { BLOCKS = 256, LENGTH = 2000 };

/* Everything that is registered. */
static struct settings all;

/* ---- the trace that a policy is given ---- */

/* One call a block.  A test whose references are others still gives a policy this future. */
static struct {
	struct trace	 trace;
	struct access	 call[LENGTH];
	struct open_file open;
	struct file	 file;
	struct use	 use[LENGTH];
	block_t		 ref[LENGTH];
} given;

static void
give(const block_t ref[LENGTH])
{
	given.file = (struct file){ .base = 1, .nblocks = BLOCKS };
	given.trace = (struct trace){ .block_bytes = 4096,
		.block_shift = 12,
		.access = given.call,
		.naccess = LENGTH,
		.open = &given.open,
		.nopen = 1,
		.file = &given.file,
		.nfiles = 1,
		.nprocesses = 1,
		.nblocks = BLOCKS + 1 };
	for (unsigned i = 0; i < LENGTH; i++) {
		given.ref[i] = ref[i];
		given.use[i] = (struct use){ .index = ref[i] - 1, .now = i };
		given.call[i] =
		    (struct access){ .time = i, .offset = (ref[i] - 1) * 4096ull, .length = 4096 };
	}
}

/* ---- a cache with a policy, driven as the simulator drives it ---- */

struct player {
	const struct policy *policy;
	void		    *self;
	struct cache	     cache;
	struct future	     future;
	uint64_t	     hits, wasted;  /* wasted: prefetched, evicted unused */
	char		     marks[LENGTH]; /* H or . for each demand reference */
	size_t		     n;
};

static struct player player;

static void
start(const struct policy *p, const char *params, frame_t frames)
{
	struct error e = { 0 };

	player = (struct player){ .policy = p, .self = calloc(1, p->plugin.state_size + 1) };
	ck_assert_int_eq(cache_init(&player.cache, frames, BLOCKS + 1, &e), 0);
	ck_assert_msg(!params_set(&p->plugin, player.self, params, &e), "%s", e.text);
	if (p->needs & NEEDS_FUTURE)
		ck_assert(!future_init(&player.future, &given.trace, &e));
	ck_assert(!p->init ||
	    !p->init(player.self, &player.cache, &given.trace,
		p->needs & NEEDS_FUTURE ? &player.future : NULL, &e));
}

static void
start_setting(unsigned i, frame_t frames)
{
	const char *params;
	const void *p = registry_find(PLUGIN_POLICY, all.text[i], &params, &(struct error){ 0 });

	start(p, params, frames);
}

static void
finish(void)
{
	if (player.policy->release)
		player.policy->release(player.self);
	free(player.self);
	future_release(&player.future);
	cache_release(&player.cache);
}

/* What the policy is told of a reference to b, if it needs that. */
static const struct use *
use_of(block_t b)
{
	static struct use use;

	use = (struct use){ .index = b - 1, .now = (usec_t)player.n };
	return player.policy->needs & NEEDS_USE ? &use : NULL;
}

/* The frame of a victim, after checking that it may be one. */
static frame_t
evict(block_t incoming)
{
	struct cache *c = &player.cache;
	frame_t	      f = player.policy->evict(player.self, c, incoming);
	const char   *name = player.policy->plugin.name;

	REQUIRE(f >= 1 && f <= c->nused, "%s evicts frame %u", name, f);
	REQUIRE(!(c->frame[f].flags & FRAME_INFLIGHT), "%s evicts a frame in flight", name);
	REQUIRE(cache_find(c, c->frame[f].block) == f, "%s evicts frame %u again", name, f);
	return f;
}

/* b is not resident: bring it in. */
static frame_t
fill(block_t b, uint8_t flags)
{
	struct cache *c = &player.cache;
	frame_t	      f;

	if (player.policy->miss)
		player.policy->miss(player.self, c, b, !(flags & FRAME_PREFETCHED), use_of(b));
	f = cache_take(c);
	if (!f) {
		f = evict(b);
		player.wasted += (c->frame[f].flags & FRAME_PREFETCHED) != 0;
		cache_unbind(c, f);
	}
	cache_bind(c, f, b);
	c->frame[f].flags = flags;
	player.policy->insert(player.self, c, f, use_of(b));
	return f;
}

static bool
demand(block_t b)
{
	frame_t f = cache_find(&player.cache, b);

	if (player.future.next && player.n < LENGTH && given.ref[player.n] == b)
		future_pass(&player.future, b);
	player.marks[player.n++ % LENGTH] = f ? 'H' : '.';
	if (!f) {
		fill(b, 0);
		return false;
	}
	player.policy->hit(player.self, &player.cache, f, use_of(b));
	player.cache.frame[f].flags &= (uint8_t)~FRAME_PREFETCHED;
	player.hits++;
	return true;
}

static void
prefetch(block_t b)
{
	if (!cache_find(&player.cache, b))
		fill(b, FRAME_PREFETCHED);
}

static void
play(const char *string)
{
	const char *s = string;
	int	    used;

	for (unsigned b; sscanf(s, " +%u%n", &b, &used) == 1 || sscanf(s, " %u%n", &b, &used) == 1;
	     s += used) {
		if (memchr(s, '+', (size_t)used))
			prefetch(b);
		else
			demand(b);
	}
	ck_assert_str_eq(s, "");
}

/* Throw everything out: the blocks in the order in which they go. */
static const char *
eviction_order(void)
{
	static char text[8 * BLOCKS];
	size_t	    n = 0;

	text[0] = '\0';
	for (frame_t left = player.cache.nused; left; left--) {
		frame_t f = evict(NIL);

		n += (size_t)snprintf(text + n, sizeof(text) - n, n ? " %u" : "%u",
		    player.cache.frame[f].block);
		cache_unbind(&player.cache, f);
	}
	return text;
}

/* ---- known answers ---- */

#define BELADY "1 2 3 4 1 2 5 1 2 3 4 5"
#define LOOP "1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5"
#define SCAN "1 2 1 2 1 2 3 4 5 6 7 8 9 10 1 2 1 2"
#define AHEAD "1 +2 +3 2 4 +5 +6 5 3 1 7 +8 2 6 8 5"

struct row {
	const struct policy *policy;
	const char	    *params;
	uint64_t	     belady3, belady4, loop, scan, skew;
	const char	    *ahead;
	uint64_t	     wasted;
};

static const struct row rows[] = {
	{ &policy_lru, NULL, 2, 4, 0, 6, 761, ".H.H.....H.", 2 },
	{ &policy_fifo, NULL, 3, 2, 0, 6, 698, ".H.HH....H.", 1 },
	{ &policy_clock, NULL, 2, 4, 0, 6, 785, ".H.HH....H.", 1 },
	{ &policy_clock, "init=1", 3, 2, 0, 6, 739, ".H.H.......", 3 },
};

enum { ROWS = sizeof(rows) / sizeof(*rows), SKEW_BLOCKS = 64 };

static uint64_t
hits_of(const struct row *r, const char *string, frame_t frames)
{
	uint64_t hits;

	start(r->policy, r->params, frames);
	play(string);
	hits = player.hits;
	finish();
	return hits;
}

/* References to 64 blocks, the small ones far more often. */
static void
make_skew(block_t ref[LENGTH])
{
	uint32_t x = 1;

	for (unsigned i = 0; i < LENGTH; i++) {
		uint32_t u;

		x = (uint32_t)((1103515245u * (uint64_t)x + 12345) & INT32_MAX);
		u = x >> 16;
		ref[i] = 1 + ((u * u >> 15) * SKEW_BLOCKS >> 15);
	}
}

/* The hits of the policy that has been started, on the trace that it was given. */
static uint64_t
replay_all(void)
{
	struct batch batch = { .ref = given.ref,
		.use = given.use,
		.future = &player.future,
		.n = LENGTH };

	player.policy->replay(player.self, &player.cache, &batch);
	finish();
	return batch.hits;
}

static uint64_t
replay(const struct policy *p, const char *params, frame_t frames, const block_t *ref)
{
	give(ref);
	start(p, params, frames);
	return replay_all();
}

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	for (const struct row *r = rows; r < rows + ROWS; r++) {
		ck_assert_uint_eq(hits_of(r, BELADY, 3), r->belady3);
		ck_assert_uint_eq(hits_of(r, BELADY, 4), r->belady4);
		ck_assert_uint_eq(hits_of(r, LOOP, 4), r->loop);
		ck_assert_uint_eq(hits_of(r, SCAN, 4), r->scan);
	}
}
END_TEST

START_TEST(skewed_references_give_their_known_hits)
{
	static const block_t begin[] = { 17, 2, 7, 19, 58, 2, 32, 4, 16, 1 };
	block_t		     ref[LENGTH];

	make_skew(ref);
	ck_assert_mem_eq(ref, begin, sizeof(begin));
	for (const struct row *r = rows; r < rows + ROWS; r++)
		ck_assert_uint_eq(replay(r->policy, r->params, 16, ref), r->skew);
}
END_TEST

START_TEST(prefetching_gives_its_known_hits_and_waste)
{
	for (const struct row *r = rows; r < rows + ROWS; r++) {
		start(r->policy, r->params, 4);
		play(AHEAD);
		ck_assert_str_eq(player.marks, r->ahead);
		ck_assert_uint_eq(player.wasted, r->wasted);
		finish();
	}
}
END_TEST

START_TEST(lru_throws_out_the_oldest_reference_first)
{
	start(&policy_lru, NULL, 4);
	play(SCAN);
	ck_assert_str_eq(eviction_order(), "9 10 1 2");
	finish();
	start(&policy_lru, NULL, 4);
	play("1 2 3 4 2 1");
	ck_assert_str_eq(eviction_order(), "3 4 2 1");
	finish();
}
END_TEST

START_TEST(lru_counts_a_prefetch_as_a_reference)
{
	start(&policy_lru, NULL, 4);
	play("1 2 +3 4 1");
	ck_assert_str_eq(eviction_order(), "2 3 4 1");
	finish();
}
END_TEST

START_TEST(fifo_throws_out_in_order_of_arrival_whatever_was_referenced)
{
	start(&policy_fifo, NULL, 4);
	play("1 2 +3 4 2 1 1 3 4");
	ck_assert_str_eq(eviction_order(), "1 2 3 4");
	finish();
}
END_TEST

START_TEST(clock_gives_a_referenced_block_a_second_chance)
{
	start(&policy_clock, NULL, 4);
	play("1 2 3 4 1 3 3");
	ck_assert_str_eq(eviction_order(), "2 4 1 3");
	finish();
	start(&policy_clock, "init=1", 4);
	play("1 2 3 4 5 1"); /* 5 clears all bits and replaces 1, which then replaces 2 */
	ck_assert_str_eq(eviction_order(), "3 4 5 1");
	finish();
}
END_TEST

/* ---- theorems ---- */

/* hits[c]: of a cache of c frames, by looking for each block in a list sorted by last reference. */
static void
stack_hits(const block_t *ref, uint64_t hits[SKEW_BLOCKS + 2])
{
	block_t stack[SKEW_BLOCKS + 1];
	size_t	depth = 0, at;

	memset(hits, 0, (SKEW_BLOCKS + 2) * sizeof(*hits));
	for (unsigned i = 0; i < LENGTH; i++) {
		for (at = 0; at < depth && stack[at] != ref[i]; at++)
			;
		if (at == depth)
			depth++;
		else
			hits[at + 1]++;
		memmove(stack + 1, stack, at * sizeof(*stack));
		stack[0] = ref[i];
	}
	for (unsigned c = 1; c < SKEW_BLOCKS + 2; c++)
		hits[c] += hits[c - 1];
}

START_TEST(lru_hits_at_every_size_equal_those_of_stack_distances)
{
	uint64_t expected[SKEW_BLOCKS + 2], seed = 5;
	block_t	 ref[LENGTH];

	make_skew(ref);
	for (unsigned round = 0; round < 4; round++) {
		stack_hits(ref, expected);
		for (frame_t c = 1; c <= SKEW_BLOCKS + 1; c++)
			ck_assert_uint_eq(replay(&policy_lru, NULL, c, ref), expected[c]);
		for (unsigned i = 0; i < LENGTH; i++)
			ref[i] = 1 + random_below(&seed, i % 50 < 10 ? SKEW_BLOCKS : 20);
	}
}
END_TEST

START_TEST(lru_hits_on_skewed_references_are_known_at_every_small_size)
{
	static const uint64_t known[] = { 0, 55, 131, 186, 242, 296 };
	block_t		      ref[LENGTH];

	make_skew(ref);
	for (frame_t c = 1; c <= 5; c++)
		ck_assert_uint_eq(replay(&policy_lru, NULL, c, ref), known[c]);
	ck_assert_uint_eq(replay(&policy_lru, NULL, SKEW_BLOCKS, ref), LENGTH - SKEW_BLOCKS);
}
END_TEST

START_TEST(fifo_and_textbook_clock_show_beladys_anomaly)
{
	static const struct row anomalous[] = { { .policy = &policy_fifo },
		{ .policy = &policy_clock, .params = "init=1" } };

	for (unsigned i = 0; i < 2; i++) {
		ck_assert_uint_eq(12 - hits_of(&anomalous[i], BELADY, 3), 9);
		ck_assert_uint_eq(12 - hits_of(&anomalous[i], BELADY, 4), 10);
	}
}
END_TEST

START_TEST(a_loop_larger_than_the_cache_never_hits)
{
	for (const struct row *r = rows; r < rows + ROWS; r++) {
		start(r->policy, r->params, 7);
		for (unsigned i = 0; i < 80; i++)
			ck_assert(!demand(1 + i % 8));
		finish();
	}
}
END_TEST

/* ---- prefetched blocks and blocks in flight ---- */

static void
fly(block_t b, bool on)
{
	struct frame *f = &player.cache.frame[cache_find(&player.cache, b)];

	f->flags = (uint8_t)(on ? f->flags | FRAME_INFLIGHT : f->flags & ~FRAME_INFLIGHT);
}

/* What `string` leaves in four frames, in the order in which it would go. */
static void
order_after(char *text, size_t size, const struct row *r, const char *string)
{
	start(r->policy, r->params, 4);
	play(string);
	snprintf(text, size, "%s", eviction_order());
	finish();
}

START_TEST(a_prefetch_and_its_first_reference_count_as_one_reference)
{
	static const char *const pair[][2] = {
		{ "1", "+1 1" },
		{ "1 2 3 4 2 3 5", "1 2 3 4 2 3 +5 5" },
		{ "1 2 1 3", "1 2 1 +3 3" },
		{ "1 1 2 3 2 4 4 5 6", "1 1 +2 2 +3 3 2 4 4 +5 5 +6 6" },
	};
	char plain[64], ahead[64];

	for (const struct row *r = rows; r < rows + ROWS; r++) {
		for (unsigned i = 0; i < 4; i++) {
			order_after(plain, sizeof(plain), r, pair[i][0]);
			order_after(ahead, sizeof(ahead), r, pair[i][1]);
			ck_assert_str_eq(plain, ahead);
		}
	}
}
END_TEST

START_TEST(frames_in_flight_are_passed_over_in_order)
{
	static const struct policy *const ordered[] = { &policy_lru, &policy_fifo, &policy_clock };

	for (unsigned i = 0; i < 3; i++) {
		start(ordered[i], NULL, 4);
		play("1 2 3 4");
		fly(1, true);
		fly(3, true);
		demand(5);
		ck_assert(!cache_find(&player.cache, 2));
		demand(6);
		ck_assert(!cache_find(&player.cache, 4));
		fly(1, false);
		demand(7);
		ck_assert(!cache_find(&player.cache, 1));
		ck_assert(cache_find(&player.cache, 3));
		finish();
	}
}
END_TEST

START_TEST(clock_passes_over_a_frame_in_flight_without_touching_its_bit)
{
	start(&policy_clock, NULL, 3);
	play("1 2 3 1 2");
	fly(1, true);
	demand(4); /* passes 1, clears 2, throws out 3 */
	ck_assert(!cache_find(&player.cache, 3));
	fly(1, false);
	demand(5); /* 1 still has its bit, 2 has lost it */
	ck_assert(cache_find(&player.cache, 1));
	ck_assert(!cache_find(&player.cache, 2));
	finish();
}
END_TEST

START_TEST(with_all_frames_but_one_in_flight_that_one_goes)
{
	enum { FRAMES = 9 };

	for (unsigned p = 0; p < all.n; p++) {
		for (block_t free_block = 1; free_block <= FRAMES; free_block++) {
			start_setting(p, FRAMES);
			play("1 2 +3 4 +5 6 7 8 9 2 4 4 6 3 8 9");
			for (block_t b = 1; b <= FRAMES; b++)
				fly(b, b != free_block);
			demand(FRAMES + 1);
			ck_assert_uint_eq(cache_find(&player.cache, free_block), NIL);
			ck_assert_uint_ne(cache_find(&player.cache, FRAMES + 1), NIL);
			finish();
		}
	}
}
END_TEST

/* ---- conformance of every policy ---- */

/* The map and the frames agree, and no frame is used that was not asked for. */
static void
check_cache(const char *name)
{
	const struct cache *c = &player.cache;
	frame_t		    resident = 0;

	REQUIRE(c->nused <= c->nframes, "%s uses %u frames of %u", name, c->nused, c->nframes);
	for (block_t b = 1; b <= BLOCKS; b++) {
		frame_t f = cache_find(c, b);

		REQUIRE(!f || c->frame[f].block == b, "%s confuses block %u", name, b);
		resident += f != NIL;
	}
	for (frame_t f = c->vacant; f; f = c->frame[f].next)
		resident++;
	REQUIRE(resident == c->nused, "%s lost a frame", name);
}

/* How the next block is chosen. */
enum draft_kind { RANDOM, SKEWED, LOOPING, SAWTOOTH, JUST_EVICTED, ONE, SHAPES };

static block_t
next_block(enum draft_kind shape, unsigned i, frame_t frames, uint64_t *seed)
{
	uint32_t u = random_below(seed, 1000), v = random_below(seed, 1000);

	switch (shape) {
	case SKEWED:
		return 1 + u * v / 1000 * BLOCKS / 1000;
	case LOOPING:
		return 1 + i % (frames + 1);
	case SAWTOOTH:
		return 1 + (i / frames % 2 ? i % frames : frames - i % frames) % BLOCKS;
	case JUST_EVICTED:
		for (block_t b = 1; b <= frames + 1; b++)
			if (!cache_find(&player.cache, b))
				return b;
		return 1;
	case ONE:
		return 1 + i / 100 % 2;
	default:
		return 1 + u % (frames + frames / 2 + 2);
	}
}

/* Keep one frame free of I/O; start or complete that of another block. */
static void
toggle_flight(block_t b, frame_t *flying)
{
	frame_t	      f = cache_find(&player.cache, b);
	struct frame *fr = &player.cache.frame[f];

	if (f && fr->flags & FRAME_INFLIGHT) {
		fr->flags &= (uint8_t)~FRAME_INFLIGHT;
		--*flying;
	} else if (f && *flying + 1 < player.cache.nframes) {
		fr->flags |= FRAME_INFLIGHT;
		++*flying;
	}
}

/* As advice does, throw b out if it is there and not in flight. */
static void
drop(block_t b)
{
	const struct policy *p = player.policy;
	frame_t		     f = cache_find(&player.cache, b);

	REQUIRE(p->remove, "%s has no remove()", p->plugin.name);
	if (!f || player.cache.frame[f].flags & FRAME_INFLIGHT)
		return;
	p->remove(player.self, &player.cache, f);
	cache_vacate(&player.cache, f);
}

static uint64_t
conform(unsigned setting, enum draft_kind shape, frame_t frames)
{
	uint64_t seed = 100 * frames + shape, hits;
	frame_t	 flying = 0;

	start_setting(setting, frames);
	for (unsigned i = 0; i < 1000; i++) {
		block_t b = next_block(shape, i, frames, &seed);

		if (random_below(&seed, 4) == 0)
			prefetch(1 + (b + random_below(&seed, 3)) % BLOCKS);
		if (random_below(&seed, 3) == 0)
			toggle_flight(1 + random_below(&seed, frames + 2), &flying);
		if (random_below(&seed, 8) == 0)
			drop(1 + random_below(&seed, frames + 2));
		demand(b);
		REQUIRE(cache_find(&player.cache, b), "%s did not let %u in", all.text[setting], b);
		check_cache(all.text[setting]);
	}
	hits = player.hits;
	finish();
	return hits;
}

START_TEST(every_policy_keeps_to_its_frames_on_random_and_adversarial_strings)
{
	static const frame_t size[] = { 1, 2, 3, 4, 8, 16, 50, 100 };

	for (unsigned p = 0; p < all.n; p++)
		for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++)
			for (enum draft_kind shape = 0; shape < SHAPES; shape++)
				conform(p, shape, size[i]);
}
END_TEST

START_TEST(every_policy_gives_the_same_hits_twice)
{
	for (unsigned p = 0; p < all.n; p++)
		for (enum draft_kind shape = 0; shape < SHAPES; shape++)
			ck_assert_uint_eq(conform(p, shape, 10), conform(p, shape, 10));
}
END_TEST

START_TEST(every_policy_hits_everything_once_the_cache_holds_it_all)
{
	block_t ref[LENGTH];

	make_skew(ref);
	give(ref);
	for (unsigned p = 0; p < all.n; p++) {
		start_setting(p, SKEW_BLOCKS);
		ck_assert_uint_eq(replay_all(), LENGTH - SKEW_BLOCKS);
	}
}
END_TEST

START_TEST(every_policy_replays_as_it_steps)
{
	block_t ref[LENGTH];

	make_skew(ref);
	give(ref);
	for (unsigned p = 0; p < all.n; p++) {
		for (frame_t c = 1; c < SKEW_BLOCKS; c += 3) {
			uint64_t stepped;

			start_setting(p, c);
			for (unsigned i = 0; i < LENGTH; i++)
				demand(ref[i]);
			stepped = player.hits;
			finish();
			start_setting(p, c);
			ck_assert_uint_eq(replay_all(), stepped);
		}
	}
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_test(tests, strings_of_the_literature_give_their_known_hits);
	tcase_add_test(tests, skewed_references_give_their_known_hits);
	tcase_add_test(tests, prefetching_gives_its_known_hits_and_waste);
	tcase_add_test(tests, lru_throws_out_the_oldest_reference_first);
	tcase_add_test(tests, lru_counts_a_prefetch_as_a_reference);
	tcase_add_test(tests, fifo_throws_out_in_order_of_arrival_whatever_was_referenced);
	tcase_add_test(tests, clock_gives_a_referenced_block_a_second_chance);
	tcase_add_test(tests, lru_hits_at_every_size_equal_those_of_stack_distances);
	tcase_add_test(tests, lru_hits_on_skewed_references_are_known_at_every_small_size);
	tcase_add_test(tests, fifo_and_textbook_clock_show_beladys_anomaly);
	tcase_add_test(tests, a_loop_larger_than_the_cache_never_hits);
	tcase_add_test(tests, a_prefetch_and_its_first_reference_count_as_one_reference);
	tcase_add_test(tests, frames_in_flight_are_passed_over_in_order);
	tcase_add_test(tests, clock_passes_over_a_frame_in_flight_without_touching_its_bit);
	tcase_add_test(tests, with_all_frames_but_one_in_flight_that_one_goes);
	tcase_add_test(tests, every_policy_keeps_to_its_frames_on_random_and_adversarial_strings);
	tcase_add_test(tests, every_policy_gives_the_same_hits_twice);
	tcase_add_test(tests, every_policy_hits_everything_once_the_cache_holds_it_all);
	tcase_add_test(tests, every_policy_replays_as_it_steps);
}

int
main(void)
{
	TCase  *tests = tcase_create("policies");
	block_t ref[LENGTH];

	make_skew(ref);
	give(ref);
	settings_all(&all, PLUGIN_POLICY);
	add_tests(tests);
	return run_tests("policies", tests);
}

/* check_lirs.c - LIRS: known answers, its stack and queue, its limits, a slow model, its parameters. */
#include "tests/unit/policies/player.h"

static const struct row rows[] = {
	{ "lirs:hir=1b", 4, 5, 9, 8, 842, ".H...H.H...", 4 },
};

START_TEST(strings_of_the_literature_give_their_known_hits)
{
	check_row(&rows[_i]);
}
END_TEST

START_TEST(a_loop_hits_as_often_as_there_are_lir_blocks)
{
	ck_assert_str_eq(hits_of_passes("lirs:hir=1b", 6, 10, 4), "0 5 5 5");
	ck_assert_str_eq(hits_of_passes("lirs:hir=1b", 9, 10, 4), "0 8 8 8");
	ck_assert_str_eq(hits_of_passes("lirs:hir=3b", 9, 10, 4), "0 6 6 6");
	ck_assert_str_eq(hits_of_passes("lirs", 100, 120, 4), "0 68 68 68");
	ck_assert_str_eq(hits_of_passes("lirs", 200, 210, 4), "0 168 168 168");
}
END_TEST

/* ---- the lists ---- */

/* Is there a ghost of block b, which is not resident? */
static bool
is_ghost(block_t b)
{
	return player.policy->miss(player.self, &player.cache, b, true, NULL);
}

/* The ghosts, as "4 5 9". */
static const char *
ghosts(void)
{
	static char text[8 * BLOCKS];
	size_t	    n = 0;

	text[0] = '\0';
	for (block_t b = 1; b <= BLOCKS; b++)
		if (!cache_find(&player.cache, b) && is_ghost(b))
			n += (size_t)snprintf(text + n, sizeof(text) - n, n ? " %u" : "%u", b);
	return text;
}

/* What a string leaves in four frames, one for HIR blocks: the ghosts, and the order of eviction. */
static void
check_lists(const char *setting, const char *string, const char *remembered, const char *order)
{
	start(setting, 4);
	play(string);
	ck_assert_str_eq(ghosts(), remembered);
	ck_assert_str_eq(eviction_order(), order);
	finish();
}

START_TEST(the_lists_after_a_scan_are_known)
{
	/* S 2 1 10 9 8 7 6 5 4 3, of which 1, 2 and 3 are LIR; Q 10 */
	check_lists("lirs:hir=1b", SCAN, "4 5 6 7 8 9", "10 3 1 2");
}
END_TEST

START_TEST(the_stack_is_as_long_as_smax)
{
	check_lists("lirs:hir=1b,smax=8b", SCAN, "6 7 8 9", "10 3 1 2");
	check_lists("lirs:hir=1b,smax=200%", SCAN, "6 7 8 9", "10 3 1 2");
	check_lists("lirs:hir=1b,smax=4b", SCAN, "", "10 3 1 2");
	check_lists("lirs:hir=1b,smax=1b", SCAN, "", "10 3 1 2");
}
END_TEST

START_TEST(a_ghost_that_comes_back_takes_the_place_of_the_oldest_lir_block)
{
	check_lists("lirs:hir=1b", SCAN " 6", "", "3 1 2 6");
}
END_TEST

START_TEST(a_block_that_is_thrown_out_leaves_no_ghost)
{
	start("lirs:hir=1b", 4);
	play("1 2 3 4");
	drop(4);
	drop(1);
	ck_assert_str_eq(ghosts(), "");
	play("5 6"); /* 5 becomes LIR */
	ck_assert_str_eq(eviction_order(), "6 2 3 5");
	finish();
}
END_TEST

/* ---- prefetching ---- */

START_TEST(a_prefetch_counts_once)
{
	check_prefetch_counts_once("lirs:hir=1b");
	check_prefetch_counts_once("lirs");
}
END_TEST

START_TEST(an_unused_prefetch_is_not_remembered)
{
	start("lirs:hir=1b", 4);
	play("+1 2 3 4 5 1");
	ck_assert_uint_eq(player.ghosts, 0);
	finish();
}
END_TEST

START_TEST(a_ghost_keeps_its_place_while_its_block_is_prefetched)
{
	/* The reference to 4 makes it LIR, and 1 HIR. */
	check_lists("lirs:hir=1b", "1 2 3 4 5 +4 4", "5", "1 2 3 4");
	check_lists("lirs:hir=1b", "1 2 3 4 5 +4 +6", "4 5", "6 1 2 3");
}
END_TEST

START_TEST(accusim_makes_only_the_first_misses_lir)
{
	check_lists("lirs:hir=1b", "+1 1 2 3 4", "", "4 1 2 3");
	check_lists("lirs:hir=1b,accusim=1", "+1 1 2 3 4", "", "1 4 2 3");
	check_lists("lirs:hir=1b,accusim=1", "+1 +2 +3 4 5", "", "2 3 4 5");
	check_lists("lirs:hir=1b,accusim=1", SCAN, "4 5 6 7 8 9", "10 3 1 2");
}
END_TEST

START_TEST(blocks_in_flight_are_passed_over)
{
	start("lirs:hir=1b", 4);
	play("1 2 3 4");
	fly(4, true);
	fly(1, true);
	demand(5);
	ck_assert_uint_eq(cache_find(&player.cache, 2), NIL);
	fly(4, false);
	demand(6);
	ck_assert_uint_eq(cache_find(&player.cache, 4), NIL);
	finish();
	start("lirs:hir=100%", 4);
	check_passes_over();
	finish();
}
END_TEST

/* ---- a slow LIRS: S and Q are arrays, the oldest block first ---- */

struct list {
	block_t	 block[BLOCKS + 1];
	unsigned n;
};

static struct {
	struct list s, q;
	bool	    lir[BLOCKS + 1], ahead[BLOCKS + 1];
	unsigned    nlir, nlir_most, smax, nframes;
} slow;

static unsigned
list_find(const struct list *l, block_t b)
{
	unsigned i = 0;

	while (i < l->n && l->block[i] != b)
		i++;
	return i;
}

/* True: it was there. */
static bool
list_remove(struct list *l, block_t b)
{
	unsigned i = list_find(l, b);

	if (i == l->n)
		return false;
	memmove(&l->block[i], &l->block[i + 1], (l->n - i - 1) * sizeof(*l->block));
	l->n--;
	return true;
}

static void
slow_prune(void)
{
	while (slow.s.n && !slow.lir[slow.s.block[0]])
		list_remove(&slow.s, slow.s.block[0]);
	for (unsigned i = 0; i < slow.s.n && slow.s.n > slow.smax;)
		if (slow.lir[slow.s.block[i]] || !list_remove(&slow.s, slow.s.block[i]))
			i++;
}

static void
slow_touch(block_t b, bool first)
{
	bool known = list_remove(&slow.s, b);

	slow.s.block[slow.s.n++] = b;
	if (known || (first && slow.nlir < slow.nlir_most)) {
		slow.lir[b] = true;
		if (++slow.nlir > slow.nlir_most) {
			b = slow.s.block[0];
			slow.lir[b] = false;
			slow.nlir--;
			list_remove(&slow.s, b);
			slow.q.block[slow.q.n++] = b;
		}
	} else {
		slow.q.block[slow.q.n++] = b;
	}
	slow_prune();
}

/* True: a hit. */
static bool
slow_reference(block_t b, bool ahead)
{
	bool queued = list_find(&slow.q, b) < slow.q.n, hit = queued || slow.lir[b];

	if (hit && ahead)
		return true;
	if (slow.lir[b]) {
		list_remove(&slow.s, b);
		slow.s.block[slow.s.n++] = b;
		slow_prune();
	} else {
		if (queued)
			list_remove(&slow.q, b);
		else if (slow.nlir + slow.q.n == slow.nframes)
			list_remove(&slow.q, slow.q.block[0]);
		if (ahead)
			slow.q.block[slow.q.n++] = b;
		else
			slow_touch(b, !queued || slow.ahead[b]);
	}
	slow.ahead[b] = ahead;
	return hit;
}

static void
slow_drop(block_t b)
{
	if (slow.lir[b])
		slow.nlir--;
	else if (!list_remove(&slow.q, b))
		return;
	list_remove(&slow.s, b);
	slow.lir[b] = false;
	slow_prune();
}

static void
check_ghosts(void)
{
	unsigned n = slow.nlir;

	for (block_t b = 1; b <= BLOCKS; b++) {
		bool in_s = list_find(&slow.s, b) < slow.s.n;

		if (cache_find(&player.cache, b))
			continue;
		n += in_s;
		REQUIRE(is_ghost(b) == in_s, "block %u is%s a ghost", b, in_s ? " not" : "");
	}
	REQUIRE(n <= slow.smax || n <= slow.nlir_most, "%u blocks in S", n);
}

/* Random references, one of so many blocks ahead or thrown out. */
static void
compare_with_model(frame_t frames, unsigned hir, unsigned smax, block_t blocks)
{
	uint64_t seed = frames + 1000 * hir + smax;
	char	 setting[64];

	memset(&slow, 0, sizeof(slow));
	slow.nframes = frames;
	slow.nlir_most = frames - hir;
	slow.smax = smax;
	snprintf(setting, sizeof(setting), "lirs:hir=%ub,smax=%ub", hir, smax);
	start(setting, frames);
	for (unsigned i = 0; i < 5000; i++) {
		block_t	 b = 1 + random_below(&seed, blocks) * random_below(&seed, blocks) / blocks;
		unsigned kind = random_below(&seed, 30);

		if (kind == 0) {
			drop(b);
			slow_drop(b);
		} else if (kind < 4) {
			prefetch(b);
			slow_reference(b, true);
		} else {
			REQUIRE(demand(b) == slow_reference(b, false), "%s: reference %u to %u",
			    setting, i, b);
		}
		if (i % 50 == 0)
			check_ghosts();
	}
	finish();
}

START_TEST(hits_and_ghosts_are_those_of_a_slow_model)
{
	static const unsigned sizes[][3] = { { 1, 1, 1 }, { 2, 1, 2 }, { 3, 1, 7 }, { 3, 2, 1 },
		{ 10, 1, 11 }, { 10, 3, 20 }, { 10, 9, 200 }, { 40, 4, 80 }, { 40, 10, 39 },
		{ 100, 32, 200 }, { 100, 1, 1000 } };

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (block_t blocks = 5; blocks <= BLOCKS; blocks *= 3)
			compare_with_model(sizes[i][0], sizes[i][1], sizes[i][2], blocks);
}
END_TEST

START_TEST(without_lir_blocks_it_is_lru)
{
	block_t skew[LENGTH];

	make_skew(skew);
	for (frame_t c = 1; c < SKEW_BLOCKS; c += 5)
		ck_assert_uint_eq(replay("lirs:hir=100%", c, skew), replay("lru", c, skew));
	start("lirs:hir=100%", 4);
	play(READ_AHEAD);
	ck_assert_str_eq(player.marks, ".H.H.....H.");
	ck_assert_uint_eq(player.wasted, 2);
	finish();
}
END_TEST

/* ---- parameters ---- */

START_TEST(impossible_sizes_are_refused)
{
	ck_assert_str_eq(refusal("lirs:hir=5b", 4),
	    "hir of lirs is at most 4 blocks in a cache of 4, not 5: "
	    "type less, a share such as 10%, or a larger cache");
	ck_assert_ptr_nonnull(strstr(refusal("lirs:smax=536870912b", 4), "smax of lirs"));
	ck_assert_ptr_nonnull(strstr(refusal("lirs", UINT32_C(1) << 31), "choose a smaller cache"));
}
END_TEST

static void
add_tests(TCase *tests)
{
	tcase_add_loop_test(tests, strings_of_the_literature_give_their_known_hits, 0, 1);
	tcase_add_test(tests, a_loop_hits_as_often_as_there_are_lir_blocks);
	tcase_add_test(tests, the_lists_after_a_scan_are_known);
	tcase_add_test(tests, the_stack_is_as_long_as_smax);
	tcase_add_test(tests, a_ghost_that_comes_back_takes_the_place_of_the_oldest_lir_block);
	tcase_add_test(tests, a_block_that_is_thrown_out_leaves_no_ghost);
	tcase_add_test(tests, a_prefetch_counts_once);
	tcase_add_test(tests, an_unused_prefetch_is_not_remembered);
	tcase_add_test(tests, a_ghost_keeps_its_place_while_its_block_is_prefetched);
	tcase_add_test(tests, accusim_makes_only_the_first_misses_lir);
	tcase_add_test(tests, blocks_in_flight_are_passed_over);
	tcase_add_test(tests, hits_and_ghosts_are_those_of_a_slow_model);
	tcase_add_test(tests, without_lir_blocks_it_is_lru);
	tcase_add_test(tests, impossible_sizes_are_refused);
}

int
main(void)
{
	TCase *tests = tcase_create("lirs");

	add_tests(tests);
	return run_tests("lirs", tests);
}

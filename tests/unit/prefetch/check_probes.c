/*
 * check_probes.c - what probes see, counted by hand: a test says which block
 * is demanded and how it was found, and when blocks come.
 */
#include "tests/unit/prefetch/counting.h"

enum { FRAMES = 400 };

static struct probes *const p = &holder.probes;

/* A cache with one block. */
static void
start(const char *text)
{
	start_with(text, FRAMES);
	come(1);
}

static struct demand
demand(file_t file, uint32_t index)
{
	return (struct demand){ .file = file,
		.index = index,
		.first = index,
		.left = 1,
		.how = REF_MISS,
		.cache = &cache,
		.base = files[file].base };
}

/* Blocks first .. last of a file are planned; n are absent, the first ones as in the mask. */
static void
plan_absent(file_t file, uint32_t first, uint32_t last, uint32_t n, uint64_t mask, bool vetoed)
{
	const struct demand  d = demand(file, first);
	const struct absence a = { .first = first, .end = last + 1, .n = n, .mask = mask };

	probes_open(p, &d, &a, vetoed);
}

/* All are absent. */
static void
plan_in(file_t file, uint32_t first, uint32_t last, bool vetoed)
{
	uint32_t n = last - first + 1;

	plan_absent(file, first, last, n, ~UINT64_C(0) >> (n < 64 ? 64 - n : 0), vetoed);
}

static void
plan(uint32_t first, uint32_t last)
{
	plan_in(0, first, last, READ);
}

/* A call for blocks first .. last; it is found within a probe, block by block: "x..". */
static const char *
read_in(file_t file, uint32_t first, uint32_t last, enum reference how, bool next)
{
	static char   within[110];
	struct demand d = demand(file, first);

	d.how = how;
	for (; d.index <= last; d.index++) {
		d.left = last - d.index + 1;
		within[d.index - first] = probes_demand(p, &d, next) ? 'x' : '.';
	}
	within[last - first + 1] = '\0';
	return within;
}

static const char *
call(uint32_t first, uint32_t last)
{
	return read_in(0, first, last, REF_MISS, true);
}

/* The file brings in so many blocks elsewhere; that ends what is complete. */
static void
elsewhere(file_t file, uint32_t n)
{
	for (; n; n--)
		ck_assert_str_eq(read_in(file, BLOCKS - 1, BLOCKS - 1, REF_MISS, false), ".");
}

/* What was tallied at a step. */
static void
tallied(unsigned step, float n, float used, float next, float stride)
{
	const struct tally *t = &p->all[step];

	ck_assert_msg(t->n == n && t->used == used && t->next == next && t->stride == stride,
	    "step %u: %g, %g, %g, %g", step, (double)t->n, (double)t->used, (double)t->next,
	    (double)t->stride);
}

static bool
has_entered(file_t file, uint32_t index)
{
	return r->block[files[file].base + index].entered;
}

/* ---- what is observed ---- */

START_TEST(a_block_is_within_a_probe_of_its_file)
{
	start(NULL);
	plan(10, 13);
	ck_assert_str_eq(call(9, 14), ".xxxx.");
	plan(30, 33);
	ck_assert_str_eq(read_in(1, 30, 33, REF_MISS, true), "....");
	ck_assert_str_eq(call(33, 33), "x");
	ck_assert_str_eq(call(33, 33), "x"); /* again */
}
END_TEST

/* The others of its file are not looked at: groups of 32 blocks, and 64 groups. */
START_TEST(blocks_of_the_same_group_as_a_probe_need_not_be_within_it)
{
	static const uint32_t first[] = { 0, 31, 32, 63, 64 * 32 - 1, 64 * 32 };

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		start(NULL);
		plan(first[i] + 1, first[i] + 2);
		ck_assert_str_eq(read_in(0, first[i], first[i] + 3, REF_HIT, true), ".xx.");
		ck_assert_str_eq(read_in(0, first[i] + 64 * 32 + 1, first[i] + 64 * 32 + 2, REF_HIT,
				     true),
		    "..");
	}
}
END_TEST

START_TEST(a_call_of_hits_that_begins_before_a_probe_saves_its_share)
{
	start(NULL);
	plan(200, 203);
	ck_assert_str_eq(read_in(0, 106, 205, REF_HIT, false) + 93, ".xxxx..");
	elsewhere(0, 1);
	tallied(0, 1, 1, 0, 0.01f);
}
END_TEST

START_TEST(a_call_of_all_groups_meets_each_probe)
{
	ck_assert(probes_groups(5, 64 * 32) == UINT64_MAX);
	ck_assert(probes_groups(0, 32) == 1);
	ck_assert(probes_groups(63 * 32 + 31, 2) == (1 | UINT64_C(1) << 63));
}
END_TEST

START_TEST(distances_are_counted_in_powers_of_two)
{
	static const float blocks[] = { 1, 1, 2, 4, 8, 16, 32 };

	start(NULL);
	plan(0, 63);
	for (uint32_t i = 0; i < 64; i++)
		call(i, i);
	for (unsigned step = 0; step < PROBE_STEPS; step++)
		tallied(step, blocks[step], blocks[step], blocks[step], 0);
	ck_assert_uint_eq(probes_end(PROBE_STEPS - 1), PROBE_BLOCKS);
	is(r->all.n, 0);
}
END_TEST

START_TEST(a_short_plan_counts_for_its_blocks)
{
	for (uint32_t n = 1; n <= 70; n++) {
		uint32_t seen = n < 64 ? n : 64;
		float	 sum = 0;

		start("soon=1");
		plan(100, 99 + n);
		elsewhere(0, n + 1);
		for (unsigned step = 0; step < PROBE_STEPS; step++) {
			uint32_t from = step ? probes_end(step - 1) : 0;
			float	 here = (float)(seen <= from ? 0
				   : seen < probes_end(step) ? seen - from
							     : probes_end(step) - from);

			tallied(step, here, 0, 0, 0);
			sum += here;
		}
		ck_assert(sum == (float)seen);
	}
}
END_TEST

START_TEST(a_plan_is_probed_up_to_64_blocks)
{
	start("soon=1");
	plan(0, 999);
	ck_assert_str_eq(call(63, 64), "x.");
	elsewhere(0, 1000 - 2);
	tallied(6, 0, 0, 0, 0);
	elsewhere(0, 1);
	tallied(6, 32, 1, 1 / 2.f, 0);
	is(r->all.n, 63);
}
END_TEST

START_TEST(a_call_saves_the_share_of_a_miss_that_lies_in_the_probe)
{
	start("soon=1000");
	plan(10, 17);
	call(8, 10);				 /* begins before */
	read_in(0, 11, 11, REF_MISS, true);	 /* step 1 */
	read_in(0, 12, 13, REF_MISS, false);	 /* step 2 */
	call(17, 18);				 /* ends behind */
	read_in(0, 14, 16, REF_FIRST_HIT, true); /* step 3; all are used */
	tallied(0, 1, 1, 1 / 3.f, 0);
	tallied(1, 1, 1, 1, 0);
	tallied(2, 2, 2, 0, 1);
	tallied(3, 4, 4, 1 / 2.f + 1, 0);
}
END_TEST

START_TEST(a_call_that_spans_steps_saves_a_share_at_each)
{
	start(NULL);
	plan(10, 17);
	call(8, 23);
	tallied(0, 1, 1, 1 / 16.f, 0);
	tallied(1, 1, 1, 1 / 16.f, 0);
	tallied(2, 2, 2, 2 / 16.f, 0);
	tallied(3, 4, 4, 4 / 16.f, 0);
}
END_TEST

START_TEST(plans_that_name_parts_of_a_call_share_its_miss)
{
	start(NULL);
	plan(10, 11);
	plan(12, 13);
	call(10, 13);
	tallied(0, 2, 2, 1 / 2.f, 0);
	tallied(1, 2, 2, 1 / 2.f, 0);
}
END_TEST

START_TEST(blocks_used_before_save_no_miss_again)
{
	start(NULL);
	plan(10, 13);
	call(10, 11);
	call(11, 12);
	call(12, 12);
	call(13, 13);
	tallied(0, 1, 1, 1 / 2.f, 0);
	tallied(1, 1, 1, 1 / 2.f, 0);
	tallied(2, 2, 2, 1 / 2.f + 1, 0);
}
END_TEST

/* A sequential program reads 1000 bytes after 1000 bytes: its calls share blocks. */
START_TEST(a_call_may_begin_in_the_last_block_of_the_one_that_planned)
{
	start("soon=1000");
	plan(10, 13);
	call(9, 9);  /* not more than that block */
	call(9, 11); /* it does not count */
	call(12, 13);
	tallied(0, 1, 1, 1 / 2.f, 0);
	tallied(1, 1, 1, 1 / 2.f, 0);
	tallied(2, 2, 2, 1, 0);
	plan(20, 23);
	call(19, 27); /* ends behind */
	tallied(0, 2, 2, 1 / 2.f + 1 / 8.f, 0);
}
END_TEST

/* ---- its end ---- */

START_TEST(a_probe_ends_when_all_its_blocks_are_used)
{
	start(NULL);
	plan(10, 11);
	call(11, 11);
	ck_assert_uint_eq(p->file[0].nopen, 1);
	call(10, 10);
	ck_assert_uint_eq(p->file[0].nopen, 0);
	tallied(0, 1, 1, 1, 0);
}
END_TEST

START_TEST(a_probe_ends_when_its_file_has_brought_in_as_many_blocks_and_soon_more)
{
	start("soon=5");
	plan(10, 19);
	for (unsigned i = 0; i < 20; i++) {
		elsewhere(1, 1);
		read_in(0, 500, 500, REF_HIT, false);
		read_in(0, 500, 500, REF_DELAYED, false);
	}
	read_in(0, 500, 500, REF_LATE, false);
	read_in(0, 501, 501, REF_FIRST_HIT, false);
	elsewhere(0, 10 + 5 - 3);
	ck_assert_str_eq(read_in(0, 13, 13, REF_HIT, false), "x");
	tallied(0, 0, 0, 0, 0);
	elsewhere(0, 1);
	tallied(0, 1, 0, 0, 0);
	tallied(2, 2, 1, 0, 1);
	ck_assert_str_eq(call(12, 12), ".");
}
END_TEST

START_TEST(a_use_by_the_block_that_ends_a_probe_counts)
{
	start("soon=2");
	plan(10, 11);
	elsewhere(0, 3);
	ck_assert_str_eq(call(10, 10), "x");
	tallied(0, 1, 1, 1, 0);
	ck_assert(has_entered(0, 11) && !has_entered(0, 10));
}
END_TEST

START_TEST(a_probe_ends_when_its_blocks_and_a_quarter_of_the_cache_have_come)
{
	static const uint32_t blocks[] = { 10,
		200 }; /* all count, not only those that are probed */

	for (unsigned i = 0; i < 4; i++) {
		start("soon=1000");
		if (i / 2) /* it is full */
			come(FRAMES);
		plan(10, 9 + blocks[i % 2]);
		come(blocks[i % 2] + FRAMES / 4 - 1);
		elsewhere(1, 1);
		tallied(0, 0, 0, 0, 0);
		ck_assert_str_eq(call(10, 10), "x");
		come(1);
		elsewhere(1, 1); /* at the next block that any file brings in */
		tallied(0, 1, 1, 1, 0);
		tallied(1, 1, 0, 0, 0);
		ck_assert_str_eq(call(11, 11), ".");
	}
}
END_TEST

/* Of 100 blocks 30 are absent, and 10 of the first 64. */
START_TEST(a_probe_waits_only_for_blocks_that_were_absent)
{
	for (unsigned i = 0; i < 2; i++) {
		start(i ? "soon=5" : "soon=1000");
		plan_absent(0, 100, 199, 30, 0x3FF, READ);
		if (i) {
			elsewhere(0, 30 + 5 - 1);
		} else {
			come(30 + FRAMES / 4 - 1);
			elsewhere(0, 1);
			come(1);
		}
		tallied(0, 0, 0, 0, 0);
		elsewhere(0, 1);
		tallied(0, 1, 0, 0, 0);
		is(r->all.n, 10);
	}
}
END_TEST

/* Five blocks come while the probe lasts. */
START_TEST(unused_blocks_enter_as_old_as_their_plan)
{
	for (uint32_t come_after = 0; come_after < 2; come_after++) {
		struct demand d;

		start("soon=4");
		come(FRAMES);
		plan(10, 10);
		come(5);
		elsewhere(0, 5);
		ck_assert(has_entered(0, 10));
		come(FRAMES - 5 - 1 + come_after);
		d = demand(0, 10);
		ck_assert(reuse_demand(r, &d, false) == !come_after);
	}
}
END_TEST

START_TEST(unused_blocks_that_were_absent_enter_the_account_of_later_uses)
{
	for (unsigned vetoed = 0; vetoed < 2; vetoed++) {
		start("soon=1");
		plan_absent(1, 20, 23, 3, 0xB, vetoed); /* 22 is in the cache */
		read_in(1, 21, 21, REF_HIT, false);
		elsewhere(1, 5);
		ck_assert(has_entered(1, 20) && has_entered(1, 23));
		ck_assert(!has_entered(1, 21) && !has_entered(1, 22));
		is(r->all.n, 2);
		ck_assert_uint_eq(r->vetoed, vetoed ? 2 : 0);
	}
}
END_TEST

/* ---- how many ---- */

START_TEST(a_file_has_eight_probes_at_a_time)
{
	start("soon=1000");
	for (uint32_t i = 0; i <= PROBES_OF_FILE; i++)
		plan(10 * i, 10 * i + 1);
	plan_in(1, 0, 1, READ);
	ck_assert_str_eq(read_in(1, 0, 0, REF_MISS, true), "x");
	ck_assert_str_eq(call(80, 80), ".");
	call(30, 31); /* ends the fourth */
	plan(80, 81);
	ck_assert_str_eq(call(80, 80), "x"); /* in its place */
	for (uint32_t i = 0; i < PROBES_OF_FILE; i++)
		ck_assert_str_eq(call(10 * i, 10 * i), i == 3 ? "." : "x");
}
END_TEST

/* Of 32 files. */
START_TEST(there_are_256_probes_at_a_time_and_a_new_one_ends_the_oldest)
{
	start_with("soon=1000", 1 << 20);
	for (uint32_t i = 0; i < PROBES; i++)
		plan_in(i / PROBES_OF_FILE, 10 * i, 10 * i + 1, VETOED);
	read_in(0, 0, 0, REF_HIT, true);
	tallied(0, 0, 0, 0, 0);
	plan_in(35, 0, 1, READ);
	tallied(0, 1, 1, 1, 0);
	tallied(1, 1, 0, 0, 0);
	ck_assert(!has_entered(0, 0) && has_entered(0, 1));
	ck_assert_str_eq(read_in(0, 0, 1, REF_HIT, true), "..");
	for (uint32_t i = 1; i < PROBES; i++)
		REQUIRE(*read_in(i / PROBES_OF_FILE, 10 * i, 10 * i, REF_HIT, true) == 'x',
		    "probe %u", i);
	ck_assert_str_eq(read_in(35, 0, 0, REF_HIT, true), "x");
	tallied(0, 1, 1, 1, 0);
}
END_TEST

START_TEST(a_probe_that_lasts_has_at_most_255_younger_ones)
{
	start_with("soon=1000", 1 << 20);
	plan_in(1, 0, 1, READ);
	for (uint32_t i = 0; i < PROBES - 1; i++) {
		plan(i, i);
		call(i, i);
	}
	ck_assert_str_eq(read_in(1, 0, 0, REF_HIT, true), "x");
	plan(PROBES, PROBES);
	ck_assert_str_eq(read_in(1, 0, 0, REF_HIT, true), ".");
	ck_assert_uint_eq(p->newest - p->oldest, 1); /* those that had ended made room, too */
	tallied(0, PROBES, PROBES, PROBES, 0);
}
END_TEST

/* ---- expectations ---- */

START_TEST(without_a_probe_nothing_is_expected)
{
	start(NULL);
	for (unsigned step = 0; step < PROBE_STEPS; step++) {
		struct tally e = probes_expect(p, 0, step);

		ck_assert(e.used == 0 && e.next == 0 && e.stride == 0);
	}
}
END_TEST

START_TEST(a_file_is_first_believed_to_be_like_all_which_first_saw_an_unused_probe)
{
	struct tally e;

	start(NULL);
	plan(0, 3);
	read_in(0, 0, 0, REF_MISS, true);
	read_in(0, 1, 1, REF_MISS, false);
	read_in(0, 2, 3, REF_MISS, true);
	e = probes_expect(p, 0, 0); /* 1 of 1 block */
	is(e.used, (1 + 1 / 2.) / (1 + 1));
	is(e.next, (1 + 1 / 2.) / (1 + 1));
	is(e.stride, 0);
	is(probes_expect(p, 1, 0).used, 1 / 2.);
	is(probes_expect(p, 0, 1).stride, (1 + 1 / 2.) / (1 + 1));
	e = probes_expect(p, 0, 2); /* 2 of 2 blocks, one call */
	is(e.used, (2 + 2 * 2 / 4.) / (2 + 2));
	is(e.next, (1 + 1 * 2 / 4.) / (2 + 2));
	is(probes_expect(p, 2, 2).used, 2 / 4.);
	is(probes_expect(p, 0, 3).used, 0);
}
END_TEST

START_TEST(files_have_tallies_of_their_own)
{
	start(NULL);
	for (unsigned i = 0; i < 100; i++) {
		plan_in(1, 0, 0, READ);
		read_in(1, 0, 0, REF_MISS, true);
	}
	ck_assert(probes_expect(p, 1, 0).used > .99f);
	for (unsigned i = 0; i < 100; i++) {
		plan_in(2, i, i, READ);
		come(1 + FRAMES / 4);
		elsewhere(0, 1);
	}
	is(probes_expect(p, 0, 0).used, 100. / 201);
	is(probes_expect(p, 1, 0).used, (100 + 100. / 201) / 101);
	is(probes_expect(p, 2, 0).used, (0 + 100. / 201) / 101);
}
END_TEST

START_TEST(tallies_forget_half)
{
	start(NULL);
	for (unsigned i = 0; i < 513; i++) {
		plan_in(1, i, i, READ);
		read_in(1, i, i, REF_MISS, true);
	}
	is((*p->own)[0].n, 0);
	is(p->own[1][0].n, 513 / 2.);
	is(p->own[1][0].next, 513 / 2.);
	tallied(0, 513, 513, 513, 0);
	for (unsigned i = 513; i < 4097; i++) {
		plan_in(1, i % BLOCKS, i % BLOCKS, READ);
		read_in(1, i % BLOCKS, i % BLOCKS, REF_MISS, false);
	}
	tallied(0, 4097 / 2.f, 4097 / 2.f, 513 / 2.f, (4097 - 513) / 2.f);
}
END_TEST

/* ---- limits ---- */

/* A quarter may be no block. */
START_TEST(in_a_tiny_cache_a_probe_waits_for_its_blocks)
{
	for (uint32_t frames = 1; frames <= 8; frames++) {
		start_with(NULL, frames);
		come(1 + frames);
		plan(10, 12);
		ck_assert_str_eq(read_in(0, 10, 10, REF_HIT, true), "x");
		come(3 + frames / 4 - 1);
		ck_assert_str_eq(read_in(0, 11, 11, REF_FIRST_HIT, true), "x");
		tallied(0, 0, 0, 0, 0);
		come(1);
		elsewhere(1, 1);
		tallied(0, 1, 1, 1, 0);
		tallied(1, 1, 1, 1, 0);
		tallied(2, 1, 0, 0, 0);
	}
}
END_TEST

START_TEST(soon_at_its_ends)
{
	start("soon=1");
	plan(10, 12);
	ck_assert_str_eq(call(10, 11), "xx");
	elsewhere(0, 1);
	tallied(0, 0, 0, 0, 0);
	elsewhere(0, 1);
	tallied(0, 1, 1, 1 / 2.f, 0);
	tallied(1, 1, 1, 1 / 2.f, 0);
	start_with("soon=1073741824", 1 << 30);
	plan(10, 12);
	elsewhere(0, 5000);
	ck_assert_str_eq(call(10, 12), "xxx");
	tallied(0, 1, 1, 1 / 3.f, 0);
	tallied(2, 1, 1, 1 / 3.f, 0);
}
END_TEST

START_TEST(nothing_breaks_when_numbers_wrap)
{
	start("soon=20");
	p->oldest = p->newest = UINT32_MAX - 300;
	p->file[0].brought = UINT32_MAX - 900;
	come(FRAMES);
	r->evictions = UINT32_MAX - FRAMES - 500;
	r->grain = 2;
	r->at = UINT32_MAX / 2;
	for (uint32_t i = 0; i < 1000; i++) {
		plan(i, i);
		plan_in(1, i, i, READ);
		REQUIRE(*call(i, i) == 'x', "block %u", i);
		come(1);
		REQUIRE(p->newest - p->oldest <= PROBES, "%u, %u", p->oldest, p->newest);
	}
	ck_assert(p->own[0][0].n == p->own[0][0].used);
	ck_assert(p->own[1][0].n > 0 && p->own[1][0].used == 0);
	ck_assert_uint_lt(p->newest, 5000);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("probes");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, a_block_is_within_a_probe_of_its_file);
	tcase_add_test(tests, blocks_of_the_same_group_as_a_probe_need_not_be_within_it);
	tcase_add_test(tests, a_call_of_hits_that_begins_before_a_probe_saves_its_share);
	tcase_add_test(tests, a_call_of_all_groups_meets_each_probe);
	tcase_add_test(tests, distances_are_counted_in_powers_of_two);
	tcase_add_test(tests, a_short_plan_counts_for_its_blocks);
	tcase_add_test(tests, a_plan_is_probed_up_to_64_blocks);
	tcase_add_test(tests, a_call_saves_the_share_of_a_miss_that_lies_in_the_probe);
	tcase_add_test(tests, a_call_that_spans_steps_saves_a_share_at_each);
	tcase_add_test(tests, plans_that_name_parts_of_a_call_share_its_miss);
	tcase_add_test(tests, blocks_used_before_save_no_miss_again);
	tcase_add_test(tests, a_call_may_begin_in_the_last_block_of_the_one_that_planned);
	tcase_add_test(tests, a_probe_ends_when_all_its_blocks_are_used);
	tcase_add_test(tests,
	    a_probe_ends_when_its_file_has_brought_in_as_many_blocks_and_soon_more);
	tcase_add_test(tests, a_use_by_the_block_that_ends_a_probe_counts);
	tcase_add_test(tests, a_probe_ends_when_its_blocks_and_a_quarter_of_the_cache_have_come);
	tcase_add_test(tests, a_probe_waits_only_for_blocks_that_were_absent);
	tcase_add_test(tests, unused_blocks_enter_as_old_as_their_plan);
	tcase_add_test(tests, unused_blocks_that_were_absent_enter_the_account_of_later_uses);
	tcase_add_test(tests, a_file_has_eight_probes_at_a_time);
	tcase_add_test(tests, there_are_256_probes_at_a_time_and_a_new_one_ends_the_oldest);
	tcase_add_test(tests, a_probe_that_lasts_has_at_most_255_younger_ones);
	tcase_add_test(tests, without_a_probe_nothing_is_expected);
	tcase_add_test(tests,
	    a_file_is_first_believed_to_be_like_all_which_first_saw_an_unused_probe);
	tcase_add_test(tests, files_have_tallies_of_their_own);
	tcase_add_test(tests, tallies_forget_half);
	tcase_add_test(tests, in_a_tiny_cache_a_probe_waits_for_its_blocks);
	tcase_add_test(tests, soon_at_its_ends);
	tcase_add_test(tests, nothing_breaks_when_numbers_wrap);
	return run_tests("probes", tests);
}

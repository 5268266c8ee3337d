/*
 * check_evictions.c - what leaves during each call: as a list in order of use has it, and so that
 * a memory from which it leaves misses what the simulation misses, under every policy.
 */
#include "sim/host/measure/evictions.h"
#include "tests/unit/conformance.h"
#include "tests/unit/shapes.h"

enum { SIZES = 3, LRU_BLOCKS = 400 };

static const uint64_t size_of[SIZES] = { 74, 100, 200 };

static struct config	cfg;
static struct evictions ev;
static struct stats	stats;
static struct error	error;

static void
choose(const char *policy, const char *prefetcher, uint64_t blocks)
{
	config_defaults(&cfg);
	cfg.cache_blocks = blocks;
	REQUIRE(!registry_choose(PLUGIN_POLICY, policy, &cfg.policy, &error) &&
		!registry_choose(PLUGIN_PREFETCHER, prefetcher, &cfg.prefetcher, &error) &&
		!registry_choose(PLUGIN_SCHEDULER, "fifo", &cfg.scheduler, &error) &&
		!registry_choose(PLUGIN_DEVICE, "null", &cfg.device, &error),
	    "%s", error.text);
}

static void
record(const struct trace *t)
{
	REQUIRE(!evictions_init(&ev, &cfg, t, &stats, &error), "%s", error.text);
	ck_assert_uint_eq(ev.ncalls, t->naccess);
}

/* The blocks before call i, or behind the last, are these. */
static void
leaves(size_t i, size_t expected, const block_t *block)
{
	size_t	       n;
	const block_t *b = evictions_of(&ev, i, &n);

	REQUIRE(n == expected, "%zu blocks leave before call %zu, not %zu", n, i, expected);
	for (size_t k = 0; k < n; k++)
		ck_assert_uint_eq(b[k], block[k]);
}

/* ---- by hand: two blocks of cache ---- */

START_TEST(a_block_leaves_before_the_call_unless_the_call_has_used_it)
{
	struct draft   d;
	uint32_t       open;
	const block_t *none = NULL;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 20), 0);
	draft_blocks(&d, 0, open, 2, 1, false); /* the trace's blocks begin at 1: block 3 */
	draft_blocks(&d, 0, open, 5, 1, false);
	draft_blocks(&d, 0, open, 0, 3,
	    false); /* 3 leaves, then comes back; 6; then its own first */
	draft_blocks(&d, 0, open, 9, 1, false);
	choose("lru", "none", 2);
	record(&d.trace);
	leaves(0, 0, none);
	leaves(1, 0, none);
	leaves(2, 2, (block_t[]){ 3, 6 });
	leaves(3, 2, (block_t[]){ 1, 2 });
	leaves(4, 0, none);
	ck_assert_uint_eq(stats.misses, 6);
	evictions_release(&ev);
}
END_TEST

START_TEST(what_the_last_call_has_used_leaves_behind_it)
{
	struct draft d;
	uint32_t     open;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 20), 0);
	draft_blocks(&d, 0, open, 0, 5, false);
	choose("fifo", "none", 2);
	record(&d.trace);
	leaves(0, 0, NULL);
	leaves(1, 3, (block_t[]){ 1, 2, 3 });
	evictions_release(&ev);
}
END_TEST

START_TEST(blocks_that_advice_drops_leave)
{
	struct draft d;
	uint32_t     open;

	draft_start(&d);
	open = draft_open(&d, draft_file(&d, 1, 20), 0);
	draft_blocks(&d, 0, open, 0, 2, false);
	draft_blocks(&d, 0, open, 1, 1, false);
	draft_advise(&d, ADVICE_DONTNEED, open, 0, 0);
	choose("lru", "none", 10);
	record(&d.trace);
	leaves(1, 2, (block_t[]){ 1, 2 });
	evictions_release(&ev);
}
END_TEST

/* ---- a list in order of use, searched from end to end ---- */

static block_t recent[LRU_BLOCKS]; /* last used last */
static size_t  nrecent;

static void
lru_remove(size_t i)
{
	memmove(&recent[i], &recent[i + 1], (--nrecent - i) * sizeof(*recent));
}

/* The block that leaves, or 0. */
static block_t
lru_use(block_t b, size_t room)
{
	block_t victim = 0;
	size_t	i = 0;

	while (i < nrecent && recent[i] != b)
		i++;
	if (i < nrecent) {
		lru_remove(i);
	} else if (nrecent == room) {
		victim = recent[0];
		lru_remove(0);
	}
	recent[nrecent++] = b;
	return victim;
}

static bool
was_used(const struct trace *t, const struct access *a, block_t b, block_t before)
{
	block_t first = access_block(t, a);

	return b >= first && b < before && b < first + access_count(t, a);
}

/* Without prefetching and writes, calls no larger than the cache: each list in its order. */
START_TEST(under_lru_each_call_loses_what_was_used_longest_ago)
{
	const struct trace *t = &drafts[_i].trace;
	block_t		    later[LRU_BLOCKS], now[LRU_BLOCKS];
	size_t		    nlater = 0;

	nrecent = 0;
	choose("lru", "none", 74);
	cfg.ignores_advice = true;
	record(t);
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     first = access_block(t, a), end = first + access_count(t, a);
		size_t		     nnow = nlater;

		memcpy(now, later, nlater * sizeof(*now));
		nlater = 0;
		for (block_t b = first; b < end; b++) {
			block_t victim = lru_use(b, 74);

			if (victim && was_used(t, a, victim, b))
				later[nlater++] = victim;
			else if (victim)
				now[nnow++] = victim;
		}
		leaves(i, nnow, now);
	}
	leaves(t->naccess, nlater, later);
	evictions_release(&ev);
}
END_TEST

/* ---- any policy: a memory that holds what was read and has not left ---- */

static bool here[SHAPES * FILES * FILE_BLOCKS * 2];

static uint64_t
make_leave(size_t i)
{
	size_t	       n;
	const block_t *b = evictions_of(&ev, i, &n);

	for (size_t k = 0; k < n; k++) {
		REQUIRE(here[b[k]], "block %u leaves before call %zu, but is not there", b[k], i);
		here[b[k]] = false;
	}
	return n;
}

static void
memory_misses_the_same(const char *policy, const struct trace *t, uint64_t blocks)
{
	uint64_t misses = 0, left = 0, resident = 0;

	choose(policy, "none", blocks);
	record(t);
	memset(here, 0, sizeof(here));
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     first = access_block(t, a);

		left += make_leave(i);
		for (uint32_t k = 0; k < access_count(t, a); k++) {
			misses += !here[first + k];
			here[first + k] = true;
		}
	}
	left += make_leave(t->naccess);
	for (block_t b = 0; b < t->nblocks; b++)
		resident += here[b];
	REQUIRE(misses == stats.misses && left == stats.evictions + stats.advice_dropped_blocks &&
		resident == misses - left && resident <= blocks,
	    "%s, %u blocks: %u misses of %u, %u left of %u, %u stay", policy, (unsigned)blocks,
	    (unsigned)misses, (unsigned)stats.misses, (unsigned)left, (unsigned)stats.evictions,
	    (unsigned)resident);
	evictions_release(&ev);
	choice_release(&cfg.policy);
}

START_TEST(a_memory_from_which_they_leave_misses_what_the_cache_misses)
{
	const struct plugin *const *list = PLUGIN_POLICY->list;

	for (const struct plugin *const *p = list; *p; p++)
		memory_misses_the_same((*p)->name, &drafts[_i / SIZES].trace, size_of[_i % SIZES]);
}
END_TEST

/* ---- with prefetching: the same blocks are there at the end ---- */

enum { FILLS_MAX = 1 << 16 };

static struct fills {
	block_t block[FILLS_MAX];
	size_t	n, end[CALLS + 1], calls;
	bool	resident[sizeof(here)];
} fills;

static void
see(void *ctx, const struct event *e)
{
	struct fills *f = ctx;

	if (e->kind == EVENT_CALL)
		f->calls++;
	for (uint32_t k = 0; e->kind != EVENT_CALL && k < e->count; k++)
		f->resident[e->block + k] = e->kind == EVENT_FILL;
	if (e->kind == EVENT_FILL) {
		ck_assert_uint_lt(f->n, FILLS_MAX);
		f->block[f->n++] = e->block;
	}
	f->end[f->calls - 1] = f->n;
}

START_TEST(with_prefetching_what_leaves_was_there_and_what_stays_is_resident)
{
	const struct trace *t = &drafts[_i].trace;

	choose("lru", "ondemand:pages=32", 74);
	record(t);
	cfg.observer = (struct observer){ 1u << EVENT_CALL | 1u << EVENT_FILL | 1u << EVENT_EVICT |
		    1u << EVENT_FORGET,
		see, &fills };
	ck_assert(!simulate(&cfg, t, &stats, &error));
	for (size_t i = 0, k = 0; i < t->naccess; i++) {
		make_leave(i);
		for (; k < fills.end[i]; k++)
			here[fills.block[k]] = true;
	}
	make_leave(t->naccess);
	for (block_t b = 0; b < t->nblocks; b++)
		REQUIRE(here[b] == fills.resident[b], "block %u", b);
	evictions_release(&ev);
}
END_TEST

/* ---- what has no calls one after the other ---- */

START_TEST(other_replays_are_refused)
{
	static const enum replay others[] = { REPLAY_PROCESS, REPLAY_UNTIMED, REPLAY_OPEN };

	choose("lru", "none", 74);
	cfg.replay = others[_i];
	ck_assert_int_eq(evictions_init(&ev, &cfg, &drafts[0].trace, &stats, &error), -1);
	ck_assert_str_eq(error.text,
	    "evictions are known by call only in serial replay of one program");
	ck_assert_ptr_null(ev.end);
}
END_TEST

START_TEST(several_programs_are_refused)
{
	choose("lru", "none", 74);
	ck_assert_int_eq(evictions_init(&ev, &cfg, &merged[0], &stats, &error), -1);
}
END_TEST

START_TEST(a_simulation_that_fails_leaves_nothing)
{
	choose("lru", "none", 0);
	cfg.cache_blocks = UINT64_MAX / 2;
	ck_assert_int_eq(evictions_init(&ev, &cfg, &drafts[0].trace, &stats, &error), -1);
	ck_assert_uint_gt(strlen(error.text), 0);
	ck_assert_ptr_null(ev.end);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("evictions");

	tcase_add_unchecked_fixture(tc, shapes_make, shapes_release);
	tcase_add_test(tc, a_block_leaves_before_the_call_unless_the_call_has_used_it);
	tcase_add_test(tc, what_the_last_call_has_used_leaves_behind_it);
	tcase_add_test(tc, blocks_that_advice_drops_leave);
	tcase_add_loop_test(tc, under_lru_each_call_loses_what_was_used_longest_ago, 0, TRACES);
	tcase_add_loop_test(tc, a_memory_from_which_they_leave_misses_what_the_cache_misses, 0,
	    SHAPES * SIZES);
	tcase_add_loop_test(tc, with_prefetching_what_leaves_was_there_and_what_stays_is_resident,
	    0, TRACES);
	tcase_add_loop_test(tc, other_replays_are_refused, 0, 3);
	tcase_add_test(tc, several_programs_are_refused);
	tcase_add_test(tc, a_simulation_that_fails_leaves_nothing);
	return run_tests("evictions", tc);
}

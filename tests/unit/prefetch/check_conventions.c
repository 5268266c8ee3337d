/*
 * check_conventions.c - what a user may expect of every prefetcher that is
 * registered, alone and in every controller: where files end, what a scan
 * adds up to, when it is none at all, and that streams of different files do
 * not disturb each other.
 *
 * The prefetchers are those that the registry lists; the tables here are of
 * the files, caches and ways of reading that each of them meets.
 */
#include "sim/core/engine/engine.h"
#include "tests/unit/conformance.h"

enum { LARGE_CACHE = 2048, SCAN = 120 };

static struct config   cfg;
static struct settings all; /* each alone, and each in each controller */
static const char     *chosen, *device, *what;
static struct draft    draft;

#define EXPECT(...)                                                                                \
	REQUIRE((__VA_ARGS__), "%s, %s, %u frames, %s: not so: %s", chosen, what,                  \
	    (unsigned)cfg.cache_blocks, device, #__VA_ARGS__)

static void
setup(void)
{
	settings_registered(&all, PLUGIN_PREFETCHER);
}

static void
teardown(void)
{
	release_choices(&cfg);
}

/* ---- one run ---- */

/* The end of the file, as the latest demand knows it. */
static block_t end;

static void
see(void *ctx, const struct event *e)
{
	if (e->kind == EVENT_PLAN)
		end = e->demand->base + e->demand->end;
	else
		EXPECT(e->block + e->count <= end);
}

static void
choose(const char *prefetcher, uint64_t frames)
{
	chosen = prefetcher;
	choose_plainly(&cfg);
	choose_setting(&cfg, PLUGIN_POLICY, "lru");
	choose_setting(&cfg, PLUGIN_PREFETCHER, prefetcher);
	suit_prefetcher(&cfg);
	choose_setting(&cfg, PLUGIN_DEVICE, device);
	cfg.cache_blocks = frames;
}

static struct stats
run(void)
{
	struct stats st;
	struct error e;

	REQUIRE(!simulate(&cfg, &draft.trace, &st, &e), "%s, %s: %s", chosen, what, e.text);
	return st;
}

/* All that counts, but not what plug-ins count themselves. */
static struct stats
run_as(const char *prefetcher)
{
	struct stats st;

	choose(prefetcher, LARGE_CACHE);
	st = run();
	memset(st.own, 0, sizeof(st.own));
	return st;
}

static void
start(void)
{
	static char name[] = "draft";

	draft_start(&draft);
	draft.trace.name = name;
}

static uint32_t
file_of(uint32_t blocks)
{
	return draft_open(&draft, draft_file(&draft, 1 + draft.trace.nfiles, blocks), 0);
}

static void
read_at(uint32_t open, uint32_t first, uint32_t count)
{
	draft_blocks(&draft, 5000 * (usec_t)draft.trace.naccess, open, first, count, false);
}

/* ---- ways of reading ---- */

static void
scan(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t i = 0; i < SCAN; i++)
		read_at(open, i, 1);
}

static void
scan_by_five(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t i = 0; i < SCAN; i += 5)
		read_at(open, i, 5);
}

static void
scan_at_once(void)
{
	read_at(file_of(SCAN), 0, SCAN);
}

static void
backwards(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t i = SCAN; i > 0; i--)
		read_at(open, i - 1, 1);
}

/* Every third block, then the blocks between. */
static void
strided(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t from = 0; from < 3; from++)
		for (uint32_t i = from; i < SCAN; i += 3)
			read_at(open, i, 1);
}

static void
interleaved(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t i = 0; i < SCAN / 2; i++) {
		read_at(open, i, 1);
		read_at(open, SCAN / 2 + i, 1);
	}
}

/* One block each, and none at all. */
static void
smallest(void)
{
	file_of(0);
	for (uint32_t i = 0; i < 3; i++) {
		read_at(file_of(1), 0, 1);
		file_of(0);
	}
}

/* Every block once, in an order of any kind. */
static void
shuffled(void)
{
	uint32_t open = file_of(SCAN);

	for (uint32_t i = 0; i < SCAN; i++)
		read_at(open, i * 77 % SCAN, 1);
}

static const struct {
	const char *name;
	void (*make)(void);
} ways[] = {
	{ "a scan", scan },
	{ "a scan by five blocks", scan_by_five },
	{ "a scan in one call", scan_at_once },
	{ "backwards", backwards },
	{ "every third block", strided },
	{ "two runs of a file in turn", interleaved },
	{ "files of a block", smallest },
	{ "any order", shuffled },
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

static void
make(unsigned way)
{
	start();
	what = ways[way].name;
	ways[way].make();
}

/* ---- what holds ---- */

/* Each block is referenced once: it is missed, or it was read ahead. */
static void
check_sums(const struct stats *st)
{
	EXPECT(st->references == st->touched_blocks);
	EXPECT(st->misses + st->first_hits + st->late_hits == st->references);
	EXPECT(st->hits == st->first_hits && st->delayed_hits == 0);
	EXPECT(st->prefetched_blocks ==
	    st->prefetch_used_blocks + st->prefetch_late_blocks + st->prefetch_wasted_blocks +
		st->prefetch_unused_blocks + st->prefetch_inflight_blocks);
	EXPECT(st->prefetch_used_blocks + st->prefetch_late_blocks <= st->prefetched_blocks);
}

START_TEST(what_is_read_once_is_missed_or_was_read_ahead)
{
	static const uint64_t	 frames[] = { 4, 9, LARGE_CACHE };
	static const char *const devices[] = { "null", "fixed" };

	for (unsigned i = 0; i < all.n; i++)
		for (unsigned way = 0; way < WAYS; way++)
			for (unsigned k = 0; k < 6; k++) {
				struct stats st;

				device = devices[k % 2];
				make(way);
				choose(all.text[i], frames[k / 2]);
				st = run();
				check_sums(&st);
			}
}
END_TEST

/* Each call finds its file of another size, some of them smaller than what it reads. */
static void
shrink_files(void)
{
	for (uint32_t k = 0; k < draft.trace.naccess; k++)
		draft.access[k].file_size = draft.access[k].file_size * (k % 5) / 4;
}

START_TEST(nothing_is_read_behind_the_end_of_the_file)
{
	device = "null";
	for (unsigned i = 0; i < all.n; i++)
		for (unsigned way = 0; way < WAYS; way++) {
			make(way);
			shrink_files();
			choose(all.text[i], LARGE_CACHE);
			if (chosen_prefetcher(&cfg)->idle)
				continue; /* it does not plan for a demand */
			cfg.observer = (struct observer){
				.mask = 1u << EVENT_PLAN | 1u << EVENT_PREFETCH | 1u << EVENT_FETCH,
				.see = see,
			};
			run();
		}
}
END_TEST

/* Files that are read in turn, or one of them: A alone, B alone, both. */
static struct stats
read_files(const char *prefetcher, unsigned which)
{
	uint32_t a, b;

	start();
	a = file_of(SCAN);
	b = file_of(SCAN);
	for (uint32_t i = 0; i < SCAN; i++) {
		if (which & 1)
			read_at(a, i, 1);
		if (which & 2)
			read_at(b, i, 1);
	}
	return run_as(prefetcher);
}

START_TEST(streams_of_two_files_do_not_disturb_each_other)
{
	what = "two files in turn";
	device = "null";
	for (unsigned i = 0; i < all.n; i++) {
		struct stats a = read_files(all.text[i], 1), b = read_files(all.text[i], 2),
			     both = read_files(all.text[i], 3);

		EXPECT(both.misses == a.misses + b.misses);
		EXPECT(both.prefetched_blocks == a.prefetched_blocks + b.prefetched_blocks);
		EXPECT(
		    both.prefetch_used_blocks == a.prefetch_used_blocks + b.prefetch_used_blocks);
	}
}
END_TEST

/* ---- when it is none ---- */

/* Does it plan nothing, whatever is read?  Then every counter is that of none. */
static bool
is_none(const char *prefetcher)
{
	device = "fixed";
	for (unsigned way = 0; way < WAYS; way++) {
		struct stats none, st;

		make(way);
		none = run_as("none");
		st = run_as(prefetcher);
		if (st.planned_blocks)
			return false;
		EXPECT(!memcmp(&st, &none, sizeof(st)));
	}
	return true;
}

START_TEST(a_controller_of_none_is_none)
{
	char text[SETTING_TEXT];

	for (const struct plugin *const *p = registry_list(PLUGIN_PREFETCHER); *p; p++) {
		if (!(*p)->around)
			continue;
		snprintf(text, sizeof(text), "%s+none", (*p)->name);
		EXPECT(is_none(text));
	}
}
END_TEST

/* By how many of its parameters, those that are numbers and may be 0. */
static unsigned
switches_off(const struct plugin *p)
{
	char	 text[SETTING_TEXT];
	unsigned n = 0;

	for (const struct param *q = p->params; q && q->name; q++) {
		if (q->unit != PARAM_COUNT || q->min)
			continue;
		snprintf(text, sizeof(text), "%s:%s=0", p->name, q->name);
		n += is_none(text);
	}
	return n;
}

START_TEST(what_has_a_size_is_none_at_size_0)
{
	for (const struct plugin *const *p = registry_list(PLUGIN_PREFETCHER); *p; p++) {
		bool has_numbers = false;

		for (const struct param *q = (*p)->params; q && q->name; q++)
			has_numbers |= q->unit == PARAM_COUNT;
		if (registry_goes_inside(PLUGIN_PREFETCHER, *p) && has_numbers)
			REQUIRE(switches_off(*p), "nothing turns %s off", (*p)->name);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("conventions");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, what_is_read_once_is_missed_or_was_read_ahead);
	tcase_add_test(tests, nothing_is_read_behind_the_end_of_the_file);
	tcase_add_test(tests, streams_of_two_files_do_not_disturb_each_other);
	tcase_add_test(tests, a_controller_of_none_is_none);
	tcase_add_test(tests, what_has_a_size_is_none_at_size_0);
	return run_tests("conventions", tests);
}

/* check_run_parts.c - what files and processes have adds up to what the run has. */
#include "sim/core/simulate.h"
#include "sim/report/run/run_parts.h"
#include "tests/unit/conformance.h"
#include "tests/unit/shapes.h"

enum { RUNS = 24 };

static struct config	cfg;
static struct error	error;
static struct settings	settings;
static struct run_parts parts;
static struct stats	stats;

/* Run, and watch.  False: the settings contradict each other. */
static bool
watch(const struct trace *t)
{
	run_parts_release(&parts);
	ck_assert(!run_parts_init(&parts, t, true, true, cfg.warmup_calls, &error));
	cfg.observer = (struct observer){ run_parts_mask, run_parts_see, &parts };
	return !simulate(&cfg, t, &stats, &error);
}

/* ---- every prefetcher ---- */

static struct part
sum(enum parts_of kind)
{
	struct part s = { 0 };

	for (uint32_t i = 0; i < run_parts_number(&parts, kind); i++) {
		const struct part *p = &parts.part[kind][i];

		s.references += p->references;
		s.hits += p->hits;
		s.misses += p->misses;
		s.prefetched += p->prefetched;
		s.victim_misses += p->victim_misses;
		s.polluted += p->polluted;
		s.covered += p->covered;
		s.stall_us += p->stall_us;
		for (unsigned k = 0; k < FATES; k++) {
			REQUIRE(p->outcome[k] <= p->prefetched, "more outcomes than prefetches");
			s.outcome[k] += p->outcome[k];
		}
	}
	return s;
}

static void
compare(enum parts_of kind, const char *text)
{
	struct part	   s = sum(kind);
	const struct stats t = stats;
	const uint64_t	   pair[][2] = {
		    { s.references, t.references },
		    { s.hits, t.hits },
		    { s.misses, t.misses },
		    { s.prefetched, t.prefetched_blocks },
		    { part_used(&s), t.prefetch_used_blocks + t.prefetch_late_blocks },
		    { part_wasted(&s), t.prefetch_wasted_blocks },
		    { s.outcome[FATE_TIMELY], t.outcome_timely_blocks },
		    { s.outcome[FATE_LATE], t.outcome_late_blocks },
		    { s.outcome[FATE_COSTLY], t.outcome_costly_blocks },
		    { s.outcome[FATE_USELESS], t.outcome_useless_blocks },
		    { s.outcome[FATE_POLLUTING], t.outcome_polluting_blocks },
		    { s.victim_misses, t.pollution_victim_misses },
		    { s.polluted, cfg.shadow ? t.pollution_misses : 0 },
		    { s.covered, cfg.shadow ? t.covered_references : 0 },
		    { s.stall_us, t.stall_us },
	};

	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++)
		REQUIRE(pair[i][0] == pair[i][1], "%s, kind %d: figure %zu is %llu, not %llu", text,
		    kind, i, (unsigned long long)pair[i][0], (unsigned long long)pair[i][1]);
}

static void
draw_config(uint64_t *seed)
{
	static const enum replay replay[] = { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_OPEN };

	cfg.cache_blocks = 5 + random_below(seed, 40);
	cfg.queue_requests = 4 + random_below(seed, 20);
	cfg.writes = (enum writes)random_below(seed, 3);
	cfg.wait = (enum wait)random_below(seed, 2);
	cfg.replay = replay[random_below(seed, 3)];
	cfg.shadow = random_below(seed, 2);
	cfg.warmup_calls = random_below(seed, 2) * random_below(seed, CALLS);
	cfg.flush_interval_us = 50000;
	cfg.flush_age_us = 100000;
}

START_TEST(the_parts_add_up_to_the_run)
{
	uint64_t seed = 1, prefetched = 0, thrown_out = 0;

	settings_registered(&settings, PLUGIN_PREFETCHER);
	for (unsigned i = 0; i < settings.n; i++) {
		choose_plainly(&cfg);
		choose_setting(&cfg, PLUGIN_POLICY, i % 2 ? "lru" : "2q");
		choose_setting(&cfg, PLUGIN_DEVICE, "fixed:latency=10ms");
		choose_setting(&cfg, PLUGIN_PREFETCHER, settings.text[i]);
		for (unsigned run = 0; run < RUNS; run++) {
			draw_config(&seed);
			if (!watch(shape_trace(random_below(&seed, ALL))))
				continue;
			compare(PARTS_OF_FILES, settings.text[i]);
			compare(PARTS_OF_PROCESSES, settings.text[i]);
			prefetched += stats.prefetched_blocks;
			thrown_out += stats.outcome_polluting_blocks + stats.outcome_costly_blocks;
		}
	}
	ck_assert_uint_gt(prefetched, settings.n * RUNS * 10);
	ck_assert_uint_gt(thrown_out, settings.n * RUNS);
}
END_TEST

/* ---- by hand ---- */

static struct draft draft;

/* At a miss of block 0 of a file, the next four. */
static void
four_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->how == REF_MISS && d->index == 0)
		plan_add(plan, 1, 4);
}

static const struct prefetcher four = {
	.plugin = { .name = "four", .summary = "test: four blocks at the first" },
	.access = four_access,
};

/*
 * The second process reads two blocks of file 1; the first one's readahead of file 0 evicts them,
 * so that they are missed again.  Of its four blocks, the first is used.
 */
START_TEST(who_reads_ahead_is_blamed_and_who_misses_is_harmed)
{
	const struct part *file, *process;

	choose_plainly(&cfg);
	choose_setting(&cfg, PLUGIN_POLICY, "lru");
	choose_setting(&cfg, PLUGIN_DEVICE, "fixed:latency=10ms,rate=40960000");
	choose_own(&cfg, PLUGIN_PREFETCHER, &four.plugin);
	cfg.cache_blocks = 6;
	cfg.shadow = true;
	cfg.warmup_calls = 0;
	cfg.replay = REPLAY_SERIAL;
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 20), 0);
	draft_open(&draft, draft_file(&draft, 2, 20), 1);
	draft_blocks(&draft, 0, 1, 10, 2, false);
	draft_blocks(&draft, 100000, 0, 0, 1, false);
	draft_blocks(&draft, 200000, 0, 1, 1, false);
	draft_blocks(&draft, 300000, 1, 10, 1, false);
	ck_assert(watch(&draft.trace));
	file = parts.part[PARTS_OF_FILES];
	process = parts.part[PARTS_OF_PROCESSES];
	ck_assert_uint_eq(file[0].prefetched, 4);
	ck_assert_uint_eq(process[0].prefetched, 4);
	ck_assert_uint_eq(part_used(&file[0]), 1);
	ck_assert_uint_eq(file[0].covered, 1);
	ck_assert_uint_eq(file[1].polluted, 1);
	ck_assert_uint_eq(process[1].polluted, 1);
	ck_assert_uint_eq(process[1].victim_misses, 1);
	ck_assert_uint_eq(file[0].stall_us, 10500);
	ck_assert_uint_eq(file[1].stall_us, 10200 + 10100);
	ck_assert_uint_eq(stats.pollution_misses, 1);
	ck_assert_uint_eq(stats.covered_references, 1);
}
END_TEST

static void
setup(void)
{
	shapes_make();
}

static void
teardown(void)
{
	run_parts_release(&parts);
	shapes_release();
	release_choices(&cfg);
}

int
main(void)
{
	TCase *tests = tcase_create("run_parts");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_parts_add_up_to_the_run);
	tcase_add_test(tests, who_reads_ahead_is_blamed_and_who_misses_is_harmed);
	return run_tests("run_parts", tests);
}

/* check_run_frames.c - what is recorded of a run is what its cache holds, and reads back as a load. */
#include <unistd.h>

#include "sim/base/output.h"
#include "sim/core/engine/engine.h"
#include "sim/report/run/run_frames.h"
#include "sim/studies/frames/model/recording.h"
#include "tests/unit/conformance.h"
#include "tests/unit/shapes.h"

enum { TEXT_ROOM = 4096, RUNS = 6 };

static char	     path[] = "/tmp/bufsim-check-frames-XXXXXX";
static struct config cfg;
static struct error  error;

static struct settings settings;

/* The blocks in the cache. */
static uint64_t
occupied(const struct cache *c)
{
	uint64_t n = 0;

	for (frame_t f = 1; f <= c->nused; f++)
		n += c->frame[f].block != 0;
	return n;
}

/* Run, record into the file: the counts, and what the cache holds at the end.  False: refused. */
static bool
record(const struct trace *t, uint64_t *takes, uint64_t *gives, uint64_t *held)
{
	static struct run_frames f;
	struct output		*out = output_open(path, &error);
	struct engine		 g;

	REQUIRE(out && !run_frames_init(&f, t, cfg.cache_blocks, out, &error), "%s", error.text);
	cfg.observer = (struct observer){ run_frames_mask, run_frames_see, &f };
	if (engine_init(&g, &cfg, t, &error)) {
		run_frames_release(&f);
		output_abandon(out);
		return false;
	}
	REQUIRE(!engine_run(&g, &error), "%s", error.text);
	*held = occupied(&g.node.cache);
	*takes = f.takes;
	*gives = f.gives;
	engine_release(&g);
	REQUIRE(!run_frames_finish(&f, &error) && !output_commit(out, NULL, &error), "%s",
	    error.text);
	run_frames_release(&f);
	return true;
}

/* ---- every policy and prefetcher ---- */

static void
draw_config(uint64_t *seed)
{
	cfg.cache_blocks = 5 + random_below(seed, 40);
	cfg.queue_requests = 4 + random_below(seed, 20);
	cfg.writes = (enum writes)random_below(seed, 3);
	cfg.wait = (enum wait)random_below(seed, 2);
	cfg.replay = random_below(seed, 2) ? REPLAY_PROCESS : REPLAY_SERIAL;
	cfg.flush_interval_us = 50000;
	cfg.flush_age_us = 100000;
}

/* Returns the events. */
static uint64_t
check_run(const struct trace *t, const char *text)
{
	struct instance		      load;
	const struct recording_facts *facts;
	uint64_t		      takes, gives, held;

	if (!record(t, &takes, &gives, &held)) {
		check_refused(text, &error);
		return 0;
	}
	REQUIRE(takes - gives == held, "%s: %llu - %llu, not %llu", text, (unsigned long long)takes,
	    (unsigned long long)gives, (unsigned long long)held);
	REQUIRE(!recording_load(&load, path, &error), "%s: %s", text, error.text);
	facts = recording_facts(&load);
	REQUIRE(facts->takes == takes && facts->gives == gives && facts->most <= cfg.cache_blocks,
	    "%s: %llu takes are read, not %llu", text, (unsigned long long)facts->takes,
	    (unsigned long long)takes);
	REQUIRE(facts->processes <= t->nprocesses && facts->cache_blocks == cfg.cache_blocks,
	    "%s: %u processes", text, facts->processes);
	recording_release(&load);
	return takes + gives;
}

static void
check_all(const struct plugin_kind *kind, const struct plugin_kind *other, const char *beside)
{
	uint64_t seed = 1, events = 0;

	settings.n = 0;
	settings_registered(&settings, kind);
	for (unsigned i = 0; i < settings.n; i++) {
		choose_plainly(&cfg);
		choose_setting(&cfg, other, beside);
		choose_setting(&cfg, kind, settings.text[i]);
		for (unsigned run = 0; run < RUNS; run++) {
			draw_config(&seed);
			suit_prefetcher(&cfg);
			events +=
			    check_run(shape_trace(random_below(&seed, ALL)), settings.text[i]);
		}
	}
	ck_assert_uint_gt(events, settings.n * RUNS * 50);
}

START_TEST(takes_less_gives_are_in_the_cache_with_each_policy)
{
	check_all(PLUGIN_POLICY, PLUGIN_PREFETCHER, "linux24");
}
END_TEST

START_TEST(takes_less_gives_are_in_the_cache_with_each_prefetcher)
{
	check_all(PLUGIN_PREFETCHER, PLUGIN_POLICY, "lru");
}
END_TEST

/* ---- by hand ---- */

static struct draft draft;

static void
expect(const char *expected)
{
	char	 text[TEXT_ROOM];
	uint64_t takes, gives, held;
	FILE	*f;
	size_t	 n;

	ck_assert(record(&draft.trace, &takes, &gives, &held));
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	ck_assert_str_eq(text, expected);
}

static void
draft_two(void)
{
	static char name[] = "draft";

	choose_plainly(&cfg);
	choose_setting(&cfg, PLUGIN_POLICY, "lru");
	choose_setting(&cfg, PLUGIN_PREFETCHER, "none");
	cfg.cache_blocks = 3;
	draft_start(&draft);
	draft.trace.name = name;
	draft_file(&draft, 1, 20);
	draft_open(&draft, 0, 0);
	draft_open(&draft, 0, 1);
}

START_TEST(a_full_cache_gives_and_takes_by_the_process_that_needs_room)
{
	draft_two();
	draft_blocks(&draft, 0, 0, 0, 2, false);
	draft_blocks(&draft, 1000, 1, 5, 1, false);
	draft_blocks(&draft, 2000, 0, 0, 1, false);
	draft_blocks(&draft, 3000, 1, 6, 2, true);
	expect("# bufsim frames 1, cache 3, processes 2, trace draft\n"
	       "+ 0 0\n+ 1 0\n+ 2 1\n- 1 1\n+ 1 1\n- 2 1\n+ 2 1\n");
}
END_TEST

START_TEST(pages_that_advice_drops_are_given_back_and_taken_again)
{
	draft_two();
	choose_setting(&cfg, PLUGIN_PREFETCHER, "ondemand");
	cfg.cache_blocks = 300;
	draft_blocks(&draft, 0, 1, 18, 2, false);
	draft_blocks(&draft, 1000, 0, 3, 1, false);
	draft_advise(&draft, ADVICE_DONTNEED, 0, 18 * DRAFT_BLOCK_BYTES, 0);
	expect("# bufsim frames 1, cache 300, processes 2, trace draft\n"
	       "+ 0 1\n+ 1 1\n- 0 0\n- 1 0\n+ 1 0\n");
}
END_TEST

/* ---- failures ---- */

START_TEST(a_write_that_fails_is_told_at_the_end)
{
	static struct run_frames f;
	struct output		*out;
	struct event		 fill = { .kind = EVENT_FILL, .count = 1 };
	struct event		 evict = { .kind = EVENT_EVICT, .count = 1 };

	draft_two();
	draft_blocks(&draft, 0, 0, 0, 1, false);
	out = output_open(path, &error);
	ck_assert_ptr_nonnull(out);
	ck_assert(!run_frames_init(&f, &draft.trace, 3, out, &error));
	run_frames_see(&f, &fill);
	run_frames_see(&f, &evict);
	ck_assert_uint_eq(f.takes, 1);
	f.failed = true;
	error_set(&f.error, "full");
	run_frames_see(&f, &fill);
	ck_assert_uint_eq(f.takes, 1);
	ck_assert_int_eq(run_frames_finish(&f, &error), -1);
	ck_assert_str_eq(error.text, "full");
	run_frames_release(&f);
	output_abandon(out);
}
END_TEST

static void
setup(void)
{
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	shapes_make();
}

static void
teardown(void)
{
	unlink(path);
	shapes_release();
	release_choices(&cfg);
}

int
main(void)
{
	TCase *tests = tcase_create("run_frames");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, takes_less_gives_are_in_the_cache_with_each_policy);
	tcase_add_test(tests, takes_less_gives_are_in_the_cache_with_each_prefetcher);
	tcase_add_test(tests, a_full_cache_gives_and_takes_by_the_process_that_needs_room);
	tcase_add_test(tests, pages_that_advice_drops_are_given_back_and_taken_again);
	tcase_add_test(tests, a_write_that_fails_is_told_at_the_end);
	return run_tests("run_frames", tests);
}

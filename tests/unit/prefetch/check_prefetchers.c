/*
 * check_prefetchers.c - what prefetch.h promises of every prefetcher that is
 * registered, alone and in every controller, with every parameter at its ends.
 *
 * Each runs twice: as it is, and with guards around its plan and a copy of
 * the cache, with which nothing else may change.
 */
#include "tests/unit/conformance.h"
#include "tests/unit/shapes.h"

enum { GUARD_BYTES = 64, GUARD = 0xA5, NOTES = 400, NOTE_TEXT = 200 };
enum { FRAMES = 1000, ALL_BLOCKS = 2 * FILES * FILE_BLOCKS + 1 };

static struct config cfg;
static const char   *chosen;

#define EXPECT(...) REQUIRE((__VA_ARGS__), "%s: not so: %s", chosen, #__VA_ARGS__)

/* ---- guards ---- */

static struct {
	unsigned char front[GUARD_BYTES];
	struct plan   plan;
	unsigned char behind[GUARD_BYTES];
} guarded;

static struct {
	struct cache cache;
	struct frame frame[FRAMES + 1];
	frame_t	     where[ALL_BLOCKS];
} before;

/* Texts of notes, for as long as anything is shown. */
static struct {
	const char *note;
	char	    text[NOTE_TEXT];
} notes[NOTES];

static const struct prefetcher *real;

static void
raise_guards(const struct demand *d)
{
	memset(&guarded, GUARD, sizeof(guarded));
	plan_start(&guarded.plan);
	before.cache = *d->cache;
	memcpy(before.frame, d->cache->frame, (d->cache->nframes + 1) * sizeof(struct frame));
	memcpy(before.where, d->cache->where, d->cache->nblocks * sizeof(frame_t));
}

static bool
untouched(const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	while (n && b[n - 1] == GUARD)
		n--;
	return n == 0;
}

/* The same pointer is the same text for ever. */
static void
check_note(const char *note)
{
	unsigned i = 0;

	while (notes[i].note && notes[i].note != note)
		i++;
	ck_assert_uint_lt(i + 1, NOTES);
	if (!notes[i].note)
		snprintf(notes[i].text, NOTE_TEXT, "%s", note);
	notes[i].note = note;
	EXPECT(*note && strlen(note) < NOTE_TEXT && !strchr(note, '\n'));
	EXPECT(!strcmp(notes[i].text, note));
}

static void
check_extent(struct extent e)
{
	EXPECT(e.count <= UINT32_MAX - e.index);
}

static void
check_plan(void)
{
	const struct plan *p = &guarded.plan;

	EXPECT(untouched(guarded.front, GUARD_BYTES) && untouched(guarded.behind, GUARD_BYTES));
	EXPECT(p->n <= PLAN_MAX && p->nnotes <= NOTES_MAX);
	for (unsigned i = 0; i < p->n; i++) {
		EXPECT(p->extent[i].count);
		check_extent(p->extent[i]);
	}
	for (unsigned i = 0; i < MARKS_MAX; i++)
		if (p->mark[i].count)
			check_extent(p->mark[i]);
	if (p->unmark.count)
		check_extent(p->unmark);
	if (p->renew.count)
		check_extent(p->renew);
	for (unsigned i = 0; i < p->nnotes; i++)
		check_note(p->note[i]);
	EXPECT(untouched(&p->note[p->nnotes], (NOTES_MAX - p->nnotes) * sizeof(p->note[0])));
}

static void
check_guards(const struct demand *d)
{
	const struct cache *c = d->cache;

	check_plan();
	EXPECT(!memcmp(c, &before.cache, sizeof(*c)));
	EXPECT(!memcmp(c->frame, before.frame, (c->nframes + 1) * sizeof(struct frame)));
	EXPECT(!memcmp(c->where, before.where, c->nblocks * sizeof(frame_t)));
}

static void
guarded_access(void *self, const struct demand *d, struct plan *plan)
{
	raise_guards(d);
	real->access(self, d, &guarded.plan);
	check_guards(d);
	*plan = guarded.plan;
}

static void
guarded_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	raise_guards(d);
	real->advise(self, a, d, &guarded.plan);
	check_guards(d);
	*plan = guarded.plan;
}

/* The prefetcher that is chosen, with guards. */
static void
guard(void)
{
	static struct prefetcher p;

	real = chosen_prefetcher(&cfg);
	p = *real;
	if (real->access)
		p.access = guarded_access;
	if (real->advise)
		p.advise = guarded_advise;
	exchange_prefetcher(&cfg, &p);
}

/* ---- runs ---- */

static struct settings others[CONFIG_KINDS];

static void
setup(void)
{
	shapes_make();
	settings_registered(&others[kind_number(PLUGIN_POLICY)], PLUGIN_POLICY);
	settings_registered(&others[kind_number(PLUGIN_SCHEDULER)], PLUGIN_SCHEDULER);
	settings_kinds(&others[kind_number(PLUGIN_DEVICE)]);
}

static void
choose_any(const struct plugin_kind *kind, uint64_t *seed)
{
	const struct settings *s = &others[kind_number(kind)];

	choose_setting(&cfg, kind, s->text[random_below(seed, s->n)]);
}

static void
configure(uint64_t frames, uint64_t *seed)
{
	static const enum replay replay[] = { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_OPEN };

	choose_plainly(&cfg);
	choose_any(PLUGIN_POLICY, seed);
	choose_any(PLUGIN_SCHEDULER, seed);
	choose_any(PLUGIN_DEVICE, seed);
	choose_setting(&cfg, PLUGIN_PREFETCHER, chosen);
	cfg.cache_blocks = frames;
	cfg.replay = replay[random_below(seed, 3)];
	cfg.writes = random_below(seed, 3);
	cfg.wait = random_below(seed, 2);
	cfg.complete = random_below(seed, 2);
	cfg.queue_requests = random_below(seed, 2) ? QUEUE_MIN : 128;
	suit_prefetcher(&cfg);
}

/* False if its parameters contradict each other. */
static bool
run(const struct trace *t, struct stats *st)
{
	struct error e;

	if (!simulate(&cfg, t, st, &e))
		return true;
	check_refused(chosen, &e);
	return false;
}

/* The states that it had are gone; what it has said is not. */
static void
check_notes(void)
{
	for (unsigned i = 0; notes[i].note; i++)
		EXPECT(!strcmp(notes[i].text, notes[i].note));
}

static void
conform(void)
{
	static const uint64_t frames[] = { 1, 2, 3, 4, 8, FRAMES };
	uint64_t	      seed = 1;

	/* Each size meets every second shape, and each shape three sizes. */
	for (unsigned i = 0; i < 6 * SHAPES; i += 2) {
		unsigned     number = i % SHAPES + SHAPES * random_below(&seed, TRACES / SHAPES);
		struct stats bare, with;

		configure(frames[i / SHAPES], &seed);
		if (!run(shape_trace(number), &bare))
			return;
		guard();
		ck_assert(run(shape_trace(number), &with));
		for (unsigned k = 0; k < PLUGIN_STATS_MAX; k++) /* the guarded one is a copy */
			with.own[k].plugin = bare.own[k].plugin;
		EXPECT(!memcmp(&bare, &with, sizeof(bare)));
		check_notes();
	}
}

START_TEST(every_prefetcher_plans_and_does_nothing_else)
{
	static struct settings s;

	settings_all(&s, PLUGIN_PREFETCHER);
	for (unsigned i = 0; i < s.n; i++) {
		chosen = s.text[i];
		conform();
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("prefetchers");

	tcase_add_checked_fixture(tests, setup, shapes_release);
	tcase_add_test(tests, every_prefetcher_plans_and_does_nothing_else);
	return run_tests("prefetchers", tests);
}

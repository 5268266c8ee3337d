/*
 * check_coherence.c - what processes read, on real values: copies of pages are kept as the protocol
 * says, and each read is compared with a plain memory.
 *
 * The programs are random and free of data races.  Between two barriers a word is read only, or
 * used by one process, or under one lock, or handed from process to process with flags.
 */
#include "sim/studies/share/model/registry.h"
#include "tests/unit/sharing.h"

enum {
	PROCESSES = 6,
	OBJECTS = 12,
	OBJECT_WORDS = 9,
	WORDS = OBJECTS * OBJECT_WORDS,
	LOCKS = 3,
	PHASES = 6,
	STEPS = 30,
	PAGE = 64,
	TEXT_ROOM = 1 << 16,
	SCRIPT_ROOM = PROCESSES * TEXT_ROOM
};

/* ---- programs ---- */

enum {
	READ_ONLY,
	FIRST_OWNER,
	FIRST_LOCK = FIRST_OWNER + PROCESSES,
	HANDED = FIRST_LOCK + LOCKS,
	ROLES
};

struct draft_program {
	uint64_t state;
	char	 text[PROCESSES][TEXT_ROOM];
	size_t	 used[PROCESSES];
	unsigned role[WORDS];
	unsigned order[PROCESSES]; /* in which the handed words go round */
};

static void __attribute__((format(printf, 3, 4)))
put(struct draft_program *s, unsigned process, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	s->used[process] += (size_t)vsnprintf(s->text[process] + s->used[process],
	    TEXT_ROOM - s->used[process], format, args);
	va_end(args);
	ck_assert_uint_lt(s->used[process], TEXT_ROOM);
}

static void
put_reference(struct draft_program *s, unsigned process, unsigned word, bool may_write)
{
	put(s, process, "%c %u %u\n", may_write && random_below(&s->state, 2) ? 'W' : 'R',
	    word / OBJECT_WORDS + 1, word % OBJECT_WORDS);
}

/* Some of the words of a role, or all. */
static void
put_references(struct draft_program *s, unsigned process, unsigned role, bool all)
{
	for (unsigned w = 0; w < WORDS; w++)
		if (s->role[w] == role && (all || !random_below(&s->state, 4)))
			put_reference(s, process, w, true);
}

static void
put_handing(struct draft_program *s, unsigned phase, unsigned at)
{
	unsigned process = s->order[at], flag = phase * PROCESSES + at;

	if (at)
		put(s, process, "V %u\n", flag);
	put_references(s, process, HANDED, true);
	if (at + 1 < PROCESSES)
		put(s, process, "S %u\n", flag + 1);
}

static void
put_step(struct draft_program *s, unsigned process)
{
	unsigned w = random_below(&s->state, WORDS), role = s->role[w];

	if (role == READ_ONLY) {
		put_reference(s, process, w, false);
	} else if (role == FIRST_OWNER + process) {
		put_reference(s, process, w, true);
	} else if (role >= FIRST_LOCK && role < HANDED) {
		put(s, process, "L %u\n", role);
		put_references(s, process, role, false);
		put(s, process, "U %u\n", role);
	}
}

static void
draw_phase(struct draft_program *s, unsigned phase)
{
	for (unsigned w = 0; w < WORDS; w++)
		s->role[w] = random_below(&s->state, ROLES);
	for (unsigned i = 0; i < PROCESSES; i++) {
		unsigned j = random_below(&s->state, i + 1);

		s->order[i] = s->order[j];
		s->order[j] = i;
	}
	for (unsigned at = 0; at < PROCESSES; at++) {
		unsigned process = s->order[at], when = random_below(&s->state, STEPS);

		for (unsigned i = 0; i < STEPS; i++) {
			if (i == when)
				put_handing(s, phase, at);
			put_step(s, process);
		}
		put(s, process, "B 1\n");
	}
}

/* All text: processor 0 requests the objects and writes some words before it creates the others. */
static const char *
draw(uint64_t seed)
{
	static struct draft_program s;
	static char		    all[SCRIPT_ROOM];
	size_t			    used;

	memset(&s, 0, sizeof(s));
	s.state = seed;
	put(&s, 0, "P 0\n");
	for (unsigned o = 1; o <= OBJECTS; o++)
		put(&s, 0, "A %u %u\n", o, OBJECT_WORDS * 4 + 8);
	for (unsigned w = 0; w < WORDS; w += 3)
		put(&s, 0, "W %u %u\n", w / OBJECT_WORDS + 1, w % OBJECT_WORDS);
	put(&s, 0, "C\n");
	for (unsigned p = 1; p < PROCESSES; p++)
		put(&s, p, "P %u\n", p);
	for (unsigned phase = 0; phase < PHASES; phase++)
		draw_phase(&s, phase);
	used = (size_t)sprintf(all, "# program t, processors %d, problem p, words of 4 bytes\n",
	    PROCESSES);
	for (unsigned p = 0; p < PROCESSES; p++) {
		for (unsigned w = 0; w < WORDS; w++)
			put(&s, p, "R %u %u\n", w / OBJECT_WORDS + 1, w % OBJECT_WORDS);
		used += (size_t)snprintf(all + used, SCRIPT_ROOM - used, "%s%s", s.text[p],
		    p ? "" : "J\n");
	}
	return all;
}

/* ---- values ---- */

/* A protocol around the one that is tested. */
static struct {
	const struct plugin   *plugin;
	const char	      *params;
	const struct protocol *protocol;
	void		      *inner;
	const struct world    *world;
	bool		       values_by_copies; /* else by classified faults, one holder copies */
	bool		       created;
	unsigned	       teams;
	unsigned deaf; /* this process does not hear of barriers; NO_PROCESSOR: none */

	uint32_t page[WORDS]; /* of each word */
	unsigned memory[WORDS], at_create[WORDS], copy[PROCESSES][WORDS];
	bool	 written[PROCESSES][WORDS]; /* since the twin */
	unsigned home[WORDS];		    /* [page] team + 1 */
	uint64_t holders[WORDS], writer[WORDS];
	uint64_t faults, upgrades; /* seen so far */
	unsigned last;		   /* value */
	unsigned reads, stale, words_in_diffs, owners;
} now;

static unsigned
team_of(unsigned process)
{
	return process * now.teams / PROCESSES;
}

static void
find_pages(void)
{
	const struct heap *h = now.world->heap;

	for (unsigned w = 0; w < WORDS; w++)
		now.page[w] = heap_page(h, &h->address[w / OBJECT_WORDS + 1], w % OBJECT_WORDS);
}

static void
copy_word(enum copying what, unsigned team, unsigned home, unsigned w)
{
	bool *written = &now.written[team][w];

	if (what == COPYING_HOME)
		now.copy[team][w] = now.at_create[w];
	else if (what == COPYING_FETCH && !*written)
		now.copy[team][w] = now.copy[home][w];
	else if (what == COPYING_TWIN)
		ck_assert(!*written);
	else if (what == COPYING_DIFF && *written) {
		now.copy[home][w] = now.copy[team][w];
		now.words_in_diffs++;
		*written = false;
	}
}

static void
see_copying(void *self, enum copying what, unsigned processor, uint32_t page)
{
	unsigned team = team_of(processor);

	if (what == COPYING_HOME) {
		ck_assert(!now.home[page]);
		now.home[page] = team + 1;
	} else {
		ck_assert_uint_ne(now.home[page], team + 1);
	}
	for (unsigned w = 0; w < WORDS; w++)
		if (now.page[w] == page)
			copy_word(what, team, now.home[page] - 1, w);
}

/* A copy of any other that has the page: all are the same. */
static void
see_fault(void *self, const struct fault *f)
{
	find_pages();
	ck_assert_uint_eq(f->holders, now.holders[f->page]);
	ck_assert_uint_eq(f->holders >> f->processor & 1, 0);
	now.faults++;
	for (unsigned w = 0; w < WORDS; w++)
		if (now.page[w] == f->page && f->holders)
			now.copy[f->processor][w] = now.copy[__builtin_ctzll(f->holders)][w];
}

/* One owner at any time: who writes has the page alone, and who reads has it. */
static void
follow_owner(unsigned processor, uint32_t page, bool write, bool faulted, bool upgraded)
{
	uint64_t one = UINT64_C(1) << processor, *holders = &now.holders[page];

	ck_assert(faulted || *holders & one);
	ck_assert(!upgraded || (write && !now.writer[page]));
	if (write) {
		ck_assert(faulted || upgraded || now.writer[page] == one);
		now.owners += now.writer[page] != one;
		*holders = now.writer[page] = one;
	} else if (faulted) {
		*holders |= one;
		now.writer[page] = 0;
	}
}

static void
checked_reference(void *self, unsigned processor, uint32_t page, uint32_t word, bool write)
{
	uint64_t faults = now.faults, upgrades = now.upgrades;
	unsigned team = team_of(processor);

	now.protocol->reference(now.inner, processor, page, word, write);
	if (!now.values_by_copies) {
		now.upgrades = counter_value(now.inner, &now.plugin->counters[3]);
		follow_owner(processor, page, write, faults != now.faults,
		    upgrades != now.upgrades);
	}
	if (write) {
		now.memory[word] = now.copy[team][word] = ++now.last;
		now.written[team][word] = now.created && now.home[page] != team + 1;
		return;
	}
	now.reads++;
	now.stale += now.copy[team][word] != now.memory[word];
}

static int
checked_sync(void *self, const struct sync_event *s, struct error *e)
{
	if (s->kind == SYNC_CREATE) {
		find_pages();
		memcpy(now.at_create, now.memory, sizeof(now.memory));
		if (now.values_by_copies)
			memset(now.copy, 0xff, sizeof(now.copy));
		now.created = true;
	}
	if (!now.protocol->sync || (s->kind == SYNC_DEPART && s->processor == now.deaf))
		return 0;
	return now.protocol->sync(now.inner, s, e);
}

static int
checked_init(void *self, const struct world *w, struct error *e)
{
	now.world = w;
	now.protocol = (const struct protocol *)(const void *)now.plugin;
	now.inner = plugin_state(now.plugin, now.params, e);
	return now.inner ? now.protocol->init(now.inner, w, e) : -1;
}

static void
checked_release(void *self)
{
	plugin_free(now.inner, now.protocol->release);
}

static bool
checked_needs_pages(const void *self)
{
	return true;
}

static const struct protocol checked = { .plugin = { .name = "checked", .state_size = 1 },
	.init = checked_init,
	.release = checked_release,
	.needs_pages = checked_needs_pages,
	.reference = checked_reference,
	.sync = checked_sync };

static void
run_checked(const char *text, const char *name, unsigned nodes, bool in_time, unsigned deaf)
{
	const struct share_observer observer = { .fault = see_fault, .copying = see_copying };
	struct share_config	    c = { .page_bytes = PAGE, .nodes = nodes, .in_time = in_time };
	struct program		    p = program_of(text);
	struct share_result	    r;
	struct choice		    choice;
	struct error		    e;

	memset(&now, 0, sizeof(now));
	ck_assert(!registry_choose(PLUGIN_PROTOCOL, name, &choice, &e));
	ck_assert(!registry_choose(PLUGIN_ALLOCATOR, "sequential", &c.allocator, &e));
	now.plugin = choice.plugin;
	now.params = choice.params;
	now.values_by_copies = strcmp(choice.plugin->name, "invalidate");
	now.teams = strstr(name, "per=node") ? nodes : PROCESSES;
	now.deaf = deaf;
	c.protocol.plugin = &checked.plugin;
	c.observer = &observer;
	ck_assert_msg(!share_run(&r, &c, &p, &e), "%s", e.text);
	if (now.values_by_copies)
		ck_assert_uint_eq(now.words_in_diffs * 4,
		    counted(&(struct instance){ now.plugin, now.inner }, "diff_bytes"));
	share_release(&r);
	choice_release(&choice);
	choice_release(&c.allocator);
	program_release(&p);
}

/* ---- tests ---- */

enum { SEEDS = 12 };

static const struct {
	const char *protocol;
	unsigned    nodes;
} ways[] = {
	{ "hlrc", 1 },
	{ "hlrc:home=block", 1 },
	{ "hlrc:home=roundrobin", 1 },
	{ "hlrc:per=node", 1 },
	{ "hlrc:per=node", 2 },
	{ "hlrc:per=node", 3 },
	{ "hlrc:per=node", 4 },
	{ "hlrc:per=node,home=block", 3 },
	{ "hlrc:per=node,home=roundrobin", 2 },
};

START_TEST(each_read_sees_the_last_write_through_homes_twins_and_diffs)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		run_checked(draw(seed), ways[_i].protocol, ways[_i].nodes, seed % 2, NO_PROCESSOR);
		ck_assert_uint_gt(now.reads, PROCESSES * WORDS);
		ck_assert_msg(!now.stale, "%s on %u nodes, seed %u: %u of %u reads are stale",
		    ways[_i].protocol, ways[_i].nodes, (unsigned)seed, now.stale, now.reads);
		if (ways[_i].nodes == 1 && strstr(ways[_i].protocol, "node"))
			ck_assert_uint_eq(now.words_in_diffs, 0);
		else
			ck_assert_uint_gt(now.words_in_diffs, 0);
	}
}
END_TEST

START_TEST(with_invalidate_each_read_sees_the_last_write_and_a_page_has_one_owner)
{
	run_checked(draw((uint64_t)_i), "invalidate", 1, _i % 2, NO_PROCESSOR);
	ck_assert_uint_gt(now.reads, PROCESSES * WORDS);
	ck_assert_uint_gt(now.owners, 100);
	ck_assert_uint_eq(now.stale, 0);
}
END_TEST

START_TEST(who_does_not_hear_of_a_barrier_reads_old_values)
{
	unsigned stale = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		run_checked(draw(seed), ways[_i].protocol, ways[_i].nodes, seed % 2, 2);
		stale += now.stale;
	}
	if (now.teams > 1)
		ck_assert_uint_gt(stale, 0);
	else
		ck_assert_uint_eq(stale, 0);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("coherence");

	tcase_add_loop_test(tc, each_read_sees_the_last_write_through_homes_twins_and_diffs, 0,
	    (int)(sizeof(ways) / sizeof(*ways)));
	tcase_add_loop_test(tc,
	    with_invalidate_each_read_sees_the_last_write_and_a_page_has_one_owner, 0, SEEDS);
	tcase_add_loop_test(tc, who_does_not_hear_of_a_barrier_reads_old_values, 0,
	    (int)(sizeof(ways) / sizeof(*ways)));
	return run_tests("coherence", tc);
}

/*
 * check_detect.c - the class of every reference: by hand, and against an
 * oracle of lists that are searched from end to end.
 */
#include <stdio.h>
#include <string.h>

#include "prefetch/detect.h"
#include "tests/unit/support.h"

enum { NFILES = 6, NOPEN = 3 * NFILES }; /* open file n is of file n % NFILES */

struct holder {
	uint64_t	before;
	struct detector detector;
};

static const struct param  params[] = { DETECTOR_PARAMS(struct holder, detector), { 0 } };
static const struct plugin plugin = { .name = "holder", .params = params };

static struct holder	      holder;
static struct detector *const d = &holder.detector;
static char		      seen[4096];

static void
start(const char *text)
{
	struct error e;

	detector_release(d);
	holder = (struct holder){ 0 };
	ck_assert_msg(!params_set(&plugin, &holder, text, &e), "%s", e.text);
	ck_assert_int_eq(detector_init(d, NOPEN, NFILES, &e), 0);
}

static void
setup(void)
{
	start("threshold=4");
}

static void
teardown(void)
{
	detector_release(d);
	holder = (struct holder){ 0 };
}

/* A reference through an open file. */
static enum reference_class
update(uint32_t open, uint32_t block)
{
	return detector_update(d, open, open % NFILES, block);
}

/* References to blocks first .. last, up or down: their classes, "ooosl". */
static const char *
refer(uint32_t open, uint32_t first, uint32_t last)
{
	uint32_t n = (last > first ? last - first : first - last) + 1;

	ck_assert_uint_lt(n, sizeof(seen));
	for (uint32_t i = 0; i < n; i++)
		seen[i] = "osl"[update(open, last > first ? first + i : first - i)];
	seen[n] = '\0';
	return seen;
}

/* Something else through that open file, so that its run ends. */
static void
leave(uint32_t open)
{
	refer(open, 1000000, 1000000);
}

/* ---- sequential ---- */

START_TEST(a_run_is_sequential_from_its_threshold_on)
{
	ck_assert_str_eq(refer(0, 10, 16), "ooossss");
	start("threshold=2");
	ck_assert_str_eq(refer(0, 10, 12), "oss");
	start("threshold=32");
	refer(0, 0, 29);
	ck_assert_str_eq(refer(0, 30, 32), "oss");
	ck_assert_uint_eq(d->open[0].length, 33);
	for (uint32_t i = 33; i < 100000; i++)
		REQUIRE(update(0, i) == CLASS_SEQUENTIAL, "block %u", i);
	ck_assert_uint_eq(d->open[0].length, 100000);
}
END_TEST

START_TEST(the_same_block_again_changes_nothing)
{
	ck_assert_str_eq(refer(0, 10, 10), "o");
	ck_assert_str_eq(refer(0, 10, 10), "o");
	ck_assert_str_eq(refer(0, 10, 12), "ooo");
	ck_assert_str_eq(refer(0, 12, 12), "o");
	ck_assert_str_eq(refer(0, 13, 13), "s");
	ck_assert_str_eq(refer(0, 13, 13), "s");
	ck_assert_uint_eq(d->open[0].length, 4);
	leave(0);
	ck_assert_str_eq(refer(0, 10, 10), "l");
	ck_assert_str_eq(refer(0, 10, 10), "l");
	ck_assert_str_eq(refer(0, 11, 13), "lll");
	ck_assert_str_eq(refer(0, 13, 13), "l");
	ck_assert_uint_eq(d->repetitions, 1);
}
END_TEST

START_TEST(what_leaves_a_block_out_or_goes_back_ends_the_run)
{
	ck_assert_str_eq(refer(0, 9, 0), "oooooooooo");
	for (uint32_t i = 0; i < 40; i += 2)
		ck_assert_str_eq(refer(0, i, i), "o");
	refer(0, 50, 56);
	ck_assert_str_eq(refer(0, 55, 60), "ooosss");
}
END_TEST

/* Nothing is no run that ends before block 0 or at it. */
START_TEST(a_file_begins_with_any_block)
{
	for (uint32_t first = 0; first < 3; first++) {
		refer(first, first, first);
		ck_assert_uint_eq(d->open[first].length, 1);
		ck_assert_uint_eq(d->open[first].start, first);
		ck_assert_str_eq(refer(first, first + 1, first + 4), "ooss");
	}
	leave(0);
	ck_assert_str_eq(refer(0, 0, 5), "llllls");
}
END_TEST

START_TEST(the_last_blocks_of_the_largest_file_are_like_others)
{
	uint32_t last = UINT32_MAX - 2; /* blocks of all files are numbered from 1 */

	for (unsigned anywhere = 0; anywhere < 2; anywhere++) {
		start(anywhere ? "threshold=4,reentry=anywhere" : "threshold=4");
		ck_assert_str_eq(refer(0, last - 5, last), "ooosss");
		ck_assert_str_eq(refer(0, last, last), "s");
		ck_assert_str_eq(refer(0, 0, 0), "o");
		ck_assert_str_eq(refer(0, last - 5, last), "llllll");
		ck_assert_str_eq(refer(0, last - 2, last), anywhere ? "lll" : "ooo");
	}
}
END_TEST

START_TEST(files_do_not_disturb_each_other)
{
	for (uint32_t i = 0; i < 8; i++) {
		ck_assert_str_eq(refer(0, i, i), i < 3 ? "o" : "s");
		ck_assert_str_eq(refer(1, 100 - i, 100 - i), "o");
	}
	leave(0);
	ck_assert_str_eq(refer(1, 0, 0), "o");
	ck_assert_str_eq(refer(0, 0, 0), "l");
}
END_TEST

/* ---- looping ---- */

START_TEST(a_known_run_begun_again_loops_to_its_end)
{
	refer(0, 0, 5);
	leave(0);
	ck_assert_str_eq(refer(0, 0, 7), "llllllss");
}
END_TEST

START_TEST(a_run_below_the_threshold_is_not_known)
{
	refer(0, 0, 2);
	leave(0);
	ck_assert_str_eq(refer(0, 0, 3), "ooos");
	leave(0);
	ck_assert_str_eq(refer(0, 0, 0), "l");
}
END_TEST

START_TEST(an_end_is_learned_anew_if_the_run_is_one)
{
	static const struct {
		uint32_t    last;
		const char *next; /* of blocks 0 .. 8 */
	} again[] = {
		{ 7, "lllllllls" }, /* longer */
		{ 3, "llllsssss" }, /* shorter */
		{ 2, "llllllsss" }, /* not long enough to count */
		{ 0, "llllllsss" },
	};

	for (size_t i = 0; i < sizeof(again) / sizeof(*again); i++) {
		start("threshold=4");
		refer(0, 0, 5);
		leave(0);
		refer(0, 0, again[i].last);
		leave(0);
		ck_assert_str_eq(refer(0, 0, 8), again[i].next);
		ck_assert_uint_eq(d->table[0].n, 1);
	}
}
END_TEST

/* Between the end of a shorter loop and its threshold there is no pattern. */
START_TEST(behind_a_loop_that_ends_early_references_count_as_usual)
{
	start("threshold=4,reentry=anywhere");
	refer(0, 0, 5);
	leave(0);
	ck_assert_str_eq(refer(0, 4, 9), "llosss");
}
END_TEST

START_TEST(a_loop_is_entered_at_its_start_or_anywhere)
{
	refer(0, 10, 19);
	leave(0);
	ck_assert_str_eq(refer(0, 11, 15), "oooss");
	start("threshold=4,reentry=anywhere");
	refer(0, 10, 19);
	ck_assert_str_eq(refer(0, 9, 9), "o");
	ck_assert_str_eq(refer(0, 20, 20), "o");
	ck_assert_str_eq(refer(0, 19, 19), "l");
	ck_assert_str_eq(refer(0, 13, 15), "lll"); /* not long enough to count */
	ck_assert_str_eq(refer(0, 12, 21), "llllllllss");
	leave(0);
	ck_assert_str_eq(refer(0, 10, 22), "lllllllllllls");
}
END_TEST

START_TEST(of_overlapping_runs_the_last_to_start_is_entered)
{
	start("threshold=4,reentry=anywhere");
	refer(0, 50, 59);
	refer(0, 0, 99);
	ck_assert_str_eq(refer(0, 55, 55), "l");
	ck_assert_uint_eq(d->open[0].loop.start, 50);
	ck_assert_str_eq(refer(0, 80, 80), "l");
	ck_assert_uint_eq(d->open[0].loop.start, 0);
	ck_assert_str_eq(refer(0, 20, 20), "l");
	ck_assert_str_eq(refer(0, 100, 100), "o");
	ck_assert(!d->open[0].repeats);
}
END_TEST

START_TEST(a_period_is_smoothed_and_the_first_one_is_taken_as_it_is)
{
	static const struct {
		const char *text;
		double	    second, third;
	} expected[] = {
		{ "threshold=4", 20, 15 },
		{ "threshold=4,alpha=0.5", 20, 15 },
		{ "threshold=4,alpha=0", 10, 10 },
		{ "threshold=4,alpha=1", 30, 10 },
		{ "threshold=4,alpha=25%", 15, 13.75 },
	};

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		start(expected[i].text);
		refer(0, 0, 3);
		refer(1, 0, 5);
		refer(0, 0, 3); /* 10 references later, of all files */
		ck_assert_double_eq(d->open[0].loop.period, 10);
		refer(1, 0, 25);
		refer(0, 0, 3);
		ck_assert_double_eq(d->open[0].loop.period, expected[i].second);
		refer(1, 0, 5);
		refer(0, 0, 0);
		ck_assert_double_eq(d->open[0].loop.period, expected[i].third);
	}
}
END_TEST

START_TEST(a_loop_without_anything_between_is_as_long_as_its_period)
{
	for (unsigned i = 0; i < 5; i++)
		refer(0, 0, 9);
	ck_assert_uint_eq(d->loops, 1);
	ck_assert_uint_eq(d->repetitions, 4);
	ck_assert_uint_eq(d->periods, 40);
	ck_assert_double_eq(d->open[0].loop.period, 10);
}
END_TEST

/* ---- open files of one file ---- */

START_TEST(open_files_of_one_file_have_runs_of_their_own)
{
	for (uint32_t i = 0; i < 8; i++) {
		const char *class = i < 3 ? "o" : "s";

		ck_assert_str_eq(refer(0, i, i), class);
		ck_assert_str_eq(refer(6, 500 + i, 500 + i), class);
		ck_assert_str_eq(refer(12, i, i), class); /* the blocks of the first one */
	}
	ck_assert_uint_eq(d->repetitions, 0);
}
END_TEST

/* The open file is closed behind block 5, which a trace does not tell. */
START_TEST(a_run_is_known_when_the_next_process_opens_the_file)
{
	refer(0, 0, 5);
	ck_assert_str_eq(refer(6, 0, 8), "llllllsss");
	ck_assert_str_eq(refer(12, 0, 9), "llllllllls");
	ck_assert_str_eq(refer(0, 0, 10), "lllllllllls");
	ck_assert_uint_eq(d->loops, 1);
	ck_assert_uint_eq(d->repetitions, 3);
	ck_assert_uint_eq(d->periods, 6 + 9 + 10);
	ck_assert_uint_eq(d->table[0].n, 1);
}
END_TEST

START_TEST(a_run_is_known_whatever_is_read_through_other_open_files_meanwhile)
{
	refer(6, 700, 700);
	for (uint32_t i = 0; i < 6; i++) {
		refer(0, i, i);
		refer(6, 900 - 2 * i, 900 - 2 * i);
	}
	refer(6, 800, 804);
	ck_assert_str_eq(refer(12, 0, 6), "lllllls");
}
END_TEST

START_TEST(a_repetition_that_stops_early_may_still_go_on_until_something_else_is_read)
{
	refer(0, 0, 9);
	refer(6, 0, 4);
	ck_assert_str_eq(refer(12, 0, 10), "lllllllllls");
	refer(6, 0, 4);
	leave(6);
	ck_assert_str_eq(refer(12, 0, 5), "llllls");
}
END_TEST

START_TEST(processes_in_one_loop_do_not_cut_it_for_each_other)
{
	refer(0, 0, 9);
	ck_assert_str_eq(refer(0, 0, 6), "lllllll");
	ck_assert_str_eq(refer(6, 0, 4), "lllll");
	ck_assert_str_eq(refer(0, 7, 9), "lll");
	leave(0);
	ck_assert_str_eq(refer(6, 5, 10), "llllls");
}
END_TEST

START_TEST(a_process_behind_another_loops_as_far_as_that_has_come)
{
	refer(0, 0, 2);
	ck_assert_str_eq(refer(6, 0, 1), "oo"); /* not long enough to be known */
	refer(0, 3, 6);
	ck_assert_str_eq(refer(12, 0, 2), "lll");
	refer(0, 7, 20);
	ck_assert_str_eq(refer(12, 3, 8), "llllss");
	ck_assert_str_eq(refer(6, 2, 4), "oss");
}
END_TEST

START_TEST(a_run_forgotten_on_its_way_is_remembered_at_its_end)
{
	start("threshold=4,runs=1");
	refer(0, 0, 5);
	refer(6, 50, 55);
	ck_assert_uint_eq(d->forgotten, 1);
	refer(0, 6, 7);
	ck_assert_str_eq(refer(12, 50, 50), "l");
	leave(0);
	ck_assert_uint_eq(d->forgotten, 2);
	ck_assert_str_eq(refer(12, 0, 8), "lllllllls");
}
END_TEST

/* ---- bounds ---- */

START_TEST(of_too_many_runs_the_one_not_begun_for_longest_is_forgotten)
{
	start("threshold=4,runs=2");
	refer(0, 20, 23);
	refer(0, 10, 13);
	refer(0, 20, 20); /* lately */
	refer(0, 0, 2);
	ck_assert_uint_eq(d->forgotten, 0);
	refer(0, 3, 3);
	ck_assert_uint_eq(d->forgotten, 1);
	ck_assert_str_eq(refer(0, 10, 10), "o");
	ck_assert_str_eq(refer(0, 20, 20), "l");
	ck_assert_str_eq(refer(0, 0, 0), "l");
	refer(0, 20, 20);
	refer(0, 30, 33); /* now 0 is the oldest */
	leave(0);
	ck_assert_str_eq(refer(0, 0, 0), "o");
	ck_assert_str_eq(refer(0, 20, 20), "l");
	ck_assert_str_eq(refer(0, 30, 30), "l");
	ck_assert_uint_eq(d->forgotten, 2);
}
END_TEST

START_TEST(one_run_is_enough_of_a_memory)
{
	start("threshold=2,runs=1");
	for (uint32_t i = 0; i < 50; i += 5)
		refer(0, i, i + 2);
	leave(0);
	ck_assert_str_eq(refer(0, 40, 40), "o");
	ck_assert_str_eq(refer(0, 45, 48), "llls");
	ck_assert_uint_eq(d->forgotten, 9);
}
END_TEST

START_TEST(runs_are_found_in_whatever_order_they_were_learned)
{
	start("threshold=2");
	for (uint32_t i = 0; i < 60; i++)
		refer(0, i * 37 % 60 * 10, i * 37 % 60 * 10 + 3);
	for (uint32_t i = 0; i < 60; i++) {
		ck_assert_str_eq(refer(0, i * 10 + 1, i * 10 + 1), "o");
		ck_assert_str_eq(refer(0, i * 10, i * 10 + 3), "llll");
	}
}
END_TEST

START_TEST(of_too_many_files_the_first_with_runs_forgets_them)
{
	start("threshold=4,files=2");
	refer(3, 0, 3);
	refer(3, 10, 13);
	refer(1, 0, 3);
	leave(3);
	leave(1);
	ck_assert_str_eq(refer(3, 0, 1), "ll"); /* the loop goes on when its table goes */
	ck_assert_uint_eq(d->forgotten, 0);
	refer(2, 0, 3);
	leave(2);
	ck_assert_uint_eq(d->forgotten, 2);
	ck_assert_str_eq(refer(3, 2, 2), "l");
	ck_assert_str_eq(refer(1, 0, 0), "l");
	ck_assert_str_eq(refer(2, 0, 0), "l");
	ck_assert_str_eq(refer(3, 3, 4), "ls"); /* and takes the table of 1 */
	leave(3);
	ck_assert_str_eq(refer(3, 0, 5), "llllls");
	ck_assert_str_eq(refer(3, 10, 10), "o");
	leave(1);
	ck_assert_str_eq(refer(1, 0, 3), "ooos"); /* and takes that of 2 */
	leave(2);
	ck_assert_str_eq(refer(2, 0, 0), "o");
	ck_assert_uint_eq(d->forgotten, 4);
}
END_TEST

START_TEST(a_file_without_runs_takes_no_table)
{
	start("threshold=4,files=1");
	refer(0, 0, 3);
	leave(0);
	for (file_t f = 1; f < NFILES; f++) {
		refer(f, 0, 2);
		leave(f);
	}
	ck_assert_str_eq(refer(0, 0, 0), "l");
	ck_assert_uint_eq(d->forgotten, 0);
}
END_TEST

START_TEST(a_plug_in_that_has_a_detector_has_its_counters)
{
	static const struct counter counters[] = { DETECTOR_COUNTERS(struct holder, detector),
		{ 0 } };

	start("threshold=4,runs=1");
	refer(0, 0, 3);
	refer(0, 0, 3);
	refer(0, 10, 13);
	leave(0);
	ck_assert_str_eq(counters[0].name, "loops");
	ck_assert_uint_eq(counter_value(&holder, &counters[0]), 1);
	ck_assert_uint_eq(counter_value(&holder, &counters[1]), 1);
	ck_assert_uint_eq(counter_value(&holder, &counters[2]), 4);
	ck_assert_str_eq(counters[3].name, "forgotten_runs");
	ck_assert_uint_eq(counter_value(&holder, &counters[3]), 1);
}
END_TEST

/* ---- the oracle ---- */

struct remembered {
	bool	 used;
	file_t	 file;
	uint64_t start, end, seen;
	bool	 met;
	double	 period;
};

struct reading {
	bool		  begun, repeats;
	uint64_t	  start, end, length, began;
	struct remembered loop; /* as it was when this began */
};

enum { REMEMBERED_MAX = NFILES * 64 };

static struct {
	uint64_t	  t, threshold, runs, files;
	double		  alpha;
	bool		  anywhere;
	struct reading	  open[NOPEN];
	struct remembered all[REMEMBERED_MAX];
	file_t		  table[NFILES]; /* files that may remember, first come first */
	uint64_t	  ntables, loops, repetitions, periods, forgotten;
} oracle;

static void
oracle_forget(struct remembered *r)
{
	r->used = false;
	oracle.forgotten++;
}

static void
oracle_table(file_t file)
{
	for (uint64_t i = 0; i < oracle.ntables; i++)
		if (oracle.table[i] == file)
			return;
	if (oracle.ntables == oracle.files) {
		for (unsigned i = 0; i < REMEMBERED_MAX; i++)
			if (oracle.all[i].used && oracle.all[i].file == oracle.table[0])
				oracle_forget(&oracle.all[i]);
		memmove(oracle.table, oracle.table + 1, sizeof(oracle.table) - sizeof(file_t));
		oracle.ntables--;
	}
	oracle.table[oracle.ntables++] = file;
}

static struct remembered *
oracle_at(file_t file, uint64_t start)
{
	for (unsigned i = 0; i < REMEMBERED_MAX; i++)
		if (oracle.all[i].used && oracle.all[i].file == file &&
		    oracle.all[i].start == start)
			return &oracle.all[i];
	return NULL;
}

static struct remembered *
oracle_remember(uint32_t open, const struct reading *cur)
{
	file_t		   file = open % NFILES;
	uint64_t	   start = cur->repeats ? cur->loop.start : cur->start, n = 0;
	struct remembered *oldest = NULL, *place = NULL;

	oracle_table(file);
	if (oracle_at(file, start))
		return oracle_at(file, start);
	for (unsigned i = 0; i < REMEMBERED_MAX; i++) {
		struct remembered *r = &oracle.all[i];

		if (!r->used || r->file != file)
			continue;
		n++;
		if (!oldest || r->seen < oldest->seen)
			oldest = r;
	}
	if (n == oracle.runs)
		oracle_forget(oldest);
	for (unsigned i = 0; i < REMEMBERED_MAX && !place; i++)
		if (!oracle.all[i].used)
			place = &oracle.all[i];
	ck_assert_ptr_nonnull(place);
	*place = (struct remembered){ true, file, start, cur->end, cur->began, false, 0 };
	return place;
}

/* As far as it is known, by the reading that was the last to begin it, too. */
static uint64_t
oracle_end(const struct remembered *r)
{
	for (unsigned i = 0; i < NOPEN; i++) {
		const struct reading *cur = &oracle.open[i];

		if (cur->begun && cur->began == r->seen && cur->length >= oracle.threshold &&
		    cur->end > r->end)
			return cur->end;
	}
	return r->end;
}

static struct remembered *
oracle_known(file_t file, uint64_t block)
{
	struct remembered *found = NULL;

	for (unsigned i = 0; i < REMEMBERED_MAX; i++) {
		struct remembered *r = &oracle.all[i];
		bool fits = oracle.anywhere ? r->start <= block && block <= oracle_end(r)
					    : r->start == block;

		if (r->used && r->file == file && fits && (!found || r->start > found->start))
			found = r;
	}
	return found;
}

static void
oracle_close(uint32_t open, const struct reading *cur)
{
	struct remembered *r;

	if (!cur->begun || cur->length < oracle.threshold)
		return;
	r = oracle_remember(open, cur);
	if (r->seen == cur->began)
		r->end = cur->end;
}

static void
oracle_begin(uint32_t open, uint64_t block)
{
	struct remembered *loop;

	oracle.open[open] = (struct reading){ .begun = true,
		.start = block,
		.end = block,
		.length = 1,
		.began = oracle.t };
	loop = oracle_known(open % NFILES, block);
	if (!loop)
		return;
	double p = (double)(oracle.t - loop->seen);

	oracle.loops += !loop->met;
	oracle.repetitions++;
	oracle.periods += oracle.t - loop->seen;
	loop->period = loop->met ? oracle.alpha * p + (1 - oracle.alpha) * loop->period : p;
	loop->met = true;
	loop->end = oracle_end(loop);
	loop->seen = oracle.t;
	oracle.open[open].repeats = true;
	oracle.open[open].loop = *loop;
}

static enum reference_class
oracle_update(uint32_t open, uint64_t block)
{
	struct reading *cur = &oracle.open[open];

	oracle.t++;
	if (cur->begun && block == cur->end + 1) {
		cur->end++;
		if (++cur->length == oracle.threshold)
			oracle_remember(open, cur);
	} else if (!cur->begun || block != cur->end) {
		oracle_close(open, cur);
		oracle_begin(open, block);
	}
	if (cur->repeats && block <= cur->loop.end)
		return CLASS_LOOPING;
	return cur->length >= oracle.threshold ? CLASS_SEQUENTIAL : CLASS_OTHER;
}

/* On, again, back to one of a few places, or anywhere. */
static uint32_t
next_block(uint64_t *seed, uint32_t open, uint32_t base)
{
	uint32_t last = (uint32_t)oracle.open[open].end;

	if (!oracle.open[open].begun)
		return base;
	switch (random_below(seed, 16)) {
	case 0:
		return last;
	case 1:
		return base + random_below(seed, 64);
	case 2:
	case 3:
		return base + random_below(seed, 8) * 8;
	default:
		return last - base < 79 ? last + 1 : base;
	}
}

static void
compare(uint32_t open)
{
	const struct reading  *cur = &oracle.open[open];
	const struct open_run *run = &d->open[open];

	ck_assert(run->start == cur->start && run->end == cur->end && run->length == cur->length);
	ck_assert(run->repeats == cur->repeats);
	ck_assert(run->loop.start == cur->loop.start && run->loop.end == cur->loop.end &&
	    run->loop.seen == cur->loop.seen && run->loop.period == cur->loop.period);
	ck_assert(d->loops == oracle.loops && d->repetitions == oracle.repetitions &&
	    d->periods == oracle.periods && d->forgotten == oracle.forgotten);
}

static void
start_both(const char *text)
{
	start(text);
	memset(&oracle, 0, sizeof(oracle));
	oracle.threshold = d->threshold;
	oracle.alpha = (double)d->alpha / SHARE_ONE;
	oracle.anywhere = d->reentry == REENTRY_ANYWHERE;
	oracle.runs = d->runs;
	oracle.files = d->files;
}

START_TEST(random_references_have_the_classes_that_the_oracle_finds)
{
	static const char *const bounds[] = {
		"threshold=3",
		"threshold=2,runs=1,files=1",
		"threshold=3,runs=2,files=3,alpha=0",
		"threshold=4,runs=5,files=2,alpha=0.3",
		"threshold=5,runs=9,files=5,alpha=1",
		"threshold=2,runs=40,files=6",
		"threshold=12,runs=3,files=4",
	};
	static const char *const reentry[] = { "", ",reentry=exact", ",reentry=anywhere" };
	uint64_t		 seed = 2008, found[CLASSES] = { 0 };

	for (unsigned i = 0; i < sizeof(bounds) / sizeof(*bounds) * 3; i++) {
		char	 text[128];
		uint32_t base = i % 2 ? 0 : UINT32_MAX - 82;

		snprintf(text, sizeof(text), "%s%s", bounds[i / 3], reentry[i % 3]);
		start_both(text);
		for (unsigned n = 0; n < 20000; n++) {
			uint32_t open = random_below(&seed, 100) % NOPEN;
			uint32_t block = next_block(&seed, open, base);
			unsigned class = update(open, block);

			REQUIRE(class == oracle_update(open, block), "%s: reference %u", text, n);
			compare(open);
			found[class]++;
		}
	}
	for (unsigned class = 0; class < CLASSES; class ++)
		ck_assert_uint_gt(found[class], 10000);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("detect");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_run_is_sequential_from_its_threshold_on);
	tcase_add_test(tests, the_same_block_again_changes_nothing);
	tcase_add_test(tests, what_leaves_a_block_out_or_goes_back_ends_the_run);
	tcase_add_test(tests, a_file_begins_with_any_block);
	tcase_add_test(tests, the_last_blocks_of_the_largest_file_are_like_others);
	tcase_add_test(tests, files_do_not_disturb_each_other);
	tcase_add_test(tests, a_known_run_begun_again_loops_to_its_end);
	tcase_add_test(tests, a_run_below_the_threshold_is_not_known);
	tcase_add_test(tests, an_end_is_learned_anew_if_the_run_is_one);
	tcase_add_test(tests, behind_a_loop_that_ends_early_references_count_as_usual);
	tcase_add_test(tests, a_loop_is_entered_at_its_start_or_anywhere);
	tcase_add_test(tests, of_overlapping_runs_the_last_to_start_is_entered);
	tcase_add_test(tests, a_period_is_smoothed_and_the_first_one_is_taken_as_it_is);
	tcase_add_test(tests, a_loop_without_anything_between_is_as_long_as_its_period);
	tcase_add_test(tests, open_files_of_one_file_have_runs_of_their_own);
	tcase_add_test(tests, a_run_is_known_when_the_next_process_opens_the_file);
	tcase_add_test(tests, a_run_is_known_whatever_is_read_through_other_open_files_meanwhile);
	tcase_add_test(tests,
	    a_repetition_that_stops_early_may_still_go_on_until_something_else_is_read);
	tcase_add_test(tests, processes_in_one_loop_do_not_cut_it_for_each_other);
	tcase_add_test(tests, a_process_behind_another_loops_as_far_as_that_has_come);
	tcase_add_test(tests, a_run_forgotten_on_its_way_is_remembered_at_its_end);
	tcase_add_test(tests, of_too_many_runs_the_one_not_begun_for_longest_is_forgotten);
	tcase_add_test(tests, one_run_is_enough_of_a_memory);
	tcase_add_test(tests, runs_are_found_in_whatever_order_they_were_learned);
	tcase_add_test(tests, of_too_many_files_the_first_with_runs_forgets_them);
	tcase_add_test(tests, a_file_without_runs_takes_no_table);
	tcase_add_test(tests, a_plug_in_that_has_a_detector_has_its_counters);
	tcase_add_test(tests, random_references_have_the_classes_that_the_oracle_finds);
	return run_tests("detect", tests);
}

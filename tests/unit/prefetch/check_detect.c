/*
 * check_detect.c - the class of every reference: by hand, and against an
 * oracle of lists that are searched from end to end.
 */
#include <stdio.h>
#include <string.h>

#include "prefetch/detect.h"
#include "tests/unit/support.h"

enum { NFILES = 6 };

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
	ck_assert_int_eq(detector_init(d, NFILES, &e), 0);
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

/* References to blocks first .. last of the file, up or down: their classes, "ooosl". */
static const char *
refer(file_t file, uint32_t first, uint32_t last)
{
	uint32_t n = (last > first ? last - first : first - last) + 1;

	ck_assert_uint_lt(n, sizeof(seen));
	for (uint32_t i = 0; i < n; i++)
		seen[i] = "osl"[detector_update(d, file, last > first ? first + i : first - i)];
	seen[n] = '\0';
	return seen;
}

/* Something else in that file, so that its run ends. */
static void
leave(file_t file)
{
	refer(file, 1000000, 1000000);
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
		REQUIRE(detector_update(d, 0, i) == CLASS_SEQUENTIAL, "block %u", i);
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
	ck_assert_uint_eq(d->open[0].loop->start, 50);
	ck_assert_str_eq(refer(0, 80, 80), "l");
	ck_assert_uint_eq(d->open[0].loop->start, 0);
	ck_assert_str_eq(refer(0, 20, 20), "l");
	ck_assert_str_eq(refer(0, 100, 100), "o");
	ck_assert_ptr_null(d->open[0].loop);
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
		ck_assert_double_eq(d->open[0].loop->period, 10);
		refer(1, 0, 25);
		refer(0, 0, 3);
		ck_assert_double_eq(d->open[0].loop->period, expected[i].second);
		refer(1, 0, 5);
		refer(0, 0, 0);
		ck_assert_double_eq(d->open[0].loop->period, expected[i].third);
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
	ck_assert_double_eq(d->open[0].loop->period, 10);
}
END_TEST

/* ---- bounds ---- */

START_TEST(of_too_many_runs_the_one_not_begun_for_longest_is_forgotten)
{
	start("threshold=4,runs=2");
	refer(0, 20, 23);
	refer(0, 10, 13);
	refer(0, 20, 20); /* lately */
	refer(0, 0, 3);
	ck_assert_uint_eq(d->forgotten, 0);
	leave(0);
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
	ck_assert_str_eq(refer(3, 0, 1), "ll"); /* and there it is when its table goes */
	refer(2, 0, 3);
	leave(2);
	ck_assert_uint_eq(d->forgotten, 2);
	ck_assert_ptr_null(d->open[3].loop);
	ck_assert_str_eq(refer(3, 2, 4), "oss");
	ck_assert_str_eq(refer(1, 0, 0), "l");
	ck_assert_str_eq(refer(2, 0, 0), "l");
	leave(3); /* it remembers 0-4 now, and takes the table of 1 for that */
	ck_assert_str_eq(refer(3, 0, 5), "llllls");
	ck_assert_str_eq(refer(3, 10, 10), "o");
	ck_assert_str_eq(refer(1, 0, 3), "ooos");
	ck_assert_str_eq(refer(2, 0, 0), "l");
	ck_assert_uint_eq(d->forgotten, 3);
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
	bool		   begun;
	uint64_t	   start, end, length, began;
	struct remembered *loop;
};

enum { REMEMBERED_MAX = NFILES * 64 };

static struct {
	uint64_t	  t, threshold, runs, files;
	double		  alpha;
	bool		  anywhere;
	struct reading	  file[NFILES];
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
		oracle.file[oracle.table[0]].loop = NULL;
		memmove(oracle.table, oracle.table + 1, sizeof(oracle.table) - sizeof(file_t));
		oracle.ntables--;
	}
	oracle.table[oracle.ntables++] = file;
}

static void
oracle_remember(file_t file, const struct reading *cur)
{
	struct remembered *oldest = NULL, *place = NULL;
	uint64_t	   n = 0;

	oracle_table(file);
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
	*place = (struct remembered){ true, file, cur->start, cur->end, cur->began, false, 0 };
}

static struct remembered *
oracle_known(file_t file, uint64_t block)
{
	struct remembered *found = NULL;

	for (unsigned i = 0; i < REMEMBERED_MAX; i++) {
		struct remembered *r = &oracle.all[i];
		bool		   fits =
			  oracle.anywhere ? r->start <= block && block <= r->end : r->start == block;

		if (r->used && r->file == file && fits && (!found || r->start > found->start))
			found = r;
	}
	return found;
}

static void
oracle_close(file_t file)
{
	struct reading *cur = &oracle.file[file];

	if (!cur->begun || cur->length < oracle.threshold)
		return;
	if (cur->loop)
		cur->loop->end = cur->end;
	else
		oracle_remember(file, cur);
}

static void
oracle_begin(file_t file, uint64_t block)
{
	struct remembered *loop = oracle_known(file, block);

	oracle.file[file] = (struct reading){ true, block, block, 1, oracle.t, loop };
	if (!loop)
		return;
	double p = (double)(oracle.t - loop->seen);

	oracle.loops += !loop->met;
	oracle.repetitions++;
	oracle.periods += oracle.t - loop->seen;
	loop->period = loop->met ? oracle.alpha * p + (1 - oracle.alpha) * loop->period : p;
	loop->met = true;
	loop->seen = oracle.t;
}

static enum reference_class
oracle_update(file_t file, uint64_t block)
{
	struct reading *cur = &oracle.file[file];

	oracle.t++;
	if (cur->begun && block == cur->end + 1) {
		cur->end++;
		cur->length++;
	} else if (!cur->begun || block != cur->end) {
		oracle_close(file);
		oracle_begin(file, block);
	}
	if (cur->loop && block <= cur->loop->end)
		return CLASS_LOOPING;
	return cur->length >= oracle.threshold ? CLASS_SEQUENTIAL : CLASS_OTHER;
}

/* On, again, back to one of a few places, or anywhere. */
static uint32_t
next_block(uint64_t *seed, file_t file, uint32_t base)
{
	uint32_t last = (uint32_t)oracle.file[file].end;

	if (!oracle.file[file].begun)
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
compare(file_t file)
{
	const struct reading	*cur = &oracle.file[file];
	const struct open_run	*run = &d->open[file];
	const struct remembered *loop = cur->loop;

	ck_assert(run->start == cur->start && run->end == cur->end && run->length == cur->length);
	ck_assert(!run->loop == !loop);
	if (loop)
		ck_assert(run->loop->start == loop->start && run->loop->end == loop->end &&
		    run->loop->seen == loop->seen && run->loop->period == loop->period);
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
			file_t	 file = random_below(&seed, 100) % NFILES;
			uint32_t block = next_block(&seed, file, base);
			unsigned class = detector_update(d, file, block);

			REQUIRE(class == oracle_update(file, block), "%s: reference %u", text, n);
			compare(file);
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
	tcase_add_test(tests, of_too_many_runs_the_one_not_begun_for_longest_is_forgotten);
	tcase_add_test(tests, one_run_is_enough_of_a_memory);
	tcase_add_test(tests, runs_are_found_in_whatever_order_they_were_learned);
	tcase_add_test(tests, of_too_many_files_the_first_with_runs_forgets_them);
	tcase_add_test(tests, a_file_without_runs_takes_no_table);
	tcase_add_test(tests, a_plug_in_that_has_a_detector_has_its_counters);
	tcase_add_test(tests, random_references_have_the_classes_that_the_oracle_finds);
	return run_tests("detect", tests);
}

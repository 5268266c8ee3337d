/* check_classes.c - the classes of a trace, its runs and loops, and the raster they are drawn in.
 */
#include <stdio.h>
#include <string.h>

#include "sim/draw/plot_classes.h"
#include "tests/unit/support.h"

static struct draft	 draft;
static struct classes	 classes;
static struct class_plot plot;
static struct error	 error;
static char		 name[] = "draft";

static struct seen {
	struct class_run run[1024];
	unsigned	 nruns;
	uint64_t	 references, by_class[CALL_CLASSES];
	bool		 draws;
} seen;

static void
setup(void)
{
	draft_start(&draft);
	draft.trace.name = draft.trace.path = name;
	memset(&seen, 0, sizeof(seen));
}

static void
teardown(void)
{
	classes_release(&classes);
	class_plot_release(&plot);
}

static void
see_reference(void *self, uint64_t number, block_t b, enum reference_class class)
{
	struct seen *s = self;

	REQUIRE(number == ++s->references, "references are not seen in order");
	s->by_class[class]++;
	if (s->draws)
		class_plot_add(&plot, number, b, class);
}

static int
see_run(void *self, const struct class_run *r, struct error *e)
{
	struct seen *s = self;

	ck_assert_uint_lt(s->nruns, 1024);
	s->run[s->nruns++] = *r;
	return 0;
}

static int
find(const char *params)
{
	const struct class_observer observer = { &seen, see_reference, see_run };

	return classes_find(&classes, &draft.trace, params, &observer, &error);
}

static void
find_all(const char *params)
{
	ck_assert_msg(!find(params), "%s", error.text);
}

/* Read n blocks of a file, which has one open file of the same number. */
static void
read_blocks(uint32_t open, uint32_t first, uint32_t n)
{
	draft_blocks(&draft, (usec_t)draft.trace.naccess, open, first, n, false);
}

static uint32_t
add_file(uint64_t inode, uint32_t blocks)
{
	return draft_open(&draft, draft_file(&draft, inode, blocks), 0);
}

/* ---- classes ---- */

START_TEST(a_run_is_other_below_the_threshold_then_sequential_and_looping_when_met_again)
{
	uint32_t a = add_file(1, 16), b = add_file(2, 100);

	read_blocks(a, 0, 16);
	read_blocks(b, 50, 2);
	read_blocks(a, 0, 10);
	read_blocks(a, 10, 6);
	find_all("threshold=4");
	ck_assert_uint_eq(classes.references, 34);
	ck_assert_uint_eq(classes.total[CLASS_OTHER].references, 3 + 2);
	ck_assert_uint_eq(classes.total[CLASS_SEQUENTIAL].references, 13);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].references, 16);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].runs, 1);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].run_blocks, 16);
	ck_assert_uint_eq(classes.nloops, 1);
	ck_assert_uint_eq(classes.loop[0].last, 15);
	ck_assert_double_eq(classes.loop[0].period, 18);
}
END_TEST

START_TEST(a_block_counts_once_in_each_class)
{
	uint32_t a = add_file(1, 16);

	for (unsigned i = 0; i < 5; i++)
		read_blocks(a, 0, 8);
	find_all("threshold=4");
	ck_assert_uint_eq(classes.total[CLASS_OTHER].blocks, 3);
	ck_assert_uint_eq(classes.total[CLASS_SEQUENTIAL].blocks, 5);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].blocks, 8);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].references, 32);
}
END_TEST

START_TEST(writes_have_no_class_and_end_no_run)
{
	uint32_t a = add_file(1, 16);

	read_blocks(a, 0, 4);
	draft_blocks(&draft, 1, a, 9, 3, true);
	read_blocks(a, 4, 4);
	find_all("threshold=4");
	ck_assert_uint_eq(classes.references, 8);
	ck_assert_uint_eq(seen.nruns, 1);
	ck_assert_uint_eq(seen.run[0].blocks, 8);
}
END_TEST

START_TEST(a_trace_of_writes_only_is_an_error)
{
	draft_blocks(&draft, 0, add_file(1, 4), 0, 1, true);
	ck_assert_int_eq(find(NULL), -1);
	ck_assert_str_eq(error.text, "draft: nothing is read, and writes have no class");
	ck_assert_int_eq(class_plot_init(&plot, &draft.trace, 1, 0, &error), -1);
	ck_assert_str_eq(error.text, "draft: nothing is read, and writes have no class");
}
END_TEST

START_TEST(the_same_block_again_makes_a_run_no_longer)
{
	uint32_t a = add_file(1, 16);

	read_blocks(a, 0, 2);
	read_blocks(a, 1, 2);
	read_blocks(a, 2, 1);
	read_blocks(a, 7, 1);
	find_all(NULL);
	ck_assert_uint_eq(seen.nruns, 2);
	ck_assert_uint_eq(seen.run[0].blocks, 3);
	ck_assert_uint_eq(seen.run[0].references, 5);
	ck_assert_uint_eq(seen.run[1].first, 7);
	ck_assert_uint_eq(seen.run[1].began, 6);
	ck_assert_uint_eq(classes.bin[0].runs, 1);
	ck_assert_uint_eq(classes.bin[1].references, 5);
}
END_TEST

START_TEST(a_run_that_returns_to_its_own_beginning_is_another)
{
	uint32_t a = add_file(1, 16);

	read_blocks(a, 0, 2);
	read_blocks(a, 0, 1);
	find_all(NULL);
	ck_assert_uint_eq(seen.nruns, 2);
	ck_assert_uint_eq(seen.run[0].blocks, 2);
	ck_assert_uint_eq(seen.run[1].began, 3);
}
END_TEST

START_TEST(open_files_of_one_file_have_runs_of_their_own_and_one_loop)
{
	uint32_t a = add_file(1, 64), b = draft_open(&draft, 0, 1);

	for (uint32_t i = 0; i < 8; i++) {
		read_blocks(a, i, 1);
		read_blocks(b, 40 + i, 1);
	}
	read_blocks(b, 0, 8);
	find_all("threshold=4");
	ck_assert_uint_eq(classes.total[CLASS_OTHER].references, 2 * 3);
	ck_assert_uint_eq(classes.total[CLASS_SEQUENTIAL].references, 2 * 5);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].references, 8);
	ck_assert_uint_eq(classes.nloops, 1);
	ck_assert_double_eq(classes.loop[0].period, 16);
	ck_assert_uint_eq(seen.nruns, 3);
	ck_assert_uint_eq(seen.run[0].first, 40); /* the others end with the trace */
	ck_assert_uint_eq(seen.run[1].blocks, 8);
}
END_TEST

/* ---- loops ---- */

START_TEST(periods_are_from_beginning_to_beginning_and_smoothed)
{
	uint32_t a = add_file(1, 16), b = add_file(2, 100);

	read_blocks(a, 0, 8);
	read_blocks(a, 0, 8); /* after 8 */
	read_blocks(b, 0, 8);
	read_blocks(a, 0, 8); /* after 16 */
	find_all("threshold=4,alpha=0.25");
	ck_assert_uint_eq(classes.nloops, 1);
	ck_assert_uint_eq(classes.loop[0].repetitions, 2);
	ck_assert_double_eq(classes.loop[0].period, 0.25 * 16 + 0.75 * 8);
	ck_assert_double_eq(classes.loop[0].mean, 12);
	ck_assert_double_eq(class_loop_spread(&classes.loop[0]), 4);
}
END_TEST

START_TEST(loops_come_by_their_references_and_outlive_the_detectors_memory)
{
	uint32_t a = add_file(1, 64);

	for (unsigned i = 0; i < 2; i++) {
		read_blocks(a, 0, 4);
		read_blocks(a, 0, 4);
		read_blocks(a, 20, 8);
		read_blocks(a, 20, 8);
	}
	read_blocks(a, 60, 1);
	find_all("threshold=4,runs=1");
	ck_assert_uint_gt(classes.detector.forgotten, 0);
	ck_assert_uint_eq(classes.nloops, 2);
	ck_assert_uint_eq(classes.loop[0].first, 20);
	ck_assert_uint_eq(classes.loop[0].references, 16);
	ck_assert_uint_eq(classes.loop[1].first, 0);
	ck_assert_uint_eq(classes.loop[1].references, 8);
}
END_TEST

START_TEST(with_reentry_anywhere_a_run_belongs_to_the_loop_it_enters)
{
	uint32_t a = add_file(1, 64);

	read_blocks(a, 0, 16);
	read_blocks(a, 4, 8);
	find_all("threshold=4,reentry=anywhere");
	ck_assert_uint_eq(classes.nloops, 1);
	ck_assert_uint_eq(classes.loop[0].first, 0);
	ck_assert_uint_eq(seen.run[1].first, 4);
	ck_assert_uint_eq(seen.run[1].loop_first, 0);
	ck_assert_uint_eq(seen.run[1].class, CLASS_LOOPING);
}
END_TEST

/* ---- laws ---- */

static void
add_random_reads(uint64_t seed)
{
	for (unsigned f = 0; f < 3; f++)
		add_file(f + 1, 600);
	while (draft.trace.naccess < DRAFT_CALLS)
		read_blocks(random_below(&seed, 3), 10 * random_below(&seed, 20),
		    1 + random_below(&seed, random_below(&seed, 8) ? 12 : 300));
}

START_TEST(runs_loops_lengths_and_classes_add_up_to_the_references)
{
	uint64_t by_run = 0, by_loop = 0, by_bin = 0, runs = 0, repetitions = 0;

	add_random_reads((uint64_t)_i + 1);
	find_all("threshold=4,runs=8,files=2");
	for (unsigned i = 0; i < seen.nruns; i++) {
		by_run += seen.run[i].references;
		REQUIRE(seen.run[i].references >= seen.run[i].blocks, "a run has gaps");
	}
	for (unsigned i = 0; i < RUN_BINS; i++) {
		by_bin += classes.bin[i].references;
		runs += classes.bin[i].runs;
	}
	for (uint32_t i = 0; i < classes.nloops; i++) {
		by_loop += classes.loop[i].references;
		repetitions += classes.loop[i].repetitions;
	}
	for (unsigned i = 0; i < CALL_CLASSES; i++)
		ck_assert_uint_eq(classes.total[i].references, seen.by_class[i]);
	ck_assert_uint_eq(by_run, classes.references);
	ck_assert_uint_eq(by_bin, classes.references);
	ck_assert_uint_eq(seen.references, classes.references);
	ck_assert_uint_eq(runs, seen.nruns);
	ck_assert_uint_gt(by_loop, 0);
	ck_assert_uint_eq(by_loop, classes.total[CLASS_LOOPING].references);
	ck_assert_uint_eq(repetitions, classes.detector.repetitions);
}
END_TEST

/* ---- backwards ---- */

START_TEST(what_is_read_from_its_end_is_one_backward_run)
{
	uint32_t open = add_file(1, 64);

	for (uint32_t end = 64; end; end -= 4)
		read_blocks(open, end - 4, 4);
	find_all("threshold=12");
	ck_assert_uint_eq(classes.total[CLASS_BACKWARD].references, 64 - 8);
	ck_assert_uint_eq(classes.total[CLASS_BACKWARD].blocks, 64 - 8);
	ck_assert_uint_eq(classes.total[CLASS_BACKWARD].runs, 1);
	ck_assert_uint_eq(classes.total[CLASS_BACKWARD].run_blocks, 64 - 8);
	ck_assert_uint_eq(seen.nruns, 3);
	ck_assert_uint_eq(seen.run[2].first, 0);
	ck_assert_uint_eq(seen.run[2].last, 64 - 8 - 1);
}
END_TEST

/* Calls that are runs by themselves are loops when they are repeated, in any direction. */
START_TEST(a_backward_run_that_is_repeated_loops)
{
	uint32_t open = add_file(1, 64);

	for (unsigned pass = 0; pass < 2; pass++)
		for (uint32_t end = 64; end; end -= 8)
			read_blocks(open, end - 8, 8);
	find_all("threshold=8");
	ck_assert_uint_eq(classes.total[CLASS_BACKWARD].references, 64 - 8);
	ck_assert_uint_eq(classes.total[CLASS_LOOPING].references, 64);
	ck_assert_uint_eq(classes.nloops, 8);
}
END_TEST

START_TEST(a_backward_run_ends_where_the_file_is_read_on_from_there)
{
	uint32_t open = add_file(1, 64);

	for (uint32_t end = 64; end > 32; end -= 4)
		read_blocks(open, end - 4, 4);
	read_blocks(open, 36, 10);
	find_all("threshold=4");
	ck_assert_uint_eq(seen.nruns, 3);
	ck_assert_int_eq(seen.run[1].class, CLASS_BACKWARD);
	ck_assert_uint_eq(seen.run[1].blocks, 32 - 4);
	ck_assert_int_eq(seen.run[2].class, CLASS_SEQUENTIAL);
	ck_assert_uint_eq(seen.run[2].first, 36);
	ck_assert_uint_eq(seen.run[2].blocks, 10);
}
END_TEST

/* ---- parameters and names ---- */

START_TEST(parameters_are_those_of_the_detector)
{
	char text[PARAMS_TEXT];

	add_random_reads(1);
	find_all("reentry=anywhere,alpha=25%");
	ck_assert_str_eq(classes_params(&classes, text) + strlen("threshold=32"),
	    ",alpha=0.25,reentry=anywhere,runs=64,files=1024");
	ck_assert_int_eq(classes_check(text, &error), 0);
	ck_assert_int_eq(classes_check("treshold=4", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "did you mean 'threshold'?"));
	ck_assert_int_eq(classes_check("runs=8+linux24", &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}
END_TEST

/* ---- the picture ---- */

static void
draw_range(uint64_t from, uint64_t to)
{
	seen.draws = true;
	ck_assert_msg(!class_plot_init(&plot, &draft.trace, from, to, &error), "%s", error.text);
	find_all("threshold=4");
}

/* All of a script; the picture of the gnuplot in the PATH is its script. */
static const char *
script(void)
{
	static char    text[1 << 16];
	char	       folder[] = "/tmp/bufsim-check-XXXXXX", command[128], path[4096];
	struct picture picture = { 0 };
	int	       failed;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(command, sizeof(command),
	    "cd %s && printf '#!/bin/sh\\nexec cat\\n' >gnuplot && chmod +x gnuplot", folder);
	ck_assert_int_eq(system(command), 0);
	snprintf(path, sizeof(path), "%s:%.4000s", folder, getenv("PATH"));
	setenv("PATH", path, 1);
	failed = class_plot_draw(&plot, PLOT_SVG, &picture, &error);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
	ck_assert_msg(!failed, "%s", error.text);
	ck_assert_uint_gt(picture.n, sizeof(text));
	memcpy(text, picture.bytes, sizeof(text) - 1);
	text[strlen(text)] = '\0'; /* up to the first byte of the raster that is 0 */
	free(picture.bytes);
	return text;
}

static bool
tells(const char *what)
{
	const char *text = script();

	if (!strstr(text, what))
		ck_abort_msg("no '%s' in:\n%s", what, text);
	return true;
}

/* What is at a point of the raster, by shares of its width and height. */
static int
at(double x, double y)
{
	return plot.raster.pixel[(unsigned)(y * 960) * 1800 + (unsigned)(x * 1800)];
}

START_TEST(a_picture_of_few_references_has_a_rectangle_for_each)
{
	uint32_t a = add_file(1, 8);

	draft.file[0].name = "/usr/lib/it's";
	read_blocks(a, 0, 8);
	draw_range(1, 0);
	ck_assert(tells("\"draft: 62.5 % of 8 references by reads are sequential\""));
	ck_assert(tells("\"it\\047s\""));
	ck_assert(tells("\"sequential 62.5 %\""));
	ck_assert(tells("set xrange [1 : 9]"));
	ck_assert_ptr_null(strstr(script(), "binned"));
	for (unsigned i = 0; i < 8; i++) {
		enum reference_class class = i < 3 ? CLASS_OTHER : CLASS_SEQUENTIAL;

		ck_assert_int_eq(at((i + 0.02) / 8, (i + 0.02) / 8), 1 + (int)class);
		ck_assert_int_eq(at((i + 0.98) / 8, (i + 0.98) / 8), 1 + (int)class);
		ck_assert_int_eq(at((i + 0.5) / 8, (7.5 - i) / 8), 0);
	}
}
END_TEST

START_TEST(of_a_long_name_the_picture_has_the_end_in_whole_letters)
{
	read_blocks(add_file(1, 8), 0, 8);
	draft.file[0].name = "/usr/1234567890\u00e9\u00e9123456789012345678";
	draw_range(1, 0);
	ck_assert(tells("\"...\u00e9123456789012345678\""));
}
END_TEST

START_TEST(a_picture_shows_only_its_range_and_what_that_touches)
{
	uint32_t a = add_file(1, 100), b = add_file(2, 100);

	read_blocks(a, 0, 50);
	read_blocks(b, 20, 40);
	draw_range(61, 80);
	ck_assert_uint_eq(plot.first, draft.file[1].base + 30);
	ck_assert_uint_eq(plot.end, draft.file[1].base + 50);
	ck_assert_uint_eq(plot.total[CLASS_SEQUENTIAL], 20);
	ck_assert(
	    tells("\"draft: 100.0 % of references 61 to 80 (of 90 by reads) are sequential\""));
	ck_assert(tells("\"sequential 100.0 %\""));
}
END_TEST

START_TEST(a_range_behind_the_last_reference_is_a_usage_error)
{
	read_blocks(add_file(1, 100), 0, 50);
	ck_assert_int_eq(class_plot_init(&plot, &draft.trace, 51, 0, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	ck_assert_int_eq(class_plot_init(&plot, &draft.trace, 50, 1000, &error), 0);
	ck_assert_uint_eq(plot.to, 50);
}
END_TEST

START_TEST(a_point_of_many_references_has_the_class_of_most)
{
	uint32_t a = add_file(1, 4000);

	for (unsigned i = 0; i < 20; i++)
		read_blocks(a, 0, 4000);
	draw_range(1, 0);
	ck_assert(tells(
	    "\"binned: a point is up to 45 references by 5 blocks, and has the colour of most\""));
	ck_assert_int_eq(plot.raster.pixel[0], 1 + CLASS_OTHER); /* 3 of 5 */
	ck_assert_int_eq(plot.raster.pixel[1800], 1 + CLASS_SEQUENTIAL);
	for (unsigned x = 90; x < 1800; x++) {
		unsigned drawn = 0;

		for (unsigned y = 0; y < 960; y++) {
			uint8_t it = plot.raster.pixel[y * 1800 + x];

			drawn += it != 0;
			REQUIRE(!it || it == 1 + CLASS_LOOPING, "the loop is %u", it);
		}
		REQUIRE(drawn >= 11 && drawn <= 13, "column %u: %u points", x, drawn);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("classes");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc,
	    a_run_is_other_below_the_threshold_then_sequential_and_looping_when_met_again);
	tcase_add_test(tc, a_block_counts_once_in_each_class);
	tcase_add_test(tc, writes_have_no_class_and_end_no_run);
	tcase_add_test(tc, a_trace_of_writes_only_is_an_error);
	tcase_add_test(tc, the_same_block_again_makes_a_run_no_longer);
	tcase_add_test(tc, a_run_that_returns_to_its_own_beginning_is_another);
	tcase_add_test(tc, open_files_of_one_file_have_runs_of_their_own_and_one_loop);
	tcase_add_test(tc, periods_are_from_beginning_to_beginning_and_smoothed);
	tcase_add_test(tc, loops_come_by_their_references_and_outlive_the_detectors_memory);
	tcase_add_test(tc, with_reentry_anywhere_a_run_belongs_to_the_loop_it_enters);
	tcase_add_loop_test(tc, runs_loops_lengths_and_classes_add_up_to_the_references, 0, 20);
	tcase_add_test(tc, what_is_read_from_its_end_is_one_backward_run);
	tcase_add_test(tc, a_backward_run_that_is_repeated_loops);
	tcase_add_test(tc, a_backward_run_ends_where_the_file_is_read_on_from_there);
	tcase_add_test(tc, parameters_are_those_of_the_detector);
	tcase_add_test(tc, a_picture_of_few_references_has_a_rectangle_for_each);
	tcase_add_test(tc, of_a_long_name_the_picture_has_the_end_in_whole_letters);
	tcase_add_test(tc, a_picture_shows_only_its_range_and_what_that_touches);
	tcase_add_test(tc, a_range_behind_the_last_reference_is_a_usage_error);
	tcase_add_test(tc, a_point_of_many_references_has_the_class_of_most);
	return run_tests("classes", tc);
}

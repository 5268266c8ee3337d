/* check_recording_kernel.c - events of the kernel's page allocator, by hand: runs, parts of runs, batches, losses. */
#include "sim/studies/frames/model/recording.h"
#include "tests/unit/loading.h"

/* Lines of each tool. */
#define FTRACE(task, event) "  make-" #task "   [001] d..2. 56334.420666: " event "\n"
#define PERF(task, event) "  a b " #task " [001] 56334.420666:   kmem:" event "\n"
#define TRACE_CMD(task, event) "  make-" #task " [001] 56334.420666: " event "\n"
#define ALLOC(pfn, order)                                                                          \
	"mm_page_alloc: page=00000000b184fa81 pfn=" #pfn " order=" #order                          \
	" migratetype=0 gfp_flags=GFP_KERNEL|__GFP_ZERO"
#define FREE(pfn, order) "mm_page_free: page=00000000b184fa81 pfn=" #pfn " order=" #order
#define BATCHED(pfn) "mm_page_free_batched: page=00000000b184fa81 pfn=" #pfn " order=0"

enum { SCRIPT_ROOM = 1024 };

static struct instance		     pages;
static const struct recording_facts *facts;

static void
read_text(const char *text)
{
	scratch_text(text);
	ck_assert_msg(!recording_load(&pages, scratch_path, &error), "%s", error.text);
	facts = recording_facts(&pages);
	ck_assert(facts->is_kernel);
}

/* "+0 +1:3 -0": slots, and orders above 0. */
static void
expect_script(unsigned thread, unsigned threads, const char *expected)
{
	const struct load  *l = (const struct load *)(const void *)pages.plugin;
	struct frames_shape shape = { .blocks = 1, .block_pages = 1024, .threads = threads };
	struct script	    s = { 0 };
	char		    text[SCRIPT_ROOM] = "";
	size_t		    n = 0;

	ck_assert_msg(!l->write(pages.self, &s, thread, &shape, &error), "%s", error.text);
	for (size_t i = 0; i < s.moves; i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c%u", i ? " " : "",
		    s.move[i].kind == MOVE_TAKE ? '+' : '-', s.move[i].slot);
		if (s.move[i].order)
			n += (size_t)snprintf(text + n, sizeof(text) - n, ":%u", s.move[i].order);
	}
	ck_assert_str_eq(text, expected);
	script_release(&s);
}

START_TEST(the_lines_of_each_tool)
{
	read_text("# tracer: nop\n#\n# entries-in-buffer/entries-written: 3/3   #P:2\n#\n"
		  "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n" FTRACE(7,
		      ALLOC(0x10, 0)) FTRACE(8, ALLOC(0x20, 3)) FTRACE(7, FREE(0x10, 0)));
	expect_script(0, 1, "+0 +1:3 -0 -1:3");
	ck_assert_uint_eq(facts->takes, 2);
	ck_assert_uint_eq(facts->gives, 1);
	ck_assert_uint_eq(facts->processes, 2);
	ck_assert_uint_eq(facts->most, 9);
	ck_assert_ptr_null(facts->note[0]);
	recording_release(&pages);
	read_text(PERF(7, ALLOC(0x10, 0)) PERF(8, ALLOC(0x20, 3)) PERF(7, FREE(0x10, 0)));
	expect_script(0, 1, "+0 +1:3 -0 -1:3");
	recording_release(&pages);
	read_text("cpus=2\n" TRACE_CMD(7, ALLOC(16, 0)) TRACE_CMD(8, ALLOC(32, 3))
		TRACE_CMD(7, FREE(16, 0)));
	expect_script(0, 1, "+0 +1:3 -0 -1:3");
}
END_TEST

START_TEST(a_run_is_free_when_its_last_page_is)
{
	read_text(FTRACE(7, ALLOC(0x20, 2)) FTRACE(7, FREE(0x22, 1)) FTRACE(7, ALLOC(0x40, 0))
		FTRACE(7, FREE(0x20, 0)) FTRACE(7, FREE(0x21, 0)) FTRACE(7, FREE(0x40, 0)));
	expect_script(0, 1, "+0:2 +1 -0:2 -1");
	ck_assert_uint_eq(facts->before, 0);
}
END_TEST

START_TEST(a_free_of_several_runs_frees_each)
{
	read_text(FTRACE(7, ALLOC(0x20, 0)) FTRACE(7, ALLOC(0x22, 1)) FTRACE(7, ALLOC(0x24, 0))
		FTRACE(7, FREE(0x20, 2)));
	expect_script(0, 1, "+0 +1:1 +2 -0 -1:1 -2");
	ck_assert_uint_eq(facts->gives, 2);
	ck_assert_uint_eq(facts->before, 0);
}
END_TEST

/* Both events tell of one free, in either order, or one alone; a page of before is counted once. */
START_TEST(a_batch_and_its_pages_are_one_free)
{
	read_text(FTRACE(7, ALLOC(1, 0)) FTRACE(7, ALLOC(2, 0)) FTRACE(7, ALLOC(3, 0)) FTRACE(7,
	    FREE(1, 0)) FTRACE(7, BATCHED(1)) FTRACE(7, BATCHED(2)) FTRACE(7, FREE(2, 0))
		FTRACE(7, BATCHED(3)) FTRACE(7, FREE(9, 0)) FTRACE(7, BATCHED(9)));
	expect_script(0, 1, "+0 +1 +2 -0 -1 -2");
	ck_assert_uint_eq(facts->gives, 3);
	ck_assert_uint_eq(facts->before, 1);
	ck_assert_uint_eq(facts->missed, 0);
}
END_TEST

/* A part of a run that both tell of is one part; a page that is taken again is freed again. */
START_TEST(a_batch_of_a_part_is_one_part)
{
	read_text(FTRACE(7, ALLOC(2, 1)) FTRACE(7, FREE(2, 0)) FTRACE(7, BATCHED(2)) FTRACE(7,
	    ALLOC(8, 0)) FTRACE(7, BATCHED(3)) FTRACE(7, FREE(3, 0)) FTRACE(7, ALLOC(2, 0))
		FTRACE(7, BATCHED(2)) FTRACE(7, ALLOC(2, 0)) FTRACE(7, FREE(2, 0)));
	expect_script(0, 1, "+0:1 +1 -0:1 +0 -0 +0 -0 -1");
	ck_assert_uint_eq(facts->gives, 3);
	ck_assert_uint_eq(facts->before, 0);
	ck_assert_uint_eq(facts->missed, 0);
}
END_TEST

START_TEST(the_names_of_linux_2_6)
{
	read_text(FTRACE(7, ALLOC(1, 0)) FTRACE(7, ALLOC(2, 0))
		FTRACE(7, "mm_page_free_direct: page=ffffea0003db9f40 pfn=1 order=0")
		    FTRACE(7, "mm_pagevec_free: page=ffffea0003db9f40 pfn=2 order=0 cold=0"));
	expect_script(0, 1, "+0 +1 -0 -1");
}
END_TEST

START_TEST(what_the_kernel_moves_itself_is_counted)
{
	read_text(FTRACE(7, ALLOC(1, 0)) FTRACE(7,
	    "mm_page_alloc_zone_locked: page=0 pfn=0x5 order=2 migratetype=1 percpu_refill=1")
		FTRACE(7,
		    "mm_page_alloc_zone_locked: page=0 pfn=0x5 order=9 migratetype=1 percpu_refill=0")
		    FTRACE(7, "mm_page_pcpu_drain: page=0 pfn=0x5 order=1 migratetype=1")
			FTRACE(7, "mm_page_alloc_extfrag: page=0 pfn=0x5 alloc_order=0")
			    FTRACE(7, "mm_page_alloc: page=(nil) pfn=0x0 order=9 migratetype=1")
				FTRACE(7, "sched_switch: prev_comm=a"));
	expect_script(0, 1, "+0 -0");
	ck_assert_uint_eq(facts->refilled, 4);
	ck_assert_uint_eq(facts->drained, 2);
	ck_assert_uint_eq(facts->failures, 1);
	ck_assert_uint_eq(facts->skipped, 0);
}
END_TEST

START_TEST(pages_that_are_taken_again_were_free)
{
	read_text(FTRACE(7, ALLOC(0x20, 1)) FTRACE(7, ALLOC(0x23, 0)) FTRACE(7, ALLOC(0x20, 2))
		FTRACE(7, ALLOC(0x21, 0)));
	expect_script(0, 1, "+0:1 +1 -0:1 -1 +0:2 -0:2 +2 -2");
	ck_assert_uint_eq(facts->missed, 3);
	ck_assert_uint_eq(facts->most, 4);
}
END_TEST

START_TEST(frees_by_other_tasks)
{
	read_text(FTRACE(7, ALLOC(1, 0)) FTRACE(8, ALLOC(2, 0)) FTRACE(8, FREE(1, 0))
		FTRACE(9, FREE(2, 0)));
	expect_script(0, 2, "+0 -0");
	expect_script(1, 2, "+0 -0");
	ck_assert_uint_eq(facts->foreign, 2);
	ck_assert_uint_eq(facts->processes, 2);
}
END_TEST

static const struct {
	const char *line;
	uint64_t    lost; /* 0: not known */
} losses[] = {
	{ "CPU:1 [LOST 34 EVENTS]\n", 34 },
	{ "CPU:0 [LOST EVENTS]\n", 0 },
	{ "CPU:1 [12 EVENTS DROPPED]\n", 12 },
	{ "CPU:1 [EVENTS DROPPED]\n", 0 },
	{ "  perf 7 [001] 56334.420666: PERF_RECORD_LOST lost 3\n", 3 },
	{ "# entries-in-buffer/entries-written: 205/1520   #P:4\n", 1315 },
};

START_TEST(lost_events_are_told)
{
	char text[512];

	snprintf(text, sizeof(text), "%s%s%s", FTRACE(7, ALLOC(1, 0)), losses[_i].line,
	    FTRACE(7, FREE(1, 0)));
	read_text(text);
	ck_assert_ptr_nonnull(facts->note[0]);
	ck_assert_uint_eq(facts->noted[0], losses[_i].lost ? losses[_i].lost : 1);
	ck_assert(strstr(facts->note[0], "not say how many") ? !losses[_i].lost : losses[_i].lost);
	ck_assert_uint_eq(facts->skipped, 0);
	expect_script(0, 1, "+0 -0");
}
END_TEST

static const struct {
	const char *text, *message;
} refused[] = {
	{ FTRACE(7, ALLOC(1, 0)) FTRACE(7, "mm_page_free: page=1 order=0"),
	    "line 2: mm_page_free has no pfn=NUMBER, or no order=NUMBER from 0 to 18: record it with "
	    "perf script, or from tracefs" },
	{ FTRACE(7, "mm_page_alloc: page=1 pfn=0x1 order=19"),
	    "line 1: mm_page_alloc has no pfn=NUMBER, or no order=NUMBER from 0 to 18: record it with "
	    "perf script, or from tracefs" },
	{ FTRACE(7, "mm_page_alloc: page=1 pfn=0x1g order=1"),
	    "line 1: mm_page_alloc has no pfn=NUMBER, or no order=NUMBER from 0 to 18: record it with "
	    "perf script, or from tracefs" },
	{ FTRACE(7, FREE(1, 0)), "line 1: nothing follows: no page is taken" },
	{ FTRACE(7, "sched_switch: prev_comm=a"),
	    "is not a recording of frames, and its first 64 KiB have no event mm_page_alloc or mm_page_free; if it is a "
	    "trace, type bufsim run TRACE --frames FILE, then bufsim frames FILE" },
};

START_TEST(a_fault_is_told_with_file_and_line)
{
	char expected[sizeof(error.text)];

	scratch_text(refused[_i].text);
	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, refused[_i].message);
	ck_assert_int_eq(recording_load(&pages, scratch_path, &error), -1);
	ck_assert_str_eq(error.text, expected);
}
END_TEST

START_TEST(a_run_larger_than_a_block_is_refused)
{
	const struct load  *l;
	struct frames_shape shape = { .blocks = 1, .block_pages = 256, .threads = 1 };
	struct script	    s = { 0 };

	read_text(FTRACE(7, ALLOC(0x200, 9)));
	l = (const struct load *)(const void *)pages.plugin;
	ck_assert_int_eq(l->write(pages.self, &s, 0, &shape, &error), -1);
	ck_assert_str_eq(error.text,
	    "order 9: a block has only 256 pages; type a lower order, or --block-pages 512");
	script_release(&s);
}
END_TEST

static void
teardown(void)
{
	recording_release(&pages);
	scratch_remove();
}

int
main(void)
{
	TCase *tests = tcase_create("recording_kernel");

	tcase_add_checked_fixture(tests, scratch_make, teardown);
	tcase_add_test(tests, the_lines_of_each_tool);
	tcase_add_test(tests, a_run_is_free_when_its_last_page_is);
	tcase_add_test(tests, a_free_of_several_runs_frees_each);
	tcase_add_test(tests, a_batch_and_its_pages_are_one_free);
	tcase_add_test(tests, a_batch_of_a_part_is_one_part);
	tcase_add_test(tests, the_names_of_linux_2_6);
	tcase_add_test(tests, what_the_kernel_moves_itself_is_counted);
	tcase_add_test(tests, pages_that_are_taken_again_were_free);
	tcase_add_test(tests, frees_by_other_tasks);
	tcase_add_loop_test(tests, lost_events_are_told, 0, sizeof(losses) / sizeof(*losses));
	tcase_add_loop_test(tests, a_fault_is_told_with_file_and_line, 0,
	    sizeof(refused) / sizeof(*refused));
	tcase_add_test(tests, a_run_larger_than_a_block_is_refused);
	return run_tests("recording_kernel", tests);
}

/* check_recording.c - a recording in its text form: read, dealt to threads, refused. */
#include "sim/studies/frames/model/recording.h"
#include "tests/unit/loading.h"

#define HEAD "# bufsim frames 1, cache 8, processes 40, trace t\n"

enum { SCRIPT_ROOM = 1024, EVENTS = 4000, PAGES = 200, PROCESSES = 5 };

static struct instance pages;

static void
read_text(const char *text)
{
	scratch_text(text);
	ck_assert_msg(!recording_load(&pages, scratch_path, &error), "%s", error.text);
}

/* ---- scripts ---- */

static struct script
script_of(unsigned thread, unsigned threads)
{
	const struct load  *l = (const struct load *)(const void *)pages.plugin;
	struct frames_shape shape = { .blocks = 1, .block_pages = 1024, .threads = threads };
	struct script	    s = { 0 };

	ck_assert_msg(!l->write(pages.self, &s, thread, &shape, &error), "%s", error.text);
	return s;
}

/* "+0 +1 -0" */
static void
expect_script(unsigned thread, unsigned threads, const char *expected)
{
	struct script s = script_of(thread, threads);
	char	      text[SCRIPT_ROOM] = "";
	size_t	      n = 0;

	for (size_t i = 0; i < s.moves; i++) {
		ck_assert_uint_eq(s.move[i].order, 0);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%c%u", i ? " " : "",
		    s.move[i].kind == MOVE_TAKE ? '+' : '-', s.move[i].slot);
	}
	ck_assert_str_eq(text, expected);
	script_release(&s);
}

START_TEST(one_thread_does_it_all_in_order_and_gives_back_the_rest)
{
	read_text(HEAD "+ 5 0\n+ 2 3\n- 5 0\n\n# a remark\n + 7 0\r\n+ 5 39\n");
	expect_script(0, 1, "+0 +1 -0 +2 +0 -0 -1 -2");
	ck_assert_uint_eq(recording_facts(&pages)->takes, 4);
	ck_assert_uint_eq(recording_facts(&pages)->gives, 1);
	ck_assert_uint_eq(recording_facts(&pages)->most, 3);
	ck_assert_uint_eq(recording_facts(&pages)->processes, 3);
	ck_assert_uint_eq(recording_facts(&pages)->cache_blocks, 8);
}
END_TEST

START_TEST(a_page_is_given_back_by_the_thread_that_took_it)
{
	read_text(HEAD "+ 0 7\n+ 1 9\n- 0 9\n- 1 7\n+ 1 7\n+ 0 9\n");
	expect_script(0, 2, "+0 -0 +1 -1");
	expect_script(1, 2, "+0 -0 +1 -1");
	expect_script(0, 1, "+0 +1 -0 -1 +1 +0 -0 -1");
}
END_TEST

START_TEST(one_process_has_all_threads_by_page)
{
	read_text(HEAD "+ 0 0\n+ 1 0\n+ 2 0\n+ 3 0\n- 2 0\n- 1 0\n");
	expect_script(0, 2, "+0 +1 -1 -0");
	expect_script(1, 2, "+0 +1 -0 -1");
	expect_script(4, 8, "");
}
END_TEST

/* Processes 3, 1, 2 in the order of their first takes, on two threads and on five. */
START_TEST(processes_are_dealt_in_turn_and_what_is_over_by_page)
{
	read_text(HEAD "+ 0 3\n+ 1 1\n+ 2 2\n+ 3 3\n+ 4 1\n+ 5 2\n");
	expect_script(0, 2, "+0 +1 +2 +3 -0 -1 -2 -3");
	expect_script(1, 2, "+0 +1 -0 -1");
	expect_script(0, 5, "+0 -0");
	expect_script(1, 5, "+0 -0");
	expect_script(2, 5, "+0 +1 -0 -1");
	expect_script(3, 5, "+0 -0");
	expect_script(4, 5, "+0 -0");
}
END_TEST

START_TEST(rounds_are_a_parameter)
{
	struct script s;

	read_text(HEAD "+ 0 0\n");
	s = script_of(0, 1);
	ck_assert_uint_eq(s.rounds, 1);
	script_release(&s);
	ck_assert(!params_set(pages.plugin, pages.self, "rounds=17", &error));
	s = script_of(0, 1);
	ck_assert_uint_eq(s.rounds, 17);
	script_release(&s);
	ck_assert_int_eq(params_set(pages.plugin, pages.self, "rounds=0", &error), -1);
}
END_TEST

/* ---- any recording ---- */

/* Takes and gives of random pages by random processes; returns the takes. */
static unsigned
make_random(uint64_t *seed)
{
	static char text[EVENTS * 16 + 100];
	bool	    held[PAGES] = { false };
	unsigned    takes = 0;
	size_t n = (size_t)sprintf(text, "# bufsim frames 1, cache %d, processes %d, trace t\n",
	    PAGES, PROCESSES);

	for (unsigned i = 0; i < EVENTS; i++) {
		uint32_t page = random_below(seed, PAGES);

		held[page] = !held[page];
		takes += held[page];
		n += (size_t)sprintf(text + n, "%c %u %u\n", held[page] ? '+' : '-', page,
		    random_below(seed, PROCESSES));
	}
	read_text(text);
	return takes;
}

/* Takes of empty slots, gives of full ones, all empty at the end. */
static unsigned
check_script(const struct script *s)
{
	bool	 full[PAGES] = { false };
	unsigned takes = 0;

	REQUIRE(s->slots <= PAGES, "%u slots", s->slots);
	for (size_t i = 0; i < s->moves; i++) {
		const struct move *m = &s->move[i];
		bool		   is_take = m->kind == MOVE_TAKE;

		REQUIRE(m->slot < s->slots && full[m->slot] != is_take, "move %zu", i);
		full[m->slot] = is_take;
		takes += is_take;
	}
	REQUIRE(s->moves == 2 * takes, "%zu moves, %u takes", s->moves, takes);
	return takes;
}

START_TEST(each_page_is_taken_and_given_back_once_for_any_threads)
{
	uint64_t seed = 1 + (uint64_t)_i;
	unsigned takes = make_random(&seed), sum = 0, threads = 1 + (unsigned)_i;

	ck_assert_uint_eq(recording_facts(&pages)->takes, takes);
	for (unsigned thread = 0; thread < threads; thread++) {
		struct script s = script_of(thread, threads);

		ck_assert_uint_gt(s.moves, 0); /* no thread is idle */
		sum += check_script(&s);
		script_release(&s);
	}
	ck_assert_uint_eq(sum, takes);
}
END_TEST

START_TEST(a_packed_recording_is_read_and_a_cut_one_is_refused)
{
	static unsigned char packed[SCRATCH_BYTES];
	char		     text[8192] = HEAD;
	size_t		     n = strlen(text);

	for (unsigned i = 0; i < 400; i++)
		n += (size_t)sprintf(text + n, "%c %u %u\n", i % 2 ? '-' : '+', i / 2 % 8,
		    i / 2 % 7);
	n = gzip_member(text, n, packed, sizeof(packed));
	scratch_write(packed, n);
	ck_assert_msg(!recording_load(&pages, scratch_path, &error), "%s", error.text);
	ck_assert_uint_eq(recording_facts(&pages)->gives, 200);
	recording_release(&pages);
	scratch_write(packed, n / 2);
	ck_assert_int_eq(recording_load(&pages, scratch_path, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "truncated"));
	ck_assert_ptr_nonnull(strstr(error.text, scratch_path));
}
END_TEST

/* ---- errors ---- */

#define NO_RECORDING                                                                                                                                              \
	"is not a recording of frames, and its first 64 KiB have no event mm_page_alloc or mm_page_free; if it is a trace, type bufsim run TRACE --frames FILE, " \
	"then bufsim frames FILE"
#define NO_HEAD                                                                                    \
	"line 1: the first line is not '# bufsim frames 1, cache N, processes N, trace NAME'"

static const struct {
	const char *text, *message;
} refused[] = {
	{ "", "is empty" },
	{ "1 2 3\n", NO_RECORDING },
	{ "# bufsim frame 1, cache 8\n", NO_RECORDING },
	{ "# bufsim frames 2, cache 8, processes 1, trace t\n+ 0 0\n",
	    "line 1: is in format 2; this program reads format 1" },
	{ "# bufsim frames x, cache 8, processes 1, trace t\n", NO_HEAD },
	{ "# bufsim frames 1, processes 1, trace t\n", NO_HEAD },
	{ "# bufsim frames 1, cache 0, processes 1, trace t\n", NO_HEAD },
	{ "# bufsim frames 1, cache 8, processes 0, trace t\n", NO_HEAD },
	{ "# bufsim frames 1, cache 8, processes 1x, trace t\n", NO_HEAD },
	{ "# bufsim frames 1, cache 2147483648, processes 1, trace t\n", NO_HEAD },
	{ HEAD, "line 1: nothing follows: no page is taken" },
	{ HEAD "# only\n\n", "line 3: nothing follows: no page is taken" },
	{ HEAD "R 0 0\n", "line 2: 'R' is not + or -" },
	{ HEAD "+0 0\n", "line 2: '+0' is not + or -" },
	{ HEAD "+\n", "line 2: page: is missing" },
	{ HEAD "+ 1\n", "line 2: process: is missing" },
	{ HEAD "+ 1 2 3\n", "line 2: '3' is too much on this line" },
	{ HEAD "+ x 2\n", "line 2: page: 'x' is not a whole number" },
	{ HEAD "+ -1 2\n", "line 2: page: -1 is negative" },
	{ HEAD "+ 8 2\n", "line 2: page: 8 is too large (at most 7)" },
	{ HEAD "+ 99999999999999999999999 2\n",
	    "line 2: page: 99999999999999999999... is too large (at most 7)" },
	{ HEAD "+ 7 40\n", "line 2: process: 40 is too large (at most 39)" },
	{ HEAD "- 1 0\n", "line 2: page 1 is given back, but is not taken" },
	{ HEAD "+ 1 0\n- 1 0\n- 1 0\n", "line 4: page 1 is given back, but is not taken" },
	{ HEAD "+ 1 0\n# twice\n+ 1 3\n", "line 4: page 1 is taken, but was not given back" },
};

START_TEST(a_fault_is_told_with_file_and_line)
{
	char expected[sizeof(error.text)];

	scratch_text(refused[_i].text);
	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, refused[_i].message);
	ck_assert_int_eq(recording_load(&pages, scratch_path, &error), -1);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	ck_assert_ptr_null(pages.self);
}
END_TEST

START_TEST(a_zero_byte_is_told)
{
	static const char text[] = HEAD "+ 1 0\0\n";

	scratch_write(text, sizeof(text) - 1);
	ck_assert_int_eq(recording_load(&pages, scratch_path, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": line 2: a zero byte"));
}
END_TEST

START_TEST(a_missing_file_is_told)
{
	ck_assert_int_eq(recording_load(&pages, "/nowhere/frames", &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "/nowhere/frames"));
	ck_assert_ptr_null(pages.self);
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
	TCase *tests = tcase_create("recording");

	tcase_add_checked_fixture(tests, scratch_make, teardown);
	tcase_add_test(tests, one_thread_does_it_all_in_order_and_gives_back_the_rest);
	tcase_add_test(tests, a_page_is_given_back_by_the_thread_that_took_it);
	tcase_add_test(tests, one_process_has_all_threads_by_page);
	tcase_add_test(tests, processes_are_dealt_in_turn_and_what_is_over_by_page);
	tcase_add_test(tests, rounds_are_a_parameter);
	tcase_add_loop_test(tests, each_page_is_taken_and_given_back_once_for_any_threads, 0, 40);
	tcase_add_test(tests, a_packed_recording_is_read_and_a_cut_one_is_refused);
	tcase_add_loop_test(tests, a_fault_is_told_with_file_and_line, 0,
	    sizeof(refused) / sizeof(*refused));
	tcase_add_test(tests, a_zero_byte_is_told);
	tcase_add_test(tests, a_missing_file_is_told);
	return run_tests("recording", tests);
}

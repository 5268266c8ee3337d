/* check_edit.c - sim/trace/edit.c: slices, some files or processes, other times, no names. */
#include "sim/trace/edit.h"
#include "tests/unit/loading.h"

/* Two processes; file 10 of 7, files 20 and 30 of 8; advice of 8 about 20 before call 3. */
static const char text[] = "0 7 3 O 10 8192 0 0\n"
			   "0 7 3 R 10 8192 0 100\n"
			   "10 8 3 O 20 9000 0 0\n"
			   "10 8 3 W 20 9000 0 200\n"
			   "15 8 3 A 20 9000 4096 0\n"
			   "20 8 3 R 20 9000 0 300\n"
			   "30 7 3 R 10 8192 4096 400\n"
			   "40 8 4 R 30 5000 0 500\n";

static const struct edit nothing = { .scale = 1 };

static void
edited(const struct edit *how)
{
	load(text);
	ck_assert_msg(!trace_edit(&trace, how, &error), "%s", error.text);
	check_promises();
}

static void
lengths_are(size_t n, const uint32_t *expected)
{
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(trace.access[i].length, expected[i]);
}

START_TEST(without_changes_it_is_the_same_trace)
{
	uint64_t before;

	load(text);
	before = trace.fingerprint;
	edited(&nothing);
	ck_assert_uint_eq(trace.fingerprint, before);
	ck_assert_uint_eq(trace.nadvice, 1);
	ck_assert_uint_eq(trace.reads, 4);
	ck_assert_uint_eq(trace.writes, 1);
}
END_TEST

START_TEST(a_slice_of_calls_includes_both_ends)
{
	struct edit how = nothing;

	ck_assert_int_eq(slice_parse("2:3", &how.slice, &error), 0);
	edited(&how);
	lengths_are(2, (const uint32_t[]){ 200, 300 });
	ck_assert_int_eq(trace.access[0].time, 0);
	ck_assert_int_eq(trace.access[1].time, 10);
	ck_assert_uint_eq(trace.nfiles, 1);
	ck_assert_uint_eq(trace.nprocesses, 1);
	ck_assert_uint_eq(trace.process[0].pid, 8);
	ck_assert_uint_eq(trace.nadvice, 1);
	ck_assert_uint_eq(trace.advice[0].before, 1);
	ck_assert(trace.access[1].advised && !trace.access[0].advised);
}
END_TEST

START_TEST(a_slice_of_times_excludes_its_end)
{
	struct edit how = nothing;

	ck_assert_int_eq(slice_parse("10us:40us", &how.slice, &error), 0);
	edited(&how);
	lengths_are(3, (const uint32_t[]){ 200, 300, 400 });
}
END_TEST

START_TEST(either_end_may_be_left_out)
{
	struct edit how = nothing;

	ck_assert_int_eq(slice_parse("4:", &how.slice, &error), 0);
	edited(&how);
	lengths_are(2, (const uint32_t[]){ 400, 500 });
	ck_assert_msg(trace.access[0].fresh, "the first read that is left opens its file");
	ck_assert_uint_eq(trace.nadvice, 0);
	ck_assert_int_eq(slice_parse(":1", &how.slice, &error), 0);
	edited(&how);
	lengths_are(1, (const uint32_t[]){ 100 });
}
END_TEST

START_TEST(only_takes_files_and_processes)
{
	struct edit how = nothing;

	how.only = "inode=30,pid=7";
	edited(&how);
	lengths_are(3, (const uint32_t[]){ 100, 400, 500 });
	ck_assert_uint_eq(trace.nadvice, 0);
	how.only = "inode=20";
	edited(&how);
	lengths_are(2, (const uint32_t[]){ 200, 300 });
	ck_assert_uint_eq(trace.nadvice, 1);
	ck_assert_uint_eq(trace.file[0].bytes, 9000);
}
END_TEST

START_TEST(only_takes_paths)
{
	struct edit how = nothing;

	how.only = "file=*/b*";
	load("1 1.000000 openat(AT_FDCWD</>, \"/a/a\", O_RDONLY) = 3</a/a>\n"
	     "1 1.000001 pread64(3</a/a>, \"\"..., 10, 0) = 10\n"
	     "1 1.000002 openat(AT_FDCWD</>, \"/a/bb\", O_RDONLY) = 4</a/bb>\n"
	     "1 1.000003 pread64(4</a/bb>, \"\"..., 20, 0) = 20\n");
	ck_assert_msg(!trace_edit(&trace, &how, &error), "%s", error.text);
	lengths_are(1, (const uint32_t[]){ 20 });
	ck_assert_str_eq(trace.file[0].name, "/a/bb");
}
END_TEST

/* The next read through an open file is its first one if that is not in the sample. */
START_TEST(a_sample_keeps_all_of_a_place_or_nothing)
{
	struct edit how = nothing;
	char	    calls[64 * 32];
	size_t	    used = 0;
	uint32_t    firsts = 0;

	for (unsigned i = 0; i < 64; i++)
		used += (size_t)snprintf(calls + used, sizeof(calls) - used,
		    "%u 7 3 R 10 65536 %u 1024\n", i, i * 1024);
	load(calls);
	ck_assert_int_eq(sampling_parse("0.25:4K", &how.sample, &error), 0);
	ck_assert_msg(!trace_edit(&trace, &how, &error), "%s", error.text);
	check_promises();
	ck_assert_uint_gt(trace.naccess, 0);
	ck_assert_uint_lt(trace.naccess, 32);
	ck_assert_uint_eq(trace.naccess % 4, 0);
	for (size_t i = 0; i < trace.naccess; i++) {
		ck_assert_uint_eq(trace.access[i].offset / 4096,
		    trace.access[i / 4 * 4].offset / 4096);
		firsts += trace.access[i].fresh;
	}
	ck_assert_uint_eq(trace.access[0].fresh, 1);
	ck_assert_uint_eq(firsts, 1);
}
END_TEST

START_TEST(times_are_scaled)
{
	struct edit how = nothing;

	how.scale = 0.5;
	edited(&how);
	ck_assert_int_eq(trace.access[4].time, 20);
	ck_assert_int_eq(trace.access[3].time, 15);
}
END_TEST

START_TEST(what_processes_wait_for_is_scaled_and_lost_in_a_part)
{
	struct edit how = nothing;

	how.scale = 0.5;
	load("0 7 3 R 10 8192 0 100\n10 7 0 F 8 0 0 0\n20 8 3 R 20 9000 0 200\n"
	     "30 7 0 T 8 0 0 70\n100 8 0 X 0 0 0 0\n200 7 3 R 10 8192 0 300\n");
	ck_assert_uint_eq(trace.nsteps, 3);
	ck_assert_msg(!trace_edit(&trace, &how, &error), "%s", error.text);
	check_promises();
	ck_assert_uint_eq(trace.nsteps, 3);
	ck_assert_int_eq(trace.step[0].time, 5);
	ck_assert_int_eq(trace.step[1].time, 15);
	ck_assert_int_eq(trace.step[1].until, 50);
	how.only = "pid=7";
	ck_assert_msg(!trace_edit(&trace, &how, &error), "%s", error.text);
	check_promises();
	ck_assert_uint_eq(trace.nsteps, 0);
	ck_assert_uint_eq(trace.nprocesses, 1);
}
END_TEST

START_TEST(anonymous_traces_keep_their_structure)
{
	struct edit how = nothing;

	how.anonymise = true;
	load("1 1.000000 openat(AT_FDCWD</>, \"/a/a\", O_RDONLY) = 3</a/a>\n"
	     "1 1.000001 pread64(3</a/a>, \"\"..., 10, 0) = 10\n"
	     "9 1.000002 openat(AT_FDCWD</>, \"/a/bb\", O_RDONLY) = 4</a/bb>\n"
	     "9 1.000003 pread64(4</a/bb>, \"\"..., 20, 0) = 20\n");
	ck_assert_msg(!trace_edit(&trace, &how, &error), "%s", error.text);
	check_promises();
	lengths_are(2, (const uint32_t[]){ 10, 20 });
	ck_assert_str_eq(trace.file[0].name, "/1/1");
	ck_assert_str_eq(trace.file[1].name, "/1/2");
	ck_assert_uint_eq(trace.file[1].inode, 2);
	ck_assert_uint_eq(trace.process[1].pid, 2);
	ck_assert_str_eq(trace.source.path, "anonymised");
	ck_assert_uint_eq(trace.source.xxh3, 0);
}
END_TEST

START_TEST(no_call_left_is_an_error_and_changes_nothing)
{
	struct edit how = nothing;

	how.only = "inode=99";
	load(text);
	ck_assert_int_eq(trace_edit(&trace, &how, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "no call is left of 5"));
	ck_assert_uint_eq(trace.naccess, 5);
}
END_TEST

START_TEST(files_without_names_cannot_be_chosen_by_name)
{
	struct edit how = nothing;

	how.only = "file=*";
	load(text);
	ck_assert_int_eq(trace_edit(&trace, &how, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "its files have no names"));
}
END_TEST

static const struct {
	const char *slice, *only, *says;
} wrong[] = {
	{ "5", NULL, "is not FROM:TO" },
	{ ":", NULL, "is not FROM:TO" },
	{ "5:4", NULL, "ends before it begins" },
	{ ":0", NULL, "ends before it begins" },
	{ "5:10s", NULL, "both ends" },
	{ "x:y", NULL, "'x'" },
	{ NULL, "inode", "is not file=GLOB" },
	{ NULL, "name=3", "is not file=GLOB" },
	{ NULL, "pid=", "is not file=GLOB" },
	{ NULL, "pid=x", "is not a number of pid" },
	{ NULL, "pid=1,,", "is not file=GLOB" },
};

START_TEST(wrong_words_are_usage_errors)
{
	struct slice s;
	int	     status = wrong[_i].slice ? slice_parse(wrong[_i].slice, &s, &error)
					      : only_check(wrong[_i].only, &error);

	ck_assert_int_eq(status, -1);
	ck_assert_msg(strstr(error.text, wrong[_i].says), "%s", error.text);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("edit");

	tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
	tcase_add_test(tests, without_changes_it_is_the_same_trace);
	tcase_add_test(tests, a_slice_of_calls_includes_both_ends);
	tcase_add_test(tests, a_slice_of_times_excludes_its_end);
	tcase_add_test(tests, either_end_may_be_left_out);
	tcase_add_test(tests, only_takes_files_and_processes);
	tcase_add_test(tests, only_takes_paths);
	tcase_add_test(tests, a_sample_keeps_all_of_a_place_or_nothing);
	tcase_add_test(tests, times_are_scaled);
	tcase_add_test(tests, what_processes_wait_for_is_scaled_and_lost_in_a_part);
	tcase_add_test(tests, anonymous_traces_keep_their_structure);
	tcase_add_test(tests, no_call_left_is_an_error_and_changes_nothing);
	tcase_add_test(tests, files_without_names_cannot_be_chosen_by_name);
	tcase_add_loop_test(tests, wrong_words_are_usage_errors, 0, sizeof(wrong) / sizeof(*wrong));
	return run_tests("edit", tests);
}

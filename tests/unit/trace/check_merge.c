/* check_merge.c - sim/trace/merge.c: traces put together, and programs that run at once. */
#include <sys/resource.h>
#include <sys/wait.h>

#include "sim/core/simulate.h"
#include "sim/trace/format.h"
#include "sim/trace/merge.h"
#include "tests/unit/loading.h"

extern const struct format     format_bst, format_text;
extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_none;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_null, device_fixed;

enum { PARTS = 3 };

static struct trace part[PARTS];

static void
setup(void)
{
	scratch_make();
	memset(part, 0, sizeof(part));
}

static void
release_parts(void)
{
	for (unsigned i = 0; i < PARTS; i++)
		trace_release(&part[i]);
}

static void
teardown(void)
{
	release_parts();
	scratch_remove();
}

/* What is loaded becomes a part. */
static void
take_part(unsigned i)
{
	trace_release(&part[i]);
	part[i] = trace;
	trace = (struct trace){ 0 };
}

static void
load_part(unsigned i, const char *text)
{
	load(text);
	take_part(i);
}

/* The merged trace is loaded. */
static void
merge(unsigned n, enum merge how)
{
	trace_release(&trace);
	ck_assert_msg(!trace_merge(&trace, part, n, false, how, &error), "%s", error.text);
	check_promises();
}

static void
merge_two(const char *a, const char *b, enum merge how)
{
	load_part(0, a);
	load_part(1, b);
	merge(2, how);
}

static void
times_are(size_t n, const usec_t *expected)
{
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(trace.access[i].time, expected[i]);
}

/* ---- order ---- */

START_TEST(calls_are_in_the_order_of_time_and_ties_in_that_of_the_arguments)
{
	load_part(0, "100 1 3 R 50 9000 0 1\n110 1 3 R 50 9000 0 2\n110 1 3 R 50 9000 0 3\n");
	load_part(1, "7 2 3 R 60 9000 0 4\n12 2 3 R 60 9000 0 5\n17 2 3 R 60 9000 0 6\n");
	load_part(2, "0 3 3 W 70 9000 0 7\n10 3 3 W 70 9000 0 8\n");
	merge(3, MERGE_BY_TIME);
	accesses_are(8,
	    (const char *const[]){ "R 0 0 1 1 fresh", "R 1 0 4 2 fresh", "W 2 0 7 3", "R 1 0 5 2",
		"R 0 0 2 1", "R 0 0 3 1", "R 1 0 6 2", "W 2 0 8 3" });
	times_are(8, (const usec_t[]){ 0, 0, 0, 5, 10, 10, 10, 10 });
}
END_TEST

START_TEST(files_and_processes_are_numbered_by_first_use_of_any_program)
{
	merge_two("0 1 3 R 50 9000 0 1\n20 2 4 R 51 5000 0 1\n",
	    "0 7 3 R 60 100 0 1\n10 8 4 R 61 8000 0 1\n", MERGE_BY_TIME);
	accesses_are(4,
	    (const char *const[]){ "R 0 0 1 1 fresh", "R 1 0 1 7 fresh", "R 2 0 1 8 fresh",
		"R 3 0 1 2 fresh" });
	ck_assert_uint_eq(trace.file[2].inode, 61);
	ck_assert_uint_eq(trace.file[2].base, 5);
	ck_assert_uint_eq(trace.nblocks, 9);
	ck_assert_uint_eq(trace.nprograms, 2);
	ck_assert_mem_eq(trace.program_of, ((const uint32_t[]){ 0, 1, 1, 0 }), 4 * 4);
}
END_TEST

START_TEST(traces_share_no_file_and_no_process_whatever_their_numbers)
{
	load_part(0, "0 5 3 R 50 9000 0 1\n1 9 3 R 51 9000 0 1\n");
	load_part(1, "0 5 3 R 50 9000 0 1\n1 6 3 R 53 9000 0 1\n");
	load_part(2, "0 5 3 R 50 9000 0 1\n1 9 3 R 53 9000 0 1\n");
	merge(3, MERGE_BY_TIME);
	accesses_are(6,
	    (const char *const[]){ "R 0 0 1 5 fresh", "R 1 0 1 10 fresh", "R 2 0 1 11 fresh",
		"R 3 0 1 9 fresh", "R 4 0 1 6 fresh", "R 5 0 1 12 fresh" });
	for (file_t f = 0; f < 6; f++)
		ck_assert_uint_eq(trace.file[f].inode,
		    ((const uint64_t[]){ 50, 54, 55, 51, 53, 56 })[f]);
	ck_assert_mem_eq(trace.program_of, ((const uint32_t[]){ 0, 1, 2, 0, 1, 2 }), 6 * 4);
}
END_TEST

START_TEST(numbers_past_the_largest_go_on_with_those_that_are_free)
{
	static const char text[] = "0 4294967295 3 R 18446744073709551615 9000 0 1\n"
				   "1 0 3 R 0 9000 0 1\n";

	merge_two(text, text, MERGE_BY_TIME);
	accesses_are(4,
	    (const char *const[]){ "R 0 0 1 4294967295 fresh", "R 1 0 1 1 fresh", "R 2 0 1 0 fresh",
		"R 3 0 1 2 fresh" });
	ck_assert_uint_eq(trace.file[1].inode, 1);
	ck_assert_uint_eq(trace.file[3].inode, 2);
}
END_TEST

START_TEST(advice_precedes_the_call_that_it_preceded)
{
	static const char     advised[] = "0 1 3 R 50 9000 0 100\n5 1 3 A 50 9000 4096 0\n"
					  "5 1 3 J 50 9000 7 6\n9 1 3 R 50 9000 0 100\n"
					  "9 1 3 D 50 9000 0 5\n10 1 3 W 50 9000 0 1\n";
	static const uint64_t before[] = { 2, 2, 3, 3, 4, 5 };
	static const uint32_t kind[] = { ADVICE_WILLNEED, ADVICE_RANDOM, ADVICE_WILLNEED,
		ADVICE_RANDOM, ADVICE_DONTNEED, ADVICE_DONTNEED };
	static const uint32_t open[] = { 0, 0, 1, 1, 0, 1 };

	merge_two(advised, advised, MERGE_BY_TIME);
	ck_assert_uint_eq(trace.nadvice, 6);
	ck_assert_uint_eq(trace.advices, 6);
	for (unsigned i = 0; i < 6; i++) {
		const struct advice *a = &trace.advice[i];

		ck_assert_uint_eq(a->before, before[i]);
		ck_assert_uint_eq(a->kind, kind[i]);
		ck_assert_uint_eq(a->open, open[i]);
		ck_assert_uint_eq(a->own, a->kind != ADVICE_DONTNEED);
		ck_assert(trace.access[a->before].advised);
	}
	ck_assert_uint_eq(trace.advice[0].offset, 4096);
	ck_assert_uint_eq(trace.advice[1].length, 6);
	ck_assert(!trace.access[0].advised && !trace.access[1].advised);
}
END_TEST

/* ---- stretching ---- */

START_TEST(stretched_all_last_as_long_as_the_longest_to_the_nearest_microsecond)
{
	load_part(0,
	    "0 1 3 R 50 9000 0 1\n1 1 3 R 50 9000 0 1\n2 1 3 R 50 9000 0 1\n"
	    "3 1 3 R 50 9000 0 1\n");
	load_part(1, "0 2 3 R 60 9000 0 1\n10 2 3 R 60 9000 0 1\n");
	load_part(2, "50 3 3 R 70 9000 0 1\n50 3 3 R 70 9000 0 1\n");
	merge(3, MERGE_STRETCHED);
	accesses_are(8,
	    (const char *const[]){ "R 0 0 1 1 fresh", "R 1 0 1 2 fresh", "R 2 0 1 3 fresh",
		"R 2 0 1 3", "R 0 0 1 1", "R 0 0 1 1", "R 0 0 1 1", "R 1 0 1 2" });
	times_are(8, (const usec_t[]){ 0, 0, 0, 0, 3, 7, 10, 10 });
}
END_TEST

START_TEST(end_to_end_each_begins_when_the_last_one_made_its_last_call)
{
	load_part(0, "5 7 3 R 10 100 0 1\n15 7 3 R 10 100 0 1\n");
	load_part(1, "0 7 3 R 10 100 0 1\n7 7 3 R 10 100 0 1\n");
	load_part(2, "0 7 3 R 10 100 0 1\n3 7 3 R 10 100 0 1\n");
	merge(3, MERGE_END_TO_END);
	times_are(6, (const usec_t[]){ 0, 10, 10, 17, 17, 20 });
	ck_assert_uint_eq(trace.nfiles, 3);
	ck_assert_msg(strstr(trace.source.path, ", end to end"), "%s", trace.source.path);
}
END_TEST

START_TEST(steps_move_with_the_calls)
{
	static const char one[] = "0 7 3 R 10 100 0 1\n10 7 0 F 8 0 0 0\n20 8 3 R 10 100 0 1\n"
				  "30 7 0 T 8 0 0 40\n50 8 0 X 0 0 0 0\n100 7 3 R 10 100 0 1\n";
	static const char other[] = "0 7 3 R 10 100 0 1\n200 7 3 R 10 100 0 1\n";

	merge_two(one, other, MERGE_STRETCHED);
	ck_assert_uint_eq(trace.nsteps, 3);
	ck_assert_int_eq(trace.step[1].time, 60);
	ck_assert_int_eq(trace.step[1].until, 140);
	merge_two(other, one, MERGE_END_TO_END);
	ck_assert_int_eq(trace.step[1].time, 230);
	ck_assert_int_eq(trace.step[1].until, 270);
}
END_TEST

START_TEST(stretching_traces_that_take_no_time_changes_nothing)
{
	static const char text[] = "5 1 3 R 50 9000 0 1\n5 1 3 R 50 9000 0 2\n";

	merge_two(text, text, MERGE_STRETCHED);
	times_are(4, (const usec_t[]){ 0, 0, 0, 0 });
}
END_TEST

START_TEST(stretched_to_a_century_time_does_not_fall_and_ends_in_time)
{
	static char text[400000];
	usec_t	    last = 0;
	size_t	    used = 0;

	for (unsigned i = 0; i < 5000; i++)
		used +=
		    (size_t)snprintf(text + used, sizeof(text) - used, "%u 1 3 R 50 9000 0 1\n", i);
	load_part(0, text);
	load_part(1, "0 2 3 R 60 9000 0 1\n4503599627370496 2 3 R 60 9000 0 1\n");
	merge(2, MERGE_STRETCHED);
	for (size_t i = 0; i + 1 < trace.naccess; i++) {
		ck_assert_int_ge(trace.access[i].time, last);
		last = trace.access[i].time;
	}
	ck_assert_int_eq(trace.access[5001].time, SPAN_MAX_US);
	ck_assert_int_ge(trace.access[5000].time, SPAN_MAX_US - 1);
}
END_TEST

/* ---- all of it ---- */

START_TEST(counters_add_up_and_the_name_says_what_it_was_made_of)
{
	char source[200];

	merge_two("0 1 3 R 50 9000 0 100\n1 1 3 M 50 9000 0 8192\n2 1 3 C 50 9000 0 0\n",
	    "0 1 3 O 50 9000 0 0\n9 1 3 W 50 9000 0 700\n5 1 3 R 50 9000 0 0\n"
	    "7 1 3 W 50 9000 0 1\n8 1 3 X 0 0 0 0\n",
	    MERGE_STRETCHED);
	ck_assert_uint_eq(trace.records, 8);
	ck_assert_uint_eq(trace.reads, 1);
	ck_assert_uint_eq(trace.writes, 2);
	ck_assert_uint_eq(trace.empty_calls, 1);
	ck_assert_uint_eq(trace.opens, 1);
	ck_assert_uint_eq(trace.closes, 1);
	ck_assert_uint_eq(trace.exits, 1);
	ck_assert_uint_eq(trace.mmaps, 1);
	ck_assert_uint_eq(trace.mmap_bytes, 8192);
	ck_assert_uint_eq(trace.out_of_order, 1);
	ck_assert_uint_eq(trace.longest_bytes, 700);
	ck_assert_int_eq(trace_footprint(&trace, &error), 0);
	ck_assert_uint_eq(trace.footprint, 2);
	snprintf(source, sizeof(source), "%s+%s", part[0].name, part[1].name);
	ck_assert_str_eq(trace.name, source);
	snprintf(source, sizeof(source), "%s + %s, stretched", scratch_path, scratch_path);
	ck_assert_str_eq(trace.source.path, source);
	ck_assert_uint_eq(trace.source.bytes, part[0].source.bytes + part[1].source.bytes);
	ck_assert(!trace.source.touched);
}
END_TEST

START_TEST(mappings_are_touched_if_those_of_every_trace_are)
{
	scratch_text("0 1 3 R 50 9000 0 100\n1 1 3 M 50 9000 0 8192\n");
	for (unsigned touched = 0; touched < 4; touched++) {
		for (unsigned i = 0; i < 2; i++) {
			ck_assert_int_eq(load_path(scratch_path, NULL, touched >> i & 1), 0);
			take_part(i);
		}
		merge(2, MERGE_BY_TIME);
		ck_assert_uint_eq(trace.source.touched, touched == 3);
	}
	load_part(0, "0 1 3 R 50 9000 0 100\n"); /* has none */
	merge(2, MERGE_BY_TIME);
	ck_assert(trace.source.touched);
}
END_TEST

START_TEST(names_of_files_and_programs_outlive_the_traces_they_came_from)
{
	ck_assert_msg(!load_path("tests/data/small.strace", NULL, false), "%s", error.text);
	take_part(0);
	load_part(1, "0 1 3 R 50 9000 0 100\n");
	merge(2, MERGE_BY_TIME);
	for (file_t f = 0, i = 0; f < trace.nfiles; f++)
		if (trace.file[f].inode == 50)
			ck_assert_ptr_null(trace.file[f].name);
		else
			ck_assert_str_eq(trace.file[f].name, part[0].file[i++].name);
	release_parts();
	ck_assert_str_eq(trace.program[0], "small");
	for (file_t f = 0; f < trace.nfiles; f++)
		if (trace.file[f].name)
			ck_assert_uint_gt(strlen(trace.file[f].name), 0);
}
END_TEST

static const char one[] = "0 1 3 R 50 9000 0 100\n20 1 3 R 50 9000 4096 100\n";
static const char other[] = "0 2 3 R 60 9000 0 100\n5 2 3 A 60 9000 0 0\n30 2 3 R 60 9000 0 100\n";

START_TEST(the_fingerprint_depends_on_every_trace_their_order_and_stretching)
{
	uint64_t seen[5];

	merge_two(one, other, MERGE_BY_TIME);
	seen[0] = trace.fingerprint;
	merge(2, MERGE_STRETCHED);
	seen[1] = trace.fingerprint;
	merge_two(other, one, MERGE_BY_TIME);
	seen[2] = trace.fingerprint;
	merge_two(one, "0 2 3 R 60 9000 0 100\n5 2 3 A 60 9000 0 0\n30 2 3 R 60 9000 0 99\n",
	    MERGE_BY_TIME);
	seen[3] = trace.fingerprint;
	load_part(1, other);
	load_part(2, one);
	merge(3, MERGE_BY_TIME);
	seen[4] = trace.fingerprint;
	for (unsigned i = 0; i < 5; i++)
		for (unsigned k = 0; k < i; k++)
			ck_assert_uint_ne(seen[i], seen[k]);
	merge(2, MERGE_BY_TIME);
	ck_assert_uint_eq(trace.fingerprint, seen[0]);
}
END_TEST

static void
write_as(const struct format *f)
{
	struct output *out = output_open(scratch_path, &error);

	ck_assert_msg(out != NULL, "%s", error.text);
	ck_assert_msg(!f->write(&trace, out, &error), "%s", error.text);
	ck_assert_msg(!output_commit(out, NULL, &error), "%s", error.text);
}

START_TEST(binary_traces_merge_as_those_that_were_read)
{
	uint64_t fingerprint;

	merge_two(one, other, MERGE_STRETCHED);
	fingerprint = trace.fingerprint;
	trace_release(&trace);
	trace = part[0];
	write_as(&format_bst);
	part[0] = (struct trace){ 0 };
	ck_assert_msg(!load_path(scratch_path, NULL, false), "%s", error.text);
	take_part(0);
	ck_assert_ptr_nonnull(part[0].mapping);
	merge(2, MERGE_STRETCHED);
	ck_assert_ptr_null(trace.mapping);
	ck_assert_uint_eq(trace.fingerprint, fingerprint);
}
END_TEST

/* Written and loaded again, it is another's accesses, files and advice, but one program. */
static void
comes_back(const struct format *f, const struct trace *merged)
{
	trace = *merged;
	write_as(f);
	trace = (struct trace){ 0 };
	ck_assert_msg(!load_path(scratch_path, NULL, false), "%s", error.text);
	accesses_equal(merged->access, merged->naccess);
	ck_assert_uint_eq(trace.nopen, merged->nopen);
	ck_assert_mem_eq(trace.open, merged->open, trace.nopen * sizeof(*trace.open));
	processes_equal(merged);
	ck_assert_uint_eq(trace.nadvice, merged->nadvice);
	ck_assert_mem_eq(trace.advice, merged->advice, trace.nadvice * sizeof(*trace.advice));
	ck_assert_uint_eq(trace.nfiles, merged->nfiles);
	for (file_t i = 0; i < trace.nfiles; i++) {
		ck_assert_uint_eq(trace.file[i].base, merged->file[i].base);
		ck_assert_uint_eq(trace.file[i].inode, merged->file[i].inode);
	}
	ck_assert_uint_eq(trace.nprograms, 0);
	ck_assert_ptr_null(trace.program_of);
}

START_TEST(written_and_loaded_again_it_is_the_same_calls_of_one_program)
{
	struct trace merged;
	uint64_t     fingerprint;

	load_part(0, one);
	load_part(1, other);
	ck_assert_msg(!load_path("tests/data/small.txt", NULL, false), "%s", error.text);
	take_part(2);
	merge(3, MERGE_STRETCHED);
	merged = trace;
	comes_back(&format_bst, &merged);
	fingerprint = trace.fingerprint;
	ck_assert_uint_ne(fingerprint, merged.fingerprint);
	trace_release(&trace);
	comes_back(&format_text, &merged);
	ck_assert_uint_eq(trace.fingerprint, fingerprint);
	trace_release(&merged);
}
END_TEST

/* ---- what cannot be ---- */

static void
cannot_merge(const char *what)
{
	char expected[1200];

	ck_assert_int_eq(trace_merge(&trace, part, 2, false, MERGE_BY_TIME, &error), -1);
	snprintf(expected, sizeof(expected), "%s + %s: %s", scratch_path, scratch_path, what);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	ck_assert_ptr_null(trace.access);
}

START_TEST(more_open_files_or_blocks_than_have_numbers_are_an_error)
{
	uint32_t few;

	load_part(0, one);
	load_part(1, "0 2 3 R 60 4398046511104 0 100\n");
	take_part(2);
	load("0 2 3 R 60 4398046511104 0 100\n"); /* 2^30 blocks each */
	take_part(0);
	part[1].file[0].bytes += 4096;
	cannot_merge(
	    "the files add up to 2147483650 blocks of 4096 bytes, at most 2147483648 can be "
	    "numbered; with --block 8K it can be simulated");
	few = part[1].nopen;
	part[1].nopen = OPENS_MAX;
	cannot_merge("too many files, open files or processes together: at most 1073741823 of each "
		     "can be numbered");
	part[1].nopen = few;
}
END_TEST

static int
load_together(const char *a, const char *b)
{
	const struct trace_options options = { .block_bytes = BLOCK_BYTES };

	trace_release(&trace);
	return trace_load_together(&trace, (const char *const[]){ a, b }, 2, &options,
	    MERGE_BY_TIME, &error);
}

START_TEST(errors_name_the_trace_that_is_wrong)
{
	char expected[200];

	scratch_text("0 1 3 R 50 9000 0 100\n0 1 3 R 50 9000 0 x\n");
	ck_assert_int_eq(load_together("tests/data/small.txt", scratch_path), -1);
	snprintf(expected, sizeof(expected),
	    "%s: record 2 (line 2): length: 'x' is not a whole number", scratch_path);
	ck_assert_str_eq(error.text, expected);
	ck_assert_int_eq(load_together("tests/data/small.txt", "/nowhere"), -1);
	ck_assert_str_eq(error.text, "/nowhere: cannot be opened: No such file or directory");
	ck_assert_int_eq(load_together("-", "-"), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
}
END_TEST

START_TEST(a_damaged_chunk_is_found_before_it_is_merged)
{
	unsigned char bytes[8192];
	char	      expected[200];
	size_t	      n;
	FILE	     *f;

	load(one);
	write_as(&format_bst);
	f = fopen(scratch_path, "rb");
	n = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	bytes[4096 + 32] ^= 1;
	scratch_write(bytes, n);
	ck_assert_int_eq(load_together("tests/data/small.txt", scratch_path), -1);
	snprintf(expected, sizeof(expected),
	    "%s: chunk 1 of 1 is damaged (accesses 1 to 2): convert it again from %s", scratch_path,
	    scratch_path);
	ck_assert_str_eq(error.text, expected);
}
END_TEST

/* The file changes while its last chunk is merged. */
static int
changes_at_the_end(const struct trace *t, size_t first, size_t n, struct error *e)
{
	return n ? 0 : error_set(e, "changed while it was being read");
}

START_TEST(a_file_that_changes_during_the_merge_is_an_error)
{
	struct mapping mapping = { .check = changes_at_the_end };

	load_part(0, one);
	load_part(1, other);
	part[1].mapping = &mapping;
	ck_assert_int_eq(trace_merge(&trace, part, 2, false, MERGE_BY_TIME, &error), -1);
	part[1].mapping = NULL;
	ck_assert_ptr_nonnull(strstr(error.text, ": changed while it was being read"));
}
END_TEST

START_TEST(packed_traces_are_loaded_together_too)
{
	unsigned char packed[1000];

	scratch_write(packed, gzip_member(one, strlen(one), packed, sizeof(packed)));
	ck_assert_msg(!load_together("tests/data/small.txt", scratch_path), "%s", error.text);
	ck_assert_str_eq(trace.program[0], "small");
	ck_assert_uint_eq(trace.nprograms, 2);
	check_promises();
}
END_TEST

/* ---- many calls ---- */

enum { MANY = 250000, KILOBYTE = 1024 };

/* Calls in an irregular order of time between the two traces, as a binary trace. */
static void
scratch_many(uint32_t calls)
{
	uint64_t state = 1;
	usec_t	 time = 0;
	FILE	*f = fopen(scratch_path, "w");

	ck_assert_ptr_nonnull(f);
	for (uint32_t i = 0; i < calls; i++) {
		time += random_below(&state, 100);
		fprintf(f, "%lld 1 3 R 50 0 %u 4096\n", (long long)time, i % 1000 * 4096);
	}
	ck_assert_int_eq(fclose(f), 0);
	ck_assert_msg(!load_path(scratch_path, NULL, false), "%s", error.text);
	write_as(&format_bst);
	trace_release(&trace);
}

/* The peak of memory of a process that loads the scratch file and another together, in bytes. */
static double
peak_of_loading(const char *other_path)
{
	struct rusage use;
	pid_t	      pid = fork();
	int	      status;

	if (!pid)
		_exit(load_together(scratch_path, other_path) != 0);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	getrusage(RUSAGE_CHILDREN, &use);
	return (double)use.ru_maxrss * KILOBYTE;
}

START_TEST(traces_that_are_loaded_together_take_the_memory_of_the_result)
{
	double	 least, peak;
	uint64_t fingerprint;

	scratch_text(one);
	least = peak_of_loading("tests/data/small.txt");
	scratch_many(MANY);
	peak = peak_of_loading(scratch_path);
	if (!SANITIZED)
		ck_assert_double_lt(peak - least, 1.3 * 2 * MANY * sizeof(struct access));

	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(load_path(scratch_path, NULL, false), 0);
		take_part(i);
	}
	merge(2, MERGE_BY_TIME);
	fingerprint = trace.fingerprint;
	ck_assert_int_eq(load_together(scratch_path, scratch_path), 0);
	ck_assert_uint_eq(trace.naccess, 2 * MANY);
	ck_assert_uint_eq(trace.fingerprint, fingerprint);
}
END_TEST

/* ---- running at once ---- */

static struct config cfg;
static usec_t	     ended[PARTS];

static void
see_end(void *ctx, const struct event *e)
{
	uint32_t process = trace.open[e->call->open].process;

	ended[trace.program_of ? trace.program_of[process] : 0] = e->when;
}

static struct stats
run(enum replay replay, const struct device *device)
{
	struct stats st;

	config_defaults(&cfg);
	cfg.cache_blocks = 64;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_none.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device->plugin;
	cfg.device.params = device == &device_fixed ? "latency=10ms,rate=40960000" : NULL;
	cfg.replay = replay;
	cfg.observer = (struct observer){ 1u << EVENT_CALL_DONE, see_end, NULL };
	ck_assert_msg(!simulate(&cfg, &trace, &st, &error), "%s", error.text);
	return st;
}

/* Two processes: the second starts while the first thinks. */
static const char pair[] = "0 1 3 R 50 40960 0 4096\n1000 2 3 R 51 40960 0 4096\n"
			   "4000 1 3 R 50 40960 4096 4096\n9000 2 3 R 51 40960 4096 4096\n";

START_TEST(on_a_device_that_takes_no_time_each_takes_as_long_as_alone)
{
	merge_two(one, pair, MERGE_BY_TIME);
	ck_assert_uint_eq(run(REPLAY_SERIAL, &device_null).elapsed_us, 9000);
	ck_assert_int_eq(ended[0], 20);
	ck_assert_int_eq(ended[1], 9000);
	ck_assert_uint_eq(run(REPLAY_SERIAL, &device_null).think_us, 9020);
	ck_assert_uint_eq(run(REPLAY_PROCESS, &device_null).think_us, 20 + 4000 + 8000);
	ck_assert_int_eq(ended[1], 9000);
}
END_TEST

START_TEST(a_program_thinks_while_another_waits_and_makes_its_calls_in_order)
{
	load(pair);
	/* 10.1 ms each; alone, the device is idle while it thinks */
	ck_assert_uint_eq(run(REPLAY_SERIAL, &device_fixed).elapsed_us, 4 * 10100 + 9000);
	take_part(0);
	load_part(1, pair);
	merge(2, MERGE_BY_TIME);
	/* one after the other on the device, which is never idle but in the longest think time */
	ck_assert_uint_eq(run(REPLAY_SERIAL, &device_fixed).elapsed_us, 8 * 10100);
	ck_assert_int_eq(ended[0], 7 * 10100);
	ck_assert_int_eq(ended[1], 8 * 10100);
}
END_TEST

START_TEST(the_same_calls_are_hits_and_misses_of_one_shared_cache)
{
	struct stats st;

	merge_two(pair, pair, MERGE_BY_TIME);
	for (unsigned replay = REPLAY_SERIAL; replay <= REPLAY_UNTIMED; replay++) {
		st = run(replay, &device_null);
		ck_assert_uint_eq(st.references, 8);
		ck_assert_uint_eq(st.misses, 8); /* files of their own */
	}
}
END_TEST

START_TEST(steps_stay_with_their_processes)
{
	static const char *const expected[] = {
		"1 after 1 at 100 starts 2",
		"1 after 1 at 150 waits 2 until 450",
		"3 after 1 at 10 starts 4", /* 1 and 2 are taken */
		"3 after 1 at 20 waits any until 60",
		"2 after 1 at 400 exits",
		"4 after 0 at 50 exits",
	};

	load_part(0,
	    "0 1 3 R 9 100 0 10\n100 1 0 F 2 0 0 0\n150 1 0 T 2 0 0 300\n"
	    "300 2 3 R 9 100 0 10\n400 2 0 X 0 0 0 0\n600 1 3 R 9 100 0 10\n");
	load_part(1,
	    "0 1 3 R 9 100 0 10\n10 1 0 F 2 0 0 0\n20 1 0 T 0 0 0 40\n"
	    "50 2 0 X 0 0 0 0\n90 1 3 R 9 100 0 10\n");
	part[0].process[1].name = "first";
	part[1].note[0] = "a note";
	merge(2, false);
	ck_assert_uint_eq(trace.nprocesses, 4);
	ck_assert_uint_eq(trace.starts, 2);
	ck_assert_uint_eq(trace.waits, 2);
	release_parts(); /* names and notes are copies */
	steps_are(6, expected);
	ck_assert_str_eq(trace.process[2].name, "first");
	ck_assert_str_eq(trace.note[0], "a note");
	ck_assert_uint_eq(trace.program_of[3], 1);
}
END_TEST

START_TEST(steps_are_stretched_as_calls_are)
{
	merge_two("0 1 3 R 9 100 0 10\n1000 1 3 R 9 100 0 10\n",
	    "0 1 3 R 9 100 0 10\n10 1 0 F 2 0 0 0\n20 1 0 T 2 0 0 40\n100 1 3 R 9 100 0 10\n",
	    true);
	step_is(0, "3 after 1 at 100 starts 2");
	step_is(1, "3 after 1 at 200 waits 2 until 600");
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("merge");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, calls_are_in_the_order_of_time_and_ties_in_that_of_the_arguments);
	tcase_add_test(tests, files_and_processes_are_numbered_by_first_use_of_any_program);
	tcase_add_test(tests, traces_share_no_file_and_no_process_whatever_their_numbers);
	tcase_add_test(tests, numbers_past_the_largest_go_on_with_those_that_are_free);
	tcase_add_test(tests, advice_precedes_the_call_that_it_preceded);
	tcase_add_test(tests, stretched_all_last_as_long_as_the_longest_to_the_nearest_microsecond);
	tcase_add_test(tests, end_to_end_each_begins_when_the_last_one_made_its_last_call);
	tcase_add_test(tests, steps_move_with_the_calls);
	tcase_add_test(tests, stretching_traces_that_take_no_time_changes_nothing);
	tcase_add_test(tests, stretched_to_a_century_time_does_not_fall_and_ends_in_time);
	tcase_add_test(tests, counters_add_up_and_the_name_says_what_it_was_made_of);
	tcase_add_test(tests, mappings_are_touched_if_those_of_every_trace_are);
	tcase_add_test(tests, names_of_files_and_programs_outlive_the_traces_they_came_from);
	tcase_add_test(tests, the_fingerprint_depends_on_every_trace_their_order_and_stretching);
	tcase_add_test(tests, binary_traces_merge_as_those_that_were_read);
	tcase_add_test(tests, written_and_loaded_again_it_is_the_same_calls_of_one_program);
	tcase_add_test(tests, more_open_files_or_blocks_than_have_numbers_are_an_error);
	tcase_add_test(tests, errors_name_the_trace_that_is_wrong);
	tcase_add_test(tests, a_damaged_chunk_is_found_before_it_is_merged);
	tcase_add_test(tests, a_file_that_changes_during_the_merge_is_an_error);
	tcase_add_test(tests, packed_traces_are_loaded_together_too);
	tcase_add_test(tests, traces_that_are_loaded_together_take_the_memory_of_the_result);
	tcase_add_test(tests, on_a_device_that_takes_no_time_each_takes_as_long_as_alone);
	tcase_add_test(tests, a_program_thinks_while_another_waits_and_makes_its_calls_in_order);
	tcase_add_test(tests, steps_stay_with_their_processes);
	tcase_add_test(tests, steps_are_stretched_as_calls_are);
	tcase_add_test(tests, the_same_calls_are_hits_and_misses_of_one_shared_cache);
	return run_tests("merge", tests);
}

/* check_marks.c - which references count as accesses. */
#include "sim/core/marks.h"
#include "tests/unit/support.h"

/* File 1 has two descriptors of process 7 and one of 3; file 2 has none; file 3 has one of each of 0 to 9. */
static struct open_file open_files[] = {
	{ 1, 7 },
	{ 3, 5 },
	{ 0, 3 },
	{ 1, 3 },
	{ 1, 7 },
	{ 3, 0 },
	{ 3, 9 },
	{ 3, 1 },
	{ 3, 4 },
	{ 3, 2 },
	{ 3, 8 },
	{ 3, 3 },
	{ 3, 6 },
	{ 3, 7 },
};
static struct trace trace = {
	.open = open_files,
	.nopen = sizeof(open_files) / sizeof(*open_files),
	.nfiles = 4,
};
static struct marks marks;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(marks_init(&marks, &trace, &e), 0);
}

static void
teardown(void)
{
	marks_release(&marks);
}

static bool
reads(file_t file, uint32_t process, uint32_t index)
{
	return marks_count(&marks,
	    &(struct use){ .file = file, .process = process, .index = index });
}

START_TEST(a_read_counts_if_the_block_is_not_the_last_one)
{
	ck_assert(reads(1, 7, 0));
	ck_assert(!reads(1, 7, 0));
	ck_assert(reads(1, 7, 1));
	ck_assert(!reads(1, 7, 1));
	ck_assert(reads(1, 7, 0));
}
END_TEST

START_TEST(each_process_and_file_has_a_last_block)
{
	ck_assert(reads(1, 7, 5));
	ck_assert(reads(1, 3, 5));
	ck_assert(reads(0, 3, 5));
	for (uint32_t process = 0; process < 10; process++)
		ck_assert(reads(3, process, process));
	for (uint32_t process = 10; process-- > 0;)
		ck_assert(!reads(3, process, process));
	ck_assert(!reads(1, 7, 5));
	ck_assert(!reads(0, 3, 5));
	ck_assert(!reads(1, 3, 5));
}
END_TEST

START_TEST(a_write_does_not_count_and_is_not_remembered)
{
	struct use write = { .file = 1, .process = 7, .index = 4, .write = true };

	ck_assert(!marks_count(&marks, &write));
	ck_assert(reads(1, 7, 4));
	write.index = 6;
	ck_assert(!marks_count(&marks, &write));
	ck_assert(!reads(1, 7, 4));
}
END_TEST

START_TEST(without_a_descriptor_every_read_counts)
{
	static const struct use unknown[] = {
		{ .file = 2, .process = 7 },
		{ .file = 0, .process = 4 },
		{ .file = 4, .process = 7 },
		{ .file = 2, .process = UINT32_MAX - 1 },
	};

	for (unsigned i = 0; i < sizeof(unknown) / sizeof(*unknown); i++) {
		ck_assert(marks_count(&marks, &unknown[i]));
		ck_assert(marks_count(&marks, &unknown[i]));
	}
}
END_TEST

START_TEST(a_trace_may_have_no_descriptors)
{
	struct marks none;
	struct error e;

	ck_assert_int_eq(marks_init(&none, &(struct trace){ 0 }, &e), 0);
	ck_assert(marks_count(&none, &(struct use){ 0 }));
	ck_assert(marks_count(&none, &(struct use){ 0 }));
	marks_release(&none);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("marks");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_read_counts_if_the_block_is_not_the_last_one);
	tcase_add_test(tests, each_process_and_file_has_a_last_block);
	tcase_add_test(tests, a_write_does_not_count_and_is_not_remembered);
	tcase_add_test(tests, without_a_descriptor_every_read_counts);
	tcase_add_test(tests, a_trace_may_have_no_descriptors);
	return run_tests("marks", tests);
}

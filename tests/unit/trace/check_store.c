/* check_store.c - sim/trace/store.c, sim/base/spill.c: the calls of a large trace in a file. */
#define _GNU_SOURCE /* for machine_shows.h */
#include "sim/base/spill.h"
#include "sim/trace/format.h"
#include "tests/machine_shows.h"
#include "tests/unit/loading.h"

enum { CALLS = 5 << 19, LENGTH = 4096, BLOCKS = 1 << 20 };

static int
next_call(void *self, struct input *in, struct record *r, struct error *e)
{
	uint64_t *n = self;

	if (*n == CALLS)
		return 0;
	r->time = (usec_t)*n;
	r->op = *n % 7 ? OP_READ : OP_WRITE;
	r->inode = 1 + *n % 3;
	r->offset = *n * 48271 % BLOCKS * LENGTH;
	r->length = LENGTH;
	++*n;
	return 1;
}

static void
make(const char *folder)
{
	struct trace_options how = { .block_bytes = BLOCK_BYTES, .folder = folder };
	uint64_t	     n = 0;

	trace_release(&trace);
	ck_assert_msg(!trace_make(&trace, "made", &how, next_call, &n, &error), "%s", error.text);
	ck_assert_uint_eq(trace.naccess, CALLS);
}

START_TEST(a_file_makes_no_difference)
{
	uint64_t in_memory;

	if (!machine_shows("/tmp", 1, (bool (*const[])(struct shows *)){ shows_memory }))
		return;
	make(NULL);
	ck_assert_ptr_null(trace.mapping);
	in_memory = trace.fingerprint;
	make("/tmp");
	ck_assert_msg(trace.mapping, "the calls are in memory");
	ck_assert_int_eq(trace_check(&trace, 0, CALLS, &error), 0);
	ck_assert_uint_eq(trace.fingerprint, in_memory);
	ck_assert_uint_eq(trace.access[12345].offset, UINT64_C(12345) * 48271 % BLOCKS * LENGTH);
}
END_TEST

START_TEST(a_folder_that_cannot_be_written_is_an_error)
{
	struct trace_options how = { .block_bytes = BLOCK_BYTES, .folder = "/proc/none" };
	uint64_t	     n = 0;

	ck_assert_int_eq(trace_make(&trace, "made", &how, next_call, &n, &error), -1);
	ck_assert_msg(strstr(error.text, "/proc/none: no temporary file"), "%s", error.text);
}
END_TEST

START_TEST(a_full_disk_is_an_error_and_keeps_what_is_there)
{
	struct spill s;

	ck_assert_int_eq(spill_open(&s, "/tmp", &error), 0);
	ck_assert_int_eq(spill_grow(&s, 8192, &error), 0);
	strcpy(s.base, "kept");
	ck_assert_int_eq(spill_grow(&s, (size_t)1 << 60, &error), -1);
	ck_assert_str_eq(s.base, "kept");
	ck_assert_int_eq(spill_grow(&s, 1 << 20, &error), 0);
	ck_assert_str_eq(s.base, "kept");
	spill_close(&s);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("store");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
	tcase_add_test(tests, a_file_makes_no_difference);
	tcase_add_test(tests, a_folder_that_cannot_be_written_is_an_error);
	tcase_add_test(tests, a_full_disk_is_an_error_and_keeps_what_is_there);
	return run_tests("store", tests);
}

/* check_rows.c - a growing CSV file loses nothing, takes up again, and ends in order. */
#define _GNU_SOURCE /* syscall() */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/points/rows.h"
#include "tests/unit/loading.h"

static struct rows rows;

enum { PLACES = 4 };

/* Row "2,..." belongs in place 2. */
static size_t
place(void *self, char *const *field, unsigned n)
{
	ck_assert_uint_eq(n, 2);
	return field[0][0] >= '0' && field[0][0] < '0' + PLACES ? (size_t)(field[0][0] - '0')
								: SIZE_MAX;
}

static int
open_rows(bool resume)
{
	error = (struct error){ 0 };
	return rows_open(&rows, scratch_path, "n,word\n", PLACES, resume, place, NULL, &error);
}

static void
add(size_t at, const char *text)
{
	ck_assert_int_eq(rows_add(&rows, at, text, strlen(text), &error), 0);
}

static void
file_is(const char *expected)
{
	char  got[4096];
	FILE *f = fopen(scratch_path, "r");

	ck_assert_ptr_nonnull(f);
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	ck_assert_str_eq(got, expected);
}

START_TEST(rows_are_in_the_file_as_they_come_and_in_order_at_the_end)
{
	ck_assert_int_eq(open_rows(false), 0);
	add(2, "2,two\n");
	add(0, "0,zero\n");
	file_is("n,word\n2,two\n0,zero\n");
	add(3, "3,three\n");
	ck_assert_uint_eq(rows.nthere, 3);
	ck_assert_int_eq(rows_sort(&rows, &error), 0);
	file_is("n,word\n0,zero\n2,two\n3,three\n");
	rows_close(&rows);
}
END_TEST

START_TEST(resuming_finds_the_rows_and_drops_a_torn_one)
{
	static const char *const torn[] = { "3", "3,thr", "\"3", "" };
	char			 text[128];

	snprintf(text, sizeof(text), "n,word\n2,two\n1,\"o\nne\"\n%s", torn[_i]);
	scratch_text(text);
	ck_assert_int_eq(open_rows(true), 0);
	ck_assert_int_eq(rows.torn, _i < 3);
	ck_assert_uint_eq(rows.nthere, 2);
	ck_assert(
	    rows.row[1].bytes && rows.row[2].bytes && !rows.row[0].bytes && !rows.row[3].bytes);
	file_is("n,word\n2,two\n1,\"o\nne\"\n");
	add(0, "0,zero\n");
	ck_assert_int_eq(rows_sort(&rows, &error), 0);
	file_is("n,word\n0,zero\n1,\"o\nne\"\n2,two\n");
	rows_close(&rows);
}
END_TEST

START_TEST(rows_of_other_sweeps_are_kept_at_the_end_and_repeated_ones_dropped)
{
	scratch_text("n,word\nx,other\n1,one\n1,one\ny,more\n");
	ck_assert_int_eq(open_rows(true), 0);
	ck_assert_uint_eq(rows.nthere, 1);
	ck_assert_uint_eq(rows.nothers, 2);
	add(0, "0,zero\n");
	ck_assert_int_eq(rows_sort(&rows, &error), 0);
	file_is("n,word\n0,zero\n1,one\nx,other\ny,more\n");
	rows_close(&rows);
}
END_TEST

START_TEST(a_torn_or_missing_header_is_written_anew)
{
	scratch_text(_i ? "n,wo" : "");
	ck_assert_int_eq(open_rows(true), 0);
	file_is("n,word\n");
	rows_close(&rows);
}
END_TEST

START_TEST(a_file_with_something_in_it_is_not_overwritten)
{
	scratch_text("n,word\n0,zero\n");
	ck_assert_int_eq(open_rows(false), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "--resume"));
	file_is("n,word\n0,zero\n");
}
END_TEST

START_TEST(other_columns_are_refused)
{
	static const char *const header[] = { "n,words\n", "n\n", "n,word,more\n", "m,word\n" };

	scratch_text(header[_i]);
	ck_assert_int_eq(open_rows(true), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "columns"));
	file_is(header[_i]);
}
END_TEST

static void (*before_lock)(void); /* called once */

/* Instead of that of libc. */
int
flock(int fd, int operation)
{
	void (*first)(void) = before_lock;

	before_lock = NULL;
	if (first)
		first();
	return (int)syscall(SYS_flock, fd, operation);
}

static void
let_another_sweep_add_a_row(void)
{
	FILE *f = fopen(scratch_path, "a");

	ck_assert_ptr_nonnull(f);
	fputs("1,one\n", f);
	ck_assert_int_eq(fclose(f), 0);
}

START_TEST(rows_that_another_sweep_adds_before_it_lets_go_are_kept)
{
	scratch_text("n,word\n0,zero\n");
	before_lock = let_another_sweep_add_a_row;
	ck_assert_int_eq(open_rows(true), 0);
	ck_assert_uint_eq(rows.nthere, 2);
	add(2, "2,two\n");
	file_is("n,word\n0,zero\n1,one\n2,two\n");
	rows_close(&rows);
}
END_TEST

START_TEST(rows_that_another_sweep_adds_to_a_new_file_are_not_overwritten)
{
	scratch_text("");
	before_lock = let_another_sweep_add_a_row;
	ck_assert_int_eq(open_rows(false), -1);
	ck_assert_ptr_nonnull(strstr(error.text, " exists"));
	file_is("1,one\n");
}
END_TEST

static void
let_another_sweep_replace_it(void)
{
	scratch_text("n,word\n0,zero\n1,one\n"); /* a new file */
}

START_TEST(a_file_that_another_sweep_puts_in_order_is_opened_again)
{
	scratch_text("n,word\n0,zero\n");
	before_lock = let_another_sweep_replace_it;
	ck_assert_int_eq(open_rows(true), 0);
	ck_assert_uint_eq(rows.nthere, 2);
	add(2, "2,two\n");
	file_is("n,word\n0,zero\n1,one\n2,two\n");
	rows_close(&rows);
}
END_TEST

static void
remove_it(void)
{
	ck_assert_int_eq(unlink(scratch_path), 0);
}

static void
move_it(void)
{
	char to[128];

	snprintf(to, sizeof(to), "%s.old", scratch_path);
	ck_assert_int_eq(rename(scratch_path, to), 0);
	unlink(to);
}

static void
cut_it(void)
{
	ck_assert_int_eq(truncate(scratch_path, 3), 0);
}

START_TEST(a_file_that_is_lost_is_an_error_at_the_next_row)
{
	static void (*const lose[])(void) = { remove_it, move_it, let_another_sweep_replace_it,
		let_another_sweep_add_a_row, cut_it };

	for (int last = 0; last < 2; last++) {
		ck_assert_int_eq(open_rows(false), 0);
		add(3, "3,three\n");
		lose[_i]();
		ck_assert_int_eq(last ? rows_sort(&rows, &error)
				      : rows_add(&rows, 0, "0,zero\n", 7, &error),
		    -1);
		ck_assert(rows.lost);
		ck_assert_ptr_nonnull(strstr(error.text,
		    _i < 3 ? "was moved, removed or replaced" : "was changed by another program"));
		if (_i == 2)
			file_is("n,word\n0,zero\n1,one\n");
		rows_close(&rows);
		unlink(scratch_path);
	}
}
END_TEST

START_TEST(a_file_saved_by_a_program_of_windows_is_taken_up)
{
	static const char *const saved[] = { "n,word\r\n2,two\r\nx,other\r\n1,one\r\n",
		"\xef\xbb\xbfn,word\n2,two\nx,other\n1,one\n",
		"\xef\xbb\xbfn,word\r\n2,two\r\nx,other\r\n1,one\r\n3,thr",
		"n,word\n2,two\nx,other\r\n1,one\n" };

	scratch_text(saved[_i]);
	ck_assert_int_eq(open_rows(true), 0);
	ck_assert_uint_eq(rows.nthere, 2);
	ck_assert_uint_eq(rows.nothers, 1);
	ck_assert_int_eq(rows.torn, _i == 2);
	file_is("n,word\n1,one\n2,two\nx,other\n");
	add(0, "0,zero\n");
	ck_assert_int_eq(rows_sort(&rows, &error), 0);
	file_is("n,word\n0,zero\n1,one\n2,two\nx,other\n");
	rows_close(&rows);
}
END_TEST

/* As the workers of a sweep that was killed. */
START_TEST(a_lock_that_is_given_up_in_a_moment_is_waited_for)
{
	pid_t child;

	ck_assert_int_eq(open_rows(false), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		usleep(200000);
		_exit(0);
	}
	rows_close(&rows); /* the child still has it, and its lock */
	ck_assert_int_eq(open_rows(true), 0);
	rows_close(&rows);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
}
END_TEST

START_TEST(two_cannot_write_to_one_file)
{
	struct rows first;

	ck_assert_int_eq(open_rows(false), 0);
	first = rows;
	ck_assert_int_eq(open_rows(true), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "another sweep"));
	rows_close(&first);
}
END_TEST

START_TEST(a_row_that_the_disk_cannot_take_is_taken_back)
{
	struct rlimit before, small;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 30;
	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(open_rows(false), 0);
	add(1, "1,one\n");
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_eq(rows_add(&rows, 0, "0,more than the limit allows\n", 29, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, scratch_path));
	file_is("n,word\n1,one\n");
	ck_assert_uint_eq(rows.nthere, 1);
	rows_close(&rows);
	setrlimit(RLIMIT_FSIZE, &before);
}
END_TEST

START_TEST(only_a_regular_file_will_do)
{
	error = (struct error){ 0 };
	ck_assert_int_eq(rows_open(&rows, "/dev/null", "n,word\n", PLACES, false, place, NULL,
			     &error),
	    -1);
	ck_assert_ptr_nonnull(strstr(error.text, "regular file"));
	ck_assert_int_eq(rows_open(&rows, "/nowhere/x", "n,word\n", PLACES, false, place, NULL,
			     &error),
	    -1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("rows");

	tcase_add_checked_fixture(tests, scratch_make, scratch_remove);
	tcase_add_test(tests, rows_are_in_the_file_as_they_come_and_in_order_at_the_end);
	tcase_add_loop_test(tests, resuming_finds_the_rows_and_drops_a_torn_one, 0, 4);
	tcase_add_test(tests, rows_of_other_sweeps_are_kept_at_the_end_and_repeated_ones_dropped);
	tcase_add_loop_test(tests, a_torn_or_missing_header_is_written_anew, 0, 2);
	tcase_add_test(tests, a_file_with_something_in_it_is_not_overwritten);
	tcase_add_loop_test(tests, other_columns_are_refused, 0, 4);
	tcase_add_test(tests, rows_that_another_sweep_adds_before_it_lets_go_are_kept);
	tcase_add_test(tests, rows_that_another_sweep_adds_to_a_new_file_are_not_overwritten);
	tcase_add_test(tests, a_file_that_another_sweep_puts_in_order_is_opened_again);
	tcase_add_loop_test(tests, a_file_that_is_lost_is_an_error_at_the_next_row, 0, 5);
	tcase_add_loop_test(tests, a_file_saved_by_a_program_of_windows_is_taken_up, 0, 4);
	tcase_add_test(tests, a_lock_that_is_given_up_in_a_moment_is_waited_for);
	tcase_add_test(tests, two_cannot_write_to_one_file);
	tcase_add_test(tests, a_row_that_the_disk_cannot_take_is_taken_back);
	tcase_add_test(tests, only_a_regular_file_will_do);
	return run_tests("rows", tests);
}

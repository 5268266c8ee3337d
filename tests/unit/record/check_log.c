/* check_log.c - lines of strace's log while they come: what is learnt, added and dropped. */
#include "sim/host/record/log.h"
#include "tests/unit/loading.h"

static struct log loaded;
static char	  passed[1 << 16];

static void
setup(void)
{
	scratch_make();
	loaded = (struct log){ .see = log_see_strace };
}

static void
teardown(void)
{
	log_release(&loaded);
	scratch_remove();
}

/* Add text in pieces of that size; what is passed on. */
static const char *
pass(const char *text, size_t piece)
{
	size_t n = 0, length = strlen(text);

	for (size_t at = 0; at < length; at += piece) {
		size_t left = length - at;

		ck_assert_int_eq(log_add(&loaded, text + at, left < piece ? left : piece, &error),
		    0);
		n += log_take(&loaded, passed + n, sizeof(passed) - 1 - n);
	}
	passed[n] = '\0';
	return passed;
}

static bool
path_is(const char *text, const char *expected)
{
	char path[32];

	return log_path(text, strlen(text), path, sizeof(path)) && !strcmp(path, expected);
}

START_TEST(whole_lines_are_passed_on_and_a_torn_one_is_dropped)
{
	static const char lines[] = "7 1.000000 read(3</a>, \"\"..., 9) = 9\n"
				    "7 1.000001 close(3</a>) = 0\n";
	char		  torn[sizeof(lines) + 32];

	snprintf(torn, sizeof(torn), "%s7 1.000002 read(4</b>", lines);
	for (size_t piece = 1; piece < sizeof(torn); piece += 7) {
		ck_assert_str_eq(pass(torn, piece), lines);
		log_release(&loaded);
		loaded = (struct log){ .see = log_see_strace };
	}
}
END_TEST

START_TEST(an_open_is_followed_by_the_size_of_its_file)
{
	char text[256], expected[512];

	scratch_text("twelve bytes");
	snprintf(text, sizeof(text), "7  1.000000 openat(AT_FDCWD</>, \"x\", O_RDONLY) = 3<%s>\n",
	    scratch_path);
	snprintf(expected, sizeof(expected),
	    "%s7  1.000000 fstat(3<%s>, {st_mode=S_IFREG|0644, st_size=12, ...}) = 0\n", text,
	    scratch_path);
	for (size_t piece = 1; piece < sizeof(text); piece += 50)
		ck_assert_str_eq(pass(text, piece), expected);
}
END_TEST

START_TEST(a_resumed_open_is_an_open_too)
{
	char text[256];

	snprintf(text, sizeof(text), "7 1.000000 <... openat resumed>) = 3<%s>\n", scratch_path);
	ck_assert_ptr_nonnull(strstr(pass(text, 9), "fstat("));
}
END_TEST

START_TEST(a_file_that_is_gone_truncated_or_no_file_is_left_alone)
{
	static const char *const lines[] = {
		"7 1.000000 openat(AT_FDCWD</>, \"x\", O_RDONLY) = 3</no/such/file>\n",
		"7 1.000000 openat(AT_FDCWD</>, \"x\", O_RDONLY) = -1 ENOENT (No such file or "
		"directory)\n",
		"7 1.000000 openat(AT_FDCWD</>, \"x\", O_RDWR) = 3</dev/null>\n",
		"7 1.000000 openat(AT_FDCWD</>, \"x\", O_WRONLY|O_CREAT|O_TRUNC, 0666) = "
		"3</etc/passwd>\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_str_eq(pass(lines[i], 100), lines[i]);
}
END_TEST

START_TEST(the_first_line_names_the_program_and_its_last_one_ends_it)
{
	pass("7 10.000000 execve(\"/bin/x\", [\"x\"], 0x7 /* 2 vars */) = 0\n"
	     "7 10.500000 clone(flags=SIGCHLD) = 8\n"
	     "8 11.000000 +++ exited with 1 +++\n",
	    1000);
	ck_assert(!loaded.over);
	pass("7 12.000000 +++ exited with 3 +++\n8 13.000000 close(3) = 0\n", 1000);
	ck_assert(loaded.over);
	ck_assert_uint_eq(loaded.pid, 7);
	ck_assert_int_eq(loaded.status, 3);
	ck_assert_int_eq(loaded.ended - loaded.began, 2000000);
	ck_assert_str_eq(loaded.refused, "");
}
END_TEST

START_TEST(a_signal_that_ends_the_program_is_its_status)
{
	pass("7 1.000000 execve(\"/x\", [\"x\"]) = 0\n7 2.000000 +++ killed by SIGINT +++\n", 1000);
	ck_assert_int_eq(loaded.status, 130);
	pass("7 2.000000 +++ killed by SIGSEGV (core dumped) +++\n", 1000);
	ck_assert_int_eq(loaded.status, 139);
}
END_TEST

START_TEST(a_program_that_does_not_start_says_why)
{
	pass("7 1.000000 execve(\"/x\", [\"x\"]) = -1 ENOEXEC (Exec format error)\n", 1000);
	ck_assert_str_eq(loaded.refused, "Exec format error");
}
END_TEST

START_TEST(requests_of_io_uring_and_aio_are_counted)
{
	pass("7 1.0 io_uring_setup(8, {}) = 3\n"
	     "7 1.1 io_uring_setup(8, {}) = -1 EPERM (Operation not permitted)\n"
	     "7 1.2 io_uring_enter(3, 4, 1, 0, NULL, 8) = 4\n"
	     "7 1.3 io_uring_enter(3, 4 <unfinished ...>\n"
	     "7 1.4 <... io_uring_enter resumed>, 1, 0, NULL, 8) = 2\n"
	     "7 1.5 io_submit(0x7, 3, [...]) = 3\n"
	     "7 1.5 io_submit(0x7, 1, [{aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3</a>}]) = 1\n",
	    1000);
	ck_assert_uint_eq(loaded.rings, 1);
	ck_assert_uint_eq(loaded.ring_requests, 6);
	ck_assert_uint_eq(loaded.aio_requests, 3);
}
END_TEST

START_TEST(paths_are_as_the_kernel_knows_them)
{
	char tiny[4];

	ck_assert(path_is("/a/b", "/a/b"));
	ck_assert(path_is("/a (deleted)", "/a"));
	ck_assert(path_is("/\\303\\251\\t\\\"\\\\", "/\303\251\t\"\\"));
	ck_assert(path_is("/a\\7b\\", "/a\7b\\"));
	ck_assert(path_is("/\\76x", "/>x"));
	ck_assert(!log_path("/abc", 4, tiny, sizeof(tiny)));
	ck_assert(log_path("/ab", 3, tiny, sizeof(tiny)));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("log");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, whole_lines_are_passed_on_and_a_torn_one_is_dropped);
	tcase_add_test(tc, an_open_is_followed_by_the_size_of_its_file);
	tcase_add_test(tc, a_resumed_open_is_an_open_too);
	tcase_add_test(tc, a_file_that_is_gone_truncated_or_no_file_is_left_alone);
	tcase_add_test(tc, the_first_line_names_the_program_and_its_last_one_ends_it);
	tcase_add_test(tc, a_signal_that_ends_the_program_is_its_status);
	tcase_add_test(tc, a_program_that_does_not_start_says_why);
	tcase_add_test(tc, requests_of_io_uring_and_aio_are_counted);
	tcase_add_test(tc, paths_are_as_the_kernel_knows_them);
	return run_tests("log", tc);
}

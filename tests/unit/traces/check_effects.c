/* check_effects.c - traces/calls/effects.c: which files calls are about, where a log has no names in <>. */
#include "tests/unit/traces/log_text.h"

/* The log so far, and another one begins. */
static void
loads_whole(void)
{
	loads();
	log_text[0] = '\0';
}

/* The note that begins so was counted so often. */
static void
counted(const char *beginning, uint64_t times)
{
	for (unsigned i = 0; i < TRACE_NOTES && trace.note[i]; i++)
		if (!strncmp(trace.note[i], beginning, strlen(beginning))) {
			ck_assert_uint_eq(trace.noted[i], times);
			return;
		}
	ck_assert_msg(!times, "not noted: %s", beginning);
}

#define R(fd) "read(" #fd ", \"\"..., 10) = 10"

START_TEST(names_are_found_from_folders_and_the_working_directory)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 0 10 1 fresh",
		"R 0 0 10 1 fresh", "R 0 0 10 1 fresh", "R 0 0 10 1 fresh", "R 0 0 10 2 fresh" };

	line("1 open(\"x/y\", O_RDONLY) = 3");
	line("1 " R(3));
	line("1 getcwd(\"/home\", 4096) = 6"); /* it was here */
	line("1 openat(AT_FDCWD, \"/home//./x/z/../y\", O_RDONLY) = 4");
	line("1 " R(4));
	line("1 open(\"x\", O_RDONLY|O_DIRECTORY) = 5");
	line("1 openat(5, \"y\", O_RDONLY) = 6");
	line("1 " R(6));
	line("1 chdir(\"/home/x/q/..\") = 0");
	line("1 open(\"y\", O_RDONLY) = 7");
	line("1 " R(7));
	line("1 chdir(\"/\") = 0");
	line("1 fork() = 2");
	line("1 fchdir(5) = 0");
	line("1 creat(\"../x/y\", 0666) = 8");
	line("1 " R(8));
	line("2 open(\"home/x/y\", O_RDONLY) = 9"); /* its folder is its own */
	line("2 " R(9));
	loads_whole();
	accesses_are(6, expected);
	ck_assert_str_eq(trace.file[0].name, "x/y");
	ck_assert_ptr_null(trace.note[0]);
}
END_TEST

START_TEST(descriptors_are_followed_through_dup_fork_and_exec)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 10 1 fresh",
		"R 0 20 10 2 fresh", "R 0 30 10 2 fresh" };

	line("1 open(\"/a\", O_RDONLY|O_CLOEXEC) = 3");
	line("1 " R(3));
	line("1 dup2(3, 0) = 0");
	line("1 fcntl(3, F_DUPFD_CLOEXEC, 10) = 10");
	line("1 " R(0));
	line("1 vfork() = 2");
	line("2 " R(10));
	line("2 execve(\"/x\", [\"x\"], 0x7f) = 0");
	line("2 " R(0));
	line("2 open(\"/b\", O_RDONLY) = 3");
	line("2 close(0) = 0");
	loads_whole();
	accesses_are(4, expected);
	ck_assert_ptr_null(trace.note[0]);
}
END_TEST

START_TEST(pipes_sockets_and_the_like_are_no_files)
{
	static const char *const opens[] = { "pipe2([3, 4], O_CLOEXEC) = 0", "pipe([3, 4]) = 0",
		"socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0", "socket(AF_INET) = 4",
		"accept4(5, NULL, NULL, 0) = 4", "eventfd2(0, 0) = 4", "memfd_create(\"x\", 0) = 4",
		"timerfd_create(CLOCK_MONOTONIC, 0) = 4", "epoll_create1(0) = 4",
		"open(\"/dev/zero\", O_RDONLY) = 4", "open(\"/proc/self/maps\", O_RDONLY) = 4",
		"open(\"/d\", O_RDONLY|O_DIRECTORY) = 4", "open(\"/d\", O_RDONLY|O_PATH) = 4" };

	for (size_t i = 0; i < sizeof(opens) / sizeof(*opens); i++) {
		char text[80];

		line("1 open(\"/a\", O_RDONLY) = 9");
		line("1 " R(9));
		snprintf(text, sizeof(text), "1 %s", opens[i]);
		line(text);
		line("1 " R(4));
		line("1 dup(4) = 7");
		line("1 write(7, \"\"..., 10) = 10");
		loads_whole();
		ck_assert_uint_eq(trace.naccess, 1);
		ck_assert_ptr_null(trace.note[0]);
	}
}
END_TEST

START_TEST(a_descriptor_never_seen_is_a_file_of_its_own)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "W 0 10 10 1",
		"R 0 20 10 1 fresh", "R 0 500 10 1", "R 1 0 10 2 fresh" };

	line("1 " R(3));
	line("1 write(3, \"\"..., 10) = 10");
	line("1 dup(3) = 4");
	line("1 " R(4));
	line("1 lseek(4, 500, SEEK_SET) = 500");
	line("1 " R(3));
	line("2 " R(3));
	line("2 recvfrom(5, \"\"..., 10, 0, NULL, NULL) = 10");
	line("2 " R(5));
	line("2 epoll_ctl(9, EPOLL_CTL_ADD, 6, {events=0}) = 0");
	line("2 " R(6));
	line("2 fstat(7, {st_mode=S_IFIFO|0600, st_size=0, ...}) = 0");
	line("2 " R(7));
	loads_whole();
	accesses_are(5, expected);
	counted("descriptors without a name", 2);
	counted("reads and writes at guessed offsets", 4);
	counted("reads and writes of standard", 0);
	ck_assert_str_eq(trace.file[0].name, "descriptor 3 of process 1");
}
END_TEST

START_TEST(standard_descriptors_are_left_out_until_they_prove_to_be_files)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 10 1 fresh",
		"R 1 70 10 1 fresh" };

	line("1 " R(0));
	line("1 dup(0) = 5");
	line("1 " R(5));
	line("1 lseek(0, 0, SEEK_CUR) = 0"); /* as on /dev/null */
	line("1 write(1, \"\"..., 10) = 10");
	line("1 fstat(0, {st_mode=S_IFREG|0600, st_size=9000, ...}) = 0");
	line("1 " R(5));
	line("1 " R(0));
	line("1 pread64(2, \"\"..., 10, 70) = 10");
	loads_whole();
	accesses_are(3, expected);
	counted("reads and writes of standard", 3);
	counted("descriptors without a name", 2);
	counted("reads and writes at guessed offsets", 0);
	ck_assert_uint_eq(trace.file[0].bytes, 9000);
}
END_TEST

START_TEST(a_position_is_guessed_until_a_seek)
{
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</a>, \"\", 10) = 0");
	line("1 pread64(3</a>, \"\"..., 10, 70) = 10");
	line("1 _llseek(3</a>, 700, [700], SEEK_SET) = 0");
	line("1 write(3</a>, \"\"..., 10) = 10");
	line("1 open(\"/b\", O_WRONLY|O_APPEND) = 4</b>");
	line("1 write(4</b>, \"\"..., 10) = 10");
	line("1 fstat(4</b>, {st_mode=S_IFREG|0600, st_size=100, ...}) = 0");
	line("1 write(4</b>, \"\"..., 10) = 10");
	loads_whole();
	counted("reads and writes at guessed offsets", 2);
	counted("appends to files", 1);
	ck_assert_uint_eq(trace.access[3].offset, 700);
	ck_assert_uint_eq(trace.access[5].offset, 100);
}
END_TEST

/* ---- the identity of files ---- */

#define OPEN(fd, name) "1 open(\"" name "\", O_RDONLY) = " #fd
#define READ(fd) "1 " R(fd)

/* Files 0, 1, ... are read in the order of the digits. */
static void
files_are(const char *files)
{
	loads_whole();
	ck_assert_uint_eq(trace.naccess, strlen(files));
	for (size_t i = 0; files[i]; i++)
		ck_assert_uint_eq(trace.open[trace.access[i].open].file, (unsigned)files[i] - '0');
}

/* Read /a and /b, make the call, and read /a, /b and /c. */
static void
around(const char *call, const char *files)
{
	line(OPEN(3, "/a"));
	line(READ(3));
	line(OPEN(4, "/b"));
	line(READ(4));
	line(call);
	line(OPEN(5, "/a"));
	line(READ(5));
	line(OPEN(6, "/b"));
	line(READ(6));
	line(OPEN(7, "/c"));
	line(READ(7));
	line(READ(3)); /* it is still open */
	files_are(files);
}

START_TEST(a_file_keeps_its_identity_and_a_name_does_not)
{
	around("1 getpid() = 1", "010120");
	around("1 rename(\"/a\", \"/c\") = 0", "012100");
	around("1 rename(\"/a\", \"/b\") = 0", "012030");
	around("1 rename(\"/a\", \"/a\") = 0", "010120");
	around("1 rename(\"/a\", \"/c\") = -1 EPERM (Operation not permitted)", "010120");
	around("1 renameat2(AT_FDCWD, \"/a\", AT_FDCWD, \"/b\", RENAME_EXCHANGE) = 0", "011020");
	around("1 renameat2(-100, \"/a\", -100, \"/b\", 0x2) = 0", "011020");
	around("1 renameat(AT_FDCWD, \"a\", AT_FDCWD, \"/c\") = 0", "010120");
	around("1 unlink(\"/a\") = 0", "012130");
	around("1 unlinkat(AT_FDCWD, \"/a\", 0) = 0", "012130");
	around("1 link(\"/a\", \"/c\") = 0", "010100");
	around("1 linkat(AT_FDCWD, \"/a\", AT_FDCWD, \"/c\", 0) = 0", "010100");
	around("1 linkat(4, \"\", AT_FDCWD, \"/c\", AT_EMPTY_PATH) = 0", "010110");
	around("1 linkat(AT_FDCWD, \"/proc/self/fd/4\", AT_FDCWD, \"/c\", AT_SYMLINK_FOLLOW) = 0",
	    "010110");
	around("1 symlink(\"a\", \"/c\") = 0", "010100");
	around("1 symlinkat(\"../a\", AT_FDCWD, \"/c\") = 0", "010100");
	around("1 open(\"/a\", O_RDWR|O_CREAT|O_TRUNC) = 9", "010120");
	around("1 open(\"/a\", O_RDWR|O_CREAT|O_EXCL) = 9", "012130");
	around("1 open(\"/a\", 0xc1) = 9", "012130");
}
END_TEST

START_TEST(what_is_in_a_folder_moves_with_it)
{
	line(OPEN(3, "/d/e/a"));
	line(READ(3));
	line("1 open(\"/d/e\", O_RDONLY|O_DIRECTORY) = 4");
	line("1 rename(\"/d\", \"/f\") = 0");
	line(OPEN(5, "/f/e/a"));
	line(READ(5));
	line("1 openat(4, \"a\", O_RDONLY) = 6");
	line(READ(6));
	line(OPEN(7, "/d/e/a"));
	line(READ(7));
	line("1 rename(\"/f\", \"/f/e/g\") = 0"); /* impossible */
	line("1 symlink(\"/f/e\", \"/l\") = 0");
	line("1 symlink(\"m\", \"/m\") = 0");
	line(OPEN(8, "/l/a"));
	line(READ(8));
	line(OPEN(9, "/m/a"));
	line(READ(9));
	files_are("000102");
}
END_TEST

START_TEST(names_in_quotes_are_those_in_brackets)
{
	line("1 open(\"/x<5>\\\"\\\\\\n\", O_RDONLY) = 3</x\\0745\\76\\\"\\\\\\n>");
	line("1 read(3</x\\0745\\76\\\"\\\\\\n>, \"\"..., 10) = 10");
	line("1 rename(\"/x<5>\\\"\\\\\\n\", \"/y\") = 0");
	line("1 read(3</y>, \"\"..., 10) = 10");
	line("1 unlink(\"/y\") = 0");
	line("1 read(3</y>(deleted), \"\"..., 10) = 10");
	line("1 read(3</y (deleted)>, \"\"..., 10) = 10");
	line("1 open(\"/y\", O_RDWR|O_CREAT) = 4</y>");
	line("1 read(4</y>, \"\"..., 10) = 10");
	line("1 read(3</y>(deleted), \"\"..., 10) = 10");
	line("1 open(\"/t\", O_RDWR|O_TMPFILE) = 5</t/#9>(deleted)");
	line("1 read(5</t/#9>(deleted), \"\"..., 10) = 10");
	line("1 open(\"/t\", O_RDWR|O_TMPFILE) = 5</t/#9>(deleted)");
	line("1 read(5</t/#9>(deleted), \"\"..., 10) = 10");
	files_are("00001023");
	counted("reads and writes at guessed", 0);
}
END_TEST

/* AT_FDCWD</d> and what the names of opens end in tell where a process is. */
START_TEST(relative_names_are_resolved_with_y)
{
	line("1 openat(AT_FDCWD</d>, \"a\", O_RDONLY) = 3</d/a>");
	line("1 read(3</d/a>, \"\"..., 10) = 10");
	line("1 rename(\"a\", \"b\") = 0");
	line("1 read(3</d/b>, \"\"..., 10) = 10");
	line("1 openat(AT_FDCWD</d>, \"b\", O_RDONLY) = 4</d/b>");
	line("1 read(4</d/b>, \"\"..., 10) = 10");
	line("1 renameat(5</e>, \"b\", 6</d>, \"c\") = 0");
	line("1 openat(AT_FDCWD</d>, \"b\", O_RDONLY) = 4</d/b>");
	line("1 read(4</d/b>, \"\"..., 10) = 10");
	files_are("0000");
}
END_TEST

START_TEST(flags_may_be_numbers)
{
	static const char *const expected[] = { "W 0 0 10 1", "W 0 10 10 1", "R 0 40 10 1 fresh",
		"R 0 50 10 2 fresh", "R 0 0 10 1 fresh" };

	line(
	    "1 openat(-100, \"/a\", 0x80641, 0666) = 3"); /* WRONLY, CREAT, TRUNC, APPEND, CLOEXEC */
	line("1 write(3, \"\"..., 10) = 10");
	line("1 lseek(3, 0, 0) = 0");
	line("1 write(3, \"\"..., 10) = 10");
	line("1 lseek(3, -60, 0x2 /* SEEK_END */) = 40");
	line("1 fstat(3, {st_mode=0100600, st_size=100, ...}) = 0");
	line("1 fcntl(3, 0x4 /* F_SETFL */, 0 /* O_RDONLY */) = 0");
	line("1 fadvise64(3, 0, 0, 0x1 /* POSIX_FADV_RANDOM */) = 0");
	line("1 fcntl(3, 0x406, 5) = 5");
	line("1 fcntl(3, 0, 6) = 6");
	line("1 " R(3));
	line("1 clone(child_stack=0x7fffffff, flags=0x1200000|17, child_tidptr=0x7f) = 2");
	line("2 execve(\"/x\", [\"x\"], 0x7f) = 0");
	line("2 " R(6));
	line("2 " R(3)); /* closed, and so of something else */
	line("1 open(\"/d\", 0x10000) = 7");
	line("1 open(\"/d\", 0x200000 /* O_RDONLY|O_PATH */) = 8");
	line("1 open(\"/a\", 0) = 9");
	line("1 close_range(3, 4, 0x4 /* CLOSE_RANGE_CLOEXEC */) = 0");
	line("1 clone3({flags=0x10f00, exit_signal=0}, 88) = 4");
	line("4 " R(9));
	loads_whole();
	ck_assert_uint_eq(trace.naccess, 6);
	for (unsigned i = 0; i < 4; i++)
		access_is(i, expected[i]);
	ck_assert_uint_eq(trace.opens, 2);
	ck_assert_uint_eq(trace.advice[0].kind, ADVICE_RANDOM);
	access_is(5, "R 0 0 10 4 fresh");
	counted("descriptors without a name", 1);
}
END_TEST

/* ---- requests ---- */

START_TEST(aio_requests_are_read)
{
	static const char *const expected[] = { "R 0 8192 4096 1 fresh", "R 0 16384 300 1",
		"W 0 0 512 1", "W 0 600 30 1", "R 0 5 7 1", "R 1 50 50 1 fresh" };

	line("1 open(\"/a\", O_RDWR) = 3</a>");
	line(
	    "1 io_submit(0x7f, 3, [{aio_data=0, aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3</a>, "
	    "aio_buf=0x56, aio_nbytes=4096, aio_offset=8192}, {aio_lio_opcode=IOCB_CMD_PREADV, "
	    "aio_fildes=3</a>, aio_buf=[{iov_base=0x5, iov_len=100}, {iov_base=0x6, iov_len=200}], "
	    "aio_offset=16384}, {aio_lio_opcode=1 /* IOCB_CMD_PWRITE */, aio_fildes=3</a>, "
	    "aio_buf=\"}, {, \\\"aio_offset=9\", aio_nbytes=512, aio_offset=0}]) = 3");
	line("1 io_submit(140, 2, [{data=0, pwrite, fildes=3</a>, buf=0x5, nbytes=30, offset=600}, "
	     "{pread, 0, filedes:3</a>, buf:0x5, nbytes:7, offset:5}]) = 2");
	line("1 io_submit(140, 2, [{aio_lio_opcode=IOCB_CMD_FSYNC, aio_fildes=3</a>}, "
	     "{aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=9<socket:[5]>, aio_nbytes=7}]) = 2");
	line("1 io_submit(140, 2, [{pread, fildes=3</a>, nbytes=7, offset=5}]) = -1 EAGAIN (x)");
	line("1 io_submit(140, 5, [...]) = 5");
	line("1 io_submit(140, 3, [{pread, fildes=9<pipe:[5]>, nbytes=7, offset=5}, ...]) = 3");
	line("1 open(\"/b\", O_RDONLY) = 4</b>");
	line("1 fstat(4</b>, {st_mode=S_IFREG|0600, st_size=100, ...}) = 0");
	line("1 io_submit(140, 2, [{pread, fildes=4</b>, nbytes=70, offset=50}, "
	     "{pread, fildes=4</b>, nbytes=70, offset=500}]) = 2");
	loads_whole();
	accesses_are(6, expected);
	counted("AIO requests", 7);
	counted("io_uring", 0);
	line("1 pread64(3</a>, \"\"..., 10, 0) = 10");
	line("1 io_uring_setup(8, {flags=0}) = 4");
	line("1 io_uring_enter(4, 3, 1, 0, NULL, 8) = 3");
	line("1 io_uring_enter(4, 3, 1, 0, NULL, 8) = 2");
	loads_whole();
	counted("io_uring", 5);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("effects");

	tcase_add_checked_fixture(tc, setup, scratch_remove);
	tcase_add_test(tc, names_are_found_from_folders_and_the_working_directory);
	tcase_add_test(tc, descriptors_are_followed_through_dup_fork_and_exec);
	tcase_add_test(tc, pipes_sockets_and_the_like_are_no_files);
	tcase_add_test(tc, a_descriptor_never_seen_is_a_file_of_its_own);
	tcase_add_test(tc, standard_descriptors_are_left_out_until_they_prove_to_be_files);
	tcase_add_test(tc, a_position_is_guessed_until_a_seek);
	tcase_add_test(tc, a_file_keeps_its_identity_and_a_name_does_not);
	tcase_add_test(tc, what_is_in_a_folder_moves_with_it);
	tcase_add_test(tc, names_in_quotes_are_those_in_brackets);
	tcase_add_test(tc, relative_names_are_resolved_with_y);
	tcase_add_test(tc, flags_may_be_numbers);
	tcase_add_test(tc, aio_requests_are_read);
	return run_tests("effects", tc);
}

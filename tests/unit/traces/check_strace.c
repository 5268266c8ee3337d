/* check_strace.c - traces/strace.c: positions, descriptors and sizes followed through a log. */
#include "tests/unit/traces/log_text.h"

START_TEST(it_says_the_same_as_the_text_form)
{
	struct access expected[16];

	ck_assert_int_eq(load_path("tests/data/small.txt", NULL, false), 0);
	ck_assert_uint_eq(trace.naccess, 7);
	memcpy(expected, trace.access, 7 * sizeof(*expected));
	ck_assert_msg(!load_path("tests/data/small.strace", NULL, false), "%s", error.text);
	accesses_equal(expected, 7);
	ck_assert_uint_eq(trace.mmaps, 1);
	ck_assert_uint_eq(trace.exits, 2);
	ck_assert_uint_eq(trace.out_of_order, 0);
}
END_TEST

START_TEST(hexadecimal_names_are_the_same_files)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 10 1",
		"R 1 0 5 2 fresh", "R 1 5 5 2" };

	line(
	    "1 open(\"\\x2f\\x61\\x20\\xc3\\xa9\", O_RDONLY) = 3<\\x2f\\x61\\x20\\xc3\\xa9>"); /* -xx */
	line("1 read(3<\\x2f\\x61\\x20\\xc3\\xa9>, \"\\x00\\x22\\x5c\\x29\"..., 10) = 10");
	line("1 read(3</a \\303\\251>, \"\"..., 10) = 10"); /* the same without */
	line("2 openat(AT_FDCWD, \"/\\x22\\x5c\\x3c\\x0137\", O_RDONLY) = 4");
	line("2 read(4</\\\"\\\\\\74\\00137>, \"\"..., 5) = 5");
	line("2 read(4<\\x2f\\x22\\x5c\\x3c\\x01\\x33\\x37>, \"\"..., 5 <unfinished ...>");
	line("2 <... read resumed>\"\\x3e\"..., 5) = 5");
	loads();
	accesses_are(4, expected);
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_str_eq(trace.file[0].name, "/a \\303\\251");
	ck_assert_str_eq(trace.file[1].name, "/\\\"\\\\\\74\\00137");
}
END_TEST

START_TEST(dup_and_fork_share_a_position)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 10 1 fresh",
		"R 0 20 10 2 fresh", "R 0 30 10 1", "R 0 40 10 1 fresh", "R 0 50 10 1 fresh",
		"R 0 60 10 1 fresh" };

	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 dup(3</a>) = 4</a>");
	line("1 read(4</a>, \"\"..., 10) = 10");
	line("1 fork() = 2");
	line("2 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 dup2(3</a>, 7) = 7</a>");
	line("1 read(7</a>, \"\"..., 10) = 10");
	line("1 dup3(3</a>, 8, O_CLOEXEC) = 8</a>");
	line("1 read(8</a>, \"\"..., 10) = 10");
	line("1 fcntl(3</a>, F_DUPFD, 9) = 9</a>");
	line("1 close(3</a>) = 0");
	line("1 read(9</a>, \"\"..., 10) = 10");
	loads();
	accesses_are(7, expected);
}
END_TEST

START_TEST(a_forked_child_s_opens_are_its_own_and_a_thread_s_are_not)
{
	static const char *const expected[] = { "R 0 0 5 2 fresh", "R 0 0 6 1 fresh",
		"R 0 6 7 3 fresh" };

	line("1 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 2");
	line("2 open(\"a\", O_RDONLY) = 3</a>");
	line("2 read(3</a>, \"\"..., 5) = 5");
	line("1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES, stack=0x7f}, 88) = 3");
	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 read(3</a>, \"\"..., 6) = 6");
	line("3 read(3</a>, \"\"..., 7) = 7");
	loads();
	accesses_are(3, expected);
}
END_TEST

START_TEST(a_child_may_be_seen_before_its_parent_s_clone_returns)
{
	static const char *const expected[] = { "R 0 0 5 1 fresh", "R 0 5 5 2 fresh",
		"R 0 10 5 1" };

	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 read(3</a>, \"\"..., 5) = 5");
	line("1 clone(child_stack=NULL, flags=SIGCHLD <unfinished ...>");
	line("2 read(3</a>, \"\"..., 5) = 5");
	line("1 <... clone resumed>, child_tidptr=0x7f5d) = 2");
	line("1 read(3</a>, \"\"..., 5) = 5");
	loads();
	accesses_are(3, expected);
}
END_TEST

START_TEST(a_pid_used_again_inherits_from_its_new_parent)
{
	static const char *const expected[] = { "R 0 0 5 2 fresh", "R 1 0 5 1 fresh",
		"R 1 5 5 2 fresh" };

	line("1 vfork() = 2");
	line("2 open(\"a\", O_RDONLY) = 3</a>");
	line("2 read(3</a>, \"\"..., 5) = 5");
	line("2 exit_group(0) = ?");
	line("2 +++ exited with 0 +++");
	line("1 open(\"b\", O_RDONLY) = 3</b>");
	line("1 read(3</b>, \"\"..., 5) = 5");
	line("1 vfork() = 2");
	line("2 read(3</b>, \"\"..., 5) = 5");
	loads();
	accesses_are(3, expected);
	ck_assert_uint_eq(trace.exits, 1);
}
END_TEST

START_TEST(execve_closes_what_is_marked)
{
	static const char *const expected[] = { "R 0 0 5 1 fresh", "R 1 0 5 1 fresh",
		"R 2 0 5 1 fresh", "R 0 5 5 1", "R 1 0 6 1", "R 2 0 6 1" };

	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 open(\"b\", O_RDONLY|O_CLOEXEC) = 4</b>");
	line("1 open(\"c\", O_RDONLY) = 5</c>");
	line("1 fcntl(5</c>, F_SETFD, FD_CLOEXEC) = 0");
	line("1 read(3</a>, \"\"..., 5) = 5");
	line("1 read(4</b>, \"\"..., 5) = 5");
	line("1 read(5</c>, \"\"..., 5) = 5");
	line("1 execve(\"/bin/x\", [\"x\", \"(\"], 0x7ffd /* 35 vars */) = 0");
	line("1 read(3</a>, \"\"..., 5) = 5");
	line("1 read(4</b>, \"\"..., 6) = 6"); /* opened out of sight: from 0 */
	line("1 read(5</c>, \"\"..., 6) = 6");
	loads();
	accesses_are(6, expected);
}
END_TEST

START_TEST(every_call_that_moves_data_is_known)
{
	static const char *const expected[] = { "W 0 0 10 1", "W 0 10 20 1", "R 0 5 6 1 fresh",
		"W 0 3 4 1", "R 0 1 2 1", "W 0 2 3 1", "R 0 30 5 1", "W 0 35 1 1", "R 0 36 2 1" };

	line("1 creat(\"a\", 0666) = 3</a>");
	line("1 write(3</a>, \"a \\\"quoted), text\"..., 10) = 10");
	line("1 writev(3</a>, [{iov_base=\"\"..., iov_len=20}], 1) = 20");
	line("1 pread64(3</a>, \"\"..., 6, 5) = 6");
	line("1 pwrite64(3</a>, \"\"..., 4, 3) = 4");
	line("1 preadv(3</a>, [{iov_base=\"\"..., iov_len=2}], 1, 1) = 2");
	line("1 pwritev2(3</a>, [{iov_base=\"\"..., iov_len=3}], 1, 2, 0) = 3");
	line("1 preadv2(3</a>, [{iov_base=\"\"..., iov_len=5}], 1, -1, 0) = 5");
	line("1 write(3</a>, \"\"..., 1) = 1");
	line("1 readv(3</a>, [{iov_base=\"\"..., iov_len=2}], 1) = 2 <0.000012>");
	loads();
	accesses_are(9, expected);
}
END_TEST

START_TEST(copies_inside_the_kernel_read_one_file_and_write_the_other)
{
	static const char *const expected[] = { "R 0 0 100 1 fresh", "W 1 0 100 1", "R 0 100 50 1",
		"R 0 7 60 1", "W 1 100 60 1", "R 0 150 9 1" };

	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 open(\"b\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 4</b>");
	line("1 sendfile(4</b>, 3</a>, NULL, 100) = 100");
	line("1 sendfile(1<socket:[55]>, 3</a>, [100] => [150], 50) = 50");
	line("1 lseek(3</a>, 150, SEEK_SET) = 150");
	line("1 copy_file_range(3</a>, [7], 4</b>, NULL, 60, 0) = 60");
	line("1 splice(3</a>, NULL, 8<pipe:[3]>, NULL, 9, 0) = 9");
	loads();
	accesses_are(6, expected);
}
END_TEST

START_TEST(appending_writes_go_to_the_end)
{
	static const char *const expected[] = { "W 0 1000 10 1", "R 0 0 5 1 fresh", "W 0 1010 10 1",
		"W 0 1020 7 1" };

	line("1 openat(AT_FDCWD</>, \"a\", O_WRONLY|O_APPEND) = 3</a>");
	line("1 fstat(3</a>, {st_mode=S_IFREG|0644, st_size=1000, ...}) = 0");
	line("1 write(3</a>, \"\"..., 10) = 10");
	line("1 openat(AT_FDCWD</>, \"a\", O_RDWR) = 4</a>");
	line("1 read(4</a>, \"\"..., 5) = 5");
	line("1 write(3</a>, \"\"..., 10) = 10");
	line("1 fcntl(4</a>, F_SETFL, O_RDWR|O_APPEND) = 0");
	line("1 write(4</a>, \"\"..., 7) = 7");
	loads();
	access_is(0, expected[0]);
	access_is(1, expected[1]);
	access_is(2, expected[2]);
	ck_assert_uint_eq(trace.access[3].offset, 1020);
	ck_assert_uint_eq(trace.access[3].file_size, 1020);
}
END_TEST

START_TEST(sizes_follow_fstat_truncation_allocation_seeks_and_writes)
{
	line("1 open(\"a\", O_RDWR) = 3</a>");
	line(
	    "1 newfstatat(3</a>, \"\", {st_mode=S_IFREG|0644, st_size=100, ...}, AT_EMPTY_PATH) = 0");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 ftruncate(3</a>, 40) = 0");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 fallocate(3</a>, 0, 0, 5000) = 0");
	line("1 fallocate(3</a>, FALLOC_FL_KEEP_SIZE, 0, 900000) = 0");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 lseek(3</a>, 0, SEEK_END) = 6000");
	line("1 write(3</a>, \"\"..., 10) = 10");
	line("1 pread64(3</a>, \"\"..., 1, 0) = 1");
	line("1 statx(3</a>, \"\", AT_EMPTY_PATH, STATX_ALL, {stx_mode=S_IFREG|0644, "
	     "stx_size=7000, ...}) = 0");
	line("1 pread64(3</a>, \"\"..., 1, 0) = 1");
	line("1 newfstatat(3</a>, \"other\", {st_mode=S_IFREG|0644, st_size=1, ...}, 0) = 0");
	line("1 pread64(3</a>, \"\"..., 1, 0) = 1");
	line("1 open(\"a\", O_RDWR|O_TRUNC) = 4</a>");
	line("1 write(4</a>, \"\"..., 10) = 10");
	loads();
	ck_assert_uint_eq(trace.access[0].file_size, 100);
	ck_assert_uint_eq(trace.access[1].file_size, 40);
	ck_assert_uint_eq(trace.access[2].file_size, 5000);
	ck_assert_uint_eq(trace.access[3].file_size, 6000);
	ck_assert_uint_eq(trace.access[4].file_size, 6010);
	ck_assert_uint_eq(trace.access[5].file_size, 7000);
	ck_assert_uint_eq(trace.access[6].file_size, 7000);
	ck_assert_uint_eq(trace.access[7].file_size, 0);
}
END_TEST

START_TEST(a_size_never_shown_is_the_largest_end_seen)
{
	line("1 read(3</a>, \"\"..., 100) = 100");
	line("1 pread64(3</a>, \"\"..., 100, 5000) = 60");
	loads();
	ck_assert_uint_eq(trace.access[0].file_size, 5060);
	ck_assert_uint_eq(trace.access[1].file_size, 5060);
}
END_TEST

START_TEST(only_regular_files_count)
{
	line("1 read(3</a>, \"\"..., 100) = 100");
	line("1 read(0<pipe:[3504]>, \"\"..., 100) = 100");
	line("1 read(0<socket:[3504]>, \"\"..., 100) = 100");
	line("1 read(0<TCP:[127.0.0.1:80->127.0.0.1:99]>, \"\"..., 100) = 100");
	line("1 read(0<anon_inode:[eventfd]>, \"\"..., 8) = 8");
	line("1 write(1</dev/null>, \"\"..., 100) = 100");
	line("1 write(1</dev/pts/0<char 136:0>>, \"\"..., 100) = 100");
	line("1 read(4</proc/self/maps>, \"\"..., 100) = 100");
	line("1 read(4</memfd:x (deleted)>, \"\"..., 100) = 100");
	line("1 openat(AT_FDCWD</>, \"d\", O_RDONLY|O_DIRECTORY) = 5</d>");
	line("1 open(\"f\", O_RDONLY) = 6</f>");
	line("1 fstat(6</f>, {st_mode=S_IFIFO|0644, st_size=0, ...}) = 0");
	line("1 read(6</f>, \"\"..., 100) = 100");
	line("1 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f9c");
	loads();
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_uint_eq(trace.mmaps, 0);
	ck_assert_uint_eq(trace.opens, 1);
}
END_TEST

START_TEST(failed_interrupted_and_other_calls_change_nothing)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 10 1" };

	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</a>, 0x7ffd, 10) = -1 EAGAIN (Resource temporarily unavailable)");
	line("1 read(3</a>, 0x7ffd, 10) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)");
	line("1 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=2} ---");
	line("1 lseek(3</a>, 0, SEEK_SET) = -1 ESPIPE (Illegal seek)");
	line("1 close(99) = -1 EBADF (Bad file descriptor)");
	line("1 ioctl(3</a>, _IOC(_IOC_READ, 1 << 2, 3), {x=(1 < 2)}) = 0");
	line("1 [ Process PID=1 runs in 32 bit mode. ]");
	line("1 read(3</a>, <detached ...>");
	line("1 read(3</a>, \"\"..., 10) = 10");
	loads();
	accesses_are(2, expected);
}
END_TEST

START_TEST(a_call_in_two_parts_counts_from_its_beginning)
{
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("2 read(4</b>,  <unfinished ...>");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("2 <... read resumed>\"\"..., 10) = 10");
	line("3 <... read resumed>\"\"..., 10) = 10"); /* began before the log did */
	loads();
	ck_assert_uint_eq(trace.naccess, 3);
	ck_assert_uint_eq(trace.out_of_order, 1);
	access_is(1, "R 1 0 10 2 fresh");
	ck_assert_int_eq(trace.access[1].time, 10);
	ck_assert_int_eq(trace.access[2].time, 20);
}
END_TEST

START_TEST(a_path_that_is_not_the_expected_one_was_opened_out_of_sight)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 1 0 10 1 fresh",
		"R 1 10 10 1" };

	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</b>, \"\"..., 10) = 10");
	line("1 read(3</b>(deleted), \"\"..., 10) = 10");
	loads();
	accesses_are(3, expected);
	ck_assert_uint_eq(trace.nfiles, 2);
}
END_TEST

START_TEST(ranges_of_descriptors_are_closed)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 1 0 10 1 fresh",
		"R 0 10 10 1", "R 1 0 9 1" };

	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(70000</b>, \"\"..., 10) = 10");
	line("1 close_range(4, 4294967295, 0) = 0");
	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(70000</b>, \"\"..., 9) = 9");
	loads();
	accesses_are(4, expected);
}
END_TEST

START_TEST(one_process_may_be_logged_without_its_pid)
{
	load("1700000000.000001 read(3</a>, \"\"..., 10)   = 10\r\n"
	     "1700000000.000005123 read(3</a>, \"\"..., 10)   = 10\n"
	     "1700000000.2 read(3</a>, \"\"..., 10)   = 10\n");
	ck_assert_uint_eq(trace.naccess, 3);
	ck_assert_uint_eq(trace.process[0].pid, 0);
	ck_assert_int_eq(trace.access[1].time, 4);
	ck_assert_int_eq(trace.access[2].time, 199999);
}
END_TEST

/* strace -f without -o: pids in brackets, but of one process alone; messages within lines. */
START_TEST(a_log_on_standard_error_has_pids_in_brackets)
{
	static const char *const expected[] = { "R 0 0 10 0 fresh", "R 0 10 11 21 fresh",
		"R 0 21 12 0", "R 1 0 13 22 fresh", "R 1 13 14 22", "R 0 33 15 21" };

	load("1700000000.000001 openat(AT_FDCWD</>, \"/a\", O_RDONLY) = 3</a>\n"
	     "1700000000.000002 read(3</a>, \"\"..., 10) = 10\n"
	     "1700000000.000003 clone(child_stack=NULL, flags=SIGCHLDstrace: Process 21 attached\n"
	     ", child_tidptr=0x7f) = 21\n"
	     "[pid    21] 1700000000.000004 read(3</a>,  <unfinished ...>\n"
	     "[pid    20] 1700000000.000005 fork( <unfinished ...>\n"
	     "[pid    21] 1700000000.000006 <... read resumed>\"\"..., 11) = 11\n"
	     "strace: Process 22 attached\n"
	     "[pid    20] 1700000000.000007 <... fork resumed>) = 22\n"
	     "[pid    20] 1700000000.000008 read(3</a>, \"\"..., 12) = 12\n"
	     "[pid    22] 1700000000.000009 read(4</b>, \"\"..., 13) = 13\n"
	     "[pid    20] 1700000000.000010 +++ exited with 0 +++\n"
	     "[pid    22] 1700000000.000011 read(4</b>, \"\"..., 14) = 14\n"
	     "[pid    22] 1700000000.000012 exit_group(0) = ?\n"
	     "1700000000.000013 read(3</a>, \"\"..., 15) = 15\n");
	accesses_are(6, expected);
	ck_assert_uint_eq(trace.nprocesses, 3);
}
END_TEST

/* ---- processes that depend on each other ---- */

#define READ "read(3</a>, \"\"..., 10) = 10"

START_TEST(a_wait_for_a_child_lasts_until_its_line_is_resumed)
{
	static const char *const expected[] = {
		"1 after 1 at 10 starts 2",
		"1 after 1 at 20 waits 2 until 60",
		"1 after 2 at 80 starts 4",
		"1 after 2 at 90 waits 4 until 93", /* the last child: it may be a shell */
		"2 after 1 at 40 exits",
		"4 after 0 at 85 exits",
	};

	line("1 " READ);
	line("1 vfork() = 2");
	line("1 wait4(-1,  <unfinished ...>");
	line("2 " READ);
	line("2 exit_group(0) = ?");
	line("2 +++ exited with 0 +++");
	line("1 <... wait4 resumed>[{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 2");
	line("1 " READ);
	line("1 clone3({flags=CLONE_VM|CLONE_VFORK, exit_signal=SIGCHLD}, 88) = 4");
	strcat(log_text, "4 1700000000.000085 +++ killed by SIGKILL +++\n");
	line("1 waitid(P_ALL, 0, {si_signo=SIGCHLD, si_code=CLD_KILLED, si_pid=4, si_uid=0}, "
	     "WEXITED, NULL) = 0 <0.000003>");
	loads();
	steps_are(6, expected);
	ck_assert_uint_eq(trace.starts, 2);
	ck_assert_uint_eq(trace.waits, 2);
	ck_assert_uint_eq(trace.out_of_order, 0);
}
END_TEST

START_TEST(a_child_that_was_stopped_or_is_polled_for_is_not_waited_for)
{
	line("1 " READ);
	line("1 fork() = 2");
	line("1 wait4(2, [{WIFSTOPPED(s) && WSTOPSIG(s) == SIGTSTP}], WSTOPPED, NULL) = 2");
	line("1 wait4(2, [{WIFCONTINUED(s)}], WCONTINUED, NULL) = 2");
	line("1 wait4(-1, 0x7ffd, WNOHANG, NULL) = 0");
	line("1 rt_sigsuspend([], 8) = ? ERESTARTNOHAND (To be restarted if no handler)");
	line("1 wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], WNOHANG, NULL) = 2");
	line("1 wait4(-1, 0x7ffd, 0, NULL) = -1 ECHILD (No child processes)");
	loads();
	ck_assert_uint_eq(trace.nsteps, 2);
	step_is(0, "1 after 1 at 10 starts 2");
	step_is(1, "1 after 1 at 50 waits 2 until 60"); /* since the interrupted call */
	ck_assert_uint_eq(trace.waits, 1);
	log_text[0] = '\0';
	line("1 " READ);
	line("1 fork() = 2");
	line("1 wait4(-1, 0x7ffd, WNOHANG, NULL) = 0");
	line("1 wait4(-1, [{WIFEXITED(s)}], WNOHANG, NULL) = 2");
	loads();
	step_is(1, "1 after 1 at 20 waits 2 until 30"); /* since the poll before */
	log_text[0] = '\0';
	line("1 " READ);
	line("1 fork() = 2");
	line("1 wait4(-1, 0x7ffd, WNOHANG, NULL) = 0");
	line("1 " READ);
	line("1 wait4(-1, [{WIFEXITED(s)}], WNOHANG, NULL) = 2");
	loads();
	step_is(1, "1 after 2 at 40 waits 2 until 40");
}
END_TEST

/* make sleeps in pselect6() until a signal tells it that a job has ended. */
START_TEST(a_program_that_goes_on_after_any_child_waits_for_any)
{
	static const char *const expected[] = {
		"1 after 1 at 10 starts 2",
		"1 after 1 at 20 starts 3",
		"1 after 1 at 30 waits any until 50",
		"1 after 1 at 60 starts 4",
		"1 after 1 at 70 waits any until 70", /* 4 is the youngest: a shell would want it */
		"1 after 1 at 80 waits 3 until 80",
	};

	line("1 " READ);
	line("1 fork() = 2");
	line("1 fork() = 3");
	line("1 pselect6(4, [3], NULL, NULL, NULL, {sigmask=[], sigsetsize=8}) = ? ERESTARTNOHAND");
	line("1 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=2} ---");
	line("1 wait4(-1, [{WIFEXITED(s)}], WNOHANG, NULL) = 2");
	line("1 fork() = 4");
	line("1 wait4(-1, [{WIFEXITED(s)}], 0, NULL) = 4");
	line("1 wait4(3, [{WIFEXITED(s)}], 0, NULL) = 3");
	loads();
	steps_are(6, expected);
}
END_TEST

START_TEST(a_shell_waits_for_its_command_and_not_for_jobs_in_the_background)
{
	static const char *const expected[] = {
		"1 after 1 at 10 starts 2",
		"1 after 1 at 20 starts 3",
		"1 after 1 at 30 waits any until 30", /* 2 happened to end */
		"1 after 1 at 40 waits 3 until 40",
		"1 after 1 at 50 starts 4",
		"1 after 1 at 60 waits 4 until 60",
	};

	line("1 " READ);
	line("1 fork() = 2");
	line("1 fork() = 3");
	line("1 wait4(-1, [{WIFEXITED(s)}], 0, NULL) = 2");
	line("1 wait4(-1, [{WIFEXITED(s)}], 0, NULL) = 3");
	line("1 fork() = 4");
	line("1 wait4(-1, [{WIFEXITED(s)}], 0, NULL) = 4");
	loads();
	steps_are(6, expected);
}
END_TEST

START_TEST(a_call_to_a_pipe_that_blocks_waits_for_the_other_end)
{
	static const char *const expected[] = {
		"1 after 1 at 10 starts 2",
		"1 after 1 at 30 receives 2 number 1 until 60", /* the first write, not the second */
		"1 after 1 at 80 receives 2 number 2 until 100", /* a close ends it */
		"1 after 1 at 110 sends",
		"1 after 1 at 140 waits 2 until 160", /* the last writer has ended */
		"2 after 0 at 40 sends",
		"2 after 0 at 90 sends",
		"2 after 0 at 105 receives 1 number 1 until 120", /* a full pipe */
		"2 after 0 at 150 exits",
	};

	line("1 " READ);
	line("1 fork() = 2");
	line("2 dup2(5<pipe:[77]>, 1) = 1<pipe:[77]>");
	line("1 read(4<pipe:[77]>,  <unfinished ...>");
	line("2 write(1<pipe:[77]>, \"\"..., 5) = 5");
	line("2 write(1<pipe:[77]>, \"\"..., 5) = 5");
	line("1 <... read resumed>\"\"..., 10) = 10");
	line("1 read(4<pipe:[77]>, \"\"..., 10) = 10"); /* it was there */
	line("1 read(4<pipe:[77]>,  <unfinished ...>");
	line("2 close(5<pipe:[77]>) = 0");
	line("1 <... read resumed>\"\", 10) = 0");
	strcat(log_text, "2 1700000000.000105 write(1<pipe:[77]>, \"\"..., 9 <unfinished ...>\n");
	line("1 readv(4<pipe:[77]>, [{iov_base=\"\"..., iov_len=9}], 1) = 9");
	line("2 <... write resumed>) = 9");
	line("1 read(4<pipe:[88]>, \"\"..., 10) = 10");
	line("1 read(4<pipe:[77]>,  <unfinished ...>");
	line("2 exit_group(0) = ?");
	line("1 <... read resumed>\"\", 10) = 0");
	loads();
	steps_are(9, expected);
	ck_assert_uint_eq(trace.transfers, 6);
}
END_TEST

START_TEST(what_is_no_log_is_named)
{
	char expected[256];

	line("1 read(3</a>, \"\"..., 10) = 10");
	line("1 read(3</a>, \"\"..., 10");
	refuses(log_text, "record 2 (line 2): the call read(...) is cut off: no result");
	log_text[0] = '\0';
	line("1 read(3</a>, \"\"..., 10) = 10");
	strcat(log_text, "some other\x01words\nand more\n");
	refuses(log_text,
	    "record 2 (line 3): 2 of its 3 lines are not of strace; line 2 is 'some other?words'");
	log_text[0] = '\0';
	line("1 write(1</dev/null>, \"\"..., 10) = 10");
	refuses(log_text, "has no records");
	log_text[0] = '\0';
	line("1 read(3</a>, \"\"..., 10) = 99999999999999999999");
	line("1 read(3</a>, \"\"..., 10) = 9999999999999");
	snprintf(expected, sizeof(expected),
	    "record 1 (line 2): one call cannot move 9999999999999 "
	    "bytes (at most 2147483647)");
	refuses(log_text, expected);
}
END_TEST

START_TEST(damage_is_survived)
{
	static unsigned char text[1 << 14];
	FILE		    *f = fopen("tests/data/small.strace", "r");
	size_t		     n = fread(text, 1, sizeof(text) / 2, f);

	fclose(f);
	log_text[0] = '\0';
	line("1 clone(flags=SIGCHLD <unfinished ...>");
	line("2 sendfile(4</b>, 3</a>, [100] => [150], 100) = 100");
	line("1 <... clone resumed>, child_tidptr=0x7f5d) = 2");
	line("2 dup2(3</a>, 7) = 7</a>");
	line("2 execve(\"/bin/x\", [\"x\", \"(\"], 0x7ffd /* 35 vars */) = 0");
	line("1 read(0<TCP:[127.0.0.1:80->127.0.0.1:99]>, \"\"..., 100) = 100");
	line("1 pwritev2(3</a>, [{iov_base=\"\"..., iov_len=3}], 1, 2, 0) = 3");
	line("1 lseek(3</a>, 0, SEEK_END) = 6000");
	memcpy(text + n, log_text, strlen(log_text));
	survives_damage(text, n + strlen(log_text), 6000);
}
END_TEST

START_TEST(advice_of_every_kind_is_read)
{
	static const enum advice_kind kind[] = { ADVICE_NORMAL, ADVICE_SEQUENTIAL, ADVICE_RANDOM,
		ADVICE_WILLNEED, ADVICE_DONTNEED, ADVICE_WILLNEED };

	line("1 open(\"a\", O_RDONLY) = 3</a>");
	line("1 fadvise64(3</a>, 0, 0, POSIX_FADV_NORMAL) = 0");
	line("1 fadvise64(3</a>, 0, 0, POSIX_FADV_SEQUENTIAL) = 0");
	line("1 fadvise64(3</a>, 0, 0, POSIX_FADV_RANDOM) = 0");
	line("1 fadvise64(3</a>, 0, 0, POSIX_FADV_NOREUSE) = 0");
	line("1 fadvise64(3</a>, 0, 0, POSIX_FADV_SEQUENTIAL) = -1 EINVAL (Invalid argument)");
	line("1 arm_fadvise64_64(3</a>, POSIX_FADV_WILLNEED, 4096, 8192) = 0");
	line("1 fadvise64_64(3</a>, 0, 100, POSIX_FADV_DONTNEED) = 0");
	line("1 readahead(3</a>, 8192, 4096) = 0");
	line("1 fadvise64(9<pipe:[1]>, 0, 100, POSIX_FADV_DONTNEED) = -1 ESPIPE (Illegal seek)");
	line("1 read(3</a>, \"\"..., 20000) = 20000");
	loads();
	ck_assert_uint_eq(trace.advices, 7);
	ck_assert_uint_eq(trace.nadvice, 6);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(trace.advice[i].kind, kind[i]);
		ck_assert_uint_eq(trace.advice[i].before, 0);
	}
	ck_assert_uint_eq(trace.advice[3].offset, 4096);
	ck_assert_uint_eq(trace.advice[3].length, 8192);
	ck_assert_uint_eq(trace.advice[5].offset, 8192);
	ck_assert_uint_eq(trace.advice[5].file_size, 20000);
}
END_TEST

/* cat, cp, cut, md5sum, sort and wc advise what they read; dd with nocache what it is done with. */
START_TEST(real_programs_advise)
{
	unsigned kind[ADVICE_KINDS] = { 0 };

	ck_assert_msg(!load_path("tests/data/coreutils.strace.gz", NULL, false), "%s", error.text);
	check_promises();
	for (size_t i = 0; i < trace.nadvice; i++) {
		const struct advice *a = &trace.advice[i];

		kind[a->kind]++;
		if (a->kind == ADVICE_SEQUENTIAL)
			ck_assert(a->own && a->fresh && trace.access[a->before].open == a->open &&
			    trace.access[a->before].fresh);
	}
	ck_assert_uint_eq(kind[ADVICE_SEQUENTIAL], 8);
	ck_assert_uint_eq(kind[ADVICE_DONTNEED], 24);
	ck_assert_uint_eq(trace.advices, 32);
}
END_TEST

/* ---- split calls ---- */

/* Each call that the reader knows, with an effect on the trace. */
static const char *const known_calls[] = {
	"1 open(\"/a\", O_RDONLY) = 3</a>",
	"1 openat(AT_FDCWD</>, \"/b\", O_RDWR|O_CLOEXEC) = 4</b>",
	"1 openat2(AT_FDCWD</>, \"/c\", {flags=O_RDWR|O_APPEND, resolve=0}, 24) = 5</c>",
	"1 creat(\"/d\", 0644) = 6</d>",
	"1 read(3</a>, \"\"..., 10) = 10",
	"1 write(4</b>, \"\"..., 11) = 11",
	"1 lseek(3</a>, 5, SEEK_END) = 50005",
	"1 read(3</a>, \"\"..., 12) = 12",
	"1 lseek(3</a>, 0, SEEK_SET) = 0",
	"1 readv(3</a>, [{iov_base=\"\"..., iov_len=13}, {iov_base=\"a, b)\", iov_len=1}], 2) = 14",
	"1 writev(4</b>, [{iov_base=\"\"..., iov_len=15}], 1) = 15",
	"1 pread64(3</a>, \"\"..., 16, 100) = 16",
	"1 pread(3</a>, \"\"..., 17, 200) = 17",
	"1 preadv(3</a>, [{iov_base=\"\"..., iov_len=18}], 1, 300) = 18",
	"1 preadv2(3</a>, [{iov_base=\"\"..., iov_len=19}], 1, -1, 0) = 19",
	"1 pwrite64(4</b>, \"\"..., 20, 400) = 20",
	"1 pwrite(4</b>, \"\"..., 21, 500) = 21",
	"1 pwritev(4</b>, [{iov_base=\"\"..., iov_len=22}], 1, 600) = 22",
	"1 pwritev2(4</b>, [{iov_base=\"\"..., iov_len=23}], 1, 700, RWF_HIPRI) = 23",
	"1 mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3</a>, 0x1000) = 0x7f5d00000000",
	"1 newfstatat(4</b>, \"\", {st_mode=S_IFREG|0644, st_size=90000, ...}, AT_EMPTY_PATH) = 0",
	"1 fstat(5</c>, {st_mode=S_IFREG|0644, st_size=80000, ...}) = 0",
	"1 statx(6</d>, \"\", AT_EMPTY_PATH, STATX_ALL, {stx_mode=S_IFREG|0644, stx_size=70000}) = 0",
	"1 write(5</c>, \"\"..., 24) = 24",
	"1 fcntl(4</b>, F_SETFL, O_RDWR|O_APPEND) = 0",
	"1 write(4</b>, \"\"..., 25) = 25",
	"1 fcntl(5</c>, F_SETFD, FD_CLOEXEC) = 0",
	"1 fcntl(3</a>, F_DUPFD, 20) = 20</a>",
	"1 fcntl(3</a>, F_DUPFD_CLOEXEC, 0) = 21</a>",
	"1 dup(3</a>) = 22</a>",
	"1 dup2(3</a>, 23) = 23</a>",
	"1 dup3(3</a>, 24, O_CLOEXEC) = 24</a>",
	"1 read(22</a>, \"\"..., 26) = 26",
	"1 fadvise64(3</a>, 0, 0, POSIX_FADV_RANDOM) = 0",
	"1 read(3</a>, \"\"..., 27) = 27",
	"1 fadvise64_64(3</a>, 0, 4096, POSIX_FADV_WILLNEED) = 0",
	"1 arm_fadvise64_64(3</a>, POSIX_FADV_SEQUENTIAL, 0, 0) = 0",
	"1 readahead(3</a>, 4096, 8192) = 0",
	"1 read(3</a>, \"\"..., 28) = 28",
	"1 fadvise64(3</a>, 0, 0, POSIX_FADV_DONTNEED) = 0",
	"1 fadvise64(3</a>, 0, 0, POSIX_FADV_NORMAL) = 0",
	"1 fadvise64(3</a>, 0, 0, POSIX_FADV_NOREUSE) = 0",
	"1 read(3</a>, \"\"..., 29) = 29",
	"1 ftruncate(6</d>, 60000) = 0",
	"1 write(6</d>, \"\"..., 30) = 30",
	"1 fallocate(6</d>, 0, 60000, 5000) = 0",
	"1 write(6</d>, \"\"..., 31) = 31",
	"1 sendfile(6</d>, 3</a>, [0] => [32], 32) = 32",
	"1 copy_file_range(3</a>, [20], 6</d>, [30], 33, 0) = 33",
	"1 splice(3</a>, [40], 6</d>, NULL, 34, 0) = 34",
	"1 io_submit(0x7f, 1, [{aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3</a>, aio_nbytes=40, aio_offset=50}]) = 1",
	"1 io_uring_setup(8, {flags=0}) = 40<anon_inode:[io_uring]>",
	"1 io_uring_enter(40<anon_inode:[io_uring]>, 3, 0, 0, NULL, 8) = 3",
	"1 _llseek(3</a>, 77, [77], SEEK_SET) = 0",
	"1 read(3</a>, \"\"..., 41) = 41",
	"1 rename(\"/a\", \"/e\") = 0",
	"1 read(3</e>, \"\"..., 42) = 42",
	"1 renameat(AT_FDCWD</>, \"e\", AT_FDCWD</>, \"f\") = 0",
	"1 renameat2(AT_FDCWD</>, \"f\", AT_FDCWD</>, \"a\", RENAME_NOREPLACE) = 0",
	"1 link(\"/a\", \"/g\") = 0",
	"1 linkat(AT_FDCWD</>, \"g\", AT_FDCWD</>, \"h\", 0) = 0",
	"1 symlink(\"/a\", \"/i\") = 0",
	"1 symlinkat(\"/a\", AT_FDCWD</>, \"j\") = 0",
	"1 open(\"/h\", O_RDONLY) = 41</h>",
	"1 read(41</h>, \"\"..., 43) = 43",
	"1 unlink(\"/h\") = 0",
	"1 unlinkat(AT_FDCWD</>, \"g\", 0) = 0",
	"1 getcwd(\"/\", 4096) = 2",
	"1 chdir(\"/usr\") = 0",
	"1 fchdir(60</>) = 0",
	"1 open_by_handle_at(60</>, {handle_bytes=8}, O_RDONLY) = 42</a>",
	"1 read(42</a>, \"\"..., 44) = 44",
	"1 mmap2(NULL, 4096, PROT_READ, MAP_SHARED, 3</a>, 0x1000) = 0x7f5d00000000",
	"1 old_mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3</a>, 0) = 0x7f5d00000000",
	"1 fcntl64(3</a>, F_SETFD, 0) = 0",
	"1 fstat64(3</a>, {st_mode=S_IFREG|0644, st_size=95000, ...}) = 0",
	"1 fstatat64(3</a>, \"\", {st_mode=S_IFREG|0644, st_size=96000}, AT_EMPTY_PATH) = 0",
	"1 ftruncate64(6</d>, 61000) = 0",
	"1 sendfile64(6</d>, 3</a>, [0] => [32], 45) = 45",
	"1 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 43<TCP:[5]>",
	"1 socketpair(AF_UNIX, SOCK_STREAM, 0, [44<UNIX:[6]>, 45<UNIX:[7]>]) = 0",
	"1 bind(43<TCP:[5]>, {sa_family=AF_INET}, 16) = 0",
	"1 listen(43<TCP:[5]>, 5) = 0",
	"1 accept(43<TCP:[5]>, NULL, NULL) = 46<TCP:[8]>",
	"1 accept4(43<TCP:[5]>, NULL, NULL, SOCK_CLOEXEC) = 47<TCP:[9]>",
	"1 connect(43<TCP:[5]>, {sa_family=AF_INET}, 16) = 0",
	"1 getpeername(43<TCP:[5]>, {sa_family=AF_INET}, [16]) = 0",
	"1 getsockname(43<TCP:[5]>, {sa_family=AF_INET}, [16]) = 0",
	"1 getsockopt(43<TCP:[5]>, SOL_SOCKET, SO_ERROR, [0], [4]) = 0",
	"1 setsockopt(43<TCP:[5]>, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0",
	"1 sendto(43<TCP:[5]>, \"\"..., 5, 0, NULL, 0) = 5",
	"1 sendmsg(43<TCP:[5]>, {msg_name=NULL}, 0) = 5",
	"1 sendmmsg(43<TCP:[5]>, [{msg_len=5}], 1, 0) = 1",
	"1 recvfrom(43<TCP:[5]>, \"\"..., 5, 0, NULL, NULL) = 5",
	"1 recvmsg(43<TCP:[5]>, {msg_name=NULL}, 0) = 5",
	"1 recvmmsg(43<TCP:[5]>, [{msg_len=5}], 1, 0, NULL) = 1",
	"1 shutdown(43<TCP:[5]>, SHUT_RDWR) = 0",
	"1 pipe([48<pipe:[1]>, 49<pipe:[1]>]) = 0",
	"1 pipe2([50<pipe:[2]>, 51<pipe:[2]>], O_CLOEXEC) = 0",
	"1 epoll_create(1) = 52<anon_inode:[eventpoll]>",
	"1 epoll_create1(0) = 53<anon_inode:[eventpoll]>",
	"1 epoll_ctl(53<anon_inode:[eventpoll]>, EPOLL_CTL_ADD, 48<pipe:[1]>, {events=0}) = 0",
	"1 eventfd(0) = 54<anon_inode:[eventfd]>",
	"1 eventfd2(0, 0) = 54<anon_inode:[eventfd]>",
	"1 fanotify_init(0, 0) = 54<anon_inode:[fanotify]>",
	"1 inotify_init() = 54<anon_inode:inotify>",
	"1 inotify_init1(0) = 54<anon_inode:inotify>",
	"1 memfd_create(\"x\", 0) = 54</memfd:x>(deleted)",
	"1 perf_event_open({type=0}, 0, -1, -1, 0) = 54<anon_inode:[perf_event]>",
	"1 pidfd_open(1, 0) = 54<anon_inode:[pidfd]>",
	"1 signalfd(-1, [], 8) = 54<anon_inode:[signalfd]>",
	"1 signalfd4(-1, [], 8, 0) = 54<anon_inode:[signalfd]>",
	"1 timerfd_create(CLOCK_MONOTONIC, 0) = 54<anon_inode:[timerfd]>",
	"1 userfaultfd(0) = 54<anon_inode:[userfaultfd]>",
	"1 close(22</a>) = 0",
	"1 close_range(60, 4294967295, CLOSE_RANGE_CLOEXEC) = 0",
	"1 close_range(20, 23, 0) = 0",
	"1 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x7f5d) = 2",
	"1 clone3({flags=CLONE_VM|CLONE_FILES, exit_signal=0, stack=0x7f}, 88) = 3",
	"1 fork() = 4",
	"1 wait4(-1, 0x7ffd, WNOHANG, NULL) = 0",
	"1 waitpid(4, 0x7ffd, WNOHANG) = 0",
	"1 waitid(P_ALL, 0, {}, WNOHANG|WEXITED, NULL) = 0",
	"1 vfork() = 5",
	"2 read(3</a>, \"\"..., 35) = 35",
	"3 read(3</a>, \"\"..., 36) = 36",
	"4 read(3</a>, \"\"..., 37) = 37",
	"4 execve(\"/x\", [\"x\", \"(\"], 0x7ffd /* 35 vars */) = 0",
	"4 read(24</a>, \"\"..., 38) = 38",
	"5 execveat(AT_FDCWD</>, \"/x\", [\"x\"], 0x7ffd /* 35 vars */, 0) = 0",
	"5 read(5</c>, \"\"..., 39) = 39",
	"5 exit_group(0) = ?",
	"4 exit(0) = ?",
	"3 _exit(0) = ?",
};

enum { KNOWN_CALLS = sizeof(known_calls) / sizeof(*known_calls), WHOLE = -1 };

/* How a line looks: around the pid, behind the result, at its end, and before <unfinished ...>. */
static const struct look {
	const char *before, *behind, *after, *end, *blanks;
} look[] = {
	{ "", "", "", "\n", " " },
	{ "", "", " <0.000012>", "\n", " " },
	{ "", "  ", "", "\r\n", " " },
	{ "", "", "", "\n", "" },
	{ "", "", "", "\n", "   " },
	{ "[pid ", "]", " <0.000012>", "\n", " " },
	{ "[pid    ", "]", "", "\n", " " },
};

/* The k-th place, from 0, where a call may be split: behind "(" or ", ", before the last ")". */
static const char *
split_at(const char *call, int k)
{
	const char *last = strstr(call, ") = "), *next;

	while (last && (next = strstr(last + 1, ") = ")))
		last = next;
	for (const char *p = call; last && p < last; p++)
		if ((*p == '(' || (*p == ',' && p[1] == ' ')) && !k--)
			return p + 1 + (*p == ',');
	return last && !k ? last : NULL;
}

/* "1 read(3</a>, \"\"..., 10) = 10" at a time, whole or as two lines around one of process 9. */
static size_t
put_call(char *to, size_t room, const char *text, const char *split, unsigned i,
    const struct look *l)
{
	int	    pid = (int)strcspn(text, " "), name;
	const char *call = text + pid + 1;
	char	    first[80], other[160];

	name = (int)strcspn(call, "(");
	snprintf(first, sizeof(first), "%s%.*s%s 1700000000.%06u ", l->before, pid, text, l->behind,
	    i * 100);
	snprintf(other, sizeof(other),
	    "%s9%s 1700000000.%06u pread64(7</other>, \"\"..., 8, %u) = 8%s%s", l->before,
	    l->behind, i * 100 + 50, i * 8, l->after, l->end);
	if (!split)
		return (
		    size_t)snprintf(to, room, "%s%s%s%s%s", first, call, l->after, l->end, other);
	return (size_t)snprintf(to, room,
	    "%s%.*s%s<unfinished ...>%s%s%s%.*s%s 1700000000.%06u <... %.*s resumed>%s%s%s", first,
	    (int)(split - call), call, l->blanks, l->end, other, l->before, pid, text, l->behind,
	    i * 100 + 60, name, call, split, l->after, l->end);
}

/* All known calls, each that has a k-th place split there. */
static bool
put_known(int k, const struct look *l)
{
	size_t n = (size_t)snprintf(log_text, sizeof(log_text),
	    "%s9%s 1699999999.000000 read(7</other>, \"\"..., 1) = 1%s", l->before, l->behind,
	    l->end);
	bool   any = false;

	for (unsigned i = 0; i < KNOWN_CALLS; i++) {
		const char *call = strchr(known_calls[i], ' ') + 1;
		const char *split = k == WHOLE ? NULL : split_at(call, k);

		any |= split != NULL;
		n += put_call(log_text + n, sizeof(log_text) - n, known_calls[i], split, i, l);
		ck_assert_uint_lt(n, sizeof(log_text));
	}
	return any;
}

/* The loaded trace is the one that was put aside: accesses, advice and counts. */
static void
same_as(const struct trace *t)
{
	ck_assert_uint_eq(trace.naccess, t->naccess);
	ck_assert_uint_eq(trace.nadvice, t->nadvice);
	ck_assert_uint_eq(trace.records, t->records);
	ck_assert_uint_eq(trace.opens, t->opens);
	ck_assert_uint_eq(trace.closes, t->closes);
	ck_assert_uint_eq(trace.exits, t->exits);
	ck_assert_uint_eq(trace.mmaps, t->mmaps);
	ck_assert_uint_eq(trace.advices, t->advices);
	accesses_equal(t->access, t->naccess);
	ck_assert_uint_eq(trace.fingerprint, t->fingerprint);
}

START_TEST(a_split_call_is_the_same_as_a_whole_one)
{
	struct trace whole;
	int	     k = 0;

	put_known(WHOLE, &look[0]);
	loads();
	ck_assert_uint_eq(trace.writes, 14);
	ck_assert_uint_eq(trace.advices, 7);
	whole = trace;
	trace = (struct trace){ 0 };
	put_known(WHOLE, &look[_i]);
	loads();
	same_as(&whole);
	for (; put_known(k, &look[_i]); k++) {
		loads();
		same_as(&whole);
	}
	ck_assert_int_ge(k, 6);
	trace_release(&whole);
}
END_TEST

START_TEST(every_call_that_the_reader_knows_is_tried_split)
{
	static char source[1 << 17];
	FILE	   *f = fopen("traces/calls/effects.c", "r");
	char	   *at = source, name[40];
	unsigned    found = 0;

	ck_assert_ptr_nonnull(f);
	source[fread(source, 1, sizeof(source) - 1, f)] = '\0';
	fclose(f);
	put_known(WHOLE, &look[0]);
	at = strstr(source, "effects[] = {");
	ck_assert_ptr_nonnull(at);
	for (; (at = strstr(at, "{ \"")); at++, found++) {
		at += strlen("{ \"");
		snprintf(name, sizeof(name), " %.*s(", (int)strcspn(at, "\""), at);
		ck_assert_msg(strstr(log_text, name) != NULL, "no line of%s", name);
	}
	ck_assert_uint_gt(found, 100);
}
END_TEST

/* The log of real programs with all calls split that were whole. */
static size_t
split_log(const char *from, char *to, size_t room, int k)
{
	size_t n = 0;

	for (const char *line = from, *end; (end = strchr(line, '\n')); line = end + 1) {
		char	    text[1024], *call;
		const char *split;

		snprintf(text, sizeof(text), "%.*s", (int)(end - line), line);
		call = strchr(strchr(text, ' ') + 1, ' ') + 1;
		split = *call == '<' || *call == '+' || *call == '-' || strstr(text, "<unfinished")
		    ? NULL
		    : split_at(call, k);
		if (split)
			n += (size_t)snprintf(to + n, room - n,
			    "%.*s <unfinished ...>\n%.*s<... %.*s resumed>%s\n",
			    (int)(split - text), text, (int)(call - text), text,
			    (int)strcspn(call, "("), call, split);
		else
			n += (size_t)snprintf(to + n, room - n, "%s\n", text);
		ck_assert_uint_lt(n, room);
	}
	return n;
}

START_TEST(a_real_log_with_all_calls_split_is_the_same)
{
	static char  real[1 << 17], split[1 << 19];
	gzFile	     f = gzopen("tests/data/coreutils.strace.gz", "rb");
	struct trace whole;
	int	     n = gzread(f, real, sizeof(real) - 1);

	gzclose(f);
	ck_assert_int_gt(n, 100000);
	load(real);
	whole = trace;
	trace = (struct trace){ 0 };
	ck_assert_uint_gt(split_log(real, split, sizeof(split), _i), (size_t)n + 1000);
	load(split);
	same_as(&whole);
	trace_release(&whole);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("strace");

	tcase_add_checked_fixture(tc, setup, scratch_remove);
	tcase_add_test(tc, it_says_the_same_as_the_text_form);
	tcase_add_test(tc, hexadecimal_names_are_the_same_files);
	tcase_add_test(tc, dup_and_fork_share_a_position);
	tcase_add_test(tc, a_forked_child_s_opens_are_its_own_and_a_thread_s_are_not);
	tcase_add_test(tc, a_child_may_be_seen_before_its_parent_s_clone_returns);
	tcase_add_test(tc, a_pid_used_again_inherits_from_its_new_parent);
	tcase_add_test(tc, execve_closes_what_is_marked);
	tcase_add_test(tc, every_call_that_moves_data_is_known);
	tcase_add_test(tc, copies_inside_the_kernel_read_one_file_and_write_the_other);
	tcase_add_test(tc, appending_writes_go_to_the_end);
	tcase_add_test(tc, sizes_follow_fstat_truncation_allocation_seeks_and_writes);
	tcase_add_test(tc, a_size_never_shown_is_the_largest_end_seen);
	tcase_add_test(tc, only_regular_files_count);
	tcase_add_test(tc, failed_interrupted_and_other_calls_change_nothing);
	tcase_add_test(tc, a_call_in_two_parts_counts_from_its_beginning);
	tcase_add_test(tc, a_path_that_is_not_the_expected_one_was_opened_out_of_sight);
	tcase_add_test(tc, ranges_of_descriptors_are_closed);
	tcase_add_test(tc, one_process_may_be_logged_without_its_pid);
	tcase_add_test(tc, a_log_on_standard_error_has_pids_in_brackets);
	tcase_add_test(tc, a_wait_for_a_child_lasts_until_its_line_is_resumed);
	tcase_add_test(tc, a_child_that_was_stopped_or_is_polled_for_is_not_waited_for);
	tcase_add_test(tc, a_program_that_goes_on_after_any_child_waits_for_any);
	tcase_add_test(tc, a_shell_waits_for_its_command_and_not_for_jobs_in_the_background);
	tcase_add_test(tc, a_call_to_a_pipe_that_blocks_waits_for_the_other_end);
	tcase_add_test(tc, what_is_no_log_is_named);
	tcase_add_test(tc, damage_is_survived);
	tcase_add_test(tc, advice_of_every_kind_is_read);
	tcase_add_test(tc, real_programs_advise);
	tcase_add_loop_test(tc, a_split_call_is_the_same_as_a_whole_one, 0,
	    (int)(sizeof(look) / sizeof(*look)));
	tcase_add_test(tc, every_call_that_the_reader_knows_is_tried_split);
	tcase_add_loop_test(tc, a_real_log_with_all_calls_split_is_the_same, 0, 6);
	return run_tests("strace", tc);
}

/* check_perftrace.c - traces/perftrace.c: the text of perf trace. */
#include "tests/unit/traces/noted.h"

static void
loads(const char *text)
{
	load(text);
	ck_assert_str_eq(trace.format, "perf-trace");
	check_promises();
}

START_TEST(calls_are_read_by_the_names_of_their_arguments)
{
	static const char *const expected[] = { "R 0 0 832 7 fresh", "R 0 0 784 7",
		"R 0 4096 100 7", "R 0 832 10 8 fresh", "W 1 0 65536 7", "W 1 10 5 7" };

	loads(
	    "         ? (         ): cat/7  ... [continued]: execve())                  = 0\n"
	    "     0.125 ( 0.011 ms): cat/7 brk()                                     = 0x55c7\n"
	    "     0.300 ( 0.017 ms): cat/7 mmap(len: 8192, prot: READ|WRITE, flags: PRIVATE|ANONYMOUS) = 0x7f\n"
	    "     0.315 ( 0.017 ms): cat/7 openat(dfd: CWD, filename: \"/x, y: (1)\", flags: RDONLY|CLOEXEC) = 4\n"
	    "     0.431 ( 0.011 ms): cat/7 read(fd: 4</x, y: (1)>, buf: 0x7fffd1, count: 832)     = 832\n"
	    "     0.449 ( 0.009 ms): cat/7 pread64(fd: 4, buf: 0x7fffd1, count: 784)    = 784\n"
	    "     0.482 ( 0.008 ms): cat/7 pread64(fd: 4, buf: 0x7fffd1, count: 784, pos: 4096) = 100\n"
	    "     0.490 ( 0.401 ms): cat/7 clone(clone_flags: CHILD_CLEARTID|CHILD_SETTID|0x11) = 8 (cat)\n"
	    "         ? (         ): cat/8  ... [continued]: clone())                   = \n"
	    "    11.025 (         ): cat/7 wait4(upid: -1)                           ...\n"
	    "    11.030 ( 0.003 ms): a b/c/8 read(fd: 4</x, y: (1)>, buf: 0x7fffd1, count: 832) = 10\n"
	    "    11.035 (         ): cat/8 exit_group()                                = ?\n"
	    "    11.025 ( 2.822 ms): cat/7  ... [continued]: wait4())                 = 8 (cat)\n"
	    "LOST 3 events!\n"
	    "    14.000 ( 0.002 ms): :7/7 open(filename: /out, flags: CREAT|TRUNC|RDWR, mode: IRUGO) = 5\n"
	    "    14.001 ( 0.002 ms): cat/7 write(fd: 5</out>, buf: 0x7, count: 65536) = 65536\n"
	    "    14.002 ( 0.002 ms): cat/7 lseek(fd: 5</out>, offset: 10, whence: SET) = 10\n"
	    "  1014.003 (1000.002 ms): cat/7 write(fd: 5</out>, buf: 0x7, count: 5) = 5\n"
	    "  1014.004 ( 0.002 ms): cat/7 read(fd: 6<socket:[4]>, buf: 0x7, count: 5) = 5\n"
	    "  1014.005 ( 0.002 ms): cat/7 read(fd: 4</x, y: (1)>, buf: 0x7) = -1 EIO (Input/output error)\n");
	accesses_are(6, expected);
	ck_assert_str_eq(trace.file[0].name, "/x, y: (1)");
	ck_assert_int_eq(trace.access[3].time, 11030 - 431);
	ck_assert_int_eq(trace.access[5].time, 1014003 - 431);
	step_is(0, "7 after 3 at 59 starts 8");
	step_is(1, "7 after 3 at 10594 waits 8 until 13416");
	ck_assert_uint_eq(trace.mmaps, 0);
	ck_assert_uint_eq(trace.opens, 2);
	noted("lines without a system call were left out");
}
END_TEST

START_TEST(names_that_perf_does_not_show_in_opens_are_found_at_descriptors)
{
	static const char *const expected[] = { "R 0 0 10 0 fresh", "R 0 0 10 0 fresh",
		"R 0 10 10 0", "R 1 0 10 0 fresh", "R 2 0 10 0 fresh", "R 0 0 9 0 fresh",
		"R 2 10 9 0" };

	loads(
	    "0.001 ( 0.001 ms): openat(dfd: CWD, filename: 0x84ea70b1, flags: RDONLY|CLOEXEC) = 4\n"
	    "0.002 ( 0.001 ms): openat(dfd: CWD, filename: 0x84ea70b1, flags: RDONLY|CLOEXEC) = 5\n"
	    "0.003 ( 0.001 ms): read(fd: 4</a>, buf: 0x7, count: 10) = 10\n"
	    "0.004 ( 0.001 ms): read(fd: 5</a>, buf: 0x7, count: 10) = 10\n"
	    "0.005 ( 0.001 ms): read(fd: 5, buf: 0x7, count: 10) = 10\n"
	    "0.006 ( 0.001 ms): openat(dfd: CWD, filename: 0x84ea70b1) = 6\n"
	    "0.007 ( 0.001 ms): read(fd: 6, buf: 0x7, count: 10) = 10\n"
	    "0.008 ( 0.001 ms): openat(dfd: CWD, filename: 0x84ea70b1) = 7\n"
	    "0.009 ( 0.001 ms): read(fd: 7, buf: 0x7, count: 10) = 10\n"
	    "0.010 ( 0.001 ms): read(fd: 8, buf: 0x7, count: 10) = 10\n" /* never opened */
	    "0.011 ( 0.001 ms): sendfile(out_fd: 9<socket:[3]>, in_fd: 4</a>, offset: 0x7, count: 9) = 9\n"
	    "0.012 ( 0.001 ms): copy_file_range(fd_in: 7, fd_out: 9, len: 9) = 9\n");
	ck_assert_uint_eq(trace.naccess, 7);
	for (unsigned i = 0; i < 5; i++)
		access_is(i, expected[i]);
	access_is(5, "R 0 10 9 0");
	access_is(6, expected[6]);
	noted("files opened by a name that the log does not show: each is one of its own");
	ck_assert_str_eq(trace.file[0].name, "/a");
	ck_assert_str_eq(trace.file[1].name, "file 2 without a name");
	ck_assert_uint_eq(trace.opens, 4);
}
END_TEST

START_TEST(other_texts_are_not_taken_for_it)
{
	ck_assert_int_eq(load_bytes("     0.125 ( 0.011 ms) read(1)\n", 31), -1);
	ck_assert_int_eq(load_bytes("0.125 (1): x\n", 13), -1);
}
END_TEST

START_TEST(damage_is_survived)
{
	static unsigned char text[1 << 14];
	FILE		    *f = fopen("tests/data/small.perf-trace", "r");
	size_t		     n = fread(text, 1, sizeof(text), f);

	fclose(f);
	survives_damage(text, n, 6000);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("perftrace");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, calls_are_read_by_the_names_of_their_arguments);
	tcase_add_test(tc, names_that_perf_does_not_show_in_opens_are_found_at_descriptors);
	tcase_add_test(tc, other_texts_are_not_taken_for_it);
	tcase_add_test(tc, damage_is_survived);
	return run_tests("perftrace", tc);
}

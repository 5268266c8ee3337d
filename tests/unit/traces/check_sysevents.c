/* check_sysevents.c - traces/sysevents.c and fsslower.c: calls as events, and slow calls to files. */
#include "tests/unit/traces/noted.h"

#define EVENT(time, rest) "cat-7 [001] ..... " time ": " rest "\n"
#define OPEN                                                                                       \
	EVENT("1.0", "sys_openat(dfd: ffffff9c, filename: 7ffd, flags: 0, mode: 0)")               \
	EVENT("1.1", "sys_openat -> 0x3")

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = { "R 0 0 131072 1535 fresh", "R 0 131072 4096 1535",
		"R 0 65536 4096 1535" };

	loads_sample("tests/data/small.syscall-events", "syscall-events");
	accesses_are(3, expected);
	noted_times("events other than system calls were left out", 1);
	noted_times("files opened by a name that the log does not show: each is one of its own", 1);
}
END_TEST

START_TEST(ftrace_prints_calls_and_results)
{
	load(OPEN EVENT("1.2", "sys_read(fd: 3, buf: 7f, count: 400)")
		EVENT("1.3", "sys_read -> 0x400")
		    EVENT("1.4", "sys_lseek(fd: 3, offset: fffffffffffffffc, whence: 1)")
			EVENT("1.5", "sys_lseek -> 0x3fc")
			    EVENT("1.6", "sys_read(fd: 3, buf: 7f, count: 400)")
				EVENT("1.7", "sys_read -> 0x200"));
	ck_assert_uint_eq(trace.naccess, 2);
	access_is(1, "R 0 1020 512 7");
}
END_TEST

START_TEST(a_name_behind_a_pointer_is_the_file)
{
	load(EVENT("1.0",
	    "sys_openat(dfd: 0xffffff9c, filename: 0x7ffd \"/a, b\", flags: 0x0, mode: 0x0)")
		EVENT("1.1", "sys_openat -> 0x3")
		    EVENT("1.2", "sys_pread64(fd: 3, buf: 7f, count: 400, pos: 1000)")
			EVENT("1.3", "sys_pread64 -> 0x400"));
	ck_assert_str_eq(trace.file[0].name, "/a, b");
	access_is(0, "R 0 4096 1024 7 fresh");
}
END_TEST

START_TEST(each_thread_has_its_call)
{
	load(OPEN EVENT("1.2",
	    "sys_clone(clone_flags: 10f00, newsp: 7f, parent_tidptr: 0, child_tidptr: 0, tls: 0)")
		EVENT("1.3", "sys_clone -> 0x8")
		    EVENT("1.4", "sys_pread64(fd: 3, buf: 7f, count: 400, pos: 0)") "cat-8 [001] ..... 1.5: sys_pread64(fd: 3, buf: 7f, count: 200, pos: 1000)\n" EVENT(
			"1.6",
			"sys_pread64 -> 0x400") "cat-8 [001] ..... 1.7: sys_pread64 -> 0x200\n");
	ck_assert_uint_eq(trace.naccess, 2);
	ck_assert_uint_eq(trace.nfiles, 1);
	access_is(1, "R 0 4096 512 8 fresh");
}
END_TEST

#define RAW(time, rest) EVENT(time, "sys_enter: NR " rest)
#define RAW_EXIT(time, rest) EVENT(time, "sys_exit: NR " rest)

START_TEST(raw_events_are_calls_by_number)
{
	load(RAW("0.9", "12 (0, 0, 0, 0, 0, 0)") RAW("1.0", "257 (ffffff9c, 7ffd1234, 0, 0, 0, 0)")
		RAW_EXIT("1.1", "257 = 3") RAW("1.2", "17 (3, 7f0012345678, 400, 1000, 0, 0)")
		    RAW_EXIT("1.3", "17 = 1024") RAW("1.4", "8 (3, fffffffffffffff0, 2, 0, 0, 0)")
			RAW_EXIT("1.5", "8 = 100") RAW("1.6", "0 (3, 7f0012345678, 400, 0, 0, 0)")
			    RAW_EXIT("1.7", "0 = -14") RAW_EXIT("1.75", "-1 = -38") RAW("1.8",
				"0 (3, 7f0012345678, 400, 0, 0, 0)") RAW_EXIT("1.9", "0 = 16"));
	ck_assert_uint_eq(trace.naccess, 2);
	access_is(0, "R 0 4096 1024 7 fresh");
	access_is(1, "R 0 100 16 7");
	noted("numbers of system calls were taken as those of x86_64; --format "
	      "syscall-events:machine=arm64 takes the others");
}
END_TEST

START_TEST(the_machine_can_be_told)
{
	static const char arm64[] =
	    RAW("1.0", "56 (ffffffffffffff9c, ffffd5e6f7a0, 0, 0, 0, 0)") RAW_EXIT("1.1", "56 = 3")
		RAW("1.2", "67 (3, ffffa1b2c010, 400, 1000, 0, 0)") RAW_EXIT("1.3", "67 = 1024");

	load(arm64);
	access_is(0, "R 0 4096 1024 7 fresh");
	loads_as("syscall-events", "machine=arm64", arm64, strlen(arm64));
	access_is(0, "R 0 4096 1024 7 fresh");
	refuses(RAW("1.0", "257 (ffffff9c, 7ffd1234, 0, 0, 0, 0)") RAW_EXIT("1.1", "257 = 3")
		    RAW("1.2", "17 (3, 7f00"),
	    "record 1 (line 3): '(3, 7f00' is not what the event of a system call shows: the line is "
	    "cut off or damaged");
}
END_TEST

START_TEST(damage_is_named)
{
	refuses(OPEN EVENT("1.2", "sys_pread64(fd: 3, buf"),
	    "record 1 (line 3): '(fd: 3, buf' is not what the event of a system call shows: the line is cut "
	    "off or damaged");
}
END_TEST

START_TEST(slow_calls_have_whole_seconds_and_kibibytes)
{
	static const char *const expected[] = { "R 0 0 1249 16464 fresh",
		"R 1 2097152 8192 812 fresh", "W 1 2105344 8192 812" };
	static const usec_t	 time[] = { 0, 0, 2000000 };

	loads_sample("tests/data/small.fsslower", "fsslower");
	accesses_are(3, expected);
	for (size_t i = 0; i < 3; i++)
		ck_assert_int_eq(trace.access[i].time, time[i]);
	ck_assert_str_eq(trace.file[1].name, "16384 x");
	noted_times("opens and syncs were left out", 2);
	noted("calls that were faster than the threshold are missing: trace with ext4slower -j 0");
	noted("times are whole seconds, and offsets whole KiB: ext4slower -j has all digits");
}
END_TEST

START_TEST(slow_calls_as_csv_have_all_digits)
{
	load(
	    "ENDTIME_us,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE\n100,a b,7,R,5,4095,16054,x, y\n"
	    "110,a b,7,W,6,4096,4,x, y\n");
	access_is(0, "R 0 4095 5 7 fresh");
	ck_assert_int_eq(trace.access[1].time, 16060);
	ck_assert_str_eq(trace.file[0].name, "x, y");
	load(
	    "ENDTIME_ns,TASK,PID,TYPE,BYTES,OFFSET_b,LATENCY_us,FILE\n100000,a,7,R,5,0,0,x\n110000,a,7,R,5,0,0,x\n");
	ck_assert_int_eq(trace.access[1].time, 10);
	load("Tracing ext4 operations\n06:35:01 a 7 R 5 0 0.01 x\n");
	ck_assert_ptr_null(trace.note[1]);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("sysevents");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, ftrace_prints_calls_and_results);
	tcase_add_test(tc, a_name_behind_a_pointer_is_the_file);
	tcase_add_test(tc, each_thread_has_its_call);
	tcase_add_test(tc, raw_events_are_calls_by_number);
	tcase_add_test(tc, the_machine_can_be_told);
	tcase_add_test(tc, damage_is_named);
	tcase_add_test(tc, slow_calls_have_whole_seconds_and_kibibytes);
	tcase_add_test(tc, slow_calls_as_csv_have_all_digits);
	return run_tests("sysevents", tc);
}

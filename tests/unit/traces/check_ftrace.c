/* check_ftrace.c - traces/common/tracepoint.c, ftrace.c and filemap.c: kernel events in each form of text. */
#include "tests/unit/traces/noted.h"
#include "traces/common/tracepoint.h"

#define AT(time) "  appd-1692 [001] d..1. " time ": "
#define ISSUE(time, rest) AT(time) "block_rq_issue: 8,0 " rest " [appd]\n"
#define D1 ISSUE("1.000100", "R 4096 () 8 + 8")
#define GET(time, rest) AT(time) "mm_filemap_get_pages: dev=8:1 ino=2a4b ofs=" rest "\n"

START_TEST(a_line_is_an_event_in_every_form)
{
	static const struct {
		const char *line, *comm, *name, *body;
		uint32_t    pid, tid;
		usec_t	    time;
	} is[] = {
		{ "  appd-1692  [001] d..1. 7.25: block_x: 1 2", "appd", "block_x", "1 2", 1692,
		    1692, 7250000 },
		{ "  a-b-1692  ( 1690) [001] 7.250001999:   block_x:   1", "a-b", "block_x", "1",
		    1692, 1692, 7250001 },
		{ "  a-1692  (-----) [001] .... 7.25: sys_read(fd: 3)", "a", "sys_read", "(fd: 3)",
		    1692, 1692, 7250000 },
		{ "  <...>-1692  [001] 7.25: sys_read -> 0x10", NULL, "sys_read", "-> 0x10", 1692,
		    1692, 7250000 },
		{ "a b: 1 [x]  7/9 [001] 7.25: a:b: c", "a b: 1 [x]", "b", "c", 7, 9, 7250000 },
		{ "kworker/0:1 x 7 7.25:  s:n: ", "kworker/0:1 x", "n", "", 7, 7, 7250000 },
	};
	static const char *const isnt[] = { "", "# x-1 [0] 7.25:", "x-1 [0] 7: a: b",
		"x-y [0] 7.2: a:", "7.25: a: b", "x-1 [0] 7.25: 12: b", "x 99999999999 7.25: a: b",
		"x /7 7.25: a: b" };
	char			 line[100];
	struct tracepoint	 t;

	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
		strcpy(line, is[i].line);
		ck_assert_msg(tracepoint_scan(line, &t), "%s", line);
		ck_assert(tracepoint_is(&t, is[i].name) && !strcmp(t.body, is[i].body));
		ck_assert(t.pid == is[i].pid && t.tid == is[i].tid && t.time == is[i].time);
		ck_assert_msg(is[i].comm ? !strncmp(t.comm, is[i].comm, strlen(is[i].comm)) &&
			    t.comm_end == t.comm + strlen(is[i].comm)
					 : !t.comm,
		    "%s", line);
	}
	for (size_t i = 0; i < sizeof(isnt) / sizeof(*isnt); i++) {
		strcpy(line, isnt[i]);
		ck_assert_msg(!tracepoint_scan(line, &t), "%s", line);
	}
}
END_TEST

START_TEST(the_sample_is_read)
{
	static const char *const expected[] = { "W 0 8724303872 4096 1",
		"R 0 4790812672 36864 1 fresh", "R 0 1524498432 73728 1" };

	loads_sample("tests/data/small.ftrace", "ftrace");
	accesses_are(3, expected);
	ck_assert_int_eq(trace.access[2].time, 336851);
	noted("no request is shown as it was submitted (Q): they are read as they were issued (D)");
}
END_TEST

START_TEST(one_event_of_a_request_is_taken)
{
	static const char all[] =
	    AT("1.0") "block_bio_queue: 8,0 R 8 + 8 [a]\n" AT("1.1") "block_bio_queue: 8,0 R 16 + 8 [a]\n" AT("1.2") "block_rq_insert: 8,0 R 8192 () 8 + 16 [a]\n" AT(
		"1.3") "block_rq_issue: 8,0 R 8192 () 8 + 16 [a]\n" AT("1.4") "block_rq_complete: 8,0 R () 8 + 16 none,0,0 [0]\n";

	load(all);
	ck_assert_uint_eq(trace.records, 2);
	loads_as("ftrace", "action=D", all, strlen(all));
	ck_assert_uint_eq(trace.records, 1);
	loads_as("ftrace", "action=C", all, strlen(all));
	ck_assert_uint_eq(trace.records, 1);
	load(AT("1.2") "block_rq_insert: 8,0 R 8192 () 8 + 16 [a]\n" AT(
	    "1.4") "block_rq_complete: 8,0 R () 8 + 16 [0]\n");
	access_is(0, "R 0 4096 8192 1 fresh");
	noted("no request is shown as it was submitted (Q): they are read as they were issued (D)");
}
END_TEST

START_TEST(what_is_issued_again_is_read_once)
{
	load(D1 AT("1.1") "block_rq_requeue: 8,0 R () 8 + 8 [0]\n" D1 D1);
	ck_assert_uint_eq(trace.records, 2);
}
END_TEST

START_TEST(a_request_to_a_volume_and_its_disk_is_read_once)
{
	load(AT("1.0") "block_bio_queue: 253,0 R 100 + 8 [a]\n" AT(
	    "1.1") "block_bio_remap: 8,0 R 1100 + 8 <- (253,0) 100\n" AT("1.2") "block_bio_queue: 8,0 R 1100 + 8 [a]\n");
	ck_assert_uint_eq(trace.records, 1);
	ck_assert_str_eq(trace.file[0].name, "253,0");
	load(AT("1.0") "block_bio_queue: 253,0 R 100 + 8 [a]\n" AT("1.1") "block_bio_remap: 8,2 R 1100 + 8 <- (253,0) 100\n" AT(
	    "1.1") "block_bio_remap: 8,0 R 51100 + 8 <- (8,2) 1100\n" AT("1.2") "block_bio_queue: 8,0 R 51100 + 8 [a]\n");
	ck_assert_uint_eq(trace.records, 1);
}
END_TEST

START_TEST(what_moves_nothing_is_left_out)
{
	load(D1 ISSUE("1.2", "FF 0 () 18446744073709551615 + 0") ISSUE("1.3", "D 4096 () 8 + 8")
		ISSUE("1.4", "N 36 (12 00 00) 0 + 0") ISSUE("1.5", "FWS 4096 () 16 + 8"));
	ck_assert_uint_eq(trace.records, 2);
	access_is(1, "W 0 8192 4096 1");
}
END_TEST

START_TEST(lines_of_other_kinds_are_counted)
{
	load(
	    "cpus=2\nCPU 0 is empty\n# entries-in-buffer/entries-written: 5/9   #P:2\n" D1
	    "\tffffffff81234567 blk+0x17 ([kernel.kallsyms])\n\n => blk_mq\nCPU:2 [LOST 6 EVENTS]\n" AT(
		"1.2") "sched_switch: prev_comm=a\nwhat\n" D1);
	ck_assert_uint_eq(trace.records, 2);
	noted_times("events that were lost while the log was recorded are missing", 10);
	noted("events of other parts of the kernel were left out");
	noted("1 of 11 lines is no record: line 10, 'what'");
	refuses(D1 "1\n2\n3\n4\n5\n",
	    "only 1 of 6 lines are records of ftrace: line 2 is '1'; type --format csv:offset=1,skip=1");
	refuses(D1 AT("1.2") "block_rq_issue: 8,0 R 4096 () 8 +\n",
	    "record 2 (line 2): '8,0 R 4096 () 8 +' is not device, flags, sector + sectors [process]: the "
	    "line is cut off or damaged");
}
END_TEST

START_TEST(pages_that_enter_the_cache_are_a_load)
{
	static const char *const expected[] = { "R 0 0 4096 1692 fresh", "R 0 4096 16384 1692",
		"R 1 8192 4096 1700 fresh", "R 0 0 4096 1701 fresh" };

	loads_sample("tests/data/small.filemap", "filemap");
	accesses_are(4, expected);
	ck_assert_str_eq(trace.file[0].name, "8:1:10827");
	noted(
	    "these are pages that entered the page cache (missed, read ahead or first written), a "
	    "load for a device: references that hit are not in it");
}
END_TEST

START_TEST(reads_and_faults_are_references)
{
	load(GET("1.1", "0-131071") AT(
	    "1.2") "mm_filemap_add_to_page_cache: dev 8:1 ino 2a4b pfn=1 ofs=0 order=0\n" GET("1.3",
	    "126976-131071")
		AT("1.4") "mm_filemap_fault: dev=8:1 ino=7 ofs=4096\n" AT(
		    "1.5") "mm_filemap_map_pages: dev=8:1 ino=7 ofs=0-65535\n" GET("1.6",
		    "0-131071"));
	ck_assert_uint_eq(trace.records, 3);
	access_is(0, "R 0 0 131072 1692 fresh");
	access_is(1, "R 1 4096 4096 1692 fresh");
	access_is(2, "R 0 0 131072 1692");
	noted("these are reads and page faults as the page cache saw them; it shows no writes");
	noted("faults that were served around a page do not tell which page: they are left out");
	load(GET("1.1", "0-131071")
		AT("1.2") "mm_filemap_fault: \r \rdev=8:1 ino=7\r ofs=4096 \r\n");
	ck_assert_uint_eq(trace.records, 2);
	refuses(GET("1.1", "0-131071") GET("1.1", "5-4"),
	    "record 2 (line 2): 'dev=8:1 ino=2a4b ofs=5-4' does not tell dev, ino and ofs: the line is "
	    "cut off or damaged");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("ftrace");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, a_line_is_an_event_in_every_form);
	tcase_add_test(tc, the_sample_is_read);
	tcase_add_test(tc, one_event_of_a_request_is_taken);
	tcase_add_test(tc, what_is_issued_again_is_read_once);
	tcase_add_test(tc, a_request_to_a_volume_and_its_disk_is_read_once);
	tcase_add_test(tc, what_moves_nothing_is_left_out);
	tcase_add_test(tc, lines_of_other_kinds_are_counted);
	tcase_add_test(tc, pages_that_enter_the_cache_are_a_load);
	tcase_add_test(tc, reads_and_faults_are_references);
	return run_tests("ftrace", tc);
}

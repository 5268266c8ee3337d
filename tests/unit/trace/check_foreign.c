/* check_foreign.c - sim/trace/foreign.c: each kind of file is named by what it begins with. */
#include "sim/trace/foreign.h"
#include "tests/unit/loading.h"

/* A first line, and how it is called with what is to be done. */
static const char *const texts[][2] = {
	{ "trace,policy,prefetcher,device", "results of bufsim; bufsim plot draws them" },
	{ "kind = disk", "a data sheet of a device; name it with --device" },
	{ "% time     seconds  usecs/call", "a summary of strace -c; record the program" },
	{ "# tracer: nop", "a trace of ftrace; it has none of the events" },
	{ "    appd-1692    [001] d..1. 7269912982162000: block_rq_issue: 8,0 W 4096 () 8 + 8 [a]",
	    "ftrace by a clock that does not count seconds; record with echo mono" },
	{ "> 7 1.5 read(3, \"\", 4096) = 4096",
	    "a log that is quoted; remove what is in front: sed" },
	{ "10:00:00.123456  RdData[S]       D=0x000123 B=0x1000   /dev/disk1s1  /a   0.000123 W app.1",
	    "a log of fs_usage of macOS" },
	{ "cat  1234 [001] 99.567890: sched:sched_switch: prev_comm=cat",
	    "output of perf script; it has none" },
	{ "Tracing... Output every 1 secs. Hit Ctrl-C to end", "sums of filetop or its kin" },
	{ "TIME(s)  COMM           TID    D BYTES   LAT(ms) FILENAME",
	    "fileslower, which has no offsets" },
	{ "TIME(ms)     DISK     COMM             PID    LAT(ms)", "biosnoop of bpftrace" },
	{ " bufferid | relfilenode | reltablespace",
	    "a snapshot of pg_buffercache, of what is cached" },
	{ "# darshan log version: 3.41", "sums of darshan-parser; darshan-dxt-parser prints" },
	{ "libc.so.6->fopen(\"a\", \"r\") = 0x5", "a log of ltrace" },
	{ "#!/bin/sh", "a script; record the program with strace, as in traces/README.md" },
	{ "<?xml version=\"1.0\"?>", "a picture (SVG) or other XML" },
	{ "<!DOCTYPE html>", "a web page; was the download refused?" },
	{ "version https://git-lfs.github.com/spec/v1", "a pointer of git lfs; git lfs pull" },
	{ "{\"trace\":\"csq\"}", "JSON" },
};

static const struct {
	const char *bytes;
	size_t	    n;
	const char *name;
} binaries[] = {
	{ "PERFILE2\0", 9, "a recording of perf; perf script" },
	{ "\27\10Dtracing6\0", 12, "a recording of trace-cmd; trace-cmd report" },
	{ "\377\376T\0i\0", 6, "text in UTF-16; iconv -f UTF-16" },
	{ "\177ELF\2\1\1", 7, "a program; record the program with strace" },
	{ "\211PNG\r\n\032\n", 8, "a picture" },
	{ "%PDF-1.5\n", 9, "a PDF document" },
};

START_TEST(a_kind_of_text_is_known_by_its_first_line)
{
	char text[200], found[300];

	snprintf(text, sizeof(text), "%s\nanother line\n", texts[_i][0]);
	foreign_explain(text, strlen(text), &error);
	snprintf(found, sizeof(found), "', looks like %s", texts[_i][1]);
	ck_assert_msg(strstr(error.text, found) != NULL, "%s: %s", found, error.text);
	ck_assert_ptr_null(strpbrk(error.text, "\r\n\t"));
	snprintf(text, sizeof(text), "\xef\xbb\xbf%s", texts[_i][0]);
	foreign_explain(text, strlen(text), &error);
	ck_assert_ptr_nonnull(strstr(error.text, found));
}
END_TEST

START_TEST(the_banner_of_bpftrace_is_no_first_line)
{
	static const char text[] =
	    "Attaching 4 probes...\nTIME(ms)     DISK     COMM             PID    LAT(ms)\n";

	foreign_explain(text, strlen(text), &error);
	ck_assert_ptr_nonnull(strstr(error.text, "looks like biosnoop of bpftrace"));
	foreign_explain(text, strcspn(text, "T"), &error);
	ck_assert_ptr_nonnull(strstr(error.text, "its first line is 'Attaching 4 probes...'"));
}
END_TEST

/* Rows of columns, and what is to be typed. */
static const char *const rows[][2] = {
	{ "id,ts,bytes,lba\n1,2.5,4096,88\n2,3,4096,99\n",
	    "is not a trace that bufsim recognises: its first line is 'id,ts,bytes,lba'; if its "
	    "columns are what they seem, type --format "
	    "csv:time=ts,offset=lba,length=bytes,offset-unit=512,separator=comma (bufsim list csv)" },
	{ "one,two,three,\none,two\n", "its first line is 'one,two,three,'; --format overrides" },
};

START_TEST(columns_lead_to_a_hint)
{
	foreign_explain(rows[_i][0], strlen(rows[_i][0]), &error);
	ck_assert_msg(strstr(error.text, rows[_i][1]) != NULL, "%s", error.text);
	ck_assert_ptr_null(strpbrk(error.text, "\r\n\t"));
}
END_TEST

/* Lines of a trace, one of them damaged. */
static const char *const damages[][2] = {
	{ "0,3,512,w,0.0\nthis line is broken\n1,5,512,W,0.02\n0,abc,512,R,0.03\nhello,a,b,c\n",
	    "looks like a trace of spc, but line 2 is 'this line is broken': correct or remove that "
	    "line" },
	{ "a,b,c,d,e\n0,3,512,w,0.0\n\n1,5,512,W,0.02\n0,-1,512,R,0.03\n1,5,512,W,0.04\n",
	    "spc, but line 5 is '0,-1,512,R,0.03'" },
	{ "0 1 2 3 0\n0 1 2 3 4\n0 1 2 3 9\n0 2 3 4 1\n", "type --format lirs " },
	{ "0 1 2 3 0\n0 1 2 3 4\n0 1 2 3 9\n0 2 3 4 600\n", "type --format csv:" },
};

START_TEST(a_damaged_line_is_shown)
{
	foreign_explain(damages[_i][0], strlen(damages[_i][0]), &error);
	ck_assert_msg(strstr(error.text, damages[_i][1]) != NULL, "%s", error.text);
}
END_TEST

START_TEST(a_kind_of_binary_is_known_by_its_bytes)
{
	char found[200];

	foreign_explain(binaries[_i].bytes, binaries[_i].n, &error);
	snprintf(found, sizeof(found), ": it looks like %s", binaries[_i].name);
	ck_assert_msg(strstr(error.text, found) != NULL, "%s: %s", found, error.text);
}
END_TEST

START_TEST(anything_else_shows_its_first_line_or_that_it_is_binary)
{
	static const char reads[] = "is not a trace that bufsim reads (bufsim list formats): ";
	char		  text[300], line[2000];

	ck_assert_int_eq(foreign_explain("a\033[1m line\nb\n", 12, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	snprintf(text, sizeof(text),
	    "%sits first line is 'a?[1m line'; --format overrides the recognition", reads);
	ck_assert_str_eq(error.text, text);
	foreign_explain("a\0b", 3, &error);
	snprintf(text, sizeof(text), "%sit is binary; --format overrides the recognition", reads);
	ck_assert_str_eq(error.text, text);
	memset(line, 'x', sizeof(line));
	foreign_explain(line, sizeof(line), &error);
	ck_assert_ptr_nonnull(strstr(error.text, "xxx...'; --format"));
	ck_assert_uint_lt(strlen(error.text), 400);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("foreign");

	tcase_add_test(tc, the_banner_of_bpftrace_is_no_first_line);
	tcase_add_loop_test(tc, a_kind_of_text_is_known_by_its_first_line, 0,
	    (int)(sizeof(texts) / sizeof(*texts)));
	tcase_add_loop_test(tc, a_kind_of_binary_is_known_by_its_bytes, 0,
	    (int)(sizeof(binaries) / sizeof(*binaries)));
	tcase_add_loop_test(tc, columns_lead_to_a_hint, 0, (int)(sizeof(rows) / sizeof(*rows)));
	tcase_add_loop_test(tc, a_damaged_line_is_shown, 0,
	    (int)(sizeof(damages) / sizeof(*damages)));
	tcase_add_test(tc, anything_else_shows_its_first_line_or_that_it_is_binary);
	return run_tests("foreign", tc);
}

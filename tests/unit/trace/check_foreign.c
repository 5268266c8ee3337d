/* check_foreign.c - sim/trace/foreign.c: each kind of file is named by what it begins with. */
#include "sim/trace/foreign.h"
#include "tests/unit/loading.h"

/* A first line, and how it is called with what is to be done. */
static const char *const texts[][2] = {
	{ "Timestamp,Response,IOType,LUN,Offset,Size", "a Systor'17 trace; traces/README.md" },
	{ "128166372003061629,hm,1,Read,4096,512,100", "an MSR Cambridge trace; traces/README.md" },
	{ "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime", "an MSR Cambridge trace" },
	{ "3,R,4096,8192,1577808000000046", "an Alibaba trace" },
	{ "1538323200,128,8,1,1063", "a Tencent trace" },
	{ "7,3.828359000,W,4096,4096", "a K5cloud trace" },
	{ "0,20941,8192,W,0.551706", "an SPC trace (UMass)" },
	{ "0,20941,8192,r,0.551706,0x12,5", "an SPC trace (UMass)" },
	{ "version,time,op,size,lbn", "a CloudPhysics trace as CSV" },
	{ "CPU0 (8,16):", "the summary of blkparse; name its lines of events" },
	{ "8996 2078 gzip 2831 8 R 6 0 56f11b71", "an FIU trace" },
	{ "13.191135\t3\t0\t5\t1", "a DiskSim trace" },
	{ "11413000 0 6577 16 1", "an MQSim trace" },
	{ "1107 64 0 3", "an ARC trace (.lis)" },
	{ "12", "a LIRS trace" },
	{ "*\r", "a LIRS trace" },
	{ "timestamp,operation,pid,command,filename", "a trace of io-tracer" },
	{ "filename,file_offset,op_type", "a Thesios trace" },
	{ "trace,policy,prefetcher,device", "results of bufsim; bufsim plot draws them" },
	{ "kind = disk", "a data sheet of a device; name it with --device" },
	{ "% time     seconds  usecs/call", "a summary of strace -c; record the program" },
	{ "# tracer: nop", "a trace of ftrace" },
	{ "cat  1234 [001] 99.567890: syscalls:sys_enter_read: fd: 3", "output of perf script" },
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
	{ "PERFILE2\0", 9, "a recording of perf" },
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
	static const char reads[] = "is not a trace that bufsim reads: ";
	char		  text[300], line[2000];

	ck_assert_int_eq(foreign_explain("a\033[1m line\nb\n", 12, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	snprintf(text, sizeof(text),
	    "%sits first line is 'a?[1m line'; bufsim list formats lists what is, --format overrides the recognition",
	    reads);
	ck_assert_str_eq(error.text, text);
	foreign_explain("a\0b", 3, &error);
	snprintf(text, sizeof(text),
	    "%sit is binary; bufsim list formats lists what is, --format overrides the recognition",
	    reads);
	ck_assert_str_eq(error.text, text);
	memset(line, 'x', sizeof(line));
	foreign_explain(line, sizeof(line), &error);
	ck_assert_ptr_nonnull(strstr(error.text, "xxx...'; bufsim list"));
	ck_assert_uint_lt(strlen(error.text), 400);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("foreign");

	tcase_add_loop_test(tc, a_kind_of_text_is_known_by_its_first_line, 0,
	    (int)(sizeof(texts) / sizeof(*texts)));
	tcase_add_loop_test(tc, a_kind_of_binary_is_known_by_its_bytes, 0,
	    (int)(sizeof(binaries) / sizeof(*binaries)));
	tcase_add_test(tc, anything_else_shows_its_first_line_or_that_it_is_binary);
	return run_tests("foreign", tc);
}

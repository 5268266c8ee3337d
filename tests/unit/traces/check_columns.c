/*
 * check_columns.c - traces/columns/columns.c and the formats made of it: exact records
 * of a few rows of each, what is skipped and noted, and what each bad row is told.
 */
#include "sim/registry.h"
#include "tests/unit/loading.h"

enum { CALLS = 8 };

static const struct format *
format(const char *text, const char **params)
{
	const struct plugin *p = registry_find(PLUGIN_FORMAT, text, params, &error);

	ck_assert_msg(p != NULL, "%s", error.text);
	return (const struct format *)(const void *)p;
}

/* With --format as; NULL: recognised. */
static int
load_as(const char *as, const char *text, enum stream_by stream_by)
{
	struct trace_options options = { .block_bytes = BLOCK_BYTES, .stream_by = stream_by };

	trace_release(&trace);
	error = (struct error){ 0 };
	if (as)
		options.format = format(as, &options.format_params);
	scratch_text(text);
	return trace_load(&trace, scratch_path, &options, &error);
}

static void
loads(const char *as, const char *text)
{
	ck_assert_msg(!load_as(as, text, STREAM_DEFAULT), "%s: %s", as ? as : text, error.text);
}

static void
is_noted(const char *sentence)
{
	for (unsigned i = 0; i < TRACE_NOTES && trace.note[i]; i++)
		if (!strcmp(trace.note[i], sentence))
			return;
	ck_abort_msg("no note: %s", sentence);
}

/* Time, process, file and what access_is() has: "12 us: R 0 8192 4096 1 fresh". */
static void
call_is(size_t i, const char *expected)
{
	char   time[32];
	size_t n = (size_t)snprintf(time, sizeof(time), "%lld: ", (long long)trace.access[i].time);

	ck_assert_msg(!strncmp(time, expected, n), "call %zu is at %s not %s", i, time, expected);
	access_is(i, expected + n);
}

/* ---- one sample of each format ---- */

static const struct sample_of {
	const char *name;
	unsigned    lacks;
	uint64_t    records;
	const char *volume; /* name of the first file, or NULL */
	uint64_t    inode;  /* of the first file without a name */
	const char *call[CALLS];
} samples[] = {
	{ "msr", LACKS_FILES | LACKS_PROCESSES, 5, "web:2", 0,
	    { "0: R 0 1449984 16384 1 fresh", "2119: R 0 1466368 16384 1",
		"535758: W 0 8192 4096 1", "535768: W 1 20480 512 2",
		"793838: R 0 1482752 8192 1" } },
	{ "spc", LACKS_FILES | LACKS_PROCESSES, 5, NULL, 0,
	    { "0: R 0 10485760 4096 1 fresh", "4125: R 0 10489856 8192 1", "10500: W 1 32768 512 2",
		"11000: R 0 10498048 4096 1", "1250000: W 1 33280 1024 2" } },
	{ "systor17", LACKS_FILES | LACKS_PROCESSES, 3, NULL, 0,
	    { "0: R 0 65536 8192 1 fresh", "924: W 1 4096 512 2", "866925: R 0 73728 8192 1" } },
	{ "alibaba", LACKS_FILES | LACKS_PROCESSES, 4, NULL, 7,
	    { "0: R 0 126976 4096 1 fresh", "300: R 0 131072 4096 1", "954: W 1 4096 16384 2",
		"999954: W 0 0 512 1" } },
	{ "tencent", LACKS_FILES | LACKS_PROCESSES, 4, NULL, 1063,
	    { "0: R 0 524288 4096 1 fresh", "0: R 0 528384 8192 1", "1000000: W 1 32768 512 2",
		"3000000: R 0 536576 4096 1" } },
	{ "k5cloud", LACKS_FILES | LACKS_PROCESSES, 3, NULL, 1157,
	    { "0: W 0 81920 4096 1", "5562: W 0 86016 8192 1", "13243: R 1 0 512 2 fresh" } },
	{ "cloudphysics", LACKS_FILES | LACKS_PROCESSES, 4, NULL, 1,
	    { "0: W 0 2097152 512 1", "0: R 0 4194304 4096 1 fresh", "1000000: R 0 4198400 4096 1",
		"3000000: W 0 8192 1024 1" } },
	{ "fiu", LACKS_FILES, 4, "6:0", 0,
	    { "0: R 0 4194304 4096 1 fresh", "200: R 0 4198400 4096 1", "10200: W 0 8192 12288 1",
		"20200: R 1 4202496 4096 2 fresh" } },
	{ "disksim", LACKS_FILES | LACKS_PROCESSES, 4, NULL, 3,
	    { "0: R 0 0 2560 1 fresh", "4638: R 0 4096 4096 1", "11123: W 1 8704 12288 2",
		"12709: R 0 8192 4096 1" } },
	{ "mqsim", LACKS_FILES | LACKS_PROCESSES, 3, NULL, 0,
	    { "0: R 0 33677312 8192 1 fresh", "152: W 1 15997329408 32768 2",
		"308: R 0 33685504 8192 1" } },
	{ "arc", LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES, 3, NULL, 1,
	    { "0: R 0 1047040 32768 1 fresh", "0: R 0 2097152 512 1", "0: R 0 1079808 30208 1" } },
	{ "lirs", LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS | LACKS_ADDRESSES, 5,
	    NULL, 1,
	    { "0: R 0 0 4096 1 fresh", "0: R 0 4096 4096 1", "0: R 0 8192 4096 1",
		"0: R 0 0 4096 1", "0: R 0 28672 4096 1" } },
	{ "io-tracer", 0, 4, "/data/my.db", 0,
	    { "0: R 0 8192 4096 4321 fresh", "499801: R 1 0 4096 4321 fresh",
		"599800: W 2 1024 512 99", "699800: W 3 0 512 99" } },
	{ "thesios", LACKS_PROCESSES, 3, "8f2a", 0,
	    { "0: R 0 1048576 65536 1 fresh", "125000: R 0 1114112 65536 1",
		"1375000: W 1 0 4096 1" } },
	{ "tectonic", LACKS_PROCESSES, 3, "10041", 0,
	    { "0: R 0 0 131072 1 fresh", "500000: R 0 131072 65536 1", "750000: W 1 0 4096 1" } },
};

START_TEST(a_sample_has_these_records)
{
	const struct sample_of *s = &samples[_i];
	char			path[64];
	size_t			n = 0;

	snprintf(path, sizeof(path), "tests/data/small.%s", s->name);
	ck_assert_msg(!load_path(path, NULL, false), "%s", error.text);
	ck_assert_str_eq(trace.format, s->name);
	ck_assert_uint_eq(trace.lacks, s->lacks);
	ck_assert_uint_eq(trace.records, s->records);
	while (n < CALLS && s->call[n])
		n++;
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++)
		call_is(i, s->call[i]);
	if (s->volume)
		ck_assert_str_eq(trace.file[0].name, s->volume);
	else
		ck_assert_uint_eq(trace.file[0].inode, s->inode);
	check_promises();
}
END_TEST

/* ---- rows that are wrong ---- */

static const struct wrong {
	const char *as, *text, *what;
} wrongs[] = {
	{ "msr", "128166372003061629,web,2,Read,1449984,16384\n",
	    "record 1 (line 1): 6 fields instead of 7 (timestamp host disk type offset size "
	    "response)" },
	{ "msr", "128166372003061629,web,2,Erase,1449984,16384,1\n",
	    "record 1 (line 1): type: 'Erase' is not one of Read R (reads) and Write W (writes)" },
	{ "msr", "128166372003061629,web,2,Read,-5,16384,1\n",
	    "record 1 (line 1): offset: -5 is negative" },
	{ "msr", "128166372003061629,web,2,Read,0x5,16384,1\n",
	    "record 1 (line 1): offset: '0x5' is not a whole number" },
	{ "msr", "128166372003061629,web,2,Read,5 6,16384,1\n",
	    "record 1 (line 1): offset: '5 6' is not a whole number" },
	{ "msr", "1,web,2,Read,5,4,1\n0.110000,web,2,Read,5,16384,1\n",
	    "record 2 (line 2): timestamp: 0.110000 is not a whole number of units of 100 ns: if "
	    "these are seconds, type --format msr:time-unit=s" },
	{ "msr", "-5,web,2,Read,5,16384,1\n", "record 1 (line 1): timestamp: -5 is negative" },
	{ "msr", "128166372003061629,web,2,Read,5,9223372036854775808,1\n",
	    "record 1 (line 1): one call cannot move 9223372036854775808 bytes (at most "
	    "2147483647)" },
	{ "msr", "1,web,2,Read,5,4,1\n128166372003061629,web,2,Read,5,16384,1\n",
	    "its times span more than 142 years" },
	{ "msr", "128166372003061629,\"web,2,Read,5,16384,1\n",
	    "record 1 (line 1): host: \"web is not one quoted field" },
	{ "spc", "0,9223372036854775808,4096,R,0.5\n",
	    "record 1 (line 1): lba: 9223372036854775808 is too large (at most "
	    "36028797018963967)" },
	{ "spc", "0,1,4096,R,0.5\n0,36028797018963967,4096,R,1\n",
	    "record 2 (line 2): offset 18446744073709551104 is beyond any volume "
	    "(1 PiB): is its unit right?" },
	{ "spc", "0,1,4096,R\n",
	    "record 1 (line 1): 4 fields instead of at least 5 (asu lba size opcode timestamp)" },
	{ "spc", "0,1,4096,R,soon\n",
	    "record 1 (line 1): timestamp: 'soon' is not a number of seconds" },
	{ "spc", "0,1,4096,R,99999999999999\n",
	    "record 1 (line 1): timestamp: 99999999999999 seconds are too many" },
	{ "spc", "0,1,4096,R,-1\n", "record 1 (line 1): timestamp: -1 is negative" },
	{ "systor17", "1456095145.1,,R,0,65536\n",
	    "record 1 (line 1): 5 fields instead of 6 (timestamp response iotype lun offset "
	    "size)" },
	{ "alibaba", "7,X,1,4096,1577808000000046\n",
	    "record 1 (line 1): opcode: 'X' is not one of R (reads) and W (writes)" },
	{ "alibaba", "seven,R,1,4096,1577808000000046\n",
	    "record 1 (line 1): device: 'seven' is not a whole number" },
	{ "alibaba", "7,R,1,4096,9223372036854775808\n",
	    "record 1 (line 1): timestamp: 9223372036854775808 microseconds are too many" },
	{ "tencent", "1538323200,1024,8,2,1063\n",
	    "record 1 (line 1): type: '2' is not one of 0 (reads) and 1 (writes)" },
	{ "tencent", "1538323200,1024,8,0,1063\n1538323200,1024,8.5,0,1063\n",
	    "record 2 (line 2): size: '8.5' is not a whole number" },
	{ "k5cloud", "1157,3.8,W,81920,4096,1\n",
	    "record 1 (line 1): 6 fields instead of 5 (volume timestamp type offset size)" },
	{ "cloudphysics", "version,time,op,size,lbn\n1,56,2a,-1,5\n",
	    "record 1 (line 2): size: -1 is negative" },
	{ "fiu", "89968195792462 -1 gzip 8192 8 R 6 0 56\n",
	    "record 1 (line 1): pid: -1 is negative" },
	{ "fiu", "89968195792462 4294967296 gzip 8192 8 R 6 0 56\n",
	    "record 1 (line 1): pid: 4294967296 is too large (at most 4294967295)" },
	{ "disksim", "13.2 0 0 5 g\n",
	    "record 1 (line 1): flags: 'g' is not a hexadecimal number" },
	{ "disksim", "13.2 0 0 5\n",
	    "record 1 (line 1): 4 fields instead of 5 (time device block size flags)" },
	{ "mqsim", "113 0 65776 16 3\n",
	    "record 1 (line 1): type: '3' is not one of 1 (reads) and 0 (writes)" },
	{ "arc", "110765 64 0\n",
	    "record 1 (line 1): 3 fields instead of 4 (start blocks ignored request)" },
	{ "lirs", "5\n6 7\n", "record 2 (line 2): 2 fields instead of 1 (block)" },
	{ "lirs", "5\n+6\n", "record 2 (line 2): block: '+6' is not digits only" },
	{ "io-tracer", "1,2,3\n", "record 1: the first line has no column timestamp" },
	{ "io-tracer",
	    "timestamp,operation,pid,filename,size,offset\n"
	    "2024-02-30x,READ,1,/a,1,0\n",
	    "record 1 (line 2): timestamp: '2024-02-30x' is not a number of nanoseconds" },
	{ "thesios", "filename,file_offset,op_type,request_io_size_bytes\nx,1,READ,5\n",
	    "record 1: the first line has no column start_time" },
	{ "csv:offset=1", "1x\n5\n", "record 1 (line 1): column 1 (offset): '1x' is not" },
	{ "csv:offset=2", "5\n", "record 1 (line 1): 1 field instead of at least 2 (- offset)" },
	{ "csv:op=1,offset=2", "Z,5\n",
	    "record 1 (line 1): column 1 (op): 'Z' is not a word for reads or writes: name them" },
	{ "csv", "a,b,c\n1,2,3\n",
	    "which columns? The first line is not time_us,pid,op,file,offset,length: type --format "
	    "csv:offset=c,length=b,offset-unit=512,separator=comma" },
	{ "csv", "no columns\nat all, in words\n",
	    "type their numbers or names, as in --format csv:time=1,offset=2,length=3" },
};

START_TEST(a_wrong_row_is_told_what_is_wrong)
{
	const struct wrong *w = &wrongs[_i];
	char		    expected[512];

	ck_assert_int_eq(load_as(w->as, w->text, STREAM_DEFAULT), -1);
	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, w->what);
	ck_assert_msg(strstr(error.text, w->what) != NULL, "'%s' instead of '%s'", error.text,
	    w->what);
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
}
END_TEST

START_TEST(a_zero_byte_is_no_text)
{
	static const char bytes[] = "7,R,1,4096,1577808000000046\n7,R,1,4\0,6,1577808000000046\n";

	const struct trace_options options = { .block_bytes = BLOCK_BYTES,
		.format = format("alibaba", &(const char *){ NULL }) };

	scratch_write(bytes, sizeof(bytes) - 1);
	ck_assert_int_eq(trace_load(&trace, scratch_path, &options, &error), -1);
	ck_assert_ptr_nonnull(
	    strstr(error.text, "record 2 (line 2): a zero byte in the line: this is not text"));
}
END_TEST

/* ---- what is taken and noted ---- */

#define ROW "7,R,4096,4096,1577808000000046"

START_TEST(oddly_wrapped_rows_are_the_same_rows)
{
	static const char *const same[][2] = {
		{ ROW "\r\n" ROW "\r\n", "lines end in CR LF" },
		{ ROW "\n\n  \n" ROW "\n\n\n", "blank lines were skipped" },
		{ "\xef\xbb\xbf" ROW "\n" ROW "\n", "a byte-order mark was skipped" },
		{ ROW "\n\xef\xbb\xbf" ROW "\n", "a byte-order mark was skipped" },
		{ "device,opcode,offset,length,timestamp\n" ROW "\n" ROW "\n",
		    "1 of 3 lines is no record: line 1, 'device,opcode,offset,length,timestamp'" },
		{ ROW "\n\"device_id\",op,offset,length,timestamp\n" ROW "\n",
		    "1 of 3 lines is no record: line 2, "
		    "'\"device_id\",op,offset,length,timestamp'" },
		{ ROW "\n7,\"R\",\"4096\", 4096 ,\"1577808000000046\"\n", NULL },
		{ ROW "\n# a comment\n" ROW, NULL },
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		loads(NULL, same[i][0]);
		ck_assert_str_eq(trace.format, "alibaba");
		ck_assert_uint_eq(trace.naccess, 2);
		call_is(1, "0: R 0 4096 4096 1");
		if (same[i][1])
			is_noted(same[i][1]);
		else
			ck_assert_ptr_null(trace.note[0]);
		ck_assert_ptr_null(trace.note[1]);
		loads("alibaba", same[i][0]); /* the mark is skipped without recognition, too */
		ck_assert_uint_eq(trace.naccess, 2);
	}
}
END_TEST

START_TEST(a_heading_is_not_noted_where_it_belongs)
{
	static const char heading[] = "Timestamp,Response,IOType,LUN,Offset,Size\n";
	char		  text[512];

	snprintf(text, sizeof(text), "%s1456095145.1,0.1,R,0,0,512\n", heading);
	loads(NULL, text);
	ck_assert_ptr_null(trace.note[0]);
	strcat(strcat(text, heading), "1456095145.1,0.1,R,0,0,512\n");
	loads(NULL, text);
	ck_assert_uint_eq(trace.records, 2);
	is_noted("lines of headings were skipped");
}
END_TEST

START_TEST(rows_that_move_nothing_are_counted_or_noted)
{
	loads(NULL, "7,R,0,0,1577808000000046\n" ROW "\n");
	ck_assert_uint_eq(trace.records, 2);
	ck_assert_uint_eq(trace.empty_calls, 1);
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_int_eq(load_path("tests/data/small.systor17", NULL, false), 0);
	is_noted("rows that are neither reads nor writes (no R, no W) were skipped");
	ck_assert_int_eq(load_path("tests/data/small.lirs", NULL, false), 0);
	is_noted("lines of * were skipped");
	loads(NULL, "  *\n  5\n\t* \n 6\n");
	ck_assert_str_eq(trace.format, "lirs");
	ck_assert_uint_eq(trace.naccess, 2);
}
END_TEST

START_TEST(names_in_a_heading_may_have_digits)
{
	loads(NULL, "ts_ns pid process lba512 size op major minor md5\n7 1 cat 8 8 R 6 0 abc\n");
	ck_assert_str_eq(trace.format, "fiu");
	ck_assert_uint_eq(trace.naccess, 1);
	is_noted("1 of 2 lines is no record: line 1, "
		 "'ts_ns pid process lba512 size op major minor md5'");
}
END_TEST

/* One heading, and one line in a hundred. */
START_TEST(a_file_of_other_lines_is_refused)
{
	char text[8192], *at = text;

	for (unsigned i = 0; i < 200; i++)
		at += sprintf(at, "%u\n", i);
	strcpy(at, "one\ntwo\nthree\n");
	loads(NULL, text);
	ck_assert_str_eq(trace.format, "lirs");
	is_noted("3 of 203 lines are no record: line 201, 'one', is the first");
	strcat(at, "four\n");
	ck_assert_int_eq(load_as(NULL, text, STREAM_DEFAULT), -1);
	ck_assert_ptr_nonnull(
	    strstr(error.text, ": only 200 of 204 lines are records of lirs: line 201 is 'one'"));
}
END_TEST

/* What is taken, the duration, and what is said. */
static const struct clock {
	const char *as, *text;
	int64_t	    duration;
	const char *unit, *note;
} clocks[] = {
	{ NULL, "0 0 1000 8 1\n5 0 1008 8 1\n9 0 5000 16 0\n1200 0 1016 8 1\n", 1200000, "ms",
	    "its times are read as milliseconds: as nanoseconds, it makes 2,500,000 calls a "
	    "second; if that is right, type --format mqsim:time-unit=ns" },
	{ "mqsim:time-unit=ns", "0 0 1000 8 1\n1200 0 1016 8 1\n", 1, "ns", NULL },
	{ NULL, "0 0 1000 8 1\n50000 0 1008 8 1\n", 50, "ns",
	    "its times are read as nanoseconds: if they are milliseconds, type --format "
	    "mqsim:time-unit=ms" },
	{ NULL, "0 0 1000 8 1\n5000000 0 1008 8 1\n", 5000, "ns", NULL },
	{ NULL, "0 0 1000 8 1\n0 0 1008 8 1\n", 0, "ns", NULL },
	{ NULL,
	    "version,time,op,size,lbn\n1,5633898368802,2a,512,42932745\n"
	    "1,5633899611441,28,4096,42932754\n",
	    1242639, "us",
	    "its times are read as microseconds: as seconds, they are far in the future; if that "
	    "is right, type --format cloudphysics:time-unit=s" },
	{ NULL, "version,time,op,size,lbn\n1,5633898,2a,512,42932745\n1,6876537,28,4096,42932754\n",
	    1242639, "us",
	    "its times are read as microseconds: as seconds, its calls are 1,242,639.000 s apart "
	    "on average; if that is right, type --format cloudphysics:time-unit=s" },
	{ "csv:time=1,offset=2", "1700000000000000,0\n1700000000500000,4096\n", 500000, "us",
	    "its times are read as microseconds: as seconds, they are far in the future; if that "
	    "is right, type --format csv:time=1,offset=2,time-unit=s" },
	{ "csv:time=1,offset=2", "0,0\n20,4096\n", 20000000, "s",
	    "its times are read as seconds: if they are milliseconds, type --format "
	    "csv:time=1,offset=2,time-unit=ms" },
	{ "csv:time-unit=ms,time=1,offset=2", "0,0\n20,4096\n", 20000, "ms", NULL },
	{ "csv:time=1,offset=2", "0.5,0\n20.5,4096\n", 20000000, "s", NULL },
	{ "csv:time=1,offset=2", "0.5,0\n2000.5,4096\n", 2000000000, "s",
	    "as seconds, its calls are 2,000.000 s apart on average: if its times are "
	    "milliseconds, type --format csv:time=1,offset=2,time-unit=ms" },
	{ "msr:time-unit=s", "0.0,hm,0,Read,1024,512,1\n0.11,hm,0,Read,1024,512,1\n", 110000, "s",
	    NULL },
	{ NULL, "0 7 cat 8 8 R 6 0 a\n10000 7 cat 8 8 R 6 0 a\n", 10, "ns",
	    "as nanoseconds, its calls are 10 us apart on average: if its times are microseconds, "
	    "type --format fiu:time-unit=us" },
	{ NULL, "0 7 cat 8 8 R 6 0 a\n60000 7 cat 8 8 R 6 0 a\n", 60, "ns", NULL },
	{ NULL, "7,R,0,512,1577808000000000\n7,R,0,512,1577808003000000\n", 3000000, "us", NULL },
	{ NULL, "7,R,0,512,1577808000000000\n7,R,0,512,1577808900000000\n", 900000000, "us",
	    "as microseconds, its calls are 900.000 s apart on average: if its times are "
	    "nanoseconds, type --format alibaba:time-unit=ns" },
};

START_TEST(the_unit_of_time_is_doubted_aloud)
{
	const struct clock *k = &clocks[_i];

	loads(k->as, k->text);
	ck_assert_int_eq(trace.access[trace.naccess - 1].time, k->duration);
	ck_assert_str_eq(trace.time_unit, k->unit);
	if (k->note)
		is_noted(k->note);
	for (unsigned i = 0; !k->note && i < TRACE_NOTES && trace.note[i]; i++)
		ck_assert_msg(!strstr(trace.note[i], "time-unit"), "%s", trace.note[i]);
}
END_TEST

START_TEST(times_that_span_too_much_lead_to_their_unit)
{
	ck_assert_int_eq(load_as("csv:time=1,offset=2", "0.5,0\n5000000000.5,4096\n",
			     STREAM_DEFAULT),
	    -1);
	ck_assert_ptr_nonnull(strstr(error.text,
	    "as seconds, its times span more than 142 years: if they are nanoseconds, type "
	    "--format csv:time=1,offset=2,time-unit=ns"));
}
END_TEST

START_TEST(rows_of_four_numbers_are_arc_if_the_last_one_counts)
{
	static const char *const are[] = { "1859088 8 6 40000\n1859096 8 6 40001\n",
		"1 1 0 0\n2 1 0 0\n", "110765 64 0 0\n110888 1 0 1\n", "1859088 8 6 40000\n" };
	static const char *const are_not[] = { "0 1859088 0 8\n5 1859096 0 16\n9 77 0 8\n",
		"0 1859088 0 8\n5 1859096 0 8\n9 77 0 8\n", "1 2 3 4 5\n1 2 3 5 6\n" };

	for (size_t i = 0; i < sizeof(are) / sizeof(*are); i++) {
		loads(NULL, are[i]);
		ck_assert_str_eq(trace.format, "arc");
	}
	for (size_t i = 0; i < sizeof(are_not) / sizeof(*are_not); i++)
		ck_assert_int_eq(load_as(NULL, are_not[i], STREAM_DEFAULT), -1);
}
END_TEST

START_TEST(a_line_of_numbers_is_a_reference_string)
{
	static const char *const are[] = { "7 0 1 2 0 3 0 4\n", "7, 0, 1,2 ,0,3,0,4",
		"# of a book\n\n 7\t0 1 2 0 3 0 4 \r\n\n",
		"Reference string: [7, 0, 1, 2, 0, 3, 0, 4]\n" };
	static const char *const are_not[] = { "7 0 1 2 5 3 6 4\n", "7 0 1 2 7\n",
		"7 0 1 2 0 3 0 4\n7 0 1 2 0 3 0 4\n", "7 0 1 2 0 3 x 0\n", "7 0 1 2 0 3 0.5\n" };

	for (size_t i = 0; i < sizeof(are) / sizeof(*are); i++) {
		loads(NULL, are[i]);
		ck_assert_str_eq(trace.format, "lirs");
		ck_assert_uint_eq(trace.naccess, 8);
		call_is(0, "0: R 0 28672 4096 1 fresh");
		call_is(7, "0: R 0 16384 4096 1");
	}
	for (size_t i = 0; i < sizeof(are_not) / sizeof(*are_not); i++)
		ck_assert(
		    load_as(NULL, are_not[i], STREAM_DEFAULT) || strcmp(trace.format, "lirs") != 0);
	ck_assert_int_eq(
	    load_as("lirs:unit=8K",
		"7 0 1 2 0 3 0 4 7 0 1 2 0 3 0 4 7 0 1 2 0 3 0 4 7 0 1 2 0 3 0 4 7 0 1 2 0 3 "
		"0 4 7 0 1 2 0 3 0 4 7 0 1 2 0 3 0 4 7 0 1 2 0 3 0 4 x",
		STREAM_DEFAULT),
	    -1);
	ck_assert_ptr_nonnull(
	    strstr(error.text, "record 65 (line 1): block: 'x' is not a whole number"));
}
END_TEST

START_TEST(rows_are_sorted_by_time)
{
	loads(NULL, "7,R,4096,512,1577808000000046\n7,R,0,512,1577808000000040\n");
	call_is(0, "0: R 0 0 512 1 fresh");
	ck_assert_uint_eq(trace.out_of_order, 1);
}
END_TEST

/* The heading's word: both orders of io-tracer, one behind the other; with and without latency. */
START_TEST(columns_follow_the_heading)
{
	loads(NULL,
	    "timestamp,operation,pid,command,filename,size,inode,flags,offset,tid\n"
	    "1000,READ,7,cat,/a,10,1,,20,7\n"
	    "offset,latency_ns,size,operation,filename,pid,timestamp\n"
	    "4096,5,30,write,/a,8,9000\n");
	call_is(0, "0: R 0 20 10 7 fresh");
	call_is(1, "8: W 0 4096 30 8");
	is_noted("lines of headings were skipped");
	ck_assert_int_eq(load_as(NULL,
			     "timestamp,operation,pid,filename,size,offset\n1,READ,7,/a,10,20\n"
			     "timestamp,operation,pid,filename,size,place\n",
			     STREAM_DEFAULT),
	    -1);
	ck_assert_ptr_nonnull(strstr(error.text, "(line 3): the heading has no column offset"));
}
END_TEST

START_TEST(dates_are_times)
{
	static const char *const same[] = { "2024-03-01T00:00:00", "2024-02-29 23:59:60",
		"2024-03-01 02:30:00+02:30", "2024-02-29T22:00:00.0-0200", "2024-03-01 00:00:00Z",
		"1709251200000000000" };
	char			 text[256];

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		snprintf(text, sizeof(text),
		    "timestamp,operation,pid,filename,size,offset\n"
		    "1709251199999998000,READ,7,/a,10,20\n%s,READ,7,/a,10,20\n",
		    same[i]);
		loads(NULL, text);
		ck_assert_msg(trace.access[1].time == 2, "%s is at %lld", same[i],
		    (long long)trace.access[1].time);
	}
}
END_TEST

START_TEST(names_without_directories_are_told_by_the_inode)
{
	ck_assert_int_eq(load_path("tests/data/small.io-tracer", NULL, false), 0);
	ck_assert_str_eq(trace.file[1].name, "/data/a \"b\", c");
	ck_assert_str_eq(trace.file[2].name, "journal:5");
	ck_assert_str_eq(trace.file[3].name, "journal:6");
}
END_TEST

START_TEST(streams_are_volumes_processes_or_names)
{
	static const char text[] = "10000 5 cp 0 8 R 6 0 a\n20000 6 cp 8 8 R 6 0 a\n"
				   "30000 5 cp 16 8 R 6 1 a\n40000 7 tar 24 8 R 6 0 a\n";

	ck_assert_int_eq(load_as(NULL, text, STREAM_VOLUME), 0);
	ck_assert_uint_eq(trace.nprocesses, 2);
	ck_assert_int_eq(load_as(NULL, text, STREAM_PID), 0);
	ck_assert_uint_eq(trace.nprocesses, 3);
	ck_assert_uint_eq(trace.nopen, 4);
	ck_assert_uint_eq(trace.process[2].pid, 7);
	ck_assert_int_eq(load_as(NULL, text, STREAM_PROCESS_NAME), 0);
	ck_assert_uint_eq(trace.nprocesses, 2);
	ck_assert_uint_eq(trace.nopen, 3);
	ck_assert_int_eq(load_as(NULL, ROW "\n", STREAM_PID), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "alibaba has no processes"));
}
END_TEST

/* Files that take turns are not opened again at each turn. */
START_TEST(each_file_has_a_descriptor)
{
	loads("csv:file=1,offset=2,length=3", "a,0,10\nb,0,10\na,10,10\nb,10,10\n");
	call_is(2, "0: R 0 10 10 1");
	call_is(3, "0: R 1 10 10 1");
	ck_assert_uint_eq(trace.nopen, 2);
}
END_TEST

START_TEST(parameters_are_units)
{
	loads("tencent:offset-unit=1", "1538323200,8192,8,0,1063\n");
	call_is(0, "0: R 0 8192 4096 1 fresh");
}
END_TEST

/* ---- columns by number ---- */

static const struct by_number {
	const char *as, *text, *call[3];
	unsigned    lacks;
} numbered[] = {
	{ "csv:offset=1", "8192\n4096\n", { "0: R 0 8192 1 1 fresh", "0: R 0 4096 1 1" },
	    LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS },
	{ "csv:offset=1,unit=4K", "block\n2\n1\n",
	    { "0: R 0 8192 4096 1 fresh", "0: R 0 4096 4096 1" },
	    LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES | LACKS_LENGTHS },
	{ "csv:time=1,op=3,offset=5,length=6,unit=512", "0.5,x,Read,y,2,1\n0.75,x,w,y,3,2,z\n",
	    { "0: R 0 1024 512 1 fresh", "250000: W 0 1536 1024 1" },
	    LACKS_FILES | LACKS_PROCESSES },
	{ "csv:time=1,offset=2,length=3,offset-unit=512,length-unit=1", "5,2,100\n",
	    { "0: R 0 1024 100 1 fresh" }, LACKS_FILES | LACKS_PROCESSES },
	{ "csv:time=1,offset=2,length=3,time-unit=100ns,separator=semicolon", "10;0;1\n30;1;1\n",
	    { "0: R 0 0 1 1 fresh", "2: R 0 1 1 1" }, LACKS_FILES | LACKS_PROCESSES },
	{ "csv:time=1,offset=2,length=3,time-unit=ms,separator=tab", "0.5\t0\t1\n2.25\t1\t1\n",
	    { "0: R 0 0 1 1 fresh", "1750: R 0 1 1 1" }, LACKS_FILES | LACKS_PROCESSES },
	{ "csv:time=1,offset=2,length=3,time-unit=ns,separator=blank", " 1000\t 0   1\n9000 1 1 \n",
	    { "0: R 0 0 1 1 fresh", "8: R 0 1 1 1" }, LACKS_FILES | LACKS_PROCESSES },
	{ "csv:op=1,offset=2,length=3,read=1,write=0", "1,0,1\n0,1,1\n",
	    { "0: R 0 0 1 1 fresh", "0: W 0 1 1 1" }, LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES },
	{ "csv:op=1,offset=2,length=3,read=Fetch", "FETCH,0,1\nwritev,1,1\n",
	    { "0: R 0 0 1 1 fresh", "0: W 0 1 1 1" }, LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES },
	{ "csv:op=1,offset=2,length=3,others=skip", "trim,0,1\nR,1,1\n", { "0: R 0 1 1 1 fresh" },
	    LACKS_FILES | LACKS_PROCESSES | LACKS_TIMES },
	{ "csv:volume=1,pid=2,offset=3,length=4", "sda,5,0,1\nsdb,6,0,1\nsda,7,1,1\n",
	    { "0: R 0 0 1 1 fresh", "0: R 1 0 1 2 fresh", "0: R 0 1 1 1" },
	    LACKS_FILES | LACKS_TIMES },
	{ "csv:file=1,process=2,offset=3,length=4,size=5", "a,cp,0,1,100\na,mv,0,1,\n",
	    { "0: R 0 0 1 1 fresh", "0: R 0 0 1 2 fresh" }, LACKS_TIMES },
};

START_TEST(columns_are_given_by_number)
{
	const struct by_number *s = &numbered[_i];
	size_t			n = 0;

	loads(s->as, s->text);
	ck_assert_uint_eq(trace.lacks, s->lacks);
	while (n < 3 && s->call[n])
		n++;
	ck_assert_uint_eq(trace.naccess, n);
	for (size_t i = 0; i < n; i++)
		call_is(i, s->call[i]);
}
END_TEST

START_TEST(sizes_of_files_are_kept)
{
	loads("csv:file=1,offset=2,length=3,size=4", "a,0,1,100000\nb,0,1,\n");
	ck_assert_uint_eq(trace.file[0].bytes, 100000);
	ck_assert_uint_eq(trace.file[1].bytes, 1);
}
END_TEST

START_TEST(parameters_that_cannot_be_are_usage_errors)
{
	static const char *const bad[][2] = {
		{ "csv:time=1,offset=1", "csv: column 1 is given twice, last as offset" },
		{ "csv:volume=3,offset=1,file=3", "csv: column 3 is given twice, last as file" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_int_eq(load_as(bad[i][0], "1,2,3\n", STREAM_DEFAULT), -1);
		ck_assert_int_eq(error.exit_code, EXIT_USAGE);
		ck_assert_msg(strstr(error.text, bad[i][1]) != NULL, "%s", error.text);
	}
}
END_TEST

/* ---- writing ---- */

static void
write_csv(void)
{
	const struct format *csv = format("csv", &(const char *){ NULL });
	struct output	    *out = output_open(scratch_path, &error);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(csv->write(&trace, out, &error), 0);
	ck_assert_int_eq(output_commit(out, NULL, &error), 0);
}

START_TEST(names_are_written_so_that_they_are_read_again)
{
	static const char *const names[] = { "/a b", "say \"no\"", "comma,comma", " blank ", "" };
	char			 text[1024], *at = text;
	size_t			 n = sizeof(names) / sizeof(*names);

	for (size_t i = 0; i < n; i++) {
		at += sprintf(at, "%zu,\"", i);
		for (const char *c = names[i]; *c; c++)
			at += sprintf(at, *c == '"' ? "\"\"" : "%c", *c);
		at += sprintf(at, "\",0,1\n");
	}
	loads("csv:time=1,file=2,offset=3,length=4", text);
	write_csv();
	ck_assert_msg(!load_path(scratch_path, NULL, false), "%s", error.text);
	ck_assert_str_eq(trace.format, "csv");
	ck_assert_uint_eq(trace.nfiles, n);
	for (size_t i = 0; i + 1 < n; i++)
		ck_assert_str_eq(trace.file[i].name, names[i]);
	ck_assert_str_eq(trace.file[n - 1].name, "(no name)");
}
END_TEST

START_TEST(the_file_written_is_this)
{
	char  text[256] = "";
	FILE *f;

	loads("csv:time=1,op=2,file=3,offset=4,length=5,pid=6", "1,R,/a,0,10,7\n1.5,W,b c,5,2,8\n");
	write_csv();
	f = fopen(scratch_path, "r");
	ck_assert_uint_gt(fread(text, 1, sizeof(text) - 1, f), 0);
	fclose(f);
	ck_assert_str_eq(text,
	    "time_us,pid,op,file,offset,length\n0,7,R,/a,0,10\n500000,8,W,\"b c\",5,2\n");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("columns");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_loop_test(tc, a_sample_has_these_records, 0,
	    (int)(sizeof(samples) / sizeof(*samples)));
	tcase_add_loop_test(tc, a_wrong_row_is_told_what_is_wrong, 0,
	    (int)(sizeof(wrongs) / sizeof(*wrongs)));
	tcase_add_test(tc, a_zero_byte_is_no_text);
	tcase_add_test(tc, oddly_wrapped_rows_are_the_same_rows);
	tcase_add_test(tc, a_heading_is_not_noted_where_it_belongs);
	tcase_add_test(tc, rows_that_move_nothing_are_counted_or_noted);
	tcase_add_test(tc, names_in_a_heading_may_have_digits);
	tcase_add_test(tc, a_file_of_other_lines_is_refused);
	tcase_add_loop_test(tc, the_unit_of_time_is_doubted_aloud, 0,
	    (int)(sizeof(clocks) / sizeof(*clocks)));
	tcase_add_test(tc, times_that_span_too_much_lead_to_their_unit);
	tcase_add_test(tc, rows_of_four_numbers_are_arc_if_the_last_one_counts);
	tcase_add_test(tc, a_line_of_numbers_is_a_reference_string);
	tcase_add_test(tc, rows_are_sorted_by_time);
	tcase_add_test(tc, columns_follow_the_heading);
	tcase_add_test(tc, dates_are_times);
	tcase_add_test(tc, names_without_directories_are_told_by_the_inode);
	tcase_add_test(tc, streams_are_volumes_processes_or_names);
	tcase_add_test(tc, each_file_has_a_descriptor);
	tcase_add_test(tc, parameters_are_units);
	tcase_add_loop_test(tc, columns_are_given_by_number, 0,
	    (int)(sizeof(numbered) / sizeof(*numbered)));
	tcase_add_test(tc, sizes_of_files_are_kept);
	tcase_add_test(tc, parameters_that_cannot_be_are_usage_errors);
	tcase_add_test(tc, names_are_written_so_that_they_are_read_again);
	tcase_add_test(tc, the_file_written_is_this);
	return run_tests("columns", tc);
}

/* check_trace.c - sim/trace/load.c, builder.c and trace.c: from records to accesses, files, open
 * files and blocks. */
#include "sim/trace/format.h"
#include "tests/unit/loading.h"

extern const struct format format_text;

#define OUT_OF_RANGE "18446744073709551615"

/* ---- allocations that fail, where the C library lets us put our own in front ---- */

#if defined(__GLIBC__) && !SANITIZED
#define CAN_FAIL 1
#else
#define CAN_FAIL 0
#endif

static long allocations_left = -1; /* before they fail; -1: for ever */
static long allocated;		   /* blocks not yet freed */

#if CAN_FAIL
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t n);
void  __libc_free(void *p);

static bool
refused(void)
{
	if (!allocations_left)
		return true;
	allocations_left -= allocations_left > 0;
	return false;
}

static void *
counted(void *p)
{
	allocated += p != NULL;
	return p;
}

void *
malloc(size_t n)
{
	return refused() ? NULL : counted(__libc_malloc(n));
}

void *
calloc(size_t n, size_t bytes)
{
	return refused() ? NULL : counted(__libc_calloc(n, bytes));
}

void *
realloc(void *p, size_t n)
{
	if (refused())
		return NULL;
	return p ? __libc_realloc(p, n) : counted(__libc_realloc(p, n));
}

void
free(void *p)
{
	allocated -= p != NULL;
	__libc_free(p);
}
#endif

static void
fails_cleanly(const char *path)
{
	long before = allocated, n = 0;
	int  status;

	do {
		allocations_left = n++;
		status = load_path(path, NULL, true);
		allocations_left = -1;
		if (status)
			ck_assert_ptr_nonnull(strstr(error.text, "out of memory"));
		trace_release(&trace);
		ck_assert_int_eq(allocated, before);
	} while (status);
	ck_assert_int_gt(n, 5);
}

/* Those of the libraries, too, which check_formats_alloc.c cannot refuse. */
START_TEST(every_allocation_may_fail)
{
	unsigned char	  packed[4096];
	static const char text[] = "9 1 3 R 5 100 0 10\n9 1 3 S 5 100 0 0\n10 1 3 R 5 100 0 1\n"
				   "1 1 3 R 6 100 0 10\n";

	if (!CAN_FAIL)
		return;
	scratch_write(packed, gzip_member(text, strlen(text), packed, sizeof(packed)));
	fails_cleanly(scratch_path);
}
END_TEST

/* ---- files and blocks ---- */

START_TEST(files_are_numbered_by_first_use_and_lie_end_to_end)
{
	load("0 1 3 O 50 4097 0 0\n1 1 4 O 60 1 0 0\n2 1 4 R 60 1 0 1\n3 1 3 R 50 4097 0 1\n"
	     "4 1 5 R 70 0 8192 1\n");
	ck_assert_uint_eq(trace.nfiles, 3);
	ck_assert_uint_eq(trace.file[0].inode, 60);
	ck_assert_uint_eq(trace.file[0].base, 1);
	ck_assert_uint_eq(trace.file[0].nblocks, 1);
	ck_assert_uint_eq(trace.file[1].base, 2);
	ck_assert_uint_eq(trace.file[1].nblocks, 2);
	ck_assert_uint_eq(trace.file[2].base, 4);
	ck_assert_uint_eq(trace.file[2].nblocks, 3); /* past its recorded size: it grew */
	ck_assert_uint_eq(trace.nblocks, 7);
}
END_TEST

START_TEST(a_file_is_as_large_as_it_ever_was)
{
	load(
	    "0 1 3 R 50 4096 0 1\n1 1 3 R 50 40960 0 1\n2 1 3 R 50 10 0 1\n3 1 3 C 50 81920 0 0\n");
	ck_assert_uint_eq(trace.file[0].nblocks, 20);
	ck_assert_uint_eq(trace.access[2].file_size, 10);
}
END_TEST

START_TEST(empty_calls_are_counted_and_dropped)
{
	load("0 1 3 O 50 10 0 0\n1 1 3 R 50 10 10 0\n2 1 3 R 50 10 0 5\n3 1 3 W 50 10 0 0\n");
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_uint_eq(trace.empty_calls, 2);
	access_is(0, "R 0 0 5 1 fresh");
}
END_TEST

START_TEST(block_sizes_other_than_4096)
{
	struct trace_options o = { .block_bytes = 512 };

	scratch_text("0 1 3 R 50 1025 511 2\n");
	ck_assert_int_eq(trace_load(&trace, scratch_path, &o, &error), 0);
	ck_assert_uint_eq(trace.block_shift, 9);
	ck_assert_uint_eq(trace.file[0].nblocks, 3);
	ck_assert_uint_eq(access_first(&trace, &trace.access[0]), 0);
	ck_assert_uint_eq(access_count(&trace, &trace.access[0]), 2);
}
END_TEST

/* ---- open files ---- */

START_TEST(an_open_starts_afresh_and_so_does_another_inode)
{
	static const char *const expected[] = { "R 0 0 1 1 fresh", "R 0 1 1 1", "R 0 2 1 1 fresh",
		"R 1 0 1 1 fresh", "R 0 3 1 1 fresh", "R 0 4 1 2 fresh", "R 0 5 1 1 fresh" };

	load("0 1 3 R 50 9 0 1\n1 1 3 R 50 9 1 1\n2 1 3 O 50 9 0 0\n3 1 3 R 50 9 2 1\n"
	     "4 1 3 R 60 9 0 1\n5 1 3 R 50 9 3 1\n6 2 3 R 50 9 4 1\n7 1 4 R 50 9 5 1\n");
	accesses_are(7, expected);
}
END_TEST

START_TEST(a_write_does_not_hide_that_the_first_read_is_fresh)
{
	static const char *const expected[] = { "W 0 0 1 1", "R 0 1 1 1 fresh", "W 0 2 1 1",
		"R 0 3 1 1" };

	load("0 1 3 O 50 9 0 0\n1 1 3 W 50 9 0 1\n2 1 3 R 50 9 1 1\n3 1 3 W 50 9 2 1\n"
	     "4 1 3 R 50 9 3 1\n");
	accesses_are(4, expected);
}
END_TEST

START_TEST(open_file_numbers_are_used_again_after_a_close_or_an_exit)
{
	load("0 1 3 R 50 9 0 1\n1 1 3 C 50 9 0 0\n2 1 4 R 50 9 0 1\n3 1 5 R 50 9 0 1\n"
	     "4 1 0 X 0 0 0 0\n5 1 6 R 50 9 0 1\n6 1 7 R 50 9 0 1\n7 1 4 R 50 9 0 1\n"
	     "8 2 4 R 50 9 0 1\n");
	ck_assert_uint_eq(trace.access[1].open, trace.access[0].open);
	ck_assert_uint_ne(trace.access[2].open, trace.access[1].open);
	ck_assert_uint_eq(trace.nopen, 4); /* three at once in process 1, one in 2 */
	for (size_t i = 0; i < trace.naccess; i++)
		ck_assert(trace.access[i].fresh);
}
END_TEST

START_TEST(what_real_traces_do_is_no_error)
{
	static char text[5000 * 48];
	size_t	    used = 0;

	load("0 0 70000 R 0 0 100 1\n1 0 70000 C 0 0 0 0\n2 0 70000 C 0 0 0 0\n3 9 0 X 0 0 0 0\n");
	ck_assert_uint_eq(trace.naccess, 1);
	for (unsigned i = 0; i < 5000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u %u 3 R 7 100 0 10\n",
		    i, 100000 + i);
	load(text);
	ck_assert_uint_eq(trace.nprocesses, 5000);
	ck_assert_uint_eq(trace.nopen, 5000);
	ck_assert_uint_eq(trace.nfiles, 1);
	check_promises();
}
END_TEST

/* ---- time ---- */

START_TEST(time_counts_from_the_first_access)
{
	load("1000 1 3 O 50 9 0 0\n1700 1 3 R 50 9 0 1\n1750 1 3 R 50 9 0 1\n");
	ck_assert_int_eq(trace.access[0].time, 0);
	ck_assert_int_eq(trace.access[1].time, 50);
}
END_TEST

START_TEST(records_out_of_order_are_sorted_and_files_numbered_anew)
{
	static const char *const expected[] = { "R 0 0 1 2 fresh", "R 1 0 1 1 fresh", "R 1 1 1 1",
		"R 2 0 1 3 fresh", "R 0 3 1 2" };

	load("10 1 3 R 50 9000 0 1\n10 1 3 R 50 9000 1 1\n12 3 3 R 60 9 0 1\n5 2 3 R 70 9 0 1\n"
	     "12 2 3 R 70 9 3 1\n");
	accesses_are(5, expected);
	ck_assert_uint_eq(trace.out_of_order, 1);
	ck_assert_uint_eq(trace.file[0].inode, 70);
	ck_assert_uint_eq(trace.file[1].nblocks, 3);
	ck_assert_int_eq(trace.access[4].time, 7);
	check_promises();
}
END_TEST

START_TEST(the_first_read_in_time_is_fresh_whatever_comes_first_in_the_file)
{
	load("10 1 3 R 50 9000 4096 1\n5 1 3 R 50 9000 0 1\n12 1 3 R 50 9000 0 1\n");
	ck_assert(trace.access[0].fresh);
	ck_assert(!trace.access[1].fresh);
	ck_assert(!trace.access[2].fresh);
}
END_TEST

START_TEST(any_shuffle_comes_out_sorted_and_stable)
{
	static char text[2000 * 40];
	uint64_t    state = 7;
	size_t	    used = 0;

	for (unsigned i = 0; i < 2000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u 1 %u R %u 9 %u 1\n",
		    random_below(&state, 500), random_below(&state, 9), random_below(&state, 9), i);
	load(text);
	check_promises();
	for (size_t i = 1; i < trace.naccess; i++)
		if (trace.access[i].time == trace.access[i - 1].time)
			ck_assert_uint_gt(trace.access[i].offset, trace.access[i - 1].offset);
}
END_TEST

START_TEST(times_more_than_a_century_apart_are_refused)
{
	refuses("0 1 3 R 50 9 0 1\n4503599627370497 1 3 R 50 9 0 1\n",
	    "its times span more than 142 years");
}
END_TEST

/* ---- mappings ---- */

START_TEST(mappings_are_counted_or_touched_when_asked)
{
	static const char *const expected[] = { "R 0 4096 5904 1 fresh", "R 0 0 10 1" };

	scratch_text("0 1 3 M 50 10000 4096 81920\n1 1 3 M 50 10000 20480 4096\n"
		     "2 1 3 R 50 10000 0 10\n");
	ck_assert_int_eq(load_path(scratch_path, NULL, false), 0);
	ck_assert_uint_eq(trace.naccess, 1);
	ck_assert_uint_eq(trace.mmaps, 2);
	ck_assert_uint_eq(trace.mmap_bytes, 81920 + 4096);
	ck_assert_int_eq(load_path(scratch_path, NULL, true), 0);
	accesses_are(2, expected);
	ck_assert_uint_eq(trace.reads, 1);
}
END_TEST

START_TEST(a_large_mapping_is_touched_in_pieces)
{
	scratch_text("0 1 3 M 50 3000000000 0 " OUT_OF_RANGE "\n");
	ck_assert_int_eq(load_path(scratch_path, NULL, true), 0);
	ck_assert_uint_eq(trace.naccess, 3);
	ck_assert_uint_eq(trace.access[2].offset + trace.access[2].length, 3000000000u);
}
END_TEST

START_TEST(a_trace_of_mappings_alone_says_what_to_do)
{
	refuses("0 1 3 M 50 10000 0 81920\n",
	    "has no reads or writes in its 1 record: mapped files "
	    "count with --mmap=touch");
	refuses("0 1 3 O 50 10000 0 0\n", "has no reads or writes in its 1 record");
}
END_TEST

/* ---- what is refused ---- */

START_TEST(what_is_no_trace_is_refused)
{
#define UNKNOWN(line)                                                                              \
	"is not a trace that bufsim reads (bufsim list formats): its first line is '" line         \
	"'; --format overrides the recognition"

	refuses("", "is empty");
	refuses("what is this?\nno trace\n", UNKNOWN("what is this?"));
	refuses("0 1 3 R 50 9 0 1 1\n",
	    "is not a trace that bufsim recognises: its first line is '0 1 3 R 50 9 0 1 1'; if its "
	    "columns are what they seem, type --format "
	    "csv:op=4,offset=5,length=6,unit=512,separator=blank (bufsim list csv)");
	ck_assert_int_eq(load_path(scratch_path, &format_text, false), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": record 1 (line 1): 9 fields instead of 8"));
}
END_TEST

START_TEST(damaged_gzip_is_refused_at_the_record_where_it_shows)
{
	static unsigned char packed[8192];
	static const char    text[] = "0 1 3 R 50 9 0 1\n1 1 3 R 50 9 0 1\n";
	size_t		     n = gzip_member(text, strlen(text), packed, sizeof(packed));

	refuses_bytes(packed, n - 3, "the gzip data ends too early: the file is truncated");
	packed[n - 5] ^= 1;
	refuses_bytes(packed, n, "the gzip data is damaged: incorrect data check");
}
END_TEST

START_TEST(a_long_gzip_cut_off_names_the_record)
{
	static unsigned char packed[1 << 20];
	static char	     text[1 << 20];
	uint64_t	     state = 3;
	size_t		     used = 0, n;

	for (unsigned i = 0; i < 20000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u 1 3 R 50 9 %u 1\n",
		    i, random_below(&state, 1000000));
	n = gzip_member(text, used, packed, sizeof(packed));
	ck_assert_int_eq(load_bytes(packed, n / 2 + n / 4), -1);
	ck_assert_ptr_nonnull(strstr(error.text, ": record 1"));
	ck_assert_ptr_nonnull(
	    strstr(error.text, "): the gzip data ends too early: the file is truncated"));
}
END_TEST

START_TEST(directories_and_missing_files_are_refused_by_name)
{
	ck_assert_int_eq(load_path("tests/data", NULL, false), -1);
	ck_assert_str_eq(error.text, "tests/data: is a directory: name a trace file in it");
	ck_assert_int_eq(load_path("tests/data/none.gz", NULL, false), -1);
	ck_assert_str_eq(error.text,
	    "tests/data/none.gz: cannot be opened: No such file or directory");
}
END_TEST

START_TEST(too_many_blocks_are_refused)
{
	refuses("0 1 3 R 50 8796093018112 0 1\n1 1 3 R 51 8796093018112 0 1\n",
	    "the files add up to 4294967295 blocks of 4096 bytes, at most 2147483648 can be "
	    "numbered; with --block 16K it can be simulated");
}
END_TEST

START_TEST(a_trace_is_called_by_its_file_s_name)
{
	static const char *const names[][2] = {
		{ "/tmp/bufsim-check-name.txt.gz", "bufsim-check-name" },
		{ "/tmp/bufsim-check-v1.2.tr", "bufsim-check-v1.2" },
		{ "/tmp/bufsim-check", "bufsim-check" }, { "/tmp/bufsim-check.gz", "bufsim-check" }
	};

	scratch_text("0 1 3 R 50 9 0 1\n");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ck_assert_int_eq(rename(scratch_path, names[i][0]), 0);
		strcpy(scratch_path, names[i][0]);
		ck_assert_int_eq(load_path(scratch_path, NULL, false), 0);
		ck_assert_str_eq(trace.name, names[i][1]);
	}
	ck_assert_ptr_nonnull(freopen(scratch_path, "r", stdin));
	ck_assert_int_eq(load_path("-", NULL, false), 0);
	ck_assert_str_eq(trace.name, "stdin");
}
END_TEST

START_TEST(an_error_on_standard_input_says_so)
{
	ck_assert_ptr_nonnull(freopen(scratch_path, "r", stdin));
	ck_assert_int_eq(load_path("-", NULL, false), -1);
	ck_assert_str_eq(error.text, "standard input: is empty");
}
END_TEST

/* ---- advice ---- */

/* All of it, in words: kind@access, open file, offset+length of size. */
static void
advice_is(const char *expected)
{
	char   text[1000] = "";
	size_t used = 0;

	for (size_t i = 0; i < trace.nadvice; i++) {
		const struct advice *a = &trace.advice[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s%c@%llu %s%u %llu+%llu/%llu%s", i ? ", " : "", "NJSAD"[a->kind],
		    (unsigned long long)a -> before, a -> own ? "" : "file of ", a->open,
		    (unsigned long long)a->offset, (unsigned long long)a->length,
		    (unsigned long long)a->file_size, a->fresh ? " fresh" : "");
	}
	ck_assert_str_eq(text, expected);
	for (size_t i = 0, k = 0; i < trace.naccess; i++) {
		bool advised = k < trace.nadvice && trace.advice[k].before == i;

		ck_assert_uint_eq(trace.access[i].advised, advised);
		ck_assert_uint_eq(trace_advice(&trace, i), k);
		while (k < trace.nadvice && trace.advice[k].before == i)
			k++;
	}
}

START_TEST(advice_precedes_the_next_access_of_its_process_or_else_of_any)
{
	load("0 1 3 R 50 100 0 1\n1 2 3 R 60 100 0 1\n"
	     "2 1 3 S 50 100 0 50\n3 2 3 R 60 100 1 1\n4 1 3 R 50 100 1 1\n"
	     "5 1 3 D 50 100 7 9\n6 2 3 R 60 100 2 1\n7 2 3 D 60 100 0 0\n");
	advice_is("S@3 0 0+50/100, D@4 file of 0 7+9/100");
	ck_assert_uint_eq(trace.advices, 3);
}
END_TEST

START_TEST(every_kind_is_kept_in_order)
{
	load("0 1 3 N 50 100 0 0\n0 1 3 S 50 100 0 0\n0 1 3 A 50 100 1 2\n0 1 3 J 50 100 0 0\n"
	     "0 1 3 D 50 100 0 5\n0 1 3 R 50 100 0 1\n");
	advice_is(
	    "N@0 0 0+0/100 fresh, S@0 0 0+0/100, A@0 0 1+2/100, J@0 0 0+0/100, D@0 0 0+5/100");
}
END_TEST

START_TEST(advice_makes_no_file_no_process_and_no_open_file)
{
	load("0 1 3 O 50 100 0 0\n1 9 3 S 60 100 0 0\n2 9 4 A 50 100 0 0\n3 9 5 J 50 100 0 0\n"
	     "4 1 3 R 50 100 0 1\n5 1 4 W 70 100 0 1\n6 1 4 S 70 100 0 0\n7 1 3 R 50 100 0 1\n");
	ck_assert_uint_eq(trace.nfiles, 2);
	ck_assert_uint_eq(trace.nopen, 2);
	ck_assert_uint_eq(trace.nprocesses, 1);
	advice_is("A@0 file of 0 0+0/100");
}
END_TEST

START_TEST(an_expectation_holds_until_the_file_is_closed)
{
	load("0 1 3 O 50 9 0 0\n1 1 3 S 50 9 0 0\n2 1 3 R 50 9 0 1\n3 1 3 J 50 9 0 0\n"
	     "4 1 3 C 50 9 0 0\n5 1 3 O 50 9 0 0\n6 1 3 N 50 9 0 0\n7 1 3 S 50 9 0 0\n"
	     "8 1 3 W 50 9 0 1\n9 1 3 R 50 9 0 1\n");
	ck_assert_uint_eq(trace.nopen, 1);
	advice_is("S@0 0 0+0/9 fresh, N@1 0 0+0/9 fresh, S@1 0 0+0/9");
	ck_assert(trace.access[2].fresh);
}
END_TEST

START_TEST(advice_through_a_descriptor_of_another_file_is_about_the_file_alone)
{
	static const char *const expected[] = { "R 0 0 1 1 fresh", "R 1 0 1 1 fresh", "R 0 1 1 1" };

	load("0 1 3 R 50 9 0 1\n1 1 4 R 60 9 0 1\n2 1 3 A 60 9 0 0\n3 1 3 S 60 9 0 0\n"
	     "4 1 3 R 50 9 1 1\n");
	accesses_are(3, expected);
	advice_is("A@2 file of 1 0+0/9");
}
END_TEST

START_TEST(a_length_that_leads_beyond_all_bounds_is_to_the_end_of_the_file)
{
	load("0 1 3 A 50 9 5 " OUT_OF_RANGE "\n1 1 3 A 50 9 5 18446744073709551610\n"
	     "2 1 3 R 50 9 0 1\n");
	advice_is("A@0 0 5+0/9 fresh, A@0 0 5+18446744073709551610/9");
}
END_TEST

START_TEST(advice_does_not_tell_how_large_a_file_is)
{
	load("0 1 3 A 50 99999 0 0\n1 1 3 R 50 8000 0 1\n2 1 3 A 50 400 0 0\n"
	     "3 1 3 R 50 8000 0 1\n");
	ck_assert_uint_eq(trace.file[0].bytes, 8000);
	advice_is("A@0 0 0+0/8000 fresh, A@1 0 0+0/400");
}
END_TEST

START_TEST(advice_is_sorted_by_time_with_the_accesses)
{
	load("20 1 3 S 50 9 0 0\n20 1 3 R 50 9 0 1\n30 1 3 R 50 9 1 1\n"
	     "10 2 3 A 60 9 0 0\n10 2 3 R 60 9 0 1\n20 2 3 D 60 9 0 0\n25 2 3 R 60 9 0 1\n"
	     "20 1 3 N 50 9 0 0\n40 1 3 R 50 9 2 1\n");
	ck_assert_uint_eq(trace.file[0].inode, 60);
	advice_is("A@0 0 0+0/9 fresh, S@1 1 0+0/9 fresh, D@2 0 0+0/9, N@3 1 0+0/9");
}
END_TEST

/* Without the lines that advise, and with them. */
START_TEST(advice_changes_no_access)
{
	static char plain[400 * 60], advised[400 * 60];
	uint64_t    state = 3;

	for (int round = 0; round < 100; round++) {
		struct access *expected;
		size_t	       n, a = 0, p = 0;
		uint64_t       fingerprint;

		for (unsigned i = 0; i < 400; i++) {
			char   letter = "RRRWOCXASDJN"[random_below(&state, 12)], line[80];
			size_t length =
			    (size_t)snprintf(line, sizeof(line), "%u %u %u %c %u 20000 %u %u\n",
				random_below(&state, 8) ? i : random_below(&state, 400),
				random_below(&state, 3), random_below(&state, 4), letter,
				random_below(&state, 5), random_below(&state, 9999), 1u);

			memcpy(advised + a, line, length + 1);
			a += length;
			if (strchr("ASDJN", letter))
				continue;
			memcpy(plain + p, line, length + 1);
			p += length;
		}
		load(plain);
		n = trace.naccess;
		fingerprint = trace.fingerprint;
		ck_assert_uint_eq(trace.nadvice, 0);
		expected = malloc(n * sizeof(*expected));
		memcpy(expected, trace.access, n * sizeof(*expected));
		load(advised);
		ck_assert_uint_gt(trace.nadvice, 0);
		accesses_equal(expected, n);
		check_promises();
		ck_assert_uint_ne(trace.fingerprint, fingerprint);
		free(expected);
	}
}
END_TEST

START_TEST(traces_that_differ_in_advice_alone_have_other_fingerprints)
{
	static const char *const text[] = { "0 1 3 R 5 9 0 1\n1 1 3 R 5 9 0 1\n",
		"0 1 3 R 5 9 0 1\n0 1 3 A 5 9 0 1\n1 1 3 R 5 9 0 1\n",
		"0 1 3 R 5 9 0 1\n0 1 3 A 5 9 0 2\n1 1 3 R 5 9 0 1\n",
		"0 1 3 R 5 9 0 1\n0 1 3 D 5 9 0 1\n1 1 3 R 5 9 0 1\n" };
	uint64_t		 seen[4];

	for (int i = 0; i < 4; i++) {
		load(text[i]);
		seen[i] = trace.fingerprint;
		for (int k = 0; k < i; k++)
			ck_assert_uint_ne(seen[i], seen[k]);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("trace");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, every_allocation_may_fail);
	tcase_add_test(tc, files_are_numbered_by_first_use_and_lie_end_to_end);
	tcase_add_test(tc, a_file_is_as_large_as_it_ever_was);
	tcase_add_test(tc, empty_calls_are_counted_and_dropped);
	tcase_add_test(tc, block_sizes_other_than_4096);
	tcase_add_test(tc, an_open_starts_afresh_and_so_does_another_inode);
	tcase_add_test(tc, a_write_does_not_hide_that_the_first_read_is_fresh);
	tcase_add_test(tc, open_file_numbers_are_used_again_after_a_close_or_an_exit);
	tcase_add_test(tc, what_real_traces_do_is_no_error);
	tcase_add_test(tc, time_counts_from_the_first_access);
	tcase_add_test(tc, the_first_read_in_time_is_fresh_whatever_comes_first_in_the_file);
	tcase_add_test(tc, records_out_of_order_are_sorted_and_files_numbered_anew);
	tcase_add_test(tc, any_shuffle_comes_out_sorted_and_stable);
	tcase_add_test(tc, times_more_than_a_century_apart_are_refused);
	tcase_add_test(tc, mappings_are_counted_or_touched_when_asked);
	tcase_add_test(tc, a_large_mapping_is_touched_in_pieces);
	tcase_add_test(tc, a_trace_of_mappings_alone_says_what_to_do);
	tcase_add_test(tc, what_is_no_trace_is_refused);
	tcase_add_test(tc, damaged_gzip_is_refused_at_the_record_where_it_shows);
	tcase_add_test(tc, a_long_gzip_cut_off_names_the_record);
	tcase_add_test(tc, directories_and_missing_files_are_refused_by_name);
	tcase_add_test(tc, too_many_blocks_are_refused);
	tcase_add_test(tc, a_trace_is_called_by_its_file_s_name);
	tcase_add_test(tc, an_error_on_standard_input_says_so);
	tcase_add_test(tc, advice_precedes_the_next_access_of_its_process_or_else_of_any);
	tcase_add_test(tc, every_kind_is_kept_in_order);
	tcase_add_test(tc, advice_makes_no_file_no_process_and_no_open_file);
	tcase_add_test(tc, an_expectation_holds_until_the_file_is_closed);
	tcase_add_test(tc, advice_through_a_descriptor_of_another_file_is_about_the_file_alone);
	tcase_add_test(tc, a_length_that_leads_beyond_all_bounds_is_to_the_end_of_the_file);
	tcase_add_test(tc, advice_does_not_tell_how_large_a_file_is);
	tcase_add_test(tc, advice_is_sorted_by_time_with_the_accesses);
	tcase_add_test(tc, advice_changes_no_access);
	tcase_add_test(tc, traces_that_differ_in_advice_alone_have_other_fingerprints);
	return run_tests("trace", tc);
}

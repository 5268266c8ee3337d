/* check_measured.c - measured response times: both formats, and what is said of bad ones. */
#include "sim/analysis/measured.h"
#include "tests/unit/loading.h"

static struct measured m;

#define HEADER "seq,arrival_ms,op,lbn,blocks,measured_response_ms,idle_before_ms\n"

static void
load_as(const char *text, enum gap gap)
{
	measured_release(&m);
	scratch_text(text);
	ck_assert_msg(!measured_load(&m, scratch_path, gap, &error), "%s", error.text);
}

/* Loading says "PATH: what". */
static void
says(const char *text, enum gap gap, int exit_code, const char *what)
{
	measured_release(&m);
	scratch_text(text);
	ck_assert_int_eq(measured_load(&m, scratch_path, gap, &error), -1);
	ck_assert_int_eq(strncmp(error.text, scratch_path, strlen(scratch_path)), 0);
	ck_assert_str_eq(error.text + strlen(scratch_path) + 2, what);
	ck_assert_int_eq(error.exit_code, exit_code);
}

static void
refused(const char *text, const char *what)
{
	says(text, GAP_BEFORE, EXIT_FAILED, what);
}

static void
request_is(size_t i, bool write, uint64_t sector, uint32_t sectors, double response_us,
    double idle_us)
{
	const struct measured_request *q = &m.request[i];

	ck_assert_uint_lt(i, m.n);
	ck_assert_int_eq(q->write, write);
	ck_assert_uint_eq(q->sector, sector);
	ck_assert_uint_eq(q->sectors, sectors);
	ck_assert_double_eq_tol(q->response_us, response_us, 1e-6);
	ck_assert_double_eq_tol(q->idle_us, idle_us, 1e-6);
}

static void
teardown(void)
{
	measured_release(&m);
	scratch_remove();
}

START_TEST(csv_is_read_by_the_names_of_its_columns)
{
	load_as(HEADER "0,56.074,R,1975456,4,15.362,56.074\n"
		       "1,99.332,W,1975460,12,3.0245,27.8961\n",
	    GAP_BEFORE);
	ck_assert_uint_eq(m.n, 2);
	request_is(0, false, 1975456, 4, 15362, 56074);
	request_is(1, true, 1975460, 12, 3024.5, 27896.1);
	load_as("blocks,idle_before_ms,remark,lbn,op,measured_response_ms\r\n"
		"8,0,,7,W,1\r\n\r\n",
	    GAP_BEFORE);
	ck_assert_uint_eq(m.n, 1);
	request_is(0, true, 7, 8, 1000, 0);
	ck_assert_uint_eq(m.request[0].line, 2);
}
END_TEST

START_TEST(sequential_is_what_starts_where_the_last_one_ended)
{
	load_as(HEADER "0,0,R,0,4,1,0\n1,0,W,4,4,1,0\n2,0,R,4,4,1,0\n3,0,R,8,4,1,0\n", GAP_BEFORE);
	ck_assert(!m.request[0].sequential);
	ck_assert(m.request[1].sequential);
	ck_assert(!m.request[2].sequential);
	ck_assert(m.request[3].sequential);
}
END_TEST

START_TEST(the_gap_of_disksims_text_comes_before_or_after)
{
	static const char text[] = "R Hit    1975456   4  15362.00000  56074.00000\n"
				   "W\tDoub 311664 30 12628.000000 17035.849408\n"
				   "R Miss 5 1 100 200\n";

	load_as(text, GAP_BEFORE);
	ck_assert_uint_eq(m.n, 3);
	request_is(0, false, 1975456, 4, 15362, 56074);
	request_is(1, true, 311664, 30, 12628, 17035.849408);
	request_is(2, false, 5, 1, 100, 200);
	load_as(text, GAP_AFTER);
	request_is(0, false, 1975456, 4, 15362, 0);
	request_is(1, true, 311664, 30, 12628, 56074);
	request_is(2, false, 5, 1, 100, 17035.849408);
}
END_TEST

START_TEST(csv_has_no_gap_to_choose)
{
	says(HEADER "0,0,R,0,4,1,0\n", GAP_AFTER, EXIT_USAGE,
	    "--gap: CSV has the idle time in a column, idle_before_ms; --gap is for DiskSim's "
	    "text");
}
END_TEST

START_TEST(gzip_is_unpacked_and_must_be_whole)
{
	static const char    text[] = HEADER "0,0,R,0,4,1,0\n1,0,R,9,4,1,0\n";
	static unsigned char packed[4096];
	size_t		     n = gzip_member(text, strlen(text), packed, sizeof(packed));

	scratch_write(packed, n);
	ck_assert_msg(!measured_load(&m, scratch_path, GAP_BEFORE, &error), "%s", error.text);
	ck_assert_uint_eq(m.n, 2);
	measured_release(&m);
	scratch_write(packed, n - 9);
	ck_assert_int_eq(measured_load(&m, scratch_path, GAP_BEFORE, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "the gzip data ends too early"));
}
END_TEST

#define NEEDED                                                                                     \
	"needed is CSV with a first row that names op, lbn, blocks, measured_response_ms "         \
	"and idle_before_ms, or DiskSim's 'R|W flag first_block blocks response_us gap_us'"

START_TEST(what_is_wrong_is_named_by_its_line)
{
	static const char *const bad[][2] = {
		{ "", "no requests in it" },
		{ HEADER, "no requests in it" },
		{ "op,lbn,blocks,response_ms,idle_before_ms\n",
		    "line 1: no column is called measured_response_ms: " NEEDED },
		{ "hello\n", "line 1: not a file of measured requests: " NEEDED },
		{ HEADER "0,0,R,0,4,1,0\n1,0,R,9\n", "line 3: 4 fields instead of 7" },
		{ HEADER "0,0,R,0,4,1,0,9\n", "line 2: 8 fields instead of 7" },
		{ HEADER "0,0,X,0,4,1,0\n", "line 2: op: 'X' is neither R nor W" },
		{ HEADER "0,0,,0,4,1,0\n", "line 2: op: '' is neither R nor W" },
		{ HEADER "0,0,R,x,4,1,0\n", "line 2: lbn: 'x' is not a whole number" },
		{ HEADER "0,0,R,0,0,1,0\n", "line 2: blocks: at least 1 must be moved" },
		{ HEADER "0,0,R,0,5000000000,1,0\n",
		    "line 2: blocks: 5000000000 is too many for one request" },
		{ HEADER "0,0,R,0,4,-1.5,0\n", "line 2: measured_response_ms: -1.5 is negative" },
		{ HEADER "0,0,R,0,4,1,-0.1\n", "line 2: idle_before_ms: -0.1 is negative" },
		{ HEADER "0,0,R,0,4,nan,0\n",
		    "line 2: measured_response_ms: 'nan' is not a number" },
		{ HEADER "0,0,R,0,4,1,4503599627371\n",
		    "line 2: the times add up to more than 142 years" },
		{ HEADER "0,0,R,0,4,3000000000000,0\n1,0,R,0,4,1,3000000000000\n",
		    "line 3: the times add up to more than 142 years" },
		{ "R Hit 0 4 1\n", "line 1: 5 fields: " NEEDED },
		{ "R Hit 0 4 1 1\nQ Hit 0 4 1 1\n",
		    "line 2: the first field: 'Q' is neither R nor W" },
		{ "R Hit 0 4 -1 1\n", "line 1: response: -1 is negative" },
		{ "W Hit 0 0 1 1\n", "line 1: blocks: at least 1 must be moved" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refused(bad[i][0], bad[i][1]);
	scratch_write("R Hit 0 4 1 1\nR \0 0 4 1 1\n", 26);
	ck_assert_int_eq(measured_load(&m, scratch_path, GAP_BEFORE, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "line 2: a zero byte"));
}
END_TEST

START_TEST(there_are_limits_to_columns_and_paths)
{
	char text[1024] = "";

	for (unsigned i = 0; i < 64; i++)
		strcat(text, "op,");
	refused(text, "line 1: 65 columns are too many: " NEEDED);
	ck_assert_int_eq(measured_load(&m, "/no/such/file", GAP_BEFORE, &error), -1);
	ck_assert_str_eq(error.text, "/no/such/file: cannot be opened: No such file or directory");
}
END_TEST

START_TEST(a_request_beyond_the_end_is_named_by_its_line)
{
	char expected[200];

	load_as(HEADER "0,0,R,0,4,1,0\n1,0,R,97,4,1,0\n", GAP_BEFORE);
	ck_assert_int_eq(measured_check(&m, 101, &error), 0);
	ck_assert_int_eq(measured_check(&m, 100, &error), -1);
	snprintf(expected, sizeof(expected),
	    "%s: line 3: 4 sectors from 97 on go beyond the end of the device, which has 100",
	    scratch_path);
	ck_assert_str_eq(error.text, expected);
	load_as(HEADER "0,0,R,18446744073709551615,4,1,0\n", GAP_BEFORE);
	ck_assert_int_eq(measured_check(&m, 100, &error), -1);
	ck_assert_int_eq(measured_check(&m, UINT64_MAX, &error), -1);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("measured");

	tcase_add_checked_fixture(tc, scratch_make, teardown);
	tcase_add_test(tc, csv_is_read_by_the_names_of_its_columns);
	tcase_add_test(tc, sequential_is_what_starts_where_the_last_one_ended);
	tcase_add_test(tc, the_gap_of_disksims_text_comes_before_or_after);
	tcase_add_test(tc, csv_has_no_gap_to_choose);
	tcase_add_test(tc, gzip_is_unpacked_and_must_be_whole);
	tcase_add_test(tc, what_is_wrong_is_named_by_its_line);
	tcase_add_test(tc, there_are_limits_to_columns_and_paths);
	tcase_add_test(tc, a_request_beyond_the_end_is_named_by_its_line);
	return run_tests("measured", tc);
}

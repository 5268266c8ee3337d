/* check_input.c - sim/trace/input.c: lines and bytes of plain and gzip files, and damaged ones. */
#include <sys/stat.h>

#include "sim/trace/input.h"
#include "tests/unit/loading.h"

static const char two_lines[] = "alpha beta\ngamma\n";

static unsigned char packed[SCRATCH_BYTES];

static void
next_is(struct input *in, const char *expected)
{
	char  *line;
	size_t length;

	ck_assert_msg(input_line(in, &line, &length, &error) == 1, "%s", error.text);
	ck_assert_str_eq(line, expected);
	ck_assert_uint_eq(length, strlen(expected));
}

static void
ends(struct input *in)
{
	char  *line;
	size_t length;

	ck_assert_int_eq(input_line(in, &line, &length, &error), 0);
	ck_assert_int_eq(input_line(in, &line, &length, &error), 0);
}

static struct input *
opened(const void *bytes, size_t n)
{
	struct input *in;

	scratch_write(bytes, n);
	in = input_open(scratch_path, &error);
	ck_assert_msg(in != NULL, "%s", error.text);
	return in;
}

static void
has_two_lines(size_t n)
{
	struct input *in = opened(packed, n);

	next_is(in, "alpha beta");
	next_is(in, "gamma");
	ends(in);
	input_close(in);
}

/* All lines of the scratch file: how many, or -1. */
static int
count_lines(char *text, size_t room)
{
	struct input *in = input_open(scratch_path, &error);
	char	     *line;
	size_t	      length, used = 0;
	int	      status, n = 0;

	if (!in)
		return -1;
	while ((status = input_line(in, &line, &length, &error)) > 0 && used + length + 1 < room) {
		memcpy(text + used, line, length);
		text[used + length] = '\n';
		used += length + 1;
		n++;
	}
	text[used] = '\0';
	input_close(in);
	return status < 0 ? -1 : n;
}

START_TEST(lines_come_without_their_ends_and_are_counted)
{
	struct input *in = opened("one\n\nthree\r\nlast", 16);

	ck_assert_uint_eq(input_line_number(in), 0);
	next_is(in, "one");
	next_is(in, "");
	next_is(in, "three\r");
	ck_assert_uint_eq(input_line_number(in), 3);
	next_is(in, "last");
	ends(in);
	ck_assert_uint_eq(input_line_number(in), 4);
	input_close(in);
}
END_TEST

START_TEST(gzip_reads_the_same_in_one_member_or_several_or_padded_with_zeros)
{
	size_t n = gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed));

	has_two_lines(n);
	memset(packed + n, 0, 512);
	has_two_lines(n + 512);
	n = gzip_member(two_lines, 8, packed, sizeof(packed));
	n += gzip_member(two_lines + 8, strlen(two_lines) - 8, packed + n, sizeof(packed) - n);
	has_two_lines(n);
}
END_TEST

START_TEST(gzip_cut_off_anywhere_is_an_error)
{
	size_t n = gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed));
	char   text[256];

	for (size_t cut = 2; cut < n; cut++) {
		scratch_write(packed, cut);
		ck_assert_int_eq(count_lines(text, sizeof(text)), -1);
		ck_assert_str_eq(error.text, "the gzip data ends too early: the file is truncated");
	}
}
END_TEST

START_TEST(a_flipped_bit_in_gzip_never_changes_what_is_read)
{
	size_t n = gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed));
	char   text[256];

	for (size_t bit = 16; bit < n * 8; bit++) {
		packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
		scratch_write(packed, n);
		if (count_lines(text, sizeof(text)) >= 0)
			ck_assert_str_eq(text, two_lines);
		packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
}
END_TEST

START_TEST(something_else_behind_gzip_is_an_error)
{
	size_t n = gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed));
	char   text[256];

	memcpy(packed + n, "more", 4);
	scratch_write(packed, n + 4);
	ck_assert_int_eq(count_lines(text, sizeof(text)), -1);
	ck_assert_str_eq(error.text, "the gzip data is damaged: something else follows its end");
}
END_TEST

START_TEST(a_line_may_have_a_megabyte_and_no_more)
{
	static char   line[3 << 20];
	struct input *in;
	char	     *text;
	size_t	      length;

	memset(line, 'x', sizeof(line));
	line[(1 << 20) - 1] = '\n';
	in = opened(line, 1 << 20);
	ck_assert_int_eq(input_line(in, &text, &length, &error), 1);
	ck_assert_uint_eq(length, (1 << 20) - 1);
	ends(in);
	input_close(in);
	line[(1 << 20) - 1] = 'x';
	in = opened(line, sizeof(line));
	ck_assert_int_eq(input_line(in, &text, &length, &error), -1);
	ck_assert_str_eq(error.text, "the line is longer than 1 MB: this is not a text file");
	ck_assert_uint_eq(input_line_number(in), 1);
	input_close(in);
}
END_TEST

START_TEST(many_lines_survive_the_buffer_s_edges)
{
	static char   text[2 << 20];
	struct input *in;
	size_t	      used = 0;
	char	      line[32];

	for (unsigned i = 0; i < 100000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "line %u\n", i * 37);
	in = opened(packed, gzip_member(text, used, packed, sizeof(packed)));
	for (unsigned i = 0; i < 100000; i++) {
		snprintf(line, sizeof(line), "line %u", i * 37);
		next_is(in, line);
	}
	ends(in);
	input_close(in);
}
END_TEST

START_TEST(a_look_at_the_head_consumes_nothing)
{
	static char   large[200 << 10];
	struct input *in = opened(two_lines, strlen(two_lines));
	size_t	      n;
	const char   *head = input_head(in, &n, &error);

	ck_assert_uint_eq(n, strlen(two_lines));
	ck_assert_mem_eq(head, two_lines, n);
	next_is(in, "alpha beta");
	input_close(in);
	memset(large, '\n', sizeof(large));
	in = opened(large, sizeof(large));
	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	ck_assert_uint_eq(n, 64 << 10);
	input_close(in);
}
END_TEST

START_TEST(bytes_are_all_there_or_none_or_an_error)
{
	struct input *in = opened("abcdefgh", 8);
	char	      buf[8] = "";

	ck_assert_int_eq(input_bytes(in, buf, 3, &error), 1);
	ck_assert_str_eq(buf, "abc");
	ck_assert_int_eq(input_bytes(in, buf, 4, &error), 1);
	ck_assert_str_eq(buf, "defg");
	ck_assert_int_eq(input_bytes(in, buf, 4, &error), -1);
	ck_assert_str_eq(error.text, "the file ends too early: 1 of 4 bytes");
	ck_assert_int_eq(input_bytes(in, buf, 1, &error), 1);
	ck_assert_int_eq(input_bytes(in, buf, 1, &error), 0);
	input_close(in);
}
END_TEST

START_TEST(an_empty_file_is_an_empty_stream)
{
	struct input *in = opened("", 0);
	size_t	      n = 1;

	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	ck_assert_uint_eq(n, 0);
	ends(in);
	ck_assert_uint_eq(input_line_number(in), 0);
	input_close(in);
}
END_TEST

START_TEST(what_cannot_be_read_is_said)
{
	static const char *const magic[] = { "\3757zXZ", "\x28\xb5\x2f\xfd", "BZh9" };
	static const char *const name[] = { "xz", "zstd", "bzip2" };
	char			 expected[128];

	ck_assert_ptr_null(input_open("tests/data/no-such-file", &error));
	ck_assert_str_eq(error.text, "cannot be opened: No such file or directory");
	ck_assert_ptr_null(input_open("tests", &error));
	ck_assert_str_eq(error.text, "is a directory: name a trace file in it");
	for (int i = 0; i < 3; i++) {
		scratch_write(magic[i], strlen(magic[i]));
		ck_assert_ptr_null(input_open(scratch_path, &error));
		snprintf(expected, sizeof(expected),
		    "is compressed with %s: unpack it first, as in "
		    "`%s -dc FILE | bufsim run -`",
		    name[i], name[i]);
		ck_assert_str_eq(error.text, expected);
	}
}
END_TEST

START_TEST(a_file_without_permission_is_refused)
{
	if (geteuid() == 0)
		return; /* root may read anything */
	ck_assert_int_eq(chmod(scratch_path, 0), 0);
	ck_assert_ptr_null(input_open(scratch_path, &error));
	ck_assert_str_eq(error.text, "cannot be opened: Permission denied");
}
END_TEST

START_TEST(a_dash_is_standard_input)
{
	size_t	      n = gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed));
	struct input *in;

	scratch_write(packed, n);
	ck_assert_ptr_nonnull(freopen(scratch_path, "rb", stdin));
	in = input_open("-", &error);
	ck_assert_ptr_nonnull(in);
	next_is(in, "alpha beta");
	input_close(in);
}
END_TEST

START_TEST(a_file_may_grow_but_not_become_shorter)
{
	enum { LINES = 100000, LINE = 10 };
	static char   text[LINES * LINE];
	struct input *in;
	FILE	     *f;
	int	      n = 1, status;
	char	     *line;
	size_t	      length;

	for (int i = 0; i < LINES; i++)
		memcpy(text + i * LINE, "some line\n", LINE);
	scratch_write(text, sizeof(text));
	in = input_open(scratch_path, &error);
	ck_assert_ptr_nonnull(in);
	next_is(in, "some line");
	f = fopen(scratch_path, "a");
	fputs("one more\n", f);
	fclose(f);
	while ((status = input_line(in, &line, &length, &error)) == 1)
		n++;
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(n, LINES + 1);
	input_close(in);
	in = input_open(scratch_path, &error);
	next_is(in, "some line");
	ck_assert_int_eq(truncate(scratch_path, sizeof(text) / 2), 0);
	while ((status = input_line(in, &line, &length, &error)) == 1)
		;
	ck_assert_int_eq(status, -1);
	ck_assert_str_eq(error.text, "became shorter while it was being read");
	input_close(in);
}
END_TEST

struct pieces {
	const char *text;
	size_t	    at;
	bool	    fails;
};

/* One byte at a time. */
static ssize_t
give(void *from, void *to, size_t n, struct error *e)
{
	struct pieces *p = from;

	ck_assert_uint_gt(n, 0);
	if (!p->text[p->at])
		return p->fails ? error_set(e, "the source has failed") : 0;
	*(char *)to = p->text[p->at++];
	return 1;
}

START_TEST(a_function_can_be_the_source)
{
	struct pieces p = { two_lines, 0, false };
	struct input *in = input_from(give, &p, &error);

	ck_assert_msg(in != NULL, "%s", error.text);
	next_is(in, "alpha beta");
	next_is(in, "gamma");
	ends(in);
	ck_assert_int_eq(input_file(in, &error), -1);
	input_close(in);
}
END_TEST

START_TEST(an_error_of_the_source_is_passed_on)
{
	struct pieces p = { two_lines, 0, true };
	struct input *in = input_from(give, &p, &error);
	char	     *line;
	size_t	      length;

	ck_assert_msg(in != NULL, "%s", error.text);
	next_is(in, "alpha beta");
	next_is(in, "gamma");
	ck_assert_int_eq(input_line(in, &line, &length, &error), -1);
	ck_assert_str_eq(error.text, "the source has failed");
	input_close(in);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("input");

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, lines_come_without_their_ends_and_are_counted);
	tcase_add_test(tc, gzip_reads_the_same_in_one_member_or_several_or_padded_with_zeros);
	tcase_add_test(tc, gzip_cut_off_anywhere_is_an_error);
	tcase_add_test(tc, a_flipped_bit_in_gzip_never_changes_what_is_read);
	tcase_add_test(tc, something_else_behind_gzip_is_an_error);
	tcase_add_test(tc, a_line_may_have_a_megabyte_and_no_more);
	tcase_add_test(tc, many_lines_survive_the_buffer_s_edges);
	tcase_add_test(tc, a_look_at_the_head_consumes_nothing);
	tcase_add_test(tc, bytes_are_all_there_or_none_or_an_error);
	tcase_add_test(tc, an_empty_file_is_an_empty_stream);
	tcase_add_test(tc, what_cannot_be_read_is_said);
	tcase_add_test(tc, a_file_without_permission_is_refused);
	tcase_add_test(tc, a_dash_is_standard_input);
	tcase_add_test(tc, a_file_may_grow_but_not_become_shorter);
	tcase_add_test(tc, a_function_can_be_the_source);
	tcase_add_test(tc, an_error_of_the_source_is_passed_on);
	return run_tests("input", tc);
}

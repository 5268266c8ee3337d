/* check_input.c - sim/trace/input.c: lines and bytes of plain and packed files, and damaged ones. */
#include <sys/stat.h>

#include "sim/trace/input.h"
#include "sim/trace/unpack/unpack.h"
#include "tests/unit/loading.h"

static const char two_lines[] = "alpha beta\ngamma\n";

static unsigned char packed[SCRATCH_BYTES];
static int	     current; /* of the test that runs */

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

/* The next four run for each packing. */
static size_t
member(const char *bytes, size_t n, unsigned char *out)
{
	return pack_member(packings[current]->name, bytes, n, out,
	    sizeof(packed) - (size_t)(out - packed));
}

START_TEST(a_packing_reads_the_same_in_one_member_or_several_or_padded_with_zeros)
{
	size_t n;

	current = _i;
	n = member(two_lines, strlen(two_lines), packed);
	if (!n)
		return;
	has_two_lines(n);
	memset(packed + n, 0, 512);
	has_two_lines(n + 512);
	n = member(two_lines, 8, packed);
	n += member(two_lines + 8, strlen(two_lines) - 8, packed + n);
	has_two_lines(n);
	n = member(two_lines, 8, packed);
	memset(packed + n, 0, 13);
	n += 13 + member(two_lines + 8, strlen(two_lines) - 8, packed + n + 13);
	has_two_lines(n);
	n = member("", 0, packed);
	n += member(two_lines, strlen(two_lines), packed + n);
	has_two_lines(n);
}
END_TEST

START_TEST(a_packing_cut_off_anywhere_is_an_error)
{
	size_t n, first;
	char   text[256], expected[128];

	current = _i;
	n = first = member(two_lines, strlen(two_lines), packed);
	if (!n)
		return;
	n += member(two_lines, strlen(two_lines), packed + n);
	snprintf(expected, sizeof(expected), "the %s data ends too early: the file is truncated",
	    packings[_i]->name);
	for (size_t cut = packings[_i]->magic; cut < n; cut++) {
		if (cut == first)
			continue;
		scratch_write(packed, cut);
		REQUIRE(count_lines(text, sizeof(text)) == -1, "%s cut at %zu", packings[_i]->name,
		    cut);
		ck_assert_str_eq(error.text, expected);
	}
}
END_TEST

START_TEST(a_flipped_bit_in_a_packing_never_changes_what_is_read)
{
	size_t n;
	char   text[256];

	current = _i;
	n = member(two_lines, strlen(two_lines), packed);
	for (size_t bit = packings[_i]->magic * 8; bit < n * 8; bit++) {
		packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
		scratch_write(packed, n);
		if (count_lines(text, sizeof(text)) >= 0)
			ck_assert_str_eq(text, two_lines);
		packed[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
}
END_TEST

START_TEST(something_else_behind_a_packing_is_an_error)
{
	size_t n;
	char   text[256], expected[128];

	current = _i;
	n = member(two_lines, strlen(two_lines), packed);
	if (!n)
		return;
	memcpy(packed + n, "more", 4);
	scratch_write(packed, n + 4);
	ck_assert_int_eq(count_lines(text, sizeof(text)), -1);
	snprintf(expected, sizeof(expected),
	    "the %s data is damaged: something else follows its end", packings[_i]->name);
	ck_assert_str_eq(error.text, expected);
}
END_TEST

/* Output that waits inside the library when all input is taken. */
START_TEST(a_packing_unpacks_to_much_more_than_it_is)
{
	enum { LONG = 3 << 20 };
	static char   line[LONG];
	struct input *in;
	size_t	      n, length, lines = 0;
	char	     *text;
	int	      status;

	current = _i;
	memset(line, 'x', sizeof(line));
	for (size_t i = 999; i < LONG; i += 1000)
		line[i] = '\n';
	n = member(line, sizeof(line), packed);
	if (!n)
		return;
	in = opened(packed, n);
	while ((status = input_line(in, &text, &length, &error)) == 1)
		lines++;
	ck_assert_msg(status == 0, "%s", error.text);
	ck_assert_uint_eq(lines, LONG / 1000 + 1);
	input_close(in);
}
END_TEST

/* As parallel packers write it: a frame to be skipped stands first. */
START_TEST(zstd_may_begin_with_a_frame_to_be_skipped)
{
	static const unsigned char skipped[] = { 0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4 };
	size_t			   n =
	    pack_member("zstd", two_lines, strlen(two_lines), packed + sizeof(skipped), 1000);

	if (!n)
		return;
	memcpy(packed, skipped, sizeof(skipped));
	has_two_lines(sizeof(skipped) + n);
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

/* Lines, then the head again, which may be in the middle of the stream. */
static void
reads_twice(const void *bytes, size_t n)
{
	struct input *in = opened(bytes, n);
	uint64_t      length, again, checksum;
	size_t	      head;

	ck_assert_str_eq(input_path(in), scratch_path);
	ck_assert_ptr_nonnull(input_head(in, &head, &error));
	ck_assert(input_rewinds(in));
	next_is(in, "alpha beta");
	next_is(in, "gamma");
	ends(in);
	checksum = input_checksum(in, &length);
	ck_assert_int_eq(input_rewind(in, &error), 0);
	ck_assert_uint_eq(input_line_number(in), 0);
	next_is(in, "alpha beta");
	next_is(in, "gamma");
	ck_assert_uint_eq(input_line_number(in), 2);
	ends(in);
	ck_assert_uint_eq(input_checksum(in, &again), checksum);
	ck_assert_uint_eq(length, again);
	input_close(in);
}

START_TEST(a_file_is_read_again_from_its_beginning)
{
	reads_twice(two_lines, strlen(two_lines));
	reads_twice("\xef\xbb\xbf"
		    "alpha beta\ngamma",
	    19);
	reads_twice(packed, gzip_member(two_lines, strlen(two_lines), packed, sizeof(packed)));
}
END_TEST

START_TEST(a_pipe_is_not_read_again)
{
	int	      ends_of[2], in_before = dup(STDIN_FILENO);
	struct input *in;

	ck_assert_int_eq(pipe(ends_of), 0);
	ck_assert_int_eq(write(ends_of[1], "abc", 3), 3);
	close(ends_of[1]);
	dup2(ends_of[0], STDIN_FILENO);
	in = input_open("-", &error);
	ck_assert_ptr_nonnull(in);
	ck_assert(!input_rewinds(in));
	input_close(in);
	dup2(in_before, STDIN_FILENO);
}
END_TEST

START_TEST(files_beside_the_first_count_rewind_and_close_with_it)
{
	struct input *in = opened(two_lines, strlen(two_lines)), *beside;
	uint64_t      bytes, alone = input_checksum(in, &bytes);

	ck_assert_ptr_null(input_beside(in, "/nowhere/at/all", &error));
	beside = input_beside(in, "tests/data/small.txt", &error);
	ck_assert_ptr_nonnull(beside);
	input_note(beside, "a note");
	ck_assert_str_eq(input_noted(in, 0, &(uint64_t){ 0 }), "a note");
	next_is(beside, "# time_us pid fd op inode file_size offset length");
	next_is(in, "alpha beta");
	ck_assert(input_checksum(in, &bytes) != alone);
	ck_assert_uint_gt(bytes, strlen(two_lines));
	ck_assert_int_eq(input_rewind(in, &error), 0);
	next_is(beside, "# time_us pid fd op inode file_size offset length");
	next_is(in, "alpha beta");
	input_close(in);
}
END_TEST

/* Files one behind the other have several. */
START_TEST(a_mark_is_no_part_of_a_line)
{
	struct input *in = opened("\xef\xbb\xbf"
				  "a\n\xef\xbb\xbf"
				  "b\n",
	    10);
	size_t	      n;

	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	next_is(in, "a");
	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	ck_assert_uint_eq(n, 5);
	next_is(in, "b");
	input_close(in);
	in = opened("\xef\xbb\xbf"
		    "a\n",
	    5);
	next_is(in, "a"); /* without a look at the head */
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
	ck_assert_ptr_null(input_open("tests/data/no-such-file", &error));
	ck_assert_str_eq(error.text, "cannot be opened: No such file or directory");
	ck_assert_ptr_null(input_open("tests", &error));
	ck_assert_str_eq(error.text, "is a directory: name a trace file in it");
}
END_TEST

/* Its first bytes, and what is said; a library that is missing is named. */
START_TEST(what_is_not_unpacked_here_says_what_to_type)
{
	static const char *const refused[][2] = {
		{ "PK\3\4",
		    "is a zip archive: unpack one member of it, as in "
		    "`unzip -p FILE MEMBER | bufsim run -`" },
		{ "7z\xbc\xaf\x27\x1c",
		    "is a 7-Zip archive: unpack one member of it, as in "
		    "`7z x -so FILE MEMBER | bufsim run -`" },
		{ "\x04\x22\x4d\x18",
		    "is compressed with lz4: unpack it first, as in "
		    "`lz4 -dc FILE | bufsim run -`" },
		{ "\x1f\x9d",
		    "is compressed with compress: unpack it first, as in "
		    "`uncompress -c FILE | bufsim run -`" },
	};
	const struct packing missing = { "zstd", "libzstd", "zstd -dc", ".zst", 4, 0, NULL, NULL,
		NULL, NULL };

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		scratch_text(refused[i][0]);
		ck_assert_ptr_null(input_open(scratch_path, &error));
		ck_assert_str_eq(error.text, refused[i][1]);
	}
	ck_assert_int_eq(unpack_missing(&missing, &error), -1);
	ck_assert_str_eq(error.text,
	    "is compressed with zstd, and this bufsim was built without libzstd: unpack it first, "
	    "as in `zstd -dc FILE | bufsim run -`");
}
END_TEST

/* Plain and packed. */
START_TEST(a_tar_archive_says_what_to_type)
{
	static const char expected[] = "is a tar archive: unpack one member of it, as in "
				       "`tar -xOf FILE MEMBER | bufsim run -`";
	char		  tar[1024] = "member.txt";

	memcpy(tar + 257, "ustar", 6);
	scratch_write(tar, sizeof(tar));
	ck_assert_ptr_null(input_open(scratch_path, &error));
	ck_assert_str_eq(error.text, expected);
	for (current = 0; packings[current]; current++) {
		size_t n =
		    pack_member(packings[current]->name, tar, sizeof(tar), packed, sizeof(packed));

		scratch_write(packed, n);
		if (!n)
			continue;
		ck_assert_ptr_null(input_open(scratch_path, &error));
		ck_assert_str_eq(error.text, expected);
	}
}
END_TEST

START_TEST(names_lose_the_endings_of_packings)
{
	ck_assert_uint_eq(unpack_name("a.txt.gz"), 5);
	ck_assert_uint_eq(unpack_name("a.txt.zst"), 5);
	ck_assert_uint_eq(unpack_name("a.txt.xz"), 5);
	ck_assert_uint_eq(unpack_name("a.bz2"), 1);
	ck_assert_uint_eq(unpack_name("A.TXT.GZ"), 5);
	ck_assert_uint_eq(unpack_name("a.txt"), 5);
	ck_assert_uint_eq(unpack_name(".gz"), 3);
}
END_TEST

START_TEST(a_mark_is_skipped_in_text_only)
{
	struct input *in = opened("\xef\xbb\xbf"
				  "a\n",
	    5);
	char	      bytes[4];
	size_t	      n;

	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	ck_assert_uint_eq(n, 2);
	input_close(in);
	in = opened("\xef\xbb\xbf\0", 4);
	ck_assert_ptr_nonnull(input_head(in, &n, &error));
	ck_assert_int_eq(input_bytes(in, bytes, 4, &error), 1);
	input_close(in);
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
	input_close(in);
}
END_TEST

START_TEST(what_cannot_be_mapped_is_copied_to_a_file)
{
	struct pieces p = { two_lines, 0, false };
	struct input *in = input_from(give, &p, &error);
	char	      text[64];
	int	      fd;

	ck_assert_msg(in != NULL, "%s", error.text);
	fd = input_file(in, &error);
	ck_assert_msg(fd >= 0, "%s", error.text);
	ck_assert_int_eq(pread(fd, text, sizeof(text), 0), (ssize_t)strlen(two_lines));
	ck_assert_mem_eq(text, two_lines, strlen(two_lines));
	input_close(in);
	ck_assert_int_eq(pread(fd, text, 1, 0), -1);
	p = (struct pieces){ two_lines, 0, true };
	in = input_from(give, &p, &error);
	ck_assert_msg(in != NULL, "%s", error.text);
	ck_assert_int_eq(input_file(in, &error), -1);
	ck_assert_str_eq(error.text, "the source has failed");
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
	int    n = 0;

	while (packings[n])
		n++;

	tcase_add_checked_fixture(tc, scratch_make, scratch_remove);
	tcase_add_test(tc, lines_come_without_their_ends_and_are_counted);
	tcase_add_loop_test(tc,
	    a_packing_reads_the_same_in_one_member_or_several_or_padded_with_zeros, 0, n);
	tcase_add_loop_test(tc, a_packing_cut_off_anywhere_is_an_error, 0, n);
	tcase_add_loop_test(tc, a_flipped_bit_in_a_packing_never_changes_what_is_read, 0, n);
	tcase_add_loop_test(tc, something_else_behind_a_packing_is_an_error, 0, n);
	tcase_add_loop_test(tc, a_packing_unpacks_to_much_more_than_it_is, 0, n);
	tcase_add_test(tc, zstd_may_begin_with_a_frame_to_be_skipped);
	tcase_add_test(tc, a_line_may_have_a_megabyte_and_no_more);
	tcase_add_test(tc, many_lines_survive_the_buffer_s_edges);
	tcase_add_test(tc, a_look_at_the_head_consumes_nothing);
	tcase_add_test(tc, bytes_are_all_there_or_none_or_an_error);
	tcase_add_test(tc, a_file_is_read_again_from_its_beginning);
	tcase_add_test(tc, a_pipe_is_not_read_again);
	tcase_add_test(tc, files_beside_the_first_count_rewind_and_close_with_it);
	tcase_add_test(tc, a_mark_is_no_part_of_a_line);
	tcase_add_test(tc, an_empty_file_is_an_empty_stream);
	tcase_add_test(tc, what_cannot_be_read_is_said);
	tcase_add_test(tc, what_is_not_unpacked_here_says_what_to_type);
	tcase_add_test(tc, a_tar_archive_says_what_to_type);
	tcase_add_test(tc, names_lose_the_endings_of_packings);
	tcase_add_test(tc, a_mark_is_skipped_in_text_only);
	tcase_add_test(tc, a_file_without_permission_is_refused);
	tcase_add_test(tc, a_dash_is_standard_input);
	tcase_add_test(tc, a_file_may_grow_but_not_become_shorter);
	tcase_add_test(tc, a_function_can_be_the_source);
	tcase_add_test(tc, what_cannot_be_mapped_is_copied_to_a_file);
	tcase_add_test(tc, an_error_of_the_source_is_passed_on);
	return run_tests("input", tc);
}

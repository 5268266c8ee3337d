/* check_accusim.c - traces/accusim.c: AccuSim's .tr, written here record by record. */
#include "sim/trace/format.h"
#include "tests/unit/loading.h"

extern const struct format format_accusim;

enum { NEW, FORK, EXIT, READ, WRITE, OPEN, CLOSE, SEEK, SEEKL, STAT, PREAD = 13, PWRITE };

static unsigned char bytes[1 << 16];
static size_t	     n;

static void
setup(void)
{
	scratch_make();
	n = 0;
}

static void
put(uint32_t value, unsigned width)
{
	for (; width; width--, value >>= 8)
		bytes[n++] = (unsigned char)value;
}

static void
head(unsigned type, uint32_t pid, uint32_t word)
{
	put(type | pid << 5, 4);
	put(word, 4);
}

/* Reads, writes and seeks; of a seek, length is the new position. */
static void
call(unsigned type, uint32_t pid, uint32_t inode, uint32_t fd, uint32_t length, uint32_t iotime,
    uint32_t file_size)
{
	head(type, pid, inode);
	for (int i = 0; i < 3; i++)
		put(0xdeadbeef, 4); /* return addresses */
	put(99999, 4);		    /* asked for */
	put(length, 4);
	put(fd, 2);
	put(0xffff, 2); /* padding */
	put(iotime, 4);
	put(file_size, 4);
}

static void
positioned(unsigned type, uint32_t pid, uint32_t inode, uint32_t fd, uint32_t length,
    uint32_t iotime, uint32_t file_size, uint32_t offset)
{
	call(type, pid, inode, fd, length, iotime, file_size);
	put(offset, 4);
}

static void
name(unsigned type, uint32_t pid, uint32_t inode, uint32_t fd, const char *text)
{
	head(type, pid, type == NEW ? (uint32_t)strlen(text) : inode);
	if (type == OPEN) {
		put(0, 4); /* a size that is not read */
		put((uint32_t)strlen(text), 2);
		put(fd, 2);
	}
	memcpy(bytes + n, text, strlen(text));
	n += strlen(text);
}

static void
closed(uint32_t pid, uint32_t inode, uint32_t fd)
{
	head(CLOSE, pid, inode);
	put(fd, 2);
	put(0, 2);
}

static void
loads(void)
{
	ck_assert_msg(!load_bytes(bytes, n), "%s", error.text);
	ck_assert_str_eq(trace.format, "accusim");
}

/* The calls of tests/data/small.txt. */
static void
write_small(void)
{
	name(NEW, 100, 0, 0, "prog");
	name(OPEN, 100, 11, 3, "a");
	call(READ, 100, 11, 3, 4096, 700, 10000);
	call(READ, 100, 11, 3, 4096, 15, 10000);
	call(READ, 100, 11, 3, 1808, 15, 10000);
	head(FORK, 100, 101);
	positioned(PREAD, 101, 11, 3, 50, 10, 10000, 100);
	closed(100, 11, 3);
	name(OPEN, 100, 12, 3, "b");
	call(WRITE, 100, 12, 3, 5000, 30, 0);
	call(WRITE, 100, 12, 3, 5000, 15, 5000);
	closed(100, 12, 3);
	name(OPEN, 100, 11, 3, "a");
	call(SEEK, 100, 11, 3, 5000, 40, 10000);
	call(READ, 100, 11, 3, 100, 45, 10000);
	head(EXIT, 101, 0);
	head(EXIT, 100, 0);
}

START_TEST(it_says_the_same_as_the_text_form)
{
	struct access expected[16];

	ck_assert_int_eq(load_path("tests/data/small.txt", NULL, false), 0);
	ck_assert_uint_eq(trace.naccess, 7);
	memcpy(expected, trace.access, 7 * sizeof(*expected));
	write_small();
	loads();
	accesses_equal(expected, 7);
	ck_assert_uint_eq(trace.exits, 2);
	ck_assert_uint_eq(trace.opens, 3);
	ck_assert_uint_eq(trace.closes, 2);
}
END_TEST

START_TEST(positions_advance_with_read_and_write_but_not_with_pread)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 0 10 20 1", "R 0 7 5 1",
		"W 0 30 1 1", "W 0 0 4 1", "R 0 31 9 1" };

	call(READ, 1, 5, 3, 10, 0, 100);
	call(READ, 1, 5, 3, 20, 0, 100);
	positioned(PREAD, 1, 5, 3, 5, 0, 100, 7);
	call(WRITE, 1, 5, 3, 1, 0, 100);
	positioned(PWRITE, 1, 5, 3, 4, 0, 100, 0);
	call(READ, 1, 5, 3, 9, 0, 100);
	loads();
	accesses_are(6, expected);
}
END_TEST

START_TEST(a_seek_moves_the_position_and_takes_no_time)
{
	static const char *const expected[] = { "R 0 4096 10 1 fresh", "R 0 3000000000 1 1" };

	call(SEEK, 1, 5, 3, 4096, 1000, 3500000000u);
	call(READ, 1, 5, 3, 10, 3, 3500000000u);
	call(SEEK, 1, 5, 3, 3000000000u, 1000, 3500000000u);
	call(READ, 1, 5, 3, 1, 7, 3500000000u);
	loads();
	accesses_are(2, expected);
	ck_assert_int_eq(trace.access[1].time, 7);
}
END_TEST

START_TEST(another_inode_an_open_a_close_and_an_exit_all_start_at_0)
{
	static const char *const expected[] = { "R 0 0 10 1 fresh", "R 1 0 10 1 fresh",
		"R 1 0 10 1 fresh", "R 1 0 10 1 fresh", "R 1 0 10 1 fresh", "R 1 10 10 1" };

	call(READ, 1, 5, 3, 10, 0, 100);
	call(READ, 1, 6, 3, 10, 0, 100);
	name(OPEN, 1, 6, 3, "f");
	call(READ, 1, 6, 3, 10, 0, 100);
	closed(1, 6, 3);
	call(READ, 1, 6, 3, 10, 0, 100);
	head(EXIT, 1, 0);
	call(READ, 1, 6, 3, 10, 0, 100);
	call(READ, 1, 6, 3, 10, 0, 100);
	loads();
	accesses_are(6, expected);
}
END_TEST

START_TEST(inode_0_pid_0_and_descriptor_65535_are_fine)
{
	static const char *const expected[] = { "R 0 0 10 0 fresh", "R 0 10 10 0" };

	call(READ, 0, 0, 65535, 10, 0, 0);
	call(READ, 0, 0, 65535, 10, 0, 0);
	loads();
	accesses_are(2, expected);
}
END_TEST

START_TEST(what_makes_no_sense_is_named)
{
	call(READ, 1, 5, 3, 10, 0, 100);
	call(READ, 1, 5, 3, (uint32_t)-1, 0, 100);
	refuses_bytes(bytes, n, "record 2: at byte 40: negative length: -1");
	n = 40;
	call(SEEK, 1, 5, 3, (uint32_t)-5, 0, 100);
	refuses_bytes(bytes, n, "record 2: at byte 40: seek to a negative position: -5");
	n = 40;
	positioned(PREAD, 1, 5, 3, 4097, 0, 100, 0xfffff000u);
	refuses_bytes(bytes, n,
	    "record 2: at byte 40: 4097 bytes at offset 4294963200: files of this format "
	    "end at 4 GB");
	n = 40;
	head(SEEKL, 1, 5);
	refuses_bytes(bytes, n,
	    "record 2: at byte 40: a record of type 8 (TSEEKL), whose length no "
	    "program defines: write seeks as type 7");
	n = 40;
	head(STAT, 1, 5);
	refuses_bytes(bytes, n,
	    "record 2: at byte 40: a record of type 9 (TSTAT), whose length no "
	    "program defines: write seeks as type 7");
}
END_TEST

START_TEST(types_without_meaning_are_refused)
{
	for (unsigned type = 10; type < 32; type++) {
		if (type == PREAD || type == PWRITE)
			continue;
		n = 0;
		call(READ, 1, 5, 3, 10, 0, 100);
		head(type, 1, 5);
		scratch_write(bytes, n);
		ck_assert_int_eq(load_path(scratch_path, &format_accusim, false), -1);
		ck_assert_ptr_nonnull(
		    strstr(error.text, "which does not exist: the trace is damaged"));
	}
}
END_TEST

START_TEST(a_trace_cut_off_within_a_record_is_an_error)
{
	size_t whole = 0;

	write_small();
	for (size_t cut = 61; cut < n; cut++) {
		int status = load_bytes(bytes, cut);

		if (status)
			ck_assert_ptr_nonnull(strstr(error.text, ": record "));
		whole += status == 0;
	}
	ck_assert_uint_eq(whole, 14); /* between records */
	refuses_bytes(bytes, n - 1,
	    "record 14: at byte 427: the file ends too early: 7 of 8 bytes");
}
END_TEST

START_TEST(damage_is_survived)
{
	write_small();
	survives_damage(bytes, n, 3000);
}
END_TEST

START_TEST(text_is_not_taken_for_it)
{
	refuses("a file of plain text that is no trace\n",
	    "is not a trace that bufsim reads (bufsim list formats): its first line is "
	    "'a file of plain text that is no trace'; --format overrides the recognition");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("accusim");

	tcase_add_checked_fixture(tc, setup, scratch_remove);
	tcase_add_test(tc, it_says_the_same_as_the_text_form);
	tcase_add_test(tc, positions_advance_with_read_and_write_but_not_with_pread);
	tcase_add_test(tc, a_seek_moves_the_position_and_takes_no_time);
	tcase_add_test(tc, another_inode_an_open_a_close_and_an_exit_all_start_at_0);
	tcase_add_test(tc, inode_0_pid_0_and_descriptor_65535_are_fine);
	tcase_add_test(tc, what_makes_no_sense_is_named);
	tcase_add_test(tc, types_without_meaning_are_refused);
	tcase_add_test(tc, a_trace_cut_off_within_a_record_is_an_error);
	tcase_add_test(tc, damage_is_survived);
	tcase_add_test(tc, text_is_not_taken_for_it);
	return run_tests("accusim", tc);
}

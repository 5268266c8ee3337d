/* check_files.c - which paths are one file, by their inodes on this machine; and think times. */
#include <sys/stat.h>

#include "sim/host/record/files.h"
#include "sim/host/record/record.h"
#include "tests/unit/loading.h"

static struct files files;
static char	    other[80];

static void
setup(void)
{
	scratch_make();
	snprintf(other, sizeof(other), "%s.2", scratch_path);
	files = (struct files){ 0 };
}

static void
teardown(void)
{
	files_release(&files);
	unlink(other);
	scratch_remove();
}

static uint32_t
look(const char *path, bool again, uint64_t size)
{
	uint64_t found;
	uint32_t n = files_find(&files, path, again, &error);

	REQUIRE(n, "%s", error.text);
	files_name(&files, n, &found);
	REQUIRE(found == size, "%s: %llu bytes", path, (unsigned long long)found);
	return n;
}

static uint32_t
find(const char *path, uint64_t size)
{
	return look(path, false, size);
}

START_TEST(links_are_one_file_under_the_first_name)
{
	uint64_t size;

	scratch_text("12345");
	find(scratch_path, 5);
	ck_assert_int_eq(link(scratch_path, other), 0);
	ck_assert_uint_eq(find(other, 5), find(scratch_path, 5));
	ck_assert_str_eq(files_name(&files, find(other, 5), &size), scratch_path);
	unlink(other);
	files_release(&files);
	files = (struct files){ 0 };
	ck_assert_int_eq(symlink(scratch_path, other), 0);
	ck_assert_uint_eq(find(other, 5), find(scratch_path, 5));
}
END_TEST

START_TEST(two_files_are_two_and_an_inode_that_is_used_again_is_another)
{
	uint32_t first;

	scratch_text("12345");
	first = find(scratch_path, 5);
	unlink(scratch_path); /* the next file may get its inode */
	for (int i = 0; i < 20; i++) {
		FILE *f;

		unlink(other);
		snprintf(other, sizeof(other), "%s.%d", scratch_path, 3 + i);
		f = fopen(other, "w");
		ck_assert_ptr_nonnull(f);
		fputs("123", f);
		fclose(f);
		ck_assert_uint_ne(find(other, 3), first);
	}
}
END_TEST

/* What replaces a file (rename, or unlink and create) is found when the path is looked up again. */
START_TEST(a_path_may_lead_to_another_file_later)
{
	uint32_t first;

	scratch_text("12345");
	first = find(scratch_path, 5);
	ck_assert_int_eq(rename(scratch_path, other), 0);
	scratch_text("123");
	ck_assert_uint_eq(find(scratch_path, 5), first);
	ck_assert_uint_ne(look(scratch_path, true, 3), first);
	ck_assert_uint_ne(find(scratch_path, 3), first);
	ck_assert_uint_eq(find(other, 5), first);
	ck_assert_uint_ne(look("/no/such/file", true, UINT64_MAX),
	    look("/no/such/file", true, UINT64_MAX));
}
END_TEST

START_TEST(a_file_that_is_gone_is_known_by_its_path)
{
	uint32_t n = find("/no/such/file", UINT64_MAX);

	ck_assert_uint_eq(find("/no/such/file", UINT64_MAX), n);
	ck_assert_uint_ne(find("/no/such/other", UINT64_MAX), n);
	ck_assert_uint_ne(find("/dev/null", UINT64_MAX), n);
}
END_TEST

START_TEST(files_get_their_inodes_or_numbers_past_the_largest)
{
	struct file  file[3] = { { .name = "/no/such/file" }, { .name = scratch_path },
		 { .name = "/no/such/other" } };
	struct trace t = { .file = file, .nfiles = 3 };
	struct stat  st;

	file[0].inode = find(file[0].name, UINT64_MAX);
	file[1].inode = find(scratch_path, 0);
	file[2].inode = find(file[2].name, UINT64_MAX);
	ck_assert_int_eq(stat(scratch_path, &st), 0);
	ck_assert_int_eq(files_number(&files, &t, &error), 0);
	ck_assert_uint_eq(file[1].inode, st.st_ino);
	ck_assert_uint_eq(file[0].inode, st.st_ino + 1);
	ck_assert_uint_eq(file[2].inode, st.st_ino + 2);
}
END_TEST

START_TEST(think_times_are_scaled_by_untraced_to_traced_and_never_stretched)
{
	struct access access[3] = { { .time = 0 }, { .time = 1001 }, { .time = 4000000 } };
	struct step   step = { .time = 1000, .until = 8000 };
	struct trace  t = { .access = access, .naccess = 3, .step = &step, .nsteps = 1 };

	ck_assert_double_eq(record_factor(500, 1000), 0.5);
	ck_assert_double_eq(record_factor(1000, 1000), 1);
	ck_assert_double_eq(record_factor(2000, 1000), 1);
	ck_assert_double_eq(record_factor(-1, 1000), 1);
	trace_scale(&t, 0.25);
	ck_assert_int_eq(step.time, 250);
	ck_assert_int_eq(step.until, 2000);
	ck_assert_int_eq(access[0].time, 0);
	ck_assert_int_eq(access[1].time, 250);
	ck_assert_int_eq(access[2].time, 1000000);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("files");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, links_are_one_file_under_the_first_name);
	tcase_add_test(tc, two_files_are_two_and_an_inode_that_is_used_again_is_another);
	tcase_add_test(tc, a_path_may_lead_to_another_file_later);
	tcase_add_test(tc, a_file_that_is_gone_is_known_by_its_path);
	tcase_add_test(tc, files_get_their_inodes_or_numbers_past_the_largest);
	tcase_add_test(tc, think_times_are_scaled_by_untraced_to_traced_and_never_stretched);
	return run_tests("files", tc);
}

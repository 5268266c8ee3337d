/* check_mapped.c - sim/base/mapped.c: a file that changes while it is mapped is named. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sim/base/mapped.h"
#include "sim/base/output.h"
#include "tests/unit/loading.h"

enum { PAGES = 3, PAGE = 65536 };

static struct mapped	    *file;
static const volatile char  *bytes;
static volatile sig_atomic_t handled;

static void
end_it(const char *text)
{
	output_remove_temporary();
	(void)!write(STDERR_FILENO, text, strlen(text));
	_exit(EXIT_FAILED);
}

static void
start(void)
{
	static const char content[PAGES * PAGE] = "as it was";
	struct timespec	  times[2] = { { 1, 0 }, { 1, 0 } };
	size_t		  n;
	int		  fd;

	scratch_make();
	scratch_write(content, sizeof(content));
	fd = open(scratch_path, O_RDONLY);
	ck_assert_int_eq(futimens(fd, times), 0);
	file = mapped_open(fd, scratch_path, &error);
	ck_assert_ptr_nonnull(file);
	close(fd);
	mapped_catch_faults(end_it);
	bytes = mapped_bytes(file, &n);
	ck_assert_uint_eq(n, sizeof(content));
}

static void
end(void)
{
	if (file)
		mapped_close(file);
	scratch_remove();
}

static bool
same(const void *self)
{
	return *(const bool *)self;
}

static bool
is_good(bool good)
{
	return !mapped_check(file, same, &good, &error);
}

static void
write_into(const char *path)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_eq(pwrite(fd, "now", 3, 0), 3);
	close(fd);
}

/* Do something that faults in a process of its own: its exit status, and what it says. */
static int
ends_with(void (*fault)(void), char said[256])
{
	int	ends[2], status;
	ssize_t n;

	ck_assert_int_eq(pipe(ends), 0);
	if (!fork()) {
		dup2(ends[1], STDERR_FILENO);
		fault();
		_exit(77);
	}
	close(ends[1]);
	n = read(ends[0], said, 255);
	said[n < 0 ? 0 : n] = '\0';
	close(ends[0]);
	wait(&status);
	return status;
}

static void
says(void (*fault)(void), const char *what)
{
	char said[256], expected[256];
	int  status = ends_with(fault, said);

	snprintf(expected, sizeof(expected), "%s: %s", scratch_path, what);
	ck_assert_str_eq(said, expected);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILED);
}

static void
touch_the_end(void)
{
	(void)bytes[(PAGES - 1) * PAGE];
}

static void
raise_segv(void)
{
	raise(SIGSEGV);
}

static void
raise_abort(void)
{
	abort();
}

START_TEST(a_file_as_it_was_is_good)
{
	ck_assert(is_good(false));
	touch_the_end();
}
END_TEST

START_TEST(a_shorter_one_is_an_error_whatever_it_holds)
{
	ck_assert_int_eq(truncate(scratch_path, PAGE), 0);
	ck_assert(!is_good(true));
	ck_assert_str_eq(error.text, "became shorter while it was being read");
	says(touch_the_end, "became shorter while it was being read");
}
END_TEST

START_TEST(a_changed_one_is_an_error_if_its_content_is_different)
{
	write_into(scratch_path);
	ck_assert(!is_good(false));
	ck_assert_str_eq(error.text, "changed while it was being read");
	ck_assert_int_eq(error.exit_code, EXIT_FAILED);
	says(raise_segv, "changed while it was being read");
	says(raise_abort, "changed while it was being read");
	ck_assert(is_good(true));
	ck_assert(is_good(false)); /* until it changes again */
}
END_TEST

START_TEST(one_that_is_replaced_or_removed_stays_as_it_was)
{
	char second[80];

	snprintf(second, sizeof(second), "%s.second", scratch_path);
	fclose(fopen(second, "w"));
	ck_assert_int_eq(rename(second, scratch_path), 0);
	ck_assert(is_good(false));
	touch_the_end();
	unlink(scratch_path);
	ck_assert(is_good(false));
	ck_assert_str_eq((const char *)(uintptr_t)bytes, "as it was");
}
END_TEST

START_TEST(one_that_is_removed_and_cut_is_named_too)
{
	int fd = open(scratch_path, O_WRONLY);

	unlink(scratch_path);
	ck_assert_int_eq(ftruncate(fd, PAGE), 0);
	close(fd);
	says(touch_the_end, "became shorter while it was being read");
}
END_TEST

static void
handle(int number)
{
	handled = number;
}

START_TEST(other_faults_do_what_they_did_before)
{
	char said[256];
	int  status;

	end();
	signal(SIGBUS, SIG_DFL);
	signal(SIGSEGV, handle);
	start();
	status = ends_with((void (*)(void))touch_the_end, said);
	ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 77);
	raise(SIGSEGV);
	ck_assert_int_eq(handled, SIGSEGV);
	if (!fork()) {
		raise(SIGBUS);
		_exit(77);
	}
	wait(&status);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
}
END_TEST

static void
fault_while_writing(void)
{
	char	       path[80];
	struct output *out;

	snprintf(path, sizeof(path), "%s.out", scratch_path);
	out = output_open(path, &error);
	output_bytes(out, "half", 4, &error);
	touch_the_end();
}

START_TEST(no_half_of_an_output_is_left)
{
	char list[160];

	ck_assert_int_eq(truncate(scratch_path, PAGE), 0);
	says(fault_while_writing, "became shorter while it was being read");
	snprintf(list, sizeof(list), "ls %s.out* 2>/dev/null", scratch_path);
	ck_assert_int_ne(system(list), 0);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("mapped");

	tcase_add_checked_fixture(tc, start, end);
	tcase_add_test(tc, a_file_as_it_was_is_good);
	tcase_add_test(tc, a_shorter_one_is_an_error_whatever_it_holds);
	tcase_add_test(tc, a_changed_one_is_an_error_if_its_content_is_different);
	tcase_add_test(tc, one_that_is_replaced_or_removed_stays_as_it_was);
	tcase_add_test(tc, one_that_is_removed_and_cut_is_named_too);
	tcase_add_test(tc, other_faults_do_what_they_did_before);
	tcase_add_test(tc, no_half_of_an_output_is_left);
	return run_tests("mapped", tc);
}

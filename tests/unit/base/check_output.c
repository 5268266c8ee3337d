/* check_output.c - sim/base/output.c: a file appears whole or not at all. */
#define _GNU_SOURCE /* O_TMPFILE, syscall() */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sim/base/output.h"
#include "sim/trace/input.h"
#include "tests/unit/loading.h"

static char directory[64], path[128];
static bool old_file_system; /* without files that have no name */

/* Instead of that of libc. */
int
openat(int folder, const char *name, int flags, ...)
{
	va_list	 arg;
	unsigned mode;

	va_start(arg, flags);
	mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arg, unsigned) : 0;
	va_end(arg);
	if (old_file_system && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, folder, name, flags, mode);
}

static void
start(void)
{
	error = (struct error){ 0 };
	snprintf(directory, sizeof(directory), "/tmp/bufsim-check-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/out", directory);
}

/* The names in the directory, which are removed: how many. */
static int
clear(void)
{
	DIR	      *d = opendir(directory);
	struct dirent *entry;
	char	       name[512];
	int	       n = 0;

	ck_assert_ptr_nonnull(d);
	while ((entry = readdir(d))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(name, sizeof(name), "%s/%s", directory, entry->d_name);
		ck_assert_int_eq(unlink(name), 0);
		n++;
	}
	closedir(d);
	return n;
}

static void
end(void)
{
	clear();
	rmdir(directory);
}

static void
holds(const char *where, const char *expected)
{
	struct input *in = input_open(where, &error);
	char	     *line;
	size_t	      n;

	ck_assert_msg(in != NULL, "%s", error.text);
	ck_assert_int_eq(input_line(in, &line, &n, &error), 1);
	ck_assert_str_eq(line, expected);
	input_close(in);
}

static void
put(const char *where, const char *text)
{
	struct output *out = output_open(where, &error);
	uint64_t       bytes;

	ck_assert_msg(out != NULL, "%s", error.text);
	ck_assert_int_eq(output_bytes(out, text, strlen(text), &error), 0);
	ck_assert_msg(!output_commit(out, &bytes, &error), "%s", error.text);
	ck_assert_uint_gt(bytes, 0);
}

START_TEST(a_file_is_replaced_only_when_the_new_one_is_complete)
{
	struct output *out;
	struct stat    st;
	mode_t	       mask = umask(027);

	old_file_system = _i;
	put(path, "old");
	umask(mask);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0640);
	out = output_open(path, &error);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(output_bytes(out, "new", 3, &error), 0);
	holds(path, "old");
	ck_assert_int_eq(output_commit(out, NULL, &error), 0);
	holds(path, "new");
	out = output_open(path, &error);
	ck_assert_int_eq(output_bytes(out, "newer", 5, &error), 0);
	output_abandon(out);
	holds(path, "new");
	ck_assert_int_eq(clear(), 1);
}
END_TEST

START_TEST(a_name_that_ends_in_gz_is_packed_always_alike)
{
	unsigned char head[2][64] = { { 0 } };
	char	      packed[140];

	snprintf(packed, sizeof(packed), "%s.gz", path);
	for (int i = 0; i < 2; i++) {
		FILE *f;

		put(packed, "some text");
		holds(packed, "some text");
		f = fopen(packed, "rb");
		ck_assert_ptr_nonnull(f);
		ck_assert_uint_gt(fread(head[i], 1, sizeof(head[i]), f), 9);
		fclose(f);
		ck_assert_mem_eq(head[i], "\x1f\x8b", 2);
	}
	ck_assert_mem_eq(head[0], head[1], sizeof(head[0]));
}
END_TEST

START_TEST(a_link_still_leads_to_the_file)
{
	struct stat st;
	char	    to[140];

	snprintf(to, sizeof(to), "%s.link", path);
	put(path, "old");
	ck_assert_int_eq(symlink(path, to), 0);
	put(to, "new");
	holds(path, "new");
	ck_assert_int_eq(lstat(to, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
}
END_TEST

/* Else a file has a name from the start, and a kill leaves it. */
static bool
files_without_names(void)
{
	int fd = open(directory, O_TMPFILE | O_RDWR, 0600);

	close(fd);
	if (fd >= 0 && !access("/proc/self/fd", X_OK))
		return true;
	puts("skipped: a kill leaves nothing: no file without a name here (O_TMPFILE, /proc)");
	return false;
}

START_TEST(a_kill_leaves_nothing)
{
	pid_t child = fork();
	int   status;

	if (!child) {
		struct output *out = output_open(path, &error);

		if (out && !output_bytes(out, "some", 4, &error))
			raise(SIGKILL);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	ck_assert_int_eq(clear(), !files_without_names());
}
END_TEST

/* The path in the directory, for free(). */
static char *
inside(const char *name)
{
	size_t n = strlen(directory) + strlen(name) + 2;
	char  *whole = malloc(n);

	ck_assert_ptr_nonnull(whole);
	snprintf(whole, n, "%s/%s", directory, name);
	return whole;
}

static void
refused(const char *where, const char *why)
{
	char   expected[300];
	size_t n = (size_t)snprintf(expected, sizeof(expected), "%s%s", where, why);

	ck_assert_uint_lt(n, sizeof(expected));
	error = (struct error){ 0 };
	ck_assert_int_eq(output_check(where, &error), -1);
	ck_assert_str_eq(error.text, expected);
	error = (struct error){ 0 };
	ck_assert_ptr_null(output_open(where, &error));
	ck_assert_str_eq(error.text, expected);
}

START_TEST(only_regular_files_are_replaced)
{
	char *nowhere = inside("none/out"), *dangling = inside("dangling"), *fifo = inside("fifo");
	char *below = inside("dangling/out"), *none = inside("none"), makes[200];

	refused("/dev/null", ": not a regular file: choose another name, or - for standard output");
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	refused(fifo, ": not a regular file: choose another name, or - for standard output");
	refused(directory, " is a directory: add the name of a file");
	snprintf(makes, sizeof(makes), ": its folder does not exist: type mkdir -p %s", none);
	refused(nowhere, makes);
	refused("", "the name of the output is empty");
	ck_assert_int_eq(symlink(none, dangling), 0);
	refused(dangling,
	    ": a symbolic link to a file that does not exist: remove it, or choose another name");
	refused(below, ": cannot be written: No such file or directory");
	ck_assert_int_eq(output_check("-", &error), 0);
	free(nowhere);
	free(dangling);
	free(fifo);
	free(below);
	free(none);
}
END_TEST

START_TEST(a_protected_file_stays)
{
	put(path, "old");
	ck_assert_int_eq(chmod(path, 0444), 0);
	ck_assert_int_eq(chmod(directory, 0777), 0);
	if (!geteuid()) /* may write to any file */
		ck_assert_int_eq(seteuid(65534), 0);
	refused(path, ": cannot be written: Permission denied");
	(void)!seteuid(0);
	holds(path, "old");
}
END_TEST

START_TEST(names_and_paths_may_be_as_long_as_the_system_allows)
{
	char  name[NAME_MAX + 2], deep[PATH_MAX + 1];
	char *longest;

	old_file_system = _i;
	memset(name, 'x', sizeof(name));
	name[NAME_MAX] = '\0';
	longest = inside(name);
	put(longest, "text");
	holds(longest, "text");
	put(longest, "more");
	holds(longest, "more");
	ck_assert_int_eq(clear(), 1);
	free(longest);

	memset(deep, '/', sizeof(deep)); /* to PATH_MAX, with the zero at the end */
	memcpy(deep, directory, strlen(directory));
	memcpy(deep + PATH_MAX - 4, "out", 4);
	put(deep, "text");
	holds(deep, "text");
	ck_assert_int_eq(clear(), 1);
	memcpy(deep + PATH_MAX - 4, "outer", 5);
	deep[PATH_MAX] = '\0';
	ck_assert_ptr_null(output_open(deep, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "cannot be written: File name too long"));
	ck_assert_int_eq(strncmp(error.text, directory, strlen(directory)), 0);
}
END_TEST

START_TEST(an_input_is_not_replaced_whatever_it_is_called)
{
	char *hard = inside("hard"), *soft = inside("soft"), *other = inside("other");

	put(path, "input");
	ck_assert_int_eq(link(path, hard), 0);
	ck_assert_int_eq(symlink("out", soft), 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(output_spares((char *[]){ path, hard, soft }[i], path, &error),
		    -1);
		ck_assert_int_eq(error.exit_code, EXIT_USAGE);
		ck_assert_ptr_nonnull(strstr(error.text, "is an input"));
	}
	ck_assert_int_eq(output_spares(other, path, &error), 0);
	ck_assert_int_eq(output_spares("-", path, &error), 0);
	free(hard);
	free(soft);
	free(other);
}
END_TEST

START_TEST(two_outputs_differ)
{
	char *same = inside("./out"), *soft = inside("soft"), *other = inside("other");

	ck_assert_int_eq(output_differs(path, path, &error), -1);
	ck_assert_int_eq(output_differs(path, same, &error), -1);
	ck_assert_int_eq(output_differs(path, other, &error), 0);
	put(path, "one");
	ck_assert_int_eq(symlink("out", soft), 0);
	ck_assert_int_eq(output_differs(path, same, &error), -1);
	ck_assert_int_eq(output_differs(soft, path, &error), -1);
	ck_assert_int_eq(output_differs(path, other, &error), 0);
	ck_assert_int_eq(output_differs(other, path, &error), 0);
	free(same);
	free(soft);
	free(other);
}
END_TEST

START_TEST(a_file_that_cannot_grow_is_an_error_and_leaves_nothing)
{
	static char    text[1 << 20];
	struct rlimit  limit = { 4096, 4096 };
	struct output *out;
	int	       status;

	old_file_system = _i;
	signal(SIGXFSZ, SIG_IGN); /* as main.c does */
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t n = 1 << 13; n <= sizeof(text); n <<= 7) { /* found when closed, and before */
		out = output_open(path, &error);
		ck_assert_ptr_nonnull(out);
		status = output_bytes(out, text, n, &error);
		if (!status)
			status = output_commit(out, NULL, &error);
		else
			output_abandon(out);
		ck_assert_int_eq(status, -1);
		ck_assert_ptr_nonnull(strstr(error.text, "out: cannot be written: File too large"));
		ck_assert_int_eq(clear(), 0);
	}
}
END_TEST

START_TEST(an_interrupt_leaves_nothing)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

	old_file_system = _i;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		pid_t child = fork();
		int   status;

		if (!child) {
			signal(numbers[i], SIG_DFL);
			if (output_open(path, &error))
				raise(numbers[i]);
			_exit(0);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
		ck_assert_int_eq(clear(), 0);
	}
}
END_TEST

START_TEST(a_second_interrupt_waits_for_the_first)
{
	struct sigaction now;
	struct output	*out;

	old_file_system = true;
	signal(SIGINT, SIG_DFL);
	out = output_open(path, &error);
	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(sigaction(SIGINT, NULL, &now), 0);
	ck_assert_int_eq(sigismember(&now.sa_mask, SIGINT), 1);
	ck_assert_int_eq(sigismember(&now.sa_mask, SIGTERM), 1);
	ck_assert_int_eq(now.sa_flags & SA_NODEFER, 0);
	output_abandon(out);
	ck_assert_int_eq(clear(), 0);
}
END_TEST

START_TEST(a_signal_that_is_ignored_stays_so)
{
	struct output *out;

	signal(SIGHUP, SIG_IGN);
	out = output_open(path, &error);
	ck_assert_ptr_nonnull(out);
	raise(SIGHUP);
	ck_assert_int_eq(output_commit(out, NULL, &error), 0);
	ck_assert_int_eq(clear(), 1);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("output");

	tcase_add_checked_fixture(tests, start, end);
	tcase_add_loop_test(tests, a_file_is_replaced_only_when_the_new_one_is_complete, 0, 2);
	tcase_add_test(tests, a_name_that_ends_in_gz_is_packed_always_alike);
	tcase_add_test(tests, a_link_still_leads_to_the_file);
	tcase_add_test(tests, only_regular_files_are_replaced);
	tcase_add_test(tests, a_protected_file_stays);
	tcase_add_loop_test(tests, names_and_paths_may_be_as_long_as_the_system_allows, 0, 2);
	tcase_add_test(tests, an_input_is_not_replaced_whatever_it_is_called);
	tcase_add_test(tests, two_outputs_differ);
	tcase_add_test(tests, a_kill_leaves_nothing);
	tcase_add_loop_test(tests, a_file_that_cannot_grow_is_an_error_and_leaves_nothing, 0, 2);
	tcase_add_loop_test(tests, an_interrupt_leaves_nothing, 0, 2);
	tcase_add_test(tests, a_second_interrupt_waits_for_the_first);
	tcase_add_test(tests, a_signal_that_is_ignored_stays_so);
	return run_tests("output", tests);
}

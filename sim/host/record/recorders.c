/* recorders.c - which of them work here, and their command lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/text.h"
#include "sim/host/record/child.h"
#include "sim/host/record/faults.h"
#include "sim/host/record/recorders.h"

enum { CHUNK = 4096, MINOR = 100 };

/* ---- do they work here? ---- */

static bool
is_installed(const char *program)
{
	struct error ignored = { 0 };
	char	    *path = child_find(program, &ignored);
	bool	     found = path;

	free(path);
	return found;
}

/* Run a command: does it succeed, and print that?  first: the first line of what it prints. */
static bool
succeeds(const char *command, const char *wanted, char *first, size_t room)
{
	char  line[CHUNK];
	bool  found = false;
	FILE *in = popen(command, "r");

	*first = '\0';
	while (in && fgets(line, sizeof(line), in)) {
		if (!*first)
			text_clean(first,
			    strcspn(line, "\n") + 1 < room ? strcspn(line, "\n") + 1 : room, line);
		found |= strstr(line, wanted) != NULL;
	}
	return in && !pclose(in) && found;
}

static int
check_bpftrace(struct error *e)
{
	char first[LOG_REASON];

	if (!is_installed("bpftrace"))
		return error_set(e,
		    "bpftrace is missing: install it, as in `apt install bpftrace`, or type --with "
		    "strace");
	if (succeeds("bpftrace -q -e 'BEGIN { printf(\"works\"); exit(); } "
		     "tracepoint:syscalls:sys_enter_read { @i = (uint64)curtask; "
		     "@f = ((struct task_struct *)curtask)->files; }' 2>&1",
		"works", first, sizeof(first)))
		return 0;
	return error_set(e, "bpftrace does not work here: %s: %s; or type --with strace",
	    *first ? first : "it prints nothing",
	    geteuid() ? "record as root" : "it needs a kernel with BTF and tracefs");
}

static int
check_perf(struct error *e)
{
	char first[LOG_REASON];

	if (!is_installed("perf"))
		return error_set(e,
		    "perf is missing: install linux-perf (Debian), linux-tools-generic (Ubuntu) or "
		    "perf (Fedora, Arch, Alpine), or type --with strace");
	if (!succeeds("perf trace -e openat -- true 2>&1", "openat(", first, sizeof(first)))
		return error_set(e, "perf trace does not work here: %s: %s; or type --with strace",
		    *first ? first : "it prints nothing",
		    geteuid() ? "record as root" : "it needs tracefs");
	return 0;
}

/* Without names, a file that is opened twice is two files. */
static bool
perf_has_names(void)
{
	char first[LOG_REASON];

	return succeeds("perf trace -e openat -- true 2>&1", "filename: \"", first, sizeof(first));
}

static int
check_strace(struct error *e)
{
	if (is_installed("strace"))
		return 0;
	return error_set(e,
	    "strace is missing: install it with apt, dnf, pacman, zypper or apk, as in "
	    "`apt install strace`");
}

/* ---- the table ---- */

/* The calls that the format strace follows; those that a machine does not have are left out. */
#define CALLS                                                                                      \
	"trace=%process,?read,?readv,?pread64,?preadv,?preadv2,?write,?writev,?pwrite64,?pwritev," \
	"?pwritev2,?open,?openat,?openat2,?creat,?close,?close_range,?dup,?dup2,?dup3,?fcntl,"     \
	"?fcntl64,?lseek,?_llseek,?fstat,?fstat64,?newfstatat,?fstatat64,?statx,?ftruncate,"       \
	"?ftruncate64,?fallocate,?fadvise64,?fadvise64_64,?readahead,?mmap,?mmap2,?sendfile,"      \
	"?sendfile64,?copy_file_range,?splice,?pipe,?pipe2,?io_uring_setup,?io_uring_enter,"       \
	"?io_submit,?rename,?renameat,?renameat2,?link,?linkat,?symlink,?symlinkat,?unlink,"       \
	"?unlinkat,?chdir,?fchdir"

/* BPFTRACE_STRLEN: of paths; the most that every version takes. */
static const char *const bpftrace_words[] = { "sh", "-c",
	"BPFTRACE_STRLEN=200 exec bpftrace -q -B line -e \"$0\" \"$1\" \"$2\" >\"$3\" 2>&1 </dev/null",
	recorder_recipe, RECORDER_PID, RECORDER_OWN, RECORDER_LOG, NULL };
static const char *const perf_words[] = { "perf", "trace", "-o", RECORDER_LOG, "--", NULL };
static const char *const strace_words[] = { "strace", "-f", "-ttt", "-y", "-q", "-s", "0", "-e",
	CALLS, "-e", "abbrev=!io_submit", "-o", RECORDER_LOG, RECORDER_FAST, "--", NULL };

static const struct recorder recorders[] = {
	{ .name = "bpftrace",
	    .format = "text",
	    .words = bpftrace_words,
	    .check = check_bpftrace,
	    .see = log_see_bpftrace,
	    .attaches = true },
	{ .name = "perf",
	    .format = "perf-trace",
	    .words = perf_words,
	    .check = check_perf,
	    .names = perf_has_names,
	    .see = log_see_perf,
	    .nothing = "try: perf trace -o /dev/null true",
	    .by_path = true },
	{ .name = "strace",
	    .format = "strace",
	    .words = strace_words,
	    .check = check_strace,
	    .see = log_see_strace,
	    .nothing = "is ptrace permitted here? Try: strace -o /dev/null true",
	    .fast = "--seccomp-bpf", /* stops at the calls that are traced only */
	    .fast_since = 5 * MINOR + 3,
	    .by_path = true },
};

enum { RECORDERS = sizeof(recorders) / sizeof(*recorders) };

bool
recorder_is_fast(const struct recorder *r)
{
	FILE *in = r->fast ? popen("strace -V 2>/dev/null", "r") : NULL;
	int   major = 0, minor = 0;
	bool  told = in && fscanf(in, "strace -- version %d.%d", &major, &minor) == 2;
	char  rest[CHUNK];

	while (in && fread(rest, 1, sizeof(rest), in))
		;
	if (in)
		pclose(in);
	return told && major * MINOR + minor >= r->fast_since;
}

/* The last, which is the one that most machines have, says what it lacks. */
static const struct recorder *
cheapest(struct error *e)
{
	for (size_t i = 0; i < RECORDERS; i++) {
		const struct recorder *r = &recorders[i];

		*e = (struct error){ 0 };
		if (!r->check(e) && (!r->names || r->names()))
			return r;
	}
	return NULL;
}

const struct recorder *
recorder_choose(unsigned which, bool faults, struct error *e)
{
	const struct recorder *last = &recorders[RECORDERS - 1];
	const struct recorder *r = which ? &recorders[which - 1] : last;

	if (which == RECORDER_AUTO && !faults)
		return cheapest(e);
	if (faults && r != last) {
		error_usage(e, "--mmap faults goes with --with %s, not %s", last->name, r->name);
		return NULL;
	}
	return r->check(e) || (faults && faults_check(e)) ? NULL : r;
}

/* tracer.c - the command line of strace, its pipe, and signals while it works. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/host/record/child.h"
#include "sim/host/record/tracer.h"

/* The calls that the format strace follows; those that a machine does not have are left out. */
#define CALLS                                                                                      \
	"trace=%process,?read,?readv,?pread64,?preadv,?preadv2,?write,?writev,?pwrite64,?pwritev," \
	"?pwritev2,?open,?openat,?openat2,?creat,?close,?close_range,?dup,?dup2,?dup3,?fcntl,"     \
	"?fcntl64,?lseek,?_llseek,?fstat,?fstat64,?newfstatat,?fstatat64,?statx,?ftruncate,"       \
	"?ftruncate64,?fallocate,?fadvise64,?fadvise64_64,?readahead,?mmap,?mmap2,?sendfile,"      \
	"?sendfile64,?copy_file_range,?splice,?pipe,?pipe2,?io_uring_setup,?io_uring_enter,"       \
	"?io_submit,?rename,?renameat,?renameat2,?link,?linkat,?symlink,?symlinkat,?unlink,"       \
	"?unlinkat,?chdir,?fchdir"

enum {
	PIPE_BYTES = 1 << 20,
	CHUNK = 1 << 16,
	WAIT_MS = 200,
	PATIENCE_US = 1000000, /* until background processes are mentioned */
	OWN_WORDS = 32,
	OLD_MAJOR = 5, /* before 5.3 there is no --seccomp-bpf */
	OLD_MINOR = 3
};

/* ---- strace and its command line ---- */

int
tracer_check(struct error *e)
{
	char *path = child_find("strace", e);

	if (!path)
		return error_set(e,
		    "strace is missing: install it with apt, dnf, pacman, zypper or apk, as in "
		    "`apt install strace`");
	free(path);
	e->exit_code = 0;
	return 0;
}

/* Can it stop at the calls that are traced only?  That is several times faster. */
static bool
has_filter(void)
{
	FILE *in = popen("strace -V 2>/dev/null", "r");
	int   major = 0, minor = 0;
	bool  told = in && fscanf(in, "strace -- version %d.%d", &major, &minor) == 2;
	char  rest[CHUNK];

	while (in && fread(rest, 1, sizeof(rest), in))
		;
	if (in)
		pclose(in);
	return told && (major > OLD_MAJOR || (major == OLD_MAJOR && minor >= OLD_MINOR));
}

/* The words of the whole command line, to be freed: perf trace ... strace ... PROGRAM ... */
static char **
make_words(const struct tracer *t, char *const argv[])
{
	const char *const perf[] = { "perf", "trace", "-F", "all", "--no-syscalls", "-o",
		t->faults_channel.path, "--", NULL };
	const char *const strace[] = { "strace", "-f", "-ttt", "-y", "-q", "-s", "0", "-e", CALLS,
		"-e", "abbrev=!io_submit", "-o", t->log_channel.path,
		has_filter() ? "--seccomp-bpf" : NULL, NULL };
	size_t		  n = 0, nargv = 0;
	const char	**word;

	while (argv[nargv])
		nargv++;
	word = calloc(nargv + OWN_WORDS, sizeof(*word));
	if (!word)
		return NULL;
	for (size_t i = 0; t->with_faults && perf[i]; i++)
		word[n++] = perf[i];
	for (size_t i = 0; strace[i]; i++)
		word[n++] = strace[i];
	word[n++] = "--";
	for (size_t i = 0; i < nargv; i++)
		word[n++] = argv[i];
	return (char **)(uintptr_t)word;
}

static int
open_channel(struct channel *c, struct error *e)
{
	int fd[2];

	if (pipe(fd))
		return error_set(e, "no pipe: %s", strerror(errno));
	c->from = fd[0];
	c->to = fd[1];
	fcntl(c->from, F_SETFD, FD_CLOEXEC);
	fcntl(c->to, F_SETFD, FD_CLOEXEC);
	fcntl(c->from, F_SETFL, O_NONBLOCK);
#ifdef F_SETPIPE_SZ
	fcntl(c->from, F_SETPIPE_SZ, PIPE_BYTES); /* a larger one is a wish only */
#endif
	snprintf(c->path, sizeof(c->path), "/proc/%ld/fd/%d", (long)getpid(), c->to);
	return 0;
}

static void
close_end(int *fd)
{
	if (*fd > 0)
		close(*fd);
	*fd = 0;
}

int
tracer_start(struct tracer *t, char *const argv[], bool with_faults, struct error *e)
{
	char *path, **word;

	*t = (struct tracer){ .with_faults = with_faults };
	if (open_channel(&t->log_channel, e) ||
	    (with_faults && open_channel(&t->faults_channel, e)))
		return -1;
	path = child_find(with_faults ? "perf" : "strace", e);
	word = path ? make_words(t, argv) : NULL;
	if (path && !word)
		error_no_memory(e);
	t->child = word ? child_start(path, word, false, e) : -1;
	free(word);
	free(path);
	return t->child < 0 ? -1 : 0;
}

/* ---- while it works ---- */

/* Who traces the program: to be ended if its background processes should not be waited for. */
static void
find_strace(struct tracer *t)
{
	char  path[TRACER_PATH], line[TRACER_PATH];
	int   number = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%u/status", t->log.pid);
	in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in))
		if (sscanf(line, "TracerPid: %d", &number) == 1)
			break;
	if (in)
		fclose(in);
	t->strace = number > 0 ? number : t->child;
	t->program = number > 0 ? (pid_t)t->log.pid : t->child;
}

/* A signal to bufsim alone is for the program; after its end, any ends the recording. */
static void
handle_signal(struct tracer *t)
{
	bool sent;
	int  number = child_signal(&sent);

	if (!number)
		return;
	if (t->log.over)
		kill(t->strace ? t->strace : t->child, SIGKILL);
	else if (sent)
		kill(t->program ? t->program : t->child, number);
}

/* The program has ended, and strace waits for processes that it has left. */
static void
tell_of_background(struct tracer *t)
{
	if (!t->log.over || t->told)
		return;
	if (!t->over_at)
		t->over_at = child_clock();
	if (child_clock() - t->over_at < PATIENCE_US)
		return;
	t->told = true;
	fputs("bufsim: the program has ended; processes that it started are still recorded: "
	      "Ctrl-C ends them and the recording\n",
	    stderr);
}

/* The bytes that are there: their number; 0: none now; -1: there will be no more. */
static ssize_t
receive(struct channel *c, char *to, size_t n)
{
	ssize_t got = read(c->from, to, n);

	if (got > 0) {
		close_end(&c->to); /* the other program has opened it */
		return got;
	}
	return got == 0 || (errno != EAGAIN && errno != EINTR) ? -1 : 0;
}

static int
take_faults(struct tracer *t, struct error *e)
{
	char	chunk[CHUNK];
	ssize_t got = 0;

	while (
	    t->faults_channel.from && (got = receive(&t->faults_channel, chunk, sizeof(chunk))) > 0)
		if (faults_add(&t->faults, chunk, (size_t)got, e))
			return -1;
	if (got < 0)
		close_end(&t->faults_channel.from);
	return 0;
}

/* Wait for either pipe, a little. */
static void
wait_for_bytes(const struct tracer *t)
{
	struct pollfd fds[2] = { { .fd = t->log_ended ? -1 : t->log_channel.from,
				     .events = POLLIN },
		{ .fd = t->faults_channel.from ? t->faults_channel.from : -1, .events = POLLIN } };

	poll(fds, 2, WAIT_MS);
}

/* Has the child ended without a line of its log?  Then nothing keeps the pipe open but bufsim. */
static void
see_child(struct tracer *t)
{
	siginfo_t info = { 0 };

	if (!waitid(P_PID, (id_t)t->child, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid) {
		close_end(&t->log_channel.to);
		close_end(&t->faults_channel.to);
	}
}

ssize_t
tracer_read(void *tracer, void *to, size_t n, struct error *e)
{
	struct tracer *t = tracer;
	char	       chunk[CHUNK];
	size_t	       taken;
	ssize_t	       got;

	while (!(taken = log_take(&t->log, to, n))) {
		got = receive(&t->log_channel, chunk, sizeof(chunk));
		t->log_ended = got < 0;
		if (got < 0)
			return 0;
		if (got > 0 && log_add(&t->log, chunk, (size_t)got, e))
			return -1;
		if (take_faults(t, e))
			return -1;
		if (t->log.pid && !t->strace)
			find_strace(t);
		handle_signal(t);
		if (!got) {
			tell_of_background(t);
			see_child(t);
			wait_for_bytes(t);
		}
	}
	return (ssize_t)taken;
}

void
tracer_end_faults(struct tracer *t)
{
	struct error e = { 0 };

	while (t->faults_channel.from && !take_faults(t, &e) && t->faults_channel.from) {
		see_child(t);
		wait_for_bytes(t);
	}
}

int
tracer_end(struct tracer *t)
{
	char	     ignored[CHUNK];
	struct error e = { 0 };
	int	     status;

	while (t->log_channel.from && tracer_read(t, ignored, sizeof(ignored), &e) > 0)
		;
	tracer_end_faults(t);
	close_end(&t->log_channel.from); /* strace must not wait for bufsim */
	status = child_wait(t->child);
	return t->log.over ? t->log.status : status;
}

void
tracer_release(struct tracer *t)
{
	close_end(&t->log_channel.from);
	close_end(&t->log_channel.to);
	close_end(&t->faults_channel.from);
	close_end(&t->faults_channel.to);
	log_release(&t->log);
	faults_release(&t->faults);
}

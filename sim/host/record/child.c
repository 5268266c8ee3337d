/* child.c - fork, exec, wait. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/stop.h"
#include "sim/host/record/child.h"

enum { DROP_BYTES = 1 << 16 };

/* ---- the file of a program ---- */

static int
refuse(const char *name, int number, struct error *e)
{
	error_set(e, "%s: cannot be started: %s", name,
	    number == ENOENT ? "there is no such program" : strerror(number));
	e->exit_code = number == ENOENT ? CHILD_NOT_FOUND : CHILD_NOT_EXECUTABLE;
	return -1;
}

/* 0, or an errno. */
static int
executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return errno == ENOTDIR ? ENOENT : errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

/* An empty folder is the current one. */
static char *
join(const char *folder, size_t n, const char *name)
{
	char *path = malloc(n + strlen(name) + 3);

	if (path)
		sprintf(path, "%.*s/%s", n ? (int)n : 1, n ? folder : ".", name);
	return path;
}

static char *
search(const char *name, const char *folders, int *number)
{
	char *path;

	*number = ENOENT;
	for (const char *at = folders;; at++) {
		size_t n = strcspn(at, ":");
		int    status;

		path = join(at, n, name);
		status = path ? executable(path) : ENOMEM;
		if (!status)
			return path;
		/* not of a folder that is closed to this user: PATH may have those of root */
		if (status == ENOMEM || (status == EACCES && !access(path, F_OK)))
			*number = status;
		free(path);
		at += n;
		if (!*at)
			return NULL;
	}
}

char *
child_find(const char *name, struct error *e)
{
	const char *folders = getenv("PATH");
	char	   *path = NULL;
	int	    number = ENOENT;

	if (strchr(name, '/')) {
		number = executable(name);
		path = number ? NULL : strdup(name);
	} else if (*name) {
		path = search(name, folders ? folders : "/usr/bin:/bin", &number);
	}
	if (!path)
		refuse(name, number, e);
	return path;
}

/* ---- signals ---- */

static struct sigaction	     before[STOP_SIGNALS];
static volatile sig_atomic_t last_signal, last_sent;

static void
note_signal(int number, siginfo_t *info, void *context)
{
	last_signal = number;
	last_sent = info->si_code <= 0;
}

void
child_catch_signals(void)
{
	struct sigaction ours = { .sa_sigaction = note_signal, .sa_flags = SA_SIGINFO };

	last_signal = 0;
	signal(SIGCHLD,
	    SIG_DFL); /* ignored, as some start programs, it would hide how a child ended */
	stop_catch(&ours, before);
}

int
child_signal(bool *sent)
{
	int number = last_signal;

	last_signal = 0;
	*sent = last_sent;
	return number;
}

/* From the fork until the child has its own dispositions: a signal must not be lost between. */
static void
block_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (int i = 0; i < STOP_SIGNALS; i++)
		sigaddset(&set, stop_signal[i]);
	sigprocmask(how, &set, NULL);
}

/* ---- starting ---- */

/* In a process of its own: read what is written, until no program can write any more. */
static void
drop_all(const int from[2], const int keep[2])
{
	char drop[DROP_BYTES];

	close(from[1]);
	close(keep[0]);
	close(keep[1]);
	for (int i = 0; i < STOP_SIGNALS; i++)
		signal(stop_signal[i], SIG_IGN);
	while (read(from[0], drop, sizeof(drop)) > 0)
		;
	_exit(0);
}

/* In the child: a stream goes into a pipe that is emptied. */
static void
drop_stream(int fd, const int keep[2])
{
	int   to[2];
	pid_t drain;

	if (isatty(fd) || pipe(to))
		return;
	drain = fork();
	if (!drain && !fork()) /* the program has no child that it does not know */
		drop_all(to, keep);
	if (!drain)
		_exit(0);
	if (drain > 0) {
		waitpid(drain, NULL, 0);
		dup2(to[1], fd);
	}
	close(to[0]);
	close(to[1]);
}

/* Until the parent says so; its end is the end of this process, too. */
static void
wait_for_release(struct held *h)
{
	char	word;
	ssize_t got;

	close(h->release[1]);
	while ((got = read(h->release[0], &word, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(CHILD_NOT_EXECUTABLE);
}

static void
become(const char *path, char *const argv[], enum child_how how, struct held *h)
{
	const int *report = h->report;
	int	   number;

	stop_restore(before);
	block_signals(SIG_UNBLOCK);
	signal(SIGXFSZ, SIG_DFL);
	if (how == CHILD_APART) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGINT);
	}
	if (how == CHILD_HELD)
		wait_for_release(h);
	if (how == CHILD_QUIET) {
		drop_stream(STDOUT_FILENO, report);
		drop_stream(STDERR_FILENO, report);
	}
	execv(path, argv);
	number = errno;
	if (write(report[1], &number, sizeof(number)) < 0)
		_exit(CHILD_NOT_FOUND);
	_exit(CHILD_NOT_EXECUTABLE);
}

static int
cannot_start(const char *name, int number, struct error *e)
{
	refuse(name, number, e);
	return -1;
}

/* A pipe that programs do not inherit. */
static int
private_pipe(int end[2])
{
	if (pipe(end))
		return -1;
	fcntl(end[0], F_SETFD, FD_CLOEXEC);
	fcntl(end[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void
close_pipe(const int end[2])
{
	close(end[0]);
	close(end[1]);
}

static int
fork_child(const char *path, char *const argv[], enum child_how how, struct held *h,
    struct error *e)
{
	int number;

	if (private_pipe(h->report))
		return cannot_start(argv[0], errno, e);
	if (private_pipe(h->release)) {
		close_pipe(h->report);
		return cannot_start(argv[0], errno, e);
	}
	block_signals(SIG_BLOCK);
	h->pid = fork();
	if (!h->pid)
		become(path, argv, how, h);
	block_signals(SIG_UNBLOCK);
	number = errno;
	close(h->report[1]);
	if (h->pid > 0)
		return 0;
	close(h->report[0]);
	close_pipe(h->release);
	return cannot_start(argv[0], number, e);
}

/* The program has the place of the child, or has told why not. */
static int
see_start(struct held *h, const char *name, struct error *e)
{
	int number = 0;

	while (read(h->report[0], &number, sizeof(number)) < 0 && errno == EINTR)
		;
	close(h->report[0]);
	close_pipe(h->release);
	if (!number)
		return 0;
	child_wait(h->pid);
	return cannot_start(name, number, e);
}

pid_t
child_start(const char *path, char *const argv[], enum child_how how, struct error *e)
{
	struct held h;

	return fork_child(path, argv, how, &h, e) || see_start(&h, argv[0], e) ? -1 : h.pid;
}

int
child_hold(const char *path, char *const argv[], struct held *h, struct error *e)
{
	return fork_child(path, argv, CHILD_HELD, h, e);
}

int
child_release(struct held *h, const char *name, struct error *e)
{
	if (write(h->release[1], "", 1) != 1)
		return error_set(e, "%s: cannot be released: %s", name, strerror(errno));
	return see_start(h, name, e);
}

void
child_give_up(struct held *h)
{
	close_pipe(h->release);
	close(h->report[0]);
	child_wait(h->pid);
}

int
child_wait(pid_t child)
{
	int  status, number;
	bool sent;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return 0;
		number = last_signal;
		sent = last_sent;
		if (number && sent)
			kill(child, number);
		last_sent = 0;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

usec_t
child_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (usec_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* tracer.c - the command line of a recorder, its pipe, and signals while it works. */
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

enum {
	PIPE_BYTES = 1 << 20,
	CHUNK = 1 << 16,
	WAIT_MS = 200,
	PATIENCE_US = 1000000, /* until background processes are mentioned */
	STOP_US = 5000000,     /* a recorder that does not end by itself is ended */
	OWN_WORDS = 32
};

/* ---- its command line ---- */

/* A word of the recorder's; NULL: it falls out. */
static const char *
word_of(const struct tracer *t, const char *word, const char *pid)
{
	if (!strcmp(word, RECORDER_LOG))
		return t->log_channel.path;
	if (!strcmp(word, RECORDER_PID))
		return pid;
	if (!strcmp(word, RECORDER_OWN))
		return t->own;
	if (!strcmp(word, RECORDER_FAST))
		return recorder_is_fast(t->recorder) ? t->recorder->fast : NULL;
	return word;
}

/* The words of the whole command line, to be freed: perf trace ... strace ... PROGRAM ... */
static char **
make_words(const struct tracer *t, const char *pid, char *const argv[])
{
	const char *const perf[] = { "perf", "trace", "-F", "all", "--no-syscalls", "-o",
		t->faults_channel.path, "--", NULL };
	size_t		  n = 0, nargv = 0;
	const char	**word;

	while (argv[nargv])
		nargv++;
	word = calloc(nargv + OWN_WORDS, sizeof(*word));
	if (!word)
		return NULL;
	for (size_t i = 0; t->with_faults && perf[i]; i++)
		word[n++] = perf[i];
	for (const char *const *own = t->recorder->words; *own; own++) {
		word[n] = word_of(t, *own, pid);
		n += word[n] != NULL;
	}
	for (size_t i = 0; !t->recorder->attaches && i < nargv; i++)
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

/* The recipe sees this call of bufsim's, which does nothing; a signal could come at a bad time. */
static void
stop_recorder(struct tracer *t)
{
	if (!t->stopped) {
		close(RECORDER_LAST_FD);
		t->stopped_at = child_clock();
	}
	t->stopped = true;
}

/* The recipe may miss that call: events are lost, or a container has its own process numbers. */
static void
end_recorder(const struct tracer *t)
{
	usec_t since = t->stopped ? child_clock() - t->stopped_at : 0;

	if (since > STOP_US)
		kill(t->child, since > 2 * STOP_US ? SIGKILL : SIGINT);
}

/* A signal to bufsim alone is for the program; after its end, any ends the recording. */
static void
handle_signal(struct tracer *t)
{
	bool sent;
	int  number = child_signal(&sent);

	if (!number)
		return;
	if (t->log.over && t->recorder->attaches && !t->stopped)
		stop_recorder(t);
	else if (t->log.over)
		kill(t->strace ? t->strace : t->child, SIGKILL);
	else if (sent)
		kill(t->program ? t->program : t->child, number);
}

/* The program has ended, and strace waits for processes that it has left. */
static void
tell_of_background(struct tracer *t)
{
	if (!t->log.over || t->told || t->stopped)
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

/* ---- a recorder that attaches ---- */

/* Of the processes in the log: an end may be missing there. */
static bool
any_lives(const struct log *l)
{
	for (uint32_t i = 0; i < l->nliving; i++)
		if (!kill((pid_t)l->living[i], 0) || errno == EPERM)
			return true;
	return false;
}

/* Has the program ended, and have all that it started? */
static void
see_program(struct tracer *t)
{
	siginfo_t info = { 0 };

	if (!t->log.over && !waitid(P_PID, (id_t)t->program, &info, WEXITED | WNOHANG | WNOWAIT) &&
	    info.si_pid) {
		t->log.status = child_wait(t->program);
		t->log.over = true;
	}
	if (t->log.over &&
	    (!t->log.nliving || (child_clock() - t->last_at > PATIENCE_US && !any_lives(&t->log))))
		stop_recorder(t);
	end_recorder(t);
}

static pid_t
start_recorder(const struct tracer *t, const char *pid, char *const argv[], struct error *e)
{
	char **word = make_words(t, pid, argv);
	char  *path = word ? child_find(word[0], e) : NULL;
	pid_t  child = -1;

	if (!word)
		error_no_memory(e);
	if (path)
		child =
		    child_start(path, word, t->recorder->attaches ? CHILD_APART : CHILD_PLAIN, e);
	free(word);
	free(path);
	return child;
}

/* Until the recorder has attached to the program that is held. */
static int
wait_until_ready(struct tracer *t, struct error *e)
{
	char	chunk[CHUNK];
	ssize_t got;
	bool	sent;

	while (!t->log.ready) {
		got = receive(&t->log_channel, chunk, sizeof(chunk));
		if (got > 0 && log_add(&t->log, chunk, (size_t)got, e))
			return -1;
		if (got < 0)
			return error_set(e, "%s ended before it recorded: %s; type --with strace",
			    t->recorder->name, *t->log.said ? t->log.said : "it says nothing");
		if (child_signal(&sent))
			return error_set(e, "interrupted before the program began");
		if (!got) {
			see_child(t);
			wait_for_bytes(t);
		}
	}
	return 0;
}

/* The program is started, held, and released when the recorder has attached to it. */
static int
start_beside(struct tracer *t, char *const argv[], struct error *e)
{
	char	    pid[TRACER_PID];
	char	   *path = child_find(argv[0], e);
	struct held held;
	int	    failed = path ? child_hold(path, argv, &held, e) : -1;

	free(path);
	if (failed)
		return -1;
	snprintf(pid, sizeof(pid), "%ld", (long)held.pid);
	if (!open_channel(&t->log_channel, e)) /* later than the program, which must not hold it */
		t->child = start_recorder(t, pid, argv, e);
	if (t->child > 0 && !wait_until_ready(t, e)) {
		t->log.pid = (uint32_t)held.pid;
		t->program = held.pid;
		t->last_at = t->began = child_clock();
		if (!log_add_process(&t->log, t->log.pid, e) && !child_release(&held, argv[0], e))
			return 0;
	} else {
		child_give_up(&held);
	}
	if (t->child > 0) {
		kill(t->child, SIGKILL);
		child_wait(t->child);
	}
	return -1;
}

int
tracer_start(struct tracer *t, const struct recorder *r, char *const argv[], bool with_faults,
    struct error *e)
{
	*t = (struct tracer){ .recorder = r, .with_faults = with_faults, .log = { .see = r->see } };
	snprintf(t->own, sizeof(t->own), "%ld", (long)getpid());
	if (r->attaches)
		return start_beside(t, argv, e);
	if (open_channel(&t->log_channel, e) ||
	    (with_faults && open_channel(&t->faults_channel, e)))
		return -1;
	t->began = child_clock();
	t->child = start_recorder(t, "", argv, e);
	return t->child < 0 ? -1 : 0;
}

/* ---- the log ---- */

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
		if (t->recorder->attaches)
			see_program(t);
		else if (t->log.pid && !t->strace)
			find_strace(t);
		handle_signal(t);
		if (got)
			t->last_at = child_clock();
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
	close_end(&t->log_channel.from); /* the recorder must not wait for bufsim */
	status = child_wait(t->child);
	if (t->recorder->attaches && !t->log.over) /* the program outlived it */
		return child_wait(t->program);
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

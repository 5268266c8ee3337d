/* workers.c - fork, hand out, collect. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "sim/base/mapped.h"
#include "sim/base/memo.h"
#include "sim/base/stop.h"
#include "sim/base/write.h"
#include "sim/points/workers.h"

enum { WAIT_MS = 100 };

/* The head of a text in the pipe; exit_code 0: the text is the result, else the error. */
struct message {
	size_t point, bytes;
	int    exit_code;
};

struct worker {
	pid_t	       pid;
	struct message message;
	char	      *text;
	size_t	       have; /* bytes of message and text */
};

struct crew {
	const struct points *points;
	point_taker	    *take;
	void		    *to;
	atomic_size_t	    *next;   /* next point to hand out; shared with the workers */
	size_t		     ntaken; /* results and errors received */
	size_t		     failed; /* the first point that failed, so far, or SIZE_MAX */
	struct worker	    *worker;
	struct pollfd	    *pipe; /* of each worker; -1: it has ended */
	unsigned	     nworkers, nrunning;
};

static volatile sig_atomic_t stopped_by;

static void
stop(int signal)
{
	stopped_by = signal;
}

/* ---- in a worker ---- */

static struct {
	int    fd;
	size_t point;
} at_work;

/* A file that the parent has mapped has changed: an error of this point like any other. */
static void
report_fault(const char *text)
{
	struct message m = { at_work.point, strlen(text), EXIT_FAILED };

	if (!write_all(at_work.fd, &m, sizeof(m)))
		write_all(at_work.fd, text, m.bytes);
	_exit(EXIT_FAILED);
}

static int
work(const struct crew *c, int fd)
{
	size_t i;

	at_work.fd = fd;
	mapped_catch_faults(report_fault);
	while ((i = atomic_fetch_add(c->next, 1)) < c->points->n) {
		struct error   e = { 0 };
		struct message m = { .point = i };
		struct memo    memo;
		int	       lost;

		at_work.point = i;
		if (work_make(c->points, i, &memo, &e))
			m.exit_code = e.exit_code;
		m.bytes = m.exit_code ? strlen(e.text) : memo.bytes;
		lost = write_all(fd, &m, sizeof(m)) ||
		    write_all(fd, m.exit_code ? e.text : memo.text, m.bytes);
		free(memo.text);
		if (lost || m.exit_code)
			return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

/* Compute points until none is left, or the parent has ended. */
static void
be_worker(const struct crew *c, pid_t parent, const int ends[2])
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	for (int i = 0; i < STOP_SIGNALS; i++) {
		struct sigaction now;

		if (!sigaction(stop_signal[i], NULL, &now) && now.sa_handler == stop)
			signal(stop_signal[i], SIG_DFL);
	}
	for (unsigned i = 0; i < c->nworkers; i++)
		if (c->pipe[i].fd >= 0)
			close(c->pipe[i].fd);
	close(ends[0]);
	_exit(getppid() == parent ? work(c, ends[1]) : EXIT_FAILURE);
}

/* ---- in the parent ---- */

static int
start_worker(struct crew *c, struct error *e)
{
	int   ends[2];
	pid_t pid, parent = getpid();

	if (pipe(ends) < 0)
		return error_set(e, "no pipe to a worker: %s", strerror(errno));
	pid = fork();
	if (pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return error_set(e, "no worker: %s", strerror(errno));
	}
	if (!pid)
		be_worker(c, parent, ends);
	close(ends[1]);
	c->worker[c->nworkers] = (struct worker){ .pid = pid };
	c->pipe[c->nworkers++] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	c->nrunning++;
	return 0;
}

/* Hand out no further point. */
static void
hand_out_no_more(struct crew *c)
{
	atomic_store(c->next, c->points->n);
}

static int
end_worker(struct crew *c, unsigned i, struct error *e)
{
	int status;

	close(c->pipe[i].fd);
	c->pipe[i].fd = -1;
	c->nrunning--;
	waitpid(c->worker[i].pid, &status, 0);
	if (stopped_by)
		return 0;
	if (WIFSIGNALED(status))
		return error_set(e, "a worker was killed by signal %d%s", WTERMSIG(status),
		    WTERMSIG(status) == SIGKILL ? ": was memory short? Try fewer --jobs" : "");
	if (c->worker[i].have)
		return error_set(e, "a worker ended in the middle of a result");
	return 0;
}

/* A whole message has come from worker i. */
static int
take_message(struct crew *c, struct worker *w, struct error *e)
{
	int failed;

	if (w->message.exit_code) {
		error_set(e, "%s", w->text);
		e->exit_code = w->message.exit_code;
		failed = -1;
	} else {
		failed = c->take(c->to, w->message.point, w->text, w->message.bytes, e);
	}
	if (failed && w->message.point < c->failed)
		c->failed = w->message.point;
	c->ntaken++;
	free(w->text);
	w->text = NULL;
	w->have = 0;
	return failed;
}

static int
receive(struct crew *c, unsigned i, struct error *e)
{
	struct worker *w = &c->worker[i];
	size_t	       head = sizeof(w->message);
	ssize_t	       n;

	if (w->have < head)
		n = read(c->pipe[i].fd, (char *)&w->message + w->have, head - w->have);
	else
		n = read(c->pipe[i].fd, w->text + (w->have - head),
		    head + w->message.bytes - w->have);
	if (n < 0 && errno == EINTR)
		return 0;
	if (n <= 0)
		return end_worker(c, i, e);
	w->have += (size_t)n;
	if (w->have == head) {
		w->text = calloc(1, w->message.bytes + 1);
		if (!w->text)
			return error_set(e, "out of memory for a result");
	}
	return w->have == head + w->message.bytes ? take_message(c, w, e) : 0;
}

static int
collect(struct crew *c, struct error *e)
{
	int failed = 0;

	while (c->nrunning && !stopped_by) {
		/* Not for ever: a signal may have come just before. */
		int ready = poll(c->pipe, c->nworkers, WAIT_MS);

		for (unsigned i = 0; ready > 0 && i < c->nworkers; i++) {
			struct error now = { 0 };
			size_t	     before = c->failed;

			if (c->pipe[i].fd < 0 || !c->pipe[i].revents || !receive(c, i, &now))
				continue;
			if (!failed || c->failed < before)
				*e = now;
			failed = -1;
			hand_out_no_more(c);
		}
	}
	if (!failed && !stopped_by && c->ntaken < c->points->n)
		return error_set(e, "a worker ended before its work was done");
	return failed;
}

static void
dismiss(struct crew *c)
{
	for (unsigned i = 0; i < c->nworkers; i++) {
		struct error ignored;

		if (c->pipe[i].fd >= 0) {
			kill(c->worker[i].pid, SIGKILL);
			end_worker(c, i, &ignored);
		}
		free(c->worker[i].text);
	}
}

static int
run_crew(struct crew *c, struct error *e)
{
	int failed = 0;

	while (!failed && c->nworkers < c->points->jobs && c->nworkers < c->points->n)
		failed = start_worker(c, e);
	if (failed && c->nworkers)
		failed = 0; /* fewer workers can do it */
	if (!failed)
		failed = collect(c, e);
	dismiss(c);
	if (!stopped_by)
		return failed;
	error_set(e, "%s", stop_text((int)stopped_by));
	e->exit_code = EXIT_SIGNALLED + (int)stopped_by;
	return -1;
}

int
work_run(const struct points *p, point_taker *take, void *to, struct error *e)
{
	struct crew	 c = { .points = p, .take = take, .to = to, .failed = SIZE_MAX };
	struct sigaction mine = { .sa_handler = stop }, before[STOP_SIGNALS];
	int		 failed;

	c.next =
	    mmap(NULL, sizeof(*c.next), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	c.worker = calloc(p->jobs, sizeof(*c.worker));
	c.pipe = calloc(p->jobs, sizeof(*c.pipe));
	stopped_by = 0;
	stop_catch(&mine, before);
	if (c.next == MAP_FAILED || !c.worker || !c.pipe)
		failed = error_set(e, "out of memory for %u workers", p->jobs);
	else
		failed = run_crew(&c, e);
	stop_restore(before);
	if (c.next != MAP_FAILED)
		munmap(c.next, sizeof(*c.next));
	free(c.worker);
	free(c.pipe);
	return failed;
}

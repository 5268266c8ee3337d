/* program.c - start a program, wait for it, and read its marks. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/memo.h"
#include "sim/base/text.h"
#include "sim/studies/scale/marks.h"
#include "sim/studies/scale/program.h"
#include "sim/studies/scale/seconds.h"

extern char **environ;

static const char place[] = "{threads}";
enum { PLACE = sizeof(place) - 1, SAID_ROOM = 200, TAIL = 1000 };

/* ---- signals ---- */

static volatile sig_atomic_t stopped_by, child;

/* To the program first; if it does not end by that, the second one ends it. */
static void
stop(int number)
{
	int before = errno;

	if (child)
		kill(-(pid_t)child, stopped_by ? SIGKILL : number);
	stopped_by = number;
	errno = before;
}

static int
refuse_stopped(struct error *e)
{
	error_set(e, "%s", stop_text((int)stopped_by));
	e->exit_code = EXIT_SIGNALLED + (int)stopped_by;
	return -1;
}

/* ---- open and close ---- */

static int
open_marks(struct program *p, struct error *e)
{
	const char *folder = getenv("TMPDIR");
	int	    n, fd;

	folder = folder && *folder ? folder : "/tmp";
	n = snprintf(p->path, sizeof(p->path), "%s/bufsim-roi-XXXXXX", folder);
	if (n < 0 || (size_t)n >= sizeof(p->path)) {
		*p->path = '\0'; /* the name of something else */
		return error_set(e, "TMPDIR is too long");
	}
	fd = mkstemp(p->path);
	if (fd < 0) {
		*p->path = '\0';
		return error_set(e, "no file in %s for the marks of the region: %s", folder,
		    strerror(errno));
	}
	p->marks = fdopen(fd, "r+");
	if (p->marks && !fcntl(fd, F_SETFD, FD_CLOEXEC) && !setenv("BUFSIM_ROI", p->path, 1))
		return 0;
	return error_set(e, "no file for the marks of the region: %s", strerror(errno));
}

int
program_open(struct program *p, const char *command, struct error *e)
{
	struct sigaction ours = { .sa_handler = stop };

	*p = (struct program){ .command = command };
	if (!strstr(command, place))
		return error_usage(e,
		    "--run: %s is not in '%s': type it where the number of threads belongs", place,
		    command);
	if (open_marks(p, e)) {
		program_close(p);
		return -1;
	}
	p->said = tmpfile();
	if (!p->said) {
		error_set(e, "no file for what the program says: %s", strerror(errno));
		program_close(p);
		return -1;
	}
	stopped_by = child = 0;
	stop_catch(&ours, p->before);
	return 0;
}

/* A signal finds nothing left behind: files go first. */
void
program_close(struct program *p)
{
	bool caught = p->said != NULL;

	if (*p->path)
		unlink(p->path);
	if (p->marks)
		fclose(p->marks);
	if (p->said)
		fclose(p->said);
	unsetenv("BUFSIM_ROI");
	if (caught && !stopped_by)
		stop_restore(p->before);
	*p = (struct program){ 0 };
}

/* ---- running ---- */

/* Each {threads} is the number. */
static int
fill_in(const char *command, uint32_t threads, struct memo *m, struct error *e)
{
	const char *at;

	if (memo_open(m, e))
		return -1;
	for (; (at = strstr(command, place)); command = at + PLACE)
		fprintf(m->out, "%.*s%" PRIu32, (int)(at - command), command, threads);
	fputs(command, m->out);
	return memo_close(m, e);
}

static int
arrange_streams(posix_spawn_file_actions_t *files, const struct program *p)
{
	int failed =
	    posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	failed = failed
	    ? failed
	    : posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	return failed ? failed
		      : posix_spawn_file_actions_adddup2(files, fileno(p->said), STDERR_FILENO);
}

/* A group of its own: a signal reaches all that the program has started.  0, or an errno. */
static int
arrange_group(posix_spawnattr_t *how)
{
	sigset_t none;
	int	 failed = posix_spawnattr_setpgroup(how, 0);

	sigemptyset(&none);
	failed = failed ? failed : posix_spawnattr_setsigmask(how, &none);
	return failed ? failed
		      : posix_spawnattr_setflags(how,
			    (short)(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK));
}

/* 0, or an errno. */
static int
spawn(const struct program *p, char *command, pid_t *pid)
{
	char			   sh[] = "sh", c[] = "-c";
	char			  *argv[] = { sh, c, command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t	   how;
	int			   failed = posix_spawn_file_actions_init(&files);

	if (failed)
		return failed;
	failed = posix_spawnattr_init(&how);
	if (!failed) {
		failed = arrange_streams(&files, p);
		failed = failed ? failed : arrange_group(&how);
		failed = failed ? failed : posix_spawn(pid, "/bin/sh", &files, &how, argv, environ);
		posix_spawnattr_destroy(&how);
	}
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

/*
 * A signal between the start and here has not reached it.  What a shell has started by & ignores the
 * signal of Ctrl-C: it ends after its shell, whose number is not another's until it is waited for.
 */
static int
wait_for(pid_t pid)
{
	siginfo_t ended;
	int	  status = 0;

	child = (sig_atomic_t)pid;
	if (stopped_by)
		kill(-pid, (int)stopped_by);
	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	child = 0;
	if (stopped_by)
		kill(-pid, SIGTERM);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* ---- times ---- */

/* Start it, and wait for its end; r has all times but that of the region. */
static int
time_program(const struct program *p, char *command, int *status, struct timed_run *r,
    struct error *e)
{
	struct rusage before, after;
	double	      began;
	pid_t	      pid;
	int	      failed;

	getrusage(RUSAGE_CHILDREN, &before);
	began = seconds_now();
	failed = spawn(p, command, &pid);
	if (failed)
		return error_set(e, "sh cannot be started: %s", strerror(failed));
	*status = wait_for(pid);
	r->total = seconds_now() - began;
	getrusage(RUSAGE_CHILDREN, &after);
	r->user = seconds_of(after.ru_utime) - seconds_of(before.ru_utime);
	r->system = seconds_of(after.ru_stime) - seconds_of(before.ru_stime);
	return 0;
}

/* ---- how it ended ---- */

/* The last line that it wrote on standard error, or "". */
static void
last_said(FILE *said, char line[SAID_ROOM])
{
	char   text[TAIL + 1];
	char  *last;
	size_t n;

	*line = '\0';
	if (fseek(said, -TAIL, SEEK_END))
		rewind(said);
	n = fread(text, 1, TAIL, said);
	while (n && (text[n - 1] == '\n' || text[n - 1] == '\0'))
		n--;
	text[n] = '\0';
	last = strrchr(text, '\n');
	text_clean(line, SAID_ROOM, last ? last + 1 : text);
}

static int
explain_end(const struct program *p, int status, struct error *e)
{
	char line[SAID_ROOM];

	last_said(p->said, line);
	if (WIFSIGNALED(status))
		error_set(e, "it was ended by signal %d (%s)%s%s", WTERMSIG(status),
		    strsignal(WTERMSIG(status)), *line ? ": " : "", line);
	else
		error_set(e, "exit status %d%s%s", WEXITSTATUS(status), *line ? ": " : "", line);
	return 1;
}

/* The program may still have what it has written before: files are emptied, not replaced. */
static int
empty(FILE *f, struct error *e)
{
	if (fflush(f) || fseek(f, 0, SEEK_SET) || ftruncate(fileno(f), 0))
		return error_set(e, "a temporary file cannot be emptied: %s", strerror(errno));
	return 0;
}

int
program_run(struct program *p, uint32_t threads, struct timed_run *r, struct error *e)
{
	struct memo command;
	int	    status = 0, failed;

	*r = (struct timed_run){ .threads = threads };
	if (stopped_by)
		return refuse_stopped(e);
	if (empty(p->marks, e) || empty(p->said, e) || fill_in(p->command, threads, &command, e))
		return -1;
	failed = time_program(p, command.text, &status, r, e);
	free(command.text);
	if (failed)
		return -1;
	if (stopped_by)
		return refuse_stopped(e);
	if (status)
		return explain_end(p, status, e);
	if (marks_read(p->marks, &r->region, e))
		return 1;
	if (r->region <= r->total)
		return 0;
	error_set(e,
	    "its region is %g s, more than the %g s of all: both marks need the same clock",
	    r->region, r->total);
	return 1;
}

/* ---- its name ---- */

void
program_name(const char *command, char *name, size_t room)
{
	size_t n;

	for (;; command += n) {
		command += strspn(command, " \t\n({");
		n = strcspn(command, " \t\n");
		if (!memchr(command, '=', n))
			break;
	}
	snprintf(name, room, "%.*s", n ? (int)n : 2, n ? command : "sh");
	text_clean(name, room, name);
	memmove(name, text_file_name(name), strlen(text_file_name(name)) + 1);
}

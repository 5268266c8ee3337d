/*
 * gnuplot.c - run gnuplot.
 *
 * Script, picture and messages stay in memory: gnuplot does not notice a full
 * disk and would leave half a picture.  It sees no settings of the user, and of
 * the environment what it needs to start and to find fonts.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/memo.h"
#include "sim/draw/picture.h"

extern char **environ;

enum { PIECE = 1 << 15, MESSAGE = 512 };

/* ---- the program ---- */

enum { IN, OUT, SAID, ENDS };

static const char *const kept[] = { "PATH=", "HOME=", "LD_LIBRARY_PATH=", "FONTCONFIG_FILE=",
	"FONTCONFIG_PATH=", "XDG_CACHE_HOME=", "XDG_DATA_DIRS=", "XDG_DATA_HOME=" };
static char *const	 given[] = {
	      "LC_ALL=C",	   /* a comma in a number would be read as two */
	      "TZ=UTC0",	   /* is in a PDF beside its date */
	      "CAIRO_DEBUG_PDF=1", /* leave the date of a PDF readable: cairo 1.18 packs it otherwise */
};
enum {
	KEPT = sizeof(kept) / sizeof(*kept),
	GIVEN = sizeof(given) / sizeof(*given),
};

static void
clean_environment(char *clean[KEPT + GIVEN + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < KEPT; i++) {
		char **v = environ;

		while (*v && strncmp(*v, kept[i], strlen(kept[i])) != 0)
			v++;
		if (*v)
			clean[n++] = *v;
	}
	for (size_t i = 0; i < GIVEN; i++)
		clean[n++] = given[i];
	clean[n] = NULL;
}

static int
spawn(const int theirs[ENDS], pid_t *pid)
{
	char			  *argv[] = { "gnuplot", "-d", NULL }; /* no settings of the user */
	char			  *clean[KEPT + GIVEN + 1];
	posix_spawn_file_actions_t files;
	int			   failed = posix_spawn_file_actions_init(&files);

	if (failed)
		return failed;
	for (int i = 0; !failed && i < ENDS; i++)
		failed = posix_spawn_file_actions_adddup2(&files, theirs[i], i);
	clean_environment(clean);
	failed = failed ? failed : posix_spawnp(pid, "gnuplot", &files, NULL, argv, clean);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

static void
close_all(int fd[ENDS])
{
	for (int i = 0; i < ENDS; i++) {
		if (fd[i] >= 0)
			close(fd[i]);
		fd[i] = -1;
	}
}

/* Sockets, because sending to one that is closed can be an error instead of a signal. */
static int
connect_ends(int ours[ENDS], int theirs[ENDS])
{
	for (int i = 0; i < ENDS; i++)
		ours[i] = theirs[i] = -1;
	for (int i = 0; i < ENDS; i++) {
		int both[2];

		if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) < 0)
			return errno;
		ours[i] = both[0];
		theirs[i] = both[1];
		fcntl(both[0], F_SETFD, FD_CLOEXEC);
		fcntl(both[1], F_SETFD, FD_CLOEXEC);
	}
	return 0;
}

/* ---- the conversation ---- */

/* Send a piece; close the end after the last, or if gnuplot no longer reads. */
static void
send_piece(int *to, const struct picture *script, size_t *sent)
{
	ssize_t n =
	    send(*to, script->bytes + *sent, script->n - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n > 0)
		*sent += (size_t)n;
	if (*sent < script->n && (n >= 0 || errno == EINTR || errno == EAGAIN))
		return;
	close(*to);
	*to = -1;
}

/* Receive a piece; close the end after the last. */
static void
receive_piece(int *from, FILE *to)
{
	char	buf[PIECE];
	ssize_t n = recv(*from, buf, sizeof(buf), MSG_DONTWAIT);

	if (n > 0)
		fwrite(buf, 1, (size_t)n, to);
	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return;
	close(*from);
	*from = -1;
}

/* Until gnuplot has closed its output and said everything. */
static void
converse(int ours[ENDS], const struct picture *script, FILE *drawn, FILE *said)
{
	size_t sent = 0;

	while (ours[OUT] >= 0 || ours[SAID] >= 0) {
		struct pollfd ready[ENDS] = { { ours[IN], POLLOUT, 0 }, { ours[OUT], POLLIN, 0 },
			{ ours[SAID], POLLIN, 0 } };

		if (poll(ready, ENDS, -1) < 0 && errno != EINTR)
			return;
		if (ready[IN].revents)
			send_piece(&ours[IN], script, &sent);
		if (ready[OUT].revents)
			receive_piece(&ours[OUT], drawn);
		if (ready[SAID].revents)
			receive_piece(&ours[SAID], said);
	}
}

/* ---- its end ---- */

/* The message of gnuplot: "line 3: undefined variable", or its first line. */
static int
say_why(const char *said, struct error *e)
{
	char first[MESSAGE] = "without a message", line[MESSAGE];
	bool any = false;

	for (size_t n; *said; said += n + (said[n] != '\0')) {
		const char *text = said + strspn(said, " \t");
		bool	    reason = !strncmp(text, "line ", 5);

		n = strcspn(said, "\n");
		if (text >= said + n || (any && !reason))
			continue;
		snprintf(line, sizeof(line), "%.*s", (int)(said + n - text), text);
		if (strstr(line, "warning:"))
			continue;
		strcpy(first, line);
		any = true;
		if (reason)
			break;
	}
	return error_set(e, "gnuplot failed: %s", first);
}

static int
wait_for(pid_t pid, const char *said, struct error *e)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(e, "gnuplot: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(e, "gnuplot was killed by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	return WEXITSTATUS(status) ? say_why(said, e) : 0;
}

static int
cannot_start(int number, struct error *e)
{
	if (number == ENOENT)
		return error_set(e,
		    "gnuplot is not installed: scripts/setup demo does it, or apt install "
		    "gnuplot-nox");
	return error_set(e, "gnuplot cannot be started: %s", strerror(number));
}

/* What gnuplot drew may be lost to a lack of memory, which then is the reason of all else. */
static int
run(const struct picture *script, struct picture *drawn, struct error *e)
{
	int	     ours[ENDS], theirs[ENDS], failed = connect_ends(ours, theirs), ended = 0;
	struct error lost = { 0 };
	struct memo  to, said;
	pid_t	     pid = 0;

	memo_open(&to, &lost);
	memo_open(&said, &lost);
	if (!failed)
		failed = lost.exit_code ? ENOMEM : spawn(theirs, &pid);
	close_all(theirs);
	if (!failed)
		converse(ours, script, to.out, said.out);
	close_all(ours);
	memo_close(&to, &lost);
	memo_close(&said, &lost);
	*drawn = (struct picture){ to.text, to.bytes };
	if (pid)
		ended = wait_for(pid, said.text ? said.text : "", e);
	free(said.text);
	if (failed)
		return cannot_start(failed, e);
	if (lost.exit_code)
		return error_set(e, "out of memory for the picture");
	if (ended)
		return -1;
	return drawn->n ? 0 : error_set(e, "gnuplot has drawn nothing");
}

/* ---- the picture ---- */

/* cairo writes the date into a PDF: replace it by a fixed one. */
static void
forget_date(struct picture *pdf)
{
	static const char before[] = "/CreationDate (D:", same[] = "19700101000000";
	const size_t	  length = sizeof(before) - 1;

	for (size_t i = 0; i + length + sizeof(same) <= pdf->n; i++)
		if (!memcmp(pdf->bytes + i, before, length)) {
			memcpy(pdf->bytes + i + length, same, sizeof(same) - 1);
			return;
		}
}

/* What a piece of gnuplot's SVG becomes; returns its length, 0 if it stays. */
static size_t
replace_piece(const char *at, const struct drawing *d, FILE *to, struct error *e, int *failed)
{
	static const char page[] = "<title>Gnuplot</title>", plot[] = "<title>gnuplot_plot_";
	const char	 *end;

	if (!strncmp(at, page, sizeof(page) - 1)) {
		fputs("<title>", to);
		picture_xml(d->title, to);
		fputs("</title>", to);
		return sizeof(page) - 1;
	}
	if (!strncmp(at, plot, sizeof(plot) - 1) && (end = strstr(at, "</title>")))
		return (size_t)(end - at) + strlen("</title>");
	if (!strncmp(at, "]]>", 3)) { /* which gnuplot does not know to be special */
		fputs("]]&gt;", to);
		return 3;
	}
	if (!strncmp(at, "</svg>", 6) && d->hover)
		*failed = d->hover(d->self, to, e);
	return 0;
}

/* Titles in words, and elements that lie over the picture. */
static int
finish_svg(struct picture *p, const struct drawing *d, struct error *e)
{
	struct memo  done;
	struct error second; /* not reported: the first error says more */
	int	     failed = memo_open(&done, e);

	for (size_t i = 0, n; !failed && i < p->n; i += n) {
		n = p->bytes[i] == '<' || p->bytes[i] == ']'
		    ? replace_piece(p->bytes + i, d, done.out, e, &failed)
		    : 0;
		if (!n) {
			putc(p->bytes[i], done.out);
			n = 1;
		}
	}
	if (memo_close(&done, failed ? &second : e))
		failed = -1;
	free(p->bytes);
	*p = (struct picture){ done.text, done.bytes };
	return failed;
}

int
picture_draw(struct picture *p, const struct drawing *d, struct error *e)
{
	struct memo  script;
	struct error second;
	int	     failed = memo_open(&script, e) || d->script(d->self, script.out, e);

	if (memo_close(&script, failed ? &second : e))
		failed = -1;
	if (!failed)
		failed = run(&(struct picture){ script.text, script.bytes }, p, e);
	free(script.text);
	if (!failed && d->target == PLOT_PDF)
		forget_date(p);
	if (!failed && d->target == PLOT_SVG)
		failed = finish_svg(p, d, e);
	return failed ? -1 : 0;
}

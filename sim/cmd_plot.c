/*
 * cmd_plot.c - bufsim plot: draw what run, sweep and mrc have written as CSV.
 *
 * gnuplot reads the script from a file that has no name, and its picture is
 * read from a pipe and written here, because gnuplot does not notice when a
 * disk is full.  Nobody ever sees half a picture: it is drawn before anything
 * is written, and beside the output, whose name it takes when all is well.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/cmd.h"
#include "sim/output.h"
#include "sim/plot.h"

extern char **environ;

enum { LINE_ROOM = 512 };

/* ---- where to ---- */

static int
target_of(const struct options *o, enum plot_target *target, struct error *e)
{
	static const struct {
		const char	*ending;
		enum plot_target target;
	} known[] = { { ".svg", PLOT_SVG }, { ".png", PLOT_PNG }, { ".pdf", PLOT_PDF } };
	const char *dot;

	*target = o->terminal ? PLOT_SIXEL : PLOT_DUMB;
	if (!o->output)
		return 0;
	dot = strrchr(o->output, '.');
	for (size_t i = 0; dot && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(dot, known[i].ending)) {
			*target = known[i].target;
			return 0;
		}
	return error_usage(e, "--output %s: its name must end in .svg, .png or .pdf", o->output);
}

/* Of the terminal that out is, or 80 x 24. */
static void
terminal_size(FILE *out, unsigned *columns, unsigned *rows)
{
	struct winsize w;

	*columns = 80;
	*rows = 24;
	if (ioctl(fileno(out), TIOCGWINSZ, &w) < 0 || w.ws_col < 40 || w.ws_row < 12)
		return;
	*columns = w.ws_col;
	*rows = w.ws_row - 1u; /* for the prompt */
}

/* ---- gnuplot ---- */

/* "line 3: undefined variable" among what gnuplot has said, or its first words. */
static int
say_why(FILE *said, struct error *e)
{
	char line[LINE_ROOM], first[LINE_ROOM] = "it does not say why";
	bool any = false;

	rewind(said);
	while (fgets(line, sizeof(line), said)) {
		char *text = line + strspn(line, " \t");

		text[strcspn(text, "\n")] = '\0';
		if (!*text || (any && strncmp(text, "line ", 5) != 0))
			continue;
		snprintf(first, sizeof(first), "%s", text);
		any = true;
		if (!strncmp(text, "line ", 5))
			break;
	}
	return error_set(e, "gnuplot failed: %s", first);
}

static int
wait_for(pid_t pid, FILE *said, struct error *e)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(e, "gnuplot: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return error_set(e, "gnuplot was killed by signal %d", WTERMSIG(status));
	return WEXITSTATUS(status) ? say_why(said, e) : 0;
}

struct picture {
	char  *bytes;
	size_t n;
};

static int
spawn(FILE *script, const int to[2], FILE *said, pid_t *pid)
{
	char			  *argv[] = { "gnuplot", "-d", NULL }; /* no settings of the user */
	posix_spawn_file_actions_t files;
	int			   failed = posix_spawn_file_actions_init(&files);

	if (failed)
		return failed;
	failed = posix_spawn_file_actions_adddup2(&files, fileno(script), 0);
	failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, to[1], 1);
	failed = failed ? failed : posix_spawn_file_actions_adddup2(&files, fileno(said), 2);
	failed = failed ? failed : posix_spawn_file_actions_addclose(&files, to[0]);
	failed = failed ? failed : posix_spawnp(pid, "gnuplot", &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return failed;
}

/* All that comes from the pipe; an error number if it cannot be kept. */
static int
collect(int from, struct picture *to)
{
	char	buf[1 << 15];
	FILE   *f = open_memstream(&to->bytes, &to->n);
	ssize_t n = 1;

	if (!f)
		return errno;
	while (n > 0 || (n < 0 && errno == EINTR)) {
		n = read(from, buf, sizeof(buf));
		if (n > 0)
			fwrite(buf, 1, (size_t)n, f);
	}
	return fclose(f) || n < 0 ? errno : 0;
}

/* Let gnuplot do what the script says. */
static int
converse(FILE *script, FILE *said, struct picture *to, struct error *e)
{
	int   ends[2], failed, lost = 0;
	pid_t pid;

	if (pipe(ends) < 0)
		return error_set(e, "no pipe: %s", strerror(errno));
	failed = spawn(script, ends, said, &pid);
	close(ends[1]);
	if (!failed)
		lost = collect(ends[0], to);
	close(ends[0]);
	if (failed == ENOENT)
		return error_set(e,
		    "gnuplot is not installed: scripts/setup demo does it, or apt install "
		    "gnuplot-nox");
	if (failed)
		return error_set(e, "gnuplot: %s", strerror(failed));
	if (wait_for(pid, said, e) < 0)
		return -1;
	if (lost)
		return error_set(e, "the picture: %s", strerror(lost));
	return to->n ? 0 : error_set(e, "gnuplot has drawn nothing");
}

/* What gnuplot makes of the plot. */
static int
draw(const struct plot *p, enum plot_target target, FILE *out, struct picture *to, struct error *e)
{
	FILE	*script = tmpfile(), *said = tmpfile();
	unsigned columns, rows;
	int	 failed = 0;

	if (!script || !said)
		failed = error_set(e, "no temporary file: %s", strerror(errno));
	terminal_size(out, &columns, &rows);
	if (!failed)
		failed = plot_script(p, target, columns, rows, script, e);
	if (!failed && (fflush(script) || ferror(script) || fseek(script, 0, SEEK_SET)))
		failed = error_set(e, "temporary file: %s", strerror(errno));
	if (!failed)
		failed = converse(script, said, to, e);
	if (script)
		fclose(script);
	if (said)
		fclose(said);
	return failed;
}

/* ---- what is drawn ---- */

/* cairo notes when a PDF was made: make it always the same. */
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

/* A new page is no use in a terminal. */
static void
print_text(const struct picture *it, FILE *out)
{
	for (size_t i = 0; i < it->n; i++)
		if (it->bytes[i] != '\f')
			putc(it->bytes[i], out);
}

static int
deliver(struct picture *it, enum plot_target target, const char *path, FILE *out, struct error *e)
{
	if (target == PLOT_PDF)
		forget_date(it);
	if (path)
		return output_whole(path, it->bytes, it->n, e);
	if (target == PLOT_DUMB)
		print_text(it, out);
	else
		fwrite(it->bytes, 1, it->n, out);
	return 0;
}

int
cmd_plot(const struct options *o, FILE *out, struct error *e)
{
	struct plot	 p;
	struct picture	 picture = { 0 };
	enum plot_target target;
	int		 failed = target_of(o, &target, e);

	plot_start(&p, o->y);
	for (unsigned i = 0; !failed && i < o->narguments; i++)
		failed = plot_read(&p, o->argument[i], e);
	if (!failed)
		failed = plot_arrange(&p, o->relative, e);
	if (!failed)
		failed = draw(&p, target, out, &picture, e);
	if (!failed)
		failed = deliver(&picture, target, o->output, out, e);
	free(picture.bytes);
	plot_free(&p);
	return failed;
}

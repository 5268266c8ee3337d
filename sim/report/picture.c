/*
 * picture.c - run gnuplot.
 *
 * gnuplot reads the script from a file that has no name.  The picture is read
 * from a pipe and kept in memory, because gnuplot does not notice a full disk
 * and would leave half a picture.
 *
 * The colours can be distinguished with any colour vision: M. Okabe and K. Ito,
 * "Color Universal Design", 2002, without the yellow, which is faint on white.
 */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/report/picture.h"

extern char **environ;

enum { LINE_ROOM = 512 };

/* ---- the beginning of every script ---- */

int
picture_target(const char *path, enum plot_target *target, struct error *e)
{
	static const struct {
		const char	*ending;
		enum plot_target target;
	} known[] = { { ".svg", PLOT_SVG }, { ".png", PLOT_PNG }, { ".pdf", PLOT_PDF } };
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(dot, known[i].ending)) {
			*target = known[i].target;
			return 0;
		}
	return error_usage(e, "--output %s: its name must end in .svg, .png or .pdf", path);
}

const char *
picture_colour(size_t i)
{
	static const char *const colours[PICTURE_COLOURS] = { "#0072b2", "#d55e00", "#009e73",
		"#cc79a7", "#000000", "#e69f00", "#56b4e9" };

	return colours[i % PICTURE_COLOURS];
}

void
picture_text(const char *text, FILE *script)
{
	putc('\'', script);
	for (const char *c = text; *c; c++) {
		if (*c == '\'')
			putc('\'', script);
		putc((unsigned char)*c < ' ' || *c == 127 ? '?' : *c, script);
	}
	putc('\'', script);
}

unsigned
picture_letters(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

const char *
picture_skip(const char *text, unsigned n)
{
	while (*text && n)
		n -= (*++text & 0xc0) != 0x80;
	return text;
}

void
picture_canvas(enum plot_target target, unsigned width, unsigned height, FILE *script)
{
	double w = width, h = height;

	switch (target) {
	case PLOT_SVG:
		fprintf(script,
		    "set terminal svg standalone noenhanced size %.0f,%.0f dynamic background 'white' "
		    "font 'Helvetica,Arial,sans-serif,13'\n",
		    w, h);
		break;
	case PLOT_PDF:
		fprintf(script,
		    "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'Sans,9' "
		    "fontscale 1 linewidth 1.2 pointscale 0.6\n",
		    w / 96, h / 96);
		break;
	case PLOT_PNG:
		fprintf(script,
		    "set terminal pngcairo noenhanced size %.0f,%.0f font 'Sans,9.5' fontscale 2 "
		    "linewidth 2 pointscale 2\n",
		    2 * w, 2 * h);
		break;
	default:
		fprintf(script,
		    "set terminal sixelgd noenhanced truecolor size %.0f,%.0f font 'Sans,9.5' "
		    "background 'white'\n",
		    w, h);
	}
}

/* ---- gnuplot ---- */

/* The message of gnuplot: "line 3: undefined variable", or its first line. */
static int
say_why(FILE *said, struct error *e)
{
	char line[LINE_ROOM], first[LINE_ROOM] = "without a message";
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

/* Read the pipe to its end; an error number if there is no memory. */
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

/* Run gnuplot with the script. */
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

int
picture_draw(struct picture *p, enum plot_target target, picture_script *write, const void *self,
    struct error *e)
{
	FILE *script = tmpfile(), *said = tmpfile();
	int   failed = 0;

	if (!script || !said)
		failed = error_set(e, "no temporary file: %s", strerror(errno));
	if (!failed)
		failed = write(self, script, e);
	if (!failed && (fflush(script) || ferror(script) || fseek(script, 0, SEEK_SET)))
		failed = error_set(e, "temporary file: %s", strerror(errno));
	if (!failed)
		failed = converse(script, said, p, e);
	if (!failed && target == PLOT_PDF)
		forget_date(p);
	if (script)
		fclose(script);
	if (said)
		fclose(said);
	return failed;
}

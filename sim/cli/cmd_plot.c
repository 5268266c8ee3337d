/*
 * cmd_plot.c - bufsim plot: draw the CSV of run, sweep and mrc; the columns of
 * the first file determine one of two kinds of picture.
 *
 * Half a picture is never written: the picture is complete before the output
 * is opened, and goes to a temporary file that is renamed at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "sim/base/output.h"
#include "sim/cli/cmd.h"
#include "sim/report/plot.h"
#include "sim/report/plot_responses.h"
#include "sim/trace/format.h"
#include "sim/trace/input.h"

struct canvas {
	const struct options *o;
	bool		      begun, of_responses;
	struct plot	      plot;
	struct response_plot  responses; /* if they are drawn */
	enum plot_target      target;
	unsigned	      columns, rows; /* of text */
};

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

/* The first file determines the kind of picture. */
static int
begin(struct canvas *c, const struct csv *first, struct error *e)
{
	c->begun = true;
	c->of_responses = response_plot_recognises(first);
	plot_start(&c->plot, c->o->y);
	if (!c->of_responses)
		return 0;
	if (c->o->relative)
		return error_usage(e,
		    "--relative does not apply to response times of single calls");
	return response_plot_start(&c->responses, c->o->y, e);
}

/* A pipe is not looked into: what is read is gone. */
static bool
is_file(const char *path)
{
	struct stat s;

	return !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool
is_packed(const char *path)
{
	FILE *f = fopen(path, "r");
	bool  packed = f && getc(f) == 0x1f && getc(f) == 0x8b;

	if (f)
		fclose(f);
	return packed;
}

/* An error if the file is a trace, or compressed. */
static int
refuse_trace(const char *path, struct error *e)
{
	struct error  ignored;
	struct input *in = is_file(path) ? input_open(path, &ignored) : NULL;
	const char   *head = NULL, *gzip;
	size_t	      n = 0;
	int	      failed = 0;

	if (!in)
		return 0;
	gzip = is_packed(path) ? "gzip, " : "";
	head = input_head(in, &n, &ignored);
	for (const struct format *const *f = formats; head && n && *f && !failed; f++)
		if ((*f)->recognise(head, n))
			failed = error_set(e,
			    "%s: is a trace (%sformat %s), for bufsim run, stat or mrc; plot draws "
			    "the CSV of run, sweep and mrc",
			    path, gzip, (*f)->plugin.name);
	if (!failed && *gzip)
		failed = error_set(e,
		    "%s: is compressed (gzip); type: gunzip -c %s | bufsim plot -", path, path);
	input_close(in);
	return failed;
}

static int
read_file(struct canvas *c, const char *path, struct error *e)
{
	struct csv csv;
	int	   failed;

	if (refuse_trace(path, e) || csv_open(&csv, path, e) < 0)
		return -1;
	failed = !c->begun && begin(c, &csv, e);
	if (!failed)
		failed = c->of_responses ? response_plot_read(&c->responses, &csv, e)
					 : plot_read(&c->plot, &csv, e);
	csv_close(&csv);
	return failed;
}

static int
write_script(const void *self, FILE *script, struct error *e)
{
	const struct canvas *c = self;

	if (c->of_responses)
		return response_plot_script(&c->responses, c->target, c->columns, c->rows, script,
		    e);
	return plot_script(&c->plot, c->target, c->columns, c->rows, script, e);
}

/* Skip the form feed: a terminal needs no new page. */
static void
print_text(const struct picture *it, FILE *out)
{
	for (size_t i = 0; i < it->n; i++)
		if (it->bytes[i] != '\f')
			putc(it->bytes[i], out);
}

static int
deliver(const struct picture *it, enum plot_target target, const char *path, FILE *out,
    struct error *e)
{
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
	struct canvas  c = { .o = o, .target = o->terminal ? PLOT_SIXEL : PLOT_DUMB };
	struct picture picture = { 0 };
	int	       failed = o->output ? picture_target(o->output, &c.target, e) : 0;

	for (unsigned i = 0; !failed && i < o->narguments; i++)
		failed = read_file(&c, o->argument[i], e);
	if (!failed && !c.of_responses)
		failed = plot_arrange(&c.plot, o->relative, e);
	terminal_size(out, &c.columns, &c.rows);
	if (!failed)
		failed = picture_draw(&picture, c.target, write_script, &c, e);
	if (!failed)
		failed = deliver(&picture, c.target, o->output, out, e);
	free(picture.bytes);
	plot_free(&c.plot);
	response_plot_free(&c.responses);
	return failed;
}

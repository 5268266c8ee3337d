/*
 * cmd_plot.c - bufsim plot: draw the CSV of run, sweep, mrc and the studies; the columns of the
 * first file determine the kind of picture.
 *
 * Half a picture is never written: the picture is complete before the output
 * is opened, and goes to a temporary file that is renamed at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/memo.h"
#include "sim/base/output.h"
#include "sim/base/text.h"
#include "sim/cli/cmd.h"
#include "sim/draw/panels.h"
#include "sim/draw/plot.h"
#include "sim/draw/plot_responses.h"
#include "sim/trace/format.h"
#include "sim/trace/input.h"

enum kind { KIND_RESULTS, KIND_RESPONSES, KIND_PANELS };

/* Of the studies. */
#define DRAWS(name) extern const struct panel_source name##_panels;
#include "sim/setup/program.def"
static const struct panel_source *const sources[] = {
#define DRAWS(name) &name##_panels,
#include "sim/setup/program.def"
	NULL
};

struct canvas {
	const struct options	  *o;
	bool			   begun;
	enum kind		   kind;
	struct plot		   plot;
	struct response_plot	   responses; /* of that kind */
	struct panels		   panels;    /* of that kind: */
	const struct panel_source *source;
	void			  *source_state;
	enum plot_target	   target;
	unsigned		   columns, rows; /* of text */
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
	*rows = w.ws_row - 3u; /* for the heading, the settings and the prompt */
}

/* The study whose CSV it is, or NULL. */
static const struct panel_source *
source_of(const struct csv *c)
{
	const struct panel_source *const *s = sources;

	while (*s && !(*s)->recognises(c))
		s++;
	return *s;
}

static enum kind
kind_of(const struct csv *c)
{
	return response_plot_recognises(c) ? KIND_RESPONSES
	    : source_of(c)		   ? KIND_PANELS
					   : KIND_RESULTS;
}

static struct panels_view
view(const struct options *o)
{
	return (struct panels_view){ o->y, o->x, o->title, o->relative, o->linear };
}

static int
begin_responses(struct canvas *c, struct error *e)
{
	if (c->o->relative || c->o->x)
		return error_usage(e, "--%s does not apply to response times of single calls",
		    c->o->relative ? "relative" : "x");
	if (response_plot_start(&c->responses, c->o->y, e))
		return -1;
	c->responses.title = c->o->title;
	c->responses.linear = c->o->linear;
	return 0;
}

/* The first file determines the kind of picture. */
static int
begin(struct canvas *c, const struct csv *first, struct error *e)
{
	const struct panels_view v = view(c->o);

	c->begun = true;
	c->kind = kind_of(first);
	plot_start(&c->plot, c->o->y, c->o->x);
	c->plot.title = c->o->title;
	c->plot.linear = c->o->linear;
	if (c->kind == KIND_RESPONSES)
		return begin_responses(c, e);
	if (c->kind == KIND_RESULTS)
		return 0;
	c->source = source_of(first);
	c->source_state = c->source->start(&c->panels, &v, e);
	return c->source_state ? 0 : -1;
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
			    "the CSV of sweep, mrc, run --responses and studies",
			    path, gzip, (*f)->plugin.name);
	if (!failed && *gzip)
		failed = error_set(e,
		    "%s: is compressed (gzip); type: gunzip -c %s | bufsim plot -", path, path);
	input_close(in);
	return failed;
}

static const char *
command_of(enum kind kind, const struct panel_source *source)
{
	return kind == KIND_PANELS ? source->command : "run --responses";
}

/* Has the file columns at all, and those of the first file? */
static int
check_names(const struct canvas *c, const struct csv *csv, struct error *e)
{
	if (!csv->ncolumns)
		return error_set(e,
		    csv->torn ? "%s: its first row is cut: its end is missing" : "%s: is empty",
		    csv->name);
	if (c->begun && (c->kind != kind_of(csv) || c->source != source_of(csv)))
		return error_usage(e, "%s: all files must be of bufsim %s, or none", csv->name,
		    c->kind == KIND_RESULTS ? command_of(kind_of(csv), source_of(csv))
					    : command_of(c->kind, c->source));
	return 0;
}

static int
read_file(struct canvas *c, const char *path, struct error *e)
{
	struct csv csv;
	int	   failed;

	if (refuse_trace(path, e) || csv_open(&csv, path, e) < 0)
		return -1;
	failed = check_names(c, &csv, e) || (!c->begun && begin(c, &csv, e));
	if (!failed)
		failed = c->kind == KIND_RESPONSES ? response_plot_read(&c->responses, &csv, e)
		    : c->kind == KIND_PANELS	   ? c->source->read(c->source_state, &csv, e)
						   : plot_read(&c->plot, &csv, e);
	csv_close(&csv);
	return failed;
}

static int
write_script(const void *self, FILE *script, struct error *e)
{
	const struct canvas *c = self;

	if (c->kind == KIND_RESPONSES)
		return response_plot_script(&c->responses, c->target, c->columns, c->rows, script,
		    e);
	if (c->kind == KIND_PANELS)
		return panels_script(&c->panels, c->target, script, e);
	return plot_script(&c->plot, c->target, c->columns, c->rows, script, e);
}

static int
write_hover(const void *self, FILE *to, struct error *e)
{
	return plot_hover(&((const struct canvas *)self)->plot, to, e);
}

/* The heading, and what the results have in common. */
static int
head(const struct canvas *c, char **heading, char shared[PLOT_TEXT], struct error *e)
{
	*shared = '\0';
	if (c->kind == KIND_RESPONSES) {
		*heading = response_plot_heading(&c->responses, e);
	} else if (c->kind == KIND_PANELS) {
		*heading = panels_heading(&c->panels, e);
	} else {
		*heading = plot_heading(&c->plot, e);
		plot_shared(&c->plot, shared);
	}
	return *heading ? 0 : -1;
}

/* In characters, without gnuplot. */
static int
draw_bars(const struct canvas *c, struct picture *picture, struct error *e)
{
	struct memo m;
	int	    failed = 0;

	if (memo_open(&m, e))
		return -1;
	if (c->kind == KIND_RESULTS)
		failed = plot_bars_text(&c->plot, c->columns, m.out, e);
	else
		panels_text(&c->panels, c->columns, m.out);
	if (memo_close(&m, e))
		return -1;
	if (failed) {
		free(m.text);
		return failed;
	}
	*picture = (struct picture){ m.text, m.bytes };
	return 0;
}

/* "csq: linux24 is 44 % slower than none at 64 MiB; policy lru, device cheetah9lp". */
static int
draw(const struct canvas *c, struct picture *picture, struct error *e)
{
	char	      *heading, shared[PLOT_TEXT], title[4 * PLOT_TEXT];
	struct drawing it = { .target = c->target,
		.title = title,
		.script = write_script,
		.self = c };
	int	       failed;

	if (c->target == PLOT_DUMB &&
	    (c->kind == KIND_PANELS || (c->kind == KIND_RESULTS && plot_has_bars(&c->plot))))
		return draw_bars(c, picture, e);
	failed = head(c, &heading, shared, e);
	if (failed)
		return failed;
	snprintf(title, sizeof(title), "%.1400s%s%s", heading, *heading && *shared ? "; " : "",
	    shared);
	free(heading);
	if (c->kind == KIND_RESULTS)
		it.hover = write_hover;
	return picture_draw(picture, &it, e);
}

/* Skip the form feed: a terminal needs no new page. */
static int
print_text(const struct canvas *c, const struct picture *it, FILE *out, struct error *e)
{
	char *heading, shared[PLOT_TEXT];

	if (head(c, &heading, shared, e))
		return -1;
	text_print(heading, out);
	fputs(*heading ? "\n" : "", out);
	text_print(shared, out);
	fputs(*shared ? "\n" : "", out);
	free(heading);
	for (size_t i = 0; i < it->n; i++)
		if (it->bytes[i] != '\f')
			putc(it->bytes[i], out);
	return 0;
}

static int
deliver(const struct canvas *c, const struct picture *it, FILE *out, struct error *e)
{
	if (c->o->output)
		return output_whole(c->o->output, it->bytes, it->n, e);
	if (c->target == PLOT_DUMB)
		return print_text(c, it, out, e);
	fwrite(it->bytes, 1, it->n, out);
	return 0;
}

/* "> x.svg" would get a picture of characters. */
static int
check_redirection(const struct options *o, FILE *out, struct error *e)
{
	char		 self[64], path[4096];
	const char	*name;
	enum plot_target target;
	struct error	 ignored;
	ssize_t		 n;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fileno(out));
	n = readlink(self, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	if (o->output || picture_target(path, &target, &ignored))
		return 0;
	name = text_file_name(path);
	return error_usage(e, "%s would get a picture of characters: type -o %s in place of > %s",
	    name, name, name);
}

/* After all files. */
static int
arrange(struct canvas *c, struct error *e)
{
	const struct panels_view v = view(c->o);

	if (c->kind == KIND_RESULTS)
		return plot_arrange(&c->plot, c->o->relative, e);
	return c->source ? c->source->arrange(c->source_state, &c->panels, &v, e) : 0;
}

int
cmd_plot(const struct options *o, FILE *out, struct error *e)
{
	struct canvas  c = { .o = o, .target = o->terminal ? PLOT_SIXEL : PLOT_DUMB };
	struct picture picture = { 0 };
	int	       failed =
	    (o->output && picture_target(o->output, &c.target, e)) || check_redirection(o, out, e);

	for (unsigned i = 0; !failed && i < o->narguments; i++)
		failed = read_file(&c, o->argument[i], e);
	if (!failed)
		failed = arrange(&c, e);
	terminal_size(out, &c.columns, &c.rows);
	if (!failed)
		failed = draw(&c, &picture, e);
	if (!failed)
		failed = deliver(&c, &picture, out, e);
	free(picture.bytes);
	plot_free(&c.plot);
	response_plot_free(&c.responses);
	if (c.source_state)
		c.source->release(c.source_state, &c.panels);
	return failed;
}

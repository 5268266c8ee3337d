/*
 * cmd_plot.c - bufsim plot: draw what run, sweep and mrc have written as CSV.
 *
 * Nobody ever sees half a picture: it is drawn before anything is written,
 * and beside the output, whose name it takes when all is well.
 */
#include <stdlib.h>
#include <sys/ioctl.h>

#include "sim/cmd.h"
#include "sim/output.h"
#include "sim/plot.h"

struct canvas {
	const struct plot *p;
	enum plot_target   target;
	unsigned	   columns, rows; /* of text */
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

static int
write_script(const void *self, FILE *script, struct error *e)
{
	const struct canvas *c = self;

	return plot_script(c->p, c->target, c->columns, c->rows, script, e);
}

static int
draw(const struct plot *p, enum plot_target target, FILE *out, struct picture *to, struct error *e)
{
	struct canvas c = { .p = p, .target = target };

	terminal_size(out, &c.columns, &c.rows);
	return picture_draw(to, target, write_script, &c, e);
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
	struct plot	 p;
	struct picture	 picture = { 0 };
	enum plot_target target = o->terminal ? PLOT_SIXEL : PLOT_DUMB;
	int		 failed = o->output ? picture_target(o->output, &target, e) : 0;

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

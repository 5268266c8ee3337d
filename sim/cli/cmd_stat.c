/* cmd_stat.c - bufsim stat: the figures of a trace, as text, as JSON, and as a picture. */
#include <stdlib.h>

#include "sim/base/fold.h"
#include "sim/base/output.h"
#include "sim/cli/cmd.h"
#include "sim/draw/plot_survey.h"
#include "sim/report/trace/survey_json.h"
#include "sim/report/trace/survey_text.h"
#include "sim/setup/inputs.h"
#include "sim/setup/setup.h"

static int
print_text(const struct survey *v, uint64_t top, FILE *out, struct error *e)
{
	struct fold f;

	if (fold_open(&f, out, e))
		return -1;
	survey_text(v, top, f.out);
	return fold_close(&f, 0, e);
}

static int
draw(struct survey_plot *p, const struct survey *v, const char *path, enum plot_target target,
    struct error *e)
{
	struct picture picture = { 0 };
	int	       failed = survey_plot_draw(p, v, target, &picture, e);

	if (!failed)
		failed = output_whole(path, picture.bytes, picture.n, e);
	free(picture.bytes);
	return failed;
}

static int
report(const struct trace *t, const struct options *o, enum plot_target target, FILE *out,
    struct error *e)
{
	struct survey	       v = { 0 };
	struct survey_plot     plot = { 0 };
	struct survey_observer observer = { &plot, o->output ? survey_plot_call : NULL };
	int		       failed = o->output ? survey_plot_init(&plot, t, e) : 0;

	if (!failed)
		failed = survey_find(&v, t, &observer, e);
	if (!failed && o->output)
		failed = draw(&plot, &v, o->output, target, e);
	if (!failed)
		failed = (o->json ? survey_json : print_text)(&v, o->rows, out, e);
	survey_release(&v);
	survey_plot_release(&plot);
	return failed;
}

int
cmd_stat(const struct options *o, FILE *out, struct error *e)
{
	enum plot_target     target = PLOT_SVG;
	struct trace_options how;
	struct trace	     t;
	int		     failed;

	if ((o->output && picture_target(o->output, &target, e)) || setup_trace(&how, o, e) < 0 ||
	    inputs_trace(&t, o, o->narguments, &how, MERGE_BY_TIME, e))
		return -1;
	failed = report(&t, o, target, out, e);
	trace_release(&t);
	return failed;
}

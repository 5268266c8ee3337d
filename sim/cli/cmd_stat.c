/* cmd_stat.c - bufsim stat: the figures of a trace, as text, as JSON, and as a picture. */
#include "sim/base/fold.h"
#include "sim/cli/cmd.h"
#include "sim/report/survey_json.h"
#include "sim/report/survey_text.h"
#include "sim/setup/setup.h"
#include "sim/trace/merge.h"

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
report(const struct trace *t, const struct options *o, FILE *out, struct error *e)
{
	static const struct survey_observer silent;
	struct survey			    v;
	int				    failed = survey_find(&v, t, &silent, e);

	if (!failed)
		failed = (o->json ? survey_json : print_text)(&v, o->rows, out, e);
	survey_release(&v);
	return failed;
}

int
cmd_stat(const struct options *o, FILE *out, struct error *e)
{
	struct trace_options how;
	struct trace	     t;
	int		     failed;

	if (setup_trace(&how, o, e) < 0 ||
	    trace_load_together(&t, o->argument, o->narguments, &how, false, e) < 0)
		return -1;
	failed = report(&t, o, out, e);
	trace_release(&t);
	return failed;
}

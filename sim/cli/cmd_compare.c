/* cmd_compare.c - bufsim compare: lists of settings, ranked in a table. */
#include <string.h>

#include "sim/cli/cmd.h"
#include "sim/cli/sweep_points.h"

/* Without --prefetch, kinds of replay that cannot prefetch compare other settings. */
static const char *
prefetchers(const struct options *o)
{
	return !option_is_typed(o, OPTION_rivals) &&
		(!strcmp(o->text[OPTION_replay], "untimed") || !strcmp(o->text[OPTION_cache], "0"))
	    ? "none"
	    : o->rivals;
}

static int
form_of(const struct options *o, enum ranking_form *form, struct error *e)
{
	if (o->markdown + o->json + o->csv > 1)
		return error_usage(e, "--markdown, --json or --csv: choose one");
	*form = o->markdown ? RANKING_MARKDOWN
	    : o->json	    ? RANKING_JSON
	    : o->csv	    ? RANKING_CSV
			    : RANKING_TEXT;
	return 0;
}

int
cmd_compare(const struct options *o, FILE *out, struct error *e)
{
	struct options	    lists = *o;
	struct sweep_points p = { 0 };
	enum ranking_form   form = RANKING_TEXT;
	int		    failed;

	lists.text[OPTION_prefetch] = prefetchers(o);
	if (form_of(o, &form, e))
		return -1;
	failed = sweep_points_init(&p, &lists, e) || sweep_points_table(&p, form, out, e) ? -1 : 0;
	sweep_points_release(&p);
	return failed;
}

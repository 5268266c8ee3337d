/* cmd_run.c - bufsim run: one simulation and its report. */
#include <string.h>

#include "sim/cmd.h"
#include "sim/registry.h"
#include "sim/report.h"
#include "sim/setup.h"

/* The same without prefetching, to compare with; *ran is false if that is what c says. */
static int
simulate_without(const struct config *c, const struct trace *t, struct stats *out, bool *ran,
    struct error *e)
{
	struct config	     none = *c;
	const struct plugin *p =
	    registry_find(PLUGIN_PREFETCHER, "none", &none.prefetcher_params, e);

	assert(p);
	none.prefetcher = (const struct prefetcher *)(const void *)p;
	*ran = none.prefetcher != c->prefetcher;
	return *ran ? simulate(&none, t, out, e) : 0;
}

static int
run_on(const struct setup *s, const struct options *o, const struct trace *t, FILE *out,
    struct error *e)
{
	struct stats  stats, without;
	struct report r = { .options = o, .config = &s->config, .trace = t, .stats = &stats };
	bool	      compared;

	if (simulate(&s->config, t, &stats, e) < 0)
		return -1;
	if (o->json)
		return report_json(&r, out, e);
	if (o->csv) {
		report_csv(&r, out);
		return 0;
	}
	if (simulate_without(&s->config, t, &without, &compared, e) < 0)
		return -1;
	r.without = compared ? &without : NULL;
	report_text(&r, out);
	return 0;
}

int
cmd_run(const struct options *o, FILE *out, struct error *e)
{
	struct setup s;
	struct trace t;
	int	     failed = -1;

	if (o->json && o->csv)
		return error_usage(e, "--json or --csv, not both");
	if (setup_init(&s, o, e) < 0)
		return -1;
	if (!trace_load(&t, o->argument[0], &s.trace, e)) {
		failed = setup_fit(&s, o, &t, e) || run_on(&s, o, &t, out, e) ? -1 : 0;
		trace_release(&t);
	}
	setup_release(&s);
	return failed;
}

/* share_explain.c - run with an observer, and print what it has seen. */
#include "sim/studies/share/share_explain.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/share_costs.h"

/* A run of which only the observer is of interest. */
static int
observe(struct share_config *c, const struct share_observer *o, const struct program *p,
    struct error *e)
{
	struct share_result r;

	c->observer = o;
	if (share_run(&r, c, p, e))
		return -1;
	share_release(&r);
	return 0;
}

static int
explain_costs(struct share_config *c, const struct options *o, const struct program *p, FILE *out,
    struct error *e)
{
	struct costs	      costs;
	struct share_observer observer;
	int		      failed;

	if (costs_init(&costs, p, c->page_bytes, e))
		return -1;
	observer = costs_observer(&costs);
	failed = observe(c, &observer, p, e) ||
	    share_costs_print(&costs, o->costly < UINT32_MAX ? (uint32_t)o->costly : 0, out, e);
	costs_release(&costs);
	return failed ? -1 : 0;
}

static int
explain_fault(struct share_config *c, const struct options *o, const struct program *p, FILE *out,
    struct error *e)
{
	struct history	      h;
	struct share_observer find = history_find(&h, o->fault), keep = history_keep(&h);
	char		      n[NUMBER_TEXT];

	if (observe(c, &find, p, e))
		return -1;
	if (!h.fault.turn)
		return error_usage(e, "--fault %s: %s has %s %s", o->text[OPTION_fault],
		    p->path ? p->path : p->name, number_group(n, h.faults + h.fetches),
		    h.fetches ? "fetches" : "faults");
	if (observe(c, &keep, p, e))
		return -1;
	share_history_print(&h, p, c->cold, o->costly, out);
	return 0;
}

static void
print_settings(const struct share_report *r, FILE *out)
{
	putc('\n', out);
	text_print(r->program->name, out);
	fputs(": ", out);
	share_settings_print(r, out);
}

static int
explain(const struct share_points *p, size_t i, FILE *out, struct error *e)
{
	const struct program *program = share_point_program(p, i);
	struct share_config   c;
	struct options	      o;
	struct share_report   r;
	int		      failed;

	if (share_point_options(p, i, &o, e) || share_configure(&c, &o, e))
		return -1;
	if (i)
		fputs("\n\n", out);
	r = share_report_of(program, &c, &o);
	failed = (o.fault ? explain_fault : explain_costs)(&c, &o, program, out, e);
	if (!failed)
		print_settings(&r, out);
	share_config_release(&c);
	return failed;
}

int
share_explain(const struct share_points *p, FILE *out, struct error *e)
{
	if (p->grid.npoints > 1)
		return error_usage(e, "--explain is of one setting: leave out the lists");
	for (size_t i = 0; i < p->n; i++)
		if (explain(p, i, out, e))
			return -1;
	return 0;
}

/* share_points.c - read the programs once, run them with each combination of the settings. */
#include <stdlib.h>

#include "sim/base/number.h"
#include "sim/registry.h"
#include "sim/setup/setup.h"
#include "sim/studies/share/model/registry.h"
#include "sim/studies/share/share_points.h"

enum { POINTS_MAX = 100000 };

/* ---- settings ---- */

static int
check_page(uint64_t bytes, struct error *e)
{
	char min[NUMBER_TEXT], max[NUMBER_TEXT];

	if (bytes >= PAGE_BYTES_MIN && bytes <= PAGE_BYTES_MAX && !(bytes & (bytes - 1)))
		return 0;
	return error_usage(e, "--page: the page size is a power of two from %s to %s",
	    number_format(min, PAGE_BYTES_MIN, PARAM_BYTES),
	    number_format(max, PAGE_BYTES_MAX, PARAM_BYTES));
}

static int
check_processors(uint64_t processors, struct error *e)
{
	if (processors <= PROCESSORS_MAX)
		return 0;
	return error_usage(e,
	    "--processors: a machine has 1 to %d processors, 0: one for each process",
	    PROCESSORS_MAX);
}

static int
check_nodes(uint64_t nodes, struct error *e)
{
	if (nodes >= 1 && nodes <= PROCESSORS_MAX)
		return 0;
	return error_usage(e, "--nodes: a machine has 1 to %d nodes", PROCESSORS_MAX);
}

static int
choose(const struct plugin_kind *kind, const char *option, const char *text, struct choice *c,
    struct error *e)
{
	return registry_choose(kind, text, c, e) ? error_prefix(e, "%s", option) : 0;
}

int
share_configure(struct share_config *c, const struct options *o, struct error *e)
{
	*c = (struct share_config){ .page_bytes = (uint32_t)o->page,
		.nodes = (unsigned)o->nodes,
		.processors = (unsigned)o->processors,
		.in_time = o->order == 0,
		.from_create = o->count_from == 1,
		.cold = o->cold };
	if (check_page(o->page, e) || check_nodes(o->nodes, e) ||
	    check_processors(o->processors, e))
		return -1;
	if (choose(PLUGIN_PROTOCOL, "--protocol", o->protocol, &c->protocol, e) ||
	    choose(PLUGIN_ALLOCATOR, "--allocator", o->allocator, &c->allocator, e) ||
	    choose(PLUGIN_COSTS, "--costs", o->costs, &c->costs, e)) {
		share_config_release(c);
		return -1;
	}
	return 0;
}

void
share_config_release(struct share_config *c)
{
	choice_release(&c->protocol);
	choice_release(&c->allocator);
	choice_release(&c->costs);
}

struct share_report
share_report_of(const struct program *p, const struct share_config *c, const struct options *o)
{
	return (struct share_report){ .program = p,
		.config = c,
		.protocol = o->protocol,
		.allocator = o->allocator,
		.costs = o->costs,
		.order = o->text[OPTION_order],
		.from = o->text[OPTION_count_from],
		.cold = o->text[OPTION_cold] };
}

int
share_point_options(const struct share_points *p, size_t i, struct options *o, struct error *e)
{
	return grid_point(&p->grid, i % p->grid.npoints, o, e);
}

/* Find an error in any combination before the traces are read. */
static int
check_settings(struct share_points *p, struct error *e)
{
	for (size_t i = 0; i < p->grid.npoints; i++) {
		struct options	    o;
		struct share_config c;

		if (share_point_options(p, i, &o, e) || share_configure(&c, &o, e))
			return -1;
		share_columns_add(&p->columns, c.protocol.plugin);
		share_config_release(&c);
	}
	return 0;
}

/* ---- traces ---- */

static int
read_programs(struct share_points *p, const struct share_programs *s, struct error *e)
{
	p->program = calloc(s->n, sizeof(*p->program));
	if (!p->program)
		return error_no_memory(e);
	for (unsigned i = 0; i < s->n; i++) {
		if (share_programs_read(s, i, &p->program[i], e))
			return -1;
		p->nprograms++;
	}
	return 0;
}

int
share_points_init(struct share_points *p, const struct share_programs *s, struct error *e)
{
	*p = (struct share_points){ .o = s->o };
	return setup_jobs(&p->jobs, s->o, e) || grid_init(&p->grid, COMMAND_SHARE, s->o, e) ||
		grid_count(&p->grid, s->n, POINTS_MAX, &p->n, e) || check_settings(p, e) ||
		read_programs(p, s, e)
	    ? -1
	    : 0;
}

void
share_points_release(struct share_points *p)
{
	for (unsigned i = 0; i < p->nprograms; i++)
		program_release(&p->program[i]);
	free(p->program);
	grid_release(&p->grid);
}

/* ---- running ---- */

static int
run_point(void *self, size_t i, FILE *out, struct error *e)
{
	const struct share_points *p = self;
	const struct program	  *program = share_point_program(p, i);
	struct options		   o;
	struct share_config	   c;
	struct share_result	   result;
	struct share_report	   r;
	int			   failed;

	if (share_point_options(p, i, &o, e) || share_configure(&c, &o, e))
		return -1;
	r = share_report_of(program, &c, &o);
	r.result = &result;
	failed = share_run(&result, &c, program, e);
	if (!failed) {
		failed = p->print(p, &r, out, e);
		share_release(&result);
	}
	share_config_release(&c);
	return failed;
}

/* "--allocator ff --page 64" */
static void
name_point(const void *self, size_t i, char name[POINT_NAME])
{
	const struct share_points *p = self;

	grid_name(&p->grid, i % p->grid.npoints, name, POINT_NAME);
}

struct points
share_points_work(struct share_points *p, share_printer *print)
{
	p->print = print;
	return (struct points){ .n = p->n,
		.jobs = p->jobs,
		.doing = "simulating",
		.unit = "points",
		.self = p,
		.make = run_point,
		.name = name_point };
}

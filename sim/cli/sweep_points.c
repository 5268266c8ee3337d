/* sweep_points.c - the points of a sweep: make them, simulate them. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/cli/sweep_points.h"
#include "sim/report/run/run_data.h"
#include "sim/setup/setup.h"

enum { POINTS_MAX = 1000000 };

/* ---- points ---- */

/* o becomes the options of a point. */
static int
point_options(const struct sweep_points *s, const struct sweep_point *p, struct options *o,
    struct error *e)
{
	if (grid_point(&s->grid, p->setting, o, e))
		return -1;
	o->argument[0] = s->inputs.name[p->trace];
	return 0;
}

/* Is the first point valid if these two options have the values of those numbers? */
static int
try_values(const struct sweep_points *s, enum option_id a, unsigned of_a, enum option_id b,
    unsigned of_b, struct error *e)
{
	struct options o;
	struct setup   setup;

	if (grid_point(&s->grid, 0, &o, e) ||
	    option_set(&o, &option_info[a], s->grid.value[a][of_a], e) ||
	    option_set(&o, &option_info[b], s->grid.value[b][of_b], e) || setup_init(&setup, &o, e))
		return -1;
	setup_release(&setup);
	return 0;
}

/* --cache 0 excludes many other settings. */
static int
check_without_cache(const struct sweep_points *s, struct error *e)
{
	const struct grid *g = &s->grid;
	struct options	   o = *s->o;

	for (unsigned c = 0; c < g->nvalues[OPTION_cache]; c++) {
		if (option_set(&o, &option_info[OPTION_cache], g->value[OPTION_cache][c], e))
			return -1;
		if (o.cache.n)
			continue;
		for (enum option_id id = 0; id < OPTIONS; id++)
			for (unsigned v = 0; v < g->nvalues[id]; v++)
				if (id != OPTION_cache && try_values(s, OPTION_cache, c, id, v, e))
					return -1;
	}
	return 0;
}

/* Is every value of one option valid with every value of the other? */
static int
check_pairs(const struct sweep_points *s, enum option_id a, enum option_id b, struct error *e)
{
	for (unsigned i = 0; i < s->grid.nvalues[a]; i++)
		for (unsigned k = 0; k < s->grid.nvalues[b]; k++)
			if (try_values(s, a, i, b, k, e))
				return -1;
	return 0;
}

/*
 * Find an error in any value before the traces are loaded; some kinds of
 * replay exclude some prefetchers, some policies some places of insertion, and
 * some prefetchers most policies.
 */
static int
check_values(const struct sweep_points *s, struct error *e)
{
	for (enum option_id id = 0; id < OPTIONS; id++)
		for (unsigned v = 0; v < s->grid.nvalues[id]; v++)
			if (try_values(s, id, v, id, v, e))
				return -1;
	if (check_pairs(s, OPTION_replay, OPTION_prefetch, e) ||
	    check_pairs(s, OPTION_replay, OPTION_cpu, e) ||
	    check_pairs(s, OPTION_insert, OPTION_policy, e) ||
	    check_pairs(s, OPTION_policy, OPTION_prefetch, e))
		return -1;
	return check_without_cache(s, e);
}

/* "csq --cache 4M --policy lru" */
static void
name_point(const struct sweep_points *s, const struct sweep_point *p, char name[POINT_NAME])
{
	snprintf(name, POINT_NAME, "%s", s->trace[p->trace].name);
	grid_name(&s->grid, p->setting, name, POINT_NAME);
}

/* Once for each value, as looking up a plug-in takes much longer than all else of a key. */
static int
identify_values(struct sweep_points *s, struct error *e)
{
	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++) {
		enum option_id id = identity_option[i];
		unsigned       n = s->grid.nvalues[id];

		s->identity[i] = calloc(n, sizeof(*s->identity[i]));
		if (!s->identity[i])
			return error_no_memory(e);
		for (unsigned v = 0; v < n; v++)
			if (identity_of_text(i, s->grid.value[id][v], &s->identity[i][v], e))
				return -1;
	}
	return 0;
}

static int
identify(const struct sweep_points *s, const struct sweep_point *p, struct identity *out,
    struct error *e)
{
	struct identity plugin[IDENTITY_PLUGINS];
	struct trace   *t = &s->trace[p->trace];
	struct options	o;
	struct config	c;
	char		name[POINT_NAME];

	if (point_options(s, p, &o, e) || setup_values(&c, &o, t, e)) {
		name_point(s, p, name);
		return error_prefix(e, "%s", name);
	}
	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++)
		plugin[i] = s->identity[i][grid_value(&s->grid, p->setting, identity_option[i])];
	*out = identity_of_run(plugin, &c, t->block_bytes, &o);
	return 0;
}

/* The number of the key in names; 0: an error. */
static uint32_t
intern_key(struct names *names, const struct trace *t, const struct identity *id,
    enum key_kind kind, struct error *e)
{
	struct memo key;
	uint32_t    number;

	if (memo_open(&key, e))
		return 0;
	report_key(t, id, kind, key.out);
	if (memo_close(&key, e))
		return 0;
	number = names_intern(names, key.text);
	free(key.text);
	if (!number)
		error_no_memory(e);
	return number;
}

/* Drop points equal to an earlier one, such as cache sizes of 4M and 1024b. */
static int
add_point(struct sweep_points *s, unsigned trace, uint64_t setting, struct error *e)
{
	struct sweep_point  p = { trace, setting, s->n };
	const struct trace *t = &s->trace[trace];
	struct identity	    id;
	uint32_t	    number;

	if (identify(s, &p, &id, e))
		return -1;
	number = intern_key(&s->keys, t, &id, KEY_WHOLE, e);
	if (!number || !intern_key(&s->alike, t, &id, KEY_NAMES, e))
		return -1;
	if (number > s->n)
		s->point[s->n++] = p;
	return 0;
}

static int
make_points(struct sweep_points *s, struct error *e)
{
	size_t n;

	if (grid_count(&s->grid, s->ntraces, POINTS_MAX, &n, e))
		return -1;
	s->point = calloc(n, sizeof(*s->point));
	if (!s->point)
		return error_set(e, "out of memory for %zu points", n);
	for (unsigned t = 0; t < s->ntraces; t++)
		for (uint64_t i = 0; i < s->grid.npoints; i++)
			if (add_point(s, t, i, e))
				return -1;
	s->nleft = s->n;
	s->nalike = s->alike.n;
	return 0;
}

/* ---- traces ---- */

/* Load each trace: one file, or those of one log. */
static int
load_all(struct sweep_points *s, const char **left, const char **first,
    const struct trace_options *how, struct error *e)
{
	unsigned nleft = s->inputs.n;

	memcpy(left, s->inputs.name, nleft * sizeof(*left));
	while (nleft) {
		unsigned      i = s->ntraces;
		struct trace *t = &s->trace[i];

		first[i] = *left;
		if (inputs_load_next(t, &s->inputs, left, &nleft, how, e))
			return -1;
		s->ntraces++;
		if (trace_check(t, 0, t->naccess, e)) /* else every worker would check it */
			return -1;
		for (unsigned j = 0; j < i; j++)
			if (!strcmp(t->name, s->trace[j].name))
				return error_usage(e,
				    "%s and %s would both be called %s in the results: rename one",
				    first[j], first[i], t->name);
	}
	return 0;
}

static int
load_each(struct sweep_points *s, const struct trace_options *how, struct error *e)
{
	const char **names = calloc(2 * s->inputs.n, sizeof(*names));
	int	     failed;

	if (!names)
		return error_no_memory(e);
	failed = load_all(s, names, names + s->inputs.n, how, e);
	free(names);
	return failed;
}

static int
load_traces(struct sweep_points *s, struct error *e)
{
	struct trace_options how;
	struct inputs	    *in = &s->inputs;

	if (setup_trace(&how, s->o, e) ||
	    inputs_init(in, s->o, s->o->narguments, PATTERN_THINK_US, e))
		return -1;
	s->trace = calloc(in->n, sizeof(*s->trace));
	if (!s->trace)
		return error_no_memory(e);
	if (s->o->together) {
		s->ntraces = !inputs_load_together(s->trace, in, &how, MERGE_BY_TIME, e);
		return s->ntraces ? trace_check(s->trace, 0, s->trace->naccess, e) : -1;
	}
	if (how.share_files)
		return error_usage(e, "--share-files needs --together and several traces");
	return load_each(s, &how, e);
}

/* ---- simulating ---- */

static int
simulate_point(void *self, size_t i, FILE *out, struct error *e)
{
	const struct sweep_points *s = self;
	struct options		   o;
	struct setup		   setup;
	struct stats		   stats;
	struct trace		  *t = &s->trace[s->point[i].trace];
	const struct report	   r = { .options = &o,
		       .config = &setup.config,
		       .trace = t,
		       .stats = &stats };
	int			   failed;

	if (point_options(s, &s->point[i], &o, e) || setup_init(&setup, &o, e))
		return -1;
	failed = setup_fit(&setup, &o, t, e) || simulate(&setup.config, t, &stats, e) ||
	    s->print(&r, out, e);
	setup_release(&setup);
	return failed ? -1 : 0;
}

static void
name_left(const void *self, size_t i, char name[POINT_NAME])
{
	const struct sweep_points *s = self;

	name_point(s, &s->point[i], name);
}

struct points
sweep_points_work(struct sweep_points *p, run_printer *print)
{
	p->print = print;
	return (struct points){ .n = p->nleft,
		.jobs = p->jobs,
		.doing = "simulating",
		.unit = "points",
		.self = p,
		.make = simulate_point,
		.name = name_left };
}

void
sweep_points_leave(struct sweep_points *p, const struct points_slice *s, const struct rows *there)
{
	p->nleft = 0;
	for (size_t i = 0; i < p->n; i++)
		if (points_slice_has(s, i) && !(there && there->row[i].bytes))
			p->point[p->nleft++] = p->point[i];
}

/* ---- a table ---- */

static int
print_score(const struct report *r, FILE *out, struct error *e)
{
	struct score s;

	score_of(r, &s);
	fwrite(&s, sizeof(s), 1, out);
	return 0;
}

int
sweep_points_table(struct sweep_points *p, enum ranking_form form, FILE *out, struct error *e)
{
	const struct points work = sweep_points_work(p, print_score);
	struct ranking	    k = { .options = p->o,
		     .grid = &p->grid,
		     .trace = p->trace,
		     .ntraces = p->ntraces,
		     .n = p->nleft,
		     .run = calloc(p->nleft, sizeof(*k.run)) };
	int		    failed;

	if (!k.run)
		return error_set(e, "out of memory for %zu points", p->nleft);
	for (size_t i = 0; i < p->nleft; i++) {
		k.run[i].trace = p->point[i].trace;
		k.run[i].setting = p->point[i].setting;
	}
	failed = points_collect(&work, &k.run->score, sizeof(k.run->score), sizeof(*k.run), e) ||
	    ranking_print(&k, form, out, e);
	free(k.run);
	return failed ? -1 : 0;
}

/* ---- all of it ---- */

/* The number in names of the key of a row; 0: memory is lacking, and the row counts as foreign. */
static uint32_t
find_key(struct names *names, char *const *field, unsigned n, enum key_kind kind)
{
	struct memo  key;
	struct error ignored;
	uint32_t     number;

	if (memo_open(&key, &ignored))
		return 0;
	report_key_of(field, n, kind, key.out);
	if (memo_close(&key, &ignored))
		return 0;
	number = names_intern(names, key.text);
	free(key.text);
	return number;
}

size_t
sweep_points_place(void *points, char *const *field, unsigned n)
{
	struct sweep_points *s = points;
	uint32_t	     number = find_key(&s->keys, field, n, KEY_WHOLE), alike;

	if (number && number <= s->n)
		return number - 1;
	alike = find_key(&s->alike, field, n, KEY_NAMES);
	s->nchanged += alike && alike <= s->nalike;
	return SIZE_MAX;
}

int
sweep_points_init(struct sweep_points *p, const struct options *o, struct error *e)
{
	*p = (struct sweep_points){ .o = o };
	return setup_jobs(&p->jobs, o, e) || grid_init(&p->grid, COMMAND_SWEEP, o, e) ||
		check_values(p, e) || identify_values(p, e) || load_traces(p, e) ||
		make_points(p, e)
	    ? -1
	    : 0;
}

void
sweep_points_release(struct sweep_points *p)
{
	for (unsigned i = 0; i < p->ntraces; i++)
		trace_release(&p->trace[i]);
	free(p->trace);
	inputs_release(&p->inputs);
	free(p->point);
	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++)
		free(p->identity[i]);
	names_release(&p->keys);
	names_release(&p->alike);
	grid_release(&p->grid);
}

/*
 * points.c - the points of a sweep: make them, simulate them.
 *
 * The traces are loaded once; forked workers simulate one point at a time.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/progress.h"
#include "sim/base/workers.h"
#include "sim/cli/points.h"
#include "sim/report/run/record.h"
#include "sim/setup/setup.h"

enum { POINTS_MAX = 1000000 };

/* ---- points ---- */

/* o becomes the options of a point. */
static int
point_options(const struct points *s, const struct point *p, struct options *o, struct error *e)
{
	*o = *s->o;
	o->argument[0] = s->inputs.name[p->trace];
	return grid_point(&s->grid, p->setting, o, e);
}

/* Is the first point valid if these two options have the values of those numbers? */
static int
try_values(const struct points *s, enum option_id a, unsigned of_a, enum option_id b, unsigned of_b,
    struct error *e)
{
	struct options o = *s->o;
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
check_without_cache(const struct points *s, struct error *e)
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
check_pairs(const struct points *s, enum option_id a, enum option_id b, struct error *e)
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
check_values(const struct points *s, struct error *e)
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

/* The settings in which points differ: "csq --cache 4M --policy lru". */
static void
name_point(const struct points *s, const struct point *p, char name[256])
{
	size_t n = (size_t)snprintf(name, 256, "%s", s->trace[p->trace].name);

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (s->grid.nvalues[id] > 1 && n < 256)
			n += (size_t)snprintf(name + n, 256 - n, " --%s %s", option_info[id].name,
			    s->grid.value[id][grid_value(&s->grid, p->setting, id)]);
}

/* Once for each value, as looking up a plug-in takes much longer than all else of a key. */
static int
identify_values(struct points *s, struct error *e)
{
	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++) {
		enum option_id id = identity_option[i];
		unsigned       n = s->grid.nvalues[id];

		s->identity[i] = calloc(n, sizeof(*s->identity[i]));
		if (!s->identity[i])
			return error_set(e, "out of memory");
		for (unsigned v = 0; v < n; v++)
			if (identity_of_text(i, s->grid.value[id][v], &s->identity[i][v], e))
				return -1;
	}
	return 0;
}

static int
identify(const struct points *s, const struct point *p, struct identity *out, struct error *e)
{
	struct identity plugin[IDENTITY_PLUGINS];
	struct trace   *t = &s->trace[p->trace];
	struct options	o;
	struct config	c;
	char		name[256];

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
		error_set(e, "out of memory");
	return number;
}

/* Drop points equal to an earlier one, such as cache sizes of 4M and 1024b. */
static int
add_point(struct points *s, struct point p, struct error *e)
{
	const struct trace *t = &s->trace[p.trace];
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
make_points(struct points *s, struct error *e)
{
	uint64_t n;

	if (__builtin_mul_overflow(s->grid.npoints, s->ntraces, &n) || n > POINTS_MAX)
		return error_usage(e, "more than %d points: use shorter lists", POINTS_MAX);
	s->point = calloc(n, sizeof(*s->point));
	if (!s->point)
		return error_set(e, "out of memory for %llu points", (unsigned long long)n);
	for (unsigned t = 0; t < s->ntraces; t++)
		for (uint64_t i = 0; i < s->grid.npoints; i++)
			if (add_point(s, (struct point){ t, i }, e))
				return -1;
	s->nalike = s->alike.n;
	return 0;
}

/* ---- traces ---- */

static int
load_traces(struct points *s, struct error *e)
{
	struct trace_options how;
	struct inputs	    *in = &s->inputs;

	if (setup_trace(&how, s->o, e) ||
	    inputs_init(in, s->o, s->o->narguments, PATTERN_THINK_US, e))
		return -1;
	s->trace = calloc(in->n, sizeof(*s->trace));
	if (!s->trace)
		return error_set(e, "out of memory");
	if (s->o->together) {
		s->ntraces = !inputs_load_together(s->trace, in, &how, MERGE_BY_TIME, e);
		return s->ntraces ? trace_check(s->trace, 0, s->trace->naccess, e) : -1;
	}
	for (unsigned i = 0; i < in->n; i++) {
		if (inputs_load(&s->trace[i], in, i, &how, e))
			return -1;
		s->ntraces++;
		if (trace_check(&s->trace[i], 0, s->trace[i].naccess,
			e)) /* else every worker would check it */
			return -1;
		for (unsigned j = 0; j < i; j++)
			if (!strcmp(s->trace[i].name, s->trace[j].name))
				return error_usage(e,
				    "%s and %s would both be called %s in the results: rename one",
				    in->name[j], in->name[i], s->trace[i].name);
	}
	return 0;
}

/* ---- simulating ---- */

/* What the functions of struct work are given. */
struct job {
	struct points		 *p;
	const struct points_work *w;
	size_t			  done;
};

static int
simulate_point(const struct job *j, const struct point *p, FILE *out, struct error *e)
{
	const struct points *s = j->p;
	struct options	     o;
	struct setup	     setup;
	struct stats	     stats;
	struct trace	    *t = &s->trace[p->trace];
	const struct report  r = { .options = &o,
		 .config = &setup.config,
		 .trace = t,
		 .stats = &stats };
	int		     failed;

	if (point_options(s, p, &o, e) || setup_init(&setup, &o, e))
		return -1;
	failed = setup_fit(&setup, &o, t, e) || simulate(&setup.config, t, &stats, e) ||
	    j->w->print(&r, out, e);
	setup_release(&setup);
	return failed ? -1 : 0;
}

static int
make(void *self, size_t i, FILE *out, struct error *e)
{
	const struct job   *j = self;
	const struct point *p = &j->p->point[j->w->todo[i]];
	char		    name[256];

	if (!simulate_point(j, p, out, e))
		return 0;
	name_point(j->p, p, name);
	return error_prefix(e, "%s", name);
}

static int
take(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct job *j = self;

	progress_reach(++j->done);
	return j->w->take(j->w->self, i, text, bytes, e);
}

int
points_run(struct points *p, const struct points_work *w, struct error *e)
{
	struct job	  job = { .p = p, .w = w };
	const struct work all = { .npieces = w->ntodo,
		.jobs = p->jobs,
		.self = &job,
		.make = make,
		.take = take };
	int		  failed;

	progress_begin("simulating", "points", all.npieces);
	failed = work_run(&all, e);
	progress_end();
	return failed;
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

static int
take_score(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct ranking *k = self;

	ASSERT(bytes == sizeof(k->run[i].score));
	memcpy(&k->run[i].score, text, bytes);
	return 0;
}

int
points_table(struct points *p, const size_t *todo, size_t ntodo, enum ranking_form form, FILE *out,
    struct error *e)
{
	struct ranking		 k = { .options = p->o,
			  .grid = &p->grid,
			  .trace = p->trace,
			  .ntraces = p->ntraces,
			  .n = ntodo,
			  .run = calloc(ntodo, sizeof(*k.run)) };
	const struct points_work w = { todo, ntodo, &k, print_score, take_score };
	int			 failed;

	if (!k.run)
		return error_set(e, "out of memory for %zu points", ntodo);
	for (size_t i = 0; i < ntodo; i++) {
		k.run[i].trace = p->point[todo[i]].trace;
		k.run[i].setting = p->point[todo[i]].setting;
	}
	failed = points_run(p, &w, e) || ranking_print(&k, form, out, e) ? -1 : 0;
	free(k.run);
	return failed;
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
points_place(void *points, char *const *field, unsigned n)
{
	struct points *s = points;
	uint32_t       number = find_key(&s->keys, field, n, KEY_WHOLE), alike;

	if (number && number <= s->n)
		return number - 1;
	alike = find_key(&s->alike, field, n, KEY_NAMES);
	s->nchanged += alike && alike <= s->nalike;
	return SIZE_MAX;
}

int
points_init(struct points *p, const struct options *o, struct error *e)
{
	*p = (struct points){ .o = o };
	return setup_jobs(&p->jobs, o, e) || grid_init(&p->grid, COMMAND_SWEEP, o, e) ||
		check_values(p, e) || identify_values(p, e) || load_traces(p, e) ||
		make_points(p, e)
	    ? -1
	    : 0;
}

void
points_release(struct points *p)
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

/*
 * cmd_sweep.c - bufsim sweep: every combination of lists of settings.
 *
 * The traces are loaded once; forked workers simulate one point at a time, and
 * their rows arrive in any order.  At the end the rows are put in the order of
 * the points, so the result does not depend on the number of workers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/map.h"
#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/base/text.h"
#include "sim/base/workers.h"
#include "sim/cli/cmd.h"
#include "sim/report/record.h"
#include "sim/report/rows.h"
#include "sim/setup/grid.h"
#include "sim/setup/setup.h"
#include "sim/trace/merge.h"

enum { POINTS_MAX = 1000000, JOBS_MAX = 1024, PATH_ROOM = 4096 };

struct point {
	unsigned trace;
	uint64_t setting; /* of the grid */
};

struct sweep {
	const struct options *o;
	struct grid	      grid;
	struct trace	     *trace;
	unsigned	      ntraces;

	struct point	*point; /* in order */
	size_t		 npoints;
	struct identity *identity[IDENTITY_PLUGINS]; /* of each value of identity_option[] */
	struct names	 keys;			     /* key of point i: number i + 1 */
	struct names	 alike;			     /* their keys without contents of files */
	uint32_t	 nalike;
	unsigned	 nchanged; /* rows in the file that differ in those contents only */
	uint64_t	 part, of; /* --points part/of */
	size_t		*todo;
	size_t		 ntodo;

	bool	    to_file;
	struct rows rows;
	FILE	   *out;  /* if not to_file */
	char	  **held; /* rows of todo[] that are printed after those before them */
	size_t	    printed;

	struct progress progress;
	size_t		done;
};

/* ---- points ---- */

/* o becomes the options of a point. */
static int
point_options(const struct sweep *s, const struct point *p, struct options *o, struct error *e)
{
	*o = *s->o;
	o->argument[0] = s->o->argument[p->trace];
	return grid_point(&s->grid, p->setting, o, e);
}

/* Is the first point valid if these two options have the values of those numbers? */
static int
try_values(const struct sweep *s, enum option_id a, unsigned of_a, enum option_id b, unsigned of_b,
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
check_without_cache(const struct sweep *s, struct error *e)
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

/*
 * Find an error in any value before the traces are loaded; some kinds of
 * replay exclude some prefetchers.
 */
static int
check_values(const struct sweep *s, struct error *e)
{
	const struct grid *g = &s->grid;

	for (enum option_id id = 0; id < OPTIONS; id++)
		for (unsigned v = 0; v < g->nvalues[id]; v++)
			if (try_values(s, id, v, id, v, e))
				return -1;
	for (unsigned r = 0; r < g->nvalues[OPTION_replay]; r++)
		for (unsigned p = 0; p < g->nvalues[OPTION_prefetch]; p++)
			if (try_values(s, OPTION_replay, r, OPTION_prefetch, p, e))
				return -1;
	return check_without_cache(s, e);
}

/* The settings in which points differ: "csq --cache 4M --policy lru". */
static void
name_point(const struct sweep *s, const struct point *p, char name[256])
{
	size_t n = (size_t)snprintf(name, 256, "%s", s->trace[p->trace].name);

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (s->grid.nvalues[id] > 1 && n < 256)
			n += (size_t)snprintf(name + n, 256 - n, " --%s %s", option_info[id].name,
			    s->grid.value[id][grid_value(&s->grid, p->setting, id)]);
}

/* Once for each value, as looking up a plug-in takes much longer than all else of a key. */
static int
identify_values(struct sweep *s, struct error *e)
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
identify(const struct sweep *s, const struct point *p, struct identity *out, struct error *e)
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
	*out = identity_of_run(plugin, &c, t->block_bytes, o.mmap);
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
add_point(struct sweep *s, struct point p, struct error *e)
{
	const struct trace *t = &s->trace[p.trace];
	struct identity	    id;
	uint32_t	    number;

	if (identify(s, &p, &id, e))
		return -1;
	number = intern_key(&s->keys, t, &id, KEY_WHOLE, e);
	if (!number || !intern_key(&s->alike, t, &id, KEY_NAMES, e))
		return -1;
	if (number > s->npoints)
		s->point[s->npoints++] = p;
	return 0;
}

static int
make_points(struct sweep *s, struct error *e)
{
	uint64_t n;

	if (__builtin_mul_overflow(s->grid.npoints, s->ntraces, &n) || n > POINTS_MAX)
		return error_usage(e, "more than %d points: use shorter lists", POINTS_MAX);
	s->point = calloc(n, sizeof(*s->point));
	s->todo = calloc(n, sizeof(*s->todo));
	s->held = calloc(n, sizeof(*s->held));
	if (!s->point || !s->todo || !s->held)
		return error_set(e, "out of memory for %llu points", (unsigned long long)n);
	for (unsigned t = 0; t < s->ntraces; t++)
		for (uint64_t i = 0; i < s->grid.npoints; i++)
			if (add_point(s, (struct point){ t, i }, e))
				return -1;
	s->nalike = s->alike.n;
	return 0;
}

/* "3/8": the third of eight shares. */
static int
parse_slice(const char *text, uint64_t *part, uint64_t *of, struct error *e)
{
	*part = *of = 1;
	if (text && (!number_share(text, part, of) || *part > *of))
		return error_usage(e,
		    "--points: '%s' will not do: type N/M, such as 1/8 for the first of eight shares",
		    text);
	return 0;
}

/*
 * Of every `of` successive points each share gets one.  The choice shifts by
 * the golden section; otherwise a share could have a single size of the cache.
 */
static bool
in_share(uint64_t i, uint64_t part, uint64_t of)
{
	uint64_t section = i / of * UINT64_C(0x9e3779b97f4a7c15) >> 32; /* of 2^32 */

	return (i + (section * of >> 32)) % of == part - 1;
}

static void
choose_todo(struct sweep *s)
{
	for (size_t i = 0; i < s->npoints; i++)
		if (in_share(i, s->part, s->of) && !(s->to_file && s->rows.row[i].bytes))
			s->todo[s->ntodo++] = i;
}

/* ---- traces ---- */

static int
load_traces(struct sweep *s, struct error *e)
{
	struct trace_options how;

	s->trace = calloc(s->o->narguments, sizeof(*s->trace));
	if (!s->trace)
		return error_set(e, "out of memory");
	if (setup_trace(&how, s->o, e))
		return -1;
	if (s->o->together) {
		s->ntraces = !trace_load_together(s->trace, s->o->argument, s->o->narguments, &how,
		    false, e);
		return s->ntraces ? trace_check(s->trace, 0, s->trace->naccess, e) : -1;
	}
	for (unsigned i = 0; i < s->o->narguments; i++) {
		if (trace_load(&s->trace[i], s->o->argument[i], &how, e))
			return -1;
		s->ntraces++;
		if (trace_check(&s->trace[i], 0, s->trace[i].naccess,
			e)) /* else every worker would check it */
			return -1;
		for (unsigned j = 0; j < i; j++)
			if (!strcmp(s->trace[i].name, s->trace[j].name))
				return error_usage(e,
				    "%s and %s would both be called %s in the results: rename one",
				    s->o->argument[j], s->o->argument[i], s->trace[i].name);
	}
	return 0;
}

/* ---- simulating ---- */

static int
simulate_point(const struct sweep *s, const struct point *p, FILE *out, struct error *e)
{
	struct options	    o;
	struct setup	    setup;
	struct stats	    stats;
	struct trace	   *t = &s->trace[p->trace];
	const struct report r = { .options = &o,
		.config = &setup.config,
		.trace = t,
		.stats = &stats };
	int		    failed;

	if (point_options(s, p, &o, e) || setup_init(&setup, &o, e))
		return -1;
	failed = setup_fit(&setup, &o, t, e) || simulate(&setup.config, t, &stats, e);
	if (!failed)
		report_csv_row(&r, out);
	setup_release(&setup);
	return failed ? -1 : 0;
}

static int
make_row(void *self, size_t i, FILE *out, struct error *e)
{
	const struct sweep *s = self;
	const struct point *p = &s->point[s->todo[i]];
	char		    name[256];

	if (!simulate_point(s, p, out, e))
		return 0;
	name_point(s, p, name);
	return error_prefix(e, "%s", name);
}

/* Without a file, a row is printed as soon as all rows before it are printed. */
static int
print_row(struct sweep *s, size_t i, const char *text, struct error *e)
{
	s->held[i] = strdup(text);
	if (!s->held[i])
		return error_set(e, "out of memory for a row");
	for (; s->printed < s->ntodo && s->held[s->printed]; s->printed++) {
		fputs(s->held[s->printed], s->out);
		free(s->held[s->printed]);
		s->held[s->printed] = NULL;
	}
	return fflush(s->out) ? error_set(e, "standard output: %s", strerror(errno)) : 0;
}

static int
take_row(void *self, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct sweep *s = self;

	s->done++;
	return s->to_file ? rows_add(&s->rows, s->todo[i], text, bytes, e)
			  : print_row(s, i, text, e);
}

static void
show_progress(void *self)
{
	struct sweep *s = self;

	progress_show(&s->progress, s->done);
}

static unsigned
processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (unsigned)n;
}

static int
work_off(struct sweep *s, struct error *e)
{
	struct work w = { .npieces = s->ntodo,
		.jobs = s->o->jobs ? (unsigned)s->o->jobs : processors(),
		.self = s,
		.make = make_row,
		.take = take_row,
		.tick = show_progress };
	int	    failed;

	if (!s->to_file)
		report_csv_header(s->out);
	fflush(s->out); /* else every worker would have a copy of pending output */
	progress_start(&s->progress, "points", s->ntodo);
	s->progress.on &= s->to_file || !isatty(fileno(s->out)); /* rows are progress enough */
	failed = work_run(&w, e);
	progress_end(&s->progress);
	return failed;
}

/* ---- the file ---- */

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

static size_t
place_of(void *self, char *const *field, unsigned n)
{
	struct sweep *s = self;
	uint32_t      number = find_key(&s->keys, field, n, KEY_WHOLE), alike;

	if (number && number <= s->npoints)
		return number - 1;
	alike = find_key(&s->alike, field, n, KEY_NAMES);
	s->nchanged += alike && alike <= s->nalike;
	return SIZE_MAX;
}

static void
tell_kept(const char *path, unsigned n, const char *of)
{
	if (n)
		fprintf(stderr, "bufsim: %s: %u row%s of %s %s kept at the end\n", path, n,
		    n == 1 ? "" : "s", of, n == 1 ? "is" : "are");
}

/* What was found in the file that is continued. */
static void
tell_rows(const struct sweep *s)
{
	const struct rows *r = &s->rows;
	char		   path[PATH_ROOM];

	text_clean(path, sizeof(path), s->o->output);
	if (r->torn)
		fprintf(stderr, "bufsim: %s: dropped a torn last row\n", path);
	if (r->nthere)
		fprintf(stderr, "bufsim: %s: %zu of %zu points are there already\n", path,
		    r->nthere, s->npoints);
	tell_kept(path, s->nchanged, "another trace, data sheet or plug-in of the same name");
	tell_kept(path, r->nothers - s->nchanged, "other sweeps");
}

static int
open_rows(struct sweep *s, struct error *e)
{
	struct memo header;

	if (memo_open(&header, e))
		return -1;
	report_csv_header(header.out);
	if (memo_close(&header, e))
		return -1;
	if (rows_open(&s->rows, s->o->output, header.text, s->npoints, s->o->resume, place_of, s,
		e)) {
		free(header.text);
		return -1;
	}
	tell_rows(s);
	return 0;
}

static int
into_file(struct sweep *s, struct error *e)
{
	int failed;

	if (open_rows(s, e))
		return -1;
	choose_todo(s);
	failed = work_off(s, e);
	if (failed && !s->rows.lost)
		error_prefix(e, "%zu of %zu points are in %s; --resume adds the others",
		    s->rows.nthere, s->npoints, s->o->output);
	if (!failed)
		failed = rows_sort(&s->rows, e);
	free((void *)(uintptr_t)s->rows.header);
	rows_close(&s->rows);
	return failed;
}

/* ---- all of it ---- */

static int
check_options(struct sweep *s, struct error *e)
{
	const struct options *o = s->o;

	if (o->resume && (!o->output || !strcmp(o->output, "-")))
		return error_usage(e, "--resume needs a file; type: --output FILE --resume");
	if (setup_output("output", o->output, e))
		return -1;
	if (o->jobs > JOBS_MAX)
		return error_usage(e, "--jobs: '%s' is more than %d", o->text[OPTION_jobs],
		    JOBS_MAX);
	return parse_slice(o->points, &s->part, &s->of, e);
}

static int
sweep(struct sweep *s, struct error *e)
{
	if (check_options(s, e) || grid_init(&s->grid, s->o, e) || check_values(s, e) ||
	    identify_values(s, e) || load_traces(s, e) || make_points(s, e))
		return -1;
	if (s->to_file)
		return into_file(s, e);
	choose_todo(s);
	return work_off(s, e);
}

int
cmd_sweep(const struct options *o, FILE *out, struct error *e)
{
	struct sweep s = { .o = o,
		.out = out,
		.to_file = o->output && strcmp(o->output, "-") != 0,
		.rows.fd = -1 };
	int	     failed = sweep(&s, e);

	for (unsigned i = 0; i < s.ntraces; i++)
		trace_release(&s.trace[i]);
	for (size_t i = 0; s.held && i < s.ntodo; i++)
		free(s.held[i]);
	free(s.trace);
	free(s.point);
	free(s.todo);
	free(s.held);
	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++)
		free(s.identity[i]);
	names_release(&s.keys);
	names_release(&s.alike);
	grid_release(&s.grid);
	return failed;
}

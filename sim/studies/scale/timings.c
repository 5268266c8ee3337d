/* timings.c - read and group run times. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/map.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/scale/timings.h"

/* From PROGRAM on they are optional. */
enum column { THREADS, TOTAL, REGION, PROGRAM, USER, SYSTEM, COLUMNS };
enum { NAME_ROOM = 200 };

static const char *const column_name[COLUMNS] = { "threads", "total", "region", "program", "user",
	"system" };

/* ---- adding ---- */

/* Rows of a program mostly follow each other. */
static struct timed_program *
find_program(struct timings *t, const char *name)
{
	for (size_t i = t->n; i--;)
		if (!strcmp(t->program[i].name, name))
			return &t->program[i];
	return NULL;
}

static struct timed_program *
add_program(struct timings *t, const char *name, struct error *e)
{
	struct timed_program *more;

	if (t->n == TIMED_PROGRAMS_MAX) {
		error_set(e, "more than %d programs: take fewer", TIMED_PROGRAMS_MAX);
		return NULL;
	}
	more = realloc(t->program, (t->n + 1) * sizeof(*more));
	if (more)
		t->program = more;
	if (more && (more[t->n] = (struct timed_program){ .name = strdup(name) }).name)
		return &more[t->n++];
	error_set(e, "out of memory for %zu programs", t->n + 1);
	return NULL;
}

int
timings_add(struct timings *t, const char *program, const struct timed_run *r, struct error *e)
{
	struct timed_program *p = find_program(t, program);
	struct timed_run     *more;

	p = p ? p : add_program(t, program, e);
	if (!p)
		return -1;
	more = array_grow(p->run, p->nruns, &p->room, sizeof(*more));
	if (!more)
		return error_set(e, "out of memory for %zu runs", p->nruns + 1);
	p->run = more;
	p->run[p->nruns++] = *r;
	return 0;
}

/* ---- levels ---- */

static int
by_threads(const void *a, const void *b)
{
	const struct timed_run *x = a, *y = b;

	if (x->threads != y->threads)
		return x->threads < y->threads ? -1 : 1;
	if (x->total != y->total)
		return x->total < y->total ? -1 : 1;
	return (x->region > y->region) - (x->region < y->region);
}

static struct timed_level
make_level(const struct timed_run *run, size_t n)
{
	struct timed_level l = { .threads = run->threads, .run = run };

	for (; l.nruns < n && run[l.nruns].threads == l.threads; l.nruns++) {
		l.total += run[l.nruns].total;
		l.region += run[l.nruns].region;
		l.user += run[l.nruns].user;
		l.system += run[l.nruns].system;
	}
	l.total /= (double)l.nruns;
	l.region /= (double)l.nruns;
	l.user /= (double)l.nruns;
	l.system /= (double)l.nruns;
	return l;
}

double
timed_level_kernel(const struct timed_level *l)
{
	return l->user + l->system > 0 ? l->system / (l->user + l->system) : NAN;
}

static int
make_levels(struct timed_program *p, struct error *e)
{
	p->level = calloc(p->nruns, sizeof(*p->level));
	if (!p->level)
		return error_set(e, "out of memory for %zu runs", p->nruns);
	qsort(p->run, p->nruns, sizeof(*p->run), by_threads);
	for (size_t i = 0; i < p->nruns; i += p->level[p->nlevels++].nruns)
		p->level[p->nlevels] = make_level(p->run + i, p->nruns - i);
	return 0;
}

static int
check_levels(const struct timed_program *p, struct error *e)
{
	uint32_t threads = p->level->threads;

	if (p->nlevels > LEVELS_MAX)
		return error_set(e, "more than %d numbers of threads: take fewer", LEVELS_MAX);
	if (p->nlevels == 1)
		return error_set(e,
		    "all runs have %" PRIu32 " thread%s: add runs with other numbers of threads, "
		    "such as %s",
		    threads, threads == 1 ? "" : "s", threads == 1 ? "2 and 4" : "1");
	if (threads != 1)
		return error_set(e,
		    "no run has 1 thread, but speed-ups are relative to 1 thread: add such runs");
	return 0;
}

int
timings_end(struct timings *t, const char *what, struct error *e)
{
	char name[NAME_ROOM];

	for (size_t i = 0; i < t->n; i++) {
		struct timed_program *p = &t->program[i];

		if (!make_levels(p, e) && !check_levels(p, e))
			continue;
		if (strcmp(p->name, what) != 0)
			error_prefix(e, "%s", text_clean(name, sizeof(name), p->name));
		return error_prefix(e, "%s", text_clean(name, sizeof(name), what));
	}
	return 0;
}

/* ---- reading ---- */

static int
find_columns(const struct csv *c, int place[COLUMNS], struct error *e)
{
	if (!c->ncolumns)
		return error_set(e,
		    "is empty: its first row must be threads,total,region, each other row a run");
	for (enum column i = 0; i < COLUMNS; i++) {
		place[i] = csv_column(c, column_name[i]);
		if (i < PROGRAM && place[i] < 0)
			return error_set(e,
			    "row 1: there is no column '%s': its names are threads,total,region, in lower "
			    "case, with commas and without blanks",
			    column_name[i]);
	}
	return 0;
}

static int
parse_threads(const char *text, uint32_t *threads, struct error *e)
{
	char	 word[NAME_ROOM];
	uint64_t n;

	if (!number_whole(text, &n) || n > THREADS_MAX)
		return error_set(e, "threads is '%s': type a whole number from 1 to %d",
		    text_clean(word, sizeof(word), text), THREADS_MAX);
	if (!n)
		return error_set(e, "threads is 0: a run has at least 1 thread");
	*threads = (uint32_t)n;
	return 0;
}

/* What programs print: 12.5, .5 or 1.25e-2. */
static bool
is_seconds(const char *text, double *s)
{
	char *end;
	bool  number = *text && text[strspn(text, "0123456789.eE+-")] == '\0';

	*s = number ? strtod(text, &end) : 0;
	return number && !*end && *s >= 0 && *s <= SECONDS_MAX;
}

static int
parse_seconds(enum column which, const char *text, double *s, struct error *e)
{
	char word[NAME_ROOM];

	if (is_seconds(text, s) && *s > 0)
		return 0;
	return error_set(e, "%s is '%s': type seconds above 0, such as 12.5", column_name[which],
	    text_clean(word, sizeof(word), text));
}

/* An empty field, or no such column, is unknown. */
static int
parse_processor(enum column which, const struct csv *c, int place, double *s, struct error *e)
{
	const char *text = place < 0 ? "" : c->field[place];
	char	    word[NAME_ROOM];

	*s = NAN;
	if (!*text || is_seconds(text, s))
		return 0;
	return error_set(e, "%s is '%s': type seconds of processor time, such as 12.5, or nothing",
	    column_name[which], text_clean(word, sizeof(word), text));
}

static int
parse_run(const struct csv *c, const int place[COLUMNS], struct timed_run *r, struct error *e)
{
	if (parse_threads(c->field[place[THREADS]], &r->threads, e) ||
	    parse_seconds(TOTAL, c->field[place[TOTAL]], &r->total, e) ||
	    parse_seconds(REGION, c->field[place[REGION]], &r->region, e) ||
	    parse_processor(USER, c, place[USER], &r->user, e) ||
	    parse_processor(SYSTEM, c, place[SYSTEM], &r->system, e))
		return -1;
	if (r->region > r->total)
		return error_set(e,
		    "region is %g s, more than the total of %g s: total has all of a run, region "
		    "its parallel part",
		    r->region, r->total);
	return 0;
}

static int
read_rows(struct timings *t, struct csv *c, const int place[COLUMNS], struct error *e)
{
	struct timed_run r;
	int		 more;

	while ((more = csv_next(c, e)) > 0) {
		const char *program = place[PROGRAM] < 0 ? c->name : c->field[place[PROGRAM]];

		if (parse_run(c, place, &r, e))
			return error_prefix(e, "%s: row %" PRIu64, c->name, c->row);
		if (timings_add(t, *program ? program : c->name, &r, e))
			return -1;
	}
	if (more < 0)
		return -1;
	if (c->torn)
		return error_set(e,
		    "%s: row %" PRIu64 ", the last, has too few fields, or no newline at its end",
		    c->name, c->row);
	if (!t->n)
		return error_set(e, "%s: has no rows: add threads,total,region of each run",
		    c->name);
	return timings_end(t, c->name, e);
}

int
timings_read(struct timings *t, const char *path, struct error *e)
{
	int	   place[COLUMNS], failed;
	struct csv c;

	*t = (struct timings){ 0 };
	if (csv_open(&c, path, e))
		return -1;
	failed =
	    find_columns(&c, place, e) ? error_prefix(e, "%s", c.name) : read_rows(t, &c, place, e);
	csv_close(&c);
	return failed;
}

void
timings_release(struct timings *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->program[i].name);
		free(t->program[i].run);
		free(t->program[i].level);
	}
	free(t->program);
	*t = (struct timings){ 0 };
}

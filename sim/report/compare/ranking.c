/*
 * ranking.c - rank runs, and print the tables in four forms.
 *
 * The text is for a person: settings in which runs differ, then figures.  A
 * table too wide for the output loses its last figures, then the middle of its
 * settings; the other forms always have all.  A column is one row of add_figures().
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/shared.h"
#include "sim/base/terminal.h"
#include "sim/base/text.h"
#include "sim/report/compare/ranking.h"
#include "sim/report/json.h"
#include "sim/report/waits.h"
#include "sim/table/table.h"

enum { LEAST_WIDTH = 8 };

enum measure { BY_TIME, BY_RESPONSE, BY_MISSES };

/* One trace's runs, in the order of their ranks. */
struct ranks {
	const struct ranking *k;
	const struct trace   *trace;
	enum measure	      measure;
	bool		      prefetchers; /* compared with none, else with the first run */
	const struct ranked  *run;
	size_t		      n;
	struct standing	     *place; /* [n] */
};

struct standing {
	const struct ranked *run, *baseline; /* baseline: NULL if it is missing */
	uint64_t	     value;
	size_t		     rank; /* 0: it has no value */
};

/* ---- figures ---- */

#define COUNTER(name) offsetof(struct stats, name)

static uint64_t
counter(const struct score *s, size_t offset)
{
	return s->counter[offset / sizeof(*s->counter)];
}

void
score_of(const struct report *r, struct score *to)
{
	const struct stats *s = r->stats;

	*to = (struct score){ .response_us = STAT_UNKNOWN,
		.requests = STAT_UNKNOWN,
		.all_us = s->stall_us,
		.cache_blocks = r->config->cache_blocks };
	memcpy(to->counter, s, sizeof(to->counter));
	if (s->response_calls && s->response_calls != STAT_UNKNOWN)
		to->response_us = s->response_us / s->response_calls;
	if (s->read_requests != STAT_UNKNOWN)
		to->requests = s->read_requests + s->write_requests;
	if (s->stall_us == STAT_UNKNOWN)
		return;
	to->all_us += s->cpu_us;
	if (r->config->replay != REPLAY_OPEN)
		to->all_us += s->think_us;
	for (unsigned i = 0; i < CAUSES; i++)
		if (wait_us(s, i) > to->cause_us) {
			to->cause = i;
			to->cause_us = wait_us(s, i);
		}
}

static uint64_t
value_of(const struct score *s, enum measure m)
{
	return m == BY_RESPONSE ? s->response_us
				: counter(s, m == BY_TIME ? COUNTER(elapsed_us) : COUNTER(misses));
}

/* The same for all tables. */
static enum measure
measure_of(const struct ranking *k)
{
	bool responses = true, untimed = true;

	for (size_t i = 0; i < k->n; i++) {
		responses &= k->run[i].score.response_us != STAT_UNKNOWN;
		untimed &= counter(&k->run[i].score, COUNTER(elapsed_us)) == STAT_UNKNOWN;
	}
	return responses ? BY_RESPONSE : untimed ? BY_MISSES : BY_TIME;
}

/* ---- ranks ---- */

static int
by_value(const void *a, const void *b)
{
	const struct standing *p = a, *q = b;

	if (p->value != q->value)
		return p->value < q->value ? -1 : 1;
	return p->run < q->run ? -1 : 1;
}

static int
by_setting(const void *a, const void *b)
{
	const struct ranked *r = a, *s = b;

	return r->setting < s->setting ? -1 : r->setting > s->setting;
}

/* The number of `none` among the prefetchers; their number if it is not there. */
static unsigned
none_of(const struct grid *g)
{
	unsigned v = 0;

	while (v < g->nvalues[OPTION_prefetch] && strcmp(g->value[OPTION_prefetch][v], "none") != 0)
		v++;
	return v;
}

/* The same settings without prefetching. */
static uint64_t
without(const struct grid *g, uint64_t setting)
{
	uint64_t step = 1, n = g->nvalues[OPTION_prefetch];

	for (unsigned id = 0; id < OPTION_prefetch; id++)
		step *= g->nvalues[id] ? g->nvalues[id] : 1;
	return setting - setting / step % n * step + none_of(g) * step;
}

static const struct ranked *
baseline(const struct ranks *t, const struct ranked *r)
{
	struct ranked want = { .setting = r->setting };

	if (!t->prefetchers)
		return t->run;
	want.setting = without(t->k->grid, r->setting);
	return bsearch(&want, t->run, t->n, sizeof(*t->run), by_setting);
}

static void
rank(struct ranks *t)
{
	size_t n = t->n;

	for (size_t i = 0; i < n; i++)
		t->place[i] = (struct standing){ &t->run[i], baseline(t, &t->run[i]),
			value_of(&t->run[i].score, t->measure), 0 };
	qsort(t->place, n, sizeof(*t->place), by_value);
	for (size_t i = 0; i < n && t->place[i].value != STAT_UNKNOWN; i++)
		t->place[i].rank =
		    i && t->place[i].value == t->place[i - 1].value ? t->place[i - 1].rank : i + 1;
}

/* The runs from *next on that have the same trace; *next is set behind them. */
static int
ranks_init(struct ranks *t, const struct ranking *k, const struct ranked **next, struct error *e)
{
	const struct grid *g = k->grid;

	*t = (struct ranks){ .k = k,
		.trace = &k->trace[(*next)->trace],
		.measure = measure_of(k),
		.run = *next };
	t->prefetchers =
	    g->nvalues[OPTION_prefetch] > 1 && none_of(g) < g->nvalues[OPTION_prefetch];
	while (*next < k->run + k->n && (*next)->trace == t->run->trace)
		++*next;
	t->n = (size_t)(*next - t->run);
	t->place = calloc(t->n, sizeof(*t->place));
	if (!t->place)
		return error_set(e, "out of memory for a table");
	rank(t);
	return 0;
}

/* How much more than the baseline: false if that is unknown. */
static bool
relative(const struct ranks *t, const struct standing *p, double *to)
{
	uint64_t base = p->baseline ? value_of(&p->baseline->score, t->measure) : STAT_UNKNOWN;

	if (!p->rank || base == STAT_UNKNOWN || (!base && p->value))
		return false;
	*to = base ? (double)p->value / (double)base : 1;
	return true;
}

/* ---- columns ---- */

static const void *
score_at(const struct table *t, size_t row)
{
	const struct ranks *r = t->self;

	return &r->place[row].run->score;
}

static void
trace_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct ranks *r = t->self;

	to->text = r->trace->name;
}

static void
set_share(struct cell *to, uint64_t part, uint64_t whole)
{
	if (whole && whole != STAT_UNKNOWN && part != STAT_UNKNOWN)
		to->number = (double)part / (double)whole;
}

static void
rank_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct ranks *r = t->self;

	if (r->place[row].rank)
		to->count = r->place[row].rank;
}

static void
setting_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct ranks *r = t->self;

	to->text = shared_shown(grid_text(r->k->grid, r->place[row].run->setting,
				    (enum option_id)c->offset),
	    to->room);
}

static void
cache_bytes_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct ranks *r = t->self;

	to->count = r->place[row].run->score.cache_blocks * r->trace->block_bytes;
}

/* A person is not shown that the baseline is as fast as itself. */
static void
relative_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct ranks    *r = t->self;
	const struct standing *p = &r->place[row];

	relative(r, p, &to->number);
	to->shown = p->baseline == p->run ? "-" : NULL;
}

static void
hit_ratio_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct score *s = score_at(t, row);

	set_share(to, counter(s, COUNTER(hits)), counter(s, COUNTER(references)));
}

static void
wait_share_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct score *s = score_at(t, row);

	if (s->cause_us)
		set_share(to, s->cause_us, s->all_us);
}

static void
wait_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct score *s = score_at(t, row);

	if (!s->cause_us)
		return;
	to->text = wait_info[s->cause].what;
	snprintf(to->room, CELL_ROOM, "%s %.0f %%", wait_info[s->cause].word,
	    100 * ((double)s->cause_us / (double)s->all_us));
	to->shown = to->room;
}

/* The settings that programs always get, apart from the cache, and those in which runs differ. */
static bool
named(const struct grid *g, enum option_id id)
{
	return id != OPTION_cache && g->nvalues[id] &&
	    (g->nvalues[id] > 1 || id == OPTION_policy || id == OPTION_prefetch ||
		id == OPTION_device || id == OPTION_replay);
}

enum columns_place { PLACE_RANK, PLACE_SETTING, PLACE_VALUE, PLACE_FIGURE };

/* keys: room for the names that programs read */
static void
add_settings(const struct grid *g, struct table *t, char keys[OPTIONS][COLUMN_ROOM])
{
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (g->nvalues[id])
			table_add(t,
			    &(struct column){ .key =
						  named(g, id) ? option_column(id, keys[id]) : NULL,
				.title = g->nvalues[id] > 1 ? option_info[id].name : NULL,
				.kind = CELL_TEXT,
				.offset = id,
				.cell = setting_cell,
				.place = PLACE_SETTING,
				.least = LEAST_WIDTH },
			    1);
}

/* Offsets are in struct score, which begins with the counters of struct stats. */
static void
add_figures(const struct ranks *r, struct table *t)
{
#define OF(field) offsetof(struct score, field)
	const struct column figure[] = {
		{ "rank", "rank", CELL_COUNT, .cell = rank_cell, .place = PLACE_RANK },
		{ "cache_blocks", NULL, CELL_COUNT, .offset = OF(cache_blocks) },
		{ "cache_bytes", NULL, CELL_COUNT, .cell = cache_bytes_cell },
		{ "elapsed_us", r->measure == BY_TIME ? "time" : NULL, CELL_TIME,
		    COUNTER(elapsed_us), .place = PLACE_VALUE },
		{ "response_mean_us", r->measure == BY_RESPONSE ? "response" : NULL, CELL_TIME,
		    OF(response_us), .place = PLACE_VALUE },
		{ "relative", r->prefetchers ? "vs none" : "vs first", CELL_CHANGE,
		    .cell = relative_cell, .place = PLACE_FIGURE },
		{ "hit_ratio", "hits", CELL_SHARE, .cell = hit_ratio_cell, .place = PLACE_FIGURE },
		{ "misses", r->measure == BY_MISSES ? "misses" : NULL, CELL_COUNT,
		    .offset = COUNTER(misses), .place = PLACE_VALUE },
		{ "pollution_misses", "pollution", CELL_COUNT, .offset = COUNTER(pollution_misses),
		    .place = PLACE_FIGURE },
		{ "covered_references", NULL, CELL_COUNT, .offset = COUNTER(covered_references) },
		{ "requests", "requests", CELL_COUNT, .offset = OF(requests), .place = PLACE_FIGURE,
		    .absent = 1 << 1 | GIVES_WAY(3) },
		{ "wait_share", NULL, CELL_SHARE, .cell = wait_share_cell },
		{ "waits_for", "waits for", CELL_TEXT, .cell = wait_cell, .place = PLACE_FIGURE,
		    .absent = GIVES_WAY(2) },
	};
#undef OF

	table_add(t, figure, sizeof(figure) / sizeof(*figure));
}

/* ---- text ---- */

/* ", cache 64M": settings that all runs share; others than these only if they are not usual. */
static void
print_common(const struct ranks *t, char separator, FILE *out)
{
	const struct grid *g = t->k->grid;
	bool		   untimed = t->measure == BY_MISSES;

	for (const struct option_info *i = option_info; i->name; i++) {
		enum option_id id = (enum option_id)(i - option_info);
		const char    *text = t->k->options->text[id];
		bool	       usual = text && i->initial && !strcmp(text, i->initial);

		if (!option_belongs(i, COMMAND_COMPARE) || !option_belongs(i, COMMAND_RUN) ||
		    !i->argument || g->nvalues[id] > 1 || id == OPTION_pattern)
			continue;
		if (g->nvalues[id])
			usual = i->initial && !strcmp(g->value[id][0], i->initial);
		if (!text || (untimed && (id == OPTION_prefetch || id == OPTION_device)))
			continue;
		if (usual && id != OPTION_cache && id != OPTION_policy && id != OPTION_prefetch &&
		    id != OPTION_device)
			continue;
		fprintf(out, "%c %s ", separator, i->name);
		text_print(text, out);
		separator = ',';
	}
	putc('\n', out);
}

/* The best run is bold; on a terminal slower ones are red, faster ones green. */
static const char *
colour_of(const struct ranks *t, const struct standing *p)
{
	double ratio;

	if (p->baseline == p->run || !relative(t, p, &ratio) || fabs(ratio - 1) < 0.0005)
		return "";
	return ratio > 1 ? "\033[31m" : "\033[32m";
}

/* ---- one trace ---- */

struct print {
	enum ranking_form form;
	unsigned	  width;
	bool		  colour;
	FILE		 *out;
	cJSON		 *tables;
};

static void
print_text(const struct ranks *r, struct table *t, const struct print *to)
{
	FILE *out = to->out;

	table_fit(t, to->width);
	text_print(r->trace->name, out);
	print_common(r, ':', out);
	putc('\n', out);
	table_heading(t, out);
	putc('\n', out);
	for (size_t i = 0; i < r->n; i++) {
		if (to->colour)
			fprintf(out, "%s%s", r->place[i].rank == 1 ? "\033[1m" : "",
			    colour_of(r, &r->place[i]));
		table_row(t, i, out);
		fputs(to->colour ? "\033[m\n" : "\n", out);
	}
}

static void
print_markdown(const struct ranks *r, struct table *t, FILE *out)
{
	char name[CELL_ROOM];

	table_fit(t, UINT_MAX);
	table_escape(text_clean(name, sizeof(name), r->trace->name), out);
	print_common(r, ':', out);
	putc('\n', out);
	table_markdown(t, out);
}

/* A table is an object with the name of its trace and its runs. */
static bool
add_object(const struct ranks *r, const struct table *t, cJSON *tables)
{
	cJSON *object = cJSON_CreateObject();

	return cJSON_AddItemToArray(tables, object) &&
	    cJSON_AddStringToObject(object, "trace", r->trace->name) &&
	    table_json(t, object, "runs");
}

static int
print_ranks(const struct ranks *r, const struct print *to, struct error *e)
{
	static const struct column trace = { "trace", NULL, CELL_TEXT, .cell = trace_cell,
		.csv_only = true };
	struct table		   t = { .self = r, .row = score_at, .nrows = r->n };
	char			   keys[OPTIONS][COLUMN_ROOM];

	table_add(&t, &trace, 1);
	add_settings(r->k->grid, &t, keys);
	add_figures(r, &t);
	if (r->run > r->k->run && (to->form == RANKING_TEXT || to->form == RANKING_MARKDOWN))
		putc('\n', to->out);
	switch (to->form) {
	case RANKING_TEXT:
		print_text(r, &t, to);
		break;
	case RANKING_MARKDOWN:
		print_markdown(r, &t, to->out);
		break;
	case RANKING_CSV:
		if (r->run == r->k->run)
			table_csv_heading(&t, to->out);
		for (size_t i = 0; i < r->n; i++)
			table_csv_row(&t, i, to->out);
		break;
	case RANKING_JSON:
		if (!add_object(r, &t, to->tables))
			return error_no_memory(e);
	}
	return 0;
}

/* ---- all traces ---- */

static int
print_tables(const struct ranking *k, const struct print *to, struct error *e)
{
	const struct ranked *next = k->run;
	struct ranks	     r;
	int		     failed = 0;

	while (!failed && next < k->run + k->n) {
		if (ranks_init(&r, k, &next, e))
			return -1;
		failed = print_ranks(&r, to, e);
		free(r.place);
	}
	return failed;
}

static int
print_json(const struct ranking *k, struct print *to, struct error *e)
{
	cJSON *object = cJSON_CreateObject();
	int    failed;

	to->tables = object ? cJSON_AddArrayToObject(object, "tables") : NULL;
	failed = to->tables ? print_tables(k, to, e) : error_no_memory(e);
	if (!failed)
		return json_print(object, true, to->out, e);
	cJSON_Delete(object);
	return -1;
}

int
ranking_print(const struct ranking *k, enum ranking_form form, FILE *out, struct error *e)
{
	struct print to = { .form = form,
		.width = terminal_width(out),
		.colour = terminal_colours(out),
		.out = out };
	struct fold  f;

	if (form == RANKING_JSON)
		return print_json(k, &to, e);
	if (form != RANKING_TEXT)
		return print_tables(k, &to, e);
	if (fold_open(&f, out, e))
		return -1;
	to.out = f.out;
	return fold_close(&f, print_tables(k, &to, e), e);
}

/*
 * ranking.c - rank runs, and print the tables in four forms.
 *
 * The text is for a person: settings in which runs differ, then figures.  A
 * table too wide for the output loses its last figures, then the middle of its
 * settings; the other forms always have all.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/fold.h"
#include "sim/base/number.h"
#include "sim/base/shared.h"
#include "sim/base/terminal.h"
#include "sim/base/text.h"
#include "sim/report/compare/ranking.h"
#include "sim/report/json.h"
#include "sim/report/waits.h"

enum { CELL_ROOM = 256, LEAST_WIDTH = 8, FIGURES = 8 };

enum measure { BY_TIME, BY_RESPONSE, BY_MISSES };

/* One trace's runs, in the order of their ranks. */
struct table {
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

void
score_of(const struct report *r, struct score *to)
{
	const struct stats *s = r->stats;

	*to = (struct score){ .elapsed_us = s->elapsed_us,
		.response_us = STAT_UNKNOWN,
		.references = s->references,
		.hits = s->hits,
		.misses = s->misses,
		.requests = STAT_UNKNOWN,
		.all_us = s->stall_us,
		.cache_blocks = r->config->cache_blocks,
		.polluted = s->pollution_misses,
		.covered = s->covered_references };
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
	return m == BY_TIME ? s->elapsed_us : m == BY_RESPONSE ? s->response_us : s->misses;
}

/* The same for all tables. */
static enum measure
measure_of(const struct ranking *k)
{
	bool responses = true, untimed = true;

	for (size_t i = 0; i < k->n; i++) {
		responses &= k->run[i].score.response_us != STAT_UNKNOWN;
		untimed &= k->run[i].score.elapsed_us == STAT_UNKNOWN;
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
baseline(const struct table *t, const struct ranked *r)
{
	struct ranked want = { .setting = r->setting };

	if (!t->prefetchers)
		return t->run;
	want.setting = without(t->k->grid, r->setting);
	return bsearch(&want, t->run, t->n, sizeof(*t->run), by_setting);
}

static void
rank(struct table *t)
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

/* The table of the runs from *next on; *next is set behind them. */
static int
table_init(struct table *t, const struct ranking *k, const struct ranked **next, struct error *e)
{
	const struct grid *g = k->grid;

	*t = (struct table){ .k = k,
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
relative(const struct table *t, const struct standing *p, double *to)
{
	uint64_t base = p->baseline ? value_of(&p->baseline->score, t->measure) : STAT_UNKNOWN;

	if (!p->rank || base == STAT_UNKNOWN || (!base && p->value))
		return false;
	*to = base ? (double)p->value / (double)base : 1;
	return true;
}

/* ---- cells ---- */

enum figure { RANK, SETTING, VALUE, RELATIVE, HITS, POLLUTION, REQUESTS, WAIT };

struct column {
	enum figure    figure;
	enum option_id id; /* of a SETTING */
	unsigned       width;
};

struct columns {
	struct column column[OPTIONS + FIGURES];
	unsigned      n;
};

static bool
left_aligned(const struct column *c)
{
	return c->figure == SETTING || c->figure == WAIT;
}

static const char *
title_of(const struct table *t, const struct column *c)
{
	static const char *const value[] = { "time", "response", "misses" };
	static const char *const figure[] = {
		[RANK] = "rank",
		[HITS] = "hits",
		[POLLUTION] = "pollution",
		[REQUESTS] = "requests",
		[WAIT] = "waits for",
	};

	if (c->figure == SETTING)
		return option_info[c->id].name;
	if (c->figure == VALUE)
		return value[t->measure];
	if (c->figure == RELATIVE)
		return t->prefetchers ? "vs none" : "vs first";
	return figure[c->figure];
}

static void
share_cell(char cell[CELL_ROOM], const char *before, double share, int digits)
{
	snprintf(cell, CELL_ROOM, "%s%s%.*f %%", before, *before ? " " : "", digits, 100 * share);
}

static void
relative_cell(char cell[CELL_ROOM], const struct table *t, const struct standing *p)
{
	double ratio, change;

	if (p->baseline == p->run || !relative(t, p, &ratio))
		return;
	change = 100 * (ratio - 1);
	snprintf(cell, CELL_ROOM, "%+.1f %%", fabs(change) < 0.05 ? 0 : change);
}

static const char *
setting_of(const struct ranking *k, const struct ranked *r, enum option_id id,
    char room[SHARED_TEXT])
{
	return shared_shown(grid_text(k->grid, r->setting, id), room);
}

static const char *
cell_of(const struct table *t, const struct standing *p, const struct column *c,
    char cell[CELL_ROOM])
{
	const struct score *s = &p->run->score;
	char		    room[SHARED_TEXT];

	strcpy(cell, "-");
	switch (c->figure) {
	case RANK:
		if (p->rank)
			snprintf(cell, CELL_ROOM, "%zu", p->rank);
		break;
	case SETTING:
		return text_clean(cell, CELL_ROOM, setting_of(t->k, p->run, c->id, room));
	case VALUE:
		if (p->rank)
			(t->measure == BY_MISSES ? number_group : number_time)(cell, p->value);
		break;
	case RELATIVE:
		relative_cell(cell, t, p);
		break;
	case HITS:
		if (s->references && s->references != STAT_UNKNOWN)
			share_cell(cell, "", (double)s->hits / (double)s->references, 1);
		break;
	case POLLUTION:
		if (s->polluted != STAT_UNKNOWN)
			number_group(cell, s->polluted);
		break;
	case REQUESTS:
		if (s->requests != STAT_UNKNOWN)
			number_group(cell, s->requests);
		break;
	case WAIT:
		if (s->cause_us)
			share_cell(cell, wait_info[s->cause].word,
			    (double)s->cause_us / (double)s->all_us, 0);
	}
	return cell;
}

static void
add_column(struct columns *to, const struct table *t, enum figure figure, enum option_id id)
{
	struct column *c = &to->column[to->n++];
	char	       cell[CELL_ROOM];

	*c = (struct column){ figure, id, 0 };
	c->width = (unsigned)strlen(title_of(t, c));
	for (const struct standing *p = t->place; p < t->place + t->n; p++) {
		const char *text = cell_of(t, p, c, cell);
		unsigned    width = fold_columns(text, strlen(text));

		if (width > c->width)
			c->width = width;
	}
}

/* Figures without a value for any run are left out. */
static void
columns_init(struct columns *to, const struct table *t)
{
	const struct grid *g = t->k->grid;
	bool		   requests = false, waits = false;

	for (const struct ranked *r = t->run; r < t->run + t->n; r++) {
		requests |= r->score.requests != STAT_UNKNOWN;
		waits |= r->score.cause_us != 0;
	}
	to->n = 0;
	add_column(to, t, RANK, OPTIONS);
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (g->nvalues[id] > 1)
			add_column(to, t, SETTING, id);
	add_column(to, t, VALUE, OPTIONS);
	if (t->n > 1)
		add_column(to, t, RELATIVE, OPTIONS);
	if (t->run->score.references != STAT_UNKNOWN)
		add_column(to, t, HITS, OPTIONS);
	if (t->run->score.polluted != STAT_UNKNOWN)
		add_column(to, t, POLLUTION, OPTIONS);
	if (requests)
		add_column(to, t, REQUESTS, OPTIONS);
	if (waits)
		add_column(to, t, WAIT, OPTIONS);
}

/* ---- text ---- */

static unsigned
width_of(const struct columns *c)
{
	unsigned width = 2 * c->n - 2;

	for (unsigned i = 0; i < c->n; i++)
		width += c->column[i].width;
	return width;
}

static void
leave_out(struct columns *c, enum figure figure)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->column[i].figure == figure) {
			memmove(&c->column[i], &c->column[i + 1],
			    (--c->n - i) * sizeof(c->column[i]));
			return;
		}
}

static struct column *
widest_setting(struct columns *c)
{
	struct column *widest = NULL;

	for (unsigned i = 0; i < c->n; i++)
		if (c->column[i].figure == SETTING &&
		    (!widest || c->column[i].width > widest->width))
			widest = &c->column[i];
	return widest;
}

static void
fit(struct columns *c, unsigned width)
{
	struct columns less[] = { *c, *c, *c };
	struct column *widest;

	leave_out(&less[0], REQUESTS);
	leave_out(&less[1], WAIT);
	leave_out(&less[2], REQUESTS);
	leave_out(&less[2], WAIT);
	for (unsigned i = 0; width_of(c) > width && i < 3; i++)
		*c = less[i];
	while (width_of(c) > width && (widest = widest_setting(c)) && widest->width > LEAST_WIDTH)
		widest->width--;
}

/* ", cache 64M": settings that all runs share; others than these only if they are not usual. */
static void
print_common(const struct table *t, char separator, FILE *out)
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

static void
print_row(const struct columns *c,
    const char *(*text)(const struct table *, const struct standing *, const struct column *,
	char cell[CELL_ROOM]),
    const struct table *t, const struct standing *p, FILE *out)
{
	char cell[CELL_ROOM];

	for (unsigned i = 0; i < c->n; i++) {
		const struct column *one = &c->column[i];
		const char	    *what = text(t, p, one, cell);
		unsigned	     used = fold_columns(what, strlen(what));
		unsigned	     pad = one->width > used ? one->width - used : 0;
		bool		     left = left_aligned(one);

		fprintf(out, "%s%*s", i ? "  " : "", left ? 0 : (int)pad, "");
		fold_shorten(what, strlen(what), one->width, out);
		if (left && i + 1 < c->n)
			fprintf(out, "%*s", (int)pad, "");
	}
}

static const char *
title_cell(const struct table *t, const struct standing *p, const struct column *c,
    char cell[CELL_ROOM])
{
	return title_of(t, c);
}

/* The best run is bold; on a terminal slower ones are red, faster ones green. */
static const char *
colour_of(const struct table *t, const struct standing *p)
{
	double ratio;

	if (p->baseline == p->run || !relative(t, p, &ratio) || fabs(ratio - 1) < 0.0005)
		return "";
	return ratio > 1 ? "\033[31m" : "\033[32m";
}

static void
print_text(const struct table *t, unsigned width, bool colour, FILE *out)
{
	struct columns c;

	columns_init(&c, t);
	fit(&c, width);
	text_print(t->trace->name, out);
	print_common(t, ':', out);
	putc('\n', out);
	print_row(&c, title_cell, t, NULL, out);
	putc('\n', out);
	for (const struct standing *p = t->place; p < t->place + t->n; p++) {
		fprintf(out, "%s%s", colour && p->rank == 1 ? "\033[1m" : "",
		    colour ? colour_of(t, p) : "");
		print_row(&c, cell_of, t, p, out);
		fputs(colour ? "\033[m\n" : "\n", out);
	}
}

/* ---- Markdown ---- */

static void
markdown(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<[", *text))
			putc('\\', out);
		putc(*text, out);
	}
}

static void
print_markdown(const struct table *t, FILE *out)
{
	struct columns c;
	char	       cell[CELL_ROOM];

	columns_init(&c, t);
	markdown(text_clean(cell, sizeof(cell), t->trace->name), out);
	print_common(t, ':', out);
	fputs("\n|", out);
	for (unsigned i = 0; i < c.n; i++)
		fprintf(out, " %s |", title_of(t, &c.column[i]));
	fputs("\n|", out);
	for (unsigned i = 0; i < c.n; i++)
		fputs(left_aligned(&c.column[i]) ? "---|" : "---:|", out);
	putc('\n', out);
	for (const struct standing *p = t->place; p < t->place + t->n; p++) {
		putc('|', out);
		for (unsigned i = 0; i < c.n; i++) {
			putc(' ', out);
			markdown(cell_of(t, p, &c.column[i], cell), out);
			fputs(" |", out);
		}
		putc('\n', out);
	}
}

/* ---- for programs ---- */

/* The settings that are always there, apart from the cache, and those in which runs differ. */
static bool
named(const struct grid *g, enum option_id id)
{
	return id != OPTION_cache && g->nvalues[id] &&
	    (g->nvalues[id] > 1 || id == OPTION_policy || id == OPTION_prefetch ||
		id == OPTION_device || id == OPTION_replay);
}

/* A figure as a number; false: it is unknown. */
typedef bool figure_text(const struct table *t, const struct standing *p, char text[CELL_ROOM]);

static bool
count_text(uint64_t n, char text[CELL_ROOM])
{
	snprintf(text, CELL_ROOM, "%" PRIu64, n);
	return n != STAT_UNKNOWN;
}

static bool
ratio_text(uint64_t part, uint64_t whole, char text[CELL_ROOM])
{
	if (!whole || whole == STAT_UNKNOWN || part == STAT_UNKNOWN)
		return false;
	snprintf(text, CELL_ROOM, "%.9g", (double)part / (double)whole);
	return true;
}

static bool
rank_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return p->rank && count_text(p->rank, text);
}

static bool
cache_blocks_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.cache_blocks, text);
}

static bool
cache_bytes_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.cache_blocks * t->trace->block_bytes, text);
}

static bool
elapsed_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.elapsed_us, text);
}

static bool
response_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.response_us, text);
}

static bool
relative_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	double ratio;

	if (!relative(t, p, &ratio))
		return false;
	snprintf(text, CELL_ROOM, "%.9g", ratio);
	return true;
}

static bool
hits_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return ratio_text(p->run->score.hits, p->run->score.references, text);
}

static bool
misses_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.misses, text);
}

static bool
polluted_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.polluted, text);
}

static bool
covered_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.covered, text);
}

static bool
requests_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return count_text(p->run->score.requests, text);
}

static bool
share_text(const struct table *t, const struct standing *p, char text[CELL_ROOM])
{
	return p->run->score.cause_us &&
	    ratio_text(p->run->score.cause_us, p->run->score.all_us, text);
}

static const struct {
	const char  *key;
	figure_text *text;
} figures[] = {
	{ "rank", rank_text },
	{ "cache_blocks", cache_blocks_text },
	{ "cache_bytes", cache_bytes_text },
	{ "elapsed_us", elapsed_text },
	{ "response_mean_us", response_text },
	{ "relative", relative_text },
	{ "hit_ratio", hits_text },
	{ "misses", misses_text },
	{ "pollution_misses", polluted_text },
	{ "covered_references", covered_text },
	{ "requests", requests_text },
	{ "wait_share", share_text },
};

enum { NFIGURES = sizeof(figures) / sizeof(*figures) };

static const char *
wait_text(const struct standing *p)
{
	return p->run->score.cause_us ? wait_info[p->run->score.cause].what : NULL;
}

static void
print_csv_header(const struct grid *g, FILE *out)
{
	char key[CELL_ROOM];

	fputs("trace", out);
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (named(g, id))
			fprintf(out, ",%s", option_column(id, key));
	for (unsigned i = 0; i < NFIGURES; i++)
		fprintf(out, ",%s", figures[i].key);
	fputs(",waits_for\n", out);
}

static void
print_csv(const struct table *t, FILE *out)
{
	char text[CELL_ROOM], room[SHARED_TEXT];

	for (const struct standing *p = t->place; p < t->place + t->n; p++) {
		csv_text(t->trace->name, out);
		for (enum option_id id = 0; id < OPTIONS; id++)
			if (named(t->k->grid, id)) {
				putc(',', out);
				csv_text(setting_of(t->k, p->run, id, room), out);
			}
		for (unsigned i = 0; i < NFIGURES; i++)
			fprintf(out, ",%s", figures[i].text(t, p, text) ? text : "");
		fprintf(out, ",%s\n", wait_text(p) ? wait_text(p) : "");
	}
}

static bool
add_run(const struct table *t, const struct standing *p, cJSON *to)
{
	char text[CELL_ROOM], room[SHARED_TEXT];
	bool ok = true;

	for (enum option_id id = 0; ok && id < OPTIONS; id++)
		if (named(t->k->grid, id))
			ok = cJSON_AddStringToObject(to, option_column(id, text),
			    setting_of(t->k, p->run, id, room));
	for (unsigned i = 0; ok && i < NFIGURES; i++) {
		bool known = figures[i].text(t, p, text);

		ok = cJSON_AddRawToObject(to, figures[i].key, known ? text : "null");
	}
	return ok &&
	    (wait_text(p) ? cJSON_AddStringToObject(to, "waits_for", wait_text(p))
			  : cJSON_AddNullToObject(to, "waits_for"));
}

/* A table is an object with the name of its trace and its runs. */
static bool
add_table(const struct table *t, cJSON *tables)
{
	cJSON *object = cJSON_CreateObject(), *runs;
	bool   ok = cJSON_AddItemToArray(tables, object) &&
	    cJSON_AddStringToObject(object, "trace", t->trace->name);

	runs = ok ? cJSON_AddArrayToObject(object, "runs") : NULL;
	for (const struct standing *p = t->place; runs && p < t->place + t->n; p++) {
		cJSON *one = cJSON_CreateObject();

		if (!cJSON_AddItemToArray(runs, one) || !add_run(t, p, one))
			return false;
	}
	return runs;
}

/* ---- all tables ---- */

struct print {
	enum ranking_form form;
	unsigned	  width;
	bool		  colour;
	FILE		 *out;
	cJSON		 *tables;
};

static int
print_table(const struct table *t, const struct print *to, struct error *e)
{
	if (to->form != RANKING_CSV && to->form != RANKING_JSON && t->run > t->k->run)
		putc('\n', to->out);
	if (to->form == RANKING_TEXT)
		print_text(t, to->width, to->colour, to->out);
	else if (to->form == RANKING_MARKDOWN)
		print_markdown(t, to->out);
	else if (to->form == RANKING_CSV)
		print_csv(t, to->out);
	else if (!add_table(t, to->tables))
		return error_set(e, "out of memory");
	return 0;
}

static int
print_tables(const struct ranking *k, const struct print *to, struct error *e)
{
	const struct ranked *next = k->run;
	struct table	     t;
	int		     failed = 0;

	while (!failed && next < k->run + k->n) {
		if (table_init(&t, k, &next, e))
			return -1;
		failed = print_table(&t, to, e);
		free(t.place);
	}
	return failed;
}

static int
print_json(const struct ranking *k, struct print *to, struct error *e)
{
	cJSON *object = cJSON_CreateObject();
	int    failed;

	to->tables = object ? cJSON_AddArrayToObject(object, "tables") : NULL;
	failed = to->tables ? print_tables(k, to, e) : error_set(e, "out of memory");
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
	if (form == RANKING_CSV)
		print_csv_header(k->grid, out);
	if (form != RANKING_TEXT)
		return print_tables(k, &to, e);
	if (fold_open(&f, out, e))
		return -1;
	to.out = f.out;
	return fold_close(&f, print_tables(k, &to, e), e);
}

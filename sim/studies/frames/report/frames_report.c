/* frames_report.c - measured allocators of page frames: their columns, in CSV, JSON and a table. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/report/json.h"
#include "sim/studies/frames/report/frames_report.h"

enum { NAME_ROOM = 40 };

/* ---- cells ---- */

static const struct frames_report *
report_of(const struct table *t, size_t row)
{
	return t->row(t, row);
}

static void
setting_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	char text[FRAMES_SETTING];

	table_field(to, t, row, c);
	frames_setting_text(report_of(t, row), (enum frames_setting)c->place, text);
	to->shown = text_clean(to->room, NAME_ROOM, text);
}

static void
us_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	table_field(to, t, row, c);
	to->number /= 1000;
}

static void
rate_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	to->number = trial_rate(&report_of(t, row)->result);
	to->shown = frames_rate_text(to->room, to->number);
}

static void
ratio_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct frames_report *r = report_of(t, row);

	snprintf(to->room, CELL_ROOM, "%.2f x", frames_ratio(r));
	to->shown = r->base == r ? "-" : to->room;
}

/* A person is not told that nothing has failed. */
static void
failed_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	size_t i = 0;

	table_field(to, t, row, c);
	while (i < t->nrows && !report_of(t, i)->result.counts.failed)
		i++;
	to->shown = i < t->nrows ? NULL : "-";
}

static void
latency_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	if (!report_of(t, row)->latency)
		return;
	table_field(to, t, row, c);
	to->shown = frames_ns_text(to->room, to->number);
}

static void
pages_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	if (report_of(t, row)->fragments)
		table_field(to, t, row, c);
}

static void
largest_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct frames_report *r = report_of(t, row);
	int			    used = 0;

	for (unsigned i = 0; r->fragments && i <= FRAGMENT_SAMPLES; i++)
		used += snprintf(to->room + used, (size_t)(CELL_ROOM - used), "%s%d", i ? " " : "",
		    r->result.fragments.largest[i]);
	to->text = r->fragments ? to->room : NULL;
}

static void
met_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct frames_report *r = report_of(t, row);
	const double *met = (const double *)(const void *)((const char *)r + c->offset);
	int	      used = 0;

	*to->room = '\0';
	for (unsigned k = 0; r->fragments && k < r->result.fragments.orders; k++)
		used += snprintf(to->room + used, (size_t)(CELL_ROOM - used), "%s%.6g",
		    k ? " " : "", met[k]);
	to->text = to->room;
}

/* ---- columns ---- */

enum columns_place {
	PLACE_RATE = FRAMES_SETTINGS,
	PLACE_RATIO,
	PLACE_FAILED,
	PLACE_LATENCY,
	PLACE_RUNS,
	PLACE_LOCKS
};

#define OF(field) offsetof(struct frames_report, field)

const struct column frames_columns[] = {
	{ "allocator", "allocator", CELL_TEXT, OF(allocator), setting_cell,
	    .place = FRAMES_ALLOCATOR },
	{ "workload", "workload", CELL_TEXT, OF(workload), setting_cell, .place = FRAMES_WORKLOAD },
	{ "cores", "cores", CELL_TEXT, OF(cores), setting_cell, .place = FRAMES_CORES },
	{ "threads", "threads", CELL_NUMBER, OF(shape.threads), setting_cell,
	    .place = FRAMES_THREADS, .left = true },
	{ "blocks", "blocks", CELL_NUMBER, OF(shape.blocks), setting_cell, .place = FRAMES_BLOCKS,
	    .left = true },
	{ "block_pages", "block-pages", CELL_NUMBER, OF(shape.block_pages), setting_cell,
	    FRAMES_BLOCK_PAGES, .left = true },
	{ "repeat", NULL, CELL_NUMBER, .offset = OF(repeat) },
	{ "splits", "splits", CELL_COUNT, .offset = OF(result.counts.splits), .place = PLACE_RUNS },
	{ "merges", "merges", CELL_COUNT, .offset = OF(result.counts.merges), .place = PLACE_RUNS },
	{ "operations", NULL, CELL_COUNT, .offset = OF(result.counts.operations) },
	{ "operations_per_s", "op/s", CELL_DECIMAL, .cell = rate_cell, .place = PLACE_RATE },
	{ NULL, "ratio", CELL_DECIMAL, .cell = ratio_cell, .place = PLACE_RATIO },
	{ "lock_acquisitions", "locks", CELL_COUNT, .offset = OF(result.counts.lock_acquisitions),
	    .place = PLACE_LOCKS },
	{ "lock_contended", "contended", CELL_COUNT, .offset = OF(result.counts.lock_contended),
	    .place = PLACE_RUNS },
	{ "failed", "failed", CELL_COUNT, OF(result.counts.failed), failed_cell,
	    .place = PLACE_FAILED },
	{ "elapsed_us", NULL, CELL_DECIMAL, .offset = OF(result.elapsed_ns), .cell = us_cell },
	{ "elapsed_min_us", NULL, CELL_DECIMAL, .offset = OF(result.elapsed_min_ns),
	    .cell = us_cell },
	{ "elapsed_max_us", NULL, CELL_DECIMAL, .offset = OF(result.elapsed_max_ns),
	    .cell = us_cell },
#define LATENCY(name, title)                                                                       \
	{                                                                                          \
		"latency_" #name "_ns", title, CELL_DECIMAL, OF(result.latency.name),              \
		    latency_cell, .place = PLACE_LATENCY, .optional = true                         \
	}
	LATENCY(p50, "median"),
	LATENCY(p90, NULL),
	LATENCY(p99, "99 %"),
	LATENCY(p999, "99.9 %"),
	LATENCY(max, NULL),
	LATENCY(mean, NULL),
#undef LATENCY
	{ "free_pages", NULL, CELL_COUNT, OF(result.fragments.free_pages), pages_cell,
	    .csv_only = true },
	{ "total_pages", NULL, CELL_COUNT, OF(result.fragments.total_pages), pages_cell,
	    .csv_only = true },
	{ "largest_order", NULL, CELL_TEXT, .cell = largest_cell, .csv_only = true },
	{ "met", NULL, CELL_TEXT, OF(result.fragments.met), met_cell, .csv_only = true },
	{ "met_after", NULL, CELL_TEXT, OF(result.fragments.met_after), met_cell,
	    .csv_only = true },
};
#undef OF

const unsigned frames_ncolumns = sizeof(frames_columns) / sizeof(*frames_columns);

bool
frames_is_figure(const struct column *c)
{
	return c->key && c->kind >= CELL_COUNT && !c->csv_only;
}

static const void *
report_at(const struct table *t, size_t row)
{
	return (const struct frames_report *)t->self + row;
}

void
frames_table_init(struct table *t, const struct frames_report *r, size_t n)
{
	*t = (struct table){ .self = r, .row = report_at, .nrows = n };
}

double
frames_value(const struct frames_report *r, const struct column *c)
{
	struct table t;
	struct cell  a;

	frames_table_init(&t, r, 1);
	table_cell(&a, &t, 0, c);
	return c->kind == CELL_COUNT ? (double)a.count : a.number;
}

/* ---- settings ---- */

const struct column *
frames_setting_column(enum frames_setting s)
{
	const struct column *c = frames_columns; /* settings are the first of them */

	while (c->place != s)
		c++;
	return c;
}

char *
frames_setting_text(const struct frames_report *r, enum frames_setting s, char text[FRAMES_SETTING])
{
	const struct column *c = frames_setting_column(s);
	const char	    *field = (const char *)r + c->offset;

	if (c->kind == CELL_TEXT)
		return text_clean(text, FRAMES_SETTING, *(const char *const *)(const void *)field);
	snprintf(text, FRAMES_SETTING, "%" PRIu64, *(const uint64_t *)(const void *)field);
	return text;
}

static bool
same(const struct frames_report *a, const struct frames_report *b, enum frames_setting s)
{
	char text[2][FRAMES_SETTING];

	return !strcmp(frames_setting_text(a, s, text[0]), frames_setting_text(b, s, text[1]));
}

bool
frames_varies(const struct frames_report *r, size_t n, enum frames_setting s)
{
	size_t i = 1;

	while (i < n && same(&r[0], &r[i], s))
		i++;
	return i < n;
}

enum frames_setting
frames_compared(const struct frames_report *r, size_t n)
{
	static const enum frames_setting order[] = { FRAMES_ALLOCATOR, FRAMES_THREADS, FRAMES_CORES,
		FRAMES_BLOCKS, FRAMES_BLOCK_PAGES };

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (frames_varies(r, n, order[i]))
			return order[i];
	return FRAMES_WORKLOAD;
}

static bool
is_base(const struct frames_report *base, enum frames_setting along,
    const struct frames_report *first, const struct frames_report *r)
{
	enum frames_setting s = 0;

	while (s < FRAMES_SETTINGS && same(base, s == along ? first : r, s))
		s++;
	return s == FRAMES_SETTINGS;
}

void
frames_compare(struct frames_report *r, size_t n)
{
	enum frames_setting along = frames_compared(r, n);

	for (size_t i = 0; i < n; i++) {
		size_t b = 0;

		while (b < n && !is_base(&r[b], along, r, &r[i]))
			b++;
		r[i].base = &r[b < n ? b : 0];
	}
}

double
frames_ratio(const struct frames_report *r)
{
	double base = trial_rate(&r->base->result);

	return base > 0 ? trial_rate(&r->result) / base : 1;
}

/* ---- for programs ---- */

void
frames_csv(const struct frames_report *r, size_t n, FILE *out)
{
	struct table t;

	frames_table_init(&t, r, n);
	table_add(&t, frames_columns, frames_ncolumns);
	table_csv_heading(&t, out);
	for (size_t i = 0; i < n; i++)
		table_csv_row(&t, i, out);
}

static bool
append(cJSON *list, double n)
{
	cJSON *item = cJSON_CreateNumber(n);

	return item && cJSON_AddItemToArray(list, item);
}

static bool
add_fragments(const struct trial_fragments *f, cJSON *to)
{
	cJSON *item = cJSON_AddObjectToObject(to, "fragments");
	bool   ok = item && json_count(item, "free_pages", f->free_pages) &&
	    json_count(item, "total_pages", f->total_pages);
	cJSON *largest = ok ? cJSON_AddArrayToObject(item, "largest_order") : NULL;
	cJSON *met = largest ? cJSON_AddArrayToObject(item, "met") : NULL;
	cJSON *after = met ? cJSON_AddArrayToObject(item, "met_after") : NULL;

	ok = after;
	for (unsigned i = 0; ok && i <= FRAGMENT_SAMPLES; i++)
		ok = append(largest, f->largest[i]);
	for (unsigned k = 0; ok && k < f->orders; k++)
		ok = append(met, f->met[k]) && append(after, f->met_after[k]);
	return ok;
}

int
frames_json(const struct frames_report *r, FILE *out, struct error *e)
{
	cJSON	    *o = cJSON_CreateObject();
	struct table t;

	frames_table_init(&t, r, 1);
	table_add(&t, frames_columns, frames_ncolumns);
	return json_print(o,
	    o && table_json_row(&t, 0, o) &&
		(!r->fragments || add_fragments(&r->result.fragments, o)),
	    out, e);
}

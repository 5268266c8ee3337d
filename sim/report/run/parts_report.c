/* parts_report.c - rank the parts of a run, and print them.  A column is one row of add_columns(). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/classes.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/report/run/parts_report.h"
#include "sim/table/table.h"

/* ---- rows ---- */

/* A file or process in the run, and in the one without prefetching. */
struct row {
	const char *trace, *name, *program; /* NULL: none */
	uint64_t    id, blocks;		    /* inode, or PID; blocks of the file */
	struct part with, without;
	uint64_t    used, wasted, polluted, covered; /* of the run, as programs get them */
	uint64_t    baseline_misses, baseline_stall_us;
	uint32_t    number;
	uint32_t    more; /* 0; or the sum of so many rows */
};

struct list {
	const struct report *r;
	enum parts_of	     kind;
	struct row	    *row; /* [n] */
	uint32_t	     n;
};

static struct row
row_of(const struct report *r, enum parts_of kind, uint32_t i)
{
	const struct trace *t = r->trace;
	const struct part  *a = &r->parts->part[kind][i];
	const struct part  *b = r->parts_without ? &r->parts_without->part[kind][i] : NULL;
	bool		    shadow = r->config->shadow;
	struct row	    row = { .trace = t->name,
			 .with = *a,
			 .used = part_used(a),
			 .wasted = part_wasted(a),
			 .polluted = shadow ? a->polluted : STAT_UNKNOWN,
			 .covered = shadow ? a->covered : STAT_UNKNOWN,
			 .baseline_misses = b ? b->misses : STAT_UNKNOWN,
			 .baseline_stall_us = b ? b->stall_us : STAT_UNKNOWN,
			 .number = i };

	if (b)
		row.without = *b;
	if (kind == PARTS_OF_FILES) {
		row.id = t->file[i].inode;
		row.name = t->file[i].name;
		row.blocks = t->file[i].nblocks;
	} else {
		row.id = t->process[i].pid;
		row.name = t->process[i].name;
		row.program = t->program ? t->program[t->program_of[i]] : NULL;
	}
	return row;
}

static bool
has_run(const struct row *p)
{
	return p->with.references || p->with.prefetched || p->with.stall_us || p->without.stall_us;
}

static int64_t
change(const struct row *p)
{
	return (int64_t)p->with.stall_us - (int64_t)p->without.stall_us;
}

static int
by_change(const void *a, const void *b)
{
	const struct row *p = a, *q = b;
	int64_t		  x = llabs(change(p)), y = llabs(change(q));

	if (x != y)
		return x > y ? -1 : 1;
	return p->number < q->number ? -1 : 1;
}

/* ---- columns ---- */

static const void *
row_at(const struct table *t, size_t row)
{
	const struct list *l = t->self;

	return &l->row[row];
}

/* "4711 cc1 of make": a person reads all about a process in one column. */
static void
name_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct list *l = t->self;
	const struct row  *p = &l->row[row];
	char		   n[NUMBER_TEXT];

	to->text = p->name;
	if (l->kind == PARTS_OF_FILES && !p->more) {
		to->shown = p->name ? NULL : class_file_name(l->r->trace, p->number, to->room);
		return;
	}
	if (p->more)
		snprintf(to->room, CELL_ROOM, "%s more", number_group(n, p->more));
	else
		snprintf(to->room, CELL_ROOM, "%" PRIu64 "%s%s%s%s", p->id, p->name ? " " : "",
		    p->name ? p->name : "", p->program ? " of " : "", p->program ? p->program : "");
	to->shown = text_clean(to->room, CELL_ROOM, to->room);
}

static void
show_share(struct cell *to, uint64_t part, uint64_t whole)
{
	snprintf(to->room, CELL_ROOM, "%.1f %%", number_percent(part, whole));
	to->count = part;
	to->shown = whole ? to->room : "-";
}

static void
hits_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct row *p = row_at(t, row);

	show_share(to, p->with.hits, p->with.references);
}

static void
used_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct row *p = row_at(t, row);

	show_share(to, p->used, p->with.prefetched);
}

static void
stall_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	table_field(to, t, row, c);
	snprintf(to->room, CELL_ROOM, "%.3f s", (double)to->count / 1e6);
	to->shown = to->room;
}

static void
change_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	table_field(to, t, row, c);
	snprintf(to->room, CELL_ROOM, "%+.3f s", (double)change(row_at(t, row)) / 1e6);
	to->shown = to->room;
}

enum columns_place {
	PLACE_STALL,
	PLACE_CHANGE,
	PLACE_REFERENCES,
	PLACE_HITS,
	PLACE_PREFETCHED,
	PLACE_USED,
	PLACE_NAME
};

/* False: no memory for its rows, which the caller frees. */
static bool
list_init(struct list *l, struct table *t, const struct report *r, enum parts_of kind)
{
#define OF(field) .offset = offsetof(struct row, field)
	bool		    files = kind == PARTS_OF_FILES;
	const struct column column[] = {
		{ "trace", NULL, CELL_TEXT, OF(trace), .csv_only = true },
		{ files ? "inode" : "pid", NULL, CELL_NUMBER, OF(id) },
		{ "name", files ? "file" : "process", CELL_TEXT, .cell = name_cell,
		    .place = PLACE_NAME, .optional = true },
		{ files ? "blocks" : NULL, NULL, CELL_NUMBER, OF(blocks) },
		{ files ? NULL : "program", NULL, CELL_TEXT, OF(program), .optional = true },
		{ "references", "references", CELL_COUNT, OF(with.references),
		    .place = PLACE_REFERENCES, .width = 10, .near = true },
		{ "hits", "hits", CELL_COUNT, .cell = hits_cell, .place = PLACE_HITS, .width = 8,
		    .near = true },
		{ "misses", NULL, CELL_COUNT, OF(with.misses) },
		{ "prefetched_blocks", "prefetched", CELL_COUNT, OF(with.prefetched),
		    .place = PLACE_PREFETCHED, .width = 10, .near = true },
		{ "used_blocks", "used", CELL_COUNT, .cell = used_cell, .place = PLACE_USED,
		    .width = 8, .near = true },
		{ "wasted_blocks", NULL, CELL_COUNT, OF(wasted) },
		{ "outcome_timely_blocks", NULL, CELL_COUNT, OF(with.outcome[FATE_TIMELY]) },
		{ "outcome_late_blocks", NULL, CELL_COUNT, OF(with.outcome[FATE_LATE]) },
		{ "outcome_costly_blocks", NULL, CELL_COUNT, OF(with.outcome[FATE_COSTLY]) },
		{ "outcome_useless_blocks", NULL, CELL_COUNT, OF(with.outcome[FATE_USELESS]) },
		{ "outcome_polluting_blocks", NULL, CELL_COUNT, OF(with.outcome[FATE_POLLUTING]) },
		{ "pollution_victim_misses", NULL, CELL_COUNT, OF(with.victim_misses) },
		{ "pollution_misses", NULL, CELL_COUNT, OF(polluted) },
		{ "covered_references", NULL, CELL_COUNT, OF(covered) },
		{ "stall_us", "stall", CELL_COUNT, OF(with.stall_us), .cell = stall_cell,
		    .place = PLACE_STALL, .width = 10 },
		{ "baseline_misses", NULL, CELL_COUNT, OF(baseline_misses) },
		{ "baseline_stall_us", r->parts_without ? "vs none" : NULL, CELL_COUNT,
		    OF(baseline_stall_us), .cell = change_cell, .place = PLACE_CHANGE, .width = 11,
		    .near = true },
	};
#undef OF
	uint32_t all = run_parts_number(r->parts, kind);

	*l = (struct list){ .r = r, .kind = kind, .row = calloc(all, sizeof(*l->row)) };
	for (uint32_t i = 0; l->row && i < all; i++) {
		l->row[l->n] = row_of(r, kind, i);
		l->n += has_run(&l->row[l->n]);
	}
	if (l->n)
		qsort(l->row, l->n, sizeof(*l->row), by_change);
	*t = (struct table){ .self = l, .row = row_at, .nrows = l->n };
	table_add(t, column, sizeof(column) / sizeof(*column));
	return l->row;
}

/* ---- text ---- */

static void
sum_up(struct part *to, const struct part *what)
{
	to->references += what->references;
	to->hits += what->hits;
	to->prefetched += what->prefetched;
	to->stall_us += what->stall_us;
}

/* All but the first become one row. */
static void
join_rest(struct list *l, uint32_t first)
{
	struct row *rest = &l->row[first];

	for (uint32_t i = first + 1; i < l->n; i++) {
		sum_up(&rest->with, &l->row[i].with);
		sum_up(&rest->without, &l->row[i].without);
		rest->used += l->row[i].used;
	}
	rest->more = l->n - first;
}

static void
print_list(const struct report *r, enum parts_of kind, FILE *out)
{
	struct list  l;
	struct table t;
	uint32_t     top;

	list_init(&l, &t, r, kind);
	top = (uint32_t)number_top(l.n, r->options->parts_top);
	if (top < l.n) {
		join_rest(&l, top);
		t.nrows = top + 1;
	}
	putc('\n', out);
	table_text(&t, out);
	free(l.row);
}

void
parts_text(const struct report *r, FILE *out)
{
	for (enum parts_of kind = 0; r->parts && kind < PARTS_KINDS; kind++)
		if (r->parts->part[kind])
			print_list(r, kind, out);
}

/* ---- for programs ---- */

static bool
json_parts(const struct report *r, enum parts_of kind, cJSON *to)
{
	static const char *const key[] = { "files", "processes" };
	struct list		 l;
	struct table		 t;
	bool			 ok = list_init(&l, &t, r, kind) && table_json(&t, to, key[kind]);

	free(l.row);
	return ok;
}

bool
parts_json(const struct report *r, cJSON *to)
{
	bool ok = true;

	for (enum parts_of kind = 0; r->parts && ok && kind < PARTS_KINDS; kind++)
		ok = !r->parts->part[kind] || json_parts(r, kind, to);
	return ok;
}

int
parts_csv(const struct report *r, FILE *out, struct error *e)
{
	struct list  l;
	struct table t;

	if (!list_init(&l, &t, r,
		r->parts->part[PARTS_OF_FILES] ? PARTS_OF_FILES : PARTS_OF_PROCESSES))
		return error_set(e, "out of memory for the table");
	table_csv_heading(&t, out);
	for (size_t i = 0; i < t.nrows; i++)
		table_csv_row(&t, i, out);
	free(l.row);
	return 0;
}

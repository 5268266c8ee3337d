/* live_table.c - one line per step for a person, one row for CSV, and the sums. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/number.h"
#include "sim/host/report/live_table.h"
#include "sim/table/table.h"

enum { RANGES_ROOM = 58 };

/* ---- the comparison ---- */

static bool
has_moved(const struct live_outcome *p, uint32_t page)
{
	return p->drops ? scratch_went(p->file, page) : scratch_came(p->file, page);
}

struct live_outcome
live_compare(const struct live_step *s, struct scratch *of, block_t base, const struct forecast *f,
    size_t i)
{
	struct live_outcome p = { .step = s, .file = of, .base = base };
	size_t		    met = 0;
	uint32_t	    other = 0;

	p.drops = s->advice && s->advice->kind == ADVICE_DONTNEED;
	p.predicted = forecast_of(f, i, &p.n);
	for (uint32_t k = of->first; k < of->end; k++) {
		p.moved += has_moved(&p, k);
		other += p.drops ? scratch_came(of, k) : scratch_went(of, k);
	}
	for (size_t k = 0; k < p.n; k++) {
		block_t page = p.predicted[k] - base;

		met += page >= of->first && page < of->end && has_moved(&p, page);
	}
	p.agreed = met == p.n && met == p.moved && !(p.drops && other);
	p.gone = p.drops ? 0 : other;
	p.lossy = of->lost = of->lost || p.gone;
	return p;
}

/* ---- sums ---- */

void
live_tally_step(struct live_tally *t, const struct live_outcome *p)
{
	struct live_count *c = &t->kind[p->step->kind];

	c->steps++;
	c->agreed += p->agreed;
	c->busy += p->moved != 0;
	c->predicted += p->moved && p->agreed;
	t->gone += p->gone;
	t->lossy += p->lossy && !p->agreed;
}

static void
count_add(struct live_count *c, const struct live_count *more)
{
	c->steps += more->steps;
	c->agreed += more->agreed;
	c->busy += more->busy;
	c->predicted += more->predicted;
}

void
live_tally_add(struct live_tally *t, const struct live_tally *more)
{
	for (unsigned k = 0; k < LIVE_KINDS; k++)
		count_add(&t->kind[k], &more->kind[k]);
	t->gone += more->gone;
	t->stray += more->stray;
	t->lossy += more->lossy;
}

/* ---- printing ---- */

/* Ranges of pages, one after the other: "4-11 20". */
struct ranges {
	FILE   *out;
	block_t first, count;
	bool	any;
};

static void
ranges_flush(struct ranges *r)
{
	if (!r->count)
		return;
	fprintf(r->out, "%s%" PRIu32, r->any ? " " : "", r->first);
	if (r->count > 1)
		fprintf(r->out, "-%" PRIu32, r->first + r->count - 1);
	r->any = true;
	r->count = 0;
}

static void
ranges_add(struct ranges *r, block_t page)
{
	if (r->count && page != r->first + r->count)
		ranges_flush(r);
	if (!r->count)
		r->first = page;
	r->count++;
}

/* The pages that have moved, and, behind a NUL, those predicted. */
static void
put_ranges(const struct live_outcome *p, FILE *out)
{
	struct ranges moved = { .out = out }, predicted = { .out = out };

	for (uint32_t k = p->file->first; k < p->file->end; k++)
		if (has_moved(p, k))
			ranges_add(&moved, k);
	ranges_flush(&moved);
	putc('\0', out);
	for (size_t k = 0; k < p->n; k++)
		ranges_add(&predicted, p->predicted[k] - p->base);
	ranges_flush(&predicted);
}

struct row {
	const char *workload, *group, *kind, *moved, *predicted;
	uint64_t    step, file, open, offset, length, agreed, gone;
};

/* A person is shown the ranges for which there is room. */
static void
ranges_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	size_t end;

	table_field(to, t, row, c);
	end = strlen(to->text);
	if (end > RANGES_ROOM)
		for (end = RANGES_ROOM; to->text[end] != ' ';)
			end--;
	snprintf(to->room, CELL_ROOM, "%.*s%s", (int)end, to->text, to->text[end] ? " ..." : "");
	to->shown = end ? to->room : "-";
}

static void
agreed_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct row *r = t->self;
	int n = snprintf(to->room, CELL_ROOM, "%s", r->agreed ? "agreed" : "NOT AGREED");

	to->count = r->agreed;
	to->shown = to->room;
	if (r->gone)
		snprintf(to->room + n, CELL_ROOM - (size_t)n,
		    "; %" PRIu64 " pages have left memory", r->gone);
}

static const void *
row_of(const struct table *t, size_t row)
{
	return t->self;
}

/* Narrower columns make room for the kind; a line has at most 80 characters if all agrees. */
static void
steps_init(struct table *t, const struct row *r, bool kinds)
{
#define OF(field) .offset = offsetof(struct row, field)
	unsigned	    length = kinds ? 6 : 7, pages = kinds ? 17 : 20;
	const struct column column[] = {
		{ "workload", NULL, CELL_TEXT, OF(workload) },
		{ "group", NULL, CELL_TEXT, OF(group) },
		{ "step", "step", CELL_NUMBER, OF(step), .width = 5 },
		{ "kind", kinds ? "" : NULL, CELL_TEXT, OF(kind), .width = 10, .near = true },
		{ "file", NULL, CELL_NUMBER, OF(file) },
		{ "open", NULL, CELL_NUMBER, OF(open) },
		{ "offset", "offset", CELL_NUMBER, OF(offset), .width = 10, .near = true },
		{ "length", "length", CELL_NUMBER, OF(length), .width = length, .near = true },
		{ "read", kinds ? "this kernel" : "this kernel read", CELL_TEXT, OF(moved),
		    .cell = ranges_cell, .width = pages },
		{ "predicted", "predicted", CELL_TEXT, OF(predicted), .cell = ranges_cell,
		    .width = pages },
		{ "agreed", "", CELL_NUMBER, .cell = agreed_cell, .left = true },
		{ "gone", NULL, CELL_NUMBER, OF(gone) },
	};
#undef OF

	*t = (struct table){ .self = r, .row = row_of, .nrows = 1 };
	table_add(t, column, sizeof(column) / sizeof(*column));
}

void
live_print_columns(FILE *out)
{
	struct table t;

	steps_init(&t, NULL, false);
	table_csv_heading(&t, out);
}

void
live_print_heading(const struct live_view *v, const char *summary)
{
	struct table t;

	if (v->csv)
		return;
	steps_init(&t, NULL, v->kinds);
	fprintf(v->out, "\n%s%s%s%s\n", v->name, *v->group ? ", " : "", v->group, summary);
	table_heading(&t, v->out);
	putc('\n', v->out);
}

int
live_print_step(const struct live_view *v, size_t i, file_t file, const struct live_outcome *p,
    struct error *e)
{
	struct row   r = { v->name, v->group, live_step_word(p->step), NULL, NULL, i + 1, file + 1,
		  p->step->open + 1, p->step->offset, p->step->length, p->agreed, p->gone };
	struct table t;
	struct memo  m;

	if (!v->csv && p->agreed && !p->moved && !p->gone)
		return 0;
	if (memo_open(&m, e))
		return -1;
	put_ranges(p, m.out);
	if (memo_close(&m, e))
		return -1;
	r.moved = m.text;
	r.predicted = m.text + strlen(m.text) + 1;
	steps_init(&t, &r, v->kinds);
	if (v->csv) {
		table_csv_row(&t, 0, v->out);
	} else {
		table_row(&t, 0, v->out);
		putc('\n', v->out);
	}
	free(m.text);
	return 0;
}

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 100;
}

static void
print_count(FILE *out, const char *what, const char *busy, const struct live_count *c)
{
	char number[4][NUMBER_TEXT];

	fprintf(out, "%-15s %6s of %6s agreed %5.1f %%; %s: %5s of %5s, %5.1f %%\n", what,
	    number_group(number[0], c->agreed), number_group(number[1], c->steps),
	    percent(c->agreed, c->steps), busy, number_group(number[2], c->predicted),
	    number_group(number[3], c->busy), percent(c->predicted, c->busy));
}

static void
print_kinds(FILE *out, const struct live_tally *t)
{
	static const char *const name[LIVE_KINDS] = { [LIVE_READ] = "  reads",
		[LIVE_FAULT] = "  faults",
		[LIVE_WRITE] = "  writes",
		[LIVE_ADVICE] = "  advice" };

	for (unsigned k = 0; k < LIVE_KINDS; k++)
		if (t->kind[k].steps)
			print_count(out, name[k], "moved", &t->kind[k]);
}

void
live_print_tally(FILE *out, const char *what, const struct live_tally *t)
{
	struct live_count all = { 0 };
	unsigned	  kinds = 0;
	char		  number[NUMBER_TEXT];

	for (unsigned k = 0; k < LIVE_KINDS; k++) {
		count_add(&all, &t->kind[k]);
		kinds += t->kind[k].steps != 0;
	}
	if (kinds > 1 || t->kind[LIVE_READ].steps != all.steps)
		print_count(out, what, "moved", &all);
	else
		print_count(out, what, "reads", &all);
	if (kinds > 1)
		print_kinds(out, t);
	if (t->gone)
		fprintf(out, "%15s %6s pages have left memory in between\n", "",
		    number_group(number, t->gone));
	if (t->lossy)
		fprintf(out,
		    "%15s %6s of the steps not agreed are of files that have lost such pages\n", "",
		    number_group(number, t->lossy));
	if (t->stray)
		fprintf(out, "%15s %6s pages were read far from any call\n", "",
		    number_group(number, t->stray));
}

/*
 * share_table.c - a table for each program and protocol, a row for each other setting.
 *
 * A column is as wide as its widest cell.  What finds no room is left out; all is in the CSV.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/share_table.h"

enum { LINE_WIDTH = 80, GAP = 2, CELL_ROOM = 64, COLUMNS_MAX = OPTIONS + COUNTERS_MAX + 4 };

enum column_kind {
	COLUMN_SETTING,
	COLUMN_COST,
	COLUMN_CHANGE,
	COLUMN_COUNTER,
	COLUMN_PAGES,
	COLUMN_TIME
};

struct column {
	enum column_kind kind;
	unsigned	 number; /* of the option, or of the counter */
	unsigned	 width;
};

/* One table: of a program and a protocol. */
struct part {
	const struct share_table *t;
	const struct program	 *program;
	const struct share_row	 *row; /* of the program */
	const struct plugin	 *protocol;
	uint64_t		  first; /* setting with that protocol */
	struct column		  column[COLUMNS_MAX];
	unsigned		  ncolumns;
};

/* ---- rows ---- */

static bool
ends_in_faults(const char *name)
{
	size_t n = strlen(name), end = strlen("_faults");

	return n > end && !strcmp(name + n - end, "_faults");
}

/* What runs are compared by. */
static const char *
cost_name(const struct plugin *protocol)
{
	const struct counter *c = protocol->counters;

	while (c && c->name && strcmp(c->name, "fetches") != 0)
		c++;
	return c && c->name ? "fetches" : "faults";
}

/* The counter of that name, or else the sum of all classes of faults. */
static uint64_t
cost_of(const struct plugin *protocol, const uint64_t *counter)
{
	const struct counter *c = protocol->counters;
	uint64_t	      sum = 0;

	for (unsigned i = 0; c && c[i].name; i++) {
		if (!strcmp(c[i].name, cost_name(protocol)))
			return counter[i];
		sum += ends_in_faults(c[i].name) ? counter[i] : 0;
	}
	return sum;
}

void
share_row_of(struct share_row *row, const struct share_report *r)
{
	const struct share_result *s = r->result;
	const struct counter	  *c = s->protocol.plugin->counters;

	*row = (struct share_row){ .protocol = s->protocol.plugin,
		.pages = s->pages,
		.elapsed_ns = s->elapsed_ns };
	for (unsigned i = 0; c && c[i].name; i++)
		row->counter[i] = counter_value(s->protocol.self, &c[i]);
	row->cost = cost_of(row->protocol, row->counter);
}

static unsigned
nvalues(const struct part *p, enum option_id id)
{
	return p->t->grid->nvalues[id];
}

static bool
is_mine(const struct part *p, uint64_t setting)
{
	return p->row[setting].protocol == p->protocol;
}

/* The setting that another is compared with: the same with the first allocator, or the first. */
static uint64_t
base_of(const struct part *p, uint64_t setting)
{
	uint64_t step = nvalues(p, OPTION_protocol);

	if (nvalues(p, OPTION_allocator) < 2)
		return p->first;
	return setting - step * grid_value(p->t->grid, setting, OPTION_allocator);
}

/* 0.5: half the faults of the one it is compared with. */
static double
ratio(const struct part *p, uint64_t setting)
{
	uint64_t base = p->row[base_of(p, setting)].cost, n = p->row[setting].cost;

	return base ? (double)n / (double)base : n ? INFINITY : 1;
}

/* ---- columns ---- */

static void
add_column(struct part *p, enum column_kind kind, unsigned number)
{
	p->column[p->ncolumns++] = (struct column){ kind, number, 0 };
}

static uint64_t
rows_of(const struct part *p)
{
	uint64_t n = 0;

	for (uint64_t s = 0; s < p->t->grid->npoints; s++)
		n += is_mine(p, s);
	return n;
}

/* Do rows differ in that setting?  Other protocols have tables of their own. */
static bool
varies(const struct part *p, enum option_id id)
{
	uint64_t s = 0, n = p->t->grid->npoints;

	if (id != OPTION_protocol)
		return nvalues(p, id) > 1;
	while (s < n &&
	    (!is_mine(p, s) ||
		grid_value(p->t->grid, s, id) == grid_value(p->t->grid, p->first, id)))
		s++;
	return s < n;
}

static void
add_cost(struct part *p)
{
	add_column(p, COLUMN_COST, 0);
	if (rows_of(p) > 1)
		add_column(p, COLUMN_CHANGE, 0);
}

/* The cost stands where its counter is in the protocol's table, else first. */
static void
choose_columns(struct part *p)
{
	const struct counter *c = p->protocol->counters;
	bool		      there = false;

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (varies(p, id))
			add_column(p, COLUMN_SETTING, id);
	for (unsigned i = 0; c && c[i].name; i++)
		there |= !strcmp(c[i].name, cost_name(p->protocol));
	if (!there)
		add_cost(p);
	for (unsigned i = 0; c && c[i].name; i++)
		if (!strcmp(c[i].name, cost_name(p->protocol)))
			add_cost(p);
		else
			add_column(p, COLUMN_COUNTER, i);
	add_column(p, COLUMN_PAGES, 0);
	add_column(p, COLUMN_TIME, 0);
}

static void
title_of(const struct part *p, const struct column *c, char cell[CELL_ROOM])
{
	const char *const fixed[] = { [COLUMN_COST] = cost_name(p->protocol),
		[COLUMN_CHANGE] = "change",
		[COLUMN_PAGES] = "pages",
		[COLUMN_TIME] = "time" };
	const char	 *name = fixed[c->kind];

	if (c->kind == COLUMN_SETTING)
		name = option_info[c->number].name;
	if (c->kind == COLUMN_COUNTER)
		name = p->protocol->counters[c->number].name;
	snprintf(cell, CELL_ROOM, "%s", name);
	if (c->kind == COLUMN_COUNTER && ends_in_faults(cell)) /* beside all faults */
		cell[strlen(cell) - strlen("_faults")] = '\0';
	for (char *s = cell; *s; s++)
		*s = *s == '_' ? ' ' : *s;
}

static void
cell_of(const struct part *p, const struct column *c, uint64_t setting, char cell[CELL_ROOM])
{
	const struct share_row *r = &p->row[setting];
	char			n[NUMBER_TEXT];

	switch (c->kind) {
	case COLUMN_SETTING:
		text_clean(cell, CELL_ROOM,
		    grid_text(p->t->grid, setting, (enum option_id)c->number));
		return;
	case COLUMN_CHANGE:
		if (base_of(p, setting) == setting)
			strcpy(cell, "-");
		else
			snprintf(cell, CELL_ROOM, "%+.1f %%", 100 * (ratio(p, setting) - 1));
		return;
	case COLUMN_COST:
		number_group(n, r->cost);
		break;
	case COLUMN_COUNTER:
		number_group(n, r->counter[c->number]);
		break;
	case COLUMN_PAGES:
		number_group(n, r->pages);
		break;
	case COLUMN_TIME:
		number_time(n, r->elapsed_ns / 1000);
	}
	strcpy(cell, n);
}

static void
measure_columns(struct part *p)
{
	char cell[CELL_ROOM];

	for (struct column *c = p->column; c < p->column + p->ncolumns; c++) {
		title_of(p, c, cell);
		c->width = (unsigned)strlen(cell);
		for (uint64_t s = 0; s < p->t->grid->npoints; s++) {
			if (!is_mine(p, s))
				continue;
			cell_of(p, c, s, cell);
			if (strlen(cell) > c->width)
				c->width = (unsigned)strlen(cell);
		}
	}
}

static unsigned
width_of(const struct part *p)
{
	unsigned width = 0;

	for (unsigned i = 0; i < p->ncolumns; i++)
		width += p->column[i].width + (i ? GAP : 0);
	return width;
}

/* Drop the last column of that kind. */
static void
drop_column(struct part *p, enum column_kind kind)
{
	for (unsigned i = p->ncolumns; i-- > 0;)
		if (p->column[i].kind == kind) {
			memmove(&p->column[i], &p->column[i + 1],
			    (--p->ncolumns - i) * sizeof(*p->column));
			return;
		}
}

/* The last counter goes first, then the time, then other counters. */
static void
drop_columns(struct part *p)
{
	unsigned counters = 0;

	for (unsigned i = 0; i < p->ncolumns; i++)
		counters += p->column[i].kind == COLUMN_COUNTER;
	for (unsigned n = 0; width_of(p) > LINE_WIDTH && n <= counters; n++)
		drop_column(p, n == 1 ? COLUMN_TIME : COLUMN_COUNTER);
}

/* ---- print ---- */

static void
print_cell(const struct column *c, const char *cell, bool first, FILE *out)
{
	fprintf(out, "%*s%*s", first ? 0 : GAP, "",
	    c->kind == COLUMN_SETTING ? -(int)c->width : (int)c->width, cell);
}

static void
print_lines(const struct part *p, FILE *out)
{
	char cell[CELL_ROOM];

	for (unsigned i = 0; i < p->ncolumns; i++) {
		title_of(p, &p->column[i], cell);
		print_cell(&p->column[i], cell, !i, out);
	}
	putc('\n', out);
	for (uint64_t s = 0; s < p->t->grid->npoints; s++) {
		for (unsigned i = 0; is_mine(p, s) && i < p->ncolumns; i++) {
			cell_of(p, &p->column[i], s, cell);
			print_cell(&p->column[i], cell, !i, out);
		}
		if (is_mine(p, s))
			putc('\n', out);
	}
}

/* "size with page 64": the settings in which rows differ. */
static void
print_setting(const struct part *p, uint64_t setting, FILE *out)
{
	const char *between = "";

	if (nvalues(p, OPTION_allocator) > 1) {
		text_print(grid_text(p->t->grid, setting, OPTION_allocator), out);
		between = " with ";
	}
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (id != OPTION_allocator && varies(p, id)) {
			fprintf(out, "%s%s ", between, option_info[id].name);
			text_print(grid_text(p->t->grid, setting, id), out);
			between = ", ";
		}
}

/* What a setting is compared with. */
static void
print_base(const struct part *p, uint64_t setting, FILE *out)
{
	if (nvalues(p, OPTION_allocator) > 1)
		text_print(grid_text(p->t->grid, base_of(p, setting), OPTION_allocator), out);
	else
		print_setting(p, base_of(p, setting), out);
	fputs("\n\n", out);
}

/* "radix: size has 36.8 % fewer faults than sequential". */
static void
print_answer(const struct part *p, FILE *out)
{
	uint64_t    best = p->first;
	const char *cost = cost_name(p->protocol);
	char	    n[NUMBER_TEXT];

	for (uint64_t s = 0; s < p->t->grid->npoints; s++)
		if (is_mine(p, s) && ratio(p, s) < ratio(p, best))
			best = s;
	text_print(p->program->name, out);
	fputs(": ", out);
	if (rows_of(p) == 1) {
		fprintf(out, "%s %s\n\n", number_group(n, p->row[best].cost), cost);
		return;
	}
	if (base_of(p, best) == best) {
		fprintf(out, "nothing has fewer %s than ", cost);
	} else {
		print_setting(p, best, out);
		fprintf(out, " has %.1f %% fewer %s than ", 100 * (1 - ratio(p, best)), cost);
	}
	print_base(p, best, out);
}

/* What all rows have in common. */
static void
print_settings(const struct part *p, FILE *out)
{
	char n[NUMBER_TEXT];

	fprintf(out, "\n%u processor%s, ", p->program->processors,
	    p->program->processors == 1 ? "" : "s");
	text_print(p->program->problem, out);
	fprintf(out, ", %s objects; protocol ", number_group(n, p->program->nobjects));
	text_print(varies(p, OPTION_protocol) ? p->protocol->name
					      : grid_text(p->t->grid, p->first, OPTION_protocol),
	    out);
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (id != OPTION_protocol && nvalues(p, id) == 1) {
			fprintf(out, ", %s ", option_info[id].name);
			text_print(p->t->grid->value[id][0], out);
		}
	putc('\n', out);
}

static void
print_part(const struct share_table *t, unsigned program, uint64_t first, FILE *out)
{
	struct part p = { .t = t,
		.program = &t->program[program],
		.row = &t->row[program * t->grid->npoints],
		.protocol = t->row[program * t->grid->npoints + first].protocol,
		.first = first };

	choose_columns(&p);
	measure_columns(&p);
	drop_columns(&p);
	print_answer(&p, out);
	print_lines(&p, out);
	print_settings(&p, out);
}

/* Is it the first setting with its protocol?  The protocol changes fastest. */
static bool
is_first(const struct share_table *t, uint64_t setting)
{
	uint64_t before = 0;

	while (t->row[before].protocol != t->row[setting].protocol)
		before++;
	return before == setting;
}

void
share_table_print(const struct share_table *t, FILE *out)
{
	for (unsigned program = 0; program < t->nprograms; program++)
		for (uint64_t s = 0; s < t->grid->nvalues[OPTION_protocol]; s++) {
			if (!is_first(t, s))
				continue;
			if (program || s)
				fputs("\n\n", out);
			print_part(t, program, s, out);
		}
}

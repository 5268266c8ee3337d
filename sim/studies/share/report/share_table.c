/* share_table.c - a table for each program and protocol, a row for each other setting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/share/report/share_table.h"
#include "sim/table/table.h"

enum { LINE_WIDTH = 80, SETTING_ROOM = 64 };

/* One table: of a program and a protocol. */
struct part {
	const struct share_table *t;
	const struct program	 *program;
	const struct share_row	 *row; /* of the program */
	const struct plugin	 *protocol;
	uint64_t		 *setting; /* [n]: those with that protocol */
	size_t			  n;
};

/* ---- rows ---- */

static bool
ends_in_faults(const char *name)
{
	size_t n = strlen(name), end = strlen("_faults");

	return n > end && !strcmp(name + n - end, "_faults");
}

static unsigned
counters_of(const struct plugin *protocol)
{
	unsigned n = 0;

	while (protocol->counters && protocol->counters[n].name)
		n++;
	return n;
}

/* The number of the counter of that name; that of all counters: there is none. */
static unsigned
find_counter(const struct plugin *protocol, const char *name)
{
	unsigned i = 0;

	while (i < counters_of(protocol) && strcmp(protocol->counters[i].name, name) != 0)
		i++;
	return i;
}

/* What runs are compared by. */
static const char *
cost_name(const struct plugin *protocol)
{
	return find_counter(protocol, "fetches") < counters_of(protocol) ? "fetches" : "faults";
}

/* The counter of that name, or else the sum of all classes of faults. */
static uint64_t
cost_of(const struct plugin *protocol, const uint64_t *counter)
{
	unsigned n = counters_of(protocol), cost = find_counter(protocol, cost_name(protocol));
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += ends_in_faults(protocol->counters[i].name) ? counter[i] : 0;
	return cost < n ? counter[cost] : sum;
}

void
share_row_of(struct share_row *row, const struct share_report *r)
{
	const struct share_result *s = r->result;

	*row = (struct share_row){ .protocol = s->protocol.plugin,
		.pages = s->pages,
		.elapsed_us = s->elapsed_ns / 1000,
		.speedup = share_speedup(s) };
	for (unsigned i = 0; i < counters_of(row->protocol); i++)
		row->counter[i] = counter_value(s->protocol.self, &row->protocol->counters[i]);
	row->cost = cost_of(row->protocol, row->counter);
}

static unsigned
nvalues(const struct part *p, enum option_id id)
{
	return p->t->grid->nvalues[id];
}

/* The setting that another is compared with: the same with the first allocator, or the first. */
static uint64_t
base_of(const struct part *p, uint64_t setting)
{
	uint64_t step = nvalues(p, OPTION_protocol);

	if (nvalues(p, OPTION_allocator) < 2)
		return p->setting[0];
	return setting - step * grid_value(p->t->grid, setting, OPTION_allocator);
}

/* 0.5: half the faults of the one it is compared with. */
static double
ratio(const struct part *p, uint64_t setting)
{
	uint64_t base = p->row[base_of(p, setting)].cost, n = p->row[setting].cost;

	return base ? (double)n / (double)base : n ? INFINITY : 1;
}

/* Do rows differ in that setting?  Other protocols have tables of their own. */
static bool
varies(const struct part *p, enum option_id id)
{
	size_t i = 1;

	if (id != OPTION_protocol)
		return nvalues(p, id) > 1;
	while (i < p->n &&
	    grid_value(p->t->grid, p->setting[i], id) == grid_value(p->t->grid, p->setting[0], id))
		i++;
	return i < p->n;
}

/* ---- columns ---- */

static const void *
row_at(const struct table *t, size_t row)
{
	const struct part *p = t->self;

	return &p->row[p->setting[row]];
}

static void
setting_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct part *p = t->self;

	to->shown = text_clean(to->room, SETTING_ROOM,
	    grid_text(p->t->grid, p->setting[row], (enum option_id)c->offset));
}

static void
change_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct part *p = t->self;

	to->number = ratio(p, p->setting[row]);
	to->shown = base_of(p, p->setting[row]) == p->setting[row] ? "-" : NULL;
}

static void
speedup_cell(struct cell *to, const struct table *t, size_t row, const struct column *c)
{
	const struct share_row *r = row_at(t, row);

	snprintf(to->room, sizeof(to->room), "%.4g", r->speedup);
	to->shown = to->room;
}

/* Beside all faults, "read_faults" are "read". */
static const char *
title_of(const char *name, char title[NUMBER_TEXT])
{
	snprintf(title, NUMBER_TEXT, "%s", name);
	if (ends_in_faults(title))
		title[strlen(title) - strlen("_faults")] = '\0';
	text_replace(title, '_', ' ');
	return title;
}

/* The last counter is left out first, then the time, then other counters from the last on. */
static void
add_counters(const struct part *p, struct table *t, unsigned cost,
    char title[COUNTERS_MAX][NUMBER_TEXT])
{
	const struct counter *c = p->protocol->counters;
	unsigned	      gone = 0;

	for (unsigned i = counters_of(p->protocol); i-- > 0;)
		if (i != cost) {
			table_add(t,
			    &(struct column){ .title = title_of(c[i].name, title[i]),
				.kind = CELL_COUNT,
				.offset = offsetof(struct share_row, counter[i]),
				.place = i + 2,
				.absent = GIVES_WAY(gone ? gone + 2 : 1) },
			    1);
			gone++;
		}
}

/* The cost stands where its counter is in the protocol's table, else before all counters. */
static void
add_figures(const struct part *p, struct table *t, char title[COUNTERS_MAX][NUMBER_TEXT])
{
#define OF(field) .offset = offsetof(struct share_row, field)
	const char	   *name = cost_name(p->protocol);
	unsigned	    n = counters_of(p->protocol), cost = find_counter(p->protocol, name);
	unsigned	    place = cost < n ? cost + 2 : 1;
	bool		    timed = varies(p, OPTION_processors);
	const struct column figure = { NULL, name, CELL_COUNT, OF(cost), .place = place };
	const struct column change = { NULL, "change", CELL_CHANGE, .cell = change_cell,
		.place = place };
	const struct column pages = { NULL, "pages", CELL_COUNT, OF(pages), .place = n + 2 };
	const struct column time = { NULL, "time", CELL_TIME, OF(elapsed_us), .place = n + 2,
		.absent = timed ? 0 : GIVES_WAY(2) };
	const struct column fast = { NULL, "speed-up", CELL_TEXT, .cell = speedup_cell,
		.place = n + 2 };
#undef OF

	add_counters(p, t, cost, title);
	table_add(t, &figure, 1);
	if (!timed)
		table_add(t, &change, 1);
	table_add(t, &pages, 1);
	table_add(t, &time, 1);
	if (timed)
		table_add(t, &fast, 1);
}

static void
print_lines(const struct part *p, FILE *out)
{
	struct table t = { .self = p, .row = row_at, .nrows = p->n };
	char	     title[COUNTERS_MAX][NUMBER_TEXT];

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (varies(p, id))
			table_add(&t,
			    &(struct column){ .title = option_info[id].name,
				.kind = CELL_TEXT,
				.offset = id,
				.cell = setting_cell },
			    1);
	add_figures(p, &t, title);
	table_fit(&t, LINE_WIDTH);
	table_text(&t, out);
}

/* ---- print ---- */

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

/* "lu: speed-up 13.2 with processors 16". */
static void
print_fastest(const struct part *p, FILE *out)
{
	uint64_t best = p->setting[0];

	for (size_t i = 1; i < p->n; i++)
		if (p->row[p->setting[i]].speedup > p->row[best].speedup)
			best = p->setting[i];
	text_print(p->program->name, out);
	fprintf(out, ": speed-up %.3g with ", p->row[best].speedup);
	print_setting(p, best, out);
	fputs("\n\n", out);
}

/* "radix: size has 36.8 % fewer faults than sequential". */
static void
print_answer(const struct part *p, FILE *out)
{
	uint64_t    best = p->setting[0];
	const char *cost = cost_name(p->protocol);
	char	    n[NUMBER_TEXT];

	for (size_t i = 1; i < p->n; i++)
		if (ratio(p, p->setting[i]) < ratio(p, best))
			best = p->setting[i];
	text_print(p->program->name, out);
	fputs(": ", out);
	if (p->n == 1) {
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

/* The processors are those that the program has. */
static bool
is_of_program(const struct part *p, enum option_id id)
{
	return id == OPTION_processors && !strcmp(p->t->grid->value[id][0], "0");
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
	text_print(varies(p, OPTION_protocol)
		? p->protocol->name
		: grid_text(p->t->grid, p->setting[0], OPTION_protocol),
	    out);
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (id != OPTION_protocol && nvalues(p, id) == 1 && !is_of_program(p, id)) {
			fprintf(out, ", %s ", option_info[id].name);
			text_print(p->t->grid->value[id][0], out);
		}
	putc('\n', out);
}

/* With the rows of the protocol that setting `first` has. */
static void
print_part(const struct share_table *t, unsigned program, uint64_t first, uint64_t *room, FILE *out)
{
	struct part p = { .t = t,
		.program = &t->program[program],
		.row = &t->row[program * t->grid->npoints],
		.setting = room };

	p.protocol = p.row[first].protocol;
	for (uint64_t s = 0; s < t->grid->npoints; s++)
		if (p.row[s].protocol == p.protocol)
			p.setting[p.n++] = s;
	if (varies(&p, OPTION_processors))
		print_fastest(&p, out);
	else
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

int
share_table_print(const struct share_table *t, FILE *out, struct error *e)
{
	uint64_t *room = calloc(t->grid->npoints, sizeof(*room));

	if (!room)
		return error_set(e, "out of memory for the table");
	for (unsigned program = 0; program < t->nprograms; program++)
		for (uint64_t s = 0; s < t->grid->nvalues[OPTION_protocol]; s++) {
			if (!is_first(t, s))
				continue;
			if (program || s)
				fputs("\n\n", out);
			print_part(t, program, s, room, out);
		}
	free(room);
	return 0;
}

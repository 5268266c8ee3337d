/*
 * frames_table.c - a row for each measured allocator of page frames, for a person.
 *
 * A column is as wide as its widest cell.  What finds no room is left out; all is in the CSV.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/frames/report/frames_table.h"

enum {
	LINE_WIDTH = 80,
	GAP = 2,
	NAME_ROOM = 40,
	LEAST = 7,
	SHARE = 4,
	COLUMNS_MAX = FRAMES_SETTINGS + 16
};

struct table {
	const struct frames_report *r;
	size_t			    n;
};

/* ---- settings ---- */

static const char *const setting_name[] = {
	[FRAMES_ALLOCATOR] = "allocator",
	[FRAMES_WORKLOAD] = "workload",
	[FRAMES_BLOCKS] = "blocks",
	[FRAMES_BLOCK_PAGES] = "block-pages",
	[FRAMES_THREADS] = "threads",
	[FRAMES_MACHINE] = "machine",
};

char *
frames_setting_text(const struct frames_report *r, enum frames_setting s, char text[FRAMES_SETTING])
{
	const char *const typed[FRAMES_SETTINGS] = { [FRAMES_ALLOCATOR] = r->allocator,
		[FRAMES_WORKLOAD] = r->workload,
		[FRAMES_MACHINE] = r->machine };
	uint64_t	  n = s == FRAMES_BLOCKS ? r->shape.blocks
		     : s == FRAMES_BLOCK_PAGES	 ? r->shape.block_pages
						 : r->shape.threads;

	if (typed[s])
		return text_clean(text, FRAMES_SETTING, typed[s]);
	snprintf(text, FRAMES_SETTING, "%" PRIu64, n);
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

/* The setting along which results are compared. */
static enum frames_setting
compared(const struct frames_report *r, size_t n)
{
	static const enum frames_setting order[] = { FRAMES_ALLOCATOR, FRAMES_THREADS,
		FRAMES_MACHINE, FRAMES_BLOCKS, FRAMES_BLOCK_PAGES };

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

const struct frames_report *
frames_base(const struct frames_report *all, size_t n, const struct frames_report *r)
{
	enum frames_setting along = compared(all, n);

	for (size_t i = 0; i < n; i++)
		if (is_base(&all[i], along, all, r))
			return &all[i];
	return all;
}

static double
ratio(const struct table *t, const struct frames_report *r)
{
	double base = trial_rate(&frames_base(t->r, t->n, r)->result);

	return base > 0 ? trial_rate(&r->result) / base : 1;
}

/* ---- the finding ---- */

/* "buddy", or "threads 8". */
static void
print_compared(const struct table *t, const struct frames_report *r, FILE *out)
{
	enum frames_setting along = compared(t->r, t->n);
	char		    text[FRAMES_SETTING];

	fprintf(out, "%s%s%s", along == FRAMES_ALLOCATOR ? "" : setting_name[along],
	    along == FRAMES_ALLOCATOR ? "" : " ", frames_setting_text(r, along, text));
}

/* " (workload churn:n=600, threads 8)": what else varies. */
static void
print_others(const struct table *t, const struct frames_report *r, FILE *out)
{
	const char *before = " (";
	char	    text[FRAMES_SETTING];

	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		if (s != compared(t->r, t->n) && frames_varies(t->r, t->n, s)) {
			fprintf(out, "%s%s %s", before, setting_name[s],
			    frames_setting_text(r, s, text));
			before = ", ";
		}
	fputs(*before == ',' ? ")" : "", out);
}

void
frames_finding(const struct frames_report *r, size_t n, FILE *out)
{
	const struct table	    t = { r, n };
	const struct frames_report *best = r;

	for (size_t i = 1; i < n; i++)
		if (ratio(&t, &r[i]) > ratio(&t, best))
			best = &r[i];
	if (frames_base(r, n, best) == best) {
		fputs("nothing is faster than ", out);
		print_compared(&t, r, out);
		return;
	}
	print_compared(&t, best, out);
	fprintf(out, " is %.3g times as fast as ", ratio(&t, best));
	print_compared(&t, r, out);
	print_others(&t, best, out);
}

/* ---- columns ---- */

enum column_kind { SETTING, RATE, RATIO, COUNT, LATENCY };

struct column {
	enum column_kind kind;
	unsigned	 number; /* of the setting */
	const char	*title;
	size_t		 offset; /* in struct trial_result */
	unsigned	 width;
};

struct columns {
	struct column c[COLUMNS_MAX];
	unsigned      n;
};

static void
cell_of(const struct table *t, const struct column *c, const struct frames_report *r,
    char cell[FRAMES_SETTING])
{
	const char *field = (const char *)&r->result + c->offset;

	switch (c->kind) {
	case SETTING:
		frames_setting_text(r, c->number, cell);
		if (strlen(cell) >= NAME_ROOM)
			text_clean(cell, NAME_ROOM, cell);
		return;
	case RATE:
		frames_rate_text(cell, trial_rate(&r->result));
		return;
	case RATIO:
		if (frames_base(t->r, t->n, r) == r)
			strcpy(cell, "-");
		else
			snprintf(cell, FRAMES_SETTING, "%.2f x", ratio(t, r));
		return;
	case COUNT:
		number_group(cell, *(const uint64_t *)(const void *)field);
		return;
	case LATENCY:
		frames_ns_text(cell, *(const double *)(const void *)field);
	}
}

static void
add_column(const struct table *t, struct columns *all, struct column c)
{
	char cell[FRAMES_SETTING];

	c.width = (unsigned)strlen(c.title);
	for (size_t i = 0; i < t->n; i++) {
		cell_of(t, &c, &t->r[i], cell);
		if (strlen(cell) > c.width)
			c.width = (unsigned)strlen(cell);
	}
	all->c[all->n++] = c;
}

static void
add_settings(const struct table *t, struct columns *all)
{
	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		if (frames_varies(t->r, t->n, s))
			add_column(t, all, (struct column){ SETTING, s, setting_name[s], 0, 0 });
}

static uint64_t
failures(const struct table *t)
{
	uint64_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->r[i].result.counts.failed;
	return n;
}

/* The first of them stay if there is no room for all. */
static void
add_results(const struct table *t, struct columns *all)
{
#define OF(field) offsetof(struct trial_result, field)
	const struct column column[] = {
		{ RATE, 0, "op/s", 0, 0 },
		{ RATIO, 0, "ratio", 0, 0 },
		{ COUNT, 0, failures(t) ? "failed" : NULL, OF(counts.failed), 0 },
		{ LATENCY, 0, t->r->latency ? "median" : NULL, OF(latency.p50), 0 },
		{ LATENCY, 0, t->r->latency ? "99 %" : NULL, OF(latency.p99), 0 },
		{ LATENCY, 0, t->r->latency ? "99.9 %" : NULL, OF(latency.p999), 0 },
		{ COUNT, 0, "splits", OF(counts.splits), 0 },
		{ COUNT, 0, "merges", OF(counts.merges), 0 },
		{ COUNT, 0, "contended", OF(counts.lock_contended), 0 },
		{ COUNT, 0, "locks", OF(counts.lock_acquisitions), 0 },
	};
#undef OF

	for (size_t i = 0; i < sizeof(column) / sizeof(*column); i++)
		if (column[i].title)
			add_column(t, all, column[i]);
}

static unsigned
width_of(const struct columns *all)
{
	unsigned width = 0;

	for (unsigned i = 0; i < all->n; i++)
		width += all->c[i].width + (i ? GAP : 0);
	return width;
}

/* ---- print ---- */

static void
print_cell(const struct column *c, const char *cell, bool first, FILE *out)
{
	fprintf(out, "%*s%*s", first ? 0 : GAP, "",
	    c->kind == SETTING ? -(int)c->width : (int)c->width, cell);
}

static void
print_names(const struct columns *all, FILE *out)
{
	for (unsigned i = 0; i < all->n; i++)
		print_cell(&all->c[i], all->c[i].title, !i, out);
}

static void
print_row(const struct table *t, const struct columns *all, const struct frames_report *r,
    FILE *out)
{
	char cell[FRAMES_SETTING];

	for (unsigned i = 0; i < all->n; i++) {
		cell_of(t, &all->c[i], r, cell);
		print_cell(&all->c[i], cell, !i, out);
	}
}

static void
print_results(const struct table *t, FILE *out)
{
	struct columns all = { 0 };

	add_settings(t, &all);
	add_results(t, &all);
	while (width_of(&all) > LINE_WIDTH && all.n > 1)
		all.n--;
	print_names(&all, out);
	putc('\n', out);
	for (size_t i = 0; i < t->n; i++) {
		print_row(t, &all, &t->r[i], out);
		putc('\n', out);
	}
}

/* ---- fragmentation ---- */

static int
least_order(const struct trial_fragments *f)
{
	int least = f->largest[0];

	for (unsigned i = 1; i <= FRAGMENT_SAMPLES; i++)
		least = f->largest[i] < least ? f->largest[i] : least;
	return least;
}

static unsigned
most_orders(const struct table *t)
{
	unsigned most = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->r[i].result.fragments.orders > most)
			most = t->r[i].result.fragments.orders;
	return most;
}

/* Each order, or each second one and so on, as there is room. */
static unsigned
choose_step(const struct table *t, const struct columns *all)
{
	unsigned step = 1;

	while (width_of(all) + LEAST + SHARE * (most_orders(t) / step + 1) > LINE_WIDTH &&
	    step < most_orders(t))
		step++;
	return step;
}

static void
print_shares(const struct trial_fragments *f, unsigned step, FILE *out)
{
	fprintf(out, "%*d", LEAST, least_order(f));
	for (unsigned k = 0; k < f->orders; k += step)
		fprintf(out, "%*.0f", SHARE, 100 * f->met[k]);
	putc('\n', out);
}

static void
print_fragments(const struct table *t, FILE *out)
{
	struct columns all = { 0 };
	unsigned       step;

	add_settings(t, &all);
	step = choose_step(t, &all);
	fputs(
	    "\nleast: the order of the largest free run when it was shortest; then, with most pages "
	    "taken, the share of requests of each order that are met, in per cent\n\n",
	    out);
	print_names(&all, out);
	fprintf(out, "%*s", LEAST, "least");
	for (unsigned k = 0; k < most_orders(t); k += step)
		fprintf(out, "%*u", SHARE, k);
	putc('\n', out);
	for (size_t i = 0; i < t->n; i++) {
		print_row(t, &all, &t->r[i], out);
		print_shares(&t->r[i].result.fragments, step, out);
	}
}

/* ---- all of it ---- */

/* What all rows have in common. */
static void
print_settings(const struct table *t, FILE *out)
{
	const char *before = "\n";
	char	    text[FRAMES_SETTING];

	for (enum frames_setting s = 0; s < FRAMES_SETTINGS; s++)
		if (!frames_varies(t->r, t->n, s)) {
			fprintf(out, "%s%s %s", before, setting_name[s],
			    frames_setting_text(t->r, s, text));
			before = ", ";
		}
	if (t->r->repeat > 1)
		fprintf(out, "%smedian of %u", before, t->r->repeat);
	fputs(t->r->shape.checked ? ", checked\n" : "\n", out);
}

void
frames_table(const struct frames_report *r, size_t n, FILE *out)
{
	const struct table t = { r, n };

	frames_finding(r, n, out);
	fputs("\n\n", out);
	print_results(&t, out);
	if (r->fragments)
		print_fragments(&t, out);
	print_settings(&t, out);
}

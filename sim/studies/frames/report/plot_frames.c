/* plot_frames.c - results of bufsim frames become bars and lines. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/studies/frames/report/frames_rows.h"
#include "sim/studies/frames/report/frames_table.h"
#include "sim/studies/frames/report/plot_frames.h"

/* What is drawn of each result: one figure, or a series of points. */
enum drawn { A_FIGURE, LARGEST_ORDER, MET, MET_AFTER };

struct maker {
	struct panels		   *p;
	const struct frames_report *r;
	size_t			    n;
	const struct panels_view   *v;
	enum drawn		    drawn;
	const struct column	   *figure;
	char x[PANEL_NAME]; /* the setting or parameter; "": bars, or a series */
};

/* ---- y ---- */

/* Names on the command line have - for _, and perhaps no unit. */
static bool
is_name(const char *typed, const char *name)
{
	for (; *typed && (*typed == '-' ? '_' : *typed) == *name; typed++)
		name++;
	return !*typed && (!*name || !strcmp(name, "_us") || !strcmp(name, "_ns"));
}

static const struct column *
find_figure(const char *typed, struct nearest *near)
{
	for (const struct column *c = frames_columns; c < frames_columns + frames_ncolumns; c++) {
		if (!frames_is_figure(c))
			continue;
		if (is_name(typed, c->key))
			return c;
		nearest_offer(near, c->key);
	}
	return NULL;
}

static bool
is_rate(const struct maker *m)
{
	return m->drawn == A_FIGURE && !strcmp(m->figure->key, "operations_per_s");
}

static int
choose_y(struct maker *m, struct error *e)
{
	const char    *y = m->v->y ? m->v->y : "operations_per_s";
	struct nearest near = nearest_to(y);

	m->drawn = is_name(y, "largest_order") ? LARGEST_ORDER
	    : is_name(y, "met")		       ? MET
	    : is_name(y, "met_after")	       ? MET_AFTER
					       : A_FIGURE;
	if (m->drawn != A_FIGURE)
		return 0;
	m->figure = find_figure(y, &near);
	if (m->figure)
		return 0;
	nearest_offer(&near, "largest_order");
	nearest_offer(&near, "met");
	nearest_error(&near, "column", "type operations-per-s, splits, largest-order, ...", e);
	return error_prefix(e, "--y");
}

static bool
is_latency(const struct maker *m)
{
	return m->drawn == A_FIGURE && m->figure->optional;
}

static int
check_measured(const struct maker *m, struct error *e)
{
	for (size_t i = 0; i < m->n; i++) {
		if (is_latency(m) && !m->r[i].latency)
			return error_set(e,
			    "latency was not measured: type bufsim frames ... --latency");
		if (m->drawn != A_FIGURE && !m->r[i].fragments)
			return error_set(e,
			    "fragmentation was not measured: type bufsim frames ... --fragmentation");
	}
	return 0;
}

/* "latency_p99_ns": "latency p99 (ns)". */
static void
name_y(struct maker *m)
{
	static const char *const series[] = { [LARGEST_ORDER] = "order of the largest free run",
		[MET] = "requests met (%)",
		[MET_AFTER] = "requests met after the load (%)" };
	char			*y = m->p->y, *end;

	if (m->drawn != A_FIGURE) {
		snprintf(y, PANEL_NAME, "%s", series[m->drawn]);
		return;
	}
	snprintf(y, PANEL_NAME, "%s", is_rate(m) ? "operations/s" : m->figure->key);
	end = strrchr(y, '_');
	if (end && (!strcmp(end, "_us") || !strcmp(end, "_ns")))
		strcpy(end, end[1] == 'u' ? " (us)" : " (ns)");
}

/* ---- x ---- */

/* The number behind "n=" in "churn:n=600,rounds=100"; its place, or NULL. */
static const char *
find_parameter(const char *text, const char *name, double *value)
{
	size_t	    n = strlen(name);
	const char *at = strpbrk(text, ":,");
	char	   *end;

	while (at && (strncmp(at + 1, name, n) != 0 || at[1 + n] != '='))
		at = strpbrk(at + 1, ",");
	if (!at)
		return NULL;
	*value = strtod(at + n + 2, &end);
	return end > at + n + 2 && (!*end || *end == ',') ? at : NULL;
}

/* The text without that parameter, which is on the axis. */
static void
leave_out(char *text, const char *name)
{
	double	    value;
	char	   *at = *name ? (char *)(uintptr_t)find_parameter(text, name, &value) : NULL;
	const char *rest;

	if (!at)
		return;
	rest = strchr(at + 1, ',');
	if (!rest)
		*at = '\0';
	else
		memmove(at + 1, rest + 1, strlen(rest));
}

/* False: the result has no such setting. */
static bool
x_of(const struct maker *m, const struct frames_report *r, double *x)
{
	if (!strcmp(m->x, "threads"))
		*x = (double)r->shape.threads;
	else if (!strcmp(m->x, "blocks"))
		*x = (double)r->shape.blocks;
	else if (is_name(m->x, "block_pages"))
		*x = (double)r->shape.block_pages;
	else
		return find_parameter(r->workload, m->x, x) ||
		    find_parameter(r->allocator, m->x, x);
	return true;
}

static int
choose_x(struct maker *m, struct error *e)
{
	const char *x = m->v->x;
	double	    ignored;

	if (x && m->drawn != A_FIGURE)
		return error_usage(e,
		    "--x %s does not apply to --y %s, which has an axis of its own", x, m->v->y);
	if (!x && m->drawn == A_FIGURE && frames_varies(m->r, m->n, FRAMES_THREADS))
		x = "threads";
	snprintf(m->x, sizeof(m->x), "%s", x ? x : "");
	snprintf(m->p->x, sizeof(m->p->x), "%s",
	    m->drawn == LARGEST_ORDER  ? "part of the load that is done (%)"
		: m->drawn != A_FIGURE ? "order of the request"
				       : m->x);
	for (size_t i = 0; x && i < m->n; i++)
		if (!x_of(m, &m->r[i], &ignored))
			return error_usage(e,
			    "--x %s: %s with %s has no such number: type --x threads, blocks, "
			    "block-pages, or a parameter such as n",
			    x, m->r[i].allocator, m->r[i].workload);
	return 0;
}

/* ---- bars ---- */

/* "churn:n=600, 8 threads on real, 64 blocks": what differs between panels, and the threads. */
static void
name_panel(const struct maker *m, const struct frames_report *r, char name[PANEL_NAME])
{
	size_t used;

	snprintf(name, PANEL_NAME / 2, "%s", r->workload);
	leave_out(name, m->x);
	used = strlen(name);
	if (strcmp(m->x, "threads") != 0)
		used += (size_t)snprintf(name + used, PANEL_NAME - used, ", %" PRIu64 " thread%s",
		    r->shape.threads, r->shape.threads == 1 ? "" : "s");
	if (frames_varies(m->r, m->n, FRAMES_CORES) && !frames_varies(m->r, m->n, FRAMES_ALLOCATOR))
		used += (size_t)snprintf(name + used, PANEL_NAME - used, ", %.40s", r->allocator);
	if (!frames_varies(m->r, m->n, FRAMES_CORES))
		used += (size_t)snprintf(name + used, PANEL_NAME - used, " on %.40s", r->cores);
	if (frames_varies(m->r, m->n, FRAMES_BLOCKS) && strcmp(m->x, "blocks") != 0)
		used += (size_t)snprintf(name + used, PANEL_NAME - used, ", %" PRIu64 " blocks",
		    r->shape.blocks);
	if (frames_varies(m->r, m->n, FRAMES_BLOCK_PAGES) && !is_name(m->x, "block_pages"))
		snprintf(name + used, PANEL_NAME - used, ", blocks of %" PRIu64 " pages",
		    r->shape.block_pages);
}

/* The panel and the settings. */
static int
place(struct maker *m, const struct frames_report *r, struct panel_bar *b, struct error *e)
{
	char	 panel[PANEL_NAME], allocator[PANEL_NAME];
	uint32_t number;

	name_panel(m, r, panel);
	snprintf(allocator, sizeof(allocator), "%s", r->allocator);
	leave_out(allocator, m->x);
	number = names_intern(&m->p->panel, panel);
	b->value[0] = names_intern(&m->p->value[0], allocator);
	b->value[1] = names_intern(&m->p->value[1], r->cores);
	b->panel = number - 1;
	return number && b->value[0] && b->value[1] ? 0 : error_no_memory(e);
}

static unsigned
points_of(const struct maker *m, const struct frames_report *r)
{
	return m->drawn == LARGEST_ORDER ? FRAGMENT_SAMPLES + 1
	    : m->drawn != A_FIGURE	 ? r->result.fragments.orders
					 : 1;
}

static void
set_point(const struct maker *m, const struct frames_report *r, unsigned i, struct panel_bar *b)
{
	const struct trial_fragments *f = &r->result.fragments;

	if (m->drawn == LARGEST_ORDER) {
		b->x = 100. * i / FRAGMENT_SAMPLES;
		b->sum = f->largest[i] < 0 ? 0 : f->largest[i];
	} else if (m->drawn != A_FIGURE) {
		b->x = i;
		b->sum = 100 * (m->drawn == MET ? f->met : f->met_after)[i];
	} else {
		if (*m->x)
			x_of(m, r, &b->x);
		b->sum = frames_value(r, m->figure);
	}
	b->part[0] = b->sum;
}

static int
add_bars(struct maker *m, const struct frames_report *r, struct error *e)
{
	struct panel_bar b = { 0 };

	if (place(m, r, &b, e))
		return -1;
	for (unsigned i = 0; i < points_of(m, r); i++) {
		set_point(m, r, i, &b);
		m->p->bar[m->p->nbars++] = b;
	}
	return 0;
}

static int
add_all(struct maker *m, struct error *e)
{
	size_t room = 0;

	for (size_t i = 0; i < m->n; i++)
		room += points_of(m, &m->r[i]);
	m->p->bar = calloc(room + 1, sizeof(*m->p->bar));
	if (!m->p->bar)
		return error_no_memory(e);
	for (size_t i = 0; i < m->n; i++)
		if (add_bars(m, &m->r[i], e))
			return -1;
	return 0;
}

/* ---- the heading ---- */

static void
print_heading(const void *self, FILE *to)
{
	static const char *const when[] = { [A_FIGURE] = " by ",
		[LARGEST_ORDER] = " while the load runs",
		[MET] = " with most pages taken, by order",
		[MET_AFTER] = ", by order" };
	const struct maker	*m = self;
	char			 y[PANEL_NAME];

	if (is_rate(m) && m->n > 1) {
		frames_finding(m->r, m->n, to);
		return;
	}
	snprintf(y, sizeof(y), "%s", m->p->y);
	text_replace(y, '_', ' ');
	fprintf(to, "%s%s", y, when[m->drawn]);
	if (m->drawn == A_FIGURE)
		fputs(*m->x ? m->x : "allocator", to);
}

static int
set_title(struct maker *m, struct error *e)
{
	m->p->title = picture_heading_text(m->v->title, print_heading, m, e);
	return m->p->title ? 0 : -1;
}

/* ---- all of it ---- */

int
frames_plot_make(struct panels *p, const struct frames_report *r, size_t n,
    const struct panels_view *v, struct error *e)
{
	struct maker m = { .p = p, .r = r, .n = n, .v = v };

	*p = (struct panels){ .linear = v->linear,
		.measured = true,
		.compared = "allocator",
		.setting = { "allocator", "cores" },
		.nsettings = 2,
		.nparts = 1 };
	p->part[0] = p->y;
	if (choose_y(&m, e) || check_measured(&m, e) || choose_x(&m, e))
		return -1;
	name_y(&m);
	return add_all(&m, e) || set_title(&m, e) || panels_arrange(p, v->relative, e) ? -1 : 0;
}

void
frames_plot_free(struct panels *p)
{
	free((char *)(uintptr_t)p->title);
	panels_free(p);
}

struct canvas {
	const struct panels *p;
	enum plot_target     target;
};

static int
write_script(const void *self, FILE *script, struct error *e)
{
	const struct canvas *c = self;

	return panels_script(c->p, c->target, script, e);
}

int
frames_plot_draw(struct picture *picture, const struct frames_report *r, size_t n,
    enum plot_target target, struct error *e)
{
	const struct panels_view v = { .y = r->fragments ? "largest_order" : NULL };
	struct panels		 p;
	struct canvas		 c = { &p, target };
	int			 failed = frames_plot_make(&p, r, n, &v, e);

	if (!failed)
		failed = picture_draw(picture,
		    &(struct drawing){ .target = target,
			.title = p.title,
			.script = write_script,
			.self = &c },
		    e);
	frames_plot_free(&p);
	return failed;
}

/* ---- for bufsim plot ---- */

static void *
start(struct panels *p, const struct panels_view *v, struct error *e)
{
	struct frames_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		error_set(e, "out of memory for the plot");
	return rows;
}

static int
read_rows(void *rows, struct csv *c, struct error *e)
{
	return frames_rows_read(rows, c, e);
}

static int
arrange(void *self, struct panels *p, const struct panels_view *v, struct error *e)
{
	const struct frames_rows *rows = self;

	frames_compare(rows->report, rows->n);
	return frames_plot_make(p, rows->report, rows->n, v, e);
}

static void
release(void *rows, struct panels *p)
{
	frames_plot_free(p);
	frames_rows_release(rows);
	free(rows);
}

const struct panel_source frames_panels = {
	.command = "frames",
	.recognises = frames_rows_recognise,
	.start = start,
	.read = read_rows,
	.arrange = arrange,
	.release = release,
};

/* panels.c - bars become lines, shares of each other, and names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/draw/panels.h"

void
panels_free(struct panels *p)
{
	names_release(&p->panel);
	names_release(&p->behind);
	for (unsigned i = 0; i < PANEL_SETTINGS; i++)
		names_release(&p->value[i]);
	free(p->bar);
	*p = (struct panels){ 0 };
}

/* ---- names ---- */

void
panels_panel_name(const struct panels *p, uint32_t panel, char name[PANEL_NAME])
{
	char *comma;

	text_clean(name, PANEL_NAME, p->panel.name[panel + 1]);
	comma = strrchr(name, ',');
	if (comma && p->behind.n == 1)
		*comma = '\0';
}

void
panels_bar_name(const struct panels *p, const struct panel_bar *b, char name[PANEL_NAME])
{
	size_t used = 0;

	*name = '\0';
	for (unsigned i = 0; i < p->nsettings && used < PANEL_NAME; i++)
		if (p->value[i].n > 1 && b->value[i])
			used += (size_t)snprintf(name + used, PANEL_NAME - used, "%s%s",
			    used ? ", " : "", p->value[i].name[b->value[i]]);
	if (!*name)
		for (unsigned i = 0; i < p->nsettings; i++)
			if (!strcmp(p->setting[i], p->compared) && b->value[i])
				snprintf(name, PANEL_NAME, "%s", p->value[i].name[b->value[i]]);
}

void
panels_x_text(const struct panels *p, char text[PANEL_NAME])
{
	snprintf(text, PANEL_NAME, "%s", p->x_title ? p->x_title : p->x);
	text_replace(text, '_', ' ');
}

void
panels_x_value(const struct panels *p, double x, char text[NUMBER_TEXT])
{
	if (p->x_bytes)
		number_format(text, (uint64_t)x, PARAM_BYTES);
	else
		snprintf(text, NUMBER_TEXT, "%.6g", x);
}

void
panels_y_text(const struct panels *p, char text[PANEL_NAME])
{
	snprintf(text, PANEL_NAME, "%.100s", p->time ? "time" : p->y);
	text_replace(text, '_', ' ');
	if (p->relative)
		snprintf(text + strlen(text), PANEL_NAME - strlen(text), " (%% of %.100s)",
		    p->value[p->base].name[p->base_value]);
}

void
panels_part_name(const struct panels *p, unsigned part, char name[PANEL_NAME])
{
	char *end;

	snprintf(name, PANEL_NAME, "%s", p->part[part]);
	end = strrchr(name, '_');
	if (p->nparts > 1 && end)
		*end = '\0';
	text_replace(name, '_', ' ');
}

static bool
same_settings(const struct panels *p, const struct panel_bar *a, const struct panel_bar *b)
{
	return !memcmp(a->value, b->value, p->nsettings * sizeof(*a->value));
}

/* ---- arranging ---- */

/* The first bar with the same settings, program and x. */
static size_t
first_like(const struct panels *p, const struct panel_bar *b)
{
	size_t i = 0;

	while (i < p->nbars &&
	    !(p->bar[i].panel == b->panel && same_settings(p, &p->bar[i], b) &&
		!(p->bar[i].x < b->x) && !(p->bar[i].x > b->x)))
		i++;
	return i;
}

static int
drop_doubles(struct panels *p, struct error *e)
{
	size_t kept = 0;
	char   name[PANEL_NAME];

	for (size_t i = 0; i < p->nbars; i++) {
		const struct panel_bar *b = &p->bar[i], *first = &p->bar[first_like(p, b)];

		if (first < &p->bar[kept] && memcmp(first->part, b->part, sizeof(b->part)) != 0) {
			panels_bar_name(p, b, name);
			return error_set(e,
			    "%s, %s is given twice, with other numbers: %s, row %" PRIu64
			    ", and %s, row %" PRIu64,
			    p->panel.name[b->panel + 1], name, first->file, first->at, b->file,
			    b->at);
		}
		if (first >= &p->bar[kept])
			p->bar[kept++] = *b;
	}
	p->nbars = kept;
	return 0;
}

static void
number_lines(struct panels *p)
{
	for (size_t i = 0; i < p->nbars; i++) {
		size_t first = 0;

		while (!same_settings(p, &p->bar[first], &p->bar[i]))
			first++;
		p->bar[i].line = first < i ? p->bar[first].line : p->nlines++;
	}
}

static int
find_base(struct panels *p, const char *name, struct error *e)
{
	for (p->base = 0; p->base < p->nsettings; p->base++)
		for (uint32_t v = 1; v <= p->value[p->base].n; v++)
			if (p->value[p->base].n > 1 && !strcmp(p->value[p->base].name[v], name)) {
				p->base_value = v;
				return 0;
			}
	return error_usage(e, "--relative %s: no bar or line has that name", name);
}

/* In per cent of the bar that differs in the base's setting only. */
static int
make_relative(struct panels *p, struct error *e)
{
	double *base = calloc(p->nbars, sizeof(*base));
	char	name[PANEL_NAME];
	int	failed = base ? 0 : error_set(e, "out of memory for the plot");

	for (size_t i = 0; !failed && i < p->nbars; i++) {
		struct panel_bar key = p->bar[i];
		size_t		 at;

		key.value[p->base] = p->base_value;
		at = first_like(p, &key);
		if (at < p->nbars && p->bar[at].sum > 0) {
			base[i] = p->bar[at].sum;
			continue;
		}
		panels_bar_name(p, &p->bar[i], name);
		failed = error_set(e, "%s, %s: there is nothing to compare it with",
		    p->panel.name[p->bar[i].panel + 1], name);
	}
	for (size_t i = 0; !failed && i < p->nbars; i++) {
		p->bar[i].sum *= 100 / base[i];
		for (unsigned k = 0; k < p->nparts; k++)
			p->bar[i].part[k] *= 100 / base[i];
	}
	free(base);
	return failed;
}

int
panels_arrange(struct panels *p, const char *relative, struct error *e)
{
	p->relative = relative;
	if (!p->nbars)
		return error_set(e, "there are no rows to draw");
	if (!p->measured && drop_doubles(p, e))
		return -1;
	number_lines(p);
	return relative && (find_base(p, relative, e) || make_relative(p, e)) ? -1 : 0;
}

/* ---- the heading ---- */

/* The same bar with the first value of that setting, or else the first of its panel. */
static const struct panel_bar *
compared_with(const struct panels *p, const struct panel_bar *b)
{
	struct panel_bar key = *b;
	size_t		 at;

	for (unsigned i = 0; i < p->nsettings; i++)
		if (!strcmp(p->setting[i], p->compared) && p->value[i].n > 1)
			key.value[i] = 1;
	at = first_like(p, &key);
	if (at < p->nbars && &p->bar[at] != b)
		return &p->bar[at];
	for (at = 0; p->bar[at].panel != b->panel;)
		at++;
	return &p->bar[at];
}

static void
print_best(const struct panels *p, FILE *to)
{
	const struct panel_bar *best = NULL, *than = NULL;
	char			name[2][PANEL_NAME], y[PANEL_NAME], panel[PANEL_NAME];

	for (const struct panel_bar *b = p->bar; b < p->bar + p->nbars; b++) {
		const struct panel_bar *first = compared_with(p, b);

		if (b->sum < first->sum && (!best || b->sum * than->sum < best->sum * first->sum)) {
			best = b;
			than = first;
		}
	}
	snprintf(y, sizeof(y), "%s", p->time ? "time" : p->y);
	text_replace(y, '_', ' ');
	if (!best) {
		fprintf(to, "%s: nothing is below the first %s", y, p->compared);
		return;
	}
	panels_bar_name(p, best, name[0]);
	panels_bar_name(p, than, name[1]);
	panels_panel_name(p, best->panel, panel);
	text_print(panel, to);
	fputs(": ", to);
	text_print(name[0], to);
	fprintf(to, " %s %.1f %% %s %s than ", p->time ? "takes" : "has",
	    100 * (1 - best->sum / than->sum), p->time ? "less" : "fewer", y);
	text_print(name[1], to);
}

static void
print_heading(const void *self, FILE *to)
{
	const struct panels *p = self;
	char		     y[PANEL_NAME], x[PANEL_NAME];

	if (!*p->x) {
		print_best(p, to);
		return;
	}
	panels_y_text(p, y);
	panels_x_text(p, x);
	fprintf(to, "%s by %s", y, x);
}

char *
panels_heading(const struct panels *p, struct error *e)
{
	return picture_heading_text(p->title, print_heading, p, e);
}

/* plot_sheet.c - scales, and the places of panels, legend and texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/draw/plot_sheet.h"
#include "sim/registry.h"

enum {
	LEFT = 88, /* of the figure: axis label and numbers */
	GAP_X = 66,
	GAP_Y = 68,
	RIGHT = 24,
	PANEL_TITLE = 26,
	BOTTOM = 66,
	LEGEND_GAP = 20,
	BAR = 9, /* at least, and the gap between groups: */
	GROUP_GAP = 12,
	WIDEST = 1000, /* panel of bars; many panels stay narrow: */
	MANY = 9,
	WORD_GAP = 8,
	LEVEL_WORDS = 760, /* panel that is widened so that no word is turned */
};

/* ---- the contents ---- */

double
sheet_low(const struct sheet *s, const struct plot_row *r)
{
	return fmax(r->y - r->error, fmin(r->y, 0)) / s->scale;
}

double
sheet_high(const struct sheet *s, const struct plot_row *r)
{
	double y = r->y + r->error;

	return (s->of_y.ratio ? fmin(y, fmax(r->y, 1)) : y) / s->scale;
}

double
sheet_bar_width(const struct sheet *s)
{
	return 0.8 / s->p->nlines;
}

double
sheet_x(const struct sheet *s, const struct plot_row *r)
{
	if (!plot_has_bars(s->p))
		return r->x / s->scale_x;
	return r->x + (r->line - (s->p->nlines - 1) / 2.0) * sheet_bar_width(s);
}

unsigned
sheet_group_width(const struct sheet *s)
{
	unsigned width = s->panel_w / s->p->value[SETTING_X].n;

	return width > WORD_GAP ? width - WORD_GAP : 0;
}

static void
measure_panels(struct sheet *s)
{
	for (uint32_t i = 0; i < s->p->trace.n; i++)
		s->panel[i] = (struct panel){ .min_x = INFINITY,
			.max_x = -INFINITY,
			.min_y = INFINITY,
			.max_y = -INFINITY };
	for (const struct plot_row *r = s->p->row; r < s->p->row + s->p->nrows; r++) {
		struct panel *n = &s->panel[r->panel];

		n->min_x = fmin(n->min_x, r->x / s->scale_x);
		n->max_x = fmax(n->max_x, r->x / s->scale_x);
		if (isnan(r->y))
			continue;
		n->min_y = fmin(n->min_y, sheet_low(s, r));
		n->max_y = fmax(n->max_y, sheet_high(s, r));
	}
	for (uint32_t i = 0; s->p->base < SETTINGS && i < s->p->trace.n; i++) {
		s->panel[i].min_y = fmin(s->panel[i].min_y, 1);
		s->panel[i].max_y = fmax(s->panel[i].max_y, 1);
	}
}

/* ---- labels ---- */

/* The word for large values: "thousand" from 100,000 on. */
static const char *
choose_multiple(struct sheet *s)
{
	static const char *const many[] = { "", "thousand", "million", "billion", "trillion" };
	double			 top = 0;
	unsigned		 k = 0;

	for (size_t i = 0; i < s->p->nrows; i++)
		top = isnan(s->p->row[i].y) ? top : fmax(top, s->p->row[i].y);
	for (; k < 4 && top >= 1e5 && top / s->scale >= 1e3; k++)
		s->scale *= 1e3;
	return many[k];
}

/* "stall (s)", "misses (million blocks)", "execution time relative to none". */
static void
label_y(struct sheet *s)
{
	const struct plot *p = s->p;
	const char	  *multiple = "", *unit = s->of_y.unit;
	bool		   relative = p->base < SETTINGS;

	plot_quantity(p->column, &s->of_y);
	s->scale = s->of_y.time && !relative ? 1e6 : 1;
	if (relative) {
		snprintf(s->y, sizeof(s->y), "%s relative to %.300s", s->of_y.name,
		    p->value[p->base].name[p->base_value]);
		return;
	}
	if (!s->of_y.time)
		multiple = choose_multiple(s);
	snprintf(s->y, sizeof(s->y), *unit || *multiple ? "%s (%s%s%s)" : "%s", s->of_y.name,
	    multiple, *multiple && *unit ? " " : "", unit);
}

/* What a setting counts, or nothing. */
static const char *
unit_of_setting(unsigned setting)
{
	static const struct {
		enum option_id setting;
		const char    *unit;
	} units[] = { { OPTION_queue, " (requests)" },
		{ OPTION_think_scale, " (times the recorded time)" },
		{ OPTION_warmup, " (calls)" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (units[i].setting == setting)
			return units[i].unit;
	return "";
}

/* ": largest window, in blocks", the meaning of a parameter, of the first plug-in that has it. */
static void
append_meaning(const struct plot *p, char label[PLOT_TEXT])
{
	static const struct plugin_kind *const kinds[] = { PLUGIN_PREFETCHER, PLUGIN_POLICY,
		PLUGIN_SCHEDULER, PLUGIN_DEVICE };
	size_t				       used = strlen(label);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (const struct plugin *const *q = kinds[i]->list; *q; q++)
			for (const struct param *a = (*q)->params; a && a->name; a++)
				if (!strcmp(a->name, p->x) && plot_has_plugin(p, (*q)->name)) {
					snprintf(label + used, PLOT_TEXT - used, ": %.*s",
					    (int)strcspn(a->meaning, ";:("), a->meaning);
					return;
				}
}

/* Sizes of a cache are in bytes; the label also gives the size of a block. */
static void
label_cache(struct sheet *s)
{
	double bytes = s->p->row[0].block;

	if (s->p->value[OPTION_block].n != 1)
		snprintf(s->x, sizeof(s->x), "cache size");
	else if (bytes < 1 << 20)
		snprintf(s->x, sizeof(s->x), "cache size (1 MiB: %.9g blocks)", (1 << 20) / bytes);
	else
		snprintf(s->x, sizeof(s->x), "cache size (1 block: %.9g MiB)", bytes / (1 << 20));
}

static void
label_x(struct sheet *s)
{
	const struct plot *p = s->p;
	const char	  *unit = s->of_x.unit;

	s->scale_x = 1;
	plot_quantity(p->x, &s->of_x);
	if (p->x_kind == X_CACHE) {
		label_cache(s);
		return;
	}
	s->of_x.time |= p->measure == MEASURE_TIME;
	s->scale_x = s->of_x.time ? 1e6 : 1;
	if (s->of_x.time || !*unit)
		unit = s->of_x.time ? "s" : p->x_kind == X_LOAD ? "calls/s" : "";
	snprintf(s->x, sizeof(s->x), *unit ? "%s (%s)" : "%s%s", s->of_x.name, unit);
	if (p->x_kind == X_PARAMETER)
		append_meaning(p, s->x);
	else if (p->measure == MEASURE_PLAIN && p->x_kind == X_SETTING)
		strcat(s->x, unit_of_setting(p->x_setting));
}

/* ---- scales ---- */

double
sheet_round(double x, bool up)
{
	static const double digit[] = { 1, 2, 5, 10 };
	double		    power = pow(10, floor(log10(x)));
	unsigned	    i = 0;

	while (
	    i < 3 && (up ? digit[i] * power < x * 0.999999 : digit[i + 1] * power <= x * 1.000001))
		i++;
	return digit[i] * power;
}

double
sheet_part(const struct axis *a, double value)
{
	if (a->log)
		return log(value / a->from) / log(a->to / a->from);
	return (value - a->from) / (a->to - a->from);
}

/* Panels that can be compared have the same scale. */
static void
share_scale(struct sheet *s)
{
	struct panel all = s->panel[0];

	for (uint32_t i = 1; i < s->p->trace.n; i++) {
		all.min_y = fmin(all.min_y, s->panel[i].min_y);
		all.max_y = fmax(all.max_y, s->panel[i].max_y);
	}
	for (uint32_t i = 0; i < s->p->trace.n; i++) {
		s->panel[i].min_y = all.min_y;
		s->panel[i].max_y = all.max_y;
	}
}

/* Cache sizes are logarithmic, other values if they span much in all panels. */
static bool
wants_log_x(const struct sheet *s, const struct panel *n)
{
	if (!(n->max_x >= n->min_x)) /* no point */
		return true;
	return !s->p->linear && n->min_x > 0 &&
	    (s->p->x_kind == X_CACHE || (!s->of_x.ratio && n->max_x >= 8 * n->min_x));
}

/* A logarithmic axis is from one power of two to another. */
static void
choose_x(const struct sheet *s, struct panel *n)
{
	double margin = (n->max_x - n->min_x) * 0.03;

	if (plot_has_bars(s->p)) {
		n->x = (struct axis){ 0.4, s->p->value[SETTING_X].n + 0.6, false };
		return;
	}
	if (!(n->max_x >= n->min_x)) { /* no point */
		n->x = (struct axis){ 0, 1, false };
		return;
	}
	n->x.log = s->logx;
	if (n->x.log) {
		n->x.from = ldexp(1, (int)floor(log2(n->min_x))) / 1.25;
		n->x.to = ldexp(1, (int)ceil(log2(n->max_x))) * 1.25;
		return;
	}
	n->x.from = n->min_x > 0 && n->min_x <= n->max_x / 4 ? 0 : n->min_x - margin;
	n->x.to = n->max_x + margin;
	if (!(n->x.to > n->x.from)) {
		n->x.from = n->min_x - fmax(fabs(n->min_x) / 4, 1);
		n->x.to = n->max_x + fmax(fabs(n->max_x) / 4, 1);
	}
}

/* From 0, unless all values lie in the upper half, and differ by more than rounding. */
static void
choose_y(const struct sheet *s, struct panel *n)
{
	double margin = (n->max_y - n->min_y) * 0.08;

	n->y = (struct axis){ fmin(n->min_y, 0), n->max_y * 1.06, s->logy };
	if (!(n->max_y >= n->min_y) || (n->max_y <= 0 && n->min_y >= 0)) {
		n->y = (struct axis){ 0, 1, false };
	} else if (s->logy) {
		n->y.from = sheet_round(n->min_y / (plot_has_bars(s->p) ? 2 : 1), false) / 1.1;
		n->y.to = sheet_round(n->max_y, true) * 1.1;
		if (n->y.to < n->y.from * 1.5)
			n->y.to = sheet_round(n->max_y * 1.5, true) * 1.1;
	} else if (n->max_y <= 0) {
		n->y.from = n->min_y * 1.06;
		n->y.to = 0;
	} else if (n->min_y > n->max_y / 2 && margin > n->max_y * 1e-4 && !plot_has_bars(s->p)) {
		n->y.from = n->min_y - margin;
		n->y.to = n->max_y + margin;
	}
}

/* Logarithmic where a panel spans more than a factor of 20, except for ratios. */
static void
choose_scales(struct sheet *s)
{
	const struct plot *p = s->p;

	label_y(s);
	label_x(s);
	measure_panels(s);
	if (s->of_y.ratio || p->base < SETTINGS)
		share_scale(s);
	for (uint32_t i = 0; i < p->trace.n; i++)
		s->logy |= s->panel[i].max_y > 20 * s->panel[i].min_y;
	s->logy &= !s->of_y.ratio || p->base < SETTINGS;
	for (uint32_t i = 0; i < p->trace.n; i++)
		s->logy &= s->panel[i].min_y > 0;
	s->logx = true;
	for (uint32_t i = 0; i < p->trace.n; i++)
		s->logx &= wants_log_x(s, &s->panel[i]);
	for (uint32_t i = 0; i < p->trace.n; i++) {
		choose_x(s, &s->panel[i]);
		choose_y(s, &s->panel[i]);
	}
}

/* ---- places ---- */

/* The longest word on the axis, or as long as it may be. */
static unsigned
widest_word(const struct sheet *s)
{
	const struct names *words = &s->p->value[SETTING_X];
	unsigned	    widest = 0;

	for (uint32_t i = 1; i <= words->n; i++) {
		unsigned width = picture_width(words->name[i]);

		widest = width > widest ? width : widest;
	}
	return widest < SHEET_WORD ? widest : SHEET_WORD;
}

/* The width that bars need, and their words if that is not much. */
static unsigned
bars_need(const struct sheet *s)
{
	unsigned words = s->p->value[SETTING_X].n;
	unsigned bars = words * (s->p->nlines * BAR + GROUP_GAP);
	unsigned level = words * (widest_word(s) + WORD_GAP);

	return s->p->trace.n == 1 && level > bars && level <= LEVEL_WORDS ? level : bars;
}

static void
place_across(struct sheet *s)
{
	unsigned n = s->p->trace.n, need = bars_need(s);

	s->across = n == 1 ? 1 : n <= 4 ? 2 : n <= 9 ? 3 : 4;
	s->panel_w = n == 1 ? 520 : n <= 4 ? 340 : 250;
	s->panel_h = n == 1 ? 340 : n <= 4 ? 230 : 170;
	if (!plot_has_bars(s->p) || need <= s->panel_w || n > MANY)
		return;
	s->panel_w = need < WIDEST ? need : WIDEST;
	while (s->across > 1 && s->across * (s->panel_w + GAP_X) > WIDEST)
		s->across--;
}

/* Words that are too long for their group are turned. */
static void
place_words(struct sheet *s)
{
	bool turned = plot_has_bars(s->p) && widest_word(s) > sheet_group_width(s);

	s->below = turned ? widest_word(s) : 0;
}

static void
place(struct sheet *s)
{
	unsigned n = s->p->trace.n, down, wide, pitch;

	place_across(s);
	place_words(s);
	down = (n + s->across - 1) / s->across;
	pitch = s->panel_h + GAP_Y + s->below;
	s->plots_w = LEFT + s->across * s->panel_w + (s->across - 1) * GAP_X + RIGHT;
	legend_measure(&s->legend, s->plots_w - 2 * SHEET_MARGIN, (down - 1) * pitch + s->panel_h);
	s->width = s->plots_w + (s->legend.width ? s->legend.width + SHEET_MARGIN : 0);
	wide = s->width - 2 * SHEET_MARGIN;
	s->top = SHEET_TOP + picture_heading_height(s->heading, wide) +
	    picture_lines(s->shared, wide) * PICTURE_LINE + 12;
	if (n > 1 || s->p->title)
		s->top += PANEL_TITLE;
	s->bottom = s->top + (down - 1) * pitch + s->panel_h;
	s->height = s->bottom + BOTTOM + s->below;
	if (s->legend.below)
		s->height += s->legend.height + LEGEND_GAP - 6;
	for (uint32_t i = 0; i < n; i++) {
		s->panel[i].left = LEFT + i % s->across * (s->panel_w + GAP_X);
		s->panel[i].top = s->top + i / s->across * pitch;
	}
}

static int
name_lines(struct sheet *s)
{
	char name[PLOT_TEXT];

	for (size_t i = 0, line = 0; i < s->p->nseries; i++)
		if (s->p->series[i].line == line) {
			s->style[line] = (unsigned)line + 1;
			s->swatch[line] = s->p->style[line].rgb;
			plot_line_name(s->p, &s->p->row[s->p->series[i].first], name);
			s->name[line] = strdup(name);
			if (!s->name[line++])
				return -1;
		}
	return 0;
}

int
sheet_init(struct sheet *s, const struct plot *p, struct error *e)
{
	*s = (struct sheet){ .p = p };
	s->panel = calloc(p->trace.n, sizeof(*s->panel));
	s->name = calloc(p->nlines, sizeof(*s->name));
	s->style = calloc(p->nlines, sizeof(*s->style));
	s->swatch = calloc(p->nlines, sizeof(*s->swatch));
	s->heading = plot_heading(p, e);
	if (!s->panel || !s->name || !s->style || !s->swatch || !s->heading || name_lines(s))
		return error_set(e, "out of memory for the plot");
	plot_legend_title(p, s->legend_title);
	plot_shared(p, s->shared);
	choose_scales(s);
	s->legend = (struct legend){ .title = s->legend_title,
		.name = (const char *const *)s->name,
		.style = s->style,
		.swatch = plot_has_bars(p) ? s->swatch : NULL,
		.n = *s->legend_title ? p->nlines : 0 };
	place(s);
	return 0;
}

void
sheet_release(struct sheet *s)
{
	for (uint32_t i = 0; s->name && i < s->p->nlines; i++)
		free(s->name[i]);
	free(s->name);
	free(s->style);
	free(s->swatch);
	free(s->panel);
	free(s->heading);
}

/*
 * plot_axis.c - the horizontal axis of a picture of results: numbers or words.
 *
 * Columns are read as texts.  Where all of them are numbers, or sizes, times and shares with their
 * units, the axis has numbers; otherwise it has words, and bars.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/core/stats.h"
#include "sim/draw/plot.h"
#include "sim/registry.h"

/* The text in that setting of a row; names stay those of all rows. */
static int
set_text(struct plot *p, struct plot_row *r, unsigned setting, const char *text, struct error *e)
{
	r->value[setting] = names_intern(&p->value[setting], text);
	return r->value[setting] ? 0 : error_no_memory(e);
}

static void
clear_setting(struct plot *p, unsigned setting)
{
	names_release(&p->value[setting]);
	for (size_t i = 0; i < p->nrows; i++)
		p->row[i].value[setting] = 0;
}

/* ---- numbers ---- */

/* "12", "0.5"; "33b", "64K"; "500ms"; "10%". */
static enum plot_measure
measure(const char *text, double block, double *x)
{
	struct error ignored;
	uint64_t     n;
	char	    *end;

	*x = strtod(text, &end);
	if (end > text && !*end && isfinite(*x))
		return MEASURE_PLAIN;
	if (number_fraction(text, x))
		return MEASURE_SHARE;
	*x = NAN;
	if (number_blocks(text, &n)) {
		*x = (double)n * block;
		return MEASURE_BYTES;
	}
	if (!number_parse(text, PARAM_BYTES, &n, &ignored)) {
		*x = (double)n;
		return MEASURE_BYTES;
	}
	if (!number_parse(text, PARAM_USEC, &n, &ignored)) {
		*x = (double)n;
		return MEASURE_TIME;
	}
	return MEASURE_WORDS;
}

/* Of two numbers beside each other: 0 and 512 may stand beside 4K, but 5 % not beside 3 s. */
static enum plot_measure
both(enum plot_measure a, enum plot_measure b)
{
	return a == b || b == MEASURE_PLAIN ? a : a == MEASURE_PLAIN ? b : MEASURE_WORDS;
}

static enum plot_measure
measure_names(const struct names *names, double block)
{
	enum plot_measure all = MEASURE_PLAIN;
	double		  ignored;

	for (uint32_t i = 1; i <= names->n; i++)
		all = both(all, measure(names->name[i], block, &ignored));
	return all;
}

static bool
ends_in(const char *name, const char *unit)
{
	size_t n = strlen(name), tail = strlen(unit);

	return n > tail && !strcmp(name + n - tail, unit);
}

static enum plot_measure
measure_axis(const struct plot *p)
{
	enum plot_measure all = measure_names(&p->value[SETTING_X], p->row[0].block);

	if (p->x_kind == X_TRACE)
		return MEASURE_WORDS;
	if (all == MEASURE_PLAIN && ends_in(p->x, "_bytes"))
		return MEASURE_BYTES;
	return all == MEASURE_PLAIN && ends_in(p->x, "_us") ? MEASURE_TIME : all;
}

/* Texts on the axis become numbers, or the places of words. */
static void
measure_rows(struct plot *p)
{
	p->measure = measure_axis(p);
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		r->x = r->value[SETTING_X] ? (double)r->value[SETTING_X] : (double)NAN;
		if (!plot_has_bars(p) && r->value[SETTING_X])
			measure(plot_value(p, r, SETTING_X), r->block, &r->x);
	}
	if (!plot_has_bars(p))
		clear_setting(p, SETTING_X);
}

/* ---- parameters of plug-ins ---- */

static const struct {
	enum option_id		  setting;
	const struct plugin_kind *kind;
} plugins[] = { { OPTION_prefetch, PLUGIN_PREFETCHER }, { OPTION_policy, PLUGIN_POLICY },
	{ OPTION_scheduler, PLUGIN_SCHEDULER }, { OPTION_device, PLUGIN_DEVICE } };
enum { PLUGINS = sizeof(plugins) / sizeof(*plugins) };

/* Take "name=value", and a separator, out of "plug-in:a=1,name=value+inner:name=value". */
static bool
take_parameter(char *text, const char *name, char value[PLOT_TEXT])
{
	size_t length = strlen(name), n;

	for (char *at = text + 1; *text && (at = strstr(at, name)); at++) {
		if (!strchr(":,", at[-1]) || at[length] != '=')
			continue;
		n = strcspn(at, ",+");
		snprintf(value, PLOT_TEXT, "%.*s", (int)(n - length - 1), at + length + 1);
		at -= at[n] != ',';
		memmove(at, at + n + 1, strlen(at + n + 1) + 1);
		return true;
	}
	return false;
}

static const struct plugin *
find_plugin(const struct plugin_kind *kind, const char *name, size_t n)
{
	const struct plugin *const *p = kind->list;

	while (*p && (strncmp((*p)->name, name, n) || (*p)->name[n]))
		p++;
	return *p;
}

static void
format_initial(const struct param *q, char value[PLOT_TEXT])
{
	char text[NUMBER_TEXT];

	if (q->unit == PARAM_WORD)
		snprintf(value, PLOT_TEXT, "%s", q->words[q->initial]);
	else
		snprintf(value, PLOT_TEXT, "%s", number_format(text, q->initial, q->unit));
}

/* The value that a parameter has without being given: of the plug-in, or of the one inside. */
static bool
initial_parameter(const struct plugin_kind *kind, const char *text, const char *name,
    char value[PLOT_TEXT])
{
	while (text && *text) {
		const struct plugin *p = find_plugin(kind, text, strcspn(text, ":+"));
		const char	    *plus = strchr(text, '+');

		for (const struct param *q = p ? p->params : NULL; q && q->name; q++)
			if (!strcmp(q->name, name) &&
			    (q->unit != PARAM_WORD || q->initial <= q->max)) {
				format_initial(q, value);
				return true;
			}
		text = plus ? plus + 1 : p ? p->around : NULL;
	}
	return false;
}

/* The parameter of a row becomes its x, and leaves the setting.  No plug-in has it: no x. */
static int
move_parameter(struct plot *p, struct plot_row *r, struct error *e)
{
	char value[PLOT_TEXT] = "", *text;
	int  failed = 0;

	for (unsigned i = 0; i < PLUGINS && !*value && !failed; i++) {
		unsigned s = plugins[i].setting;

		text = strdup(plot_value(p, r, s));
		if (!text)
			return error_no_memory(e);
		if (take_parameter(text, p->x, value))
			failed = set_text(p, r, s, text, e);
		else
			initial_parameter(plugins[i].kind, text, p->x, value);
		free(text);
	}
	return failed || !*value ? failed : set_text(p, r, SETTING_X, value, e);
}

/* Names that no row has any more would count as different. */
static int
renumber(struct plot *p, unsigned s, struct error *e)
{
	struct names old = p->value[s];
	int	     failed = 0;

	p->value[s] = (struct names){ 0 };
	for (size_t i = 0; i < p->nrows && !failed; i++)
		if (p->row[i].value[s])
			failed = set_text(p, &p->row[i], s, old.name[p->row[i].value[s]], e);
	names_release(&old);
	return failed;
}

/* ---- choosing ---- */

/* Have two runs of one trace, or of any, caches of different sizes? */
static bool
sizes_vary(const struct plot *p, bool of_one)
{
	const struct plot_row **first = calloc(p->trace.n, sizeof(struct plot_row *));
	bool			vary = false;

	for (size_t i = 0; first && i < p->nrows; i++) {
		const struct plot_row *r = &p->row[i], **of = &first[of_one ? r->panel : 0];

		*of = *of ? *of : r;
		vary |= r->size < (*of)->size || r->size > (*of)->size;
	}
	vary |= !first;
	free(first);
	return vary;
}

/* The first parameter in a text: "max=8,min=3" of "linux24:max=8,min=3".  Its length; 0: none. */
static size_t
first_parameter(const char *text, const char **at)
{
	*at = text + strcspn(text, ":");
	if (!**at)
		return 0;
	++*at;
	return strcspn(*at, "=");
}

/* How many values of a setting differ in that parameter alone? */
static unsigned
count_values(const struct names *names, const char *parameter)
{
	char	 text[PLOT_TEXT], first[PLOT_TEXT] = "", value[PLOT_TEXT];
	unsigned n = 0;

	for (uint32_t i = 1; i <= names->n; i++) {
		snprintf(text, sizeof(text), "%s", names->name[i]);
		if (!take_parameter(text, parameter, value))
			continue;
		if (!n++)
			strcpy(first, text);
		if (strcmp(first, text) != 0)
			return 0;
	}
	return n;
}

/* "max" of none, linux24:max=8 and linux24:max=16.  False: there is none, or more than one. */
static bool
sole_parameter(const struct names *names, char name[PLOT_TEXT])
{
	const char *at;
	size_t	    n;

	*name = '\0';
	for (uint32_t i = 1; i <= names->n; i++) {
		n = first_parameter(names->name[i], &at);
		if (!n)
			continue;
		if (*name && (strncmp(at, name, n) || name[n]))
			return false;
		snprintf(name, PLOT_TEXT, "%.*s", (int)n, at);
	}
	return *name && count_values(names, name) > 1;
}

/* Settings in which rows differ: those of numbers, and the first two of words. */
struct varying {
	unsigned numbers, words, number, word[2];
};

static struct varying
find_varying(const struct plot *p)
{
	struct varying v = { 0 };

	for (unsigned s = 0; s < OPTIONS; s++) {
		if (!plot_varies(p, s))
			continue;
		if (measure_names(&p->value[s], p->row[0].block) == MEASURE_WORDS) {
			v.word[v.words ? 1 : 0] = s;
			v.words++;
		} else {
			v.number = s;
			v.numbers++;
		}
	}
	return v;
}

/* The one on the axis; of two, the one that has no colours: see plot_style.c. */
static unsigned
axis_of_words(const struct varying *v)
{
	if (v->words == 1 || (v->word[0] == OPTION_policy && v->word[1] == OPTION_prefetch))
		return v->word[0];
	return v->word[1];
}

/* What varies, if it is one thing, or two of words, or has the only numbers. */
static void
choose_axis(struct plot *p)
{
	struct varying v = find_varying(p);

	if (!v.numbers && v.words == 1 && sole_parameter(&p->value[v.word[0]], p->x)) {
		p->x_kind = X_PARAMETER;
		return;
	}
	*p->x = '\0';
	if (!v.numbers && !v.words && (p->trace.n > 1 || !(p->row[0].size > 0))) {
		strcpy(p->x, "trace");
		p->x_kind = X_TRACE;
	} else if (v.numbers == 1 || (!v.numbers && (v.words == 1 || v.words == 2))) {
		p->x_setting = v.numbers ? v.number : axis_of_words(&v);
		plot_setting_name(p->x_setting, p->x);
		p->x_kind = X_SETTING;
	}
}

/* ---- texts of the axis ---- */

/* A setting leaves the names of lines. */
static int
move_setting(struct plot *p, struct error *e)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		if (!r->value[SETTING_X] && r->value[p->x_setting] &&
		    set_text(p, r, SETTING_X, plot_value(p, r, p->x_setting), e))
			return -1;
	}
	clear_setting(p, p->x_setting);
	return 0;
}

/* All traces are in one panel. */
static int
move_traces(struct plot *p, struct error *e)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		if (set_text(p, r, SETTING_X, p->trace.name[r->panel + 1], e))
			return -1;
		r->panel = 0;
	}
	names_release(&p->trace);
	return names_intern(&p->trace, "") ? 0 : error_no_memory(e);
}

/* Calls are made the faster the smaller the scale is. */
static void
set_load(struct plot *p)
{
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		r->key = -strtod(plot_value(p, r, OPTION_think_scale), NULL);
	}
	clear_setting(p, OPTION_think_scale);
}

static int
set_texts(struct plot *p, struct error *e)
{
	int failed = 0;

	switch (p->x_kind) {
	case X_SETTING:
		return move_setting(p, e);
	case X_TRACE:
		return move_traces(p, e);
	case X_LOAD:
		set_load(p);
		return 0;
	case X_PARAMETER:
		for (size_t i = 0; i < p->nrows && !failed; i++)
			failed = move_parameter(p, &p->row[i], e);
		for (unsigned i = 0; i < PLUGINS && !failed; i++)
			failed = renumber(p, plugins[i].setting, e);
		return failed;
	default:
		return 0;
	}
}

/* ---- the cache ---- */

static const char no_cache[] = "no cache";

/* What decides about a cache does nothing without one. */
static const unsigned of_caches[] = { OPTION_policy, OPTION_prefetch, OPTION_insert,
	OPTION_writes };
enum { OF_CACHES = sizeof(of_caches) / sizeof(*of_caches) };

static int
clear_uncached(struct plot *p, struct error *e)
{
	for (size_t i = 0; i < p->nrows; i++)
		for (size_t k = 0; !(p->row[i].size > 0) && k < OF_CACHES; k++)
			p->row[i].value[of_caches[k]] = 0;
	for (size_t k = 0; k < OF_CACHES; k++)
		if (renumber(p, of_caches[k], e))
			return -1;
	return 0;
}

/* Where it is not the axis, the size of the cache makes lines. */
static int
set_sizes(struct plot *p, struct error *e)
{
	char text[NUMBER_TEXT];

	for (size_t i = 0; i < p->nrows; i++) {
		const char *size =
		    p->row[i].size > 0 ? plot_size_text(p->row[i].size, text) : no_cache;

		if (set_text(p, &p->row[i], OPTION_cache, size, e))
			return -1;
	}
	return 0;
}

/* On the axis of sizes, a run without a cache is a level line. */
static int
set_uncached(struct plot *p, struct error *e)
{
	bool cached = false;

	for (size_t i = 0; i < p->nrows; i++) {
		cached |= p->row[i].size > 0;
		p->uncached |= !(p->row[i].size > 0);
	}
	if (!cached)
		return error_usage(e, "no row has a cache: name another axis by --x");
	for (size_t i = 0; i < p->nrows; i++) {
		struct plot_row *r = &p->row[i];

		r->x = r->size > 0 ? r->size : (double)NAN;
		if (!(r->size > 0) && set_text(p, r, OPTION_cache, no_cache, e))
			return -1;
	}
	return 0;
}

/* ---- places ---- */

/* A parameter, a setting or a counter that comes near, or the columns. */
static int
unknown_x(const struct plot *p, struct error *e)
{
	static const char what[] = "no file has that column, and no row that parameter";
	struct nearest	  near = nearest_to(p->x);

	for (unsigned s = 0; s < OPTIONS; s++)
		if (plot_is_setting(s))
			nearest_offer(&near,
			    s == OPTION_prefetch ? "prefetcher" : option_info[s].name);
	for (const struct plugin_kind *const *k = plugin_kinds; *k; k++)
		for (const struct plugin *const *q = (*k)->list; *q; q++)
			for (const struct param *a = (*q)->params; a && a->name; a++)
				nearest_offer(&near, a->name);
	for (const struct counter *c = stat_info; c->name; c++)
		nearest_offer(&near, c->name);
	if (near.best && strcmp(near.best, p->x) != 0)
		return error_usage(e, "--x %s: %s; did you mean '%s'?", p->x, what, near.best);
	return error_usage(e, "--x %s: %s; the columns are: %s", p->x, what, p->columns);
}

/*
 * A row without an x, such as "none" where x is a parameter of a prefetcher,
 * is drawn as a level line: it stands at every x of its panel.
 */
static int
spread(struct plot *p, struct error *e)
{
	size_t		 room = 0, n = 0, given = p->nrows;
	struct plot_row *all;

	for (size_t i = 0; i < given; i++)
		room += isnan(p->row[i].x) ? given : 1;
	all = malloc(room * sizeof(*all));
	if (!all)
		return error_no_memory(e);
	for (size_t i = 0; i < given; i++) {
		const struct plot_row *r = &p->row[i];

		if (!isnan(r->x))
			all[n++] = *r;
		for (size_t k = 0; isnan(r->x) && k < given; k++)
			if (!isnan(p->row[k].x) && p->row[k].panel == r->panel) {
				all[n] = *r;
				all[n].level = true;
				all[n].value[SETTING_X] = p->row[k].value[SETTING_X];
				all[n++].x = p->row[k].x;
			}
	}
	free(p->row);
	p->row = all;
	p->nrows = n;
	return n ? 0 : unknown_x(p, e);
}

/* Where each trace has a size of its own, the size makes no lines. */
static int
set_x(struct plot *p, struct error *e)
{
	bool own = sizes_vary(p, false) && !sizes_vary(p, true);

	if (p->x_kind == X_CACHE)
		return set_uncached(p, e);
	if (set_texts(p, e))
		return -1;
	measure_rows(p);
	return (p->x_kind != X_RESULT || plot_has_bars(p)) && !own ? set_sizes(p, e) : 0;
}

/* What a run has not measured is nowhere on an axis of results. */
static int
leave_out_unknown(struct plot *p, struct error *e)
{
	bool known = false;

	for (size_t i = 0; i < p->nrows; i++) {
		known |= !isnan(p->row[i].x);
		p->row[i].y = isnan(p->row[i].x) ? NAN : p->row[i].y;
	}
	return known
	    ? 0
	    : error_set(e, "--x %s is unknown in every row: there is nothing to draw", p->x);
}

int
plot_place(struct plot *p, struct error *e)
{
	bool level = false, of_results = p->x_kind == X_RESULT || p->x_kind == X_LOAD;

	if (clear_uncached(p, e))
		return -1;
	p->x_setting = p->x_kind == X_SETTING ? plot_setting_of(p->x) : SETTINGS;
	if (p->automatic && !sizes_vary(p, true))
		choose_axis(p);
	if (set_x(p, e))
		return -1;
	for (size_t i = 0; i < p->nrows; i++)
		level |= isnan(p->row[i].x);
	if (level && (of_results ? leave_out_unknown(p, e) : spread(p, e)))
		return -1;
	for (size_t i = 0; i < p->nrows; i++)
		if (p->x_kind != X_LOAD)
			p->row[i].key = p->x_kind == X_RESULT && !plot_has_bars(p) ? p->row[i].size
										   : p->row[i].x;
	return 0;
}

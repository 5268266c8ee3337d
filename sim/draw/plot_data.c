/*
 * plot_data.c - rows of results, and the settings in which they differ.
 *
 * Texts are replaced by numbers in order of first appearance, so that rows
 * compare as integers and lines are in the order of the input.  A row takes
 * about 200 bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/draw/plot.h"

void
plot_start(struct plot *p, const char *y, const char *x)
{
	*p = (struct plot){ .base = SETTINGS, .x_setting = SETTINGS, .automatic = !x };
	if (y)
		plot_underline(p->column, strcmp(y, "time") ? y : "elapsed_us");
	if (x && strcmp(x, "cache") != 0)
		plot_underline(p->x, x);
	p->x_kind = *p->x ? X_UNKNOWN : X_CACHE;
}

void
plot_free(struct plot *p)
{
	names_release(&p->trace);
	for (unsigned s = 0; s < SETTINGS; s++)
		names_release(&p->value[s]);
	free(p->row);
	free(p->series);
	free(p->style);
	free(p->bar_style);
	*p = (struct plot){ 0 };
}

const char *
plot_value(const struct plot *p, const struct plot_row *r, unsigned s)
{
	return r->value[s] ? p->value[s].name[r->value[s]] : "";
}

bool
plot_is_setting(unsigned s)
{
	const struct option_info *i = &option_info[s];

	return s != OPTION_cache && s != OPTION_sizes && s != OPTION_format &&
	    !option_is_output(s) && i->argument &&
	    (option_belongs(i, COMMAND_RUN) || option_belongs(i, COMMAND_MRC));
}

void
plot_underline(char buf[PLOT_TEXT], const char *name)
{
	text_clean(buf, PLOT_TEXT, name);
	text_replace(buf, '-', '_');
}

const char *
plot_setting_name(unsigned s, char buf[PLOT_TEXT])
{
	if (s == SETTING_KIND)
		return strcpy(buf, "by");
	return option_column((enum option_id)s, buf);
}

bool
plot_varies(const struct plot *p, unsigned s)
{
	return p->value[s].n > 1 || (s == OPTION_cache && p->uncached);
}

/* "ondemand", "ondemand:large=1", "iprp+ondemand". */
bool
plot_has_plugin(const struct plot *p, const char *name)
{
	size_t n = strlen(name);

	for (unsigned s = 0; s < SETTINGS; s++)
		for (uint32_t i = 1; i <= p->value[s].n; i++)
			for (const char *at = p->value[s].name[i]; at; at = strchr(at, '+')) {
				at += *at == '+';
				if (!strncmp(at, name, n) && strcspn(at, ":+") == n)
					return true;
			}
	return false;
}

unsigned
plot_setting_of(const char *column)
{
	static const char *const units[] = { "", "_blocks", "_bytes", "_us", "_calls" };
	char			 name[PLOT_TEXT];

	for (unsigned s = 0; s < OPTIONS; s++) {
		size_t n;

		if (!plot_is_setting(s))
			continue;
		n = strlen(plot_setting_name(s, name));
		if (strncmp(name, column, n) != 0)
			continue;
		/* cpu_us is a counter */
		for (size_t i = 0; i < (s == OPTION_cpu ? 1 : sizeof(units) / sizeof(*units)); i++)
			if (!strcmp(column + n, units[i]))
				return s;
	}
	return SETTINGS;
}

/* ---- order ---- */

int
plot_compare_lines(const struct plot_row *a, const struct plot_row *b)
{
	for (unsigned s = 0; s < LINE_SETTINGS; s++)
		if (a->value[s] != b->value[s])
			return a->value[s] < b->value[s] ? -1 : 1;
	return 0;
}

int
plot_compare_points(const void *va, const void *vb)
{
	const struct plot_row *a = va, *b = vb;
	int		       order = plot_compare_lines(a, b);

	if (order)
		return order;
	if (a->panel != b->panel)
		return a->panel < b->panel ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

const struct plot_row *
plot_beside(const struct plot *p, const struct plot_row *r, unsigned setting, uint32_t value)
{
	struct plot_row key = *r;

	if (p->uncached && r->level && !(r->size > 0)) { /* beside those with the first policy */
		key.value[OPTION_cache] = 0;
		key.value[OPTION_policy] = p->value[OPTION_policy].n > 0;
		key.value[OPTION_prefetch] = p->value[OPTION_prefetch].n > 0;
		key.value[OPTION_insert] = p->value[OPTION_insert].n > 0;
		key.value[OPTION_writes] = p->value[OPTION_writes].n > 0;
	}
	key.value[setting] = value;
	if (setting == SETTING_X)
		key.key = value;
	return bsearch(&key, p->row, p->nrows, sizeof(key), plot_compare_points);
}

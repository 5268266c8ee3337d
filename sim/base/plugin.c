/* plugin.c - set the parameters in a plug-in's state from "a=1,b=2", and read its counters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/nearest.h"
#include "sim/base/number.h"
#include "sim/base/plugin.h"

enum { TEXT_ROOM = 256, ALL_TEXT = 512 }; /* longest name or value; all names */

static uint64_t *
field(const struct param *q, void *state)
{
	return (uint64_t *)(void *)((char *)state + q->offset);
}

/* "it has: a, b", or that it has none. */
static const char *
params_all(const struct plugin *p, char all[ALL_TEXT])
{
	size_t used = (size_t)snprintf(all, ALL_TEXT, "%s has no parameters", p->name);

	for (const struct param *q = p->params; q && q->name && used < ALL_TEXT; q++) {
		used = q == p->params ? 0 : used;
		used += (size_t)snprintf(all + used, ALL_TEXT - used, "%s%s",
		    q == p->params ? "it has: " : ", ", q->name);
	}
	return all;
}

static const struct param *
find(const struct plugin *p, const char *name, struct error *e)
{
	struct nearest near = nearest_to(name);
	char	       what[TEXT_ROOM + 32], all[ALL_TEXT];

	for (const struct param *q = p->params; q && q->name; q++) {
		if (!strcmp(name, q->name))
			return q;
		nearest_offer(&near, q->name);
	}
	snprintf(what, sizeof(what), "parameter of %s", p->name);
	nearest_error(&near, what, params_all(p, all), e);
	return NULL;
}

/* Usage error if text is not one of the parameter's words. */
static int
set_word(const struct plugin *p, const struct param *q, void *state, const char *text,
    struct error *e)
{
	char   all[TEXT_ROOM];
	size_t used = 0;

	for (uint64_t i = 0; i <= q->max; i++) {
		if (!strcmp(text, q->words[i])) {
			*field(q, state) = i;
			return 0;
		}
		if (used < sizeof(all)) /* a longer list is cut */
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
			    i ? ", " : "", q->words[i]);
	}
	if (!*text)
		return error_usage(e, "%s of %s is empty: it is one of %s", q->name, p->name, all);
	return error_usage(e, "%s of %s is one of %s, not %s", q->name, p->name, all, text);
}

/* Usage error if the value is out of range or not a number. */
static int
set(const struct plugin *p, const struct param *q, void *state, const char *text, struct error *e)
{
	char	 min[NUMBER_TEXT], max[NUMBER_TEXT];
	uint64_t value;

	if (q->unit == PARAM_WORD)
		return set_word(p, q, state, text, e);
	if (q->words && !strcmp(text, q->words[0])) {
		*field(q, state) = q->max + 1;
		return 0;
	}
	if (number_parse(text, q->unit, &value, e) < 0)
		return q->words ? error_usage(e, "%s of %s is a whole number or %s, not '%s'",
				      q->name, p->name, q->words[0], text)
				: error_prefix(e, "%s of %s", q->name, p->name);
	if (q->unit == PARAM_PART && value > PART_BLOCKS) {
		*field(q, state) = value;
		return 0;
	}
	if (value < q->min || value > q->max)
		return error_usage(e, "%s of %s is between %s and %s%s%s, not %s", q->name, p->name,
		    number_format(min, q->min, q->unit), number_format(max, q->max, q->unit),
		    q->words ? ", or " : "", q->words ? q->words[0] : "", text);
	*field(q, state) = value;
	return 0;
}

const char *
param_text(uint64_t value, size_t *n)
{
	const char *text = (const char *)(uintptr_t)value;

	*n = text ? strcspn(text, ",+") : 0;
	return *n ? text : NULL;
}

/* One "name=value" of n characters. */
static int
assign(const struct plugin *p, void *state, const char *text, size_t n, struct error *e)
{
	char		    name[TEXT_ROOM], all[ALL_TEXT], *value;
	const struct param *q;

	if (n >= sizeof(name))
		return error_usage(e, "%s: parameter '%.*s...' is too long", p->name, 20, text);
	memcpy(name, text, n);
	name[n] = '\0';
	value = strchr(name, '=');
	if (!value)
		return error_usage(e, "%s: parameters are name=value,name=value, not '%s'; %s",
		    p->name, name, params_all(p, all));
	*value++ = '\0';
	q = find(p, name, e);
	if (q && q->unit == PARAM_TEXT) {
		*field(q, state) = (uintptr_t)(text + (value - name));
		return 0;
	}
	return q ? set(p, q, state, value, e) : -1;
}

/* Behind the value of the parameter of that name, the first time that text gives it; or NULL. */
static const char *
behind(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (;; text++) {
		bool found = !strncmp(text, name, n) && text[n] == '=';

		text += strcspn(text, ",+");
		if (found)
			return text;
		if (*text != ',')
			return NULL;
	}
}

/* Usage error if a parameter is given twice, or two that set the same. */
static int
check_given(const struct plugin *p, const char *text, struct error *e)
{
	const char *one = NULL;

	for (const struct param *q = p->params; q->name; q++) {
		const char *rest = behind(text, q->name);

		if (rest && *rest == ',' && behind(rest + 1, q->name))
			return error_usage(e,
			    "%s of %s is given twice: give it once; bufsim sweep, compare and mrc "
			    "take a list, %s=A,B",
			    q->name, p->name, q->name);
	}
	for (const char *const *name = p->either; name && *name; name++) {
		if (!behind(text, *name))
			continue;
		if (one)
			return error_usage(e, "%s and %s of %s set the same: give one of them", one,
			    *name, p->name);
		one = *name;
	}
	return 0;
}

int
params_set(const struct plugin *p, void *state, const char *text, struct error *e)
{
	const char *given = text;

	for (const struct param *q = p->params; q && q->name; q++)
		*field(q, state) = q->initial;
	if (!text || !*text || *text == '+')
		return 0;
	for (;; text++) {
		size_t n = strcspn(text, ",+");

		if (text > given && *text >= '0' && *text <= '9' && !memchr(text, '=', n))
			return error_usage(e,
			    "%s: '%.*s' makes a list, for bufsim sweep, compare and mrc", p->name,
			    (int)n, text);
		if (assign(p, state, text, n, e) < 0)
			return -1;
		text += n;
		if (*text != ',')
			return check_given(p, given, e);
	}
}

void *
plugin_state(const struct plugin *p, const char *params, struct error *e)
{
	void *state = calloc(1, p->state_size + 1);

	if (!state) {
		error_set(e, "out of memory for %s", p->name);
		return NULL;
	}
	if (params_set(p, state, params, e)) {
		free(state);
		return NULL;
	}
	return state;
}

void
counters_zero(const struct instance *i)
{
	const struct instance *inner;

	for (const struct counter *c = i->plugin->counters; c && c->name; c++)
		*(uint64_t *)(void *)((char *)i->self + c->offset) = 0;
	for (unsigned n = 0; (inner = instance_inner(i, n)); n++)
		counters_zero(inner);
}

void
plugin_free(void *self, void (*release)(void *self))
{
	if (self && release)
		release(self);
	free(self);
}

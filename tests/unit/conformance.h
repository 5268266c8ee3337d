/*
 * conformance.h - every plug-in that is registered, as it is typed, and the
 * one way to put it into a struct config.
 *
 * A plug-in is tested because a list of the registry names it: nothing here
 * or in a test that includes this names one.
 */
#ifndef TESTS_UNIT_CONFORMANCE_H
#define TESTS_UNIT_CONFORMANCE_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/core/simulate.h"
#include "sim/registry.h"
#include "tests/unit/support.h"

enum { SETTING_TEXT = 256, SETTINGS_MAX = 400 };

/* "lru", "iprp:threshold=2+none", "raid5+cheetah9lp". */
struct settings {
	char	 text[SETTINGS_MAX][SETTING_TEXT];
	unsigned n;
};

/* Unless it is there already. */
static inline void __attribute__((format(printf, 2, 3)))
settings_add(struct settings *s, const char *format, ...)
{
	va_list args;
	int	n;

	REQUIRE(s->n < SETTINGS_MAX, "too many settings");
	va_start(args, format);
	n = vsnprintf(s->text[s->n], SETTING_TEXT, format, args);
	va_end(args);
	REQUIRE(n < SETTING_TEXT, "%s is too long", s->text[s->n]);
	for (unsigned i = 0; i < s->n; i++)
		if (!strcmp(s->text[i], s->text[s->n]))
			return;
	s->n++;
}

/* ---- the only functions that know the fields of a plug-in's choice ---- */

static inline const struct prefetcher *
chosen_prefetcher(const struct config *c)
{
	return config_prefetcher(c);
}

static inline const struct scheduler *
chosen_scheduler(const struct config *c)
{
	return config_scheduler(c);
}

static inline const struct device *
chosen_device(const struct config *c)
{
	return config_device(c);
}

/* A state of the scheduler's, for free(). */
static inline void *
scheduler_state(const struct config *c, struct error *e)
{
	return plugin_state(c->scheduler.plugin, c->scheduler.params, e);
}

/* Its place among the kinds of a config, from 0, for arrays. */
static inline unsigned
kind_number(const struct plugin_kind *kind)
{
	unsigned n = 0;

	while (plugin_kinds[n] != kind)
		n++;
	return n;
}

static inline struct choice *
choice_of(struct config *c, const struct plugin_kind *kind)
{
	return kind == PLUGIN_POLICY	? &c->policy
	    : kind == PLUGIN_PREFETCHER ? &c->prefetcher
	    : kind == PLUGIN_SCHEDULER	? &c->scheduler
					: &c->device;
}

/* text, which is borrowed, is one of these settings. */
static inline int
choose_plugin(struct config *c, const struct plugin_kind *kind, const char *text, struct error *e)
{
	choice_release(choice_of(c, kind));
	return registry_choose(kind, text, choice_of(c, kind), e);
}

/* A prefetcher or device of the test's own. */
static inline void
choose_own(struct config *c, const struct plugin_kind *kind, const struct plugin *p)
{
	choice_release(choice_of(c, kind));
	choice_of(c, kind)->plugin = p;
}

/* The plug-in that has been chosen is around that one. */
static inline void
choose_inner(struct config *c, const struct plugin_kind *kind, const struct plugin *p)
{
	struct choice *inner = (struct choice *)(uintptr_t)choice_of(c, kind)->inner;

	choice_release(inner);
	inner->plugin = p;
}

/* The prefetcher with some functions exchanged; its parameters, and what it is around, stay. */
static inline void
exchange_prefetcher(struct config *c, const struct prefetcher *p)
{
	c->prefetcher.plugin = &p->plugin;
}

static inline void
release_choices(struct config *c)
{
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		choice_release(choice_of(c, *k));
}

/* ---- what is registered ---- */

static inline void
choose_setting(struct config *c, const struct plugin_kind *kind, const char *text)
{
	struct error e;

	REQUIRE(!choose_plugin(c, kind, text, &e), "%s: %s", text, e.text);
}

/* Everything chosen as simply as possible: the first of each list.  c was zeroed once. */
static inline void
choose_plainly(struct config *c)
{
	release_choices(c);
	config_defaults(c);
	for (const struct plugin_kind *const *k = plugin_kinds; *k != PLUGIN_FORMAT; k++)
		choose_setting(c, *k, (*k)->list[0]->name);
}

/* The first policy that knows the trace. */
static inline const char *
knowing_policy(void)
{
	const struct plugin *const *p = PLUGIN_POLICY->list;

	while (!((const struct policy *)(const void *)*p)->leaves)
		p++;
	return (*p)->name;
}

/* A prefetcher that knows the trace needs a policy that does, and serial replay. */
static inline void
suit_prefetcher(struct config *c)
{
	if (!chosen_prefetcher(c)->idle)
		return;
	choose_setting(c, PLUGIN_POLICY, knowing_policy());
	c->replay = REPLAY_SERIAL;
	c->insert = INSERT_HEAD;
}

/* The device kind p by its own name, or the first data sheet for it. */
static inline const char *
device_of_kind(const struct plugin *p)
{
	struct choice c;
	struct error  e;
	char	      kind[SETTING_TEXT];

	if (!registry_choose(PLUGIN_DEVICE, p->name, &c, &e))
		return choice_release(&c), p->name;
	for (const struct data_sheet *s = data_sheets; s->name; s++) {
		data_sheet_value(s->text, "kind", kind, sizeof(kind));
		if (!strcmp(kind, p->name))
			return s->name;
	}
	ck_abort_msg("no data sheet is for %s: nothing tests it", p->name);
	return NULL;
}

/* One device of each kind except arrays. */
static inline void
settings_kinds(struct settings *s)
{
	for (const struct plugin *const *p = PLUGIN_DEVICE->list; *p; p++)
		if (!(*p)->around)
			settings_add(s, "%s", device_of_kind(*p));
}

/* What may stand behind a +: of a device, one of each kind. */
static inline const char *
inner_setting(const struct plugin_kind *kind, const struct plugin *p)
{
	return kind == PLUGIN_DEVICE ? device_of_kind(p) : p->name;
}

/* Each plug-in alone, or around each that it can be put around; each data sheet. */
static inline void
settings_registered(struct settings *s, const struct plugin_kind *kind)
{
	const struct plugin *const *list = kind->list;

	for (const struct data_sheet *d = data_sheets; kind == PLUGIN_DEVICE && d->name; d++)
		settings_add(s, "%s", d->name);
	for (const struct plugin *const *p = list; *p; p++) {
		if (!(*p)->around && !strcmp(inner_setting(kind, *p), (*p)->name))
			settings_add(s, "%s", (*p)->name);
		for (const struct plugin *const *q = list; (*p)->around && *q; q++)
			if (registry_goes_inside(kind, *q))
				settings_add(s, "%s+%s", (*p)->name, inner_setting(kind, *q));
	}
}

/* What must stand behind a plug-in and its parameters: an array is of something. */
static inline const char *
needs_behind(const struct plugin_kind *kind, const struct plugin *p)
{
	static char text[SETTING_TEXT];

	*text = '\0';
	if (kind == PLUGIN_DEVICE && p->around)
		snprintf(text, sizeof(text), "+%s", data_sheets->name);
	return text;
}

/* Each that can be put around another, around the usual one or any. */
static inline void
settings_outer(struct settings *s, const struct plugin_kind *kind)
{
	for (const struct plugin *const *p = kind->list; *p; p++)
		if ((*p)->around)
			settings_add(s, "%s%s", (*p)->name, needs_behind(kind, *p));
}

/* ---- parameters ---- */

static inline const char *
param_value(char text[SETTING_TEXT], const struct param *q, uint64_t value)
{
	char number[NUMBER_TEXT];

	snprintf(text, SETTING_TEXT, "%s=%s", q->name,
	    q->unit == PARAM_WORD ? q->words[value] : number_format(number, value, q->unit));
	return text;
}

/* Every parameter of every plug-in at its least and its most, and at each of its words. */
static inline void
settings_ends(struct settings *s, const struct plugin_kind *kind)
{
	char value[SETTING_TEXT];

	for (const struct plugin *const *p = kind->list; *p; p++) {
		for (const struct param *q = (*p)->params; q && q->name; q++) {
			uint64_t between = q->unit == PARAM_WORD ? q->max - q->min - 1 : 0;

			for (uint64_t i = 0; i < between + 2; i++)
				settings_add(s, "%s:%s%s", (*p)->name,
				    param_value(value, q, i > between ? q->max : q->min + i),
				    needs_behind(kind, *p));
			if (q->unit == PARAM_COUNT && q->words)
				settings_add(s, "%s:%s=%s%s", (*p)->name, q->name, q->words[0],
				    needs_behind(kind, *p));
		}
	}
}

/* One of its ends, or little more than its least, where tables are full soon. */
static inline uint64_t
draw_value(const struct param *q, uint64_t *seed)
{
	uint64_t range = q->max - q->min, little;

	if (q->unit == PARAM_WORD)
		return q->min + random_below(seed, (uint32_t)range + 1);
	little = random_below(seed, 10);
	switch (random_below(seed, 6)) {
	case 0:
		return q->max;
	case 1:
		return q->min;
	case 2:
		return q->initial > q->max ? q->max : q->initial;
	default:
		return q->min + (little < range ? little : range);
	}
}

/* Of parameters of which one may be given, each in turn; all others always. */
static inline bool
is_turn_of(const struct plugin *p, const struct param *q, unsigned n)
{
	unsigned count = 0, place = 0;

	for (; p->either && p->either[count]; count++)
		if (!strcmp(p->either[count], q->name))
			place = count + 1;
	return !place || n % count == place - 1;
}

/* Every plug-in that has parameters, so many times with random values for all of them. */
static inline void
settings_drawn(struct settings *s, const struct plugin_kind *kind, unsigned times)
{
	uint64_t seed = 1;

	for (const struct plugin *const *p = kind->list; *p; p++) {
		for (unsigned i = 0; (*p)->params && i < times; i++) {
			char   all[SETTING_TEXT] = "", value[SETTING_TEXT];
			size_t used = 0;

			for (const struct param *q = (*p)->params; q->name; q++) {
				uint64_t drawn = draw_value(q, &seed);

				if (is_turn_of(*p, q, i))
					used += (size_t)snprintf(all + used, sizeof(all) - used,
					    "%s%s", used ? "," : "", param_value(value, q, drawn));
			}
			settings_add(s, "%s:%s%s", (*p)->name, all, needs_behind(kind, *p));
		}
	}
}

/* Both of these. */
static inline void
settings_params(struct settings *s, const struct plugin_kind *kind)
{
	settings_ends(s, kind);
	settings_drawn(s, kind, 6);
}

static inline void
settings_all(struct settings *s, const struct plugin_kind *kind)
{
	settings_registered(s, kind);
	settings_params(s, kind);
}

/* Only parameters that contradict each other may be refused, and by a usage error that says so. */
static inline void
check_refused(const char *text, const struct error *e)
{
	REQUIRE(strchr(text, '='), "%s: %s", text, e->text);
	REQUIRE(e->exit_code == EXIT_USAGE && *e->text && !strchr(e->text, '\n'), "%s: %d, '%s'",
	    text, e->exit_code, e->text);
}

#endif

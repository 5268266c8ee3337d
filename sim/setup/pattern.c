/* pattern.c - take the text of workloads apart, and make their traces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/map.h"
#include "sim/base/progress.h"
#include "sim/base/shared.h"
#include "sim/registry.h"
#include "sim/setup/pattern.h"
#include "sim/setup/values.h"
#include "sim/trace/generate/generator.h"
#include "sim/trace/generate/workload.h"

enum { PART_ROOM = 512, WORD_ROOM = 64 };

static const struct workload *
named(const char *name)
{
	for (const struct workload *w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

/* ---- one part ---- */

/* The path of a shape compiled apart begins with a / or a point: other slashes are between parts. */
static size_t
part_length(const char *text)
{
	size_t path = strchr("./", *text) ? shared_path(text) : 0;

	return path + strcspn(text + path, "+/");
}

static int
unknown(const char *name, struct error *e)
{
	struct nearest near;
	char	       word[WORD_ROOM];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, ":"), name);
	near = nearest_to(word);
	workload_offer(&near);
	for (const struct plugin *const *p = PLUGIN_SHAPE->list; *p; p++)
		nearest_offer(&near, (*p)->name);
	registry_translate(PLUGIN_SHAPE, &near);
	return nearest_error(&near, "workload",
	    "see: bufsim list shapes, and bufsim list workloads", e);
}

/* Groups are for lists, and parameters for shapes. */
static int
check_name(const char *text, struct error *e)
{
	char   name[WORD_ROOM];
	size_t n = strcspn(text, ":");

	if (!*text)
		return error_usage(e,
		    "a shape is missing; type one, such as zipf, zipf:alpha=0.9 or "
		    "zipf+sequential");
	if (shared_path(text) || registry_has(PLUGIN_SHAPE, text))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	if (named(name) && text[n])
		return error_usage(e, "%s has no parameters; it is %s", name, named(name)->pattern);
	if (n < WORD_ROOM && workload_known(name))
		return error_usage(e, "%s is a group of workloads: choose one, see bufsim list %s",
		    name, name);
	return unknown(text, e);
}

/* A shape and its state with parameters. */
static int
start_part(struct generator_part *p, const char *text, unsigned phase, struct error *e)
{
	struct choice c;

	if (check_name(text, e) || registry_choose(PLUGIN_SHAPE, text, &c, e))
		return -1;
	*p = (struct generator_part){ .shape = (const struct shape *)(const void *)c.plugin,
		.self = plugin_state(c.plugin, c.params, e),
		.phase = phase };
	choice_release(&c);
	return p->self ? 0 : -1;
}

/* ---- one workload ---- */

struct parts {
	struct generator_part part[GENERATOR_PARTS];
	unsigned	      n;
};

static void
parts_release(struct parts *p)
{
	for (unsigned i = 0; i < p->n; i++)
		plugin_free(p->part[i].self, p->part[i].shape->release);
}

/* A name in place of a part: its shape. */
static int
spell_out(char part[PART_ROOM], const char *text, size_t n, struct error *e)
{
	const struct workload *w;

	if (n >= PART_ROOM)
		return error_usage(e, "'%.20s...' is too long", text);
	snprintf(part, PART_ROOM, "%.*s", (int)n, text);
	w = named(part);
	if (w && strpbrk(w->pattern, "+/"))
		return error_usage(e, "%s consists of several shapes, and stands alone: it is %s",
		    w->name, w->pattern);
	if (w)
		snprintf(part, PART_ROOM, "%s", w->pattern);
	return 0;
}

/* Release p in any case. */
static int
parts_init(struct parts *p, const char *text, struct error *e)
{
	const struct workload *whole = named(text);
	unsigned	       phase = 0;
	char		       part[PART_ROOM];

	p->n = 0;
	text = whole ? whole->pattern : text;
	for (;; text++) {
		size_t n = part_length(text);

		if (p->n == GENERATOR_PARTS)
			return error_usage(e, "more than %d shapes in one workload",
			    GENERATOR_PARTS);
		if (spell_out(part, text, n, e) || start_part(&p->part[p->n], part, phase, e))
			return -1;
		p->n++;
		text += n;
		if (!*text)
			return 0;
		phase += *text == '/';
	}
}

static uint64_t
calls_of(const struct parts *p)
{
	uint64_t calls = 0;

	for (unsigned i = 0; i < p->n; i++)
		calls += ((const struct shape_settings *)p->part[i].self)->calls;
	return calls;
}

int
pattern_load(struct trace *t, const char *text, const struct trace_options *o, usec_t think,
    struct error *e)
{
	struct parts	 p;
	struct generator g = { 0 };
	int failed = parts_init(&p, text, e) || generator_init(&g, p.part, p.n, think, e);

	*t = (struct trace){ 0 };
	if (failed)
		error_prefix(e, "%s", text);
	else {
		progress_begin("generating", NULL, calls_of(&p));
		failed = trace_make(t, text, o, generator_read, &g, e);
		progress_end();
	}
	generator_release(&g);
	parts_release(&p);
	return failed ? -1 : 0;
}

/* ---- lists ---- */

static int
append(struct patterns *p, const char *text, struct error *e)
{
	char **grown;

	for (unsigned i = 0; i < p->n; i++)
		if (!strcmp(p->text[i], text))
			return 0;
	grown = realloc(p->text, (p->n + 1) * sizeof(*grown));
	if (!grown)
		return error_no_memory(e);
	p->text = grown;
	p->text[p->n] = strdup(text);
	return p->text[p->n] ? p->n++, 0 : error_no_memory(e);
}

/* A name of a group, or all: the names that belong to it. */
static int
append_group(struct patterns *p, const char *name, struct error *e)
{
	for (const struct workload *w = workloads; w->name; w++)
		if (workload_selected(w, name) && append(p, w->name, e))
			return -1;
	return 0;
}

/* Find errors before any trace is made. */
static int
append_checked(struct patterns *p, const char *text, struct error *e)
{
	struct parts	 parts;
	struct generator g = { 0 };
	int		 failed;

	if (workload_known(text))
		return append_group(p, text, e);
	failed = parts_init(&parts, text, e) ||
	    generator_init(&g, parts.part, parts.n, PATTERN_THINK_US, e);
	generator_release(&g);
	parts_release(&parts);
	return failed ? -1 : append(p, text, e);
}

int
patterns_init(struct patterns *p, const char *list, struct error *e)
{
	char   **text = NULL;
	unsigned n = 0;
	int	 failed;

	*p = (struct patterns){ 0 };
	failed = values_expand(list, &text, &n, e);
	for (unsigned i = 0; i < n; i++) {
		failed = failed || append_checked(p, text[i], e);
		free(text[i]);
	}
	free(text);
	if (!failed)
		return 0;
	patterns_release(p);
	return -1;
}

void
patterns_release(struct patterns *p)
{
	for (unsigned i = 0; i < p->n; i++)
		free(p->text[i]);
	free(p->text);
	*p = (struct patterns){ 0 };
}

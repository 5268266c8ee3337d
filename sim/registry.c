/* registry.c - all plug-ins, from the .def lists. */
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/nearest.h"
#include "sim/base/shared.h"
#include "sim/core/stats.h"
#include "sim/device/here.h"
#include "sim/registry.h"

enum { NAME_ROOM = 64, PATH_ROOM = 256, ALL_ROOM = 512, SHEET_MAX_BYTES = 1 << 20 };

#define X(id) extern const struct policy policy_##id;
#include "policies/policies.def"
#undef X
#define X(id) extern const struct prefetcher prefetcher_##id;
#include "prefetch/prefetch.def"
#undef X
#define X(id) extern const struct scheduler scheduler_##id;
#include "sim/block/schedulers.def"
#undef X
#define X(id) extern const struct device device_##id;
#include "sim/device/devices.def"
#undef X
#define X(id) extern const struct format format_##id;
#include "traces/formats.def"
#undef X
#define X(id) extern const struct shape shape_##id;
#include "traces/shapes/shapes.def"
#undef X
/* A program that is linked with the shared library copies `formats`, and the list may grow. */
static const struct format *const list_of_formats[] = {
#define X(id) &format_##id,
#include "traces/formats.def"
#undef X
	NULL
};
const struct format *const *const formats = list_of_formats;

static const struct plugin *const policies[] = {
#define X(id) &policy_##id.plugin,
#include "policies/policies.def"
#undef X
	NULL
};

static const struct plugin *const prefetchers[] = {
#define X(id) &prefetcher_##id.plugin,
#include "prefetch/prefetch.def"
#undef X
	NULL
};

static const struct plugin *const schedulers[] = {
#define X(id) &scheduler_##id.plugin,
#include "sim/block/schedulers.def"
#undef X
	NULL
};

static const struct plugin *const devices[] = {
#define X(id) &device_##id.plugin,
#include "sim/device/devices.def"
#undef X
	NULL
};

static const struct plugin *const trace_formats[] = {
#define X(id) &format_##id.plugin,
#include "traces/formats.def"
#undef X
	NULL
};

static const struct plugin *const shapes[] = {
#define X(id) &shape_##id.plugin,
#include "traces/shapes/shapes.def"
#undef X
	NULL
};

/* Has it the functions that the core calls without looking? */

static bool
policy_is_complete(const struct plugin *plugin)
{
	const struct policy *p = (const void *)plugin;

	return p->hit && p->evict && p->insert && p->remove && p->replay;
}

static bool
scheduler_is_complete(const struct plugin *plugin)
{
	return ((const struct scheduler *)(const void *)plugin)->pick;
}

static bool
device_is_complete(const struct plugin *plugin)
{
	const struct device *d = (const void *)plugin;

	return d->capacity && d->service;
}

static bool
format_is_complete(const struct plugin *plugin)
{
	const struct format *f = (const void *)plugin;

	return f->recognise && (f->read || f->map);
}

static bool
shape_is_complete(const struct plugin *plugin)
{
	const struct shape *s = (const void *)plugin;

	return s->call && s->teaches;
}

static const char *
shape_teaches(const struct plugin *p)
{
	return ((const struct shape *)(const void *)p)->teaches;
}

const struct plugin_kind plugin_policy = {
	.name = "policy",
	.plural = "policies",
	.list = policies,
	.interface = { PLUGIN_INTERFACE, POLICY_SIZES, NULL },
	.is_complete = policy_is_complete,
};
const struct plugin_kind plugin_prefetcher = {
	.name = "prefetcher",
	.plural = "prefetchers",
	.list = prefetchers,
	.interface = { PLUGIN_INTERFACE, PREFETCHER_SIZES, NULL },
	.inner = "linux24",
};
const struct plugin_kind plugin_scheduler = {
	.name = "scheduler",
	.plural = "schedulers",
	.list = schedulers,
	.interface = { PLUGIN_INTERFACE, SCHEDULER_SIZES, NULL },
	.is_complete = scheduler_is_complete,
};
const struct plugin_kind plugin_device = {
	.name = "device",
	.plural = "devices",
	.list = devices,
	.interface = { PLUGIN_INTERFACE, DEVICE_SIZES, NULL },
	.inner = "cheetah9lp",
	.is_complete = device_is_complete,
};
const struct plugin_kind plugin_format = {
	.name = "format",
	.plural = "formats",
	.list = trace_formats,
	.interface = { PLUGIN_INTERFACE, FORMAT_SIZES, NULL },
	.is_complete = format_is_complete,
};
const struct plugin_kind plugin_shape = {
	.name = "shape",
	.plural = "shapes",
	.list = shapes,
	.interface = { PLUGIN_INTERFACE, SHAPE_SIZES, NULL },
	.is_complete = shape_is_complete,
	.teaches = shape_teaches,
};

const struct plugin_kind *const		plugin_kinds[] = { PLUGIN_POLICY, PLUGIN_PREFETCHER,
		PLUGIN_SCHEDULER, PLUGIN_DEVICE, PLUGIN_FORMAT, PLUGIN_SHAPE, NULL };
static const struct plugin_kind *const *known = plugin_kinds;

void
registry_know(const struct plugin_kind *const *kinds)
{
	known = kinds;
}

/* The plug-in behind p, in the lists and then loaded; the first if p is NULL; NULL: no more. */
static const struct plugin *
plugin_behind(const struct plugin *p)
{
	const struct plugin *l;
	bool		     found = !p;

	for (const struct plugin_kind *const *kind = plugin_kinds; *kind; kind++)
		for (const struct plugin *const *q = (*kind)->list; *q; q++) {
			if (found)
				return *q;
			found = *q == p;
		}
	for (unsigned i = 0; (l = shared_loaded(i)); i++) {
		if (found)
			return l;
		found = l == p;
	}
	return NULL;
}

bool
registry_next_counter(struct own_counter *own)
{
	if (own->counter)
		own->counter++;
	while (!own->counter || !own->counter->name) {
		own->plugin = plugin_behind(own->plugin);
		if (!own->plugin)
			return false;
		own->counter = own->plugin->counters;
	}
	snprintf(own->name, sizeof(own->name), "%s_%s", own->plugin->name, own->counter->name);
	return true;
}

static const struct plugin *
find(const struct plugin_kind *kind, const char *name)
{
	for (const struct plugin *const *p = kind->list; *p; p++)
		if (!strcmp((*p)->name, name))
			return *p;
	return NULL;
}

static bool
needs_sheet(const struct plugin_kind *kind, const struct plugin *p)
{
	return kind == PLUGIN_DEVICE &&
	    ((const struct device *)(const void *)p)->sheet == SHEET_NEEDED;
}

/* The names to choose from: plug-ins, then data sheets.  NULL: there are no more. */
static const char *
name_of(const struct plugin_kind *kind, size_t i)
{
	const struct plugin *const *p = kind->list;

	for (; *p; p++)
		if (!needs_sheet(kind, *p) && !i--)
			return (*p)->name;
	return kind == PLUGIN_DEVICE ? data_sheets[i].name : NULL;
}

static const struct {
	const struct plugin_kind *kind;
	struct synonym		  synonym;
} synonyms[] = {
#define SYNONYM(kind, word, name, remark) { PLUGIN_##kind, { word, name, remark } },
#include "sim/synonyms.def"
#undef SYNONYM
};

bool
registry_has(const struct plugin_kind *kind, const char *text)
{
	size_t n = strcspn(text, ":+,");

	for (size_t i = 0; name_of(kind, i); i++)
		if (!strncmp(name_of(kind, i), text, n) && !name_of(kind, i)[n])
			return true;
	return false;
}

void
registry_translate(const struct plugin_kind *kind, struct nearest *near)
{
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(*synonyms); i++)
		if (synonyms[i].kind == kind)
			nearest_translate(near, &synonyms[i].synonym);
}

/* A name that comes near, or a word of other programs. */
static struct nearest
near_name(const struct plugin_kind *kind, const char *word)
{
	struct nearest near = nearest_to(word);

	for (size_t i = 0; name_of(kind, i); i++)
		nearest_offer_name(&near, name_of(kind, i));
	registry_translate(kind, &near);
	return near;
}

/* All names, up to the room. */
static const char *
name_all(const struct plugin_kind *kind, char *all, size_t room)
{
	size_t used = 0;

	for (size_t i = 0; name_of(kind, i) && used < room; i++)
		used += (size_t)snprintf(all + used, room - used, "%s%s", i ? ", " : "",
		    name_of(kind, i));
	return all;
}

/* Is it a known name with parameters, and something else than a colon before them? */
static int
check_colon(const struct plugin_kind *kind, const char *text, struct error *e)
{
	size_t	    n = strcspn(text, ",= "), equals = strcspn(text, "=");
	const char *behind = text[n] ? text + n + 1 : "";

	for (size_t i = 0; text[equals] && name_of(kind, i); i++)
		if (!strncmp(text, name_of(kind, i), n) && !name_of(kind, i)[n])
			return error_usage(e, "'%s': parameters follow a colon: type %.*s:%s", text,
			    (int)n, text, strchr(behind, '=') ? behind : "name=value");
	return 0;
}

static int
unknown(const struct plugin_kind *kind, const char *name, struct error *e)
{
	const char    *what = kind->name;
	struct nearest near = near_name(kind, name);
	char	       all[ALL_ROOM];

	if (!*name)
		return error_usage(e, "the name of a %s is missing; see: bufsim list %s", what,
		    kind->plural);
	if (check_colon(kind, name, e))
		return -1;
	if (strchr(name, ','))
		return error_usage(e, "'%s' is a list, for bufsim sweep%s", name,
		    kind == PLUGIN_POLICY ? ", compare and mrc" : " and compare");
	if (near.best)
		return nearest_error(&near, what, "", e);
	if (strstr(name, ".so"))
		return nearest_error(&near, what, "the path of one begins with ./", e);
	if (strchr(name, '/'))
		return nearest_error(&near, what, "the path of one ends in .so", e);
	return error_usage(e, "bufsim has no %s %.*s%s; it has: %s", what, NAME_ROOM, name,
	    strlen(name) > NAME_ROOM ? "..." : "", name_all(kind, all, sizeof(all)));
}

/* ---- shared objects ---- */

/* An error if the file that text begins with defines a plug-in of another kind. */
static void
check_other_kinds(const struct plugin_kind *kind, const char *text, struct error *e)
{
	for (const struct plugin_kind *const *other = known; *other; other++)
		if (*other != kind && shared_defines((*other)->name, text))
			error_usage(e, "%.*s is a %s, not a %s", (int)shared_path(text), text,
			    (*other)->name, kind->name);
}

/* Does a counter of all plug-ins, or of the core, have the same name as this one? */
static bool
is_counted_twice(const struct own_counter *own)
{
	unsigned n = 0;

	for (const struct counter *c = stat_info; c->name; c++)
		n += !strcmp(c->name, own->name);
	for (struct own_counter other = { 0 }; registry_next_counter(&other);)
		n += !strcmp(other.name, own->name);
	return n > 1;
}

/* What the loader cannot know: is it of use as a plug-in of that kind? */
static int
check_object(const struct plugin_kind *kind, const char *path, const struct plugin *p,
    struct error *e)
{
	if (find(kind, p->name))
		return error_set(e, "%s: %s is a %s of bufsim itself: choose another name", path,
		    p->name, kind->name);
	if (kind->is_complete && !kind->is_complete(p))
		return error_set(e, "%s: a function that every %s has is missing", path,
		    kind->name);
	if (p->around && !kind->inner)
		return error_set(e, "%s: a %s cannot wrap another one", path, kind->name);
	for (struct own_counter own = { 0 }; registry_next_counter(&own);)
		if (own.plugin == p && is_counted_twice(&own))
			return error_set(e, "%s: there is a counter %s already", path, own.name);
	return 0;
}

/* The plug-in compiled apart with whose path text begins. */
static int
from_object(const struct plugin_kind *kind, const char *text, struct choice *out, struct error *e)
{
	size_t n = shared_path(text);
	char   path[PATH_ROOM];

	out->params = text[n] == ':' ? text + n + 1 : NULL;
	out->plugin = shared_plugin(kind->name, text, &kind->interface, e);
	if (!out->plugin) {
		if (!shared_defines(kind->name, text))
			check_other_kinds(kind, text, e);
		return -1;
	}
	snprintf(path, sizeof(path), "%.*s", (int)n, text);
	return check_object(kind, path, out->plugin, e);
}

/* ---- data sheets ---- */

struct wanted {
	const char *key;
	char	   *value;
	size_t	    room;
};

static int
take(void *to, const char *section, const char *key, const char *value)
{
	struct wanted *w = to;

	if (!*section && !strcmp(key, w->key))
		snprintf(w->value, w->room, "%s", value);
	return 1;
}

void
data_sheet_value(const char *sheet, const char *key, char *value, size_t room)
{
	struct wanted w = { key, value, room };

	*value = '\0';
	ini_parse_string(sheet, take, &w);
}

/* The kind of device named by a data sheet; NULL: the sheet names no known kind. */
static const struct plugin *
sheet_kind(const char *sheet)
{
	char name[NAME_ROOM];

	data_sheet_value(sheet, "kind", name, sizeof(name));
	return find(PLUGIN_DEVICE, name);
}

static const struct data_sheet *
sheet_named(const char *name)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

/* The first compiled-in data sheet for that kind; NULL: the kind takes no data sheet. */
static const struct data_sheet *
sheet_for(const struct plugin *kind)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (sheet_kind(s->text) == kind)
			return s;
	return NULL;
}

/* The contents of f, at most SHEET_MAX_BYTES; NULL: out of memory. */
static char *
read_all(FILE *f)
{
	char  *text = malloc(SHEET_MAX_BYTES + 1);
	size_t n;

	if (!text)
		return NULL;
	n = fread(text, 1, SHEET_MAX_BYTES, f);
	text[n] = '\0';
	return text;
}

/* The text of a file, for free(), or NULL. */
static char *
read_text(const char *path, struct error *e)
{
	FILE *f = fopen(path, "r");
	char *text = f ? read_all(f) : NULL;
	bool  good = text && feof(f) && !ferror(f);

	if (!f || ferror(f))
		error_set(e, "%s: %s", path, strerror(errno));
	else if (!text)
		error_set(e, "%s: out of memory", path);
	else if (!good)
		error_set(e, "%s: too large for a data sheet", path);
	if (f)
		fclose(f);
	if (good)
		return text;
	free(text);
	return NULL;
}

/* The data sheet of an array is that of its members. */
static bool
takes_sheet(const struct plugin *kind)
{
	return kind && ((const struct device *)(const void *)kind)->sheet != SHEET_NONE;
}

/* Choose the kind that a data sheet names. */
static int
use_sheet(const char *path, struct choice *out, struct error *e)
{
	char kind[NAME_ROOM];

	out->plugin = sheet_kind(out->sheet);
	if (takes_sheet(out->plugin))
		return 0;
	data_sheet_value(out->sheet, "kind", kind, sizeof(kind));
	if (*kind)
		return error_set(e, "%s: kind: '%s' has no data sheets; see: bufsim list devices",
		    path, kind);
	return error_set(e,
	    "%s: no line 'kind = disk' (or another kind: bufsim list devices) "
	    "before the first section",
	    path);
}

static int
from_file(const char *path, struct choice *out, struct error *e)
{
	out->sheet = read_text(path, e);
	return out->sheet ? use_sheet(path, out, e) : -1;
}

static int
check_no_params(const char *name, const struct choice *c, struct error *e)
{
	if (!c->params)
		return 0;
	return error_usage(e, "%s is a data sheet and has no parameters, such as '%.*s'", name,
	    (int)strcspn(c->params, "+"), c->params);
}

/* The data sheet of this machine. */
static int
from_here(struct choice *out, struct error *e)
{
	char *path = check_no_params(HERE, out, e) ? NULL : here_path(e);
	int   failed = path ? 0 : -1;

	if (path && access(path, F_OK))
		failed = error_set(e, "no machine has been calibrated yet: type bufsim calibrate");
	else if (path)
		failed = from_file(path, out, e);
	free(path);
	return failed;
}

static int
from_sheet(const struct data_sheet *s, struct choice *out, struct error *e)
{
	ASSERT(takes_sheet(sheet_kind(s->text)));
	if (check_no_params(s->name, out, e))
		return -1;
	out->plugin = sheet_kind(s->text);
	out->sheet = s->text;
	return 0;
}

/* An error if that kind needs a data sheet. */
static int
check_kind(const struct plugin *kind, struct error *e)
{
	const struct data_sheet *s;

	if (!needs_sheet(PLUGIN_DEVICE, kind))
		return 0;
	s = sheet_for(kind);
	return error_usage(e,
	    "'%s' is a kind of device: choose a device%s%s, or the path of a data sheet",
	    kind->name, s ? ", such as " : "", s ? s->name : "");
}

/* By name: this machine, a compiled-in data sheet, or a kind. */
static int
from_name(const char *name, struct choice *out, struct error *e)
{
	const struct data_sheet *s = sheet_named(name);

	if (!strcmp(name, HERE))
		return from_here(out, e);
	if (s)
		return from_sheet(s, out, e);
	out->plugin = find(PLUGIN_DEVICE, name);
	if (out->plugin)
		return check_kind(out->plugin, e);
	if (!access(name, R_OK))
		return error_usage(e, "no device is called '%s'; for the data sheet type ./%s",
		    name, name);
	return unknown(PLUGIN_DEVICE, name, e);
}

/* ---- choosing ---- */

/* Is it the path of a data sheet?  Such a path has no parameters. */
static bool
is_path(const struct plugin_kind *kind, const char *text)
{
	return kind == PLUGIN_DEVICE && text[strcspn(text, "/:+")] == '/' && !shared_path(text);
}

/* "name" or "name:a=1,b=2", up to a + if there is one. */
static int
choose_one(const struct plugin_kind *kind, const char *text, struct choice *out, struct error *e)
{
	char   name[NAME_ROOM];
	size_t n = strcspn(text, ":+");

	if (shared_path(text)) {
		if (from_object(kind, text, out, e))
			return -1;
		return kind == PLUGIN_DEVICE ? check_kind(out->plugin, e) : 0;
	}
	if (is_path(kind, text))
		return from_file(text, out, e);
	if (n >= NAME_ROOM)
		return unknown(kind, text, e);
	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	out->params = text[n] == ':' ? text + n + 1 : NULL;
	if (kind == PLUGIN_DEVICE)
		return from_name(name, out, e);
	out->plugin = find(kind, name);
	return out->plugin ? 0 : unknown(kind, name, e);
}

/* Find wrong parameters before the trace is loaded. */
static int
check_params(const struct choice *c, struct error *e)
{
	void *state = plugin_state(c->plugin, c->params, e);

	free(state);
	return state ? 0 : -1;
}

bool
registry_goes_inside(const struct plugin_kind *kind, const struct plugin *p)
{
	return !p->around &&
	    (kind != PLUGIN_PREFETCHER || !((const struct prefetcher *)(const void *)p)->idle);
}

static int choose_rest(const struct plugin_kind *kind, const char *text, struct choice *out,
    struct error *e);

/* The inner plug-in of a wrapper: the text behind +, or its default. */
static int
choose_inner(const struct plugin_kind *kind, const char *inner, struct choice *out, struct error *e)
{
	struct choice *c = calloc(1, sizeof(*c));
	const char    *text = inner ? inner : out->plugin->around;

	if (!c)
		return error_no_memory(e);
	out->inner = c;
	if (choose_one(kind, text, c, e))
		return -1;
	if (c->plugin->around)
		return error_usage(e, "%s wraps another %s and cannot be wrapped itself",
		    c->plugin->name, kind->name);
	return choose_rest(kind, text, c, e) || check_params(c, e) ? -1 : 0;
}

static int
choose_rest(const struct plugin_kind *kind, const char *text, struct choice *out, struct error *e)
{
	size_t	    path = shared_path(text);
	const char *plus = is_path(kind, text) ? NULL : strchr(text + path, '+');
	const char *name = out->plugin->name;

	if (!out->plugin->around) {
		if (!plus)
			return 0;
		return error_usage(e, "%.*s cannot wrap another %s",
		    (int)(path ? path : strcspn(text, ":+")), text, kind->name);
	}
	if (!plus && !*out->plugin->around)
		return error_usage(e, "%s wraps another %s: say which, such as %s+%s", name,
		    kind->name, path || strchr(text, '=') ? text : name, kind->inner);
	return choose_inner(kind, plus ? plus + 1 : NULL, out, e);
}

/* A step, as in "ondemand:pages=8:32:+8", would be taken for a wrapped plug-in. */
static bool
has_range(const char *text)
{
	const char *step = strstr(text, ":+");

	return step && isdigit((unsigned char)step[2]);
}

int
registry_choose(const struct plugin_kind *kind, const char *text, struct choice *out,
    struct error *e)
{
	*out = (struct choice){ 0 };
	if (has_range(text))
		return error_usage(e, "'%s' has a range, for bufsim sweep, compare and mrc", text);
	if (!choose_one(kind, text, out, e) && !choose_rest(kind, text, out, e) &&
	    !check_params(out, e))
		return 0;
	choice_release(out);
	return -1;
}

static bool
is_compiled_in(const char *sheet)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (s->text == sheet)
			return true;
	return false;
}

void
choice_release(struct choice *c)
{
	struct choice *inner = (struct choice *)(uintptr_t)c->inner;

	if (inner)
		choice_release(inner);
	free(inner);
	if (!is_compiled_in(c->sheet))
		free((void *)(uintptr_t)c->sheet);
	*c = (struct choice){ 0 };
}

const struct plugin *
registry_find(const struct plugin_kind *kind, const char *text, const char **params,
    struct error *e)
{
	struct choice	     c;
	const struct plugin *p;

	if (registry_choose(kind, text, &c, e))
		return NULL;
	p = c.plugin;
	*params = c.params;
	choice_release(&c);
	return p;
}

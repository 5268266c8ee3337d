/* registry.c - every plug-in the simulator knows, from the .def lists. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/nearest.h"
#include "sim/base/shared.h"
#include "sim/registry.h"

enum { NAME_ROOM = 64, SHEET_MAX_BYTES = 1 << 20 };

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

const struct device *const device_kinds[] = {
#define X(id) &device_##id,
#include "sim/device/devices.def"
#undef X
	NULL
};

const struct format *const formats[] = {
#define X(id) &format_##id,
#include "traces/formats.def"
#undef X
	NULL
};

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

#define INTERFACE(sizes)                                                                           \
	{                                                                                          \
		PLUGIN_INTERFACE, sizes, NULL                                                      \
	}

static const struct {
	const char		   *name, *plural;
	const struct plugin *const *list;
	struct plugin_interface	    interface;
} kinds[] = {
	[PLUGIN_POLICY] = { "policy", "policies", policies, INTERFACE(POLICY_SIZES) },
	[PLUGIN_PREFETCHER] = { "prefetcher", "prefetchers", prefetchers,
	    INTERFACE(PREFETCHER_SIZES) },
	[PLUGIN_SCHEDULER] = { "scheduler", "schedulers", schedulers, INTERFACE(SCHEDULER_SIZES) },
	[PLUGIN_DEVICE] = { "device", "devices", devices, INTERFACE(DEVICE_SIZES) },
	[PLUGIN_FORMAT] = { "format", "formats", trace_formats, INTERFACE(FORMAT_SIZES) },
};

const char *
plugin_kind_name(enum plugin_kind kind)
{
	return kinds[kind].name;
}

const char *
plugin_kind_plural(enum plugin_kind kind)
{
	return kinds[kind].plural;
}

const struct plugin *const *
registry_list(enum plugin_kind kind)
{
	return kinds[kind].list;
}

/* The part of text before a colon, and *params behind it.  -1: longer than any name. */
static int
split(char name[NAME_ROOM], const char *text, const char **params)
{
	size_t n = strcspn(text, ":");

	*params = text[n] ? text + n + 1 : NULL;
	if (n >= NAME_ROOM)
		return -1;
	memcpy(name, text, n);
	name[n] = '\0';
	return 0;
}

static const struct plugin *
find(enum plugin_kind kind, const char *name)
{
	for (const struct plugin *const *p = kinds[kind].list; *p; p++)
		if (!strcmp((*p)->name, name))
			return *p;
	return NULL;
}

static int
unknown(enum plugin_kind kind, const char *name, struct error *e)
{
	struct nearest near = nearest_to(name);
	char	       see[NAME_ROOM];

	if (!*name)
		return error_usage(e, "the name of a %s is missing; see: bufsim list %s",
		    kinds[kind].name, kinds[kind].plural);
	for (const struct plugin *const *p = kinds[kind].list; *p; p++)
		nearest_offer(&near, (*p)->name);
	if (kind == PLUGIN_DEVICE)
		for (const struct data_sheet *s = data_sheets; s->name; s++)
			nearest_offer(&near, s->name);
	snprintf(see, sizeof(see), "see: bufsim list %s", kinds[kind].plural);
	if (strstr(name, ".so"))
		snprintf(see, sizeof(see), "the path of one begins with ./");
	if (strchr(name, ',') && !strchr(name, '='))
		snprintf(see, sizeof(see), "lists are for: bufsim sweep");
	return nearest_error(&near, kinds[kind].name, see, e);
}

/* Parameters end at a + (params_set()): what follows one would go unheard. */
static bool
ends_in_plus(const char *text, struct error *e)
{
	if (!strchr(text + shared_path(text), '+'))
		return false;
	error_usage(e, "only prefetchers and devices are put together with +, not '%s'", text);
	return true;
}

/* Say so if the file that text begins with is a plug-in of another kind. */
static void
check_kind(enum plugin_kind kind, const char *text, struct error *e)
{
	for (enum plugin_kind other = 0; other < PLUGIN_KINDS; other++)
		if (other != kind && shared_defines(kinds[other].name, text))
			error_usage(e, "%.*s is a %s, not a %s", (int)shared_path(text), text,
			    kinds[other].name, kinds[kind].name);
}

/* A plug-in compiled apart, of which text begins with the path. */
static const struct plugin *
load(enum plugin_kind kind, const char *text, const char **params, struct error *e)
{
	size_t		     n = shared_path(text);
	const struct plugin *p;

	*params = text[n] == ':' ? text + n + 1 : NULL;
	p = shared_plugin(kinds[kind].name, text, &kinds[kind].interface, e);
	if (!p && !shared_defines(kinds[kind].name, text))
		check_kind(kind, text, e);
	if (!p || !find(kind, p->name))
		return p;
	error_set(e, "%.*s: %s is a %s of bufsim itself: choose another name", (int)n, text,
	    p->name, kinds[kind].name);
	return NULL;
}

static const struct plugin *
find_or_say(enum plugin_kind kind, const char *text, const char **params, struct error *e)
{
	char		     name[NAME_ROOM];
	const struct plugin *p = split(name, text, params) ? NULL : find(kind, name);

	if (!p)
		unknown(kind, *params ? name : text, e);
	return p;
}

const struct plugin *
registry_find(enum plugin_kind kind, const char *text, const char **params, struct error *e)
{
	const struct plugin *p = (shared_path(text) ? load : find_or_say)(kind, text, params, e);

	return p && kind != PLUGIN_PREFETCHER && ends_in_plus(text, e) ? NULL : p;
}

/* One of "a:x+b:y": parameters end at a + by themselves, a bare name is cut here. */
static const struct prefetcher *
find_prefetcher(const char *text, const char **params, struct error *e)
{
	char	    bare[NAME_ROOM];
	size_t	    n = strcspn(text, ":+");
	const void *p;

	if (!shared_path(text) && n < NAME_ROOM && text[n] == '+') {
		snprintf(bare, sizeof(bare), "%.*s", (int)n, text);
		p = registry_find(PLUGIN_PREFETCHER, bare, params, e);
	} else {
		p = registry_find(PLUGIN_PREFETCHER, text, params, e);
	}
	return p;
}

const struct prefetcher *
registry_find_prefetcher(const char *text, const char **params, const struct prefetcher **inner,
    const char **inner_params, struct error *e)
{
	const struct prefetcher *p = find_prefetcher(text, params, e);
	const char		*plus = strchr(text + shared_path(text), '+');

	*inner = NULL;
	*inner_params = NULL;
	if (!p || (!p->around && !plus))
		return p;
	if (p->around)
		*inner = find_prefetcher(plus ? plus + 1 : p->around, inner_params, e);
	else
		error_usage(e, "%s is no controller: nothing can be put into it with +",
		    p->plugin.name);
	if (*inner &&
	    ((*inner)->around || (plus && strchr(plus + 1 + shared_path(plus + 1), '+')))) {
		error_usage(e, "%s: one controller around one prefetcher is possible", text);
		*inner = NULL;
	}
	return *inner ? p : NULL;
}

/* ---- devices ---- */

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

/* The kind of device that a data sheet is for; NULL if it names none. */
static const struct device *
sheet_kind(const char *sheet)
{
	char name[NAME_ROOM];

	data_sheet_value(sheet, "kind", name, sizeof(name));
	return (const struct device *)(const void *)find(PLUGIN_DEVICE, name);
}

static const struct data_sheet *
sheet_named(const char *name)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

/* The first compiled-in data sheet for that kind; NULL: it takes none. */
static const struct data_sheet *
sheet_for(const struct device *kind)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (sheet_kind(s->text) == kind)
			return s;
	return NULL;
}

/* All of f, which is read to its end or to SHEET_MAX_BYTES; NULL: out of memory. */
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

/* The text of a file, to be freed, or NULL. */
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

/* An array's sheet is that of what it is made of. */
static bool
takes_sheet(const struct device *d)
{
	return d && d->init && !d->control;
}

static const struct device *
from_file(const char *path, const char **sheet, char **owned, struct error *e)
{
	const struct device *d;
	char		     kind[NAME_ROOM];

	*sheet = *owned = read_text(path, e);
	if (!*owned)
		return NULL;
	d = sheet_kind(*owned);
	if (takes_sheet(d))
		return d;
	data_sheet_value(*owned, "kind", kind, sizeof(kind));
	if (*kind)
		error_set(e, "%s: kind: '%s' has no data sheets; see: bufsim list devices", path,
		    kind);
	else
		error_set(e,
		    "%s: no line 'kind = disk' (or another kind: bufsim list devices) "
		    "before the first section",
		    path);
	free(*owned);
	*owned = NULL;
	return NULL;
}

static const struct device *
from_sheet(const struct data_sheet *s, const char *params, const char **sheet, struct error *e)
{
	assert(takes_sheet(sheet_kind(s->text)));
	*sheet = s->text;
	if (!params)
		return sheet_kind(s->text);
	error_usage(e, "%s is a data sheet and has no parameters, such as '%s'", s->name, params);
	return NULL;
}

/* By name: a compiled-in data sheet, or a kind that can do without. */
static const struct device *
from_name(const char *name, const char *params, const char **sheet, struct error *e)
{
	const struct data_sheet *s = sheet_named(name);
	const struct device	*d;

	if (s)
		return from_sheet(s, params, sheet, e);
	d = (const struct device *)(const void *)find(PLUGIN_DEVICE, name);
	if (!d && !access(name, R_OK))
		error_usage(e, "no device is called '%s'; for the data sheet type ./%s", name,
		    name);
	else if (!d)
		unknown(PLUGIN_DEVICE, name, e);
	if (!takes_sheet(d) || d->plugin.params)
		return d;
	s = sheet_for(d);
	error_usage(e, "'%s' is a kind of device: name one%s%s, or the path of a data sheet", name,
	    s ? ", such as " : "", s ? s->name : "");
	return NULL;
}

/* A kind compiled apart, which has no data sheet. */
static const struct device *
from_shared(const char *text, const char **params, struct error *e)
{
	const struct device *d =
	    (const struct device *)(const void *)load(PLUGIN_DEVICE, text, params, e);

	if (!d || (!d->control && !strchr(text + shared_path(text), '+')))
		return d;
	error_usage(e, "%s: no array can be compiled apart, and only arrays take a device with +",
	    text);
	return NULL;
}

/* Of anything but an array, which alone something is put into. */
static const struct device *
find_device(const char *text, const char **params, const char **sheet, char **owned,
    struct error *e)
{
	char		     name[NAME_ROOM];
	size_t		     n = strcspn(text, ":+");
	const struct device *d;

	if (shared_path(text))
		return from_shared(text, params, e);
	if (strcspn(text, "/") < strcspn(text, ":"))
		return from_file(text, sheet, owned, e);
	if (n >= NAME_ROOM) {
		unknown(PLUGIN_DEVICE, text, e);
		return NULL;
	}
	snprintf(name, sizeof(name), "%.*s", (int)n, text);
	*params = text[n] == ':' ? text + n + 1 : NULL;
	d = from_name(name, *params, sheet, e);
	if (!d || !strchr(text, '+'))
		return d;
	error_usage(e, "%s is no array: nothing can be put into it with +", name);
	return NULL;
}

/* The array that text begins with, or NULL. */
static const struct device *
array_named(const char *text)
{
	size_t n = strcspn(text, ":+");

	for (const struct device *const *d = device_kinds; *d; d++)
		if ((*d)->control && strlen((*d)->plugin.name) == n &&
		    !memcmp((*d)->plugin.name, text, n))
			return *d;
	return NULL;
}

const struct device *
registry_find_device(const char *text, const char **params, const struct device **inner,
    const char **inner_params, const char **sheet, char **owned, struct error *e)
{
	const struct device *array = array_named(text);
	const char	    *plus = strchr(text, '+');

	*inner = NULL;
	*sheet = *params = *inner_params = NULL;
	*owned = NULL;
	if (!array)
		return find_device(text, params, sheet, owned, e);
	*params = text[strcspn(text, ":+")] == ':' ? strchr(text, ':') + 1 : NULL;
	if (!plus)
		error_usage(e, "%s is an array: say of what, such as %s+cheetah9lp",
		    array->plugin.name, strchr(text, '=') ? text : array->plugin.name);
	else if (array_named(plus + 1))
		error_usage(e, "%s: one array of one device is possible", text);
	else
		*inner = find_device(plus + 1, inner_params, sheet, owned, e);
	return *inner ? array : NULL;
}

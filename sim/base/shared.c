/* shared.c - load a shared object and find the plug-in in it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/checksum.h"
#include "sim/base/shared.h"

enum { PATH_ROOM = 4096, SYMBOL_ROOM = 128, LOADED_MAX = 64 };

/* ---- the system ---- */

#if defined(__has_include)
#if __has_include(<dlfcn.h>)
#define HAS_DLOPEN
#endif
#endif

#ifdef HAS_DLOPEN
#include <dlfcn.h>

static void *
open_object(const char *path, struct error *e)
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!object)
		error_set(e, "%s cannot be loaded: %s", path, dlerror());
	return object;
}

static const void *
find_symbol(void *object, const char *name)
{
	return dlsym(object, name);
}
#else
static void *
open_object(const char *path, struct error *e)
{
	error_set(e, "%s cannot be loaded: there is no dlopen() on this system", path);
	return NULL;
}

static const void *
find_symbol(void *object, const char *name)
{
	return NULL;
}
#endif

/* ---- names ---- */

size_t
shared_path(const char *text)
{
	const char *s = text + strcspn(text, "/:+");

	if (*s != '/')
		return 0;
	for (; (s = strstr(s, ".so")); s++)
		if (!s[3] || strchr(":+", s[3]))
			return (size_t)(s + 3 - text);
	return 0;
}

/* "mine" in "try/mine.so", a path of n characters; sets the length of the name. */
static const char *
base_name(const char *path, size_t n, size_t *length)
{
	const char *name = path;

	for (size_t i = 0; i < n; i++)
		if (path[i] == '/')
			name = path + i + 1;
	*length = n - strlen(".so") - (size_t)(name - path);
	return name;
}

/* The path of a file, and the plug-in that it must define. */
struct named {
	char path[PATH_ROOM];
	char name[SYMBOL_ROOM], symbol[SYMBOL_ROOM];
};

static int
take_apart(struct named *n, const char *kind, const char *text, struct error *e)
{
	size_t	    length, path = shared_path(text);
	const char *name = base_name(text, path, &length);
	int	    used = snprintf(n->path, sizeof(n->path), "%.*s", (int)path, text);

	if (used >= (int)sizeof(n->path))
		return error_set(e, "%.40s...: %s", text, strerror(ENAMETOOLONG));
	snprintf(n->name, sizeof(n->name), "%.*s", (int)length, name);
	used = snprintf(n->symbol, sizeof(n->symbol), "%s_%s_interface", kind, n->name);
	if (used >= (int)sizeof(n->symbol))
		return error_set(e, "%s: the name is too long", n->path);
	return 0;
}

/* ---- loading ---- */

/* The loaded files: two plug-ins of one kind must not have the same name in results. */
static struct {
	const struct plugin *plugin;
	char		     symbol[SYMBOL_ROOM];
	uint64_t	     fingerprint;
} loaded[LOADED_MAX];

/* The fingerprint of a file, never 0. */
static int
take_fingerprint(const char *path, uint64_t *fingerprint, struct error *e)
{
	FILE  *f = fopen(path, "rb");
	char   part[8192];
	size_t n;

	if (!f)
		return error_set(e, "%s: %s", path, strerror(errno));
	*fingerprint = 1;
	while ((n = fread(part, 1, sizeof(part), f)))
		*fingerprint = checksum_add(*fingerprint, checksum(part, n));
	n = ferror(f) ? 1 : 0;
	fclose(f);
	return n ? error_set(e, "%s: cannot be read", path) : 0;
}

static int
remember(const struct named *n, const struct plugin *p, struct error *e)
{
	for (unsigned i = 0; i < LOADED_MAX; i++) {
		if (!loaded[i].plugin) {
			if (take_fingerprint(n->path, &loaded[i].fingerprint, e))
				return -1;
			loaded[i].plugin = p;
			strcpy(loaded[i].symbol, n->symbol);
		}
		if (loaded[i].plugin == p)
			return 0;
		if (!strcmp(loaded[i].symbol, n->symbol))
			return error_set(e, "%s: another file has already defined a plug-in '%s'",
			    n->path, n->name);
	}
	return error_set(e, "%s: more than %d plug-ins compiled apart", n->path, LOADED_MAX);
}

const struct plugin *
shared_loaded(unsigned i)
{
	return i < LOADED_MAX ? loaded[i].plugin : NULL;
}

uint64_t
shared_fingerprint(const struct plugin *p)
{
	for (unsigned i = 0; shared_loaded(i); i++)
		if (loaded[i].plugin == p)
			return loaded[i].fingerprint;
	return 0;
}

static unsigned
count_counters(const struct plugin *p)
{
	unsigned n = 0;

	while (p->counters && p->counters[n].name)
		n++;
	return n;
}

static int
check_interface(const struct named *n, const struct plugin_interface *theirs,
    const struct plugin_interface *ours, struct error *e)
{
	if (theirs->number != ours->number)
		return error_set(e,
		    "%s is compiled for interface %u, this bufsim has %u: compile it again "
		    "with the headers of this bufsim",
		    n->path, theirs->number, ours->number);
	if (memcmp(theirs->size, ours->size, sizeof(ours->size)) != 0)
		return error_set(e,
		    "%s is compiled with other headers than this bufsim: compile it again with "
		    "those of this bufsim",
		    n->path);
	if (strcmp(theirs->plugin->name, n->name) != 0)
		return error_set(e,
		    "%s: its plug-in is called '%s', but must have the name of the file, '%s'",
		    n->path, theirs->plugin->name, n->name);
	if (count_counters(theirs->plugin) > COUNTERS_MAX)
		return error_set(e, "%s has %u counters, and %d are the most", n->path,
		    count_counters(theirs->plugin), COUNTERS_MAX);
	return 0;
}

static const struct plugin_interface *
find_interface(struct named *n, const char *kind, const char *text, struct error *e)
{
	void	   *object;
	const void *interface;

	if (take_apart(n, kind, text, e))
		return NULL;
	if (access(n->path, R_OK)) {
		error_set(e, "%s: %s", n->path, strerror(errno));
		return NULL;
	}
	object = open_object(n->path, e);
	interface = object ? find_symbol(object, n->symbol) : NULL;
	if (object && !interface)
		error_set(e, "%s defines no %s '%s', the name of the file: it has no symbol %s",
		    n->path, kind, n->name, n->symbol);
	return interface;
}

bool
shared_defines(const char *kind, const char *text)
{
	struct error e = { 0 };
	struct named n = { 0 };

	return find_interface(&n, kind, text, &e);
}

const struct plugin *
shared_plugin(const char *kind, const char *text, const struct plugin_interface *ours,
    struct error *e)
{
	struct named			     n = { 0 };
	const struct plugin_interface *const theirs = find_interface(&n, kind, text, e);

	if (!theirs || check_interface(&n, theirs, ours, e) || remember(&n, theirs->plugin, e))
		return NULL;
	return theirs->plugin;
}

/* ---- in results ---- */

const char *
shared_shown(const char *text, char room[SHARED_TEXT])
{
	const char *from = text;
	size_t	    used = 0;
	bool	    changed = false;

	while (*from && used < SHARED_TEXT) {
		size_t	    path = shared_path(from), length = strcspn(from, "+");
		const char *part = from;

		if (path) {
			part = base_name(from, path, &length);
			changed = true;
			from += path;
		} else {
			length += part[length] == '+';
			from += length;
		}
		used +=
		    (size_t)snprintf(room + used, SHARED_TEXT - used, "%.*s", (int)length, part);
	}
	return changed && used < SHARED_TEXT ? room : text;
}

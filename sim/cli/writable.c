/* writable.c - formats by the endings of names. */
#include <stdio.h>
#include <string.h>

#include "sim/cli/writable.h"
#include "sim/trace/unpack.h"

static bool
ends_in(const char *name, size_t n, const char *ending)
{
	size_t m = strlen(ending);

	return n > m && !strncmp(name + n - m, ending, m);
}

void
writable_list(char text[WRITABLE_ROOM], bool endings)
{
	size_t n = 0;

	*text = '\0';
	for (const struct format *const *f = formats; *f && n < WRITABLE_ROOM; f++)
		if ((*f)->write)
			n += (size_t)snprintf(text + n, WRITABLE_ROOM - n, "%s%s", n ? ", " : "",
			    endings ? (*f)->ending : (*f)->plugin.name);
}

const struct format *
writable_by_ending(const char *name, const char *otherwise, struct error *e)
{
	char   endings[WRITABLE_ROOM];
	size_t n = unpack_name(name);

	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write && ends_in(name, n, (*f)->ending))
			return *f;
	writable_list(endings, true);
	error_usage(e, "%s: its format is unknown: use a name in %s (also with .gz)%s", name,
	    endings, otherwise);
	return NULL;
}

int
writable_place(const char *name, struct error *e)
{
	size_t n = unpack_name(name);

	if (!name[n] || output_packs(name))
		return 0;
	return error_usage(e, "%s: only gzip is written: write %.*s.gz, or pack it afterwards",
	    name, (int)n, name);
}

/* writable.c - formats by the endings of names. */
#include <stdio.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/cli/writable.h"
#include "sim/setup/endings.h"
#include "sim/trace/unpack/unpack.h"

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
		if ((*f)->write && text_ends_in(name, n, (*f)->ending))
			return *f;
	writable_list(endings, true);
	error_usage(e, "%s: its format is unknown: use a name in %s (also with .gz)%s", name,
	    endings, otherwise);
	return NULL;
}

int
writable_place(const struct format *f, const char *name, struct error *e)
{
	const struct written w = { .what = f->plugin.name, .endings = f->ending };

	return endings_check("", name, &w, e);
}

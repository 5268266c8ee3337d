/* writable.c - formats by the endings of names. */
#include <string.h>

#include "sim/cli/writable.h"

enum { GZ = 3 /* letters of .gz */ };

static bool
ends_in(const char *name, size_t n, const char *ending)
{
	size_t m = strlen(ending);

	return n > m && !strncmp(name + n - m, ending, m);
}

const struct format *
writable_by_ending(const char *name, const char *otherwise, struct error *e)
{
	size_t n = strlen(name) - (output_packs(name) ? GZ : 0);

	for (const struct format *const *f = formats; *f; f++)
		if ((*f)->write && ends_in(name, n, (*f)->ending))
			return *f;
	error_usage(e, "%s: its format is unknown: use a name in .bst, .txt or .txt.gz%s", name,
	    otherwise);
	return NULL;
}

int
writable_place(const struct format *f, const char *name, struct error *e)
{
	if (f->map && !strcmp(name, "-"))
		return error_usage(e,
		    "a binary trace is mapped: write it to a file, not to a pipe");
	if (f->map && output_packs(name))
		return error_usage(e, "%s: a binary trace is mapped: leave out the .gz", name);
	return 0;
}

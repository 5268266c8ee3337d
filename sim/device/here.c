/* here.c - find the data sheet of this machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/device/here.h"

/* The value of a variable that is the path of a folder from the root; else NULL. */
static const char *
folder(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value == '/' ? value : NULL;
}

static char *
behind(const char *above, const char *rest, struct error *e)
{
	size_t n = strlen(above) + strlen(rest) + 1;
	char  *path = malloc(n);

	if (!path)
		error_no_memory(e);
	else
		snprintf(path, n, "%s%s", above, rest);
	return path;
}

char *
here_path(struct error *e)
{
	const char *data = folder("XDG_DATA_HOME"), *home = folder("HOME");

	if (data)
		return behind(data, "/bufsim/here.dev", e);
	if (home)
		return behind(home, "/.local/share/bufsim/here.dev", e);
	error_set(e,
	    "the data sheet of this machine is in a folder of yours, but HOME is not set: "
	    "name a file instead");
	return NULL;
}

/* The folders above that file. */
static int
make_folders(char *path, struct error *e)
{
	for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
		*end = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return error_set(e, "%s: cannot be made: %s: name a file instead", path,
			    strerror(errno));
		*end = '/';
	}
	return 0;
}

char *
here_prepare(struct error *e)
{
	char *path = here_path(e);

	if (!path || !make_folders(path, e))
		return path;
	free(path);
	return NULL;
}

/* near.c - find the file that was meant: csq is csq.blktrace.0 or csq.txt.gz. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/text.h"
#include "sim/trace/near.h"

/* The first name in the folder, in the order of bytes, that is `name` and an ending; for free(). */
static char *
find(const char *folder, const char *name)
{
	size_t	       n = strlen(name);
	DIR	      *d = opendir(folder);
	struct dirent *entry;
	char	      *best = NULL;

	while (d && (entry = readdir(d))) {
		const char *other = entry->d_name;

		if (strncmp(other, name, n) != 0 || other[n] != '.' || !other[n + 1] ||
		    (best && strcmp(other, best) >= 0))
			continue;
		free(best);
		best = strdup(other);
	}
	if (d)
		closedir(d);
	return best;
}

void
near_suggest(const char *path, struct error *e)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char	   *folder = strdup(slash ? path : ".");
	size_t	    used = strlen(e->text);
	struct stat st;
	char	   *near;

	if (!folder || !*name || !stat(path, &st)) {
		free(folder);
		return;
	}
	if (slash)
		folder[slash - path + 1] = '\0';
	near = find(folder, name);
	if (near && used < sizeof(e->text))
		snprintf(e->text + used, sizeof(e->text) - used, "; did you mean %.*s%s?",
		    (int)(name - path), path, text_clean(near, strlen(near) + 1, near));
	free(near);
	free(folder);
}

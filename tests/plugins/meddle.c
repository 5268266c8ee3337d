/* meddle.c - a prefetcher that changes the file of the trace under the simulator. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/core/prefetch.h"

enum how { CUT, WRITE, RUIN, TOUCH, REPLACE, FAULT };

static const char *const words[] = { "cut", "write", "ruin", "touch", "replace", "fault", NULL };

struct meddle {
	const char *path;
	uint64_t    how, at, seen;
};

static const struct param params[] = {
	{ "how", PARAM_WORD, CUT, 0, FAULT, offsetof(struct meddle, how), "what to do", words },
	{ "at", PARAM_COUNT, 1, 1, 1 << 20, offsetof(struct meddle, at), "at this call", NULL },
	{ 0 },
};

static int
meddle_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	((struct meddle *)self)->path = t->path;
	return 0;
}

/* Leave the header, and no more than that of the accesses. */
static void
cut(const char *path)
{
	if (truncate(path, 4096))
		abort();
}

/* The first call moves one byte: wrong, and possible. */
static void
overwrite(const char *path)
{
	const uint32_t one = 1;
	int	       fd = open(path, O_WRONLY);

	if (fd < 0 || pwrite(fd, &one, sizeof(one), 4096 + 24) < 0 || close(fd))
		abort();
}

static void
ruin(const char *path)
{
	static char bytes[1 << 16];
	int	    fd = open(path, O_WRONLY);

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 77 + 33);
	if (fd < 0 || pwrite(fd, bytes, sizeof(bytes), 4096) < 0 || close(fd))
		abort();
}

static void
replace(const char *path)
{
	char  second[4096];
	FILE *f;

	snprintf(second, sizeof(second), "%s.second", path);
	f = fopen(second, "w");
	if (!f || fputs("another", f) < 0 || fclose(f) || rename(second, path))
		abort();
}

static void
meddle_access(void *self, const struct demand *d, struct plan *plan)
{
	struct meddle *m = self;

	if (++m->seen != m->at)
		return;
	switch ((enum how)m->how) {
	case CUT:
		cut(m->path);
		break;
	case WRITE:
		overwrite(m->path);
		break;
	case RUIN:
		ruin(m->path);
		break;
	case TOUCH:
		utimensat(AT_FDCWD, m->path, NULL, 0);
		break;
	case REPLACE:
		replace(m->path);
		break;
	case FAULT:
		overwrite(m->path);
		raise(SIGSEGV);
		break;
	}
}

PREFETCHER(meddle,
    .plugin = { .name = "meddle",
	.summary = "changes the file of the trace while it is in use",
	.state_size = sizeof(struct meddle),
	.params = params },
    .init = meddle_init, .access = meddle_access);

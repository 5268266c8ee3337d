/* mapped.c - map files, and explain the faults of those that have changed. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/base/mapped.h"
#include "sim/base/text.h"

enum { NAME_ROOM = 512, LINE_ROOM = NAME_ROOM + 64 };

struct mapped {
	void	      *bytes;
	size_t	       n;
	struct stat    was;
	struct mapped *next;
	char	       name[NAME_ROOM]; /* for messages */
	char	       path[];
};

static const char shorter[] = "became shorter while it was being read";
static const char changed[] = "changed while it was being read";
static const char unreadable[] = "cannot be read: input/output error";

static struct mapped *all;
static atomic_flag    changing = ATOMIC_FLAG_INIT; /* the list, in one thread of several */
static void (*end_with)(const char *text);

/* Signals that wrong values may lead to, and what was done about them before. */
static const int faults[] = { SIGBUS, SIGSEGV, SIGFPE, SIGABRT };

enum { FAULTS = sizeof(faults) / sizeof(*faults) };

static struct sigaction before[FAULTS];

/* The file as it is now; false: it is not to be found. */
static bool
look(const struct mapped *m, struct stat *now)
{
	return !(strcmp(m->path, "-") ? stat(m->path, now) : fstat(STDIN_FILENO, now)) &&
	    now->st_dev == m->was.st_dev && now->st_ino == m->was.st_ino;
}

/* What has happened to it, or NULL. */
static const char *
news(const struct mapped *m)
{
	struct stat now;

	if (!look(m, &now))
		return NULL; /* replaced or removed: what is mapped stays */
	if (now.st_size < m->was.st_size)
		return shorter;
	if (now.st_size > m->was.st_size || now.st_mtim.tv_sec != m->was.st_mtim.tv_sec ||
	    now.st_mtim.tv_nsec != m->was.st_mtim.tv_nsec)
		return changed;
	return NULL;
}

/* ---- faults: only functions that are safe in a signal handler ---- */

static void
append(char line[LINE_ROOM], const char *part)
{
	strcpy(line + strlen(line), part);
}

static void
end_for(const struct mapped *m, const char *what)
{
	static char line[LINE_ROOM];

	append(line, m->name);
	append(line, ": ");
	append(line, what);
	end_with(line);
}

static bool
holds(const struct mapped *m, const void *address)
{
	return (uintptr_t)address - (uintptr_t)m->bytes < m->n;
}

/* Without a file to blame, the signal does what it did before. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
	for (const struct mapped *m = all; m; m = m->next) {
		const char *what = news(m);
		struct stat now;

		if (!what && number == SIGBUS && holds(m, info->si_addr))
			what = look(m, &now) ? unreadable : shorter;
		if (what)
			end_for(m, what);
	}
	for (int i = 0; i < FAULTS; i++)
		if (faults[i] == number)
			sigaction(number, &before[i], NULL);
	if (info->si_code <= 0)
		raise(number); /* a fault happens again by itself */
}

void
mapped_catch_faults(void (*end)(const char *text))
{
	struct sigaction ours = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	for (int i = 0; !end_with && i < FAULTS; i++)
		sigaction(faults[i], &ours, &before[i]);
	end_with = end;
}

/* ---- files ---- */

static void
add(struct mapped *m)
{
	while (atomic_flag_test_and_set(&changing))
		;
	m->next = all;
	all = m;
	atomic_flag_clear(&changing);
}

static void
take_out(struct mapped *m)
{
	struct mapped **at = &all;

	while (atomic_flag_test_and_set(&changing))
		;
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	atomic_flag_clear(&changing);
}

struct mapped *
mapped_open(int fd, const char *path, struct error *e)
{
	struct mapped *m = calloc(1, sizeof(*m) + strlen(path) + 1);

	if (!m) {
		error_no_memory(e);
		return NULL;
	}
	strcpy(m->path, path);
	text_clean(m->name, sizeof(m->name), strcmp(path, "-") ? path : "standard input");
	if (!fstat(fd, &m->was)) {
		m->n = (size_t)m->was.st_size;
		m->bytes = mmap(NULL, m->n, PROT_READ, MAP_SHARED, fd, 0);
		if (m->bytes != MAP_FAILED) {
			add(m);
			return m;
		}
	}
	error_set(e, "cannot be mapped: %s", strerror(errno));
	free(m);
	return NULL;
}

void
mapped_close(struct mapped *m)
{
	take_out(m);
	munmap(m->bytes, m->n);
	free(m);
}

const void *
mapped_bytes(const struct mapped *m, size_t *n)
{
	*n = m->n;
	return m->bytes;
}

int
mapped_check(struct mapped *m, bool (*same)(const void *self), const void *self, struct error *e)
{
	const char *what = news(m);
	struct stat now;

	if (!what)
		return 0;
	if (what == shorter || !look(m, &now) || !same(self))
		return error_set(e, "%s", what);
	m->was = now; /* what is written during same() is newer */
	return 0;
}

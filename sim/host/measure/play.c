/* play.c - descriptors opened, closed and opened again, and pages that leave. */
#define _GNU_SOURCE /* POSIX_FADV_... */
#include "sim/host/measure/play.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEIGHBOURS = 512 /* the largest folio */ };

/* ---- descriptors ---- */

int
play_open(struct play *p, uint32_t open, struct error *e)
{
	int *fd = &p->fd[open];

	if (*fd >= 0)
		close(*fd);
	*fd = stage_files_open(p->files, p->trace->open[open].file, p->how->writes, e);
	if (*fd < 0)
		return -1;
	if (p->how->random)
		posix_fadvise(*fd, 0, 0, POSIX_FADV_RANDOM);
	p->unused[open] = true;
	return 0;
}

bool
play_opens(const struct play *p, uint32_t open, bool fresh)
{
	return p->fd[open] < 0 || (fresh && !p->unused[open]);
}

bool
play_closes(const struct play *p, size_t call)
{
	return p->files->scarce && p->files->last[p->trace->access[call].open] == call;
}

void
play_close(struct play *p, size_t call)
{
	int *fd = &p->fd[p->trace->access[call].open];

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* ---- pages that leave ---- */

bool
play_evicts(const struct play *p, size_t call)
{
	size_t n = 0;

	if (p->how->evict)
		evictions_of(p->how->evict, call, &n);
	return n;
}

/*
 * Pages that were written are in memory by the several, and the kernel drops
 * none of them before all are to leave: with its neighbours that have gone.
 */
static void
evict_page(const struct play *p, block_t b)
{
	const struct trace *t = p->trace;
	const struct file  *f = &t->file[trace_file(t, b)];
	block_t		    first = b, end = b + 1;

	if (p->gone)
		p->gone[b] = true;
	while (p->gone && first > f->base && p->gone[first - 1] && b - first < NEIGHBOURS)
		first--;
	while (p->gone && end < f->base + f->nblocks && p->gone[end] && end - b < NEIGHBOURS)
		end++;
	stage_files_drop_range(p->files, (file_t)(f - t->file), first - f->base, end - first);
}

static void
evict_all(const struct play *p, size_t call)
{
	size_t	       n;
	const block_t *b = evictions_of(p->how->evict, call, &n);

	for (size_t i = 0; i < n; i++)
		evict_page(p, b[i]);
}

/* The pages of a call come. */
static void
expect(const struct play *p, size_t call)
{
	const struct access *a = &p->trace->access[call];

	if (p->gone)
		memset(&p->gone[access_block(p->trace, a)], false, access_count(p->trace, a));
}

void
play_evict(struct play *p, size_t call)
{
	if (p->how->evict)
		evict_all(p, call);
	if (call < p->trace->naccess)
		expect(p, call);
}

/* ---- setting up ---- */

static bool
has_calls(const void *self, uint32_t i)
{
	const struct calls *c = self;

	return c->sequence[i].n;
}

/* Before the clock starts, if there are descriptors for all. */
static int
open_all(struct play *p, struct error *e)
{
	for (uint32_t i = 0; i < p->trace->nopen && !p->files->scarce; i++)
		if (play_open(p, i, e))
			return -1;
	return 0;
}

void
play_release(struct play *p)
{
	for (uint32_t i = 0; p->fd && i < p->trace->nopen; i++)
		if (p->fd[i] >= 0)
			close(p->fd[i]);
	free(p->fd);
	free(p->unused);
	free(p->gone);
	family_release(&p->family);
	calls_release(&p->calls);
}

int
play_init(struct play *p, const struct stage *s, const struct run_how *how, struct error *e)
{
	const struct trace *t = s->trace;
	struct config	    c = { .replay = how->by_process ? REPLAY_PROCESS : REPLAY_SERIAL };

	*p = (struct play){ .trace = t, .files = &s->files, .how = how };
	p->fd = malloc((t->nopen + 1) * sizeof(*p->fd));
	p->unused = calloc(t->nopen + 1, sizeof(*p->unused));
	for (uint32_t i = 0; p->fd && i < t->nopen; i++)
		p->fd[i] = -1;
	if (how->evict && how->writes)
		p->gone = calloc(t->nblocks, sizeof(*p->gone));
	if (!p->fd || !p->unused || (how->evict && how->writes && !p->gone))
		error_set(e, "out of memory for %u open files", t->nopen);
	else if (!calls_init(&p->calls, &c, t, e) &&
	    (!how->by_process || !t->nsteps ||
		!family_init(&p->family, t, has_calls, &p->calls, e)) &&
	    !open_all(p, e))
		return 0;
	play_release(p);
	return -1;
}

static int
read_once(struct play *p, char *buffer, size_t call, struct error *e)
{
	const struct access *a = &p->trace->access[call];

	if (a->write)
		return 0;
	if (play_opens(p, a->open, a->fresh) && play_open(p, a->open, e))
		return -1;
	p->unused[a->open] = false;
	if (pread(p->fd[a->open], buffer, a->length, (off_t)a->offset) < 0)
		return error_set(e, "call %zu: %s", call + 1, strerror(errno));
	if (play_closes(p, call))
		play_close(p, call);
	return 0;
}

int
play_warm(struct play *p, struct error *e)
{
	char *buffer = malloc((size_t)p->trace->longest_bytes + 1);
	int   failed = buffer ? 0 : error_no_memory(e);

	for (size_t i = 0; !failed && i < p->trace->naccess; i++)
		failed = read_once(p, buffer, i, e);
	free(buffer);
	return failed || open_all(p, e) ? -1 : 0;
}

#endif

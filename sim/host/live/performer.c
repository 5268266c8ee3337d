/*
 * performer.c - calls become pread() and pwrite(), or page faults on a
 * mapping; advice becomes posix_fadvise().
 *
 * Each open file of the trace is an open() of its own, as the kernel keeps a
 * readahead state for each.  Advice that no read follows is about the file
 * alone and is given through another descriptor.
 */
#include <stdlib.h>
#include <unistd.h>

#include "sim/base/number.h"
#include "sim/host/live/performer.h"

#define FILES_MAX_BYTES (UINT64_C(4) << 30) /* of scratch files at a time */

enum { WINDOWS = 4, DESCRIPTORS_APART = 32 };

int
performer_check(const struct trace *t, const char *dir, struct error *e)
{
	char	 have[NUMBER_TEXT], most[NUMBER_TEXT];
	uint64_t bytes = 0, room;

	for (file_t f = 0; f < t->nfiles; f++)
		bytes += t->file[f].bytes;
	if (bytes > FILES_MAX_BYTES)
		return error_set(e,
		    "%s: its files add up to %s; scratch files may add up to %s: %s", t->name,
		    number_bytes(have, bytes), number_bytes(most, FILES_MAX_BYTES),
		    t->nfiles > 1 ? "keep fewer files with bufsim convert --only inode=N"
				  : "choose a trace of smaller files");
	if (scratch_room(dir, &room, e))
		return -1;
	if (bytes <= room)
		return 0;
	return error_set(e,
	    "%s: its files take %s, and %s has %s free: name another directory with --dir", t->name,
	    number_bytes(have, bytes), dir, number_bytes(most, room));
}

static void
close_open(struct performer *p, uint32_t open)
{
	if (p->fd[open] < 0)
		return;
	if (p->map[open])
		scratch_unmap(&p->file[p->trace->open[open].file], p->map[open]);
	close(p->fd[open]);
	p->map[open] = NULL;
	p->fd[open] = -1;
}

void
performer_release(struct performer *p)
{
	for (uint32_t i = 0; p->fd && p->map && i < p->trace->nopen; i++)
		close_open(p, i);
	for (file_t f = 0; p->file && f < p->trace->nfiles; f++)
		if (p->file[f].page)
			scratch_release(&p->file[f]);
	free(p->fd);
	free(p->map);
	free(p->advised);
	free(p->last);
	free(p->file);
	*p = (struct performer){ 0 };
}

/* The size of each file before its first step, UINT64_MAX without one; and the last uses. */
static void
look_ahead(struct performer *p, uint64_t *size)
{
	struct live_steps all = { .trace = p->trace };
	struct live_step  s;

	for (file_t f = 0; f < p->trace->nfiles; f++)
		size[f] = UINT64_MAX;
	for (size_t i = 1; live_steps_next(&all, &s); i++) {
		file_t f = p->trace->open[s.open].file;

		if (size[f] == UINT64_MAX)
			size[f] = s.size;
		p->last[s.open] = i;
	}
}

static int
make_files(struct performer *p, const char *dir, const uint64_t *size, struct error *e)
{
	const struct trace *t = p->trace;

	for (file_t f = 0; f < t->nfiles; f++) {
		struct scratch *s = &p->file[f];

		if (scratch_init(s, dir, t->file[f].bytes, e))
			return -1;
		if (size[f] < s->bytes && (scratch_resize(s, size[f], e) || scratch_drop(s, e)))
			return -1;
	}
	return 0;
}

static int
set_up(struct performer *p, const char *dir, struct error *e)
{
	const struct trace *t = p->trace;
	uint64_t	   *size = calloc(t->nfiles, sizeof(*size));
	int		    failed;

	p->file = calloc(t->nfiles, sizeof(*p->file));
	p->fd = malloc(t->nopen * sizeof(*p->fd));
	p->map = calloc(t->nopen, sizeof(*p->map));
	p->advised = calloc(t->nopen, sizeof(*p->advised));
	p->last = calloc(t->nopen, sizeof(*p->last));
	for (uint32_t i = 0; p->fd && i < t->nopen; i++)
		p->fd[i] = -1;
	if (!size || !p->file || !p->fd || !p->map || !p->advised || !p->last) {
		free(size);
		return error_no_memory(e);
	}
	look_ahead(p, size);
	failed = make_files(p, dir, size, e);
	free(size);
	return failed;
}

int
performer_init(struct performer *p, const struct trace *t, const struct host *h, const char *dir,
    struct error *e)
{
	uint32_t max = h->ra_pages > h->io_pages ? h->ra_pages : h->io_pages;
	bool	 assumed = h->ra_from == HOST_ASSUMED || h->io_from == HOST_ASSUMED;

	scratch_descriptors((uint64_t)t->nfiles + t->nopen + DESCRIPTORS_APART);
	*p = (struct performer){ .trace = t, .reach = assumed ? UINT32_MAX : WINDOWS * max };
	if (!set_up(p, dir, e))
		return 0;
	performer_release(p);
	return -1;
}

struct scratch *
performer_file(const struct performer *p, const struct live_step *s)
{
	return &p->file[p->trace->open[s->open].file];
}

/* ---- a step ---- */

/* Does it begin the life of its open file? */
static bool
begins(const struct performer *p, const struct live_step *s)
{
	if (s->advice)
		return s->advice->own && s->advice->fresh;
	return !s->call->write && s->call->fresh && !p->advised[s->open];
}

static int
open_for(struct performer *p, const struct live_step *s, struct error *e)
{
	struct scratch *file = performer_file(p, s);

	if (begins(p, s))
		close_open(p, s->open);
	if (p->fd[s->open] < 0)
		p->fd[s->open] = scratch_open(file, e);
	if (p->fd[s->open] >= 0 && s->kind == LIVE_FAULT && !p->map[s->open])
		p->map[s->open] = scratch_map(file, p->fd[s->open], e);
	if (p->fd[s->open] < 0 || (s->kind == LIVE_FAULT && !p->map[s->open]))
		return -1;
	if (s->advice)
		p->advised[s->open] = s->advice->own;
	else if (!s->call->write)
		p->advised[s->open] = false;
	return 0;
}

/* DONTNEED keeps pages that a process has mapped, and a fault maps its neighbours, too. */
static int
unmap_pages(const struct performer *p, const struct scratch *file, struct error *e)
{
	for (uint32_t i = 0; i < p->trace->nopen; i++)
		if (p->map[i] && &p->file[p->trace->open[i].file] == file &&
		    scratch_unmap_pages(file, p->map[i], e))
			return -1;
	return 0;
}

static int
advise(struct performer *p, const struct live_step *s, struct error *e)
{
	struct scratch *file = performer_file(p, s);

	if (s->advice->kind == ADVICE_DONTNEED && unmap_pages(p, file, e))
		return -1;
	if (s->advice->own && open_for(p, s, e))
		return -1;
	return scratch_advise(file, s->advice->own ? p->fd[s->open] : file->fd, s->advice->kind,
	    s->offset, s->length, e);
}

static int
call(struct performer *p, const struct live_step *s, struct error *e)
{
	struct scratch *file = performer_file(p, s);

	if (open_for(p, s, e))
		return -1;
	switch (s->kind) {
	case LIVE_WRITE:
		return scratch_write(file, p->fd[s->open], s->offset, (uint32_t)s->length, e);
	case LIVE_FAULT:
		return scratch_touch(file, p->map[s->open], s->offset, (uint32_t)s->length, e);
	default:
		return scratch_read(p->fd[s->open], s->offset, (uint32_t)s->length, e);
	}
}

/*
 * Pages that appear beyond this range are counted at the end.  Reads bring
 * pages behind them, faults also before; advice without a length goes to the end.
 */
static int
look(const struct performer *p, const struct live_step *s, struct error *e)
{
	struct scratch *file = performer_file(p, s);
	uint64_t	first = s->offset / SCRATCH_PAGE, n, back = 0;

	n = (s->offset + s->length + SCRATCH_PAGE - 1) / SCRATCH_PAGE - first;
	if (s->kind == LIVE_FAULT)
		back = first < p->reach ? first : p->reach;
	if ((s->advice && !s->length) || n > file->npages)
		n = file->npages;
	n += back + p->reach;
	first -= back;
	return scratch_look(file, first < file->npages ? (uint32_t)first : file->npages,
	    n < file->npages ? (uint32_t)n : file->npages, e);
}

int
performer_make(struct performer *p, const struct live_step *s, struct error *e)
{
	if (scratch_resize(performer_file(p, s), s->size, e) ||
	    (s->advice ? advise(p, s, e) : call(p, s, e)) || look(p, s, e))
		return -1;
	if (++p->made == p->last[s->open])
		close_open(p, s->open);
	return 0;
}

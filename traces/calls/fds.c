/*
 * fds.c - records, and the descriptors that calls name.
 *
 * Only regular files and disks count.  What a descriptor is shows in its path, if the log
 * has paths (strace -y), else in the call that opened it.  A descriptor that was
 * opened out of sight begins at position 0, and its offsets count as guessed;
 * without a path it is a file of its own, once a call succeeds that no pipe or
 * terminal is meant for: standard input, output and error are left out until
 * one does that needs a file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/text.h"
#include "traces/calls/fds.h"

#define NOTE_GUESSED                                                                               \
	"reads and writes at guessed offsets, because the log shows neither the open nor a seek "  \
	"of their descriptors"
#define NOTE_APPENDS "appends to files whose size the log does not show, at guessed offsets"
#define NOTE_UNSEEN                                                                                \
	"descriptors without a name and an open in the log, each of them taken for a file of its " \
	"own (strace -y shows names)"
#define NOTE_NAMELESS "files opened by a name that the log does not show: each is one of its own"

/* Disks and volumes, which are read through the page cache as files are; of Linux, by their usual names. */
static bool
is_disk(const char *path)
{
	static const char *const disks[] = { "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "md", "dm-",
		"loop", "nbd", "mapper/", "disk/" };

	for (size_t i = 0; i < sizeof(disks) / sizeof(*disks); i++)
		if (text_begins(path + strlen("/dev/"), disks[i]))
			return !text_begins(path, "/dev/mapper/control");
	return false;
}

/* Pipes, sockets and the like have no leading slash. */
bool
fd_is_path(const char *path)
{
	if (text_begins(path, "/dev/"))
		return is_disk(path);
	return *path == '/' && !text_begins(path, "/proc/") && !text_begins(path, "/sys/") &&
	    !text_begins(path, "/memfd:");
}

/* ---- records ---- */

void
fd_record(struct syscalls *s, const struct call *c, enum op op, uint32_t fd, uint32_t file,
    uint64_t offset, uint64_t length)
{
	struct tree	  *t = &s->kernel.tree;
	struct file_state *f = file ? &t->file[file] : NULL;
	struct record	   r = { .time = c->time, .pid = c->task->pid, .fd = fd, .op = op };

	r.file_size = f ? f->size : SIZE_UNKNOWN;
	r.offset = offset;
	r.length = length;
	if (f && !f->identity) {
		f->identity = ++t->identities;
		syscalls_add(s,
		    &(struct record){ .op = OP_NAME,
			.inode = f->identity,
			.path = t->texts.name[f->text],
			.file_size = SIZE_UNKNOWN });
	}
	r.inode = f ? f->identity : 0;
	syscalls_add(s, &r);
}

/* ---- descriptors named by calls ---- */

struct description *
fd_described(struct syscalls *s, const struct descriptor *d)
{
	return &s->kernel.description[d->description];
}

bool
fd_is_file(struct syscalls *s, const struct descriptor *d)
{
	uint32_t file = d ? fd_described(s, d)->file : NIL;

	return file && !s->kernel.tree.file[file].irregular;
}

/* The file of a descriptor has been found: its open, if the log has it, becomes a record. */
static void
settle(struct syscalls *s, const struct call *c, const struct descriptor *d, uint32_t file)
{
	struct description *x = fd_described(s, d);

	x->file = file;
	x->unseen = false;
	if (x->nameless)
		fd_record(s, c, OP_OPEN, d->fd, file, 0, 0);
	x->nameless = false;
}

/* The descriptor has another path than before, or none had been shown. */
static struct descriptor *
take_path(struct syscalls *s, struct call *c, struct descriptor *d, const struct shown *shown,
    struct error *e)
{
	struct tree	   *tree = &s->kernel.tree;
	struct description *x = d ? fd_described(s, d) : NULL;
	uint32_t	    node = tree_walk(tree, NIL, shown->path, true, e);
	uint32_t	    text = node ? tree_text(tree, shown->path, e) : NIL, file;

	if (!text)
		return NULL;
	if (x && x->file && (shown->deleted || tree->node[node].file == x->file)) {
		x->shown = text;
		return d;
	}
	file = tree_file(tree, node, e);
	if (!file)
		return NULL;
	if (x && x->unseen) {
		settle(s, c, d, file);
	} else {
		d = kernel_open(&s->kernel, c->task->table, (uint32_t)shown->fd, file, e);
		if (!d)
			return NULL;
		fd_described(s, d)->guessed = true;
	}
	fd_described(s, d)->shown = text;
	fd_described(s, d)->node = node;
	return d;
}

/* A descriptor with that path; NULL without *bad: of no regular file. */
static struct descriptor *
find_shown(struct syscalls *s, struct call *c, const struct shown *shown, bool *bad,
    struct error *e)
{
	struct table	  *t = c->task->table;
	struct descriptor *d = table_find(t, (uint32_t)shown->fd);
	uint32_t	   text = d ? fd_described(s, d)->shown : NIL;

	if (likely(text && !strcmp(s->kernel.tree.texts.name[text], shown->path)))
		return d;
	if (!fd_is_path(shown->path)) {
		if (d)
			kernel_close(&s->kernel, t, d->fd);
		return NULL;
	}
	d = take_path(s, c, d, shown, e);
	*bad = !d;
	return d;
}

/* An unseen descriptor is a file. */
int
fd_becomes_file(struct syscalls *s, const struct call *c, const struct descriptor *d,
    struct error *e)
{
	bool	 nameless = fd_described(s, d)->nameless;
	char	 name[64];
	uint32_t file;

	if (nameless)
		snprintf(name, sizeof(name), "file %" PRIu32 " without a name",
		    s->kernel.tree.nfiles + 1);
	else
		snprintf(name, sizeof(name), "descriptor %" PRIu32 " of process %" PRIu32, d->fd,
		    c->task->pid);
	file = tree_add(&s->kernel.tree, name, e);
	if (!file)
		return -1;
	settle(s, c, d, file);
	input_count(s->in, nameless ? NOTE_NAMELESS : NOTE_UNSEEN);
	return 0;
}

static struct descriptor *
find_number(struct syscalls *s, struct call *c, uint32_t fd, enum fd_shows shows, bool *bad,
    struct error *e)
{
	struct table	   *t = c->task->table;
	struct descriptor  *d = table_find(t, fd);
	struct description *x;

	if (!d && s->named)
		return NULL;
	if (!d) {
		d = kernel_open(&s->kernel, t, fd, NIL, e);
		*bad = !d;
		if (!d)
			return NULL;
		x = fd_described(s, d);
		x->unseen = x->guessed = true;
		x->standard = fd <= 2;
	}
	x = fd_described(s, d);
	if (x->unseen && shows && (shows == SHOWS_FILE || !x->standard))
		*bad = fd_becomes_file(s, c, d, e);
	return d;
}

struct descriptor *
fd_find(struct syscalls *s, struct call *c, const struct shown *shown, enum fd_shows shows,
    bool *bad, struct error *e)
{
	*bad = false;
	if (shown->fd < 0)
		return NULL;
	if (!shown->path)
		return find_number(s, c, (uint32_t)shown->fd, shows, bad, e);
	s->named = true;
	return find_shown(s, c, shown, bad, e);
}

struct descriptor *
fd_named(struct syscalls *s, struct call *c, char *text, enum fd_shows shows, bool *bad,
    struct error *e)
{
	struct shown shown = call_fd(text);

	return fd_find(s, c, &shown, shows, bad, e);
}

struct descriptor *
fd_of_file(struct syscalls *s, struct call *c, char *text, enum fd_shows shows, bool *bad,
    struct error *e)
{
	struct descriptor *d = fd_named(s, c, text, shows, bad, e);

	return !*bad && fd_is_file(s, d) ? d : NULL;
}

/* ---- data ---- */

void
fd_move(struct syscalls *s, struct call *c, struct descriptor *d, enum op op, enum fd_how how,
    uint64_t offset, uint64_t length)
{
	struct description *x = fd_described(s, d);
	struct file_state  *state = &s->kernel.tree.file[x->file];

	if (op == OP_WRITE && x->append) {
		offset = state->size != SIZE_UNKNOWN ? state->size : state->end;
		if (state->size == SIZE_UNKNOWN && length)
			input_count(s->in, NOTE_APPENDS);
	} else if (how == AT_POSITION) {
		offset = x->position;
		if (x->guessed && length)
			input_count(s->in, NOTE_GUESSED);
	}
	fd_record(s, c, op, d->fd, x->file, offset, length);
	if (length)
		tree_extend(&s->kernel.tree, x->file, offset + length);
	if (how == AT_POSITION)
		x->position = offset + length;
}

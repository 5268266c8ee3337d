/* effects_open.c - calls that open, close and copy descriptors. */
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/calls/effects.h"
#include "traces/calls/fds.h"

/* ---- calls that open, close and copy descriptors ---- */

/* A descriptor of anything but a regular file; node: of a folder, or NIL. */
int
effect_open_other(struct syscalls *s, struct table *t, uint32_t fd, uint32_t node, struct error *e)
{
	struct descriptor *d;

	if (s->named) { /* what it is shows whenever it is used */
		kernel_close(&s->kernel, t, fd);
		return 0;
	}
	d = kernel_open(&s->kernel, t, fd, NIL, e);
	if (d)
		fd_described(s, d)->node = node;
	return d ? 0 : -1;
}

/* The file that was opened by a name, which may be a new one. */
static uint32_t
opened_file(struct syscalls *s, uint32_t node, const char *flags, struct error *e)
{
	struct tree *t = &s->kernel.tree;

	if (call_has(flags, "TMPFILE", 0x410000)) {
		const char *path = tree_path(t, node, e);

		return path ? tree_add(t, path, e) : NIL;
	}
	if (call_has(flags, "CREAT", 0x40) && call_has(flags, "EXCL", 0x80))
		return tree_create(t, node, e);
	return tree_file(t, node, e);
}

/* fd is open, by a name that the log does not show. */
static int
open_nameless(struct syscalls *s, struct call *c, uint32_t fd, const char *flags, struct error *e)
{
	struct descriptor  *d = kernel_open(&s->kernel, c->task->table, fd, NIL, e);
	struct description *x;

	if (!d)
		return -1;
	d->close_on_exec = call_has(flags, "CLOEXEC", 0x80000);
	x = fd_described(s, d);
	x->append = call_has(flags, "APPEND", 0x400);
	x->unseen = x->nameless = true;
	return 0;
}

/* fd is open, by a name that leads to the node. */
static int
open_file(struct syscalls *s, struct call *c, const struct shown *fd, uint32_t node,
    const char *flags, struct error *e)
{
	struct tree	   *tree = &s->kernel.tree;
	uint32_t	    file = opened_file(s, node, flags, e);
	struct descriptor  *d;
	struct description *x;

	if (!file)
		return -1;
	if (tree->file[file].irregular)
		return effect_open_other(s, c->task->table, (uint32_t)fd->fd, node, e);
	d = kernel_open(&s->kernel, c->task->table, (uint32_t)fd->fd, file, e);
	if (!d)
		return -1;
	d->close_on_exec = call_has(flags, "CLOEXEC", 0x80000);
	x = fd_described(s, d);
	x->append = call_has(flags, "APPEND", 0x400);
	x->node = node;
	x->shown = fd->path ? tree_text(tree, fd->path, e) : NIL;
	if (fd->path && !x->shown)
		return -1;
	if (call_has(flags, "TRUNC", 0x200) || call_has(flags, "EXCL", 0x80))
		tree_resize(tree, file, 0);
	fd_record(s, c, OP_OPEN, d->fd, file, 0, 0);
	return 0;
}

/* Is the node of a regular file, by its path? */
static int
check_path(struct syscalls *s, uint32_t node, bool *regular, struct error *e)
{
	const char *path = node ? tree_path(&s->kernel.tree, node, e) : "";

	*regular = path && (*path != '/' || fd_is_path(path));
	return path ? 0 : -1;
}

static int
opened(struct syscalls *s, struct call *c, char *folder, const char *name, const char *flags,
    struct error *e)
{
	struct shown fd = call_fd(c->result_text);
	uint32_t     node, at;
	bool	     bad, regular;

	if (fd.fd < 0)
		return 0;
	if (fd.path && (!fd_is_path(fd.path) || strstr(flags, "O_DIRECTORY"))) {
		s->named = true;
		return effect_open_other(s, c->task->table, (uint32_t)fd.fd, NIL, e);
	}
	node = effect_node(s, c, folder, name, true, &bad, e);
	if (bad)
		return -1;
	if (fd.path) {
		s->named = true;
		at = tree_walk(&s->kernel.tree, NIL, fd.path, true, e);
		if (!at)
			return -1;
		node = at;
	}
	if (check_path(s, node, &regular, e))
		return -1;
	if (!regular || call_has(flags, "PATH", 0x200000) ||
	    (call_has(flags, "DIRECTORY", 0x10000) && !call_has(flags, "TMPFILE", 0x410000)))
		return effect_open_other(s, c->task->table, (uint32_t)fd.fd, node, e);
	return node ? open_file(s, c, &fd, node, flags, e)
		    : open_nameless(s, c, (uint32_t)fd.fd, flags, e);
}

int
effect_open(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, effect_here, c->arg[0], c->arg[1], e);
}

int
effect_openat(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, c->arg[0], c->arg[1], c->arg[2], e);
}

int
effect_creat(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, effect_here, c->arg[0], "O_TRUNC", e);
}

/* open_by_handle_at(mount, handle, flags) */
int
effect_open_handle(struct syscalls *s, struct call *c, struct error *e)
{
	return opened(s, c, effect_here, "", c->arg[2], e);
}

/* The result is a descriptor of something else than a file. */
int
effect_other(struct syscalls *s, struct call *c, struct error *e)
{
	struct shown fd = call_fd(c->result_text);

	return fd.fd < 0 ? 0 : effect_open_other(s, c->task->table, (uint32_t)fd.fd, NIL, e);
}

/* "[3, 4]": the ends of a pipe, or of a pair of sockets. */
static int
open_pair(struct syscalls *s, struct call *c, const char *pair, uint32_t pipe, bool close_on_exec,
    struct error *e)
{
	uint64_t	   fd;
	struct descriptor *d;

	for (pair += *pair == '['; scan_digits(pair, INT32_MAX, &fd); pair += strspn(pair, ", ")) {
		if (effect_open_other(s, c->task->table, (uint32_t)fd, NIL, e))
			return -1;
		d = table_find(c->task->table, (uint32_t)fd);
		if (!d)
			return 0;
		fd_described(s, d)->pipe = pipe;
		d->close_on_exec = close_on_exec;
		pair += strspn(pair, "0123456789");
	}
	return 0;
}

int
effect_pipe(struct syscalls *s, struct call *c, struct error *e)
{
	return open_pair(s, c, c->arg[0], ++s->npipes, call_has(c->arg[1], "CLOEXEC", 0x80000), e);
}

int
effect_pair(struct syscalls *s, struct call *c, struct error *e)
{
	return open_pair(s, c, c->arg[3], 0, call_has(c->arg[1], "CLOEXEC", 0x80000), e);
}

/* A call that succeeds only on what is no regular file. */
static int
shows_other(struct syscalls *s, struct call *c, char *text, struct error *e)
{
	bool		    bad;
	struct descriptor  *d = fd_named(s, c, text, SHOWS_NOTHING, &bad, e);
	struct description *x = d ? fd_described(s, d) : NULL;

	if (x && x->file && x->guessed)
		s->kernel.tree.file[x->file].irregular = true; /* it was taken for one */
	if (x)
		x->unseen = false;
	return bad ? -1 : 0;
}

int
effect_socket(struct syscalls *s, struct call *c, struct error *e)
{
	return shows_other(s, c, c->arg[0], e);
}

int
effect_accept(struct syscalls *s, struct call *c, struct error *e)
{
	return effect_other(s, c, e) || shows_other(s, c, c->arg[0], e) ? -1 : 0;
}

/* epoll_ctl(epoll, what, fd, event) refuses regular files */
int
effect_epoll(struct syscalls *s, struct call *c, struct error *e)
{
	return shows_other(s, c, c->arg[0], e) || shows_other(s, c, c->arg[2], e) ? -1 : 0;
}

int
effect_close(struct syscalls *s, struct call *c, struct error *e)
{
	struct shown	   shown = call_fd(c->arg[0]);
	struct descriptor *d = shown.fd < 0 ? NULL : table_find(c->task->table, (uint32_t)shown.fd);

	s->named |= shown.path != NULL;
	if (!d)
		return 0;
	if (fd_is_file(s, d))
		fd_record(s, c, OP_CLOSE, d->fd, fd_described(s, d)->file, 0, 0);
	kernel_close(&s->kernel, c->task->table, d->fd);
	return 0;
}

int
effect_close_range(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t first, last;

	if (call_number(c->arg[0], &first) && call_number(c->arg[1], &last) && first <= INT32_MAX)
		kernel_close_range(&s->kernel, c->task->table, (uint32_t)first, last,
		    call_has(c->arg[2], "CLOSE_RANGE_CLOEXEC", 4));
	return 0;
}

/* The result is a duplicate of the first argument. */
static int
duplicate(struct syscalls *s, struct call *c, bool close_on_exec, struct error *e)
{
	struct table	  *t = c->task->table;
	bool		   bad;
	struct descriptor *d = fd_named(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);

	if (c->result > INT32_MAX || bad)
		return bad ? -1 : 0;
	if (!d) {
		kernel_close(&s->kernel, t, (uint32_t)c->result);
		return 0;
	}
	if (d->fd == c->result)
		return 0;
	d = kernel_dup(&s->kernel, t, (uint32_t)c->result, d->description, e);
	if (!d)
		return -1;
	d->close_on_exec = close_on_exec;
	return 0;
}

int
effect_dup(struct syscalls *s, struct call *c, struct error *e)
{
	return duplicate(s, c, call_has(c->arg[2], "CLOEXEC", 0x80000), e);
}

int
effect_fcntl(struct syscalls *s, struct call *c, struct error *e)
{
	struct descriptor *d;
	bool		   bad;

	if (call_is(c->arg[1], "DUPFD", 0) || call_is(c->arg[1], "DUPFD_CLOEXEC", 0x406))
		return duplicate(s, c, !call_is(c->arg[1], "DUPFD", 0), e);
	d = fd_named(s, c, c->arg[0], SHOWS_NOTHING, &bad, e);
	if (!d)
		return bad ? -1 : 0;
	if (call_is(c->arg[1], "SETFD", 2))
		d->close_on_exec = call_has(c->arg[2], "CLOEXEC", 1);
	else if (call_is(c->arg[1], "SETFL", 4))
		fd_described(s, d)->append = call_has(c->arg[2], "APPEND", 0x400);
	return 0;
}

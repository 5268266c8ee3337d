/* effects_names.c - calls that name files: rename, link, unlink, chdir. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/text.h"
#include "traces/calls/effects.h"
#include "traces/calls/fds.h"

/* ---- names of files ---- */

/* The working directory of a process is shown. */
static int
learn_folder(struct syscalls *s, struct table *t, const char *path, struct error *e)
{
	uint32_t node = *path == '/' ? tree_walk(&s->kernel.tree, NIL, path, true, e) : NIL;

	if (*path != '/')
		return 0;
	if (!node)
		return -1;
	t->folder = !t->folder && tree_is_here(&s->kernel.tree, node) ? NIL : node;
	return 0;
}

/* The folder of relative names that a call gives, "AT_FDCWD</a>" or "3"; NIL: NODE_HERE. */
static int
folder_of(struct syscalls *s, struct call *c, char *text, uint32_t *folder, struct error *e)
{
	struct shown	   shown = call_fd(text);
	struct descriptor *d;
	char		   name[64];

	*folder = c->task->table->folder;
	if (shown.fd == NO_FD)
		return 0;
	if (shown.path && shown.fd == HERE_FD) {
		if (learn_folder(s, c->task->table, shown.path, e))
			return -1;
		*folder = c->task->table->folder;
	}
	if (shown.fd == HERE_FD)
		return 0;
	d = shown.path ? NULL : table_find(c->task->table, (uint32_t)shown.fd);
	if (d && fd_described(s, d)->node) {
		*folder = fd_described(s, d)->node;
		return 0;
	}
	snprintf(name, sizeof(name), "folder %lld of process %" PRIu32, (long long)shown.fd,
	    c->task->pid);
	*folder = tree_walk(&s->kernel.tree, NIL, shown.path ? shown.path : name, true, e);
	return *folder ? 0 : -1;
}

/* The node of a name below a folder; NIL without *bad: the log does not show the name. */
uint32_t
effect_node(struct syscalls *s, struct call *c, char *folder_text, const char *text, bool follow,
    bool *bad, struct error *e)
{
	uint32_t folder;

	*bad = true;
	if (folder_of(s, c, folder_text, &folder, e))
		return NIL;
	return tree_walk_quoted(&s->kernel.tree, folder, text, follow, bad, e);
}

static int
rename_file(struct syscalls *s, struct call *c, char *const old[2], char *const new[2],
    bool exchange, struct error *e)
{
	bool	 bad;
	uint32_t to, from = effect_node(s, c, old[0], old[1], false, &bad, e);

	if (!from)
		return bad ? -1 : 0;
	to = effect_node(s, c, new[0], new[1], false, &bad, e);
	if (!to)
		return bad ? -1 : 0;
	return tree_rename(&s->kernel.tree, from, to, exchange, e);
}

char effect_here[] = "AT_FDCWD";

int
effect_rename(struct syscalls *s, struct call *c, struct error *e)
{
	return rename_file(s, c, (char *const[]){ effect_here, c->arg[0] },
	    (char *const[]){ effect_here, c->arg[1] }, false, e);
}

/* renameat2(folder, name, folder, name, flags) */
int
effect_renameat(struct syscalls *s, struct call *c, struct error *e)
{
	return rename_file(s, c, &c->arg[0], &c->arg[2], call_has(c->arg[4], "EXCHANGE", 2), e);
}

static int
unlink_file(struct syscalls *s, struct call *c, char *folder, const char *name, struct error *e)
{
	bool	 bad;
	uint32_t node = effect_node(s, c, folder, name, false, &bad, e);

	if (node)
		s->kernel.tree.node[node].file = s->kernel.tree.node[node].link = NIL;
	return bad ? -1 : 0;
}

int
effect_unlink(struct syscalls *s, struct call *c, struct error *e)
{
	return unlink_file(s, c, effect_here, c->arg[0], e);
}

int
effect_unlinkat(struct syscalls *s, struct call *c, struct error *e)
{
	return unlink_file(s, c, c->arg[0], c->arg[1], e);
}

/* The file that a link is made to: that of a name, or of a descriptor if the name is empty. */
static int
linked_file(struct syscalls *s, struct call *c, char *const old[2], bool follow, uint32_t *file,
    struct error *e)
{
	static const char	 by_number[] = "\"/proc/self/fd/";
	bool			 bad;
	char			*fd = NULL;
	uint32_t		 node;
	const struct descriptor *d;

	*file = NIL;
	if (text_begins(old[1], by_number))
		fd = old[1] + strlen(by_number);
	else if (!strcmp(old[1], "\"\""))
		fd = old[0];
	if (fd) {
		d = fd_of_file(s, c, fd, SHOWS_NOTHING, &bad, e);
		*file = d ? fd_described(s, d)->file : NIL;
		return bad ? -1 : 0;
	}
	node = effect_node(s, c, old[0], old[1], follow, &bad, e);
	if (node)
		*file = tree_file(&s->kernel.tree, node, e);
	return bad || (node && !*file) ? -1 : 0;
}

static int
link_file(struct syscalls *s, struct call *c, char *const old[2], char *const new[2], bool follow,
    struct error *e)
{
	bool	 bad;
	uint32_t file, node;

	if (linked_file(s, c, old, follow, &file, e))
		return -1;
	node = file ? effect_node(s, c, new[0], new[1], false, &bad, e) : NIL;
	if (node) {
		s->kernel.tree.node[node].file = file;
		s->kernel.tree.node[node].link = NIL;
	}
	return file && bad ? -1 : 0;
}

int
effect_link(struct syscalls *s, struct call *c, struct error *e)
{
	return link_file(s, c, (char *const[]){ effect_here, c->arg[0] },
	    (char *const[]){ effect_here, c->arg[1] }, false, e);
}

/* linkat(folder, name, folder, name, flags) */
int
effect_linkat(struct syscalls *s, struct call *c, struct error *e)
{
	return link_file(s, c, &c->arg[0], &c->arg[2], call_has(c->arg[4], "FOLLOW", 0x400), e);
}

/* The target is stored as it is written in <>. */
static int
symlink_file(struct syscalls *s, struct call *c, char *target, char *folder, const char *name,
    struct error *e)
{
	bool	 bad;
	size_t	 n = strlen(target);
	uint32_t node;

	if (n < 3 || target[n - 1] != '"' || strpbrk(target, "<>"))
		return 0;
	node = effect_node(s, c, folder, name, false, &bad, e);
	if (!node)
		return bad ? -1 : 0;
	target[n - 1] = '\0';
	s->kernel.tree.node[node].link = tree_text(&s->kernel.tree, target + 1, e);
	s->kernel.tree.node[node].file = NIL;
	return s->kernel.tree.node[node].link ? 0 : -1;
}

int
effect_symlink(struct syscalls *s, struct call *c, struct error *e)
{
	return symlink_file(s, c, c->arg[0], effect_here, c->arg[1], e);
}

int
effect_symlinkat(struct syscalls *s, struct call *c, struct error *e)
{
	return symlink_file(s, c, c->arg[0], c->arg[1], c->arg[2], e);
}

int
effect_chdir(struct syscalls *s, struct call *c, struct error *e)
{
	bool	 bad;
	uint32_t node = effect_node(s, c, effect_here, c->arg[0], true, &bad, e);

	if (node)
		c->task->table->folder = node;
	return bad ? -1 : 0;
}

int
effect_fchdir(struct syscalls *s, struct call *c, struct error *e)
{
	return folder_of(s, c, c->arg[0], &c->task->table->folder, e);
}

/* getcwd("/a/b", 4096) */
int
effect_getcwd(struct syscalls *s, struct call *c, struct error *e)
{
	size_t n = strlen(c->arg[0]);

	if (c->task->table->folder || n < 3 || c->arg[0][n - 1] != '"' || strpbrk(c->arg[0], "<>"))
		return 0;
	c->arg[0][n - 1] = '\0';
	return learn_folder(s, c->task->table, c->arg[0] + 1, e);
}

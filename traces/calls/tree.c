/* tree.c - names, the nodes that they are, and the files that they lead to. */
#include <stdlib.h>
#include <string.h>

#include "sim/trace/format.h"
#include "traces/calls/tree.h"

enum { LINKS_MOST = 40 }; /* of one path, as in Linux */

void
tree_release(struct tree *t)
{
	names_release(&t->texts);
	map_release(&t->children);
	free(t->node);
	free(t->file);
	free(t->path);
}

uint32_t
tree_text(struct tree *t, const char *text, struct error *e)
{
	uint32_t number = names_intern(&t->texts, text);

	if (!number)
		error_no_memory(e);
	return number;
}

/* ---- nodes ---- */

static uint32_t
add_node(struct tree *t, uint32_t parent, uint32_t part, struct error *e)
{
	struct node *grown =
	    array_grow(t->node, (size_t)t->nnodes + 1, &t->node_capacity, sizeof(*grown));

	if (!grown) {
		error_no_memory(e);
		return NIL;
	}
	t->node = grown;
	t->node[++t->nnodes] = (struct node){ .parent = parent, .part = part };
	return t->nnodes;
}

static int
add_roots(struct tree *t, struct error *e)
{
	return add_node(t, NODE_ROOT, NIL, e) && add_node(t, NODE_HERE, NIL, e) ? 0 : -1;
}

static uint64_t
child_key(uint32_t folder, uint32_t part)
{
	return (uint64_t)folder << 32 | part;
}

static uint32_t
child(struct tree *t, uint32_t folder, const char *name, struct error *e)
{
	uint32_t  part = tree_text(t, name, e);
	uint32_t *at = part ? map_at(&t->children, child_key(folder, part)) : NULL;

	if (!at) {
		error_no_memory(e);
		return NIL;
	}
	if (!*at)
		*at = add_node(t, folder, part, e);
	return *at;
}

/* "..": that of a folder that is not known is one of its names. */
static uint32_t
parent(struct tree *t, uint32_t folder, struct error *e)
{
	const struct node *n = &t->node[folder];
	bool		   above = n->part && !strcmp(t->texts.name[n->part], "..");

	if (above || (folder == NODE_HERE && !t->here_is_known))
		return child(t, folder, "..", e);
	return n->parent;
}

static uint32_t walk(struct tree *t, uint32_t folder, char *path, bool follow, unsigned *links,
    struct error *e);

/* Where a symbolic link leads to. */
static uint32_t
follow_link(struct tree *t, uint32_t node, unsigned *links, struct error *e)
{
	char	*target = strdup(t->texts.name[t->node[node].link]);
	uint32_t found = target ? walk(t, t->node[node].parent, target, true, links, e) : NIL;

	if (!target)
		error_no_memory(e);
	free(target);
	return found;
}

/* The path is cut into its parts. */
static uint32_t
walk(struct tree *t, uint32_t folder, char *path, bool follow, unsigned *links, struct error *e)
{
	uint32_t at = *path == '/' ? NODE_ROOT : folder;

	while (at && *(path += strspn(path, "/"))) {
		size_t n = strcspn(path, "/");
		bool   last = !path[n];

		path[n] = '\0';
		if (!strcmp(path, ".."))
			at = parent(t, at, e);
		else if (strcmp(path, ".") != 0)
			at = child(t, at, path, e);
		if (at && t->node[at].link && (follow || !last) && (*links)++ < LINKS_MOST)
			at = follow_link(t, at, links, e);
		path += n + !last;
	}
	return at;
}

/* Room for a path of n characters and its end. */
static int
reserve(struct tree *t, size_t n, struct error *e)
{
	char *grown;

	if (n < t->path_capacity)
		return 0;
	if (n > UINT32_MAX / 2)
		return error_no_memory(e);
	grown = realloc(t->path, 2 * n + 1);
	if (!grown)
		return error_no_memory(e);
	t->path = grown;
	t->path_capacity = (uint32_t)(2 * n + 1);
	return 0;
}

/* The path that is in t->path. */
static uint32_t
walk_path(struct tree *t, uint32_t folder, bool follow, struct error *e)
{
	unsigned links = 0;

	if (!t->nnodes && add_roots(t, e))
		return NIL;
	return walk(t, folder ? folder : NODE_HERE, t->path, follow, &links, e);
}

uint32_t
tree_walk(struct tree *t, uint32_t folder, const char *path, bool follow, struct error *e)
{
	size_t n = strlen(path);

	if (reserve(t, n, e))
		return NIL;
	memcpy(t->path, path, n + 1);
	return walk_path(t, folder, follow, e);
}

uint32_t
tree_walk_quoted(struct tree *t, uint32_t folder, const char *text, bool follow, bool *bad,
    struct error *e)
{
	uint32_t node;
	char	*to;

	*bad = false;
	if (*text != '"')
		return NIL;
	*bad = true;
	if (reserve(t, 4 * strlen(text), e))
		return NIL;
	*bad = false;
	for (to = t->path, text++; *text && *text != '"'; text++)
		if (*text == '<' || *text == '>') {
			const char *octal = *text == '<' ? "\\074" : "\\076";
			bool	    digit = text[1] >= '0' && text[1] <= '7';

			*to++ = '\\';
			for (octal += digit ? 1 : 2; *octal; octal++)
				*to++ = *octal;
		} else {
			*to++ = *text;
			if (*text == '\\' && text[1])
				*to++ = *++text;
		}
	*to = '\0';
	if (!*text || text[1] == '.' || to == t->path)
		return NIL;
	node = walk_path(t, folder, follow, e);
	*bad = !node;
	return node;
}

const char *
tree_path(struct tree *t, uint32_t node, struct error *e)
{
	size_t	 n = 0;
	uint32_t at;
	char	*to;

	for (at = node; t->node[at].part; at = t->node[at].parent)
		n += strlen(t->texts.name[t->node[at].part]) + 1;
	if (reserve(t, n + 1, e))
		return NULL;
	if (!n)
		return strcpy(t->path, at == NODE_ROOT ? "/" : ".");
	to = t->path + n;
	*to = '\0';
	for (at = node; t->node[at].part; at = t->node[at].parent) {
		const char *part = t->texts.name[t->node[at].part];

		to -= strlen(part);
		memcpy(to, part, strlen(part));
		*--to = '/';
	}
	return at == NODE_ROOT ? t->path : t->path + 1;
}

/* ---- files ---- */

uint32_t
tree_add(struct tree *t, const char *name, struct error *e)
{
	uint32_t	   text = tree_text(t, name, e);
	struct file_state *grown = text
	    ? array_grow(t->file, (size_t)t->nfiles + 1, &t->file_capacity, sizeof(*grown))
	    : NULL;

	if (!grown) {
		error_no_memory(e);
		return NIL;
	}
	t->file = grown;
	t->file[++t->nfiles] = (struct file_state){ .size = SIZE_UNKNOWN, .text = text };
	return t->nfiles;
}

uint32_t
tree_create(struct tree *t, uint32_t node, struct error *e)
{
	const char *path = tree_path(t, node, e);

	t->node[node].file = path ? tree_add(t, path, e) : NIL;
	return t->node[node].file;
}

uint32_t
tree_file(struct tree *t, uint32_t node, struct error *e)
{
	return t->node[node].file ? t->node[node].file : tree_create(t, node, e);
}

/* The name of one node now leads to another one, or to none. */
static int
put(struct tree *t, uint32_t node, uint32_t folder, uint32_t part, struct error *e)
{
	uint32_t *at = map_at(&t->children, child_key(folder, part));

	if (!at)
		return error_no_memory(e);
	*at = node;
	if (node) {
		t->node[node].parent = folder;
		t->node[node].part = part;
	}
	return 0;
}

/* Is the node below the folder, or the folder itself?  It cannot be moved there. */
static bool
is_below(const struct tree *t, uint32_t node, uint32_t folder)
{
	while (node != folder && t->node[node].part)
		node = t->node[node].parent;
	return node == folder;
}

int
tree_rename(struct tree *t, uint32_t from, uint32_t to, bool exchange, struct error *e)
{
	struct node a = t->node[from], b = t->node[to];

	if (!a.part || !b.part || is_below(t, to, from) || is_below(t, from, to))
		return 0;
	if (a.file && a.file == b.file && !exchange)
		return 0; /* names of one file: nothing happens */
	return put(t, from, b.parent, b.part, e) || put(t, exchange ? to : NIL, a.parent, a.part, e)
	    ? -1
	    : 0;
}

bool
tree_is_here(struct tree *t, uint32_t node)
{
	uint32_t    *at;
	struct node *n = &t->node[node], *here = &t->node[NODE_HERE];

	if (node == NODE_HERE)
		return true;
	if (t->here_is_known || node != t->nnodes || is_below(t, node, NODE_HERE))
		return false; /* or names below it are known already */
	at = map_at(&t->children, child_key(n->parent, n->part));
	if (!at || *at != node)
		return false;
	*at = NODE_HERE;
	here->parent = n->parent;
	here->part = n->part;
	t->here_is_known = true;
	return true;
}

void
tree_extend(struct tree *t, uint32_t file, uint64_t end)
{
	struct file_state *f = &t->file[file];

	if (end > f->end)
		f->end = end;
	if (f->size != SIZE_UNKNOWN && end > f->size)
		f->size = end;
}

void
tree_resize(struct tree *t, uint32_t file, uint64_t size)
{
	t->file[file].size = size;
	t->file[file].end = size;
}

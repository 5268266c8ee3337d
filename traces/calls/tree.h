/*
 * tree.h - the files of a log of system calls, and the names that lead to them.
 *
 * A file keeps its identity when it is renamed or linked; a name leads to
 * another file once it has been unlinked and created again.  Names are written
 * as strace writes them in <>: control characters, <, > and \ are escaped.
 *
 * Names are nodes below their folders, so that a folder is renamed with all
 * that is in it.  Relative names are below the working directory; that of the
 * first process is ROOT_HERE until the log shows where it is.
 */
#ifndef TRACES_TREE_H
#define TRACES_TREE_H

#include "sim/base/error.h"
#include "sim/base/map.h"

struct file_state {
	uint64_t size;	    /* or SIZE_UNKNOWN */
	uint64_t end;	    /* of all reads and writes: the offset of appends if size is unknown */
	uint64_t identity;  /* as records have it, from 1; 0: no record has named it */
	uint32_t text;	    /* its name when it was seen first */
	bool	 irregular; /* seen to be a directory, a pipe, ... */
};

/* A name in a folder. */
struct node {
	uint32_t parent, part; /* the folder, and the text of the last part; of a root: itself */
	uint32_t file;	       /* NIL: none that is known */
	uint32_t link;	       /* the text of a symbolic link; NIL: it is none */
};

enum { NODE_ROOT = 1, NODE_HERE };

struct tree {
	struct names	   texts;
	struct map	   children; /* (folder, part) -> node */
	struct node	  *node;     /* [1 .. nnodes] */
	struct file_state *file;     /* [1 .. nfiles] */
	uint32_t	   nnodes, nfiles, node_capacity, file_capacity;
	uint64_t	   identities;
	bool		   here_is_known;
	char		  *path; /* room for one */
	uint32_t	   path_capacity;
};

void tree_release(struct tree *t);

/* The number of a text.  NIL: out of memory. */
uint32_t tree_text(struct tree *t, const char *text, struct error *e);

/*
 * The node of a path as it is written in <>, relative to a folder (NIL: NODE_HERE).  The last part
 * of a path that is not followed may be a symbolic link.  NIL: out of memory.
 */
uint32_t tree_walk(struct tree *t, uint32_t folder, const char *path, bool follow, struct error *e);

/* The same of a string in quotes; NIL without *bad: it is none, or it is cut off. */
uint32_t tree_walk_quoted(struct tree *t, uint32_t folder, const char *text, bool follow, bool *bad,
    struct error *e);

/* The whole path of a node, valid until the next call; NULL: out of memory. */
const char *tree_path(struct tree *t, uint32_t node, struct error *e);

/* A new file that is called so; of a node, which then leads to it.  NIL: out of memory. */
uint32_t tree_add(struct tree *t, const char *name, struct error *e);
uint32_t tree_create(struct tree *t, uint32_t node, struct error *e);

/* The file of a node, which is created if none is known.  NIL: out of memory. */
uint32_t tree_file(struct tree *t, uint32_t node, struct error *e);

/* The node is now where the other one was, with all that is below it; or they change places. */
int tree_rename(struct tree *t, uint32_t from, uint32_t to, bool exchange, struct error *e);

/* NODE_HERE is that node, unless it is known to be another: is it? */
bool tree_is_here(struct tree *t, uint32_t node);

/* The file reaches at least, or exactly, to here. */
void tree_extend(struct tree *t, uint32_t file, uint64_t end);
void tree_resize(struct tree *t, uint32_t file, uint64_t size);

#endif

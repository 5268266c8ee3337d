/*
 * kernel.h - the kernel's state while a log of system calls was written:
 * the open descriptors of each process, their files and positions.
 *
 * Tasks (processes and threads) have descriptor tables, copied by fork and
 * shared by threads; descriptors point to descriptions, created by open and
 * shared by dup and fork; a description has a position.
 */
#ifndef TRACES_KERNEL_H
#define TRACES_KERNEL_H

#include "sim/base/map.h"
#include "sim/trace/format.h"
#include "traces/calls/tree.h"

/*
 * An open-file description, created by open() or out of sight.  It has no file if it is a pipe, a
 * folder and so on, or as long as nothing shows what it is (unseen).
 */
struct description {
	uint64_t position;
	uint32_t file;	/* or NIL */
	uint32_t refs;	/* while free: the next free one */
	uint32_t shown; /* the text that -y has shown for it last; or NIL */
	uint32_t node;	/* that was opened: the folder of relative names; or NIL */
	uint32_t pipe;	/* its number; 0: none, or not known */
	bool	 append;
	bool	 guessed;  /* the position: neither the open nor a seek is in the log */
	bool	 unseen;   /* neither its name nor what it is */
	bool	 nameless; /* the open is in the log, its name is not: no record of it yet */
	bool	 standard; /* unseen as standard input, output or error */
};

struct descriptor {
	uint32_t fd, description;
	bool	 close_on_exec;
};

/* Threads share it.  So they do the working directory, which is therefore here. */
struct table {
	struct descriptor *descriptor; /* ascending */
	uint32_t	   n, capacity, refs;
	uint32_t	   folder; /* node of the working directory; NIL: NODE_HERE */
};

struct task {
	uint32_t      pid;
	struct table *table; /* NULL: not running */
	usec_t	      clone_time;
	bool	      cloning, shares; /* inside clone since clone_time; with CLONE_FILES */
	uint32_t      next_cloning;    /* task inside clone; 0: no more */
	bool	      early;	       /* seen before its parent's clone returned */
	char	     *begun;	       /* text of an unfinished call, or NULL */
	usec_t	      begun_time;

	/* depend.h */
	uint32_t youngest;   /* the child that it started last */
	uint32_t sends;	     /* its OP_SEND so far */
	usec_t	 idle_since; /* start of the call that a signal interrupted, or end of the poll */
	bool	 idle;	     /* interrupted; it has not waited for a child since */
	bool	 polled;     /* its last call found no child that had ended */
	bool	 took_older; /* its last wait was for any child, and ended with an older one */
	bool	 content;    /* it has then started another: any child will do */
};

struct kernel {
	struct tree	    tree;
	struct description *description; /* [1 .. ndescriptions] */
	uint32_t	    ndescriptions, description_capacity, free_description;
	struct map	    pid_map;
	struct task	   *task; /* [1 .. ntasks] */
	uint32_t	    ntasks, task_capacity;
	uint32_t	    cloning;	 /* the first of the tasks inside clone; 0: none */
	uint32_t	    nrunning;	 /* tasks with a table */
	uint64_t	    running_sum; /* of their numbers: of one, its number */
};

void kernel_release(struct kernel *k);

/* NULL if it is not open. */
struct descriptor *table_find(struct table *t, uint32_t fd);

/* fd now means a new description of the file (or NIL), or an old one.  NULL: out of memory. */
struct descriptor *kernel_open(struct kernel *k, struct table *t, uint32_t fd, uint32_t file,
    struct error *e);
struct descriptor *kernel_dup(struct kernel *k, struct table *t, uint32_t fd, uint32_t description,
    struct error *e);

void kernel_close(struct kernel *k, struct table *t, uint32_t fd);
void kernel_close_range(struct kernel *k, struct table *t, uint32_t first, uint64_t last,
    bool only_on_exec);

/* The task of a pid, running or not; NULL: out of memory.  Valid until the next call. */
struct task *kernel_entry(struct kernel *k, uint32_t pid, struct error *e);

/* The same, started if necessary, as the child of a task inside clone. */
struct task *kernel_task(struct kernel *k, uint32_t pid, struct error *e);

/* The pid of the only task that runs; 0 if there are several, or none. */
uint32_t kernel_alone(const struct kernel *k);

void kernel_begin_clone(struct kernel *k, struct task *parent, usec_t time, bool shares);
/* clone returns; child 0: it failed. */
int  kernel_end_clone(struct kernel *k, struct task *parent, uint32_t child, bool shares,
     struct error *e);
int  kernel_exec(struct kernel *k, struct task *t, struct error *e);
void kernel_exit(struct kernel *k, struct task *t);

#endif

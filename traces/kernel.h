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

struct file_state {
	uint64_t size;	    /* or SIZE_UNKNOWN */
	uint64_t end;	    /* of all reads and writes: the offset of appends if size is unknown */
	bool	 irregular; /* seen to be a directory, a pipe, ... */
};

/* An open-file description, created by open(). */
struct description {
	uint64_t position;
	uint32_t file; /* number of the path */
	uint32_t refs; /* while free: the next free one */
	bool	 append;
};

struct descriptor {
	uint32_t fd, description;
	bool	 close_on_exec;
};

struct table {
	struct descriptor *descriptor; /* ascending */
	uint32_t	   n, capacity, refs;
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
	struct names	    names;
	struct file_state  *file; /* [1 .. nfiles] */
	uint32_t	    nfiles, file_capacity;
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

/* The number of a path's file, from 1; NIL: out of memory. */
uint32_t kernel_file(struct kernel *k, const char *path, struct error *e);

/* The file reaches at least, or exactly, to here. */
void kernel_extend(struct kernel *k, uint32_t file, uint64_t end);
void kernel_resize(struct kernel *k, uint32_t file, uint64_t size);

/* NULL if it is not open. */
struct descriptor *table_find(struct table *t, uint32_t fd);

/* fd now means a new description of the file, or an old one.  NULL: out of memory. */
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

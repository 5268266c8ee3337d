/*
 * effects.h - what each system call does to files, descriptors and processes.
 */
#ifndef TRACES_EFFECTS_H
#define TRACES_EFFECTS_H

#include "traces/calls/syscalls.h"

typedef int effect_handler(struct syscalls *s, struct call *c, struct error *e);

/* effects_data.c */
effect_handler effect_read, effect_write, effect_pread, effect_pwrite, effect_sendfile, effect_copy,
    effect_splice, effect_mmap, effect_fadvise, effect_fadvise_64, effect_readahead, effect_lseek,
    effect_llseek, effect_fstat, effect_fstatat, effect_ftruncate, effect_fallocate;

/* effects_names.c */
effect_handler effect_rename, effect_renameat, effect_unlink, effect_unlinkat, effect_link,
    effect_linkat, effect_symlink, effect_symlinkat, effect_chdir, effect_fchdir, effect_getcwd;

/* effects_open.c */
effect_handler effect_open, effect_openat, effect_creat, effect_open_handle, effect_other,
    effect_pipe, effect_pair, effect_socket, effect_accept, effect_epoll, effect_close,
    effect_close_range, effect_dup, effect_fcntl;

/* effects_requests.c */
effect_handler effect_submit, effect_ring, effect_ring_setup;

enum effect_kind {
	EFFECT_PLAIN,
	EFFECT_READ,
	EFFECT_WAIT,
	EFFECT_CLONE,
	EFFECT_EXIT,
	EFFECT_KIND, /* shows what a descriptor is: of no use where descriptors have names */
};

struct effect {
	const char	*name;
	effect_handler	*handle;
	enum effect_kind kind;
};

/* The effect of "name(...", or NULL. */
const struct effect *effect_of(const char *text);

/* The process ends: the call exit, or a line that says so, whichever comes first. */
int effect_exit(struct syscalls *s, struct call *c, struct error *e);

/*
 * The node of a name below the folder that a call gives; NIL without *bad: the log does not show
 * the name.
 */
uint32_t effect_node(struct syscalls *s, struct call *c, char *folder_text, const char *text,
    bool follow, bool *bad, struct error *e);

/* The folder of a call that gives none. */
extern char effect_here[];

/* A descriptor of anything but a regular file; node: of a folder, or NIL. */
int effect_open_other(struct syscalls *s, struct table *t, uint32_t fd, uint32_t node,
    struct error *e);

/* Does clone share the descriptors, by its flags? */
bool effect_shares(const char *text);

#endif

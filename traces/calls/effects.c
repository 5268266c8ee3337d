/* effects.c - the calls that make a difference, and those that start and end processes. */
#include <string.h>

#include "traces/calls/effects.h"
#include "traces/calls/fds.h"

/* ---- start and exit of processes ---- */

bool
effect_shares(const char *text)
{
	const char *flags = strstr(text, "flags=");

	return flags && call_has(flags, "CLONE_FILES", 0x400);
}

static int
effect_clone(struct syscalls *s, struct call *c, struct error *e)
{
	bool	      shares = false, thread = false;
	uint32_t      child = c->result <= INT32_MAX ? (uint32_t)c->result : 0;
	struct record r = { .time = c->time,
		.pid = c->task->pid,
		.op = OP_START,
		.file_size = SIZE_UNKNOWN,
		.child = child };

	for (unsigned i = 0; i < c->nargs; i++) {
		const char *flags = strstr(c->arg[i], "flags=");

		shares |= flags && call_has(flags, "FILES", 0x400);
		thread |= flags && call_has(flags, "THREAD", 0x10000);
	}
	if (child && child != r.pid) {
		depend_starts(c->task, child, thread);
		syscalls_add(s, &r);
	}
	return kernel_end_clone(&s->kernel, c->task, child, shares, e);
}

static int
waited(struct syscalls *s, struct call *c, uint64_t child, bool any, bool hangs)
{
	usec_t	      lasted = call_duration(c->result_text);
	struct record r;
	struct wait   w = { .start = c->time,
		  .end = c->end > c->time ? c->end : c->time + (lasted > 0 ? lasted : 0),
		  .child = (uint32_t)child,
		  .any = any,
		  .hangs = hangs };

	if (child <= INT32_MAX && child != c->task->pid && depend_waits(c->task, &w, &r))
		syscalls_add(s, &r);
	return 0;
}

/* Has the child only been stopped, or does it go on? */
static bool
lives_on(const char *status)
{
	return strstr(status, "WIFSTOPPED") || strstr(status, "WIFCONTINUED") ||
	    strstr(status, "CLD_STOPPED") || strstr(status, "CLD_CONTINUED") ||
	    strstr(status, "CLD_TRAPPED");
}

/* wait4(pid, status, options, usage) */
static int
effect_wait(struct syscalls *s, struct call *c, struct error *e)
{
	uint64_t pid;
	bool	 any = !call_number(c->arg[0], &pid) || !pid;

	return lives_on(c->arg[1])
	    ? 0
	    : waited(s, c, c->result, any, !call_has(c->arg[2], "WNOHANG", 1));
}

/* waitid(kind, pid, {..., si_pid=7, ...}, options, usage) */
static int
effect_waitid(struct syscalls *s, struct call *c, struct error *e)
{
	const char *shown = strstr(c->arg[2], "si_pid=");
	uint64_t    child = 0;

	if (lives_on(c->arg[2]) || (shown && !call_number(shown + strlen("si_pid="), &child)))
		return 0;
	return waited(s, c, child, !call_is(c->arg[0], "P_PID", 1),
	    !call_has(c->arg[3], "WNOHANG", 1));
}

static int
effect_execve(struct syscalls *s, struct call *c, struct error *e)
{
	return kernel_exec(&s->kernel, c->task, e);
}

int
effect_exit(struct syscalls *s, struct call *c, struct error *e)
{
	fd_record(s, c, OP_EXIT, 0, NIL, 0, 0);
	kernel_exit(&s->kernel, c->task);
	return 0;
}

/* ---- the table of calls ---- */

/* In the order of strcmp(). */
static const struct effect effects[] = {
	{ "_exit", effect_exit, EFFECT_EXIT },
	{ "_llseek", effect_llseek, EFFECT_PLAIN },
	{ "accept", effect_accept, EFFECT_KIND },
	{ "accept4", effect_accept, EFFECT_KIND },
	{ "arm_fadvise64_64", effect_fadvise_64, EFFECT_PLAIN },
	{ "bind", effect_socket, EFFECT_KIND },
	{ "chdir", effect_chdir, EFFECT_PLAIN },
	{ "clone", effect_clone, EFFECT_CLONE },
	{ "clone3", effect_clone, EFFECT_CLONE },
	{ "close", effect_close, EFFECT_PLAIN },
	{ "close_range", effect_close_range, EFFECT_PLAIN },
	{ "connect", effect_socket, EFFECT_KIND },
	{ "copy_file_range", effect_copy, EFFECT_PLAIN },
	{ "creat", effect_creat, EFFECT_PLAIN },
	{ "dup", effect_dup, EFFECT_PLAIN },
	{ "dup2", effect_dup, EFFECT_PLAIN },
	{ "dup3", effect_dup, EFFECT_PLAIN },
	{ "epoll_create", effect_other, EFFECT_KIND },
	{ "epoll_create1", effect_other, EFFECT_KIND },
	{ "epoll_ctl", effect_epoll, EFFECT_KIND },
	{ "eventfd", effect_other, EFFECT_KIND },
	{ "eventfd2", effect_other, EFFECT_KIND },
	{ "execve", effect_execve, EFFECT_PLAIN },
	{ "execveat", effect_execve, EFFECT_PLAIN },
	{ "exit", effect_exit, EFFECT_EXIT },
	{ "exit_group", effect_exit, EFFECT_EXIT },
	{ "fadvise64", effect_fadvise, EFFECT_PLAIN },
	{ "fadvise64_64", effect_fadvise_64, EFFECT_PLAIN },
	{ "fallocate", effect_fallocate, EFFECT_PLAIN },
	{ "fanotify_init", effect_other, EFFECT_KIND },
	{ "fchdir", effect_fchdir, EFFECT_PLAIN },
	{ "fcntl", effect_fcntl, EFFECT_PLAIN },
	{ "fcntl64", effect_fcntl, EFFECT_PLAIN },
	{ "fork", effect_clone, EFFECT_CLONE },
	{ "fstat", effect_fstat, EFFECT_PLAIN },
	{ "fstat64", effect_fstat, EFFECT_PLAIN },
	{ "fstatat64", effect_fstatat, EFFECT_PLAIN },
	{ "ftruncate", effect_ftruncate, EFFECT_PLAIN },
	{ "ftruncate64", effect_ftruncate, EFFECT_PLAIN },
	{ "getcwd", effect_getcwd, EFFECT_PLAIN },
	{ "getpeername", effect_socket, EFFECT_KIND },
	{ "getsockname", effect_socket, EFFECT_KIND },
	{ "getsockopt", effect_socket, EFFECT_KIND },
	{ "inotify_init", effect_other, EFFECT_KIND },
	{ "inotify_init1", effect_other, EFFECT_KIND },
	{ "io_submit", effect_submit, EFFECT_PLAIN },
	{ "io_uring_enter", effect_ring, EFFECT_PLAIN },
	{ "io_uring_setup", effect_ring_setup, EFFECT_PLAIN },
	{ "link", effect_link, EFFECT_PLAIN },
	{ "linkat", effect_linkat, EFFECT_PLAIN },
	{ "listen", effect_socket, EFFECT_KIND },
	{ "lseek", effect_lseek, EFFECT_PLAIN },
	{ "memfd_create", effect_other, EFFECT_KIND },
	{ "mmap", effect_mmap, EFFECT_PLAIN },
	{ "mmap2", effect_mmap, EFFECT_PLAIN },
	{ "newfstatat", effect_fstatat, EFFECT_PLAIN },
	{ "old_mmap", effect_mmap, EFFECT_PLAIN },
	{ "open", effect_open, EFFECT_PLAIN },
	{ "open_by_handle_at", effect_open_handle, EFFECT_PLAIN },
	{ "openat", effect_openat, EFFECT_PLAIN },
	{ "openat2", effect_openat, EFFECT_PLAIN },
	{ "perf_event_open", effect_other, EFFECT_KIND },
	{ "pidfd_open", effect_other, EFFECT_KIND },
	{ "pipe", effect_pipe, EFFECT_KIND },
	{ "pipe2", effect_pipe, EFFECT_KIND },
	{ "pread", effect_pread, EFFECT_PLAIN },
	{ "pread64", effect_pread, EFFECT_PLAIN },
	{ "preadv", effect_pread, EFFECT_PLAIN },
	{ "preadv2", effect_pread, EFFECT_PLAIN },
	{ "pwrite", effect_pwrite, EFFECT_PLAIN },
	{ "pwrite64", effect_pwrite, EFFECT_PLAIN },
	{ "pwritev", effect_pwrite, EFFECT_PLAIN },
	{ "pwritev2", effect_pwrite, EFFECT_PLAIN },
	{ "read", effect_read, EFFECT_READ },
	{ "readahead", effect_readahead, EFFECT_PLAIN },
	{ "readv", effect_read, EFFECT_READ },
	{ "recvfrom", effect_socket, EFFECT_KIND },
	{ "recvmmsg", effect_socket, EFFECT_KIND },
	{ "recvmsg", effect_socket, EFFECT_KIND },
	{ "rename", effect_rename, EFFECT_PLAIN },
	{ "renameat", effect_renameat, EFFECT_PLAIN },
	{ "renameat2", effect_renameat, EFFECT_PLAIN },
	{ "sendfile", effect_sendfile, EFFECT_PLAIN },
	{ "sendfile64", effect_sendfile, EFFECT_PLAIN },
	{ "sendmmsg", effect_socket, EFFECT_KIND },
	{ "sendmsg", effect_socket, EFFECT_KIND },
	{ "sendto", effect_socket, EFFECT_KIND },
	{ "setsockopt", effect_socket, EFFECT_KIND },
	{ "shutdown", effect_socket, EFFECT_KIND },
	{ "signalfd", effect_other, EFFECT_KIND },
	{ "signalfd4", effect_other, EFFECT_KIND },
	{ "socket", effect_other, EFFECT_KIND },
	{ "socketpair", effect_pair, EFFECT_KIND },
	{ "splice", effect_splice, EFFECT_PLAIN },
	{ "statx", effect_fstatat, EFFECT_PLAIN },
	{ "symlink", effect_symlink, EFFECT_PLAIN },
	{ "symlinkat", effect_symlinkat, EFFECT_PLAIN },
	{ "timerfd_create", effect_other, EFFECT_KIND },
	{ "unlink", effect_unlink, EFFECT_PLAIN },
	{ "unlinkat", effect_unlinkat, EFFECT_PLAIN },
	{ "userfaultfd", effect_other, EFFECT_KIND },
	{ "vfork", effect_clone, EFFECT_CLONE },
	{ "wait4", effect_wait, EFFECT_WAIT },
	{ "waitid", effect_waitid, EFFECT_WAIT },
	{ "waitpid", effect_wait, EFFECT_WAIT },
	{ "write", effect_write, EFFECT_PLAIN },
	{ "writev", effect_write, EFFECT_PLAIN },
};

/* strcmp() of a name and the name of "name(...". */
static int
compare(const char *name, const char *text)
{
	while (*name && *name == *text) {
		name++;
		text++;
	}
	if (!*name && (*text == '(' || *text == ' ' || !*text))
		return 0;
	return (unsigned char)*name - (*text == '(' || *text == ' ' ? 0 : (unsigned char)*text);
}

const struct effect *
effect_of(const char *text)
{
	size_t low = 0, high = sizeof(effects) / sizeof(*effects);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int    order = compare(effects[middle].name, text);

		if (!order)
			return &effects[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

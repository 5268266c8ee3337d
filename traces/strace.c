/*
 * strace.c - raw logs of `strace -f -ttt -y`, with or without -T and -o.
 *
 * read() and write() have no offset, so the state of the kernel is tracked
 * (kernel.h).  A call with a line broken in two counts when it returns, with
 * the time when it began.  Only regular files count, recognised by the path
 * that -y shows.  A descriptor with an unexpected path was opened outside of
 * the log, and is at position 0.
 *
 * Sizes come from fstat and similar calls, and are updated by writes, seeks to
 * the end and truncation; otherwise they are unknown.
 *
 * Without -o, lines have "[pid 7] " while there are several processes.  Lines
 * before that are of the first process, which is number 0, and later ones of
 * the only one that is left.
 *
 * The start of children, waits for their end, and waits for the other end of a
 * pipe are records as well (depend.h).  A wait lasts from the first part of its
 * line to the second, or as -T says.  Where threads wait for each other is not
 * in the log.
 *
 * Departures: a file is its path, so renaming makes another file; the threads
 * of a process are processes with the same descriptors.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/depend.h"
#include "traces/kernel.h"

#define UNFINISHED "<unfinished ...>"

enum { ARGS_MAX = 8, QUEUE_MAX = 4, NO_FD = -1, QUOTE = 47, LINE_MOST = 1 << 16 };

struct strace {
	struct kernel kernel;
	struct depend depend;
	struct record queue[QUEUE_MAX];
	unsigned      queued, taken;
	char	     *whole;	      /* a line that was torn */
	char	     *torn;	      /* a line in which strace said that a process is attached */
	uint32_t      first;	      /* in brackets, the process of lines without; 0: unknown */
	uint32_t      alone;	      /* the process of lines without brackets */
	bool	      bare, brackets; /* there were lines without brackets, with */
};

/* One complete call, cut into strings. */
struct call {
	struct task *task;
	usec_t	     time, end;
	char	    *name, *arg[ARGS_MAX];
	unsigned     nargs;
	uint64_t     result;	  /* of a call that succeeded */
	char	    *result_text; /* from the = sign on */
};

static bool
starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

static bool
ends_with(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n >= m && !strcmp(s + n - m, ending);
}

/* Pipes, sockets and the like have no leading slash. */
static bool
is_regular_path(const char *path)
{
	return *path == '/' && !starts_with(path, "/dev/") && !starts_with(path, "/proc/") &&
	    !starts_with(path, "/sys/") && !starts_with(path, "/memfd:");
}

/* ---- records ---- */

static void
emit(struct strace *s, const struct call *c, enum op op, uint32_t fd, uint32_t file,
    uint64_t offset, uint64_t length)
{
	ASSERT(s->queued < QUEUE_MAX);
	s->queue[s->queued++] = (struct record){ .time = c->time,
		.pid = c->task->pid,
		.fd = fd,
		.op = op,
		.path = file ? s->kernel.names.name[file] : NULL,
		.file_size = file ? s->kernel.file[file].size : SIZE_UNKNOWN,
		.offset = offset,
		.length = length };
}

static void
emit_record(struct strace *s, const struct record *r)
{
	ASSERT(s->queued < QUEUE_MAX);
	s->queue[s->queued++] = *r;
}

/* ---- parsing a line ---- */

/* Decimal or 0x... */
static bool
scan_value(const char *text, uint64_t *number)
{
	return starts_with(text, "0x") ? scan_hex(text + 2, number)
				       : scan_digits(text, UINT64_MAX, number);
}

/* Parse "1795253148.651759 ".  Returns the beginning of the call, or NULL. */
static const char *
scan_time(const char *text, usec_t *time)
{
	const char *p = scan_seconds(text, time);

	return p && *p == ' ' ? p + strspn(p, " ") : NULL;
}

/*
 * Parse "32177 1795253148.651759 " or "[pid 32177] 1795253148.651759 ", with or without pid.
 * The beginning of the call, or NULL.
 */
static const char *
scan_prefix(const char *text, uint32_t *pid, usec_t *time)
{
	bool	    brackets = starts_with(text, "[pid ");
	uint64_t    number;
	const char *p = brackets ? text + strspn(text, "[pid ") : text;

	p = scan_digits(p, UINT32_MAX, &number);
	if (brackets && p)
		p = *p == ']' ? p + 1 : NULL;
	*pid = 0;
	if (!p || *p != ' ')
		return scan_time(text, time);
	*pid = (uint32_t)number;
	return scan_time(p + strspn(p, " "), time);
}

/* Past a quoted string that begins at p. */
static char *
skip_string(char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/*
 * Past the <path> of a descriptor.  strace escapes < and > in it, but with -yy
 * devices nest, </dev/null<char 1:3>>, and sockets have arrows, <TCP:[a->b]>.
 */
static char *
skip_path(char *p)
{
	bool arrows = p[1] != '/';
	int  depth = 0;

	for (; *p; p++) {
		depth += *p == '<';
		depth -= *p == '>' && !(arrows && p[-1] == '-');
		if (!depth)
			return p + 1;
	}
	return p;
}

/* Blanks around an argument are none of it: a call that was split has one where it was. */
static void
end_argument(char *end)
{
	for (*end = '\0'; end[-1] == ' '; end--)
		end[-1] = '\0';
}

/* Cut "name(a, b) = 3" into strings, in place; false: not a whole call. */
static bool
cut_call(struct call *c, char *text)
{
	char *p = strchr(text, '(');
	int   depth = 1;

	if (!p)
		return false;
	c->name = text;
	*p++ = '\0';
	c->arg[0] = p + strspn(p, " ");
	c->nargs = 1;
	while (depth) {
		switch (*p) {
		case '\0':
			return false;
		case '"':
			p = skip_string(p);
			continue;
		case '<':
			if (isalnum((unsigned char)p[-1]) && p[1] != '<') {
				p = skip_path(p);
				continue;
			}
			break;
		case '(':
		case '[':
		case '{':
			depth++;
			break;
		case ')':
		case ']':
		case '}':
			depth--;
			break;
		case ',':
			if (depth == 1 && c->nargs < ARGS_MAX) {
				end_argument(p);
				c->arg[c->nargs++] = p + 1 + strspn(p + 1, " ");
			}
			break;
		}
		p++;
	}
	end_argument(p - 1);
	for (unsigned i = c->nargs; i < ARGS_MAX; i++)
		c->arg[i] = p - 1;
	p += strspn(p, " ");
	c->result_text = p + 1 + strspn(p + (*p == '='), " ");
	return *p == '=';
}

/* The descriptor of "3</a/b>" or "AT_FDCWD</a>", path NULL if not shown. */
static int64_t
cut_fd(char *text, char **path)
{
	static const char deleted[] = " (deleted)";
	uint64_t	  fd;
	const char	 *end = scan_digits(text, INT32_MAX, &fd);

	*path = NULL;
	if (!end)
		return NO_FD;
	if (*end != '<')
		return (int64_t)fd;
	*path = text + (end - text) + 1;
	(*path)[strcspn(*path, ">")] = '\0';
	if (ends_with(*path, deleted))
		(*path)[strlen(*path) - strlen(deleted)] = '\0';
	return (int64_t)fd;
}

/* ---- descriptors named by calls ---- */

static struct description *
described(struct strace *s, const struct descriptor *d)
{
	return &s->kernel.description[d->description];
}

/* The descriptor named by a call; NULL without *bad: not of a regular file. */
static struct descriptor *
use_fd(struct strace *s, struct call *c, char *text, bool *bad, struct error *e)
{
	struct table	  *t = c->task->table;
	struct descriptor *d;
	char		  *path;
	int64_t		   fd = cut_fd(text, &path);
	uint32_t	   file;

	*bad = false;
	if (fd == NO_FD)
		return NULL;
	d = table_find(t, (uint32_t)fd);
	if (!path)
		return d;
	if (!is_regular_path(path)) {
		if (d)
			kernel_close(&s->kernel, t, (uint32_t)fd);
		return NULL;
	}
	*bad = true;
	file = kernel_file(&s->kernel, path, e);
	if (!file)
		return NULL;
	if (!d || described(s, d)->file != file)
		d = kernel_open(&s->kernel, t, (uint32_t)fd, file, e);
	if (!d)
		return NULL;
	*bad = false;
	return s->kernel.file[file].irregular ? NULL : d;
}

/* ---- calls that move data ---- */

enum how { AT_POSITION, AT_OFFSET };

/* A call moved `result` bytes through a descriptor. */
static void
move(struct strace *s, struct call *c, struct descriptor *d, enum op op, enum how how,
    uint64_t offset)
{
	struct description *file = described(s, d);
	struct file_state  *state = &s->kernel.file[file->file];

	if (how == AT_POSITION)
		offset = file->position;
	if (op == OP_WRITE && file->append)
		offset = state->size != SIZE_UNKNOWN ? state->size : state->end;
	emit(s, c, op, d->fd, file->file, offset, c->result);
	if (c->result)
		kernel_extend(&s->kernel, file->file, offset + c->result);
	if (how == AT_POSITION)
		file->position = offset + c->result;
}

static int
transfer(struct strace *s, struct call *c, enum op op, const char *offset_text, struct error *e)
{
	uint64_t	   offset = 0;
	bool		   bad, positioned = offset_text && scan_value(offset_text, &offset);
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (!d)
		return bad ? -1 : 0;
	move(s, c, d, op, positioned ? AT_OFFSET : AT_POSITION, offset);
	return 0;
}

static int
on_read(struct strace *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, NULL, e);
}

static int
on_write(struct strace *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, NULL, e);
}

/* The offset is the fourth argument; preadv2 may say -1: the position. */
static int
on_pread(struct strace *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_READ, c->arg[3], e);
}

static int
on_pwrite(struct strace *s, struct call *c, struct error *e)
{
	return transfer(s, c, OP_WRITE, c->arg[3], e);
}

/* One side of a copy inside the kernel; the offset is NULL or [n]. */
static int
copy_side(struct strace *s, struct call *c, enum op op, char *fd, const char *offset,
    struct error *e)
{
	c->arg[0] = fd;
	return transfer(s, c, op, *offset == '[' ? offset + 1 : NULL, e);
}

static int
on_sendfile(struct strace *s, struct call *c, struct error *e)
{
	char *out = c->arg[0];

	if (copy_side(s, c, OP_READ, c->arg[1], c->arg[2], e))
		return -1;
	return copy_side(s, c, OP_WRITE, out, "", e);
}

/* copy_file_range(in, in_offset, out, out_offset, ...), and splice likewise. */
static int
on_copy(struct strace *s, struct call *c, struct error *e)
{
	if (copy_side(s, c, OP_READ, c->arg[0], c->arg[1], e))
		return -1;
	return copy_side(s, c, OP_WRITE, c->arg[2], c->arg[3], e);
}

/* mmap(address, length, protection, flags, fd, offset) */
static int
on_mmap(struct strace *s, struct call *c, struct error *e)
{
	uint64_t	   length, offset;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[4], &bad, e);

	if (!d)
		return bad ? -1 : 0;
	if (scan_value(c->arg[1], &length) && scan_value(c->arg[5], &offset))
		emit(s, c, OP_MMAP, d->fd, described(s, d)->file, offset, length);
	return 0;
}

/* The kind of advice; ADVICE_KINDS: any other. */
static uint32_t
advice_kind(const char *text)
{
	static const char *const name[ADVICE_KINDS] = {
		[ADVICE_NORMAL] = "POSIX_FADV_NORMAL",
		[ADVICE_RANDOM] = "POSIX_FADV_RANDOM",
		[ADVICE_SEQUENTIAL] = "POSIX_FADV_SEQUENTIAL",
		[ADVICE_WILLNEED] = "POSIX_FADV_WILLNEED",
		[ADVICE_DONTNEED] = "POSIX_FADV_DONTNEED",
	};
	uint32_t kind = 0;

	while (kind < ADVICE_KINDS && strcmp(text, name[kind]))
		kind++;
	return kind;
}

static int
advise(struct strace *s, struct call *c, char *const range[2], uint32_t kind, struct error *e)
{
	uint64_t	   offset, length;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (!d)
		return bad ? -1 : 0;
	if (scan_value(range[0], &offset) && scan_value(range[1], &length)) {
		emit(s, c, OP_ADVISE, d->fd, described(s, d)->file, offset, length);
		s->queue[s->queued - 1].advice = kind;
	}
	return 0;
}

/* fadvise64(fd, offset, length, kind); some machines have the kind before the range. */
static int
on_fadvise(struct strace *s, struct call *c, struct error *e)
{
	bool before = !strncmp(c->arg[1], "POSIX_FADV_", 11);

	return advise(s, c, &c->arg[1 + before], advice_kind(c->arg[before ? 1 : 3]), e);
}

/* readahead(fd, offset, length) */
static int
on_readahead(struct strace *s, struct call *c, struct error *e)
{
	return advise(s, c, &c->arg[1], ADVICE_WILLNEED, e);
}

/* ---- calls that open, close and copy descriptors ---- */

static int
opened(struct strace *s, struct call *c, const char *flags, struct error *e)
{
	struct table	  *t = c->task->table;
	struct descriptor *d;
	char		  *path;
	int64_t		   fd = cut_fd(c->result_text, &path);
	uint32_t	   file;

	if (fd == NO_FD)
		return 0;
	if (!path)
		return error_set(e, "descriptor %lld has no name: record with strace -y",
		    (long long)fd);
	kernel_close(&s->kernel, t, (uint32_t)fd);
	if (!is_regular_path(path) || strstr(flags, "O_DIRECTORY") || strstr(flags, "O_PATH"))
		return 0;
	file = kernel_file(&s->kernel, path, e);
	if (file && s->kernel.file[file].irregular)
		return 0;
	d = file ? kernel_open(&s->kernel, t, (uint32_t)fd, file, e) : NULL;
	if (!d)
		return -1;
	d->close_on_exec = strstr(flags, "O_CLOEXEC");
	described(s, d)->append = strstr(flags, "O_APPEND");
	if (strstr(flags, "O_TRUNC") || strstr(flags, "O_EXCL"))
		kernel_resize(&s->kernel, file, 0);
	emit(s, c, OP_OPEN, d->fd, file, 0, 0);
	return 0;
}

static int
on_open(struct strace *s, struct call *c, struct error *e)
{
	return opened(s, c, c->arg[1], e);
}

static int
on_openat(struct strace *s, struct call *c, struct error *e)
{
	return opened(s, c, c->arg[2], e);
}

static int
on_creat(struct strace *s, struct call *c, struct error *e)
{
	return opened(s, c, "O_TRUNC", e);
}

static int
on_close(struct strace *s, struct call *c, struct error *e)
{
	char		  *path;
	int64_t		   fd = cut_fd(c->arg[0], &path);
	struct descriptor *d = fd == NO_FD ? NULL : table_find(c->task->table, (uint32_t)fd);

	if (!d)
		return 0;
	if (!s->kernel.file[described(s, d)->file].irregular)
		emit(s, c, OP_CLOSE, d->fd, described(s, d)->file, 0, 0);
	kernel_close(&s->kernel, c->task->table, d->fd);
	return 0;
}

static int
on_close_range(struct strace *s, struct call *c, struct error *e)
{
	uint64_t first, last;

	if (scan_value(c->arg[0], &first) && scan_value(c->arg[1], &last) && first <= INT32_MAX)
		kernel_close_range(&s->kernel, c->task->table, (uint32_t)first, last,
		    strstr(c->arg[2], "CLOSE_RANGE_CLOEXEC"));
	return 0;
}

/* The result is a duplicate of the first argument. */
static int
duplicate(struct strace *s, struct call *c, bool close_on_exec, struct error *e)
{
	struct table	  *t = c->task->table;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (c->result > INT32_MAX || (!d && bad))
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

static int
on_dup(struct strace *s, struct call *c, struct error *e)
{
	return duplicate(s, c, strstr(c->arg[2], "O_CLOEXEC"), e);
}

static int
on_fcntl(struct strace *s, struct call *c, struct error *e)
{
	struct descriptor *d;
	bool		   bad;

	if (starts_with(c->arg[1], "F_DUPFD"))
		return duplicate(s, c, !strcmp(c->arg[1], "F_DUPFD_CLOEXEC"), e);
	d = use_fd(s, c, c->arg[0], &bad, e);
	if (!d)
		return bad ? -1 : 0;
	if (!strcmp(c->arg[1], "F_SETFD"))
		d->close_on_exec = strstr(c->arg[2], "FD_CLOEXEC");
	else if (!strcmp(c->arg[1], "F_SETFL"))
		described(s, d)->append = strstr(c->arg[2], "O_APPEND");
	return 0;
}

/* ---- positions and sizes ---- */

static int
on_lseek(struct strace *s, struct call *c, struct error *e)
{
	uint64_t	   beyond;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (!d)
		return bad ? -1 : 0;
	described(s, d)->position = c->result;
	if (!strcmp(c->arg[2], "SEEK_END") && scan_digits(c->arg[1], c->result, &beyond))
		kernel_resize(&s->kernel, described(s, d)->file, c->result - beyond);
	return 0;
}

/* The file's state as fstat shows it: "{st_mode=S_IFREG|0644, st_size=55839, ...}". */
static void
learn_state(struct strace *s, uint32_t file, const char *text)
{
	const char *mode = strstr(text, "st_mode=S_IF"), *size = strstr(text, "st_size=");
	uint64_t    bytes;

	if (!mode) {
		mode = strstr(text, "stx_mode=S_IF");
		size = strstr(text, "stx_size=");
	}
	if (mode && !starts_with(strchr(mode, '=') + 1, "S_IFREG"))
		s->kernel.file[file].irregular = true;
	else if (size && scan_value(strchr(size, '=') + 1, &bytes))
		kernel_resize(&s->kernel, file, bytes);
}

static int
on_fstat(struct strace *s, struct call *c, struct error *e)
{
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (d)
		learn_state(s, described(s, d)->file, c->arg[1]);
	return bad ? -1 : 0;
}

/* newfstatat(3</a>, "", {...}) is an fstat; with a name it refers to another file. */
static int
on_fstatat(struct strace *s, struct call *c, struct error *e)
{
	if (strcmp(c->arg[1], "\"\""))
		return 0;
	c->arg[1] = strcmp(c->name, "statx") ? c->arg[2] : c->arg[4];
	return on_fstat(s, c, e);
}

static int
on_ftruncate(struct strace *s, struct call *c, struct error *e)
{
	uint64_t	   size;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (d && scan_value(c->arg[1], &size))
		kernel_resize(&s->kernel, described(s, d)->file, size);
	return bad ? -1 : 0;
}

/* fallocate(fd, mode, offset, length) */
static int
on_fallocate(struct strace *s, struct call *c, struct error *e)
{
	uint64_t	   offset, length;
	bool		   bad;
	struct descriptor *d = use_fd(s, c, c->arg[0], &bad, e);

	if (d && !strcmp(c->arg[1], "0") && scan_value(c->arg[2], &offset) &&
	    scan_value(c->arg[3], &length) && length <= UINT64_MAX - offset)
		kernel_extend(&s->kernel, described(s, d)->file, offset + length);
	return bad ? -1 : 0;
}

/* ---- start and exit of processes ---- */

static int
on_clone(struct strace *s, struct call *c, struct error *e)
{
	bool	      shares = false, thread = false;
	uint32_t      child = c->result <= INT32_MAX ? (uint32_t)c->result : 0;
	struct record r = { .time = c->time,
		.pid = c->task->pid,
		.op = OP_START,
		.file_size = SIZE_UNKNOWN,
		.child = child };

	for (unsigned i = 0; i < c->nargs; i++) {
		shares |= strstr(c->arg[i], "CLONE_FILES") != NULL;
		thread |= strstr(c->arg[i], "CLONE_THREAD") != NULL;
	}
	if (child && child != r.pid) {
		depend_starts(c->task, child, thread);
		emit_record(s, &r);
	}
	return kernel_end_clone(&s->kernel, c->task, child, shares, e);
}

/* "<0.000123>" of -T at the end of a line, in microseconds; 0: it is not there. */
static usec_t
duration(const char *text)
{
	const char *last = strrchr(text, '<');
	usec_t	    us;

	return last && (last = scan_seconds(last + 1, &us)) && !strcmp(last, ">") ? us : 0;
}

static int
waited(struct strace *s, struct call *c, uint64_t child, bool any, const char *options)
{
	struct record r;
	struct wait   w = { .start = c->time,
		  .end = c->end > c->time ? c->end : c->time + duration(c->result_text),
		  .child = (uint32_t)child,
		  .any = any,
		  .hangs = !strstr(options, "WNOHANG") };

	if (child <= INT32_MAX && child != c->task->pid && depend_waits(c->task, &w, &r))
		emit_record(s, &r);
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
on_wait(struct strace *s, struct call *c, struct error *e)
{
	uint64_t pid;
	bool	 any = !scan_value(c->arg[0], &pid) || !pid;

	return lives_on(c->arg[1]) ? 0 : waited(s, c, c->result, any, c->arg[2]);
}

/* waitid(kind, pid, {..., si_pid=7, ...}, options, usage) */
static int
on_waitid(struct strace *s, struct call *c, struct error *e)
{
	const char *shown = strstr(c->arg[2], "si_pid=");
	uint64_t    child = 0;

	if (lives_on(c->arg[2]) || (shown && !scan_value(shown + strlen("si_pid="), &child)))
		return 0;
	return waited(s, c, child, !starts_with(c->arg[0], "P_PID"), c->arg[3]);
}

static int
on_execve(struct strace *s, struct call *c, struct error *e)
{
	return kernel_exec(&s->kernel, c->task, e);
}

/* The call exit, or the line "+++ exited", whichever comes first. */
static int
on_exit(struct strace *s, struct call *c, struct error *e)
{
	emit(s, c, OP_EXIT, 0, NIL, 0, 0);
	kernel_exit(&s->kernel, c->task);
	return 0;
}

/* ---- the table of calls ---- */

static const struct handler {
	const char *name;
	int (*handle)(struct strace *s, struct call *c, struct error *e);
} handlers[] = {
	{ "read", on_read },
	{ "write", on_write },
	{ "lseek", on_lseek },
	{ "pread64", on_pread },
	{ "pwrite64", on_pwrite },
	{ "openat", on_openat },
	{ "close", on_close },
	{ "mmap", on_mmap },
	{ "newfstatat", on_fstatat },
	{ "fstat", on_fstat },
	{ "statx", on_fstatat },
	{ "fcntl", on_fcntl },
	{ "open", on_open },
	{ "openat2", on_openat },
	{ "creat", on_creat },
	{ "pread", on_pread },
	{ "pwrite", on_pwrite },
	{ "readv", on_read },
	{ "writev", on_write },
	{ "preadv", on_pread },
	{ "pwritev", on_pwrite },
	{ "preadv2", on_pread },
	{ "pwritev2", on_pwrite },
	{ "dup", on_dup },
	{ "dup2", on_dup },
	{ "dup3", on_dup },
	{ "close_range", on_close_range },
	{ "clone", on_clone },
	{ "clone3", on_clone },
	{ "fork", on_clone },
	{ "vfork", on_clone },
	{ "wait4", on_wait },
	{ "waitpid", on_wait },
	{ "waitid", on_waitid },
	{ "execve", on_execve },
	{ "execveat", on_execve },
	{ "exit", on_exit },
	{ "exit_group", on_exit },
	{ "fadvise64", on_fadvise },
	{ "fadvise64_64", on_fadvise },
	{ "arm_fadvise64_64", on_fadvise },
	{ "readahead", on_readahead },
	{ "ftruncate", on_ftruncate },
	{ "fallocate", on_fallocate },
	{ "sendfile", on_sendfile },
	{ "copy_file_range", on_copy },
	{ "splice", on_copy },
};

/* The handler of "name(...", or NULL. */
static const struct handler *
find_handler(const char *text)
{
	size_t n = strcspn(text, "( ");

	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		if (!strncmp(handlers[i].name, text, n) && !handlers[i].name[n])
			return &handlers[i];
	return NULL;
}

/* A signal has interrupted the call: "= ? ERESTARTNOHAND (To be ...)", "= -1 EINTR (...)". */
static bool
is_interrupted(const char *text)
{
	return strstr(text, " = ? ERESTART") || strstr(text, " = -1 EINTR");
}

static int
finished_call(struct strace *s, struct task *t, usec_t time, usec_t end, char *text,
    struct error *e)
{
	const struct handler *h = find_handler(text);
	struct call	      c = { .task = t, .time = time, .end = end };
	bool		      waits = h && (h->handle == on_wait || h->handle == on_waitid);

	if (!waits && !starts_with(text, "rt_sig"))
		depend_passes(t, time, false);
	if (!h || waits || h->handle == on_read) {
		if (is_interrupted(text))
			depend_passes(t, time, true);
	}
	if (!h)
		return 0;
	if (!cut_call(&c, text))
		return error_set(e, "the call %s(...) is cut off: no result", h->name);
	if (h->handle == on_exit)
		return on_exit(s, &c, e);
	if (!scan_value(c.result_text, &c.result)) /* failed, or restarted */
		return h->handle == on_clone ? kernel_end_clone(&s->kernel, t, 0, false, e) : 0;
	if (c.result > INT64_MAX)
		return error_set(e, "the result of %s(...) is too large", h->name);
	return h->handle(s, &c, e);
}

/* A call to a pipe begins: it may be what another process waits for. */
static int
begin_pipe(struct strace *s, struct task *t, usec_t time, const char *text, bool whole,
    struct error *e)
{
	struct record r;
	int	      status = depend_begins(&s->depend, t, text, time, whole, &r, e);

	if (status > 0)
		emit_record(s, &r);
	return status < 0 ? -1 : 0;
}

/* A call to a pipe that was split in two has returned: it may have waited. */
static int
end_pipe(struct strace *s, struct task *t, usec_t end, const char *text, struct error *e)
{
	const char   *equals = strrchr(text, '=');
	uint64_t      result;
	struct record r;
	int	      status;

	if (!equals || !scan_digits(equals + 1 + strspn(equals + 1, " "), INT64_MAX, &result))
		return 0;
	status = depend_ends(&s->depend, &s->kernel, t, text, result, &r, e);
	if (status > 0) {
		r.lasts = end > r.time ? end - r.time : 0;
		emit_record(s, &r);
	}
	return status < 0 ? -1 : 0;
}

/* "read(3</a>,  <unfinished ...>": store it until it is resumed. */
static int
begin_call(struct strace *s, struct task *t, usec_t time, const char *text, size_t length,
    struct error *e)
{
	const struct handler *h = find_handler(text);
	char		     *copy = realloc(t->begun, length + 1);

	if (!copy)
		return error_no_memory(e);
	memcpy(copy, text, length);
	copy[length] = '\0';
	t->begun = copy;
	t->begun_time = time;
	if (h && h->handle == on_clone)
		kernel_begin_clone(&s->kernel, t, time, strstr(copy, "CLONE_FILES"));
	return begin_pipe(s, t, time, copy, false, e);
}

/* "<... read resumed>\"\"..., 832) = 832": complete the stored call. */
static int
resume_call(struct strace *s, struct task *t, usec_t time, const char *text, struct error *e)
{
	static const char resumed[] = "resumed>";
	const char	 *rest = strstr(text, resumed);
	char		 *whole = t->begun;
	size_t		  before;
	int		  status;

	if (!rest)
		return error_set(e, "'<...' without 'resumed>'");
	if (!whole)
		return 0; /* it began before the log did */
	rest += strlen(resumed);
	before = strlen(whole);
	whole = realloc(whole, before + strlen(rest) + 1);
	if (!whole)
		return error_no_memory(e);
	strcpy(whole + before, rest);
	t->begun = NULL;
	status = end_pipe(s, t, time, whole, e);
	if (!status)
		status = finished_call(s, t, t->begun_time, time, whole, e);
	free(whole);
	return status;
}

/* ---- lines ---- */

/* "+++ exited with 0 +++" or "+++ killed by SIGKILL +++" */
static int
exit_line(struct strace *s, uint32_t pid, usec_t time, struct error *e)
{
	struct task *t = kernel_entry(&s->kernel, pid, e);
	struct call  c = { .task = t, .time = time };

	if (!t)
		return -1;
	return t->table ? on_exit(s, &c, e) : 0;
}

static int
bad_line(const char *line, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, line, strlen(line));
	return error_set(e, "not a line of strace -f -ttt -y: '%s'", text);
}

/* The process of a line: a new one in brackets, without a clone under way, is the first. */
static int
find_pid(struct strace *s, const char *line, uint32_t *pid, struct error *e)
{
	uint32_t known = s->kernel.ntasks;

	if (*pid && *line != '[')
		return 0;
	if (!*pid) {
		if (s->brackets)
			s->alone = kernel_alone(&s->kernel);
		s->bare = true;
		s->brackets = false;
		*pid = s->alone;
		return 0;
	}
	s->brackets = true;
	if (!kernel_entry(&s->kernel, *pid, e))
		return -1;
	if (s->bare && !s->first && s->kernel.ntasks > known && !s->kernel.cloning)
		s->first = *pid;
	if (*pid == s->first)
		*pid = 0;
	return 0;
}

static int
read_line(struct strace *s, char *line, size_t length, struct error *e)
{
	uint32_t     pid;
	usec_t	     time;
	struct task *t;
	char	    *text = (char *)scan_prefix(line, &pid, &time);

	if (!text || strlen(line) != length)
		return bad_line(line, e);
	if (find_pid(s, line, &pid, e))
		return -1;
	if (starts_with(text, "---") || *text == '[' || ends_with(text, "<detached ...>"))
		return 0;
	if (starts_with(text, "+++"))
		return strstr(text, " by execve in ") ? 0 : exit_line(s, pid, time, e);
	t = kernel_task(&s->kernel, pid, e);
	if (!t)
		return -1;
	if (starts_with(text, "<..."))
		return resume_call(s, t, time, text, e);
	if (ends_with(text, UNFINISHED))
		return begin_call(s, t, time, text, strlen(text) - strlen(UNFINISHED), e);
	if (!isalpha((unsigned char)*text) && *text != '_')
		return bad_line(line, e);
	return begin_pipe(s, t, time, text, true, e) || finished_call(s, t, time, time, text, e)
	    ? -1
	    : 0;
}

static bool
is_skipped(const char *line)
{
	return !*scan_blanks(line) || starts_with(line, "strace: ");
}

/*
 * "clone(flags=SIGCHLDstrace: Process 7 attached", and the rest of the call in the next line: 1
 * if there is no more to read in this one, else *line is whole; -1: out of memory.
 */
static int
join_line(struct strace *s, char **line, size_t *length, struct error *e)
{
	static const char attached[] = "strace: Process ";
	char		 *at, *whole;
	uint64_t	  pid;

	if (s->torn) {
		if (strlen(s->torn) + *length > LINE_MOST)
			return bad_line(s->torn, e);
		whole = realloc(s->torn, strlen(s->torn) + *length + 1);
		if (!whole)
			return error_no_memory(e);
		s->torn = NULL;
		strcat(whole, *line);
		free(s->whole);
		*line = s->whole = whole;
		*length = strlen(whole);
	}
	at = ends_with(*line, " attached") ? strstr(*line, attached) : NULL;
	if (!at)
		return 0;
	if (scan_digits(at + strlen(attached), UINT32_MAX, &pid) &&
	    !kernel_entry(&s->kernel, (uint32_t)pid, e))
		return -1;
	*at = '\0';
	if (at > *line && !(s->torn = strdup(*line)))
		return error_no_memory(e);
	return 1;
}

static int
strace_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct strace *s = self;
	char	      *line;
	size_t	       length;
	int	       status;

	while (s->taken == s->queued) {
		s->taken = s->queued = 0;
		status = input_line(in, &line, &length, e);
		if (status <= 0)
			return status;
		if (length && line[length - 1] == '\r')
			line[--length] = '\0';
		status = strlen(line) == length ? join_line(s, &line, &length, e) : 0;
		if (status < 0)
			return -1;
		if (!status && !is_skipped(line) && read_line(s, line, length, e))
			return -1;
	}
	*r = s->queue[s->taken++];
	return 1;
}

/* A line of strace without the required options: recognised, so that the error can name them. */
static bool
is_bare_call(const char *line)
{
	const char *text = starts_with(line, "[pid") ? strchr(line, ']') : line, *result;
	size_t	    name;

	if (!text)
		return false;
	text += strspn(text, "]0123456789.: ");
	name = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
	name += name ? strspn(text + name, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
	result = name && text[name] == '(' ? strrchr(text, ')') : NULL;
	if (!result)
		return false;
	result += 1 + strspn(result + 1, " ");
	return *result == '=' && result[1] == ' ' && result[2] && strchr("-?0123456789", result[2]);
}

/* The first line decides. */
static bool
strace_recognise(const char *head, size_t n)
{
	char	    line[128];
	const char *text;
	uint32_t    pid;
	usec_t	    time;
	size_t	    length;

	do {
		if (!scan_head(&head, &n, line, sizeof(line)))
			return false;
	} while (is_skipped(line));
	text = scan_prefix(line, &pid, &time);
	if (!text)
		return is_bare_call(line);
	if (starts_with(text, "<...") || starts_with(text, "+++") || starts_with(text, "---"))
		return true;
	length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");
	return length && text[length] == '(';
}

static void
strace_release(void *self)
{
	struct strace *s = self;

	kernel_release(&s->kernel);
	depend_release(&s->depend);
	free(s->torn);
	free(s->whole);
}

FORMAT(strace,
    .plugin = { .name = "strace",
	.summary = "raw log of strace -f -ttt -y (also with -T)",
	.state_size = sizeof(struct strace) },
    .recognise = strace_recognise, .release = strace_release, .read = strace_read);

/*
 * perftrace.c - the text that perf trace prints.
 *
 *	 0.431 ( 0.011 ms): cat/1535 read(fd: 4</a>, buf: 0x7fff, count: 832)     = 832
 *	11.025 (         ): sh/531 wait4(upid: -1)                                 ...
 *	11.025 ( 2.822 ms): sh/531  ... [continued]: wait4())                      = 532 (cat)
 *
 * Times are milliseconds; a call that is continued has the time when it began.
 * Arguments have names, and those that are 0 are left out: calls are written as
 * strace would, and read as its are (syscalls.h).
 *
 * perf shows names of files where it finds them: in <> behind descriptors, and
 * in opens if it may use BPF.  Offsets behind pointers, as of sendfile, states
 * of files and the ends of new pipes are not shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/calls/syscalls.h"

enum { ARGS = 6, LINE_ROOM = 4096, FIRST_LINES = 16 };

struct perftrace {
	struct syscalls calls;
	char	       *text; /* of a call */
	size_t		room;
};

/* The names of arguments in their order; behind it, what is meant if one is not shown, or 0. */
static const struct form {
	const char *name;
	const char *arg[ARGS];
} forms[] = {
	{ "read", { "fd" } },
	{ "write", { "fd" } },
	{ "pread64", { "fd", "buf", "count", "pos" } },
	{ "pwrite64", { "fd", "buf", "count", "pos" } },
	{ "readv", { "fd" } },
	{ "writev", { "fd" } },
	{ "preadv", { "fd", "vec", "vlen", "pos_l" } },
	{ "pwritev", { "fd", "vec", "vlen", "pos_l" } },
	{ "preadv2", { "fd", "vec", "vlen", "pos_l" } },
	{ "pwritev2", { "fd", "vec", "vlen", "pos_l" } },
	{ "open", { "filename", "flags" } },
	{ "openat", { "dfd", "filename", "flags" } },
	{ "openat2", { "dfd", "filename", "how" } },
	{ "creat", { "pathname" } },
	{ "close", { "fd" } },
	{ "close_range", { "fd", "max_fd", "flags" } },
	{ "dup", { "fildes" } },
	{ "dup2", { "oldfd" } },
	{ "dup3", { "oldfd", "newfd", "flags" } },
	{ "fcntl", { "fd", "cmd", "arg" } },
	{ "lseek", { "fd", "offset", "whence" } },
	{ "mmap", { "addr", "len", "prot", "flags", "fd=-1", "off" } },
	{ "fadvise64", { "fd", "offset", "len", "advice" } },
	{ "readahead", { "fd", "offset", "count" } },
	{ "ftruncate", { "fd", "length" } },
	{ "fallocate", { "fd", "mode", "offset", "len" } },
	{ "sendfile", { "out_fd", "in_fd", "offset=NULL" } },
	{ "copy_file_range", { "fd_in", "off_in=NULL", "fd_out", "off_out=NULL" } },
	{ "splice", { "fd_in", "off_in=NULL", "fd_out", "off_out=NULL" } },
	{ "rename", { "oldname", "newname" } },
	{ "renameat", { "olddfd", "oldname", "newdfd", "newname" } },
	{ "renameat2", { "olddfd", "oldname", "newdfd", "newname", "flags" } },
	{ "link", { "oldname", "newname" } },
	{ "linkat", { "olddfd", "oldname", "newdfd", "newname", "flags" } },
	{ "symlink", { "oldname", "newname" } },
	{ "symlinkat", { "oldname", "newdfd", "newname" } },
	{ "unlink", { "pathname" } },
	{ "unlinkat", { "dfd", "pathname", "flag" } },
	{ "chdir", { "filename" } },
	{ "fchdir", { "fd" } },
	{ "clone", { "clone_flags" } },
	{ "io_submit", { "ctx_id", "nr", "iocbpp" } },
	{ "wait4", { "upid", "stat_addr", "options" } },
	{ "waitid", { "which", "upid", "infop", "options" } },
	{ "execve", { "filename" } },
};

/* ---- lines ---- */

struct line {
	usec_t	 time, lasts;
	uint32_t pid;
	bool	 has_time, continued;
	char	*call; /* "read(fd: 4, ...", or behind "[continued]: " */
};

/* "0.431", "?" or nothing, in milliseconds. */
static const char *
scan_ms(const char *p, usec_t *us, bool *found)
{
	const char *end = scan_seconds(p, us);

	*found = end != NULL;
	*us /= 1000;
	return end ? end : p + (*p == '?');
}

/* Take a line apart; false: it has no call. */
static bool
scan_line_of_perf(char *text, struct line *l)
{
	static const char again[] = " ... [continued]: ";
	const char	 *p = scan_blanks(text), *pid;
	char		 *head, *end;
	uint64_t	  number = 0;
	bool		  found;

	*l = (struct line){ 0 };
	p = scan_blanks(scan_ms(p, &l->time, &l->has_time));
	if (*p != '(')
		return false;
	p = scan_blanks(scan_ms(scan_blanks(p + 1), &l->lasts, &found));
	p += !strncmp(p, "ms", 2) ? 2 : 0;
	if (strncmp(p, "): ", 3) != 0)
		return false;
	head = text + (p + 3 - text);
	end = strstr(head, again);
	l->continued = end != NULL;
	if (!end && (end = strchr(head, '(')))
		while (end > head && end[-1] != ' ')
			end--;
	if (!end)
		return false;
	l->call = l->continued ? end + strlen(again) : end;
	for (; end > head && end[-1] == ' '; end--)
		;
	for (pid = end; pid > head && pid[-1] >= '0' && pid[-1] <= '9'; pid--)
		;
	scan_digits(pid, UINT32_MAX, &number); /* of one process alone it may be missing */
	l->pid = (uint32_t)number;
	return strchr(l->call, '(');
}

/* ---- arguments ---- */

/* The end of the value: a comma before the next name, or the end of all. */
static const char *
end_of_value(const char *p, const char *end)
{
	size_t	    digits = strspn(p, "0123456789");
	const char *close = *p == '"' ? strchr(p + 1, '"')
	    : p[digits] == '<'	      ? strchr(p + digits, '>')
				      : NULL;

	for (p = close && close < end ? close : p; p < end; p++) {
		const char *name = p + 2;

		if (p[0] != ',' || p[1] != ' ')
			continue;
		while (name < end &&
		    (*name == '_' || (*name >= 'a' && *name <= 'z') ||
			(*name >= '0' && *name <= '9')))
			name++;
		if (name < end && *name == ':')
			return p;
	}
	return end;
}

/* The value of "name: value" from p to end, or NULL; *n characters long. */
static const char *
find_value(const char *p, const char *end, const char *name, size_t length, size_t *n)
{
	while (p < end) {
		const char *colon = memchr(p, ':', (size_t)(end - p)), *value, *next;

		if (!colon || colon + 1 >= end)
			return NULL;
		value = colon + 1 + (colon[1] == ' ');
		next = end_of_value(value, end);
		if ((size_t)(colon - p) == length && !strncmp(p, name, length)) {
			*n = (size_t)(next - value);
			return value;
		}
		p = next < end ? next + 2 : end;
	}
	return NULL;
}

/* Add n characters to what is in text; there is room. */
static char *
add(char *to, const char *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

static bool
is_name(const char *arg)
{
	return strstr(arg, "name") != NULL;
}

/* A path without quotes gets them. */
static char *
add_path(char *to, const char *from, size_t n)
{
	if (*from == '"' || !strncmp(from, "0x", 2))
		return add(to, from, n);
	*to++ = '"';
	for (size_t i = 0; i < n; i++) {
		if (from[i] == '"' || from[i] == '\\')
			*to++ = '\\';
		*to++ = from[i];
	}
	*to++ = '"';
	return to;
}

/* One argument as strace has it. */
static char *
add_arg(char *to, const char *arg, const char *p, const char *end)
{
	size_t	    length = strcspn(arg, "="), n = 0;
	const char *value = find_value(p, end, arg, length, &n);
	const char *missing = arg[length] ? arg + length + 1 : "0";

	if (!strcmp(arg, "clone_flags"))
		to = add(to, "flags=", 6);
	if (!value)
		return add(to, missing, strlen(missing));
	if (n == 3 && !strncmp(value, "CWD", 3))
		return add(to, "AT_FDCWD", 8);
	if (!strcmp(missing, "NULL"))
		return add(to, "?", 1);
	return is_name(arg) ? add_path(to, value, n) : add(to, value, n);
}

static const struct form *
find_form(const char *call, size_t n)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strncmp(forms[i].name, call, n) && !forms[i].name[n])
			return &forms[i];
	return NULL;
}

/* The last bracket of the call, with blanks and that text behind it; NULL: it has none. */
static const char *
find_end(const char *call, const char *behind)
{
	const char *last = NULL;

	for (const char *p = call; (p = strchr(p, ')')); p++) {
		const char *next = p + 1 + strspn(p + 1, " ");

		if (next > p + 1 && !strncmp(next, behind, strlen(behind)))
			last = p;
	}
	return last;
}

/* "read(4</a>, 0x7fff, 832" of the arguments up to end, into s->text: its end. */
static int
rewrite(struct perftrace *s, const char *call, const char *end, char **to, struct error *e)
{
	size_t		   n = strcspn(call, "("), room = 2 * strlen(call) + 256;
	const struct form *form = find_form(call, n);

	if (room > s->room) {
		char *grown = realloc(s->text, room);

		if (!grown)
			return error_no_memory(e);
		s->text = grown;
		s->room = room;
	}
	*to = add(s->text, call, n + 1);
	for (unsigned i = 0; form && i < ARGS && form->arg[i]; i++) {
		if (i)
			*to = add(*to, ", ", 2);
		*to = add_arg(*to, form->arg[i], call + n + 1, end);
	}
	**to = '\0';
	return 0;
}

static int
read_call(struct perftrace *s, struct task *t, const struct line *l, struct error *e)
{
	const char *end = find_end(l->call, "="), *open = end ? NULL : find_end(l->call, "...");
	char	   *to = NULL;

	if (!end && !open)
		return 0;
	if (l->continued)
		return end ? syscalls_resume(&s->calls, t, l->time + l->lasts, end, e) : 0;
	if (!syscalls_know(l->call) && !open)
		return 0;
	if (rewrite(s, l->call, end ? end : open, &to, e))
		return -1;
	if (open)
		return syscalls_begin(&s->calls, t, l->time, s->text, (size_t)(to - s->text), e);
	strcpy(to, end);
	return syscalls_whole(&s->calls, t, l->time, l->time + l->lasts, s->text, e);
}

static int
perftrace_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct perftrace *s = self;
	struct line	  l;
	struct task	 *t;
	char		 *text;
	size_t		  length;
	int		  status;

	s->calls.in = in;
	s->calls.named = true; /* as far as perf finds names */
	while (!syscalls_take(&s->calls, r)) {
		status = input_line(in, &text, &length, e);
		if (status <= 0)
			return status;
		if (strlen(text) != length || !scan_line_of_perf(text, &l)) {
			if (*scan_blanks(text))
				input_count(in, "lines without a system call were left out");
			continue;
		}
		t = kernel_task(&s->calls.kernel, l.pid, e);
		if (!t || read_call(s, t, &l, e))
			return -1;
	}
	return 1;
}

static bool
perftrace_recognise(const char *head, size_t n)
{
	char	    text[LINE_ROOM];
	struct line l;

	for (unsigned i = 0; i < FIRST_LINES && scan_head(&head, &n, text, sizeof(text)); i++)
		if (scan_line_of_perf(text, &l) && (l.continued || l.has_time))
			return true;
	return false;
}

static void
perftrace_release(void *self)
{
	struct perftrace *s = self;

	syscalls_release(&s->calls);
	free(s->text);
}

FORMAT(perftrace,
    .plugin = { .name = "perf-trace",
	.summary = "text of perf trace",
	.state_size = sizeof(struct perftrace) },
    .recognise = perftrace_recognise, .release = perftrace_release, .read = perftrace_read);

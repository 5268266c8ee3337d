/*
 * sysevents.c - system calls as events of the kernel: perf script, trace-cmd report and ftrace.
 *
 *	cat  1535 [001] 5.000431: syscalls:sys_enter_pread64: fd: 0x00000004, buf: 0x7ffd, count: 0x00001000, pos: 0x00000000
 *	cat  1535 [001] 5.000442: syscalls:sys_exit_pread64: 0x1000
 *	cat-1535  [001] ..... 5.000431: sys_pread64(fd: 4, buf: 7ffd, count: 1000, pos: 0)
 *	cat-1535  [001] ..... 5.000442: sys_pread64 -> 0x1000
 *
 *	cat  1535 [001] 5.000431: raw_syscalls:sys_enter: NR 17 (4, 7ffd, 1000, 0, 0, 0)
 *	cat  1535 [001] 5.000442: raw_syscalls:sys_exit: NR 17 = 4096
 *
 * Numbers are hexadecimal.  Calls are written as strace would, and read as its
 * are (syscalls.h).  Events show pointers and no names of files: each open is a
 * file of its own, and so is a descriptor that was open before.  A task is a
 * thread; those that were there before the recording share no descriptors.
 *
 * Raw events have numbers of calls, which depend on the machine: the first call
 * that tells is believed, and those before it are left out.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "traces/calls/numbers.h"
#include "traces/calls/syscalls.h"
#include "traces/common/tracepoint.h"

enum { TEXT_ROOM = 8192, CALL_ROOM = 64, LINE_ROOM = 1024, VALUE_ROOM = 24, ERRNO_MAX = 4095 };

struct sysevents {
	struct syscalls calls;
	uint64_t	machine;	 /* enum machine, of raw events */
	char		text[TEXT_ROOM]; /* of a call */
};

static const char *const machine_words[] = { "auto", "x86_64", "arm64", NULL };

static const struct param params[] = {
	{ "machine", PARAM_WORD, MACHINE_UNKNOWN, 0, MACHINE_ARM64,
	    offsetof(struct sysevents, machine),
	    "whose numbers of calls raw_syscalls events show; auto: the first call that tells",
	    machine_words },
	{ .name = NULL },
};

enum side { SIDE_ENTER, SIDE_EXIT, SIDE_NONE };

struct event {
	struct tracepoint at;
	enum side	  side;
	char		  call[CALL_ROOM]; /* "pread64(" */
	bool		  raw;
	uint64_t	  number; /* of a raw event */
	const char	 *args;	  /* of a call by number, see numbers.h */
};

/* ---- events ---- */

/* Names that the kernel gives to calls, and strace others. */
static const char *
strace_name(const char *name)
{
	return !strcmp(name, "sendfile64") ? "sendfile"
	    : !strcmp(name, "newfstat")	   ? "fstat"
					   : name;
}

static bool
begins(const struct tracepoint *t, const char *text, const char **rest)
{
	size_t n = strlen(text);

	*rest = t->name + n;
	return t->length > n && !strncmp(t->name, text, n);
}

/* "NR 17 (4, 7ffd, ...)" and "NR 17 = 4096": the body is what is behind the number. */
static bool
scan_raw(struct event *v)
{
	const char *p = v->at.body;
	bool	    exit = v->at.length == strlen("sys_exit");

	if (strncmp(v->at.name, exit ? "sys_exit" : "sys_enter", v->at.length) != 0 ||
	    strncmp(p, "NR ", 3) != 0)
		return false;
	v->raw = true;
	p = scan_digits(p + 3, UINT64_MAX, &v->number);
	if (!p) /* NR -1: a call that was not made */
		return true;
	v->at.body = v->at.body + (scan_blanks(p) - v->at.body);
	if (*v->at.body == (exit ? '=' : '('))
		v->side = exit ? SIDE_EXIT : SIDE_ENTER;
	return true;
}

static bool
scan_event(char *line, struct event *v)
{
	const char *name;
	char	    call[CALL_ROOM - 2];
	size_t	    n;

	if (!tracepoint_scan(line, &v->at))
		return false;
	v->side = SIDE_NONE;
	v->raw = false;
	if ((v->at.length == strlen("sys_exit") || v->at.length == strlen("sys_enter")) &&
	    scan_raw(v))
		return true;
	if (begins(&v->at, "sys_enter_", &name))
		v->side = SIDE_ENTER;
	else if (begins(&v->at, "sys_exit_", &name))
		v->side = SIDE_EXIT;
	else if (begins(&v->at, "sys_", &name))
		v->side = *v->at.body == '('	     ? SIDE_ENTER
		    : !strncmp(v->at.body, "-> ", 3) ? SIDE_EXIT
						     : SIDE_NONE;
	n = (size_t)(v->at.name + v->at.length - name);
	if (v->side == SIDE_NONE || n >= sizeof(call))
		return true;
	memcpy(call, name, n);
	call[n] = '\0';
	snprintf(v->call, sizeof(v->call), "%s(", strace_name(call));
	return true;
}

/* ---- arguments ---- */

struct text {
	char  *to;
	size_t left;
};

static void
add(struct text *t, const char *from, size_t n)
{
	n = n < t->left ? n : t->left - 1;
	memcpy(t->to, from, n);
	t->to += n;
	t->left -= n;
	*t->to = '\0';
}

static bool
has_word(const char *name, size_t n, const char *word)
{
	for (size_t length = strlen(word), i = 0; i + length <= n; i++)
		if (!strncmp(name + i, word, length))
			return true;
	return false;
}

/* A pointer to an offset, of calls that move data between descriptors. */
static bool
points_to_offset(const char *call, const char *name, size_t n)
{
	return has_word(name, n, "off") &&
	    (!strcmp(call, "sendfile(") || !strcmp(call, "splice(") ||
		!strcmp(call, "copy_file_range("));
}

/* The value of the argument `name`, as strace would have it. */
static void
add_value(struct text *t, const char *call, const char *name, size_t n, uint64_t value)
{
	char text[VALUE_ROOM];

	if (has_word(name, n, "fd") && value >> 31)
		value = (uint64_t)(int32_t)value; /* some kernels show 32 bits */
	if (has_word(name, n, "dfd") && value == (uint64_t)-100)
		snprintf(text, sizeof(text), "AT_FDCWD");
	else if (points_to_offset(call, name, n))
		snprintf(text, sizeof(text), "%s", value ? "?" : "NULL");
	else if (has_word(name, n, "name"))
		snprintf(text, sizeof(text), "0x%" PRIx64, value);
	else
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)value);
	add(t, text, strlen(text));
}

/* "0x7ffd "/etc/passwd"": the name behind a pointer, which newer kernels show; its end, or NULL. */
static const char *
add_string(struct text *t, const char *s)
{
	const char *end = *s == '"' ? s + 1 : NULL;

	for (; end && *end && *end != '"'; end++)
		end += *end == '\\' && end[1];
	if (!end || *end != '"')
		return NULL;
	add(t, s, (size_t)(end + 1 - s));
	return end + 1;
}

/* "fd: 0x00000004, buf: 0x7ffd" becomes "pread64(4, 32765"; false: that is no argument. */
static bool
rewrite(struct sysevents *s, const struct event *v)
{
	const char *p = v->at.body + (*v->at.body == '(');
	struct text t = { s->text, sizeof(s->text) };

	add(&t, v->call, strlen(v->call));
	while (!scan_ends_line(p) && *p != ')') {
		const char *name = p, *string;
		size_t	    n = strcspn(p, ":,)");
		uint64_t    value;

		if (p[n] != ':')
			return false;
		p = scan_blanks(p + n + 1);
		p += p[0] == '0' && p[1] == 'x' ? 2 : 0;
		p = scan_hex(p, &value);
		if (!p)
			return false;
		if (has_word(name, n, "clone_flags"))
			add(&t, "flags=", 6);
		string = add_string(&t, scan_blanks(p));
		if (!string)
			add_value(&t, v->call, name, n, value);
		p = scan_blanks(string ? string : p);
		if (*p == ',')
			add(&t, ", ", 2);
		p = scan_blanks(p + (*p == ','));
	}
	return t.left > VALUE_ROOM;
}

/* "(4, 7ffd, 1000, 0, 0, 0)": those that the call has. */
static bool
rewrite_raw(struct sysevents *s, const struct event *v)
{
	static const char *const kinds = "fdnoc";
	static const char *const names[] = { "fd", "dfd", "name", "off", "clone_flags" };
	const char		*p = v->at.body;
	struct text		 t = { s->text, sizeof(s->text) };

	add(&t, v->call, strlen(v->call));
	for (const char *a = v->args; *a; a++) {
		const char *kind = strchr(kinds, *a), *name = kind ? names[kind - kinds] : "";
		uint64_t    value;

		p = scan_hex(scan_blanks(p + 1), &value);
		if (!p || (*p != ',' && *p != ')') || (*p == ')' && a[1]))
			return false;
		add(&t, ", ", a > v->args ? 2 : 0);
		if (*a == 'c')
			add(&t, "flags=", 6);
		add_value(&t, v->call, name, strlen(name), value);
	}
	return true;
}

/* "= 4096" or "= -2": the same as ") = 4096", or of a call that failed. */
static bool
write_raw_result(const struct event *v, char *text, size_t room)
{
	const char *p = scan_blanks(v->at.body + 1);
	uint64_t    value = 0;
	bool	    failed = *p == '-';

	if (!failed && !scan_digits(p, UINT64_MAX, &value))
		return false;
	if (failed)
		snprintf(text, room, ") = -1 ERROR");
	else
		snprintf(text, room, ") = %" PRIu64, value);
	return true;
}

/* "0x1000": ") = 4096". */
static bool
write_result(const struct event *v, char *text, size_t room)
{
	const char *p = v->at.body;
	uint64_t    value;

	p += !strncmp(p, "-> ", 3) ? 3 : 0;
	p += !strncmp(p, "ret: ", 5) ? 5 : 0;
	p += p[0] == '0' && p[1] == 'x' ? 2 : 0;
	if (!scan_hex(p, &value))
		return false;
	if (value >= (uint64_t)-ERRNO_MAX ||
	    (value <= UINT32_MAX && value >= UINT32_MAX - ERRNO_MAX))
		snprintf(text, room, ") = -1 ERROR");
	else
		snprintf(text, room, ") = %" PRIu64, value);
	return true;
}

/* ---- reading ---- */

static int
explain(const struct event *v, struct error *e)
{
	char text[LINES_QUOTE + 4];

	scan_quote(text, LINES_QUOTE, v->at.body, strcspn(v->at.body, "\r"));
	return error_set(e,
	    "'%s' is not what the event of a system call shows: the line is cut off "
	    "or damaged",
	    text);
}

/* Of a call that does not return. */
static bool
ends_task(const char *call)
{
	return !strcmp(call, "exit(") || !strcmp(call, "exit_group(");
}

/* The machine of which a raw event of a call's start is. */
static void
find_machine(struct sysevents *s, const struct event *v)
{
	const char *p = v->at.body;
	uint64_t    first, second;

	if (v->side != SIDE_ENTER || !(p = scan_hex(scan_blanks(p + 1), &first)) || *p != ',' ||
	    !scan_hex(scan_blanks(p + 1), &second))
		return;
	s->machine = numbers_machine(v->number, first, second);
	if (s->machine != MACHINE_UNKNOWN)
		input_note(s->calls.in,
		    s->machine == MACHINE_X86_64
			? "numbers of system calls were taken as those of x86_64; --format "
			  "syscall-events:machine=arm64 takes the others"
			: "numbers of system calls were taken as those of arm64; --format "
			  "syscall-events:machine=x86_64 takes the others");
}

/* Name the call of a raw event; false: it is of no concern, or not known yet. */
static bool
name_call(struct sysevents *s, struct event *v)
{
	const struct numbered *n;

	if (s->machine == MACHINE_UNKNOWN)
		find_machine(s, v);
	n = numbers_find((enum machine)s->machine, v->number);
	if (!n)
		return false;
	snprintf(v->call, sizeof(v->call), "%s(", n->name);
	v->args = n->args;
	return true;
}

static int
read_event(struct sysevents *s, struct event *v, struct error *e)
{
	struct task *t = kernel_task(&s->calls.kernel, v->at.tid, e);
	char	     result[CALL_ROOM];

	if (!t)
		return -1;
	if (v->raw && !name_call(s, v))
		return 0;
	if (v->side == SIDE_ENTER && ends_task(v->call))
		return syscalls_exit(&s->calls, v->at.tid, v->at.time, e);
	if (!syscalls_know(v->call))
		return 0;
	if (v->side == SIDE_ENTER)
		return (v->raw ? rewrite_raw(s, v) : rewrite(s, v))
		    ? syscalls_begin(&s->calls, t, v->at.time, s->text, strlen(s->text), e)
		    : explain(v, e);
	if (!(v->raw ? write_raw_result : write_result)(v, result, sizeof(result)))
		return explain(v, e);
	return syscalls_resume(&s->calls, t, v->at.time, result, e);
}

static int
sysevents_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct sysevents *s = self;
	struct event	  v;
	char		 *line;
	int		  status;

	s->calls.in = in;
	while (!syscalls_take(&s->calls, r)) {
		status = scan_line_or(in, TRACEPOINT_KEPT, &line, e);
		if (status <= 0)
			return status;
		if (!scan_event(line, &v))
			tracepoint_skip(in, line);
		else if (v.side == SIDE_NONE)
			input_count(in, "events other than system calls were left out");
		else if (read_event(s, &v, e))
			return -1;
	}
	return 1;
}

static bool
sysevents_recognise(const char *head, size_t n)
{
	char	     line[LINE_ROOM];
	struct event v;

	while (scan_head(&head, &n, line, sizeof(line)))
		if (scan_event(line, &v) && v.side != SIDE_NONE && (v.raw || syscalls_know(v.call)))
			return true;
	return false;
}

static void
sysevents_release(void *self)
{
	syscalls_release(&((struct sysevents *)self)->calls);
}

FORMAT(sysevents,
    .plugin = { .name = "syscall-events",
	.summary = "system calls as text: perf script, trace-cmd report, ftrace",
	.state_size = sizeof(struct sysevents),
	.params = params },
    .recognise = sysevents_recognise, .release = sysevents_release, .read = sysevents_read);

/*
 * log.c - lines of the logs of recorders.
 *
 * A line is looked at for a few facts only; the format of the log reads it.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/map.h"
#include "sim/base/text.h"
#include "sim/host/record/log.h"
#include "sim/trace/scan.h"

enum { PATH_ROOM = 4096, FIRST_BYTES = 1 << 16 };

/* ---- paths ---- */

static bool
is_octal(const char *c)
{
	return *c >= '0' && *c <= '7';
}

/* The byte written at p, which is a backslash; *used characters long. */
static char
unescape(const char *p, const char *end, size_t *used)
{
	static const char letter[] = "ntrfv", meant[] = "\n\t\r\f\v";
	const char	 *at;
	unsigned	  value = 0;
	size_t		  n = 1;

	for (; n < 4 && p + n < end && is_octal(p + n); n++)
		value = value * 8 + (unsigned)(p[n] - '0');
	*used = n > 1 ? n : 2;
	if (n > 1)
		return (char)(unsigned char)value;
	at = p[1] ? strchr(letter, p[1]) : NULL;
	return at ? meant[at - letter] : p[1];
}

bool
log_path(const char *text, size_t n, char *path, size_t room)
{
	static const char deleted[] = " (deleted)";
	const char	 *end = text + n;
	size_t		  used, length = 0;

	if (n > strlen(deleted) && !strncmp(end - strlen(deleted), deleted, strlen(deleted)))
		end -= strlen(deleted);
	for (; text < end; text += used) {
		if (length + 1 >= room)
			return false;
		used = 1;
		path[length++] =
		    *text == '\\' && text + 1 < end ? unescape(text, end, &used) : *text;
	}
	path[length] = '\0';
	return true;
}

/* ---- the buffer ---- */

/* Room for n more bytes behind what has come. */
static int
reserve(struct log *l, size_t n, struct error *e)
{
	size_t wanted = l->capacity ? l->capacity : FIRST_BYTES;
	char  *grown;

	while (wanted - l->n < n)
		wanted *= 2;
	if (wanted == l->capacity)
		return 0;
	grown = realloc(l->text, wanted);
	if (!grown)
		return error_no_memory(e);
	l->text = grown;
	l->capacity = wanted;
	return 0;
}

/* Put text between the whole lines and the rest. */
static int
insert(struct log *l, const char *text, size_t n, struct error *e)
{
	if (reserve(l, n, e))
		return -1;
	memmove(l->text + l->whole + n, l->text + l->whole, l->n - l->whole);
	memcpy(l->text + l->whole, text, n);
	l->whole += n;
	l->n += n;
	return 0;
}

/* ---- facts ---- */

struct line {
	uint32_t    pid;
	usec_t	    time;
	size_t	    head;   /* length of "7013  1795413617.923212 " */
	const char *call;   /* "read(3, ...", without "<... " if it is resumed */
	const char *result; /* behind the last " = ", or NULL */
};

static bool
cut_line(const char *text, struct line *l)
{
	uint64_t    pid;
	const char *p = scan_digits(text, UINT32_MAX, &pid), *next;

	if (!p || *p != ' ')
		return false;
	p = scan_seconds(p + strspn(p, " "), &l->time);
	if (!p || *p != ' ')
		return false;
	p += strspn(p, " ");
	l->pid = (uint32_t)pid;
	l->head = (size_t)(p - text);
	l->call = text_begins(p, "<... ") ? p + 5 : p;
	l->result = NULL;
	for (next = l->call; (next = strstr(next, " = ")); next += 3)
		l->result = next + 3;
	return true;
}

static bool
calls(const struct line *l, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(l->call, name, n) && (l->call[n] == '(' || l->call[n] == ' ');
}

static uint64_t
returned(const struct line *l)
{
	uint64_t n;

	return l->result && scan_digits(l->result, INT32_MAX, &n) ? n : 0;
}

static int
signal_number(const char *name)
{
	static const struct {
		const char *name;
		int	    number;
	} signals[] = { { "SIGHUP", SIGHUP }, { "SIGINT", SIGINT }, { "SIGQUIT", SIGQUIT },
		{ "SIGILL", SIGILL }, { "SIGABRT", SIGABRT }, { "SIGBUS", SIGBUS },
		{ "SIGFPE", SIGFPE }, { "SIGKILL", SIGKILL }, { "SIGUSR1", SIGUSR1 },
		{ "SIGSEGV", SIGSEGV }, { "SIGUSR2", SIGUSR2 }, { "SIGPIPE", SIGPIPE },
		{ "SIGALRM", SIGALRM }, { "SIGTERM", SIGTERM }, { "SIGXCPU", SIGXCPU },
		{ "SIGXFSZ", SIGXFSZ } };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (text_begins(name, signals[i].name))
			return signals[i].number;
	return SIGKILL;
}

/* "+++ exited with 3 +++" or "+++ killed by SIGINT +++": of the program. */
static void
see_end(struct log *l, const struct line *line)
{
	static const char exited[] = "+++ exited with ", killed[] = "+++ killed by ";
	uint64_t	  status;

	if (line->pid != l->pid)
		return;
	if (text_begins(line->call, killed))
		l->status = 128 + signal_number(line->call + strlen(killed));
	else if (text_begins(line->call, exited) &&
	    scan_digits(line->call + strlen(exited), 255, &status))
		l->status = (int)status;
	else
		return;
	l->over = true;
	l->ended = line->time;
}

/* The first line is the program's execve(); "-1 ENOEXEC (Exec format error)". */
static void
see_start(struct log *l, const struct line *line)
{
	const char *reason;

	l->pid = line->pid;
	l->began = line->time;
	if (!calls(line, "execve") || !line->result || !text_begins(line->result, "-1 "))
		return;
	reason = strchr(line->result, '(');
	snprintf(l->refused, sizeof(l->refused), "%s", reason ? reason + 1 : line->result + 3);
	l->refused[strcspn(l->refused, ")")] = '\0';
}

/* ---- sizes of files that are opened ---- */

/* The path behind a descriptor in the result of an open, "3</a/b>", or NULL. */
static const char *
opened_path(const struct line *l, uint64_t *fd, size_t *n)
{
	const char *p, *end;

	if (!l->result || !(calls(l, "openat") || calls(l, "open") || calls(l, "openat2")))
		return NULL;
	p = scan_digits(l->result, INT32_MAX, fd);
	if (!p || p[0] != '<' || p[1] != '/' || text_begins(p + 1, "/dev/") ||
	    text_begins(p + 1, "/proc/") || text_begins(p + 1, "/sys/"))
		return NULL;
	if (strstr(l->call, "O_TRUNC") || strstr(l->call, "O_EXCL"))
		return NULL;
	end = strrchr(p, '>');
	*n = end ? (size_t)(end - p) - 1 : 0;
	return end ? p + 1 : NULL;
}

static int
tell_size(struct log *l, const char *text, const struct line *line, struct error *e)
{
	char	    path[PATH_ROOM], told[2 * PATH_ROOM];
	struct stat st;
	uint64_t    fd = 0;
	size_t	    n = 0;
	const char *shown = opened_path(line, &fd, &n);
	int	    length;

	if (!shown || !log_path(shown, n, path, sizeof(path)) || stat(path, &st))
		return 0;
	length = snprintf(told, sizeof(told),
	    "%.*sfstat(%u<%.*s>, {st_mode=%s|0644, st_size=%llu, ...}) = 0\n", (int)line->head,
	    text, (unsigned)fd, (int)n, shown, S_ISREG(st.st_mode) ? "S_IFREG" : "S_IFCHR",
	    (unsigned long long)st.st_size);
	return length < (int)sizeof(told) ? insert(l, told, (size_t)length, e) : 0;
}

/* ---- lines of each recorder ---- */

/* Requests that pass the log by, or other calls: false. */
static bool
see_requests(struct log *l, const struct line *line)
{
	if (calls(line, "io_uring_setup"))
		l->rings += line->result && *line->result != '-';
	else if (calls(line, "io_uring_enter"))
		l->ring_requests += returned(line);
	else if (calls(line, "io_submit"))
		l->aio_requests += strstr(line->call, "fildes=") ? 0 : returned(line);
	else
		return false;
	return true;
}

int
log_see_strace(struct log *l, const char *text, struct error *e)
{
	struct line line;

	if (!cut_line(text, &line))
		return 0;
	if (!l->pid)
		see_start(l, &line);
	if (*line.call == '+')
		see_end(l, &line);
	else if (!see_requests(l, &line))
		return tell_size(l, text, &line, e);
	return 0;
}

/* "0.431 ( 0.011 ms): cat/1535 read(fd: 4</a>, count: 832) = 832" */
static bool
cut_perf(const char *text, struct line *l)
{
	const char *name = strstr(text, "): "), *slash, *next;
	uint64_t    pid;

	/* of a thousandth of a second, so in ns */
	if (!name || !scan_seconds(scan_blanks(text), &l->time))
		return false;
	l->time /= 1000;
	for (slash = name; (slash = strchr(slash, '/')); slash++) {
		l->call = scan_digits(slash + 1, UINT32_MAX, &pid);
		if (l->call && *l->call == ' ')
			break;
	}
	if (!slash)
		return false;
	l->call++;
	l->pid = (uint32_t)pid;
	l->result = NULL;
	for (next = l->call; (next = strstr(next, " = ")); next += 3)
		l->result = next + 3;
	return true;
}

/* A program that a signal ends is last seen in another call. */
int
log_see_perf(struct log *l, const char *text, struct error *e)
{
	static const char exits[] = "exit_group(", code[] = "error_code: ";
	struct line	  line;
	const char	 *shown;
	uint64_t	  status = 0, n;

	if (text_begins(text, "LOST ") && scan_digits(text + strlen("LOST "), UINT64_MAX, &n))
		l->lost += n;
	if (!cut_perf(text, &line))
		return 0;
	if (!l->pid) {
		l->pid = line.pid;
		l->began = line.time;
	}
	see_requests(l, &line);
	if (line.pid != l->pid || !text_begins(line.call, exits))
		return 0;
	shown = strstr(line.call, code);
	if (shown)
		scan_digits(shown + strlen(code), UINT32_MAX, &status);
	l->status = (int)(status & 0xff);
	l->over = true;
	l->ended = line.time;
	return 0;
}

/* The number behind a word that a line begins with; false: another line. */
static bool
number_after(const char *text, const char *word, uint64_t *n)
{
	return text_begins(text, word) && scan_digits(text + strlen(word), UINT64_MAX, n);
}

/* A line of the recipe's that the format takes for a comment. */
static void
see_comment(struct log *l, const char *text)
{
	uint64_t n;

	if (text_begins(text, "# ready"))
		l->ready = true;
	else if (number_after(text, "# exec ", &n) && !l->began)
		l->began = (usec_t)n;
	else if (number_after(text, "# ring requests ", &n))
		l->ring_requests += n;
	else if (number_after(text, "# aio requests ", &n))
		l->aio_requests += n;
	else if (text_begins(text, "# ring"))
		l->rings++;
}

int
log_add_process(struct log *l, uint32_t pid, struct error *e)
{
	uint32_t *grown = array_grow(l->living, l->nliving, &l->living_capacity, sizeof(*grown));

	if (!grown)
		return error_no_memory(e);
	l->living = grown;
	l->living[l->nliving++] = pid;
	return 0;
}

static void
end_process(struct log *l, uint32_t pid)
{
	for (uint32_t i = 0; i < l->nliving; i++)
		if (l->living[i] == pid) {
			l->living[i] = l->living[--l->nliving];
			return;
		}
}

/* "1795 7013 0 F 7014 0 0 0", "1799 7014 0 X 0 0 0 0": a process starts another, or ends. */
static int
see_process(struct log *l, const char *text, struct error *e)
{
	uint64_t    time, pid, child;
	const char *p = scan_digits(text, INT64_MAX, &time);

	p = p ? scan_digits(scan_blanks(p), UINT32_MAX, &pid) : NULL;
	if (!p)
		return 0;
	if (text_begins(p, " 0 F ") && scan_digits(p + strlen(" 0 F "), UINT32_MAX, &child))
		return log_add_process(l, (uint32_t)child, e);
	if (!text_begins(p, " 0 X "))
		return 0;
	end_process(l, (uint32_t)pid);
	if (pid == l->pid)
		l->ended = (usec_t)time;
	return 0;
}

/* Another line is a message: for the format it becomes a comment. */
int
log_see_bpftrace(struct log *l, const char *text, struct error *e)
{
	uint64_t n;

	if (*text >= '0' && *text <= '9')
		return see_process(l, text, e);
	if (*text == '#')
		see_comment(l, text);
	else if (number_after(text, "Lost ", &n))
		l->lost += n;
	else if (*text) {
		if (!*l->said)
			text_clean(l->said, sizeof(l->said), text);
		l->text[l->line] = '#';
	}
	return 0;
}

/* The line that ends there is whole.  Its text is copied: inserting moves it. */
static int
end_line(struct log *l, char *newline, struct error *e)
{
	size_t n = (size_t)(newline - l->text) - l->whole;
	char  *text = strndup(l->text + l->whole, n);
	int    failed;

	if (!text)
		return error_no_memory(e);
	l->line = l->whole;
	l->whole += n + 1;
	l->lines++;
	failed = l->see(l, text, e);
	free(text);
	return failed;
}

int
log_add(struct log *l, const char *bytes, size_t n, struct error *e)
{
	size_t searched;
	char  *newline;

	if (l->taken) {
		memmove(l->text, l->text + l->taken, l->n - l->taken);
		l->whole -= l->taken;
		l->n -= l->taken;
		l->taken = 0;
	}
	if (reserve(l, n, e))
		return -1;
	searched = l->n;
	memcpy(l->text + l->n, bytes, n);
	l->n += n;
	while ((newline = memchr(l->text + searched, '\n', l->n - searched))) {
		if (end_line(l, newline, e))
			return -1;
		searched = l->whole;
	}
	return 0;
}

size_t
log_take(struct log *l, char *to, size_t n)
{
	size_t left = l->whole - l->taken;

	n = n < left ? n : left;
	if (n)
		memcpy(to, l->text + l->taken, n);
	l->taken += n;
	return n;
}

void
log_release(struct log *l)
{
	free(l->text);
	free(l->living);
}

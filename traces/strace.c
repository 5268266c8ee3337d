/*
 * strace.c - raw logs of strace, with or without -f, -y, -T, -o and -ff, with times of any form.
 *
 * What a line has in front of its call is in stamp.h, what calls do in syscalls.h.
 *
 * Without -o, lines have "[pid 7] " while there are several processes.  Lines
 * before that are of the first process, which is number 0, and later ones of
 * the only one that is left.
 *
 * The files of strace -ff -o NAME are NAME.PID: those that are given together
 * are merged by time, as if they were one log.
 *
 * The start of children, waits for their end, and waits for the other end of a
 * pipe are records as well (depend.h).  A wait lasts from the first part of its
 * line to the second, or as -T says.  Where threads wait for each other is not
 * in the log.
 *
 * Departures: the threads of a process are processes with the same descriptors.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/text.h"
#include "sim/trace/scan.h"
#include "traces/calls/stamp.h"
#include "traces/calls/syscalls.h"
#include "traces/common/earliest.h"

#define UNFINISHED "<unfinished ...>"

enum {
	QUOTE = 47,
	LINE_MOST = 1 << 16,
	LINE_ROOM = 4096,
	FIRST_LINES = 16,
	TORN_LINES = 64,
	STRANGE_IN = 100
};

/* One log, or that of one process. */
struct stream {
	struct input *in;
	uint32_t      pid;
	struct clock  clock;
	bool	      begun, numbered; /* lines are numbered in front */
	char	     *line;	       /* the next one, or NULL: none */
	size_t	      length;
	struct stamp  stamp;
	usec_t	      time;
};

struct strace {
	struct syscalls calls;
	struct stream  *stream;
	uint32_t	nstreams;
	struct earliest earliest;	/* of those that have a line */
	bool		begun;		/* the earliest line has been read */
	char	       *whole;		/* a line that was torn */
	char	       *torn;		/* a line that something else was printed into */
	bool		torn_output;	/* by the program, not by strace */
	unsigned	torn_lines;	/* so far */
	uint32_t	first;		/* in brackets, the process of lines without; 0: unknown */
	uint32_t	alone;		/* the process of lines without brackets */
	bool		bare, brackets; /* there were lines without brackets, with */
	bool		summary;	/* of strace -c: all that follows is part of it */
	uint64_t	lines, strange; /* of strace, and of others */
	uint64_t	first_strange;	/* its number and text */
	char		text[QUOTE + 4];
};

static bool
ends_with(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n >= m && !strcmp(s + n - m, ending);
}

/* ---- lines that are no calls ---- */

/* What strace says beside its log, and stacks (-k). */
static bool
is_skipped(const char *line)
{
	line = scan_blanks(line);
	if (likely(isdigit((unsigned char)*line) || *line == '['))
		return false;
	return !*line || text_begins(line, "strace: ") || text_begins(line, "> ") ||
	    (text_begins(line, "Process ") && isdigit((unsigned char)line[strlen("Process ")]));
}

/* A line of something else: some are left out, such as the output of a program. */
static void
leave_out(struct strace *s, const char *line, uint64_t number)
{
	if (!s->strange++) {
		s->first_strange = number;
		scan_quote(s->text, QUOTE, line, strlen(line));
	}
	input_count(s->calls.in, "lines that strace did not write were left out");
}

/* One, and one of a hundred. */
static int
check_strange(const struct strace *s, struct error *e)
{
	if (s->strange <= 1 + s->lines / STRANGE_IN)
		return 0;
	return error_set(e, "%llu of its %llu lines are not of strace; line %llu is '%s'",
	    (unsigned long long)s->strange, (unsigned long long)(s->lines + s->strange),
	    (unsigned long long)s->first_strange, s->text);
}

/* Does a line end with a result, ") = 10"?  Output of a program may be in its middle. */
static bool
has_result(const char *text)
{
	const char *equals = text + strlen(text);

	while (--equals > text)
		if (*equals == '=' && equals[-1] == ' ') {
			const char *end = equals - 1;

			while (end > text && *end == ' ')
				end--;
			if (*end == ')')
				return true;
		}
	return false;
}

/* Is it the beginning of a call whose output is to follow, as of `write(1, "x", 1x`? */
static bool
is_torn(const char *text)
{
	return *text == 'w' && (text_begins(text, "write(") || text_begins(text, "writev(")) &&
	    !has_result(text) && !ends_with(text, UNFINISHED);
}

/* ---- lines ---- */

/* "<... read resumed>\"\"..., 832) = 832": complete the stored call. */
static int
resume_call(struct strace *s, struct stream *from, struct task *t, const char *text,
    struct error *e)
{
	static const char resumed[] = "resumed>";
	const char	 *rest = strstr(text, resumed);
	usec_t		  end = from->time;

	if (!rest)
		return error_set(e, "'<...' without 'resumed>'");
	if (t->begun && from->clock.kind == CLOCK_DURATIONS)
		end = clock_end(&from->clock, t->begun_time, call_duration(text));
	return syscalls_resume(&s->calls, t, end, rest + strlen(resumed), e);
}

static int
whole_call(struct strace *s, struct stream *from, struct task *t, char *text, struct error *e)
{
	usec_t end = from->time;

	if (from->clock.kind == CLOCK_DURATIONS)
		end = clock_end(&from->clock, from->time, call_duration(text));
	return syscalls_whole(&s->calls, t, from->time, end, text, e);
}

/* The process of a line: a new one in brackets, without a clone under way, is the first. */
static int
find_pid(struct strace *s, const struct stamp *stamp, uint32_t *pid, struct error *e)
{
	struct kernel *k = &s->calls.kernel;
	uint32_t       known = k->ntasks;

	*pid = stamp->pid;
	if (*pid && !stamp->brackets)
		return 0;
	if (!*pid) {
		if (s->brackets)
			s->alone = kernel_alone(k);
		s->bare = true;
		s->brackets = false;
		*pid = s->alone;
		return 0;
	}
	s->brackets = true;
	if (!kernel_entry(k, *pid, e))
		return -1;
	if (s->bare && !s->first && k->ntasks > known && !k->cloning)
		s->first = *pid;
	if (*pid == s->first)
		*pid = 0;
	return 0;
}

/* A line with a call in it, or with the end of a process or a signal. */
static int
read_call(struct strace *s, struct stream *from, uint32_t pid, char *text, struct error *e)
{
	bool	     split = text[from->line + from->length - text - 1] == '>';
	struct task *t;

	if (*text == '[' || *text == '-' || (split && ends_with(text, "<detached ...>")))
		return 0;
	if (*text == '+')
		return strstr(text, " by execve in ")
		    ? 0
		    : syscalls_exit(&s->calls, pid, from->time, e);
	t = kernel_task(&s->calls.kernel, pid, e);
	if (!t)
		return -1;
	if (*text == '<')
		return resume_call(s, from, t, text, e);
	if (split && ends_with(text, UNFINISHED))
		return syscalls_begin(&s->calls, t, from->time, text,
		    strlen(text) - strlen(UNFINISHED), e);
	return whole_call(s, from, t, text, e);
}

/* Has what is behind a stamp the form of a call, or of what strace says about a process? */
static bool
looks_like_call(const char *text)
{
	if (unlikely(!isalpha((unsigned char)*text) && *text != '_'))
		return *text == '[' || text_begins(text, "<...") || text_begins(text, "+++") ||
		    text_begins(text, "---");
	while (isalnum((unsigned char)*text) || *text == '_')
		text++;
	return *text == '(';
}

static int
read_line(struct strace *s, struct stream *from, struct error *e)
{
	char	*text = from->line + (from->stamp.call - from->line);
	uint32_t pid;

	s->lines++;
	if (s->nstreams > 1)
		pid = from->pid;
	else if (find_pid(s, &from->stamp, &pid, e))
		return -1;
	return read_call(s, from, pid, text, e);
}

/* The torn line is whole with the next one, unless that is one of its own. */
static int
complete(struct strace *s, char **line, size_t *length, struct error *e)
{
	struct stamp stamp;
	size_t	     n = strlen(s->torn);
	char	    *torn = s->torn, *whole;

	s->torn = NULL;
	s->torn_lines++;
	if (n + *length > LINE_MOST || s->torn_lines > TORN_LINES ||
	    (s->torn_output && stamp_scan(*line, &stamp) && looks_like_call(stamp.call))) {
		leave_out(s, torn, input_line_number(s->calls.in) - 1);
		free(torn);
		return 0;
	}
	whole = realloc(torn, n + *length + 1);
	if (!whole) {
		free(torn);
		return error_no_memory(e);
	}
	memcpy(whole + n, *line, *length + 1);
	free(s->whole);
	*line = s->whole = whole;
	*length += n;
	return 0;
}

static int
store_torn(struct strace *s, const char *line, struct error *e)
{
	s->torn = strdup(line);
	return s->torn ? 0 : error_no_memory(e);
}

/*
 * "clone(flags=SIGCHLDstrace: Process 7 attached", and the rest of the call in the next line: 1
 * if there is no more to read in this one, else *line is whole; -1: out of memory.
 */
static int
join_line(struct strace *s, char **line, size_t *length, struct error *e)
{
	static const char attached[] = "strace: Process ";
	char		 *at;
	uint64_t	  pid;

	if (s->torn && complete(s, line, length, e))
		return -1;
	if (likely((*line)[*length - !!*length] != 'd') || !ends_with(*line, " attached") ||
	    !(at = strstr(*line, attached)))
		return 0;
	if (scan_digits(at + strlen(attached), UINT32_MAX, &pid) &&
	    !kernel_entry(&s->calls.kernel, (uint32_t)pid, e))
		return -1;
	*at = '\0';
	s->torn_output = false;
	return at > *line && store_torn(s, *line, e) ? -1 : 1;
}

/* ---- streams of lines ---- */

/* Is the line one of the log?  Then its stamp and time are those of the stream. */
static int
take_line(struct strace *s, struct stream *from, char *line, size_t length, struct error *e)
{
	if (is_skipped(line))
		return 0;
	length = call_unhex(line, length);
	if (*line == '%' && text_begins(line, "% time")) {
		s->summary = true;
		return 0;
	}
	if (!stamp_scan(line, &from->stamp) || !looks_like_call(from->stamp.call)) {
		leave_out(s, line, input_line_number(from->in));
		return 0;
	}
	if (unlikely(is_torn(from->stamp.call)) && s->nstreams == 1) {
		s->torn_output = true;
		return store_torn(s, line, e);
	}
	s->torn_lines = 0;
	if (!from->clock.kind && clock_choose(&from->clock, &from->stamp, from->in, e))
		return -1;
	if (!clock_time(&from->clock, &from->stamp, from->in, &from->time)) {
		leave_out(s, line, input_line_number(from->in));
		return 0;
	}
	from->line = line;
	from->length = length;
	return 1;
}

/* Before the first line. */
static int
look_at_numbers(struct stream *from, struct error *e)
{
	size_t	    n;
	const char *head = input_head(from->in, &n, e);

	if (!head)
		return -1;
	from->begun = true;
	from->numbered = stamp_are_numbered(head, n);
	return 0;
}

/* The next line of the log: 1, 0 or -1. */
static int
advance(struct strace *s, struct stream *from, struct error *e)
{
	char  *line;
	size_t length;
	int    status, taken;

	from->line = NULL;
	if (!from->begun && look_at_numbers(from, e))
		return -1;
	while ((status = input_line(from->in, &line, &length, e)) > 0) {
		if (length && line[length - 1] == '\r')
			line[--length] = '\0';
		if (s->summary)
			continue;
		if (strlen(line) != length) {
			leave_out(s, line, input_line_number(from->in));
			continue;
		}
		if (unlikely(from->numbered)) {
			size_t number = stamp_number(line);

			line += number;
			length -= number;
		}
		taken = s->nstreams > 1 ? 0 : join_line(s, &line, &length, e);
		if (taken < 0)
			return -1;
		taken = taken ? 0 : take_line(s, from, line, length, e);
		if (taken)
			return taken;
	}
	if (!status && s->torn) {
		leave_out(s, s->torn, input_line_number(from->in));
		free(s->torn);
		s->torn = NULL;
	}
	return status;
}

/* ---- the files of strace -ff ---- */

/* The process of NAME.PID, packed or not. */
static uint32_t
pid_of_file(const char *path)
{
	uint64_t pid = 0, number;

	for (const char *dot = path; (dot = strchr(dot, '.')); dot++)
		if (scan_digits(dot + 1, UINT32_MAX, &number))
			pid = number;
	return (uint32_t)pid;
}

static int
compare_times(const void *a, const void *b)
{
	usec_t x = *(const usec_t *)a, y = *(const usec_t *)b;

	return (x > y) - (x < y);
}

/* When the recording began, as a time of day: after the longest time without a first line. */
static usec_t
find_beginning(const usec_t *first, uint32_t n)
{
	usec_t begin = first[0], longest = first[0] + DAY_US - first[n - 1];

	for (uint32_t i = 1; i < n; i++)
		if (first[i] - first[i - 1] > longest) {
			longest = first[i] - first[i - 1];
			begin = first[i];
		}
	return begin;
}

/* Processes that began after midnight are a day later than those before. */
static int
align_days(struct strace *s, struct error *e)
{
	struct earliest *h = &s->earliest;
	usec_t		*first, begin;

	if (!h->n || s->stream[h->at[0].stream].clock.kind != CLOCK_DAY)
		return 0;
	first = malloc(h->n * sizeof(*first));
	if (!first)
		return error_no_memory(e);
	for (uint32_t i = 0; i < h->n; i++)
		first[i] = (usec_t)h->at[i].time;
	qsort(first, h->n, sizeof(*first), compare_times);
	begin = find_beginning(first, h->n);
	free(first);
	for (uint32_t i = 0; i < h->n; i++) {
		struct stream *of = &s->stream[h->at[i].stream];

		if (of->time < begin)
			clock_next_day(&of->clock, &of->time);
		h->at[i].time = (uint64_t)of->time;
	}
	return 0;
}

/* All files must have times by which they can be merged, of one kind. */
static int
check_clock(const struct stream *from, enum clock_kind first, struct error *e)
{
	if (from->clock.kind != CLOCK_EPOCH && from->clock.kind != CLOCK_DAY)
		return error_set(e,
		    "the files of strace -ff are merged by time, and %s: record with -ttt",
		    from->clock.kind == CLOCK_DIFFERENCES
			? "differences (-r) of one process say nothing about another"
			: "there is none in it");
	if (from->clock.kind != first)
		return error_set(e, "its times are of another kind than those of the other files");
	return 0;
}

/* An error of one file of several. */
static int
explain(const struct strace *s, const struct stream *from, struct error *e)
{
	char name[QUOTE + 4];

	if (s->nstreams == 1)
		return -1;
	text_clean(name, sizeof(name), text_file_name(input_path(from->in)));
	return error_prefix(e, "%s (line %llu)", name,
	    (unsigned long long)input_line_number(from->in));
}

/* All streams at their first lines. */
static int
start(struct strace *s, struct input *in, struct error *e)
{
	uint32_t i = 0;

	for (struct input *each = in; each; each = input_next(each))
		s->nstreams++;
	s->stream = calloc(s->nstreams, sizeof(*s->stream));
	if (!s->stream)
		return error_no_memory(e);
	if (earliest_init(&s->earliest, s->nstreams, e))
		return -1;
	for (struct input *each = in; each; each = input_next(each), i++) {
		struct stream *from = &s->stream[i];
		int	       status;

		*from = (struct stream){ .in = each, .pid = pid_of_file(input_path(each)) };
		status = advance(s, from, e);
		if (status > 0)
			earliest_add(&s->earliest, i, (uint64_t)from->time);
		if (status < 0 ||
		    (status > 0 && s->nstreams > 1 &&
			check_clock(from, s->stream[s->earliest.at[0].stream].clock.kind, e)))
			return explain(s, from, e);
	}
	if (s->nstreams > 1)
		input_note(in, "files of strace -ff are merged by time (NAME.PID)");
	if (s->nstreams > 1 && align_days(s, e))
		return -1;
	earliest_order(&s->earliest);
	return 0;
}

/* The earliest line has been read. */
static int
next_line(struct strace *s, struct error *e)
{
	struct stream *from = &s->stream[s->earliest.at[0].stream];
	int	       status = advance(s, from, e);

	if (unlikely(status < 0))
		return explain(s, from, e);
	if (status)
		earliest_change(&s->earliest, (uint64_t)from->time);
	else
		earliest_remove(&s->earliest);
	return 0;
}

/* ---- the format ---- */

static int
strace_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct strace *s = self;
	struct stream *from;

	s->calls.in = in;
	if (!s->nstreams && start(s, in, e))
		return -1;
	while (!syscalls_take(&s->calls, r)) {
		if (s->begun && next_line(s, e))
			return -1;
		s->begun = s->earliest.n;
		if (!s->earliest.n)
			return check_strange(s, e);
		from = &s->stream[s->earliest.at[0].stream];
		if (read_line(s, from, e))
			return explain(s, from, e);
	}
	return 1;
}

static unsigned
strace_lacking(const void *self)
{
	const struct strace *s = self;

	return s->nstreams && s->stream[0].clock.kind == CLOCK_NONE ? LACKS_TIMES : 0;
}

/* Is it a line of a log?  One without a time is of a call that is known, with a result. */
static bool
is_of_log(const char *line, struct stamp *stamp)
{
	if (!stamp_scan(line, stamp) || !looks_like_call(stamp->call) || *stamp->call == '[')
		return false;
	if (stamp->form == STAMP_SECONDS && stamp->ns >= CLOCK_EPOCH_NS)
		return true;
	if (stamp->form != STAMP_NONE && !isalpha((unsigned char)*stamp->call))
		return true;
	return syscalls_know(stamp->call) && (stamp->form != STAMP_NONE || has_result(stamp->call));
}

/* The first line of the log that is found there; false: none is. */
static bool
find_log(const char *head, size_t n, struct stamp *stamp)
{
	char line[LINE_ROOM];
	bool numbered = stamp_are_numbered(head, n);

	for (unsigned lines = 0; lines < FIRST_LINES && scan_head(&head, &n, line, sizeof(line));
	     lines += !is_skipped(line))
		if (is_of_log(line + (numbered ? stamp_number(line) : 0), stamp))
			return true;
	return false;
}

static bool
strace_recognise(const char *head, size_t n)
{
	struct stamp stamp;

	return find_log(head, n, &stamp);
}

/* NAME.PID of strace -ff has no processes in its lines. */
static bool
strace_of_set(const char *head, size_t n)
{
	struct stamp stamp;

	return find_log(head, n, &stamp) && !stamp.has_pid;
}

static void
strace_release(void *self)
{
	struct strace *s = self;

	syscalls_release(&s->calls);
	free(s->stream);
	free(s->earliest.at);
	free(s->torn);
	free(s->whole);
}

FORMAT(strace,
    .plugin = { .name = "strace",
	.summary = "raw log of strace -f, best with -ttt -y",
	.state_size = sizeof(struct strace) },
    .of_set = strace_of_set, .recognise = strace_recognise, .lacking = strace_lacking,
    .release = strace_release, .read = strace_read);

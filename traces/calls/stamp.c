/* stamp.c - processes and times in front of calls, and what the times mean. */
#include "traces/calls/stamp.h"
#include <string.h>

#include "sim/trace/input.h"
#include "sim/trace/scan.h"
#include "traces/calls/call.h"

enum {
	PID_MOST = 1 << 22,
	LINE_ROOM = 4096,
	ENOUGH_LINES = 6 /* whose times do not go back: they are no differences */
};

#define NS 1000000000u
#define SECONDS_MAX 9000000000u

static const char *
skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

/* "12:34:56.923212" */
static const char *
scan_day(const char *p, struct stamp *s)
{
	uint64_t minutes, seconds, ns;

	p = scan_minutes(p, 23, &minutes);
	p = p ? scan_digits(p, 60, &seconds) : NULL;
	if (!p)
		return NULL;
	s->whole = *p != '.';
	p = scan_billionths(p, &ns);
	s->form = STAMP_DAY;
	s->ns = (minutes * 60 + seconds) * NS + ns;
	return p;
}

/* A time of any form that begins at p; NULL: it is none. */
static const char *
scan_time(const char *p, struct stamp *s)
{
	uint64_t    number, ns;
	const char *end = scan_digits(p, SECONDS_MAX, &number);

	if (!end)
		return NULL;
	if (*end == ':')
		return scan_day(p, s);
	s->whole = *end != '.';
	end = scan_billionths(end, &ns);
	s->form = STAMP_SECONDS;
	s->ns = number * NS + ns;
	return end;
}

/* "7013 ", "7013<cat> " or "[pid  7013] "; NULL: it is none. */
static const char *
scan_pid(const char *p, struct stamp *s)
{
	static const char bracket[] = "[pid ";
	uint64_t	  pid;

	s->brackets = *p == '[' && !strncmp(p, bracket, strlen(bracket));
	p = scan_digits(p + (s->brackets ? strspn(p, bracket) : 0), UINT32_MAX, &pid);
	if (p && *p == '<' && (p = strchr(p, '>')))
		p++;
	if (p && s->brackets)
		p = *p == ']' ? p + 1 : NULL;
	if (!p || *p != ' ')
		return NULL;
	s->pid = (uint32_t)pid;
	s->has_pid = true;
	return skip_blanks(p);
}

/* "(+     0.000213) " of -r beside -t, and "[00007f5d] " of -i and -n. */
static const char *
skip_extras(const char *p)
{
	size_t n;

	if (p[0] == '(' && p[1] == '+' && (n = strcspn(p, ")")) && p[n])
		p = skip_blanks(p + n + 1);
	if (*p == '[' && (n = 1 + strspn(p + 1, "0123456789abcdef? ")) > 1 && p[n] == ']')
		p = skip_blanks(p + n + 1);
	return p;
}

bool
stamp_scan(const char *line, struct stamp *s)
{
	const char *p = scan_blanks(line), *behind;
	bool	    indented = p > line; /* as a difference is, and no pid */

	*s = (struct stamp){ .call = p };
	if (scan_is_digit(*p) || *p == '[') {
		behind = scan_pid(p, s);
		if (s->has_pid && !scan_is_digit(*behind) && !s->brackets &&
		    (indented || s->pid > PID_MOST)) { /* a time alone, in whole seconds */
			s->has_pid = false;
			s->pid = 0;
		} else if (behind) {
			p = behind;
		}
	}
	behind = scan_is_digit(*p) ? scan_time(p, s) : NULL;
	if (behind && *behind == ' ')
		p = skip_blanks(behind);
	else if (scan_is_digit(*p))
		return false;
	s->call = skip_extras(p);
	return *s->call;
}

/* ---- lines that are numbered ---- */

/* "  12: " and what is behind it; 0: it has no number. */
static size_t
scan_number_of(const char *line, uint64_t *number)
{
	const char *s = scan_digits(scan_blanks(line), UINT32_MAX, number);

	if (!s)
		return 0;
	s += *s == ':' || *s == '.' || *s == ')' || *s == '|';
	return *s == ' ' || *s == '\t' ? (size_t)(scan_blanks(s) - line) : 0;
}

size_t
stamp_number(const char *line)
{
	uint64_t unused;

	return scan_number_of(line, &unused);
}

bool
stamp_are_numbered(const char *head, size_t n)
{
	char	 line[LINE_ROOM];
	uint64_t number, lines = 0;

	while (lines < ENOUGH_LINES && scan_head(&head, &n, line, sizeof(line))) {
		if (!scan_number_of(line, &number) || number != lines + 1)
			return false;
		lines++;
	}
	return lines > 2;
}

/* ---- what times mean ---- */

/* Do the small numbers of seconds in the first lines go back, as differences do? */
static bool
are_differences(const struct stamp *first, const char *head, size_t n)
{
	char	     line[LINE_ROOM];
	struct stamp s;
	uint64_t     before = first->ns;
	unsigned     lines = 1;

	while (scan_head(&head, &n, line, sizeof(line))) {
		if (!stamp_scan(line, &s) || s.form != STAMP_SECONDS)
			continue;
		if (s.ns < before)
			return true;
		before = s.ns;
		lines++;
	}
	return !first->ns || lines < ENOUGH_LINES;
}

/* Do the first lines have durations? */
static bool
have_durations(const char *head, size_t n)
{
	char line[LINE_ROOM];

	while (scan_head(&head, &n, line, sizeof(line)))
		if (call_duration(line) >= 0)
			return true;
	return false;
}

int
clock_choose(struct clock *c, const struct stamp *first, struct input *in, struct error *e)
{
	const char *head;
	size_t	    n;

	if (first->form == STAMP_SECONDS && first->ns >= CLOCK_EPOCH_NS) {
		c->kind = CLOCK_EPOCH;
		if (first->whole)
			input_note(in,
			    "its times are whole seconds: order and time between calls "
			    "within a second are not known");
		return 0;
	}
	if (first->form == STAMP_DAY) {
		c->kind = CLOCK_DAY;
		input_note(in,
		    first->whole ? "its times are whole seconds of the day (strace -t): the time "
				   "between calls within a second is not known"
				 : "its times are those of the day (strace -tt)");
		return 0;
	}
	head = input_head(in, &n, e);
	if (!head)
		return -1;
	if (first->form == STAMP_SECONDS) {
		c->kind = are_differences(first, head, n) ? CLOCK_DIFFERENCES : CLOCK_EPOCH;
		if (c->kind == CLOCK_DIFFERENCES)
			input_note(in,
			    "its times are differences (strace -r): each call is at their sum up "
			    "to its line");
		return 0;
	}
	c->kind = have_durations(head, n) ? CLOCK_DURATIONS : CLOCK_NONE;
	input_note(in,
	    c->kind == CLOCK_NONE
		? "record with strace -ttt to have times"
		: "it has durations (strace -T) and no times: each call is at the end of the one "
		  "before, as if the program did nothing else");
	return 0;
}

void
clock_next_day(struct clock *c, usec_t *time)
{
	c->days += DAY_US;
	*time += DAY_US;
	if (*time > c->latest)
		c->latest = *time;
}

/* A time of day that is far before the latest is one of the next day. */
static usec_t
pass_midnight(struct clock *c, usec_t us, struct input *in)
{
	us += c->days;
	if (us + DAY_US / 2 < c->latest && c->days < INT64_MAX / 4) {
		clock_next_day(c, &us);
		input_note(in, "its times of day pass midnight: a day is added from there on");
	}
	if (us > c->latest)
		c->latest = us;
	return us;
}

bool
clock_time(struct clock *c, const struct stamp *s, struct input *in, usec_t *time)
{
	usec_t us = (usec_t)(s->ns / 1000);

	switch (c->kind) {
	case CLOCK_EPOCH:
		*time = us;
		return s->form == STAMP_SECONDS;
	case CLOCK_DAY:
		if (s->form != STAMP_DAY)
			return false;
		*time = pass_midnight(c, us, in);
		return true;
	case CLOCK_DIFFERENCES:
		if (s->form != STAMP_SECONDS || c->sum_ns > INT64_MAX - s->ns)
			return false;
		c->sum_ns += s->ns;
		*time = (usec_t)(c->sum_ns / 1000);
		return true;
	case CLOCK_UNKNOWN:
	case CLOCK_DURATIONS:
	case CLOCK_NONE:
		break;
	}
	*time = c->now;
	return s->form == STAMP_NONE;
}

usec_t
clock_end(struct clock *c, usec_t began, usec_t lasted)
{
	if (c->kind == CLOCK_DURATIONS && lasted > 0 && began + lasted > c->now)
		c->now = began + lasted;
	return c->now;
}

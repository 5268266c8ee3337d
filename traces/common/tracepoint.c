/* tracepoint.c - take lines of kernel events apart. */
#include "traces/common/tracepoint.h"

enum { HEX_DIGITS = 8 };

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Back over blanks; the end of what is before them. */
static char *
before_blanks(const char *line, char *end)
{
	while (end > line && is_blank(end[-1]))
		end--;
	return end;
}

/* Back over a word. */
static char *
before_word(const char *line, char *end)
{
	while (end > line && !is_blank(end[-1]))
		end--;
	return end;
}

/* "7269912.982162: ": the start of the time; *end: the colon.  NULL: there is none. */
static char *
find_time(char *line, char **end)
{
	for (char *colon = strchr(line, ':'); colon; colon = strchr(colon + 1, ':')) {
		char	*s = colon;
		unsigned points = 0;

		if (!is_blank(colon[1]))
			continue;
		while (s > line && (scan_is_digit(s[-1]) || s[-1] == '.'))
			points += *--s == '.';
		if (points == 1 && s > line && is_blank(s[-1]) && scan_is_digit(*s)) {
			*end = colon;
			return s;
		}
	}
	return NULL;
}

/* "block:block_rq_issue: " or "sys_read(": the name of the event, and what is behind it. */
static bool
take_name(char *s, struct tracepoint *t)
{
	char *end;

	s += scan_blanks(s) - s;
	for (end = t->name = s; (unsigned char)*end > ' ' && *end != '('; end++)
		if (*end == ':' && (unsigned char)end[1] > ' ')
			t->name = end + 1;
	t->body = end + (scan_blanks(end) - end);
	end -= end > t->name && end[-1] == ':';
	t->length = (size_t)(end - t->name);
	return t->length && (scan_is_letter(*t->name) || *t->name == '_');
}

/* "1692", or "1690/1692", that ends there: its start.  NULL: there is no number. */
static char *
take_pid(const char *line, char *end, struct tracepoint *t)
{
	char	*s = end;
	uint64_t n;

	while (s > line && scan_is_digit(s[-1]))
		s--;
	if (!scan_digits(s, UINT32_MAX, &n) || s == end)
		return NULL;
	t->pid = t->tid = (uint32_t)n;
	if (s == line || s[-1] != '/')
		return s;
	end = --s;
	while (s > line && scan_is_digit(s[-1]))
		s--;
	if (s == end || !scan_digits(s, UINT32_MAX, &n))
		return NULL;
	t->pid = (uint32_t)n;
	return s;
}

/* "[001]" or "[001] d..1.": the end of what is before; *end: there is none. */
static char *
before_cpu(const char *line, char *end)
{
	char *s = before_blanks(line, end);

	if (s > line && s[-1] != ']') {
		char *flags = before_blanks(line, before_word(line, s));

		if (flags == line || flags[-1] != ']')
			return s;
		s = flags;
	}
	while (s > line && *--s != '[')
		if (!scan_is_digit(*s) && *s != ']')
			return end;
	return before_blanks(line, s);
}

/* "( 1690)", "(-----)": the same. */
static char *
before_group(const char *line, char *end)
{
	char *s = end;

	if (s == line || s[-1] != ')')
		return end;
	while (s > line && *--s != '(')
		;
	return before_blanks(line, s);
}

bool
tracepoint_scan(char *line, struct tracepoint *t)
{
	char *colon, *time = find_time(line, &colon), *s;

	if (!time || !lines_time(time, UNIT_S, &t->time) || !take_name(colon + 1, t))
		return false;
	s = take_pid(line, before_group(line, before_cpu(line, time)), t);
	if (!s || s == line || (s[-1] != '-' && !is_blank(s[-1])))
		return false;
	t->comm = line + (scan_blanks(line) - line);
	t->comm_end = s[-1] == '-' ? s - 1 : before_blanks(line, s);
	if (t->comm_end <= t->comm || !strncmp(t->comm, "<...>", 5))
		t->comm = NULL;
	return true;
}

/* "# entries-in-buffer/entries-written: 205/1520   #P:4" */
static void
note_overwritten(const char *line, struct input *in)
{
	uint64_t    left, written;
	const char *s = strchr(line, ':');

	s = s ? scan_digits(scan_blanks(s + 1), UINT64_MAX, &left) : NULL;
	s = s && *s == '/' ? scan_digits(s + 1, UINT64_MAX, &written) : NULL;
	if (s && written > left)
		lines_note_lost(in, written - left);
}

static bool
is_call_chain(const char *s)
{
	uint64_t    n;
	const char *first = scan_blanks(s), *end = scan_hex(first, &n);

	return !strncmp(first, "=> ", 3) || (first > s && end && end - first >= HEX_DIGITS);
}

void
tracepoint_skip(struct input *in, const char *line)
{
	static const char *const headings[] = { "cpus=", "version =", "CPU " };

	if (*line == '#')
		note_overwritten(line, in);
	if (*line == '#' || is_call_chain(line))
		return;
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		if (!strncmp(line, headings[i], strlen(headings[i])))
			return;
	lines_skip(in, line);
}

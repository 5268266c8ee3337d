/*
 * procmon.c - events of Process Monitor (Sysinternals), saved as CSV.
 *
 *	"Time of Day","Process Name","PID","Operation","Path","Result","Detail"
 *	"10:23:45.1234567 AM","a.exe","4012","ReadFile","C:\\a","SUCCESS","Offset: 0, Length: 4,096, Priority: Normal"
 *
 * Read are ReadFile and WriteFile that succeeded, with the columns in any order
 * and more of them.  A read that misses the system's cache shows up again as
 * paging I/O below it, and so does what is written back later: rows with that
 * flag are left out.  Numbers have the groups of digits of the user's
 * language.  Times of day go on after midnight.  Names of files are the same in
 * capitals and in small letters; the first spelling is that of the trace.
 */
#include <stdio.h>

#include "sim/base/map.h"
#include "traces/common/lines.h"

enum { CELLS = 64, LINE_ROOM = 4096, HOURS_MAX = 24 * 3600, HALF_DAY = 12 * 60 };

enum column { OPERATION, DETAIL, PATH, RESULT, PROCESS, PID, RELATIVE, TIME, DATE, COLUMNS };

static const char *const names[COLUMNS] = { "Operation", "Detail", "Path", "Result", "Process Name",
	"PID", "Relative Time", "Time of Day", "Date & Time" };

struct order {
	unsigned place[COLUMNS]; /* from 1; 0: there is none */
	unsigned cells;		 /* needed */
	char	 separator;
};

struct procmon {
	struct order	  order; /* cells 0: not known yet */
	struct lines_days days;
	struct names	  folded, spelled; /* paths in small letters, and as they were first */
	uint32_t	  last;		   /* the number of the last path; 0: none */
	char		  copy[LINE_ROOM];
};

/* ---- the order of columns ---- */

static bool
take_heading(struct order *o, char *line)
{
	char	*cell[CELLS];
	unsigned n;

	*o = (struct order){ .separator = lines_separator(line) };
	n = lines_cells(line, o->separator, cell, CELLS);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < COLUMNS; k++)
			if (!strcmp(cell[i], names[k])) {
				o->place[k] = i + 1;
				o->cells = i + 1;
			}
	return o->place[OPERATION] && o->place[DETAIL] && o->place[PATH];
}

/* The columns of a file that has lost its heading, which are those that are shown unless changed. */
static void
take_default(struct order *o)
{
	char heading[] = "Time of Day,Process Name,PID,Operation,Path,Result,Detail";

	take_heading(o, heading);
}

static bool
is_plain_row(char *line)
{
	char	*cell[CELLS];
	unsigned n = lines_cells(line, ',', cell, CELLS);

	return n == 7 &&
	    (!strcmp(cell[3], "ReadFile") || !strcmp(cell[3], "WriteFile") ||
		!strcmp(cell[3], "CreateFile") || !strcmp(cell[3], "CloseFile"));
}

static bool
procmon_recognise(const char *head, size_t n)
{
	char	     line[LINE_ROOM], copy[LINE_ROOM];
	struct order order;

	for (unsigned i = 0; i < LINES_HEAD && scan_head(&head, &n, line, sizeof(line)); i++) {
		strcpy(copy, line);
		if (take_heading(&order, copy) || is_plain_row(line))
			return true;
	}
	return false;
}

/* ---- one row ---- */

/* Is one of the words for a half of the day in the text? */
static bool
has_word(const char *s, const char *const word[], size_t words)
{
	for (size_t i = 0; i < words; i++)
		if (strstr(s, word[i]))
			return true;
	return false;
}

/* "10:23:45.1234567 AM", perhaps behind a date or AM: microseconds, or -1. */
static usec_t
time_of(const char *text)
{
	static const char *const before[] = { "AM", "am", "a. m.", "\u4e0a\u5348", "\uc624\uc804" };
	static const char *const after[] = { "PM", "pm", "p. m.", "\u4e0b\u5348", "\uc624\ud6c4" };
	const char		*s = text + strcspn(text, ":"), *end;
	uint64_t		 minutes;
	usec_t			 us;
	char			 seconds[32];
	size_t			 point;
	bool			 late;

	while (s > text && scan_is_digit(s[-1]))
		s--;
	end = scan_minutes(s, HOURS_MAX, &minutes);
	if (!end || strlen(end) >= sizeof(seconds) - 1)
		return -1;
	strcpy(seconds, end);
	point = strcspn(seconds, ","); /* of many languages */
	seconds[point] = seconds[point] ? '.' : '\0';
	end = lines_time(seconds, UNIT_S, &us);
	if (!end)
		return -1;
	late = has_word(text, after, sizeof(after) / sizeof(*after));
	if (late || has_word(text, before, sizeof(before) / sizeof(*before)))
		minutes = minutes % HALF_DAY + (late ? HALF_DAY : 0);
	return (usec_t)(minutes * 60 * UNIT_S) + us;
}

/* "Length: 4,096" in the detail, up to its end or a comma and a blank; false: it is not there. */
static bool
find_number(const char *detail, const char *name, uint64_t *n)
{
	const char *s = strstr(detail, name);

	s = s ? lines_grouped(s + strlen(name), n) : NULL;
	return s && (!*s || (*s == ',' && s[1] == ' '));
}

static const char *
cell_of(const struct order *o, char *const cell[], enum column c)
{
	return o->place[c] ? cell[o->place[c] - 1] : "";
}

/* Is it a call to be read?  What is left out is counted. */
static bool
is_call(const struct order *o, char *const cell[], struct input *in)
{
	const char *operation = cell_of(o, cell, OPERATION);

	if (strcmp(operation, "ReadFile") != 0 && strcmp(operation, "WriteFile") != 0) {
		input_count(in, "events other than ReadFile and WriteFile were left out");
		return false;
	}
	if (o->place[RESULT] && strcmp(cell_of(o, cell, RESULT), "SUCCESS") != 0) {
		input_count(in, "reads and writes that did not succeed were left out");
		return false;
	}
	if (strstr(cell_of(o, cell, DETAIL), "Paging I/O")) {
		input_count(in,
		    "paging I/O, of the system's cache and of mapped files, was left out");
		return false;
	}
	if (strstr(cell_of(o, cell, DETAIL), "Offset: -1")) {
		input_count(in,
		    "writes to the end of a file do not tell the place and were left out");
		return false;
	}
	return true;
}

static int
take_time(struct procmon *p, char *const cell[], struct record *r, struct error *e)
{
	enum column c = p->order.place[RELATIVE] ? RELATIVE : p->order.place[TIME] ? TIME : DATE;
	const char *text = cell_of(&p->order, cell, c);
	usec_t	    time = p->order.place[c] ? time_of(text) : 0;

	if (time < 0)
		return error_set(e, "%s: '%s' is no time such as 10:23:45.1234567 AM", names[c],
		    text);
	r->time = lines_follow(&p->days, time);
	return 0;
}

/* The first spelling of a path; NULL: out of memory. */
static const char *
path_of(struct procmon *p, const char *path)
{
	char small[LINE_ROOM];

	if (p->last && !strcmp(p->spelled.name[p->last], path))
		return p->spelled.name[p->last];
	for (size_t i = 0;; i++) {
		bool capital = path[i] >= 'A' && path[i] <= 'Z';

		small[i] = (char)(path[i] | (capital ? 0x20 : 0));
		if (i == sizeof(small) - 1 || !path[i])
			break;
	}
	small[sizeof(small) - 1] = '\0';
	p->last = names_intern(&p->folded, small);
	if (!p->last || (p->last > p->spelled.n && !names_intern(&p->spelled, path)))
		return NULL;
	return p->spelled.name[p->last];
}

static int
take_row(struct procmon *p, char *const cell[], struct record *r, struct error *e)
{
	const char *detail = cell_of(&p->order, cell, DETAIL), *pid = cell_of(&p->order, cell, PID);
	uint64_t    n = 1;

	if (!find_number(detail, "Offset: ", &r->offset) ||
	    !find_number(detail, "Length: ", &r->length))
		return error_set(e, "Detail: '%.60s' has no offset and length", detail);
	if (*pid && !lines_grouped(pid, &n))
		return scan_explain("PID", pid, UINT32_MAX, e);
	r->op = *cell_of(&p->order, cell, OPERATION) == 'W' ? OP_WRITE : OP_READ;
	r->pid = (uint32_t)n;
	r->no_fd = true;
	r->path = path_of(p, cell_of(&p->order, cell, PATH));
	if (!r->path)
		return error_no_memory(e);
	r->process_name = cell_of(&p->order, cell, PROCESS);
	return take_time(p, cell, r, e);
}

/* 1: a record; 0: nothing of interest; -1: error. */
static int
take_line(struct procmon *p, struct input *in, char *line, struct record *r, struct error *e)
{
	char	    *cell[CELLS];
	struct order order;
	unsigned     n;

	if (unlikely(!p->order.cells || strstr(line, names[RESULT]))) {
		snprintf(p->copy, sizeof(p->copy), "%s", line);
		if (take_heading(&order, p->copy)) {
			p->order = order;
			return 0;
		}
		if (!p->order.cells)
			take_default(&p->order);
	}
	n = lines_cells(line, p->order.separator, cell, CELLS);
	if (n < p->order.cells) {
		input_skip(in, line);
		return 0;
	}
	if (!is_call(&p->order, cell, in))
		return 0;
	return take_row(p, cell, r, e) ? -1 : r->length != 0;
}

static int
procmon_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct procmon *p = self;
	char	       *line;
	int		status, taken;

	do {
		status = scan_line(in, &line, e);
		if (status <= 0)
			return status;
		taken = take_line(p, in, line, r, e);
	} while (!taken);
	return taken;
}

static unsigned
lacking(const void *self)
{
	const struct order *o = &((const struct procmon *)self)->order;

	return o->cells && !o->place[RELATIVE] && !o->place[TIME] && !o->place[DATE] ? LACKS_TIMES
										     : 0;
}

static void
procmon_release(void *self)
{
	struct procmon *p = self;

	names_release(&p->folded);
	names_release(&p->spelled);
}

FORMAT(procmon,
    .plugin = { .name = "procmon",
	.summary = "Process Monitor, CSV: reads and writes of files",
	.state_size = sizeof(struct procmon) },
    .recognise = procmon_recognise, .lacking = lacking, .read = procmon_read,
    .release = procmon_release);

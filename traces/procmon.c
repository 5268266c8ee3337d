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
 * language.  Times of day go on after midnight.
 */
#include <stdio.h>

#include "traces/common/lines.h"

enum { CELLS = 64, LINE_ROOM = 4096, HOURS_MAX = 24 * 3600, HALF_DAY = 12 * 60 };

enum column { OPERATION, DETAIL, PATH, RESULT, PROCESS, PID, RELATIVE, TIME, COLUMNS };

static const char *const names[COLUMNS] = { "Operation", "Detail", "Path", "Result", "Process Name",
	"PID", "Relative Time", "Time of Day" };

struct order {
	unsigned place[COLUMNS]; /* from 1; 0: there is none */
	unsigned cells;		 /* needed */
	char	 separator;
};

struct procmon {
	struct order	  order; /* cells 0: not known yet */
	struct lines_days days;
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

/* "10:23:45.1234567 AM": microseconds, or -1. */
static usec_t
time_of(const char *s)
{
	uint64_t    minutes;
	usec_t	    us;
	const char *end = scan_minutes(s, HOURS_MAX, &minutes);
	char	    seconds[32];
	size_t	    point;

	if (!end || strlen(end) >= sizeof(seconds) - 1)
		return -1;
	strcpy(seconds, end);
	point = strcspn(seconds, ","); /* of many languages */
	seconds[point] = seconds[point] ? '.' : '\0';
	end = lines_time(seconds, UNIT_S, &us);
	if (!end)
		return -1;
	end = scan_blanks(end);
	if (*end == 'P' || *end == 'A')
		minutes = minutes % HALF_DAY + (*end == 'P' ? HALF_DAY : 0);
	return (usec_t)(minutes * 60 * UNIT_S) + us;
}

/* "Length: 4,096" in the detail; false: it is not there. */
static bool
find_number(const char *detail, const char *name, uint64_t *n)
{
	const char *s = strstr(detail, name);

	return s && lines_grouped(s + strlen(name), n);
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
	enum column c = p->order.place[RELATIVE] ? RELATIVE : TIME;
	const char *text = cell_of(&p->order, cell, c);
	usec_t	    time = p->order.place[c] ? time_of(text) : 0;

	if (time < 0)
		return error_set(e, "%s: '%s' is no time such as 10:23:45.1234567 AM", names[c],
		    text);
	r->time = lines_follow(&p->days, time);
	return 0;
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
	r->path = cell_of(&p->order, cell, PATH);
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

FORMAT(procmon,
    .plugin = { .name = "procmon",
	.summary = "Process Monitor, CSV: reads and writes of files",
	.state_size = sizeof(struct procmon) },
    .recognise = procmon_recognise, .read = procmon_read);

/*
 * xperf.c - requests to disks of Windows: text of xperf -a dumper, and tables of WPA as CSV.
 *
 *	BeginHeader
 *	   DiskRead,  TimeStamp,     Process Name ( PID),   ThreadID,     IrpPtr,   ByteOffset,     IOSize, ElapsedTime,  DiskNum, ...
 *	EndHeader
 *	   DiskRead,       1234,            a.exe ( 800),        812, 0xfffffa80, 0x000012000, 0x00001000,         234,        0, ...
 *
 *	Line #,Process,IO Type,Path Name,Disk,Size (B),Min Offset,Init Time (s),Complete Time (s)
 *
 * The first are also the enterprise and production traces of Microsoft at SNIA.
 *	FileIoRead,  TimeStamp,     Process Name ( PID),   ThreadID, ..., FileObject, ByteOffset, Size, Flags, ExtraFlags, Priority, FileName
 *
 * Calls to files (FileIo) show up again as requests to disks, if they miss:
 * events=files reads them instead, but for paging I/O, which is the system's.
 * A heading tells the order of columns.  TimeStamp, in microseconds, is that of
 * the completion: a request begins by ElapsedTime before.  A disk is a volume.
 */
#include <stddef.h>
#include <stdio.h>

#include "traces/common/lines.h"

enum { PAGING = 0x2 /* IRP_PAGING_IO */ };
enum { CELLS = 64, LINE_ROOM = 1024, TEXT_ROOM = 32, HEAD_ROWS = 400 };

/* So that no request begins before 0. */
#define ORIGIN_US DAY_US

enum column { TYPE, OFFSET, SIZE, START, END, ELAPSED, DISK, PROCESS, FLAGS, NAME, COLUMNS };

/* Values of the parameter. */
enum xperf_events { OF_DISKS, OF_FILES };

static const char *const names[COLUMNS][6] = {
	[TYPE] = { "IO Type", "DiskRead", "DiskWrite", "FileIoRead", "FileIoWrite", NULL },
	[OFFSET] = { "ByteOffset", "Min Offset", "Offset", NULL },
	[SIZE] = { "IOSize", "Size (B)", "Size", NULL },
	[START] = { "Init Time (s)", "Start Time (s)", NULL },
	[END] = { "TimeStamp", "Complete Time (s)", "End Time (s)", NULL },
	[ELAPSED] = { "ElapsedTime", "IO Time (\xc2\xb5s)", "IO Time (us)", NULL },
	[DISK] = { "DiskNum", "Disk", NULL },
	[PROCESS] = { "Process Name ( PID)", "Process", NULL },
	[FLAGS] = { "Flags", NULL },
	[NAME] = { "FileName", NULL },
};

struct order {
	unsigned place[COLUMNS]; /* from 1; 0: there is none */
	unsigned cells;		 /* needed */
	char	 separator;
	bool	 dumper; /* times are microseconds, other events are between */
	bool	 files;
};

struct xperf {
	uint64_t     events; /* enum xperf_events */
	uint64_t     others; /* rows of the other value */
	uint64_t     read;
	struct order order; /* cells 0: not known yet */
	bool	     in_header;
	char	     copy[LINE_ROOM], volume[TEXT_ROOM];
};

static const char *const event_words[] = { "disks", "files", NULL };

static const struct param params[] = {
	{ "events", PARAM_WORD, OF_DISKS, 0, OF_FILES, offsetof(struct xperf, events),
	    "requests to disks, or calls to files (FileIo)", event_words },
	{ .name = NULL },
};

/* ---- the order of columns ---- */

static void
place_cell(struct order *o, const char *cell, unsigned i)
{
	for (unsigned k = 0; k < COLUMNS; k++)
		for (const char *const *name = names[k]; *name; name++)
			if (!strcmp(cell, *name) && !o->place[k]) {
				o->place[k] = i + 1;
				o->cells = i + 1;
			}
}

static unsigned
most_cells(const struct order *o)
{
	unsigned most = 0;

	for (unsigned k = 0; k < COLUMNS; k++)
		most = o->place[k] > most ? o->place[k] : most;
	return most;
}

static bool
take_heading(struct order *o, char *line)
{
	char	*cell[CELLS];
	unsigned n;

	*o = (struct order){ .separator = lines_separator(line) };
	n = lines_cells(line, o->separator, cell, CELLS);
	for (unsigned i = 0; i < n; i++)
		place_cell(o, cell[i], i);
	o->files = n && !strncmp(cell[0], "FileIo", 6);
	o->dumper = n && (o->files || !strncmp(cell[0], "Disk", 4)) && o->place[TYPE] == 1;
	if (!o->files) { /* a request to a disk may name several files */
		o->place[FLAGS] = o->place[NAME] = 0;
		o->cells = most_cells(o);
	}
	return o->place[TYPE] && o->place[OFFSET] && o->place[SIZE] &&
	    (o->place[START] || o->place[END]);
}

/* Of a dump without its header. */
static void
take_default(struct order *o, enum xperf_events events)
{
	char files[] =
	    "FileIoRead,TimeStamp,Process Name ( PID),ThreadID,LoggingProcessName ( PID),"
	    "LoggingThreadID,CPU,IrpPtr,FileObject,ByteOffset,Size,Flags,ExtraFlags,"
	    "Priority,FileName";
	char disks[] = "DiskRead,TimeStamp,Process Name ( PID),ThreadID,IrpPtr,ByteOffset,"
		       "IOSize,ElapsedTime,DiskNum";

	take_heading(o, events == OF_FILES ? files : disks);
}

/* 'R', 'W', or 0: another kind of event. */
static char
kind_of(const char *type, enum xperf_events events)
{
	if (events == OF_FILES)
		return !strcmp(type, "FileIoRead") ? 'R' : !strcmp(type, "FileIoWrite") ? 'W' : 0;
	if (!strcmp(type, "DiskRead") || !strcmp(type, "Read"))
		return 'R';
	return !strcmp(type, "DiskWrite") || !strcmp(type, "Write") ? 'W' : 0;
}

static bool
is_plain_row(char *line)
{
	char	*cell[CELLS];
	unsigned n = lines_cells(line, ',', cell, CELLS);

	return n >= 9 && !strncmp(cell[0], "Disk", 4) && kind_of(cell[0], OF_DISKS) &&
	    *cell[5] == '0' && (cell[5][1] | 0x20) == 'x';
}

static bool
xperf_recognise(const char *head, size_t n)
{
	char	     line[LINE_ROOM], copy[LINE_ROOM];
	struct order order;

	for (unsigned i = 0; i < HEAD_ROWS && scan_head(&head, &n, line, sizeof(line)); i++) {
		if (!strchr(line, ',') && !strchr(line, ';') && !strchr(line, '\t'))
			continue;
		strcpy(copy, line);
		if (take_heading(&order, copy) || is_plain_row(line))
			return true;
	}
	return false;
}

/* ---- one row ---- */

/* "1,234.5" or "1234,5" in units. */
static bool
scan_time(const char *s, enum lines_unit unit, usec_t *time)
{
	char   text[TEXT_ROOM];
	size_t n = 0;
	bool   pointed = strchr(s, '.');

	for (; *s && n < sizeof(text) - 1; s++)
		if (*s != ',' || !pointed)
			text[n++] = *s == ',' ? '.' : *s;
	text[n] = '\0';
	return lines_time(text, unit, time);
}

static bool
take_time(const struct order *o, char *const cell[], struct record *r)
{
	enum column c = o->place[START] ? START : END;
	usec_t	    elapsed = 0;

	if (!scan_time(cell[o->place[c] - 1], o->dumper ? UNIT_US : UNIT_S, &r->time))
		return false;
	if (c == END && o->place[ELAPSED] &&
	    !scan_time(cell[o->place[ELAPSED] - 1], UNIT_US, &elapsed))
		return false;
	r->time += ORIGIN_US - elapsed;
	return true;
}

/* "a.exe ( 800)" or "a.exe (800)": its name, and its number. */
static void
take_process(char *cell, struct record *r)
{
	char	*open = strrchr(cell, '(');
	uint64_t pid = 0;

	r->process_name = cell;
	if (!open || !scan_digits(scan_blanks(open + 1), UINT32_MAX, &pid))
		return;
	r->pid = (uint32_t)pid;
	while (open > cell && open[-1] == ' ')
		open--;
	*open = '\0';
}

static bool
take_row(struct xperf *x, char *const cell[], struct record *r)
{
	const struct order *o = &x->order;

	r->op = kind_of(cell[o->place[TYPE] - 1], (enum xperf_events)x->events) == 'W' ? OP_WRITE
										       : OP_READ;
	r->pid = 1;
	if (o->place[PROCESS])
		take_process(cell[o->place[PROCESS] - 1], r);
	snprintf(x->volume, sizeof(x->volume), "disk %s",
	    o->place[DISK] ? cell[o->place[DISK] - 1] : "?");
	r->path = o->files ? cell[o->place[NAME] - 1] : x->volume;
	r->no_fd = o->files;
	return lines_grouped(cell[o->place[OFFSET] - 1], &r->offset) &&
	    lines_grouped(cell[o->place[SIZE] - 1], &r->length) && take_time(o, cell, r);
}

/* "0x00060043": is it of the cache or of a mapped file? */
static bool
is_paging(const struct xperf *x, char *const cell[])
{
	uint64_t flags;

	return x->order.place[FLAGS] && lines_grouped(cell[x->order.place[FLAGS] - 1], &flags) &&
	    flags & PAGING;
}

/* What the dumper says besides events. */
static bool
is_said(struct xperf *x, struct input *in, const char *line)
{
	bool header = x->in_header;

	x->in_header =
	    (header && strncmp(line, "EndHeader", 9) != 0) || !strncmp(line, "BeginHeader", 11);
	return header || x->in_header ||
	    (!strncmp(line, "OS Version:", 11) && lines_lost(in, line));
}

/* 1: a record; 0: nothing of interest; -1: error. */
static int
take_line(struct xperf *x, struct input *in, char *line, struct record *r, struct error *e)
{
	char	    *cell[CELLS];
	struct order order;
	unsigned     n;

	if (!x->order.cells || strstr(line, "TimeStamp") || strstr(line, "IO Type")) {
		snprintf(x->copy, sizeof(x->copy), "%s", line);
		if (take_heading(&order, x->copy)) {
			if (order.files == (x->events == OF_FILES) &&
			    (!order.files || order.place[NAME]))
				x->order = order;
			return 0;
		}
		if (!x->order.cells && !x->in_header && strncmp(line, "BeginHeader", 11) != 0)
			take_default(&x->order, (enum xperf_events)x->events);
	}
	if (is_said(x, in, line))
		return 0;
	if (!x->order.cells)
		return 0;
	n = lines_cells(line, x->order.separator, cell, CELLS);
	if (n < x->order.cells ||
	    !kind_of(cell[x->order.place[TYPE] - 1], (enum xperf_events)x->events)) {
		x->others += n && kind_of(cell[0], x->events == OF_FILES ? OF_DISKS : OF_FILES);
		if (x->order.dumper || n >= x->order.cells)
			input_count(in,
			    x->events == OF_FILES
				? "events other than reads and writes of files were left out"
				: "events other than reads and writes of disks were left out");
		else
			input_skip(in, line);
		return 0;
	}
	if (is_paging(x, cell)) {
		input_count(in,
		    "paging I/O, of the system's cache and of mapped files, was left out");
		return 0;
	}
	if (take_row(x, cell, r))
		return r->length != 0;
	return error_set(e, "%s of %s: not time, offset and length", cell[x->order.place[TYPE] - 1],
	    x->volume);
}

static int
xperf_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct xperf *x = self;
	char	     *line;
	int	      status, taken;

	do {
		status = scan_line(in, &line, e);
		if (!status && !x->read && x->others)
			return error_set(e, "has no %s, but %s: type --format xperf:events=%s",
			    x->events == OF_FILES ? "calls to files" : "requests to disks",
			    x->events == OF_FILES ? "requests to disks" : "calls to files",
			    event_words[x->events != OF_FILES]);
		if (status <= 0)
			return status;
		taken = take_line(x, in, line, r, e);
	} while (!taken);
	x->read += taken > 0;
	if (taken > 0 && x->order.files)
		input_note(in, "times are those at which calls began");
	else if (taken > 0 && !x->order.place[START])
		input_note(in,
		    x->order.place[ELAPSED]
			? "times are those of the start of a request: its end less the time it took"
			: "times are those at which requests had been completed");
	return taken;
}

static unsigned
xperf_lacking(const void *self)
{
	return ((const struct xperf *)self)->events == OF_FILES ? 0 : LACKS_FILES;
}

FORMAT(xperf,
    .plugin = { .name = "xperf",
	.summary = "Windows: disk events of xperf -a dumper, tables of WPA as CSV",
	.state_size = sizeof(struct xperf),
	.params = params },
    .lacking = xperf_lacking, .recognise = xperf_recognise, .read = xperf_read);

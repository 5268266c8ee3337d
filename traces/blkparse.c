/*
 * blkparse.c - the text that blkparse prints, in its default form.
 *
 *	  8,16   5        2     0.000001850 18615  Q   R 1444645666 + 256 [java]
 *
 * Device, processor, number, seconds, process, action, flags, sector + sectors
 * and the name of the process.  events.h says which action is taken.  Requests
 * without sectors, flushes, discards and commands move nothing and are left
 * out, and so is the summary at the end.  A device is a volume.
 */
#include <stdio.h>
#include <string.h>

#include "sim/trace/scan.h"
#include "traces/events.h"

enum { LINE_ROOM = 512, QUOTE = 48, ROWS = 5 };

struct blkparse {
	struct events events;
	usec_t	      before; /* time of the row before */
	bool	      started, in_summary;
	char	      kept[LINE_ROOM]; /* a line while those behind it are looked at */
};

struct row {
	uint64_t	  major, minor, pid, sector, sectors;
	usec_t		  time;
	enum event_action action;
	bool		  write;
	char		 *name;
};

static const struct param params[] = { EVENTS_PARAM, { 0 } };

/* ---- one row ---- */

static const char *
scan_device(const char *s, struct row *w)
{
	s = scan_digits(scan_blanks(s), UINT32_MAX, &w->major);
	if (!s || *s != ',')
		return NULL;
	return scan_number(s + 1, UINT32_MAX, &w->minor);
}

static enum event_action
action_of(const char *s)
{
	if (!scan_ends_field(s[1]))
		return EVENT_OTHER;
	return *s == 'Q' ? EVENT_Q : *s == 'D' ? EVENT_D : *s == 'C' ? EVENT_C : EVENT_OTHER;
}

static bool
is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* All up to the action; returns the flags behind it.  NULL: this is no row. */
ALWAYS_INLINE const char *
scan_start(const char *s, struct row *w)
{
	uint64_t unused;

	s = scan_device(s, w);
	s = s ? scan_number(scan_blanks(s), UINT32_MAX, &unused) : NULL;
	s = s ? scan_number(scan_blanks(s), UINT64_MAX, &unused) : NULL;
	s = s ? scan_seconds(scan_blanks(s), &w->time) : NULL;
	s = s && scan_ends_field(*s) ? scan_number(scan_blanks(s), UINT32_MAX, &w->pid) : NULL;
	if (!s)
		return NULL;
	s = scan_blanks(s);
	if (!is_letter(*s))
		return NULL;
	w->action = action_of(s);
	while (is_letter(*s))
		s++;
	return scan_ends_field(*s) ? scan_blanks(s) : NULL;
}

/* "[java]" at s becomes its name. */
static void
take_name(char *s, struct row *w)
{
	char *end = strrchr(s, ']');

	w->name = NULL;
	if (*s != '[' || !end || w->action == EVENT_C) /* there it is the error number */
		return;
	*end = '\0';
	w->name = s + 1;
}

/* The flags and what follows: 1: moves sectors; 0: moves none; -1: damaged. */
static int
scan_extent(char *flags, struct row *w)
{
	const char *s = flags;
	char	    kind = *s == 'F' && is_letter(s[1]) ? s[1] : *s;

	while (is_letter(*s))
		s++;
	if (s == flags || !scan_ends_field(*s))
		return -1;
	s = scan_blanks(s);
	if (*s == '[')
		return 0;
	s = scan_number(s, UINT64_MAX / SECTOR_BYTES, &w->sector);
	s = s ? scan_blanks(s) : NULL;
	if (s && (*s == '[' || *s == '('))
		return 0;
	s = s && *s == '+' ? scan_number(scan_blanks(s + 1), UINT32_MAX, &w->sectors) : NULL;
	s = s ? scan_blanks(s) : NULL;
	if (!s || (*s != '[' && *s != '('))
		return -1;
	w->write = kind == 'W';
	take_name(flags + (s - flags), w);
	return w->sectors && (kind == 'R' || kind == 'W');
}

/* ---- the beginning ---- */

static bool
begins_summary(const char *line)
{
	return !strncmp(line, "CPU", 3) || !strncmp(line, "Total (", 7) ||
	    !strncmp(line, "Input file ", 11);
}

/* The first lines are rows, five at most; a short log has its summary behind them. */
static bool
blkparse_recognise(const char *head, size_t n)
{
	char	   line[LINE_ROOM];
	struct row w;
	unsigned   rows = 0;

	while (rows < ROWS && n) {
		bool whole = memchr(head, '\n', n) || !rows;

		scan_head(&head, &n, line, sizeof(line));
		if (scan_start(line, &w))
			rows++;
		else if (begins_summary(line) && rows)
			return true;
		else if (whole && *line != '#' && !scan_ends_line(scan_blanks(line)) &&
		    !scan_is_heading(line) && !begins_summary(line))
			return false;
	}
	return rows;
}

/* The next row of the head; false: there is none. */
static bool
next_row(const char **head, size_t *n, char line[LINE_ROOM], struct row *w, char **flags)
{
	while (scan_head(head, n, line, LINE_ROOM)) {
		const char *s = scan_start(line, w);

		*flags = s ? line + (s - line) : NULL;
		if (s)
			return true;
	}
	return false;
}

/* Look at the beginning: which actions there are, and whether the first time leaps. */
static int
start(struct blkparse *b, struct input *in, struct error *e)
{
	enum event_action best = EVENT_OTHER;
	size_t		  n;
	const char	 *head = input_head(in, &n, e);
	char		  line[LINE_ROOM], *flags;
	struct row	  w;

	if (!head)
		return -1;
	for (unsigned rows = 0; next_row(&head, &n, line, &w, &flags); rows++) {
		if (rows < 2 && (!rows || w.time + (usec_t)LEAP_US < b->before))
			b->before = w.time;
		if (w.action < best && scan_extent(flags, &w) == 1)
			best = w.action;
	}
	events_choose(&b->events, best);
	b->started = true;
	b->in_summary = false;
	return 0;
}

/* ---- reading ---- */

/* The row's time is a day away from that before: is the next one, too? */
static int
check_leap(struct blkparse *b, struct input *in, struct row *w, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);
	char	    line[LINE_ROOM], *flags;
	struct row  next;

	if (!head)
		return -1;
	if (next_row(&head, &n, line, &next, &flags) &&
	    !event_leaps((uint64_t)next.time, (uint64_t)w->time, LEAP_US))
		return 0;
	w->time = b->before;
	events_note_leap(in);
	return 0;
}

static int
explain(const char *line, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, line, strcspn(line, "\r"));
	return error_set(e,
	    "not a line of blkparse: '%s'; print the default form, without -f and -F", text);
}

static int
explain_extent(const char *flags, struct error *e)
{
	char text[QUOTE + 4];

	scan_quote(text, QUOTE, flags, strcspn(flags, "\r"));
	return error_set(e,
	    "'%s' is not flags, sector + sectors [process]: the line is cut off or damaged", text);
}

/* Something between the rows. */
static int
skip_line(struct blkparse *b, struct input *in, const char *line, struct error *e)
{
	b->in_summary |= begins_summary(line);
	if (b->in_summary)
		return 0;
	if (!scan_is_heading(line))
		return explain(line, e);
	input_skip(in, line);
	return 0;
}

/* 1: a read or write; 0: nothing of interest; -1: error. */
static int
take_line(struct blkparse *b, struct input *in, char *line, struct row *w, struct error *e)
{
	const char *s = scan_start(line, w);
	char	   *flags = s ? line + (s - line) : NULL;
	int	    moves;

	if (unlikely(!s))
		return skip_line(b, in, line, e);
	b->in_summary = false;
	if (unlikely(event_leaps((uint64_t)w->time, (uint64_t)b->before, LEAP_US))) {
		snprintf(b->kept, sizeof(b->kept), "%s", line);
		flags = strlen(line) < sizeof(b->kept) ? b->kept + (flags - line) : b->kept;
		if (check_leap(b, in, w, e))
			return -1;
	}
	b->before = w->time;
	if (!events_wants(&b->events, w->action))
		return 0;
	moves = scan_extent(flags, w);
	return moves < 0 ? explain_extent(flags, e) : moves;
}

static int
blkparse_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct blkparse *b = self;
	struct row	 w;
	char		*line;
	int		 status, taken = 0;

	if (unlikely(!b->started) && start(b, in, e))
		return -1;
	do {
		status = scan_line(in, &line, e);
		if (status <= 0) {
			events_note(&b->events, in);
			return status;
		}
		taken = take_line(b, in, line, &w, e);
	} while (!taken);
	if (taken < 0)
		return -1;
	if (unlikely(w.action != b->events.taken)) {
		b->started = false;
		return events_again(&b->events, w.action, "blkparse", in, e);
	}
	r->op = w.write ? OP_WRITE : OP_READ;
	r->time = w.time;
	r->pid = (uint32_t)w.pid;
	r->path = events_volume(&b->events, (uint32_t)w.major, (uint32_t)w.minor);
	r->process_name = w.name;
	r->offset = w.sector * SECTOR_BYTES;
	r->length = w.sectors * SECTOR_BYTES;
	return 1;
}

FORMAT(blkparse,
    .plugin = { .name = "blkparse",
	.summary = "text of blkparse in its default form",
	.state_size = sizeof(struct blkparse),
	.params = params },
    .lacks = LACKS_FILES, .recognise = blkparse_recognise, .read = blkparse_read);

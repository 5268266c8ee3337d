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

#include "traces/common/events.h"
#include "traces/common/lines.h"

enum { LINE_ROOM = 512, QUOTE = 48, ROWS = 5 };

struct blkparse {
	struct events events;
	usec_t	      before; /* time of the row before */
	bool	      started, in_summary;
	char	      kept[LINE_ROOM]; /* a line while those behind it are looked at */
};

struct row {
	struct extent	  at;
	uint64_t	  pid;
	usec_t		  time;
	enum event_action action;
	bool		  write;
	char		 *name;
	const char	 *rest; /* of the line, behind the extent */
};

static const struct param params[] = { EVENTS_PARAMS, { 0 } };

/* ---- one row ---- */

static enum event_action
action_of(const char *s)
{
	if (!scan_ends_field(s[1]))
		return EVENT_OTHER;
	switch (*s) {
	case 'Q':
		return EVENT_Q;
	case 'D':
		return EVENT_D;
	case 'C':
		return EVENT_C;
	case 'A':
		return EVENT_REMAP;
	case 'R':
		return EVENT_REQUEUE;
	}
	return EVENT_OTHER;
}

/* All up to the action; returns the flags behind it.  NULL: this is no row. */
ALWAYS_INLINE const char *
scan_start(const char *s, struct row *w)
{
	uint64_t unused;

	s = events_device(scan_blanks(s), &w->at);
	s = s && scan_ends_field(*s) ? scan_number(scan_blanks(s), UINT32_MAX, &unused) : NULL;
	s = s ? scan_number(scan_blanks(s), UINT64_MAX, &unused) : NULL;
	s = s ? scan_seconds(scan_blanks(s), &w->time) : NULL;
	s = s && scan_ends_field(*s) ? scan_number(scan_blanks(s), UINT32_MAX, &w->pid) : NULL;
	if (!s)
		return NULL;
	s = scan_blanks(s);
	if (!scan_is_letter(*s))
		return NULL;
	w->action = action_of(s);
	while (scan_is_letter(*s))
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
	uint64_t    sectors;
	char	    kind = lines_request(s);

	while (scan_is_letter(*s))
		s++;
	if (s == flags || !scan_ends_field(*s))
		return -1;
	s = scan_blanks(s);
	if (*s == '[')
		return 0;
	s = scan_number(s, UINT64_MAX / SECTOR_BYTES, &w->at.sector);
	s = s ? scan_blanks(s) : NULL;
	if (s && (*s == '[' || *s == '('))
		return 0;
	s = s && *s == '+' ? scan_number(scan_blanks(s + 1), UINT32_MAX, &sectors) : NULL;
	s = s ? scan_blanks(s) : NULL;
	if (!s || (*s != '[' && *s != '(' && *s != '<'))
		return -1;
	w->at.sectors = (uint32_t)sectors;
	w->write = kind == 'W';
	w->rest = s;
	take_name(flags + (s - flags), w);
	return sectors && (kind == 'R' || kind == 'W');
}

/* The volume that a remap comes from: "<- (253,0) 2048". */
static bool
scan_origin(const struct row *w, struct extent *from)
{
	const char *s = w->rest;

	if (strncmp(s, "<-", 2) != 0)
		return false;
	s = scan_blanks(s + 2);
	s = *s == '(' ? events_device(scan_blanks(s + 1), from) : NULL;
	return s && *s == ')' && scan_digits(scan_blanks(s + 1), UINT64_MAX, &from->sector);
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

/* An event of the beginning. */
static int
look(struct blkparse *b, struct row *w, char *flags, enum event_action *best, struct error *e)
{
	struct extent from;

	if (w->action > EVENT_REMAP || scan_extent(flags, w) != 1)
		return 0;
	if (w->action == EVENT_REMAP)
		return scan_origin(w, &from) ? events_expect(&b->events, w->action, &from, e) : 0;
	*best = w->action < *best ? w->action : *best;
	return events_expect(&b->events, w->action, &w->at, e);
}

/* Look at the beginning: which events there are, and whether the first time leaps. */
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
		if (look(b, &w, flags, &best, e))
			return -1;
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
	if (b->in_summary || lines_lost(in, line))
		return 0;
	if (!scan_is_heading(line))
		return explain(line, e);
	input_skip(in, line);
	return 0;
}

/* What a remap or a requeue says about later events: 0, or -1. */
static int
take_hint(struct blkparse *b, struct row *w, char *flags, struct error *e)
{
	struct extent from;

	if (scan_extent(flags, w) != 1)
		return 0;
	if (w->action == EVENT_REQUEUE)
		return events_requeue(&b->events, &w->at, e);
	return scan_origin(w, &from) ? events_remap(&b->events, &w->at, &from, e) : 0;
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
	if (w->action == EVENT_REMAP || w->action == EVENT_REQUEUE)
		return take_hint(b, w, flags, e);
	if (!events_wants(&b->events, w->action))
		return 0;
	moves = scan_extent(flags, w);
	if (moves < 0)
		return explain_extent(flags, e);
	return moves && w->action == b->events.taken ? events_take(&b->events, &w->at, e) : moves;
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
			events_note(&b->events, "blkparse", in);
			return status;
		}
		taken = take_line(b, in, line, &w, e);
	} while (!taken && !b->events.outdated);
	if (taken < 0)
		return -1;
	if (unlikely(b->events.outdated || w.action != b->events.taken)) {
		b->started = false;
		return events_again(&b->events, w.action, "blkparse", in, e);
	}
	r->op = w.write ? OP_WRITE : OP_READ;
	r->time = w.time;
	r->pid = (uint32_t)w.pid;
	r->process_name = w.name;
	return events_record(&b->events, &w.at, r, e);
}

static void
blkparse_release(void *self)
{
	events_release(&((struct blkparse *)self)->events);
}

FORMAT(blkparse,
    .plugin = { .name = "blkparse",
	.summary = "text of blkparse in its default form",
	.state_size = sizeof(struct blkparse),
	.params = params },
    .lacks = LACKS_FILES, .recognise = blkparse_recognise, .release = blkparse_release,
    .read = blkparse_read);

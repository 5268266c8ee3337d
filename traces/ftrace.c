/*
 * ftrace.c - events of the block layer as text: of ftrace, trace-cmd report and perf script.
 *
 *	block_rq_issue: 202,1 RA 73728 () 2977536 + 144 none,0,0 [cksum]
 *	block_rq_complete: 202,1 R () 9357056 + 72 [0]
 *	block_bio_queue: 202,1 R 9357056 + 72 [cksum]
 *
 * tracepoint.h has the beginning of the lines.  Behind the event are device,
 * flags, bytes and command (of a request), sector + sectors, since Linux 6.9 a
 * priority, and the process or the error.  Of the events of a request one is
 * taken (events.h): block_bio_queue is Q, block_rq_issue D, block_rq_complete C.
 * block_rq_insert stands for D where there is none.
 */
#include "traces/events.h"
#include "traces/tracepoint.h"

enum { LINE_ROOM = 512, REQUEUED = 64 };

struct place {
	uint32_t major, minor;
	uint64_t sector;
};

struct ftrace {
	struct events events;
	struct lines  lines;
	bool	      started, inserts;	  /* inserted is issued */
	struct place  requeued[REQUEUED]; /* to be issued again */
	unsigned      nrequeued;
};

struct row {
	struct tracepoint at;
	enum event_action action;
	struct place	  place;
	uint64_t	  sectors;
	char		  kind; /* R, W, or of no interest */
	char		 *name;
};

static const struct param params[] = { EVENTS_PARAM, { 0 } };

static const struct {
	const char	 *name;
	enum event_action action;
} actions[] = {
	{ "block_bio_queue", EVENT_Q },
	{ "block_rq_issue", EVENT_D },
	{ "block_rq_complete", EVENT_C },
};

/* ---- one row ---- */

static enum event_action
action_of(const struct ftrace *f, const struct tracepoint *t)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(*actions); i++)
		if (tracepoint_is(t, actions[i].name))
			return actions[i].action;
	return f->inserts && tracepoint_is(t, "block_rq_insert") ? EVENT_D : EVENT_OTHER;
}

/* "[cksum]" or "none,0,0 [cksum]" at s becomes the name. */
static void
take_name(char *s, struct row *w)
{
	char *start = strchr(s, '['), *end = strrchr(s, ']');

	w->name = NULL;
	if (!start || !end || end < start ||
	    w->action == EVENT_C) /* there it is the error number */
		return;
	*end = '\0';
	w->name = start + 1;
}

/* "202,1 RA": the place behind it, or NULL. */
static const char *
scan_device(const char *s, struct row *w)
{
	uint64_t major, minor;

	s = scan_digits(s, UINT32_MAX, &major);
	s = s && *s == ',' ? scan_number(s + 1, UINT32_MAX, &minor) : NULL;
	if (!s)
		return NULL;
	w->place.major = (uint32_t)major;
	w->place.minor = (uint32_t)minor;
	s = scan_blanks(s);
	w->kind = lines_request(s);
	while (lines_is_letter(*s))
		s++;
	return scan_ends_field(*s) ? scan_blanks(s) : NULL;
}

/* "73728 () 2977536 + 144"; of a bio without the first two: behind it, or NULL. */
static const char *
scan_extent(const char *s, struct row *w)
{
	const char *command = scan_digits(s, UINT64_MAX, &w->sectors);

	command = scan_blanks(command ? command : s);
	if (*command == '(') {
		s = strchr(command, ')');
		if (!s)
			return NULL;
		s = scan_blanks(s + 1);
	}
	s = scan_number(s, UINT64_MAX, &w->place.sector);
	s = s ? scan_blanks(s) : NULL;
	return s && *s == '+' ? scan_number(scan_blanks(s + 1), UINT32_MAX, &w->sectors) : NULL;
}

static bool
scan_body(struct row *w)
{
	char	   *body = w->at.body;
	const char *s = scan_device(body, w);

	s = s ? scan_extent(s, w) : NULL;
	if (s)
		take_name(body + (s - body), w);
	return s;
}

static bool
moves(const struct row *w)
{
	return w->sectors && (w->kind == 'R' || w->kind == 'W') &&
	    w->place.sector <= UINT64_MAX / SECTOR_BYTES;
}

/* ---- the beginning ---- */

/* The best action among the first lines, or EVENT_OTHER. */
static enum event_action
best_action(struct ftrace *f, const char *head, size_t n)
{
	enum event_action best = EVENT_OTHER;
	char		  line[LINE_ROOM];
	struct row	  w;

	while (scan_head(&head, &n, line, sizeof(line)))
		if (tracepoint_scan(line, &w.at) && (w.action = action_of(f, &w.at)) < best &&
		    scan_body(&w) && moves(&w))
			best = w.action;
	return best;
}

static bool
ftrace_recognise(const char *head, size_t n)
{
	struct ftrace f = { .inserts = true };

	return best_action(&f, head, n) < EVENT_OTHER;
}

static int
start(struct ftrace *f, struct input *in, struct error *e)
{
	size_t		  n;
	const char	 *head = input_head(in, &n, e);
	enum event_action best;

	if (!head)
		return -1;
	f->inserts = false;
	f->nrequeued = 0;
	best = best_action(f, head, n);
	if (best > EVENT_D) {
		f->inserts = true;
		best = best_action(f, head, n);
	}
	events_choose(&f->events, best);
	f->started = true;
	return 0;
}

/* ---- requests that are issued again ---- */

static bool
same_place(const struct place *a, const struct place *b)
{
	return a->sector == b->sector && a->major == b->major && a->minor == b->minor;
}

static void
requeue(struct ftrace *f, const struct place *p)
{
	f->requeued[f->nrequeued++ % REQUEUED] = *p;
}

/* Has it been issued before?  It is forgotten then. */
static bool
is_again(struct ftrace *f, const struct place *p)
{
	unsigned n = f->nrequeued < REQUEUED ? f->nrequeued : REQUEUED;

	for (unsigned i = 0; i < n; i++)
		if (same_place(&f->requeued[i], p)) {
			f->requeued[i].sector = UINT64_MAX;
			return true;
		}
	return false;
}

/* ---- reading ---- */

static int
skip_event(struct ftrace *f, struct input *in, struct row *w)
{
	if (tracepoint_is(&w->at, "block_rq_requeue")) {
		if (f->events.taken == EVENT_D && scan_body(w))
			requeue(f, &w->place);
	} else if (strncmp(w->at.name, "block_", 6) != 0) {
		input_count(in, "events of other parts of the kernel were left out");
	}
	return 0;
}

/* 1: a read or write; 0: nothing of interest; -1: error. */
static int
take_line(struct ftrace *f, struct input *in, char *line, struct row *w, struct error *e)
{
	char text[LINES_QUOTE + 4];

	if (unlikely(!tracepoint_scan(line, &w->at))) {
		if (!tracepoint_skips(line, in))
			lines_stray(&f->lines, in, line);
		return 0;
	}
	f->lines.rows++;
	w->action = action_of(f, &w->at);
	if (w->action == EVENT_OTHER)
		return skip_event(f, in, w);
	if (!events_wants(&f->events, w->action))
		return 0;
	if (!scan_body(w)) {
		scan_quote(text, LINES_QUOTE, w->at.body, strcspn(w->at.body, "\r"));
		return error_set(e,
		    "'%s' is not device, flags, sector + sectors [process]: the line is cut off or "
		    "damaged",
		    text);
	}
	if (!moves(w))
		return 0;
	if (unlikely(f->nrequeued) && w->action == EVENT_D && is_again(f, &w->place)) {
		input_count(in, "requests that were issued again (block_rq_requeue) are read once");
		return 0;
	}
	return 1;
}

static int
ftrace_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct ftrace *f = self;
	struct row     w;
	char	      *line;
	int	       status, taken;

	if (unlikely(!f->started) && start(f, in, e))
		return -1;
	do {
		status = scan_line_or(in, TRACEPOINT_KEPT, &line, e);
		if (status <= 0) {
			events_note(&f->events, in);
			return status ? status : lines_end(&f->lines, e);
		}
		taken = take_line(f, in, line, &w, e);
	} while (!taken);
	if (taken < 0)
		return -1;
	if (unlikely(w.action != f->events.taken)) {
		f->started = false;
		f->lines = (struct lines){ 0 };
		return events_again(&f->events, w.action, "ftrace", in, e);
	}
	r->op = w.kind == 'W' ? OP_WRITE : OP_READ;
	r->time = w.at.time;
	r->pid = w.at.pid;
	r->path = events_volume(&f->events, w.place.major, w.place.minor);
	r->process_name = w.name;
	r->offset = w.place.sector * SECTOR_BYTES;
	r->length = w.sectors * SECTOR_BYTES;
	return 1;
}

FORMAT(ftrace,
    .plugin = { .name = "ftrace",
	.summary = "block events as text: ftrace, trace-cmd report, perf script",
	.state_size = sizeof(struct ftrace),
	.params = params },
    .lacks = LACKS_FILES, .recognise = ftrace_recognise, .read = ftrace_read);

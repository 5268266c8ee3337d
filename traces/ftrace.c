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
#include "traces/common/events.h"
#include "traces/common/tracepoint.h"

enum { LINE_ROOM = 512 };

struct ftrace {
	struct events events;
	bool	      started, inserts; /* inserted is issued */
};

struct row {
	struct tracepoint at;
	enum event_action action;
	struct extent	  place, from; /* from: of a remap */
	char		  kind;	       /* R, W, or of no interest */
	char		 *name;
};

static const struct param params[] = { EVENTS_PARAMS, { 0 } };

/* ---- one row ---- */

static enum event_action
action_of(const struct ftrace *f, const struct tracepoint *t)
{
	if (tracepoint_is(t, "block_bio_queue"))
		return EVENT_Q;
	if (tracepoint_is(t, "block_rq_issue"))
		return EVENT_D;
	if (tracepoint_is(t, "block_rq_complete"))
		return EVENT_C;
	if (tracepoint_is(t, "block_bio_remap"))
		return EVENT_REMAP;
	if (tracepoint_is(t, "block_rq_requeue"))
		return EVENT_REQUEUE;
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

/* "73728 () 2977536 + 144"; of a bio without the first two: behind it, or NULL. */
static const char *
scan_extent(const char *s, struct extent *x)
{
	uint64_t    n = 0;
	const char *command = scan_digits(s, UINT64_MAX, &n);

	command = scan_blanks(command ? command : s);
	if (*command == '(') {
		s = strchr(command, ')');
		if (!s)
			return NULL;
		s = scan_blanks(s + 1);
	}
	s = scan_number(s, UINT64_MAX, &x->sector);
	s = s ? scan_blanks(s) : NULL;
	s = s && *s == '+' ? scan_number(scan_blanks(s + 1), UINT32_MAX, &n) : NULL;
	x->sectors = (uint32_t)n;
	return s;
}

/* "<- (253,0) 100" behind a remap. */
static bool
scan_origin(const char *s, struct row *w)
{
	s = strchr(s, '(');
	s = s ? events_device(s + 1, &w->from) : NULL;
	w->from.sectors = w->place.sectors;
	return s && *s == ')' && scan_number(scan_blanks(s + 1), UINT64_MAX, &w->from.sector);
}

static bool
scan_body(struct row *w)
{
	char	   *body = w->at.body;
	const char *s = events_device(body, &w->place);

	if (!s || !scan_ends_field(*s))
		return false;
	s = scan_blanks(s);
	w->kind = lines_request(s);
	while (scan_is_letter(*s))
		s++;
	s = scan_ends_field(*s) ? scan_extent(scan_blanks(s), &w->place) : NULL;
	if (!s)
		return false;
	if (w->action == EVENT_REMAP)
		return scan_origin(s, w);
	take_name(body + (s - body), w);
	return true;
}

static bool
moves(const struct row *w)
{
	return w->place.sectors && (w->kind == 'R' || w->kind == 'W') &&
	    w->place.sector <= UINT64_MAX / SECTOR_BYTES;
}

/* ---- the beginning ---- */

/* The next event of requests in the head. */
static bool
next_row(const struct ftrace *f, const char **head, size_t *n, char line[LINE_ROOM], struct row *w)
{
	while (scan_head(head, n, line, LINE_ROOM)) {
		if (!tracepoint_scan(line, &w->at))
			continue;
		w->action = action_of(f, &w->at);
		if (w->action <= EVENT_REMAP && scan_body(w) && moves(w))
			return true;
	}
	return false;
}

/* The best action in the head; EVENT_REMAP or EVENT_OTHER: there is none. */
static enum event_action
best_action(const struct ftrace *f, const char *head, size_t n)
{
	enum event_action best = EVENT_OTHER;
	char		  line[LINE_ROOM];
	struct row	  w;

	while (next_row(f, &head, &n, line, &w))
		best = w.action < best ? w.action : best;
	return best;
}

static bool
ftrace_recognise(const char *head, size_t n)
{
	return best_action(&(struct ftrace){ .inserts = true }, head, n) < EVENT_REMAP;
}

static int
start(struct ftrace *f, struct input *in, struct error *e)
{
	char	    line[LINE_ROOM];
	size_t	    n;
	const char *head = input_head(in, &n, e);
	struct row  w;

	if (!head)
		return -1;
	f->inserts = false;
	f->inserts = best_action(f, head, n) > EVENT_D;
	events_choose(&f->events, best_action(f, head, n));
	f->started = true;
	while (next_row(f, &head, &n, line, &w))
		if (events_expect(&f->events, w.action,
			w.action == EVENT_REMAP ? &w.from : &w.place, e))
			return -1;
	return 0;
}

/* ---- reading ---- */

static int
explain(const char *body, struct error *e)
{
	char text[LINES_QUOTE + 4];

	scan_quote(text, LINES_QUOTE, body, strcspn(body, "\r"));
	return error_set(e,
	    "'%s' is not device, flags, sector + sectors [process]: the line is cut off or damaged",
	    text);
}

/* 1: a read or write; 0: nothing of interest; -1: error. */
static int
take_line(struct ftrace *f, struct input *in, char *line, struct row *w, struct error *e)
{
	if (unlikely(!tracepoint_scan(line, &w->at))) {
		tracepoint_skip(in, line);
		return 0;
	}
	w->action = action_of(f, &w->at);
	if (w->action == EVENT_OTHER && strncmp(w->at.name, "block_", 6) != 0)
		input_count(in, "events of other parts of the kernel were left out");
	if (w->action == EVENT_OTHER ||
	    (w->action < EVENT_REMAP && !events_wants(&f->events, w->action)))
		return 0;
	if (!scan_body(w))
		return explain(w->at.body, e);
	if (!moves(w))
		return 0;
	if (w->action == EVENT_REMAP)
		return events_remap(&f->events, &w->place, &w->from, e);
	if (w->action == EVENT_REQUEUE)
		return events_requeue(&f->events, &w->place, e);
	return w->action == f->events.taken ? events_take(&f->events, &w->place, e) : 1;
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
			events_note(&f->events, "ftrace", in);
			return status;
		}
		taken = take_line(f, in, line, &w, e);
	} while (!taken && !f->events.outdated);
	if (taken < 0)
		return -1;
	if (unlikely(f->events.outdated || w.action != f->events.taken)) {
		f->started = false;
		return events_again(&f->events, w.action, "ftrace", in, e);
	}
	r->op = w.kind == 'W' ? OP_WRITE : OP_READ;
	r->time = w.at.time;
	r->pid = w.at.pid;
	r->process_name = w.name;
	return events_record(&f->events, &w.place, r, e);
}

static void
ftrace_release(void *self)
{
	events_release(&((struct ftrace *)self)->events);
}

FORMAT(ftrace,
    .plugin = { .name = "ftrace",
	.summary = "block events as text: ftrace, trace-cmd report, perf script",
	.state_size = sizeof(struct ftrace),
	.params = params },
    .lacks = LACKS_FILES, .recognise = ftrace_recognise, .read = ftrace_read,
    .release = ftrace_release);

/*
 * filemap.c - events of Linux's page cache as text: of ftrace, trace-cmd report and perf script.
 *
 *	mm_filemap_get_pages: dev=8:1 ino=2a4b ofs=0-131071		Linux 6.13 and later
 *	mm_filemap_fault: dev=8:1 ino=2a4b ofs=4096
 *	mm_filemap_add_to_page_cache: dev 8:1 ino 2a4b pfn=0x1a2b ofs=4096 order=0
 *
 * The first two are references: a read of a range, and a fault on a page that is
 * not mapped.  A read comes back to the event until it has all its pages: the
 * rest of a range that was shown is not shown again.  Without them, the pages that entered the
 * cache are taken.  These are misses, pages that were read ahead, and pages that
 * were first written: a load for a device, and nothing about hits.  Inodes are
 * hexadecimal, offsets bytes.  A file is called 8:1:10827 after its device and inode.
 */
#include <inttypes.h>
#include <stdio.h>

#include "traces/common/tracepoint.h"

enum { LINE_ROOM = 512, NAME_ROOM = 64, ORDER_MAX = 18, THREADS = 256 };

/* What a thread was shown to read last. */
struct range {
	uint32_t tid;
	uint64_t dev, ino, from, end;
};

struct filemap {
	uint64_t     page; /* bytes: the parameter */
	bool	     started, references;
	uint64_t     dev, ino; /* of the name */
	char	     name[NAME_ROOM];
	struct range range[THREADS]; /* by the end of the number of the thread */
};

enum event { EVENT_GET, EVENT_FAULT, EVENT_MAP, EVENT_ADD, EVENT_NONE };

struct row {
	struct tracepoint at;
	enum event	  event;
	uint64_t	  dev, ino, offset, end;
};

static const struct param params[] = {
	{ "page", PARAM_BYTES, 4096, 512, 1 << 20, offsetof(struct filemap, page),
	    "bytes of a page of the machine", NULL },
	{ 0 },
};

static enum event
event_of(const struct tracepoint *t)
{
	static const char *const names[EVENT_NONE] = { "mm_filemap_get_pages", "mm_filemap_fault",
		"mm_filemap_map_pages", "mm_filemap_add_to_page_cache" };
	enum event		 i = EVENT_GET;

	while (i < EVENT_NONE && !tracepoint_is(t, names[i]))
		i++;
	return i;
}

/* "ino=2a4b" or "ino 2a4b" somewhere: the place of the number, or NULL. */
static const char *
find_value(const char *s, const char *key)
{
	size_t n = strlen(key);

	while (*s) {
		if (!strncmp(s, key, n) && (s[n] == '=' || s[n] == ' '))
			return s + n + 1;
		while ((unsigned char)*s > ' ')
			s++;
		while (*s && (unsigned char)*s <= ' ')
			s++;
	}
	return NULL;
}

static bool
scan_body(const struct filemap *f, struct row *w)
{
	const char *body = w->at.body, *dev = find_value(body, "dev"), *ino, *s;
	uint64_t    minor, order = 0;

	dev = dev ? scan_digits(dev, UINT32_MAX, &w->dev) : NULL;
	dev = dev && *dev == ':' ? scan_digits(dev + 1, UINT32_MAX, &minor) : NULL;
	ino = dev ? find_value(dev, "ino") : NULL;
	if (!ino || !scan_hex(ino, &w->ino) || !(s = find_value(ino, "ofs")) ||
	    !(s = scan_digits(s, INT64_MAX, &w->offset)))
		return false;
	w->dev = w->dev << 32 | minor;
	if (*s == '-')
		return scan_number(s + 1, INT64_MAX, &w->end) && ++w->end > w->offset;
	if ((dev = find_value(s, "order")) && !scan_number(dev, ORDER_MAX, &order))
		return false;
	w->end = w->offset + (f->page << order);
	return true;
}

/* ---- the beginning ---- */

/* The first kind of event in the head; references come first. */
static enum event
best_event(const struct filemap *f, const char *head, size_t n)
{
	enum event best = EVENT_NONE;
	char	   line[LINE_ROOM];
	struct row w;

	while (scan_head(&head, &n, line, sizeof(line)))
		if (tracepoint_scan(line, &w.at) && (w.event = event_of(&w.at)) < best &&
		    scan_body(f, &w))
			best = w.event;
	return best;
}

static bool
filemap_recognise(const char *head, size_t n)
{
	struct filemap f = { .page = 4096 };

	return best_event(&f, head, n) < EVENT_NONE;
}

static int
start(struct filemap *f, struct input *in, struct error *e)
{
	size_t	    n;
	const char *head = input_head(in, &n, e);

	if (!head)
		return -1;
	f->started = true;
	f->references = best_event(f, head, n) < EVENT_ADD;
	input_note(in,
	    f->references
		? "these are reads and page faults as the page cache saw them; it shows no writes"
		: "these are pages that entered the page cache (missed, read ahead or first written), "
		  "a load for a device: references that hit are not in it");
	return 0;
}

/* ---- reading ---- */

/* The rest of a range that the same thread was shown to read. */
static bool
goes_on(struct filemap *f, const struct row *w)
{
	struct range *last = &f->range[w->at.tid % THREADS];
	bool	      rest = w->at.tid == last->tid && w->ino == last->ino && w->dev == last->dev &&
	    w->end == last->end && w->offset > last->from;

	*last = (struct range){ w->at.tid, w->dev, w->ino, w->offset, w->end };
	return rest;
}

/* 1: a reference; 0: nothing of interest; -1: error. */
static int
take_line(struct filemap *f, struct input *in, char *line, struct row *w, struct error *e)
{
	char text[LINES_QUOTE + 4];

	if (unlikely(!tracepoint_scan(line, &w->at))) {
		tracepoint_skip(in, line);
		return 0;
	}
	w->event = event_of(&w->at);
	if (w->event == EVENT_NONE || (w->event == EVENT_ADD) == f->references)
		return 0;
	if (w->event == EVENT_MAP) {
		input_count(in,
		    "faults that were served around a page do not tell which page: they are left out");
		return 0;
	}
	if (scan_body(f, w))
		return w->event != EVENT_GET || !goes_on(f, w);
	scan_quote(text, LINES_QUOTE, w->at.body, strcspn(w->at.body, "\r"));
	return error_set(e, "'%s' does not tell dev, ino and ofs: the line is cut off or damaged",
	    text);
}

static const char *
name_file(struct filemap *f, const struct row *w)
{
	if (w->dev != f->dev || w->ino != f->ino || !*f->name) {
		f->dev = w->dev;
		f->ino = w->ino;
		snprintf(f->name, sizeof(f->name), "%" PRIu64 ":%" PRIu64 ":%" PRIu64, w->dev >> 32,
		    w->dev & UINT32_MAX, w->ino);
	}
	return f->name;
}

static int
filemap_read(void *self, struct input *in, struct record *r, struct error *e)
{
	struct filemap *f = self;
	struct row	w;
	char	       *line;
	int		status, taken;

	if (unlikely(!f->started) && start(f, in, e))
		return -1;
	do {
		status = scan_line_or(in, TRACEPOINT_KEPT, &line, e);
		if (status <= 0)
			return status;
		taken = take_line(f, in, line, &w, e);
	} while (!taken);
	if (taken < 0)
		return -1;
	r->op = OP_READ;
	r->time = w.at.time;
	r->pid = w.at.pid;
	r->no_fd = true;
	r->path = name_file(f, &w);
	if (w.at.comm) {
		*w.at.comm_end = '\0';
		r->process_name = w.at.comm;
	}
	r->offset = w.offset;
	r->length = w.end - w.offset;
	return 1;
}

FORMAT(filemap,
    .plugin = { .name = "filemap",
	.summary = "page cache events as text: ftrace, trace-cmd report, perf script",
	.state_size = sizeof(struct filemap),
	.params = params },
    .recognise = filemap_recognise, .read = filemap_read);

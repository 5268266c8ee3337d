/*
 * recording_kernel.c - read the events of the kernel's page allocator, as text of ftrace (trace,
 * trace_pipe), trace-cmd report or perf script.
 *
 *	make-812  [001] ..... 56334.420666: mm_page_alloc: page=00000000b184fa81 pfn=0x1548f1 order=0 migratetype=0 gfp_flags=GFP_KERNEL
 *	make  812 [001] 56334.430116: kmem:mm_page_free: page=0x1548f1 pfn=0x1548f1 order=0
 *
 * mm_page_alloc takes 2^order pages from page pfn on.  mm_page_free gives pages back: all of a run, a
 * part of one (a run is free when its last page is), or several runs.  mm_page_free_batched tells
 * of pages that are freed in a batch; since Linux 3.3 mm_page_free tells of each of them, too, so that
 * only one of both counts.  Before, they were called mm_page_free_direct and mm_pagevec_free.
 *
 * mm_page_alloc_zone_locked and mm_page_pcpu_drain tell of pages between the buddy lists and the
 * lists of a processor: what the kernel did itself, counted and no move of the load.
 *
 * A process is a task (thread).  Older kernels print pfn in decimal.
 */
#include <string.h>

#include "sim/base/text.h"
#include "sim/studies/frames/model/frames.h"
#include "sim/studies/frames/model/recorded.h"
#include "sim/trace/input.h"
#include "traces/common/tracepoint.h"

enum { HEAD_ROOM = 512 };

enum page_event {
	EVENT_ALLOC,
	EVENT_FREE,
	EVENT_FREE_BATCHED,
	EVENT_ZONE_LOCKED,
	EVENT_DRAIN,
	EVENT_OTHER
};

/* What told of the last free of a page; another event of the same free may follow. */
enum teller { TELLER_NONE, TELLER_FREE, TELLER_BATCH };

struct kernel {
	struct recorded *to;
	struct map	 freed; /* teller by page */
};

/* ---- a line ---- */

static enum page_event
event_of(const struct tracepoint *t)
{
	static const struct {
		const char     *name;
		enum page_event event;
	} known[] = {
		{ "mm_page_alloc", EVENT_ALLOC },
		{ "mm_page_free", EVENT_FREE },
		{ "mm_page_free_direct", EVENT_FREE },
		{ "mm_page_free_batched", EVENT_FREE_BATCHED },
		{ "mm_pagevec_free", EVENT_FREE_BATCHED },
		{ "mm_page_alloc_zone_locked", EVENT_ZONE_LOCKED },
		{ "mm_page_pcpu_drain", EVENT_DRAIN },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (tracepoint_is(t, known[i].name))
			return known[i].event;
	return EVENT_OTHER;
}

/* "pfn=" of " pfn=0x1548f1 ": the text behind, or NULL. */
static const char *
find_field(const char *body, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = body; (at = strstr(at, name)); at += n)
		if (at == body || at[-1] == ' ')
			return at + n;
	return NULL;
}

/* The number of a field, in hexadecimal if it begins with 0x. */
static bool
take_field(const char *body, const char *name, uint64_t max, uint64_t *n)
{
	const char *s = find_field(body, name), *end;

	if (!s)
		return false;
	end = s[0] == '0' && s[1] == 'x' ? scan_hex(s + 2, n) : scan_digits(s, max, n);
	return end && *n <= max && (scan_ends_field(*end) || !*end);
}

/* ---- gives ---- */

static int
give_by(struct recorded *r, struct run *run, uint64_t task, struct error *e)
{
	r->to->facts.foreign += recorded_process(r, task) != run->process;
	return recorded_give(r, run, e);
}

/* The held run that has that page inside, or NULL: runs are aligned. */
static struct run *
find_around(const struct recorded *r, uint64_t page)
{
	for (unsigned order = 0; order <= r->to->order; order++) {
		uint64_t    first = page >> order << order;
		struct run *run = recorded_run(r, first);

		if (run && page - first < UINT64_C(1) << run->order)
			return run;
	}
	return NULL;
}

/* Runs that begin in the pages: how many were given back. */
static int
give_inside(struct recorded *r, uint64_t page, unsigned order, uint64_t task, unsigned *given,
    struct error *e)
{
	for (uint64_t i = 0; i < UINT64_C(1) << order; i++) {
		struct run *run = recorded_run(r, page + i);

		if (run && give_by(r, run, task, e))
			return -1;
		*given += run != NULL;
	}
	return 0;
}

/* All of a run, a part of it, or several; *given: how many pieces. */
static int
give(struct recorded *r, uint64_t page, unsigned order, uint64_t task, unsigned *given,
    struct error *e)
{
	struct run *run = find_around(r, page);

	*given = 0;
	if (!run || run->order < order)
		return give_inside(r, page, order, task, given, e);
	*given = 1;
	run->left -= run->left < UINT64_C(1) << order ? run->left : UINT64_C(1) << order;
	return run->left ? 0 : give_by(r, run, task, e);
}

/* Linux tells of a free by both events one after the other, and which is first depends on its version. */
static int
take_free(struct kernel *k, uint64_t page, unsigned order, uint64_t task, enum teller teller,
    struct error *e)
{
	uint32_t *before = map_at(&k->freed, page);
	unsigned  given;

	if (!before)
		return error_no_memory(e);
	if (*before != TELLER_NONE && *before != teller) {
		*before = TELLER_NONE;
		return 0;
	}
	*before = teller;
	if (give(k->to, page, order, task, &given, e))
		return -1;
	k->to->to->facts.before += !given;
	return 0;
}

/* ---- takes ---- */

/* Pages that are taken again were free: their event is missing. */
static int
give_missed(struct recorded *r, uint64_t page, unsigned order, struct error *e)
{
	for (uint64_t i = 0; i < UINT64_C(1) << order; i++) {
		struct run *run = i ? recorded_run(r, page + i) : find_around(r, page);

		r->to->facts.missed += run != NULL;
		if (run && recorded_give(r, run, e))
			return -1;
	}
	return 0;
}

/* Frees from now on are others. */
static int
forget_frees(struct kernel *k, uint64_t page, unsigned order, struct error *e)
{
	for (uint64_t i = 0; i < UINT64_C(1) << order; i++) {
		uint32_t *teller;

		if (map_get(&k->freed, page + i) == TELLER_NONE)
			continue;
		teller = map_at(&k->freed, page + i);
		if (!teller)
			return error_no_memory(e);
		*teller = TELLER_NONE;
	}
	return 0;
}

static int
take_alloc(struct kernel *k, uint64_t page, unsigned order, uint64_t task, struct error *e)
{
	if (!page) {
		k->to->to->facts.failures++;
		return 0;
	}
	if (forget_frees(k, page, order, e) || give_missed(k->to, page, order, e))
		return -1;
	return recorded_take(k->to, page, order, task, e);
}

/* ---- events ---- */

static void
count_refill(struct recording_facts *f, const char *body, unsigned order)
{
	uint64_t refill;

	if (!take_field(body, "percpu_refill=", 1, &refill) || refill)
		f->refilled += UINT64_C(1) << order;
}

static int
take_event(struct kernel *k, const struct tracepoint *t, enum page_event event, struct error *e)
{
	struct recording_facts *f = &k->to->to->facts;
	uint64_t		page, order;

	if (!take_field(t->body, "pfn=", UINT64_MAX >> 1, &page) ||
	    !take_field(t->body, "order=", FRAME_ORDERS - 1, &order))
		return error_set(e,
		    "%.*s has no pfn=NUMBER, or no order=NUMBER from 0 to %d: record it with perf "
		    "script, or from tracefs",
		    (int)t->length, t->name, FRAME_ORDERS - 1);
	switch (event) {
	case EVENT_ALLOC:
		return take_alloc(k, page, (unsigned)order, t->tid, e);
	case EVENT_FREE:
		return take_free(k, page, (unsigned)order, t->tid, TELLER_FREE, e);
	case EVENT_FREE_BATCHED:
		return take_free(k, page, (unsigned)order, t->tid, TELLER_BATCH, e);
	case EVENT_ZONE_LOCKED:
		count_refill(f, t->body, (unsigned)order);
		return 0;
	default:
		f->drained += UINT64_C(1) << order;
		return 0;
	}
}

/* "PERF_RECORD_LOST lost 3": the number is behind the name. */
static bool
is_lost(struct input *in, const struct tracepoint *t)
{
	return t->length >= strlen("PERF_RECORD_LOST") &&
	    text_begins(t->name, "PERF_RECORD_LOST") && lines_lost(in, t->body);
}

/* "CPU:1 [LOST EVENTS]", "CPU:1 [12 EVENTS DROPPED]", and what else is between events. */
static void
skip_line(struct input *in, const char *line)
{
	const char *s = strchr(line, '[');
	uint64_t    n;

	if (!strncmp(line, "##### CPU ", 10))
		return;
	if (!strncmp(line, "CPU:", 4) && s && strstr(s, "EVENTS")) {
		if (!scan_digits(s + 1, UINT32_MAX, &n) &&
		    (!text_begins(s, "[LOST ") || !scan_digits(s + 6, UINT32_MAX, &n)))
			input_count(in,
			    "times events were lost, and the log does not say how many");
		else
			lines_note_lost(in, n);
		return;
	}
	tracepoint_skip(in, line);
}

bool
kernel_recognises(const char *head, size_t n)
{
	char line[HEAD_ROOM];

	while (scan_head(&head, &n, line, sizeof(line))) {
		struct tracepoint t;

		if (tracepoint_scan(line, &t) && event_of(&t) != EVENT_OTHER)
			return true;
	}
	return false;
}

int
read_kernel(struct recorded *to, struct error *e)
{
	struct kernel k = { .to = to };
	char	     *line;
	int	      status;

	to->to->facts.is_kernel = true;
	while ((status = scan_line_or(to->in, TRACEPOINT_KEPT, &line, e)) == 1) {
		struct tracepoint t;
		enum page_event	  event;

		if (!tracepoint_scan(line, &t)) {
			skip_line(to->in, line);
			continue;
		}
		event = event_of(&t);
		if (event == EVENT_OTHER)
			is_lost(to->in, &t);
		else if (take_event(&k, &t, event, e)) {
			status = -1;
			break;
		}
	}
	map_release(&k.freed);
	return status;
}

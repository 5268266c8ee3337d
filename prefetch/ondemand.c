/*
 * ondemand.c - readahead on demand, Linux 2.6.24 and later.
 *
 * Idea.  A stream is best read in large requests, well before it comes to them, but
 * most reads belong to no stream.  So readahead begins small, and each window that
 * the stream reaches is followed by one twice as large: a wrong guess costs
 * little, and a stream of n blocks has about log n small requests.  To follow
 * every hit would cost time at every hit.  Only two events trigger readahead:
 *
 *	synchronous	a block is missing: the process waits
 *	asynchronous	a read reaches the marked block of the window: the
 *			process goes on, while the next window is read
 *
 * Every open file has one window; the mark is `async` before its end:
 *
 *	      |<------------ size ----------->|
 *	------[ start             # mark      ]------
 *				  |<- async ->|
 *
 * A mark near the start gives the device more time, one near the end makes more
 * certain that the window is used.  The first window is marked behind the request,
 * later ones at their start.  A program that reads block after block from 0, with
 * a largest window of 32 blocks:
 *
 *	reads	 0	  1	   4		 12		 28
 *		 missing  mark	   mark		 mark		 mark
 *	window	[0#--3]	 [#4--11] [#12----27]	[#28------59]	[#60------91]
 *	size	 4	  8	   16		 32		 32
 *
 * Of 60 blocks the process waits for the first only, if the device keeps up.
 *
 * An event is matched with these rules, in order: does the window continue, is
 * this the mark of another stream's window, is the read a start or a
 * continuation, do cached blocks before it show a stream?  If no rule applies,
 * exactly the requested blocks are read.  So a window is a guess that may be wrong:
 * where two streams share an open file, the mark and the cached blocks still show
 * both.  Versions of the kernel differ in such rules: struct rules.
 *
 * With large folios blocks are read in aligned groups of 2^order, a mark is
 * that of a group, and orders grow by 2 from window to window.
 *
 *	Wu Fengguang, Xi Hongsheng, Xu Chenfeng.  On the design of a new
 *	Linux readahead framework.  ACM SIGOPS Operating Systems Review
 *	42(5), 2008.
 *
 * Departures: empty reads at the end of a file are ignored.  O(1) a
 * reference, O(pages) when triggered, 48 bytes per open file; large folios
 * take a byte per block.
 */
#include "prefetch/windows.h"

enum { BY_READ, BY_FAULT, BYS };

static const char *const by_words[BYS] = { "read", "fault" };

enum version { V2_6_24, V3_0, V4_19, V5_15, V6_1, V6_8, V6_1X, V6_18, VERSIONS };

static const char *const version_words[VERSIONS] = { "2.6.24", "3.0", "4.19", "5.15", "6.1", "6.8",
	"6.1x", "6.18" };

/* The position kept from the previous read, to decide whether this one follows it. */
enum previous {
	LAST_PAGE,    /* the last page read, until the next read */
	EVERY_PAGE,   /* the position, after each page */
	END_POSITION, /* the position, after the whole read */
};

static const struct rules {
	bool start;	    /* block 0 starts a stream, whatever was read before */
	bool context;	    /* cached blocks before the missing one show a stream */
	bool doubles;	    /* such a stream gets an initial window, not one of their number */
	bool merges;	    /* a window marked at its start is merged with the next one */
	bool merges_freely; /* also beyond the maximum */
	bool io_pages;	    /* a request larger than the maximum is read as a whole */
	bool cut_first;	    /* windows are cut at the end of the file before the mark is placed */
	bool peeks;	    /* looks at the page behind the read */
	bool last_looked;   /* a search for a missing block that finds none ends on its last one */
	bool split;	    /* a missing block never continues a window */
	bool slots;	    /* a search that begins inside a folio errs: see struct search */
	bool waits;	    /* for a free request; no block of a window is left out */
	bool unmarked;	    /* what page faults read has no mark, and ends with too many misses */
	enum previous previous;
} rules[VERSIONS] = {
	[V2_6_24] = { .unmarked = true },
	[V3_0] = { .start = true,
	    .context = true,
	    .doubles = true,
	    .merges = true,
	    .merges_freely = true },
	[V4_19] = { .start = true, .context = true, .merges = true, .io_pages = true },
	[V5_15] = { .start = true,
	    .context = true,
	    .merges = true,
	    .io_pages = true,
	    .cut_first = true,
	    .peeks = true,
	    .previous = EVERY_PAGE },
	[V6_1] = { .start = true,
	    .context = true,
	    .merges = true,
	    .io_pages = true,
	    .cut_first = true,
	    .last_looked = true,
	    .previous = EVERY_PAGE },
	[V6_8] = { .start = true,
	    .context = true,
	    .merges = true,
	    .io_pages = true,
	    .cut_first = true,
	    .previous = END_POSITION },
	[V6_1X] = { .start = true,
	    .context = true,
	    .io_pages = true,
	    .cut_first = true,
	    .split = true,
	    .previous = END_POSITION },
	[V6_18] = { .start = true,
	    .context = true,
	    .io_pages = true,
	    .cut_first = true,
	    .split = true,
	    .slots = true,
	    .waits = true,
	    .previous = END_POSITION },
};

enum {
	PEEK_PAGES = 15, /* looked up at a time */
	ORDER_MAX = 9,
	FOLIO_LEAST = 4, /* smaller windows have no large folios */
	SLOTS = 64,	 /* of a node of the page cache's tree */
	SLOTS_ORDER = 6,
	MISSES_MAX = 100, /* of faults, more than hits: nothing is read around them */
};

struct window {
	uint32_t start, size, async;
	uint32_t order;	     /* order of its folios */
	uint32_t turn;	     /* start of the current lookup */
	int64_t	 prev, next; /* previous position: during this call, and after it */
	bool	 random;     /* RANDOM was advised: nothing is read ahead */
	bool	 doubled;    /* by SEQUENTIAL: RANDOM leaves it, NORMAL undoes it */
	bool	 advised;    /* advice has come before the first read */
	int32_t	 misses;     /* of faults, less hits: 2.6.24 */
};

struct ondemand {
	uint64_t	    version, pages, kb, io_pages, large, by;
	struct window	   *window; /* per open file */
	uint8_t		   *order;  /* by slot: order of a block's folio; NULL: no large folios */
	struct slots	    slots;
	const struct rules *rules;
	uint32_t	    block_shift;
};

static const struct param ondemand_params[] = {
	{ "version", PARAM_WORD, V6_8, 0, VERSIONS - 1, offsetof(struct ondemand, version),
	    "of the kernel", version_words },
	{ "pages", PARAM_COUNT, 32, 0, 1 << 16, offsetof(struct ondemand, pages),
	    "largest window, in blocks; 0: nothing is read ahead", NULL },
	WINDOW_KB_PARAM(struct ondemand, kb),
	{ "io_pages", PARAM_COUNT, 0, 0, 1 << 16, offsetof(struct ondemand, io_pages),
	    "the device's best request, in blocks: the largest window of larger reads (since 4.19)",
	    NULL },
	{ "large", PARAM_COUNT, 0, 0, 1, offsetof(struct ondemand, large),
	    "1: the file system has large folios (version 6.8 and later)", NULL },
	{ "by", PARAM_WORD, BY_READ, 0, BYS - 1, offsetof(struct ondemand, by),
	    "blocks are reached by read calls, or each by a page fault on a mapping", by_words },
	{ 0 },
};

/* One reference, the state of its open file, and the plan to write. */
struct query {
	struct ondemand	    *ra;
	struct window	    *w;
	const struct demand *d;
	struct plan	    *plan;
	uint32_t	     max; /* the largest window here */
};

/* ---- sizes ---- */

/* The largest window of that open file. */
static uint64_t
largest_of(const struct ondemand *ra, const struct window *w)
{
	return w->doubled ? 2 * ra->pages : ra->pages;
}

static uint32_t
largest_window(const struct ondemand *ra, const struct window *w, uint32_t request)
{
	uint64_t max = largest_of(ra, w);

	if (ra->rules->io_pages && request > max && ra->io_pages > max)
		max = request < ra->io_pages ? request : ra->io_pages;
	return (uint32_t)max;
}

/* ---- what is read, and which block of it is marked ---- */

static const char behind_the_end[] = "behind the end of the file";

/* The order of that block's folio. */
static uint8_t
order_of(const struct ondemand *ra, block_t b)
{
	return ra->order ? ra->order[slots_find(&ra->slots, b)] : 0;
}

static void
set_order(const struct query *q, uint32_t index, uint32_t count, uint8_t order)
{
	for (uint32_t i = index; q->ra->order && i < index + count; i++)
		if (i == q->d->index ? q->d->absent : !demand_holds(q->d, i))
			q->ra->order[slots_enter(&q->ra->slots, q->d->base + i)] = order;
}

/* Blocks start .. start + n - 1 one by one; the mark is `async` before their end. */
static void
read_single(const struct query *q, uint32_t start, uint32_t n, uint32_t async)
{
	uint32_t end = q->d->end, within;

	if (start >= end) {
		plan_note(q->plan, behind_the_end);
		return;
	}
	within = at_most(n, end - start);
	if (within < n)
		plan_note(q->plan, "cut by the end of the file");
	set_order(q, start, within, 0);
	plan_add(q->plan, start, within);
	if (q->ra->rules->cut_first)
		n = within;
	if (async && async <= n)
		plan_mark(q->plan, start + n - async, 1);
}

static bool
folio_is_free(const struct query *q, uint32_t index, uint32_t count)
{
	for (uint32_t i = index; i < index + count; i++)
		if (demand_holds(q->d, i) && !(i == q->d->index && q->d->absent))
			return false;
	return true;
}

/* The order of the next folio: aligned, and not beyond the block `last`. */
static uint8_t
folio_order(const struct query *q, uint32_t index, uint32_t last)
{
	uint8_t order = (uint8_t)q->w->order;

	while (index & ((1u << order) - 1))
		order--;
	while (order && index + (1u << order) - 1 > last)
		order--;
	return order == 1 && !q->ra->rules->split ? 0 : order;
}

/* Does that folio get the window's mark? */
static bool
folio_is_marked(const struct query *q, uint32_t index, uint8_t order, uint32_t mark)
{
	return mark >> order == index >> order;
}

/* The window in large folios; where one of them is cached already, the rest one by one. */
static void
read_large(const struct query *q)
{
	struct window *w = q->w;
	uint32_t       last = at_most(q->d->end, w->start + w->size) - 1, index = w->start;
	uint32_t       mark = w->start + w->size - w->async;

	while (index <= last) {
		uint8_t	 order = folio_order(q, index, last);
		uint32_t count = 1u << order;

		if (!folio_is_free(q, index, count))
			break;
		if (folio_is_marked(q, index, order, mark))
			plan_mark(q->plan, index, count);
		set_order(q, index, count, order);
		index += count;
	}
	plan_add_as(q->plan, w->start, index - w->start, true);
	if (index > last) {
		if (w->start + w->size > q->d->end)
			plan_note(q->plan, "cut by the end of the file");
		return;
	}
	plan_note(q->plan, "a block of it is cached: the rest without large folios");
	read_single(q, index, q->ra->rules->split ? w->size - (index - w->start) : w->size,
	    w->async);
}

static uint32_t
log2_of(uint32_t n)
{
	uint32_t k = 0;

	while (n >>= 1)
		k++;
	return k;
}

static void
read_window(const struct query *q)
{
	struct window *w = q->w;

	if (!q->ra->order || (w->size < FOLIO_LEAST && !q->ra->rules->split)) {
		w->order = 0;
		read_single(q, w->start, w->size, w->async);
		return;
	}
	w->order = at_most(at_most(w->order, ORDER_MAX), log2_of(w->size));
	if (w->start < q->d->end) {
		read_large(q);
		return;
	}
	plan_note(q->plan, behind_the_end);
	if (!q->ra->rules->split) {
		w->size += w->start - q->d->end; /* the distance behind the end counts, too */
		w->async += w->start - q->d->end;
	}
}

/* ---- the rules ---- */

/* The mark at the start of a window would be reached at once: read the next window with it. */
static void
merge_next(const struct query *q, uint32_t index)
{
	struct window *w = q->w;
	uint32_t       next = window_next(w->size, q->max);

	if (!q->ra->rules->merges || index != w->start || w->size != w->async)
		return;
	if (q->ra->rules->merges_freely || w->size + next <= q->max) {
		plan_note(q->plan, "its mark would be reached at once: the next window with it");
		w->async = next;
		w->size += next;
	} else {
		plan_note(q->plan,
		    "its mark would be reached at once: the largest window, marked in the middle");
		w->size = q->max;
		w->async = q->max / 2;
	}
}

static void
start_stream(const struct query *q, uint32_t index, uint32_t request, const char *why)
{
	struct window *w = q->w;

	plan_note(q->plan, why);
	w->start = index;
	w->size = window_first(request, q->max);
	w->async = w->size > request ? w->size - request
	    : q->ra->rules->split    ? w->size / 2
				     : w->size;
	merge_next(q, index);
	w->order = 2 * !q->ra->rules->split;
	read_window(q);
}

static void
read_exactly(const struct query *q, uint32_t index, uint32_t request, const char *why)
{
	plan_note(q->plan, why);
	read_single(q, index, request, 0);
}

/*
 * Linux 6.18 looks for a missing page by stepping through the slots of its
 * tree and counting an index with them.  A folio lies in its first slot, so a
 * search that begins inside a folio begins in an earlier slot than its index
 * says.  The index stays wrong until the search leaves its first node.
 * A folio of more than 64 pages lies in several slots of the node above, one
 * for each 64 pages.  There, a step changes the slot only if it is not that of
 * the index: forwards the slot catches up, backwards it never does.
 */
struct search {
	int64_t index, slot; /* the slot that a single page there would have */
	bool	above;	     /* in a node of folios of 64 pages and more */
};

static bool
search_holds(const struct query *q, const struct search *s)
{
	return s->slot >= 0 && demand_holds(q->d, (uint32_t)s->slot);
}

/* The order of the folio in that slot; 0 also if there is none. */
static uint32_t
search_order(const struct query *q, const struct search *s)
{
	if (!q->ra->order || !search_holds(q, s)) /* the slot may lie outside the file */
		return 0;
	return q->ra->order[slots_find(&q->ra->slots, q->d->base + (uint32_t)s->slot)];
}

static struct search
search_from(const struct query *q, uint32_t index)
{
	struct search s = { index, index, false };
	uint32_t      order = search_order(q, &s);

	s.above = order >= SLOTS_ORDER;
	s.slot = index >> order << order;
	if (s.above)
		s.slot += index % SLOTS;
	return s;
}

static void
search_forward(struct search *s)
{
	s->index++;
	s->slot++;
	if (s->slot % SLOTS == 0)
		s->slot = s->index;
}

static void
search_backward_above(const struct query *q, struct search *s)
{
	int64_t group = s->slot / SLOTS, wanted = --s->index / SLOTS % SLOTS;

	if (group % SLOTS != wanted)
		group += group % SLOTS ? -1 : wanted - SLOTS;
	s->slot = group * SLOTS + s->index % SLOTS;
	s->above = search_order(q, s) >= SLOTS_ORDER;
}

static void
search_backward(const struct query *q, struct search *s)
{
	uint32_t within;

	if (s->above) {
		search_backward_above(q, s);
		return;
	}
	within = (uint32_t)(--s->index & (SLOTS - 1));
	if (s->slot % SLOTS)
		s->slot--;
	else if (within)
		s->slot += (int64_t)within - SLOTS;
}

/* As history(), with this search; the last block of the search counts as missing. */
static uint32_t
history_in_slots(const struct query *q, uint32_t index)
{
	struct search s = search_from(q, index - 1);

	for (uint32_t n = 1; n < q->max && search_holds(q, &s); n++)
		search_backward(q, &s);
	return (uint32_t)(index - 1 - s.index);
}

/* As next_missing(), with this search. */
static uint32_t
next_missing_in_slots(const struct query *q, uint32_t index)
{
	struct search s = search_from(q, index + 1);
	uint32_t      n = 1;

	if (s.above)
		s.slot = s.index; /* it catches up inside this folio */
	for (; n <= q->max && search_holds(q, &s); n++)
		search_forward(&s);
	return n <= q->max ? (uint32_t)s.index : 0;
}

/* The number of cached blocks directly before that one, at most max. */
static uint32_t
history(const struct query *q, uint32_t index)
{
	uint32_t n = 0;

	if (q->ra->rules->slots)
		return history_in_slots(q, index);
	while (n < q->max && n < index && demand_holds(q->d, index - n - 1))
		n++;
	return n;
}

/* Do cached blocks before `index` show a stream? */
static bool
continues_history(const struct query *q, uint32_t index, uint32_t request)
{
	const struct rules *r = q->ra->rules;
	struct window	   *w = q->w;
	uint32_t	    n = r->context ? history(q, index) : 0;

	if (!n || (!r->doubles && n <= request))
		return false;
	plan_note(q->plan, "cached blocks before it: a stream without a window");
	if (n >= index)
		n *= 2;
	w->start = index;
	w->size = r->doubles ? window_first(n + request, q->max) : at_most(n + request, q->max);
	w->async = r->doubles ? w->size : 1;
	merge_next(q, index);
	w->order = 2 * !r->split;
	read_window(q);
	return true;
}

/* The window that follows this one. */
static void
advance(const struct query *q, uint32_t index, const char *why)
{
	struct window *w = q->w;
	uint32_t       next = window_next(w->size, q->max);

	plan_note(q->plan, why);
	w->start += w->size;
	w->size = q->ra->rules->split && w->size > next ? w->size : next;
	w->async = w->size;
	merge_next(q, index);
}

/* Does `index` continue the window? */
static bool
is_expected(const struct window *w, uint32_t index, uint32_t order)
{
	uint32_t mark = (w->start + w->size - w->async) >> order << order;

	return index == mark || index == w->start + w->size;
}

static bool
follows_previous(const struct query *q, uint32_t index)
{
	return (uint64_t)index - (uint64_t)(q->w->prev >> q->ra->block_shift) <= 1;
}

/* Block `index` is missing, and `request` blocks are wanted from there on. */
static void
missing(const struct query *q, uint32_t index, uint32_t request)
{
	const struct rules *r = q->ra->rules;

	if (r->start && index == 0) {
		start_stream(q, index, request, "the start of the file: an initial window");
	} else if (!r->split && index && is_expected(q->w, index, 0)) {
		q->w->order = 2;
		advance(q, index, "missing where the window was to continue: the next window");
		read_window(q);
	} else if (request > q->max) {
		start_stream(q, index, request,
		    "more requested than the largest window: an initial one");
	} else if (follows_previous(q, index)) {
		start_stream(q, index, request,
		    q->w->prev < 0 ? "the first read, of the first block: an initial window"
				   : "it follows the previous read: an initial window");
	} else if (!continues_history(q, index, request)) {
		read_exactly(q, index, request, "no sign of a stream: only the requested blocks");
	}
}

/* The first block after `index` that is missing, within the largest window; 0: none. */
static uint32_t
next_missing(const struct query *q, uint32_t index)
{
	uint32_t n = 1;

	if (q->ra->rules->slots)
		return next_missing_in_slots(q, index);
	while (n <= q->max && demand_holds(q->d, index + n))
		n++;
	if (n > q->max)
		return q->ra->rules->last_looked ? index + q->max : 0;
	return index + n;
}

/* The mark of a window of another open file, or of another stream. */
static bool
adopt_mark(const struct query *q, uint32_t index, uint32_t request)
{
	struct window *w = q->w;
	uint32_t       start = next_missing(q, index);

	if (!start) {
		plan_note(q->plan, "the mark of another stream, which is far ahead: nothing");
		return false;
	}
	plan_note(q->plan, "the mark of another stream: on from its first missing block");
	w->start = start;
	w->size = window_next(start - index + (q->ra->rules->start ? request : 0), q->max);
	w->async = w->size;
	return true;
}

/* Folios grow with each window, and a window ends at a boundary of its largest ones. */
static void
align_end(const struct query *q)
{
	struct window *w = q->w;
	uint32_t       order, end = w->start + w->size, aligned;

	w->order += 2;
	order = w->order;
	while (order && q->max & ((1u << order) - 1))
		order--;
	aligned = end >> order << order;
	if (aligned > w->start)
		w->size -= end - aligned;
	w->async = w->size;
}

/* Is that the mark of this open file's window? */
static bool
continues_window(const struct query *q, uint32_t index, uint32_t order)
{
	const struct window *w = q->w;

	if (q->ra->rules->split)
		return index == (w->start + w->size - w->async) >> order << order;
	return index && is_expected(w, index, order);
}

/* A read has reached the marked folio that begins at block `index`. */
static void
marked(const struct query *q, uint32_t index, uint32_t request, uint32_t order)
{
	const struct rules *r = q->ra->rules;
	struct window	   *w = q->w;

	if (r->start && !r->split && index == 0) {
		start_stream(q, index, request, "the start of the file: an initial window");
		return;
	}
	if (continues_window(q, index, order))
		advance(q, index, "the mark: the stream keeps up, the next window");
	else if (!adopt_mark(q, index, request))
		return;
	if (r->split)
		align_end(q);
	else
		w->order = order + 2;
	read_window(q);
}

/* ---- calls ---- */

static void
start_call(struct ondemand *ra, struct window *w, const struct demand *d)
{
	uint64_t end = d->call->offset + d->call->length;
	int64_t	 within = (int64_t)((UINT64_C(1) << ra->block_shift) - 1);

	if (d->call->fresh)
		*w = (struct window){ .prev = -1,
			.next = -1,
			.random = w->advised && w->random,
			.doubled = w->advised && w->doubled };
	w->prev = w->next;
	w->turn = d->index;
	if (end > d->call->file_size)
		end = d->call->file_size;
	if (end <= d->call->offset)
		return;
	w->next = (int64_t)end;
	if (ra->rules->previous == LAST_PAGE) /* and how far into it */
		w->next = (((int64_t)end - 1) & ~within) | ((int64_t)end & within);
}

/* That kernel also looks up the page behind the read: is it marked? */
static void
peek(struct query *q)
{
	const struct demand *d = q->d;
	uint32_t	     behind = d->index + 1;

	if (d->left != 1 || d->marked || d->locked || behind - q->w->turn >= PEEK_PAGES ||
	    !demand_holds_marked(d, behind))
		return;
	q->max = largest_window(q->ra, q->w, 0);
	q->plan->unmark = (struct extent){ behind, 1, false };
	marked(q, behind, 0, 0);
}

static void
meet_mark(struct query *q)
{
	const struct demand *d = q->d;
	uint32_t	     order = order_of(q->ra, d->base + d->index);
	uint32_t	     first = d->index >> order << order;
	uint32_t	     request = d->left + (d->index - first);

	q->max = largest_window(q->ra, q->w, request);
	if (order)
		q->plan->unmark = (struct extent){ first, 1u << order, false };
	marked(q, first, request, order);
}

/* The most blocks that one piece of advice can read through that open file. */
static uint32_t
forced(const struct ondemand *ra, const struct window *w, const struct demand *d)
{
	uint64_t window = largest_of(ra, w);
	uint64_t best = ra->io_pages > window ? ra->io_pages : window;
	uint64_t most = ra->rules->io_pages ? best : d->cache->nframes / 2;

	return at_most(d->left, most);
}

/*
 * A page fault.  A missing page is read with a whole window around it, half of
 * it before, marked at three quarters.  A mark is met as by a read of a whole
 * window, but at the page itself, not at the start of its folio.  That random
 * reads were advised makes no difference (SEQUENTIAL does).  In 2.6.24 nothing
 * is marked, and after many more misses than hits the page is read alone.
 */
static void
fault(struct query *q)
{
	const struct demand *d = q->d;
	struct window	    *w = q->w;
	uint32_t	     half;

	q->max = largest_window(q->ra, w, 0);
	if (q->ra->rules->unmarked) {
		half = q->max / 2;
		if (w->misses > MISSES_MAX)
			read_single(q, d->index, 1, 0);
		else
			read_single(q, d->index < half ? 0 : d->index - half, q->max, 0);
	} else if (d->absent) {
		half = q->max / 2;
		plan_note(q->plan, "a page fault: the window around it");
		w->start = d->index < half ? 0 : d->index - half;
		w->size = q->max;
		w->async = q->max / 4;
		w->order = 0;
		read_single(q, w->start, w->size, w->async);
	} else if (d->marked) {
		uint32_t order = order_of(q->ra, d->base + d->index);

		if (order)
			q->plan->unmark = (struct extent){ .index = d->index >> order << order,
				.count = 1u << order };
		marked(q, d->index, q->max, order);
	}
}

static void
ondemand_access(void *self, const struct demand *d, struct plan *plan)
{
	struct ondemand *ra = self;
	struct window	*w = &ra->window[d->call->open];
	struct query	 q = { ra, w, d, plan, 0 };

	if (d->index == d->first && !d->again)
		start_call(ra, w, d);
	else if (d->index != d->first && ra->rules->previous == EVERY_PAGE)
		w->prev = (int64_t)((uint64_t)d->index << ra->block_shift);
	if (unlikely(ra->by == BY_FAULT) && !d->again)
		w->misses += d->absent ? 1 : -1;
	if (likely(!d->absent && !d->marked && !ra->rules->peeks))
		return;
	if (d->absent || d->index - w->turn >= PEEK_PAGES)
		w->turn = d->index;
	if (!ra->pages)
		return;
	plan->waits = ra->rules->waits;
	if (ra->by == BY_FAULT) {
		fault(&q);
	} else if (w->random) {
		if (d->absent && ra->version != V2_6_24)
			read_exactly(&q, d->index, forced(ra, w, d),
			    "random reads were advised: only the requested blocks");
	} else if (d->absent) {
		q.max = largest_window(ra, w, d->left);
		missing(&q, d->index, d->left);
	} else if (d->marked) {
		meet_mark(&q);
	} else {
		peek(&q);
	}
	if (d->marked || d->locked)
		w->turn = d->index + 1;
}

/* ---- advice ---- */

static void
ondemand_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	struct ondemand *ra = self;
	struct window	*w = &ra->window[a->open];

	if (a->fresh) {
		*w = (struct window){ .prev = -1, .next = -1 };
		w->advised = true;
	}
	if (a->kind != ADVICE_WILLNEED) {
		w->random = a->kind == ADVICE_RANDOM;
		w->doubled = a->kind == ADVICE_SEQUENTIAL || (w->random && w->doubled);
		return;
	}
	plan_note(plan, "WILLNEED: read, as much as one request may hold");
	read_single(&(struct query){ ra, w, d, plan, 0 }, d->index, forced(ra, w, d), 0);
}

static uint8_t
ondemand_order(const void *self, block_t b)
{
	return order_of(self, b);
}

/* ---- setting up ---- */

static int
ondemand_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct ondemand *ra = self;

	ra->rules = &rules[ra->version];
	ra->block_shift = t->block_shift;
	ra->pages = window_pages(ra->pages, ra->kb, t);
	if (ra->large && ra->version < V6_8)
		return error_usage(e, "large=1 needs version=6.8 or a later one, not %s",
		    version_words[ra->version]);
	if (ra->by == BY_FAULT && ra->large && ra->version != V6_18)
		return error_usage(e, "by=fault with large=1 needs version=6.18, not %s",
		    version_words[ra->version]);
	ra->window = windows_new(t, sizeof(*ra->window), e);
	if (!ra->window)
		return -1;
	ra->order = ra->large ? calloc(slots_entries(t), 1) : NULL;
	if (ra->large && (!ra->order || slots_init(&ra->slots, t, e)))
		return error_set(e, "out of memory for the folios of %u blocks", t->nblocks);
	for (uint32_t i = 0; i < t->nopen; i++)
		ra->window[i].prev = ra->window[i].next = -1;
	return 0;
}

static void
ondemand_release(void *self)
{
	struct ondemand *ra = self;

	free(ra->window);
	free(ra->order);
	slots_release(&ra->slots);
}

static const char *const ondemand_state_names[] = { "start", "size", "async", "previous", NULL };

static void
ondemand_state(const void *self, uint32_t open, int64_t *value)
{
	const struct window *w = &((const struct ondemand *)self)->window[open];

	value[0] = w->start;
	value[1] = w->size;
	value[2] = w->async;
	value[3] = w->next;
}

PREFETCHER(ondemand,
    .plugin = { .name = "ondemand",
	.summary = "readahead of Linux 2.6.24 and later, woken by misses and marks",
	.source =
	    "Wu Fengguang, Xi Hongsheng, Xu Chenfeng: On the design of a new Linux readahead framework, ACM SIGOPS Operating Systems Review 42(5), 2008; Linux, mm/readahead.c",
	.state_size = sizeof(struct ondemand),
	.params = ondemand_params,
	.either = (const char *const[]){ "pages", "kb", NULL } },
    .init = ondemand_init, .release = ondemand_release, .access = ondemand_access,
    .advise = ondemand_advise, .order = ondemand_order, .state_names = ondemand_state_names,
    .state = ondemand_state);

/*
 * ra26.c - vectors of the file readahead of Linux 2.6.11 and later: every
 * member of every read.
 *
 * read(2) comes in three forms.  Up to 2.6.22 readahead is called before a
 * page is looked up; up to 4.19 when a page is missing or marked; then pages
 * are looked up in batches, which end behind a marked one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vectors/pages.h"
#include "tests/vectors/vectors.h"

enum { BATCH = 15, STATE_OLD = 7, STATE_NEW = 4 };
enum { PREVIOUS_NEW = 3, PREVIOUS_OLD = 4 }; /* which of the states */

extern const struct prefetcher prefetcher_linux26, prefetcher_ondemand;

struct reader;

static void read_asking_first(struct reader *r);
static void read_page_by_page(struct reader *r);
static void read_in_batches(struct reader *r);

static const struct kernel {
	const char *name; /* the beginning of what the vectors call it, and our version */
	const struct prefetcher *prefetcher;
	void (*read)(struct reader *r);
	unsigned states;
	bool	 finer;	 /* marks a page again that is not read on from where it was left */
	bool	 at_end; /* looks pages up at the end of the file, too */
	bool	 beyond; /* looks up one page more than it reads */
} kernels[] = {
	{ .name = "2.6.11",
	    .read = read_asking_first,
	    .prefetcher = &prefetcher_linux26,
	    .states = STATE_OLD },
	{ .name = "2.6.22",
	    .read = read_asking_first,
	    .prefetcher = &prefetcher_linux26,
	    .states = STATE_OLD,
	    .finer = true },
	{ .name = "2.6.24",
	    .read = read_page_by_page,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW },
	{ .name = "3.0",
	    .read = read_page_by_page,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW },
	{ .name = "4.19",
	    .read = read_page_by_page,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW },
	{ .name = "5.15",
	    .read = read_in_batches,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW,
	    .at_end = true,
	    .beyond = true },
	{ .name = "6.8",
	    .read = read_in_batches,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW },
	{ .name = "6.1x",
	    .read = read_in_batches,
	    .prefetcher = &prefetcher_ondemand,
	    .states = STATE_NEW },
};

struct reader {
	const struct kernel *kernel;
	struct pages	     pages;
	bool		     large;
	uint64_t	     at, end;  /* position, and where the call would end */
	int64_t		     previous; /* what this open file remembers of its last read */
	uint32_t   *within; /* by open file: where in a page its last read ended (2.6.22) */
	int64_t	    state[STATE_MAX + 1];
	struct text firsts; /* the first page of each folio that was read ahead */
};

static struct reader reader;

/* ---- pages ---- */

static uint32_t
order_of(const struct reader *r, uint32_t index)
{
	return pages_found(&r->pages, index) ? pages_page(&r->pages, index)->order : 0;
}

/* The first page of the folio that a page is in. */
static uint32_t
folio_of(const struct reader *r, uint32_t index)
{
	return index >> order_of(r, index) << order_of(r, index);
}

static bool
is_marked(const struct reader *r, uint32_t index)
{
	const struct pages *p = &r->pages;

	return pages_found(p, index) &&
	    p->cache.frame[cache_find(&p->cache, p->demand.base + index)].flags & FRAME_MARKED;
}

static void
submit_folio(struct reader *r, uint32_t index, const char *letter)
{
	struct pages *p = &r->pages;
	uint8_t order = r->large ? prefetcher_ondemand.order(p->self, p->demand.base + index) : 0;
	char	size[16];

	pages_event(p, letter, index);
	text_list_add(&r->firsts, index);
	if (order) {
		snprintf(size, sizeof(size), "x%u", 1u << order);
		text_add(&p->events, "%s", size);
	}
	if (plan_marks(&p->plan, index))
		text_add(&p->events, "!");
	for (uint32_t i = index; i < index + (1u << order); i++) {
		pages_submit(p, i, NULL);
		pages_page(p, i)->order = order;
		if (plan_marks(&p->plan, i))
			p->cache.frame[cache_find(&p->cache, p->demand.base + i)].flags |=
			    FRAME_MARKED;
	}
}

static void
submit_plan(struct reader *r, const char *letter)
{
	struct pages	  *p = &r->pages;
	const struct plan *plan = &p->plan;

	for (unsigned i = 0; i < plan->n; i++)
		for (uint32_t k = 0; k < plan->extent[i].count; k++) {
			uint32_t index = plan->extent[i].index + k;

			if (index < p->demand.end && !pages_found(p, index))
				submit_folio(r, index, letter);
		}
	for (uint32_t k = 0; k < plan->unmark.count; k++)
		if (is_marked(r, plan->unmark.index + k))
			p->cache.frame[p->demand.base + plan->unmark.index + k].flags &=
			    (uint8_t)~FRAME_MARKED;
}

/* Pages of the call from that one on; of a call that ends within a page that is one, too. */
static uint32_t
left(const struct reader *r, uint32_t index)
{
	return (uint32_t)((r->end + PAGE_BYTES - 1) >> PAGE_SHIFT) - index;
}

static void
ask(struct reader *r, uint32_t index, const char *letter)
{
	struct pages *p = &r->pages;

	pages_consult(p, index, left(r, index), !pages_found(p, index));
	submit_plan(r, letter);
}

/* A page that is there: readahead wakes up if it is marked, or the one behind the read. */
static void
found(struct reader *r, uint32_t index)
{
	struct pages *p = &r->pages;
	bool	      marked = is_marked(r, index), behind = is_marked(r, index + 1);

	pages_consult(p, index, left(r, index), false);
	if (marked)
		pages_event(p, "T", folio_of(r, index));
	else if (behind && p->plan.unmark.count)
		pages_event(p, "T", index + 1);
	submit_plan(r, "A");
}

/* Bytes of the call that are in the page at its position; 0: the file ends. */
static uint64_t
bytes_there(const struct reader *r)
{
	uint64_t end = (r->at | (PAGE_BYTES - 1)) + 1, size = r->pages.call.file_size;

	if (end > size)
		end = size;
	if (end > r->end)
		end = r->end;
	return r->at < end ? end - r->at : 0;
}

/* ---- up to 2.6.22 ---- */

static void
read_asking_first(struct reader *r)
{
	struct pages *p = &r->pages;
	uint32_t     *within = &r->within[p->call.open];
	uint64_t      n;

	for (; (n = bytes_there(r)) > 0; r->at += n) {
		uint32_t index = (uint32_t)(r->at >> PAGE_SHIFT);

		ask(r, index, "R");
		if (!pages_found(p, index)) {
			pages_event(p, "N", index);
			pages_demand(p, index);
		}
		if (index != r->previous || (r->kernel->finer && *within != r->at % PAGE_BYTES))
			pages_event(p, "M", index);
		r->previous = index;
		*within = (uint32_t)((r->at + n) % PAGE_BYTES);
		pages_event(p, "C", index);
	}
}

/* ---- up to 4.19 ---- */

static void
look_up(struct reader *r, uint32_t index)
{
	struct pages *p = &r->pages;

	if (pages_found(p, index)) {
		found(r, index);
		return;
	}
	pages_event(p, "N", index);
	ask(r, index, "S");
	if (!pages_found(p, index)) {
		pages_event(p, "N", index);
		pages_demand(p, index);
	} else if (is_marked(r, index)) {
		found(r, index);
	}
}

static void
read_page_by_page(struct reader *r)
{
	struct pages *p = &r->pages;
	uint64_t      n;

	while (r->at < r->end) {
		uint32_t index = (uint32_t)(r->at >> PAGE_SHIFT);

		look_up(r, index);
		n = bytes_there(r);
		if (!n)
			return;
		if (r->previous >> PAGE_SHIFT != index ||
		    (r->previous & (PAGE_BYTES - 1)) != (int64_t)(r->at & (PAGE_BYTES - 1)))
			pages_event(p, "M", index);
		r->at += n;
		r->previous = (int64_t)((uint64_t)index << PAGE_SHIFT | (r->at & (PAGE_BYTES - 1)));
		pages_event(p, "C", index);
	}
}

/* ---- since 5.15 ---- */

/* Look up a batch of folios from that page on: how many, and the first page of each. */
static unsigned
gather(const struct reader *r, uint32_t index, uint32_t first[BATCH])
{
	uint32_t n = 0, last = index + left(r, index) - !r->kernel->beyond;

	while (n < BATCH && index <= last && pages_found(&r->pages, index)) {
		first[n++] = folio_of(r, index);
		if (is_marked(r, index))
			break;
		index = first[n - 1] + (1u << order_of(r, index));
	}
	return n;
}

/* Tell the prefetcher of every page of the batch that the call is for. */
static void
tell_of(struct reader *r, uint32_t index, uint32_t last_folio)
{
	uint32_t end = last_folio + (1u << order_of(r, last_folio));

	if (end > index + left(r, index))
		end = index + left(r, index);
	for (; index < end; index++)
		found(r, index);
}

/* A batch that is empty is a miss; one that stays empty is the page itself, read by itself. */
static unsigned
gather_or_read(struct reader *r, uint32_t index, uint32_t first[BATCH])
{
	unsigned n = gather(r, index, first);

	if (!n) {
		pages_event(&r->pages, "N", index);
		ask(r, index, "S");
		n = gather(r, index, first);
	}
	if (!n) {
		pages_demand(&r->pages, index);
		first[0] = index;
		return 1;
	}
	if (index < r->pages.demand.end)
		tell_of(r, index, first[n - 1]);
	return n;
}

static bool
was_read_before(const struct reader *r, uint32_t folio)
{
	uint32_t shift = PAGE_SHIFT + order_of(r, folio);
	int64_t	 previous = r->previous;

	if (!r->kernel->beyond) /* a position is behind what was read */
		previous--;
	return (int64_t)r->at >> shift == previous >> shift;
}

static void
copy_batch(struct reader *r, const uint32_t *first, unsigned n)
{
	uint64_t size = r->pages.call.file_size, end = r->end < size ? r->end : size;

	for (unsigned i = 0; i < n; i++) {
		uint64_t folio = (uint64_t)first[i] << PAGE_SHIFT;
		uint64_t stop = folio + ((uint64_t)PAGE_BYTES << order_of(r, first[i]));

		if (end < folio)
			return;
		if (i > 0 || !was_read_before(r, first[i]))
			pages_event(&r->pages, "M", first[i]);
		if (end == folio)
			return;
		pages_event(&r->pages, "C", first[i]);
		r->at = stop < end ? stop : end;
		r->previous = (int64_t)r->at;
	}
}

static void
read_in_batches(struct reader *r)
{
	uint64_t size = r->pages.call.file_size;
	uint32_t first[BATCH];

	do {
		uint32_t index = (uint32_t)(r->at >> PAGE_SHIFT);
		unsigned n;

		if (!r->kernel->at_end && r->at >= size)
			return;
		n = gather_or_read(r, index, first);
		if (r->at >= size)
			return;
		copy_batch(r, first, n);
	} while (r->at < r->end && r->at < size);
}

/* ---- the kind ---- */

static const struct kernel *
find_kernel(const cJSON *header, struct error *e)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(header, "kernel");

	for (size_t i = 0; cJSON_IsString(name) && i < sizeof(kernels) / sizeof(*kernels); i++)
		if (!strncmp(name->valuestring, kernels[i].name, strlen(kernels[i].name)))
			return &kernels[i];
	error_set(e, "kernel '%s' is not one that is known here",
	    cJSON_IsString(name) ? name->valuestring : "");
	return NULL;
}

static int
ra26_begin(const cJSON *header, struct error *e)
{
	uint64_t pages, io_pages, large;
	char	 params[128];
	size_t	 used;

	reader = (struct reader){ .kernel = find_kernel(header, e) };
	if (!reader.kernel || json_number(header, "ra_pages", UINT16_MAX, &pages, e) < 0 ||
	    json_optional(header, "io_pages", 0, UINT16_MAX, &io_pages, e) < 0 ||
	    json_optional(header, "large", 0, 1, &large, e) < 0)
		return -1;
	reader.large = large && reader.kernel->prefetcher == &prefetcher_ondemand;
	used = (size_t)snprintf(params, sizeof(params), "version=%s,pages=%" PRIu64,
	    reader.kernel->name, pages);
	if (reader.kernel->prefetcher == &prefetcher_ondemand)
		snprintf(params + used, sizeof(params) - used,
		    ",io_pages=%" PRIu64 ",large=%" PRIu64, io_pages, large);
	if (pages_begin(&reader.pages, header, reader.kernel->prefetcher, params, e) < 0)
		return -1;
	reader.within = calloc(reader.pages.trace.nopen + 1, sizeof(*reader.within));
	return reader.within ? 0 : error_set(e, "out of memory");
}

static void
ra26_end(void)
{
	pages_end(&reader.pages);
	free(reader.within);
	free(reader.firsts.s);
	reader.firsts = (struct text){ 0 };
	reader.within = NULL;
}

/* One event in our own words, at `to`; false: it says nothing.  `before` is what was said last. */
static bool
reword(const struct reader *r, const char *event, char *to, size_t room, const char *before)
{
	char	      letter = event[0], *suffix;
	unsigned long index = strtoul(event + 1, &suffix, 10);
	const char   *size = strchr(suffix, 'x'), *mark = strchr(suffix, '!');

	if (r->large && strchr("CMT", letter))
		index = folio_of(r, (uint32_t)index);
	snprintf(to, room, "%c%lu%.*s%s", letter, index,
	    size ? 1 + (int)strspn(size + 1, "0123456789") : 0, size ? size : "", mark ? "!" : "");
	return letter != 'C' || (index << PAGE_SHIFT < r->at && strcmp(to, before) != 0);
}

/*
 * What says the same in other words: "S0!x4" and "S0x4!", a folio by any of
 * its pages, its copy page by page, and a copy of no bytes, which is none.
 */
static void
normalise(const struct reader *r, const cJSON *step)
{
	const cJSON *ev = cJSON_GetObjectItemCaseSensitive(step, "ev");
	char	    *from = cJSON_IsString(ev) ? ev->valuestring : NULL, *to = from, *next;
	char	     word[48], before[48] = "";

	for (; from && *from; from = next) {
		size_t n = strcspn(from, " ");

		next = from + n + (from[n] == ' ');
		from[n] = '\0';
		if (!strspn(from + 1, "0123456789") || n >= sizeof(word) - 8 ||
		    !reword(r, from, word, sizeof(word), before))
			continue;
		to += sprintf(to, "%s%s", to == ev->valuestring ? "" : " ", word);
		memcpy(before, word, sizeof(before));
	}
	if (to)
		*to = '\0';
}

/* Pages that were read, or of a folio only the first. */
static const char *
ahead_as_recorded(const struct reader *r, const cJSON *step)
{
	const cJSON *ra = cJSON_GetObjectItemCaseSensitive(step, "ra");
	char	    *recorded = cJSON_PrintUnformatted(ra);
	bool	     firsts = r->large && recorded && !strcmp(recorded, r->firsts.s);

	cJSON_free(recorded);
	return firsts ? r->firsts.s : r->pages.ahead.s;
}

static int
compare(const cJSON *step, char *why, struct error *e)
{
	const struct pages *p = &reader.pages;
	struct text	    state = { 0 };
	char		    returned[32];
	struct {
		const char *name, *got;
	} member[] = { { "ret", returned }, { "ev", p->events.s }, { "demand", p->demanded.s },
		{ "ra", ahead_as_recorded(&reader, step) }, { "st", NULL } };
	int differs = 0;

	snprintf(returned, sizeof(returned), "%" PRIu64, reader.at - p->call.offset);
	text_list_start(&state);
	for (unsigned i = 0; i < reader.kernel->states; i++)
		text_list_add(&state, reader.state[i]);
	text_list_end(&state);
	member[4].got = state.s;
	normalise(&reader, step);
	for (size_t i = 0; differs >= 0 && i < sizeof(member) / sizeof(*member); i++) {
		int d = step_compare(step, member[i].name, member[i].got, why, DIFFERENCE_TEXT, e);

		differs = d < 0 ? -1 : differs | d;
	}
	free(state.s);
	return differs;
}

static int
ra26_step(const cJSON *step, char why[DIFFERENCE_TEXT], struct error *e)
{
	struct pages *p = &reader.pages;
	int	      changed = pages_change(p, step, e);
	bool	      old = reader.kernel->states == STATE_OLD;

	if (changed)
		return changed < 0 ? -1 : 0;
	if (pages_call(p, step, e) < 0)
		return -1;
	text_list_start(&reader.firsts);
	p->prefetcher->state(p->self, p->call.open, reader.state);
	reader.previous = p->call.fresh ? -1 : reader.state[old ? PREVIOUS_OLD : PREVIOUS_NEW];
	reader.at = p->call.offset;
	reader.end = p->call.offset + p->call.length;
	if (p->call.length)
		reader.kernel->read(&reader);
	p->prefetcher->state(p->self, p->call.open, reader.state);
	text_list_end(&p->demanded);
	text_list_end(&p->ahead);
	text_list_end(&reader.firsts);
	return compare(step, why, e);
}

const struct kind ra26 = { "ra26", "ra_pages", ra26_begin, ra26_step, ra26_end };

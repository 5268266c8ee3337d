/* film_sheet.c - place the lanes of a film, and everything in them. */
#include <math.h>
#include <stdlib.h>

#include "sim/base/map.h"
#include "sim/film/film_sheet.h"

enum {		      /* in pixels */
	WAITING = 12, /* a request in the queue, at most */
	LEAST_QUEUE = 24,
	MOST_QUEUE = 72,
	MOST_DEVICE = 96,
	MOST_BLOCK = 10,
	LEAST_CACHE = 40,
	MOST_CACHE = 280,
	GAP = 7,
	NEAR = 8, /* blocks: a smaller gap between bands is drawn as it is */
};

static const double mark_width = 2.4, least_height = 1.6, least_mark = 3, strip = 4;

/* ---- time ---- */

double
film_x(const struct film_sheet *s, usec_t when)
{
	const struct film *f = s->f;
	double		   part = (double)(when - f->begin) / (double)(f->end - f->begin);

	return FILM_LEFT + (FILM_RIGHT - FILM_LEFT) * (part < 0 ? 0 : part > 1 ? 1 : part);
}

bool
film_shows_request(const struct film *f, const struct film_request *r)
{
	return r->queued < f->end && r->done > f->begin;
}

/* ---- boxes ---- */

static int
add_box(struct film_sheet *s, struct film_box box, struct error *e)
{
	struct film_box *all = array_grow(s->box, s->nboxes, &s->rooms[0], sizeof(*all));

	if (!all)
		return error_no_memory(e);
	s->box = all;
	all[s->nboxes++] = box;
	return 0;
}

/* From one moment to another. */
static int
add_time(struct film_sheet *s, usec_t from, usec_t to, double top, double bottom, unsigned style,
    struct error *e)
{
	double left = film_x(s, from), right = film_x(s, to);

	if (right - left < 0.02)
		return 0;
	return add_box(s, (struct film_box){ left, right, top, bottom, style }, e);
}

/* ---- processes ---- */

static void
choose_processes(struct film_sheet *s)
{
	const struct film *f = s->f;

	for (uint32_t i = 0; i < f->nprocesses; i++) {
		if (!f->process[i].acts)
			continue;
		if (s->nshown < FILM_ROWS)
			s->shown[s->nshown++] = i;
		else
			s->nhidden++;
	}
	s->program_height = s->nshown * FILM_ROW;
}

bool
film_row(const struct film_sheet *s, uint32_t process, double *top)
{
	uint32_t i = 0;

	while (i < s->nshown && s->shown[i] != process)
		i++;
	*top = s->program_top + i * FILM_ROW;
	return i < s->nshown;
}

static int
fill_processes(struct film_sheet *s, struct error *e)
{
	const struct film *f = s->f;
	double		   top;

	for (size_t i = 0; i < f->nspans; i++) {
		const struct film_span *n = &f->span[i];

		if (film_row(s, n->process, &top) &&
		    add_time(s, n->from, n->to, top + 1, top + FILM_ROW - 1, FILM_ACT + n->act, e))
			return -1;
	}
	for (size_t i = 0; i < f->ncall; i++) {
		double x = film_x(s, f->call[i].begin);

		if (film_row(s, f->call[i].process, &top) &&
		    add_box(s,
			(struct film_box){ x - 0.5, x + 0.5, top - 1, top + FILM_ROW, FILM_BEGIN },
			e))
			return -1;
	}
	return 0;
}

/* ---- the queue ---- */

struct change { /* of the requests that wait */
	usec_t	      when;
	int	      by;
	enum film_use use;
};

static int
by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return x->when != y->when ? (x->when > y->when) - (x->when < y->when) : x->by - y->by;
}

/* For free(); *n may be 0. */
static struct change *
find_changes(const struct film *f, size_t *n)
{
	struct change *all = calloc(2 * f->nrequests + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; all && i < f->nrequests; i++) {
		const struct film_request *r = &f->request[i];

		if (!film_shows_request(f, r) || r->started <= r->queued || r->started <= f->begin)
			continue;
		all[(*n)++] = (struct change){ r->queued, 1, r->use };
		all[(*n)++] = (struct change){ r->started, -1, r->use };
	}
	if (all)
		qsort(all, *n, sizeof(*all), by_time);
	return all;
}

static int
measure_queue(struct film_sheet *s, struct error *e)
{
	size_t	       n;
	struct change *all = find_changes(s->f, &n);
	int	       waiting = 0;

	if (!all)
		return error_no_memory(e);
	for (size_t i = 0; i < n; i++) {
		waiting += all[i].by;
		if (waiting > (int)s->most_waiting)
			s->most_waiting = (unsigned)waiting;
	}
	free(all);
	s->queue_height = fmin(MOST_QUEUE, fmax(LEAST_QUEUE, s->most_waiting * WAITING));
	return 0;
}

/* So many requests of each use wait from one moment to another. */
static int
stack(struct film_sheet *s, usec_t from, usec_t to, const unsigned waiting[FILM_USES],
    struct error *e)
{
	double each = fmin(WAITING, s->queue_height / s->most_waiting);
	double bottom = s->queue_top + s->queue_height;

	for (unsigned use = 0; use < FILM_USES; use++) {
		double top = bottom - each * waiting[use];

		if (waiting[use] && add_time(s, from, to, top, bottom, FILM_USE + use, e))
			return -1;
		bottom = top;
	}
	return 0;
}

static int
fill_queue(struct film_sheet *s, struct error *e)
{
	size_t	       n;
	struct change *all = find_changes(s->f, &n);
	unsigned       waiting[FILM_USES] = { 0 };
	int	       failed = all ? 0 : error_no_memory(e);

	for (size_t i = 0; !failed && i < n; i++) {
		waiting[all[i].use] += (unsigned)all[i].by;
		if (i + 1 < n && all[i + 1].when > all[i].when)
			failed = stack(s, all[i].when, all[i + 1].when, waiting, e);
	}
	free(all);
	return failed;
}

/* ---- the device ---- */

/* Requests in service at the same time are in different rows. */
static int
choose_rows(struct film_sheet *s, struct error *e)
{
	const struct film *f = s->f;
	usec_t		   busy[FILM_DEVICE_ROWS] = { 0 };

	s->device_rows = 1;
	s->row = calloc(f->nrequests + 1, 1);
	if (!s->row)
		return error_no_memory(e);
	for (size_t i = 0; i < f->nrequests; i++) {
		unsigned row = 0, soonest = 0;

		while (row < FILM_DEVICE_ROWS && busy[row] > f->request[i].started) {
			soonest = busy[row] < busy[soonest] ? row : soonest;
			row++;
		}
		if (row == FILM_DEVICE_ROWS)
			row = soonest;
		busy[row] = f->request[i].done;
		s->row[i] = (uint8_t)row;
		if (film_shows_request(f, &f->request[i]) && row >= s->device_rows)
			s->device_rows = row + 1;
	}
	s->device_height = fmin(s->device_rows * (FILM_ROW + strip), MOST_DEVICE);
	return 0;
}

double
film_device_row_height(const struct film_sheet *s)
{
	return s->device_height / s->device_rows;
}

double
film_device_row(const struct film_sheet *s, size_t request)
{
	return s->device_top + s->row[request] * film_device_row_height(s);
}

static int
fill_device(struct film_sheet *s, struct error *e)
{
	double height = film_device_row_height(s);

	for (size_t i = 0; i < s->f->nrequests; i++) {
		const struct film_request *r = &s->f->request[i];
		double top = film_device_row(s, i), bottom = top + height - height / 12;
		double middle = bottom - fmin(strip, height / 3);
		usec_t at = r->started;

		if (!film_shows_request(s->f, r))
			continue;
		for (unsigned k = 0; k < SERVICE_PARTS; at += r->part[k++])
			if (add_time(s, at, at + r->part[k], top, middle, FILM_PART + k, e))
				return -1;
		if (add_time(s, r->started, r->done, middle, bottom, FILM_USE + r->use, e))
			return -1;
	}
	return 0;
}

/* ---- the blocks in the cache ---- */

static int
add_band(struct film_sheet *s, block_t first, uint32_t count, struct error *e)
{
	struct film_band *all = array_grow(s->band, s->nbands, &s->rooms[1], sizeof(*all));

	if (!all)
		return error_no_memory(e);
	s->band = all;
	all[s->nbands++] = (struct film_band){ .first = first,
		.end = first + count,
		.file = trace_file(s->f->t, first) };
	return 0;
}

static int
by_block(const void *a, const void *b)
{
	const struct film_band *x = a, *y = b;

	return x->first != y->first ? (x->first > y->first) - (x->first < y->first)
				    : (x->end > y->end) - (x->end < y->end);
}

/* Join those that touch or nearly touch, in one file. */
static void
join_bands(struct film_sheet *s)
{
	size_t n = 0;

	if (!s->nbands)
		return;
	qsort(s->band, s->nbands, sizeof(*s->band), by_block);
	for (size_t i = 1; i < s->nbands; i++) {
		struct film_band *last = &s->band[n], *next = &s->band[i];

		if (next->file == last->file && next->first <= last->end + NEAR)
			last->end = next->end > last->end ? next->end : last->end;
		else
			s->band[++n] = *next;
	}
	s->nbands = n + 1;
}

/* Blocks that only leave, and had been used, are not shown. */
static int
find_bands(struct film_sheet *s, struct error *e)
{
	const struct film *f = s->f;

	for (size_t i = 0; i < f->nevents; i++)
		if (f->event[i].fate != FILM_EVICTED &&
		    add_band(s, f->event[i].block, f->event[i].count, e))
			return -1;
	for (size_t i = 0; i < f->nrequests; i++)
		if (film_shows_request(f, &f->request[i]) && f->request[i].use != FILM_WRITE &&
		    add_band(s, f->request[i].block, f->request[i].count, e))
			return -1;
	join_bands(s);
	return 0;
}

static void
measure_cache(struct film_sheet *s)
{
	size_t	 gaps = s->nbands ? s->nbands - 1 : 0;
	uint64_t blocks = 0;

	for (size_t i = 0; i < s->nbands; i++) {
		s->band[i].before = blocks;
		blocks += s->band[i].end - s->band[i].first;
	}
	s->gap = gaps ? fmin(GAP, 0.25 * MOST_CACHE / (double)gaps) : 0;
	s->block_height = blocks
	    ? fmin(MOST_BLOCK, (MOST_CACHE - s->gap * (double)gaps) / (double)blocks)
	    : MOST_BLOCK;
	s->cache_height =
	    fmax(LEAST_CACHE, s->block_height * (double)blocks + s->gap * (double)gaps);
}

static void
place_bands(struct film_sheet *s)
{
	for (size_t i = 0; i < s->nbands; i++)
		s->band[i].bottom = s->cache_top + s->cache_height -
		    s->block_height * (double)s->band[i].before - s->gap * (double)i;
}

const struct film_band *
film_band_of(const struct film_sheet *s, block_t b)
{
	size_t low = 0, high = s->nbands;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->band[middle].end <= b)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->nbands && s->band[low].first <= b ? &s->band[low] : NULL;
}

uint64_t
film_sheet_blocks(const struct film_sheet *s, enum film_fate fate)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->f->nevents; i++) {
		const struct film_event *v = &s->f->event[i];

		for (uint32_t k = 0; v->fate == fate && k < v->count; k++)
			n += film_band_of(s, v->block + k) != NULL;
	}
	return n;
}

/* A box for some blocks; those that are not in a band have none. */
static int
add_blocks(struct film_sheet *s, double left, double right, block_t first, uint32_t count,
    unsigned style, struct error *e)
{
	for (block_t b = first; b < first + count;) {
		const struct film_band *n = film_band_of(s, b);
		uint32_t		k = 1;
		double			top, bottom;

		if (n) {
			k = first + count < n->end ? first + count - b : n->end - b;
			bottom = n->bottom - s->block_height * (b - n->first);
			top = bottom -
			    fmax(s->block_height * k,
				style >= FILM_FATE && style < FILM_BAND ? least_mark
									: least_height);
			if (add_box(s, (struct film_box){ left, right, top, bottom, style }, e))
				return -1;
		}
		b += k;
	}
	return 0;
}

static int
add_blocks_time(struct film_sheet *s, usec_t from, usec_t to, block_t first, uint32_t count,
    unsigned style, struct error *e)
{
	double left = film_x(s, from), right = film_x(s, to);

	return right - left < 0.02 || !count ? 0
					     : add_blocks(s, left, right, first, count, style, e);
}

static int
fill_stays(struct film_sheet *s, struct error *e)
{
	const struct film *f = s->f;

	for (size_t i = 0, n; i < f->nstays; i += n) {
		const struct film_stay *y = &f->stay[i];

		n = film_stays_alike(f, i);
		if (add_blocks_time(s, y->from, y->to, y->block, (uint32_t)n, FILM_STAY, e))
			return -1;
	}
	return 0;
}

static int
fill_flights(struct film_sheet *s, struct error *e)
{
	for (size_t i = 0; i < s->f->nrequests; i++) {
		const struct film_request *r = &s->f->request[i];

		if (!film_shows_request(s->f, r) || r->use == FILM_WRITE)
			continue;
		if (add_blocks_time(s, r->queued, r->done, r->block, r->demanded,
			FILM_FLIGHT + FILM_DEMAND, e) ||
		    add_blocks_time(s, r->queued, r->done, r->block + r->demanded,
			r->count - r->demanded, FILM_FLIGHT + FILM_PREFETCH, e))
			return -1;
	}
	return 0;
}

static int
fill_cache(struct film_sheet *s, struct error *e)
{
	const struct film *f = s->f;

	place_bands(s);
	for (size_t i = 0; i < s->nbands; i++)
		if (add_blocks(s, FILM_LEFT, FILM_RIGHT, s->band[i].first,
			s->band[i].end - s->band[i].first, FILM_BAND, e))
			return -1;
	if (fill_flights(s, e) || fill_stays(s, e))
		return -1;
	for (size_t i = 0; i < f->nevents; i++) {
		const struct film_event *v = &f->event[i];
		double			 x = film_x(s, v->when);

		if (add_blocks(s, x, x + mark_width, v->block, v->count, FILM_FATE + v->fate, e))
			return -1;
	}
	return 0;
}

/* ---- all ---- */

int
film_sheet_init(struct film_sheet *s, const struct film *f, struct error *e)
{
	*s = (struct film_sheet){ .f = f };
	choose_processes(s);
	if (measure_queue(s, e) || choose_rows(s, e) || find_bands(s, e))
		return -1;
	measure_cache(s);
	return 0;
}

void
film_sheet_release(struct film_sheet *s)
{
	free(s->row);
	free(s->band);
	free(s->box);
	*s = (struct film_sheet){ 0 };
}

int
film_sheet_fill(struct film_sheet *s, struct error *e)
{
	return fill_cache(s, e) || fill_processes(s, e) || fill_queue(s, e) || fill_device(s, e)
	    ? -1
	    : 0;
}

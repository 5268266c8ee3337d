/* queue.c - add to, search and take from the waiting requests. */
#include <stdlib.h>
#include <string.h>

#include "sim/block/queue.h"

int
queue_init(struct queue *q, uint32_t limit, uint32_t max_blocks, uint32_t block_sectors,
    struct error *e)
{
	*q = (struct queue){ .limit = limit,
		.max_blocks = max_blocks,
		.block_sectors = block_sectors };
	q->request = calloc(limit, sizeof(*q->request));
	return q->request ? 0 : error_set(e, "out of memory for a queue of %u requests", limit);
}

void
queue_release(struct queue *q)
{
	free(q->request);
	*q = (struct queue){ 0 };
}

/* ---- adding ---- */

struct place
queue_place(const struct queue *q, const struct request *r)
{
	for (uint32_t i = q->n; i-- > 0;) {
		const struct request *w = &q->request[i];

		bool behind = queue_follows(q, w, r);

		if ((behind || queue_follows(q, r, w)) && queue_mergeable(q, w, r))
			return (struct place){ .how = behind ? PLACE_BACK : PLACE_FRONT, .i = i };
	}
	return (struct place){ .how = PLACE_NEW, .i = q->n };
}

/* Append r to w; r follows w. */
static void
merge_behind(struct request *w, const struct request *r)
{
	if (r->demand_end)
		w->demand_end = w->count + r->demand_end;
	w->count += r->count;
	w->nprefetched += r->nprefetched;
}

static void
merge_in_front(struct request *w, const struct request *r)
{
	w->demand_end = w->demand_end ? w->demand_end + r->count : r->demand_end;
	w->block = r->block;
	w->sector = r->sector;
	w->count += r->count;
	w->nprefetched += r->nprefetched;
}

/* Merge request i + 1 with request i if it follows it and the limits allow it. */
static enum queued
join(struct queue *q, uint32_t i)
{
	struct request	     *a = &q->request[i];
	const struct request *b = a + 1;

	if (!q->rules.joins || i < queue_first(q) || i + 1 >= q->n || !queue_mergeable(q, a, b) ||
	    !queue_follows(q, a, b) || !queue_has_segments(q, a, b->segments))
		return QUEUE_MERGED;
	merge_behind(a, b);
	a->segments += b->segments - q->rules.contiguous;
	a->promoted |= b->promoted;
	if (b->queued < a->queued)
		a->queued = b->queued;
	if (b->patience < a->patience)
		a->patience = b->patience;
	queue_remove(q, i + 1);
	return QUEUE_JOINED;
}

static void
insert(struct queue *q, const struct request *r, const struct place *at)
{
	struct request *w = &q->request[at->i];

	q->plugged |= q->rules.plugs && !q->n;
	memmove(w + 1, w, (q->n - at->i) * sizeof(*w));
	*w = *r;
	w->segments = 1;
	w->patience = at->patience;
	q->n++;
	q->writes += r->write;
}

enum queued
queue_put(struct queue *q, const struct request *r, struct place at)
{
	struct request *w = &q->request[at.i];

	if (at.how == PLACE_NEW) {
		if (!queue_free(q, r->write))
			return QUEUE_FULL;
		insert(q, r, &at);
		return QUEUE_NEW;
	}
	w->segments += !q->rules.contiguous;
	if (at.how == PLACE_BACK) {
		merge_behind(w, r);
		return join(q, at.i);
	}
	merge_in_front(w, r);
	return at.i ? join(q, at.i - 1) : QUEUE_MERGED;
}

struct request *
queue_find(struct queue *q, block_t b)
{
	for (uint32_t i = q->serving; i < q->n; i++)
		if (request_holds(&q->request[i], b) && q->request[i].fills)
			return &q->request[i];
	return NULL;
}

/* ---- serving ---- */

struct request
queue_remove(struct queue *q, uint32_t i)
{
	struct request r = q->request[i];

	q->n--;
	q->writes -= r.write;
	memmove(&q->request[i], &q->request[i + 1], (q->n - i) * sizeof(*q->request));
	return r;
}

struct request
queue_take(struct queue *q, uint32_t i)
{
	if (!q->rules.in_place)
		return queue_remove(q, i);
	assert(!i);
	q->serving = true;
	return q->request[0];
}

void
queue_finish(struct queue *q)
{
	if (q->serving)
		queue_remove(q, 0);
	q->serving = false;
}

/* ---- room ---- */

void
queue_lack(struct queue *q)
{
	q->lacks[false] |= !queue_has_room(q, 1, !q->rules.halves);
	q->lacks[true] |= !queue_has_room(q, !q->rules.halves, 1);
}

bool
queue_recovered(struct queue *q)
{
	for (unsigned write = 0; write < 2; write++)
		if (q->lacks[write] && queue_free(q, write) < q->rules.batch)
			return false;
	q->lacks[false] = q->lacks[true] = false;
	return true;
}

/* queue.c - add to, search and take from the waiting requests. */
#include <stdlib.h>
#include <string.h>

#include "sim/queue.h"

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

static bool
follows(const struct queue *q, const struct request *a, const struct request *b)
{
	return a->block + a->count == b->block &&
	    a->sector + (uint64_t)a->count * q->block_sectors == b->sector;
}

static bool
compatible(const struct request *w, const struct request *r)
{
	return w->write == r->write && w->fills == r->fills &&
	    (!r->write || !r->fills || w->call == r->call);
}

static void
merge_behind(struct request *w, const struct request *r)
{
	if (r->demand_end)
		w->demand_end = w->count + r->demand_end;
	w->count += r->count;
}

static void
merge_in_front(struct request *w, const struct request *r)
{
	w->demand_end = w->demand_end ? w->demand_end + r->count : r->demand_end;
	w->block = r->block;
	w->sector = r->sector;
	w->count += r->count;
}

enum queued
queue_add(struct queue *q, const struct request *r)
{
	for (uint32_t i = q->n; i-- > 0;) {
		struct request *w = &q->request[i];

		if (!compatible(w, r) || w->count + r->count > q->max_blocks)
			continue;
		if (follows(q, w, r))
			merge_behind(w, r);
		else if (follows(q, r, w))
			merge_in_front(w, r);
		else
			continue;
		w->nprefetched += r->nprefetched;
		return QUEUE_MERGED;
	}
	assert(q->n < q->limit);
	q->request[q->n++] = *r;
	return QUEUE_NEW;
}

struct request
queue_remove(struct queue *q, uint32_t i)
{
	struct request r = q->request[i];

	q->n--;
	memmove(&q->request[i], &q->request[i + 1], (q->n - i) * sizeof(*q->request));
	return r;
}

struct request *
queue_find(struct queue *q, block_t b)
{
	for (uint32_t i = 0; i < q->n; i++)
		if (request_holds(&q->request[i], b) && q->request[i].fills)
			return &q->request[i];
	return NULL;
}

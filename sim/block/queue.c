/*
 * queue.c - add to, search and take from the waiting requests.
 *
 * The usual steps do not take longer in a longer queue.  Most blocks that touch
 * no request need no search, because the edges of requests are marked in a
 * table by the last bits of their block numbers; and the first request leaves
 * without a move of the others.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/block/queue.h"

/* Of a block number in the table: a request that can grow may start there, or end before it. */
enum { STARTS = 1, ENDS = 2 };

enum { MARKS_MIN = 64, SHORT = 8 /* a search takes no longer than a look at the marks */ };

int
queue_init(struct queue *q, uint32_t limit, uint32_t max_blocks, uint32_t block_sectors,
    struct error *e)
{
	size_t room = limit + (size_t)limit / 2 + 1; /* the requests are moved back at times */
	size_t marks = MARKS_MIN;

	while (marks / 4 < limit)
		marks *= 2;
	*q = (struct queue){ .limit = limit,
		.max_blocks = max_blocks,
		.block_sectors = block_sectors,
		.last_mark = marks - 1 };
	q->room = q->request = calloc(room, sizeof(*q->room));
	q->mark = calloc(marks, 1);
	if (!q->room || !q->mark)
		return error_set(e, "out of memory for a queue of %u requests", limit);
	q->room_end = q->room + room;
	return 0;
}

void
queue_release(struct queue *q)
{
	free(q->room);
	free(q->mark);
	*q = (struct queue){ 0 };
}

/* ---- marks ---- */

static void
mark(struct queue *q, block_t b, uint8_t what)
{
	q->mark[b & q->last_mark] |= what;
	q->nmarks++;
}

static void
mark_edges(struct queue *q, const struct request *r)
{
	if (r->count >= q->max_blocks)
		return;
	ASSERT(r->count);
	mark(q, r->block, STARTS);
	mark(q, r->block + r->count, ENDS);
}

/* Marks are never removed one by one. */
static void
renew_marks(struct queue *q)
{
	memset(q->mark, 0, q->last_mark + 1);
	q->nmarks = 0;
	for (uint32_t i = 0; i < q->n; i++)
		mark_edges(q, &q->request[i]);
}

bool
queue_may_merge(const struct queue *q, const struct request *r)
{
	return q->mark[r->block & q->last_mark] & ENDS ||
	    q->mark[(r->block + r->count) & q->last_mark] & STARTS;
}

/* ---- adding ---- */

struct place
queue_place(const struct queue *q, const struct request *r)
{
	bool search = q->n <= SHORT || queue_may_merge(q, r);

	for (uint32_t i = search ? q->n : 0; i-- > 0;) {
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
	ASSERT(r->demand_end <= r->count && r->nprefetched <= r->count);
	if (r->demand_end)
		w->demand_end = w->count + r->demand_end;
	w->count += r->count;
	w->continued += r->continued;
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

	if (i < queue_first(q) || i + 1 >= q->n || !queue_mergeable(q, a, b) ||
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

/* Not inline: merges are more frequent, and would pay for its registers. */
__attribute__((noinline)) static void
insert(struct queue *q, const struct request *r, const struct place *at)
{
	struct request *w;

	ASSERT(at->i >= queue_first(q) && at->i <= q->n && q->n < q->limit);
	if (unlikely(q->request + q->n == q->room_end))
		q->request = memmove(q->room, q->request, q->n * sizeof(*q->room));
	w = &q->request[at->i];
	q->plugged |= q->rules.plugs && !q->n;
	if (at->i < q->n)
		memmove(w + 1, w, (q->n - at->i) * sizeof(*w));
	*w = *r;
	w->segments = 1;
	w->continued = 0;
	w->patience = at->patience;
	q->n++;
	q->writes += r->write;
	mark_edges(q, w);
	if (unlikely(q->nmarks > q->last_mark))
		renew_marks(q);
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
	ASSERT(at.i >= queue_first(q) && at.i < q->n && queue_mergeable(q, w, r));
	w->segments += !q->rules.contiguous;
	if (at.how == PLACE_BACK) {
		ASSERT(queue_follows(q, w, r));
		merge_behind(w, r);
		if (w->count < q->max_blocks)
			mark(q, w->block + w->count, ENDS);
	} else {
		ASSERT(queue_follows(q, r, w));
		merge_in_front(w, r);
		if (w->count < q->max_blocks)
			mark(q, w->block, STARTS);
	}
	if (!q->rules.joins)
		return QUEUE_MERGED;
	if (at.how == PLACE_BACK)
		return join(q, at.i);
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

	ASSERT(i < q->n && q->writes >= r.write);
	q->n--;
	q->writes -= r.write;
	if (!q->n) {
		q->request = q->room;
	} else if (!i) {
		q->request++;
	} else if (i < q->n / 2) {
		memmove(&q->request[1], &q->request[0], i * sizeof(r));
		q->request++;
	} else {
		memmove(&q->request[i], &q->request[i + 1], (q->n - i) * sizeof(r));
	}
	return r;
}

struct request
queue_take(struct queue *q, uint32_t i)
{
	ASSERT(i < q->n && !q->serving);
	if (!q->rules.in_place)
		return queue_remove(q, i);
	ASSERT(!i);
	q->serving = true;
	return q->request[0];
}

void
queue_finish(struct queue *q)
{
	ASSERT(!q->serving || q->n);
	if (q->serving)
		queue_remove(q, 0);
	q->serving = false;
}

/* ---- checks ---- */

static const char *
check_request(const struct queue *q, const struct request *r)
{
	if (!r->count || r->count > q->max_blocks)
		return "a request has no block, or too many";
	if (r->demand_end > r->count || r->nprefetched > r->count)
		return "more blocks of a request are demanded or prefetched than it has";
	if (r->write && (r->promoted || r->nprefetched))
		return "a write is a prefetch";
	if (q->rules.contiguous ? r->segments != 1
				: r->continued >= r->segments || r->segments > r->count)
		return "a request has a wrong number of segments";
	if (q->rules.max_segments && r->segments > q->rules.max_segments)
		return "a request has too many segments";
	return NULL;
}

/* Else queue_may_merge() would not see that it can grow. */
static bool
is_marked(const struct queue *q, const struct request *r)
{
	return r->count >= q->max_blocks ||
	    (q->mark[r->block & q->last_mark] & STARTS &&
		q->mark[(r->block + r->count) & q->last_mark] & ENDS);
}

const char *
queue_check(const struct queue *q)
{
	uint32_t    writes = 0;
	const char *wrong = NULL;

	if (q->n > q->limit)
		return "more requests wait than there are";
	if (q->request < q->room || q->request + q->n > q->room_end)
		return "the requests are not in their room";
	if (q->plugged && !q->rules.plugs)
		return "a queue is plugged without that rule";
	if (q->serving && !(q->rules.in_place && q->n && !q->plugged))
		return "the driver works on a request that is not there";
	for (uint32_t i = 0; i < q->n && !wrong; i++) {
		wrong = check_request(q, &q->request[i]);
		if (!wrong && !is_marked(q, &q->request[i]))
			wrong = "the edges of a request are not marked";
		writes += q->request[i].write;
	}
	if (!wrong && writes != q->writes)
		wrong = "the count of writes is wrong";
	if (!wrong && q->rules.halves &&
	    (writes > q->limit / 2 || q->n - writes > (q->limit + 1) / 2))
		wrong = "one half of the requests is overdrawn";
	return wrong;
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

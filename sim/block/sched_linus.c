/*
 * sched_linus.c - the elevator of Linux 2.4, which sorts blocks as they
 * arrive: the queue is a sequence of ascending sweeps and is served from its
 * head.
 *
 * A block is compared with the waiting requests from the last to the first.
 * It is merged with a request that it touches; else it is inserted between two
 * requests that it lies between; else it goes to the end.  Every request has
 * patience, so that a stream cannot starve a request far away.  A request
 * loses patience when others go before it; without patience it is a barrier.
 *
 *	2.4.17	Patience 8192, writes 16384.  A look at a request costs one, a
 *		merge before it the merged sectors.
 *	2.4.20	2048, 8192.  A merge before it costs one, an insertion 16.
 *	2.4.27	128, 512.  Both cost one; a barrier may still grow behind.
 *		2.4.22 and later.
 *
 * Reads and writes are never merged but share the order.  --request is the
 * kernel's max_sectors: 255 sectors are 31 blocks of 4K, the 128 of IDE
 * drives in 2.4.20 are 16.  --queue is its number of requests: until 2.4.20
 * one half is for reads; a process that finds no free request waits until a
 * batch is free.
 *
 *	Behaviour of Linux 2.4.16 to 2.4.37, as observed.
 *
 * Departures: the drive takes one request at a time; no limit on the sectors
 * in the queue (2.4.22 and later).  In a simulation a block needs a free
 * request even if it would merge, and a prefetch is dropped where a process
 * would wait for a free request.  O(waiting requests) a block.
 */
#include "sim/block/sched_linus.h"

static const struct rules {
	int32_t	 patience[2]; /* of a read, of a write */
	int32_t	 insertion;   /* cost of an insertion before it */
	bool	 ages;	      /* a look costs one; merges cost their sectors */
	bool	 barrier_grows;
	bool	 one_pool; /* of free requests */
	uint32_t batch_max;
} rules_of[] = {
	[LINUS_2_4_17] = { .patience = { 8192, 16384 }, .ages = true, .batch_max = UINT32_MAX },
	[LINUS_2_4_20] = { .patience = { 2048, 8192 }, .insertion = 16, .batch_max = 32 },
	[LINUS_2_4_27] = { .patience = { 128, 512 },
	    .insertion = 1,
	    .barrier_grows = true,
	    .one_pool = true,
	    .batch_max = 32 },
};

enum { MAX_SEGMENTS = 128 };

/* ---- shared with the noop elevator ---- */

void
linus_init(void *self, struct queue *q)
{
	const struct linus *l = self;
	const struct rules *v = &rules_of[l->version];
	uint32_t	    batch = q->limit / 4;

	q->rules = (struct queue_rules){
		.plugs = true,
		.joins = true,
		.halves = !v->one_pool && q->limit > QUEUE_MIN, /* a flush needs two writes */
		.in_place = l->active,
		.contiguous = l->contiguous,
		.max_segments = MAX_SEGMENTS,
		.batch = batch < v->batch_max ? batch : v->batch_max,
	};
	if (!q->rules.batch)
		q->rules.batch = 1;
}

struct place
linus_merge(const struct linus *l, const struct queue *q, enum placing how, uint32_t i,
    const struct request *r)
{
	struct place at = { .how = how, .i = i };

	ASSERT(i >= queue_first(q) && i < q->n);
	if (queue_has_segments(q, &q->request[i], 1))
		return at;
	at.how = PLACE_NEW;
	at.refused = how;
	if (l->version == LINUS_2_4_17)
		at.i = q->n;
	else if (how == PLACE_BACK)
		at.i = i + 1;
	return at;
}

uint32_t
linus_pick(void *self, const struct queue *q, const struct moment *m)
{
	return 0;
}

/* ---- sorting ---- */

/* Charge the requests from i on: another request goes before them. */
static void
charge(struct queue *q, uint32_t i, int32_t cost)
{
	for (; i < q->n; i++)
		q->request[i].patience -= cost;
}

/* Does r lie between request i and the next one, in the order of the sweep? */
static bool
lies_behind(const struct queue *q, uint32_t i, const struct request *r)
{
	const struct request *w = &q->request[i], *next = w + 1;

	if (i + 1 == q->n)
		return false;
	if (next->sector > w->sector)
		return r->sector > w->sector && r->sector < next->sector;
	return r->sector > w->sector || r->sector < next->sector; /* the sweep turns back here */
}

static struct place
merge(const struct linus *l, struct queue *q, enum placing how, uint32_t i, const struct request *r)
{
	const struct rules *v = &rules_of[l->version];
	int32_t		    cost = v->ages ? (int32_t)(r->count * q->block_sectors) : 1;
	struct place	    at = linus_merge(l, q, how, i, r);

	at.patience = v->patience[r->write];
	if (how == PLACE_FRONT)
		q->request[i].patience -= cost;
	if (!v->ages || at.how != PLACE_NEW) /* aging elevators charge insertions after the fact */
		charge(q, i + 1, cost);
	return at;
}

static struct place
linus_place(void *self, struct queue *q, const struct request *r)
{
	const struct linus *l = self;
	const struct rules *v = &rules_of[l->version];
	uint32_t	    first = queue_first(q), place = 0;

	for (uint32_t i = q->n; i-- > first;) {
		struct request *w = &q->request[i];
		bool		barrier = w->patience <= 0;

		w->patience -= v->ages;
		if (barrier && !v->barrier_grows)
			break;
		if (!place && !barrier && lies_behind(q, i, r))
			place = i + 1;
		if (queue_mergeable(q, w, r)) {
			if (v->ages && (uint32_t)w->patience < r->count * q->block_sectors)
				break;
			if (queue_follows(q, w, r))
				return merge(l, q, PLACE_BACK, i, r);
			if (!barrier && queue_follows(q, r, w))
				return merge(l, q, PLACE_FRONT, i, r);
		}
		if (barrier)
			break;
	}
	if (!place)
		place = q->n;
	ASSERT(place >= first && place <= q->n);
	charge(q, place, v->insertion);
	return (struct place){ .i = place, .patience = v->patience[r->write] };
}

const struct param linus_params[] = {
	{ .name = "version",
	    .unit = PARAM_WORD,
	    .initial = LINUS_2_4_20,
	    .max = LINUS_2_4_27,
	    .offset = offsetof(struct linus, version),
	    .meaning = "version of the kernel",
	    .words = (const char *const[]){ "2.4.17", "2.4.20", "2.4.27", NULL } },
	{ .name = "active",
	    .max = 1,
	    .offset = offsetof(struct linus, active),
	    .meaning = "1: the driver works on the head of the queue in place, as for IDE drives" },
	{ .name = "contiguous",
	    .max = 1,
	    .offset = offsetof(struct linus, contiguous),
	    .meaning =
		"1: blocks that touch on disk touch in memory, so that 128 segments never bind" },
	{ 0 },
};

SCHEDULER(linus,
    .plugin = { .name = "linus",
	.summary = "the elevator of Linux 2.4, plugged until a process waits",
	.source = "Linux 2.4, as observed",
	.state_size = sizeof(struct linus),
	.params = linus_params },
    .init = linus_init, .place = linus_place, .pick = linus_pick);

/* fheap.c - a binary heap of frames.  O(log n); each frame in flight that comes first costs as much. */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/fheap.h"

int
fheap_init(struct fheap *h, const struct cache *c, struct error *e)
{
	size_t n = (size_t)c->nframes + 1;

	*h = (struct fheap){
		.rank = memory_table(n, sizeof(*h->rank)),
		.heap = memory_table(n, sizeof(*h->heap)),
		.at = memory_table(n, sizeof(*h->at)),
	};
	if (h->rank && h->heap && h->at)
		return 0;
	fheap_release(h);
	return error_set(e, "out of memory for a heap of %u blocks", c->nframes);
}

void
fheap_release(struct fheap *h)
{
	free(h->rank);
	free(h->heap);
	free(h->at);
	*h = (struct fheap){ 0 };
}

static bool
before(const struct rank *a, const struct rank *b)
{
	return a->value != b->value ? a->value < b->value : a->turn < b->turn;
}

static void
put(struct fheap *h, frame_t place, frame_t f)
{
	ASSERT(f && place && place <= h->n);
	h->heap[place] = f;
	h->at[f] = place;
}

/* Frame f, of this rank, belongs at `place` or nearer to the top. */
static void
rise(struct fheap *h, frame_t place, frame_t f, const struct rank *r)
{
	for (; place > 1; place /= 2) {
		frame_t above = h->heap[place / 2];

		if (!before(r, &h->rank[above]))
			break;
		put(h, place, above);
	}
	put(h, place, f);
}

/* It belongs at `place` or further from the top. */
static void
sink(struct fheap *h, frame_t place, frame_t f, const struct rank *r)
{
	for (frame_t below; (below = 2 * place) <= h->n; place = below) {
		if (below < h->n && before(&h->rank[h->heap[below + 1]], &h->rank[h->heap[below]]))
			below++;
		if (!before(&h->rank[h->heap[below]], r))
			break;
		put(h, place, h->heap[below]);
	}
	put(h, place, f);
}

void
fheap_set(struct fheap *h, frame_t f, struct rank r)
{
	bool falls = h->at[f] && before(&h->rank[f], &r);

	h->rank[f] = r;
	if (falls)
		sink(h, h->at[f], f, &r);
	else
		rise(h, h->at[f] ? h->at[f] : ++h->n, f, &r);
}

void
fheap_remove(struct fheap *h, frame_t f)
{
	frame_t		   place = h->at[f], last = h->heap[h->n--];
	const struct rank *r = &h->rank[last];

	ASSERT(place && place <= h->n + 1 && h->heap[place] == f);
	h->at[f] = 0;
	if (last == f)
		return;
	if (place > 1 && before(r, &h->rank[h->heap[place / 2]]))
		rise(h, place, last, r);
	else
		sink(h, place, last, r);
}

frame_t
fheap_take_evictable(struct fheap *h, struct frame *fr)
{
	frame_t aside = NIL, first;

	while (h->n && fr[first = h->heap[1]].flags & FRAME_INFLIGHT) {
		fheap_remove(h, first);
		fr[first].next = aside;
		aside = first;
	}
	first = h->n ? h->heap[1] : NIL;
	if (first)
		fheap_remove(h, first);
	for (; aside; aside = fr[aside].next)
		fheap_set(h, aside, h->rank[aside]);
	return first;
}

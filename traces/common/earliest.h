/*
 * earliest.h - which of several streams has the earliest next event; of equal times, the first stream.
 *
 *	for (i = 0; i < n; i++) earliest_add(&h, i, time of its first event);
 *	earliest_order(&h);
 *	while (h.n) {
 *		... use the event of stream h.at[0].stream, go to its next one
 *		earliest_change(&h, its time) or, if there is none, earliest_remove(&h);
 *	}
 */
#ifndef TRACES_EARLIEST_H
#define TRACES_EARLIEST_H

#include <stdlib.h>

#include "sim/base/error.h"
#include "sim/base/types.h"

struct earliest {
	struct next {
		uint64_t time;
		uint32_t stream;
	} * at; /* a heap */
	uint32_t n;
};

/* Room for that many streams: 0, or -1. */
static inline int
earliest_init(struct earliest *h, uint32_t streams, struct error *e)
{
	*h = (struct earliest){ .at = malloc(streams * sizeof(*h->at)) };
	return h->at ? 0 : error_no_memory(e);
}

static inline void
earliest_add(struct earliest *h, uint32_t stream, uint64_t time)
{
	h->at[h->n++] = (struct next){ time, stream };
}

static inline bool
earliest_precedes(const struct next *a, const struct next *b)
{
	return a->time < b->time || (a->time == b->time && a->stream < b->stream);
}

static inline void
earliest_sift_down(struct earliest *h, uint32_t i)
{
	struct next moved = h->at[i];

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < h->n && earliest_precedes(&h->at[child + 1], &h->at[child]))
			child++;
		if (child >= h->n || earliest_precedes(&moved, &h->at[child]))
			break;
		h->at[i] = h->at[child];
		i = child;
	}
	h->at[i] = moved;
}

/* After all have been added. */
static inline void
earliest_order(struct earliest *h)
{
	for (uint32_t i = h->n / 2; i-- > 0;)
		earliest_sift_down(h, i);
}

/* The first one has another time. */
static inline void
earliest_change(struct earliest *h, uint64_t time)
{
	h->at[0].time = time;
	earliest_sift_down(h, 0);
}

static inline void
earliest_remove(struct earliest *h)
{
	h->at[0] = h->at[--h->n];
	if (h->n)
		earliest_sift_down(h, 0);
}

#endif

/* writeback.c - a linked list of dirty frames by age. */
#include <stdlib.h>

#include "sim/core/engine/writeback.h"

int
writeback_init(struct writeback *w, frame_t nframes, struct error *e)
{
	*w = (struct writeback){ .frame = calloc((size_t)nframes + 1, sizeof(*w->frame)) };
	return w->frame ? 0 : error_set(e, "out of memory for %u dirty blocks", nframes);
}

void
writeback_release(struct writeback *w)
{
	free(w->frame);
	*w = (struct writeback){ 0 };
}

void
writeback_add(struct writeback *w, frame_t f, usec_t now)
{
	ASSERT(f && f != w->newest && f != w->oldest);
	ASSERT(!w->newest || w->frame[w->newest].since <= now);
	w->frame[f] = (struct dirty){ .older = w->newest, .since = now };
	if (w->newest)
		w->frame[w->newest].newer = f;
	else
		w->oldest = f;
	w->newest = f;
	w->n++;
}

void
writeback_remove(struct writeback *w, frame_t f)
{
	const struct dirty *d = &w->frame[f];

	ASSERT(w->n && (d->older ? w->frame[d->older].newer : w->oldest) == f);
	ASSERT((d->newer ? w->frame[d->newer].older : w->newest) == f);
	if (d->older)
		w->frame[d->older].newer = d->newer;
	else
		w->oldest = d->newer;
	if (d->newer)
		w->frame[d->newer].older = d->older;
	else
		w->newest = d->older;
	w->n--;
}

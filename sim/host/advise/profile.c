/* profile.c - observe a run.  A bit for each block, and a search for its file at each event. */
#include <stdlib.h>

#include "sim/host/advise/profile.h"

struct watch {
	const struct trace *t;
	struct profile	   *p;
	uint64_t	   *unused; /* a bit for each block: prefetched, and not used since */
};

static void
set_unused(struct watch *w, const struct event *e, bool unused)
{
	for (block_t b = e->block; b < e->block + e->count; b++)
		if (unused)
			w->unused[b / 64] |= UINT64_C(1) << b % 64;
		else
			w->unused[b / 64] &= ~(UINT64_C(1) << b % 64);
}

static void
see_evicted(struct watch *w, const struct event *e)
{
	for (block_t b = e->block; b < e->block + e->count; b++)
		w->p->wasted[trace_file(w->t, b)] += w->unused[b / 64] >> b % 64 & 1;
	set_unused(w, e, false);
}

static void
see_wait(struct watch *w, const struct event *e)
{
	if (e->waited->what <= WAITED_DELAYED)
		w->p->stall_us[trace_file(w->t, e->waited->block)] +=
		    (uint64_t)(e->when - e->waited->since);
}

static void
see(void *ctx, const struct event *e)
{
	if (e->kind == EVENT_WAIT)
		see_wait(ctx, e);
	else if (e->kind == EVENT_EVICT)
		see_evicted(ctx, e);
	else
		set_unused(ctx, e, e->kind == EVENT_PREFETCH);
}

int
profile_make(struct profile *p, const struct config *c, const struct trace *t, struct error *e)
{
	struct watch  w = { t, p, calloc(t->nblocks / 64 + 1, sizeof(*w.unused)) };
	struct config watched = *c;
	struct stats  ignored;
	int	      failed;

	p->stall_us = calloc(t->nfiles, sizeof(*p->stall_us));
	p->wasted = calloc(t->nfiles, sizeof(*p->wasted));
	watched.observer = (struct observer){ 1u << EVENT_WAIT | 1u << EVENT_EVICT |
		    1u << EVENT_PREFETCH | 1u << EVENT_FIRST_HIT | 1u << EVENT_LATE,
		see, &w };
	if (!p->stall_us || !p->wasted || !w.unused)
		failed = error_set(e, "out of memory for %u files", t->nfiles);
	else
		failed = simulate(&watched, t, &ignored, e);
	free(w.unused);
	return failed;
}

void
profile_release(struct profile *p)
{
	free(p->stall_us);
	free(p->wasted);
}

static bool
is_among(file_t f, const file_t *file, unsigned n)
{
	while (n)
		if (file[--n] == f)
			return true;
	return false;
}

void
profile_pick(const uint64_t *value, file_t nfiles, unsigned add, file_t *file, unsigned *n,
    unsigned most)
{
	for (; add && *n < most; add--) {
		file_t best = nfiles;

		for (file_t f = 0; f < nfiles; f++)
			if (value[f] && !is_among(f, file, *n) &&
			    (best == nfiles || value[f] > value[best]))
				best = f;
		if (best == nfiles)
			return;
		file[(*n)++] = best;
	}
}

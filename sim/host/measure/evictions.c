/*
 * evictions.c - an observer of the simulation records what leaves.
 *
 * It has a number for each block: the last call that has used it or brought it
 * in.  Blocks that leave later than that in the same call wait in a second
 * list for the next call; those that come back in the meantime are taken off.
 */
#include <stdlib.h>

#include "sim/host/measure/evictions.h"

/* Grows as needed. */
struct list {
	block_t *block;
	size_t	 n, room;
};

struct witness {
	size_t	    calls; /* begun */
	size_t	   *end;
	struct list gone, later;
	uint32_t   *used; /* [nblocks] in that call, from 1 */
	bool	   *out;  /* [nblocks] it has left */
	bool	    full; /* out of memory */
};

static void
append(struct witness *w, struct list *l, block_t b)
{
	if (l->n == l->room) {
		size_t	 room = l->room ? 2 * l->room : 1024;
		block_t *more = realloc(l->block, room * sizeof(*more));

		if (!more) {
			w->full = true;
			return;
		}
		l->block = more;
		l->room = room;
	}
	l->block[l->n++] = b;
}

static void
flush_later(struct witness *w)
{
	for (size_t i = 0; i < w->later.n; i++) {
		block_t b = w->later.block[i];

		if (w->out[b])
			append(w, &w->gone, b);
	}
	w->later.n = 0;
}

static void
leave(struct witness *w, block_t b)
{
	w->out[b] = true;
	append(w, w->used[b] == w->calls ? &w->later : &w->gone, b);
}

static void
use(struct witness *w, block_t b)
{
	w->out[b] = false;
	w->used[b] = (uint32_t)w->calls;
}

static void
see(void *ctx, const struct event *e)
{
	struct witness *w = ctx;

	switch (e->kind) {
	case EVENT_CALL:
		if (w->calls)
			w->end[w->calls - 1] = w->gone.n;
		w->calls++;
		flush_later(w);
		break;
	case EVENT_EVICT:
	case EVENT_FORGET:
		for (uint32_t i = 0; i < e->count; i++)
			leave(w, e->block + i);
		break;
	default:
		use(w, e->block);
	}
}

static int
watch(struct witness *w, const struct config *cfg, const struct trace *t, struct stats *out,
    struct error *e)
{
	struct config c = *cfg;

	c.observer = (struct observer){
		.mask = 1u << EVENT_CALL | 1u << EVENT_EVICT | 1u << EVENT_FORGET |
		    1u << EVENT_FILL | 1u << EVENT_HIT | 1u << EVENT_FIRST_HIT | 1u << EVENT_LATE |
		    1u << EVENT_DELAYED | 1u << EVENT_MISS,
		.see = see,
		.ctx = w,
	};
	if (simulate(&c, t, out, e))
		return -1;
	if (w->calls)
		w->end[w->calls - 1] = w->gone.n;
	flush_later(w);
	w->end[t->naccess] = w->gone.n;
	return w->full ? error_set(e, "out of memory for %zu evictions", w->gone.n) : 0;
}

static int
check(const struct config *cfg, const struct trace *t, struct error *e)
{
	if (cfg->replay != REPLAY_SERIAL || t->nprograms)
		return error_usage(e,
		    "evictions are known by call only in serial replay of one program");
	if (t->naccess >= UINT32_MAX)
		return error_set(e, "%zu calls are too many for evictions by call", t->naccess);
	return 0;
}

int
evictions_init(struct evictions *v, const struct config *cfg, const struct trace *t,
    struct stats *out, struct error *e)
{
	struct witness w = { 0 };
	int	       failed = -1;

	*v = (struct evictions){ 0 };
	if (check(cfg, t, e))
		return -1;
	w.end = calloc(t->naccess + 1, sizeof(*w.end));
	w.used = calloc(t->nblocks, sizeof(*w.used));
	w.out = calloc(t->nblocks, sizeof(*w.out));
	if (!w.end || !w.used || !w.out)
		error_set(e, "out of memory for evictions by call");
	else
		failed = watch(&w, cfg, t, out, e);
	*v = (struct evictions){ .block = w.gone.block,
		.end = w.end,
		.n = w.gone.n,
		.ncalls = t->naccess };
	free(w.later.block);
	free(w.used);
	free(w.out);
	if (failed)
		evictions_release(v);
	return failed;
}

void
evictions_release(struct evictions *v)
{
	free(v->block);
	free(v->end);
	*v = (struct evictions){ 0 };
}

const block_t *
evictions_of(const struct evictions *v, size_t i, size_t *n)
{
	size_t first = i ? v->end[i - 1] : 0;

	*n = v->end[i] - first;
	return v->block ? v->block + first : NULL;
}

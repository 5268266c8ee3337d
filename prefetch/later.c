/* later.c - enter planned blocks, uses and evictions. */
#include <stdlib.h>

#include "prefetch/later.h"
#include "sim/base/memory.h"

enum {
	RECENT = 4096, /* evictions over which the rate of refaults is taken */
	YOUNG = 6      /* 2^YOUNG is added to every age: the youngest are one class */
};

int
later_init(struct later *l, const struct trace *t, struct error *e)
{
	l->block = memory_table(slots_entries(t), sizeof(*l->block));
	if (l->block && !slots_init(&l->slots, t, e))
		return 0;
	return error_set(e, "out of memory for a ledger of %u blocks", t->nblocks);
}

void
later_release(struct later *l)
{
	free(l->block);
	slots_release(&l->slots);
}

/* ---- entries ---- */

static uint32_t
age_of(const struct later *l, const struct cache *c, uint32_t entered)
{
	return later_clock(l, c) + l->vetoed - entered;
}

static void
count_entry(struct later *l, uint32_t clock)
{
	while (l->at < clock / l->grain)
		l->before[++l->at % (LATER_GRAINS + 1)] = l->total;
	l->total++;
}

static void
halve(struct later *l)
{
	l->n /= 2;
	l->uses /= 2;
	l->calls /= 2;
	l->next_calls /= 2;
}

void
later_enter(struct later *l, const struct cache *c, block_t b, uint32_t planned, bool vetoed)
{
	uint32_t *entered = &l->block[slots_enter(&l->slots, b)].entered;

	if (*entered && age_of(l, c, *entered) < c->nframes)
		return;
	if (!l->grain)
		l->grain = c->nframes / LATER_GRAINS + 1;
	l->vetoed += vetoed;
	*entered = planned + l->vetoed;
	count_entry(l, *entered);
	l->n++;
	l->lessons++;
	if (l->n > 8 * (double)l->stake)
		halve(l);
}

/* ---- uses ---- */

/* Of the miss of its call, that a block has. */
static double
share_of_miss(const struct demand *d)
{
	return 1.0 / (d->index + d->left - d->first);
}

static void
refault(struct later *l, const struct demand *d, struct later_block *b)
{
	if (b->evicted && l->evictions - b->evicted < d->cache->nframes / l->near) {
		l->lessons++;
		l->refaults++;
		l->refault_calls += share_of_miss(d);
	}
	b->evicted = 0;
}

/* From now on uses are counted, not predicted. */
static void
fill(struct later *l)
{
	l->full = true;
	l->lessons++;
	l->n = l->uses = l->calls = l->next_calls = 0;
}

bool
later_demand(struct later *l, const struct demand *d, bool next)
{
	struct later_block *b = &l->block[slots_enter(&l->slots, d->base + d->index)];
	uint32_t	    age = b->entered ? age_of(l, d->cache, b->entered) : UINT32_MAX;

	if (unlikely(!l->full && d->cache->nused == d->cache->nframes))
		fill(l);
	if (d->how == REF_MISS)
		refault(l, d, b);
	b->entered = 0;
	if (likely(age >= d->cache->nframes))
		return false;
	age += 1u << YOUNG;
	l->died[31 - __builtin_clz(age)]++;
	l->uses++;
	*(next ? &l->next_calls : &l->calls) += share_of_miss(d);
	return true;
}

void
later_evicted(struct later *l, block_t b)
{
	l->block[slots_enter(&l->slots, b)].evicted = ++l->evictions;
	if (l->recent < RECENT) {
		l->recent++;
		return;
	}
	l->refaults -= l->refaults / RECENT;
	l->refault_calls -= l->refault_calls / RECENT;
}

/* ---- what they are worth ---- */

/* Blocks that had entered by then. */
static double
entered_before(const struct later *l, uint32_t clock)
{
	uint32_t grain = clock / l->grain;

	return grain > l->at ? l->total : l->before[grain % (LATER_GRAINS + 1)];
}

/* The hazard of age 2^j; `dead` blocks were used when younger. */
static double
hazard(const struct later *l, uint32_t now, unsigned j, double believed, double dead)
{
	double stake = (double)l->stake, q = believed;

	if (now > 1u << j && l->total) {
		double born = entered_before(l, now - (1u << j));
		double reached = born - dead * born / l->total;

		q = (l->died[j] + stake * believed) / (reached + stake);
	}
	return q < 1 ? q : 1;
}

/* The chance of a use until as many blocks have come as the cache has frames. */
static double
chance(const struct later *l, const struct cache *c, double believed)
{
	uint32_t now = later_clock(l, c) + l->vetoed;
	double	 dead = 0, unused = 1, q = 0;
	unsigned ages = 0;

	while (YOUNG + ages < LATER_AGES && 1u << (YOUNG + ages) < c->nframes)
		ages++;
	for (unsigned j = YOUNG; l->grain && j < YOUNG + ages; j++) {
		double first = j > YOUNG ? 2 * q : believed / ages;

		q = hazard(l, now, j, first < 1 ? first : 1, dead);
		dead += l->died[j];
		unused *= 1 - q;
	}
	return 1 - unused;
}

double
later_saves(const struct later *l, const struct cache *c, const struct prices *p, double cost)
{
	double t = prices_of_transfer(p), far = prices_of_miss(p, MISS_FAR);
	double calls = l->next_calls * prices_of_miss(p, MISS_NEXT) + l->calls * far;
	double use = t + (calls + far) / (l->uses + 1);

	if (l->full)
		return (l->uses * t + calls) / (l->n + (double)l->stake);
	return use * chance(l, c, 2 * cost / (use + 1));
}

double
later_frame(const struct later *l, const struct prices *p)
{
	uint32_t of = l->recent < RECENT ? l->recent + 1 : RECENT;
	double	 missed =
	    prices_of_transfer(p) * l->refaults + prices_of_miss(p, MISS_FAR) * l->refault_calls;

	return missed * (double)l->near / of;
}

/* From one lesson to the next, uses come and refaults are forgotten: what pays goes on to pay. */
bool
later_pays(struct later *l, const struct cache *c, const struct prices *p)
{
	uint64_t lessons = l->lessons + p->lessons;

	if (likely(l->full && l->paid == lessons))
		return true;
	if (later_saves(l, c, p, 0) <= later_frame(l, p))
		return false;
	l->paid = lessons;
	return true;
}

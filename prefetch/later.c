/* later.c - enter planned blocks, uses and evictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prefetch/later.h"
#include "sim/base/memory.h"

enum {
	RECENT = 4096, /* evictions over which the rate of refaults is taken */
	AGES = 128,    /* of evicted blocks, that their mean remembers */
	YOUNG = 6      /* 2^YOUNG is added to every age: the youngest are one class */
};

int
later_init(struct later *l, const struct trace *t, struct error *e)
{
	l->block = memory_table(slots_entries(t), sizeof(*l->block));
	l->nown = later_tallies(t);
	l->own = calloc(l->nown, sizeof(*l->own));
	if (l->block && l->own && !slots_init(&l->slots, t, e))
		return 0;
	return error_set(e, "out of memory for a ledger of %u blocks", t->nblocks);
}

void
later_release(struct later *l)
{
	free(l->block);
	free(l->own);
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

/* Was it planned since the cache was full?  It would still be in the cache. */
static bool
is_new(struct later *l, const struct cache *c, uint32_t entered)
{
	if (!l->renewed && l->full)
		l->renewed = age_of(l, c, l->full_at) >= c->nframes;
	return l->renewed || (int32_t)(entered - l->full_at) >= 0;
}

/* A block more; what is old is halved. */
static void
add_block(struct later_uses *u, double most)
{
	if (++u->n > most)
		*u = (struct later_uses){ u->n / 2, u->uses / 2, u->calls / 2, u->next_calls / 2 };
}

void
later_enter(struct later *l, const struct cache *c, file_t file, block_t b, uint32_t planned,
    bool vetoed)
{
	uint32_t *entered = &l->block[slots_enter(&l->slots, b)].entered;

	if (*entered && age_of(l, c, *entered) < c->nframes)
		return;
	if (!l->grain)
		l->grain = c->nframes / LATER_GRAINS + 1;
	l->vetoed += vetoed;
	*entered = planned + l->vetoed;
	count_entry(l, *entered);
	add_block(&l->all, 8 * (double)l->stake);
	if (is_new(l, c, *entered))
		add_block(&l->own[file % l->nown], 8 * (double)l->stake);
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
		l->refaults++;
		l->refault_calls += share_of_miss(d);
	}
	b->evicted = 0;
}

/* From now on uses are counted, not predicted. */
static void
fill(struct later *l, const struct cache *c)
{
	l->full = true;
	l->full_at = later_clock(l, c) + l->vetoed;
	l->all = (struct later_uses){ 0 };
	memset(l->own, 0, l->nown * sizeof(*l->own));
}

static void
add_use(struct later_uses *u, const struct demand *d, bool next)
{
	u->uses++;
	*(next ? &u->next_calls : &u->calls) += share_of_miss(d);
}

bool
later_demand(struct later *l, const struct demand *d, bool next)
{
	struct later_block *b = &l->block[slots_enter(&l->slots, d->base + d->index)];
	uint32_t	    entered = b->entered;
	uint32_t	    age = entered ? age_of(l, d->cache, entered) : UINT32_MAX;

	if (unlikely(!l->full && d->cache->nused == d->cache->nframes))
		fill(l, d->cache);
	if (d->how == REF_MISS)
		refault(l, d, b);
	b->entered = 0;
	if (likely(age >= d->cache->nframes))
		return false;
	age += 1u << YOUNG;
	l->died[31 - __builtin_clz(age)]++;
	add_use(&l->all, d, next);
	if (is_new(l, d->cache, entered))
		add_use(&l->own[d->file % l->nown], d, next);
	return true;
}

void
later_touch(struct later *l, const struct demand *d)
{
	block_t b = d->base + d->index;

	l->block[slots_enter(&l->slots, b)].evicted = later_clock(l, d->cache);
}

void
later_evicted(struct later *l, block_t b, bool used)
{
	uint32_t *evicted = &l->block[slots_enter(&l->slots, b)].evicted;

	if (used && later_samples(b))
		/* The clock is the evictions and the number of frames: the cache is full. */
		mean_learn(&l->younger, (int32_t)(*evicted - l->evictions), AGES);
	*evicted = ++l->evictions;
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

/* What the calls of these uses save. */
static double
of_calls(const struct later_uses *u, const struct prices *p)
{
	return u->next_calls * prices_of_miss(p, MISS_NEXT) +
	    u->calls * prices_of_miss(p, MISS_FAR);
}

static double
worth(const struct later_uses *u, const struct prices *p)
{
	return u->uses * prices_of_transfer(p) + of_calls(u, p);
}

/* A mean of a file's blocks, and of stake / 4 of all others. */
static double
counted(const struct later *l, file_t file, const struct prices *p)
{
	const struct later_uses *own = &l->own[file % l->nown];
	double			 stake = (double)l->stake, saved = worth(own, p);
	double			 others = fmax(worth(&l->all, p) - saved, 0);

	others /= fmax(l->all.n - own->n, 0) + stake;
	return (saved + others * stake / 4) / (own->n + stake / 4);
}

double
later_saves(const struct later *l, const struct cache *c, file_t file, const struct prices *p,
    double cost)
{
	double far = prices_of_miss(p, MISS_FAR), use;

	if (l->full)
		return counted(l, file, p);
	use = prices_of_transfer(p) + (of_calls(&l->all, p) + far) / (l->all.uses + 1);
	return use * chance(l, c, 2 * cost / (use + 1));
}

double
later_frame(const struct later *l, const struct cache *c, const struct prices *p)
{
	uint32_t of = l->recent < RECENT ? l->recent + 1 : RECENT;
	double	 missed =
	    prices_of_transfer(p) * l->refaults + prices_of_miss(p, MISS_FAR) * l->refault_calls;
	double turn = fmin(1 - mean_value(&l->younger) / c->nframes, 1); /* for which it is held */

	return missed * (double)l->near / of * turn;
}

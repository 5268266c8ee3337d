/* reuse.c - enter planned blocks, uses and evictions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prefetch/reuse.h"
#include "sim/base/memory.h"

/*
 * Of one refault in 100, RECENT evictions show 41: their rate is known to
 * 1/sqrt(41), or 16 %.  A longer memory would follow a program more slowly.  The
 * mean age at eviction remembers as many evictions.  Tallies are halved beyond
 * REMEMBERED prior weights, so that old behaviour fades, and the prior keeps a
 * weight of at least 1 in 9, of a single file 1 in 33.
 */
enum {
	RECENT = 4096,		      /* evictions over which the rate of refaults is taken */
	AGES = RECENT / REUSE_SAMPLE, /* of evicted blocks, that their mean remembers */
	YOUNG = 6,	/* 2^YOUNG is added to every age: the youngest are one class */
	REMEMBERED = 8, /* blocks that a tally remembers, in prior weights */
	OF_FILE = 4 /* a single file is believed sooner: its prior has 1/OF_FILE of the weight */
};

int
reuse_init(struct reuse *r, const struct trace *t, struct error *e)
{
	r->block = memory_table(slots_entries(t), sizeof(*r->block));
	r->nown = reuse_tallies(t);
	r->own = calloc(r->nown, sizeof(*r->own));
	if (r->block && r->own && !slots_init(&r->slots, t, e))
		return 0;
	return error_set(e, "out of memory for a ledger of %u blocks", t->nblocks);
}

void
reuse_release(struct reuse *r)
{
	free(r->block);
	free(r->own);
	slots_release(&r->slots);
}

/* ---- entries ---- */

static uint32_t
age_of(const struct reuse *r, const struct cache *c, uint32_t entered)
{
	return reuse_clock(r, c) + r->vetoed - entered;
}

static void
count_entry(struct reuse *r, uint32_t clock)
{
	while (r->at < clock / r->grain)
		r->before[++r->at % (REUSE_GRAINS + 1)] = r->total;
	r->total++;
}

/* Was it planned since the cache was full?  It would still be in the cache. */
static bool
is_new(struct reuse *r, const struct cache *c, uint32_t entered)
{
	if (!r->renewed && r->full)
		r->renewed = age_of(r, c, r->full_at) >= c->nframes;
	return r->renewed || (int32_t)(entered - r->full_at) >= 0;
}

/* A block more; beyond `most`, all of them count half. */
static void
add_block(struct reuse_counts *u, double most)
{
	if (++u->n > most)
		*u =
		    (struct reuse_counts){ u->n / 2, u->uses / 2, u->calls / 2, u->next_calls / 2 };
}

void
reuse_enter(struct reuse *r, const struct cache *c, file_t file, block_t b, uint32_t planned,
    bool vetoed)
{
	uint32_t *entered = &r->block[slots_enter(&r->slots, b)].entered;
	double	  most = REMEMBERED * (double)r->prior_weight;

	if (*entered && age_of(r, c, *entered) < c->nframes)
		return;
	if (!r->grain)
		r->grain = c->nframes / REUSE_GRAINS + 1;
	r->vetoed += vetoed;
	*entered = planned + r->vetoed;
	count_entry(r, *entered);
	add_block(&r->all, most);
	if (is_new(r, c, *entered))
		add_block(&r->own[file % r->nown], most);
}

/* ---- uses ---- */

/* Of the miss of its call, that a block has. */
static double
share_of_miss(const struct demand *d)
{
	return 1.0 / (d->index + d->left - d->first);
}

static void
refault(struct reuse *r, const struct demand *d, struct reuse_block *b)
{
	if (b->evicted && r->evictions - b->evicted < d->cache->nframes / r->near) {
		r->refaults++;
		r->refault_calls += share_of_miss(d);
	}
	b->evicted = 0;
}

/* From now on uses are counted; when all blocks have left, they are no longer predicted. */
static void
fill(struct reuse *r, const struct cache *c)
{
	r->full = true;
	r->full_at = reuse_clock(r, c) + r->vetoed;
	r->all = (struct reuse_counts){ 0 };
	memset(r->own, 0, r->nown * sizeof(*r->own));
}

static void
add_use(struct reuse_counts *u, const struct demand *d, bool next)
{
	u->uses++;
	*(next ? &u->next_calls : &u->calls) += share_of_miss(d);
}

bool
reuse_demand(struct reuse *r, const struct demand *d, bool next)
{
	struct reuse_block *b = &r->block[slots_enter(&r->slots, d->base + d->index)];
	uint32_t	    entered = b->entered;
	uint32_t	    age = entered ? age_of(r, d->cache, entered) : UINT32_MAX;

	if (unlikely(!r->full && d->cache->nused == d->cache->nframes))
		fill(r, d->cache);
	if (d->how == REF_MISS)
		refault(r, d, b);
	b->entered = 0;
	if (likely(age >= d->cache->nframes))
		return false;
	age += 1u << YOUNG;
	r->died[31 - __builtin_clz(age)]++;
	add_use(&r->all, d, next);
	if (is_new(r, d->cache, entered))
		add_use(&r->own[d->file % r->nown], d, next);
	return true;
}

void
reuse_touch(struct reuse *r, const struct demand *d)
{
	block_t b = d->base + d->index;

	r->block[slots_enter(&r->slots, b)].evicted = reuse_clock(r, d->cache);
}

void
reuse_evicted(struct reuse *r, block_t b, bool used)
{
	uint32_t *evicted = &r->block[slots_enter(&r->slots, b)].evicted;

	if (used && reuse_samples(b))
		/* The clock is the evictions and the number of frames: the cache is full. */
		mean_learn(&r->younger, (int32_t)(*evicted - r->evictions), AGES);
	*evicted = ++r->evictions;
	if (r->recent < RECENT) {
		r->recent++;
		return;
	}
	r->refaults -= r->refaults / RECENT;
	r->refault_calls -= r->refault_calls / RECENT;
}

void
reuse_dropped(struct reuse *r, block_t b)
{
	r->block[slots_enter(&r->slots, b)] = (struct reuse_block){ 0 };
}

/* ---- what they are worth ---- */

/* Blocks that had entered by then. */
static double
entered_before(const struct reuse *r, uint32_t clock)
{
	uint32_t grain = clock / r->grain;

	return grain > r->at ? r->total : r->before[grain % (REUSE_GRAINS + 1)];
}

/* The hazard of age 2^j; `dead` blocks were used when younger. */
static double
hazard(const struct reuse *r, uint32_t now, unsigned j, double believed, double dead)
{
	double weight = (double)r->prior_weight, q = believed;

	if (now > 1u << j && r->total) {
		double born = entered_before(r, now - (1u << j));
		double reached = born - dead * born / r->total;

		q = (r->died[j] + weight * believed) / (reached + weight);
	}
	return q < 1 ? q : 1;
}

/* What a class is believed to be at first; q: the hazard of the class before, of which there is none if j is YOUNG. */
static double
prior_of(const struct reuse *r, unsigned j, double q, double believed)
{
	if (r->full)
		return j > YOUNG ? q : 0;
	return j > YOUNG ? fmin(2 * q, 1) : fmin(believed, 1);
}

/* The chance of a use until as many blocks have come as the cache has frames. */
static double
chance(const struct reuse *r, const struct cache *c, double believed)
{
	uint32_t now = reuse_clock(r, c) + r->vetoed;
	double	 dead = 0, unused = 1, q = 0;
	unsigned ages = 0;

	while (YOUNG + ages < REUSE_AGES && 1u << (YOUNG + ages) < c->nframes)
		ages++;
	for (unsigned j = YOUNG; r->grain && j < YOUNG + ages; j++) {
		q = hazard(r, now, j, prior_of(r, j, q, believed / ages), dead);
		dead += r->died[j];
		unused *= 1 - q;
	}
	return 1 - unused;
}

/* What the calls of these uses save. */
static double
of_calls(const struct reuse_counts *u, const struct prices *p)
{
	return u->next_calls * prices_of_miss(p, MISS_NEXT) +
	    u->calls * prices_of_miss(p, MISS_FAR);
}

static double
worth(const struct reuse_counts *u, const struct prices *p)
{
	return u->uses * prices_of_transfer(p) + of_calls(u, p);
}

/* A mean of a file's blocks, and of weight / OF_FILE of all others. */
static double
counted(const struct reuse *r, file_t file, const struct prices *p)
{
	const struct reuse_counts *own = &r->own[file % r->nown];
	double			   weight = (double)r->prior_weight, saved = worth(own, p);
	double			   others = fmax(worth(&r->all, p) - saved, 0);

	others /= fmax(r->all.n - own->n, 0) + weight;
	return (saved + others * weight / OF_FILE) / (own->n + weight / OF_FILE);
}

/* By the life table. */
static double
predicted(const struct reuse *r, const struct cache *c, const struct prices *p, double cost)
{
	double far = prices_of_miss(p, MISS_FAR), use;

	use = prices_of_transfer(p) + (of_calls(&r->all, p) + far) / (r->all.uses + 1);
	return use * chance(r, c, 2 * cost / (use + 1));
}

double
reuse_saves(const struct reuse *r, const struct cache *c, file_t file, const struct prices *p,
    double cost)
{
	bool frames_have_a_price = r->evictions >= c->nframes / r->near;

	if (r->renewed || (r->full && !frames_have_a_price))
		return counted(r, file, p);
	return predicted(r, c, p, cost);
}

double
reuse_seen(const struct reuse *r, const struct cache *c, file_t file, const struct prices *p)
{
	return r->full ? counted(r, file, p) : predicted(r, c, p, 0);
}

double
reuse_frame(const struct reuse *r, const struct cache *c, const struct prices *p)
{
	uint32_t of = r->recent < RECENT ? r->recent + 1 : RECENT;
	double	 missed =
	    prices_of_transfer(p) * r->refaults + prices_of_miss(p, MISS_FAR) * r->refault_calls;
	double turn = fmin(1 - mean_value(&r->younger) / c->nframes, 1); /* for which it is held */

	return missed * (double)r->near / of * turn;
}

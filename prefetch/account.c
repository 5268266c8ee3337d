/* account.c - enter plans, uses and evictions. */
#include <stdlib.h>

#include "prefetch/account.h"
#include "sim/base/memory.h"

enum {
	RECENT = 4096, /* evictions over which the rate of refaults is taken */
	STAKED = 16,   /* the stake is at most 1/STAKED of the cache */
	NEAR = 8,      /* a refault: missed before 1/NEAR of the cache was evicted */
};

int
account_init(struct account *a, const struct trace *t, struct error *e)
{
	block_t n = slots_entries(t);

	a->planned = memory_table(n, sizeof(*a->planned));
	a->evicted = memory_table(n, sizeof(*a->evicted));
	a->balance = (double)a->stake;
	a->w = 1;
	if (a->planned && a->evicted && !slots_init(&a->slots, t, e))
		return 0;
	return error_set(e, "out of memory for an account of %u blocks", t->nblocks);
}

void
account_release(struct account *a)
{
	free(a->planned);
	free(a->evicted);
	slots_release(&a->slots);
}

/* The balance is bounded, so that it follows a program that changes. */
static void
enter(struct account *a, double amount)
{
	double most = 2 * (double)a->stake;

	a->balance += amount;
	if (a->balance > most)
		a->balance = most;
	else if (a->balance < -most)
		a->balance = -most;
}

/* Twice the blocks brought in so far, vetoed ones included; the lowest bit is free for a flag. */
static uint32_t
clock(const struct account *a, const struct cache *c)
{
	return 2 * (c->nused + a->evictions + a->vetoed);
}

/* The blocks brought in since the plan. */
static uint32_t
age_of(const struct account *a, const struct cache *c, uint32_t planned)
{
	return (clock(a, c) - (planned & ~1u)) / 2;
}

static void
missed(struct account *a, const struct cache *c, block_t b)
{
	uint32_t *evicted = &a->evicted[slots_find(&a->slots, b)];

	if (*evicted && a->evictions - *evicted < c->nframes / NEAR)
		a->refaults++;
	*evicted = 0;
}

/* The worth of a use `age` blocks after the plan. */
static double
worth(const struct account *a, const struct cache *c, uint32_t age)
{
	if (a->full)
		return age < a->soon ? 1 : a->w;
	return age < a->soon ? a->w : a->w * (double)c->nframes / (double)c->nused;
}

bool
account_demand(struct account *a, const struct demand *d)
{
	block_t	 b = d->base + d->index;
	size_t	 slot = slots_find(&a->slots, b);
	uint32_t planned = a->planned[slot], age;

	if (unlikely(!a->full && d->cache->nused == d->cache->nframes)) {
		a->full = true;
		a->lost = false;
		a->balance = -2 * (double)a->stake;
	}
	if (d->absent)
		missed(a, d->cache, b);
	if (likely(!planned))
		return false;
	a->planned[slot] = 0;
	age = age_of(a, d->cache, planned);
	if (age >= d->cache->nframes)
		return false;
	enter(a, worth(a, d->cache, age));
	return planned & 1 && d->absent;
}

static double
cost(const struct account *a, const struct demand *d)
{
	usec_t	 busy = a->positioning + a->transfer;
	uint32_t of = a->evictions < RECENT ? a->evictions + 1 : RECENT;
	double	 transfer = d->absent || busy >= d->now ? 1 : (double)busy / (double)d->now;

	return transfer + (double)a->margin * a->w * NEAR * a->refaults / of;
}

/* The balance at which the stake counts as lost: at most 1/STAKED of the cache may be lost. */
static double
spare(const struct account *a, const struct cache *c)
{
	uint64_t bet = c->nframes / STAKED;

	return a->stake > bet ? (double)(a->stake - bet) : 0;
}

bool
account_plan(struct account *a, const struct demand *d, uint32_t index, bool vetoed)
{
	uint32_t *planned = &a->planned[slots_enter(&a->slots, d->base + index)];

	if (*planned && age_of(a, d->cache, *planned) < d->cache->nframes)
		return false;
	a->vetoed += vetoed;
	*planned = clock(a, d->cache) | vetoed;
	enter(a, -cost(a, d));
	if (!a->full && a->balance <= spare(a, d->cache))
		a->lost = true;
	return true;
}

void
account_evicted(struct account *a, block_t b)
{
	a->evicted[slots_enter(&a->slots, b)] = ++a->evictions;
	if (a->evictions > RECENT)
		a->refaults -= a->refaults / RECENT;
}

void
account_served(struct account *a, usec_t positioning, usec_t transfer, uint32_t blocks)
{
	a->positioning += positioning;
	a->transfer += transfer;
	a->requests++;
	a->blocks += blocks;
	a->w = 1 +
	    (double)a->positioning / (double)a->requests * (double)a->blocks /
		((double)a->transfer + 1);
}

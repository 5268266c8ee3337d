/* prices.c - learn from finished requests. */
#include "prefetch/prices.h"

/*
 * All requests are more than those that a price is made of, and blocks are more
 * than requests: the means that priors come from remember more of them, so that
 * they last as long.
 */
enum {
	BEHIND = 16,		 /* blocks behind the end of a request that are near */
	SHARE_US = 50 * 1000000, /* of requests read ahead, that the share remembers */
	SHARE_PRIOR = 20,	 /* requests, as the weight of the busy time in the share */
	OF_REQUESTS = 8,	 /* times the memory: requests that their mean remembers */
	OF_BLOCKS = 32		 /* times the memory: blocks that their mean remembers */
};

/* ---- means ---- */

/* As if it had `weight` entries of that value more. */
static double
mean_with(const struct mean *m, double value, uint64_t weight)
{
	return (m->sum + (double)weight * value) / (m->n + (double)weight);
}

/* ---- what is waited for ---- */

void
prices_miss(struct prices *p, block_t b, enum miss what)
{
	if (p->nmissed == PRICES_NOTED)
		return;
	p->missed[p->nmissed].block = b;
	p->missed[p->nmissed++].what = what;
}

void
prices_late(struct prices *p, block_t b, usec_t now)
{
	if (p->nlate == PRICES_NOTED)
		return;
	p->late[p->nlate].block = b;
	p->late[p->nlate++].since = now;
}

/* The time from `from` to `to` in which the device served requests that were only read ahead. */
static double
behind_ahead(const struct prices *p, usec_t from, usec_t to)
{
	usec_t sum = 0;

	for (unsigned i = 0; i < PRICES_AHEAD; i++) {
		usec_t first = p->service[i].from > from ? p->service[i].from : from;
		usec_t last = p->service[i].to < to ? p->service[i].to : to;

		sum += last > first ? last - first : 0;
	}
	return (double)sum;
}

/* ---- finished requests ---- */

/* The recent request behind whose end this one begins, or PRICES_ENDS; its end is remembered. */
static unsigned
continued(struct prices *p, const struct finished *f)
{
	unsigned i = 0, slot;

	while (i < PRICES_ENDS && f->block - p->end[i] >= BEHIND)
		i++;
	slot = i < PRICES_ENDS ? i : p->next_end++ % PRICES_ENDS;
	p->end[slot] = f->block + f->count;
	p->before = p->latest;
	p->latest = slot;
	return i;
}

static bool
brings(const struct finished *f, block_t b)
{
	return b - f->block < f->count;
}

/* The request pays for the first of its noted misses; the others came with it. */
static void
price_misses(struct prices *p, const struct finished *f, double positioning)
{
	bool priced = false;

	for (unsigned i = 0; i < p->nmissed;) {
		enum miss what = p->missed[i].what;

		if (!brings(f, p->missed[i].block)) {
			i++;
			continue;
		}
		p->missed[i] = p->missed[--p->nmissed];
		if (priced)
			continue;
		priced = true;
		p->interrupts = &p->miss[what];
		mean_learn(&p->miss[what], positioning, (double)p->memory);
	}
}

/* The longest wait of a late hit for the request. */
static double
wait_of_late(struct prices *p, const struct finished *f)
{
	usec_t longest = 0;

	for (unsigned i = 0; i < p->nlate;) {
		usec_t since = p->late[i].since > f->started ? p->late[i].since : f->started;

		if (!brings(f, p->late[i].block)) {
			i++;
			continue;
		}
		p->late[i] = p->late[--p->nlate];
		if (f->done - since > longest)
			longest = f->done - since;
	}
	return (double)longest;
}

static void
finish_ahead(struct prices *p, const struct finished *f, double positioning)
{
	unsigned n = p->next_service++ % PRICES_AHEAD;

	p->service[n].from = f->started;
	p->service[n].to = f->done;
	mean_learn(&p->apart, positioning, (double)p->memory);
	p->interrupts = &p->apart;
	p->ahead += (double)(f->done - f->started);
	if (p->ahead > SHARE_US) {
		p->ahead /= 2;
		p->waited /= 2;
	}
}

void
prices_finished(struct prices *p, const struct finished *f)
{
	double	     service = (double)(f->done - f->started);
	double	     positioning = service - (double)f->transfer;
	double	     late;
	struct mean *interrupts;
	unsigned     last, of;

	p->busy += service;
	interrupts = p->interrupts;
	p->interrupts = NULL;
	if (f->write)
		return;
	last = p->before;
	of = continued(p, f);
	if (interrupts && of == last && p->latest != p->before)
		interrupts->sum += positioning;
	mean_learn(of < PRICES_ENDS ? &p->near : &p->far, positioning,
	    OF_REQUESTS * (double)p->memory);
	p->transfer.sum += (double)f->transfer;
	p->transfer.n += f->count;
	mean_halve(&p->transfer, OF_BLOCKS * (double)p->memory);
	price_misses(p, f, positioning);
	late = wait_of_late(p, f);
	p->waited += f->demand ? behind_ahead(p, f->queued, f->started) : late;
	if (!f->demand)
		finish_ahead(p, f, positioning);
}

/* ---- prices ---- */

double
prices_of_transfer(const struct prices *p)
{
	return p->transfer.n > 0 ? mean_value(&p->transfer) : 1;
}

double
prices_of_miss(const struct prices *p, enum miss what)
{
	double any = mean_value(what == MISS_FAR ? &p->far : &p->near);

	if (what == MISS_STRIDE)
		any = mean_with(&p->miss[MISS_NEXT], any, p->prior);
	return mean_with(&p->miss[what], any, p->prior);
}

double
prices_apart(const struct prices *p)
{
	return mean_with(&p->apart, mean_value(&p->near), p->prior);
}

/* At first as if SHARE_PRIOR requests had met a device as busy as it is. */
double
prices_share(const struct prices *p, usec_t now)
{
	double busy = p->busy < (double)now ? p->busy / (double)now : 1;
	double first = SHARE_PRIOR * (prices_of_transfer(p) + mean_value(&p->near));
	double share = (p->waited + busy * first) / (p->ahead + first);

	return share < 1 ? share : 1;
}

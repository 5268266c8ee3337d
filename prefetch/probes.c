/* probes.c - open, observe and end probes. */
#include <stdlib.h>

#include "prefetch/probes.h"

enum {
	OLD = 4,	   /* the cache has moved on when 1/OLD of it has come */
	OWN_FILES = 8192,  /* with tallies of their own */
	ALL_BLOCKS = 4096, /* that a tally of all files remembers */
	OWN_BLOCKS = 512,  /* that the tally of a file remembers */
};

int
probes_init(struct probes *p, const struct trace *t, struct later *later, struct error *e)
{
	p->later = later;
	p->trace = t;
	p->nown = t->nfiles < OWN_FILES ? t->nfiles + 1 : OWN_FILES;
	p->own = calloc(p->nown, sizeof(*p->own));
	p->file = calloc((size_t)t->nfiles + 1, sizeof(*p->file));
	if (p->own && p->file)
		return 0;
	return error_set(e, "out of memory for the probes of %u files", t->nfiles);
}

void
probes_release(struct probes *p)
{
	free(p->own);
	free(p->file);
}

/* ---- the end of a probe ---- */

/* Bits from..to - 1. */
static uint64_t
bits(uint32_t from, uint32_t to)
{
	return ~0ull >> (64 - (to - from)) << from;
}

static float
count(uint64_t set)
{
	return (float)__builtin_popcountll(set);
}

static void
add(struct tally *t, const struct probe *p, unsigned step, uint64_t mask, float most)
{
	t->n += count(mask);
	t->used += count(p->used & mask);
	t->next += p->saved[true][step];
	t->stride += p->saved[false][step];
	if (t->n > most)
		*t = (struct tally){ t->n / 2, t->used / 2, t->next / 2, t->stride / 2 };
}

static void
close_probe(struct probes *p, struct probe *of)
{
	struct probed_file *file = &p->file[of->file];
	uint32_t	    at = 0;

	while (file->open[at] != (uint32_t)(of - p->probe))
		at++;
	file->open[at] = file->open[--file->nopen];
	of->n = 0;
}

static void
end_probe(struct probes *p, struct probe *of, const struct cache *c)
{
	struct tally *own = p->own[of->file % p->nown];
	uint64_t      unused = of->absent & ~of->used;

	for (unsigned step = 0; step < PROBE_STEPS; step++) {
		uint32_t from = step ? probes_end(step - 1) : 0;
		uint32_t to = probes_end(step) < of->n ? probes_end(step) : of->n;

		if (from >= to)
			break;
		add(&p->all[step], of, step, bits(from, to), ALL_BLOCKS);
		add(&own[step], of, step, bits(from, to), OWN_BLOCKS);
	}
	for (; unused; unused &= unused - 1)
		later_enter(p->later, c,
		    p->trace->file[of->file].base + of->first + (uint32_t)__builtin_ctzll(unused),
		    of->clock, of->vetoed);
	close_probe(p, of);
}

bool
probes_are_old(const struct probes *p, const struct cache *c, uint32_t clock)
{
	int32_t come =
	    (int32_t)(later_clock(p->later, c) - clock); /* since then; the clock may lie ahead */

	return come >= (int32_t)(c->nframes / OLD);
}

static bool
has_ended(const struct probes *p, const struct probe *of, const struct cache *c)
{
	return of->used == bits(0, of->n) ||
	    p->file[of->file].brought - of->brought >= p->soon + of->coming ||
	    probes_are_old(p, c, of->clock + of->coming);
}

/* End the oldest probes.  One that has ended makes room when all older ones have ended. */
static void
expire(struct probes *p, const struct cache *c)
{
	for (; p->oldest != p->newest; p->oldest++) {
		struct probe *of = &p->probe[p->oldest % PROBES];

		if (of->n && !has_ended(p, of, c))
			return;
		if (of->n)
			end_probe(p, of, c);
	}
}

/* ---- demands and plans ---- */

/* The call of d saves its share.  It may begin in the last block of the one that opened the probe. */
static void
observe_call(struct probe *of, const struct demand *d, bool next)
{
	uint32_t first = d->index + (d->index + 1 == of->first), end = d->index + d->left;
	uint32_t from = first > of->first ? first - of->first : 0;
	uint64_t within;

	if (first >= end || end <= of->first || from >= of->n)
		return;
	within = bits(from, end - of->first < of->n ? end - of->first : of->n) & ~of->used;
	for (unsigned step = 0; within; step++) {
		uint64_t mask = within & bits(0, probes_end(step));

		of->saved[next][step] += count(mask) / (float)(end - first);
		within &= ~mask;
	}
}

static bool
observe(struct probe *of, const struct demand *d, bool next)
{
	uint32_t k = d->index - of->first;

	if (d->index == d->first)
		observe_call(of, d, next);
	if (k >= of->n)
		return false;
	of->used |= 1ull << k;
	return true;
}

/* The file has brought in a block: what has ended? */
static void
bring(struct probes *p, struct probed_file *file, const struct cache *c)
{
	file->brought++;
	for (uint32_t i = file->nopen; i-- > 0;)
		if (has_ended(p, &p->probe[file->open[i]], c))
			end_probe(p, &p->probe[file->open[i]], c);
	expire(p, c);
}

bool
probes_demand(struct probes *p, const struct demand *d, bool next)
{
	struct probed_file *file = &p->file[d->file];
	bool		    within = false;

	for (uint32_t i = 0; i < file->nopen; i++)
		within |= observe(&p->probe[file->open[i]], d, next);
	if (d->how != REF_HIT && d->how != REF_DELAYED)
		bring(p, file, d->cache);
	return within;
}

void
probes_open(struct probes *p, const struct demand *d, const struct absence *a, bool vetoed)
{
	struct probed_file *file = &p->file[d->file];
	uint32_t	    number = p->newest % PROBES, n = a->end - a->first;

	if (file->nopen == PROBES_OF_FILE)
		return;
	if (p->newest - p->oldest == PROBES) {
		end_probe(p, &p->probe[p->oldest % PROBES], d->cache);
		expire(p, d->cache);
	}
	p->probe[number] = (struct probe){ .file = d->file,
		.first = a->first,
		.n = n < PROBE_BLOCKS ? n : PROBE_BLOCKS,
		.clock = later_clock(p->later, d->cache),
		.brought = file->brought,
		.coming = a->n,
		.vetoed = vetoed,
		.absent = a->mask };
	file->open[file->nopen++] = number;
	p->newest++;
}

/* ---- expectations ---- */

struct tally
probes_expect(const struct probes *p, file_t file, unsigned step)
{
	const struct tally *all = &p->all[step], *own = &p->own[file % p->nown][step];
	float		    first = step ? (float)probes_end(step - 1) : 1; /* blocks of the step */
	float		    share = first / (all->n + first), of = own->n + first;

	return (struct tally){ .used = (own->used + all->used * share) / of,
		.next = (own->next + all->next * share) / of,
		.stride = (own->stride + all->stride * share) / of };
}

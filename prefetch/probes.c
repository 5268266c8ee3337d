/* probes.c - open, observe and end probes. */
#include <stdlib.h>

#include "prefetch/probes.h"

/*
 * A share that is estimated from n independent blocks errs by at most 1/(2 sqrt(n)).
 * A tally has between half of these and all of them: the error is up to 1.1 % of
 * all blocks, and 3.1 % of a file's, which must follow the file as it changes.
 */
enum {
	ALL_BLOCKS = 4096, /* that a tally of all files remembers */
	OWN_BLOCKS = 512,  /* that the tally of a file remembers */
};

int
probes_init(struct probes *p, const struct trace *t, struct reuse *reuse, struct error *e)
{
	p->reuse = reuse;
	p->trace = t;
	p->nown = reuse_tallies(t);
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

/* ---- the probes of a file ---- */

static void
enter(struct probed_file *file, const struct probe *of)
{
	bool only = !file->groups;

	file->groups |= probes_groups(of->first, of->n);
	if (only || probes_has_come(file->end.brought, of->end.brought))
		file->end.brought = of->end.brought;
	if (only || probes_has_come(file->end.clock, of->end.clock))
		file->end.clock = of->end.clock;
}

/* Enter the probes that are left. */
static void
enter_all(const struct probes *p, struct probed_file *file)
{
	file->groups = 0;
	for (uint32_t i = 0; i < file->nopen; i++)
		enter(file, &p->probe[file->open[i]]);
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
add(struct tally *t, const struct tally *more, float most)
{
	t->n += more->n;
	t->used += more->used;
	t->next += more->next;
	t->stride += more->stride;
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
	enter_all(p, file);
}

static void
end_probe(struct probes *p, struct probe *of, const struct cache *c)
{
	struct tally *own = p->own[of->file % p->nown];
	uint64_t      unused = of->absent & ~of->used;

	for (uint32_t step = 0, from = 0, to; from < of->n; step++, from = to) {
		struct tally seen = { .next = of->saved[true][step],
			.stride = of->saved[false][step] };

		to = probes_end(step) < of->n ? probes_end(step) : of->n;
		seen.n = (float)(to - from);
		seen.used = count(of->used & bits(from, to));
		add(&p->all[step], &seen, ALL_BLOCKS);
		add(&own[step], &seen, OWN_BLOCKS);
	}
	for (; unused; unused &= unused - 1)
		reuse_enter(p->reuse, c, of->file,
		    p->trace->file[of->file].base + of->first + (uint32_t)__builtin_ctzll(unused),
		    of->clock, of->vetoed);
	close_probe(p, of);
}

static bool
has_ended(const struct probes *p, const struct probe *of, const struct cache *c)
{
	return probes_is_past(p, of->file, of->end, c);
}

/* Is the oldest probe still open? */
static bool
oldest_stays(const struct probes *p, const struct cache *c)
{
	const struct probe *of = &p->probe[p->oldest % PROBES];

	return p->oldest == p->newest || (of->n && !has_ended(p, of, c));
}

/* End the oldest probes.  One that has ended makes room when all older ones have ended. */
static void
expire(struct probes *p, const struct cache *c)
{
	for (; !oldest_stays(p, c); p->oldest++)
		if (p->probe[p->oldest % PROBES].n)
			end_probe(p, &p->probe[p->oldest % PROBES], c);
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
	while (within) {
		unsigned step = probes_step((uint32_t)__builtin_ctzll(within));
		uint64_t mask = within & bits(0, probes_end(step));

		of->saved[next][step] += count(mask) / (float)(end - first);
		within &= ~mask;
	}
}

/* All blocks are used: it ends when the file brings in the next one. */
static void
complete(struct probed_file *file, struct probe *of)
{
	of->end.brought = file->end.brought = file->brought;
}

static bool
observe(struct probed_file *file, struct probe *of, const struct demand *d, bool next)
{
	uint32_t k = d->index - of->first;

	if (d->index == d->first)
		observe_call(of, d, next);
	if (k >= of->n)
		return false;
	of->used |= 1ull << k;
	if (of->used == bits(0, of->n))
		complete(file, of);
	return true;
}

static void
end_due(struct probes *p, struct probed_file *file, const struct cache *c)
{
	for (uint32_t i = file->nopen; i-- > 0;)
		if (has_ended(p, &p->probe[file->open[i]], c))
			end_probe(p, &p->probe[file->open[i]], c);
}

/* The file has brought in a block. */
static void
bring(struct probes *p, struct probed_file *file, const struct cache *c)
{
	file->brought++;
	if (probes_is_past(p, (file_t)(file - p->file), file->end, c))
		end_due(p, file, c);
	if (unlikely(!oldest_stays(p, c)))
		expire(p, c);
}

static bool
meet(struct probes *p, struct probed_file *file, const struct demand *d, bool next)
{
	uint32_t more = d->index == d->first ? d->left - 1 : 0;
	bool	 within = false;

	for (uint32_t i = 0; i < file->nopen; i++) {
		struct probe *of = &p->probe[file->open[i]];

		if (d->index + more - of->first < of->n + more)
			within |= observe(file, of, d, next);
	}
	return within;
}

bool
probes_demand(struct probes *p, const struct demand *d, bool next)
{
	struct probed_file *file = &p->file[d->file];
	bool		    within = probes_near(p, d) && meet(p, file, d, next);

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
		.clock = reuse_clock(p->reuse, d->cache),
		.end = probes_horizon(p, d, a->n),
		.vetoed = vetoed,
		.absent = a->mask };
	file->open[file->nopen++] = (uint8_t)number;
	enter(file, &p->probe[number]);
	p->newest++;
}

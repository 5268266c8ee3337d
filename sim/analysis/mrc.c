/*
 * mrc.c - stack distances by counting holes.
 *
 * Every reference takes the next slot of an array, and leaves a hole in the
 * slot of the last reference to the same block.  The distinct blocks referenced
 * since then are the slots behind that one, without the holes.  A hole is a
 * bit; above the words of bits is a tree of counters, NODE to a node.  The
 * number of steps does not depend on the distance.  When the slots run out,
 * the array is compacted.
 *
 *	B. T. Bennett, V. J. Kruskal.  LRU stack processing.  IBM Journal of
 *	Research and Development 19(4), 1975.
 *	F. Olken.  Efficient methods for calculating the success function of
 *	fixed space replacement policies.  Report LBL-12370, Lawrence Berkeley
 *	Laboratory, 1981.
 *
 * Departures: their trees count the slots in use, and are binary.
 *
 * Cost: O(log n) a reference to n blocks, 13 bytes a block.  Most of the time
 * is cache misses, so each step is done for a whole batch of references before
 * the next one.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/mrc.h"

enum {
	WORD = 64,
	NODE = 16,	     /* counters: a cache line */
	SLOTS_PER_BLOCK = 4, /* compaction moves a third of a block per reference */
};
_Static_assert(MRC_BLOCKS_MAX == UINT32_MAX / SLOTS_PER_BLOCK - WORD, "slots have 32 bits");

/* before + NODE - k: a mask of the first k counters of a node. */
#define ALL UINT32_MAX
static const uint32_t before[2 * NODE] = { ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,
	ALL, ALL, ALL, ALL, ALL };
#undef ALL

static size_t
nodes(size_t counters)
{
	return (counters + NODE - 1) / NODE;
}

int
mrc_init(struct mrc *m, block_t nblocks, struct error *e)
{
	uint32_t words = (uint32_t)((uint64_t)nblocks * SLOTS_PER_BLOCK / WORD + 1);
	bool	 ok;

	*m = (struct mrc){ .nblocks = nblocks, .nslots = words * WORD, .next = 1 };
	if (nblocks > MRC_BLOCKS_MAX)
		return error_set(e, "a curve of %u blocks is too long: %u is the most", nblocks,
		    MRC_BLOCKS_MAX);
	m->last = calloc(nblocks, sizeof(*m->last));
	m->misses = calloc((size_t)nblocks + 1, sizeof(*m->misses));
	m->hole = calloc(words, sizeof(*m->hole));
	ok = m->last && m->misses && m->hole;
	for (size_t n = words; ok && (!m->nlevels || n > 1); n = nodes(n)) {
		m->level[m->nlevels] = calloc(nodes(n) * NODE, sizeof(**m->level));
		ok = m->level[m->nlevels++];
	}
	if (ok)
		return 0;
	mrc_release(m);
	return error_set(e, "out of memory for the curve of %u blocks", nblocks);
}

void
mrc_release(struct mrc *m)
{
	free(m->last);
	free(m->misses);
	free(m->hole);
	for (unsigned l = 0; l < m->nlevels; l++)
		free(m->level[l]);
	*m = (struct mrc){ 0 };
}

/* The number of holes before this slot. */
ALWAYS_INLINE uint32_t
holes_before(const struct mrc *m, uint32_t slot)
{
	uint32_t i = slot / WORD;
	uint64_t bits = m->hole[i] & ((UINT64_C(1) << slot % WORD) - 1);
	uint32_t n = (uint32_t)__builtin_popcountll(bits);

	for (unsigned l = 0; l < m->nlevels; l++, i /= NODE) {
		const uint32_t *counter = m->level[l] + i / NODE * NODE;
		const uint32_t *mask = before + NODE - i % NODE;

		for (unsigned k = 0; k < NODE; k++)
			n += counter[k] & mask[k];
	}
	return n;
}

ALWAYS_INLINE void
make_hole(struct mrc *m, uint32_t slot)
{
	uint32_t i = slot / WORD;

	m->hole[i] |= UINT64_C(1) << slot % WORD;
	for (unsigned l = 0; l < m->nlevels; l++, i /= NODE)
		m->level[l][i]++;
}

static void
close_up(struct mrc *m)
{
	size_t n = m->nslots / WORD;

	for (block_t b = 0; b < m->nblocks; b++)
		if (m->last[b])
			m->last[b] -= holes_before(m, m->last[b]);
	memset(m->hole, 0, n * sizeof(*m->hole));
	for (unsigned l = 0; l < m->nlevels; l++, n = nodes(n))
		memset(m->level[l], 0, n * sizeof(**m->level));
	m->next = m->distinct + 1;
}

/* The distance of a reference to b; nblocks if it is the first. */
ALWAYS_INLINE uint32_t
distance(struct mrc *m, block_t b)
{
	uint32_t slot, d;

	if (unlikely(m->next == m->nslots))
		close_up(m);
	slot = m->last[b];
	if (slot && slot + 1 == m->next)
		return 0;
	m->last[b] = m->next++;
	if (unlikely(!slot)) {
		m->distinct++;
		return m->nblocks;
	}
	d = m->distinct - slot + holes_before(m, slot);
	make_hole(m, slot);
	return d;
}

void
mrc_flush(struct mrc *m)
{
	const block_t *b = m->batch;
	uint32_t       d[MRC_BATCH];

	for (unsigned i = 0; i < m->nbatch; i++)
		__builtin_prefetch(&m->last[b[i]], 1);
	for (unsigned i = 0; i < m->nbatch; i++) {
		uint32_t word = m->last[b[i]] / WORD;

		__builtin_prefetch(&m->hole[word], 1);
		__builtin_prefetch(&m->level[0][word / NODE * NODE], 1);
	}
	for (unsigned i = 0; i < m->nbatch; i++) {
		d[i] = distance(m, b[i]);
		__builtin_prefetch(&m->misses[d[i]], 1);
	}
	for (unsigned i = 0; i < m->nbatch; i++)
		m->misses[d[i]]++;
	m->references += m->nbatch;
	m->nbatch = 0;
}

void
mrc_finish(struct mrc *m)
{
	uint64_t misses;

	mrc_flush(m);
	misses = m->misses[m->nblocks];
	m->misses[m->distinct] = misses;
	for (uint32_t d = m->distinct; d--;)
		m->misses[d] = misses += m->misses[d];
}

static int
follow(struct mrc *m, const struct trace *t, struct slots *slots, struct error *e)
{
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t		     b;

		if (i % TRACE_BATCH == 0 && trace_check(t, i, TRACE_BATCH, e))
			return -1;
		b = access_block(t, a);
		for (uint32_t left = access_count(t, a); left; left--)
			mrc_reference(m, (block_t)slots_enter(slots, b++));
	}
	mrc_finish(m);
	return trace_unchanged(t, e);
}

int
mrc_trace(struct mrc *m, const struct trace *t, struct error *e)
{
	struct slots slots;
	int	     failed = slots_init(&slots, t, e) || follow(m, t, &slots, e);

	slots_release(&slots);
	return failed ? -1 : 0;
}

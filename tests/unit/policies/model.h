/*
 * model.h - a policy against a model of it that looks at all blocks, on random
 * demands, prefetches, drops and I/O.
 */
#ifndef TESTS_UNIT_POLICIES_MODEL_H
#define TESTS_UNIT_POLICIES_MODEL_H

#include "tests/unit/policies/player.h"

struct model {
	void (*started)(frame_t frames); /* with an empty cache; NULL: nothing */
	void (*missed)(block_t b); /* it is not resident, and will be brought in; NULL: nothing */
	/* It was referenced.  first: it was not resident, or prefetched and not referenced yet. */
	void (*demanded)(block_t b, bool first);
	void (*prefetched)(block_t b); /* it was brought in */
	void (*evicted)(block_t b, bool unused);
	/* Must block a go before b? */
	bool (*before)(block_t a, block_t b);
};

/* Demand references, with the one for which a victim is needed; touches by demand or prefetch. */
static uint64_t model_now, model_touches;

static inline bool
is_evictable(block_t b)
{
	frame_t f = cache_find(&player.cache, b);

	return f && !(player.cache.frame[f].flags & FRAME_INFLIGHT);
}

/* Of the blocks that might, the one that has gone; 0: none. */
static inline block_t
model_gone(const bool might[BLOCKS + 1])
{
	for (block_t a = 1; a <= BLOCKS; a++)
		if (might[a] && !cache_find(&player.cache, a))
			return a;
	return 0;
}

/* One reference or prefetch. */
static inline void
model_step(const struct model *m, const char *setting, block_t b, bool ahead)
{
	frame_t	 f = cache_find(&player.cache, b);
	bool	 resident = f != NIL, might[BLOCKS + 1];
	bool	 first = !resident || player.cache.frame[f].flags & FRAME_PREFETCHED;
	uint64_t wasted = player.wasted;
	block_t	 gone;

	for (block_t a = 1; a <= BLOCKS; a++)
		might[a] = is_evictable(a);
	model_now += !ahead;
	model_touches += !ahead || !resident;
	if (!resident && m->missed)
		m->missed(b);
	if (ahead)
		prefetch(b);
	else
		demand(b);
	gone = model_gone(might);
	for (block_t a = 1; gone && a <= BLOCKS; a++)
		REQUIRE(!might[a] || !m->before(a, gone), "%s evicts %u, not %u, at %u", setting,
		    gone, a, (unsigned)model_now);
	if (gone)
		m->evicted(gone, player.wasted > wasted);
	if (!ahead)
		m->demanded(b, first);
	else if (!resident)
		m->prefetched(b);
}

/* Start or end the I/O of b, but leave a frame that may go. */
static inline void
model_fly(block_t b)
{
	unsigned n = 0;

	for (block_t a = 1; a <= BLOCKS; a++)
		n += is_evictable(a);
	if (is_evictable(b) && n > 1)
		fly(b, true);
	else if (cache_find(&player.cache, b))
		fly(b, false);
}

static inline void
model_run(const struct model *m, const char *setting, frame_t frames, uint64_t seed)
{
	uint32_t blocks = 2 * frames + 3;

	model_now = model_touches = 0;
	start(setting, frames);
	if (m->started)
		m->started(frames);
	for (unsigned i = 0; i < LENGTH; i++) {
		uint32_t u = random_below(&seed, blocks), v = random_below(&seed, blocks);
		block_t	 b = 1 + (i / 100 % 2 ? u : u * v / blocks);

		switch (random_below(&seed, 12)) {
		case 0:
			model_fly(b);
			break;
		case 1:
			drop(b);
			break;
		case 2:
		case 3:
			model_step(m, setting, b, true);
			break;
		default:
			model_step(m, setting, b, false);
		}
	}
	finish();
}

/* At several sizes of the cache. */
static inline void
check_model(const struct model *m, const char *setting)
{
	static const frame_t size[] = { 1, 2, 3, 5, 9, 16, 40, 100 };

	for (unsigned i = 0; i < sizeof(size) / sizeof(*size); i++)
		model_run(m, setting, size[i], i);
}

#endif

/*
 * replay.c - turn calls into batches of block numbers, for the policy's own
 * loop.  Four bytes a block of the trace and sixteen a frame.
 */
#include <stdlib.h>

#include "sim/core/replay.h"

enum { BATCH = 4096 }; /* block numbers: they stay in the first cache */

struct player {
	const struct config *cfg;
	const struct trace  *trace;
	void		    *self; /* the policy's */
	struct cache	     cache;
	uint64_t	     references, write_references, hits;
	block_t		     ref[BATCH];
};

static void
play_batch(struct player *p, size_t n)
{
	config_policy(p->cfg)->replay(p->self, &p->cache, p->ref, n, &p->hits);
	p->references += n;
}

/* Calls first .. last - 1. */
static void
play_calls(struct player *p, size_t first, size_t last)
{
	const struct trace *t = p->trace;
	size_t		    n = 0;

	for (const struct access *a = &t->access[first]; a < &t->access[last]; a++) {
		block_t	 b = access_block(t, a);
		uint32_t left = access_count(t, a);

		p->write_references += a->write * (uint64_t)left;
		for (; left; left--) {
			p->ref[n++] = b++;
			if (n == BATCH) {
				play_batch(p, n);
				n = 0;
			}
		}
	}
	play_batch(p, n);
}

static int
play(struct player *p, size_t first, size_t last, struct error *e)
{
	for (size_t n; first < last; first += n) {
		n = last - first < TRACE_BATCH ? last - first : TRACE_BATCH;
		if (trace_check(p->trace, first, n, e))
			return -1;
		play_calls(p, first, first + n);
	}
	return 0;
}

/* Warm up, and count from there. */
static int
play_all(struct player *p, struct stats *out, struct error *e)
{
	const struct instance policy = { p->cfg->policy.plugin, p->self };
	size_t		      warmup = p->cfg->warmup_calls;
	frame_t		      used;

	if (play(p, 0, warmup, e))
		return -1;
	used = p->cache.nused;
	p->references = p->write_references = p->hits = 0;
	stats_start(out, &policy, 1);
	if (play(p, warmup, p->trace->naccess, e))
		return -1;
	stats_unknown(out);
	stats_end(out, &policy, 1);
	out->references = p->references;
	out->write_references = p->write_references;
	out->hits = p->hits;
	out->misses = p->references - p->hits;
	out->evictions = out->misses - (p->cache.nused - used);
	out->first_hits = out->late_hits = out->joined_hits = 0;
	return 0;
}

int
replay_check(const struct config *cfg, struct error *e)
{
	if (!config_prefetcher(cfg)->access)
		return 0;
	return error_usage(e,
	    "--replay untimed has no time to read ahead in: use --prefetch none with it, not %s",
	    cfg->prefetcher.plugin->name);
}

int
replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	const struct policy *policy = config_policy(cfg);
	struct player	     p = { .cfg = cfg, .trace = t };
	int		     failed = -1;

	if (replay_check(cfg, e) || config_check_cache(cfg, e) || config_check(cfg, t, e) ||
	    cache_init(&p.cache, (frame_t)cfg->cache_blocks, t->nblocks, e))
		return -1;
	p.self = plugin_state(cfg->policy.plugin, cfg->policy.params, e);
	if (p.self && (!policy->init || !policy->init(p.self, &p.cache, e)))
		failed = play_all(&p, out, e);
	if (p.self && policy->release)
		policy->release(p.self);
	free(p.self);
	cache_release(&p.cache);
	return failed;
}

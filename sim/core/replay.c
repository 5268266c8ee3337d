/*
 * replay.c - turn calls into batches of block numbers, for the policy's own
 * loop.  Four bytes a block of the trace and sixteen a frame.
 */
#include "sim/core/replay.h"
#include <stdlib.h>

#include "sim/core/node.h"

enum { BATCH = 4096 }; /* block numbers: they stay in the first cache */

struct player {
	const struct config *cfg;
	const struct trace  *trace;
	struct node	     node;
	uint64_t	     references, write_references;
	block_t		    *base; /* [nopen]: the first block of its file */
	struct batch	     batch;
	block_t		     ref[BATCH];
	struct use	     use[BATCH];
};

static void
play_batch(struct player *p, size_t n)
{
	p->batch.n = n;
	if (unlikely(p->node.cache.slots.group))
		replay_with(p->node.policy, p->node.policy_self, &p->node.cache, &p->batch, true);
	else
		p->node.policy->replay(p->node.policy_self, &p->node.cache, &p->batch);
	p->references += n;
}

/* The context of a reference of this call, for the policy. */
static struct use
use_of(const struct trace *t, const struct access *a, uint32_t index)
{
	const struct open_file *open = &t->open[a->open];

	return (struct use){ open->file, index, open->process, a->open, a->write, a->time };
}

/* Calls first .. last - 1, for policies with and without context. */
ALWAYS_INLINE void
play_calls(struct player *p, size_t first, size_t last, bool uses)
{
	const struct trace *t = p->trace;
	const block_t	   *base = p->base;
	uint64_t	    written = 0;
	size_t		    n = 0;

	for (const struct access *a = &t->access[first], *end = &t->access[last]; a < end; a++) {
		uint32_t index = access_first(t, a), count = access_count(t, a);
		block_t	 b = base[a->open] + index;

		written += a->write * (uint64_t)count;
		do {
			if (uses)
				p->use[n] = use_of(t, a, index++);
			p->ref[n++] = b++;
			if (unlikely(n == BATCH)) {
				play_batch(p, n);
				n = 0;
			}
		} while (--count);
	}
	p->write_references += written;
	play_batch(p, n);
}

static int
play(struct player *p, size_t first, size_t last, struct error *e)
{
	for (size_t n; first < last; first += n) {
		n = last - first < TRACE_BATCH ? last - first : TRACE_BATCH;
		if (trace_check(p->trace, first, n, e))
			return -1;
		if (p->node.needs & NEEDS_USE)
			play_calls(p, first, first + n, true);
		else
			play_calls(p, first, first + n, false);
	}
	return 0;
}

/* Warm up, then count. */
static int
play_all(struct player *p, struct stats *out, struct error *e)
{
	const struct instance policy = { p->cfg->policy.plugin, p->node.policy_self };
	size_t		      warmup = p->cfg->warmup_calls;
	frame_t		      used;

	if (play(p, 0, warmup, e))
		return -1;
	used = p->node.cache.nused;
	p->references = p->write_references = p->batch.hits = 0;
	stats_start(out, &policy, 1);
	if (play(p, warmup, p->trace->naccess, e))
		return -1;
	stats_unknown(out);
	stats_end(out, &policy, 1);
	out->references = p->references;
	out->write_references = p->write_references;
	out->hits = p->batch.hits;
	out->misses = p->references - p->batch.hits;
	out->evictions = out->misses - (p->node.cache.nused - used);
	out->first_hits = out->late_hits = out->delayed_hits = 0;
	return 0;
}

static int
find_bases(struct player *p, struct error *e)
{
	const struct trace *t = p->trace;

	p->base = malloc(t->nopen * sizeof(*p->base));
	if (!p->base)
		return error_set(e, "out of memory for %u open files", t->nopen);
	for (uint32_t i = 0; i < t->nopen; i++)
		p->base[i] = t->file[t->open[i].file].base;
	return 0;
}

int
replay_run(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct player *p = calloc(1, sizeof(*p));
	unsigned       needs = config_policy(cfg)->needs;
	int	       failed;

	if (!p)
		return error_set(e, "out of memory");
	p->cfg = cfg;
	p->trace = t;
	p->batch = (struct batch){
		.ref = p->ref,
		.use = needs & NEEDS_USE ? p->use : NULL,
		.future = needs & NEEDS_FUTURE ? &p->node.future : NULL,
	};
	failed = find_bases(p, e) || node_init_cache(&p->node, cfg, t, e) || play_all(p, out, e);
	node_release(&p->node);
	free(p->base);
	free(p);
	return failed ? -1 : 0;
}

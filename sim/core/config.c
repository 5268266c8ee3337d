/* config.c - defaults and checks of the settings of a simulation. */
#include "sim/core/config.h"

void
config_defaults(struct config *cfg)
{
	*cfg = (struct config){
		.queue_requests = 128,
		.request_blocks = 33, /* as in AccuSim; a batch of linux24:max=32 */
		.flush_interval_us = 5 * 1000000,
		.flush_age_us = 30 * 1000000,
		.think_scale = 1,
	};
}

bool
config_knows_advice(const struct config *cfg)
{
	const struct choice *c = &cfg->prefetcher;

	while (c && prefetcher_of(c)->advise)
		c = c->inner;
	return !c && !cfg->ignores_advice;
}

bool
config_wants_pace(const struct config *cfg)
{
	const struct choice *c = &cfg->prefetcher;

	while (c && prefetcher_of(c)->pace)
		c = c->inner;
	return !c;
}

/* ---- checks ---- */

static int
check_untimed(const struct config *cfg, struct error *e)
{
	if (cpu_costs_any(&cfg->cpu))
		return error_usage(e,
		    "--replay untimed has no time for the processor: use --cpu none with it");
	if (config_prefetcher(cfg)->access)
		return error_usage(e,
		    "--replay untimed has no time for prefetching: use --prefetch none with it, not "
		    "%s",
		    cfg->prefetcher.plugin->name);
	return cfg->shadow
	    ? error_usage(e,
		  "--replay untimed is what --shadow would compare with: leave out --shadow")
	    : 0;
}

static int
check_direct(const struct config *cfg, struct error *e)
{
	if (cfg->replay == REPLAY_UNTIMED)
		return error_usage(e,
		    "--cache 0 has only the device, and --replay untimed has none: choose "
		    "--replay open, serial or process");
	if (cpu_costs_any(&cfg->cpu))
		return error_usage(e,
		    "--cache 0 has no cache, whose calls and pages cost processor time: use --cpu "
		    "none with it");
	if (config_prefetcher(cfg)->access)
		return error_usage(e,
		    "--cache 0 has no cache for prefetching: use --prefetch none with it, not %s",
		    cfg->prefetcher.plugin->name);
	if (cfg->shadow)
		return error_usage(e, "--cache 0 has no cache to compare: leave out --shadow");
	if (config_scheduler(cfg)->place || config_scheduler(cfg)->init)
		return error_usage(e,
		    "--cache 0 neither merges requests nor plugs the queue: use --scheduler fifo, "
		    "scan, sptf or deadline with it, not %s",
		    cfg->scheduler.plugin->name);
	if (cfg->layout != LAYOUT_PACKED)
		return error_usage(e,
		    "--cache 0 sends the sectors that a call names: use --layout packed with it");
	return 0;
}

static int
check_insert(const struct config *cfg, struct error *e)
{
	static const char *const name[] = { "head", "middle", "tail" };
	const struct policy	*p = config_policy(cfg);

	if (policy_has_place(p, cfg->insert))
		return 0;
	return error_usage(e,
	    "--insert %s: %s has no such place for prefetched blocks: use --insert head, or a policy "
	    "such as lru",
	    name[cfg->insert], p->plugin.name);
}

/* A prefetcher with idle() knows the order of all references, and which block is needed last. */
static int
check_idle(const struct config *cfg, struct error *e)
{
	const struct choice *c = &cfg->prefetcher;
	const char	    *name = c->plugin->name;

	for (; c->inner; c = c->inner)
		if (prefetcher_of(c->inner)->idle)
			return error_usage(e,
			    "%s cannot be inside %s: it reads by itself: use --prefetch %s",
			    c->inner->plugin->name, c->plugin->name, c->inner->plugin->name);
	if (!config_prefetcher(cfg)->idle)
		return 0;
	if (cfg->replay != REPLAY_SERIAL)
		return error_usage(e,
		    "%s knows the references in the order of the trace: use --replay serial with it",
		    name);
	return config_policy(cfg)->leaves
	    ? 0
	    : error_usage(e,
		  "%s needs a policy that knows the trace: use --policy opt with it, not %s", name,
		  cfg->policy.plugin->name);
}

int
config_check(const struct config *cfg, bool cached, struct error *e)
{
	if (!cached)
		return check_direct(cfg, e);
	if (check_insert(cfg, e) || check_idle(cfg, e))
		return -1;
	return cfg->replay == REPLAY_UNTIMED ? check_untimed(cfg, e) : 0;
}

int
config_check_trace(const struct config *cfg, const struct trace *t, struct error *e)
{
	if (cfg->cache_blocks >= UINT32_MAX)
		return error_set(e, "a cache of %llu blocks: %u is the most",
		    (unsigned long long)cfg->cache_blocks, UINT32_MAX - 1);
	if (config_prefetcher(cfg)->idle && t->nprograms > 1)
		return error_usage(e,
		    "%s knows the references of one program, and these are %u at once: give it one trace, or "
		    "merge them with bufsim convert --merge",
		    cfg->prefetcher.plugin->name, t->nprograms);
	if (cfg->queue_requests < QUEUE_MIN)
		return error_set(e, "a queue of %u requests: at least %d are needed",
		    cfg->queue_requests, QUEUE_MIN);
	if (cfg->warmup_calls && cfg->warmup_calls >= t->naccess)
		return error_set(e, "a warm-up of %llu calls leaves nothing of the trace's %zu",
		    (unsigned long long)cfg->warmup_calls, t->naccess);
	if (trace_check(t, t->naccess - 1, 1, e))
		return -1;
	if ((double)t->access[t->naccess - 1].time * cfg->think_scale > (double)SPAN_MAX_US)
		return error_set(e, "a think scale of %g makes the trace longer than 142 years",
		    cfg->think_scale);
	return 0;
}

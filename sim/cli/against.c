/* against.c - run the oracle's settings and keep the best, and count what every run must read. */
#include "sim/cli/against.h"
#include "sim/analysis/loads.h"
#include "sim/registry.h"

/* No setting is best everywhere: docs/oracle.md. */
static const struct schedule {
	const char *prefetcher, *scheduler; /* NULL: that of the run */
} settings[] = {
	{ "oracle:batch=1", NULL },
	{ "oracle:batch=32", NULL },
	{ "oracle:batch=128", NULL },
	{ "oracle:batch=512", NULL },
	{ "oracle:rule=horizon,batch=128", NULL },
	{ "oracle:rule=conservative,batch=128", NULL },
	{ "oracle:rule=forestall,batch=64", NULL },
	{ "oracle:batch=512", "sptf" },
	{ "oracle:rule=horizon,batch=128", "sptf" },
	{ NULL, NULL },
};

/* The choices are released by the caller in any case. */
static int
choose(struct config *c, const struct schedule *s, struct error *e)
{
	return registry_choose(PLUGIN_POLICY, "opt", &c->policy, e) ||
		registry_choose(PLUGIN_PREFETCHER, s->prefetcher, &c->prefetcher, e) ||
		(s->scheduler && registry_choose(PLUGIN_SCHEDULER, s->scheduler, &c->scheduler, e))
	    ? -1
	    : 0;
}

/* The same run with policy opt and this setting. */
static int
simulate_as(const struct config *c, const struct schedule *s, const struct trace *t, uint64_t *us,
    struct error *e)
{
	struct config other = *c;
	struct stats  st;
	int	      failed;

	other.response = NULL;
	other.observer = (struct observer){ 0 };
	other.insert = INSERT_HEAD;
	other.policy = other.prefetcher = (struct choice){ 0 };
	if (s->scheduler)
		other.scheduler = (struct choice){ 0 };
	failed = choose(&other, s, e) || simulate(&other, t, &st, e);
	*us = failed ? 0 : st.elapsed_us;
	choice_release(&other.policy);
	choice_release(&other.prefetcher);
	if (s->scheduler)
		choice_release(&other.scheduler);
	return failed ? -1 : 0;
}

int
against_check(const struct config *c, const struct options *o, struct error *e)
{
	if (o->csv)
		return error_usage(e,
		    "--against oracle has no column: use --json instead of --csv");
	if (!o->cache.n)
		return error_usage(e,
		    "--cache 0 has no cache for the oracle: leave out --against oracle");
	return c->replay == REPLAY_SERIAL
	    ? 0
	    : error_usage(e,
		  "--against oracle: it knows the references in the order of the trace: use --replay serial");
}

static uint64_t
time_of_loads(const struct config *c, uint64_t bytes, struct error *e)
{
	const struct device *d = device_of(&c->device);
	void		    *self = device_start(&c->device, e);
	double		     us = self && d->sector_us ? d->sector_us(self) : 0;

	device_stop(d, self);
	return (uint64_t)((double)bytes / SECTOR_BYTES * us);
}

int
against_find(const struct config *c, const struct trace *t, struct possible *out, struct error *e)
{
	*out = (struct possible){ .oracle_us = UINT64_MAX, .loads = STAT_UNKNOWN };
	for (const struct schedule *s = settings; s->prefetcher; s++) {
		uint64_t us;

		/* A device without positions has nothing for sptf to know. */
		if (s->scheduler && !device_of(&c->device)->positioning)
			continue;
		if (simulate_as(c, s, t, &us, e))
			return -1;
		if (us < out->oracle_us) {
			out->oracle_us = us;
			out->oracle = s->prefetcher;
			out->scheduler = s->scheduler;
		}
	}
	if (c->warmup_calls) /* what was read before is not known */
		return 0;
	if (loads_least(t, (frame_t)c->cache_blocks, &out->loads, e))
		return -1;
	out->loads_us = time_of_loads(c, out->loads * t->block_bytes, e);
	return 0;
}

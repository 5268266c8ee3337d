/*
 * predict.c - the settings under which a simulation is this machine.
 *
 * The queue is so long that no plan of the prefetcher is cut short.  Readahead
 * and the wait of the kernel are block by block; without readahead a call has
 * requested all its pages before it waits.
 */
#include <stdlib.h>

#include "sim/host/measure/predict.h"
#include "sim/registry.h"

enum { REQUESTS = 1 << 16 };

/* The plug-ins that are not chosen by the user. */
static int
choose(struct config *c, const struct predict_how *how, struct error *e)
{
	if (how->rule)
		c->prefetcher = (struct choice){ .plugin = &how->rule->prefetcher->plugin,
			.params = how->rule->params };
	else if (registry_choose(PLUGIN_PREFETCHER, "none", &c->prefetcher, e))
		return -1;
	if (how->policy)
		c->policy = *how->policy;
	else if (registry_choose(PLUGIN_POLICY, "lru", &c->policy, e))
		return -1;
	if (how->device && !how->warm)
		c->device = *how->device;
	else if (registry_choose(PLUGIN_DEVICE, "null", &c->device, e))
		return -1;
	return registry_choose(PLUGIN_SCHEDULER, "fifo", &c->scheduler, e);
}

static int
configure(struct config *c, const struct trace *calls, const struct predict_how *how,
    struct error *e)
{
	config_defaults(c);
	c->cache_blocks = how->policy ? how->cache_pages : calls->nblocks;
	c->queue_requests = REQUESTS;
	if (how->request_pages)
		c->request_blocks = how->request_pages;
	c->wait = how->rule ? WAIT_BLOCK : WAIT_CALL;
	c->replay = how->replay;
	c->think_scale = how->think_scale;
	c->ignores_advice = !how->rule; /* the files are read at random, and stay so */
	c->cpu = how->cpu;
	if (how->warm)
		c->cpu.read_page_ps = 0;
	return choose(c, how, e);
}

/* A warm replay reads nothing; the same calls have brought the pages in before, in order. */
static void
count_pages(struct prediction *p, const struct predict_how *how)
{
	const struct stats *s = &p->stats;

	p->pages_read = how->warm ? 0 : s->read_blocks;
	p->resident_pages =
	    s->misses + s->prefetched_blocks - s->evictions - s->advice_dropped_blocks;
	if (how->warm && how->rule && how->replay == REPLAY_PROCESS)
		p->resident_pages = PREDICT_UNKNOWN;
}

int
predict(struct prediction *p, const struct trace *calls, const struct predict_how *how,
    struct error *e)
{
	struct config c;
	int	      failed;

	*p = (struct prediction){ .timed = how->device || (how->warm && cpu_costs_any(&how->cpu)) };
	if (configure(&c, calls, how, e))
		return -1;
	if (p->timed && !(p->response = calloc(calls->naccess, sizeof(*p->response))))
		return error_set(e, "out of memory for the responses of %zu calls", calls->naccess);
	c.response = p->response;
	failed = how->policy ? evictions_init(&p->evict, &c, calls, &p->stats, e)
			     : simulate(&c, calls, &p->stats, e);
	if (failed)
		prediction_release(p);
	else
		count_pages(p, how);
	return failed;
}

void
prediction_release(struct prediction *p)
{
	free(p->response);
	evictions_release(&p->evict);
	*p = (struct prediction){ 0 };
}

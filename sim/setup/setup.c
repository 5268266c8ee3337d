/* setup.c - look up what was named, check what was sized. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/core/direct.h"
#include "sim/core/replay.h"
#include "sim/registry.h"
#include "sim/setup/setup.h"

enum {
	BLOCK_MIN = 512,
	BLOCK_MAX = 1 << 20,
	QUEUE_MAX = 1 << 20,
	FRAME_TABLE_BYTES = sizeof(struct frame) + sizeof(struct dirty),
};

int
setup_trace(struct trace_options *t, const struct options *o, struct error *e)
{
	const void *format;
	const char *params;

	if (o->block < BLOCK_MIN || o->block > BLOCK_MAX || o->block & (o->block - 1))
		return error_usage(e, "--block: '%s' is not a power of two from 512 to 1M",
		    o->text[OPTION_block]);
	*t = (struct trace_options){ .block_bytes = (uint32_t)o->block, .touch_mmaps = o->mmap };
	if (!o->format)
		return 0;
	format = registry_find(PLUGIN_FORMAT, o->format, &params, e);
	if (!format)
		return error_prefix(e, "--format");
	if (params)
		return error_usage(e, "--format: formats have no parameters");
	t->format = format;
	return 0;
}

int
setup_output(const struct options *o, const char *option, const char *path, struct error *e)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	for (unsigned i = 0; path && i < o->narguments; i++)
		if (output_spares(path, o->argument[i], e))
			return -1;
	if (!dot || (strcmp(dot, ".svg") && strcmp(dot, ".png") && strcmp(dot, ".pdf")))
		return 0;
	return error_usage(e, "--%s %s: this writes CSV, of which bufsim plot makes pictures",
	    option, path);
}

/* Wrong parameters are better known before the trace is loaded than after. */
static int
check_params(const struct plugin *p, const char *params, struct error *e)
{
	void *state = calloc(1, p->state_size + 1);
	int   failed = state ? params_set(p, state, params, e) : error_set(e, "out of memory");

	free(state);
	return failed;
}

/* The same for a data sheet. */
static int
check_device(const struct config *c, struct error *e)
{
	void *self = config_device(c, e);

	config_free_device(c, self);
	return self ? 0 : -1;
}

static const void *
named(enum option_id id, enum plugin_kind kind, const struct options *o, const char **params,
    struct error *e)
{
	const struct plugin *p = registry_find(kind, o->text[id], params, e);

	if (p && !check_params(p, *params, e))
		return p;
	error_prefix(e, "--%s", option_info[id].name);
	return NULL;
}

static int
find_prefetcher(struct config *c, const struct options *o, struct error *e)
{
	c->prefetcher = registry_find_prefetcher(o->prefetch, &c->prefetcher_params, &c->inner,
	    &c->inner_params, e);
	if (c->prefetcher && !check_params(&c->prefetcher->plugin, c->prefetcher_params, e) &&
	    (!c->inner || !check_params(&c->inner->plugin, c->inner_params, e)))
		return 0;
	return error_prefix(e, "--prefetch");
}

static int
find_device(struct setup *s, const struct options *o, struct error *e)
{
	struct config *c = &s->config;

	c->device = registry_find_device(o->device, &c->device_params, &c->inner_device,
	    &c->inner_device_params, &c->device_sheet, &s->sheet, e);
	if (!c->device)
		return error_prefix(e, "--device");
	return check_device(c, e) ? error_prefix(e, "--device: %s", o->device) : 0;
}

static int
find_plugins(struct setup *s, const struct options *o, struct error *e)
{
	struct config *c = &s->config;

	c->policy = named(OPTION_policy, PLUGIN_POLICY, o, &c->policy_params, e);
	c->scheduler = c->policy && !find_prefetcher(c, o, e)
	    ? named(OPTION_scheduler, PLUGIN_SCHEDULER, o, &c->scheduler_params, e)
	    : NULL;
	return c->scheduler ? find_device(s, o, e) : -1;
}

int
setup_check_memory(uint64_t blocks, uint32_t block_bytes, uint64_t memory, struct error *e)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];

	if (blocks >= UINT32_MAX)
		return error_set(e, "a cache of %s blocks is too large: %s is the most",
		    number_group(a, blocks), number_group(b, UINT32_MAX - 1));
	if (blocks > memory / FRAME_TABLE_BYTES)
		return error_set(e,
		    "simulating a cache of %s takes %s of tables, and this machine has %s of memory",
		    number_bytes(a, blocks * block_bytes),
		    number_bytes(b, blocks * FRAME_TABLE_BYTES), number_bytes(c, memory));
	return 0;
}

static int
cache_setup(struct config *c, const struct options *o, uint32_t block_bytes, uint64_t footprint,
    struct error *e)
{
	if (cache_size_blocks(&o->cache, block_bytes, footprint, &c->cache_blocks, e) < 0 ||
	    setup_check_memory(c->cache_blocks, block_bytes, memory_bytes(), e) < 0)
		return error_prefix(e, "--cache");
	return 0;
}

static int
queue_setup(struct config *c, const struct options *o, uint32_t block_bytes, struct error *e)
{
	uint64_t blocks;

	if (size_blocks(&o->request, block_bytes, 0, &blocks, e) < 0)
		return error_prefix(e, "--request");
	if (blocks > UINT32_MAX / BLOCK_MAX)
		return error_usage(e, "--request: '%s' is too large", o->text[OPTION_request]);
	if (o->queue < QUEUE_MIN || o->queue > QUEUE_MAX)
		return error_usage(e, "--queue: '%s' is not between %d and %d",
		    o->text[OPTION_queue], QUEUE_MIN, QUEUE_MAX);
	c->request_blocks = (uint32_t)blocks;
	c->queue_requests = (uint32_t)o->queue;
	return 0;
}

/* Kinds of replay that exclude others of the settings. */
static int
check_replay(const struct config *c, const struct options *o, struct error *e)
{
	bool as_ever = !strcmp(o->text[OPTION_request], option_info[OPTION_request].initial);

	if (o->responses && c->replay == REPLAY_UNTIMED)
		return error_usage(e, "--replay untimed knows no time: leave out --responses");
	if (o->cache.n)
		return c->replay == REPLAY_UNTIMED ? replay_check(c, e) : 0;
	if (!as_ever)
		return error_usage(e,
		    "--cache 0 makes each call one request, however large: leave out --request");
	return direct_check(c, e);
}

int
setup_init(struct setup *s, const struct options *o, struct error *e)
{
	struct config *c = &s->config;

	*s = (struct setup){ 0 };
	config_defaults(c);
	c->layout = (enum layout_kind)o->layout;
	c->replay = (enum replay)o->replay;
	c->writes = (enum writes)o->writes;
	c->wait = (enum wait)o->wait;
	c->complete = (enum complete)o->complete;
	c->flush_interval_us = o->flush_interval;
	c->flush_age_us = o->flush_age;
	c->think_scale = o->think_scale;
	if (!setup_trace(&s->trace, o, e) && !find_plugins(s, o, e) &&
	    (o->cache.of || !cache_setup(c, o, s->trace.block_bytes, 0, e)) &&
	    !check_replay(c, o, e) && !queue_setup(c, o, s->trace.block_bytes, e))
		return 0;
	setup_release(s);
	return -1;
}

int
setup_device(struct setup *s, const struct options *o, struct error *e)
{
	*s = (struct setup){ 0 };
	if (!find_device(s, o, e))
		return 0;
	setup_release(s);
	return -1;
}

void
setup_release(struct setup *s)
{
	free(s->sheet);
	s->sheet = NULL;
}

int
setup_fit(struct setup *s, const struct options *o, struct trace *t, struct error *e)
{
	uint64_t calls = o->warmup.calls;
	char	 warmup[NUMBER_TEXT], all[NUMBER_TEXT];

	if (o->cache.of &&
	    (trace_footprint(t, e) || cache_setup(&s->config, o, t->block_bytes, t->footprint, e)))
		return -1;
	if (o->warmup.fraction > 0)
		calls = (uint64_t)(o->warmup.fraction * (double)t->naccess);
	if (calls && calls >= t->naccess)
		return error_set(e, "--warmup: %s calls leave nothing to count: the trace has %s",
		    number_group(warmup, calls), number_group(all, t->naccess));
	s->config.warmup_calls = calls;
	return 0;
}

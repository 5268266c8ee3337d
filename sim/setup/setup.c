/* setup.c - look up plug-ins by name, check sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/base/memory.h"
#include "sim/base/number.h"
#include "sim/base/output.h"
#include "sim/core/engine/writeback.h"
#include "sim/device/here.h"
#include "sim/registry.h"
#include "sim/setup/setup.h"

enum {
	LIST_ROOM = 512,
	JOBS_MAX = 1024,
	BLOCK_MIN = 512,
	QUEUE_MAX = 1 << 20,
	FRAME_TABLE_BYTES = sizeof(struct frame) + sizeof(struct dirty),
};

/*
 * An option may name several files: "raid5:disks=5+./a.dev,./b.dev" in a sweep.
 * Such a character may also be in a name, so every part from one of them to
 * another counts.
 */
static int
spare_parts(const char *path, const char *text, struct error *e)
{
	static const char between[] = ",:+";
	char		 *part = strdup(text);
	size_t		  n = strlen(text);
	int		  failed = 0;

	if (!part)
		return error_no_memory(e);
	for (size_t from = 0; !failed && from < n; from += strcspn(text + from, between) + 1)
		for (size_t to = from; !failed && to < n; to++) {
			to += strcspn(text + to, between);
			memcpy(part, text + from, to - from);
			part[to - from] = '\0';
			if (strchr(part, '/')) /* else it is not a path */
				failed = output_spares(path, part, e);
		}
	free(part);
	return failed;
}

/* The same for the data sheet that --device here reads. */
static int
spare_here(const char *path, const char *devices, struct error *e)
{
	struct error ignored;
	char	    *here = devices && strstr(devices, HERE) ? here_path(&ignored) : NULL;
	int	     failed = here ? output_spares(path, here, e) : 0;

	free(here);
	return failed;
}

static int
spare_inputs(const char *path, const struct options *o, unsigned ninputs, struct error *e)
{
	for (unsigned i = 0; i < ninputs; i++)
		if (output_spares(path, o->argument[i], e))
			return -1;
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (o->text[id] && strchr(o->text[id], '/') && !option_is_output(id) &&
		    spare_parts(path, o->text[id], e))
			return -1;
	for (enum option_id id = 0; id < OPTIONS; id++)
		if (!strcmp(option_info[id].name, "device") && spare_here(path, o->text[id], e))
			return -1;
	return 0;
}

int
setup_outputs(enum command_id command, const struct options *o, struct error *e)
{
	bool	    last = strstr(command_info[command].argument, " OUT");
	unsigned    ninputs = o->narguments - last;
	const char *out[OPTIONS + 1] = { o->output };
	size_t	    n = 1;

	for (enum option_id id = 0; id < OPTIONS; id++)
		if (id != OPTION_output && option_is_output(id))
			out[n++] = o->text[id];
	out[n++] = last ? o->argument[ninputs] : NULL;
	for (size_t i = 0; i < n; i++) {
		if (out[i] && (output_check(out[i], e) || spare_inputs(out[i], o, ninputs, e)))
			return -1;
		for (size_t j = 0; out[i] && j < i; j++)
			if (out[j] && output_differs(out[j], out[i], e))
				return -1;
	}
	return 0;
}

int
setup_jobs(unsigned *jobs, const struct options *o, struct error *e)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (o->jobs > JOBS_MAX)
		return error_usage(e, "--jobs: '%s' is more than %d", o->text[OPTION_jobs],
		    JOBS_MAX);
	processors = processors < 1 ? 1 : processors > JOBS_MAX ? JOBS_MAX : processors;
	*jobs = (unsigned)(o->jobs ? (long)o->jobs : processors);
	return 0;
}

static int
choose(enum option_id id, const struct plugin_kind *kind, const struct options *o,
    struct choice *out, struct error *e)
{
	if (!registry_choose(kind, o->text[id], out, e))
		return 0;
	return error_prefix(e, "--%s", option_info[id].name);
}

int
setup_trace(struct trace_options *t, const struct options *o, struct error *e)
{
	struct choice chosen;

	if (o->block < BLOCK_MIN || o->block > TRACE_BLOCK_BYTES_MAX || o->block & (o->block - 1))
		return error_usage(e, "--block: '%s' is not a power of two from 512 to 1M",
		    o->text[OPTION_block]);
	*t = (struct trace_options){ .block_bytes = (uint32_t)o->block,
		.touch_mmaps = o->mmap,
		.share_files = o->share_files };
	if (o->text[OPTION_stream_by])
		t->stream_by = STREAM_VOLUME + o->stream_by;
	if (!o->format)
		return 0;
	if (choose(OPTION_format, PLUGIN_FORMAT, o, &chosen, e))
		return -1;
	t->format = (const struct format *)(const void *)chosen.plugin;
	t->format_params = chosen.params;
	return 0;
}

static int
device_sectors(const struct choice *c, uint64_t *sectors, struct error *e)
{
	void *self = device_start(c, e);

	if (!self)
		return -1;
	*sectors = device_of(c)->capacity(self);
	device_stop(device_of(c), self);
	return 0;
}

/* Find errors in a data sheet before the trace is loaded. */
static int
choose_device(struct setup *s, const struct options *o, struct error *e)
{
	if (choose(OPTION_device, PLUGIN_DEVICE, o, &s->config.device, e))
		return -1;
	if (device_sectors(&s->config.device, &s->device_sectors, e))
		return error_prefix(e, "--device: %s", o->device);
	return 0;
}

/* Only a run with cache and clock has a processor: the costs of a data sheet are for it. */
static void
choose_costs(struct config *c, const struct options *o)
{
	c->cpu = o->cpu.typed;
	if (o->cpu.from == CPU_OF_SHEET && o->cache.n && c->replay != REPLAY_UNTIMED)
		cpu_costs_of_device(&c->device, &c->cpu);
}

static int
choose_plugins(struct setup *s, const struct options *o, struct error *e)
{
	struct config *c = &s->config;

	if (choose(OPTION_policy, PLUGIN_POLICY, o, &c->policy, e) ||
	    choose(OPTION_prefetch, PLUGIN_PREFETCHER, o, &c->prefetcher, e) ||
	    choose(OPTION_scheduler, PLUGIN_SCHEDULER, o, &c->scheduler, e) ||
	    choose_device(s, o, e))
		return -1;
	choose_costs(c, o);
	return 0;
}

int
setup_check_memory(uint64_t blocks, uint32_t block_bytes, uint64_t memory, struct error *e)
{
	char a[NUMBER_TEXT], b[NUMBER_TEXT], c[NUMBER_TEXT];

	if (blocks >= UINT32_MAX)
		return error_usage(e, "a cache of %s blocks is too large: %s is the most",
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
	if (blocks > UINT32_MAX / TRACE_BLOCK_BYTES_MAX)
		return error_usage(e, "--request: '%s' is too large", o->text[OPTION_request]);
	if (o->queue < QUEUE_MIN || o->queue > QUEUE_MAX)
		return error_usage(e, "--queue: '%s' is not between %d and %d",
		    o->text[OPTION_queue], QUEUE_MIN, QUEUE_MAX);
	c->request_blocks = (uint32_t)blocks;
	c->queue_requests = (uint32_t)o->queue;
	return 0;
}

/* Which policies have the place where prefetched blocks are to enter? */
static int
check_insert(const struct config *c, const struct options *o, struct error *e)
{
	char   all[LIST_ROOM] = "";
	size_t used = 0;

	if (policy_has_place(config_policy(c), c->insert))
		return 0;
	for (const struct plugin *const *p = PLUGIN_POLICY->list; *p; p++) {
		const struct policy *policy = (const void *)*p;

		if (policy_has_place(policy, c->insert) && used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s",
			    used ? ", " : "", policy->plugin.name);
	}
	return error_usage(e,
	    "--insert %s: %s has no such place for prefetched blocks: use --insert head, or a policy "
	    "that has it: %s",
	    o->text[OPTION_insert], config_policy(c)->plugin.name, all);
}

/* Kinds of replay that exclude other settings. */
static int
check_replay(const struct config *c, const struct options *o, struct error *e)
{
	bool as_ever = !strcmp(o->text[OPTION_request], option_info[OPTION_request].initial);

	if (o->responses && c->replay == REPLAY_UNTIMED)
		return error_usage(e, "--replay untimed has no time: leave out --responses");
	if (!o->cache.n && !as_ever)
		return error_usage(e,
		    "--cache 0 makes each call one request, however large: leave out --request");
	if (o->cache.n && check_insert(c, o, e))
		return -1;
	return config_check(c, o->cache.n > 0, e);
}

/* Settings that need no check. */
static void
take_values(struct config *c, const struct options *o)
{
	config_defaults(c);
	c->layout = (enum layout_kind)o->layout;
	c->replay = (enum replay)o->replay;
	c->insert = (enum insert_at)o->insert;
	c->writes = (enum writes)o->writes;
	c->wait = (enum wait)o->wait;
	c->complete = (enum complete)o->complete;
	c->flush_interval_us = o->flush_interval;
	c->flush_age_us = o->flush_age;
	c->think_scale = o->think_scale;
	c->ignores_advice = o->advice;
	c->shadow = o->shadow;
}

int
setup_init(struct setup *s, const struct options *o, struct error *e)
{
	struct config *c = &s->config;

	*s = (struct setup){ 0 };
	take_values(c, o);
	if (!setup_trace(&s->trace, o, e) && !choose_plugins(s, o, e) &&
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
	if (!choose_device(s, o, e))
		return 0;
	setup_release(s);
	return -1;
}

void
setup_release(struct setup *s)
{
	choice_release(&s->config.policy);
	choice_release(&s->config.prefetcher);
	choice_release(&s->config.scheduler);
	choice_release(&s->config.device);
}

/* "exos-x16, ssd-870qvo": the devices of that many sectors. */
static void
list_larger(uint64_t sectors, char *list, size_t room)
{
	struct choice c;
	struct error  ignored;
	uint64_t      there;
	size_t	      used = 0;

	*list = '\0';
	for (const struct data_sheet *s = data_sheets; s->name && used < room; s++) {
		if (registry_choose(PLUGIN_DEVICE, s->name, &c, &ignored))
			continue;
		if (!device_sectors(&c, &there, &ignored) && there >= sectors)
			used += (size_t)snprintf(list + used, room - used, "%s%s", used ? ", " : "",
			    s->name);
		choice_release(&c);
	}
}

/* A device that is too small is answered with those that are not. */
static int
check_capacity(const struct setup *s, const struct options *o, const struct trace *t,
    struct error *e)
{
	const struct config *c = &s->config;
	char		     files[NUMBER_TEXT], device[NUMBER_TEXT], larger[LIST_ROOM];
	uint64_t	     needed;

	if (c->replay == REPLAY_UNTIMED)
		return 0;
	needed = c->cache_blocks ? layout_sectors(c->layout, true, t)
				 : layout_sectors(LAYOUT_PACKED, false, t);
	if (needed <= s->device_sectors)
		return 0;
	list_larger(needed, larger, sizeof(larger));
	return error_set(e, "the files take %s, but %s holds %s: type --device fixed%s%s",
	    number_disk(files, needed * SECTOR_BYTES), o->device,
	    number_disk(device, s->device_sectors * SECTOR_BYTES), *larger ? ", or one of " : "",
	    larger);
}

static int
warmup_setup(struct config *c, const struct options *o, const struct trace *t, struct error *e)
{
	uint64_t calls = o->warmup.calls;
	char	 warmup[NUMBER_TEXT], all[NUMBER_TEXT];

	if (o->warmup.fraction > 0)
		calls = (uint64_t)(o->warmup.fraction * (double)t->naccess);
	if (calls && calls >= t->naccess)
		return error_usage(e, "--warmup: %s calls leave nothing to count: the trace has %s",
		    number_group(warmup, calls), number_group(all, t->naccess));
	c->warmup_calls = calls;
	return 0;
}

int
setup_fit(struct setup *s, const struct options *o, struct trace *t, struct error *e)
{
	if (o->cache.of &&
	    (trace_footprint(t, e) || cache_setup(&s->config, o, t->block_bytes, t->footprint, e)))
		return -1;
	return warmup_setup(&s->config, o, t, e) || check_capacity(s, o, t, e) ? -1 : 0;
}

int
setup_values(struct config *c, const struct options *o, struct trace *t, struct error *e)
{
	take_values(c, o);
	if ((o->cache.of && trace_footprint(t, e)) ||
	    cache_setup(c, o, t->block_bytes, t->footprint, e))
		return -1;
	return queue_setup(c, o, t->block_bytes, e) || warmup_setup(c, o, t, e) ? -1 : 0;
}

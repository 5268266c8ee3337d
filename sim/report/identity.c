/* identity.c - fingerprints of settings, by value. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/checksum.h"
#include "sim/base/shared.h"
#include "sim/registry.h"
#include "sim/report/identity.h"

const enum option_id identity_option[IDENTITY_PLUGINS] = { OPTION_policy, OPTION_prefetch,
	OPTION_scheduler, OPTION_device };

static const struct plugin_kind *const kind_of[IDENTITY_PLUGINS] = { PLUGIN_POLICY,
	PLUGIN_PREFETCHER, PLUGIN_SCHEDULER, PLUGIN_DEVICE };

static uint64_t
add_text(uint64_t so_far, const char *text)
{
	return checksum_add(so_far, checksum(text, strlen(text)));
}

/* A data sheet: by its name if it is compiled in. */
static void
add_sheet(struct identity *id, const char *sheet)
{
	for (const struct data_sheet *s = data_sheets; s->name; s++)
		if (s->text == sheet) {
			id->settings = add_text(id->settings, s->name);
			return;
		}
	id->files = add_text(id->files, sheet);
}

static int
add_params(struct identity *id, const struct choice *c, struct error *e)
{
	void *state = plugin_state(c->plugin, c->params, e);

	if (!state)
		return -1;
	for (const struct param *q = c->plugin->params; q && q->name; q++) {
		const void *value = (const char *)state + q->offset;

		id->settings = add_text(id->settings, q->name);
		id->settings = checksum_add(id->settings, *(const uint64_t *)value);
	}
	free(state);
	return 0;
}

int
identity_of_choice(const struct choice *c, struct identity *id, struct error *e)
{
	*id = (struct identity){ 0 };
	for (; c && c->plugin; c = c->inner) {
		uint64_t object = shared_fingerprint(c->plugin);

		id->settings = add_text(id->settings, c->plugin->name);
		if (object)
			id->files = checksum_add(id->files, object);
		if (c->sheet)
			add_sheet(id, c->sheet);
		if (add_params(id, c, e))
			return -1;
	}
	return 0;
}

int
identity_of_text(unsigned i, const char *text, struct identity *id, struct error *e)
{
	struct choice c;
	int	      failed;

	if (registry_choose(kind_of[i], text, &c, e))
		return -1;
	failed = identity_of_choice(&c, id, e);
	choice_release(&c);
	return failed;
}

/* A device that is compiled in has no costs in its data sheet: sheet and none are the same. */
static void
add_costs(struct identity *id, const struct cpu_option *cpu, bool has_sheet)
{
	if (cpu->from == CPU_TYPED || (cpu->from == CPU_NONE && has_sheet))
		id->settings =
		    checksum_add(id->settings, checksum(&cpu->typed, sizeof(cpu->typed)));
}

struct identity
identity_of_run(const struct identity plugin[IDENTITY_PLUGINS], const struct config *c,
    uint32_t block_bytes, const struct options *o)
{
	const double	think_scale = c->think_scale;
	struct identity id = { 0 };
	const uint64_t	value[] = { c->cache_blocks, c->layout, c->replay, c->writes, c->wait,
		 c->complete, c->queue_requests, c->request_blocks, (uint64_t)c->flush_interval_us,
		 (uint64_t)c->flush_age_us, checksum(&think_scale, sizeof(think_scale)),
		 c->warmup_calls, block_bytes, o->mmap };

	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++) {
		id.settings = checksum_add(id.settings, plugin[i].settings);
		if (plugin[i].files)
			id.files = checksum_add(id.files, plugin[i].files);
	}
	id.settings = checksum_add(id.settings, checksum(value, sizeof(value)));
	if (c->insert)
		id.settings = checksum_add(id.settings, checksum(&c->insert, sizeof(c->insert)));
	if (c->ignores_advice)
		id.settings = checksum_add(id.settings,
		    checksum(&c->ignores_advice, sizeof(c->ignores_advice)));
	if (c->shadow)
		id.settings = checksum_add(id.settings, checksum(&c->shadow, sizeof(c->shadow)));
	add_costs(&id, &o->cpu, plugin[IDENTITY_PLUGINS - 1].files);
	return id;
}

char *
fingerprint_text(uint64_t fingerprint, char text[FINGERPRINT_TEXT])
{
	*text = '\0';
	if (fingerprint)
		snprintf(text, FINGERPRINT_TEXT, "%08" PRIx64 "-%08" PRIx64, fingerprint >> 32,
		    fingerprint & UINT32_MAX);
	return text;
}

/* registry.c - all plug-ins of share, from the .def lists. */
#include "sim/studies/share/model/registry.h"

#define X(id) extern const struct protocol protocol_##id;
#include "sim/studies/share/model/protocols.def"
#undef X
#define X(id) extern const struct allocator allocator_##id;
#include "sim/studies/share/model/allocators.def"
#undef X
#define X(id) extern const struct cost_set costs_##id;
#include "sim/studies/share/model/cost_sets.def"
#undef X
#define X(id) extern const struct sharing_kind kind_##id;
#include "sim/studies/share/model/kinds.def"
#undef X

static const struct plugin *const protocols[] = {
#define X(id) &protocol_##id.plugin,
#include "sim/studies/share/model/protocols.def"
#undef X
	NULL
};

static const struct plugin *const allocators[] = {
#define X(id) &allocator_##id.plugin,
#include "sim/studies/share/model/allocators.def"
#undef X
	NULL
};

static const struct plugin *const cost_sets[] = {
#define X(id) &costs_##id.plugin,
#include "sim/studies/share/model/cost_sets.def"
#undef X
	NULL
};

static const struct plugin *const kinds[] = {
#define X(id) &kind_##id.plugin,
#include "sim/studies/share/model/kinds.def"
#undef X
	NULL
};

static bool
protocol_is_complete(const struct plugin *plugin)
{
	const struct protocol *p = (const void *)plugin;

	return p->init && p->reference && p->answer;
}

static bool
allocator_is_complete(const struct plugin *plugin)
{
	const struct allocator *p = (const void *)plugin;

	return p->request;
}

static bool
cost_set_is_complete(const struct plugin *plugin)
{
	return plugin->params && plugin->state_size == sizeof(struct action_costs);
}

static bool
kind_is_complete(const struct plugin *plugin)
{
	const struct sharing_kind *p = (const void *)plugin;

	return p->work && p->teaches;
}

static const char *
kind_teaches(const struct plugin *p)
{
	return ((const struct sharing_kind *)(const void *)p)->teaches;
}

const struct plugin_kind plugin_protocol = {
	.name = "protocol",
	.plural = "protocols",
	.list = protocols,
	.interface = { PLUGIN_INTERFACE, PROTOCOL_SIZES, NULL },
	.is_complete = protocol_is_complete,
};
const struct plugin_kind plugin_allocator = {
	.name = "allocator",
	.plural = "allocators",
	.list = allocators,
	.interface = { PLUGIN_INTERFACE, ALLOCATOR_SIZES, NULL },
	.is_complete = allocator_is_complete,
};
const struct plugin_kind plugin_costs = {
	.name = "costs",
	.plural = "costs",
	.list = cost_sets,
	.interface = { PLUGIN_INTERFACE, COST_SET_SIZES, NULL },
	.is_complete = cost_set_is_complete,
};
const struct plugin_kind plugin_kind = {
	.name = "kind",
	.plural = "kinds",
	.list = kinds,
	.interface = { PLUGIN_INTERFACE, KIND_SIZES, NULL },
	.is_complete = kind_is_complete,
	.teaches = kind_teaches,
};

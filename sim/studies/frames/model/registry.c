/* registry.c - all plug-ins of frames, from the .def lists. */
#include "sim/studies/frames/model/registry.h"

#define X(id) extern const struct pool pool_##id;
#include "sim/studies/frames/model/pools.def"
#undef X
#define X(id) extern const struct load load_##id;
#include "sim/studies/frames/model/loads.def"
#undef X
#define X(id) extern const struct core_kind core_##id;
#include "sim/studies/frames/model/cores.def"
#undef X

static const struct plugin *const pools[] = {
#define X(id) &pool_##id.plugin,
#include "sim/studies/frames/model/pools.def"
#undef X
	NULL
};

static const struct plugin *const loads[] = {
#define X(id) &load_##id.plugin,
#include "sim/studies/frames/model/loads.def"
#undef X
	NULL
};

static const struct plugin *const cores[] = {
#define X(id) &core_##id.plugin,
#include "sim/studies/frames/model/cores.def"
#undef X
	NULL
};

const struct plugin_kind plugin_pool = {
	.name = "pool",
	.plural = "pools",
	.list = pools,
	.interface = { PLUGIN_INTERFACE, POOL_SIZES, NULL },
};
const struct plugin_kind plugin_load = {
	.name = "load",
	.plural = "loads",
	.list = loads,
	.interface = { PLUGIN_INTERFACE, LOAD_SIZES, NULL },
};
const struct plugin_kind plugin_core = {
	.name = "core",
	.plural = "cores",
	.list = cores,
	.interface = { PLUGIN_INTERFACE, CORE_SIZES, NULL },
};

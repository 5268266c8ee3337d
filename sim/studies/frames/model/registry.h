/*
 * registry.h - the kinds of plug-ins of frames, for sim/registry.h: registry_choose(PLUGIN_POOL, "lazy:limit=186", ...).
 */
#ifndef SIM_FRAMES_REGISTRY_H
#define SIM_FRAMES_REGISTRY_H

#include "sim/studies/frames/model/core_kind.h"
#include "sim/studies/frames/model/load.h"
#include "sim/studies/frames/model/pool.h"

extern const struct plugin_kind plugin_pool, plugin_load, plugin_core;
#define PLUGIN_POOL (&plugin_pool) /* an allocator of page frames */
#define PLUGIN_LOAD (&plugin_load) /* what threads take from it */
#define PLUGIN_CORE (&plugin_core) /* the cores that they run on */

#endif

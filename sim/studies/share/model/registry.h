/*
 * registry.h - the kinds of plug-ins of share, for sim/registry.h: registry_choose(PLUGIN_ALLOCATOR, "ff", ...).
 */
#ifndef SIM_SHARE_REGISTRY_H
#define SIM_SHARE_REGISTRY_H

#include "sim/studies/share/model/allocator.h"
#include "sim/studies/share/model/kind.h"
#include "sim/studies/share/model/protocol.h"

extern const struct plugin_kind plugin_protocol, plugin_allocator, plugin_costs, plugin_kind;
#define PLUGIN_PROTOCOL (&plugin_protocol)   /* of shared memory */
#define PLUGIN_ALLOCATOR (&plugin_allocator) /* of its objects */
#define PLUGIN_COSTS (&plugin_costs)	     /* of the actions of a protocol */
#define PLUGIN_KIND (&plugin_kind)	     /* of sharing: programs that are made */

#endif

/* kinds.c - each kind of plug-ins, and the option that names one. */
#include "sim/cli/kinds.h"
#include "sim/studies/frames/model/registry.h"
#include "sim/studies/share/model/registry.h"

#define KINDS(KIND)                                                                                \
	KIND(policy, policy)                                                                       \
	KIND(prefetcher, prefetch)                                                                 \
	KIND(scheduler, scheduler)                                                                 \
	KIND(device, device)                                                                       \
	KIND(format, format)                                                                       \
	KIND(shape, pattern)                                                                       \
	KIND(protocol, protocol)                                                                   \
	KIND(allocator, allocator)                                                                 \
	KIND(kind, kinds)                                                                          \
	KIND(pool, pool)                                                                           \
	KIND(load, load)                                                                           \
	KIND(machine, machine)

#define POINTER(kind, option) &plugin_##kind,
#define OPTION_ID(kind, option) OPTION_##option,
const struct plugin_kind *const all_kinds[] = { KINDS(POINTER) NULL };
static const enum option_id	named_by[] = { KINDS(OPTION_ID) };

enum option_id
kind_option(const struct plugin_kind *kind)
{
	size_t k = 0;

	while (all_kinds[k] != kind)
		k++;
	return named_by[k];
}

/*
 * registry.h - all plug-ins, by name.
 */
#ifndef SIM_REGISTRY_H
#define SIM_REGISTRY_H

#include "sim/base/nearest.h"
#include "sim/block/scheduler.h"
#include "sim/core/policy.h"
#include "sim/core/prefetch.h"
#include "sim/device/device.h"
#include "sim/studies/frames/model/load.h"
#include "sim/studies/frames/model/machine.h"
#include "sim/studies/frames/model/pool.h"
#include "sim/studies/share/model/allocator.h"
#include "sim/studies/share/model/kind.h"
#include "sim/studies/share/model/protocol.h"
#include "sim/trace/format.h"
#include "sim/trace/shape.h"

enum plugin_kind {
	PLUGIN_POLICY,
	PLUGIN_PREFETCHER,
	PLUGIN_SCHEDULER,
	PLUGIN_DEVICE, /* kinds; a data sheet names the kind it is for */
	PLUGIN_FORMAT,
	PLUGIN_SHAPE,
	PLUGIN_RUN_KINDS, /* those before take part in bufsim run, those below in studies of their own: */
	PLUGIN_PROTOCOL = PLUGIN_RUN_KINDS, /* of shared memory, and */
	PLUGIN_ALLOCATOR,		    /* where its objects are, and */
	PLUGIN_KIND,			    /* of sharing: programs that are made; */
	PLUGIN_POOL,			    /* an allocator of page frames, and */
	PLUGIN_LOAD,			    /* what threads take from it, and */
	PLUGIN_MACHINE,			    /* the cores that they run on */
	PLUGIN_KINDS
};

/* "policy", "prefetcher", ... */
const char *plugin_kind_name(enum plugin_kind kind);
const char *plugin_kind_plural(enum plugin_kind kind); /* "policies", ... */

/* NULL-terminated. */
const struct plugin *const *registry_list(enum plugin_kind kind);

/* May it stand behind the + of another one?  Not what wraps itself, and no prefetcher that reads by itself. */
bool registry_goes_inside(enum plugin_kind kind, const struct plugin *p);

/* One counter of a plug-in, and its name in output: "iprp_vetoed_blocks". */
struct own_counter {
	char		      name[64];
	const struct plugin  *plugin;
	const struct counter *counter;
};

/*
 * The next counter of all plug-ins that take part in a simulated run, in the
 * order of the lists; false: there are no more.  *own is zeroed before the first call.
 */
bool registry_next_counter(struct own_counter *own);

/*
 * "name", "name:a=1,b=2", or a wrapper and its inner plug-in,
 * "iprp:a=1+linux24:b=2".  A device is a kind, a compiled-in data sheet, the
 * path of a data sheet, or "here": that of this machine.  The parameters are
 * checked and point into text.  An unknown name is a usage error that suggests
 * the nearest; after an error there is nothing to release.
 */
int  registry_choose(enum plugin_kind kind, const char *text, struct choice *out, struct error *e);
void choice_release(struct choice *c);

/* The same for other plug-ins; *params points behind the colon, or is NULL.  NULL: an error. */
const struct plugin *registry_find(enum plugin_kind kind, const char *text, const char **params,
    struct error *e);

/* Does the text begin with the name of a plug-in or a data sheet of that kind? */
bool registry_has(enum plugin_kind kind, const char *text);

/* Is the word one of other programs, whose plug-in here is known?  After all offers. */
void registry_translate(enum plugin_kind kind, struct nearest *near);

/* The value of a key before the first section, such as summary; "" if it has none. */
void data_sheet_value(const char *sheet, const char *key, char *value, size_t room);

#endif

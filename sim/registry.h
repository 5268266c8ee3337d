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
#include "sim/trace/format.h"
#include "sim/trace/shape.h"

extern const struct plugin_kind plugin_policy;
extern const struct plugin_kind plugin_prefetcher;
extern const struct plugin_kind plugin_scheduler;
extern const struct plugin_kind plugin_device;
extern const struct plugin_kind plugin_format;
extern const struct plugin_kind plugin_shape;
#define PLUGIN_POLICY (&plugin_policy)
#define PLUGIN_PREFETCHER (&plugin_prefetcher)
#define PLUGIN_SCHEDULER (&plugin_scheduler)
#define PLUGIN_DEVICE (&plugin_device) /* kinds; a data sheet names the kind it is for */
#define PLUGIN_FORMAT (&plugin_format)
#define PLUGIN_SHAPE (&plugin_shape)

enum { CONFIG_KINDS = 4 }; /* the first: what a struct config chooses */

/* All of these, in the order of the lists; ends with NULL. */
extern const struct plugin_kind *const plugin_kinds[];

/*
 * Say which kinds the program has, its own ones with those above: a message says of a plug-in
 * compiled apart that it is of another one.  NULL-terminated; to be called once, if at all.
 */
void registry_know(const struct plugin_kind *const *kinds);

/* May it stand behind the + of another one?  Not what wraps itself, and no prefetcher that reads by itself. */
bool registry_goes_inside(const struct plugin_kind *kind, const struct plugin *p);

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
int  registry_choose(const struct plugin_kind *kind, const char *text, struct choice *out,
     struct error *e);
void choice_release(struct choice *c);

/* The same for other plug-ins; *params points behind the colon, or is NULL.  NULL: an error. */
const struct plugin *registry_find(const struct plugin_kind *kind, const char *text,
    const char **params, struct error *e);

/* Does the text begin with the name of a plug-in or a data sheet of that kind? */
bool registry_has(const struct plugin_kind *kind, const char *text);

/* Is the word one of other programs, whose plug-in here is known?  After all offers. */
void registry_translate(const struct plugin_kind *kind, struct nearest *near);

/* The value of a key before the first section, such as summary; "" if it has none. */
void data_sheet_value(const char *sheet, const char *key, char *value, size_t room);

#endif

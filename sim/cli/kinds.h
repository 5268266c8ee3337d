/* kinds.h - the kinds of plug-ins that the program has: those of the simulation, then those of its studies. */
#ifndef SIM_CLI_KINDS_H
#define SIM_CLI_KINDS_H

#include "sim/registry.h"
#include "sim/setup/options.h"

/* In the order of bufsim list; ends with NULL. */
extern const struct plugin_kind *const all_kinds[];

/* The option that names a plug-in of that kind. */
enum option_id kind_option(const struct plugin_kind *kind);

/* The kind whose names are the option's values, or NULL. */
const struct plugin_kind *kind_named_by(enum option_id option);

#endif

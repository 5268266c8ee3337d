/* faulty.c - plug-ins that are to be refused.  Copies of it are named after what is wrong. */
#include "sim/core/policy.h"

static const struct policy misnamed = { .plugin = { .name = "other", .summary = "misnamed" } };
static const struct policy outdated = { .plugin = { .name = "outdated", .summary = "outdated" } };
static const struct policy resized = { .plugin = { .name = "resized", .summary = "resized" } };

extern const struct plugin_interface policy_misnamed_interface, policy_outdated_interface,
    policy_resized_interface;

const struct plugin_interface policy_misnamed_interface = { PLUGIN_INTERFACE, POLICY_SIZES,
	&misnamed.plugin };
const struct plugin_interface policy_outdated_interface = { 0, POLICY_SIZES, &outdated.plugin };
const struct plugin_interface policy_resized_interface = { PLUGIN_INTERFACE,
	{ sizeof(struct policy), sizeof(struct cache) + 8, sizeof(struct frame) },
	&resized.plugin };

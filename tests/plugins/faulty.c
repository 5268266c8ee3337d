/* faulty.c - plug-ins that are to be refused.  Copies of it are named after what is wrong. */
#include "sim/core/policy.h"

static const struct policy misnamed = { .plugin = { .name = "other", .summary = "misnamed" } };
static const struct policy outdated = { .plugin = { .name = "outdated", .summary = "outdated" } };
static const struct policy resized = { .plugin = { .name = "resized", .summary = "resized" } };

static const struct counter many[COUNTERS_MAX + 2] = {
#define FOUR(i) [i] = ONE, [i + 1] = ONE, [i + 2] = ONE, [i + 3] = ONE
#define ONE                                                                                        \
	{                                                                                          \
		"more", "times", "one of too many", 0                                              \
	}
	FOUR(0),
	FOUR(4),
	FOUR(8),
	FOUR(12),
	FOUR(16),
	FOUR(20),
	FOUR(24),
	FOUR(28),
	[32] = ONE,
};
static const struct policy incomplete = { .plugin = { .name = "incomplete" } };
static const struct policy crowded = { .plugin = { .name = "crowded", .counters = many } };

extern const struct plugin_interface policy_misnamed_interface, policy_outdated_interface,
    policy_resized_interface, policy_crowded_interface, policy_incomplete_interface;

const struct plugin_interface policy_misnamed_interface = { PLUGIN_INTERFACE, POLICY_SIZES,
	&misnamed.plugin };
const struct plugin_interface policy_outdated_interface = { 0, POLICY_SIZES, &outdated.plugin };
const struct plugin_interface policy_resized_interface = { PLUGIN_INTERFACE,
	{ sizeof(struct policy), sizeof(struct cache) + 8, sizeof(struct frame) },
	&resized.plugin };
const struct plugin_interface policy_crowded_interface = { PLUGIN_INTERFACE, POLICY_SIZES,
	&crowded.plugin };
const struct plugin_interface policy_incomplete_interface = { PLUGIN_INTERFACE, POLICY_SIZES,
	&incomplete.plugin };

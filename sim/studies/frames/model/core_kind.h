/*
 * core_kind.h - the cores that a trial runs on: those of this machine, or modelled ones.
 */
#ifndef SIM_FRAMES_CORE_KIND_H
#define SIM_FRAMES_CORE_KIND_H

#include "sim/base/plugin.h"
#include "sim/studies/frames/model/guard.h"

struct core_kind {
	struct plugin plugin;
	bool	      modelled;
};

#define CORE_SIZES                                                                                 \
	{                                                                                          \
		sizeof(struct core_kind), sizeof(struct frames_thread), sizeof(struct guard)       \
	}

/* Define core_<id>. */
#define CORE(id, ...)                                                                              \
	const struct core_kind	      core_##id = { __VA_ARGS__ };                                 \
	const struct plugin_interface core_##id##_interface = { PLUGIN_INTERFACE, CORE_SIZES,      \
		&core_##id.plugin }

#endif

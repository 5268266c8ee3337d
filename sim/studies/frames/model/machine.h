/*
 * machine.h - the cores that a trial runs on: those of this machine, or modelled ones.
 */
#ifndef SIM_FRAMES_MACHINE_H
#define SIM_FRAMES_MACHINE_H

#include "sim/base/plugin.h"
#include "sim/studies/frames/model/guard.h"

struct machine {
	struct plugin plugin;
	bool	      modelled;
};

#define MACHINE_SIZES                                                                              \
	{                                                                                          \
		sizeof(struct machine), sizeof(struct frames_thread), sizeof(struct guard)         \
	}

/* Define machine_<id>. */
#define MACHINE(id, ...)                                                                           \
	const struct machine	      machine_##id = { __VA_ARGS__ };                              \
	const struct plugin_interface machine_##id##_interface = { PLUGIN_INTERFACE,               \
		MACHINE_SIZES, &machine_##id.plugin }

#endif

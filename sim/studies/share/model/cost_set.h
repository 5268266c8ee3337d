/*
 * cost_set.h - what the actions of a protocol cost on a machine: a set by name, with parameters.
 *
 * A set is a plug-in without functions: its parameters are the costs, their initial values the
 * machine.  All sets have the same parameters, so that --costs rdma:latency=2000 is the machine of
 * rdma with one cost changed.
 */
#ifndef SIM_SHARE_COST_SET_H
#define SIM_SHARE_COST_SET_H

#include <stddef.h>

#include "sim/base/plugin.h"

/* Times in ns; of a byte in ps, as a fast network moves several in a nanosecond. */
struct action_costs {
	uint64_t
	    reference_ns;  /* with what lies between; REFERENCE_OF_PROGRAM: see cost_reference() */
	uint64_t fault_ns; /* trap, handler and change of protection */
	uint64_t protect_ns;   /* a change of protection alone */
	uint64_t send_ns;      /* the sender is busy */
	uint64_t latency_ns;   /* between two nodes, without the bytes */
	uint64_t interrupt_ns; /* the receiver is busy */
	uint64_t byte_ps;      /* on the link of a node */
	uint64_t copy_ps;      /* of memory */
	uint64_t diff_ps;      /* of each byte of a page that is compared with its twin */
	uint64_t apply_ps;     /* of each byte of a diff, at the home */
	uint64_t spin_ns;      /* a lock of the protocol among the processors of a node */
	uint64_t lock_ns;      /* records of a lock of the program, at each who handles it */
	uint64_t barrier_ns;   /* of a processor, in its node */
	uint64_t place_ns;     /* an object at its first reference, besides the fault */
	uint64_t manager_ns;   /* of the manager of barriers, for each message */
};

enum { REFERENCE_NS_MAX = 1000000, REFERENCE_OF_PROGRAM = REFERENCE_NS_MAX + 1 };

/*
 * What a reference of a program costs: what a machine took for the program on one processor, shared
 * among its references at that size.
 */
struct program_cost {
	const char *program; /* the first word of its name in the trace */
	double	    seconds, mreferences;
	const char *basis; /* how the references were counted */
};

struct cost_set {
	struct plugin		   plugin;
	const struct program_cost *programs; /* ends with a NULL program; NULL: none */
	uint64_t		   other_ns; /* a reference of other programs */
};

/* The cost of a reference in ns, that of the program if no other was typed. */
uint64_t cost_reference(const struct cost_set *s, const struct action_costs *c,
    const char *program);

/* The row of the program, or NULL. */
const struct program_cost *cost_of_program(const struct cost_set *s, const char *program);

static inline uint64_t
cost_bytes(uint64_t ps, uint64_t bytes)
{
	return ps * bytes / 1000;
}

/* A small message, until the receiver has read it. */
static inline uint64_t
cost_message(const struct action_costs *c)
{
	return c->send_ns + c->latency_ns + c->interrupt_ns;
}

extern const char *const reference_words[];

#define COST_ROW(name, field, initial, max, meaning)                                               \
	{                                                                                          \
		name, PARAM_COUNT, initial, 0, max, offsetof(struct action_costs, field), meaning, \
		    NULL                                                                           \
	}

/* The rows of all sets, with what they cost in this one. */
#define COST_PARAMS(reference, fault, protect, send, latency, interrupt, byte, copy, diff, apply,          \
    spin, lock, barrier, place, manager)                                                                   \
	{ "reference", PARAM_COUNT, reference, 0, REFERENCE_NS_MAX,                                        \
		offsetof(struct action_costs, reference_ns),                                               \
		"a reference with what lies between, in ns; program: as the program took on this machine", \
		reference_words },                                                                         \
	    COST_ROW("fault", fault_ns, fault, 1000000000,                                                 \
		"a fault with its handler, without what follows, in ns"),                                  \
	    COST_ROW("protect", protect_ns, protect, 1000000000,                                           \
		"a change of the protection of a page, in ns"),                                            \
	    COST_ROW("send", send_ns, send, 1000000000, "the sender of a message is busy, in ns"),         \
	    COST_ROW("latency", latency_ns, latency, 1000000000,                                           \
		"a message on its way between nodes, without its bytes, in ns"),                           \
	    COST_ROW("interrupt", interrupt_ns, interrupt, 1000000000,                                     \
		"the receiver of a message is busy, in ns"),                                               \
	    COST_ROW("byte", byte_ps, byte, 1000000000,                                                    \
		"a byte of a message on the link of a node, in ps"),                                       \
	    COST_ROW("copy", copy_ps, copy, 1000000000,                                                    \
		"a byte copied in memory: a twin, or a page to or from a message, in ps"),                 \
	    COST_ROW("diff", diff_ps, diff, 1000000000,                                                    \
		"a byte of a page compared with its twin, in ps"),                                         \
	    COST_ROW("apply", apply_ps, apply, 1000000000,                                                 \
		"a byte of a diff written to the page at its home, in ps"),                                \
	    COST_ROW("spin", spin_ns, spin, 1000000000,                                                    \
		"a lock of the protocol among the processors of a node, in ns"),                           \
	    COST_ROW("lock", lock_ns, lock, 1000000000,                                                    \
		"records of a lock, at each processor that handles it, in ns"),                            \
	    COST_ROW("barrier", barrier_ns, barrier, 1000000000,                                           \
		"a processor at the barrier of its node, in ns"),                                          \
	    COST_ROW("place", place_ns, place, 1000000000,                                                 \
		"an object placed at its first reference, besides the fault, in ns"),                      \
	{                                                                                                  \
		"manager", PARAM_COUNT, manager, 0, 1000000000,                                            \
		    offsetof(struct action_costs, manager_ns),                                             \
		    "the manager of a barrier, for each message, in ns", NULL                              \
	}

#define COST_SET_SIZES                                                                             \
	{                                                                                          \
		sizeof(struct cost_set), sizeof(struct action_costs)                               \
	}

/* Define costs_<id>. */
#define COST_SET(id, ...)                                                                          \
	const struct cost_set	      costs_##id = { __VA_ARGS__ };                                \
	const struct plugin_interface costs_##id##_interface = { PLUGIN_INTERFACE, COST_SET_SIZES, \
		&costs_##id.plugin }

#endif

/*
 * plugin.h - the common part of all plug-ins: name, summary, parameters, counters.
 *
 * A policy, prefetcher, scheduler, device or trace format starts with a
 * struct plugin, so that looking one up, listing it and setting its
 * parameters ("linux24:max=31,min=3") is written once.
 */
#ifndef SIM_PLUGIN_H
#define SIM_PLUGIN_H

#include "sim/base/error.h"
#include "sim/base/types.h"

/*
 * PARAM_PART: of a cache, a share or PART_BLOCKS plus a number of blocks.  PARAM_WORD: one of a
 * list.  PARAM_TEXT: anything but commas and +; the value is the address of the text that was
 * typed, which lasts as long as the choice of the plug-in, or 0: see param_text().
 */
enum param_unit {
	PARAM_COUNT,
	PARAM_BYTES,
	PARAM_USEC,
	PARAM_SHARE,
	PARAM_PART,
	PARAM_WORD,
	PARAM_TEXT
};

/* The text of a PARAM_TEXT and its length; NULL: none was given. */
const char *param_text(uint64_t value, size_t *n);

enum { SHARE_ONE = 1000000 }; /* the stored value of a PARAM_SHARE of 1 */
#define PART_BLOCKS (UINT64_C(1) << 32)

/* One parameter: a uint64_t somewhere in the plug-in's state. */
struct param {
	const char     *name;
	enum param_unit unit; /* number.h shows the text that each accepts */
	uint64_t	initial, min,
	    max;	    /* an initial value above max: not given; of a PARAM_PART: shares */
	size_t	    offset; /* of the uint64_t, from the start of the state */
	const char *meaning;

	/*
	 * Of PARAM_WORD: the words, NULL-terminated; the value is the index, 0 to max.  Of
	 * PARAM_COUNT: the word that stands for max + 1, such as off; or NULL.  Else NULL.
	 */
	const char *const *words;
};

/*
 * One counter: a uint64_t somewhere in the state.  The plug-in only adds to
 * it; the core zeroes it when counting starts and reads it at the end of the
 * run.
 */
struct counter {
	const char *name, *unit, *meaning; /* unit "us" is printed as a time */
	size_t	    offset;		   /* of the uint64_t, from the start of the state */
};

enum { COUNTERS_MAX = 32 }; /* of one plug-in */

/* A plug-in at work. */
struct instance {
	const struct plugin *plugin;
	void		    *self; /* its state */
};

struct plugin {
	const char	     *name;	  /* as typed */
	const char	     *summary;	  /* one line: list, help, manual */
	size_t		      state_size; /* bytes of zeroed state its functions get */
	const struct param   *params;	  /* ends with a NULL name; NULL: none */
	const struct counter *counters;	  /* ends with a NULL name; NULL: none */
	const char	     *source;	  /* the paper or program it follows; NULL: none */

	/* Names of parameters that set the same in different units, NULL-terminated: one may be given. */
	const char *const *either;

	/*
	 * Of a wrapper, which wraps another plug-in of its kind: the name of
	 * the inner plug-in if no + gives one, "" if a + must.  Else NULL.
	 */
	const char *around;
	/* The n-th inner plug-in, from 0 on; NULL: there are no more. */
	const struct instance *(*inner)(const void *self, unsigned n);
};

/*
 * The choice of one plug-in: "raid5:disks=5+atlas10k".  A wrapper gets its
 * choice when it starts, and starts as many inner plug-ins as it needs.
 */
struct choice {
	const struct plugin *plugin;
	const char	    *params; /* "a=1,b=2", ends at a +; NULL: none */
	const char	    *sheet;  /* text of a device's data sheet, or NULL */
	const struct choice *inner;  /* NULL: not a wrapper */
};

static inline uint64_t
counter_value(const void *state, const struct counter *c)
{
	return *(const uint64_t *)(const void *)((const char *)state + c->offset);
}

static inline const struct instance *
instance_inner(const struct instance *i, unsigned n)
{
	return i->plugin->inner ? i->plugin->inner(i->self, n) : NULL;
}

/* Set its counters, and those of all inner plug-ins, to 0. */
void counters_zero(const struct instance *i);

/*
 * The agreement between a program and a plug-in compiled apart.  The number rises with every
 * change of an argument or a duty of a function; the sizes show other differences of the headers.
 * POLICY(mine, ...) and the like define policy_mine and policy_mine_interface.
 */
enum { PLUGIN_INTERFACE = 1, INTERFACE_SIZES = 6 };

struct plugin_interface {
	unsigned	     number;		    /* of all kinds of plug-ins: PLUGIN_INTERFACE */
	size_t		     size[INTERFACE_SIZES]; /* of the structures that both sides use */
	const struct plugin *plugin;
};

/*
 * A kind of plug-ins, such as policies.  The simulation defines six of them (sim/registry.h); a study
 * defines its own, and the registry treats all alike.
 */
struct plugin_kind {
	const char		   *name, *plural; /* as typed: bufsim list policies */
	const struct plugin *const *list;	   /* NULL-terminated */
	struct plugin_interface	    interface;	   /* of this program; its plugin is NULL */

	/* An example of an inner plug-in, for messages; NULL: none of this kind wraps another. */
	const char *inner;

	/* Has one that was compiled apart the functions that are called unasked?  NULL: there are none. */
	bool (*is_complete)(const struct plugin *p);

	/* What it shows, for lists; NULL: its summary says all. */
	const char *(*teaches)(const struct plugin *p);
};

/*
 * Give every parameter its initial value, then apply "a=1,b=2" (may be
 * NULL or empty; ends at a +).  An unknown name is an error that suggests the nearest, and so
 * are two parameters of which one may be given.
 */
int params_set(const struct plugin *p, void *state, const char *text, struct error *e);

/* Call release(self) unless release is NULL, and free the state.  self may be NULL. */
void plugin_free(void *self, void (*release)(void *self));

/* A new zeroed state with its parameters set from params, for free(); NULL on failure. */
void *plugin_state(const struct plugin *p, const char *params, struct error *e);

#endif

/*
 * protocol.h - the interface of coherence protocols: what each reference and each
 * synchronisation costs.
 *
 * A protocol is shown every reference, and every event of a lock, flag or barrier, in the order in
 * which the machine lets them happen.  It keeps who holds which page, and counts in its state: the
 * counters of its table are the results, under their names.  What its work costs it charges to the
 * clocks (clocks.h).  Pages and words are dense numbers from 0, so that its tables are arrays,
 * obtained in init().
 */
#ifndef SIM_SHARE_PROTOCOL_H
#define SIM_SHARE_PROTOCOL_H

#include "sim/base/plugin.h"
#include "sim/studies/share/model/clocks.h"
#include "sim/studies/share/model/cost_set.h"
#include "sim/studies/share/model/heap.h"

/* When a fault on a word is the first: of its processor, or of any. */
enum cold_rule { COLD_PROCESSOR, COLD_ANY };

enum fault_class { FAULT_COLD, FAULT_TRUE, FAULT_FALSE, FAULT_CLASSES };

struct fault {
	uint64_t turn;
	unsigned processor;
	uint32_t page, word;
	bool	 write;
	enum fault_class class;
	uint64_t holders; /* of the page, before */
};

struct world;

/* What becomes of copies of a page: who has the home of it, and what a process causes. */
enum copying { COPYING_HOME, COPYING_FETCH, COPYING_TWIN, COPYING_DIFF };

/* Told of faults with a class, for reports about pages and objects, and of copies.  NULL: not told. */
struct share_observer {
	void *self;
	void (*fault)(void *self, const struct fault *f);
	void (*copying)(void *self, enum copying what, unsigned processor, uint32_t page);

	/*
	 * Each reference that counts, before the protocol is shown it, and the end of the run, when
	 * objects are still placed.  The first makes a run slower.
	 */
	void (*reference)(void *self, const struct world *w, unsigned processor, uint32_t page,
	    uint32_t word, bool write);
	void (*end)(void *self, const struct world *w);
};

enum { NO_PROCESSOR = PROCESSORS_MAX };

enum sync_kind {
	SYNC_ACQUIRE, /* a lock becomes the processor's; from: who released it last */
	SYNC_RELEASE,
	SYNC_POST,
	SYNC_PASS,   /* it has waited for a flag; from: who posted */
	SYNC_ARRIVE, /* at a barrier; the last one arrives before any departs */
	SYNC_DEPART,
	SYNC_CREATE, /* by processor 0; counting starts here with from=create */
	SYNC_JOIN,   /* all others have ended */
	SYNC_END     /* no more of the processor; of processor 0 also at its J */
};

struct sync_event {
	enum sync_kind kind;
	unsigned       processor;
	uint32_t       number; /* of the lock, flag or barrier, from 0; else 0 */
	unsigned       from;   /* a processor, or NO_PROCESSOR */
};

/* What a protocol knows of the rest.  It stays where it is during a run. */
struct world {
	const struct program	    *program;
	const struct heap	    *heap; /* its pages are below heap->room */
	const struct action_costs   *cost;
	unsigned		     processors; /* that run the processes of the program */
	unsigned		     nodes; /* of the processors, in blocks: 1 to their number */
	uint32_t		     pages; /* at the end of the run, if the protocol needs them */
	enum cold_rule		     cold;
	uint64_t		     turn;	 /* the current one, from 1 */
	uint64_t		    *referenced; /* [nwords] the processors that have, before now */
	struct clocks		    *clocks;
	bool			     in_time;  /* events come in the order of the clocks */
	const struct share_observer *observer; /* or NULL */
};

struct protocol {
	struct plugin plugin;

	/* Parameters are set, no page is held.  0 or -1. */
	int (*init)(void *self, const struct world *w, struct error *e);
	void (*release)(void *self); /* also after an init() that failed */

	/* Parameters are set: must init() know the number of pages?  NULL: no. */
	bool (*needs_pages)(const void *self);

	void (*reference)(void *self, unsigned processor, uint32_t page, uint32_t word, bool write);

	/*
	 * The clock has waited for what is acquired, and takes what is released when this
	 * returns.  NULL: synchronisation costs nothing.  0 or -1.
	 */
	int (*sync)(void *self, const struct sync_event *s, struct error *e);

	/* The result in one line for a person, without a newline. */
	void (*answer)(const void *self, char *text, size_t room);
};

#define PROTOCOL_SIZES                                                                             \
	{                                                                                          \
		sizeof(struct protocol), sizeof(struct world), sizeof(struct heap),                \
		    sizeof(struct program), sizeof(struct sync_event), sizeof(struct fault)        \
	}

/* Define protocol_<id>. */
#define PROTOCOL(id, ...)                                                                          \
	const struct protocol	      protocol_##id = { __VA_ARGS__ };                             \
	const struct plugin_interface protocol_##id##_interface = { PLUGIN_INTERFACE,              \
		PROTOCOL_SIZES, &protocol_##id.plugin }

#endif

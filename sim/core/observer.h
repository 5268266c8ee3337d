/* observer.h - see every step of a run: event logs, teaching, tests. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "sim/base/types.h"

enum event_kind {
#define EVENT(name, meaning) EVENT_##name,
#include "sim/core/events.def"
#undef EVENT
	EVENT_KINDS
};

struct access;
struct advice;
struct demand;
struct plan;

struct event {
	usec_t		when;
	enum event_kind kind;
	block_t		block; /* first of count */
	uint32_t	count;

	const struct access *call;   /* of EVENT_CALL and EVENT_CALL_DONE */
	const struct advice *advice; /* of EVENT_ADVICE */

	/* Of EVENT_PLAN: what was asked and answered, and who by. */
	const struct demand *demand;
	const struct plan   *plan;
	void		    *self;
};

struct observer {
	uint32_t mask; /* bit per event_kind; 0: nobody looks */
	void (*see)(void *ctx, const struct event *e);
	void *ctx;
};

#endif

/* observer.h - a callback for every step of a run: event logs, teaching, tests. */
#ifndef SIM_OBSERVER_H
#define SIM_OBSERVER_H

#include "sim/trace/trace.h"

enum event_kind {
#define EVENT(name, meaning) EVENT_##name,
#include "sim/core/events.def"
#undef EVENT
	EVENT_KINDS
};

struct demand;
struct in_service;
struct plan;

enum waited_for { WAITED_MISS, WAITED_LATE, WAITED_DELAYED, WAITED_WRITE, WAITED_ROOM };

/* A wait; it ends when it is reported. */
struct waited {
	enum waited_for what;
	usec_t		since;
	usec_t		served; /* from here on, its own request was in service */
	usec_t		wanted; /* of a miss: from here on, only readahead blocks were read */
	block_t		block;
	const struct in_service *by; /* the request that ended it; NULL: there was room */
};

struct event {
	usec_t		when;
	enum event_kind kind;
	block_t		block; /* first of count */
	uint32_t	count;

	const struct in_service *service; /* of EVENT_IO_START and EVENT_IO_DONE: storage.h */
	const struct waited	*waited;  /* of EVENT_WAIT */

	/*
	 * Of CALL, CALL_DONE and WAIT: its number in the run.  Of references, reads ahead, EVICT, FILL
	 * and FORGET: in the trace.
	 */
	uint32_t process;

	uint8_t from, to; /* of EVENT_OUTCOME: enum fate */

	const struct access *call;   /* of EVENT_CALL, EVENT_CALL_DONE and EVENT_WAIT */
	const struct advice *advice; /* of EVENT_ADVICE */
	const struct step   *step;   /* of EVENT_STEP */

	/* Of EVENT_PLAN: input, plan and state of the prefetcher. */
	const struct demand *demand;
	const struct plan   *plan;
	void		    *self;
};

struct observer {
	uint32_t mask; /* bit per event_kind; 0: nothing is observed */
	void (*see)(void *ctx, const struct event *e);
	void *ctx;
};

static inline void
observe_call(const struct observer *o, enum event_kind kind, usec_t now, const struct trace *t,
    size_t call, uint32_t process)
{
	const struct access *a = &t->access[call];

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = now,
			.kind = kind,
			.block = access_block(t, a),
			.count = access_count(t, a),
			.process = process,
			.call = a });
}

#endif

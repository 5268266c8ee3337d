/*
 * sim.h - one simulation: what to simulate, and the parts wired together.
 *
 * sim_init() obtains everything, sim_run() allocates nothing.  simulate() is
 * both, and the untimed replay, and that of the device alone, as well.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/block/queue.h"
#include "sim/block/scheduler.h"
#include "sim/core/clock.h"
#include "sim/core/layout.h"
#include "sim/core/observer.h"
#include "sim/core/outcomes.h"
#include "sim/core/policy.h"
#include "sim/core/prefetch.h"
#include "sim/core/responses.h"
#include "sim/core/stats.h"
#include "sim/core/writeback.h"
#include "sim/device/device.h"

enum replay { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_UNTIMED, REPLAY_OPEN };
enum writes { WRITES_BACK, WRITES_THROUGH, WRITES_ACCUSIM };
enum wait { WAIT_CALL, WAIT_BLOCK };
enum complete { COMPLETE_REQUEST, COMPLETE_BUFFER };

struct config {
	uint64_t      cache_blocks; /* 0: none, the device alone (direct.h) */
	struct choice policy, prefetcher, scheduler, device;

	enum layout_kind layout;
	enum replay	 replay;
	enum writes	 writes;
	enum wait	 wait;
	enum complete	 complete;
	uint32_t	 queue_requests; /* the queue holds at most so many */
	uint32_t	 request_blocks; /* in one request, at most */
	usec_t		 flush_interval_us, flush_age_us;
	double		 think_scale;
	uint64_t	 warmup_calls; /* read and write calls left out of the statistics */
	struct observer	 observer;
	struct response *response; /* [calls] of the trace, to be filled in; or NULL */
};

/* A block a call has referenced whose I/O had not completed. */
struct pending {
	block_t block;
	uint8_t how;   /* enum reference */
	bool	write; /* waits for its write, not for its arrival */
};

enum waiting {
	WAITS_NOT,
	WAITS_FOR_BLOCK,
	WAITS_FOR_ROOM,
	WAITS_FOR_TURN, /* woken; its alarm is set */
};

/* What the device has spent its time on so far. */
struct meter {
	usec_t demand, prefetch, write;
};

/* A closed loop: thinks, calls, waits until it has what it asked for; or waits for calls. */
struct reader {
	const uint32_t *order;	  /* its accesses in the trace; NULL: all of them */
	size_t		n, next;  /* calls in all; the current one */
	uint32_t	at;	  /* block of the current call to be referenced next */
	usec_t		recorded; /* when the previous call started in the trace */

	struct pending *pending; /* of the current call, in order */
	uint32_t	npending, awaited, most_pending;
	enum waiting	waiting;
	bool		expecting; /* blocks, while it does not run */
	usec_t		since;	   /* waiting since */
	struct meter	meter;	   /* as it stood then */
};

/* A request the device is working on. */
struct in_service {
	struct request request;
	struct service service;
	usec_t	       started, done_at;
	uint32_t       delivered; /* blocks of it that are readable already */
	usec_t	       next;	  /* next delivery, or completion */
	struct meter   meter;	  /* as it stood when this started */
};

/* The one device.  Each moment of its time is charged to the oldest request then in service. */
struct io {
	struct in_service  *slot;  /* [depth] */
	struct in_service **order; /* [depth]: n in service, oldest first, and then the free ones */
	uint32_t	    n, depth;
	usec_t		    next;    /* the earliest of theirs; USEC_MAX when idle */
	usec_t		    charged; /* up to this moment */
	uint64_t	    head;    /* sector after the one started last */
	struct meter	    meter;   /* of what is charged */
};

enum { COMING = 32 }; /* a power of two above AHEAD */

struct sim {
	struct config	    cfg;
	const struct trace *trace;
	void		   *policy_self, *prefetcher_self, *scheduler_self, *device_self;

	struct cache	 cache;
	struct queue	 queue;
	struct layout	 layout;
	struct clock	 clock;
	struct writeback writeback;
	struct outcomes	 outcomes;
	uint8_t		*touched; /* a bit per block: referenced before */

	struct reader  *reader;
	uint32_t	nreaders, nlive;
	size_t		checked;	/* accesses known to be intact */
	block_t		coming[COMING]; /* ring: first blocks of the serial reader's next calls */
	uint32_t       *order;		/* the readers' accesses, reader by reader */
	struct pending *arena;		/* the readers' pending blocks */
	uint32_t       *expecting;	/* readers that do not run and expect blocks */
	uint32_t	nexpecting;
	uint32_t       *room; /* ring: readers that wait for room, first come first */
	uint32_t	room_first, nroom;
	struct reader  *admitted; /* woken because there is room; NULL: nobody */

	/* Open replay. */
	size_t	  arrived, taken; /* calls, in order; a reader has been found for the second */
	uint32_t *idle;		  /* readers that have no call */
	uint32_t  nidle;

	usec_t	     now;
	usec_t	     counting_since; /* when the statistics started */
	uint64_t     calls;
	usec_t	     flush_at;
	bool	     flushing; /* a flush found the queue full and goes on */
	bool	     ended;
	struct io    io;
	struct stats stats;

	struct responses responses; /* an account is kept in open replay, or if asked for */
};

/* The chosen plug-ins, by their type. */
static inline const struct policy *
config_policy(const struct config *cfg)
{
	return (const struct policy *)(const void *)cfg->policy.plugin;
}

static inline const struct prefetcher *
config_prefetcher(const struct config *cfg)
{
	return prefetcher_of(&cfg->prefetcher);
}

static inline const struct scheduler *
config_scheduler(const struct config *cfg)
{
	return (const struct scheduler *)(const void *)cfg->scheduler.plugin;
}

static inline const struct device *
config_device(const struct config *cfg)
{
	return device_of(&cfg->device);
}

/* Does anything happen when a program gives advice?  Wrapper and inner must know it. */
bool config_knows_advice(const struct config *cfg);

/* Defaults of everything but the plug-ins and the cache size. */
void config_defaults(struct config *cfg);

/* How long that much recorded time is to take. */
static inline usec_t
config_scaled(const struct config *cfg, usec_t recorded)
{
	if (cfg->think_scale == 1)
		return recorded;
	return (usec_t)((double)recorded * cfg->think_scale + 0.5);
}

/* Can this be simulated on that trace?  And what needs a cache, with this one? */
int config_check(const struct config *cfg, const struct trace *t, struct error *e);
int config_check_cache(const struct config *cfg, struct error *e);

/* Run cfg on t as cfg->replay says. */
int simulate(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e);

/* cfg's strings and the trace are borrowed until sim_release(). */
int  sim_init(struct sim *s, const struct config *cfg, const struct trace *t, struct error *e);
int  sim_run(struct sim *s, struct error *e); /* fails only if the trace is damaged */
void sim_release(struct sim *s);

#endif

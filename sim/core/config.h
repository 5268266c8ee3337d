/*
 * config.h - the settings of a simulation: plug-ins, sizes, and the kind of
 * replay.
 */
#ifndef SIM_CONFIG_H
#define SIM_CONFIG_H

#include "sim/block/scheduler.h"
#include "sim/core/layout.h"
#include "sim/core/observer.h"
#include "sim/core/policy.h"
#include "sim/core/prefetch.h"
#include "sim/core/responses.h"
#include "sim/device/cpu_costs.h"
#include "sim/device/device.h"

enum replay { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_UNTIMED, REPLAY_OPEN };
enum writes { WRITES_BACK, WRITES_THROUGH, WRITES_ACCUSIM };
enum wait { WAIT_CALL, WAIT_BLOCK };
enum complete { COMPLETE_REQUEST, COMPLETE_BUFFER };

struct config {
	uint64_t      cache_blocks; /* 0: none, the device alone (direct.h) */
	struct choice policy, prefetcher, scheduler, device;

	enum layout_kind layout;
	enum insert_at	 insert; /* where prefetched blocks enter the policy's list */
	enum replay	 replay;
	enum writes	 writes;
	enum wait	 wait;
	enum complete	 complete;
	uint32_t	 queue_requests; /* requests in the queue, at most */
	uint32_t	 request_blocks; /* blocks in one request, at most */
	usec_t		 flush_interval_us, flush_age_us;
	double		 think_scale;
	struct cpu_costs cpu;		 /* of a call, in a run with cache and clock */
	uint64_t	 warmup_calls;	 /* read and write calls not counted in the statistics */
	bool		 ignores_advice; /* posix_fadvise() has no effect */
	bool		 shadow;	 /* also simulate the cache without prefetching: shadow.h */
	struct observer	 observer;
	struct response *response; /* [calls] of the trace, to be filled in; or NULL */
};

/* The chosen plug-ins, by their type. */
static inline const struct policy *
config_policy(const struct config *cfg)
{
	return policy_of(&cfg->policy);
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

/* Defaults of everything but the plug-ins and the cache size. */
void config_defaults(struct config *cfg);

/*
 * 0, or a usage error if settings contradict each other, with a cache or
 * without.  This needs no trace, so that an error is found before loading.
 */
int config_check(const struct config *cfg, bool cached, struct error *e);

/* Can that trace be simulated with these settings?  0, or -1 with the reason. */
int config_check_trace(const struct config *cfg, const struct trace *t, struct error *e);

/*
 * Is the prefetcher told of advice?  Wrapper and inner prefetcher must both support it.  DONTNEED
 * is between the program and the cache, and acts unless advice is ignored.
 */
bool config_knows_advice(const struct config *cfg);

/* Is the prefetcher to be told how fast the device is?  The same holds. */
bool config_wants_pace(const struct config *cfg);

/* That recorded time, multiplied by the think scale. */
static inline usec_t
config_scaled(const struct config *cfg, usec_t recorded)
{
	if (cfg->think_scale == 1)
		return recorded;
	return (usec_t)((double)recorded * cfg->think_scale + 0.5);
}

#endif

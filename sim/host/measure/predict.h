/*
 * predict.h - what a simulation says of a replay on this machine: pages read,
 * pages resident at the end, and with a device also the time of each call.
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include "sim/host/live/kernel_rule.h"
#include "sim/host/measure/evictions.h"

struct predict_how {
	const struct kernel_rule *rule;	  /* of the kernel's readahead; NULL: there is none */
	const struct choice	 *device; /* NULL: no time is predicted, unless it is warm */
	const struct choice	 *policy; /* of a cache; NULL: no page leaves */
	uint64_t		  cache_pages;
	uint32_t		  request_pages; /* the largest request */
	struct cpu_costs	  cpu;
	enum replay		  replay;
	double			  think_scale;
	bool			  warm; /* all pages are there before: processor costs alone */
};

#define PREDICT_UNKNOWN UINT64_MAX

struct prediction {
	bool		 timed;
	uint64_t	 pages_read, resident_pages; /* or PREDICT_UNKNOWN */
	struct stats	 stats;
	struct response *response; /* [naccess] if timed, else NULL */
	struct evictions evict;	   /* with a policy */
};

int  predict(struct prediction *p, const struct trace *calls, const struct predict_how *how,
     struct error *e);
void prediction_release(struct prediction *p);

#endif

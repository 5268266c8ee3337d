/*
 * share.h - a run: a program, an allocator, a protocol, and what they lead to.
 */
#ifndef SIM_SHARE_SHARE_H
#define SIM_SHARE_SHARE_H

#include "sim/studies/share/model/allocator.h"
#include "sim/studies/share/model/protocol.h"
#include "sim/studies/share/model/sharing.h"

struct share_config {
	struct choice		     protocol, allocator, costs; /* costs.plugin NULL: kdsm2003 */
	uint32_t		     page_bytes;		 /* as in heap.h */
	unsigned		     nodes;	  /* 0, or too many: one for each processor */
	unsigned		     processors;  /* 0, or too many: one for each process */
	bool			     from_create; /* nothing before C counts */
	bool			     in_time;	  /* else turns */
	enum cold_rule		     cold;
	const struct share_observer *observer; /* or NULL */
};

struct share_result {
	uint64_t	    references, writes; /* counted */
	struct clocks	    clocks;
	uint64_t	    elapsed_ns; /* of the clocks */
	struct action_costs cost;
	uint32_t	    pages;
	struct late_placing late;
	struct sharing	    sharing;
	struct instance	    protocol, allocator; /* with their counters */
};

/* On how many processors the processes of the program run. */
static inline unsigned
share_processors(const struct share_config *c, const struct program *p)
{
	return c->processors && c->processors < p->processors ? c->processors : p->processors;
}

/* 0 or -1: the error names the trace. */
int  share_run(struct share_result *r, const struct share_config *c, const struct program *p,
     struct error *e);
void share_release(struct share_result *r);

#endif

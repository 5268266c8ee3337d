/*
 * shadow.h - the cache as it would be without prefetching.
 *
 * A second cache with the same policy and size gets only the demand references
 * of a run, in the order of the run, and takes no time.  A reference that
 * misses the cache and hits the shadow is pollution; one that does not miss,
 * though the shadow does, is covered.  Blocks in flight do not bind a frame in
 * the shadow.  What DONTNEED drops leaves the shadow as well.
 *
 * It takes 4 bytes a block of the files, 16 a block of the cache, and what the
 * policy takes.
 */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "sim/core/config.h"
#include "sim/core/engine/drop.h"

struct shadow {
	const struct policy *policy; /* NULL: there is no shadow */
	void		    *self;
	struct cache	     cache;
	struct future	     future; /* if the policy needs it */
	bool		     held;   /* the block that was referenced last was in it */
};

int shadow_init(struct shadow *s, const struct config *cfg, const struct trace *t, struct error *e);
void shadow_release(struct shadow *s); /* also if that failed, or was not called */

/* A demand references block b; u is the context, if the policy needs it. */
void shadow_reference(struct shadow *s, block_t b, const struct use *u);

/*
 * The program does not need these blocks.  Those stay that would without prefetching: what is dirty
 * in the cache of the run, or in flight there for a demand.
 */
void shadow_drop(struct shadow *s, const struct cache *run, const struct drop_range *r);

#endif

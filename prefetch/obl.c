/*
 * obl.c - one block lookahead: a reference may also fetch the block behind it.
 *
 *	always	every reference
 *	miss	only a reference to a block that was not in the cache
 *	tagged	as miss, and the first reference to a block that was fetched by
 *		lookahead: a run is read ahead block by block after a single miss
 *
 *	A. J. Smith.  Sequentiality and prefetching in database systems.  ACM
 *	Transactions on Database Systems 3(3), 1978, and Cache memories.  ACM
 *	Computing Surveys 14(3), 1982.  Tagged: J. D. Gindele.  Buffer block
 *	prefetching method.  IBM Technical Disclosure Bulletin 20(2), 1977.
 *
 * The tag is a flag of the frame.  A block that is fetched for the rest of a
 * call before the call reaches it counts as fetched by lookahead, so that one
 * call of r blocks reads the same blocks as r calls of one block.  O(1) a
 * reference, no memory.
 */
#include "sim/core/prefetch.h"

enum mode { ALWAYS, MISS, TAGGED, MODES };

static const char *const mode_words[MODES] = { "always", "miss", "tagged" };

struct obl {
	uint64_t mode;
};

static const struct param obl_params[] = {
	{ "mode", PARAM_WORD, TAGGED, 0, MODES - 1, offsetof(struct obl, mode),
	    "at every reference, on a miss, or also at the first use of a prefetched block",
	    mode_words },
	{ 0 },
};

/* The reason why a reference of this kind looks ahead, or NULL. */
static const char *
reason(enum mode mode, const struct demand *d)
{
	if (d->absent)
		return "it was missing: the next block";
	if (mode == TAGGED && d->how != REF_HIT && d->how != REF_DELAYED)
		return "the first use of a block read ahead: the next block";
	return mode == ALWAYS ? "a reference: the next block" : NULL;
}

static void
obl_access(void *self, const struct demand *d, struct plan *plan)
{
	const struct obl *obl = self;
	const char	 *why = reason((enum mode)obl->mode, d);

	if (!why || d->index + 1 >= d->end || demand_holds(d, d->index + 1))
		return;
	plan_note(plan, why);
	plan_add(plan, d->index + 1, 1);
}

PREFETCHER(obl,
    .plugin = { .name = "obl",
	.summary = "one block lookahead (Smith 1978)",
	.source =
	    "A. J. Smith: Sequentiality and prefetching in database systems, ACM TODS 3(3), 1978; Cache memories, ACM Computing Surveys 14(3), 1982",
	.state_size = sizeof(struct obl),
	.params = obl_params },
    .access = obl_access);

/*
 * amp.c - adaptive multi-stream prefetching.
 *
 * Blocks are read ahead in sets.  A stream has a degree p, the size of its
 * next set, and a trigger distance g: the next set is read at g blocks before
 * the end of the current one.  Both are stored with the last block of the
 * stream's newest set, so that streams need neither a table nor detection:
 *
 *	      |<----- p ----->|
 *	------[ set        #  ]------
 *			   |<-g
 *
 * A call with a missing block whose predecessor is cached starts a set
 * behind itself; a call that reaches a trigger starts the set behind that
 * trigger's set.  p grows with every set used to its end and shrinks with
 * every block evicted unused; g grows when the first block of a set is late.
 *
 *	B. S. Gill, L. A. D. Bathen.  AMP: adaptive multi-stream prefetching
 *	in a shared cache.  5th USENIX Conference on File and Storage
 *	Technologies (FAST), 2007.
 *
 * The paper keeps p and g with the page, so the state of a block is cleared
 * when it is evicted unused, or found missing.  Departures: the defaults of
 * apt and pmax, and the first g, are bufsim's own; a set refers only to the
 * next one as the stream's newest.  O(1) a reference, O(p) a set, 8 bytes per
 * block of the trace and 28 per open file.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/prefetch.h"

struct place {		/* of a block; zeroed: it came with no set */
	uint16_t ahead; /* 1 for the last block of a set, 2 for the one before, and so on */
	uint16_t p, g;	/* of the last block only */
	uint16_t next;	/* of the last block only: distance to that of the next set; 0: none */
};

struct call {		      /* of an open file: the blocks of the call so far */
	block_t	     behind;  /* last block of the set before the call; NIL: not cached */
	struct place stream;  /* that block's, before the call */
	block_t	     trigger; /* the trigger that was reached; or NIL */
	block_t	     last;    /* last block of its set; or NIL */
	block_t	     newest;  /* last block of the newest set, for bufsim explain */
	bool	     missed;
};

struct amp {
	uint64_t      apt, pmax;
	struct place *place; /* by slot */
	struct slots  slots;
	struct call  *call; /* per open file */
};

static const struct param amp_params[] = {
	{ "apt", PARAM_COUNT, 4, 0, UINT16_MAX, offsetof(struct amp, apt),
	    "sets larger than this have a trigger, at first half of this before their end, in blocks",
	    NULL },
	{ "pmax", PARAM_COUNT, 256, 0, UINT16_MAX, offsetof(struct amp, pmax),
	    "largest set, in blocks; 0: nothing is read ahead", NULL },
	{ 0 },
};

static uint16_t
at_most(uint64_t n, uint64_t max)
{
	return (uint16_t)(n < max ? n : max);
}

/* The place of block b, to be read; or to be changed. */
static const struct place *
place_of(const struct amp *amp, block_t b)
{
	return &amp->place[slots_find(&amp->slots, b)];
}

static struct place *
own_place(struct amp *amp, block_t b)
{
	return &amp->place[slots_enter(&amp->slots, b)];
}

/* The last block of the set that b came with; without one, b. */
static block_t
last_of_set(const struct amp *amp, block_t b)
{
	uint16_t ahead = place_of(amp, b)->ahead;

	return ahead ? b + ahead - 1 : b;
}

/* The place of p and g of the stream that b belongs to. */
static block_t
newest(const struct amp *amp, block_t b)
{
	block_t last = last_of_set(amp, b);

	return last + place_of(amp, last)->next;
}

/* Begin a set at block `from`, which follows the one that ends with block q, `old`. */
static void
issue(struct amp *amp, struct call *c, const struct demand *d, block_t q, struct place old,
    block_t from, struct plan *plan)
{
	block_t	 end = d->base + d->end, last;
	uint16_t p = old.p ? old.p : at_most(d->index - d->first + 1, amp->pmax), n;

	if (!p || from >= end)
		return;
	n = at_most(p, end - from);
	last = from + n - 1;
	if (last - q <= UINT16_MAX) /* a plan cut short may have left q beyond it */
		own_place(amp, q)->next = (uint16_t)(last - q);
	for (uint16_t i = 0; i < n; i++)
		*own_place(amp, from + i) = (struct place){ .ahead = (uint16_t)(n - i) };
	own_place(amp, last)->p = p;
	own_place(amp, last)->g = p > amp->apt && !old.g ? (uint16_t)(amp->apt / 2) : old.g;
	c->newest = last;
	plan_add(plan, from - d->base, n);
	if (n < p)
		plan_note(plan, "cut by the end of the file");
	else if (place_of(amp, last)->g)
		plan_mark(plan, last - place_of(amp, last)->g - d->base, 1);
}

/* A whole set was used: the next ones may be larger, by the length of the call. */
static void
grow(struct amp *amp, struct call *c, uint32_t blocks, struct plan *plan)
{
	struct place *place;

	c->newest = newest(amp, c->last);
	place = own_place(amp, c->newest);
	if (place->p < amp->pmax)
		plan_note(plan, "the last block of its set: the next ones are larger");
	place->p = at_most((uint64_t)place->p + blocks, amp->pmax);
}

static void
start_call(struct amp *amp, struct call *c, const struct demand *d)
{
	*c = (struct call){ .newest = d->call->fresh ? NIL : c->newest };
	if (!d->index || !demand_holds(d, d->index - 1))
		return;
	c->behind = last_of_set(amp, d->base + d->index - 1);
	c->stream = *place_of(amp, c->behind);
}

static void
end_call(struct amp *amp, struct call *c, const struct demand *d, struct plan *plan)
{
	if (c->missed && !c->behind) {
		plan_note(plan,
		    "the call missed, and the block before it was not cached: no stream");
	} else if (c->missed) {
		plan_note(plan, "the call missed behind a cached block: a set behind the call");
		issue(amp, c, d, c->behind, c->stream, d->base + d->index + 1, plan);
	} else if (c->trigger) {
		block_t last = last_of_set(amp, c->trigger);

		plan_note(plan, "the trigger: the next set");
		issue(amp, c, d, last, *place_of(amp, last), last + 1, plan);
	}
	if (c->last)
		grow(amp, c, d->index - d->first + 1, plan);
}

static void
amp_access(void *self, const struct demand *d, struct plan *plan)
{
	struct amp  *amp = self;
	struct call *c = &amp->call[d->call->open];
	block_t	     b = d->base + d->index;

	if (d->index == d->first)
		start_call(amp, c, d);
	if (d->how == REF_MISS) {
		*own_place(amp, b) = (struct place){ 0 };
		c->missed = true;
	}
	if (d->marked)
		c->trigger = b;
	if (place_of(amp, b)->ahead == 1)
		c->last = b;
	if (d->left == 1)
		end_call(amp, c, d, plan);
}

static bool
is_first_of_set(const struct amp *amp, block_t b)
{
	return place_of(amp, b - 1)->ahead != place_of(amp, b)->ahead + 1;
}

static void
amp_outcome(void *self, block_t b, enum outcome how)
{
	struct amp   *amp = self;
	struct place *place = own_place(amp, newest(amp, b));

	if (how == PREFETCH_LATE && is_first_of_set(amp, b) && place->g + 1 < place->p)
		place->g++;
	if (how != PREFETCH_WASTED)
		return;
	if (place->p > 1)
		place->p--;
	if (place->g)
		place->g--;
	*own_place(amp, b) = (struct place){ 0 };
}

static int
amp_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct amp *amp = self;

	amp->place = memory_table(slots_entries(t), sizeof(*amp->place));
	amp->call = calloc((size_t)t->nopen + 1, sizeof(*amp->call));
	if (amp->place && amp->call && !slots_init(&amp->slots, t, e))
		return 0;
	return error_set(e, "out of memory for the sets of %u blocks", t->nblocks);
}

static void
amp_release(void *self)
{
	struct amp *amp = self;

	free(amp->place);
	slots_release(&amp->slots);
	free(amp->call);
}

static const char *const amp_state_names[] = { "degree", "trigger distance", NULL };

static void
amp_state(const void *self, uint32_t open, int64_t *value)
{
	const struct amp   *amp = self;
	const struct place *place = place_of(amp, amp->call[open].newest);

	value[0] = place->p;
	value[1] = place->g;
}

PREFETCHER(amp,
    .plugin = { .name = "amp",
	.summary = "degree and trigger distance adapt per stream (Gill and Bathen 2007)",
	.source =
	    "B. S. Gill, L. A. D. Bathen: AMP: adaptive multi-stream prefetching in a shared cache, FAST 2007",
	.state_size = sizeof(struct amp),
	.params = amp_params },
    .init = amp_init, .release = amp_release, .access = amp_access, .outcome = amp_outcome,
    .state_names = amp_state_names, .state = amp_state);

/*
 * stride.c - blocks at a constant distance.
 *
 * The difference between two references to a file is compared with the stride
 * that it had before.  Four states say how sure the stride is:
 *
 *	state		the same	another
 *	initial		steady		transient, and that is the stride
 *	transient	steady		none, and that is the stride
 *	steady		steady		initial, the stride stays
 *	none		transient	none, and that is the stride
 *
 * so that one jump out of a steady run costs one reference, not two.  A steady
 * reference reads the next `degree` blocks of the stride, backwards if it is
 * negative.
 *
 *	J.-L. Baer, T.-F. Chen.  An effective on-chip preloading scheme to
 *	reduce data access penalty.  Supercomputing, 1991.  T.-F. Chen, J.-L.
 *	Baer.  Effective hardware-based data prefetching for high-performance
 *	processors.  IEEE Transactions on Computers 44(5), 1995.
 *
 * The papers keep a state for each load instruction, this one for each file; a
 * reference to the same block again is ignored.  The degree and the longest
 * stride are bufsim's own.  O(degree) a reference, 12 bytes per file.
 */
#include "prefetch/sets.h"

enum state { NEW, INITIAL, TRANSIENT, STEADY, NO_PREDICTION };

struct stream { /* of a file */
	uint32_t last;
	int32_t	 stride;
	uint32_t state;
};

struct stride {
	uint64_t	    degree, max_stride;
	struct stream	   *stream; /* by file */
	const struct trace *trace;
	uint64_t	    steady, broken;
};

static const struct param stride_params[] = {
	{ "degree", PARAM_COUNT, 1, 0, PLAN_MAX, offsetof(struct stride, degree),
	    "blocks read ahead; 0: none", NULL },
	{ "max_stride", PARAM_COUNT, 1024, 1, INT32_MAX, offsetof(struct stride, max_stride),
	    "longest stride that is followed, in blocks", NULL },
	{ 0 },
};

static const struct counter stride_counters[] = {
	{ "steady_references", "blocks", "references that went on with a stride",
	    offsetof(struct stride, steady) },
	{ "broken_strides", "strides", "left by a reference elsewhere",
	    offsetof(struct stride, broken) },
	{ 0 },
};

/* The state after a reference that is so far from the last one; 0 is no news. */
static void
advance(struct stream *s, int64_t distance)
{
	static const enum state same[] = { [INITIAL] = STEADY,
		[TRANSIENT] = STEADY,
		[STEADY] = STEADY,
		[NO_PREDICTION] = TRANSIENT };
	static const enum state another[] = { [INITIAL] = TRANSIENT,
		[TRANSIENT] = NO_PREDICTION,
		[STEADY] = INITIAL,
		[NO_PREDICTION] = NO_PREDICTION };
	enum state		before = s->state;

	if (distance == s->stride) {
		s->state = same[before];
		return;
	}
	s->state = another[before];
	if (before != STEADY)
		s->stride = (int32_t)distance;
}

static bool
is_followed(const struct stride *st, const struct stream *s)
{
	uint32_t length = s->stride < 0 ? 0 - (uint32_t)s->stride : (uint32_t)s->stride;

	return s->state == STEADY && length <= st->max_stride;
}

static void
plan_stride(const struct stride *st, const struct stream *s, const struct demand *d,
    struct plan *plan)
{
	int64_t index = d->index;

	for (uint64_t i = 0; i < st->degree; i++) {
		index += s->stride;
		if (index < 0 || index >= d->end)
			break;
		plan_add(plan, (uint32_t)index, 1);
	}
	if (plan->n)
		plan_note(plan, "the stride is steady: on with it");
}

static void
stride_access(void *self, const struct demand *d, struct plan *plan)
{
	struct stride *st = self;
	struct stream *s = &st->stream[d->file];
	int64_t	       distance = (int64_t)d->index - s->last;
	bool	       was_steady = s->state == STEADY;

	if (s->state == NEW)
		s->state = INITIAL;
	else if (distance)
		advance(s, distance);
	else
		return;
	s->last = d->index;
	st->broken += was_steady && s->state != STEADY;
	if (!is_followed(st, s))
		return;
	st->steady++;
	plan_stride(st, s, d, plan);
}

static int
stride_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct stride *st = self;

	st->trace = t;
	st->stream = file_states_new(t, sizeof(*st->stream), e);
	return st->stream ? 0 : -1;
}

static void
stride_release(void *self)
{
	free(((struct stride *)self)->stream);
}

static const char *const stride_state_names[] = { "stride", "steady", NULL };

static void
stride_state(const void *self, uint32_t open, int64_t *value)
{
	const struct stride *st = self;
	const struct stream *s = &st->stream[st->trace->open[open].file];

	value[0] = s->stride;
	value[1] = s->state == STEADY;
}

PREFETCHER(stride,
    .plugin = { .name = "stride",
	.summary = "blocks at a constant distance (Baer and Chen 1991)",
	.source =
	    "J.-L. Baer, T.-F. Chen: An effective on-chip preloading scheme to reduce data access penalty, Supercomputing 1991; T.-F. Chen, J.-L. Baer: Effective hardware-based data prefetching for high-performance processors, IEEE Transactions on Computers 44(5), 1995",
	.state_size = sizeof(struct stride),
	.params = stride_params,
	.counters = stride_counters },
    .init = stride_init, .release = stride_release, .access = stride_access,
    .state_names = stride_state_names, .state = stride_state);

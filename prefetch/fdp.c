/*
 * fdp.c - feedback-directed prefetching: a controller that limits the blocks
 * of a plan, and moves the limit by what became of the earlier ones.
 *
 * When as many blocks as half the cache has frames have been evicted, three
 * shares are taken, of which the past counts half:
 *
 *	accuracy	blocks used / blocks read ahead
 *	lateness	blocks used late / blocks used
 *	pollution	misses of blocks that a prefetch evicted / misses
 *
 *	accuracy	late		not late, polluting	neither
 *	high		more		less			as it is
 *	middle		more, or less	less			as it is
 *			if polluting
 *	low		less		less			as it is
 *
 * The limits are 2, 4, 8, 16 and 32 blocks, or the length of the call if that
 * is more.  What is cut from the end of an extent waits until the process has
 * come within the limit of it; readahead with a window counts it as read, and
 * never plans it again.  Evictions by prefetches are remembered in a filter of
 * bits, by block number, where blocks may collide.
 *
 *	S. Srinath, O. Mutlu, H. Kim, Y. N. Patt.  Feedback directed
 *	prefetching: improving the performance and bandwidth-efficiency of
 *	hardware prefetchers.  13th International Symposium on High
 *	Performance Computer Architecture (HPCA), 2007.
 *
 * Departures: the paper is about the cache of a processor, and moves the place
 * where prefetched blocks enter the list as well; thresholds and limits are
 * bufsim's own.  Lateness does not raise the limit if the device was never idle
 * meanwhile: it would only get further behind.  O(1) a planned block, 36 bytes
 * per open file.
 */
#include <stdlib.h>
#include <string.h>

#include "prefetch/inner.h"
#include "prefetch/windows.h"

enum late { LATE_DEVICE, LATE_ALWAYS };
enum { LEVELS = 5, LEVEL_FIRST = 3 };

/* Of what was used, of what was used late, of misses. */
#define ACCURATE 0.75
#define INACCURATE 0.40
#define LATE 0.01
#define POLLUTING 0.005

struct feedback {
	double sent, used, late, misses, polluted; /* blocks */
};

struct rest { /* of an open file: blocks that were cut from a plan, and wait */
	struct extent blocks, mark[MARKS_MAX];
};

struct fdp {
	struct instance inside; /* the inner prefetcher and its state */

	uint64_t	min, max, probe, bits, late;
	uint64_t       *filter; /* a bit for each number: evicted by a prefetch, after its use */
	struct rest    *rest;	/* [nopen] */
	struct feedback sum, interval;
	uint64_t	level, held; /* held: plans held back at level 0 */
	uint64_t	evictions;   /* in this interval */
	bool		idle, works; /* in it: the device was; it finished requests */

	uint64_t raised, lowered, vetoed, resumed, polluted;
};

static const char *const late_words[] = { "device", "always" };

static const struct param fdp_params[] = {
	{ "min", PARAM_COUNT, 1, 0, LEVELS, offsetof(struct fdp, min),
	    "lowest level; at level n a plan reads 2^n blocks ahead at most, or as many as the call; at level 0 none",
	    NULL },
	{ "max", PARAM_COUNT, LEVELS, 0, LEVELS, offsetof(struct fdp, max), "highest level", NULL },
	{ "probe", PARAM_COUNT, 64, 0, 1 << 30, offsetof(struct fdp, probe),
	    "at level 0 one plan in so many passes, up to the limit of level 1; 0: none", NULL },
	{ "bits", PARAM_COUNT, 4096, 1, 1 << 30, offsetof(struct fdp, bits),
	    "of the filter that remembers evictions by prefetches", NULL },
	{ "late", PARAM_WORD, LATE_DEVICE, 0, 1, offsetof(struct fdp, late),
	    "late blocks raise the level if the device was idle at times, or always", late_words },
	{ 0 },
};

static const struct counter fdp_counters[] = {
	{ "raised_levels", "times", "that the limit was raised", offsetof(struct fdp, raised) },
	{ "lowered_levels", "times", "that the limit was lowered", offsetof(struct fdp, lowered) },
	{ "vetoed_blocks", "blocks", "beyond the limit, not read ahead at once",
	    offsetof(struct fdp, vetoed) },
	{ "resumed_blocks", "blocks", "of them, read ahead when the process was near",
	    offsetof(struct fdp, resumed) },
	{ "polluted_misses", "misses", "of blocks that a prefetch evicted, as the filter tells",
	    offsetof(struct fdp, polluted) },
	{ 0 },
};

/* ---- the filter ---- */

static uint64_t *
word_of(const struct fdp *f, block_t b, uint64_t *bit)
{
	uint64_t i = b % f->bits;

	*bit = UINT64_C(1) << (i % 64);
	return &f->filter[i / 64];
}

static void
remember(const struct fdp *f, block_t b)
{
	uint64_t bit, *word = word_of(f, b, &bit);

	*word |= bit;
}

/* Was it remembered? */
static bool
forget(const struct fdp *f, block_t b)
{
	uint64_t bit, *word = word_of(f, b, &bit);
	bool	 was = *word & bit;

	*word &= ~bit;
	return was;
}

/* ---- the level ---- */

static int
direction(const struct fdp *f)
{
	const struct feedback *s = &f->sum;
	double		       accuracy = s->used / s->sent;
	bool		       late = s->late > LATE * s->used;
	bool		       pollutes = s->polluted > POLLUTING * s->misses;
	int		       up = f->late == LATE_DEVICE && f->works && !f->idle ? 0 : 1;

	if (accuracy < INACCURATE)
		return -(late || pollutes);
	if (!late)
		return -pollutes;
	return pollutes && accuracy < ACCURATE ? -1 : up;
}

static void
move_level(struct fdp *f)
{
	int by = direction(f);

	if (by < 0 && f->level > f->min) {
		f->level--;
		f->lowered++;
	} else if (by > 0 && f->level < f->max) {
		f->level++;
		f->raised++;
	}
}

static void
end_interval(struct fdp *f)
{
	struct feedback *s = &f->sum, *i = &f->interval;

	*s = (struct feedback){
		.sent = (s->sent + i->sent) / 2,
		.used = (s->used + i->used) / 2,
		.late = (s->late + i->late) / 2,
		.misses = (s->misses + i->misses) / 2,
		.polluted = (s->polluted + i->polluted) / 2,
	};
	if (s->sent > 0)
		move_level(f);
	*i = (struct feedback){ 0 };
	f->evictions = 0;
	f->idle = f->works = false;
}

/* ---- plans ---- */

/* The limit at a level from 1 on.  One below the length of the call would only split requests. */
static uint32_t
limit_at(uint64_t level, const struct demand *d)
{
	uint32_t call = d->index + d->left - d->first, most = 1u << level;

	return most > call ? most : call;
}

/* How many blocks of a plan may pass. */
static uint32_t
limit(struct fdp *f, const struct demand *d)
{
	if (f->level)
		return limit_at(f->level, d);
	return f->probe && ++f->held % f->probe == 0 ? limit_at(1, d) : 0;
}

/* The blocks that the plan reads ahead are no longer victims. */
static void
send(struct fdp *f, const struct demand *d, const struct plan *plan)
{
	for (unsigned i = 0; i < plan->n; i++)
		for (uint32_t k = 0; k < plan->extent[i].count; k++) {
			uint32_t index = plan->extent[i].index + k;

			if (!demand_reads_ahead(d, index))
				continue;
			forget(f, d->base + index);
			f->interval.sent++;
		}
}

/* Remove from the plan all but the first `most` blocks. */
static void
cut(struct fdp *f, const struct demand *d, struct plan *plan, uint32_t most)
{
	uint32_t removed = plan_cut(plan, d, UINT32_MAX, most);

	plan->trimmed += removed;
	f->vetoed += removed;
}

/* The rest of the last extent, which was cut, or nothing. */
static struct extent
cut_off(const struct plan *before, const struct plan *plan)
{
	const struct extent *last = &plan->extent[plan->n - 1];
	uint32_t	     end = last->index + last->count;

	for (unsigned i = 0; i < before->n; i++) {
		struct extent e = before->extent[i];

		if (end - e.index < e.count)
			return (struct extent){ end, e.count - (end - e.index), e.large };
	}
	return (struct extent){ 0 };
}

/* Does the plan continue what waits? */
static bool
continues(const struct rest *r, const struct plan *plan)
{
	return r->blocks.count && plan->n == 1 &&
	    plan->extent[0].index == r->blocks.index + r->blocks.count;
}

static void
restrain(struct fdp *f, struct rest *r, const struct demand *d, struct plan *plan)
{
	struct plan before = *plan;
	uint32_t    ahead = plan_ahead(plan, d), most;

	if (!ahead)
		return;
	if (continues(r, plan)) {
		cut(f, d, plan, 0);
		plan_note(plan, "behind blocks that wait: these wait, too");
		r->blocks.count += before.extent[0].count;
	} else {
		most = limit(f, d);
		if (ahead <= most)
			return;
		cut(f, d, plan, most);
		plan_note(plan, most ? "cut to the limit" : "nothing passes at level 0");
		r->blocks = f->level ? cut_off(&before, plan) : (struct extent){ 0 };
	}
	memcpy(r->mark, before.mark, sizeof(r->mark));
}

/* Blocks wait.  If the process has come near them, the next of them pass. */
static void
resume(struct fdp *f, struct rest *r, const struct demand *d, struct plan *plan)
{
	uint32_t       after = d->index + d->left, n, most;
	struct extent *b = &r->blocks;

	if (b->index < after) { /* the call itself reads these */
		n = at_most(after - b->index, b->count);
		b->index += n;
		b->count -= n;
	}
	if (!f->level)
		b->count = 0;
	most = limit_at(f->level, d);
	n = at_most(b->count, most);
	if (!n || b->index - after >= most)
		return;
	plan_add_as(plan, b->index, n, b->large);
	for (unsigned i = 0; i < MARKS_MAX; i++)
		if (r->mark[i].count)
			plan_mark(plan, r->mark[i].index, r->mark[i].count);
	plan_note(plan, "near blocks that wait: the next of them");
	for (; n; n--, b->index++, b->count--)
		f->resumed += demand_reads_ahead(d, b->index);
}

static void
miss(struct fdp *f, block_t b)
{
	bool polluted = forget(f, b);

	f->interval.misses++;
	f->interval.polluted += polluted;
	f->polluted += polluted;
}

static void
fdp_access(void *self, const struct demand *d, struct plan *plan)
{
	struct fdp  *f = self;
	struct rest *r = &f->rest[d->call->open];

	if (d->how == REF_MISS && !d->again)
		miss(f, d->base + d->index);
	if (unlikely(2 * f->evictions >= d->cache->nframes))
		end_interval(f);
	if (d->call->fresh && d->index == d->first)
		r->blocks.count = 0;
	inner_access(&f->inside, d, plan);
	if (unlikely(plan->n))
		restrain(f, r, d, plan);
	if (unlikely(r->blocks.count))
		resume(f, r, d, plan);
	if (unlikely(plan->n))
		send(f, d, plan);
}

static void
fdp_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	pass_advise(self, a, d, plan);
	send(self, d, plan);
}

/* ---- what is learned ---- */

static void
fdp_outcome(void *self, block_t b, enum outcome how)
{
	struct fdp *f = self;

	inner_outcome(&f->inside, b, how);
	f->interval.used += how != PREFETCH_WASTED;
	f->interval.late += how == PREFETCH_LATE;
}

static void
fdp_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	struct fdp *f = self;

	inner_evicted(&f->inside, b, by_prefetch, used);
	f->evictions++;
	if (by_prefetch && used)
		remember(f, b);
}

/* A request that need not wait finds the device idle. */
static void
fdp_finished(void *self, const struct finished *r)
{
	struct fdp *f = self;

	inner_finished(&f->inside, r);
	f->works = true;
	f->idle |= r->started == r->queued;
}

/* ---- start and end ---- */

static int
fdp_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct fdp *f = self;

	if (inner_start(&f->inside, chosen, t, e))
		return -1;
	if (f->min > f->max)
		return error_usage(e, "min of fdp is at most max, %llu, not %llu",
		    (unsigned long long)f->max, (unsigned long long)f->min);
	f->level = f->max < LEVEL_FIRST ? f->max : f->min > LEVEL_FIRST ? f->min : LEVEL_FIRST;
	f->rest = calloc((size_t)t->nopen + 1, sizeof(*f->rest));
	f->filter = calloc(f->bits / 64 + 1, sizeof(*f->filter));
	return f->rest && f->filter ? 0 : error_set(e, "out of memory for the filter of fdp");
}

static void
fdp_release(void *self)
{
	struct fdp *f = self;

	inner_stop(&f->inside);
	free(f->rest);
	free(f->filter);
}

static const char *const fdp_state_names[] = { "level", "accurate %", "late %", "polluting %",
	NULL };

static void
fdp_state(const void *self, uint32_t open, int64_t *value)
{
	const struct fdp *f = self;

	value[0] = (int64_t)f->level;
	value[1] = percent_of(f->sum.used, f->sum.sent);
	value[2] = percent_of(f->sum.late, f->sum.used);
	value[3] = percent_of(f->sum.polluted, f->sum.misses);
}

PREFETCHER(fdp,
	.plugin = {
	    .name = "fdp",
	    .summary = "controller: limits another's plans by accuracy, lateness and pollution (Srinath et al. 2007)",
	    .source = "S. Srinath, O. Mutlu, H. Kim, Y. N. Patt: Feedback directed prefetching: improving the performance and bandwidth-efficiency of hardware prefetchers, HPCA 2007",
	    .state_size = sizeof(struct fdp),
	    .params = fdp_params,
	    .counters = fdp_counters,
	    .around = "linux24",
	    .inner = pass_inner,
	},
	.init = fdp_init,
	.release = fdp_release,
	.access = fdp_access,
	.wrote = pass_wrote,
	.advise = fdp_advise,
	.pace = pass_pace,
	.outcome = fdp_outcome,
	.evicted = fdp_evicted,
	.finished = fdp_finished,
	.dropped = pass_dropped,
	.order = pass_order,
	.state_names = fdp_state_names,
	.state = fdp_state);

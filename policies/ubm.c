/*
 * ubm.c - UBM: sequential, looping and other blocks in parts of their own, which
 * lose frames by their marginal gains.
 *
 * The detector of prefetch/detect.h tells the class of each demand reference,
 * and the block goes to the head of that class's list; each loop has a list of
 * its own.  The gain of a part is the hits for each reference that one frame
 * fewer would cost:
 *
 *	sequential	0
 *	loops		1 / the longest period among loops that hold frames
 *	other		by a curve of the hit ratio, h(n) = 1 - a n^-k
 *
 * A sequential block goes first, the oldest one; else the newest block of the
 * longest loop, if its gain is not above that of the other blocks; else the
 * oldest of these, which are remembered as ghosts.  Every `window` references
 * the curve is fitted to two points: the hits in the list, and those that
 * there would have been in the list with its ghosts.
 *
 *	J. M. Kim, J. Choi, J. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim.
 *	A low-overhead high-performance unified buffer management scheme that
 *	exploits sequential and looping references.  4th Symposium on Operating
 *	Systems Design and Implementation (OSDI), 2000.
 *
 * Departures: threshold, alpha and window are our own choice.  Of the
 * sequential blocks the oldest goes, not the newest: small reads touch a block
 * again at once.  While prefetched blocks wait for their first
 * reference, loops leave `ahead` frames to the other blocks: they would
 * otherwise take all but a few, and the blocks of one readahead would evict each
 * other.
 *
 * Prefetching: a prefetched block enters the other blocks, and its first
 * demand reference, which is a miss to the curve, tells its class.  A block
 * evicted before that is not remembered.  Without prefetching `ahead` has no
 * effect.  O(1), and O(log loops) when a loop gets its first frame, loses its
 * last one or is repeated.
 */
#include <stdlib.h>
#include <string.h>

#include "prefetch/detect.h"
#include "sim/base/memory.h"
#include "sim/core/fheap.h"
#include "sim/core/ghosts.h"
#include "sim/core/policy.h"
#include "sim/trace/chance.h"

#define LEAST_MISSES 0.001 /* of the curve, as a share: 0 has no logarithm */
#define NOT_GIVEN UINT64_MAX

enum { AHEAD_BLOCKS = 128, FRAME_UNUSED = FRAME_PREFETCHED | FRAME_AWAITED };

/* A loop that holds frames. */
struct loop {
	struct flist frames; /* head: newest */
	block_t	     start;
	frame_t	     next;   /* of vacant loops, or of those set aside */
	double	     period; /* references */
};

struct ubm {
	struct detector detector;
	uint64_t	window_part, ahead_part;
	frame_t		window; /* references */
	frame_t		ahead;

	/* A frame's list is a class; CLASS_LOOPING is that of its loop. */
	struct flist sequential, other; /* heads: newest */
	struct loop *loop;		/* [1 .. nframes] */
	frame_t	    *loop_at;		/* by slot: the loop that starts at the block, or NIL */
	frame_t	    *loop_of;		/* [frame] */
	frame_t	     nloops, vacant;	/* vacant: list, by next */
	struct fheap longest;		/* of loops: the longest period first */
	uint64_t     turn;

	struct ghosts ghosts; /* in forgotten */
	struct flist  forgotten;
	uint8_t	      incoming; /* class of the block of the last miss() */

	/* In this window; by the last one. */
	uint64_t references, others, other_hits, ghost_hits;
	double	 gain; /* of other blocks */

	uint64_t sequential_evictions, looping_evictions, other_evictions;
};

static const struct param ubm_params[] = {
	DETECTOR_PARAMS(struct ubm, detector),
	{ "window", PARAM_PART, SHARE_ONE, 1, 1000 * (uint64_t)SHARE_ONE,
	    offsetof(struct ubm, window_part),
	    "references from one fit of the curve to the next, as a part of the cache", NULL },
	{ "ahead", PARAM_PART, NOT_GIVEN, 1, SHARE_ONE, offsetof(struct ubm, ahead_part),
	    "frames that loops leave to prefetched blocks that wait for their use; default 128b, but at most half of the cache",
	    NULL },
	{ 0 },
};

static const struct counter ubm_counters[] = {
	{ "sequential_evictions", "blocks", "evicted, last referenced in a sequential run",
	    offsetof(struct ubm, sequential_evictions) },
	{ "looping_evictions", "blocks", "evicted, last referenced in a loop",
	    offsetof(struct ubm, looping_evictions) },
	{ "other_evictions", "blocks", "evicted, last referenced in neither",
	    offsetof(struct ubm, other_evictions) },
	DETECTOR_COUNTERS(struct ubm, detector),
	{ 0 },
};

static int
take_parts(struct ubm *u, const struct cache *c, struct error *e)
{
	frame_t half = c->nframes / 2;

	if (cache_part(c, u->window_part, UINT32_MAX, "window of ubm", &u->window, e))
		return -1;
	u->ahead = half < AHEAD_BLOCKS ? half : AHEAD_BLOCKS;
	return u->ahead_part == NOT_GIVEN
	    ? 0
	    : cache_part(c, u->ahead_part, c->nframes, "ahead of ubm", &u->ahead, e);
}

static int
ubm_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct ubm *u = self;
	size_t	    n = (size_t)c->nframes + 1;

	if (take_parts(u, c, e))
		return -1;
	u->loop = memory_table(n, sizeof(*u->loop));
	u->loop_at = memory_table(c->nblocks, sizeof(*u->loop_at));
	u->loop_of = memory_table(n, sizeof(*u->loop_of));
	if (!u->loop || !u->loop_at || !u->loop_of)
		return error_set(e, "out of memory for loops in a cache of %u blocks", c->nframes);
	if (fheap_init(&u->longest, c, e) || ghosts_init(&u->ghosts, c->nframes + 1, c, e))
		return -1;
	return detector_init(&u->detector, t->nopen, t->nfiles, e);
}

static void
ubm_release(void *self)
{
	struct ubm *u = self;

	free(u->loop);
	free(u->loop_at);
	free(u->loop_of);
	fheap_release(&u->longest);
	ghosts_release(&u->ghosts);
	detector_release(&u->detector);
}

/* ---- loops ---- */

/* The heap has the least rank first; positive numbers have the order of their bits. */
static struct rank
rank_of(double period, uint64_t turn)
{
	uint64_t bits;

	memcpy(&bits, &period, sizeof(bits));
	return (struct rank){ UINT64_MAX - bits, turn };
}

/* A loop without frames that starts at the block. */
static frame_t
begin_loop(struct ubm *u, struct cache *c, block_t start)
{
	frame_t l = u->vacant;

	if (l)
		u->vacant = u->loop[l].next;
	else
		l = ++u->nloops;
	ASSERT(l <= c->nframes);
	ASSERT(!u->loop_at[cache_number(c, start)]);
	u->loop[l] = (struct loop){ .start = start };
	u->loop_at[cache_number(c, start)] = l;
	u->longest.rank[l].turn = ++u->turn;
	return l;
}

static void
end_loop(struct ubm *u, struct cache *c, frame_t l)
{
	ASSERT(u->loop_at[cache_number(c, u->loop[l].start)] == l);
	fheap_remove(&u->longest, l);
	u->loop_at[cache_number(c, u->loop[l].start)] = NIL;
	u->loop[l].next = u->vacant;
	u->vacant = l;
}

/* The loop that is repeated by this reference to b. */
static frame_t
loop_here(struct ubm *u, struct cache *c, block_t b, const struct use *use)
{
	const struct known_run *run = &u->detector.open[use->open].loop;
	block_t			start = b - (use->index - run->start);
	frame_t			l = u->loop_at[cache_number(c, start)];

	if (!l)
		l = begin_loop(u, c, start);
	if (u->loop[l].period != run->period) {
		u->loop[l].period = run->period;
		fheap_set(&u->longest, l, rank_of(run->period, u->longest.rank[l].turn));
	}
	return l;
}

/* ---- lists ---- */

static void
enter(struct ubm *u, struct cache *c, frame_t f, uint8_t class, const struct use *use)
{
	struct flist *l = class == CLASS_OTHER ? &u->other : &u->sequential;

	if (class == CLASS_LOOPING) {
		u->loop_of[f] = loop_here(u, c, c->frame[f].block, use);
		l = &u->loop[u->loop_of[f]].frames;
	}
	c->frame[f].list = class;
	flist_push(l, c->frame, f);
}

static void
leave(struct ubm *u, struct cache *c, frame_t f)
{
	struct loop *l = &u->loop[u->loop_of[f]];

	switch (c->frame[f].list) {
	case CLASS_OTHER:
		flist_remove(&u->other, c->frame, f);
		break;
	case CLASS_SEQUENTIAL:
		flist_remove(&u->sequential, c->frame, f);
		break;
	default:
		flist_remove(&l->frames, c->frame, f);
		if (!l->frames.len)
			end_loop(u, c, u->loop_of[f]);
	}
}

/* ---- references ---- */

/* The hits for each reference that one frame fewer in the list of others would cost. */
static double
gain_of_others(const struct ubm *u)
{
	double n1 = u->other.len < 2 ? 2 : u->other.len, n2 = n1 + u->forgotten.len;
	double others = (double)u->others, misses1, misses2, k;

	ASSERT(u->other_hits + u->ghost_hits <= u->others);
	if (!u->others || !u->ghost_hits || !u->forgotten.len)
		return 0;
	misses1 = 1 - (double)u->other_hits / others;
	misses2 = 1 - (double)(u->other_hits + u->ghost_hits) / others;
	misses2 = misses2 < LEAST_MISSES ? LEAST_MISSES : misses2;
	k = chance_log(misses1 / misses2) / chance_log(n2 / n1);
	return others / u->window * misses1 * (chance_exp(k * chance_log(n1 / (n1 - 1))) - 1);
}

static void
end_window(struct ubm *u)
{
	u->gain = gain_of_others(u);
	u->references = u->others = u->other_hits = u->ghost_hits = 0;
}

/* Enter a demand reference into the detector and the window. */
ALWAYS_INLINE uint8_t
classify(struct ubm *u, const struct use *use, bool other_hit, bool ghost_hit)
{
	enum reference_class class =
	    detector_update(&u->detector, use->open, use->file, use->index);

	if (class == CLASS_OTHER) {
		u->others++;
		u->other_hits += other_hit;
		u->ghost_hits += ghost_hit;
	}
	if (unlikely(++u->references == u->window))
		end_window(u);
	return (uint8_t) class;
}

static void
ubm_hit(void *self, struct cache *c, frame_t f, const struct use *use)
{
	struct ubm	   *u = self;
	const struct frame *fr = &c->frame[f];
	bool		    other = fr->list == CLASS_OTHER;
	uint8_t class = classify(u, use, other && !(fr->flags & FRAME_UNUSED), false);

	if (likely(other && class == CLASS_OTHER)) {
		flist_to_head(&u->other, c->frame, f);
	} else {
		leave(u, c, f);
		enter(u, c, f, class, use);
	}
}

static bool
ubm_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *use)
{
	struct ubm *u = self;
	frame_t	    ghost = ghosts_find(&u->ghosts, c, b);

	if (ghost)
		ghosts_remove(&u->ghosts, &u->forgotten, c, ghost);
	u->incoming = demand ? classify(u, use, false, ghost != NIL) : CLASS_OTHER;
	return ghost != NIL;
}

/* ---- eviction ---- */

/* The newest frame of the loop that is not in flight, or NIL. */
static frame_t
newest_evictable(const struct loop *l, const struct frame *fr)
{
	frame_t f = l->frames.head;

	while (f && unlikely(fr[f].flags & FRAME_INFLIGHT))
		f = fr[f].next;
	return f;
}

/* Was the oldest of the other blocks read ahead, and is there little room for it? */
static bool
waits(const struct ubm *u, const struct frame *oldest)
{
	return oldest->flags & FRAME_UNUSED && u->other.len <= u->ahead;
}

/* What the loops give rather than the frame `other`, or NIL.  Loops in flight are set aside. */
static frame_t
choose_looping(struct ubm *u, const struct frame *fr, frame_t other)
{
	frame_t victim = NIL, aside = NIL, l;

	while (!victim && u->longest.n) {
		l = u->longest.heap[1];
		if (other && 1 / u->loop[l].period > u->gain && !waits(u, &fr[other]))
			break;
		victim = newest_evictable(&u->loop[l], fr);
		if (unlikely(!victim)) {
			fheap_remove(&u->longest, l);
			u->loop[l].next = aside;
			aside = l;
		}
	}
	for (; unlikely(aside); aside = u->loop[aside].next)
		fheap_set(&u->longest, aside, u->longest.rank[aside]);
	return victim;
}

static frame_t
choose(struct ubm *u, const struct frame *fr)
{
	frame_t f = flist_last_evictable(&u->sequential, fr), other;

	if (f)
		return f;
	other = flist_last_evictable(&u->other, fr);
	f = choose_looping(u, fr, other);
	return f ? f : other;
}

static frame_t
ubm_evict(void *self, struct cache *c, block_t incoming)
{
	struct ubm	   *u = self;
	frame_t		    f = choose(u, c->frame);
	const struct frame *fr = &c->frame[f];

	ASSERT(f);
	leave(u, c, f);
	u->sequential_evictions += fr->list == CLASS_SEQUENTIAL;
	u->looping_evictions += fr->list == CLASS_LOOPING;
	u->other_evictions += fr->list == CLASS_OTHER;
	if (fr->list == CLASS_OTHER && !(fr->flags & FRAME_UNUSED))
		ghosts_push_most(&u->ghosts, &u->forgotten, c->nframes, c, fr->block);
	return f;
}

static void
ubm_insert(void *self, struct cache *c, frame_t f, const struct use *use)
{
	struct ubm *u = self;

	enter(u, c, f, u->incoming, use);
}

static void
ubm_remove(void *self, struct cache *c, frame_t f)
{
	leave(self, c, f);
}

POLICY(ubm,
    .plugin = {
	.name = "ubm",
	.summary = "sequential, looping and other blocks apart, by marginal gain (Kim, Choi, Kim, Noh, Min, Cho, Kim 2000)",
	.source = "J. M. Kim, J. Choi, J. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim: A low-overhead high-performance unified buffer management scheme that exploits sequential and looping references, OSDI 2000",
	.state_size = sizeof(struct ubm),
	.params = ubm_params,
	.counters = ubm_counters,
    },
    .unsampled = "it looks for blocks that lie beside each other",
    .on_hit = HIT_MOVES,
    .needs = NEEDS_USE | NEEDS_ORDER,
    .init = ubm_init,
    .release = ubm_release,
    .hit = ubm_hit,
    .miss = ubm_miss,
    .evict = ubm_evict,
    .insert = ubm_insert,
    .remove = ubm_remove);

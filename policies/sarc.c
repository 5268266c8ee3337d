/*
 * sarc.c - SARC: two lists by last reference, whose sizes follow what each would gain.
 *
 * SEQ holds blocks of sequential misses and prefetched ones, RANDOM all others.
 * A hit in the last `bottom` blocks of a list shows what a larger list would
 * gain: one of RANDOM is weighed against the sequential misses since the last
 * such hit, and `adapt`, from -1 to 1, is the direction in which the desired
 * size of SEQ moves with every eviction.
 *
 *	B. S. Gill, D. S. Modha.  SARC: sequential prefetching in adaptive
 *	replacement cache.  USENIX Annual Technical Conference, 2005.
 *
 * A miss is sequential if `threshold` blocks that end with it have come in
 * order, each while its predecessor in the file was in the cache.  The bottom of
 * a list is found by times: a block is there if its time is in the oldest part
 * of the times of the list, as large as `bottom` of the length.
 *
 * Departures: the unit is a block, not a track of eight pages.  `bottom` and
 * `threshold` have defaults of our own.
 *
 * Prefetching: a prefetched block enters SEQ, and its first demand reference
 * is a hit like any other.  It continues a run of blocks, but is no sequential
 * miss.  O(log files).
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { RANDOM, SEQ };	   /* a frame's list */
enum { LARGE_RATIO = 20 }; /* of sequential misses: even hits in SEQ make it grow */

struct sarc {
	struct flist	    list[2]; /* heads: newest */
	uint64_t	    bottom_part, threshold;
	frame_t		    bottom;
	const struct trace *trace;
	uint64_t	   *time;   /* [frame]: of its last reference */
	uint64_t	    now;    /* demand references so far */
	uint64_t	    misses; /* sequential ones since the last hit in RANDOM's bottom */
	double		    adapt, desired; /* desired: size of SEQ */
	uint16_t incoming; /* length of the run that ends with the block of the last miss() */
};

static const struct param sarc_params[] = {
	{ "bottom", PARAM_PART, SHARE_ONE / 50, 1, SHARE_ONE, offsetof(struct sarc, bottom_part),
	    "oldest blocks of a list, where a hit shows that it is too short", NULL },
	{ "threshold", PARAM_COUNT, 2, 1, 1 << 15, offsetof(struct sarc, threshold),
	    "blocks in order that make a miss sequential", NULL },
	{ 0 },
};

static int
sarc_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct sarc *s = self;

	if (cache_part(c, s->bottom_part, c->nframes, "bottom of sarc", &s->bottom, e))
		return -1;
	s->trace = t;
	s->time = memory_table((size_t)c->nframes + 1, sizeof(*s->time));
	return s->time ? 0 : error_set(e, "out of memory for a cache of %u blocks", c->nframes);
}

static void
sarc_release(void *self)
{
	free(((struct sarc *)self)->time);
}

/* Is the frame in the bottom of its list? */
static bool
is_low(const struct sarc *s, const struct flist *l, frame_t f)
{
	uint64_t tail = s->time[l->tail];

	ASSERT(s->time[f] >= tail && s->time[f] <= s->time[l->head]); /* the list is in order */
	return (double)(s->time[f] - tail) * l->len <=
	    (double)(s->time[l->head] - tail) * s->bottom;
}

/* A hit in the bottom of that list. */
static void
adapt(struct sarc *s, uint8_t list)
{
	frame_t len = s->list[SEQ].len;
	double	ratio = 2.0 * (double)s->misses * s->bottom / (len ? len : 1);

	if (list == RANDOM) {
		s->adapt = ratio < 2 ? ratio - 1 : 1;
		s->misses = 0;
	} else if (ratio > LARGE_RATIO) {
		s->adapt = 1;
	}
}

static void
sarc_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct sarc  *s = self;
	uint8_t	      list = c->frame[f].list;
	struct flist *l = &s->list[list];

	s->now++;
	if (is_low(s, l, f))
		adapt(s, list);
	flist_to_head(l, c->frame, f);
	s->time[f] = s->now;
}

/* The frame of the block before b in its file, or NIL. */
static frame_t
predecessor(const struct sarc *s, const struct cache *c, block_t b)
{
	frame_t f = cache_find(c, b - 1);

	return f && s->trace->file[trace_file(s->trace, b)].base != b ? f : NIL;
}

static bool
sarc_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct sarc *s = self;
	frame_t	     before = predecessor(s, c, b);
	uint32_t     run = before ? c->frame[before].spare + 1u : 1;

	s->incoming = (uint16_t)(run < s->threshold ? run : s->threshold);
	s->now += demand;
	s->misses += demand && s->incoming == s->threshold;
	return false;
}

/* Of two lists that have one, the list that loses a frame. */
static uint8_t
choose(const struct sarc *s, frame_t random, frame_t seq)
{
	if (s->list[SEQ].len < s->bottom || s->list[RANDOM].len < s->bottom)
		return s->time[seq] < s->time[random] ? SEQ : RANDOM;
	return s->list[SEQ].len > s->desired ? SEQ : RANDOM;
}

static frame_t
sarc_evict(void *self, struct cache *c, block_t incoming)
{
	struct sarc *s = self;
	frame_t	     random = flist_last_evictable(&s->list[RANDOM], c->frame);
	frame_t	     seq = flist_last_evictable(&s->list[SEQ], c->frame);
	uint8_t	     list = !seq ? RANDOM : !random ? SEQ : choose(s, random, seq);
	frame_t	     f = list == SEQ ? seq : random;

	ASSERT(s->list[SEQ].len + s->list[RANDOM].len <= c->nused);
	flist_remove(&s->list[list], c->frame, f);
	s->desired = s->desired > 0 ? s->desired + s->adapt / 2 : s->list[SEQ].len;
	return f;
}

static void
sarc_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct sarc  *s = self;
	struct frame *fr = &c->frame[f];

	ASSERT(s->incoming && s->incoming <= s->threshold);
	fr->spare = s->incoming;
	fr->list = fr->flags & FRAME_PREFETCHED || fr->spare == s->threshold ? SEQ : RANDOM;
	s->time[f] = s->now;
	flist_push(&s->list[fr->list], c->frame, f);
}

static void
sarc_remove(void *self, struct cache *c, frame_t f)
{
	struct sarc *s = self;

	flist_remove(&s->list[c->frame[f].list], c->frame, f);
}

POLICY(sarc,
    .plugin = {
	.name = "sarc",
	.summary = "a list of sequential and one of other blocks, sized by what each gains (Gill, Modha 2005)",
	.source = "B. S. Gill, D. S. Modha: SARC: sequential prefetching in adaptive replacement cache, USENIX ATC 2005",
	.state_size = sizeof(struct sarc),
	.params = sarc_params,
    },
    .unsampled = "it looks for blocks that lie beside each other",
    .on_hit = HIT_MOVES,
    .init = sarc_init,
    .release = sarc_release,
    .hit = sarc_hit,
    .miss = sarc_miss,
    .evict = sarc_evict,
    .insert = sarc_insert,
    .remove = sarc_remove);

/*
 * competitive.c - read ahead as much as the device could have transferred
 * while it switches to another place.
 *
 * Reading in pieces of C = rate x switch time wastes at most as much time on
 * switches as on transfers, whatever follows: at most twice the time of any
 * other depth.  The rate is that at which blocks reach the host, and the
 * switch is seek + rotation + overhead, on average.
 *
 * A stream is found, and its next batch asked for, as in Linux 2.4 (linux24.c):
 *
 *	a block behind the newest batch is missing	a batch behind it
 *	the first readable block of the newest batch	the next batch
 *
 * but all batches have C blocks, and a random read has none.
 *
 *	C. Li, K. Shen, A. E. Papathanasiou.  Competitive prefetching for
 *	concurrent sequential I/O.  2nd European Conference on Computer Systems
 *	(EuroSys), 2007.
 *
 * bufsim's own: streams that read ahead at the same time share half of the
 * cache; a batch of which a block was evicted unused halves the depth of its
 * file, and as many blocks as it then has, used in sequence, double it again.
 * A stream reads ahead at the same time if it has a batch, not the last one of
 * its file, while as many blocks are referenced as the cache has frames.  O(1)
 * a reference, 28 bytes per open file, 12 per file.
 */
#include <math.h>

#include "prefetch/windows.h"

enum detect { DETECT_LINUX24, DETECT_LINUX26 };
enum random { RANDOM_NONE, RANDOM_DOUBLE };
enum { DEPTH_LIMIT = 1 << 16 };
#define DEPTH_OF_DEVICE UINT64_MAX

struct stream {			  /* of an open file */
	uint32_t low, begin, end; /* begin <= the newest batch < end; low: of the batch before */
	uint32_t next;		  /* the block behind the last reference */
	uint32_t batch;		  /* size of the newest; 1: random so far; 0: none yet */
	uint32_t round;		  /* in which it last read ahead */
	bool	 found;		  /* the current call continues it */
};

struct judged {		/* of a file */
	uint32_t depth; /* 0: the full one */
	uint32_t used;	/* blocks in sequence */
	uint32_t left;	/* of the batch that was wasted last: blocks that may still be */
};

struct competitive {
	uint64_t depth, share, detect, random;

	const struct trace *trace;
	struct stream	   *stream;
	struct judged	   *judged;
	uint32_t	    full;	     /* the depth */
	uint32_t	    round, left;     /* references left in this round */
	uint32_t	    streams, before; /* that read ahead in this round; in the one before */

	uint64_t batches, shared_batches, halvings;
};

static const char *const detect_words[] = { "linux24", "linux26" };
static const char *const random_words[] = { "none", "double" };

static const struct param competitive_params[] = {
	{ "depth", PARAM_COUNT, DEPTH_OF_DEVICE, 0, DEPTH_LIMIT,
	    offsetof(struct competitive, depth),
	    "blocks in a batch, instead of the device's rate x switch time", NULL },
	{ "share", PARAM_SHARE, SHARE_ONE / 2, 0, SHARE_ONE, offsetof(struct competitive, share),
	    "part of the cache for the batches of all streams that read ahead", NULL },
	{ "detect", PARAM_WORD, DETECT_LINUX24, 0, 1, offsetof(struct competitive, detect),
	    "a call continues a stream inside its last two batches, or right behind its last block",
	    detect_words },
	{ "random", PARAM_WORD, RANDOM_NONE, 0, 1, offsetof(struct competitive, random),
	    "random reads: nothing, or two blocks, which double as the stream goes on",
	    random_words },
	{ 0 },
};

static const struct counter competitive_counters[] = {
	{ "batches", "batches", "planned", offsetof(struct competitive, batches) },
	{ "shared_batches", "batches", "made smaller because streams share the cache",
	    offsetof(struct competitive, shared_batches) },
	{ "halvings", "times", "that the depth of a file was halved, because a batch was wasted",
	    offsetof(struct competitive, halvings) },
	{ 0 },
};

/* ---- depth ---- */

static uint32_t
depth_of(const struct competitive *c, file_t file)
{
	uint32_t depth = c->judged[file].depth;

	return depth ? depth : c->full;
}

/* The streams that read ahead at this time, and this one. */
static uint32_t
streams_now(const struct competitive *c, const struct stream *s)
{
	uint32_t streams = c->streams + (s->round != c->round);

	return streams > c->before ? streams : c->before;
}

/* The blocks in the next batch of the stream; left: in the file. */
static uint32_t
batch_size(struct competitive *c, const struct stream *s, const struct demand *d, uint32_t left)
{
	uint32_t size = depth_of(c, d->file);
	uint64_t part = d->cache->nframes * c->share / SHARE_ONE / streams_now(c, s);

	if (c->random == RANDOM_DOUBLE && s->batch)
		size = at_most(2 * (uint64_t)s->batch, size);
	c->shared_batches += part < size && part < left;
	return at_most(part, size);
}

/* The stream has read ahead, and not for the last time. */
static void
count_stream(struct competitive *c, struct stream *s)
{
	c->streams += s->round != c->round;
	s->round = c->round;
}

static void
pass_reference(struct competitive *c, const struct demand *d)
{
	if (c->left--)
		return;
	c->left = d->cache->nframes;
	c->before = c->streams;
	c->streams = 0;
	c->round++;
}

/* ---- streams ---- */

/* Does the call continue the stream? */
static bool
continues(const struct competitive *c, const struct stream *s, uint32_t index)
{
	if (c->detect == DETECT_LINUX26)
		return index == s->next || index + 1 == s->next;
	return index >= s->low && index <= s->end;
}

static void
start_call(const struct competitive *c, struct stream *s, const struct demand *d, struct plan *plan)
{
	if (d->call->fresh)
		*s = (struct stream){ .round = s->round };
	s->found = continues(c, s, d->index);
	if (!s->found) {
		plan_note(plan, "the call continues no stream");
		s->begin = s->end = 0;
		s->batch = 1;
	}
}

/* A batch from block `first` on becomes the newest one; the blocks from `low` on are before it. */
static void
batch(struct competitive *c, struct stream *s, const struct demand *d, uint32_t low, uint32_t first,
    struct plan *plan)
{
	uint32_t left = first < d->end ? d->end - first : 0, size = batch_size(c, s, d, left);

	s->low = low;
	s->begin = first;
	s->end = first + at_most(size, left);
	s->batch = size;
	c->batches += s->end > first;
	plan_add(plan, first, s->end - first);
	if (left > size)
		count_stream(c, s);
	else
		plan_note(plan, "up to the end of the file");
}

static void
follow(struct competitive *c, struct stream *s, const struct demand *d, struct plan *plan)
{
	uint32_t x = d->index;
	bool	 inside = x >= s->begin && x < s->end;

	if (d->absent || d->locked) {
		if (inside)
			return;
		plan_note(plan, "behind the newest batch: a batch, synchronously");
		batch(c, s, d, x, x + 1, plan);
	} else if (inside || (x == s->end && x)) {
		plan_note(plan, "the newest batch is reached: the next one, asynchronously");
		batch(c, s, d, s->begin, s->end, plan);
	}
}

static void
competitive_access(void *self, const struct demand *d, struct plan *plan)
{
	struct competitive *c = self;
	struct stream	   *s = &c->stream[d->call->open];

	if (!c->full || !c->share)
		return;
	pass_reference(c, d);
	if (d->index == d->first)
		start_call(c, s, d, plan);
	if (s->found || (c->random == RANDOM_DOUBLE && d->absent)) {
		follow(c, s, d, plan);
	} else {
		s->low = d->index;
		s->begin = s->end = d->index + 1;
	}
	s->next = d->index + 1;
}

/* A block of the file was wasted; the others of its batch do not count. */
static void
waste(struct competitive *c, struct judged *j, uint32_t depth)
{
	j->used = 0;
	if (j->left) {
		j->left--;
		return;
	}
	j->left = depth - 1;
	j->depth = depth > 1 ? depth / 2 : 1;
	c->halvings += depth > 1;
}

static void
competitive_outcome(void *self, block_t b, enum outcome how)
{
	struct competitive *c = self;
	file_t		    file = trace_file(c->trace, b);
	struct judged	   *j = &c->judged[file];
	uint32_t	    depth = depth_of(c, file);

	if (how == PREFETCH_WASTED)
		waste(c, j, depth);
	else if (j->depth && ++j->used >= depth)
		*j = (struct judged){ .depth = 2 * depth < c->full ? 2 * depth : 0 };
}

/* ---- start and end ---- */

static void
competitive_pace(void *self, double switch_us, double block_us)
{
	struct competitive *c = self;
	double		    depth = block_us > 0 ? switch_us / block_us : 0;

	if (c->depth == DEPTH_OF_DEVICE)
		c->full = (uint32_t)lround(fmin(fmax(depth, 1), DEPTH_LIMIT));
}

static int
competitive_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct competitive *c = self;

	c->trace = t;
	c->full = c->depth == DEPTH_OF_DEVICE ? 1 : (uint32_t)c->depth;
	c->round = 1;
	c->stream = windows_new(t, sizeof(*c->stream), e);
	c->judged = calloc((size_t)t->nfiles + 1, sizeof(*c->judged));
	if (c->stream && c->judged)
		return 0;
	return error_set(e, "out of memory for the streams of %u files", t->nfiles);
}

static void
competitive_release(void *self)
{
	struct competitive *c = self;

	free(c->stream);
	free(c->judged);
}

static const char *const competitive_state_names[] = { "depth", "begin", "end", "streams", NULL };

static void
competitive_state(const void *self, uint32_t open, int64_t *value)
{
	const struct competitive *c = self;

	value[0] = depth_of(c, c->trace->open[open].file);
	value[1] = c->stream[open].begin;
	value[2] = c->stream[open].end;
	value[3] = streams_now(c, &c->stream[open]);
}

PREFETCHER(competitive,
	.plugin = {
	    .name = "competitive",
	    .summary = "as many blocks as the device transfers while it switches (Li et al. 2007)",
	    .source = "C. Li, K. Shen, A. E. Papathanasiou: Competitive prefetching for concurrent sequential I/O, EuroSys 2007",
	    .state_size = sizeof(struct competitive),
	    .params = competitive_params,
	    .counters = competitive_counters,
	},
	.init = competitive_init,
	.release = competitive_release,
	.access = competitive_access,
	.outcome = competitive_outcome,
	.pace = competitive_pace,
	.state_names = competitive_state_names,
	.state = competitive_state);

/*
 * curves.c - distribute replays among workers, and put estimates together.
 *
 * A cache that holds the whole footprint never evicts, so it needs no replay:
 * it misses each block once, whatever the policy.
 *
 * A cache of the sample has size * r blocks, which is no whole number.  A small
 * one is replayed with the whole numbers below and above, and the curve is a
 * straight line between them; a large one is rounded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/analysis/curves.h"
#include "sim/analysis/miniature.h"
#include "sim/base/number.h"
#include "sim/base/progress.h"
#include "sim/points/points.h"

enum {
	SMALL = 64, /* blocks: sizes below are not rounded */
	GROUP = 16, /* caches that share a pass: decoding is little then */
	SHARE = 4,  /* groups for each worker, so that none is idle for long */
};

/* A trace to replay, and the caches for it. */
struct scene {
	struct trace	     made; /* a miniature */
	const struct trace  *t;
	double		     rate;
	uint64_t	     footprint;
	frame_t		    *frames; /* rising */
	size_t		     nframes;
	struct replay_cache *cache; /* by policy, then by frames */
	size_t		     ncaches;
};

static bool
is_stack(const struct choice *c)
{
	return !strcmp(c->plugin->name, "lru") && !c->params;
}

/* How many policies are LRU, or are not. */
static unsigned
count_policies(const struct curves *c, bool stack)
{
	unsigned n = 0;

	for (unsigned i = 0; i < c->npolicies; i++)
		n += is_stack(&c->policy[i]) == stack;
	return n;
}

/* ---- exact ---- */

static int
count_exactly(struct curves *c, struct trace *t, struct error *e)
{
	bool stack = count_policies(c, true);

	c->least = 1;
	if (stack && (mrc_init(&c->exact, slots_most(t), e) || mrc_trace(&c->exact, t, e)))
		return -1;
	if (!stack && (trace_footprint(t, e) || trace_check(t, 0, t->naccess, e)))
		return -1;
	c->references = stack ? c->exact.references : trace_references(t);
	c->footprint = stack ? c->exact.distinct : t->footprint;
	if (!count_policies(c, false))
		return 0;
	c->scene = calloc(1, sizeof(*c->scene));
	if (!c->scene)
		return error_no_memory(e);
	c->scene[c->nscenes++] = (struct scene){ .t = t, .rate = 1, .footprint = c->footprint };
	return 0;
}

/* ---- from a sample ---- */

/* The miniature of the sample, or that of a part of it. */
static int
add_scene(struct curves *c, const struct trace *t, struct error *e)
{
	struct scene *s = &c->scene[c->nscenes];
	int	      failed;

	if (c->nscenes)
		failed = miniature_part(&s->made, &c->scene->made, &c->sample, c->nscenes - 1, e);
	else
		failed = miniature_init(&s->made, t, &c->sample, &c->references, e);
	if (failed)
		return -1;
	s->t = &s->made;
	s->footprint = s->made.footprint;
	s->rate = sample_rate(&c->sample, s->made.footprint);
	c->nscenes++;
	return 0;
}

int
curves_check_sample(const struct choice *policy, unsigned npolicies, struct error *e)
{
	for (unsigned i = 0; i < npolicies; i++) {
		const struct policy *p = policy_of(&policy[i]);

		if (p->unsampled)
			return error_usage(e,
			    "a sample does not show what %s does, because %s: leave out --sample or %s",
			    p->plugin.name, p->unsampled, p->plugin.name);
	}
	return 0;
}

static int
estimate_all(struct curves *c, const struct trace *t, double rate, uint64_t seed, struct error *e)
{
	struct shards *s = &c->shards;

	if (curves_check_sample(c->policy, c->npolicies, e) ||
	    sample_init(&c->sample, t, rate, seed, e))
		return error_prefix(e, "--sample");
	c->footprint = c->sample.nblocks;
	c->least = sample_least(&c->sample);
	c->rate = sample_rate(&c->sample, c->sample.n);
	if (count_policies(c, true)) {
		if (shards_init(s, &c->sample, e) || shards_trace(s, t, e))
			return -1;
		c->references = s->references;
	}
	if (!count_policies(c, false))
		return 0;
	c->scene = calloc(1 + SAMPLE_PARTS, sizeof(*c->scene));
	if (!c->scene)
		return error_no_memory(e);
	while (c->nscenes <= SAMPLE_PARTS)
		if (add_scene(c, t, e))
			return -1;
	return 0;
}

int
curves_init(struct curves *c, struct trace *t, const struct choice *policy, unsigned npolicies,
    double rate, uint64_t seed, struct error *e)
{
	*c = (struct curves){ .policy = policy, .npolicies = npolicies, .rate = 1 };
	return rate < 1 ? estimate_all(c, t, rate, seed, e) : count_exactly(c, t, e);
}

void
curves_release(struct curves *c)
{
	for (unsigned i = 0; i < c->nscenes; i++) {
		if (c->scene[i].t == &c->scene[i].made)
			miniature_release(&c->scene[i].made);
		free(c->scene[i].frames);
		free(c->scene[i].cache);
	}
	free(c->scene);
	mrc_release(&c->exact);
	shards_release(&c->shards);
	sample_release(&c->sample);
	*c = (struct curves){ 0 };
}

/* ---- the sizes to replay ---- */

/* The curve at a size is that at `low` blocks of the scene, and a share of the way to low + 1. */
struct reading {
	uint64_t low;
	double	 share;
};

static struct reading
reading_of(const struct scene *s, uint64_t blocks)
{
	double size = (double)blocks * s->rate, whole = floor(size);

	if (whole >= SMALL)
		return (struct reading){ (uint64_t)(size + 0.5), 0 };
	return (struct reading){ (uint64_t)whole, size - whole };
}

static int
compare_frames(const void *a, const void *b)
{
	const frame_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Smaller than the footprint; others need no replay. */
static void
add_frames(struct scene *s, uint64_t n)
{
	if (n && n < s->footprint)
		s->frames[s->nframes++] = (frame_t)n;
}

static int
choose_frames(struct scene *s, const struct curves_plan *p, struct error *e)
{
	size_t n = 0;

	s->frames = calloc(2 * p->n, sizeof(*s->frames));
	if (!s->frames)
		return error_set(e, "out of memory for %zu cache sizes", p->n);
	for (size_t i = 0; i < p->n; i++) {
		struct reading r = reading_of(s, p->blocks[i]);

		add_frames(s, r.low);
		if (r.share > 0)
			add_frames(s, r.low + 1);
	}
	qsort(s->frames, s->nframes, sizeof(*s->frames), compare_frames);
	for (size_t i = 0; i < s->nframes; i++)
		if (!n || s->frames[n - 1] != s->frames[i])
			s->frames[n++] = s->frames[i];
	s->nframes = n;
	return 0;
}

static int
choose_caches(struct scene *s, const struct curves *c, struct error *e)
{
	size_t n = count_policies(c, false) * s->nframes;

	s->cache = calloc(n + 1, sizeof(*s->cache));
	if (!s->cache)
		return error_set(e, "out of memory for %zu caches", n);
	for (unsigned p = 0; p < c->npolicies; p++)
		for (size_t i = 0; i < s->nframes && !is_stack(&c->policy[p]); i++)
			s->cache[s->ncaches++] = (struct replay_cache){ .policy = &c->policy[p],
				.frames = s->frames[i] };
	return 0;
}

/* ---- the work ---- */

struct piece {
	struct scene *scene;
	size_t	      first, n; /* of its caches */
};

struct job {
	struct piece *piece;
	size_t	      n, done; /* done: caches */
};

/* What a policy may take: docs/performance.md has each. */
enum { POLICY_FRAME = 96, POLICY_BLOCK = 8 };

/* Tables of the largest cache and its policy. */
static uint64_t
cache_bytes(const struct scene *s)
{
	uint64_t touched = s->footprint * (trace_is_sparse(s->t) ? SLOTS_GROUP : 1);
	uint64_t entries = slots_most(s->t) < touched ? slots_most(s->t) : touched;

	if (!s->nframes)
		return 0;
	return s->frames[s->nframes - 1] * (sizeof(struct frame) + POLICY_FRAME) +
	    entries * (sizeof(frame_t) + POLICY_BLOCK);
}

/* How many caches share a pass, and how many processes there are, so that the tables fit. */
static int
fit(struct curves_plan *p, uint64_t bytes, size_t ncaches, struct error *e)
{
	char	 a[NUMBER_TEXT], b[NUMBER_TEXT];
	uint64_t room = bytes ? p->memory / bytes : UINT64_MAX;
	uint64_t wanted = (ncaches + SHARE * p->jobs - 1) / (SHARE * p->jobs);

	if (p->jobs == 1 || wanted > GROUP)
		wanted = GROUP;
	if (!room)
		return error_set(e,
		    "simulating a cache takes up to %s of tables, and this machine has %s of memory",
		    number_bytes(a, bytes), number_bytes(b, p->memory));
	p->cut = room < p->jobs * wanted && room < ncaches;
	p->jobs = room < p->jobs ? (unsigned)room : p->jobs;
	p->together = room / p->jobs < wanted ? (size_t)(room / p->jobs) : (size_t)wanted;
	return 0;
}

static int
make(void *self, size_t i, FILE *out, struct error *e)
{
	const struct job    *j = self;
	const struct piece  *p = &j->piece[i];
	struct replay_cache *c = &p->scene->cache[p->first];

	if (replay_caches(c, p->n, p->scene->t, p->scene->rate, e))
		return -1;
	for (size_t k = 0; k < p->n; k++)
		fwrite(&c[k].misses, sizeof(c[k].misses), 1, out);
	return 0;
}

static int
take(void *to, size_t i, const char *text, size_t bytes, struct error *e)
{
	struct job	   *j = to;
	const struct piece *p = &j->piece[i];

	ASSERT(bytes == p->n * sizeof(uint64_t));
	for (size_t k = 0; k < p->n; k++)
		memcpy(&p->scene->cache[p->first + k].misses, text + k * sizeof(uint64_t),
		    sizeof(uint64_t));
	progress_reach(j->done += p->n);
	return 0;
}

/* Groups of the caches of each scene. */
static void
divide(struct job *j, const struct curves *c, size_t together)
{
	for (unsigned k = 0; k < c->nscenes; k++) {
		struct scene *s = &c->scene[k];

		for (size_t i = 0, n; i < s->ncaches; i += n) {
			n = s->ncaches - i < together ? s->ncaches - i : together;
			j->piece[j->n++] = (struct piece){ s, i, n };
		}
	}
}

static int
run(const struct curves *c, const struct curves_plan *p, size_t ncaches, struct error *e)
{
	struct job    j = { .piece = calloc(ncaches, sizeof(*j.piece)) };
	struct points all = { .jobs = p->jobs, .self = &j, .make = make };
	int	      failed;

	if (!j.piece)
		return error_set(e, "out of memory for %zu caches", ncaches);
	divide(&j, c, p->together);
	all.n = j.n;
	progress_begin("simulating", "caches", ncaches);
	failed = points_run(&all, take, &j, e);
	progress_end();
	free(j.piece);
	return failed;
}

int
curves_replay(struct curves *c, struct curves_plan *p, struct error *e)
{
	size_t	 ncaches = 0;
	uint64_t most = 0;

	for (unsigned i = 0; i < c->nscenes; i++) {
		struct scene *s = &c->scene[i];

		if (choose_frames(s, p, e) || choose_caches(s, c, e))
			return -1;
		ncaches += s->ncaches;
		most = cache_bytes(s) > most ? cache_bytes(s) : most;
	}
	if (fit(p, most, ncaches, e))
		return -1;
	if (!ncaches)
		return 0;
	return run(c, p, ncaches, e) || trace_unchanged(c->scene->t, e) ? -1 : 0;
}

/* ---- results ---- */

/* Of the n-th policy that is not LRU. */
static double
misses_in(const struct scene *s, unsigned n, uint64_t frames)
{
	frame_t	       wanted = (frame_t)frames;
	const frame_t *at;

	if (frames >= s->footprint)
		return (double)s->footprint;
	at = bsearch(&wanted, s->frames, s->nframes, sizeof(*s->frames), compare_frames);
	ASSERT(at);
	return (double)s->cache[n * s->nframes + (size_t)(at - s->frames)].misses;
}

/* The misses of the whole trace by that scene. */
static double
misses_by(const struct curves *c, const struct scene *s, unsigned n, uint64_t blocks)
{
	struct reading r = reading_of(s, blocks);
	double	       all = (double)c->references;
	double	       left = r.low ? misses_in(s, n, r.low) / s->rate : all;

	if (r.share > 0)
		left += r.share * (misses_in(s, n, r.low + 1) / s->rate - left);
	return fmin(left, all);
}

struct estimate
curves_at(const struct curves *c, unsigned policy, uint64_t blocks)
{
	double	 part[SAMPLE_PARTS], whole;
	unsigned n = 0;

	if (is_stack(&c->policy[policy]))
		return c->exact.misses
		    ? (struct estimate){ (double)mrc_misses(&c->exact, blocks), 0 }
		    : shards_misses(&c->shards, blocks);
	for (unsigned i = 0; i < policy; i++)
		n += !is_stack(&c->policy[i]);
	whole = misses_by(c, c->scene, n, blocks);
	if (c->nscenes == 1)
		return (struct estimate){ whole, 0 };
	for (unsigned i = 0; i < SAMPLE_PARTS; i++)
		part[i] = misses_by(c, &c->scene[1 + i], n, blocks);
	return sample_estimate(&c->sample, whole, part, c->references);
}

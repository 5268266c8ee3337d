/*
 * player.h - a cache with a policy, driven as the simulator drives it, and the
 * known answers that every policy has.
 *
 * A string is a list of blocks; +n is a prefetch of n, complete at once.
 */
#ifndef TESTS_UNIT_POLICIES_PLAYER_H
#define TESTS_UNIT_POLICIES_PLAYER_H

#include "tests/unit/conformance.h"

enum { BLOCKS = 256, LENGTH = 2000, SKEW_BLOCKS = 64 };

/* ---- the trace that a policy is given ---- */

/* One call a block.  A test whose references are others still gives a policy this future. */
static struct {
	struct trace	 trace;
	struct access	 call[LENGTH];
	struct open_file open;
	struct file	 file;
	struct use	 use[LENGTH];
	block_t		 ref[LENGTH];
	size_t		 n;
} given;

static inline void
give(const block_t *ref, size_t n)
{
	given.n = n;
	given.file = (struct file){ .base = 1, .nblocks = BLOCKS };
	given.trace = (struct trace){ .block_bytes = 4096,
		.block_shift = 12,
		.access = given.call,
		.naccess = n,
		.open = &given.open,
		.nopen = 1,
		.file = &given.file,
		.nfiles = 1,
		.nprocesses = 1,
		.nblocks = BLOCKS + 1 };
	for (unsigned i = 0; i < n; i++) {
		given.ref[i] = ref[i];
		given.use[i] = (struct use){ .index = ref[i] - 1, .now = i };
		given.call[i] =
		    (struct access){ .time = i, .offset = (ref[i] - 1) * 4096ull, .length = 4096 };
	}
}

/* The next block of a string, or 0 at its end. */
static inline block_t
string_next(const char **string, bool *ahead)
{
	unsigned b;
	int	 used;

	*string += strspn(*string, " ");
	*ahead = **string == '+';
	if (!**string)
		return 0;
	ck_assert_int_eq(sscanf(*string + *ahead, "%u%n", &b, &used), 1);
	*string += used + *ahead;
	return b;
}

/* What the string demands. */
static inline void
give_string(const char *string)
{
	block_t ref[LENGTH], b;
	size_t	n = 0;
	bool	ahead;

	while ((b = string_next(&string, &ahead)))
		if (!ahead)
			ref[n++] = b;
	give(ref, n);
}

/* References to 64 blocks, the small ones far more often. */
static inline void
make_skew(block_t ref[LENGTH])
{
	uint32_t x = 1;

	for (unsigned i = 0; i < LENGTH; i++) {
		uint32_t u;

		x = (uint32_t)((1103515245u * (uint64_t)x + 12345) & INT32_MAX);
		u = x >> 16;
		ref[i] = 1 + ((u * u >> 15) * SKEW_BLOCKS >> 15);
	}
}

static inline void
give_skew(void)
{
	block_t ref[LENGTH];

	make_skew(ref);
	give(ref, LENGTH);
}

/* ---- a cache with a policy ---- */

struct player {
	const struct policy *policy;
	void		    *self;
	struct cache	     cache;
	struct future	     future;
	uint64_t	     hits, wasted;  /* wasted: prefetched, evicted unused */
	uint64_t	     ghosts;	    /* that a demand found */
	char		     marks[LENGTH]; /* H or . for each demand reference */
	size_t		     n;
	bool		     other, write; /* the next references: through descriptor 1; writes */
};

static struct player player;

/* "2q:kout=100"; where prefetched blocks enter.  The future is that of the trace given last. */
static inline void
start_with(const char *setting, frame_t frames, enum insert_at ahead)
{
	struct error e = { 0 };
	const char  *params;
	const void  *found = registry_find(PLUGIN_POLICY, setting, &params, &e);

	ck_assert_msg(found != NULL, "%s: %s", setting, e.text);
	player = (struct player){ .policy = found };
	player.self = calloc(1, player.policy->plugin.state_size + 1);
	ck_assert_int_eq(cache_init(&player.cache, frames, BLOCKS + 1, &e), 0);
	player.cache.ahead = ahead;
	ck_assert_msg(!params_set(&player.policy->plugin, player.self, params, &e), "%s", e.text);
	if (player.policy->needs & NEEDS_FUTURE)
		ck_assert(!future_init(&player.future, &given.trace, &e));
	ck_assert_msg(!player.policy->init ||
		!player.policy->init(player.self, &player.cache, &given.trace,
		    player.policy->needs & NEEDS_FUTURE ? &player.future : NULL, &e),
	    "%s: %s", setting, e.text);
}

static inline void
start(const char *setting, frame_t frames)
{
	start_with(setting, frames, INSERT_HEAD);
}

static inline void
finish(void)
{
	if (player.policy->release)
		player.policy->release(player.self);
	free(player.self);
	future_release(&player.future);
	cache_release(&player.cache);
}

/* The value of a counter of the policy. */
static inline uint64_t
counted(const char *name)
{
	const struct counter *c = player.policy->plugin.counters;

	while (strcmp(c->name, name) != 0)
		c++;
	return counter_value(player.self, c);
}

/* The message about a setting that does not suit a cache of so many frames. */
static inline const char *
refusal(const char *setting, frame_t frames)
{
	static struct error  e;
	const char	    *params;
	const void	    *found = registry_find(PLUGIN_POLICY, setting, &params, &e);
	const struct policy *p = found;
	struct cache	     c = { .nframes = frames, .nblocks = BLOCKS + 1 };
	void		    *self = calloc(1, p->plugin.state_size);

	e.text[0] = '\0';
	ck_assert(!params_set(&p->plugin, self, params, &e));
	ck_assert_int_eq(p->init(self, &c, &given.trace, NULL, &e), -1);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	p->release(self);
	free(self);
	return e.text;
}

/* What the policy is told of a reference to b, if it needs that. */
static inline const struct use *
use_of(block_t b)
{
	static struct use use;

	use = (struct use){ .index = b - 1,
		.open = player.other,
		.write = player.write,
		.now = (usec_t)player.n };
	return player.policy->needs & NEEDS_USE ? &use : NULL;
}

/* The frame of a victim, after checking that it may be one. */
static inline frame_t
evict(block_t incoming)
{
	struct cache *c = &player.cache;
	frame_t	      f = player.policy->evict(player.self, c, incoming);
	const char   *name = player.policy->plugin.name;

	REQUIRE(f >= 1 && f <= c->nused, "%s evicts frame %u", name, f);
	REQUIRE(!(c->frame[f].flags & FRAME_INFLIGHT), "%s evicts a frame in flight", name);
	REQUIRE(cache_find(c, c->frame[f].block) == f, "%s evicts frame %u again", name, f);
	return f;
}

/* b is not resident: bring it in. */
static inline frame_t
fill(block_t b, uint8_t flags)
{
	struct cache *c = &player.cache;
	bool	      demanded = !(flags & FRAME_PREFETCHED), ghost = false;
	frame_t	      f;

	if (player.policy->miss)
		ghost = player.policy->miss(player.self, c, b, demanded, use_of(b));
	player.ghosts += ghost && demanded;
	f = cache_take(c);
	if (!f) {
		f = evict(b);
		player.wasted += (c->frame[f].flags & FRAME_PREFETCHED) != 0;
		cache_unbind(c, f);
	}
	cache_bind(c, f, b);
	c->frame[f].flags = flags;
	player.policy->insert(player.self, c, f, use_of(b));
	return f;
}

static inline bool
demand(block_t b)
{
	frame_t f = cache_find(&player.cache, b);

	if (player.future.next && player.n < given.n && given.ref[player.n] == b)
		future_pass(&player.future, b);
	player.marks[player.n++ % LENGTH] = f ? 'H' : '.';
	if (!f) {
		fill(b, 0);
		return false;
	}
	player.policy->hit(player.self, &player.cache, f, use_of(b));
	player.cache.frame[f].flags &= (uint8_t)~FRAME_PREFETCHED;
	player.hits++;
	return true;
}

static inline void
prefetch(block_t b)
{
	if (!cache_find(&player.cache, b))
		fill(b, FRAME_PREFETCHED);
}

static inline void
play(const char *string)
{
	bool ahead;

	for (block_t b; (b = string_next(&string, &ahead));) {
		if (ahead)
			prefetch(b);
		else
			demand(b);
	}
}

/* As advice does, throw b out if it is there and not in flight. */
static inline void
drop(block_t b)
{
	const struct policy *p = player.policy;
	frame_t		     f = cache_find(&player.cache, b);

	REQUIRE(p->remove, "%s has no remove()", p->plugin.name);
	if (!f || player.cache.frame[f].flags & FRAME_INFLIGHT)
		return;
	p->remove(player.self, &player.cache, f);
	cache_vacate(&player.cache, f);
}

/* The I/O of resident block b has started, or has completed. */
static inline void
fly(block_t b, bool on)
{
	struct frame *f = &player.cache.frame[cache_find(&player.cache, b)];

	f->flags = (uint8_t)(on ? f->flags | FRAME_INFLIGHT : f->flags & ~FRAME_INFLIGHT);
}

/* Throw everything out: the blocks in the order in which they go. */
static inline const char *
eviction_order(void)
{
	static char text[8 * BLOCKS];
	size_t	    n = 0;

	text[0] = '\0';
	for (frame_t left = player.cache.nused; left; left--) {
		frame_t f = evict(NIL);

		n += (size_t)snprintf(text + n, sizeof(text) - n, n ? " %u" : "%u",
		    player.cache.frame[f].block);
		cache_unbind(&player.cache, f);
	}
	return text;
}

/* The hits of a string, from an empty cache. */
static inline uint64_t
hits_of(const char *setting, const char *string, frame_t frames)
{
	uint64_t hits;

	give_string(string);
	start(setting, frames);
	play(string);
	hits = player.hits;
	finish();
	return hits;
}

/* The hits of the policy that has been started, on the trace that it was given. */
static inline uint64_t
replay_all(void)
{
	struct batch batch = { .ref = given.ref,
		.use = given.use,
		.future = &player.future,
		.n = given.n };

	player.policy->replay(player.self, &player.cache, &batch);
	finish();
	return batch.hits;
}

static inline uint64_t
replay(const char *setting, frame_t frames, const block_t *ref)
{
	give(ref, LENGTH);
	start(setting, frames);
	return replay_all();
}

/* ---- known answers ---- */

#define BELADY "1 2 3 4 1 2 5 1 2 3 4 5"
#define LOOP "1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5"
#define SCAN "1 2 1 2 1 2 3 4 5 6 7 8 9 10 1 2 1 2"
#define READ_AHEAD "1 +2 +3 2 4 +5 +6 5 3 1 7 +8 2 6 8 5"

/* The hits of a policy on the strings that all have: BELADY with 3 and with 4 frames, and so on. */
struct row {
	const char *setting;
	uint64_t    belady3, belady4, loop, scan, skew;
	const char *ahead; /* READ_AHEAD with 4 frames: the marks, then the blocks evicted unused */
	uint64_t    wasted;
};

static inline void
check_row(const struct row *r)
{
	block_t skew[LENGTH];

	ck_assert_uint_eq(hits_of(r->setting, BELADY, 3), r->belady3);
	ck_assert_uint_eq(hits_of(r->setting, BELADY, 4), r->belady4);
	ck_assert_uint_eq(hits_of(r->setting, LOOP, 4), r->loop);
	ck_assert_uint_eq(hits_of(r->setting, SCAN, 4), r->scan);
	make_skew(skew);
	ck_assert_uint_eq(replay(r->setting, 16, skew), r->skew);
	give_string(READ_AHEAD);
	start(r->setting, 4);
	play(READ_AHEAD);
	ck_assert_str_eq(player.marks, r->ahead);
	ck_assert_uint_eq(player.wasted, r->wasted);
	finish();
}

/* Blocks 1 to n, again and again: the hits of each pass, as "0 5 5". */
static inline const char *
hits_of_passes(const char *setting, frame_t frames, block_t n, unsigned passes)
{
	static char text[256];
	block_t	    ref[LENGTH];
	size_t	    used = 0;

	for (unsigned i = 0; i < n * passes; i++)
		ref[i] = 1 + i % n;
	give(ref, n * passes);
	start(setting, frames);
	for (unsigned pass = 0; pass < passes; pass++) {
		uint64_t hits = player.hits;

		for (block_t b = 1; b <= n; b++)
			demand(b);
		used += (size_t)snprintf(text + used, sizeof(text) - used, pass ? " %u" : "%u",
		    (unsigned)(player.hits - hits));
	}
	finish();
	return text;
}

/* What a string leaves in so many frames, in the order in which it would go. */
static inline const char *
order_of(const char *setting, frame_t frames, const char *string)
{
	const char *text;

	give_string(string);
	start(setting, frames);
	play(string);
	text = eviction_order();
	finish();
	return text;
}

static inline void
check_order(const char *setting, frame_t frames, const char *string, const char *order)
{
	ck_assert_str_eq(order_of(setting, frames, string), order);
}

/* The same in four frames, kept. */
static inline void
order_after(char *text, size_t size, const char *setting, const char *string)
{
	snprintf(text, size, "%.*s", (int)size - 1, order_of(setting, 4, string));
}

/* A prefetch and its first reference leave what one reference leaves. */
static inline void
check_prefetch_counts_once(const char *setting)
{
	static const char *const pair[][2] = {
		{ "1", "+1 1" },
		{ "1 2 3 4 2 3 5", "1 2 3 4 2 3 +5 5" },
		{ "1 2 1 3", "1 2 1 +3 3" },
		{ "1 1 2 3 2 4 4 5 6", "1 1 +2 2 +3 3 2 4 4 +5 5 +6 6" },
	};
	char plain[64], ahead[64];

	for (unsigned i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		order_after(plain, sizeof(plain), setting, pair[i][0]);
		order_after(ahead, sizeof(ahead), setting, pair[i][1]);
		ck_assert_str_eq(plain, ahead);
	}
}

/* Skewed references hit with the one setting where they hit with the other. */
static inline void
check_same_hits(const char *setting, const char *other, frame_t frames)
{
	bool hit[LENGTH];

	give_skew();
	start(setting, frames);
	for (unsigned i = 0; i < LENGTH; i++)
		hit[i] = demand(given.ref[i]);
	finish();
	start(other, frames);
	for (unsigned i = 0; i < LENGTH; i++)
		REQUIRE(demand(given.ref[i]) == hit[i], "%s differs from %s with %u frames, at %u",
		    setting, other, frames, i);
	finish();
}

/* Of four frames, filled in the order in which they would go, the ones in flight are passed over. */
static inline void
check_passes_over(void)
{
	play("1 2 3 4");
	fly(1, true);
	fly(3, true);
	demand(5);
	ck_assert(!cache_find(&player.cache, 2));
	demand(6);
	ck_assert(!cache_find(&player.cache, 4));
	fly(1, false);
	demand(7);
	ck_assert(!cache_find(&player.cache, 1));
	ck_assert(cache_find(&player.cache, 3));
}

#endif

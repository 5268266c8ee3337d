/* directory.h - the lists of ARC and CAR as text, and their limits. */
#ifndef TESTS_UNIT_POLICIES_DIRECTORY_H
#define TESTS_UNIT_POLICIES_DIRECTORY_H

#include "policies/directory.h"
#include "tests/unit/policies/player.h"

/* The state of both begins with it. */
static inline const struct directory *
directory(void)
{
	return player.self;
}

static inline size_t
list_text(char *text, size_t size, const char *name, const struct flist *l, const struct frame *fr)
{
	size_t used = (size_t)snprintf(text, size, "%s", name);

	for (frame_t f = l->head; f; f = fr[f].next)
		used += (size_t)snprintf(text + used, size - used, " %u", fr[f].block);
	return used;
}

/* "T1 10 9, T2 2 1, B1 8 7, B2, target 0", the newest first. */
static inline const char *
directory_text(void)
{
	static char		text[64 * BLOCKS];
	const struct directory *d = directory();
	const struct frame     *fr = player.cache.frame, *ghost = d->ghosts.entry;
	size_t			used = 0;

	used += list_text(text + used, sizeof(text) - used, "T1", &d->t[T1], fr);
	used += list_text(text + used, sizeof(text) - used, ", T2", &d->t[T2], fr);
	used += list_text(text + used, sizeof(text) - used, ", B1", &d->b[T1], ghost);
	used += list_text(text + used, sizeof(text) - used, ", B2", &d->b[T2], ghost);
	snprintf(text + used, sizeof(text) - used, ", target %g", d->target);
	return text;
}

static inline void
check_lists(const char *setting, const char *string, frame_t frames, const char *lists)
{
	start(setting, frames);
	play(string);
	ck_assert_str_eq(directory_text(), lists);
	finish();
}

/* The length of a list, all of whose entries say that they are in it. */
static inline frame_t
count(const struct flist *l, const struct frame *fr, uint8_t list)
{
	frame_t n = 0;

	for (frame_t f = l->head; f; f = fr[f].next, n++)
		REQUIRE((fr[f].list & T2) == list, "entry %u is in the wrong list", f);
	REQUIRE(n == l->len, "a list of %u says that it has %u", n, l->len);
	return n;
}

/* The limits of the paper; and every ghost is found, and is not resident. */
static inline void
check_limits(void)
{
	const struct directory *d = directory();
	const struct cache     *c = &player.cache;
	const struct frame     *ghost = d->ghosts.entry;
	frame_t			t1 = count(&d->t[T1], c->frame, T1);
	frame_t			t2 = count(&d->t[T2], c->frame, T2);
	frame_t			b1 = count(&d->b[T1], ghost, T1), b2 = count(&d->b[T2], ghost, T2);
	frame_t			found = 0, resident = 0;

	REQUIRE(t1 + t2 <= c->nframes, "%u and %u resident", t1, t2);
	REQUIRE(t1 + b1 <= c->nframes, "T1 %u, B1 %u", t1, b1);
	REQUIRE(t1 + t2 + b1 + b2 <= 2 * c->nframes, "%u %u %u %u", t1, t2, b1, b2);
	REQUIRE(d->target >= 0 && d->target <= c->nframes, "target %g", d->target);
	for (block_t b = 1; b <= BLOCKS; b++) {
		resident += cache_find(c, b) != NIL;
		found += ghosts_find(&d->ghosts, c, b) != NIL;
		REQUIRE(!cache_find(c, b) || !ghosts_find(&d->ghosts, c, b), "%u is both", b);
	}
	REQUIRE(resident == t1 + t2 && found == b1 + b2, "lists and tables differ");
}

/* Something that the simulator may do: a demand, prefetch, drop, or the start or end of I/O. */
static inline void
step_at_random(uint64_t *seed, frame_t *flying, bool ahead)
{
	block_t	 b = 1 + random_below(seed, 3 * player.cache.nframes + 2);
	frame_t	 f = cache_find(&player.cache, b);
	unsigned what = random_below(seed, ahead ? 10 : 6);
	bool	 flies = player.cache.frame[f].flags & FRAME_INFLIGHT;

	if (what < 6 && what % 2)
		demand(b);
	else if (what < 6) /* again and again the same few, so that T2 is used */
		demand(1 + b % (1 + player.cache.nframes / 2));
	else if (what < 8)
		prefetch(b);
	else if (what == 8)
		drop(b);
	else if (f && (flies || *flying + 1 < player.cache.nframes)) {
		fly(b, !flies);
		*flying += flies ? UINT32_MAX : 1;
	}
}

/* Random runs with caches of many sizes; at the end everything is thrown out. */
static inline void
check_limits_at_random(const char *setting)
{
	for (frame_t frames = 1; frames < 40; frames += 1 + frames / 4) {
		for (unsigned run = 0; run < 20; run++) {
			uint64_t seed = 100 * frames + run;
			frame_t	 flying = 0;

			start(setting, frames);
			for (unsigned i = 0; i < 400; i++) {
				step_at_random(&seed, &flying, run % 2);
				check_limits();
			}
			for (block_t b = 1; b <= BLOCKS; b++)
				if (cache_find(&player.cache, b))
					fly(b, false);
			for (frame_t left = directory()->t[T1].len + directory()->t[T2].len; left;
			     left--) {
				cache_unbind(&player.cache, evict(NIL));
				check_limits();
			}
			finish();
		}
	}
}

/* A full cache, everything dropped, full again: nothing is evicted, and ghosts stay. */
static inline void
check_limits_after_drops(const char *setting)
{
	start(setting, 8);
	for (unsigned round = 0; round < 20; round++) {
		for (block_t b = 1; b <= 20; b++) {
			demand((b * (round + 1)) % 37 + 1);
			demand((b * (round + 1)) % 37 + 1);
			check_limits();
		}
		for (block_t b = 1; b <= 40; b++) {
			drop(b);
			check_limits();
		}
	}
	finish();
}

#endif

/* textbook.c - a hash table and a linked list. */
#include <stdlib.h>

#include "tests/bench/textbook.h"

struct entry {
	struct entry *prev, *next; /* in order of use */
	struct entry *chain;	   /* in one bucket */
	block_t	      block;
};

struct textbook {
	struct entry **bucket;
	size_t	       mask;
	struct entry   ends; /* of the list: next is the latest, prev the oldest */
	uint32_t       used, nframes;
};

static struct entry **
bucket_of(const struct textbook *t, block_t b)
{
	return &t->bucket[(b * UINT64_C(0x9e3779b97f4a7c15) >> 32) & t->mask];
}

static void
unlink_entry(struct entry *e)
{
	e->prev->next = e->next;
	e->next->prev = e->prev;
}

static void
push(struct textbook *t, struct entry *e)
{
	e->prev = &t->ends;
	e->next = t->ends.next;
	e->next->prev = e;
	t->ends.next = e;
}

static struct entry *
find(const struct textbook *t, block_t b)
{
	struct entry *e = *bucket_of(t, b);

	while (e && e->block != b)
		e = e->chain;
	return e;
}

static void
evict(struct textbook *t)
{
	struct entry  *e = t->ends.prev;
	struct entry **at = bucket_of(t, e->block);

	while (*at != e)
		at = &(*at)->chain;
	*at = e->chain;
	unlink_entry(e);
	free(e);
	t->used--;
}

static int
insert(struct textbook *t, block_t b)
{
	struct entry **at = bucket_of(t, b);
	struct entry  *e = malloc(sizeof(*e));

	if (!e)
		return -1;
	*e = (struct entry){ .block = b, .chain = *at };
	*at = e;
	push(t, e);
	t->used++;
	return 0;
}

static int
reference(struct textbook *t, block_t b)
{
	struct entry *e = find(t, b);

	if (e) {
		unlink_entry(e);
		push(t, e);
		return 1;
	}
	if (t->used == t->nframes)
		evict(t);
	return insert(t, b);
}

int64_t
textbook_replay(uint32_t nframes, const block_t *ref, size_t n)
{
	struct textbook t = { .nframes = nframes, .mask = 1 };
	int64_t		hits = 0;

	while (t.mask < nframes)
		t.mask *= 2;
	t.bucket = calloc(t.mask, sizeof(struct entry *));
	if (!t.bucket)
		return -1;
	t.mask--;
	t.ends.prev = t.ends.next = &t.ends;
	for (size_t i = 0; i < n && hits >= 0; i++) {
		int hit = reference(&t, ref[i]);

		hits = hit < 0 ? -1 : hits + hit;
	}
	while (t.used)
		evict(&t);
	free(t.bucket);
	return hits;
}

/*
 * arc.c - ARC: two lists share the cache, and ghosts say which deserves more.
 *
 * T1 holds the blocks that have come once, T2 those that came back, each by
 * last reference; B1 and B2 remember what has left them.  A block that is
 * demanded while B1 remembers it would have been a hit in a longer T1, so T1
 * becomes longer at the cost of T2; of B2 the other way round.  directory.h
 * has the lists.
 *
 *	N. Megiddo, D. S. Modha.  ARC: a self-tuning, low overhead replacement
 *	cache.  2nd USENIX Conference on File and Storage Technologies (FAST),
 *	2003.
 *
 * Prefetching: a prefetched block enters T1, and its first demand reference
 * leaves it where it is, or moves it to T2 if it was remembered.  A prefetch
 * changes no target.  A block evicted before it is used is not remembered.
 * O(1), except that evict() skips frames in flight.
 *
 * accusim=1 does as AccuSim did (Butt, Gniady, Hu, SIGMETRICS 2005): the
 * target starts at half the cache and moves by whole blocks, and T1 loses a
 * block as soon as it is as long as the target.  A prefetched block that was
 * remembered is remembered again if it is not used.  A demanded block that is
 * read in a batch of readahead enters T1 even if it was remembered; then it
 * changes the target only for the eviction that makes room for it.
 */
#include "policies/directory.h"
#include "sim/core/policy.h"

struct arc {
	struct directory d;
	uint64_t	 accusim;
	uint8_t		 incoming; /* where the block of the last miss() goes */
	bool		 from_b2;  /* that block was in B2 */
	double		 before;   /* the target before a ghost moved it */
};

static const struct param arc_params[] = {
	{ "accusim", PARAM_COUNT, 0, 0, 1, offsetof(struct arc, accusim),
	    "1: the target starts at half the cache, moves by whole blocks, and is never exceeded; readahead does not move it",
	    NULL },
	{ 0 },
};

static int
arc_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	struct arc *a = self;

	a->d.target = a->accusim ? c->nframes / 2 : 0;
	return directory_init(&a->d, c, e);
}

static void
arc_release(void *self)
{
	ghosts_release(&((struct arc *)self)->d.ghosts);
}

static void
arc_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct arc	   *a = self;
	const struct frame *fr = &c->frame[f];

	if (fr->list == T2)
		flist_to_head(&a->d.t[T2], c->frame, f);
	else if (!(fr->flags & FRAME_PREFETCHED) || fr->list & WAS_GHOST)
		directory_promote(&a->d, c, f);
}

static bool
arc_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct arc *a = self;
	frame_t	    ghost = ghosts_find(&a->d.ghosts, c, b);

	if (!ghost)
		return false;
	a->before = a->d.target;
	if (demand) {
		a->from_b2 = directory_side(&a->d, ghost) == T2;
		directory_adapt(&a->d, c, ghost, a->accusim);
	}
	directory_forget(&a->d, c, ghost);
	a->incoming = demand ? T2 : T1 | WAS_GHOST;
	return true;
}

/* Does T1 lose a block? */
static bool
t1_loses(const struct arc *a)
{
	double length = a->d.t[T1].len;

	if (length < 1)
		return false;
	if (a->accusim)
		return length >= a->d.target;
	return length > a->d.target || (a->from_b2 && length >= a->d.target);
}

/* Does the block of a frame that leaves become a ghost? */
static bool
remembers(const struct arc *a, const struct frame *fr)
{
	return !(fr->flags & FRAME_PREFETCHED) || (a->accusim && fr->list & WAS_GHOST);
}

static frame_t
arc_evict(void *self, struct cache *c, block_t incoming)
{
	struct arc *a = self;
	frame_t	    f = directory_oldest(&a->d, c->frame, t1_loses(a));

	ASSERT(a->d.t[T1].len + a->d.t[T2].len <= c->nused);
	directory_evict(&a->d, c, f, remembers(a, &c->frame[f]));
	return f;
}

static void
arc_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct arc *a = self;

	ASSERT(!a->from_b2 || a->incoming == T2); /* both by one demand */
	if (a->accusim && a->incoming == T2 && c->frame[f].flags & FRAME_AWAITED) {
		a->incoming = T1;
		a->d.target = a->before;
	}
	if (a->incoming != T2)
		directory_make_room(&a->d, c);
	directory_push(&a->d, c, f, a->incoming);
	a->incoming = T1;
	a->from_b2 = false;
}

static void
arc_remove(void *self, struct cache *c, frame_t f)
{
	struct arc *a = self;

	flist_remove(directory_list(&a->d, &c->frame[f]), c->frame, f);
}

static const void *
arc_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct arc *)self)->d.ghosts, b);
}

POLICY(arc,
    .plugin = {
	.name = "arc",
	.summary = "two lists share the cache as their ghosts suggest (Megiddo, Modha 2003)",
	.source = "N. Megiddo, D. S. Modha: ARC: a self-tuning, low overhead replacement cache, FAST 2003",
	.state_size = sizeof(struct arc),
	.params = arc_params,
    },
    .on_hit = HIT_MOVES,
    .places = 1 << INSERT_TAIL,
    .init = arc_init,
    .release = arc_release,
    .hit = arc_hit,
    .miss = arc_miss,
    .evict = arc_evict,
    .insert = arc_insert,
    .remove = arc_remove,
    .expect = arc_expect);

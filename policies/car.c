/*
 * car.c - CAR: the lists of ARC as clocks, so that a hit only sets a bit.
 *
 * T1 and T2 are queues.  Eviction looks at the oldest frame of T1 if T1 is as
 * long as the target, else of T2.  If its bit is set, the bit is cleared and
 * the frame becomes the newest of T2; else it is the victim, and B1 or B2
 * remembers its block.  A demand for a block that B1 or B2 remembers moves the
 * target after the victim is chosen.  directory.h has the lists.
 *
 *	S. Bansal, D. S. Modha.  CAR: clock with adaptive replacement.  3rd
 *	USENIX Conference on File and Storage Technologies (FAST), 2004.
 *
 * Prefetching: a prefetched block enters T1 with its bit clear, and its first
 * demand reference leaves the bit clear, or moves the block to T2 if it was
 * remembered.  A prefetch changes no target.  A block evicted before it is
 * used is not remembered.  O(1) amortised; a frame in flight is skipped and
 * keeps its bit.
 */
#include "policies/directory.h"
#include "sim/core/policy.h"

enum { REFERENCED = 1 << 6 }; /* of a frame's list */

struct car {
	struct directory d;
	frame_t		 ghost;	   /* of the block of the last miss() */
	uint8_t		 incoming; /* where that block goes if it has no ghost */
};

static int
car_init(void *self, const struct cache *c, const struct trace *t, const struct future *future,
    struct error *e)
{
	return directory_init(&((struct car *)self)->d, c, e);
}

static void
car_release(void *self)
{
	ghosts_release(&((struct car *)self)->d.ghosts);
}

static void
car_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct frame *fr = &c->frame[f];

	if (!(fr->flags & FRAME_PREFETCHED))
		fr->list |= REFERENCED;
	else if (fr->list & WAS_GHOST)
		directory_promote(&((struct car *)self)->d, c, f);
}

static bool
car_miss(void *self, struct cache *c, block_t b, bool demand, const struct use *u)
{
	struct car *car = self;
	frame_t	    ghost = ghosts_find(&car->d.ghosts, c, b);

	if (!ghost)
		return false;
	if (demand) {
		car->ghost = ghost;
	} else {
		directory_forget(&car->d, c, ghost);
		car->incoming = T1 | WAS_GHOST;
	}
	return true;
}

static frame_t
car_evict(void *self, struct cache *c, block_t incoming)
{
	struct directory *d = &((struct car *)self)->d;
	frame_t		  f;

	ASSERT(d->t[T1].len + d->t[T2].len <= c->nused);
	for (;;) {
		double length = d->t[T1].len;

		f = directory_oldest(d, c->frame, length >= 1 && length >= d->target);
		if (!(c->frame[f].list & REFERENCED))
			break;
		directory_promote(d, c, f);
	}
	directory_evict(d, c, f, !(c->frame[f].flags & FRAME_PREFETCHED));
	return f;
}

static void
car_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct car *car = self;

	if (car->ghost) {
		ASSERT(ghosts_find(&car->d.ghosts, c, c->frame[f].block) == car->ghost);
		directory_adapt(&car->d, c, car->ghost, false);
		directory_forget(&car->d, c, car->ghost);
		directory_push(&car->d, c, f, T2);
	} else {
		directory_make_room(&car->d, c);
		directory_push(&car->d, c, f, car->incoming);
	}
	car->ghost = NIL;
	car->incoming = T1;
}

static void
car_remove(void *self, struct cache *c, frame_t f)
{
	struct car *car = self;

	flist_remove(directory_list(&car->d, &c->frame[f]), c->frame, f);
}

static const void *
car_expect(const void *self, block_t b)
{
	return ghosts_expect(&((const struct car *)self)->d.ghosts, b);
}

POLICY(car,
    .plugin = {
	.name = "car",
	.summary = "ARC with clocks, so that a hit only sets a bit (Bansal, Modha 2004)",
	.source = "S. Bansal, D. S. Modha: CAR: clock with adaptive replacement, FAST 2004",
	.state_size = sizeof(struct car),
    },
    .on_hit = HIT_MARKS,
    .places = 1 << INSERT_TAIL,
    .init = car_init,
    .release = car_release,
    .hit = car_hit,
    .miss = car_miss,
    .evict = car_evict,
    .insert = car_insert,
    .remove = car_remove,
    .expect = car_expect);

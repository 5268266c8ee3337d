/*
 * linux24mm.c - the two lists of Linux 2.4.20: a second reference protects a block.
 *
 * Blocks enter the inactive list.  A reference sets the bit of a frame; a
 * second one, if the frame is inactive, moves it to the active list and clears
 * the bit.  Eviction takes the tail of the inactive list, whatever its bit.
 * Before every 32nd eviction the inactive list is refilled from the tail of
 * the active list, with 32 |active| / (2 (|inactive| + 1)) frames, or one if it
 * is empty.  A frame whose bit is set becomes the newest active one instead,
 * without its bit.  A frame that is moved gets the bit: one reference brings
 * it back.
 *
 *	Linux 2.4.20, mm/vmscan.c and mark_page_accessed() of mm/filemap.c.
 *
 * Departures: the kernel frees 32 pages at a time and scans by zone and
 * priority; here one frame leaves at a time, and `batch` counts evictions
 * between refills.  The kernel does not mark a page when a read continues
 * within it; here every reference marks.
 *
 * Prefetching: a prefetched block enters the inactive list without the bit,
 * and its first demand reference sets the bit, as loading a block by demand
 * does.  O(1) amortised; a frame in flight is passed over and keeps its bit.
 */
#include "sim/core/flist.h"
#include "sim/core/policy.h"

enum { ACTIVE = 1 << 0, REFERENCED = 1 << 1 }; /* of a frame's list */
enum { BATCH = 32 };

struct linux24mm {
	struct flist active, inactive; /* heads: newest */
	uint64_t     batch;
	uint64_t     evictions; /* since the last refill */
};

static const struct param linux24mm_params[] = {
	{ "batch", PARAM_COUNT, BATCH, 1, 1 << 16, offsetof(struct linux24mm, batch),
	    "evictions from one refill of the inactive list to the next", NULL },
	{ 0 },
};

static int
linux24mm_init(void *self, const struct cache *c, const struct trace *t,
    const struct future *future, struct error *e)
{
	struct linux24mm *m = self;
	uint64_t	  scaled = cache_scaled(c, m->batch);

	/* In a sample not below the default: refill() would round it away. */
	if (m->batch > BATCH)
		m->batch = scaled > BATCH ? scaled : BATCH;
	return 0;
}

static struct flist *
list_of(struct linux24mm *m, const struct frame *fr)
{
	return fr->list & ACTIVE ? &m->active : &m->inactive;
}

static void
linux24mm_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct linux24mm *m = self;
	struct frame	 *fr = &c->frame[f];

	if (fr->list != REFERENCED) {
		fr->list |= REFERENCED;
		return;
	}
	flist_remove(&m->inactive, c->frame, f);
	fr->list = ACTIVE;
	flist_push(&m->active, c->frame, f);
}

/* Move n frames to the inactive list, or all that are not in flight. */
static void
refill(struct linux24mm *m, struct frame *fr, uint64_t n)
{
	frame_t f;

	while (n && (f = flist_last_evictable(&m->active, fr))) {
		flist_remove(&m->active, fr, f);
		if (fr[f].list & REFERENCED) {
			fr[f].list = ACTIVE;
			flist_push(&m->active, fr, f);
		} else {
			fr[f].list = REFERENCED;
			flist_push(&m->inactive, fr, f);
			n--;
		}
	}
}

static frame_t
linux24mm_evict(void *self, struct cache *c, block_t incoming)
{
	struct linux24mm *m = self;
	frame_t		  f;

	ASSERT(m->active.len + m->inactive.len <= c->nused);
	if (m->evictions++ % m->batch == 0)
		refill(m, c->frame,
		    m->batch * m->active.len / (2 * ((uint64_t)m->inactive.len + 1)));
	while (!(f = flist_last_evictable(&m->inactive, c->frame)))
		refill(m, c->frame, 1);
	flist_remove(&m->inactive, c->frame, f);
	return f;
}

static void
linux24mm_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	struct linux24mm *m = self;
	struct frame	 *fr = &c->frame[f];

	fr->list = fr->flags & FRAME_PREFETCHED ? 0 : REFERENCED;
	flist_enter(&m->inactive, c, f);
}

static void
linux24mm_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(list_of(self, &c->frame[f]), c->frame, f);
}

POLICY(linux24mm,
    .plugin = {
	.name = "linux24mm",
	.summary = "active and inactive list of Linux 2.4.20: a second reference protects",
	.source = "Linux 2.4.20, mm/vmscan.c",
	.state_size = sizeof(struct linux24mm),
	.params = linux24mm_params,
    },
    .on_hit = HIT_MARKS,
    .places = 1 << INSERT_TAIL,
    .init = linux24mm_init,
    .hit = linux24mm_hit,
    .evict = linux24mm_evict,
    .insert = linux24mm_insert,
    .remove = linux24mm_remove);

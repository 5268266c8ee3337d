/*
 * tap.c - table-based prefetching: streams are found by what they miss.
 *
 * A miss of block x enters x+1, the address at which a stream would go on,
 * into a small table of the file, and the oldest address leaves it.  A miss of
 * an address that is in the table is a stream: a set is read behind it.  When
 * the program comes to the last block of a set, the next set is read.
 * Detection needs no block in the cache, and a block that is read at random
 * costs an address only.
 *
 * With limit=adapt, the blocks that were read ahead and are not used yet are
 * at most so many; what goes beyond it is left out of a set.  The limit is p at
 * first, grows by p with each of them that is evicted unused, as more room
 * would have saved it, and shrinks by one, to p at least, with as many uses in
 * a row as it says.
 *
 *	M. Li, E. Varki, S. Bhatia, A. Merchant.  TaP: table-based prefetching
 *	for storage caches.  6th USENIX Conference on File and Storage
 *	Technologies (FAST), 2008.
 *
 * Departures: the paper has one table for an array of disks, keeps what it
 * reads ahead in a cache of its own, and adapts the size of that; the rule of
 * the limit, and the defaults, are bufsim's own.  O(1) a reference, O(p) a set,
 * 2 bytes per block of the trace, 16 per file and 8 per entry.
 */
#include "prefetch/sets.h"
#include "sim/base/memory.h"

enum { ENTRIES_MAX = (1 << 14) - 1, UNUSED = 1 << 14, TRIGGER = 1 << 15 };

struct entry {
	block_t	 expected;     /* NIL: none */
	uint16_t older, newer; /* of entry 0, which is between both ends: the newest, the oldest */
};

struct table {			  /* of a file */
	struct entry *entry;	  /* [0 .. most] */
	uint16_t      used, most; /* entries */
};

struct tap {
	uint64_t	    p, entries, limit;
	struct table	   *table; /* by file */
	struct entry	   *entry; /* of all of them */
	uint16_t	   *place; /* by slot: number of the entry, or 0; and TRIGGER */
	struct slots	    slots;
	uint64_t	    room, in_a_row; /* the limit, and uses since it changed */
	uint64_t	    unused; /* blocks in the cache, but for those of the newest plan: */
	block_t		    first;
	uint32_t	    count;
	const struct cache *cache;
	uint64_t	    streams, triggered_sets, cut_blocks;
};

enum { LIMIT_OFF, LIMIT_ADAPT, LIMITS };

static const char *const limit_words[LIMITS + 1] = { "off", "adapt", NULL };

static const struct param tap_params[] = {
	{ "p", PARAM_COUNT, 4, 0, SET_MAX, offsetof(struct tap, p),
	    "blocks of a set; 0: nothing is read ahead", NULL },
	{ "entries", PARAM_COUNT, 64, 0, ENTRIES_MAX, offsetof(struct tap, entries),
	    "addresses in the table of a file", NULL },
	{ "limit", PARAM_WORD, LIMIT_OFF, 0, LIMITS - 1, offsetof(struct tap, limit),
	    "is the number of blocks limited that are read ahead and not used yet?", limit_words },
	{ 0 },
};

static const struct counter tap_counters[] = {
	{ "streams", "streams", "found: a miss of an address in the table",
	    offsetof(struct tap, streams) },
	{ "triggered_sets", "sets", "read at the last block of another",
	    offsetof(struct tap, triggered_sets) },
	{ "cut_blocks", "blocks", "left out of sets, as they go beyond the limit",
	    offsetof(struct tap, cut_blocks) },
	{ 0 },
};

/* ---- the table of addresses ---- */

static uint16_t *
place_of(struct tap *tap, block_t b)
{
	return &tap->place[slots_enter(&tap->slots, b)];
}

/* Entry i becomes the one between entries `older` and `newer`, which are neighbours. */
static void
link_between(struct entry *e, uint16_t older, uint16_t i, uint16_t newer)
{
	e[i].older = older;
	e[i].newer = newer;
	e[older].newer = e[newer].older = i;
}

static void
unlink_entry(struct entry *e, uint16_t i)
{
	e[e[i].older].newer = e[i].newer;
	e[e[i].newer].older = e[i].older;
}

/* Block b leaves the table.  False: it was not there. */
static bool
leave(struct tap *tap, const struct table *t, block_t b)
{
	uint16_t *place = place_of(tap, b), i = *place & ENTRIES_MAX;

	if (!i)
		return false;
	*place &= (uint16_t)~ENTRIES_MAX;
	t->entry[i].expected = NIL;
	unlink_entry(t->entry, i);
	link_between(t->entry, 0, i, t->entry[0].newer); /* to be taken first */
	return true;
}

/* An entry for block b, the newest: an empty one, or that of the oldest block. */
static void
enter(struct tap *tap, struct table *t, block_t b)
{
	struct entry *e = t->entry;
	uint16_t     *place = place_of(tap, b), i = *place & ENTRIES_MAX;

	if (!i && t->used < t->most && (!e[0].newer || e[e[0].newer].expected)) {
		i = ++t->used;
	} else {
		i = i ? i : e[0].newer;
		unlink_entry(e, i);
	}
	if (e[i].expected && e[i].expected != b)
		*place_of(tap, e[i].expected) &= (uint16_t)~ENTRIES_MAX;
	e[i].expected = b;
	*place = (uint16_t)((*place & ~ENTRIES_MAX) | i);
	link_between(e, e[0].older, i, 0);
}

/* ---- the limit ---- */

/* What the newest plan has brought in: a controller may have cut it. */
static void
count_newest(struct tap *tap)
{
	for (; tap->count; tap->count--, tap->first++) {
		frame_t	  f = cache_find(tap->cache, tap->first);
		uint16_t *place = place_of(tap, tap->first);

		if (!(tap->cache->frame[f].flags & FRAME_PREFETCHED) || *place & UNUSED)
			continue;
		*place |= UNUSED;
		tap->unused++;
	}
}

static void
tap_outcome(void *self, block_t b, enum outcome how)
{
	struct tap *tap = self;
	uint16_t   *place = place_of(tap, b);

	tap->unused -= (*place & UNUSED) != 0;
	*place &= (uint16_t)~UNUSED;
	if (how == PREFETCH_WASTED) {
		tap->room += tap->p;
		tap->in_a_row = 0;
	} else if (++tap->in_a_row >= tap->room) {
		tap->room -= tap->room > tap->p;
		tap->in_a_row = 0;
	}
}

/* The blocks of the next set. */
static uint32_t
set_size(struct tap *tap, struct plan *plan)
{
	uint64_t left = tap->room > tap->unused ? tap->room - tap->unused : 0;

	if (tap->limit == LIMIT_OFF || left >= tap->p)
		return (uint32_t)tap->p;
	plan_note(plan, "cut: too many blocks are not used yet");
	tap->cut_blocks += tap->p - left;
	return (uint32_t)left;
}

/* ---- sets ---- */

static void
read_set(struct tap *tap, const struct demand *d, struct plan *plan)
{
	uint32_t n = plan_set(plan, d, d->index + 1, set_size(tap, plan));

	if (!n)
		return;
	tap->first = d->base + d->index + 1;
	tap->count = n;
	*place_of(tap, d->base + d->index + n) |= TRIGGER;
}

static bool
triggers(struct tap *tap, block_t b)
{
	uint16_t *place = place_of(tap, b);
	bool	  is_trigger = *place & TRIGGER;

	*place &= (uint16_t)~TRIGGER;
	return is_trigger;
}

/* A miss: is it of a stream?  If not, one may begin here. */
static bool
is_found(struct tap *tap, const struct demand *d)
{
	struct table *t = &tap->table[d->file];
	block_t	      b = d->base + d->index;

	if (leave(tap, t, b))
		return true;
	if (d->index + 1 < d->nblocks)
		enter(tap, t, b + 1);
	return false;
}

static void
tap_access(void *self, const struct demand *d, struct plan *plan)
{
	struct tap *tap = self;

	if (!tap->p || !tap->entries)
		return;
	tap->cache = d->cache;
	count_newest(tap);
	if (triggers(tap, d->base + d->index)) {
		tap->triggered_sets++;
		plan_note(plan, "the trigger: the next set");
		read_set(tap, d, plan);
	} else if (d->how == REF_MISS && is_found(tap, d)) {
		tap->streams++;
		plan_note(plan, "its address was in the table: a stream, a set behind it");
		read_set(tap, d, plan);
	}
}

/* A file needs no more entries than it has blocks. */
static uint16_t
entries_of(const struct tap *tap, const struct file *f)
{
	return (uint16_t)(f->nblocks < tap->entries ? f->nblocks : tap->entries);
}

static int
init_tables(struct tap *tap, const struct trace *t, struct error *e)
{
	size_t n = 0;

	for (file_t f = 0; f < t->nfiles; f++)
		n += entries_of(tap, &t->file[f]) + 1u;
	tap->table = file_states_new(t, sizeof(*tap->table), e);
	tap->entry = calloc(n + 1, sizeof(*tap->entry));
	if (!tap->table || !tap->entry)
		return -1;
	n = 0;
	for (file_t f = 0; f < t->nfiles; f++) {
		tap->table[f].most = entries_of(tap, &t->file[f]);
		tap->table[f].entry = tap->entry + n;
		n += tap->table[f].most + 1u;
	}
	return 0;
}

static int
tap_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct tap *tap = self;

	tap->room = tap->p;
	tap->place = memory_table(slots_entries(t), sizeof(*tap->place));
	if (tap->place && !init_tables(tap, t, e) && !slots_init(&tap->slots, t, e))
		return 0;
	return error_set(e, "out of memory for the table of %u blocks", t->nblocks);
}

static void
tap_release(void *self)
{
	struct tap *tap = self;

	free(tap->table);
	free(tap->entry);
	free(tap->place);
	slots_release(&tap->slots);
}

static const char *const tap_state_names[] = { "unused", "limit", NULL };

static void
tap_state(const void *self, uint32_t open, int64_t *value)
{
	const struct tap *tap = self;

	value[0] = (int64_t)(tap->unused + tap->count);
	value[1] = tap->limit == LIMIT_OFF ? -1 : (int64_t)tap->room;
}

PREFETCHER(tap,
    .plugin = { .name = "tap",
	.summary = "streams found in a table of addresses that were missed (Li et al. 2008)",
	.source =
	    "M. Li, E. Varki, S. Bhatia, A. Merchant: TaP: table-based prefetching for storage caches, FAST 2008",
	.state_size = sizeof(struct tap),
	.params = tap_params,
	.counters = tap_counters },
    .init = tap_init, .release = tap_release, .access = tap_access, .outcome = tap_outcome,
    .state_names = tap_state_names, .state = tap_state);

/*
 * mithril.c - blocks that are missed soon after each other, more than once,
 * are associated: a reference to one reads the other ahead.
 *
 * Time is the number of recorded misses.  A block has a row of the times at which it
 * was recorded.  A row with `support` times moves to the mining table.  When
 * that is full it is mined, and emptied:
 *
 *	sort the rows by their first time; for each row a, for each row b whose
 *	first time is at most `range` later, and that has as many times:
 *		if all pairs of k-th times are at most `range` apart, but for
 *		`slack` of them, and b is the first such row or one pair is
 *		exactly 1 apart: b is a partner of a
 *
 * A block has the `list` newest partners.  A block with more than `max_support`
 * times is frequent, and left out until the table is emptied.
 *
 *	J. Yang, R. Karimi, T. Saemundsson, A. Wildani, Y. Vigfusson.  MITHRIL:
 *	mining sporadic associations for cache prefetching.  8th ACM Symposium
 *	on Cloud Computing (SoCC), 2017.
 *
 * The defaults are those of the authors' program, but for `slack`, and for the
 * size of the mining table.  A plan names blocks of the demanded
 * file only: pairs of blocks of two files are counted, not remembered.  Rows
 * and lists of partners take half of `metadata` each, at 4 bytes a number, and
 * entries make room in turn; there are at most 4 million of each.  A block that a
 * plan fetches for the rest of a call is not missed, so that one call of r
 * blocks reads the same blocks as r calls of one.  O(1) a reference, O(rows x
 * range) to mine; 8 bytes per block of the trace.
 */
#include <stdlib.h>

#include "sim/base/memory.h"
#include "sim/core/prefetch.h"

enum record { RECORD_MISSES, RECORD_ALL };
enum { SUPPORT_LIMIT = 16, TABLE = 5120, ENTRIES_MAX = 1 << 22 };

struct row { /* of the mining table */
	block_t	 block;
	file_t	 file;
	uint32_t n; /* times; 0: frequent */
	uint32_t time[SUPPORT_LIMIT];
};

/*
 * Entries of `width` numbers: a block, or 0; how many more were entered; and
 * these.  A full ring gives away its entries in turn.
 */
struct ring {
	uint32_t  size, next, width; /* size and next: entries */
	uint32_t  empty;	     /* 1 + the first entry that was emptied; the next is in it */
	uint32_t *number;
};

#define MINED (UINT32_C(1) << 31) /* the rest is the number of a row of the mining table */

struct known {		   /* of a block */
	uint32_t row;	   /* 1 + that of its entry, or MINED; 0: none */
	uint32_t partners; /* 1 + that of its entry; 0: none */
};

struct mithril {
	uint64_t range, support, max_support, list, slack, table, metadata, record;

	bool	      started, active;
	uint32_t      block_bytes;
	uint32_t      now; /* misses recorded so far */
	struct slots  slots;
	struct known *known; /* by slot */
	struct ring   rows, partners;
	struct row   *mining;
	uint32_t     *order;		 /* of its rows, by first time */
	uint32_t      nmining, capacity; /* rows */

	uint64_t minings, pairs, foreign;
};

static const char *const record_words[] = { "misses", "all" };

static const struct param mithril_params[] = {
	{ "range", PARAM_COUNT, 20, 1, 1 << 20, offsetof(struct mithril, range),
	    "partners are missed at most so many recorded misses apart", NULL },
	{ "support", PARAM_COUNT, 2, 1, SUPPORT_LIMIT, offsetof(struct mithril, support),
	    "misses of a block before it is mined", NULL },
	{ "max_support", PARAM_COUNT, 8, 1, SUPPORT_LIMIT, offsetof(struct mithril, max_support),
	    "a block with more misses is frequent, and has no partners", NULL },
	{ "list", PARAM_COUNT, 2, 0, PLAN_MAX, offsetof(struct mithril, list),
	    "partners of a block, at most", NULL },
	{ "slack", PARAM_COUNT, 0, 0, SUPPORT_LIMIT, offsetof(struct mithril, slack),
	    "pairs of misses of two partners that may be farther apart", NULL },
	{ "table", PARAM_COUNT, TABLE, 1, 1 << 20, offsetof(struct mithril, table),
	    "the mining table has table / support rows, at least one", NULL },
	{ "metadata", PARAM_SHARE, SHARE_ONE / 10, 0, SHARE_ONE, offsetof(struct mithril, metadata),
	    "memory for rows and partners, as a part of the cache", NULL },
	{ "record", PARAM_WORD, RECORD_MISSES, 0, 1, offsetof(struct mithril, record),
	    "what counts: misses, or all references", record_words },
	{ 0 },
};

static const struct counter mithril_counters[] = {
	{ "minings", "times", "that the mining table was full", offsetof(struct mithril, minings) },
	{ "pairs", "pairs", "of blocks found", offsetof(struct mithril, pairs) },
	{ "foreign_pairs", "pairs", "of blocks of two files found, and left out",
	    offsetof(struct mithril, foreign) },
	{ 0 },
};

/* ---- rings ---- */

static uint32_t *
entry_of(const struct ring *r, uint32_t i)
{
	return &r->number[(size_t)i * r->width];
}

static struct known *
known_of(struct mithril *m, block_t b)
{
	return &m->known[slots_enter(&m->slots, b)];
}

/* The number of a new entry for block b: an emptied one, or the next, which *old had. */
static uint32_t
ring_add(struct ring *r, block_t b, block_t *old)
{
	uint32_t i = r->empty ? r->empty - 1 : r->next, *entry = entry_of(r, i);

	if (r->empty)
		r->empty = entry[1];
	else
		r->next = i + 1 < r->size ? i + 1 : 0;
	*old = entry[0];
	entry[0] = b;
	entry[1] = 0;
	return i;
}

/* ---- partners ---- */

static void
remember(struct mithril *m, block_t a, block_t b)
{
	struct known *k = known_of(m, a);
	uint32_t     *entry, list = (uint32_t)m->list;
	block_t	      old;

	m->pairs++;
	if (!k->partners) {
		k->partners = 1 + ring_add(&m->partners, a, &old);
		if (old)
			known_of(m, old)->partners = 0;
	}
	entry = entry_of(&m->partners, k->partners - 1);
	for (uint32_t i = 0; i < list && i < entry[1]; i++)
		if (entry[2 + i] == b)
			return;
	entry[2 + entry[1]++ % list] = b;
}

static void
plan_partners(const struct mithril *m, const struct demand *d, uint32_t i, struct plan *plan)
{
	const uint32_t *entry = entry_of(&m->partners, i);

	for (uint32_t k = 0; k < m->list && k < entry[1]; k++) {
		uint32_t index = entry[2 + k] - d->base;

		if (index < d->end)
			plan_add(plan, index, 1);
	}
	if (plan->n)
		plan_note(plan, "with its partners");
}

/* ---- mining ---- */

/* Shell's sort. */
static void
sort_rows(struct mithril *m)
{
	uint32_t n = m->nmining, *order = m->order;

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t gap = n / 2; gap; gap /= 2)
		for (uint32_t i = gap; i < n; i++) {
			uint32_t x = order[i], time = m->mining[x].time[0], k = i;

			for (; k >= gap && m->mining[order[k - gap]].time[0] > time; k -= gap)
				order[k] = order[k - gap];
			order[k] = x;
		}
}

/* Are two rows partners?  first: a has none yet. */
static bool
are_partners(const struct mithril *m, const struct row *a, const struct row *b, bool first)
{
	uint64_t far = 0;
	bool	 next = false;

	if (!a->n || a->n != b->n)
		return false;
	for (uint32_t k = 0; k < a->n; k++) {
		uint32_t x = a->time[k], y = b->time[k], apart = x < y ? y - x : x - y;

		far += apart > m->range;
		next |= apart == 1;
	}
	return far <= m->slack && (first || next);
}

/* The partners of the i-th row, by first time. */
static void
mine_row(struct mithril *m, uint32_t i)
{
	const struct row *a = &m->mining[m->order[i]];
	bool		  first = true;

	for (uint32_t k = i + 1; k < m->nmining; k++) {
		const struct row *b = &m->mining[m->order[k]];

		if (b->time[0] - a->time[0] > m->range)
			return;
		if (!are_partners(m, a, b, first))
			continue;
		if (a->file != b->file) {
			m->foreign++;
			continue;
		}
		remember(m, a->block, b->block);
		first = false;
	}
}

static void
mine(struct mithril *m)
{
	m->minings++;
	sort_rows(m);
	for (uint32_t i = 0; i < m->nmining; i++)
		mine_row(m, i);
	for (uint32_t i = 0; i < m->nmining; i++)
		known_of(m, m->mining[i].block)->row = 0;
	m->nmining = 0;
}

/* ---- recording ---- */

/* The block has a row in the mining table. */
static void
record_mined(const struct mithril *m, struct row *r)
{
	if (r->n && r->n < m->max_support)
		r->time[r->n++] = m->now;
	else
		r->n = 0;
}

/* The row of the block, with `support` times, moves to the mining table. */
static void
move_row(struct mithril *m, struct known *k, uint32_t *entry, file_t file)
{
	struct row *r = &m->mining[m->nmining];

	*r = (struct row){ .block = entry[0], .file = file, .n = entry[1] };
	for (uint32_t i = 0; i < r->n; i++)
		r->time[i] = entry[2 + i];
	entry[0] = NIL;
	entry[1] = m->rows.empty;
	m->rows.empty = k->row;
	k->row = MINED | m->nmining++;
}

static void
record(struct mithril *m, const struct demand *d)
{
	block_t	      b = d->base + d->index, old;
	struct known *k = known_of(m, b);
	uint32_t     *entry;

	m->now++;
	if (k->row & MINED) {
		record_mined(m, &m->mining[k->row & ~MINED]);
		return;
	}
	if (!k->row) {
		k->row = 1 + ring_add(&m->rows, b, &old);
		if (old)
			known_of(m, old)->row = 0;
	}
	entry = entry_of(&m->rows, k->row - 1);
	entry[2 + entry[1]++] = m->now;
	if (entry[1] < m->support)
		return;
	move_row(m, k, entry, d->file);
	if (m->nmining == m->capacity)
		mine(m);
}

/* ---- hooks ---- */

/* As many entries as half of the metadata holds. */
static void
limit_ring(struct ring *r, const struct mithril *m, const struct cache *c)
{
	double bytes = (double)c->nframes * m->block_bytes * (double)m->metadata / SHARE_ONE;
	double n = bytes / 2 / (double)(r->width * sizeof(*r->number));

	if (n < r->size)
		r->size = (uint32_t)n;
}

/* The size of the cache is not known before the first reference. */
static void
start(struct mithril *m, const struct cache *c)
{
	m->started = true;
	limit_ring(&m->rows, m, c);
	limit_ring(&m->partners, m, c);
	m->active = m->list && m->rows.size && m->partners.size;
}

static void
mithril_access(void *self, const struct demand *d, struct plan *plan)
{
	struct mithril *m = self;
	uint32_t	partners;

	if (unlikely(!m->started))
		start(m, d->cache);
	if (!m->active)
		return;
	if (d->absent || m->record == RECORD_ALL)
		record(m, d);
	partners = m->known[slots_find(&m->slots, d->base + d->index)].partners;
	if (partners)
		plan_partners(m, d, partners - 1, plan);
}

static int
ring_init(struct ring *r, uint64_t numbers, const struct trace *t)
{
	r->width = (uint32_t)(2 + numbers); /* the block, how many numbers, and these */
	r->size = t->nblocks < ENTRIES_MAX ? t->nblocks : ENTRIES_MAX;
	r->number = memory_table((size_t)r->size * r->width, sizeof(*r->number));
	return r->number ? 0 : -1;
}

static int
mithril_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct mithril *m = self;

	if (m->support > m->max_support)
		return error_usage(e, "support of mithril is at most max_support, %llu, not %llu",
		    (unsigned long long)m->max_support, (unsigned long long)m->support);
	m->block_bytes = t->block_bytes;
	m->capacity = m->table > m->support ? (uint32_t)(m->table / m->support) : 1;
	m->known = memory_table(slots_entries(t), sizeof(*m->known));
	m->mining = calloc(m->capacity, sizeof(*m->mining));
	m->order = calloc(m->capacity, sizeof(*m->order));
	if (m->known && m->mining && m->order && !ring_init(&m->rows, m->support, t) &&
	    !ring_init(&m->partners, m->list, t) && !slots_init(&m->slots, t, e))
		return 0;
	return error_set(e, "out of memory for the partners of %u blocks", t->nblocks);
}

static void
mithril_release(void *self)
{
	struct mithril *m = self;

	free(m->known);
	free(m->mining);
	free(m->order);
	free(m->rows.number);
	free(m->partners.number);
	slots_release(&m->slots);
}

static const char *const mithril_state_names[] = { "recorded", "rows to mine", NULL };

static void
mithril_state(const void *self, uint32_t open, int64_t *value)
{
	const struct mithril *m = self;

	value[0] = m->now;
	value[1] = m->nmining;
}

PREFETCHER(mithril,
	.plugin = {
	    .name = "mithril",
	    .summary = "blocks missed soon after each other, more than once (Yang et al. 2017)",
	    .source = "J. Yang, R. Karimi, T. Saemundsson, A. Wildani, Y. Vigfusson: MITHRIL: mining sporadic associations for cache prefetching, SoCC 2017",
	    .state_size = sizeof(struct mithril),
	    .params = mithril_params,
	    .counters = mithril_counters,
	},
	.init = mithril_init,
	.release = mithril_release,
	.access = mithril_access,
	.state_names = mithril_state_names,
	.state = mithril_state);

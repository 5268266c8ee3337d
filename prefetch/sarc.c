/*
 * sarc.c - the prefetching half of SARC: sets behind the second miss of a run.
 *
 * A block that comes by a miss has a count: one more than that of the block
 * before it, up to `threshold`, or 1 if that block is not cached.  A miss with
 * the full count is sequential and reads a set behind itself; so the count of
 * a run survives the references of others.  When the program finds the block
 * that lies `t` blocks before the end of the file's newest set, the next set
 * is read.
 *
 * In LRU order the next set then stands above the rest of the one before,
 * which is not used yet and would be evicted first: more cache could mean more
 * misses.  The remedy is to move this rest to the top as well.
 *
 *	B. S. Gill, D. S. Modha.  SARC: sequential prefetching in adaptive
 *	replacement cache.  USENIX Annual Technical Conference, 2005.
 *
 * The replacement half is the policy of the same name.  The paper's unit is a
 * track of eight pages; here it is a block, and the defaults are bufsim's own.
 * O(1) a reference, O(m) a set, 1 byte per block of the trace and 12 per file.
 */
#include "prefetch/sets.h"
#include "sim/base/memory.h"

struct sarc {
	uint64_t	    threshold, m, t, remedy;
	struct set	   *set;   /* by file: the newest */
	uint8_t		   *count; /* by slot, of cached blocks; 0: it came by a write */
	struct slots	    slots;
	block_t		    planned; /* the first block of a set that is being read */
	uint32_t	    nplanned;
	const struct trace *trace;
	uint64_t	    missed_sets, triggered_sets;
};

static const struct param sarc_params[] = {
	{ "threshold", PARAM_COUNT, 2, 1, UINT8_MAX, offsetof(struct sarc, threshold),
	    "blocks in order that make a miss sequential", NULL },
	{ "m", PARAM_COUNT, 8, 0, SET_MAX, offsetof(struct sarc, m),
	    "blocks of a set; 0: nothing is read ahead", NULL },
	{ "t", PARAM_COUNT, 4, 0, SET_MAX, offsetof(struct sarc, t),
	    "the next set is read so many blocks before the end of the set", NULL },
	{ "remedy", PARAM_COUNT, 1, 0, 1, offsetof(struct sarc, remedy),
	    "1: what is left of a set enters the cache again with the next one", NULL },
	{ 0 },
};

static const struct counter sarc_counters[] = {
	{ "missed_sets", "sets", "read at a sequential miss", offsetof(struct sarc, missed_sets) },
	{ "triggered_sets", "sets", "read at a trigger", offsetof(struct sarc, triggered_sets) },
	{ 0 },
};

static uint8_t *
count_of(struct sarc *s, block_t b)
{
	return &s->count[slots_enter(&s->slots, b)];
}

/* The count of the demanded block, which was missing. */
static uint64_t
count_miss(struct sarc *s, const struct demand *d)
{
	block_t	 b = d->base + d->index;
	uint64_t count = 1;

	if (d->index && demand_holds(d, d->index - 1))
		count += *count_of(s, b - 1);
	if (count > s->threshold)
		count = s->threshold;
	*count_of(s, b) = (uint8_t)count;
	return count;
}

/* False: the file ends here. */
static bool
read_set(struct sarc *s, const struct demand *d, uint32_t first, struct plan *plan)
{
	struct set *set = &s->set[d->file];

	*set = set_read(plan, d, first, (uint32_t)s->m, (uint32_t)s->t);
	for (uint32_t i = first; i < first + set->count && i < d->nblocks; i++)
		if (!demand_holds(d, i))
			*count_of(s, d->base + i) = (uint8_t)s->threshold;
	s->planned = d->base + first;
	s->nplanned = set->count;
	return set->count > 0;
}

static void
sarc_access(void *self, const struct demand *d, struct plan *plan)
{
	struct sarc	 *s = self;
	const struct set *set = &s->set[d->file];

	s->nplanned = 0; /* the last set has been read */
	if (d->how == REF_MISS) {
		if (count_miss(s, d) < s->threshold || !s->m)
			return;
		plan_note(plan, "a sequential miss: a set behind it");
		s->missed_sets += read_set(s, d, d->index + 1, plan);
	} else if (set_triggers(set, d)) {
		plan_note(plan, "the trigger: the next set");
		if (s->remedy) {
			plan_note(plan, "what is left of this one enters the cache again");
			plan->renew = (struct extent){ d->index + 1, set->end - d->index, false };
		}
		s->triggered_sets += read_set(s, d, set->end + 1, plan);
	}
}

/* A set may evict blocks that are its own: those that it has not come to, it reads as well. */
static void
sarc_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	struct sarc *s = self;
	bool	     again = by_prefetch && b - s->planned < s->nplanned;

	*count_of(s, b) = again ? (uint8_t)s->threshold : 0;
}

static void
sarc_dropped(void *self, block_t b)
{
	*count_of(self, b) = 0;
}

static int
sarc_init(void *self, const struct choice *chosen, const struct trace *t, struct error *e)
{
	struct sarc *s = self;

	s->trace = t;
	s->set = file_states_new(t, sizeof(*s->set), e);
	s->count = memory_table(slots_entries(t), sizeof(*s->count));
	if (s->set && s->count && !slots_init(&s->slots, t, e))
		return 0;
	return error_set(e, "out of memory for the counts of %u blocks", t->nblocks);
}

static void
sarc_release(void *self)
{
	struct sarc *s = self;

	free(s->set);
	free(s->count);
	slots_release(&s->slots);
}

static const char *const sarc_state_names[] = { SET_STATE_NAMES, NULL };

static void
sarc_state(const void *self, uint32_t open, int64_t *value)
{
	const struct sarc *s = self;

	set_state(&s->set[s->trace->open[open].file], value);
}

PREFETCHER(sarc,
    .plugin = { .name = "sarc",
	.summary = "sets behind the second miss of a run (Gill and Modha 2005)",
	.source =
	    "B. S. Gill, D. S. Modha: SARC: sequential prefetching in adaptive replacement cache, USENIX ATC 2005",
	.state_size = sizeof(struct sarc),
	.params = sarc_params,
	.counters = sarc_counters },
    .init = sarc_init, .release = sarc_release, .access = sarc_access, .evicted = sarc_evicted,
    .dropped = sarc_dropped, .state_names = sarc_state_names, .state = sarc_state);

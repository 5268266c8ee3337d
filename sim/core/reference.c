/*
 * reference.c - one call: its block references, the prefetcher's plan, and
 * the frames both need.
 *
 * All blocks of a call are referenced at once and waited for at its end
 * (--wait call), or one after the other (--wait block), as a kernel copies
 * a page before it looks for the next.
 */
#include "sim/core/reference.h"
#include "sim/core/io.h"
#include "sim/core/reader.h"

/* ---- frames ---- */

static void
report_outcome(struct sim *s, block_t b, enum outcome how)
{
	if (how == PREFETCH_WASTED)
		s->stats.prefetch_wasted_blocks++;
	else if (how == PREFETCH_LATE)
		s->stats.prefetch_late_blocks++;
	else
		s->stats.prefetch_used_blocks++;
	outcomes_resolved(&s->outcomes, b, how, &s->stats);
	if (config_prefetcher(&s->cfg)->outcome)
		config_prefetcher(&s->cfg)->outcome(s->prefetcher_self, b, how);
}

/* A block fetched for a call that had not reached it yet: after all it was read ahead in vain. */
static void
recount_as_prefetched(struct sim *s, block_t b)
{
	outcomes_prefetched(&s->outcomes, b);
	s->stats.misses--;
	s->stats.prefetch_demand_blocks--;
	s->stats.prefetched_blocks++;
}

/* Block b, with these flags, leaves: was it read ahead for nothing? */
static void
report_if_unused(struct sim *s, block_t b, uint8_t flags)
{
	if (flags & FRAME_AWAITED)
		recount_as_prefetched(s, b);
	if (flags & (FRAME_AWAITED | FRAME_PREFETCHED))
		report_outcome(s, b, PREFETCH_WASTED);
}

void
block_drop(struct sim *s, frame_t f)
{
	struct frame gone = s->cache.frame[f];

	config_policy(&s->cfg)->remove(s->policy_self, &s->cache, f);
	cache_vacate(&s->cache, f);
	report_if_unused(s, gone.block, gone.flags);
}

static void
evicted(struct sim *s, frame_t f, const struct frame *victim)
{
	s->stats.evictions++;
	observe(s, EVENT_EVICT, victim->block, 1);
	if (config_prefetcher(&s->cfg)->evicted)
		config_prefetcher(&s->cfg)->evicted(s->prefetcher_self, victim->block);
	if (victim->flags & FRAME_DIRTY) {
		s->stats.evicted_dirty++;
		writeback_remove(&s->writeback, f);
		io_submit(s, victim->block, USE_WRITE);
	}
	report_if_unused(s, victim->block, victim->flags);
}

/* Bring b, which is not resident, into a frame. */
static frame_t
admit(struct sim *s, block_t b, uint8_t flags)
{
	struct frame victim;
	bool	     ghost = false;
	frame_t	     f;

	f = cache_fill(&s->cache, config_policy(&s->cfg), s->policy_self, b, flags, &victim,
	    &ghost);
	s->cache.npinned += (flags & FRAME_INFLIGHT) != 0;
	if (victim.block)
		evicted(s, f, &victim);
	s->stats.ghost_hits += ghost && !(flags & FRAME_PREFETCHED);
	if (!config_prefetcher(&s->cfg)->access)
		return f;
	if (flags & FRAME_PREFETCHED) {
		outcomes_prefetched(&s->outcomes, b);
		if (victim.block)
			outcomes_evicted(&s->outcomes, b, victim.block,
			    victim.flags & FRAME_PREFETCHED);
	} else if (!(flags & FRAME_AWAITED)) {
		outcomes_missed(&s->outcomes, b, &s->stats);
	}
	return f;
}

/* ---- plans ---- */

static void
fetch_awaited(struct sim *s, block_t b, uint8_t mark)
{
	admit(s, b, (uint8_t)(FRAME_INFLIGHT | FRAME_AWAITED | mark));
	io_submit(s, b, USE_DEMAND);
	s->stats.misses++;
	s->stats.prefetch_demand_blocks++;
	observe(s, EVENT_FETCH, b, 1);
}

static void
fetch_ahead(struct sim *s, block_t b, uint8_t mark)
{
	admit(s, b, (uint8_t)(FRAME_INFLIGHT | FRAME_PREFETCHED | mark));
	io_submit(s, b, USE_PREFETCH);
	s->stats.prefetched_blocks++;
	observe(s, EVENT_PREFETCH, b, 1);
}

/* The block that is demanded is being read already; what is left of the extent. */
static struct extent
without_demanded(const struct demand *d, struct extent e)
{
	if (d->absent && e.count && e.index == d->index) {
		e.index++;
		e.count--;
	}
	return e;
}

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void
unmark(struct sim *s, block_t b)
{
	frame_t f = cache_find(&s->cache, b);

	s->cache.frame[f].flags &= (uint8_t)~FRAME_MARKED;
}

/* Blocks of the file as it is at this call. */
static uint32_t
file_end(const struct trace *t, const struct access *a)
{
	uint64_t bytes = a->offset + a->length;

	if (a->file_size > bytes)
		bytes = a->file_size;
	return (uint32_t)((bytes + t->block_bytes - 1) >> t->block_shift);
}

static void
carry_out(struct sim *s, const struct reader *r, const struct demand *d, const struct extent *e,
    const struct plan *plan)
{
	uint32_t last = d->call ? d->index + d->left - 1 : d->index; /* of the call */
	uint8_t	 mark;

	s->stats.planned_blocks += e->count;
	for (uint32_t k = 0; k < e->count; k++) {
		uint32_t index = e->index + k;

		if (index < d->end && cache_find(&s->cache, d->base + index)) {
			s->stats.prefetch_resident_blocks++;
			continue;
		}
		if (index >= d->end || !reader_has_room(s, r)) {
			s->stats.prefetch_dropped_blocks += e->count - k;
			if (index < d->end)
				observe(s, EVENT_DROP, d->base + index,
				    least(e->count - k, d->end - index));
			return;
		}
		mark = plan_marks(plan, index) ? FRAME_MARKED : 0;
		if (index > d->index && index <= last)
			fetch_awaited(s, d->base + index, mark);
		else
			fetch_ahead(s, d->base + index, mark);
	}
}

static void
observe_plan(const struct sim *s, const struct demand *d, const struct plan *plan)
{
	const struct observer *o = &s->cfg.observer;

	if (unlikely(o->mask >> EVENT_PLAN & 1))
		o->see(o->ctx,
		    &(struct event){ .when = s->now,
			.kind = EVENT_PLAN,
			.block = d->base + d->index,
			.count = 1,
			.demand = d,
			.plan = plan,
			.self = s->prefetcher_self });
}

void
plan_run(struct sim *s, const struct reader *r, const struct demand *d, const struct plan *plan)
{
	observe_plan(s, d, plan);
	s->stats.trimmed_blocks += plan->trimmed;
	for (unsigned i = 0; i < plan->n; i++) {
		struct extent e = without_demanded(d, plan->extent[i]);

		carry_out(s, r, d, &e, plan);
	}
	for (uint32_t i = 0; unlikely(i < plan->unmark.count); i++)
		if (demand_holds(d, plan->unmark.index + i))
			unmark(s, d->base + plan->unmark.index + i);
	if (unlikely(plan->unplug))
		io_unplug(s);
}

/* Ask once; true: the demanded block itself was read by the plan and is marked. */
ALWAYS_INLINE bool
consult_once(struct sim *s, const struct reader *r, const struct demand *d)
{
	struct plan plan;

	plan_start(&plan);
	config_prefetcher(&s->cfg)->access(s->prefetcher_self, d, &plan);
	if (likely(plan_is_empty(&plan) && !s->cfg.observer.mask))
		return false;
	plan_run(s, r, d, &plan);
	return d->absent && plan_marks(&plan, d->index);
}

static void
consult_again(struct sim *s, const struct reader *r, struct demand *d)
{
	d->absent = false;
	d->again = d->marked = true;
	consult_once(s, r, d);
	d->again = false;
}

ALWAYS_INLINE void
consult_prefetcher(struct sim *s, const struct reader *r, struct demand *d)
{
	if (unlikely(consult_once(s, r, d)))
		consult_again(s, r, d);
}

/* ---- references ---- */

static enum reference
classify(uint8_t flags)
{
	if (flags & FRAME_AWAITED)
		return REF_MISS;
	switch (flags & (FRAME_PREFETCHED | FRAME_INFLIGHT)) {
	case FRAME_PREFETCHED | FRAME_INFLIGHT:
		return REF_LATE;
	case FRAME_PREFETCHED:
		return REF_FIRST_HIT;
	case FRAME_INFLIGHT:
		return REF_JOINED;
	default:
		return REF_HIT;
	}
}

/* The first reference to b since the cache knows it. */
static void
touch(struct sim *s, block_t b, enum reference how)
{
	uint8_t bit = (uint8_t)(1u << (b & 7));

	if (s->touched[b >> 3] & bit)
		return;
	s->touched[b >> 3] |= bit;
	s->stats.touched_blocks++;
	s->stats.cold_misses += how == REF_MISS;
}

static void
promote(struct sim *s, block_t b)
{
	struct request *waiting = queue_find(&s->queue, b);
	struct request *r = waiting ? waiting : io_find(&s->io, b);

	if (r->demand_end || r->promoted)
		return;
	r->promoted = true;
	s->stats.promoted_requests += !waiting; /* else when it is served: demand may yet join it */
}

/* A block not in the cache is demanded. */
static frame_t
miss(struct sim *s, block_t b, bool write)
{
	bool	fills = write && s->cfg.writes == WRITES_ACCUSIM;
	bool	inflight = !write || fills;
	frame_t f;

	s->stats.misses++;
	s->stats.write_misses += write;
	observe(s, EVENT_MISS, b, 1);
	f = admit(s, b, inflight ? FRAME_INFLIGHT : 0);
	if (inflight)
		io_submit(s, b, write ? USE_WRITE_FILL : USE_DEMAND);
	return f;
}

static void
resident(struct sim *s, block_t b, frame_t f, enum reference how)
{
	static const enum event_kind event[] = {
		[REF_HIT] = EVENT_HIT,
		[REF_FIRST_HIT] = EVENT_HIT,
		[REF_LATE] = EVENT_LATE,
		[REF_JOINED] = EVENT_JOINED,
	};

	s->stats.hits += how == REF_HIT || how == REF_FIRST_HIT;
	s->stats.joined_hits += how == REF_JOINED;
	observe(s, event[how], b, 1);
	config_policy(&s->cfg)->hit(s->policy_self, &s->cache, f);
	if (how != REF_LATE && how != REF_FIRST_HIT)
		return;
	s->cache.frame[f].flags &= (uint8_t)~FRAME_PREFETCHED;
	s->stats.first_hits += how == REF_FIRST_HIT;
	s->stats.late_hits += how == REF_LATE;
	if (how == REF_LATE)
		promote(s, b);
	report_outcome(s, b, how == REF_LATE ? PREFETCH_LATE : PREFETCH_USED);
}

static void
remember(struct reader *r, block_t b, enum reference how, bool write)
{
	r->pending[r->npending++] = (struct pending){ b, (uint8_t)how, write };
}

static void
after_write(struct sim *s, struct reader *r, block_t b, frame_t f)
{
	if (s->cfg.writes == WRITES_BACK) {
		io_dirty(s, f);
	} else if (s->cfg.writes == WRITES_THROUGH) {
		io_submit(s, b, USE_WRITE);
		remember(r, b, REF_MISS, true);
	}
}

/* A call has come to a block that was fetched, and counted as a miss, for its sake. */
static void
reach(struct sim *s, block_t b, frame_t f)
{
	s->cache.frame[f].flags &= (uint8_t)~FRAME_AWAITED;
	outcomes_missed(&s->outcomes, b, &s->stats);
}

/* A reference that is not a plain hit.  False: there is no room for it yet. */
static bool
reference(struct sim *s, struct reader *r, struct demand *d, block_t b, frame_t f)
{
	bool absent = !f, write = d->call->write;

	if ((absent || (write && s->cfg.writes == WRITES_THROUGH)) && !reader_has_room(s, r))
		return false;
	d->absent = absent;
	d->marked = !absent && s->cache.frame[f].flags & FRAME_MARKED;
	d->how = absent ? REF_MISS : classify(s->cache.frame[f].flags);
	if (absent)
		f = miss(s, b, write);
	else if (d->how == REF_MISS)
		reach(s, b, f);
	else
		resident(s, b, f, d->how);
	if (d->how != REF_HIT && d->how != REF_JOINED)
		touch(s, b, d->how);
	if (d->marked && !write) /* writes are not shown to the prefetcher */
		s->cache.frame[f].flags &= (uint8_t)~FRAME_MARKED;
	d->locked = s->cache.frame[f].flags & FRAME_INFLIGHT;
	if (d->locked && !(write && absent))
		remember(r, b, d->how, false);
	if (write)
		after_write(s, r, b, f);
	return true;
}

/* The block is there to be read, and has been read before: what most references find. */
static void
plain_hit(struct sim *s, struct demand *d, block_t b, frame_t f)
{
	s->stats.hits++;
	observe(s, EVENT_HIT, b, 1);
	config_policy(&s->cfg)->hit(s->policy_self, &s->cache, f);
	d->how = REF_HIT;
	d->absent = d->locked = d->marked = false;
}

bool
call_run(struct sim *s, struct reader *r, const struct access *a)
{
	struct demand d = {
		.call = a,
		.file = s->trace->open[a->open].file,
		.first = access_first(s->trace, a),
		.now = s->now,
		.cache = &s->cache,
		.base = s->trace->file[s->trace->open[a->open].file].base,
		.end = file_end(s->trace, a),
		.nblocks = s->trace->file[s->trace->open[a->open].file].nblocks,
	};
	uint32_t count = access_count(s->trace, a);
	bool	 consults = !a->write && config_prefetcher(&s->cfg)->access;

	for (; r->at < count && (s->cfg.wait == WAIT_CALL || r->awaited == r->npending); r->at++) {
		block_t b = d.base + d.first + r->at;
		frame_t f = cache_find(&s->cache, b);

		d.index = d.first + r->at;
		d.left = count - r->at;
		if (likely(f && !a->write && !(s->cache.frame[f].flags & FRAME_NEWS))) {
			plain_hit(s, &d, b, f);
		} else if (!reference(s, r, &d, b, f)) {
			s->stats.blocked_requests += !queue_has_room(&s->queue, 1, 1);
			reader_sleep(s, r, WAITS_FOR_ROOM);
			return false;
		}
		s->stats.references++;
		s->stats.write_references += a->write;
		if (consults)
			consult_prefetcher(s, r, &d);
	}
	io_start(s);
	if (r->awaited < r->npending) {
		reader_sleep(s, r, WAITS_FOR_BLOCK);
		return false;
	}
	return true;
}

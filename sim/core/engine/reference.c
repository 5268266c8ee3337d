/*
 * reference.c - one call: its block references, the prefetcher's plan, and
 * their frames.
 *
 * With --wait call, all blocks of a call are referenced at once and the
 * process waits at the end.  With --wait block, the process waits for each
 * block, as a kernel copies a page before it looks for the next.
 */
#include "sim/core/engine/reference.h"
#include "sim/core/engine/io.h"

/* ---- frames ---- */

static void
observe_turn(const struct engine *g, block_t b, enum fate from, enum fate to)
{
	const struct observer *o = &g->cfg.observer;

	if (unlikely(o->mask >> EVENT_OUTCOME & 1))
		o->see(o->ctx,
		    &(struct event){ .when = g->now,
			.kind = EVENT_OUTCOME,
			.block = b,
			.count = 1,
			.from = (uint8_t)from,
			.to = (uint8_t)to });
}

static void
count_outcome(struct node *n, frame_t f, block_t b, enum outcome how)
{
	struct stats *st = &n->stats;
	usec_t	      age = n->engine->now - n->ages.since[f];
	enum fate     fate = outcomes_resolved(&n->outcomes, b, how, st);

	if (how == PREFETCH_WASTED) {
		st->prefetch_wasted_blocks++;
		ages_add(&n->ages.wasted, age);
	} else if (how == PREFETCH_LATE) {
		st->prefetch_late_blocks++;
	} else {
		st->prefetch_used_blocks++;
		ages_add(&n->ages.used, age);
	}
	observe_turn(n->engine, b, FATE_OPEN, fate);
}

/* The prefetched block b, of frame f with these flags, was used or leaves. */
static void
report_outcome(struct node *n, frame_t f, block_t b, uint8_t flags, enum outcome how)
{
	if (!(flags & FRAME_UNCOUNTED))
		count_outcome(n, f, b, how);
	if (n->prefetcher->outcome)
		n->prefetcher->outcome(n->prefetcher_self, b, how);
}

/* A demand missed b: was it because of a prefetch? */
static void
count_missed(struct node *n, const struct demand *d, block_t b)
{
	struct turn turn;
	bool	    leaves = n->shadow.policy && !n->shadow.held;

	if (likely(!outcomes_missed(&n->outcomes, b, leaves, &n->stats, &turn)))
		return;
	observe_by(n->engine, EVENT_VICTIM, b, 1, d->process);
	if (turn.block)
		observe_turn(n->engine, turn.block, turn.from, turn.to);
}

/* A block was fetched for a call and leaves before the call reaches it: count it as prefetched. */
static void
recount_as_prefetched(struct node *n, block_t b)
{
	struct stats *st = &n->stats;

	ASSERT(st->misses && st->prefetch_demand_blocks);
	outcomes_prefetched(&n->outcomes, b, NIL, false);
	st->misses--;
	st->prefetch_demand_blocks--;
	st->prefetched_blocks++;
	observe(n->engine, EVENT_RECOUNT, b, 1);
}

/* What was in frame f leaves: report it if it was prefetched and not used. */
ALWAYS_INLINE void
report_if_unused(struct node *n, frame_t f, const struct frame *gone)
{
	if (gone->flags & FRAME_AWAITED)
		recount_as_prefetched(n, gone->block);
	if (gone->flags & (FRAME_AWAITED | FRAME_PREFETCHED))
		report_outcome(n, f, gone->block, gone->flags, PREFETCH_WASTED);
}

/* Empty a frame that the policy did not choose; what it held. */
static struct frame
vacate(struct node *n, frame_t f)
{
	struct frame gone = n->cache.frame[f];

	ASSERT(gone.block && !(gone.flags & FRAME_INFLIGHT));
	cache_drop(&n->cache, n->policy, n->policy_self, f);
	return gone;
}

void
block_drop(struct node *n, frame_t f)
{
	struct frame gone = vacate(n, f);

	if (n->prefetcher->dropped)
		n->prefetcher->dropped(n->prefetcher_self, gone.block);
	report_if_unused(n, f, &gone);
}

/* The victim has left frame f, to make room for a block with these flags. */
static void
evicted(struct node *n, const struct demand *d, frame_t f, const struct frame *victim,
    uint8_t flags)
{
	n->stats.evictions++;
	observe_by(n->engine, EVENT_EVICT, victim->block, 1, d->process);
	if (n->prefetcher->evicted)
		n->prefetcher->evicted(n->prefetcher_self, victim->block, flags & FRAME_PREFETCHED,
		    !(victim->flags & (FRAME_AWAITED | FRAME_PREFETCHED)));
	if (victim->flags & FRAME_DIRTY) {
		n->stats.evicted_dirty++;
		writeback_remove(&n->writeback, f);
		io_submit(n->engine, victim->block, USE_WRITE);
	}
	report_if_unused(n, f, victim);
}

/* If the cache is full: what leaves because the prefetcher can spare it; block is 0 if nothing does. */
static struct frame
take_back(struct node *n)
{
	const struct cache *c = &n->cache;
	struct frame	    gone = { 0 };
	block_t		    b;

	if (c->vacant || c->nused < c->nframes)
		return gone;
	b = n->prefetcher->spare(n->prefetcher_self, c);
	if (b)
		gone = vacate(n, cache_find(c, b));
	ASSERT(!b || (gone.flags & (FRAME_PREFETCHED | FRAME_INFLIGHT)) == FRAME_PREFETCHED);
	return gone;
}

/* Bring b, which is not resident, into a frame. */
static frame_t
admit(struct node *n, const struct demand *d, block_t b, uint8_t flags)
{
	struct use   use;
	struct frame victim = { 0 }, spare = { 0 };
	bool	     ghost = false;
	frame_t	     f;

	ASSERT(cache_has_room(&n->cache));
	if (unlikely(n->prefetcher->spare))
		spare = take_back(n);
	f = cache_fill(&n->cache, n->policy, n->policy_self, b, flags, node_use(n, d, b, &use),
	    &victim, &ghost);
	n->cache.npinned += (flags & FRAME_INFLIGHT) != 0;
	if (spare.block)
		victim = spare;
	if (victim.block)
		evicted(n, d, f, &victim, flags);
	observe_by(n->engine, EVENT_FILL, b, 1, d->process);
	if (unlikely(ghost) && !(flags & FRAME_PREFETCHED))
		n->stats.ghost_hits++;
	if (!n->prefetcher->access)
		return f;
	if (flags & FRAME_PREFETCHED)
		outcomes_prefetched(&n->outcomes, b, victim.block,
		    victim.block && victim.flags & (FRAME_AWAITED | FRAME_PREFETCHED));
	else if (!(flags & FRAME_AWAITED))
		count_missed(n, d, b);
	return f;
}

/* ---- plans ---- */

static void
fetch_awaited(struct node *n, const struct demand *d, block_t b, uint8_t mark, bool continues)
{
	frame_t f = admit(n, d, b, (uint8_t)(FRAME_INFLIGHT | FRAME_AWAITED | mark));

	n->ages.since[f] = n->engine->now;
	io_submit_part(n->engine, b, USE_DEMAND, continues);
	n->stats.misses++;
	n->stats.prefetch_demand_blocks++;
	observe_by(n->engine, EVENT_FETCH, b, 1, d->process);
}

static void
fetch_ahead(struct node *n, const struct demand *d, block_t b, uint8_t mark, bool continues)
{
	frame_t f = admit(n, d, b, (uint8_t)(FRAME_INFLIGHT | FRAME_PREFETCHED | mark));

	n->ages.since[f] = n->engine->now;
	io_submit_part(n->engine, b, USE_PREFETCH, continues);
	n->stats.prefetched_blocks++;
	observe_by(n->engine, EVENT_PREFETCH, b, 1, d->process);
}

void
block_read_ahead(struct node *n, const struct demand *d, block_t b)
{
	fetch_ahead(n, d, b, 0, false);
}

/* The extent without the demanded block, whose read was submitted already. */
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
unmark(struct node *n, block_t b)
{
	frame_t f = cache_find(&n->cache, b);

	n->cache.frame[f].flags &= (uint8_t)~FRAME_MARKED;
	ASSERT(f || !n->cache.frame[f].flags); /* frame 0 has no flag to lose */
}

/* If block b was read ahead and is not used yet, it leaves and comes back to its frame. */
static RARE void
renew(struct node *n, const struct demand *d, block_t b)
{
	frame_t	     f = cache_find(&n->cache, b);
	uint8_t	     flags = n->cache.frame[f].flags;
	struct use   use;
	struct frame victim;
	bool	     ghost = false;

	if ((flags & (FRAME_PREFETCHED | FRAME_INFLIGHT)) != FRAME_PREFETCHED)
		return;
	vacate(n, f);
	cache_fill(&n->cache, n->policy, n->policy_self, b, flags, node_use(n, d, b, &use), &victim,
	    &ghost);
}

/* The number of blocks of the file at this call. */
static uint32_t
file_end(const struct trace *t, const struct access *a)
{
	uint64_t bytes = a->offset + a->length;

	if (a->file_size > bytes)
		bytes = a->file_size;
	return (uint32_t)((bytes + t->block_bytes - 1) >> t->block_shift);
}

/* Is a request what p lacks to bring in a block? */
static bool
lacks_request(const struct node *n, const struct process *p)
{
	return cache_has_room(&n->cache) && !process_has_room(n->engine, p);
}

/* Read the extent.  False: the rest of it, now in e, waits for a free request. */
static bool
carry_out(struct node *n, const struct process *p, const struct demand *d, struct extent *e,
    const struct plan *plan)
{
	uint32_t last = d->call ? d->index + d->left - 1 : d->index; /* last block of the call */
	bool	 continues = e->large && d->absent && e->index == d->index + 1;
	uint8_t	 mark;

	for (; e->count; e->index++, e->count--) {
		uint32_t index = e->index;

		if (index < d->end && cache_find(&n->cache, d->base + index)) {
			n->stats.prefetch_resident_blocks++;
			continues = false;
			continue;
		}
		if (index < d->end && plan->waits && lacks_request(n, p))
			return false;
		if (index >= d->end || !process_has_room(n->engine, p)) {
			n->stats.prefetch_dropped_blocks += e->count;
			if (index < d->end)
				observe(n->engine, EVENT_DROP, d->base + index,
				    least(e->count, d->end - index));
			e->count = 0;
			return true;
		}
		mark = plan_marks(plan, index) ? FRAME_MARKED : 0;
		if (index > d->index && index <= last)
			fetch_awaited(n, d, d->base + index, mark, continues);
		else
			fetch_ahead(n, d, d->base + index, mark, continues);
		continues = e->large;
	}
	return true;
}

static bool
carry_out_all(struct node *n, const struct process *p, const struct demand *d, struct plan *plan)
{
	bool complete = true;

	for (unsigned i = 0; i < plan->n && complete; i++) {
		struct extent *e = &plan->extent[i];
		uint32_t       count = e->count;

		complete = carry_out(n, p, d, e, plan);
		n->stats.planned_blocks += count - e->count;
	}
	return complete;
}

static void
observe_plan(const struct node *n, const struct demand *d, const struct plan *plan)
{
	const struct observer *o = &n->engine->cfg.observer;

	if (unlikely(o->mask >> EVENT_PLAN & 1))
		o->see(o->ctx,
		    &(struct event){ .when = n->engine->now,
			.kind = EVENT_PLAN,
			.block = d->base + d->index,
			.count = 1,
			.demand = d,
			.plan = plan,
			.self = n->prefetcher_self });
}

bool
plan_run(struct node *n, const struct process *p, const struct demand *d, struct plan *plan)
{
	bool complete;

	ASSERT(plan->n <= PLAN_MAX);
	observe_plan(n, d, plan);
	n->stats.trimmed_blocks += plan->trimmed;
	for (uint32_t i = 0; unlikely(i < plan->renew.count); i++)
		if (demand_holds(d, plan->renew.index + i))
			renew(n, d, d->base + plan->renew.index + i);
	for (unsigned i = 0; i < plan->n; i++)
		plan->extent[i] = without_demanded(d, plan->extent[i]);
	complete = carry_out_all(n, p, d, plan);
	for (uint32_t i = 0; unlikely(i < plan->unmark.count); i++)
		if (demand_holds(d, plan->unmark.index + i))
			unmark(n, d->base + plan->unmark.index + i);
	if (unlikely(plan->unplug))
		io_unplug(n->engine);
	return complete;
}

static void
interrupt(struct process *p, const struct demand *d, const struct plan *plan)
{
	ASSERT(plan->waits && !p->interrupted);
	p->rest = *plan;
	p->rest_absent = d->absent;
	p->interrupted = true;
}

/* One demand and its plan.  True: the plan has read and marked the demanded block itself. */
ALWAYS_INLINE bool
consult_once(struct node *n, struct process *p, const struct demand *d)
{
	struct plan plan;

	plan_start(&plan);
	n->prefetcher->access(n->prefetcher_self, d, &plan);
	if (likely(plan_is_empty(&plan))) {
		observe_plan(n, d, &plan);
		return false;
	}
	if (unlikely(!plan_run(n, p, d, &plan)))
		interrupt(p, d, &plan);
	return d->absent && plan_marks(&plan, d->index);
}

static void
consult_again(struct node *n, struct process *p, struct demand *d)
{
	d->absent = false;
	d->again = d->marked = true;
	consult_once(n, p, d);
	d->again = false;
}

/* False: its plan waits for a free request. */
ALWAYS_INLINE bool
consult_prefetcher(struct node *n, struct process *p, struct demand *d)
{
	if (unlikely(consult_once(n, p, d)) && !p->interrupted)
		consult_again(n, p, d);
	return likely(!p->interrupted);
}

/* Go on with the plan of block d->index, a miss or not.  False: it is interrupted once more. */
static bool
finish_plan(struct node *n, struct process *p, struct demand *d)
{
	frame_t f;

	if (!carry_out_all(n, p, d, &p->rest))
		return false;
	p->interrupted = false;
	if (unlikely(p->rest.unplug))
		io_unplug(n->engine);
	if (!p->rest_absent || !plan_marks(&p->rest, d->index))
		return true;
	f = cache_find(&n->cache, d->base + d->index); /* NIL if it has left again: no flags */
	d->how = REF_MISS;
	d->locked = n->cache.frame[f].flags & FRAME_INFLIGHT;
	consult_again(n, p, d);
	return !p->interrupted;
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
		return REF_DELAYED;
	default:
		return REF_HIT;
	}
}

static void
touch(struct node *n, block_t b, enum reference how)
{
	if (!node_touch(n, b))
		return;
	n->stats.touched_blocks++;
	n->stats.cold_misses += how == REF_MISS;
}

static void
promote(struct node *n, block_t b)
{
	struct storage *st = &n->engine->storage;
	struct request *waiting = queue_find(&st->queue, b);
	struct request *r = waiting ? waiting : storage_find(st, b);

	ASSERT(!r->write);
	if (r->demand_end || r->promoted)
		return;
	r->promoted = true;
	n->stats.promoted_requests +=
	    !waiting; /* else when it is served: demand may still be merged with it */
}

/* A block not in the cache is demanded. */
static frame_t
miss(struct node *n, const struct demand *d, block_t b, bool write)
{
	bool	fills = write && n->engine->cfg.writes == WRITES_ACCUSIM;
	bool	inflight = !write || fills;
	frame_t f;

	n->stats.misses++;
	n->stats.write_misses += write;
	observe_by(n->engine, EVENT_MISS, b, 1, d->process);
	f = admit(n, d, b, inflight ? FRAME_INFLIGHT : 0);
	if (inflight)
		io_submit(n->engine, b, write ? USE_WRITE_FILL : USE_DEMAND);
	return f;
}

static void
resident(struct node *n, const struct demand *d, block_t b, frame_t f)
{
	enum reference		     how = d->how;
	uint8_t			     flags = n->cache.frame[f].flags;
	struct stats		    *st = &n->stats;
	static const enum event_kind event[] = {
		[REF_HIT] = EVENT_HIT,
		[REF_FIRST_HIT] = EVENT_FIRST_HIT,
		[REF_LATE] = EVENT_LATE,
		[REF_DELAYED] = EVENT_DELAYED,
	};

	st->hits += how == REF_HIT || how == REF_FIRST_HIT;
	st->delayed_hits += how == REF_DELAYED;
	observe_by(n->engine, event[how], b, 1, d->process);
	node_hit(n, d, b, f);
	ASSERT(n->cache.frame[f].block == b && n->cache.frame[f].flags == flags);
	if (how != REF_LATE && how != REF_FIRST_HIT)
		return;
	n->cache.frame[f].flags &= (uint8_t) ~(FRAME_PREFETCHED | FRAME_UNCOUNTED);
	if (unlikely(flags & FRAME_UNCOUNTED)) {
		st->delayed_hits += how == REF_LATE;
	} else {
		st->first_hits += how == REF_FIRST_HIT;
		st->late_hits += how == REF_LATE;
	}
	if (how == REF_LATE)
		promote(n, b);
	report_outcome(n, f, b, flags, how == REF_LATE ? PREFETCH_LATE : PREFETCH_USED);
}

static void
after_write(struct node *n, struct process *p, block_t b, frame_t f)
{
	if (n->engine->cfg.writes == WRITES_BACK) {
		io_dirty(n->engine, f);
	} else if (n->engine->cfg.writes == WRITES_THROUGH) {
		io_submit(n->engine, b, USE_WRITE);
		process_expect_write(p, b, n->engine->storage.nstarted);
	}
}

/* A call reaches a block that was fetched, and counted as a miss, for this call. */
static void
reach(struct node *n, const struct demand *d, block_t b, frame_t f)
{
	ASSERT(n->cache.frame[f].flags & FRAME_AWAITED);
	observe_by(n->engine, EVENT_REACH, b, 1, d->process);
	if (unlikely(n->needs & (NEEDS_FUTURE | NEEDS_ORDER)))
		node_hit(n, d, b, f);
	n->cache.frame[f].flags &= (uint8_t)~FRAME_AWAITED;
	count_missed(n, d, b);
}

/* The same reference to the cache as it would be without prefetching. */
static void
cast_shadow(struct node *n, const struct demand *d, block_t b)
{
	struct stats *st = &n->stats;
	bool	      missed = d->how == REF_MISS;
	struct use    use;

	shadow_reference(&n->shadow, b, node_use(n, d, b, &use));
	st->shadow_misses += !n->shadow.held;
	if (missed && n->shadow.held) {
		st->pollution_misses++;
		observe_by(n->engine, EVENT_POLLUTED, b, 1, d->process);
	} else if (!missed && !n->shadow.held) {
		st->covered_references++;
		observe_by(n->engine, EVENT_COVERED, b, 1, d->process);
	}
}

/* A reference that is not a plain hit.  False: there is no room for it yet. */
static bool
reference(struct node *n, struct process *p, struct demand *d, block_t b, frame_t f)
{
	bool absent = !f, write = d->call->write;

	if ((absent || (write && n->engine->cfg.writes == WRITES_THROUGH)) &&
	    !process_has_room(n->engine, p))
		return false;
	node_pass(n, b);
	d->absent = absent;
	d->marked = !absent && n->cache.frame[f].flags & FRAME_MARKED;
	d->how = absent ? REF_MISS : classify(n->cache.frame[f].flags);
	if (unlikely(n->shadow.policy))
		cast_shadow(n, d, b);
	if (absent)
		f = miss(n, d, b, write);
	else if (d->how == REF_MISS)
		reach(n, d, b, f);
	else
		resident(n, d, b, f);
	if (d->how != REF_HIT && d->how != REF_DELAYED)
		touch(n, b, d->how);
	if (d->marked && !write) /* a write leads to no plan */
		n->cache.frame[f].flags &= (uint8_t)~FRAME_MARKED;
	d->locked = n->cache.frame[f].flags & FRAME_INFLIGHT;
	if (d->locked && !(write && absent))
		process_expect(p, b, (uint8_t)d->how);
	if (write) {
		after_write(n, p, b, f);
		if (n->prefetcher->wrote)
			n->prefetcher->wrote(n->prefetcher_self, d);
	}
	return true;
}

/* The block is readable and not a first use: the most frequent case. */
static void
plain_hit(struct node *n, struct demand *d, block_t b, frame_t f)
{
	n->stats.hits++;
	observe_by(n->engine, EVENT_HIT, b, 1, d->process);
	node_pass(n, b);
	node_hit(n, d, b, f);
	d->how = REF_HIT;
	d->absent = d->locked = d->marked = false;
}

/* The common part of the demands of a call. */
ALWAYS_INLINE struct demand
demand_of(const struct engine *g, const struct node *n, const struct access *a)
{
	const struct trace     *t = g->trace;
	const struct open_file *open = &t->open[a->open];

	return (struct demand){
		.call = a,
		.file = open->file,
		.process = open->process,
		.first = access_first(t, a),
		.now = g->now,
		.cache = &n->cache,
		.base = t->file[open->file].base,
		.end = file_end(t, a),
		.nblocks = t->file[open->file].nblocks,
	};
}

/* The call goes on when the process wakes. */
static bool
go_to_sleep(struct engine *g, struct process *p, enum waiting why)
{
	ASSERT(why == WAITS_FOR_ROOM || process_expects(p));
	if (why == WAITS_FOR_ROOM)
		p->node->stats.blocked_requests += !queue_has_room(&g->storage.queue, 1, 1);
	process_sleep(g, p, why);
	io_unplug(g);
	return false;
}

bool
call_run(struct engine *g, struct process *p, const struct access *a)
{
	struct node  *n = p->node;
	struct demand d = demand_of(g, n, a);
	uint32_t      count = access_count(g->trace, a);
	bool	      consults = !a->write && n->prefetcher->access;
	bool	      plain = !a->write && !n->shadow.policy; /* may its hits be? */

	ASSERT(p->at <= count);
	if (unlikely(p->interrupted)) {
		d.index = d.first + p->at;
		d.left = count - p->at;
		if (!finish_plan(n, p, &d))
			return go_to_sleep(g, p, WAITS_FOR_ROOM);
		p->at++;
	}
	for (; p->at < count && (g->cfg.wait == WAIT_CALL || !process_expects(p)); p->at++) {
		block_t b = d.base + d.first + p->at;
		frame_t f = cache_find(&n->cache, b);

		d.index = d.first + p->at;
		d.left = count - p->at;
		if (likely(f && plain && !(n->cache.frame[f].flags & FRAME_NEWS)))
			plain_hit(n, &d, b, f);
		else if (!reference(n, p, &d, b, f))
			return go_to_sleep(g, p, WAITS_FOR_ROOM);
		n->stats.references++;
		n->stats.write_references += a->write;
		if (consults && unlikely(!consult_prefetcher(n, p, &d)))
			return go_to_sleep(g, p, WAITS_FOR_ROOM);
	}
	io_start(g);
	return process_expects(p) ? go_to_sleep(g, p, WAITS_FOR_BLOCK) : true;
}

/*
 * sim.c - replay a trace against a cache, a prefetcher and a device.
 *
 *	access -> block references -> cache -> prefetcher -> queue
 *	       -> scheduler -> device -> completion -> statistics
 *
 * A reader is a closed loop: it thinks, calls, and waits for what it asked
 * for.  Serial replay has one reader that makes all calls in trace order,
 * as AccuSim, or one per program of a merged trace; process replay has one
 * per process.  Only completions and readers are events, so a hit costs no
 * queue operation.
 */
#include <stdlib.h>

#include "sim/advice.h"
#include "sim/io.h"
#include "sim/reader.h"
#include "sim/reference.h"
#include "sim/replay.h"

/* ---- running ---- */

static usec_t
scaled(const struct sim *s, usec_t recorded)
{
	if (s->cfg.think_scale == 1)
		return recorded;
	return (usec_t)((double)recorded * s->cfg.think_scale + 0.5);
}

static const struct access *
current(const struct sim *s, const struct reader *r)
{
	return &s->trace->access[r->order ? r->order[r->next] : r->next];
}

/* Is the call that the reader comes to intact? */
static int
check_current(struct sim *s, const struct reader *r, struct error *e)
{
	if (likely(r->next < s->checked))
		return 0;
	if (trace_check(s->trace, s->checked, TRACE_BATCH, e))
		return -1;
	s->checked += TRACE_BATCH;
	if (s->checked > s->trace->naccess)
		s->checked = s->trace->naccess;
	return 0;
}

/* When the reader's next call starts, if the previous one ended now. */
static usec_t
think(struct sim *s, struct reader *r)
{
	usec_t recorded = current(s, r)->time;
	usec_t us = scaled(s, recorded) - scaled(s, r->recorded);

	r->recorded = recorded;
	r->at = r->npending = r->awaited = 0;
	s->stats.think_us += (uint64_t)us;
	return s->now + us;
}

/* What the prefetcher itself has counted. */
static void
count_own(struct sim *s)
{
	if (s->cfg.prefetcher->count)
		s->cfg.prefetcher->count(s->prefetcher_self, &s->stats);
}

/* Statistics start here: what came before was warm-up. */
static void
start_counting(struct sim *s)
{
	count_own(s);
	s->stats = (struct stats){ 0 };
	s->counting_since = s->now;
	readers_restart_waits(s);
	if (s->outcomes.nblocks)
		outcomes_forget(&s->outcomes);
	for (frame_t f = 1; f <= s->cache.nused; f++)
		s->cache.frame[f].flags &= (uint8_t)~FRAME_AWAITED; /* counted before */
}

/* To the serial reader's next calls.  Always inline: gcc drops calls of what seems pure. */
ALWAYS_INLINE void
look_ahead(struct sim *s, const struct reader *r)
{
	size_t	 i = r->next;
	block_t *coming = s->coming;

	if (unlikely(r->order || i + AHEAD >= s->checked))
		return;
	coming[(i + AHEAD) % COMING] = access_block(s->trace, &s->trace->access[i + AHEAD]);
	cache_expect(&s->cache, coming[(i + AHEAD) % COMING]);
	cache_expect_frame(&s->cache, coming[(i + AHEAD_FRAME) % COMING]);
	if (s->cfg.policy->on_hit == HIT_MOVES)
		cache_expect_links(&s->cache, coming[(i + AHEAD_LINKS) % COMING]);
}

static void
observe_call(const struct sim *s, enum event_kind kind, const struct access *a)
{
	const struct observer *o = &s->cfg.observer;

	if (unlikely(o->mask >> kind & 1))
		o->see(o->ctx,
		    &(struct event){ .when = s->now,
			.kind = kind,
			.block = access_block(s->trace, a),
			.count = access_count(s->trace, a),
			.call = a });
}

static void
begin_call(struct sim *s, const struct reader *r, const struct access *a)
{
	observe_call(s, EVENT_CALL, a);
	if (unlikely(a->advised))
		advice_apply(s, r, a);
}

static void
end_call(struct sim *s, const struct access *a)
{
	observe_call(s, EVENT_CALL_DONE, a);
	if (unlikely(++s->calls == s->cfg.warmup_calls))
		start_counting(s);
}

/* The reader makes calls until it sleeps, ends, or somebody else's turn comes. */
static int
run_reader(struct sim *s, struct reader *r, struct error *e)
{
	bool resumed = r->waiting == WAITS_FOR_TURN;

	if (resumed)
		reader_resume(s, r);
	for (;; resumed = false) {
		const struct access *a = current(s, r);
		usec_t		     at;
		bool		     done;

		look_ahead(s, r);
		if (!resumed)
			begin_call(s, r, a);
		done = call_run(s, r, a);
		if (unlikely(s->admitted == r))
			readers_dismiss(s);
		if (!done)
			return 0;
		end_call(s, a);
		if (++r->next == r->n) {
			s->nlive--;
			return 0;
		}
		if (check_current(s, r, e))
			return -1;
		at = think(s, r);
		if (io_next(s) <= at || clock_next(&s->clock) <= at) {
			clock_set(&s->clock, (uint32_t)(r - s->reader), at);
			return 0;
		}
		s->now = at;
	}
}

static void
end_counting(struct sim *s)
{
	struct stats *st = &s->stats;

	io_close_account(s);
	count_own(s);
	s->ended = true;
	s->flush_at = USEC_MAX;
	st->elapsed_us = (uint64_t)(s->now - s->counting_since);
	st->device_idle_us = st->elapsed_us - st->device_busy_us;
	for (frame_t f = 1; f <= s->cache.nused; f++) {
		uint8_t flags = s->cache.frame[f].flags;

		if (flags & FRAME_PREFETCHED && flags & FRAME_INFLIGHT)
			st->prefetch_inflight_blocks++;
		else if (flags & FRAME_PREFETCHED)
			st->prefetch_unused_blocks++;
	}
}

static void
drain(struct sim *s)
{
	usec_t end = s->now;

	io_unplug(s);
	while (s->io.busy)
		io_step(s);
	s->stats.drain_us = (uint64_t)(s->now - end);
}

static int
start_readers(struct sim *s, struct error *e)
{
	for (uint32_t i = 0; i < s->nreaders; i++) {
		struct reader *r = &s->reader[i];
		usec_t	       start;

		if (check_current(s, r, e))
			return -1;
		/* A process starts with its first call, the one reader with the trace. */
		start = r->order ? current(s, r)->time : 0;
		r->recorded = start;
		clock_set(&s->clock, i, scaled(s, start) + think(s, r));
	}
	return 0;
}

int
sim_run(struct sim *s, struct error *e)
{
	if (start_readers(s, e))
		return -1;
	while (s->nlive) {
		if (io_next(s) <= clock_next(&s->clock)) {
			io_step(s);
		} else {
			uint32_t r = clock_take(&s->clock, &s->now);

			if (run_reader(s, &s->reader[r], e))
				return -1;
		}
	}
	end_counting(s);
	drain(s);
	return 0;
}

/* ---- setting up ---- */

void
config_defaults(struct config *cfg)
{
	*cfg = (struct config){
		.queue_requests = 128,
		.request_blocks = 33, /* as AccuSim; a batch of linux24:max=32 */
		.flush_interval_us = 5 * 1000000,
		.flush_age_us = 30 * 1000000,
		.think_scale = 1,
	};
}

/* The inner prefetcher of a controller is there before the controller. */
static int
plug_in_prefetcher(struct sim *s, struct error *e)
{
	const struct config	*c = &s->cfg;
	const struct prefetcher *p = c->prefetcher, *inner = c->inner;

	assert(!p->control == !inner);
	if (inner) {
		s->inner_self = plugin_state(&inner->plugin, c->inner_params, e);
		if (!s->inner_self || (inner->init && inner->init(s->inner_self, s->trace, e)))
			return -1;
	}
	s->prefetcher_self = plugin_state(&p->plugin, c->prefetcher_params, e);
	if (!s->prefetcher_self)
		return -1;
	if (inner)
		p->control(s->prefetcher_self, inner, s->inner_self);
	return p->init ? p->init(s->prefetcher_self, s->trace, e) : 0;
}

static int
plug_in(struct sim *s, struct error *e)
{
	const struct config *c = &s->cfg;

	s->policy_self = plugin_state(&c->policy->plugin, c->policy_params, e);
	s->device_self =
	    s->policy_self ? plugin_state(&c->device->plugin, c->device_params, e) : NULL;
	s->scheduler_self =
	    s->device_self ? plugin_state(&c->scheduler->plugin, c->scheduler_params, e) : NULL;
	if (!s->scheduler_self ||
	    (c->policy->init && c->policy->init(s->policy_self, &s->cache, e)) ||
	    plug_in_prefetcher(s, e))
		return -1;
	return c->device->init ? c->device->init(s->device_self, c->device_sheet, e) : 0;
}

/* The reader makes a call of that many blocks. */
static void
expect_call(struct reader *r, uint32_t blocks)
{
	if (2 * blocks > r->most_pending)
		r->most_pending = 2 * blocks; /* arrival and write of each */
}

/* Whose call it is, where there is more than one reader. */
static struct reader *
reader_of(struct sim *s, const struct access *a)
{
	uint32_t process = s->trace->open[a->open].process;

	return &s->reader[s->cfg.replay == REPLAY_PROCESS ? process
							  : s->trace->program_of[process]];
}

/* Sort the accesses by reader, keeping their order: one pass to count, one to place. */
static int
split_accesses(struct sim *s, struct error *e)
{
	const struct trace *t = s->trace;
	size_t		    placed = 0;

	if (trace_check(t, 0, t->naccess, e))
		return -1;
	s->checked = t->naccess;
	for (const struct access *a = t->access; a < t->access + t->naccess; a++) {
		struct reader *r = reader_of(s, a);

		r->n++;
		expect_call(r, access_count(t, a));
	}
	for (uint32_t p = 0; p < s->nreaders; p++) {
		s->reader[p].order = s->order + placed;
		placed += s->reader[p].n;
		s->reader[p].n = 0;
	}
	for (size_t i = 0; i < t->naccess; i++) {
		struct reader *r = reader_of(s, &t->access[i]);

		s->order[(size_t)(r->order - s->order) + r->n++] = (uint32_t)i;
	}
	return 0;
}

/* One reader for all of the trace: its longest call may begin and end within blocks. */
static void
read_serially(struct sim *s)
{
	const struct trace *t = s->trace;

	s->reader[0].n = t->naccess;
	expect_call(&s->reader[0], t->longest_bytes / t->block_bytes + 2);
}

static int
make_readers(struct sim *s, struct error *e)
{
	bool   by_process = s->cfg.replay == REPLAY_PROCESS;
	bool   serial = !by_process && !s->trace->nprograms;
	size_t blocks = 0;

	if (!serial && s->trace->naccess > UINT32_MAX) /* s->order counts in 32 bits */
		return error_set(e, "%zu calls are too many for %s", s->trace->naccess,
		    by_process ? "process replay" : "several programs");
	s->nreaders = by_process ? s->trace->nprocesses : serial ? 1 : s->trace->nprograms;
	s->nlive = s->nreaders;
	s->reader = calloc(s->nreaders, sizeof(*s->reader));
	s->expecting = calloc(s->nreaders, sizeof(*s->expecting));
	s->room = calloc(s->nreaders, sizeof(*s->room));
	s->order = serial ? NULL : calloc(s->trace->naccess, sizeof(*s->order));
	if (!s->reader || !s->expecting || !s->room || (!serial && !s->order))
		return error_set(e, "out of memory for %u processes", s->nreaders);
	if (serial)
		read_serially(s);
	else if (split_accesses(s, e))
		return -1;
	for (uint32_t i = 0; i < s->nreaders; i++)
		blocks += s->reader[i].most_pending;
	s->arena = calloc(blocks, sizeof(*s->arena));
	if (!s->arena)
		return error_set(e, "out of memory for calls of %zu blocks", blocks);
	blocks = 0;
	for (uint32_t i = 0; i < s->nreaders; i++) {
		s->reader[i].pending = s->arena + blocks;
		blocks += s->reader[i].most_pending;
	}
	return clock_init(&s->clock, s->nreaders, e);
}

static int
make_parts(struct sim *s, struct error *e)
{
	const struct trace *t = s->trace;
	uint32_t	    sectors = t->block_bytes / SECTOR_BYTES;

	if (cache_init(&s->cache, (frame_t)s->cfg.cache_blocks, t->nblocks, e) || plug_in(s, e) ||
	    layout_init(&s->layout, s->cfg.layout, t, s->cfg.device->capacity(s->device_self), e) ||
	    queue_init(&s->queue, s->cfg.queue_requests, s->cfg.request_blocks, sectors, e) ||
	    make_readers(s, e))
		return -1;
	if (s->cfg.scheduler->init)
		s->cfg.scheduler->init(s->scheduler_self, &s->queue);
	s->touched = calloc(t->nblocks / 8 + 1, 1);
	if (!s->touched)
		return error_set(e, "out of memory for %u blocks", t->nblocks);
	if (s->cfg.writes == WRITES_BACK && t->writes &&
	    writeback_init(&s->writeback, s->cache.nframes, e))
		return -1;
	return s->cfg.prefetcher->access ? outcomes_init(&s->outcomes, t->nblocks, e) : 0;
}

int
config_check(const struct config *cfg, const struct trace *t, struct error *e)
{
	if (cfg->cache_blocks < 1 || cfg->cache_blocks >= UINT32_MAX)
		return error_set(e, "a cache of %llu blocks: between 1 and %u are possible",
		    (unsigned long long)cfg->cache_blocks, UINT32_MAX - 1);
	if (cfg->queue_requests < QUEUE_MIN)
		return error_set(e, "a queue of %u requests: at least %d are needed",
		    cfg->queue_requests, QUEUE_MIN);
	if (cfg->warmup_calls && cfg->warmup_calls >= t->naccess)
		return error_set(e, "a warm-up of %llu calls leaves nothing of the trace's %zu",
		    (unsigned long long)cfg->warmup_calls, t->naccess);
	if (trace_check(t, t->naccess - 1, 1, e))
		return -1;
	if ((double)t->access[t->naccess - 1].time * cfg->think_scale > (double)SPAN_MAX_US)
		return error_set(e, "a think scale of %g makes the trace longer than 142 years",
		    cfg->think_scale);
	return 0;
}

int
sim_init(struct sim *s, const struct config *cfg, const struct trace *t, struct error *e)
{
	*s = (struct sim){ .cfg = *cfg, .trace = t, .flush_at = USEC_MAX, .io.next = USEC_MAX };
	if (config_check(cfg, t, e))
		return -1;
	if (!make_parts(s, e))
		return 0;
	sim_release(s);
	return -1;
}

static void
plug_out(void *self, void (*release)(void *self))
{
	if (self && release)
		release(self);
	free(self);
}

void
sim_release(struct sim *s)
{
	plug_out(s->policy_self, s->cfg.policy->release);
	plug_out(s->prefetcher_self, s->cfg.prefetcher->release);
	if (s->cfg.inner)
		plug_out(s->inner_self, s->cfg.inner->release);
	plug_out(s->device_self, s->cfg.device->release);
	free(s->scheduler_self);
	cache_release(&s->cache);
	queue_release(&s->queue);
	clock_release(&s->clock);
	writeback_release(&s->writeback);
	outcomes_release(&s->outcomes);
	free(s->touched);
	free(s->reader);
	free(s->order);
	free(s->arena);
	free(s->expecting);
	free(s->room);
	*s = (struct sim){ 0 };
}

int
simulate(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct sim s;
	int	   failed;

	if (cfg->replay == REPLAY_UNTIMED)
		return replay_run(cfg, t, out, e);
	if (sim_init(&s, cfg, t, e))
		return -1;
	failed = sim_run(&s, e);
	*out = s.stats;
	sim_release(&s);
	return failed;
}

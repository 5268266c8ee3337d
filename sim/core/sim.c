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
 *
 * Open replay is no loop: calls arrive when the trace says and are handed to
 * readers that have none.  A call that does not have to wait leaves its
 * reader idle.  Where there are not enough readers, calls wait for one.
 */
#include <stdlib.h>

#include "sim/core/advice.h"
#include "sim/core/direct.h"
#include "sim/core/io.h"
#include "sim/core/reader.h"
#include "sim/core/reference.h"
#include "sim/core/replay.h"

/* ---- running ---- */

static const struct access *
current(const struct sim *s, const struct reader *r)
{
	return &s->trace->access[r->order ? r->order[r->next] : r->next];
}

/* Is a call that a reader comes to intact? */
static int
check_call(struct sim *s, size_t call, struct error *e)
{
	if (likely(call < s->checked))
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
	usec_t us = config_scaled(&s->cfg, recorded) - config_scaled(&s->cfg, r->recorded);

	r->recorded = recorded;
	r->at = r->npending = r->awaited = 0;
	s->stats.think_us += (uint64_t)us;
	return s->now + us;
}

enum { PARTS = 4 };

/* The plug-ins that take part, for what they count themselves. */
static const struct instance *
parts(const struct sim *s, struct instance part[PARTS])
{
	part[0] = (struct instance){ s->cfg.policy.plugin, s->policy_self };
	part[1] = (struct instance){ s->cfg.prefetcher.plugin, s->prefetcher_self };
	part[2] = (struct instance){ s->cfg.scheduler.plugin, s->scheduler_self };
	part[3] = (struct instance){ s->cfg.device.plugin, s->device_self };
	return part;
}

/* Statistics start here: what came before was warm-up. */
static void
start_counting(struct sim *s)
{
	struct instance part[PARTS];

	stats_start(&s->stats, parts(s, part), PARTS);
	s->counting_since = s->now;
	readers_restart_waits(s);
	if (s->responses.us)
		responses_restart(&s->responses, s->now);
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
	if (config_policy(&s->cfg)->on_hit == HIT_MOVES)
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

ALWAYS_INLINE void
begin_call(struct sim *s, const struct reader *r, const struct access *a)
{
	if (unlikely(s->responses.us) && s->cfg.replay != REPLAY_OPEN)
		response_arrives(&s->responses, (size_t)(a - s->trace->access), s->now);
	observe_call(s, EVENT_CALL, a);
	if (unlikely(a->advised))
		advice_apply(s, r, a);
}

ALWAYS_INLINE void
end_call(struct sim *s, const struct access *a)
{
	if (unlikely(s->responses.us))
		response_ends(&s->responses, (size_t)(a - s->trace->access), s->now);
	observe_call(s, EVENT_CALL_DONE, a);
	if (unlikely(++s->calls == s->cfg.warmup_calls))
		start_counting(s);
}

/* The reader's current call goes on until it ends, or the reader sleeps: false. */
ALWAYS_INLINE bool
run_call(struct sim *s, struct reader *r, bool resumed)
{
	const struct access *a = current(s, r);
	bool		     done;

	look_ahead(s, r);
	if (!resumed)
		begin_call(s, r, a);
	done = call_run(s, r, a);
	if (unlikely(s->admitted == r))
		readers_dismiss(s);
	if (done)
		end_call(s, a);
	return done;
}

/* ---- closed loops ---- */

/* The reader makes calls until it sleeps, ends, or somebody else's turn comes. */
static int
run_reader(struct sim *s, struct reader *r, struct error *e)
{
	bool resumed = r->waiting == WAITS_FOR_TURN;

	if (resumed)
		reader_resume(s, r);
	for (;; resumed = false) {
		usec_t at;

		if (!run_call(s, r, resumed))
			return 0;
		if (++r->next == r->n) {
			s->nlive--;
			return 0;
		}
		if (check_call(s, r->next, e))
			return -1;
		at = think(s, r);
		if (io_next(s) <= at || clock_next(&s->clock) <= at) {
			clock_set(&s->clock, (uint32_t)(r - s->reader), at);
			return 0;
		}
		s->now = at;
	}
}

static int
start_readers(struct sim *s, struct error *e)
{
	for (uint32_t i = 0; i < s->nreaders; i++) {
		struct reader *r = &s->reader[i];
		usec_t	       start;

		if (check_call(s, r->next, e))
			return -1;
		/* A process starts with its first call, the one reader with the trace. */
		start = r->order ? current(s, r)->time : 0;
		r->recorded = start;
		clock_set(&s->clock, i, config_scaled(&s->cfg, start) + think(s, r));
	}
	return 0;
}

static int
run_closed(struct sim *s, struct error *e)
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
	return 0;
}

/* ---- the open loop ---- */

/* The call that has arrived first waited until now for a reader. */
static void
account_turn(struct sim *s)
{
	usec_t arrival = s->responses.us[s->taken];
	usec_t from = arrival > s->counting_since ? arrival : s->counting_since;

	s->stats.stall_us += (uint64_t)(s->now - from);
	s->stats.stall_frame_us += (uint64_t)(s->now - from);
}

/* Idle readers take up what has arrived; who does not have to sleep stays idle. */
static void
take_up(struct sim *s)
{
	while (s->nidle && s->taken < s->arrived) {
		struct reader *r = &s->reader[s->idle[s->nidle - 1]];

		account_turn(s);
		r->next = s->taken++;
		r->at = r->npending = r->awaited = 0;
		s->nidle -= !run_call(s, r, false);
	}
}

static int
arrive(struct sim *s, usec_t at, struct error *e)
{
	if (check_call(s, s->arrived, e))
		return -1;
	s->now = at;
	response_arrives(&s->responses, s->arrived++, at);
	take_up(s);
	return 0;
}

/* The reader that has been woken goes on. */
static void
go_on(struct sim *s, uint32_t reader)
{
	reader_resume(s, &s->reader[reader]);
	if (!run_call(s, &s->reader[reader], true))
		return;
	s->idle[s->nidle++] = reader;
	take_up(s);
}

static usec_t
next_arrival(const struct sim *s)
{
	if (s->arrived == s->trace->naccess)
		return USEC_MAX;
	return config_scaled(&s->cfg, s->trace->access[s->arrived].time);
}

static int
run_open(struct sim *s, struct error *e)
{
	while (s->arrived < s->trace->naccess || s->nidle < s->nreaders) {
		usec_t arrival = next_arrival(s), turn = clock_next(&s->clock);

		if (io_next(s) <= arrival && io_next(s) <= turn)
			io_step(s);
		else if (turn <= arrival)
			go_on(s, clock_take(&s->clock, &s->now));
		else if (arrive(s, arrival, e))
			return -1;
	}
	return 0;
}

/* ---- the end ---- */

static void
end_counting(struct sim *s)
{
	struct stats   *st = &s->stats;
	struct instance part[PARTS];

	io_close_account(s);
	stats_end(st, parts(s, part), PARTS);
	s->ended = true;
	s->flush_at = USEC_MAX;
	st->elapsed_us = (uint64_t)(s->now - s->counting_since);
	st->device_idle_us = st->elapsed_us - st->device_busy_us;
	if (s->cfg.replay == REPLAY_OPEN)
		st->think_us = STAT_UNKNOWN;
	responses_count(&s->responses, s->cfg.warmup_calls, s->now, st);
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
	while (s->io.n)
		io_step(s);
	s->stats.drain_us = (uint64_t)(s->now - end);
}

int
sim_run(struct sim *s, struct error *e)
{
	if (s->cfg.replay == REPLAY_OPEN ? run_open(s, e) : run_closed(s, e))
		return -1;
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

bool
config_knows_advice(const struct config *cfg)
{
	const struct choice *c = &cfg->prefetcher;

	while (c && prefetcher_of(c)->advise)
		c = c->inner;
	return !c;
}

static int
plug_in(struct sim *s, struct error *e)
{
	const struct config *c = &s->cfg;

	s->policy_self = plugin_state(c->policy.plugin, c->policy.params, e);
	s->device_self = s->policy_self ? device_start(&c->device, e) : NULL;
	s->scheduler_self =
	    s->device_self ? plugin_state(c->scheduler.plugin, c->scheduler.params, e) : NULL;
	if (!s->scheduler_self ||
	    (config_policy(c)->init && config_policy(c)->init(s->policy_self, &s->cache, e)))
		return -1;
	s->prefetcher_self = prefetcher_start(&c->prefetcher, s->trace, e);
	return s->prefetcher_self ? 0 : -1;
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

/* Any reader may make any call: the longest may begin and end within blocks. */
static void
read_serially(struct sim *s)
{
	const struct trace *t = s->trace;

	for (uint32_t i = 0; i < s->nreaders; i++) {
		s->reader[i].n = t->naccess;
		expect_call(&s->reader[i], t->longest_bytes / t->block_bytes + 2);
	}
}

enum { OPEN_READERS = 1024 };

static uint32_t
count_readers(const struct sim *s)
{
	const struct trace *t = s->trace;

	if (s->cfg.replay == REPLAY_OPEN)
		return t->naccess < OPEN_READERS ? (uint32_t)t->naccess : OPEN_READERS;
	if (s->cfg.replay == REPLAY_PROCESS)
		return t->nprocesses;
	return t->nprograms ? t->nprograms : 1;
}

/* The account of response times, and readers that have no call. */
static int
open_up(struct sim *s, struct error *e)
{
	if (s->cfg.replay != REPLAY_OPEN && !s->cfg.response)
		return 0;
	if (responses_init(&s->responses, s->trace->naccess, s->cfg.response, e))
		return -1;
	s->idle = calloc(s->nreaders, sizeof(*s->idle));
	if (!s->idle)
		return error_set(e, "out of memory for %u readers", s->nreaders);
	for (s->nidle = 0; s->nidle < s->nreaders; s->nidle++)
		s->idle[s->nidle] = s->nreaders - 1 - s->nidle;
	return 0;
}

static int
make_readers(struct sim *s, struct error *e)
{
	bool   by_process = s->cfg.replay == REPLAY_PROCESS;
	bool   serial = s->cfg.replay == REPLAY_OPEN || (!by_process && !s->trace->nprograms);
	size_t blocks = 0;

	if (!serial && s->trace->naccess > UINT32_MAX) /* s->order counts in 32 bits */
		return error_set(e, "%zu calls are too many for %s", s->trace->naccess,
		    by_process ? "process replay" : "several programs");
	s->nlive = s->nreaders = count_readers(s);
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
	return clock_init(&s->clock, s->nreaders, e) || open_up(s, e);
}

/* A driver that works on the request where it stands in the queue has one at the device. */
static uint32_t
depth(const struct sim *s)
{
	const struct device *d = config_device(&s->cfg);

	return d->depth && !s->queue.rules.in_place ? d->depth(s->device_self) : 1;
}

static int
make_parts(struct sim *s, struct error *e)
{
	const struct trace *t = s->trace;
	uint32_t	    sectors = t->block_bytes / SECTOR_BYTES;

	if (cache_init(&s->cache, (frame_t)s->cfg.cache_blocks, t->nblocks, e) || plug_in(s, e) ||
	    layout_init(&s->layout, s->cfg.layout, t,
		config_device(&s->cfg)->capacity(s->device_self), e) ||
	    queue_init(&s->queue, s->cfg.queue_requests, s->cfg.request_blocks, sectors, e) ||
	    make_readers(s, e))
		return -1;
	if (config_scheduler(&s->cfg)->init)
		config_scheduler(&s->cfg)->init(s->scheduler_self, &s->queue);
	if (io_init(&s->io, depth(s), e))
		return -1;
	s->touched = calloc(t->nblocks / 8 + 1, 1);
	if (!s->touched)
		return error_set(e, "out of memory for %u blocks", t->nblocks);
	if (s->cfg.writes == WRITES_BACK && t->writes &&
	    writeback_init(&s->writeback, s->cache.nframes, e))
		return -1;
	return config_prefetcher(&s->cfg)->access ? outcomes_init(&s->outcomes, t->nblocks, e) : 0;
}

int
config_check_cache(const struct config *cfg, struct error *e)
{
	if (cfg->cache_blocks >= 1 && cfg->cache_blocks < UINT32_MAX)
		return 0;
	return error_set(e, "a cache of %llu blocks: between 1 and %u are possible",
	    (unsigned long long)cfg->cache_blocks, UINT32_MAX - 1);
}

int
config_check(const struct config *cfg, const struct trace *t, struct error *e)
{
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
	*s = (struct sim){ .cfg = *cfg, .trace = t, .flush_at = USEC_MAX };
	if (config_check_cache(cfg, e) || config_check(cfg, t, e))
		return -1;
	if (!make_parts(s, e))
		return 0;
	sim_release(s);
	return -1;
}

void
sim_release(struct sim *s)
{
	plugin_free(s->policy_self, config_policy(&s->cfg)->release);
	prefetcher_stop(config_prefetcher(&s->cfg), s->prefetcher_self);
	device_stop(config_device(&s->cfg), s->device_self);
	free(s->scheduler_self);
	cache_release(&s->cache);
	queue_release(&s->queue);
	io_release(&s->io);
	clock_release(&s->clock);
	writeback_release(&s->writeback);
	outcomes_release(&s->outcomes);
	free(s->touched);
	free(s->reader);
	free(s->order);
	free(s->arena);
	free(s->expecting);
	free(s->room);
	free(s->idle);
	responses_release(&s->responses);
	*s = (struct sim){ 0 };
}

int
simulate(const struct config *cfg, const struct trace *t, struct stats *out, struct error *e)
{
	struct sim s;
	int	   failed;

	if (!cfg->cache_blocks)
		return direct_run(cfg, t, out, e);
	if (cfg->replay == REPLAY_UNTIMED)
		return replay_run(cfg, t, out, e);
	if (sim_init(&s, cfg, t, e))
		return -1;
	failed = sim_run(&s, e);
	*out = s.stats;
	sim_release(&s);
	return failed;
}

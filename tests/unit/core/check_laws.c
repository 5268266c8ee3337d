/*
 * check_laws.c - what every run obeys, whatever was simulated.
 *
 * The matrix is every plug-in that is registered times every way of writing,
 * waiting, completing and replaying, cache sizes and queues; each point of it
 * is a run of a random trace, and the counters of each must add up exactly.
 * A share of the matrix is taken, always the same one; LAWS_EVERY=n in the
 * environment takes every n-th point.
 */
#include "sim/analysis/loads.h"
#include "sim/core/engine/check.h"
#include "tests/unit/conformance.h"
#include "tests/unit/own.h"
#include "tests/unit/shapes.h"

extern const struct prefetcher prefetcher_iprp, prefetcher_ledger, prefetcher_fdp,
    prefetcher_switch;

/* ---- prefetchers and devices that go to extremes ---- */

/* Eight blocks behind every reference: some of this call, some beyond the end. */
static void
window_access(void *self, const struct demand *d, struct plan *plan)
{
	plan_add(plan, d->index + 1, 8);
}

/* Whatever is needed, and a little where there is a pattern. */
static void
window_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	REQUIRE(!d->call && a->kind != ADVICE_DONTNEED, "a call, or what is not its business");
	plan_add(plan, d->index, a->kind == ADVICE_WILLNEED ? d->left : a->kind);
}

static const struct prefetcher window = {
	.plugin = { .name = "window", .summary = "test: eight blocks at every reference" },
	.access = window_access,
	.advise = window_advise,
};

/* Anything anywhere, the same block twice, runs far beyond the end; it may wait, or not. */
static void
wild_access(void *self, const struct demand *d, struct plan *plan)
{
	uint64_t *seed = self;

	for (uint32_t n = random_below(seed, PLAN_MAX + 2); n > 0; n--) {
		uint32_t back = random_below(seed, d->index + 1);

		plan_add_as(plan, d->index - back + random_below(seed, 20), random_below(seed, 40),
		    random_below(seed, 2));
	}
	if (random_below(seed, 10) == 0)
		plan_add(plan, UINT32_MAX - 3, 8);
	if (random_below(seed, 4) == 0)
		plan_mark(plan, d->index, 1 + random_below(seed, 3));
	if (random_below(seed, 4) == 0)
		plan->renew = (struct extent){ d->index, 1 + random_below(seed, 9), false };
	plan->waits = random_below(seed, 2);
	plan->unplug = random_below(seed, 4) == 0;
}

static void
wild_advise(void *self, const struct advice *a, const struct demand *d, struct plan *plan)
{
	wild_access(self, d, plan);
	plan_mark(plan, d->index, 3);
	plan->unmark = (struct extent){ d->index + 1, 1, false };
}

static const struct prefetcher wild = {
	.plugin = { .name = "wild", .summary = "test: anything", .state_size = sizeof(uint64_t) },
	.access = wild_access,
	.advise = wild_advise,
};

static void
idle_access(void *self, const struct demand *d, struct plan *plan)
{
}

static const struct prefetcher idle = {
	.plugin = { .name = "idle", .summary = "test: plans nothing" },
	.access = idle_access,
};

static uint64_t
odd_capacity(const void *self)
{
	return UINT64_C(1) << 40;
}

/* Every part takes some time, now and then none; data begin to arrive at any moment. */
static void
odd_service(void *self, const struct transfer *r, struct service *out)
{
	uint64_t *seed = self;
	usec_t	  sum = 0;

	*out = (struct service){ .from_buffer = !r->write && random_below(seed, 4) == 0 };
	for (unsigned i = 0; i < SERVICE_PARTS; i++) {
		out->part[i] = random_below(seed, 3) ? random_below(seed, 4000) : 0;
		sum += out->part[i];
	}
	out->data_begin = random_below(seed, (uint32_t)sum + 1);
}

static const struct device odd = {
	.plugin = { .name = "odd", .summary = "test: any time", .state_size = sizeof(uint64_t) },
	.capacity = odd_capacity,
	.service = odd_service,
};

static uint32_t
wide_depth(const void *self)
{
	return 5;
}

/* The same, five at a time: they end in any order. */
static const struct device wide = {
	.plugin = { .name = "wide", .summary = "test: any order", .state_size = sizeof(uint64_t) },
	.capacity = odd_capacity,
	.depth = wide_depth,
	.service = odd_service,
};

/* ---- one run ---- */

static struct config cfg;
static const char   *chosen[CONFIG_KINDS]; /* as typed */
static unsigned	     trace_number;

static const struct trace *
simulated(void)
{
	return shape_trace(trace_number);
}

/* Does one process make all calls? */
static bool
is_serial(void)
{
	return cfg.replay == REPLAY_SERIAL && !simulated()->nprograms;
}

/* Is there never more than one block in flight that is demanded, in no block's way? */
static bool
waits_alone(void)
{
	return is_serial() && cfg.wait == WAIT_BLOCK && cfg.writes != WRITES_ACCUSIM;
}

static const char *
describe(void)
{
	static char text[5 * SETTING_TEXT];

	snprintf(text, sizeof(text),
	    "%s %u, %s, %s, %s, %s, %u frames, queue %u, writes %d, wait %d, complete %d, replay %d, "
	    "cpu %llu+%llu+%llu+%llu+%llu",
	    shape_of(trace_number), trace_number, chosen[kind_number(PLUGIN_POLICY)],
	    chosen[kind_number(PLUGIN_PREFETCHER)], chosen[kind_number(PLUGIN_SCHEDULER)],
	    chosen[kind_number(PLUGIN_DEVICE)], (unsigned)cfg.cache_blocks, cfg.queue_requests,
	    cfg.writes, cfg.wait, cfg.complete, cfg.replay, (unsigned long long)cfg.cpu.call_ps,
	    (unsigned long long)cfg.cpu.page_ps, (unsigned long long)cfg.cpu.byte_ps,
	    (unsigned long long)cfg.cpu.read_page_ps, (unsigned long long)cfg.cpu.single_page_ps);
	return text;
}

static void
choose(const struct plugin_kind *kind, const char *text)
{
	chosen[kind_number(kind)] = text;
	choose_setting(&cfg, kind, text);
}

/* A plug-in of this file, in an array or controller or alone. */
static void
choose_mine(const struct plugin_kind *kind, const struct plugin *p, const char *outer)
{
	static char text[CONFIG_KINDS][SETTING_TEXT];

	if (outer) {
		choose_setting(&cfg, kind, outer);
		choose_inner(&cfg, kind, p);
	} else {
		choose_own(&cfg, kind, p);
	}
	snprintf(text[kind_number(kind)], SETTING_TEXT, "%s%s%s", outer ? outer : "",
	    outer ? ", instead " : "", p->name);
	chosen[kind_number(kind)] = text[kind_number(kind)];
}

/* ---- whole structures, at random moments ---- */

enum { LOOK_EVERY = 16 }; /* moments */

static unsigned looks;

/* It does not change the run: check_run() compares it with one that is not observed. */
static void
look(void *ctx, const struct event *e)
{
	static uint64_t seed = 1;
	const char     *wrong;

	if (random_below(&seed, LOOK_EVERY))
		return;
	wrong = engine_check(ctx);
	REQUIRE(!wrong, "%s: at %lld us, %s", describe(), (long long)e->when, wrong);
	looks++;
}

/* False if parameters contradict each other. */
static bool
start(struct engine *s)
{
	struct error e;
	const char  *wrong;

	if (engine_init(s, &cfg, simulated(), &e)) {
		check_refused(describe(), &e);
		return false;
	}
	s->cfg.observer = (struct observer){
		.mask = 1u << EVENT_CALL | 1u << EVENT_CALL_DONE | 1u << EVENT_IO_START,
		.see = look,
		.ctx = s,
	};
	REQUIRE(!engine_run(s, &e), "%s: %s", describe(), e.text);
	wrong = node_check(&s->node);
	REQUIRE(!wrong, "%s: at the end, %s", describe(), wrong);
	return true;
}

static struct stats
run(void)
{
	struct stats st;
	struct error e;

	REQUIRE(!simulate(&cfg, simulated(), &st, &e), "%s: %s", describe(), e.text);
	return st;
}

static void
defaults(void)
{
	looks = 0;
	config_defaults(&cfg);
	choose(PLUGIN_POLICY, "lru");
	choose(PLUGIN_PREFETCHER, "none");
	choose(PLUGIN_SCHEDULER, "fifo");
	choose(PLUGIN_DEVICE, "null");
	cfg.flush_interval_us = 50000;
	cfg.flush_age_us = 100000;
}

/* ---- the laws ---- */

#define LAW(...) REQUIRE((__VA_ARGS__), "%s: not so: %s", describe(), #__VA_ARGS__)

static void
check_references(const struct stats *st)
{
	LAW(st->references == st->hits + st->late_hits + st->delayed_hits + st->misses);
	LAW(st->first_hits <= st->hits);
	LAW(st->write_references <= st->references);
	LAW(st->write_misses <= st->misses);
	LAW(st->cold_misses <= st->misses);
	LAW(st->cold_misses <= st->touched_blocks);
	LAW(st->evicted_dirty <= st->evictions);
	if (waits_alone() && !cfg.warmup_calls)
		LAW(st->delayed_hits == 0);
}

/* Also after a warm-up: what it has prefetched is not counted. */
static void
check_prefetched(const struct stats *st)
{
	LAW(st->prefetched_blocks ==
	    st->prefetch_used_blocks + st->prefetch_late_blocks + st->prefetch_wasted_blocks +
		st->prefetch_unused_blocks + st->prefetch_inflight_blocks);
	LAW(st->prefetch_used_blocks == st->first_hits);
	LAW(st->prefetch_late_blocks == st->late_hits);
	LAW(st->planned_blocks ==
	    st->prefetched_blocks + st->prefetch_resident_blocks + st->prefetch_demand_blocks +
		st->prefetch_dropped_blocks);
	LAW(st->prefetch_wasted_blocks <= st->evictions + st->advice_dropped_blocks);
	LAW(st->advice_read_blocks <= st->prefetched_blocks);
}

/* How much of the trace's advice is DONTNEED? */
static uint64_t
drops(void)
{
	const struct trace *t = simulated();
	uint64_t	    n = 0;

	for (size_t i = 0; i < t->nadvice; i++)
		n += t->advice[i].kind == ADVICE_DONTNEED;
	return n;
}

static void
check_prefetching(const struct stats *st)
{
	check_prefetched(st);
	LAW(st->advices ==
	    (cfg.ignores_advice			? 0
		    : config_knows_advice(&cfg) ? simulated()->nadvice
						: drops()));
	LAW(config_knows_advice(&cfg) || !st->advice_read_blocks);
	LAW(drops() || !st->advice_dropped_blocks);
	LAW(st->advices || (!st->advice_read_blocks && !st->advice_dropped_blocks));
	LAW(st->ride_along_blocks <= st->prefetched_blocks);
}

static uint64_t
iprp(const struct stats *st, const char *name)
{
	return own_count(st, &prefetcher_iprp.plugin, name);
}

static bool
takes_part(const struct plugin *p)
{
	const struct choice *all[] = { &cfg.policy, &cfg.prefetcher, &cfg.scheduler, &cfg.device };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (const struct choice *c = all[i]; c; c = c->inner)
			if (c->plugin == p)
				return true;
	return false;
}

/* What iprp counts: each block of a read call has a class, once. */
static void
check_control(const struct stats *st)
{
	uint64_t seen = iprp(st, "sequential_references") + iprp(st, "looping_references") +
	    iprp(st, "other_references");

	LAW(seen == st->references - st->write_references);
	LAW(st->trimmed_blocks == iprp(st, "vetoed_blocks") + iprp(st, "clipped_blocks"));
	LAW(iprp(st, "loops") <= iprp(st, "loop_repetitions"));
	LAW(iprp(st, "loop_repetitions") <= iprp(st, "loop_period_references"));
	LAW(iprp(st, "loop_repetitions") <= seen);
}

static uint64_t
ledger(const struct stats *st, const char *name)
{
	return own_count(st, &prefetcher_ledger.plugin, name);
}

/* What ledger counts: a veto of at least one block. */
static void
check_ledger(const struct stats *st)
{
	uint64_t vetoes = ledger(st, "vetoed_plans");

	LAW(st->trimmed_blocks == ledger(st, "vetoed_blocks"));
	LAW(ledger(st, "vetoed_blocks") >= vetoes);
	LAW(vetoes || !ledger(st, "vetoed_blocks"));
	LAW(ledger(st, "regretted_blocks") <= st->misses - st->write_misses);
	LAW(ledger(st, "taken_back_blocks") <= st->prefetch_wasted_blocks);
	LAW(ledger(st, "taken_back_blocks") <= st->evictions);
}

/* A plug-in counts in the runs that it takes part in, and in no other. */
static void
check_own(const struct stats *st)
{
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		LAW((stats_own(st, i.plugin, i.counter) != STAT_UNKNOWN) == takes_part(i.plugin));
	if (takes_part(&prefetcher_iprp.plugin))
		check_control(st);
	else if (takes_part(&prefetcher_ledger.plugin))
		check_ledger(st);
	else if (takes_part(&prefetcher_fdp.plugin))
		LAW(st->trimmed_blocks == own_count(st, &prefetcher_fdp.plugin, "vetoed_blocks"));
	else if (takes_part(&prefetcher_switch.plugin))
		LAW(st->trimmed_blocks ==
		    own_count(st, &prefetcher_switch.plugin, "vetoed_blocks"));
	else if (!cfg.prefetcher.inner)
		LAW(st->trimmed_blocks == 0);
}

/* Of the ages of n blocks, three percentiles from *p on; one is at most 1/32 too long. */
static void
check_ages(const struct stats *st, uint64_t n, const uint64_t *p)
{
	if (!n) {
		LAW(p[0] == STAT_UNKNOWN && p[1] == STAT_UNKNOWN && p[2] == STAT_UNKNOWN);
		return;
	}
	LAW(p[0] <= p[1] && p[1] <= p[2]);
	LAW(p[2] <= st->elapsed_us + st->elapsed_us / 32);
}

static void
check_outcomes(const struct stats *st)
{
	LAW(st->outcome_timely_blocks + st->outcome_late_blocks + st->outcome_costly_blocks ==
	    st->prefetch_used_blocks + st->prefetch_late_blocks);
	LAW(st->outcome_useless_blocks + st->outcome_polluting_blocks ==
	    st->prefetch_wasted_blocks);
	LAW(st->outcome_timely_blocks <= st->prefetch_used_blocks);
	LAW(st->outcome_late_blocks <= st->prefetch_late_blocks);
	LAW(st->outcome_costly_blocks + st->outcome_polluting_blocks <=
	    st->pollution_victim_misses);
	LAW(st->pollution_thrash_misses <= st->pollution_victim_misses);
	LAW(st->pollution_victim_misses <= st->misses);
	ASSERT(simulated()->nblocks <= FILTER_BITS); /* each block has a bit of its own */
	LAW(st->pollution_filter_misses ==
	    st->pollution_victim_misses - st->pollution_thrash_misses);
	check_ages(st, st->prefetch_used_blocks, &st->prefetch_used_age_p50_us);
	check_ages(st, st->prefetch_wasted_blocks, &st->prefetch_wasted_age_p50_us);
}

/* Both caches get the same references. */
static void
check_shadow(const struct stats *st)
{
	LAW(st->misses + st->covered_references == st->shadow_misses + st->pollution_misses);
	LAW(st->pollution_misses <= st->misses);
	LAW(st->covered_references <= st->shadow_misses);
	LAW(st->covered_references <= st->references - st->misses);
}

static void
check_time(const struct stats *st)
{
	LAW(st->stall_us ==
	    st->stall_miss_us + st->stall_ride_us + st->stall_demand_queue_us +
		st->stall_prefetch_queue_us + st->stall_write_queue_us + st->stall_late_us +
		st->stall_delayed_us + st->stall_frame_us + st->stall_write_us + st->stall_idle_us);
	for (const uint64_t *part = &st->stall_miss_us; part <= &st->stall_idle_us; part++)
		LAW(*part <= st->stall_us);
	LAW(st->stall_late_us == st->late_service_us + st->late_queue_us);
	if (cfg.replay == REPLAY_OPEN)
		LAW(st->think_us == STAT_UNKNOWN);
	else
		LAW(st->elapsed_us <=
		    st->think_us + st->cpu_us + st->stall_us + st->wait_process_us);
	LAW(st->wait_process_us == 0 || (cfg.replay == REPLAY_PROCESS && simulated()->nsteps));
	LAW(st->broken_waits == 0);
	LAW(st->stall_idle_us == 0);
	if (is_serial()) {
		LAW(st->elapsed_us == st->think_us + st->cpu_us + st->stall_us);
		LAW(st->stall_miss_us + st->stall_ride_us + st->stall_demand_queue_us +
			st->stall_prefetch_queue_us + st->stall_write_queue_us <=
		    st->device_busy_us);
	}
	if (cfg.complete == COMPLETE_BUFFER)
		LAW(st->stall_ride_us == 0);
	if (!strcmp(chosen[kind_number(PLUGIN_DEVICE)], "null"))
		LAW(st->stall_us == 0 && st->device_busy_us == 0 && st->drain_us == 0);
}

/* Who makes calls, and may owe less than a microsecond at the end. */
static uint64_t
debtors(void)
{
	const struct trace *t = simulated();

	return cfg.replay == REPLAY_OPEN   ? t->naccess
	    : cfg.replay == REPLAY_PROCESS ? t->nprocesses
	    : t->nprograms		   ? t->nprograms
					   : 1;
}

/* What a block reference costs: is anything read ahead? */
static uint64_t
page_cost(void)
{
	const char *prefetcher = chosen[kind_number(PLUGIN_PREFETCHER)];
	bool	    none = !strcmp(prefetcher, "none") || strstr(prefetcher, "+none");

	return none && cfg.cpu.single_page_ps ? cfg.cpu.single_page_ps : cfg.cpu.page_ps;
}

/* What is charged is paid, to the last microsecond. */
static void
check_cpu(const struct stats *st)
{
	const struct trace *t = simulated();
	uint64_t	    bytes = 0, ps;

	for (size_t i = 0; i < t->naccess; i++)
		bytes += t->access[i].length;
	ps = cfg.cpu.call_ps * t->naccess + page_cost() * st->references + cfg.cpu.byte_ps * bytes +
	    cfg.cpu.read_page_ps * st->read_blocks;
	LAW(st->cpu_us <= ps / 1000000);
	LAW(ps - st->cpu_us * 1000000 < debtors() * 1000000);
	if (is_serial())
		LAW(st->cpu_us == ps / 1000000);
}

/* Who waits or pays is under way, and for as long. */
static void
check_responses(const struct stats *st)
{
	if (cfg.replay != REPLAY_OPEN) {
		for (const uint64_t *c = &st->response_calls; c <= &st->outstanding_us; c++)
			LAW(*c == STAT_UNKNOWN);
		return;
	}
	LAW(st->response_calls == simulated()->naccess);
	LAW(st->response_us == st->stall_us + st->cpu_us);
	LAW(st->outstanding_us == st->response_us);
	LAW(st->response_p50_us <= st->response_p90_us);
	LAW(st->response_p90_us <= st->response_p99_us);
	LAW(st->response_p99_us <= st->response_p999_us);
	LAW(st->response_p999_us <= st->response_max_us);
	LAW(st->response_max_us <= st->elapsed_us);
	LAW(!st->outstanding_max == !st->response_us);
	LAW(st->outstanding_max <= st->response_calls);
	LAW(st->outstanding_us <= st->outstanding_max * st->elapsed_us);
	LAW(st->elapsed_us >= (uint64_t)simulated()->access[st->response_calls - 1].time);
}

/* The requests in a histogram that starts at that counter. */
static uint64_t
sum_sizes(const uint64_t *size)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SIZE_CLASSES; i++)
		sum += size[i];
	return sum;
}

static uint64_t
sum_seeks(const struct stats *st)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SEEK_CLASSES; i++)
		sum += (&st->seek_0_requests)[i];
	return sum;
}

/* So many blocks are possible in the requests of that histogram. */
static void
check_sizes(const uint64_t *size, uint64_t blocks)
{
	uint64_t least = 0, most = 0, first = 1, last = 1;

	for (unsigned i = 0; i < SIZE_CLASSES; i++) {
		if (i == SIZE_CLASSES - 1 || last > cfg.request_blocks)
			last = cfg.request_blocks;
		LAW(size[i] == 0 || first <= last);
		least += first * size[i];
		most += last * size[i];
		first = last + 1;
		last *= 2;
	}
	LAW(least <= blocks && blocks <= most);
}

static void
check_requests(const struct stats *st)
{
	LAW(st->demand_requests + st->prefetch_requests == st->read_requests);
	LAW(st->promoted_requests <= st->prefetch_requests);
	LAW(st->drive_cache_requests <= st->read_requests);
	LAW(st->read_blocks + st->written_blocks ==
	    st->read_requests + st->write_requests + st->merges);
	check_sizes(&st->size_1_requests, st->read_blocks + st->written_blocks);
	check_sizes(&st->write_size_1_requests, st->written_blocks);
	LAW(sum_sizes(&st->demand_size_1_requests) == st->demand_requests);
	LAW(sum_sizes(&st->prefetch_size_1_requests) == st->prefetch_requests);
	LAW(sum_sizes(&st->write_size_1_requests) == st->write_requests);
	for (unsigned i = 0; i < SIZE_CLASSES; i++)
		LAW((&st->size_1_requests)[i] ==
		    (&st->demand_size_1_requests)[i] + (&st->prefetch_size_1_requests)[i] +
			(&st->write_size_1_requests)[i]);
	LAW(sum_seeks(st) == st->read_requests + st->write_requests);
	LAW(st->read_blocks == st->misses - st->write_misses + st->prefetched_blocks);
	if (cfg.writes == WRITES_BACK)
		LAW(st->written_blocks >= st->evicted_dirty);
	else
		LAW(st->evicted_dirty == 0 &&
		    st->written_blocks ==
			(cfg.writes == WRITES_THROUGH ? st->write_references : st->write_misses));
}

static void
check_device(const struct stats *st)
{
	LAW(st->device_busy_us ==
	    st->device_queue_us + st->overhead_us + st->seek_us + st->rotation_us +
		st->transfer_us + st->bus_us);
	LAW(st->device_busy_us == st->demand_busy_us + st->prefetch_busy_us + st->write_busy_us);
	LAW(st->device_busy_us + st->device_idle_us == st->elapsed_us);
	LAW(st->device_busy_us <= st->elapsed_us);
}

/* No run reads fewer blocks than the optimum must, nor any of them faster than the device can. */
static void
check_bounds(const struct stats *st)
{
	const struct device *d = chosen_device(&cfg);
	uint64_t	     loads;
	struct error	     e;
	void		    *self;

	if (!is_serial())
		return;
	REQUIRE(!loads_least(simulated(), (frame_t)cfg.cache_blocks, &loads, &e), "%s", e.text);
	LAW(st->read_blocks >= loads);
	if (!d->sector_us)
		return;
	self = device_start(&cfg.device, &e);
	ck_assert_ptr_nonnull(self);
	LAW((double)st->elapsed_us + 1 >=
	    (double)(loads * DRAFT_BLOCK_BYTES / SECTOR_BYTES) * d->sector_us(self));
	device_stop(d, self);
}

static void
check_ratios(const struct stats *st)
{
	double value;

	for (const struct ratio_info *r = ratio_info; r->name; r++)
		if (r->value(st, DRAFT_BLOCK_BYTES, &value) && !*r->unit)
			REQUIRE(value >= 0 && value <= 1, "%s: %s is %g", describe(), r->name,
			    value);
}

/* What the counters say of the cache is so, and nothing is left under way. */
static void
check_end(const struct engine *s)
{
	const struct stats *st = &s->stats;
	uint64_t	    resident = 0, dirty = 0, vacant = 0;

	for (block_t b = 1; b < s->trace->nblocks; b++) {
		const struct frame *f = &s->node.cache.frame[cache_find(&s->node.cache, b)];

		resident += f != s->node.cache.frame;
		dirty += (f->flags & FRAME_DIRTY) != 0;
		LAW(!(f->flags & (FRAME_INFLIGHT | FRAME_AWAITED)));
	}
	for (frame_t f = s->node.cache.vacant; f; f = s->node.cache.frame[f].next) {
		LAW(s->node.cache.frame[f].block == NIL && s->node.cache.frame[f].flags == 0);
		vacant++;
	}
	LAW(st->misses + st->prefetched_blocks ==
	    st->evictions + st->advice_dropped_blocks + resident);
	LAW(resident + vacant == s->node.cache.nused && s->node.cache.nused <= cfg.cache_blocks);
	LAW(dirty == s->node.writeback.n);
	LAW(s->node.cache.frame[NIL].flags == 0);
	LAW(s->node.cache.npinned == 0 && s->storage.queue.n == 0 && !s->storage.n &&
	    s->processes.nexpecting == 0 && s->processes.nroom == 0 && !s->processes.admitted);
}

static void
check_without_prefetching(const struct stats *st)
{
	struct stats bare;

	LAW(st->planned_blocks == 0 && st->prefetched_blocks == 0 && st->late_hits == 0);
	LAW(st->stall_late_us == 0 && st->stall_ride_us == 0 && st->stall_prefetch_queue_us == 0);
	LAW(st->pollution_victim_misses == 0);
	if (waits_alone()) /* no block in flight binds a frame that the policy would choose */
		LAW(st->shadow_misses == st->misses && st->pollution_misses == 0);
	LAW(st->touched_blocks == st->cold_misses);
	cfg.cpu.page_ps = page_cost();
	cfg.cpu.single_page_ps = 0; /* idle is asked, and counts as readahead */
	choose_mine(PLUGIN_PREFETCHER, &idle.plugin, NULL);
	bare = run();
	LAW(memcmp(&bare, st, sizeof(bare)) == 0);
}

/* With nothing to control, only the patterns are counted. */
static void
check_control_of_none(const struct stats *st)
{
	struct stats with = *st, bare;

	LAW(with.trimmed_blocks == 0);
	choose(PLUGIN_PREFETCHER, "none");
	bare = run();
	memcpy(with.own, bare.own, sizeof(with.own));
	LAW(memcmp(&bare, &with, sizeof(bare)) == 0);
}

/* The shadow only tells what would have been: without it, all else is the same. */
static void
check_without_shadow(const struct stats *st)
{
	struct stats bare, with = *st;

	cfg.shadow = false;
	bare = run();
	LAW(bare.shadow_misses == STAT_UNKNOWN && bare.pollution_misses == STAT_UNKNOWN &&
	    bare.covered_references == STAT_UNKNOWN);
	check_outcomes(&bare);
	LAW(bare.outcome_costly_blocks >= st->outcome_costly_blocks);
	LAW(bare.outcome_polluting_blocks >= st->outcome_polluting_blocks);
	for (uint64_t *a = &bare.outcome_timely_blocks, *b = &with.outcome_timely_blocks;
	     a <= &bare.outcome_polluting_blocks; a++, b++)
		*a = *b;
	for (uint64_t *a = &bare.pollution_misses, *b = &with.pollution_misses;
	     a <= &bare.shadow_misses; a++, b++)
		*a = *b;
	LAW(memcmp(&bare, &with, sizeof(bare)) == 0);
	cfg.shadow = true;
}

/* Without a clock no block is known to be dirty, and DONTNEED drops it. */
static bool
drops_what_untimed_does(void)
{
	return cfg.ignores_advice || !drops() || cfg.writes == WRITES_THROUGH;
}

/* It misses what the same cache misses without prefetching, and without a clock. */
static void
check_untimed(const struct stats *st)
{
	struct stats untimed;

	choose(PLUGIN_PREFETCHER, "none");
	cfg.cpu = (struct cpu_costs){ 0 };
	cfg.replay = REPLAY_UNTIMED;
	cfg.shadow = false;
	untimed = run();
	LAW(untimed.misses == st->shadow_misses);
}

/* What is compared with this run is run last: it chooses another prefetcher. */
static void
check_run(bool twice)
{
	struct stats  again;
	struct engine s;

	cfg.shadow = true;
	if (!start(&s))
		return;
	check_references(&s.stats);
	check_prefetching(&s.stats);
	check_own(&s.stats);
	check_outcomes(&s.stats);
	check_shadow(&s.stats);
	check_time(&s.stats);
	check_cpu(&s.stats);
	check_responses(&s.stats);
	check_requests(&s.stats);
	check_device(&s.stats);
	check_bounds(&s.stats);
	check_ratios(&s.stats);
	check_end(&s);
	if (twice) {
		again = run();
		LAW(memcmp(&again, &s.stats, sizeof(again)) == 0);
		check_without_shadow(&s.stats);
	}
	if (!strcmp(chosen[kind_number(PLUGIN_PREFETCHER)], "none"))
		check_without_prefetching(&s.stats);
	else if (strstr(chosen[kind_number(PLUGIN_PREFETCHER)], "+none"))
		check_control_of_none(&s.stats);
	else if (twice && is_serial() && drops_what_untimed_does())
		check_untimed(&s.stats);
	engine_release(&s);
}

/* ---- the matrix ---- */

enum { PARAM_POINTS = 16, PARAM_PARTS = 8, WARM_POINTS = 1500 };

/* What is registered; and around what plug-ins of this file can be put: its usual inner one. */
static struct settings settings[CONFIG_KINDS], outer[CONFIG_KINDS];

/* Those that go to extremes. */
static const struct plugin *const mine[CONFIG_KINDS][2] = {
	[1] = { &window.plugin, &wild.plugin }, /* of prefetchers, and */
	[3] = { &odd.plugin, &wide.plugin },	/* of devices */
};

static void
make_matrix(void)
{
	for (unsigned k = 0; k < CONFIG_KINDS; k++) {
		settings_registered(&settings[k], plugin_kinds[k]);
		settings_outer(&outer[k], plugin_kinds[k]);
	}
}

static unsigned
count(const struct plugin_kind *kind)
{
	unsigned k = kind_number(kind);

	return settings[k].n + (mine[k][0] ? 2 * (1 + outer[k].n) : 0);
}

static void
choose_nth(const struct plugin_kind *kind, unsigned n)
{
	unsigned k = kind_number(kind), own = n - settings[k].n;

	if (n < settings[k].n)
		choose(kind, settings[k].text[n]);
	else
		choose_mine(kind, mine[k][own % 2], own / 2 ? outer[k].text[own / 2 - 1] : NULL);
}

/* Take one of n off a number that stands for a point. */
static unsigned
take(uint64_t *point, unsigned n)
{
	unsigned choice = (unsigned)(*point % n);

	*point /= n;
	return choice;
}

/* False when there are no more points; prefetchers are left to the caller. */
static bool
configure(uint64_t point)
{
	static const uint64_t	 frames[] = { 1, 2, 3, 4, 5, 8, 17, 33, 64, 1000 };
	static const enum replay replay[] = { REPLAY_SERIAL, REPLAY_PROCESS, REPLAY_OPEN };
	static const uint32_t	 queue[][2] = { { 3, 7 }, { 6, 7 }, { 128, 32 } };
	unsigned		 which;

	cfg.cache_blocks = frames[take(&point, 10)];
	choose_nth(PLUGIN_POLICY, take(&point, count(PLUGIN_POLICY)));
	cfg.writes = take(&point, 3);
	cfg.wait = take(&point, 2);
	cfg.complete = take(&point, 2);
	cfg.replay = replay[take(&point, 3)];
	choose_nth(PLUGIN_SCHEDULER, take(&point, count(PLUGIN_SCHEDULER)));
	choose_nth(PLUGIN_DEVICE, take(&point, count(PLUGIN_DEVICE)));
	cfg.ignores_advice = point % 7 == 0;
	which = take(&point, 3);
	cfg.queue_requests = queue[which][0];
	cfg.request_blocks = queue[which][1];
	return point == 0;
}

/* Half of the runs cost the processor nothing; some cost it much, some less than a microsecond. */
static void
choose_costs(uint64_t *seed)
{
	static const uint32_t most_ps[] = { 1, 30, 999, 5000, 400000, 3000000, 90000000 };

	cfg.cpu = (struct cpu_costs){ 0 };
	if (random_below(seed, 2))
		return;
	cfg.cpu = (struct cpu_costs){
		.call_ps = random_below(seed, most_ps[random_below(seed, 7)]),
		.page_ps = random_below(seed, most_ps[random_below(seed, 7)]),
		.byte_ps = random_below(seed, most_ps[random_below(seed, 4)]),
		.read_page_ps = random_below(seed, most_ps[random_below(seed, 7)]),
		.single_page_ps = random_below(seed, 3) * 1000001,
	};
}

/* Points for one prefetcher. */
static uint64_t
count_points(void)
{
	return UINT64_C(10) * 3 * 2 * 2 * 3 * 3 * count(PLUGIN_POLICY) * count(PLUGIN_SCHEDULER) *
	    count(PLUGIN_DEVICE);
}

/* Every how many-th is taken.  A prime: of no number of choices always the same. */
static uint64_t
every(void)
{
	const char *text = getenv("LAWS_EVERY");
	uint64_t    n = text ? strtoull(text, NULL, 10) : 12007;

	return n ? n : 1;
}

static void
print_share(void)
{
	uint64_t points = count_points(), taken = 0, all = points * count(PLUGIN_PREFETCHER);
	char	 text[2][NUMBER_TEXT];

	for (unsigned i = 0; i < count(PLUGIN_PREFETCHER); i++)
		taken += (points - i % every() + every() - 1) / every();
	printf("laws: %s of %s points (%.2g %%)\n", number_group(text[0], taken),
	    number_group(text[1], all), 100.0 * (double)taken / (double)all);
	fflush(stdout);
}

/* A prefetcher that knows the trace needs a policy that does, and one program. */
static void
suit(void)
{
	suit_prefetcher(&cfg);
	if (!chosen_prefetcher(&cfg)->idle)
		return;
	choose(PLUGIN_POLICY, knowing_policy());
	while (simulated()->nprograms > 1)
		trace_number = (trace_number + 1) % ALL;
}

START_TEST(counters_add_up_whatever_is_simulated)
{
	uint64_t seed = 1;

	defaults();
	/* Each prefetcher meets another part of the matrix. */
	for (uint64_t n = (unsigned)_i % every(); configure(n); n += every()) {
		choose_nth(PLUGIN_PREFETCHER, (unsigned)_i);
		trace_number = random_below(&seed, ALL);
		choose_costs(&seed);
		suit();
		check_run(n % 16 == 0);
	}
	ck_assert_uint_gt(looks, 0);
}
END_TEST

/* Any point, and any prefetcher and trace. */
static void
configure_any(uint64_t *seed)
{
	configure((uint64_t)random_below(seed, INT32_MAX) % count_points());
	choose_nth(PLUGIN_PREFETCHER, random_below(seed, count(PLUGIN_PREFETCHER)));
	trace_number = random_below(seed, ALL);
	choose_costs(seed);
}

START_TEST(parameters_at_their_ends_keep_the_laws)
{
	uint64_t seed = 3 + (uint64_t)_i;

	defaults();
	for (unsigned k = 0; k < CONFIG_KINDS; k++) {
		static struct settings s;

		s.n = 0;
		settings_params(&s, plugin_kinds[k]);
		for (unsigned i = (unsigned)_i; i < PARAM_POINTS * s.n; i += PARAM_PARTS) {
			configure_any(&seed);
			choose(plugin_kinds[k], s.text[i / PARAM_POINTS]);
			suit();
			check_run(i / PARAM_PARTS % 16 == 0);
		}
	}
}
END_TEST

/* Requests under way when counting starts were not counted: only some laws hold then. */
START_TEST(what_follows_a_warm_up_adds_up_too)
{
	uint64_t seed = 2;

	defaults();
	for (unsigned n = 0; n < WARM_POINTS; n++) {
		struct stats st;

		configure_any(&seed);
		cfg.replay = REPLAY_SERIAL;
		suit();
		cfg.shadow = true;
		cfg.warmup_calls = 1 + random_below(&seed, CALLS - 1);
		st = run();
		check_references(&st);
		check_prefetched(&st);
		check_outcomes(&st);
		check_shadow(&st);
		check_device(&st);
		if (cfg.replay == REPLAY_SERIAL)
			check_time(&st);
		LAW(st.demand_requests + st.prefetch_requests == st.read_requests);
	}
}
END_TEST

/* ---- the cache alone ---- */

START_TEST(a_device_that_takes_no_time_gives_the_hits_of_the_untimed_replay)
{
	enum { SIZES = 3 };
	static const uint64_t  frames[] = { 1, 2, 3, 4, 5, 7, 8, 12, 17, 25, 33, 50, 64, 1000 };
	static struct settings policies, schedulers;
	uint64_t	       dropped = 0;

	defaults();
	cfg.wait = WAIT_BLOCK;
	settings_all(&policies, PLUGIN_POLICY);
	settings_all(&schedulers, PLUGIN_SCHEDULER);
	/* Each policy meets each trace, with some of the sizes, and each size. */
	for (unsigned i = 0; i < SIZES * TRACES * policies.n; i++) {
		struct stats timed, untimed;

		trace_number = i / SIZES % TRACES;
		cfg.writes = drops() ? WRITES_THROUGH : WRITES_BACK;
		cfg.cache_blocks = frames[i % 14];
		choose(PLUGIN_POLICY, policies.text[i / SIZES / TRACES]);
		choose(PLUGIN_SCHEDULER, schedulers.text[i % schedulers.n]);
		cfg.replay = REPLAY_SERIAL;
		timed = run();
		cfg.replay = REPLAY_UNTIMED;
		untimed = run();
		LAW(timed.references == untimed.references);
		LAW(timed.hits == untimed.hits);
		LAW(timed.misses == untimed.misses);
		LAW(timed.evictions == untimed.evictions);
		LAW(timed.advices == drops() && untimed.advices == drops());
		LAW(timed.advice_dropped_blocks == untimed.advice_dropped_blocks);
		dropped += timed.advice_dropped_blocks;
	}
	ck_assert_uint_gt(dropped, 10000);
}
END_TEST

START_TEST(lru_never_misses_more_in_a_larger_cache)
{
	defaults();
	cfg.wait = WAIT_BLOCK;
	choose(PLUGIN_DEVICE, "fixed");
	for (trace_number = 0; trace_number < TRACES; trace_number++) {
		uint64_t last = UINT64_MAX;

		for (cfg.cache_blocks = 1; cfg.cache_blocks <= 350; cfg.cache_blocks += 3) {
			struct stats st = run();

			LAW(st.misses <= last);
			last = st.misses;
		}
	}
}
END_TEST

/* ---- cases worked by hand, where a matrix finds little ---- */

/* At the first block of a file, two single blocks far from it and from each other. */
static void
far_access(void *self, const struct demand *d, struct plan *plan)
{
	if (d->index)
		return;
	plan_add(plan, 20, 1);
	plan_add(plan, 10, 1);
}

static const struct prefetcher far = {
	.plugin = { .name = "far", .summary = "test: blocks 20 and 10" },
	.access = far_access,
};

static void
start_draft(void)
{
	defaults();
	trace_number = 0;
	draft_start(&drafts[0]);
	draft_open(&drafts[0], draft_file(&drafts[0], 1, 30), 0);
}

START_TEST(a_waiting_prefetch_that_demand_joins_is_no_longer_one)
{
	struct stats st;

	start_draft();
	choose_mine(PLUGIN_PREFETCHER, &far.plugin, NULL);
	choose(PLUGIN_DEVICE, "fixed");
	cfg.cache_blocks = 8;
	draft_blocks(&drafts[0], 0, 0, 0, 1, false);
	draft_blocks(&drafts[0], 0, 0, 10, 2, false); /* 10 late and waiting, 11 joins it */
	st = run();
	ck_assert_uint_eq(st.late_hits, 1);
	ck_assert_uint_eq(st.demand_requests, 2);
	ck_assert_uint_eq(st.prefetch_requests, 1);
	ck_assert_uint_eq(st.promoted_requests, 0);
}
END_TEST

START_TEST(a_late_hit_promotes_a_prefetch_that_waits_or_is_served)
{
	static const uint32_t block[] = { 10, 20 }; /* 20 goes first */

	for (unsigned i = 0; i < 2; i++) {
		struct stats st;

		start_draft();
		choose_mine(PLUGIN_PREFETCHER, &far.plugin, NULL);
		choose(PLUGIN_DEVICE, "fixed");
		cfg.cache_blocks = 8;
		draft_blocks(&drafts[0], 0, 0, 0, 1, false);
		draft_blocks(&drafts[0], 0, 0, block[i], 1, false);
		st = run();
		ck_assert_uint_eq(st.late_hits, 1);
		ck_assert_uint_eq(st.prefetch_requests, 2);
		ck_assert_uint_eq(st.promoted_requests, 1);
	}
}
END_TEST

START_TEST(a_call_at_the_moment_of_a_completion_finds_the_block)
{
	struct stats st;

	start_draft();
	choose_mine(PLUGIN_PREFETCHER, &far.plugin, NULL);
	choose(PLUGIN_DEVICE, "fixed:latency=10ms,rate=40960000");
	cfg.cache_blocks = 8;
	draft_blocks(&drafts[0], 0, 0, 0, 1, false);	  /* until 10,100 us */
	draft_blocks(&drafts[0], 10100, 0, 20, 1, false); /* complete at 20,200 us */
	st = run();
	ck_assert_uint_eq(st.first_hits, 1);
	ck_assert_uint_eq(st.elapsed_us, 20200);
}
END_TEST

/* On a device that takes no time the second block arrives before the process runs again. */
/* Nine blocks of 100 us each after 10 ms: the second is there at 10,200 us. */
START_TEST(who_comes_to_a_request_after_its_demand_rides_until_its_end)
{
	struct stats st;

	start_draft();
	choose_mine(PLUGIN_PREFETCHER, &window.plugin, NULL);
	choose(PLUGIN_DEVICE, "fixed:latency=10ms,rate=40960000");
	cfg.cache_blocks = 16;
	cfg.wait = WAIT_BLOCK;
	cfg.replay = REPLAY_PROCESS;
	draft_open(&drafts[0], 0, 1);
	drafts[0].trace.file[0].nblocks = 9;
	draft_blocks(&drafts[0], 0, 0, 0, 2, false);
	draft_blocks(&drafts[0], 10500, 1, 1, 1, false); /* planned for the first call */
	st = run();
	ck_assert_uint_eq(st.read_requests, 1);
	ck_assert_uint_eq(st.read_blocks, 9);
	ck_assert_uint_eq(st.misses, 2);
	ck_assert_uint_eq(st.stall_miss_us, 10200);
	ck_assert_uint_eq(st.stall_ride_us, 700 + 400);
}
END_TEST

static void
steady_service(void *self, const struct transfer *r, struct service *out)
{
	*out = (struct service){ .part = { [SERVICE_SEEK] = 1000, [SERVICE_BUS] = 500 } };
}

static uint32_t steady_at_once;

static uint32_t
steady_depth(const void *self)
{
	return steady_at_once;
}

static const struct device steady = {
	.plugin = { .name = "steady", .summary = "test: so many at a time, 1.5 ms each" },
	.capacity = odd_capacity,
	.depth = steady_depth,
	.service = steady_service,
};

/* Three processes miss at 0, 1000 and 1200 us: the third waits for the first to end, at 1500. */
START_TEST(a_device_serves_as_many_requests_at_once_as_it_can)
{
	static const usec_t at[] = { 0, 1000, 1200 };
	struct stats	    st;

	start_draft();
	choose_mine(PLUGIN_DEVICE, &steady.plugin, NULL);
	steady_at_once = 2;
	cfg.cache_blocks = 8;
	cfg.replay = REPLAY_PROCESS;
	draft_open(&drafts[0], 0, 1);
	draft_open(&drafts[0], 0, 2);
	for (uint32_t i = 0; i < 3; i++)
		draft_blocks(&drafts[0], at[i], i, 10 * i, 1, false);
	st = run();
	ck_assert_uint_eq(st.elapsed_us, 3000);
	ck_assert_uint_eq(st.stall_miss_us, 3 * 1500);
	ck_assert_uint_eq(st.stall_demand_queue_us, 300);
	ck_assert_uint_eq(st.device_busy_us, 3000);
	/* Until 1500 the first, then the second, from 2500 on the third. */
	ck_assert_uint_eq(st.seek_us, 1000 + 500);
	ck_assert_uint_eq(st.bus_us, 500 + 500 + 500);
	steady_at_once = 3;
	st = run();
	ck_assert_uint_eq(st.elapsed_us, 2700);
	ck_assert_uint_eq(st.stall_demand_queue_us, 0);
	/* Until 1500 the first, until 2500 the second: the oldest one that there is. */
	ck_assert_uint_eq(st.seek_us, 1000 + 500);
	ck_assert_uint_eq(st.bus_us, 500 + 500 + 200);
	/* the driver has one request, and leaves it where it stood */
	choose(PLUGIN_SCHEDULER, "linus:active=1");
	ck_assert_uint_eq(run().elapsed_us, 4500);
}
END_TEST

START_TEST(a_reader_woken_for_a_frame_hears_of_what_arrives_before_it_runs)
{
	start_draft();
	cfg.cache_blocks = 2;
	cfg.request_blocks = 1;
	draft_blocks(&drafts[0], 0, 0, 0, 3, false);
	ck_assert_uint_eq(run().misses, 3);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("laws");

	make_matrix();
	print_share();
	tcase_add_checked_fixture(tests, shapes_make, shapes_release);
	tcase_add_loop_test(tests, counters_add_up_whatever_is_simulated, 0,
	    (int)count(PLUGIN_PREFETCHER));
	tcase_add_loop_test(tests, parameters_at_their_ends_keep_the_laws, 0, PARAM_PARTS);
	tcase_add_test(tests, what_follows_a_warm_up_adds_up_too);
	tcase_add_test(tests, a_device_that_takes_no_time_gives_the_hits_of_the_untimed_replay);
	tcase_add_test(tests, lru_never_misses_more_in_a_larger_cache);
	tcase_add_test(tests, a_waiting_prefetch_that_demand_joins_is_no_longer_one);
	tcase_add_test(tests, a_late_hit_promotes_a_prefetch_that_waits_or_is_served);
	tcase_add_test(tests, who_comes_to_a_request_after_its_demand_rides_until_its_end);
	tcase_add_test(tests, a_call_at_the_moment_of_a_completion_finds_the_block);
	tcase_add_test(tests, a_device_serves_as_many_requests_at_once_as_it_can);
	tcase_add_test(tests, a_reader_woken_for_a_frame_hears_of_what_arrives_before_it_runs);
	return run_tests("laws", tests);
}

/* check_check.c - the checks of whole structures find each thing that is broken on purpose. */
#include "sim/core/engine/check.h"
#include "tests/unit/support.h"

extern const struct policy     policy_lru;
extern const struct prefetcher prefetcher_obl;
extern const struct scheduler  scheduler_fifo;
extern const struct device     device_fixed;

static struct draft  draft;
static struct config cfg;
static struct engine engine;
static void (*damage)(struct engine *g); /* changes something, and changes it back */
static unsigned damaged;

/* The engine is in order whenever a request starts. */
static void
see(void *ctx, const struct event *e)
{
	const char *wrong = engine_check(ctx);

	ck_assert_msg(!wrong, "at %lld us, %s", (long long)e->when, wrong);
	damage(ctx);
}

/* Calls of three blocks, every second a write, with one block of lookahead. */
static void
setup(void)
{
	config_defaults(&cfg);
	cfg.cache_blocks = 16;
	cfg.writes = WRITES_BACK;
	cfg.policy.plugin = &policy_lru.plugin;
	cfg.prefetcher.plugin = &prefetcher_obl.plugin;
	cfg.scheduler.plugin = &scheduler_fifo.plugin;
	cfg.device.plugin = &device_fixed.plugin;
	draft_start(&draft);
	draft_open(&draft, draft_file(&draft, 1, 100), 0);
	for (uint32_t i = 0; i < 30; i++)
		draft_blocks(&draft, i * 10000, 0, i * 3, 3, i % 2);
	damaged = 0;
}

static void
run(void (*by)(struct engine *g))
{
	struct error e;

	damage = by;
	cfg.observer =
	    (struct observer){ .mask = 1u << EVENT_IO_START, .see = see, .ctx = &engine };
	ck_assert_msg(!engine_init(&engine, &cfg, &draft.trace, &e), "%s", e.text);
	ck_assert_msg(!engine_run(&engine, &e), "%s", e.text);
	engine_release(&engine);
	ck_assert_uint_gt(damaged, 0);
}

/* Change what `place` has to `value`, expect that finding, and change it back. */
#define BREAK(check, place, value, finding)                                                        \
	do {                                                                                       \
		__typeof__(place) was = place;                                                     \
		place = value;                                                                     \
		ck_assert_str_eq(check, finding);                                                  \
		place = was;                                                                       \
		ck_assert_ptr_eq(check, NULL);                                                     \
		damaged++;                                                                         \
	} while (0)

static void
damage_counters(struct engine *g)
{
	struct node *n = &g->node;

	BREAK(node_check(n), n->stats.hits, n->stats.hits + 1,
	    "the references are not the sum of hits and misses");
	BREAK(node_check(n), n->stats.prefetch_wasted_blocks, n->stats.prefetch_wasted_blocks + 1,
	    "the prefetched blocks are not the sum of their outcomes");
	BREAK(node_check(n), n->cache.npinned, n->cache.npinned + 1,
	    "the count of frames in flight is wrong");
}

START_TEST(a_node_counts_each_reference_and_each_prefetch)
{
	run(damage_counters);
}
END_TEST

static void
damage_dirty(struct engine *g)
{
	struct node	 *n = &g->node;
	struct writeback *w = &n->writeback;

	if (w->n < 2)
		return;
	BREAK(node_check(n), w->n, w->n - 1, "the count of dirty frames is wrong");
	BREAK(node_check(n), w->frame[w->oldest].newer, NIL, "a dirty frame is not in its list");
	BREAK(node_check(n), w->frame[w->newest].newer, w->oldest,
	    "the list of dirty frames is damaged");
	BREAK(node_check(n), w->frame[w->oldest].since, USEC_MAX,
	    "the dirty frames are not in the order of their age");
}

START_TEST(a_node_lists_its_dirty_frames_by_age)
{
	run(damage_dirty);
}
END_TEST

static void
damage_storage(struct engine *g)
{
	struct storage	  *st = &g->storage;
	struct in_service *first = st->order[0];

	BREAK(storage_check(st), st->n, st->depth + 1,
	    "the device has more requests than it takes");
	BREAK(storage_check(st), st->next, 0, "no request has the earliest event");
	BREAK(storage_check(st), first->delivered, first->request.count + 1,
	    "more blocks are delivered than were read");
	BREAK(storage_check(st), first->next, first->done_at + 1,
	    "a request in service has an event at a wrong time");
	BREAK(storage_check(st), st->order[1], first, "two requests in service share a slot");
	BREAK(storage_check(st), st->order[0], NULL, "a request in service is in no slot");
	BREAK(storage_check(st), st->queue.writes, st->queue.n + 1, "the count of writes is wrong");
}

START_TEST(the_requests_in_service_have_a_slot_and_a_time_each)
{
	cfg.device.params = "depth=4";
	run(damage_storage);
}
END_TEST

static void
damage_flight(struct engine *g)
{
	const struct request *r = &g->storage.order[g->storage.n - 1]->request;
	struct frame	     *f = &g->node.cache.frame[cache_find(&g->node.cache, r->block)];
	struct frame	     *other = &g->node.cache.frame[1];

	if (!r->fills || other->flags & FRAME_INFLIGHT)
		return;
	f->flags &= (uint8_t)~FRAME_INFLIGHT;
	other->flags |= FRAME_INFLIGHT; /* the count is as it was */
	ck_assert_str_eq(engine_check(g), "the frames in flight are not those of the requests");
	f->flags |= FRAME_INFLIGHT;
	other->flags &= (uint8_t)~FRAME_INFLIGHT;
	damaged++;
}

START_TEST(what_is_in_flight_is_in_a_request)
{
	run(damage_flight);
}
END_TEST

static void
damage_processes(struct engine *g)
{
	struct processes *ps = &g->processes;

	BREAK(engine_check(g), ps->nroom, 1, "a process that sleeps is in no list, or in two");
	if (ps->process->waiting == WAITS_FOR_BLOCK)
		BREAK(engine_check(g), ps->process->expecting, false,
		    "a process waits for a block that does not come");
}

START_TEST(a_process_that_sleeps_is_in_the_list_that_wakes_it)
{
	run(damage_processes);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("check");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, a_node_counts_each_reference_and_each_prefetch);
	tcase_add_test(tests, a_node_lists_its_dirty_frames_by_age);
	tcase_add_test(tests, the_requests_in_service_have_a_slot_and_a_time_each);
	tcase_add_test(tests, what_is_in_flight_is_in_a_request);
	tcase_add_test(tests, a_process_that_sleeps_is_in_the_list_that_wakes_it);
	return run_tests("check", tests);
}

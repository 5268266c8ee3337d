/*
 * check_schedulers.c - which waiting request goes next: known answers, and
 * what scheduler.h promises of every scheduler that is registered, with every
 * parameter at its ends.
 */
#include "tests/unit/conformance.h"

extern const struct scheduler scheduler_fifo, scheduler_scan, scheduler_accusim;

enum { LIMIT = 16 };

static struct queue queue;

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(queue_init(&queue, LIMIT, 1, 8, &e), 0);
}

static void
teardown(void)
{
	queue_release(&queue);
}

static void
wait_at(block_t name, uint64_t sector)
{
	struct request r = { .block = name, .count = 1, .sector = sector };

	ck_assert_int_eq(queue_add(&queue, &r), QUEUE_NEW);
}

/* Serve one; the head is then `length` sectors past where it started. */
static struct request
serve(const struct scheduler *s, uint64_t *head, uint64_t length)
{
	uint32_t       i = s->pick(NULL, &queue, &(struct moment){ .head = *head });
	struct request r;

	ck_assert_uint_lt(i, queue.n);
	r = queue_remove(&queue, i);
	*head = r.sector + length;
	return r;
}

static void
expect_sectors(const struct scheduler *s, uint64_t head, const uint64_t *sector, uint32_t n)
{
	ck_assert_uint_eq(queue.n, n);
	for (uint32_t i = 0; i < n; i++)
		ck_assert_uint_eq(serve(s, &head, 0).sector, sector[i]);
}

/* A block of a call: 1 if it starts a request. */
static unsigned
submit(const struct scheduler *s, block_t b, uint64_t call, bool demanded)
{
	struct request r = { .block = b,
		.count = 1,
		.sector = 8 * (uint64_t)b,
		.call = call,
		.demand_end = demanded,
		.nprefetched = !demanded,
		.fills = true };

	return queue_put(&queue, &r, scheduler_place(s, NULL, &queue, &r)) == QUEUE_NEW;
}

START_TEST(accusim_forms_requests_of_one_call)
{
	static const struct {
		block_t	 block;
		uint64_t call;
		bool	 demanded;
		unsigned new[2]; /* of fifo, of accusim */
	} step[] = {
		{ 10, 1, true, { 1, 1 } }, { 11, 1, false, { 0, 0 } }, /* rides along */
		{ 12, 2, false, { 0, 1 } },			       /* of another call */
		{ 13, 2, false, { 0, 0 } },
		{ 14, 2, true, { 0, 1 } },  /* demanded, behind a prefetch */
		{ 9, 2, true, { 0, 1 } },   /* in front */
		{ 15, 2, false, { 0, 1 } }, /* not the last request */
	};

	for (unsigned i = 0; i < 2; i++) {
		struct error e;

		queue_release(&queue);
		ck_assert_int_eq(queue_init(&queue, LIMIT, LIMIT, 8, &e), 0);
		for (unsigned k = 0; k < sizeof(step) / sizeof(*step); k++)
			ck_assert_uint_eq(submit(i ? &scheduler_accusim : &scheduler_fifo,
					      step[k].block, step[k].call, step[k].demanded),
			    step[k].new[i]);
	}
}
END_TEST

START_TEST(fifo_serves_in_order_of_arrival)
{
	static const uint64_t order[] = { 500, 100, 900, 100, 300 };

	for (uint32_t i = 0; i < 5; i++)
		wait_at(1 + 10 * i, order[i]);
	expect_sectors(&scheduler_fifo, 400, order, 5);
}
END_TEST

START_TEST(scan_goes_up_from_the_head_and_then_back_to_the_lowest)
{
	static const uint64_t order[] = { 500, 600, 900, 100, 300 };

	wait_at(10, 900);
	wait_at(20, 100);
	wait_at(30, 600);
	wait_at(40, 300);
	wait_at(50, 500);
	expect_sectors(&scheduler_scan, 400, order, 5);
}
END_TEST

START_TEST(scan_takes_a_request_exactly_at_the_head)
{
	static const uint64_t order[] = { 400, 401, 399 };

	wait_at(10, 399);
	wait_at(20, 401);
	wait_at(30, 400);
	expect_sectors(&scheduler_scan, 400, order, 3);
}
END_TEST

START_TEST(scan_never_turns_round_for_a_request_just_behind_the_head)
{
	uint64_t head = 400;

	wait_at(10, 1000);
	wait_at(20, 399);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 1000);
	wait_at(30, 1007); /* the head is at 1008 */
	wait_at(40, 50000);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 50000);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 399);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 8).sector, 1007);
}
END_TEST

START_TEST(scan_serves_equal_sectors_in_order_of_arrival)
{
	uint64_t head = 200;

	wait_at(10, 100);
	wait_at(20, 300);
	wait_at(30, 300);
	wait_at(40, 100);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 20);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 30);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 10);
	ck_assert_uint_eq(serve(&scheduler_scan, &head, 0).block, 40);
}
END_TEST

/* A random queue served without arrivals: ascending, with at most one step down. */
START_TEST(scan_sweeps_any_queue_with_one_step_down_at_most)
{
	uint64_t seed = 1;

	for (unsigned round = 0; round < 200; round++) {
		uint64_t head = random_below(&seed, 1000), start = head, last = head;
		unsigned falls = 0;

		for (uint32_t i = 0; i < LIMIT; i++)
			wait_at(1 + 10 * i, random_below(&seed, 1000));
		while (queue.n) {
			uint64_t sector = serve(&scheduler_scan, &head, 0).sector;

			falls += sector < last;
			last = sector;
			ck_assert(falls <= 1 && (!falls || sector < start));
		}
	}
}
END_TEST

/* ---- any scheduler, in front of any device ---- */

enum { BLOCKS = 4000, BLOCK_SECTORS = 8, ROOM = 32, MERGED = 7 };

struct line {
	const char	       *text;
	struct config		cfg;
	const struct scheduler *scheduler;
	void		       *self, *device;
	struct queue		q;
	struct moment		moment;
	struct request		before[ROOM];  /* what a question must not change */
	bool			waits[BLOCKS]; /* until it is served */
	uint32_t		since[BLOCKS]; /* how many requests had been served then */
	uint32_t		nwaiting, served, longest;
	block_t			last;
	uint64_t		order; /* a sum over what was served, and when */
};

/* False if its parameters contradict each other. */
static bool
line_start(struct line *l, const char *scheduler, const char *device, uint32_t limit)
{
	struct error e;

	*l = (struct line){ .text = scheduler };
	choose_plainly(&l->cfg);
	choose_setting(&l->cfg, PLUGIN_SCHEDULER, scheduler);
	choose_setting(&l->cfg, PLUGIN_DEVICE, device);
	l->self = scheduler_state(&l->cfg, &e);
	if (!l->self) {
		check_refused(scheduler, &e);
		release_choices(&l->cfg);
		return false;
	}
	l->device = device_start(&l->cfg.device, &e);
	ck_assert_msg(l->device != NULL, "%s: %s", device, e.text);
	ck_assert_int_eq(queue_init(&l->q, limit, MERGED, BLOCK_SECTORS, &e), 0);
	l->scheduler = chosen_scheduler(&l->cfg);
	if (l->scheduler->init)
		l->scheduler->init(l->self, &l->q);
	l->moment = (struct moment){ .device = chosen_device(&l->cfg), .device_self = l->device };
	return true;
}

static void
line_end(struct line *l)
{
	device_stop(config_device(&l->cfg), l->device);
	queue_release(&l->q);
	free(l->self);
	release_choices(&l->cfg);
}

/* Every request is as it was, but for its patience if the scheduler may change that. */
static void
check_unchanged(struct line *l, const struct queue *q, bool patience)
{
	REQUIRE(q->n == l->q.n && q->writes == l->q.writes && q->plugged == l->q.plugged &&
		q->request == l->q.request,
	    "%s changes the queue", l->text);
	for (uint32_t i = 0; i < q->n; i++) {
		if (patience)
			l->before[i].patience = l->q.request[i].patience;
		REQUIRE(!memcmp(&l->before[i], &l->q.request[i], sizeof(l->before[i])),
		    "%s changes request %u", l->text, i);
	}
}

/* Beside a waiting request with which it may be one, or anywhere between them. */
static void
check_place(const struct line *l, const struct request *r, struct place at)
{
	const struct request *w = &l->q.request[at.i];

	if (at.how == PLACE_NEW) {
		REQUIRE(at.i >= queue_first(&l->q) && at.i <= l->q.n, "%s: at %u of %u", l->text,
		    at.i, l->q.n);
		return;
	}
	REQUIRE(at.i >= queue_first(&l->q) && at.i < l->q.n, "%s: with %u of %u", l->text, at.i,
	    l->q.n);
	REQUIRE(queue_mergeable(&l->q, w, r), "%s: two that may not be one", l->text);
	REQUIRE(at.how == PLACE_BACK ? queue_follows(&l->q, w, r) : queue_follows(&l->q, r, w),
	    "%s: two that do not touch", l->text);
}

/* Block b is to be read or written, unless it is already. */
static void
arrive_at(struct line *l, block_t b, bool write)
{
	struct request r = { .block = b,
		.count = 1,
		.sector = BLOCK_SECTORS * (b + b / 50 * 1000),
		.queued = l->moment.now,
		.write = write,
		.fills = !write };
	struct queue   q = l->q;
	struct place   at;

	if (l->waits[b] || !queue_has_room(&q, !write, write))
		return;
	memcpy(l->before, q.request, q.n * sizeof(*q.request));
	at = scheduler_place(l->scheduler, l->self, &l->q, &r);
	check_unchanged(l, &q, true);
	check_place(l, &r, at);
	ck_assert_int_lt(queue_put(&l->q, &r, at), QUEUE_FULL);
	l->waits[b] = true;
	l->since[b] = l->served;
	l->nwaiting++;
	l->last = b;
}

/* Often beside the one before. */
static void
arrive(struct line *l, uint64_t *seed)
{
	block_t b = 1 + random_below(seed, BLOCKS - 1);

	if (random_below(seed, 2) && l->last > 1 && l->last + 2 < BLOCKS)
		b = l->last - 1 + 2 * random_below(seed, 2);
	arrive_at(l, b, random_below(seed, 3) == 0);
}

static uint32_t
choose_request(struct line *l)
{
	struct queue q = l->q;
	uint32_t     i;

	memcpy(l->before, q.request, q.n * sizeof(*q.request));
	i = l->scheduler->pick(l->self, &l->q, &l->moment);
	check_unchanged(l, &q, false);
	REQUIRE(i < q.n && (!q.rules.in_place || !i), "%s: request %u of %u", l->text, i, q.n);
	return i;
}

/* Each of its blocks has waited for this until now. */
static void
depart(struct line *l, const struct request *r)
{
	l->served++;
	l->order = l->order * 6364136223846793005u + r->block + r->count;
	for (block_t b = r->block; b < r->block + r->count; b++) {
		uint32_t waited = l->served - l->since[b];

		REQUIRE(b < BLOCKS && l->waits[b], "%s: block %u is served twice", l->text, b);
		l->waits[b] = false;
		l->nwaiting--;
		l->longest = waited > l->longest ? waited : l->longest;
	}
}

/* One request goes to the device; so many try to come while it is there. */
static void
line_serve(struct line *l, uint32_t arrivals, uint64_t *seed)
{
	struct request	r;
	struct transfer t;
	struct service	out;

	l->q.plugged = false;
	r = queue_take(&l->q, choose_request(l));
	t = (struct transfer){ .sector = r.sector,
		.sectors = r.count * BLOCK_SECTORS,
		.segments = queue_segments(&l->q, &r),
		.write = r.write,
		.now = l->moment.now };
	l->moment.device->service(l->device, &t, &out);
	while (arrivals--)
		arrive(l, seed);
	l->moment.now += service_us(&out);
	l->moment.head = t.sector + t.sectors;
	REQUIRE(!l->q.serving || (l->q.request->block == r.block && l->q.request->count == r.count),
	    "%s: the request at the device has changed", l->text);
	queue_finish(&l->q);
	depart(l, &r);
}

/* So many services, under any load or always the highest; then what is left. */
static void
line_run(struct line *l, uint32_t services, bool full)
{
	uint64_t seed = 1;

	while (l->served < services) {
		uint32_t arrivals = full ? 2 * ROOM : random_below(&seed, 5);

		arrive(l, &seed);
		if (l->q.n)
			line_serve(l, arrivals, &seed);
	}
	while (l->q.n)
		line_serve(l, 0, &seed);
	REQUIRE(!l->nwaiting, "%s: %u blocks are never served", l->text, l->nwaiting);
}

/* The order in which requests were served. */
static uint64_t
order_of(const char *scheduler, const char *device, uint32_t limit)
{
	static struct line l;

	if (!line_start(&l, scheduler, device, limit))
		return 0;
	line_run(&l, 300, false);
	line_end(&l);
	return l.order;
}

START_TEST(every_scheduler_serves_everything_once_and_in_the_same_order_twice)
{
	static const uint32_t  limit[] = { QUEUE_MIN, 8, ROOM };
	static struct settings s, devices;

	settings_all(&s, PLUGIN_SCHEDULER);
	settings_kinds(&devices);
	for (unsigned i = 0; i < 3 * s.n * devices.n; i++) {
		const char *scheduler = s.text[i / 3 / devices.n];
		const char *device = devices.text[i / 3 % devices.n];

		REQUIRE(order_of(scheduler, device, limit[i % 3]) ==
			order_of(scheduler, device, limit[i % 3]),
		    "%s: another order", scheduler);
	}
}
END_TEST

/* As many requests as there can be at every moment: none waits for half of the time. */
START_TEST(no_scheduler_starves_anything)
{
	enum { SERVICES = 10000 };
	static struct settings s, devices;
	static struct line     l;

	settings_registered(&s, PLUGIN_SCHEDULER);
	settings_kinds(&devices);
	for (unsigned i = 0; i < s.n * devices.n; i++) {
		ck_assert(line_start(&l, s.text[i / devices.n], devices.text[i % devices.n], ROOM));
		line_run(&l, SERVICES, true);
		REQUIRE(l.longest < SERVICES / 2, "%s: one waits for %u others", l.text, l.longest);
		line_end(&l);
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("schedulers");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, fifo_serves_in_order_of_arrival);
	tcase_add_test(tests, accusim_forms_requests_of_one_call);
	tcase_add_test(tests, scan_goes_up_from_the_head_and_then_back_to_the_lowest);
	tcase_add_test(tests, scan_takes_a_request_exactly_at_the_head);
	tcase_add_test(tests, scan_never_turns_round_for_a_request_just_behind_the_head);
	tcase_add_test(tests, scan_serves_equal_sectors_in_order_of_arrival);
	tcase_add_test(tests, scan_sweeps_any_queue_with_one_step_down_at_most);
	tcase_add_test(tests, every_scheduler_serves_everything_once_and_in_the_same_order_twice);
	tcase_add_test(tests, no_scheduler_starves_anything);
	return run_tests("schedulers", tests);
}

/* check_sptf.c - sim/block/sched_sptf.c. */
#include <string.h>

#include "sim/block/scheduler.h"
#include "tests/unit/support.h"

extern const struct scheduler scheduler_fifo, scheduler_sptf;
extern const struct device    device_disk, device_fixed;

enum { LIMIT = 32, BLOCK_SECTORS = 8 };

static struct queue  queue;
static void	    *sptf, *disk;
static struct moment moment;
static block_t	     named;

static void
start(const char *params)
{
	struct error e;

	free(sptf);
	sptf = plugin_state(&scheduler_sptf.plugin, params, &e);
	ck_assert_ptr_nonnull(sptf);
}

static void *
new_disk(const char *name)
{
	const struct data_sheet *sheet = data_sheets;
	void			*self = calloc(1, device_disk.plugin.state_size);
	struct error		 e;

	while (strcmp(sheet->name, name))
		sheet++;
	ck_assert_msg(!device_disk.init(self, &(struct choice){ .sheet = sheet->text }, &e), "%s",
	    e.text);
	return self;
}

static void
use_disk(const char *name)
{
	if (disk)
		device_disk.release(disk);
	free(disk);
	disk = new_disk(name);
	moment = (struct moment){ .device = &device_disk, .device_self = disk };
}

static void
setup(void)
{
	struct error e;

	ck_assert_int_eq(queue_init(&queue, LIMIT, 1, BLOCK_SECTORS, &e), 0);
	start(NULL);
	moment = (struct moment){ .device = &device_fixed };
	named = 0;
}

static void
teardown(void)
{
	queue_release(&queue);
	free(sptf);
	if (disk)
		device_disk.release(disk);
	free(disk);
	disk = NULL;
}

static void
arrive(uint64_t sector)
{
	struct request r = { .block = named += 2,
		.count = 1,
		.sector = sector,
		.queued = moment.now };

	ck_assert_int_eq(queue_add(&queue, &r), QUEUE_NEW);
}

static struct request
serve(const struct scheduler *s)
{
	struct request r =
	    queue_remove(&queue, s->pick(s == &scheduler_sptf ? sptf : NULL, &queue, &moment));

	moment.head = r.sector + BLOCK_SECTORS;
	return r;
}

START_TEST(where_the_device_knows_no_positions_the_nearest_sector_is_next)
{
	static const uint64_t order[] = { 500, 400, 700, 1500 };

	moment.head = 460;
	arrive(1500);
	arrive(700);
	arrive(400);
	arrive(500);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(serve(&scheduler_sptf).sector, order[i]);
}
END_TEST

START_TEST(equals_are_served_in_order_of_arrival)
{
	moment.head = 500;
	arrive(600);
	arrive(400);
	arrive(600);
	ck_assert_uint_eq(serve(&scheduler_sptf).block, 2);
	ck_assert_uint_eq(serve(&scheduler_sptf).block, 6);
	ck_assert_uint_eq(serve(&scheduler_sptf).block, 4);
}
END_TEST

/* One that waits since the beginning, and a nearer one that comes every time. */
START_TEST(with_aging_who_waits_comes_nearer)
{
	for (unsigned aging = 0; aging < 2; aging++) {
		unsigned passed = 0;

		start(aging ? "aging=10" : NULL);
		moment.now = 0;
		moment.head = 0;
		arrive(1000);
		for (; passed < 30; passed++) {
			moment.now += 10000;
			moment.head = 0;
			arrive(100);
			if (serve(&scheduler_sptf).sector == 1000)
				break;
		}
		/* every 10 ms count for 100 sectors: at the ninth time it is as near, and older */
		ck_assert_uint_eq(passed, aging ? 8 : 30);
		while (queue.n)
			serve(&scheduler_sptf);
	}
}
END_TEST

static usec_t
positioning(const struct transfer *t)
{
	return device_disk.positioning(disk, t);
}

static struct transfer
read_of(const struct request *r)
{
	return (struct transfer){ .sector = r->sector,
		.sectors = BLOCK_SECTORS,
		.segments = 1,
		.now = moment.now };
}

/* Seek and rotation of a batch that waits at time 0. */
static usec_t
serve_batch(const struct scheduler *s, const uint64_t *sector, uint32_t n)
{
	usec_t sum = 0;

	use_disk("cheetah9lp");
	for (uint32_t i = 0; i < n; i++)
		arrive(sector[i]);
	while (queue.n) {
		struct request	r = serve(s);
		struct transfer t = read_of(&r);
		struct service	out;

		device_disk.service(disk, &t, &out);
		sum += out.part[SERVICE_SEEK] + out.part[SERVICE_ROTATION];
		for (int k = 0; k < SERVICE_PARTS; k++)
			moment.now += out.part[k];
	}
	return sum;
}

START_TEST(a_random_batch_takes_less_positioning_than_in_order_of_arrival)
{
	uint64_t seed = 7;
	usec_t	 all[2] = { 0, 0 };

	for (int round = 0; round < 100; round++) {
		uint64_t sector[LIMIT];
		uint32_t n = 8 + random_below(&seed, LIMIT - 8);
		usec_t	 fifo, shortest;

		for (uint32_t i = 0; i < n; i++)
			sector[i] = random_below(&seed, 1 << 24);
		fifo = serve_batch(&scheduler_fifo, sector, n);
		shortest = serve_batch(&scheduler_sptf, sector, n);
		ck_assert_int_le(shortest, fifo);
		all[0] += fifo;
		all[1] += shortest;
	}
	ck_assert_int_lt(all[1] * 3, all[0] * 2);
}
END_TEST

/* Nothing is chosen that another could have begun before. */
START_TEST(whoever_is_chosen_is_the_soonest)
{
	uint64_t seed = 9;

	use_disk("cheetah9lp");
	for (int round = 0; round < 300; round++) {
		usec_t		least = INT64_MAX;
		struct request	r;
		struct transfer t;
		struct service	out;

		while (queue.n < LIMIT / 2)
			arrive(random_below(&seed, 1 << 24));
		for (uint32_t i = 0; i < queue.n; i++) {
			usec_t us;

			t = read_of(&queue.request[i]);
			us = positioning(&t);
			least = us < least ? us : least;
		}
		r = serve(&scheduler_sptf);
		t = read_of(&r);
		device_disk.service(disk, &t, &out);
		ck_assert_int_eq(out.part[SERVICE_SEEK] + out.part[SERVICE_ROTATION], least);
		for (int k = 0; k < SERVICE_PARTS; k++)
			moment.now += out.part[k];
	}
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("sptf");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, where_the_device_knows_no_positions_the_nearest_sector_is_next);
	tcase_add_test(tests, equals_are_served_in_order_of_arrival);
	tcase_add_test(tests, with_aging_who_waits_comes_nearer);
	tcase_add_test(tests, a_random_batch_takes_less_positioning_than_in_order_of_arrival);
	tcase_add_test(tests, whoever_is_chosen_is_the_soonest);
	return run_tests("sptf", tests);
}

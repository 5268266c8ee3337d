/*
 * check_dev_raid.c - arrays: what goes to which member, over devices that
 * note what they are asked, and over real ones watched meanwhile.
 */
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "tests/unit/closed_loop.h"

extern const struct device device_fixed, device_raid0, device_raid5;

/* ---- a member that notes what it is asked, and asks a real one ---- */

enum { NOTES_ROOM = 4096, MEMBERS = 64 };

struct watched {
	struct loop real; /* depth 0: takes 100 us, holds 1000 sectors */
	usec_t	    latest;
	unsigned    number;
};

static struct choice	    real; /* plugin NULL: there is none */
static const struct device *real_device;
static unsigned		    made;
static char		    notes[NOTES_ROOM];
static bool		    notes_segments; /* behind a star, if they are more than one */
static usec_t		    ends;	    /* the transfer that ends last */

static int
watched_init(void *self, const struct choice *chosen, struct error *e)
{
	struct watched *w = self;

	w->number = made++;
	if (!real_device)
		return 0;
	w->real.device = real_device;
	w->real.self = device_start(&real, e);
	ck_assert_ptr_nonnull(w->real.self);
	w->real.depth = real_device->depth ? real_device->depth(w->real.self) : 1;
	return 0;
}

static void
watched_release(void *self)
{
	struct watched *w = self;

	if (w->real.device)
		device_stop(w->real.device, w->real.self);
}

static uint64_t
watched_capacity(const void *self)
{
	const struct watched *w = self;

	return real_device ? real_device->capacity(w->real.self) : 1000;
}

static uint32_t
watched_depth(const void *self)
{
	return real_device ? ((const struct watched *)self)->real.depth : 1;
}

static void
note(const struct watched *w, const struct transfer *r)
{
	size_t used = strlen(notes);

	if (!real_device)
		snprintf(notes + used, sizeof(notes) - used, "%s%u%c%llu", used ? " " : "",
		    w->number, r->write ? 'w' : 'r', (unsigned long long)r->sector);
	if (!real_device && r->sectors > 1)
		snprintf(notes + strlen(notes), 32, "-%llu",
		    (unsigned long long)(r->sector + r->sectors - 1));
	if (notes_segments && r->segments > 1)
		snprintf(notes + strlen(notes), 32, "*%u", r->segments);
}

enum { STAGGER_US = 2311 }; /* so far a member's clock is ahead of the one before */

static void
watched_service(void *self, const struct transfer *r, struct service *out)
{
	struct watched *w = self;
	uint32_t	busy = 0, first = 0;

	REQUIRE(r->now >= w->latest, "member %u starts at %lld after %lld", w->number,
	    (long long)r->now, (long long)w->latest);
	REQUIRE(r->sectors && r->sector + r->sectors <= watched_capacity(self), "out of range");
	REQUIRE(r->segments && r->segments <= r->sectors, "%u segments of %u sectors", r->segments,
	    r->sectors);
	w->latest = r->now;
	for (uint32_t i = 0; i < watched_depth(self); i++) {
		busy += w->real.end[i] > r->now;
		first = w->real.end[i] < w->real.end[first] ? i : first;
	}
	REQUIRE(busy < watched_depth(self), "%u under way", busy + 1);
	*out = (struct service){ .part[SERVICE_OVERHEAD] = 100, .data_begin = 40 };
	if (real_device)
		real_device->service(w->real.self, r, out);
	w->real.end[first] = r->now + service_us(out);
	if (w->real.end[first] - w->number * STAGGER_US > ends)
		ends = w->real.end[first] - w->number * STAGGER_US;
	note(w, r);
}

static const struct device device_watched = {
	.plugin = { .name = "watched",
	    .summary = "a member",
	    .state_size = sizeof(struct watched) },
	.init = watched_init,
	.release = watched_release,
	.capacity = watched_capacity,
	.depth = watched_depth,
	.service = watched_service,
};

/* ---- the array ---- */

static struct loop loop;

static void
release(void)
{
	if (loop.self)
		device_stop(loop.device, loop.self);
	loop.self = NULL;
}

/* NULL and an error, or the state of the array. */
static void *
try(const struct device *raid, const char *params, struct error *e)
{
	static const struct choice watched = { .plugin = &device_watched.plugin };

	made = 0;
	return device_start(&(struct choice){ .plugin = &raid->plugin,
				.params = params,
				.inner = &watched },
	    e);
}

static void
start(const struct device *raid, const char *params)
{
	struct error e;
	void	    *self;

	release();
	self = try(raid, params, &e);
	ck_assert_msg(self != NULL, "%s", e.text);
	loop = (struct loop){ .device = raid, .self = self, .depth = 1 };
}

static void
setup(void)
{
	real_device = NULL;
	notes_segments = false;
}

/* What the members are asked by a request, and how long it takes. */
static const char *
asked(bool write, uint64_t sector, uint32_t sectors, usec_t us)
{
	*notes = '\0';
	ck_assert_int_eq(loop_next(&loop, write, sector, sectors), us);
	return notes;
}

static const char *
reads(uint64_t sector, uint32_t sectors)
{
	return asked(false, sector, sectors, 100);
}

START_TEST(stripes_go_from_member_to_member)
{
	start(&device_raid0, "disks=4,unit=512");
	ck_assert_str_eq(reads(0, 1), "0r0");
	ck_assert_str_eq(reads(1, 1), "1r0");
	ck_assert_str_eq(reads(5, 1), "1r1");
	ck_assert_str_eq(reads(4003 - 4, 1), "3r999");
	ck_assert_uint_eq(device_raid0.capacity(loop.self), 4000);
	ck_assert_uint_eq(device_raid0.depth(loop.self), 4);
}
END_TEST

START_TEST(what_is_contiguous_on_a_member_is_one_transfer)
{
	start(&device_raid0, "disks=4,unit=512");
	ck_assert_str_eq(reads(0, 8), "0r0-1 1r0-1 2r0-1 3r0-1");
	ck_assert_str_eq(reads(6, 7), "0r2-3 1r2 2r1-2 3r1-2");
	start(&device_raid0, "disks=2,unit=4K");
	ck_assert_str_eq(reads(4, 16), "0r4-11 1r0-7");
	ck_assert_str_eq(asked(true, 12, 25, 100), "0w8-20 1w4-15");
}
END_TEST

/* Each member gets its part of them; units that touch on it do not touch in memory. */
START_TEST(the_segments_of_a_request_go_with_its_sectors)
{
	notes_segments = true;
	start(&device_raid0, "disks=2,unit=4K");
	ck_assert_str_eq(reads(0, 8), "0r0-7");
	ck_assert_str_eq(reads(0, 32), "0r0-15*2 1r0-15*2");
	loop.segments = 4;
	ck_assert_str_eq(reads(0, 32), "0r0-15*2 1r0-15*2");
	ck_assert_str_eq(reads(0, 8), "0r0-7*4");
	loop.segments = 32;
	ck_assert_str_eq(reads(0, 32), "0r0-15*16 1r0-15*16");
	start(&device_raid5, "disks=3,unit=4K");
	loop.segments = 16;
	ck_assert_str_eq(asked(true, 0, 16, 100), "0w0-7*8 1w0-7*8 2w0-7*8");
	ck_assert_str_eq(asked(true, 0, 32, 100), "0w0-15*8 1w0-15*8 2w0-15*8");
	loop.segments = 2;
	ck_assert_str_eq(asked(true, 2, 4, 200), "0r2-5*2 2r2-5*2 0w2-5*2 2w2-5*2");
}
END_TEST

START_TEST(parity_is_left_symmetric)
{
	/* 0 1 2 P / 4 5 P 3 / 8 P 6 7 / P 9 10 11 / 12 ... */
	static const char *const where[] = { "0r0", "1r0", "2r0", "3r1", "0r1", "1r1", "2r2", "3r2",
		"0r2", "1r3", "2r3", "3r3", "0r4", "1r4", "2r4", "3r5" };
	static const char *const written[] = { "0r0 3r0 0w0 3w0", "1r0 3r0 1w0 3w0",
		"2r0 3r0 2w0 3w0", "2r1 3r1 2w1 3w1", "0r1 2r1 0w1 2w1", "1r1 2r1 1w1 2w1",
		"1r2 2r2 1w2 2w2", "1r2 3r2 1w2 3w2", "0r2 1r2 0w2 1w2", "0r3 1r3 0w3 1w3",
		"0r3 2r3 0w3 2w3", "0r3 3r3 0w3 3w3", "0r4 3r4 0w4 3w4" };

	start(&device_raid5, "disks=4,unit=512");
	ck_assert_uint_eq(device_raid5.capacity(loop.self), 3000);
	for (uint64_t k = 0; k < sizeof(where) / sizeof(*where); k++)
		ck_assert_str_eq(reads(k, 1), where[k]);
	for (uint64_t k = 0; k < sizeof(written) / sizeof(*written); k++)
		ck_assert_str_eq(asked(true, k, 1, 200), written[k]);
}
END_TEST

START_TEST(reading_many_rows_passes_over_their_parity)
{
	start(&device_raid5, "disks=3,unit=512"); /* 0 1 P / 3 P 2 / P 4 5 / 6 7 P */
	ck_assert_str_eq(reads(0, 4), "0r0-1 1r0 2r1");
	ck_assert_str_eq(asked(false, 0, 8, 200), "1r0 0r0-1 0r3 1r2-3 2r1-2");
	ck_assert_int_eq(loop.service.data_begin, 40); /* of the first of the two on its member */
}
END_TEST

START_TEST(a_part_of_a_row_is_read_before_it_is_written)
{
	start(&device_raid5, "disks=5,unit=4K");
	ck_assert_str_eq(asked(true, 2, 3, 200), "0r2-4 4r2-4 0w2-4 4w2-4");
	ck_assert_str_eq(asked(true, 4, 8, 200), "0r4-7 1r0-3 4r0-7 0w4-7 1w0-3 4w0-7");
	ck_assert_int_eq(loop.service.part[SERVICE_QUEUE], 0);
	ck_assert_int_eq(loop.service.part[SERVICE_OVERHEAD], 200);
}
END_TEST

START_TEST(whole_rows_are_written_without_reading)
{
	start(&device_raid5, "disks=3,unit=4K");
	ck_assert_str_eq(asked(true, 0, 16, 100), "0w0-7 1w0-7 2w0-7");
	ck_assert_str_eq(asked(true, 16, 32, 100), "0w8-23 1w8-23 2w8-23");
}
END_TEST

START_TEST(a_long_write_is_a_part_whole_rows_and_a_part)
{
	start(&device_raid5, "disks=3,unit=512"); /* 0 1 P / 3 P 2 / P 4 5 / 6 7 P */
	ck_assert_str_eq(asked(true, 1, 4, 500), "1r0 2r0 0r2 1r2 0w1 1w1 2w1 1w0 2w0 0w2 1w2");
}
END_TEST

START_TEST(two_members_take_the_time_of_one)
{
	start(&device_raid0, "disks=2,unit=512");
	ck_assert_str_eq(asked(false, 0, 2, 100), "0r0 1r0");
	ck_assert_int_eq(loop.service.data_begin, 40);
	start(&device_raid0, "disks=2,unit=512");
	loop.depth = 3;
	ck_assert_str_eq(asked(false, 0, 1, 100), "0r0");
	ck_assert_str_eq(asked(false, 1, 1, 100), "1r0");
	ck_assert_str_eq(asked(false, 2, 1, 200), "0r1"); /* behind the first */
	ck_assert_int_eq(loop.service.part[SERVICE_QUEUE], 100);
	ck_assert_int_eq(loop.service.part[SERVICE_OVERHEAD], 100);
	ck_assert_int_eq(loop.service.data_begin, 140);
}
END_TEST

/* ---- over real devices ---- */

static void
watch(const char *text)
{
	struct error e;

	choice_release(&real);
	ck_assert_msg(!registry_choose(PLUGIN_DEVICE, text, &real, &e), "%s", e.text);
	real_device = device_of(&real);
}

START_TEST(a_small_write_on_raid5_takes_twice_as_long)
{
	watch("fixed:latency=10ms,rate=40960000");
	start(&device_raid5, "disks=5,unit=64K");
	ck_assert_int_eq(loop_next(&loop, false, 0, 8), 10100);
	ck_assert_int_eq(loop_next(&loop, true, 0, 8), 20200);
	ck_assert_int_eq(loop_next(&loop, true, 0, 4 * 128), 10000 + 1600);
	ck_assert_int_eq(loop_next(&loop, false, 0, 4 * 128), 10000 + 1600);
	ck_assert_int_eq(loop.service.part[SERVICE_TRANSFER], 1600);
}
END_TEST

START_TEST(a_read_is_from_the_buffer_if_all_of_it_is)
{
	watch("cheetah9lp");
	start(&device_raid0, "disks=2,unit=64K");
	loop_next(&loop, false, 128, 8); /* the second member reads ahead */
	loop_next(&loop, false, 136, 8);
	ck_assert(loop.service.from_buffer);
	loop_next(&loop, false, 120, 32);
	ck_assert(!loop.service.from_buffer);
	loop_next(&loop, true, 0, 8);
	ck_assert(!loop.service.from_buffer);
}
END_TEST

START_TEST(members_that_serve_several_at_a_time_are_given_several)
{
	watch("fixed:latency=10ms,rate=1T,depth=2");
	start(&device_raid0, "disks=2,unit=512");
	ck_assert_uint_eq(device_raid0.depth(loop.self), 4);
	loop.depth = 4;
	ck_assert_int_eq(loop_next(&loop, false, 0, 1), 10000);
	ck_assert_int_eq(loop_next(&loop, false, 2, 1), 10000);
	ck_assert_int_eq(loop_next(&loop, false, 4, 1), 20000);
	ck_assert_int_eq(loop_next(&loop, false, 1, 1), 10000);
	start(&device_raid0, "disks=64");
	ck_assert_uint_eq(device_raid0.depth(loop.self), 128);
	start(&device_raid5, "disks=3,unit=512"); /* 0 1 P / 3 P 2 */
	loop.depth = 2;
	ck_assert_int_eq(loop_next(&loop, true, 0, 1), 20000);
	ck_assert_int_eq(loop_next(&loop, false, 1, 1), 10000); /* on another member */
	ck_assert_int_eq(loop_next(&loop, false, 1, 1), 10000);
	ck_assert_int_eq(loop_next(&loop, true, 3, 1), 20000); /* told at 20 ms */
	watch("nvme-960evo");
	start(&device_raid0, "disks=4");
	ck_assert_uint_eq(device_raid0.depth(loop.self), DEPTH_MAX);
}
END_TEST

START_TEST(many_small_writes_keep_the_members_of_raid5_at_work)
{
	uint64_t random = 1;

	watch("fixed:latency=10ms,rate=1T");
	start(&device_raid5, "disks=5");
	loop.depth = 16;
	for (unsigned i = 0; i < 2000; i++)
		loop_next(&loop, true, random_below(&random, 1000000), 1);
	/* 4 transfers of 10 ms each on 5 members */
	ck_assert_double_ge(2000 * 4 * 10000.0 / (5 * (double)loop.last), 0.9);
	ck_assert_double_le(2000 * 4 * 10000.0 / (5 * (double)loop.last), 1);
}
END_TEST

START_TEST(what_a_write_waits_for_in_a_member_passes_while_it_is_read)
{
	watch("ssd-850evo");
	start(&device_raid5, "disks=5");
	ck_assert_int_eq(loop_next(&loop, false, 0, 8), 100);
	ck_assert_int_eq(loop_next(&loop, true, 800, 8), 100 + 25);
	ck_assert_int_eq(loop.service.part[SERVICE_QUEUE], 0);
}
END_TEST

/* A request ends with the last of its transfers, whatever it has waited for. */
static void
serve_at_random(const struct device *raid, const char *params)
{
	uint64_t random = 7, capacity;

	start(raid, params);
	loop.depth = raid->depth(loop.self);
	capacity = raid->capacity(loop.self);
	for (unsigned i = 0; i < 4000; i++) {
		uint32_t sectors = 1 + random_below(&random, i % 8 ? 64 : 2000);
		bool	 write = random_below(&random, 2);
		uint64_t sector = random_below(&random, 3000000) % (capacity - sectors);

		ends = 0;
		loop_next(&loop, write, sector, sectors);
		/* A member writes what it has read even before the others have read. */
		if (write && raid == &device_raid5)
			REQUIRE(loop.now + loop.us >= ends, "request %u ends too early", i);
		else
			REQUIRE(loop.now + loop.us == ends, "request %u ends at %lld, not %lld", i,
			    (long long)(loop.now + loop.us), (long long)ends);
	}
}

START_TEST(random_requests_end_with_the_last_transfer_and_members_keep_order)
{
	static const char *const inner[] = { "cheetah9lp", "ssd-850evo", "nvme-960evo",
		"fixed:latency=5ms", "fixed:latency=1ms,depth=3", "null" };
	static const char *const params[] = { "disks=3", "disks=4,unit=4K", "disks=7,unit=512",
		"disks=5,unit=1536" };

	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++) {
		watch(inner[i]);
		for (size_t k = 0; k < sizeof(params) / sizeof(*params); k++) {
			serve_at_random(&device_raid0, params[k]);
			serve_at_random(&device_raid5, params[k]);
		}
	}
}
END_TEST

/* ---- what cannot be ---- */

static const char *
refused(const struct device *raid, const char *params)
{
	static struct error e;

	ck_assert_ptr_null(try(raid, params, &e));
	return e.text;
}

/* The mean of random requests of 4 KB for each of the four members, or for one of two. */
static double
mean_us(bool all)
{
	uint64_t random = 5;
	double	 sum = 0;

	start(&device_raid0, all ? "disks=4,unit=4K" : "disks=2,unit=1M");
	for (unsigned i = 0; i < 4000; i++)
		sum += (double)(all
			? loop_next(&loop, false, 32ull * random_below(&random, 400000), 32)
			: loop_next(&loop, false, 8ull * random_below(&random, 800000), 8));
	return sum / 4000;
}

/* The slowest of four waits at random takes 4/5 of the longest, one 1/2. */
START_TEST(members_are_not_in_step)
{
	watch("cheetah9lp");
	ck_assert_double_gt(mean_us(true), mean_us(false) + 1000);
	real_device = &device_fixed;
	real.plugin = &device_fixed.plugin;
	real.sheet = "kind = fixed\nsummary = a\nsource = b\n[transfer]\nmb_s = 1000000\n[queue]\n"
		     "depth = 1\n[read_ms]\n0 = 0\n100 = 10\n[write_ms]\n0 = 0\n100 = 10\n";
	ck_assert_double_eq_tol(mean_us(true), 8000, 100);
	ck_assert_double_eq_tol(mean_us(false), 5000, 100);
}
END_TEST

START_TEST(bad_parameters_are_refused)
{
	ck_assert_str_eq(refused(&device_raid5, "disks=2"),
	    "disks of raid5 is between 3 and 64, not 2");
	ck_assert_str_eq(refused(&device_raid0, "disks=1"),
	    "disks of raid0 is between 2 and 64, not 1");
	ck_assert_str_eq(refused(&device_raid0, "unit=0"),
	    "unit of raid0 is between 512 and 1G, not 0");
	ck_assert_str_eq(refused(&device_raid5, "unit=1000"),
	    "unit of raid5 is a multiple of 512, not 1000");
}
END_TEST

START_TEST(members_hold_at_least_a_unit)
{
	ck_assert_str_eq(refused(&device_raid0, "unit=1M"),
	    "raid0 has a unit of 2048 sectors, and its members only 1000");
	start(&device_raid5, "disks=5,unit=64K"); /* 7 units of 128 on a member of 1000 */
	ck_assert_uint_eq(device_raid5.capacity(loop.self), 7 * 4 * 128);
}
END_TEST

START_TEST(members_without_an_end_make_an_array_of_whole_rows)
{
	watch("fixed");
	start(&device_raid5, "disks=4,unit=1536");
	ck_assert_uint_eq(device_raid5.capacity(loop.self), UINT64_MAX / 9 * 9);
	loop_next(&loop, true, UINT64_MAX / 9 * 9 - 20, 20);
}
END_TEST

START_TEST(an_array_shows_each_of_its_members)
{
	start(&device_raid5, "disks=5");
	for (unsigned n = 0; n < 5; n++) {
		const struct instance *member = device_raid5.plugin.inner(loop.self, n);

		ck_assert_ptr_eq(member->plugin, &device_watched.plugin);
		ck_assert_uint_eq(((const struct watched *)member->self)->number, n);
	}
	ck_assert_ptr_null(device_raid5.plugin.inner(loop.self, 5));
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("dev_raid");

	tcase_add_checked_fixture(tc, setup, release);
	tcase_add_test(tc, stripes_go_from_member_to_member);
	tcase_add_test(tc, what_is_contiguous_on_a_member_is_one_transfer);
	tcase_add_test(tc, the_segments_of_a_request_go_with_its_sectors);
	tcase_add_test(tc, parity_is_left_symmetric);
	tcase_add_test(tc, reading_many_rows_passes_over_their_parity);
	tcase_add_test(tc, a_part_of_a_row_is_read_before_it_is_written);
	tcase_add_test(tc, whole_rows_are_written_without_reading);
	tcase_add_test(tc, a_long_write_is_a_part_whole_rows_and_a_part);
	tcase_add_test(tc, two_members_take_the_time_of_one);
	tcase_add_test(tc, a_small_write_on_raid5_takes_twice_as_long);
	tcase_add_test(tc, a_read_is_from_the_buffer_if_all_of_it_is);
	tcase_add_test(tc, members_that_serve_several_at_a_time_are_given_several);
	tcase_add_test(tc, many_small_writes_keep_the_members_of_raid5_at_work);
	tcase_add_test(tc, what_a_write_waits_for_in_a_member_passes_while_it_is_read);
	tcase_add_test(tc, random_requests_end_with_the_last_transfer_and_members_keep_order);
	tcase_add_test(tc, members_are_not_in_step);
	tcase_add_test(tc, bad_parameters_are_refused);
	tcase_add_test(tc, members_hold_at_least_a_unit);
	tcase_add_test(tc, members_without_an_end_make_an_array_of_whole_rows);
	tcase_add_test(tc, an_array_shows_each_of_its_members);
	return run_tests("dev_raid", tc);
}

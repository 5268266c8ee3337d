/*
 * check_dev_disk.c - the disk drive, mostly one whose times can be worked out
 * by hand: a revolution takes 10,000 us; cylinders 0 to 9 have two tracks of
 * 100 sectors (100 us each), cylinders 10 to 19 two of 50 (200 us); a seek of
 * n cylinders takes (n + 1) / 2 ms, the bus 10 us a sector; no skews.
 */
#include <stdio.h>
#include <string.h>

#include "sim/device/device.h"
#include "tests/unit/support.h"

extern const struct device device_disk;

static const char SHEET[] = "kind = disk\nsummary = a toy\nsource = made up\n"
			    "[geometry]\ncapacity_sectors = 3000\nheads = 2\n"
			    "[mechanics]\nrpm = 6000\nhead_switch_ms = 0.5\nwrite_settle_ms = 0.2\n"
			    "[overheads_ms]\n"
			    "read_hit_after_read = 0.1\nread_hit_after_write = 0.2\n"
			    "read_miss_after_read = 0.3\nread_miss_after_write = 0.4\n"
			    "write_after_read = 0.5\nwrite_after_write = 0.6\n"
			    "[bus]\nsector_ms = 0.01\n"
			    "[buffer]\nsegments = 2\nsegment_sectors = 50\nread_ahead = sliding\n"
			    "resume_on_hit = no\nstop_on_other_hit = yes\n"
			    "writes = back\njoined_writes = 1\npurge_on_write = no\n"
			    "[zones]\n0 = 9 100 0 0 0 0\n10 = 19 50 0 0 0 0\n"
			    "[seek_ms]\n1 = 1\n19 = 10\n";

enum { CAPACITY = 3000, BOUNDARY = 2000, CYLINDER = 200, REVOLUTION_US = 10000 };
enum { QUEUE = SERVICE_QUEUE, OVERHEAD, SEEK, ROTATION, TRANSFER, BUS };

static char	      text[65536]; /* of the sheet in use */
static void	     *disk;
static struct service last;
static usec_t	      now; /* when the last request ended */

/* Put another text in the place of one that occurs once in the sheet. */
static void
edit(const char *old, const char *new)
{
	char  rest[sizeof(text)];
	char *at = strstr(text, old);

	ck_assert_msg(at && !strstr(at + 1, old), "'%s' is not in the sheet once", old);
	strcpy(rest, at + strlen(old));
	ck_assert_uint_lt(strlen(text) + strlen(new), sizeof(text));
	strcpy(at, new);
	strcat(at, rest);
}

static void
release(void)
{
	if (disk)
		device_disk.release(disk);
	free(disk);
	disk = NULL;
}

/* A disk at rest at time 0, its arm at cylinder 0, by the sheet in text. */
static void
start(void)
{
	struct error e;

	release();
	disk = calloc(1, device_disk.plugin.state_size);
	ck_assert_msg(device_disk.init(disk, &(struct choice){ .sheet = text }, &e) == 0, "%s",
	    e.text);
	now = 0;
}

static void
setup(void)
{
	strcpy(text, SHEET);
	start();
}

static usec_t
sum(const struct service *s)
{
	usec_t us = 0;

	for (int i = 0; i < SERVICE_PARTS; i++)
		us += s->part[i];
	return us;
}

/* How long the request takes; it starts idle_us after the end of the previous one. */
static usec_t
serve(bool write, uint64_t sector, uint32_t sectors, usec_t idle_us)
{
	struct transfer r = { .sector = sector,
		.sectors = sectors,
		.segments = 1,
		.write = write,
		.now = now + idle_us };

	device_disk.service(disk, &r, &last);
	now += idle_us + sum(&last);
	return sum(&last);
}

static usec_t
get(uint64_t sector, uint32_t sectors, usec_t idle_us)
{
	return serve(false, sector, sectors, idle_us);
}

static usec_t
put(uint64_t sector, uint32_t sectors, usec_t idle_us)
{
	return serve(true, sector, sectors, idle_us);
}

/* Long enough for the drive to finish whatever it does by itself. */
enum { LONG_US = 100 * REVOLUTION_US };

static bool
is_hit(uint64_t sector)
{
	get(sector, 1, LONG_US);
	return last.from_buffer;
}

static void
check_parts(usec_t overhead, usec_t seek, usec_t rotation, usec_t transfer, usec_t bus)
{
	ck_assert_int_eq(last.part[OVERHEAD], overhead);
	ck_assert_int_eq(last.part[SEEK], seek);
	ck_assert_int_eq(last.part[ROTATION], rotation);
	ck_assert_int_eq(last.part[TRANSFER], transfer);
	ck_assert_int_eq(last.part[BUS], bus);
}

/* ---- mechanics ---- */

START_TEST(a_read_is_overhead_rotation_transfer_and_bus)
{
	ck_assert_int_eq(get(50, 1, 0), 5110); /* sector 50 passes at 5,000 us */
	check_parts(300, 0, 4700, 100, 10);
	ck_assert_int_eq(last.data_begin, 5100);
	ck_assert(!last.from_buffer);
}
END_TEST

START_TEST(one_revolution_later_is_the_same_again)
{
	usec_t first = get(50, 1, 1234);

	start();
	ck_assert_int_eq(get(50, 1, 1234 + 7 * REVOLUTION_US), first);
}
END_TEST

START_TEST(a_microsecond_too_late_costs_a_revolution)
{
	ck_assert_int_eq(get(50, 1, 4700), 410);
	start();
	ck_assert_int_eq(get(50, 1, 4701), 409 + REVOLUTION_US);
}
END_TEST

START_TEST(the_seek_follows_the_distance_either_way)
{
	static const usec_t
	    expected_us[20] = { [0] = 0, [1] = 1000, [2] = 1500, [5] = 3000, [9] = 5000 };

	for (uint64_t x = 0; x < 10; x++) {
		if (x && !expected_us[x])
			continue;
		start();
		get(x * CYLINDER, 1, 0);
		ck_assert_int_eq(last.part[SEEK], expected_us[x]);
		get(0, 1, LONG_US);
		if (x)
			ck_assert_int_eq(last.part[SEEK], expected_us[x]);
	}
}
END_TEST

START_TEST(a_full_stroke_takes_the_last_point_of_the_curve)
{
	get(CAPACITY - 1, 1, 0);
	ck_assert_int_eq(last.part[SEEK], 10000);
	start();
	edit("19 = 10", "10 = 10"); /* flat from there on */
	start();
	get(CAPACITY - 1, 1, 0);
	ck_assert_int_eq(last.part[SEEK], 10000);
}
END_TEST

START_TEST(another_track_of_the_cylinder_takes_a_head_switch)
{
	get(150, 1, 0); /* sector 50 of the second track */
	check_parts(300, 500, 4200, 100, 10);
}
END_TEST

START_TEST(a_request_over_a_zone_boundary_changes_speed)
{
	/* Four sectors of 100 us, a seek, the rest of a revolution, four of 200 us. */
	ck_assert_int_eq(get(BOUNDARY - 4, 8, 0), 20810);
	check_parts(300, 5000 + 1000, 4300 + 9000, 400 + 800, 10);
}
END_TEST

START_TEST(skew_hides_the_change_of_track_and_cylinder)
{
	edit("100 0 0 0 0", "100 10 20 0 0");
	start();
	get(90, 20, 0); /* to the second track: 10 sectors on, of which 500 us are the switch */
	check_parts(300, 500, 8700 + 500, 2000, 10);
	get(190, 20, LONG_US); /* to the next cylinder: 20 sectors on, of which 1,000 us seek */
	ck_assert_int_eq(last.part[SEEK], 1000);
	ck_assert_int_eq(last.part[TRANSFER], 2000);
}
END_TEST

START_TEST(reserved_and_spare_sectors_are_passed_over)
{
	edit("100 0 0 0 0", "100 0 0 30 70");
	edit("capacity_sectors = 3000", "capacity_sectors = 2900");
	start();
	ck_assert_int_eq(get(20, 1, 0), 5110); /* lies 50 sectors after the index mark */
	get(BOUNDARY - 100, 1, LONG_US);       /* the first one of the second zone */
	ck_assert_int_eq(last.part[SEEK], 5500);
	ck_assert_int_eq(last.part[TRANSFER], 200);
}
END_TEST

START_TEST(serpentine_needs_no_head_switch_to_the_next_cylinder)
{
	edit("heads = 2", "heads = 2\nmapping = serpentine");
	edit("head_switch_ms = 0.5", "head_switch_ms = 1.5");
	start();
	get(190, 20, 0); /* from the second track of cylinder 0 to that of cylinder 1 */
	ck_assert_int_eq(last.part[SEEK], 1500 + 1000);
	get(299, 2, LONG_US); /* up to its first */
	ck_assert_int_eq(last.part[SEEK], 1500);
	get(399, 2, LONG_US); /* to the first one of cylinder 2 */
	ck_assert_int_eq(last.part[SEEK], 1000);
}
END_TEST

START_TEST(cylinders_may_share_spare_sectors)
{
	edit("heads = 2", "heads = 2\nspare_cylinders = 2");
	edit("9 100 0 0 0 0", "9 100 0 0 0 30");
	edit("19 50 0 0 0 0", "19 50 0 0 0 10");
	edit("capacity_sectors = 3000", "capacity_sectors = 2800");
	start();
	get(369, 1, 0); /* the last one of cylinder 1 */
	check_parts(300, 1000, 5600, 100, 10);
	start();
	get(370, 1, 0); /* the first one of cylinder 2 */
	check_parts(300, 1500, 8200, 100, 10);
	get(1850, 1, LONG_US); /* the first one of the second zone, cylinder 10 */
	ck_assert_int_eq(last.part[SEEK], 4500);
	ck_assert_int_eq(last.part[TRANSFER], 200);
}
END_TEST

START_TEST(zero_latency_begins_amid_the_sectors)
{
	edit("sector_ms = 0.01", "sector_ms = 0.00001");
	edit("segment_sectors = 50", "segment_sectors = 200");
	edit("head_switch_ms = 0.5", "head_switch_ms = 0.5\nzero_latency = yes");
	start();
	/* At 2,300 us the heads are over sector 23: the rest, and then the front. */
	ck_assert_int_eq(get(0, 100, 2000), 300 + REVOLUTION_US);
	check_parts(300, 0, 0, REVOLUTION_US, 0);
	start();
	get(50, 20, 2000); /* not there yet */
	check_parts(300, 0, 2700, 2000, 0);
	start();
	get(0, 20, 2000); /* past them */
	check_parts(300, 0, 7700, 2000, 0);
	start();
	edit("sector_ms = 0.00001", "sector_ms = 0.2");
	start();
	get(0, 100, 2000); /* but data go to the host in order */
	check_parts(300, 0, 7700, 100, 20000);
}
END_TEST

START_TEST(a_new_access_takes_at_least_the_least_time)
{
	edit("[overheads_ms]", "least_read_ms = 0.7\nleast_write_ms = 0.9\n[overheads_ms]");
	start();
	get(50, 1, 0);
	check_parts(300, 700, 4000, 100, 10);
	get(20, 1, LONG_US); /* same track, long after the heads have stopped reading */
	ck_assert_int_eq(last.part[SEEK], 700);
	get(25, 1, 0); /* they are reading: in place */
	ck_assert_int_eq(last.part[SEEK], 0);
}
END_TEST

START_TEST(what_the_bus_hides_counts_as_bus)
{
	edit("sector_ms = 0.01", "sector_ms = 0.2");
	start();
	ck_assert_int_eq(get(50, 10, 0), 5100 + 10 * 200);
	check_parts(300, 0, 4700, 100, 2000);
	ck_assert_int_eq(last.data_begin, 5100);
}
END_TEST

START_TEST(the_last_sector_crosses_the_bus_behind_the_heads)
{
	edit("sector_ms = 0.01", "sector_ms = 0.06");
	start();
	ck_assert_int_eq(get(50, 2, 0), 5200 + 60); /* not 5,100 and twice 60 */
}
END_TEST

START_TEST(the_capacity_is_what_the_sheet_declares)
{
	ck_assert_uint_eq(device_disk.capacity(disk), CAPACITY);
	edit("capacity_sectors = 3000", "capacity_sectors = 2999");
	start();
	ck_assert_uint_eq(device_disk.capacity(disk), 2999);
	get(2900, 99, 0); /* read-ahead stops at the end */
	get(0, 1, LONG_US);
}
END_TEST

/* ---- the buffer ---- */

START_TEST(a_sequential_read_comes_from_the_buffer)
{
	get(0, 8, 0);
	ck_assert_int_eq(get(8, 8, LONG_US), 100 + 80);
	check_parts(100, 0, 0, 0, 80);
	ck_assert_int_eq(last.data_begin, 100);
	ck_assert(last.from_buffer);
}
END_TEST

START_TEST(a_reader_on_the_heels_of_read_ahead_waits_for_the_heads)
{
	get(0, 1, 0); /* ends at 10,110: sector 1 is passing */
	ck_assert_int_eq(get(1, 8, 0), 10900 + 10 - 10110);
	check_parts(0, 0, 0, 790, 10);
	ck_assert_int_eq(last.data_begin, 10210 - 10110);
	ck_assert(last.from_buffer);
}
END_TEST

START_TEST(a_command_that_misses_ends_read_ahead)
{
	get(0, 1, 0); /* ends at 10,110; the heads are 10 us into sector 1 */
	ck_assert_int_eq(get(3, 1, 0), 20400 + 10 - 10110);
}
END_TEST

START_TEST(what_passes_while_a_command_is_processed_is_a_hit)
{
	edit("stop_on_other", "read_on = yes\nstop_on_other");
	start();
	get(0, 1, 0); /* ends at 10,110; the heads are 10 us into sector 1 */
	ck_assert_int_eq(get(3, 1, 0), 300 + 10);
	check_parts(300, 0, 0, 0, 10);
	ck_assert(last.from_buffer);
}
END_TEST

START_TEST(what_comes_after_a_command_is_processed_waits_for_the_heads)
{
	edit("stop_on_other", "read_on = yes\nstop_on_other");
	start();
	get(0, 1, 0); /* ends at 10,110: a miss is processed by 10,410 */
	ck_assert_int_eq(get(5, 1, 0), 10600 + 10 - 10110);
	check_parts(300, 0, 90, 100, 10);
	ck_assert(!last.from_buffer);
}
END_TEST

START_TEST(what_has_not_passed_yet_does_not_cross_the_bus)
{
	edit("sector_ms = 0.01", "sector_ms = 0.2");
	start();
	get(90, 10, 0); /* read-ahead changes heads: sector 100 passes at 20,000 us */
	get(100, 8, 0);
	ck_assert_int_eq(now, 20100 + 8 * 200);
	check_parts(0, 0, 8900, 100, 1600); /* the change of heads was before the request */
	ck_assert_int_eq(last.part[QUEUE], 0);
}
END_TEST

START_TEST(sequential_overheads_may_differ)
{
	edit("[bus]", "read_hit_sequential = 0.03\nwrite_sequential = 0.04\n[bus]");
	start();
	get(0, 8, 0);
	ck_assert_int_eq(get(8, 8, LONG_US), 30 + 80);
	ck_assert_int_eq(get(18, 8, LONG_US), 100 + 80);
	ck_assert_int_eq(put(26, 8, LONG_US), 40 + 80);
	ck_assert_int_eq(put(26, 8, LONG_US), 600 + 80);
}
END_TEST

START_TEST(sliding_reads_over_what_was_asked_for)
{
	get(0, 10, 0); /* and on to 60: the segment holds 10 to 59 */
	ck_assert(is_hit(10));
	ck_assert(is_hit(59));
	ck_assert(!is_hit(60));
	start();
	get(0, 10, 0);
	ck_assert(!is_hit(9));
}
END_TEST

START_TEST(keep_keeps_what_was_asked_for)
{
	edit("sliding", "keep");
	start();
	get(0, 10, 0); /* and on to 50 */
	ck_assert(is_hit(0));
	ck_assert(is_hit(49));
	ck_assert(!is_hit(50));
}
END_TEST

START_TEST(track_takes_in_the_whole_track)
{
	edit("sliding", "track");
	edit("segment_sectors = 50", "segment_sectors = 100");
	start();
	get(130, 10, 0);
	ck_assert(is_hit(199));
	ck_assert(is_hit(100));
	ck_assert(!is_hit(200));
	start();
	get(130, 10, 0);
	get(100, 1, 0); /* which has not passed yet */
	ck_assert(!last.from_buffer);
	start();
	edit("segment_sectors = 100", "segment_sectors = 50");
	start();
	get(130, 10, 0); /* there is no room for it */
	ck_assert(!is_hit(101));
}
END_TEST

START_TEST(track_with_zero_latency_has_what_passed_before)
{
	edit("sliding", "track");
	edit("segment_sectors = 50", "segment_sectors = 100");
	edit("head_switch_ms = 0.5", "head_switch_ms = 0.5\nzero_latency = yes");
	start();
	get(30, 1, 700); /* from sector 10 on */
	get(11, 1, 0);
	ck_assert(last.from_buffer);
	start();
	get(30, 1, 700);
	get(8, 1, 0);
	ck_assert(!last.from_buffer);
}
END_TEST

START_TEST(track_goes_on_to_the_next_one_for_who_came_from_the_one_before)
{
	edit("sliding", "track");
	edit("resume_on_hit = no", "resume_on_hit = yes");
	edit("segment_sectors = 50", "segment_sectors = 150");
	start();
	get(90, 10, 0);
	ck_assert(!is_hit(100));
	ck_assert(is_hit(120));
	ck_assert(is_hit(200));
	ck_assert(is_hit(250));
	ck_assert(is_hit(300));
	ck_assert(!is_hit(550));
	start();
	get(100, 1, 0); /* the first one of its track */
	ck_assert(!is_hit(250));
	start();
	get(90, 1, 0);
	get(500, 1, LONG_US);
	get(100, 1, LONG_US); /* a miss, behind what is not being read any more */
	ck_assert(!last.from_buffer);
	ck_assert(is_hit(250));
}
END_TEST

START_TEST(keep_reads_at_least_half_a_segment_ahead)
{
	edit("sliding", "keep");
	start();
	get(0, 45, 0);
	ck_assert(is_hit(69));
	ck_assert(!is_hit(70));
	start();
	get(0, 45, 0);
	ck_assert(!is_hit(19));
}
END_TEST

START_TEST(read_ahead_may_be_for_sequential_readers_only)
{
	edit("stop_on_other_hit", "only_sequential = yes\nstop_on_other_hit");
	start();
	get(8, 8, 0);
	get(16, 8, LONG_US);
	ck_assert(!last.from_buffer);
	get(24, 8, LONG_US);
	ck_assert(last.from_buffer);
	get(40, 8, LONG_US);
	ck_assert(last.from_buffer);
}
END_TEST

START_TEST(only_a_miss_starts_read_ahead_unless_hits_resume_it)
{
	get(0, 10, 0);
	ck_assert(is_hit(50)); /* would move the end from 60 to 101 */
	ck_assert(!is_hit(100));
	edit("resume_on_hit = no", "resume_on_hit = yes");
	start();
	get(0, 10, 0);
	ck_assert(is_hit(50));
	ck_assert(is_hit(100));
	ck_assert(is_hit(150));
}
END_TEST

START_TEST(a_request_over_the_goal_was_read_to_its_end_unless_hits_resume)
{
	get(0, 10, 0); /* and on to 60 */
	ck_assert_int_eq(get(55, 10, LONG_US), 100 + 100);
	start();
	get(0, 10, 0);
	put(1000, 1, LONG_US); /* the heads have been elsewhere */
	get(55, 10, LONG_US);
	ck_assert_int_eq(last.part[SEEK], 3000);
	edit("resume_on_hit = no", "resume_on_hit = yes");
	start();
	get(0, 10, 0);
	ck_assert_int_gt(get(55, 10, LONG_US), 1000);
}
END_TEST

/* Read-ahead has begun in two places when the first one is hit: does the second one go on? */
static bool
second_goes_on(void)
{
	start();
	get(0, 1, 0);
	get(500, 1, 1000);
	get(1, 1, 0);
	ck_assert(last.from_buffer);
	return is_hit(540);
}

START_TEST(a_hit_elsewhere_may_stop_read_ahead)
{
	ck_assert(!second_goes_on());
	edit("stop_on_other_hit = yes", "stop_on_other_hit = no");
	ck_assert(second_goes_on());
}
END_TEST

START_TEST(the_segment_used_least_recently_makes_way)
{
	get(0, 1, 0);
	get(500, 1, LONG_US);
	ck_assert(is_hit(10));
	get(1000, 1, LONG_US);
	ck_assert(is_hit(20));
	ck_assert(!is_hit(510));
}
END_TEST

START_TEST(a_request_larger_than_a_segment_is_served)
{
	/* 500 sectors, 4 changes of track at 10,000 us less the time at their ends. */
	ck_assert_int_eq(get(0, 500, 0), 50000 + 4 * 10000 + 10000 + 10);
	ck_assert(is_hit(549));
	ck_assert(!is_hit(499));
}
END_TEST

/* ---- writes ---- */

START_TEST(a_write_returns_early_and_delays_the_next_read)
{
	ck_assert_int_eq(put(50, 8, 0), 500 + 80);
	check_parts(500, 0, 0, 0, 80);
	/* Sectors 50 to 57 are on the disk at 5,800 us; sector 0 passes at 10,000 us. */
	ck_assert_int_eq(get(0, 1, 0), 10110 - 580);
	check_parts(400, 0, 4200, 100, 10);
	ck_assert_int_eq(last.part[QUEUE], 5800 - 580 - 400);
}
END_TEST

START_TEST(a_second_write_waits_for_the_first)
{
	put(50, 8, 0);
	ck_assert_int_eq(put(58, 8, 0), 5800 + 80 - 580);
	check_parts(600, 0, 0, 0, 80);
	ck_assert_int_eq(last.part[QUEUE], 5800 - 580 - 600);
}
END_TEST

START_TEST(no_sector_is_written_before_its_data_have_come)
{
	/* Sector 6 passes at 600 us, its data come at 510: just in time.  Sector 5 is too late. */
	put(6, 1, 0);
	put(100, 1, 0);
	ck_assert_int_eq(last.part[QUEUE], 0); /* written at 700 */
	start();
	put(5, 1, 0);
	put(100, 1, 0);
	ck_assert_int_eq(last.part[QUEUE], 10600 - 1110);
}
END_TEST

START_TEST(a_write_leaves_read_ahead_alone_and_misses_go_first)
{
	get(0, 1, 0); /* ends at 10,110; read-ahead up to sector 51, at 15,100 */
	ck_assert_int_eq(put(1000, 1, 0), 510);
	ck_assert_int_eq(get(1, 1, 0), 200 + 10);
	ck_assert(last.from_buffer);
	get(60, 1, 0); /* a miss at 10,830: 11,130 with its overhead; sector 60 passes at 16,000 */
	ck_assert_int_eq(now, 16110);
	ck_assert(is_hit(61)); /* the write went to the disk after the second read-ahead */
	get(190, 1, 0);
	ck_assert_int_eq(last.part[SEEK], 3000);
}
END_TEST

START_TEST(sequential_writes_may_be_joined_while_they_wait)
{
	get(0, 1, 0);
	put(1000, 1, 0);
	put(1001, 1, 0);
	ck_assert_int_gt(last.part[QUEUE], 3000); /* the first one is written before */
	edit("joined_writes = 1", "joined_writes = 2");
	start();
	get(0, 1, 0);
	put(1000, 1, 0);
	ck_assert_int_eq(put(1001, 1, 0), 600 + 10);
	put(1002, 1, 0);
	ck_assert_int_gt(last.part[QUEUE], 3000);
	edit("sector_ms = 0.01", "sector_ms = 0.2");
	start();
	get(0, 1, 0); /* read-ahead up to sector 51, at 15,100 */
	put(60, 1, 0);
	put(61, 10, 15050 - now); /* its data come until 17,650: sector 60 passes at 26,000 */
	ck_assert_int_eq(now, 17650);
	put(500, 1, 0);
	ck_assert_int_eq(last.part[QUEUE], 27100 - 17650 - 600);
}
END_TEST

/* Microseconds a write of 10 sectors takes in the long run; from now to then pass pause_us. */
static usec_t
write_stream_us(int n, usec_t pause_us)
{
	start();
	for (int i = 0; i < n; i++)
		put(10 * (uint64_t)i, 10, pause_us);
	return now / n;
}

START_TEST(a_stream_of_writes_may_keep_the_heads_busy)
{
	edit("100 0 0 0 0", "100 8 20 0 0"); /* room to change heads, and for the seek */
	edit("joined_writes = 1", "joined_writes = 1000");
	ck_assert_int_gt(write_stream_us(190, 0), 5000);
	edit("joined_writes = 1000", "joined_writes = 1000\nstream_writes = yes");
	/* Two tracks take 20,000 us and skews of 800 and 2,000. */
	ck_assert_int_le(write_stream_us(190, 0), 1250);
	ck_assert_int_ge(write_stream_us(190, 0), 1050);
	ck_assert_int_gt(last.part[QUEUE], 0);
	put(2500, 1, 0); /* what is left goes to the disk before: at most a segment */
	ck_assert_int_lt(last.part[QUEUE], 3 * REVOLUTION_US);
	put(0, 1, LONG_US);
	ck_assert_int_eq(last.part[QUEUE], 0);
	edit("[overheads_ms]", "least_write_ms = 0.9\n[overheads_ms]"); /* once */
	ck_assert_int_le(write_stream_us(190, 0), 1250);
}
END_TEST

START_TEST(a_write_larger_than_a_segment_joins_as_well)
{
	edit("joined_writes = 1", "joined_writes = 1000\nstream_writes = yes");
	start();
	put(0, 10, 0);
	put(10, 200, 0);
	put(210, 200, 0);
	put(410, 5, 0);
	ck_assert_int_lt(now, 12 * REVOLUTION_US);
	ck_assert_int_ge(now, 3 * REVOLUTION_US);
}
END_TEST

START_TEST(what_is_still_to_be_written_is_read_from_the_buffer)
{
	get(0, 1, 0);
	put(1000, 10, 0);
	ck_assert_int_eq(get(1005, 1, 0), 200 + 10);
	ck_assert(last.from_buffer);
	edit("stop_on_other_hit = yes", "stop_on_other_hit = no");
	start();
	get(0, 1, 0);
	put(1000, 10, 0);
	get(1005, 1, 0); /* which is no reason to write it */
	get(60, 1, 0);
	ck_assert_int_eq(now, 16110);
}
END_TEST

START_TEST(reading_what_is_still_to_be_written_waits_for_it_without_a_segment)
{
	edit("purge_on_write = no", "purge_on_write = yes");
	start();
	get(0, 1, 0); /* ends at 10,110 */
	put(1000, 10, 0);
	get(1005, 1, 0);
	ck_assert(!last.from_buffer);
	/* 10,710: seek and settle 3,200, sectors 0 to 9 pass at 20,000; sector 5 at 30,500. */
	ck_assert_int_eq(now, 30610);
	edit("purge_on_write = yes", "purge_on_write = no");
	start();
	get(0, 1, 0);
	put(1000, 10, 0);
	get(1010, 1, 0); /* the sector behind it need not wait */
	check_parts(400, 3000, 6890, 100, 10);
	ck_assert_int_eq(last.part[QUEUE], 0);
}
END_TEST

START_TEST(a_write_drops_old_copies_and_read_ahead_stops_short_of_it)
{
	get(0, 10, 0);
	put(30, 1, LONG_US);
	ck_assert(!is_hit(31)); /* the segment that held it is gone */
	start();
	get(0, 1, 0);
	put(40, 1, 0);
	ck_assert(is_hit(39));
	ck_assert(is_hit(40)); /* as written */
	ck_assert(!is_hit(41));
}
END_TEST

START_TEST(a_write_takes_the_segment_used_longest_ago)
{
	get(0, 1, LONG_US);
	get(500, 1, LONG_US);
	put(1000, 1, LONG_US);
	ck_assert(is_hit(501));
	ck_assert(!is_hit(1));
}
END_TEST

START_TEST(a_write_may_purge_the_buffer)
{
	get(0, 1, 0);
	put(1000, 1, LONG_US);
	ck_assert(is_hit(1));
	edit("purge_on_write = no", "purge_on_write = yes");
	start();
	get(0, 1, 0);
	put(1000, 1, LONG_US);
	ck_assert(!is_hit(1));
}
END_TEST

START_TEST(written_through_means_on_the_disk)
{
	edit("writes = back", "writes = through");
	start();
	ck_assert_int_eq(put(50, 8, 0), 5800);
	check_parts(500, 0, 4490, 800, 10); /* the first sector's data come at 510 */
	ck_assert_int_eq(put(1000 + 80, 1, 0), 2000 + 300 + 10000);
	check_parts(600, 3200, 8400, 100, 0);
	edit("sector_ms = 0.01", "sector_ms = 0.2");
	start();
	put(10, 8, 0); /* the heads are faster than the bus: from 1,400 us on they can go on */
	ck_assert_int_eq(now, 11800);
}
END_TEST

/* ---- in the long run ---- */

START_TEST(fractions_of_a_microsecond_are_not_lost)
{
	usec_t first;

	edit("writes = back", "writes = through");
	edit("rpm = 6000", "rpm = 7000"); /* 8,571.43 us */
	start();
	put(50, 1, 0);
	first = now;
	for (int i = 0; i < 7000; i++) /* each just misses the sector: one revolution */
		put(50, 1, 0);
	ck_assert_int_ge(now - first, 59999999);
	ck_assert_int_le(now - first, 60000001);
	edit("sector_ms = 0.01", "sector_ms = 0.0104");
	start();
	get(0, 1, 0);
	get(1, 1, LONG_US);
	first = now;
	for (int i = 0; i < 1000; i++)
		get(1, 1, 0);
	ck_assert_int_eq(now - first, 110400);
}
END_TEST

/* A few thousand requests of every sort; what holds for each. */
static void
check_invariants(void)
{
	uint64_t random = 1;

	start();
	for (int i = 0; i < 5000; i++) {
		uint32_t sectors = 1 + random_below(&random, 60);
		uint64_t sector = random_below(&random, CAPACITY - sectors + 1);
		usec_t	 idle_us = random_below(&random, 2) ? 0 : random_below(&random, 30000);
		usec_t	 us;

		if (random_below(&random, 2))
			sector = random_below(&random, 100);
		us = serve(random_below(&random, 3) == 0, sector, sectors, idle_us);
		REQUIRE(us >= 10 * (usec_t)sectors, "faster than the bus");
		REQUIRE(us < 2000000, "%d us", (int)us);
		REQUIRE(last.data_begin >= 0 && last.data_begin <= us, "data begin outside");
		for (int p = 0; p < SERVICE_PARTS; p++)
			REQUIRE(last.part[p] >= 0, "a negative part");
	}
}

START_TEST(parts_are_never_negative_and_data_come_in_between)
{
	check_invariants();
	edit("resume_on_hit = no", "resume_on_hit = yes");
	check_invariants();
	edit("sliding", "track");
	check_invariants();
	edit("track", "keep");
	edit("stop_on_other_hit = yes", "stop_on_other_hit = no");
	edit("joined_writes = 1", "joined_writes = 1000000");
	check_invariants();
	edit("joined_writes = 1000000", "joined_writes = 1000000\nstream_writes = yes");
	check_invariants();
	edit("heads = 2", "heads = 2\nmapping = serpentine\nspare_cylinders = 1");
	edit("rpm = 6000", "rpm = 6000\nzero_latency = yes");
	edit("= keep", "= track\nonly_sequential = yes");
	check_invariants();
	edit("writes = back", "writes = through");
	edit("sector_ms = 0.01", "sector_ms = 0.3");
	check_invariants();
}
END_TEST

/* ---- the sheets ---- */

START_TEST(a_bad_sheet_is_refused_and_its_key_named)
{
	static const char *const bad[][3] = {
		{ "kind = disk", "kind = tape", "kind: 'tape' is not one of: disk" },
		{ "summary = a toy\n", "", "summary: missing" },
		{ "source = made up", "source =", "source: empty" },
		{ "rpm = 6000", "rpm = 0", "[mechanics] rpm: 0 is not between 1 and 1000000" },
		{ "rpm = 6000", "rmp = 6000", "[mechanics] rpm: missing, and 'rmp' is unknown" },
		{ "rpm = 6000", "rpm = 6000\nprm = 1", "[mechanics] prm: unknown key" },
		{ "heads = 2", "heads = 1.5", "[geometry] heads: 1.5 is not a whole number" },
		{ "capacity_sectors = 3000", "capacity_sectors = 3001",
		    "[geometry] capacity_sectors: the [zones] hold only 3000: is one missing?" },
		{ "sector_ms = 0.01", "sector_ms = -1",
		    "[bus] sector_ms: -1 is not between 0 and 1000" },
		{ "segments = 2", "segments = 65",
		    "[buffer] segments: 65 is not between 1 and 64" },
		{ "sliding", "slidign",
		    "[buffer] read_ahead: 'slidign' is not one of: sliding keep track" },
		{ "0 = 9 100 0 0 0 0\n10 = 19 50 0 0 0 0\n", "", "[zones] 0: missing" },
		{ "10 = 19 50", "9 = 19 50",
		    "[zones] 9: overlaps the zone before it (up to cylinder 9)" },
		{ "10 = 19 50", "10 = 9 50",
		    "[zones] 10: last cylinder 9 is not between 10 and 999999" },
		{ "10 = 19 50", "10 = 19 0",
		    "[zones] 10: 0 sectors per track: no, or too many sectors" },
		{ "10 = 19 50", "10 = 999999 5000",
		    "[zones] 10: 5000 sectors per track: no, or too many sectors" },
		{ "10 = 19 50", "10 = 19 49.5", "[zones] 10: 49.5 is not a whole number" },
		{ "10 = 19 50 0", "10 = 19 50 51", "[zones] 10: a skew is longer than a track" },
		{ "50 0 0 0 0", "50 0 0 500 500",
		    "[zones] 10: nothing left beside reserved and spare sectors" },
		{ "50 0 0 0 0", "50 0 0 0",
		    "[zones] 10: '19 50 0 0 0' should be 6 numbers, and the key one" },
		{ "1 = 1\n19 = 10\n", "", "[seek_ms] 1: missing" },
		{ "19 = 10", "19 = 0.8", "[seek_ms] 19: the curve falls, from 1 to 0.8" },
		{ "19 = 10", "19 = 1000.1", "[seek_ms] 19: 1000.1 is not between 0 and 1000" },
		{ "19 = 10", "20 = 10", "[seek_ms] 20: is not between 2 and 19 cylinders" },
		{ "19 = 10", "1.0 = 10", "[seek_ms] 1.0: is not between 2 and 19 cylinders" },
		{ "heads = 2", "heads = 2\nmapping = zigzag",
		    "[geometry] mapping: 'zigzag' is not one of: ascending serpentine" },
		{ "heads = 2", "heads = 2\nspare_cylinders = 0",
		    "[geometry] spare_cylinders: 0 is not between 1 and 1000000" },
		{ "heads = 2\n", "heads = 2\nspare_cylinders = 2\n[zones]\n20 = 29 50 0 0 0 101\n",
		    "[zones] 20: more spare sectors than a cylinder has" },
		{ "source = made up", "source = made up\ncalibrated =", "calibrated: empty" },
		{ "writes = back", "writes = back\nstream_writes = maybe",
		    "[buffer] stream_writes: 'maybe' is not one of: no yes" },
		{ "10 = 19 50", "11 = 19 50",
		    "[geometry] capacity_sectors: the [zones] hold only 2900: is one missing?" },
		{ "[bus]", "bus", "line 18 is neither \"[section]\" nor \"key = value\"" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct error e = { .exit_code = 0 };

		release();
		strcpy(text, SHEET);
		edit(bad[i][0], bad[i][1]);
		disk = calloc(1, device_disk.plugin.state_size);
		ck_assert_int_eq(device_disk.init(disk, &(struct choice){ .sheet = text }, &e), -1);
		ck_assert_int_eq(e.exit_code, EXIT_FAILED);
		ck_assert_str_eq(e.text, bad[i][2]);
	}
}
END_TEST

START_TEST(any_piece_of_a_sheet_is_refused_without_harm)
{
	struct error e;

	for (size_t n = 0; n < sizeof(SHEET) - 10; n++) {
		release();
		strcpy(text, SHEET);
		text[n] = '\0';
		disk = calloc(1, device_disk.plugin.state_size);
		REQUIRE(device_disk.init(disk, &(struct choice){ .sheet = text }, &e) == -1,
		    "the first %zu bytes pass", n);
	}
}
END_TEST

START_TEST(the_curve_may_jitter)
{
	edit("19 = 10", "5 = 3\n6 = 2.9\n19 = 10");
	start();
	get(6 * CYLINDER, 1, 0);
	ck_assert_int_eq(last.part[SEEK], 2900);
}
END_TEST

static void
load_sheet(const char *name)
{
	const struct data_sheet *sheet = data_sheets;

	while (strcmp(sheet->name, name))
		sheet++;
	strcpy(text, sheet->text);
	start();
}

/* Mean time of n requests of 8 sectors, anywhere, with no pause. */
static double
random_mean_us(bool write, int n)
{
	uint32_t span = (uint32_t)(device_disk.capacity(disk) / 8);
	uint64_t random = 42;

	start();
	for (int i = 0; i < n; i++)
		serve(write, random_below(&random, span) * 8ULL, 8, 0);
	return (double)now / n;
}

/* The means of DiskSim for the same drives. */
START_TEST(random_requests_take_as_long_as_on_disksim)
{
	static const struct {
		const char *name;
		double	    read_us, write_us;
	} drive[] = {
		{ "cheetah9lp", 9621, 9149 },
		{ "atlas10k", 9304, 9140 },
		{ "cheetah4lp", 12425, 11169 },
		{ "barracuda", 15140, 13687 },
		{ "ibm18es", 12625, 11763 },
	};

	for (size_t i = 0; i < sizeof(drive) / sizeof(*drive); i++) {
		load_sheet(drive[i].name);
		ck_assert_double_eq_tol(random_mean_us(false, 100000) / drive[i].read_us, 1, 0.01);
		ck_assert_double_eq_tol(random_mean_us(true, 100000) / drive[i].write_us, 1, 0.01);
	}
}
END_TEST

/* The number behind a key of the sheet in use, or otherwise if there is no such key. */
static double
key(const char *name, double otherwise)
{
	char	    line[80];
	const char *at;

	snprintf(line, sizeof(line), "\n%s = ", name);
	at = strstr(text, line);
	return at ? strtod(at + strlen(line), NULL) : otherwise;
}

/* Sectors of a zone of the sheet in use, more or less, and what one takes, skews included. */
static double
zone(int n, double *sector_us)
{
	const char *at = strchr(strstr(text, "\n[zones]"), ';');
	unsigned    first, last_one, per_track, track, cylinder;
	double	    heads = key("heads", 0);

	for (int i = 0; i <= n; i++)
		at = strchr(at, '\n') + 1;
	if (sscanf(at, "%u = %u %u %u %u", &first, &last_one, &per_track, &track, &cylinder) != 5)
		return 0;
	*sector_us = 60e6 / key("rpm", 0) / per_track *
	    (1 + ((heads - 1) * track + cylinder) / (heads * per_track));
	return (last_one - first + 1) * heads * per_track;
}

/* As fast as the slower of bus and heads, whatever the size of the requests. */
static void
check_stream(const char *name, uint64_t first, double sector_us)
{
	static const uint32_t size[] = { 8, 128, 256, 512, 2048 };
	double		      overhead = key("read_hit_after_read", 0);

	overhead = 1000 * key("read_hit_sequential", overhead);
	for (int i = 0; i < 5; i++) {
		double bus_us = overhead + 1000 * size[i] * key("sector_ms", 0);
		double bound_us = fmax(bus_us, size[i] * sector_us);
		int    n = 100000 / (int)size[i];
		usec_t begin;

		start();
		get(first, size[i], 0);
		begin = now;
		for (int k = 1; k <= n; k++)
			get(first + (uint64_t)k * size[i], size[i], 0);
		ck_assert_msg(fabs((double)(now - begin) / n / bound_us - 1) < 0.02,
		    "%s: %u sectors from %llu on: %g us instead of %g", name, size[i],
		    (unsigned long long)first, (double)(now - begin) / n, bound_us);
	}
}

START_TEST(streams_are_as_fast_as_bus_and_heads)
{
	for (const struct data_sheet *sheet = data_sheets; sheet->name; sheet++) {
		double first = 0, sectors, sector_us;

		if (!strstr(sheet->text, "resume_on_hit = yes"))
			continue;
		load_sheet(sheet->name);
		for (int n = 0; (sectors = zone(n, &sector_us)) > 0; n++) {
			if (sectors > 400000 && n % 3 == 0) /* from its middle on */
				check_stream(sheet->name, (uint64_t)(first + 0.4 * sectors),
				    sector_us);
			first += sectors;
		}
	}
}
END_TEST

/* Requests of every sort on every sheet. */
START_TEST(after_a_pause_nothing_waits_and_overhead_is_what_the_sheet_says)
{
	for (const struct data_sheet *sheet = data_sheets; sheet->name; sheet++) {
		uint64_t random = 3, at = 0;

		if (!strstr(sheet->text, "kind = disk"))
			continue;
		load_sheet(sheet->name);
		for (int i = 0; i < 20000; i++) {
			uint32_t sectors = 1 + random_below(&random, 300);
			bool	 pause = random_below(&random, 2);

			if (random_below(&random, 2))
				at = random_below(&random, 1u << 21);
			serve(random_below(&random, 3) == 0, at, sectors, pause ? LONG_US : 0);
			at += sectors;
			REQUIRE(!pause || last.part[QUEUE] == 0, "%s: waits after a pause",
			    sheet->name);
			REQUIRE(last.part[OVERHEAD] <= 1200, "%s: overhead", sheet->name);
		}
	}
}
END_TEST

/* ---- what it would take ---- */

START_TEST(positioning_foretells_seek_and_rotation_and_changes_nothing)
{
	static const char *const ahead[] = { "read_ahead = sliding", "read_ahead = keep",
		"read_ahead = track" };
	uint64_t		 seed = 4;

	for (int sheet = 0; sheet < 12; sheet++) {
		strcpy(text, SHEET);
		edit("read_ahead = sliding", ahead[sheet % 3]);
		if (sheet / 3 % 2)
			edit("writes = back", "writes = through");
		if (sheet / 6)
			edit("resume_on_hit = no", "resume_on_hit = yes");
		start();
		for (int i = 0; i < 1000; i++) {
			uint32_t	length = 1 + random_below(&seed, 150);
			struct transfer t = { .sector = random_below(&seed, CAPACITY - length),
				.sectors = length,
				.segments = 1,
				.write = random_below(&seed, 3) == 0,
				.now = now +
				    (random_below(&seed, 2) ? random_below(&seed, 30000) : 0) };
			usec_t		expected = device_disk.positioning(disk, &t);

			ck_assert_int_eq(device_disk.positioning(disk, &t), expected);
			serve(t.write, t.sector, t.sectors, t.now - now);
			REQUIRE(last.part[SEEK] + last.part[ROTATION] == expected,
			    "%s %d, request %d", ahead[sheet % 3], sheet, i);
		}
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("dev_disk");

	tcase_add_checked_fixture(tc, setup, release);
	tcase_add_test(tc, a_read_is_overhead_rotation_transfer_and_bus);
	tcase_add_test(tc, one_revolution_later_is_the_same_again);
	tcase_add_test(tc, a_microsecond_too_late_costs_a_revolution);
	tcase_add_test(tc, the_seek_follows_the_distance_either_way);
	tcase_add_test(tc, a_full_stroke_takes_the_last_point_of_the_curve);
	tcase_add_test(tc, another_track_of_the_cylinder_takes_a_head_switch);
	tcase_add_test(tc, a_request_over_a_zone_boundary_changes_speed);
	tcase_add_test(tc, skew_hides_the_change_of_track_and_cylinder);
	tcase_add_test(tc, reserved_and_spare_sectors_are_passed_over);
	tcase_add_test(tc, serpentine_needs_no_head_switch_to_the_next_cylinder);
	tcase_add_test(tc, cylinders_may_share_spare_sectors);
	tcase_add_test(tc, zero_latency_begins_amid_the_sectors);
	tcase_add_test(tc, a_new_access_takes_at_least_the_least_time);
	tcase_add_test(tc, what_the_bus_hides_counts_as_bus);
	tcase_add_test(tc, the_last_sector_crosses_the_bus_behind_the_heads);
	tcase_add_test(tc, the_capacity_is_what_the_sheet_declares);
	tcase_add_test(tc, a_sequential_read_comes_from_the_buffer);
	tcase_add_test(tc, a_reader_on_the_heels_of_read_ahead_waits_for_the_heads);
	tcase_add_test(tc, a_command_that_misses_ends_read_ahead);
	tcase_add_test(tc, what_passes_while_a_command_is_processed_is_a_hit);
	tcase_add_test(tc, what_comes_after_a_command_is_processed_waits_for_the_heads);
	tcase_add_test(tc, what_has_not_passed_yet_does_not_cross_the_bus);
	tcase_add_test(tc, sequential_overheads_may_differ);
	tcase_add_test(tc, sliding_reads_over_what_was_asked_for);
	tcase_add_test(tc, keep_keeps_what_was_asked_for);
	tcase_add_test(tc, track_takes_in_the_whole_track);
	tcase_add_test(tc, track_with_zero_latency_has_what_passed_before);
	tcase_add_test(tc, track_goes_on_to_the_next_one_for_who_came_from_the_one_before);
	tcase_add_test(tc, keep_reads_at_least_half_a_segment_ahead);
	tcase_add_test(tc, read_ahead_may_be_for_sequential_readers_only);
	tcase_add_test(tc, only_a_miss_starts_read_ahead_unless_hits_resume_it);
	tcase_add_test(tc, a_request_over_the_goal_was_read_to_its_end_unless_hits_resume);
	tcase_add_test(tc, a_hit_elsewhere_may_stop_read_ahead);
	tcase_add_test(tc, the_segment_used_least_recently_makes_way);
	tcase_add_test(tc, a_request_larger_than_a_segment_is_served);
	tcase_add_test(tc, a_write_returns_early_and_delays_the_next_read);
	tcase_add_test(tc, a_second_write_waits_for_the_first);
	tcase_add_test(tc, no_sector_is_written_before_its_data_have_come);
	tcase_add_test(tc, a_write_leaves_read_ahead_alone_and_misses_go_first);
	tcase_add_test(tc, sequential_writes_may_be_joined_while_they_wait);
	tcase_add_test(tc, a_stream_of_writes_may_keep_the_heads_busy);
	tcase_add_test(tc, a_write_larger_than_a_segment_joins_as_well);
	tcase_add_test(tc, what_is_still_to_be_written_is_read_from_the_buffer);
	tcase_add_test(tc, reading_what_is_still_to_be_written_waits_for_it_without_a_segment);
	tcase_add_test(tc, a_write_takes_the_segment_used_longest_ago);
	tcase_add_test(tc, a_write_drops_old_copies_and_read_ahead_stops_short_of_it);
	tcase_add_test(tc, a_write_may_purge_the_buffer);
	tcase_add_test(tc, written_through_means_on_the_disk);
	tcase_add_test(tc, fractions_of_a_microsecond_are_not_lost);
	tcase_add_test(tc, parts_are_never_negative_and_data_come_in_between);
	tcase_add_test(tc, a_bad_sheet_is_refused_and_its_key_named);
	tcase_add_test(tc, any_piece_of_a_sheet_is_refused_without_harm);
	tcase_add_test(tc, the_curve_may_jitter);
	tcase_add_test(tc, random_requests_take_as_long_as_on_disksim);
	tcase_add_test(tc, streams_are_as_fast_as_bus_and_heads);
	tcase_add_test(tc, after_a_pause_nothing_waits_and_overhead_is_what_the_sheet_says);
	tcase_add_test(tc, positioning_foretells_seek_and_rotation_and_changes_nothing);
	return run_tests("dev_disk", tc);
}

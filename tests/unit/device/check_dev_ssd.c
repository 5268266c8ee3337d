/*
 * check_dev_ssd.c - the solid-state drive, mostly one whose times can be
 * worked out by hand: a command takes 10 us, its latency 20 us (writes: 30), a
 * die 100 us to read a page of 8 sectors, which is on channel page % 2 and
 * die page % 4; a sector takes 1 us over its channel, 0.5 us over the link.
 */
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "tests/unit/closed_loop.h"

extern const struct device device_ssd;

static const char SHEET[] = "kind = ssd\nsummary = a toy\nsource = made up\n"
			    "[host]\ncapacity_sectors = 8000\nqueue_depth = 8\n"
			    "read_mb_s = 1024\nwrite_mb_s = 1024\nduplex = no\n"
			    "[command_us]\nread = 10\nwrite = 10\n"
			    "[latency_us]\nread = 20\nwrite = 30\n"
			    "[flash]\nchannels = 2\ndies = 2\npage_bytes = 4096\n"
			    "read_us = 100\nchannel_mb_s = 512\n"
			    "[read_cache]\nstreams = 2\nahead_pages = 3\n"
			    "[write_buffer]\nmb = 0.016384\nsustained_mb_s = 5.12\n";

enum { PAGE = 8, CAPACITY = 8000, LONG_US = 1000000 };

static char	   text[8192]; /* of the sheet in use */
static struct loop loop;
static usec_t	   now; /* when the last request ended */

/* Put another text in the place of one that occurs once in the sheet. */
static void
edit(const char *old, const char *new)
{
	char  rest[sizeof(text)];
	char *at = strstr(text, old);

	ck_assert_msg(at && !strstr(at + 1, old), "'%s' is not in the sheet once", old);
	strcpy(rest, at + strlen(old));
	strcpy(at, new);
	strcat(at, rest);
}

static void
release(void)
{
	device_stop(&device_ssd, loop.self);
	loop.self = NULL;
}

/* A drive by that sheet at rest at time 0, so many requests at a time. */
static void
start_with(const char *sheet, uint32_t depth)
{
	struct error e;
	void	    *self;

	release();
	self = device_start(&(struct choice){ .plugin = &device_ssd.plugin, .sheet = sheet }, &e);
	ck_assert_msg(self != NULL, "%s", e.text);
	loop = (struct loop){ .device = &device_ssd, .self = self, .depth = depth };
	now = 0;
}

static void
start(void)
{
	start_with(text, 1);
}

static void
setup(void)
{
	strcpy(text, SHEET);
	start();
}

/* How long a request takes that starts then. */
static usec_t
serve_at(usec_t at, bool write, uint64_t sector, uint32_t sectors)
{
	loop.now = loop.end[0] = at;
	return loop_next(&loop, write, sector, sectors);
}

/* One that starts long after everything has ended. */
static usec_t
get(uint64_t sector, uint32_t sectors)
{
	now += LONG_US;
	return serve_at(now, false, sector, sectors);
}

static void
check_parts(usec_t queue, usec_t overhead, usec_t transfer, usec_t bus)
{
	const usec_t *part = loop.service.part;

	ck_assert_int_eq(part[SERVICE_QUEUE], queue);
	ck_assert_int_eq(part[SERVICE_OVERHEAD], overhead);
	ck_assert_int_eq(part[SERVICE_TRANSFER], transfer);
	ck_assert_int_eq(part[SERVICE_BUS], bus);
	ck_assert_int_eq(part[SERVICE_SEEK] + part[SERVICE_ROTATION], 0);
}

/* ---- reading ---- */

START_TEST(a_page_is_command_latency_die_channel_and_link)
{
	ck_assert_int_eq(get(0, 8), 142);
	check_parts(0, 30, 100, 12);
	ck_assert_int_eq(loop.service.data_begin, 138);
	ck_assert(!loop.service.from_buffer);
	edit("read_us = 100", "read_us = 100.6");
	start();
	ck_assert_int_eq(get(0, 8), 143); /* to the nearest */
}
END_TEST

START_TEST(part_of_a_page_takes_the_die_as_long_and_the_bus_less)
{
	ck_assert_int_eq(get(81, 2), 133);
	check_parts(0, 30, 100, 3);
	ck_assert_int_eq(get(167, 2), 132); /* a sector of each of two pages */
	check_parts(0, 30, 100, 2);
}
END_TEST

START_TEST(pages_on_two_channels_are_read_at_once)
{
	ck_assert_int_eq(get(0, 16), 146); /* both in the DRAM at 138, then over the link */
	check_parts(0, 30, 100, 16);
}
END_TEST

START_TEST(pages_on_two_dies_of_a_channel_share_it)
{
	ck_assert_int_eq(get(0, 24), 150); /* page 2 is in the DRAM at 146 */
	check_parts(0, 30, 100, 20);
}
END_TEST

START_TEST(a_die_reads_one_page_after_the_other)
{
	ck_assert_int_eq(get(0, 40), 242); /* page 4 is on the die of page 0 */
	check_parts(0, 30, 200, 12);
	ck_assert_int_eq(loop.service.data_begin, 138);
}
END_TEST

START_TEST(requests_for_two_dies_wait_for_the_command_only)
{
	serve_at(0, false, 0, 8);
	ck_assert_int_eq(serve_at(0, false, 25 * PAGE, 8), 152);
	check_parts(10, 30, 100, 12);
	ck_assert_int_eq(serve_at(160, false, 42 * PAGE, 8), 142);
	check_parts(0, 30, 100, 12);
}
END_TEST

START_TEST(requests_for_one_die_wait_for_it)
{
	serve_at(0, false, 0, 8);
	ck_assert_int_eq(serve_at(50, false, 24 * PAGE, 8), 230 + 12 - 50); /* die 0 until 230 */
	check_parts(130 - 80, 30, 100, 12);
	start();
	serve_at(0, false, 0, 8);
	/* Its own pages 24 and 28 are on die 0: from 130 on the die is idle. */
	ck_assert_int_eq(serve_at(50, false, 24 * PAGE, 5 * PAGE), 330 + 12 - 50);
	check_parts(130 - 80, 30, 200, 12);
	start();
	serve_at(0, false, 0, 8);
	serve_at(50, false, 24 * PAGE, 9 * PAGE); /* and page 32 */
	check_parts(130 - 80, 30, 300, 12);
}
END_TEST

START_TEST(a_page_that_waits_for_its_die_holds_up_the_link)
{
	serve_at(0, false, 0, 8);	  /* die 0 until 130 */
	serve_at(0, false, 24 * PAGE, 8); /* die 0 until 230, link until 242 */
	ck_assert_int_eq(serve_at(0, false, 25 * PAGE, 8), 246);
	check_parts(20 + 84, 30, 100, 12); /* command, link */
}
END_TEST

/* ---- pieces of memory ---- */

static const char SEGMENTS[] = "[segment_us]\nread = 0.4\nwrite = 2\n[flash]\n";

static usec_t
get_segments(uint32_t segments, uint64_t sector, uint32_t sectors)
{
	usec_t us;

	loop.segments = segments;
	us = get(sector, sectors);
	loop.segments = 0;
	return us;
}

START_TEST(without_a_section_for_them_segments_cost_nothing)
{
	ck_assert_int_eq(get_segments(1, 0, 16), 146);
	ck_assert_int_eq(get_segments(16, 24 * PAGE, 16), 146);
}
END_TEST

START_TEST(each_segment_behind_the_first_takes_its_time_on_the_link)
{
	edit("[flash]\n", SEGMENTS);
	start();
	ck_assert_int_eq(get_segments(1, 0, 8), 142);
	ck_assert_int_eq(loop.service.data_begin, 138);
	ck_assert_int_eq(get_segments(6, 24 * PAGE, 8), 144);
	check_parts(0, 30, 100, 14);
	ck_assert_int_eq(loop.service.data_begin, 138);
	ck_assert_int_eq(get_segments(16, 48 * PAGE, 16),
	    146 + 6); /* 15 * 0.4, by half a page each */
	check_parts(0, 30, 100, 8 + 2 * 7);
	ck_assert_int_eq(get_segments(2, 80 * PAGE, 8), 142); /* to the nearest */
}
END_TEST

/* The next request finds the link taken, by what the segments of this one cost. */
START_TEST(segments_hold_up_the_link_for_others)
{
	edit("[flash]\n", SEGMENTS);
	start();
	loop.segments = 8;
	serve_at(0, false, 0, PAGE); /* on the link from 138 to 142 + 2.8 */
	loop.segments = 1;
	ck_assert_int_eq(serve_at(0, false, 25 * PAGE, PAGE), 152);
	start();
	loop.segments = 8;
	serve_at(0, true, 0, PAGE); /* on the link from 40 to 44 + 14 */
	ck_assert_int_eq(service_us(&loop.service), 58);
	check_parts(0, 40, 0, 18);
	loop.segments = 1;
	ck_assert_int_eq(serve_at(0, true, 800, PAGE), 62);
	check_parts(10 + 8, 40, 0, 4);
}
END_TEST

START_TEST(either_cost_of_a_segment_may_be_left_out)
{
	edit("[flash]\n", "[segment_us]\nwrite = 2\n[flash]\n");
	start();
	ck_assert_int_eq(get_segments(8, 0, 8), 142);
	loop.segments = 8;
	ck_assert_int_eq(serve_at(now + LONG_US, true, 0, 8), 58);
}
END_TEST

/* So many requests of 16 pages, eight at a time: MB a second. */
static double
stream_of(uint32_t segments)
{
	start_with(text, 8);
	loop.segments = segments;
	for (uint64_t i = 0; i < 600; i++)
		loop_next(&loop, false, i * 37 % 60 * 16 * PAGE, 16 * PAGE);
	return 600.0 * 16 * PAGE * SECTOR_BYTES / (double)loop.last;
}

/* A page takes 4 us over the link, and 4 us more if it is a segment. */
START_TEST(single_pages_have_a_bandwidth_of_their_own)
{
	edit("[flash]\n", "[segment_us]\nread = 4\n[flash]\n");
	edit("read_us = 100", "read_us = 0");
	edit("channel_mb_s = 512", "channel_mb_s = 51200");
	ck_assert_double_eq_tol(stream_of(1), 1024, 10);
	ck_assert_double_eq_tol(stream_of(16), 65536.0 / (64 + 15 * 4), 5);
}
END_TEST

/* ---- the read cache ---- */

static bool
is_hit(uint64_t page)
{
	get(page * PAGE, PAGE);
	return loop.service.from_buffer;
}

START_TEST(a_sequential_reader_finds_its_pages_in_the_dram)
{
	ck_assert(!is_hit(100));
	ck_assert(!is_hit(101)); /* goes on: from now on pages are read ahead */
	ck_assert(is_hit(102));
	check_parts(0, 30, 0, 4);
	ck_assert_int_eq(loop.service.data_begin, 30);
	for (uint64_t page = 103; page < 120; page++)
		ck_assert(is_hit(page));
}
END_TEST

START_TEST(what_is_on_its_way_to_the_dram_is_waited_for)
{
	get(100 * PAGE, PAGE);
	get(101 * PAGE, PAGE); /* page 102 from then on */
	ck_assert_int_eq(serve_at(now + 50, false, 102 * PAGE, PAGE), 96);
	check_parts(4, 30, 138 - 80, 4); /* page 101 is on the link until 142 */
	ck_assert(loop.service.from_buffer);
	start();
	serve_at(0, false, 0, PAGE);
	ck_assert_int_eq(serve_at(50, false, 0, PAGE), 142 + 4 - 50); /* the same page */
	check_parts(4, 30, 138 - 80, 4);
}
END_TEST

START_TEST(the_rest_of_a_page_is_in_the_dram)
{
	get(800, 2);
	ck_assert_int_eq(get(802, 2), 31);
	ck_assert_int_eq(get(806, 2), 31);
	ck_assert(!is_hit(101)); /* nothing is read ahead within a page */
}
END_TEST

START_TEST(only_a_few_pages_are_read_ahead)
{
	get(100 * PAGE, PAGE);
	get(101 * PAGE, PAGE);
	get(102 * PAGE, 4 * PAGE); /* 102 is there; 103 and 105 share a channel */
	ck_assert(!loop.service.from_buffer);
	check_parts(0, 30, 100, 20);
	get(106 * PAGE, 3 * PAGE);
	ck_assert(loop.service.from_buffer);
	get(109 * PAGE, 4 * PAGE); /* not more than three */
	ck_assert(!loop.service.from_buffer);
}
END_TEST

START_TEST(streams_are_as_many_as_the_sheet_says)
{
	for (uint64_t page = 0; page < 2; page++)
		for (uint64_t s = 100; s <= 200; s += 100)
			is_hit(s + page);
	ck_assert(is_hit(102) && is_hit(202) && is_hit(103) && is_hit(203));
	ck_assert(!is_hit(300)); /* instead of the stream at 103 */
	ck_assert(is_hit(204));
	ck_assert(!is_hit(104));
	start();
	is_hit(100);
	is_hit(200);
	is_hit(101);
	is_hit(300); /* instead of the stream at 200 */
	ck_assert(is_hit(102));
}
END_TEST

START_TEST(random_reads_are_not_followed)
{
	for (uint64_t i = 0; i < 50; i++)
		ck_assert(!is_hit(i * 37 % 1000 / 2 * 2));
}
END_TEST

START_TEST(nothing_is_read_behind_the_end)
{
	edit("capacity_sectors = 8000", "capacity_sectors = 1604"); /* half a page at the end */
	start();
	for (uint64_t page = 194; page < 200; page++)
		ck_assert_int_eq(is_hit(page), page > 195);
	get(1600, 4);
	ck_assert(!loop.service.from_buffer);
	ck_assert_uint_eq(device_ssd.capacity(loop.self), 1604);
	ck_assert_uint_eq(device_ssd.depth(loop.self), 8);
}
END_TEST

/* ---- writing ---- */

START_TEST(a_write_is_done_when_it_is_in_the_buffer)
{
	ck_assert_int_eq(serve_at(0, true, 0, 8), 44);
	check_parts(0, 40, 0, 4);
	ck_assert_int_eq(serve_at(0, true, 800, 8), 54); /* behind its command */
	check_parts(10, 40, 0, 4);
	ck_assert_int_eq(loop.service.data_begin, 50);
}
END_TEST

START_TEST(with_the_buffer_full_a_write_waits_for_room)
{
	for (int i = 0; i < 4; i++) /* 32 sectors fill it; it moves a sector in 100 us */
		ck_assert_int_eq(serve_at(i * 44, true, 0, 8), 44);
	ck_assert_int_eq(serve_at(4 * 44, true, 0, 8), 44 + 800 - 4 * 44);
	check_parts(800 - 4 * 44, 40, 0, 4);
	ck_assert_int_eq(serve_at(844, true, 0, 8), 800);
	ck_assert_int_eq(serve_at(LONG_US, true, 0, 8), 44); /* empty again */
}
END_TEST

START_TEST(what_the_buffer_cannot_hold_is_written_at_the_sustained_rate)
{
	ck_assert_int_eq(serve_at(0, true, 0, 48), 40 + 24 + 1600);
	check_parts(0, 40, 1600, 24);
	edit("mb = 0.016384", "mb = 0");
	start();
	ck_assert_int_eq(serve_at(0, true, 0, 8), 844);
	ck_assert_int_eq(serve_at(0, true, 0, 8), 1644);
	check_parts(10 + 800 - 10, 40, 800, 4);
}
END_TEST

START_TEST(a_duplex_link_lets_a_write_pass_a_read)
{
	serve_at(0, false, 0, 8);
	serve_at(0, false, 24 * PAGE, 8); /* link until 242 */
	serve_at(0, true, 800, 8);
	check_parts(20 + 242 - 60, 40, 0, 4);
	edit("duplex = no", "duplex = yes");
	start();
	serve_at(0, false, 0, 8);
	serve_at(0, false, 24 * PAGE, 8);
	serve_at(0, true, 800, 8);
	check_parts(20, 40, 0, 4);
}
END_TEST

/* ---- the drives that come with bufsim ---- */

enum kind { RANDOM_4K, SEQUENTIAL_4K, SEQUENTIAL_128K };

/* Requests a second in a closed loop on a new drive. */
static double
rate(const char *name, uint32_t depth, enum kind how, bool write, uint32_t n)
{
	uint32_t      sectors = how == SEQUENTIAL_128K ? 256 : 8;
	uint64_t      random = 1;
	struct error  e;
	struct choice c;

	ck_assert_msg(!registry_choose(PLUGIN_DEVICE, name, &c, &e), "%s", e.text);
	ck_assert_ptr_eq(c.plugin, &device_ssd.plugin);
	start_with(c.sheet, depth);
	choice_release(&c);
	ck_assert_uint_ge(device_ssd.depth(loop.self), depth);
	for (uint32_t i = 0; i < n; i++)
		loop_next(&loop, write,
		    (how == RANDOM_4K ? random_below(&random, UINT32_MAX) % 50000000 : i) * sectors,
		    sectors);
	return n * 1e6 / (double)loop.last;
}

static double
megabytes(const char *name, uint32_t depth, bool write, uint32_t n)
{
	return rate(name, depth, SEQUENTIAL_128K, write, n) * 131072 / 1e6;
}

/* Within 15 % of what is published, which may be a range. */
static void
meets(double got, double low, double high)
{
	ck_assert_msg(got >= 0.85 * high && got <= 1.15 * low, "%.0f, published %.0f to %.0f", got,
	    low, high);
}

START_TEST(the_nvme_drive_meets_what_is_published)
{
	meets(rate("nvme-960evo", 1, RANDOM_4K, false, 20000), 14000, 14000);
	meets(rate("nvme-960evo", 1, RANDOM_4K, true, 20000), 50000, 50000);
	meets(rate("nvme-960evo", 32, RANDOM_4K, false, 100000), 330000, 380000);
	meets(rate("nvme-960evo", 32, RANDOM_4K, true, 100000), 300000, 360000);
	meets(megabytes("nvme-960evo", 32, false, 20000), 3200, 3200);
	meets(megabytes("nvme-960evo", 32, true, 20000), 1500, 1900);
}
END_TEST

START_TEST(the_sata_drive_meets_what_is_published)
{
	meets(rate("ssd-850evo", 1, RANDOM_4K, false, 20000), 10000, 10000);
	meets(rate("ssd-850evo", 1, RANDOM_4K, true, 20000), 40000, 40000);
	for (uint32_t depth = 1; depth <= 32; depth = depth == 1 ? 4 : depth * 8) {
		meets(megabytes("ssd-850evo", depth, false, 10000), 540, 540);
		meets(megabytes("ssd-850evo", depth, true, 10000), 520, 520);
	}
}
END_TEST

START_TEST(the_large_sata_drive_meets_what_is_published)
{
	meets(rate("ssd-870qvo", 1, RANDOM_4K, false, 20000), 11000, 11000);
	meets(rate("ssd-870qvo", 1, RANDOM_4K, true, 20000), 35000, 35000);
	meets(rate("ssd-870qvo", 32, RANDOM_4K, false, 100000), 98000, 98000);
	meets(rate("ssd-870qvo", 32, RANDOM_4K, true, 100000), 88000, 88000);
	meets(megabytes("ssd-870qvo", 32, false, 10000), 560, 560);
	meets(megabytes("ssd-870qvo", 32, true, 10000), 530, 530);
}
END_TEST

START_TEST(more_requests_at_a_time_are_more_in_all)
{
	static const char *const name[] = { "nvme-960evo", "ssd-850evo" };

	for (int i = 0; i < 2; i++) {
		double one = rate(name[i], 1, RANDOM_4K, false, 20000);
		double four = rate(name[i], 4, RANDOM_4K, false, 20000);

		ck_assert_double_ge(four, 3.8 * one);
		ck_assert_double_le(four, 4 * one);
		ck_assert_double_ge(rate(name[i], 32, RANDOM_4K, false, 20000), 3 * four);
	}
}
END_TEST

START_TEST(small_sequential_reads_are_faster_than_random_ones)
{
	ck_assert_double_ge(rate("nvme-960evo", 1, SEQUENTIAL_4K, false, 20000),
	    4 * rate("nvme-960evo", 1, RANDOM_4K, false, 20000));
	ck_assert_double_ge(rate("ssd-850evo", 1, SEQUENTIAL_4K, false, 20000),
	    3 * rate("ssd-850evo", 1, RANDOM_4K, false, 20000));
}
END_TEST

START_TEST(with_the_buffer_full_writes_go_at_the_sustained_rate)
{
	usec_t before;

	ck_assert_double_ge(megabytes("ssd-850evo", 32, true, 22000), 510); /* 2.9 GB: it fits */
	for (uint64_t i = 0; i < 40000; i++) /* until it is full for sure */
		loop_next(&loop, true, i * 256, 256);
	before = loop.last;
	for (uint64_t i = 0; i < 10000; i++)
		loop_next(&loop, true, i * 256, 256);
	meets(10000 * 131072.0 / (double)(loop.last - before), 300, 300);
}
END_TEST

/* ---- bad sheets ---- */

START_TEST(a_bad_sheet_is_refused_by_section_and_key)
{
	static const struct {
		const char *old, *new, *said;
	} c[] = {
		{ "channels = 2", "channels = 0", "[flash] channels: 0 is not between 1 and 1024" },
		{ "dies = 2", "", "[flash] dies: missing" },
		{ "page_bytes = 4096", "page_bytes = 1000",
		    "[flash] page_bytes: 1000 is not a multiple of 512" },
		{ "page_bytes = 4096", "page_bytes = 0",
		    "[flash] page_bytes: 0 is not between 512 and 16777216" },
		{ "queue_depth = 8", "queue_depth = 257",
		    "[host] queue_depth: 257 is not between 1 and 256" },
		{ "read_mb_s = 1024", "read_mb_s = 0",
		    "[host] read_mb_s: 0 is not between 0.001 and 1000000" },
		{ "read_us = 100", "read_us = -1",
		    "[flash] read_us: -1 is not between 0 and 1000000" },
		{ "duplex = no", "duplex = maybe", "[host] duplex: 'maybe' is not one of: no yes" },
		{ "mb = 0.016384", "mb = 1\nsize = 3", "[write_buffer] size: unknown key" },
		{ "[flash]", "[segment_us]\nread = -1\n[flash]",
		    "[segment_us] read: -1 is not between 0 and 1000000" },
		{ "[flash]", "[segment_us]\nerase = 1\n[flash]",
		    "[segment_us] erase: unknown key" },
		{ "kind = ssd", "kind = disk", "kind: 'disk' is not one of: ssd" },
		{ "capacity_sectors = 8000", "capacity_sectors = 0",
		    "[host] capacity_sectors: 0 is not between 1 and 1.12589990684262e+15" },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		const struct choice chosen = { .plugin = &device_ssd.plugin, .sheet = text };
		struct error	    e;

		strcpy(text, SHEET);
		edit(c[i].old, c[i].new);
		ck_assert_ptr_null(device_start(&chosen, &e));
		ck_assert_str_eq(e.text, c[i].said);
	}
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("dev_ssd");

	tcase_add_checked_fixture(tc, setup, release);
	tcase_add_test(tc, a_page_is_command_latency_die_channel_and_link);
	tcase_add_test(tc, part_of_a_page_takes_the_die_as_long_and_the_bus_less);
	tcase_add_test(tc, pages_on_two_channels_are_read_at_once);
	tcase_add_test(tc, pages_on_two_dies_of_a_channel_share_it);
	tcase_add_test(tc, a_die_reads_one_page_after_the_other);
	tcase_add_test(tc, requests_for_two_dies_wait_for_the_command_only);
	tcase_add_test(tc, requests_for_one_die_wait_for_it);
	tcase_add_test(tc, a_page_that_waits_for_its_die_holds_up_the_link);
	tcase_add_test(tc, without_a_section_for_them_segments_cost_nothing);
	tcase_add_test(tc, each_segment_behind_the_first_takes_its_time_on_the_link);
	tcase_add_test(tc, segments_hold_up_the_link_for_others);
	tcase_add_test(tc, either_cost_of_a_segment_may_be_left_out);
	tcase_add_test(tc, single_pages_have_a_bandwidth_of_their_own);
	tcase_add_test(tc, a_sequential_reader_finds_its_pages_in_the_dram);
	tcase_add_test(tc, what_is_on_its_way_to_the_dram_is_waited_for);
	tcase_add_test(tc, the_rest_of_a_page_is_in_the_dram);
	tcase_add_test(tc, only_a_few_pages_are_read_ahead);
	tcase_add_test(tc, streams_are_as_many_as_the_sheet_says);
	tcase_add_test(tc, random_reads_are_not_followed);
	tcase_add_test(tc, nothing_is_read_behind_the_end);
	tcase_add_test(tc, a_write_is_done_when_it_is_in_the_buffer);
	tcase_add_test(tc, with_the_buffer_full_a_write_waits_for_room);
	tcase_add_test(tc, what_the_buffer_cannot_hold_is_written_at_the_sustained_rate);
	tcase_add_test(tc, a_duplex_link_lets_a_write_pass_a_read);
	tcase_add_test(tc, the_nvme_drive_meets_what_is_published);
	tcase_add_test(tc, the_sata_drive_meets_what_is_published);
	tcase_add_test(tc, the_large_sata_drive_meets_what_is_published);
	tcase_add_test(tc, more_requests_at_a_time_are_more_in_all);
	tcase_add_test(tc, small_sequential_reads_are_faster_than_random_ones);
	tcase_add_test(tc, with_the_buffer_full_writes_go_at_the_sustained_rate);
	tcase_add_test(tc, a_bad_sheet_is_refused_by_section_and_key);
	return run_tests("dev_ssd", tc);
}

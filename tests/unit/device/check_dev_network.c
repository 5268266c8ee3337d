/*
 * check_dev_network.c - storage behind a network whose times can be worked out
 * by hand: 1 ms to read, 2 ms to write, a sector takes 1 us over the link, 500
 * operations a second of up to 8 sectors; and the sheets that come with bufsim.
 */
#include <stdio.h>
#include <string.h>

#include "sim/registry.h"
#include "tests/unit/closed_loop.h"

extern const struct device device_network;

static const char SHEET[] = "kind = network\nsummary = a toy\nsource = made up\n"
			    "[host]\ncapacity_sectors = 8000\nqueue_depth = 8\n"
			    "[link]\nread_mb_s = 512\nwrite_mb_s = 512\nduplex = %s\n"
			    "[latency_ms]\nread = 1\nwrite = 2\n%s";

static const char LIMIT[] = "[limit]\niops = 500\noperation_kib = 4\n";

static struct loop loop;

static void
release(void)
{
	device_stop(&device_network, loop.self);
	loop.self = NULL;
}

static void
start_sheet(const char *sheet, uint32_t depth)
{
	struct choice c = { .plugin = &device_network.plugin, .sheet = sheet };
	struct error  e;
	void	     *self;

	release();
	self = device_start(&c, &e);
	ck_assert_msg(self != NULL, "%s", e.text);
	loop = (struct loop){ .device = &device_network, .self = self, .depth = depth };
}

static void
start(const char *duplex, const char *limit, uint32_t depth)
{
	char text[1024];

	snprintf(text, sizeof(text), SHEET, duplex, limit);
	start_sheet(text, depth);
}

/* How long a request takes that starts then. */
static usec_t
serve_at(usec_t at, bool write, uint32_t sectors)
{
	loop.now = loop.end[0] = at;
	return loop_next(&loop, write, 0, sectors);
}

static void
check_parts(usec_t queue, usec_t overhead, usec_t bus, usec_t data_begin)
{
	const usec_t *part = loop.service.part;

	ck_assert_int_eq(part[SERVICE_QUEUE], queue);
	ck_assert_int_eq(part[SERVICE_OVERHEAD], overhead);
	ck_assert_int_eq(part[SERVICE_BUS], bus);
	ck_assert_int_eq(part[SERVICE_SEEK] + part[SERVICE_ROTATION] + part[SERVICE_TRANSFER], 0);
	ck_assert_int_eq(loop.service.data_begin, data_begin);
}

START_TEST(a_request_takes_the_latency_and_its_bytes)
{
	start("yes", "", 1);
	ck_assert_int_eq(serve_at(0, false, 8), 1008);
	check_parts(0, 1000, 8, 1000);
	ck_assert_int_eq(serve_at(5000, true, 8), 2008);
	check_parts(0, 2000, 8, 0);
}
END_TEST

START_TEST(requests_share_the_latency_and_take_turns_on_the_link)
{
	start("yes", "", 8);
	ck_assert_int_eq(serve_at(0, false, 100), 1100);
	ck_assert_int_eq(serve_at(0, false, 100), 1200);
	check_parts(100, 1000, 100, 1100);
	ck_assert_int_eq(serve_at(500, false, 8), 1008); /* the link is free again */
}
END_TEST

START_TEST(a_duplex_link_carries_reads_and_writes_at_once)
{
	start("yes", "", 8);
	serve_at(0, false, 100);
	ck_assert_int_eq(serve_at(0, true, 50), 2050);
	start("no", "", 8);
	serve_at(0, false, 100);
	ck_assert_int_eq(serve_at(0, true, 50), 3150);
	check_parts(1100, 2000, 50, 1100);
}
END_TEST

START_TEST(the_limit_delays_the_next_request_but_not_the_first)
{
	start("yes", LIMIT, 8);
	ck_assert_int_eq(serve_at(0, false, 8), 1008);
	ck_assert_int_eq(serve_at(0, false, 8), 3008); /* 2 ms after the first began */
	check_parts(2000, 1000, 8, 3000);
	ck_assert_int_eq(serve_at(3500, true, 1), 2501); /* writes count as well */
	ck_assert_int_eq(serve_at(9000, false, 8), 1008);
}
END_TEST

START_TEST(a_large_request_counts_as_several)
{
	start("yes", LIMIT, 8);
	ck_assert_int_eq(serve_at(0, false, 17), 1017); /* as three */
	ck_assert_int_eq(serve_at(0, false, 8), 7008);
	start("yes", "[limit]\niops = 500\n", 8);
	ck_assert_int_eq(serve_at(0, false, 4000), 5000); /* of any size */
	ck_assert_int_eq(serve_at(5000, false, 8), 1008);
}
END_TEST

/* ---- the sheets that come with bufsim ---- */

struct published {
	const char *name;
	double	    iops;     /* of 4 KiB, by as many requests at a time as it takes */
	double	    mb_s;     /* of 256 KiB, read */
	double	    alone_ms; /* 4 KiB */
};

static const struct published published[] = {
	{ "nfs-1g", 117.7e6 / 4096, 117.7, 1.035 },
	{ "nfs-10g", 64 / 1.0035e-3, 1177, 1.0035 },
	{ "nfs-25g", 64 / 1.0014e-3, 2942, 1.0014 },
	{ "nfs-1g-wan", 64 / 10.035e-3, 117.7, 10.035 },
	{ "nfs-10g-wan", 64 / 10.0035e-3, 1177, 10.0035 },
	{ "aws-gp3", 3000, 125 * 1.048576, 1.031 },
	{ "aws-io2", 256000, 4000 * 1.048576, 0.501 },
	{ "gcp-pd-balanced", 6144, 0.28 * 1024 * 1.048576, 1.014 },
	{ "gcp-pd-ssd", 30720, 0.48 * 1024 * 1.048576, 1.008 },
	{ "azure-p30", 5000, 200, 1.02 },
};

/* Requests a second, of that many sectors, depth() at a time. */
static double
rate(uint32_t depth, uint32_t sectors)
{
	enum { REQUESTS = 20000 };
	uint64_t key = 1;

	loop.depth = depth;
	for (unsigned i = 0; i < REQUESTS; i++)
		loop_next(&loop, false, 8 * (key++ % 1000), sectors);
	return REQUESTS * 1e6 / (double)loop.last;
}

START_TEST(sheets_meet_what_is_published)
{
	const struct published *p = &published[_i];
	struct choice		c;
	struct error		e;

	ck_assert_msg(!registry_choose(PLUGIN_DEVICE, p->name, &c, &e), "%s", e.text);
	start_sheet(c.sheet, 1);
	ck_assert_double_eq_tol((double)serve_at(0, false, 8), 1000 * p->alone_ms, 2);
	start_sheet(c.sheet, 1);
	ck_assert_double_eq_tol(rate(device_network.depth(loop.self), 8) / p->iops, 1, 0.02);
	start_sheet(c.sheet, 1);
	ck_assert_double_eq_tol(rate(device_network.depth(loop.self), 512) * 512 * 512e-6 / p->mb_s,
	    1, 0.02);
	choice_release(&c);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("network");

	tcase_add_checked_fixture(tc, NULL, release);
	tcase_add_test(tc, a_request_takes_the_latency_and_its_bytes);
	tcase_add_test(tc, requests_share_the_latency_and_take_turns_on_the_link);
	tcase_add_test(tc, a_duplex_link_carries_reads_and_writes_at_once);
	tcase_add_test(tc, the_limit_delays_the_next_request_but_not_the_first);
	tcase_add_test(tc, a_large_request_counts_as_several);
	tcase_add_loop_test(tc, sheets_meet_what_is_published, 0,
	    (int)(sizeof(published) / sizeof(*published)));
	return run_tests("dev_network", tc);
}

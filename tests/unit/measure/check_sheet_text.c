/* check_sheet_text.c - the data sheet of a known machine: its text, and a drive made from it. */
#include <stdio.h>
#include <string.h>

#include "sim/base/memo.h"
#include "sim/host/measure/sheet_text.h"
#include "sim/registry.h"
#include "tests/unit/calibrated.h"
#include "tests/unit/closed_loop.h"

extern const struct device device_ssd;

enum { REQUESTS = 2000, CAPACITY = 20000000 };

static struct point	  point[POINTS_MAX];
static unsigned		  n;
static struct calibration fit;
static struct host	  host;
static char		 *text;

static void
print(void)
{
	struct probe_facts facts = { .host = host,
		.bytes = 1 << 30,
		.device_bytes = (uint64_t)CAPACITY * SECTOR_BYTES };
	struct memo	   m;
	struct error	   e;

	free(text);
	ck_assert(!memo_open(&m, &e));
	sheet_print(&fit, &facts, m.out);
	ck_assert(!memo_close(&m, &e));
	text = m.text;
}

static void
setup(void)
{
	host = (struct host){ .system = "Linux",
		.release = "6.18.0",
		.device = "254:0",
		.type = "ext4" };
	n = known_points(point);
	calibration_fit(&fit, point, n, KNOWN_ROUNDS);
	print();
}

static void
teardown(void)
{
	free(text);
	text = NULL;
}

static void
require_line(const char *line)
{
	REQUIRE(strstr(text, line) != NULL, "'%s' is not in the sheet:\n%s", line, text);
}

START_TEST(the_sheet_has_what_was_measured)
{
	require_line("kind = ssd\nsummary = measured: ext4 on device 254:0, Linux 6.18.0\n");
	require_line("\ncapacity_sectors = 20000000\n");
	require_line("\nread_mb_s = 2000.00\nwrite_mb_s = 2000.00\n");
	require_line("[command_us]\nread = 20.000\nwrite = 20.000\n");
	require_line("[latency_us]\nread = 50.000\nwrite = 50.000\n");
	require_line("[segment_us]\nread = 2.0000\n");
	require_line("\ncall = 600.0000\npage = 100.0000\nbyte = 0.0500\n"
		     "read_page = 2000.0000\nsingle_page = 500.0000\n");
}
END_TEST

/* Text from outside stays one line, and no comment. */
START_TEST(names_are_made_safe)
{
	strcpy(host.type, "a;b\nc");
	strcpy(host.release, "");
	print();
	require_line("summary = measured: a,b?c on device 254:0, Linux \n");
	*host.type = '\0';
	print();
	require_line("summary = measured: a file system on");
}
END_TEST

static void *
start_drive(void)
{
	struct error e;
	void	    *self =
	    device_start(&(struct choice){ .plugin = &device_ssd.plugin, .sheet = text }, &e);

	ck_assert_msg(self != NULL, "%s", e.text);
	return self;
}

/* Microseconds of a request of random reads, so many at a time. */
static double
drive_us(uint32_t bytes, uint32_t depth)
{
	struct loop loop = { .device = &device_ssd, .self = start_drive(), .depth = depth };
	uint64_t    state = 1;

	for (unsigned i = 0; i < REQUESTS; i++)
		loop_next(&loop, false, (uint64_t)random_below(&state, CAPACITY / 2048 - 1) * 2048,
		    bytes / SECTOR_BYTES);
	device_stop(&device_ssd, loop.self);
	return (double)loop.last / REQUESTS;
}

START_TEST(the_drive_has_the_depth_curve)
{
	unsigned points = 0;

	for (unsigned i = 0; i < n; i++) {
		double us, measured = point[i].us[0];

		if (point[i].series != SERIES_DEPTH && point[i].series != SERIES_DIRECT)
			continue;
		us = drive_us(point[i].bytes, point[i].depth);
		REQUIRE(fabs(us - measured) < 0.02 * measured + 0.1,
		    "%u bytes, %u at a time: %g us, not %g", point[i].bytes, point[i].depth, us,
		    measured);
		points++;
	}
	ck_assert_uint_eq(points, 9 + 11);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("sheet_text");

	tcase_add_checked_fixture(t, setup, teardown);
	tcase_add_test(t, the_sheet_has_what_was_measured);
	tcase_add_test(t, names_are_made_safe);
	tcase_add_test(t, the_drive_has_the_depth_curve);
	return run_tests("sheet_text", t);
}

/* check_dev_fixed.c - the two devices without a memory: null and fixed. */
#include <stdio.h>
#include <string.h>

#include "sim/device/device.h"
#include "tests/unit/support.h"

extern const struct device device_null, device_fixed;

static uint64_t state[8]; /* of the device under test */

static struct service
serve(const struct device *d, uint64_t sector, uint32_t sectors, usec_t now)
{
	struct transfer r = { .sector = sector, .sectors = sectors, .segments = 1, .now = now };
	struct service	s;

	d->service(state, &r, &s);
	return s;
}

static void
set_fixed(const char *params)
{
	struct error e;

	ck_assert_uint_le(device_fixed.plugin.state_size, sizeof(state));
	ck_assert_int_eq(params_set(&device_fixed.plugin, state, params, &e), 0);
}

START_TEST(null_takes_no_time_and_holds_everything)
{
	struct service s = serve(&device_null, UINT64_MAX - 8, 8, 0);

	ck_assert_int_eq(service_us(&s), 0);
	ck_assert_int_eq(s.data_begin, 0);
	ck_assert(!s.from_buffer);
	ck_assert_uint_eq(device_null.capacity(state), UINT64_MAX);
}
END_TEST

START_TEST(ten_milliseconds_a_request_and_a_hundred_microseconds_a_block)
{
	struct service one, three;

	set_fixed("latency=10ms,rate=40960000");
	one = serve(&device_fixed, 0, 8, 0);
	three = serve(&device_fixed, 0, 24, 0);
	ck_assert_int_eq(one.part[SERVICE_OVERHEAD], 10000);
	ck_assert_int_eq(one.part[SERVICE_TRANSFER], 100);
	ck_assert_int_eq(service_us(&one), 10100);
	ck_assert_int_eq(service_us(&three), 10300);
	ck_assert_int_eq(three.data_begin, 10000);
}
END_TEST

START_TEST(time_depends_on_neither_place_nor_history)
{
	struct service first, later;

	set_fixed("");
	first = serve(&device_fixed, 0, 8, 0);
	serve(&device_fixed, 1000000, 100, 20000);
	later = serve(&device_fixed, 77, 8, 123456);
	ck_assert_mem_eq(first.part, later.part, sizeof(first.part));
	ck_assert_int_eq(first.data_begin, later.data_begin);
	ck_assert(!first.from_buffer && !later.from_buffer);
	ck_assert_uint_eq(device_fixed.capacity(state), UINT64_MAX);
}
END_TEST

START_TEST(defaults_are_8_ms_and_20_MB_a_second)
{
	struct service s;

	set_fixed(NULL);
	s = serve(&device_fixed, 0, 8, 0);
	ck_assert_int_eq(s.part[SERVICE_OVERHEAD], 8000);
	ck_assert_int_eq(s.part[SERVICE_TRANSFER], 195); /* 4096 / 20 M = 195.3 us */
}
END_TEST

START_TEST(transfers_are_rounded_to_the_nearest_microsecond)
{
	static const struct {
		const char *rate;
		usec_t	    us; /* of one sector */
	} c[] = {
		{ "rate=1024000000", 1 }, /* 0.5 us: up */
		{ "rate=1024000001", 0 },
		{ "rate=204800000", 3 }, /* 2.5 us: up */
		{ "rate=1", 512000000 },
		{ "rate=1048576G", 0 },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		struct service s;

		set_fixed(c[i].rate);
		s = serve(&device_fixed, 0, 1, 0);
		ck_assert_int_eq(s.part[SERVICE_TRANSFER], c[i].us);
	}
}
END_TEST

START_TEST(the_largest_request_at_the_lowest_rate_does_not_overflow)
{
	struct service s;

	set_fixed("latency=0us,rate=1");
	s = serve(&device_fixed, 0, UINT32_MAX, 0);
	ck_assert_int_eq(service_us(&s), (usec_t)UINT32_MAX * SECTOR_BYTES * 1000000);
}
END_TEST

START_TEST(a_rate_of_zero_is_refused)
{
	struct error e;

	ck_assert_int_eq(params_set(&device_fixed.plugin, state, "rate=0", &e), -1);
	ck_assert_int_eq(e.exit_code, EXIT_USAGE);
	ck_assert_msg(strstr(e.text, "rate"), "%s", e.text);
}
END_TEST

START_TEST(it_serves_one_request_at_a_time_unless_told_otherwise)
{
	set_fixed(NULL);
	ck_assert_uint_eq(device_fixed.depth(state), 1);
	set_fixed("depth=32");
	ck_assert_uint_eq(device_fixed.depth(state), 32);
}
END_TEST

/* ---- percentiles ---- */

#define TOP "kind = fixed\nsummary = a toy\nsource = made up\n"
#define TRANSFER "[transfer]\nmb_s = 40.96\n[queue]\ndepth = 4\n"
#define WRITES "[write_ms]\n0 = 2\n100 = 2\n"

/* What is wrong with the sheet; "" if nothing is. */
static const char *
fault(const char *sheet)
{
	static struct error e;
	void		   *self =
	    device_start(&(struct choice){ .plugin = &device_fixed.plugin, .sheet = sheet }, &e);

	if (!self)
		return e.text;
	memcpy(state, self, device_fixed.plugin.state_size);
	free(self);
	return "";
}

START_TEST(times_follow_the_percentiles_of_the_sheet)
{
	enum { N = 100000 };
	unsigned median = 0, slow = 0;
	usec_t	 least = USEC_MAX, most = 0, sum = 0;

	ck_assert_str_eq(fault(TOP TRANSFER WRITES "[read_ms]\n0 = 1\n50 = 2\n90 = 2\n100 = 12\n"),
	    "");
	for (unsigned i = 0; i < N; i++) {
		struct service s = serve(&device_fixed, i, 8, 0);
		usec_t	       us = s.part[SERVICE_OVERHEAD];

		REQUIRE(s.part[SERVICE_TRANSFER] == 100 && s.data_begin == us, "request %u", i);
		median += us <= 1500;
		slow += us > 2000;
		sum += us;
		least = us < least ? us : least;
		most = us > most ? us : most;
	}
	/* 1 to 2 ms for a half, 2 for two fifths, 2 to 12 for a tenth */
	ck_assert_double_eq_tol(median, 0.25 * N, 0.01 * N);
	ck_assert_double_eq_tol(slow, 0.1 * N, 0.005 * N);
	ck_assert_double_eq_tol((double)sum / N, 0.5 * 1500 + 0.4 * 2000 + 0.1 * 7000, 20);
	ck_assert(least >= 1000 && least <= 1010 && most >= 11900 && most <= 12000);
	ck_assert_uint_eq(device_fixed.depth(state), 4);
	device_fixed.release(state);
}
END_TEST

START_TEST(reads_and_writes_have_percentiles_of_their_own_and_the_same_every_time)
{
	static const char sheet[] = TOP TRANSFER WRITES "[read_ms]\n0 = 0\n100 = 10\n";
	struct transfer				 w = { .sectors = 8, .segments = 1, .write = true };
	struct service				 s, first[20];

	for (unsigned run = 0; run < 2; run++) {
		ck_assert_str_eq(fault(sheet), "");
		for (unsigned i = 0; i < 20; i++) {
			s = serve(&device_fixed, 0, 8, 0);
			if (run)
				ck_assert_mem_eq(s.part, first[i].part, sizeof(s.part));
			first[i] = s;
			device_fixed.service(state, &w, &s);
			ck_assert_int_eq(service_us(&s), 2100);
		}
		device_fixed.release(state);
	}
	ck_assert_int_ne(service_us(&first[0]), service_us(&first[1]));
}
END_TEST

START_TEST(bad_percentiles_are_refused)
{
	static const struct {
		const char *rows, *said;
	} c[] = {
		{ "", "[read_ms] 0: missing: the first line is 0 = the least time" },
		{ "50 = 1\n100 = 2\n",
		    "[read_ms] 0: missing: the first line is 0 = the least time" },
		{ "0 = 1\n", "[read_ms] 100: missing: the last line is 100 = the longest time" },
		{ "0 = 1\n99.9 = 2\n",
		    "[read_ms] 100: missing: the last line is 100 = the longest time" },
		{ "0 = 1\n50 = 3\n99.9 = 2.5\n100 = 4\n",
		    "[read_ms] 99.9: 2.5 ms is less than the 3 ms of 50" },
		{ "0 = 1\n50 = 3\n40 = 4\n100 = 5\n", "[read_ms] 40: comes after 50" },
		{ "0 = 1\n50 = 3\n100 = 4\n101 = 5\n",
		    "[read_ms] 100: missing: the last line is 100 = the longest time" },
		{ "0 = 1\np50 = 3\n100 = 4\n",
		    "[read_ms] p50: '3' should be 1 number, and the key one" },
		{ "0 = 1\n100 = 3600001\n", "[read_ms] 100: longer than an hour" },
		{ "0 = 1\n0 = 2\n100 = 3\n", "[read_ms] 0: given twice" },
	};
	char sheet[500];

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		snprintf(sheet, sizeof(sheet), TOP TRANSFER WRITES "[read_ms]\n%s", c[i].rows);
		ck_assert_str_eq(fault(sheet), c[i].said);
	}
	ck_assert_str_eq(fault(TOP TRANSFER WRITES), c[0].said);
	ck_assert_str_eq(fault(TOP WRITES), "[transfer] mb_s: missing");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("dev_fixed");

	tcase_add_test(tc, null_takes_no_time_and_holds_everything);
	tcase_add_test(tc, ten_milliseconds_a_request_and_a_hundred_microseconds_a_block);
	tcase_add_test(tc, time_depends_on_neither_place_nor_history);
	tcase_add_test(tc, defaults_are_8_ms_and_20_MB_a_second);
	tcase_add_test(tc, transfers_are_rounded_to_the_nearest_microsecond);
	tcase_add_test(tc, the_largest_request_at_the_lowest_rate_does_not_overflow);
	tcase_add_test(tc, a_rate_of_zero_is_refused);
	tcase_add_test(tc, it_serves_one_request_at_a_time_unless_told_otherwise);
	tcase_add_test(tc, times_follow_the_percentiles_of_the_sheet);
	tcase_add_test(tc, reads_and_writes_have_percentiles_of_their_own_and_the_same_every_time);
	tcase_add_test(tc, bad_percentiles_are_refused);
	return run_tests("dev_fixed", tc);
}

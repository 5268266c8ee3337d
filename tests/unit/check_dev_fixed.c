/* check_dev_fixed.c - the two devices without a memory: null and fixed. */
#include <string.h>

#include "sim/device.h"
#include "tests/unit/support.h"

extern const struct device device_null, device_fixed;

static uint64_t state[2]; /* of the device under test */

static struct service
serve(const struct device *d, uint64_t sector, uint32_t sectors, usec_t now)
{
	struct transfer r = { .sector = sector, .sectors = sectors, .now = now };
	struct service	s;

	d->service(state, &r, &s);
	return s;
}

static usec_t
service_us(const struct service *s)
{
	usec_t sum = 0;

	for (int i = 0; i < SERVICE_PARTS; i++)
		sum += s->part[i];
	return sum;
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
	return run_tests("dev_fixed", tc);
}

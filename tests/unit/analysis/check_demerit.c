/* check_demerit.c - replaying what was measured, and the distance of two distributions by hand. */
#include <string.h>

#include "sim/analysis/demerit.h"
#include "tests/unit/support.h"

extern const struct device device_disk;

static struct measured_request request[1000];
static struct measured	       m = { .name = "made up", .request = request };
static struct service	       service[1000];
static struct comparison       c;
static struct config	       config;
static struct error	       error;

static void
add(bool write, uint64_t sector, uint32_t sectors, double response_us, double idle_us)
{
	struct measured_request *q = &request[m.n];

	*q = (struct measured_request){
		.sector = sector,
		.sectors = sectors,
		.write = write,
		.sequential = m.n && q[-1].sector + q[-1].sectors == sector,
		.response_us = response_us,
		.idle_us = idle_us,
	};
	m.n++;
}

/* What was "measured" and simulated, in ms. */
static void
pair(double measured, unsigned simulated)
{
	service[m.n].part[SERVICE_ROTATION] = 1000 * (usec_t)simulated - 300;
	service[m.n].part[SERVICE_BUS] = 300;
	add(m.n % 2, 8 * (m.n / 4), 8, 1000 * measured, 0);
}

static void
compare(size_t from)
{
	comparison_release(&c);
	ck_assert_int_eq(comparison_init(&c, &m, service, from, m.n, &error), 0);
}

static void
setup(void)
{
	m.n = 0;
}

static void
teardown(void)
{
	comparison_release(&c);
}

/* Ten of each.  Sorted, measured: 1 2 3 4 5 6 7 8 9 20; simulated: 1 2 3 4 5 6 7 8 10 13. */
static void
ten_requests(void)
{
	static const unsigned pairs[][2] = { { 3, 5 }, { 1, 1 }, { 20, 2 }, { 2, 13 }, { 9, 3 },
		{ 4, 10 }, { 5, 4 }, { 8, 6 }, { 6, 8 }, { 7, 7 } };

	for (unsigned i = 0; i < 10; i++)
		pair(pairs[i][0], pairs[i][1]);
	compare(0);
}

START_TEST(the_demerit_is_the_distance_of_the_sorted_times)
{
	ten_requests();
	/* Only the last two differ: by 1 and by 7. */
	ck_assert_double_eq_tol(c.demerit * c.demerit, 50 / 10., 1e-9);
	ck_assert_double_eq_tol(c.all.measured, 65, 1e-9);
	ck_assert_double_eq_tol(c.all.simulated, 59, 1e-9);
	ck_assert_uint_eq(c.all.n, 10);
}
END_TEST

START_TEST(a_percentile_is_the_nearest_rank)
{
	static double many[41000]; /* of which 99.9 % are a little more than 40,959, in doubles */

	ten_requests();
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 5), 1, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 10), 1, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 10.1), 2, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 50), 5, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 90), 9, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 10, 95), 20, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.simulated, 10, 90), 10, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.simulated, 10, 99.9), 13, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.simulated, 10, 100), 13, 1e-9);
	for (unsigned i = 0; i < 1000; i++)
		service[i].part[SERVICE_BUS] = i; /* any 1,000 numbers in order */
	m.n = 0;
	for (unsigned i = 0; i < 1000; i++)
		add(false, 0, 1, 1000. * i, 0);
	compare(0);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 1000, 99.9), 998, 1e-9);
	ck_assert_double_eq_tol(sorted_percentile(c.measured, 1000, 99), 989, 1e-9);
	for (unsigned i = 0; i < 41000; i++)
		many[i] = i;
	ck_assert_double_eq_tol(sorted_percentile(many, 41000, 99.9), 40958, 1e-9);
}
END_TEST

START_TEST(requests_are_told_apart_by_kind)
{
	ten_requests();
	/* Sectors go up by 8 with every fourth request: requests 4 and 8 (from 0) are sequential.
	 */
	ck_assert_uint_eq(c.kind[KIND_READ_SEQUENTIAL].n, 2);
	ck_assert_double_eq_tol(c.kind[KIND_READ_SEQUENTIAL].measured, 9 + 6, 1e-9);
	ck_assert_double_eq_tol(c.kind[KIND_READ_SEQUENTIAL].simulated, 3 + 8, 1e-9);
	ck_assert_uint_eq(c.kind[KIND_READ_OTHER].n, 3);
	ck_assert_uint_eq(c.kind[KIND_WRITE_SEQUENTIAL].n, 0);
	ck_assert_uint_eq(c.kind[KIND_WRITE_OTHER].n, 5);
	ck_assert_double_eq_tol(c.kind[KIND_WRITE_OTHER].measured, 1 + 2 + 4 + 8 + 7, 1e-9);
}
END_TEST

START_TEST(the_parts_add_up_and_a_range_is_a_range)
{
	usec_t us = 0;

	ten_requests();
	ck_assert_int_eq(c.part[SERVICE_BUS], 3000);
	for (unsigned p = 0; p < SERVICE_PARTS; p++)
		us += c.part[p];
	ck_assert_int_eq(us, 59000);
	compare(8); /* 6 and 7 were measured, 8 and 7 simulated */
	ck_assert_uint_eq(c.n, 2);
	ck_assert_double_eq_tol(c.demerit, 1, 1e-9);
}
END_TEST

START_TEST(a_device_is_at_no_distance_from_itself)
{
	const struct data_sheet *s = data_sheets;
	uint64_t		 state = 1;

	while (strcmp(s->name, "cheetah9lp") != 0)
		s++;
	config = (struct config){ .device = { .plugin = &device_disk.plugin, .sheet = s->text } };
	for (unsigned i = 0; i < 1000; i++)
		add(!random_below(&state, 3), 8 * random_below(&state, 2000000), 8, 0,
		    random_below(&state, 50000) + 0.25);
	ck_assert_int_eq(demerit_replay(&m, &config, service, &error), 0);
	for (unsigned i = 0; i < 1000; i++)
		request[i].response_us = (double)service_us(&service[i]);
	ck_assert_int_eq(demerit_replay(&m, &config, service, &error), 0);
	compare(0);
	ck_assert_double_eq_tol(c.demerit, 0, 1e-12);
	ck_assert_double_gt(c.all.simulated / 1000, 1);
}
END_TEST

/* A device that says when it was called. */
static usec_t called[1000];
static size_t ncalled;

static uint64_t
watch_capacity(const void *self)
{
	return 1000;
}

static void
watch_service(void *self, const struct transfer *r, struct service *out)
{
	called[ncalled++] = r->now;
	*out = (struct service){ .part[SERVICE_BUS] = 10 };
}

static const struct device watch = {
	.plugin = { .name = "watch", .summary = "notes when" },
	.capacity = watch_capacity,
	.service = watch_service,
};

START_TEST(requests_follow_the_simulated_end_and_fractions_are_kept)
{
	config.device.plugin = &watch.plugin;
	ncalled = 0;
	add(false, 0, 1, 5000, 100);
	for (unsigned i = 1; i < 1000; i++)
		add(false, 0, 1, 5000, 0.3);
	ck_assert_int_eq(demerit_replay(&m, &config, service, &error), 0);
	ck_assert_int_eq(called[0], 100);
	ck_assert_int_eq(called[1], 110);
	ck_assert_int_eq(called[4], 100 + 4 * 10 + 1);
	ck_assert_int_eq(called[999], 100 + 999 * 10 + 299);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("demerit");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, the_demerit_is_the_distance_of_the_sorted_times);
	tcase_add_test(tc, a_percentile_is_the_nearest_rank);
	tcase_add_test(tc, requests_are_told_apart_by_kind);
	tcase_add_test(tc, the_parts_add_up_and_a_range_is_a_range);
	tcase_add_test(tc, a_device_is_at_no_distance_from_itself);
	tcase_add_test(tc, requests_follow_the_simulated_end_and_fractions_are_kept);
	return run_tests("demerit", tc);
}

/*
 * check_calibrate.c - constants of a disk, found again from the responses of
 * one whose constants are others.
 */
#include <math.h>
#include <string.h>

#include "sim/analysis/calibrate.h"
#include "sim/device/sheet.h"
#include "tests/unit/support.h"

extern const struct device device_disk, device_fixed;

enum { REQUESTS = 2000, HALF = REQUESTS / 2 };

static struct measured_request request[REQUESTS];
static struct measured	       m = { .name = "made up", .request = request, .n = REQUESTS };
static struct service	       service[REQUESTS];
static struct config	       config;
static struct calibration      k;
static struct error	       error;
static char		      *truth; /* the sheet of the drive that was "measured" */

static void
set(const char *section, const char *key, const char *value)
{
	char *was = truth;

	truth = sheet_with(was, section, key, value, &error);
	ck_assert_ptr_nonnull(truth);
	free(was);
}

/* Sequential, near and far, a third writes. */
static void
make_requests(void)
{
	uint64_t state = 7, next = 0;

	for (unsigned i = 0; i < REQUESTS; i++) {
		struct measured_request *q = &request[i];
		uint32_t		 way = random_below(&state, 5);

		q->sector = way == 0 ? next
		    : way < 3	     ? next + 4 + 4 * random_below(&state, 20)
				     : 8 * random_below(&state, 2000000);
		q->sectors = 4 + 4 * random_below(&state, 4);
		q->sequential = i && q->sector == next;
		q->write = !random_below(&state, 3);
		q->idle_us = 5000 + random_below(&state, 60000);
		next = q->sector + q->sectors;
	}
}

static double
demerit_by(const char *sheet, size_t from)
{
	struct config	  by = config;
	struct comparison c;
	double		  demerit;

	by.device.sheet = sheet;
	ck_assert_int_eq(demerit_replay(&m, &by, service, &error), 0);
	ck_assert_int_eq(comparison_init(&c, &m, service, from, REQUESTS, &error), 0);
	demerit = c.demerit;
	comparison_release(&c);
	return demerit;
}

/* The responses are what the sheet in truth says. */
static void
measure(void)
{
	demerit_by(truth, 0);
	for (unsigned i = 0; i < REQUESTS; i++)
		request[i].response_us = (double)service_us(&service[i]);
}

static void
setup(void)
{
	const struct data_sheet *s = data_sheets;

	while (strcmp(s->name, "cheetah9lp") != 0)
		s++;
	config = (struct config){ .device = { .plugin = &device_disk.plugin, .sheet = s->text } };
	truth = strdup(s->text);
	make_requests();
}

static void
teardown(void)
{
	calibration_release(&k);
	free(truth);
}

static void
fit(void)
{
	ck_assert_msg(!calibrate(&k, &m, HALF, &config, &error), "%s", error.text);
}

START_TEST(overheads_that_were_changed_are_found_again)
{
	set("overheads_ms", "read_hit_after_read", "0.4");
	set("overheads_ms", "read_hit_sequential", "0.2");
	set("overheads_ms", "write_after_read", "1.25");
	set("overheads_ms", "write_after_write", "0.9");
	set("overheads_ms", "write_sequential", "0.3");
	measure();
	fit();
	ck_assert_double_eq_tol(k.after[HIT_AFTER_READ], 0.4, 0.002);
	ck_assert_double_eq_tol(k.after[HIT_SEQUENTIAL], 0.2, 0.002);
	ck_assert_double_eq_tol(k.after[WRITE_AFTER_READ], 1.25, 0.002);
	ck_assert_double_eq_tol(k.after[WRITE_AFTER_WRITE], 0.9, 0.002);
	ck_assert_double_eq_tol(k.after[WRITE_SEQUENTIAL], 0.3, 0.002);
	ck_assert(isnan(k.after[MISS_SEQUENTIAL]));
	ck_assert_double_gt(demerit_by(config.device.sheet, HALF), 0.2);
	ck_assert_double_lt(demerit_by(k.sheet, HALF), 0.01);
}
END_TEST

START_TEST(what_only_the_demerit_tells_comes_nearer)
{
	double before;

	set("mechanics", "least_read_ms", "3");
	set("overheads_ms", "read_miss_after_read", "1.4");
	set("overheads_ms", "read_miss_after_write", "1.2");
	measure();
	before = demerit_by(config.device.sheet, HALF);
	fit();
	ck_assert_double_gt(before, 0.3);
	ck_assert_double_lt(demerit_by(k.sheet, HALF), before / 2);
	ck_assert_double_eq_tol(k.after[MISS_AFTER_READ] - k.after[MISS_AFTER_WRITE],
	    k.before[MISS_AFTER_READ] - k.before[MISS_AFTER_WRITE], 0.002);
}
END_TEST

START_TEST(a_sheet_that_is_right_stays_as_it_is)
{
	set("overheads_ms", "read_hit_sequential", "0.1");
	set("overheads_ms", "write_sequential", "0.5");
	measure();
	config.device.sheet = truth;
	fit();
	for (unsigned id = 0; id < CONSTANTS; id++)
		if (calibration_changed(&k, id))
			ck_assert_double_eq_tol(k.after[id], k.before[id], 0.0011);
	ck_assert_double_lt(demerit_by(k.sheet, HALF), 0.01);
}
END_TEST

START_TEST(writes_that_go_through_are_fitted_by_the_demerit)
{
	char *given;

	set("buffer", "writes", "through");
	given = strdup(truth);
	config.device.sheet = given;
	set("overheads_ms", "write_after_read", "3");
	set("overheads_ms", "write_after_write", "3");
	measure();
	fit();
	ck_assert_uint_eq(k.served[WRITE_AFTER_READ], 0);
	ck_assert_double_gt(k.after[WRITE_AFTER_READ], 1);
	ck_assert_double_lt(demerit_by(k.sheet, HALF), demerit_by(given, HALF) / 2);
	free(given);
}
END_TEST

START_TEST(the_same_measurements_give_the_same_sheet)
{
	char *first;

	set("overheads_ms", "read_miss_after_read", "0.8");
	measure();
	fit();
	first = k.sheet;
	fit();
	ck_assert_str_eq(k.sheet, first);
	free(first);
}
END_TEST

START_TEST(only_disks_are_calibrated)
{
	config.device.plugin = &device_fixed.plugin;
	ck_assert_int_eq(calibrate(&k, &m, HALF, &config, &error), -1);
	ck_assert_int_eq(error.exit_code, EXIT_USAGE);
	ck_assert_str_eq(error.text,
	    "--calibrate fits overheads of a disk drive's data sheet: 'fixed' is another kind of "
	    "device");
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("calibrate");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, overheads_that_were_changed_are_found_again);
	tcase_add_test(tc, what_only_the_demerit_tells_comes_nearer);
	tcase_add_test(tc, a_sheet_that_is_right_stays_as_it_is);
	tcase_add_test(tc, writes_that_go_through_are_fitted_by_the_demerit);
	tcase_add_test(tc, the_same_measurements_give_the_same_sheet);
	tcase_add_test(tc, only_disks_are_calibrated);
	return run_tests("calibrate", tc);
}

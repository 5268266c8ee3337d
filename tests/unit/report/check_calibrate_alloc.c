/* check_calibrate_alloc.c - memory that runs out for the JSON of a calibration is an error, and nothing leaks. */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "sim/host/report/calibrate_report.h"
#include "tests/unit/allocator.h"
#include "tests/unit/calibrated.h"

static int
print_json(const void *report, struct error *e)
{
	FILE *null = fopen("/dev/null", "w");
	int   failed = calibrate_json(report, null, e);

	fclose(null);
	return failed;
}

START_TEST(json_without_memory_is_an_error)
{
	static struct point	point[POINTS_MAX];
	struct calibration	fit;
	struct calibrate_report r = { .fit = &fit, .point = point, .sheet = "x.dev" };

	cJSON_InitHooks(&(cJSON_Hooks){ malloc, free }); /* its own are out of reach */
	r.npoints = known_points(point);
	calibration_fit(&fit, point, r.npoints, KNOWN_ROUNDS);
	ck_assert_uint_gt(watch_refusals(print_json, &r), 200);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("calibrate_alloc");

	tcase_add_test(t, json_without_memory_is_an_error);
	return run_tests("calibrate_alloc", t);
}

/* calibrate_json.c - a calibration as a JSON object: every figure with its spread, every point. */
#include <math.h>

#include "sim/host/report/calibrate_report.h"
#include "sim/report/json.h"

static const char *const series_name[SERIES] = {
	[SERIES_DIRECT] = "direct",
	[SERIES_SCATTERED] = "scattered",
	[SERIES_COLD] = "cold",
	[SERIES_LARGE] = "cached_large",
	[SERIES_SINGLE] = "cached_single",
	[SERIES_DEPTH] = "depth",
	[SERIES_FIRST] = "first",
	[SERIES_SECOND] = "second",
	[SERIES_NEAR] = "near",
	[SERIES_FAR] = "far",
	[SERIES_STREAM] = "stream",
};

static bool
add_machine(cJSON *j, const struct calibrate_report *r)
{
	const struct probe_facts *f = &r->facts;
	char			  doubt[CALIBRATE_DOUBT];

	return cJSON_AddStringToObject(j, "system", r->facts.host.system) &&
	    cJSON_AddStringToObject(j, "release", r->facts.host.release) &&
	    cJSON_AddStringToObject(j, "file_system", r->facts.host.type) &&
	    cJSON_AddStringToObject(j, "device", r->facts.host.device) &&
	    json_count(j, "file_bytes", f->bytes) && json_count(j, "rounds", r->fit->rounds) &&
	    json_decimal(j, "elapsed_s", f->elapsed_s) &&
	    json_decimal(j, "waited_s", f->waited_s) &&
	    cJSON_AddBoolToObject(j, "real_time", f->fifo) &&
	    cJSON_AddBoolToObject(j, "huge_pages", f->huge) &&
	    cJSON_AddBoolToObject(j, "too_noisy", calibrate_doubt(r, doubt)) &&
	    cJSON_AddBoolToObject(j, "is_disk", calibration_is_disk(r->fit)) &&
	    cJSON_AddBoolToObject(j, "has_tier", calibration_has_tier(r->fit)) &&
	    json_count(j, "depth", r->fit->depth) && cJSON_AddStringToObject(j, "sheet", r->sheet);
}

static bool
add_quantities(cJSON *j, const struct calibration *c)
{
	bool whole = j;

	for (unsigned i = 0; whole && i < QUANTITIES; i++) {
		cJSON *f = cJSON_AddObjectToObject(j, quantity_info[i].name);

		whole = f && json_decimal(f, "median", c->quantity[i].value) &&
		    json_decimal(f, "least", c->quantity[i].low) &&
		    json_decimal(f, "most", c->quantity[i].high);
	}
	return whole;
}

static bool
add_points(cJSON *j, const struct calibrate_report *r)
{
	bool whole = j;

	for (unsigned i = 0; whole && i < r->npoints; i++) {
		const struct point *p = &r->point[i];
		double		    predicted = calibration_predict(r->fit, p);
		cJSON		   *o = cJSON_CreateObject();

		whole = o && cJSON_AddItemToArray(j, o) &&
		    cJSON_AddStringToObject(o, "series", series_name[p->series]) &&
		    json_count(o, "bytes", p->bytes) && json_count(o, "depth", p->depth) &&
		    json_decimal(o, "us", point_median(p, r->fit->rounds)) &&
		    (isnan(predicted) || json_decimal(o, "predicted_us", predicted));
	}
	return whole;
}

int
calibrate_json(const struct calibrate_report *r, FILE *out, struct error *e)
{
	cJSON *j = cJSON_CreateObject();
	bool   whole = j && add_machine(j, r) &&
	    add_quantities(cJSON_AddObjectToObject(j, "quantities"), r->fit) &&
	    add_points(cJSON_AddArrayToObject(j, "points"), r);

	return json_print(j, whole, out, e);
}

/* scale_data.c - how far programs scale, for programs: CSV and JSON. */
#include <inttypes.h>
#include <math.h>

#include "sim/base/csv.h"
#include "sim/report/json.h"
#include "sim/studies/scale/scale_report.h"

/* ---- CSV ---- */

static void
print_cell(double x, FILE *out)
{
	if (isnan(x))
		putc(',', out);
	else
		fprintf(out, ",%.9g", x);
}

/* Empty: unknown. */
static void
print_processor(const struct timed_level *t, FILE *out)
{
	bool is_known = !isnan(timed_level_kernel(t));

	print_cell(is_known ? t->user : NAN, out);
	print_cell(is_known ? t->system : NAN, out);
}

static void
print_level(const struct timed_level *t, const struct scale_level *l, FILE *out)
{
	fprintf(out, ",%" PRIu32 ",%zu", t->threads, t->nruns);
	print_cell(l->outside, out);
	print_cell(t->region, out);
	print_cell(l->region_speedup, out);
	print_cell(l->region_spread.low, out);
	print_cell(l->region_spread.high, out);
	print_cell(l->law, out);
	print_cell(l->speedup, out);
	print_processor(t, out);
	putc('\n', out);
}

void
scale_csv(const struct scale *s, size_t n, FILE *out)
{
	fputs("program,threads,runs,t_non_s,t_roi_s,s_region,s_region_low,s_region_high,s_law,"
	      "s_whole,user_s,system_s\n",
	    out);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < s[i].program->nlevels; k++) {
			csv_text(s[i].program->name, out);
			print_level(&s[i].program->level[k], &s[i].level[k], out);
		}
}

void
scale_runs_csv(const struct timed_program *p, FILE *out)
{
	fputs("program,threads,total,region,user,system\n", out);
	for (const struct timed_run *r = p->run; r < p->run + p->nruns; r++) {
		csv_text(p->name, out);
		fprintf(out, ",%" PRIu32 ",%.9f,%.9f,%.6f,%.6f\n", r->threads, r->total, r->region,
		    r->user, r->system);
	}
}

/* ---- JSON ---- */

/* null: there is none. */
static bool
add_number(cJSON *to, const char *name, double x)
{
	return isfinite(x) ? json_decimal(to, name, x) : cJSON_AddNullToObject(to, name) != NULL;
}

static bool
add_interval(cJSON *to, const char *low, const char *high, struct interval i)
{
	return add_number(to, low, i.low) && add_number(to, high, i.high);
}

static bool
add_law(const struct scale *s, cJSON *to)
{
	return json_decimal(to, "a", s->law.a) && add_interval(to, "a_low", "a_high", s->a) &&
	    json_decimal(to, "b", s->law.b) && add_interval(to, "b_low", "b_high", s->b) &&
	    cJSON_AddBoolToObject(to, "b_is_fitted", s->b_is_fitted) &&
	    add_number(to, "peak", s->peak) &&
	    add_interval(to, "peak_low", "peak_high", s->peak_spread) &&
	    add_number(to, "r2", s->r2);
}

static bool
add_level(const struct timed_level *t, const struct scale_level *l, cJSON *list)
{
	cJSON *item = cJSON_CreateObject();
	bool   is_known = !isnan(timed_level_kernel(t));

	return cJSON_AddItemToArray(list, item) && json_count(item, "threads", t->threads) &&
	    json_count(item, "runs", t->nruns) && json_decimal(item, "t_non_s", l->outside) &&
	    json_decimal(item, "t_roi_s", t->region) &&
	    json_decimal(item, "s_region", l->region_speedup) &&
	    add_interval(item, "s_region_low", "s_region_high", l->region_spread) &&
	    json_decimal(item, "s_law", l->law) && json_decimal(item, "s_whole", l->speedup) &&
	    add_number(item, "user_s", is_known ? t->user : NAN) &&
	    add_number(item, "system_s", is_known ? t->system : NAN);
}

static bool
add_levels(const struct scale *s, cJSON *to)
{
	cJSON *list = cJSON_AddArrayToObject(to, "levels");
	bool   ok = list;

	for (size_t i = 0; ok && i < s->program->nlevels; i++)
		ok = add_level(&s->program->level[i], &s->level[i], list);
	return ok;
}

int
scale_json(const struct scale *s, FILE *out, struct error *e)
{
	static const char *const shape[] = { [SCALE_RISES] = "rises",
		[SCALE_FLATTENS] = "flattens",
		[SCALE_FALLS] = "falls" };
	const char		 group[] = { s->group, '\0' };
	cJSON			*o = cJSON_CreateObject();

	return json_print(o,
	    o && cJSON_AddStringToObject(o, "program", s->program->name) &&
		json_count(o, "scales_to", s->program->level[s->to].threads) &&
		json_decimal(o, "s_region", s->level[s->to].region_speedup) &&
		json_decimal(o, "s_whole", s->level[s->to].speedup) &&
		cJSON_AddStringToObject(o, "shape", shape[s->shape]) &&
		cJSON_AddStringToObject(o, "group", group) && add_law(s, o) &&
		json_decimal(o, "outside_share", s->outside_share) &&
		add_number(o, "s_whole_limit", s->limit) && add_levels(s, o),
	    out, e);
}

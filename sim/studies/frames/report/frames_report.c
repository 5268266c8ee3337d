/* frames_report.c - measured allocators of page frames, for programs: CSV and JSON. */
#include <inttypes.h>

#include "sim/base/csv.h"
#include "sim/report/json.h"
#include "sim/studies/frames/report/frames_report.h"

#define COUNTED(name)                                                                              \
	{                                                                                          \
#name, FRAMES_COUNT, offsetof(struct trial_result, counts.name)                    \
	}
#define TIMED(name)                                                                                \
	{                                                                                          \
#name "_us", FRAMES_TIME, offsetof(struct trial_result, name##_ns)                 \
	}
#define LATENCY(name)                                                                              \
	{                                                                                          \
		"latency_" #name "_ns", FRAMES_NS, offsetof(struct trial_result, latency.name)     \
	}

const struct frames_figure frames_figures[] = {
	COUNTED(splits),
	COUNTED(merges),
	COUNTED(operations),
	{ "operations_per_s", FRAMES_RATE, 0 },
	COUNTED(lock_acquisitions),
	COUNTED(lock_contended),
	COUNTED(failed),
	TIMED(elapsed),
	TIMED(elapsed_min),
	TIMED(elapsed_max),
	{ 0 },
};

const struct frames_figure frames_latencies[] = {
	LATENCY(p50),
	LATENCY(p90),
	LATENCY(p99),
	LATENCY(p999),
	LATENCY(max),
	LATENCY(mean),
	{ 0 },
};

static uint64_t
count_of(const struct trial_result *r, const struct frames_figure *f)
{
	return *(const uint64_t *)(const void *)((const char *)r + f->offset);
}

double
frames_value(const struct trial_result *r, const struct frames_figure *f)
{
	const char *field = (const char *)r + f->offset;

	switch (f->unit) {
	case FRAMES_COUNT:
		return (double)count_of(r, f);
	case FRAMES_TIME:
		return *(const double *)(const void *)field / 1000;
	case FRAMES_NS:
		return *(const double *)(const void *)field;
	case FRAMES_RATE:
		break;
	}
	return trial_rate(r);
}

/* ---- CSV ---- */

void
frames_csv_names(FILE *out)
{
	fputs("allocator,workload,machine,threads,blocks,block_pages,repeat", out);
	for (const struct frames_figure *f = frames_figures; f->name; f++)
		fprintf(out, ",%s", f->name);
	for (const struct frames_figure *f = frames_latencies; f->name; f++)
		fprintf(out, ",%s", f->name);
	fputs(",free_pages,total_pages,largest_order,met,met_after\n", out);
}

static void
print_figure(const struct trial_result *r, const struct frames_figure *f, FILE *out)
{
	if (f->unit == FRAMES_COUNT)
		fprintf(out, ",%" PRIu64, count_of(r, f));
	else
		fprintf(out, ",%.9g", frames_value(r, f));
}

static void
print_shares(const double *share, unsigned n, FILE *out)
{
	for (unsigned k = 0; k < n; k++)
		fprintf(out, "%c%.6g", k ? ' ' : ',', share[k]);
}

/* Lists of numbers have blanks between them. */
static void
print_fragments(const struct trial_fragments *f, FILE *out)
{
	fprintf(out, ",%" PRIu64 ",%" PRIu64, f->free_pages, f->total_pages);
	for (unsigned i = 0; i <= FRAGMENT_SAMPLES; i++)
		fprintf(out, "%c%d", i ? ' ' : ',', f->largest[i]);
	print_shares(f->met, f->orders, out);
	print_shares(f->met_after, f->orders, out);
	putc('\n', out);
}

void
frames_csv(const struct frames_report *r, FILE *out)
{
	csv_text(r->allocator, out);
	putc(',', out);
	csv_text(r->workload, out);
	putc(',', out);
	csv_text(r->machine, out);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u", r->shape.threads, r->shape.blocks,
	    r->shape.block_pages, r->repeat);
	for (const struct frames_figure *f = frames_figures; f->name; f++)
		print_figure(&r->result, f, out);
	for (const struct frames_figure *f = frames_latencies; f->name; f++)
		if (r->latency)
			print_figure(&r->result, f, out);
		else
			putc(',', out);
	if (r->fragments)
		print_fragments(&r->result.fragments, out);
	else
		fputs(",,,,,\n", out);
}

/* ---- JSON ---- */

static bool
add_figures(const struct trial_result *r, const struct frames_figure *f, cJSON *to)
{
	bool ok = true;

	for (; ok && f->name; f++)
		ok = f->unit == FRAMES_COUNT ? json_count(to, f->name, count_of(r, f))
					     : json_decimal(to, f->name, frames_value(r, f));
	return ok;
}

static bool
append(cJSON *list, double n)
{
	cJSON *item = cJSON_CreateNumber(n);

	return item && cJSON_AddItemToArray(list, item);
}

static bool
add_fragments(const struct trial_fragments *f, cJSON *to)
{
	cJSON *item = cJSON_AddObjectToObject(to, "fragments");
	bool   ok = item && json_count(item, "free_pages", f->free_pages) &&
	    json_count(item, "total_pages", f->total_pages);
	cJSON *largest = ok ? cJSON_AddArrayToObject(item, "largest_order") : NULL;
	cJSON *met = largest ? cJSON_AddArrayToObject(item, "met") : NULL;
	cJSON *after = met ? cJSON_AddArrayToObject(item, "met_after") : NULL;

	ok = after;
	for (unsigned i = 0; ok && i <= FRAGMENT_SAMPLES; i++)
		ok = append(largest, f->largest[i]);
	for (unsigned k = 0; ok && k < f->orders; k++)
		ok = append(met, f->met[k]) && append(after, f->met_after[k]);
	return ok;
}

int
frames_json(const struct frames_report *r, FILE *out, struct error *e)
{
	cJSON *o = cJSON_CreateObject();

	return json_print(o,
	    o && cJSON_AddStringToObject(o, "allocator", r->allocator) &&
		cJSON_AddStringToObject(o, "workload", r->workload) &&
		cJSON_AddStringToObject(o, "machine", r->machine) &&
		json_count(o, "threads", r->shape.threads) &&
		json_count(o, "blocks", r->shape.blocks) &&
		json_count(o, "block_pages", r->shape.block_pages) &&
		json_count(o, "repeat", r->repeat) && add_figures(&r->result, frames_figures, o) &&
		(!r->latency || add_figures(&r->result, frames_latencies, o)) &&
		(!r->fragments || add_fragments(&r->result.fragments, o)),
	    out, e);
}

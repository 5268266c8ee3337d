/* curves_text.c - print points of miss-ratio curves. */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/number.h"
#include "sim/base/shared.h"
#include "sim/report/json.h"
#include "sim/report/trace/curves_text.h"

enum {
	PAGE = 80, /* characters */
	SIZE_COLUMNS = 25,
	RATIO = 8,
	RATIO_ERROR = 15, /* a ratio with its error */
};

/* The name of a policy in results. */
static const char *
name_of(const struct curves_report *r, unsigned policy, char room[SHARED_TEXT])
{
	return shared_shown(r->policy[policy], room);
}

void
curves_csv(const struct curves_report *r, FILE *out)
{
	const struct curves *c = r->curves;
	double		     all = (double)c->references;
	char		     name[SHARED_TEXT];

	fputs("trace,policy,cache_blocks,cache_bytes,footprint_blocks,references,misses,miss_ratio,"
	      "miss_ratio_error,sample\n",
	    out);
	for (unsigned p = 0; p < c->npolicies; p++)
		for (size_t i = 0; i < r->n; i++) {
			struct estimate m = curves_at(c, p, r->blocks[i]);

			csv_text(r->trace->name, out);
			putc(',', out);
			csv_text(name_of(r, p, name), out);
			fprintf(out,
			    ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			    ",%.0f,%.9g,%.9g,%.9g\n",
			    r->blocks[i], r->blocks[i] * r->trace->block_bytes, c->footprint,
			    c->references, m.misses, m.misses / all, m.error / all, r->sample);
		}
}

static bool
add_point(const struct curves_report *r, unsigned policy, uint64_t blocks, cJSON *to)
{
	const struct curves *c = r->curves;
	struct estimate	     m = curves_at(c, policy, blocks);
	double		     all = (double)c->references;
	char		     name[SHARED_TEXT], misses[NUMBER_TEXT];

	snprintf(misses, sizeof(misses), "%.0f", m.misses);
	return cJSON_AddStringToObject(to, "trace", r->trace->name) &&
	    cJSON_AddStringToObject(to, "policy", name_of(r, policy, name)) &&
	    json_count(to, "cache_blocks", blocks) &&
	    json_count(to, "cache_bytes", blocks * r->trace->block_bytes) &&
	    json_count(to, "footprint_blocks", c->footprint) &&
	    json_count(to, "references", c->references) &&
	    cJSON_AddRawToObject(to, "misses", misses) &&
	    json_decimal(to, "miss_ratio", m.misses / all) &&
	    json_decimal(to, "miss_ratio_error", m.error / all) &&
	    json_decimal(to, "sample", r->sample);
}

int
curves_json(const struct curves_report *r, FILE *out, struct error *e)
{
	for (unsigned p = 0; p < r->curves->npolicies; p++)
		for (size_t i = 0; i < r->n; i++) {
			cJSON *point = cJSON_CreateObject();

			if (json_print(point, point && add_point(r, p, r->blocks[i], point), out,
				e))
				return -1;
		}
	return 0;
}

/* ---- one policy ---- */

static void
print_curve(const struct curves_report *r, FILE *out)
{
	const struct curves *c = r->curves;
	char		     blocks[NUMBER_TEXT], size[NUMBER_TEXT], misses[NUMBER_TEXT];
	double		     all = (double)c->references;

	fprintf(out, "\n%13s %11s %11s %15s  %s\n", "cache blocks", "size", "footprint", "misses",
	    "miss ratio");
	for (size_t i = 0; i < r->n; i++) {
		struct estimate m = curves_at(c, 0, r->blocks[i]);

		fprintf(out, "%13s %11s %9.2f %% %15s %9.3f %%", number_group(blocks, r->blocks[i]),
		    number_bytes(size, r->blocks[i] * r->trace->block_bytes),
		    100 * (double)r->blocks[i] / (double)c->footprint,
		    number_group(misses, (uint64_t)(m.misses + 0.5)), 100 * m.misses / all);
		if (r->sample < 1)
			fprintf(out, " +- %.3f", 100 * m.error / all);
		putc('\n', out);
	}
}

/* ---- several policies ---- */

static int
column_width(const struct curves_report *r, unsigned policy)
{
	char room[SHARED_TEXT];
	int  name = (int)strlen(name_of(r, policy, room));
	int  value = r->sample < 1 ? RATIO_ERROR : RATIO;

	return 2 + (name > value ? name : value);
}

/* The first policy that has no room beside the one from which a table begins. */
static unsigned
table_end(const struct curves_report *r, unsigned first)
{
	int	 width = SIZE_COLUMNS;
	unsigned p = first;

	do
		width += column_width(r, p++);
	while (p < r->curves->npolicies && width + column_width(r, p) <= PAGE);
	return p;
}

static void
print_ratio(const struct curves_report *r, unsigned policy, uint64_t blocks, FILE *out)
{
	struct estimate m = curves_at(r->curves, policy, blocks);
	double		percent = 100 / (double)r->curves->references;
	char		text[NUMBER_TEXT];

	if (r->sample < 1)
		snprintf(text, sizeof(text), "%.2f +- %5.2f", percent * m.misses,
		    percent * m.error);
	else
		snprintf(text, sizeof(text), "%.3f", percent * m.misses);
	fprintf(out, "%*s", column_width(r, policy), text);
}

/* The policies first .. end - 1. */
static void
print_table(const struct curves_report *r, unsigned first, unsigned end, FILE *out)
{
	char blocks[NUMBER_TEXT], size[NUMBER_TEXT], name[SHARED_TEXT];

	fprintf(out, "\n%13s %11s", "cache blocks", "size");
	for (unsigned p = first; p < end; p++)
		fprintf(out, "%*s", column_width(r, p), name_of(r, p, name));
	for (size_t i = 0; i < r->n; i++) {
		fprintf(out, "\n%13s %11s", number_group(blocks, r->blocks[i]),
		    number_bytes(size, r->blocks[i] * r->trace->block_bytes));
		for (unsigned p = first; p < end; p++)
			print_ratio(r, p, r->blocks[i], out);
	}
	putc('\n', out);
}

/* "LRU", or as typed. */
static void
print_title(const struct curves_report *r, FILE *out)
{
	const struct curves *c = r->curves;
	char references[NUMBER_TEXT], blocks[NUMBER_TEXT], size[NUMBER_TEXT], name[SHARED_TEXT];

	fprintf(out, "%s: %s references to %s blocks (%s), ", r->trace->name,
	    number_group(references, c->references), number_group(blocks, c->footprint),
	    number_bytes(size, c->footprint * r->trace->block_bytes));
	if (c->npolicies > 1)
		fputs("miss ratios in %\n", out);
	else if (!strcmp(*r->policy, "lru"))
		fputs("LRU\n", out);
	else
		fprintf(out, "policy %s\n", name_of(r, 0, name));
	if (r->sample < 1)
		fprintf(out,
		    "estimated from %.3g %% of the blocks: +- is the largest distance of the true ratio, "
		    "with a confidence of 95 %%\n",
		    100 * c->rate);
}

void
curves_text(const struct curves_report *r, FILE *out)
{
	unsigned n = r->curves->npolicies;

	print_title(r, out);
	if (n == 1)
		print_curve(r, out);
	for (unsigned p = 0, end; n > 1 && p < n; p = end) {
		end = table_end(r, p);
		print_table(r, p, end, out);
	}
}

/*
 * share_report.c - the result of a run of shared memory.
 *
 * The counters of JSON and CSV have the names of the protocol's table.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/report/json.h"
#include "sim/studies/share/report/share_report.h"

enum { ANSWER_ROOM = 256 };

static const struct protocol *
protocol_of(const struct share_report *r)
{
	return (const struct protocol *)(const void *)r->result->protocol.plugin;
}

static const struct counter *
counters_of(const struct plugin *protocol)
{
	static const struct counter none = { 0 };

	return protocol->counters ? protocol->counters : &none;
}

static uint64_t
value_of(const struct share_report *r, const struct counter *c)
{
	return counter_value(r->result->protocol.self, c);
}

static uint64_t
part_of_all(const struct clocks *t, enum time_part part)
{
	uint64_t ns = 0;

	for (unsigned i = 0; i < t->processors; i++)
		ns += t->part_ns[i][part];
	return ns;
}

static double
speedup(const struct clocks *t, uint64_t elapsed)
{
	return elapsed ? (double)clocks_alone(t) / (double)elapsed : 0;
}

double
share_speedup(const struct share_result *r)
{
	return speedup(&r->clocks, r->elapsed_ns);
}

/* ---- for a person ---- */

static void
print_answer(const struct share_report *r, FILE *out)
{
	char text[ANSWER_ROOM];

	protocol_of(r)->answer(r->result->protocol.self, text, sizeof(text));
	fprintf(out, "%s\n\n", text);
}

static void
print_counter(const struct share_report *r, const struct counter *c, FILE *out)
{
	char label[NUMBER_TEXT], n[NUMBER_TEXT];

	snprintf(label, sizeof(label), "%s", c->name);
	text_replace(label, '_', ' ');
	fprintf(out, "%-16s %13s  %s\n", label, number_group(n, value_of(r, c)), c->meaning);
}

static void
print_sharing(const struct sharing *s, FILE *out)
{
	char n[NUMBER_TEXT];

	fprintf(out, "\nfalse sharing of %s words, by degree: %.3f on average\n",
	    number_group(n, s->words), s->mean);
	fprintf(out, "  of words  0: %.1f %%", number_percent(s->none, s->words));
	for (unsigned i = 0; i < SHARING_BINS; i++)
		if (s->bin[i])
			fprintf(out, ", to %.1f: %.1f %%", (i + 1) / (double)SHARING_BINS,
			    number_percent(s->bin[i], s->words));
	putc('\n', out);
}

static void
print_caution(uint64_t faults, uint64_t elapsed, FILE *out)
{
	if (faults > elapsed / 2)
		fputs("  Turns go on during a fault, so two processors can take a page from each\n"
		      "  other at every reference. At such costs they would do so less often: the\n"
		      "  time compares settings, and is that of no machine (docs/share.md).\n",
		    out);
}

/* The mean of all processors, as a share of the time until the last one ended. */
static void
print_times(const struct clocks *t, uint64_t elapsed, FILE *out)
{
	uint64_t busy = 0;
	char	 n[NUMBER_TEXT], alone[NUMBER_TEXT];

	fprintf(out, "\n%-16s %13s  the parts: mean of %u processor%s\n", "modelled time",
	    number_time(n, elapsed / 1000), t->processors, t->processors == 1 ? "" : "s");
	for (unsigned part = 0; part < TIME_PARTS; part++) {
		uint64_t ns = part_of_all(t, part) / t->processors;

		busy += ns;
		if (ns)
			fprintf(out, "  %-14s %13s  %.1f %%\n", time_part_names[part],
			    number_time(n, ns / 1000), number_percent(ns, elapsed));
	}
	if (busy < elapsed)
		fprintf(out, "  %-14s %13s  %.1f %%\n", "not running",
		    number_time(n, (elapsed - busy) / 1000),
		    number_percent(elapsed - busy, elapsed));
	fprintf(out, "%-16s %13.4g  one processor alone, without faults: %s\n", "speed-up",
	    speedup(t, elapsed), number_time(alone, clocks_alone(t) / 1000));
}

void
share_settings_print(const struct share_report *r, FILE *out)
{
	char page[NUMBER_TEXT];

	fprintf(out, "protocol %s, allocator %s, pages of %s, ", r->protocol, r->allocator,
	    number_format(page, r->config->page_bytes, PARAM_BYTES));
	if (r->config->nodes < share_processors(r->config, r->program))
		fprintf(out, "%u node%s, ", r->config->nodes, r->config->nodes == 1 ? "" : "s");
	fprintf(out, "from %s, cold by %s\n", r->from, r->cold);
	fprintf(out, "order %s, costs %s\n", r->order, r->costs);
}

static void
print_program(const struct program *p, FILE *out)
{
	char n[NUMBER_TEXT];

	putc('\n', out);
	text_print(p->name, out);
	fprintf(out, ": %u processor%s, ", p->processors, p->processors == 1 ? "" : "s");
	text_print(p->problem, out);
	fprintf(out, ", %s objects\n", number_group(n, p->nobjects));
}

static void
print_placing(const struct late_placing *p, FILE *out)
{
	char n[NUMBER_TEXT], temporary[NUMBER_TEXT], moved[NUMBER_TEXT];

	if (p->temporary_bytes)
		fprintf(out,
		    "%-16s %13s  objects, at their first reference: %s bytes of temporary addresses, %s moved\n",
		    "placed late", number_group(n, p->objects),
		    number_group(temporary, p->temporary_bytes),
		    number_group(moved, p->moved_bytes));
}

void
share_text(const struct share_report *r, FILE *out)
{
	const struct share_result *s = r->result;
	char			   n[NUMBER_TEXT];

	print_answer(r, out);
	fprintf(out, "%-16s %13s  %.1f %% of them writes\n", "references",
	    number_group(n, s->references), number_percent(s->writes, s->references));
	for (const struct counter *c = counters_of(r->result->protocol.plugin); c->name; c++)
		print_counter(r, c, out);
	fprintf(out, "%-16s %13s  with objects on them\n", "pages", number_group(n, s->pages));
	print_placing(&s->late, out);
	print_times(&s->clocks, s->elapsed_ns, out);
	if (!r->config->in_time)
		print_caution(part_of_all(&s->clocks, TIME_FAULT) / s->clocks.processors,
		    s->elapsed_ns, out);
	print_sharing(&s->sharing, out);
	print_program(r->program, out);
	share_settings_print(r, out);
}

/* ---- for programs ---- */

/* The counter of that name, or NULL. */
static const struct counter *
find_counter(const struct plugin *protocol, const char *name)
{
	for (const struct counter *c = counters_of(protocol); c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

void
share_columns_add(struct share_columns *columns, const struct plugin *protocol)
{
	for (const struct counter *c = counters_of(protocol); c->name; c++) {
		unsigned i = 0;

		while (i < columns->n && strcmp(columns->name[i], c->name) != 0)
			i++;
		if (i == columns->n && i < SHARE_COLUMNS)
			columns->name[columns->n++] = c->name;
	}
}

void
share_csv_names(const struct share_columns *c, FILE *out)
{
	fputs(
	    "trace,processors,protocol,allocator,page_bytes,nodes,from,cold,order,costs,references,writes",
	    out);
	for (unsigned i = 0; i < c->n; i++)
		fprintf(out, ",%s", c->name[i]);
	fputs(",pages,false_sharing,elapsed_us,speedup", out);
	for (unsigned part = 0; part < TIME_PARTS; part++)
		fprintf(out, ",%s_us", time_part_names[part]);
	fputs(",placed_late,temporary_bytes,moved_bytes", out);
	putc('\n', out);
}

void
share_csv(const struct share_report *r, const struct share_columns *c, FILE *out)
{
	const struct share_result *s = r->result;

	csv_text(r->program->name, out);
	fprintf(out, ",%u,", r->result->clocks.processors);
	csv_text(r->protocol, out);
	putc(',', out);
	csv_text(r->allocator, out);
	fprintf(out, ",%u,%u,%s,%s,%s,", r->config->page_bytes, r->config->nodes, r->from, r->cold,
	    r->order);
	csv_text(r->costs, out);
	fprintf(out, ",%" PRIu64 ",%" PRIu64, s->references, s->writes);
	for (unsigned i = 0; i < c->n; i++) {
		const struct counter *counter = find_counter(s->protocol.plugin, c->name[i]);

		putc(',', out);
		if (counter)
			fprintf(out, "%" PRIu64, value_of(r, counter));
	}
	fprintf(out, ",%u,%.9g,%.9g,%.9g", s->pages, s->sharing.mean, (double)s->elapsed_ns / 1000,
	    speedup(&s->clocks, s->elapsed_ns));
	for (unsigned part = 0; part < TIME_PARTS; part++)
		fprintf(out, ",%.9g", (double)part_of_all(&s->clocks, part) / 1000);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, s->late.objects, s->late.temporary_bytes,
	    s->late.moved_bytes);
	putc('\n', out);
}

static bool
add_counters(const struct share_report *r, cJSON *to)
{
	bool ok = true;

	for (const struct counter *c = counters_of(r->result->protocol.plugin); ok && c->name; c++)
		ok = json_count(to, c->name, value_of(r, c));
	return ok;
}

static bool
add_sharing(const struct sharing *s, cJSON *to)
{
	cJSON *item = cJSON_AddObjectToObject(to, "false_sharing");
	cJSON *list = item ? cJSON_AddArrayToObject(item, "words_by_tenth") : NULL;
	bool   ok = list && json_count(item, "words", s->words) &&
	    json_count(item, "words_without", s->none) && json_decimal(item, "mean", s->mean);

	for (unsigned i = 0; ok && i < SHARING_BINS; i++)
		ok = cJSON_AddItemToArray(list, cJSON_CreateNumber((double)s->bin[i]));
	return ok;
}

static bool
append_time(cJSON *list, uint64_t ns)
{
	char   text[NUMBER_TEXT];
	cJSON *item;

	snprintf(text, sizeof(text), "%.9g", (double)ns / 1000);
	item = cJSON_CreateRaw(text);
	return item && cJSON_AddItemToArray(list, item);
}

static uint64_t
all_of_processor(const struct clocks *t, unsigned processor)
{
	uint64_t ns = 0;

	for (unsigned part = 0; part < TIME_PARTS; part++)
		ns += t->part_ns[processor][part];
	return ns;
}

/* A list of each part, and of all parts, with a time for each processor. */
static bool
add_processors(const struct clocks *t, cJSON *to)
{
	for (unsigned part = 0; part <= TIME_PARTS; part++) {
		cJSON *list =
		    cJSON_AddArrayToObject(to, part < TIME_PARTS ? time_part_names[part] : "all");

		for (unsigned i = 0; list && i < t->processors; i++)
			if (!append_time(list,
				part < TIME_PARTS ? t->part_ns[i][part] : all_of_processor(t, i)))
				return false;
		if (!list)
			return false;
	}
	return true;
}

/* The sum of all processors, of each part and of all. */
static bool
add_sums(const struct clocks *t, cJSON *to)
{
	uint64_t all = 0;
	bool	 ok = true;

	for (unsigned part = 0; ok && part < TIME_PARTS; part++) {
		uint64_t ns = part_of_all(t, part);

		all += ns;
		ok = json_decimal(to, time_part_names[part], (double)ns / 1000);
	}
	return ok && json_decimal(to, "all", (double)all / 1000);
}

static bool
add_times(const struct clocks *t, uint64_t elapsed, cJSON *to)
{
	bool ok = json_decimal(to, "elapsed_us", (double)elapsed / 1000) &&
	    json_decimal(to, "alone_us", (double)clocks_alone(t) / 1000) &&
	    json_decimal(to, "speedup", speedup(t, elapsed));
	cJSON *sums = ok ? cJSON_AddObjectToObject(to, "sum_us") : NULL;
	cJSON *each =
	    sums && add_sums(t, sums) ? cJSON_AddObjectToObject(to, "processor_us") : NULL;

	return each && add_processors(t, each);
}

int
share_json(const struct share_report *r, FILE *out, struct error *e)
{
	const struct share_result *s = r->result;
	cJSON			  *o = cJSON_CreateObject();

	return json_print(o,
	    o && cJSON_AddStringToObject(o, "trace", r->program->name) &&
		cJSON_AddStringToObject(o, "problem", r->program->problem) &&
		json_count(o, "processors", s->clocks.processors) &&
		cJSON_AddStringToObject(o, "protocol", r->protocol) &&
		cJSON_AddStringToObject(o, "allocator", r->allocator) &&
		json_count(o, "page_bytes", r->config->page_bytes) &&
		json_count(o, "nodes", r->config->nodes) &&
		cJSON_AddStringToObject(o, "from", r->from) &&
		cJSON_AddStringToObject(o, "cold", r->cold) &&
		cJSON_AddStringToObject(o, "order", r->order) &&
		cJSON_AddStringToObject(o, "costs", r->costs) &&
		json_count(o, "reference_ns", s->cost.reference_ns) &&
		json_count(o, "references", s->references) && json_count(o, "writes", s->writes) &&
		add_counters(r, o) && json_count(o, "pages", s->pages) &&
		json_count(o, "placed_late", s->late.objects) &&
		json_count(o, "temporary_bytes", s->late.temporary_bytes) &&
		json_count(o, "moved_bytes", s->late.moved_bytes) &&
		add_times(&s->clocks, s->elapsed_ns, o) && add_sharing(&s->sharing, o),
	    out, e);
}

/*
 * record.c - a run as JSON and as a row of CSV, with names from stats.def,
 * ratios.def and the plug-ins.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/shared.h"
#include "sim/registry.h"
#include "sim/report/json.h"
#include "sim/report/record.h"

enum { VALUE_ROOM = SHARED_TEXT };

/* What identifies a run; the first columns. */
static const struct {
	const char    *name;
	enum option_id option; /* as typed */
} identity[] = {
	{ "policy", OPTION_policy },
	{ "prefetcher", OPTION_prefetch },
	{ "device", OPTION_device },
	{ "cache_blocks", OPTION_cache },
	{ "layout", OPTION_layout },
	{ "replay", OPTION_replay },
};
enum { IDENTITIES = sizeof(identity) / sizeof(*identity) };

static bool
is_identity(enum option_id id)
{
	for (unsigned i = 0; i < IDENTITIES; i++)
		if (identity[i].option == id)
			return true;
	return false;
}

bool
report_setting(const struct option_info *i)
{
	enum option_id id = (enum option_id)(i - option_info);

	return option_belongs(i, COMMAND_RUN) && i->argument && !is_identity(id) &&
	    id != OPTION_responses;
}

/* NULL: not given. */
static const char *
option_text(const struct report *r, enum option_id id, char text[VALUE_ROOM])
{
	return r->options->text[id] ? shared_shown(r->options->text[id], text) : NULL;
}

/* A few digits, all of them exact; false: 0/0, or unknown. */
static bool
ratio_text(const struct report *r, const struct ratio_info *i, char text[VALUE_ROOM])
{
	double value;

	if (!i->value(r->stats, r->trace->block_bytes, &value))
		return false;
	snprintf(text, VALUE_ROOM, "%.9g", value);
	return true;
}

/* False: this kind of run does not have the counter. */
static bool
count_text(uint64_t n, char text[VALUE_ROOM])
{
	snprintf(text, VALUE_ROOM, "%" PRIu64, n);
	return n != STAT_UNKNOWN;
}

/* The text of an identity. */
static const char *
identity_text(const struct report *r, unsigned i, char text[VALUE_ROOM])
{
	if (identity[i].option != OPTION_cache)
		return option_text(r, identity[i].option, text);
	count_text(r->config->cache_blocks, text);
	return text;
}

/* cJSON's own numbers are doubles: counters go in as text.  False: out of memory. */
static bool
json_identity(const struct report *r, cJSON *to)
{
	char text[VALUE_ROOM];
	bool ok = cJSON_AddStringToObject(to, "trace", r->trace->name);

	for (unsigned i = 0; ok && i < IDENTITIES; i++) {
		const char *value = identity_text(r, i, text);

		ok = (identity[i].option == OPTION_cache
			     ? cJSON_AddRawToObject(to, identity[i].name, value)
			     : cJSON_AddStringToObject(to, identity[i].name, value)) != NULL;
	}
	return ok;
}

static bool
json_figures(const struct report *r, cJSON *to)
{
	char text[VALUE_ROOM];
	bool ok = true;

	for (const struct counter *i = stat_info; ok && i->name; i++) {
		bool known = count_text(counter_value(r->stats, i), text);

		ok = cJSON_AddRawToObject(to, i->name, known ? text : "null");
	}
	for (struct own_counter i = { 0 }; ok && registry_next_counter(&i);) {
		bool known = count_text(stats_own(r->stats, i.plugin, i.counter), text);

		ok = cJSON_AddRawToObject(to, i.name, known ? text : "null");
	}
	for (const struct ratio_info *i = ratio_info; ok && i->name; i++)
		ok = cJSON_AddRawToObject(to, i->name, ratio_text(r, i, text) ? text : "null");
	return ok;
}

/* "flush-age": flush_age. */
static const char *
setting_key(const struct option_info *i, char key[VALUE_ROOM])
{
	snprintf(key, VALUE_ROOM, "%s", i->name);
	for (char *c = key; (c = strchr(c, '-'));)
		*c = '_';
	return key;
}

#define FINGERPRINT                                                                                \
	"fingerprint" /* the last column: identifies the trace independently of its name */

static void
fingerprint_text(const struct report *r, char text[VALUE_ROOM])
{
	snprintf(text, VALUE_ROOM, "%016" PRIx64, r->trace->fingerprint);
}

static bool
json_settings(const struct report *r, cJSON *to)
{
	char key[VALUE_ROOM], room[VALUE_ROOM];
	bool ok = true;

	for (const struct option_info *i = option_info; ok && i->name; i++) {
		const char *text = option_text(r, (enum option_id)(i - option_info), room);

		if (!report_setting(i))
			continue;
		setting_key(i, key);
		ok = text ? cJSON_AddStringToObject(to, key, text) != NULL
			  : cJSON_AddNullToObject(to, key) != NULL;
	}
	fingerprint_text(r, key);
	return ok && cJSON_AddStringToObject(to, FINGERPRINT, key);
}

/* Programs that ran at once. */
static bool
json_programs(const struct report *r, cJSON *to)
{
	cJSON *array = r->trace->nprograms ? cJSON_AddArrayToObject(to, "programs") : NULL;
	char   us[VALUE_ROOM];

	for (uint32_t i = 0; array && i < r->trace->nprograms; i++) {
		cJSON *one = cJSON_CreateObject();
		bool   known = r->program_us && count_text(r->program_us[i], us);

		if (!cJSON_AddItemToArray(array, one) ||
		    !cJSON_AddStringToObject(one, "trace", r->trace->program[i]) ||
		    !cJSON_AddRawToObject(one, "elapsed_us", known ? us : "null"))
			return false;
	}
	return array || !r->trace->nprograms;
}

int
report_json(const struct report *r, FILE *out, struct error *e)
{
	cJSON *object = cJSON_CreateObject();

	return json_print(object,
	    object && json_identity(r, object) && json_figures(r, object) &&
		json_settings(r, object) && json_programs(r, object),
	    out, e);
}

void
report_csv_header(FILE *out)
{
	char key[VALUE_ROOM];

	fputs("trace", out);
	for (unsigned i = 0; i < IDENTITIES; i++)
		fprintf(out, ",%s", identity[i].name);
	for (const struct counter *i = stat_info; i->name; i++)
		fprintf(out, ",%s", i->name);
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		fprintf(out, ",%s", i.name);
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		fprintf(out, ",%s", i->name);
	for (const struct option_info *i = option_info; i->name; i++)
		if (report_setting(i))
			fprintf(out, ",%s", setting_key(i, key));
	fputs("," FINGERPRINT "\n", out);
}

static const char *
setting_text(const struct report *r, const struct option_info *i, char text[VALUE_ROOM])
{
	const char *given = option_text(r, (enum option_id)(i - option_info), text);

	return given ? given : "-";
}

void
report_csv_row(const struct report *r, FILE *out)
{
	char text[VALUE_ROOM];

	csv_text(r->trace->name, out);
	for (unsigned i = 0; i < IDENTITIES; i++) {
		putc(',', out);
		csv_text(identity_text(r, i, text), out);
	}
	for (const struct counter *i = stat_info; i->name; i++)
		fprintf(out, ",%s", count_text(counter_value(r->stats, i), text) ? text : "-");
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		fprintf(out, ",%s",
		    count_text(stats_own(r->stats, i.plugin, i.counter), text) ? text : "-");
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		fprintf(out, ",%s", ratio_text(r, i, text) ? text : "-");
	for (const struct option_info *i = option_info; i->name; i++)
		if (report_setting(i)) {
			putc(',', out);
			csv_text(setting_text(r, i, text), out);
		}
	fingerprint_text(r, text);
	fprintf(out, ",%s\n", text);
}

void
report_csv(const struct report *r, FILE *out)
{
	report_csv_header(out);
	report_csv_row(r, out);
}

enum { KEY_SEPARATOR = 31 }; /* ASCII's unit separator */

void
report_key(const struct report *r, FILE *out)
{
	char text[VALUE_ROOM];

	fputs(r->trace->name, out);
	for (unsigned i = 0; i < IDENTITIES; i++)
		fprintf(out, "%c%s", KEY_SEPARATOR, identity_text(r, i, text));
	for (const struct option_info *i = option_info; i->name; i++)
		if (report_setting(i))
			fprintf(out, "%c%s", KEY_SEPARATOR, setting_text(r, i, text));
	fingerprint_text(r, text);
	fprintf(out, "%c%s", KEY_SEPARATOR, text);
}

void
report_key_of(char *const *field, unsigned n, FILE *out)
{
	unsigned settings = 1; /* the fingerprint */

	for (const struct option_info *i = option_info; i->name; i++)
		settings += report_setting(i);
	fputs(field[0], out);
	for (unsigned i = 1; i < n; i++)
		if (i <= IDENTITIES || i >= n - settings)
			fprintf(out, "%c%s", KEY_SEPARATOR, field[i]);
}

/*
 * run_data.c - a run as JSON and as a row of CSV, with names from stats.def,
 * ratios.def and the plug-ins.
 */
#include <inttypes.h>
#include <string.h>

#include "sim/base/csv.h"
#include "sim/base/number.h"
#include "sim/base/shared.h"
#include "sim/registry.h"
#include "sim/report/json.h"
#include "sim/report/run/parts_report.h"
#include "sim/report/run/run_data.h"

enum { VALUE_ROOM = SHARED_TEXT };

/*
 * Every value passes through one of these, in the order of the columns: a
 * number, or words; NULL: unknown, or not given.
 */
typedef void put_function(void *to, const char *name, const char *text, bool number);

struct sink {
	put_function *put;
	void	     *to;
};

static void
put_number(const struct sink *s, const char *name, const char *text)
{
	s->put(s->to, name, text, true);
}

static void
put_words(const struct sink *s, const char *name, const char *text)
{
	s->put(s->to, name, text && *text ? text : NULL, false);
}

static void
put_count(const struct sink *s, const char *name, uint64_t n)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	put_number(s, name, n == STAT_UNKNOWN ? NULL : text);
}

/* A few digits, all of them exact. */
static void
put_decimal(const struct sink *s, const char *name, double x)
{
	char text[NUMBER_TEXT];

	snprintf(text, sizeof(text), "%.9g", x);
	put_number(s, name, text);
}

static void
put_fingerprint(const struct sink *s, const char *name, uint64_t fingerprint)
{
	char text[FINGERPRINT_TEXT];

	put_words(s, name, fingerprint_text(fingerprint, text));
}

/* ---- what identifies a run; the first columns ---- */

static const enum option_id identity[] = { OPTION_policy, OPTION_prefetch, OPTION_device,
	OPTION_cache, OPTION_layout, OPTION_replay };

static bool
is_identity(enum option_id id)
{
	for (unsigned i = 0; i < sizeof(identity) / sizeof(*identity); i++)
		if (identity[i] == id)
			return true;
	return false;
}

bool
report_setting(const struct option_info *i)
{
	enum option_id id = (enum option_id)(i - option_info);

	return option_belongs(i, COMMAND_RUN) && i->argument && !is_identity(id) &&
	    !option_is_output(id) && id != OPTION_against && id != OPTION_parts_top &&
	    id != OPTION_pattern; /* the column trace has it */
}

static void
put_typed(const struct report *r, enum option_id id, const char *name, const struct sink *s)
{
	char text[VALUE_ROOM];

	put_words(s, name, r->options->text[id] ? shared_shown(r->options->text[id], text) : NULL);
}

static void
put_identity(const struct report *r, const struct sink *s)
{
	const uint64_t block_bytes = r->trace->block_bytes;

	put_words(s, "trace", r->trace->name);
	put_typed(r, OPTION_policy, "policy", s);
	put_typed(r, OPTION_prefetch, "prefetcher", s);
	put_typed(r, OPTION_device, "device", s);
	put_count(s, "cache_blocks", r->config->cache_blocks);
	put_count(s, "cache_bytes", r->config->cache_blocks * block_bytes);
	put_count(s, "block_bytes", block_bytes);
	put_typed(r, OPTION_layout, "layout", s);
	put_typed(r, OPTION_replay, "replay", s);
}

/* ---- what was counted ---- */

static void
put_ratio(const struct sink *s, const struct ratio_info *i, const struct stats *stats,
    uint32_t block_bytes)
{
	double value;

	if (i->value(stats, block_bytes, &value))
		put_decimal(s, i->name, value);
	else
		put_number(s, i->name, NULL);
}

static void
put_figures(const struct report *r, const struct sink *s)
{
	for (const struct counter *i = stat_info; i->name; i++)
		put_count(s, i->name, counter_value(r->stats, i));
	for (struct own_counter i = { 0 }; registry_next_counter(&i);)
		put_count(s, i.name, stats_own(r->stats, i.plugin, i.counter));
	for (const struct ratio_info *i = ratio_info; i->name; i++)
		put_ratio(s, i, r->stats, r->trace->block_bytes);
}

/* ---- the other settings ---- */

/* Words, even of 512 bytes: else the column would have both words and numbers. */
static void
put_block(const struct report *r, const struct sink *s)
{
	char text[NUMBER_TEXT];

	number_format(text, r->trace->block_bytes, PARAM_BYTES);
	if (strspn(text, "0123456789") == strlen(text))
		strcat(text, "B");
	put_words(s, "block", text);
}

/* "10%", "5000 calls", or nothing. */
static void
put_warmup(const struct report *r, const struct sink *s)
{
	const struct fraction *w = &r->options->warmup;
	char		       text[VALUE_ROOM] = "";

	if (w->calls)
		snprintf(text, sizeof(text), "%" PRIu64 " calls", w->calls);
	else if (w->fraction > 0)
		snprintf(text, sizeof(text), "%.9g%%", 100 * w->fraction);
	put_words(s, "warmup", text);
	put_count(s, "warmup_calls", r->config->warmup_calls);
}

/* As it was typed, and as a number if the words have a unit. */
static void
put_setting(const struct report *r, const struct option_info *i, const struct sink *s)
{
	const struct config *c = r->config;
	const enum option_id id = (enum option_id)(i - option_info);
	char		     name[COLUMN_ROOM];

	if (id == OPTION_queue)
		put_count(s, "queue", c->queue_requests);
	else if (id == OPTION_think_scale)
		put_decimal(s, "think_scale", c->think_scale);
	else if (id == OPTION_block)
		put_block(r, s);
	else if (id == OPTION_warmup)
		put_warmup(r, s);
	else
		put_typed(r, id, option_column(id, name), s);
	if (id == OPTION_flush_interval)
		put_count(s, "flush_interval_us", (uint64_t)c->flush_interval_us);
	else if (id == OPTION_flush_age)
		put_count(s, "flush_age_us", (uint64_t)c->flush_age_us);
	else if (id == OPTION_request)
		put_count(s, "request_blocks", c->request_blocks);
}

static int
identity_of(const struct report *r, struct identity *id, struct error *e)
{
	const struct choice *const choice[IDENTITY_PLUGINS] = { &r->config->policy,
		&r->config->prefetcher, &r->config->scheduler, &r->config->device };
	struct identity		   plugin[IDENTITY_PLUGINS];

	for (unsigned i = 0; i < IDENTITY_PLUGINS; i++)
		if (identity_of_choice(choice[i], &plugin[i], e))
			return -1;
	*id = identity_of_run(plugin, r->config, r->trace->block_bytes, r->options);
	return 0;
}

static void
put_settings(const struct report *r, const struct identity *id, const struct sink *s)
{
	for (const struct option_info *i = option_info; i->name; i++)
		if (report_setting(i))
			put_setting(r, i, s);
	put_fingerprint(s, "settings_fingerprint", id->settings);
	put_fingerprint(s, "files_fingerprint", id->files);
	put_fingerprint(s, "fingerprint", r->trace->fingerprint);
}

/* What CSV and JSON have in common, in the order of the columns. */
static void
put_run(const struct report *r, const struct identity *id, const struct sink *s)
{
	put_identity(r, s);
	put_figures(r, s);
	put_settings(r, id, s);
}

/* ---- JSON ---- */

struct json {
	cJSON *object;
	bool   ok; /* else memory is lacking */
};

/* cJSON's own numbers are doubles: counters go in as text. */
static void
put_json(void *to, const char *name, const char *text, bool number)
{
	struct json *j = to;

	if (!text)
		j->ok = j->ok && cJSON_AddNullToObject(j->object, name);
	else if (number)
		j->ok = j->ok && cJSON_AddRawToObject(j->object, name, text);
	else
		j->ok = j->ok && cJSON_AddStringToObject(j->object, name, text);
}

/* Programs that ran at once. */
static bool
json_programs(const struct trace *t, const uint64_t *us, cJSON *to)
{
	cJSON *array = t->nprograms ? cJSON_AddArrayToObject(to, "programs") : NULL;

	for (uint32_t i = 0; array && i < t->nprograms; i++) {
		struct json	  one = { cJSON_CreateObject(), true };
		const struct sink s = { put_json, &one };

		if (!cJSON_AddItemToArray(array, one.object))
			return false;
		put_words(&s, "trace", t->program[i]);
		put_count(&s, "elapsed_us", us ? us[i] : STAT_UNKNOWN);
		if (!one.ok)
			return false;
	}
	return array || !t->nprograms;
}

static const struct ratio_info *
ratio_named(const char *name)
{
	const struct ratio_info *i = ratio_info;

	while (strcmp(i->name, name) != 0)
		i++;
	return i;
}

/* The same run without prefetching, as far as the report compares both. */
static bool
json_baseline(const struct report *r, cJSON *to)
{
	const struct stats *without = r->without;
	struct json	    j = { cJSON_AddObjectToObject(to, "baseline"), true };
	const struct sink   s = { put_json, &j };

	put_words(&s, "prefetcher", "none");
	put_count(&s, "elapsed_us", without->elapsed_us);
	put_ratio(&s, ratio_named("hit_ratio"), without, r->trace->block_bytes);
	put_count(&s, "read_requests", without->read_requests);
	return j.ok && json_programs(r->trace, r->program_us_without, j.object);
}

/* The time of the run as a multiple of that without prefetching. */
static bool
json_comparison(const struct report *r, cJSON *to)
{
	struct json	  j = { to, true };
	const struct sink s = { put_json, &j };
	const uint64_t	  us = r->without ? r->without->elapsed_us : 0;

	if (us && us != STAT_UNKNOWN)
		put_decimal(&s, "relative_time", (double)r->stats->elapsed_us / (double)us);
	else
		put_number(&s, "relative_time", NULL);
	if (r->without)
		return j.ok && json_baseline(r, to);
	put_words(&s, "baseline", NULL);
	return j.ok;
}

/* The best that is possible, as far as it is known. */
static bool
json_possible(const struct report *r, cJSON *to)
{
	const struct possible *p = r->possible;
	uint64_t	       none_us = (r->without ? r->without : r->stats)->elapsed_us;
	struct json	       j = { p ? cJSON_AddObjectToObject(to, "possible") : NULL, true };
	const struct sink      s = { put_json, &j };
	double		       share;

	if (!p)
		return true;
	put_words(&s, "prefetcher", p->oracle);
	put_words(&s, "scheduler", p->scheduler);
	put_count(&s, "elapsed_us", p->oracle_us);
	if (possible_share(p, r->stats->elapsed_us, none_us, &share))
		put_decimal(&s, "share", share);
	else
		put_number(&s, "share", NULL);
	put_count(&s, "least_reads", p->loads);
	put_count(&s, "least_read_us", p->loads_us ? p->loads_us : STAT_UNKNOWN);
	put_count(&s, "least_busy_us", r->stats->think_us + r->stats->cpu_us);
	return j.ok;
}

int
report_json(const struct report *r, FILE *out, struct error *e)
{
	struct json	  run = { NULL, true };
	const struct sink s = { put_json, &run };
	struct identity	  id;

	if (identity_of(r, &id, e))
		return -1;
	run.object = cJSON_CreateObject();
	put_run(r, &id, &s);
	return json_print(run.object,
	    run.ok && json_programs(r->trace, r->program_us, run.object) &&
		json_comparison(r, run.object) && json_possible(r, run.object) &&
		parts_json(r, run.object),
	    out, e);
}

int
report_json_row(const struct report *r, FILE *out, struct error *e)
{
	struct json	  row = { NULL, true };
	const struct sink s = { put_json, &row };
	struct identity	  id;

	if (identity_of(r, &id, e))
		return -1;
	row.object = cJSON_CreateObject();
	put_run(r, &id, &s);
	return json_print(row.object, row.ok, out, e);
}

/* ---- CSV ---- */

struct line {
	FILE *out;
	bool  begun;
};

static void
put_comma(struct line *l)
{
	if (l->begun)
		putc(',', l->out);
	l->begun = true;
}

static void
put_name(void *to, const char *name, const char *text, bool number)
{
	struct line *l = to;

	put_comma(l);
	fputs(name, l->out);
}

static void
put_field(void *to, const char *name, const char *text, bool number)
{
	struct line *l = to;

	put_comma(l);
	if (text)
		csv_text(text, l->out);
}

static void
put_line(const struct report *r, const struct identity *id, put_function *put, FILE *out)
{
	struct line	  l = { .out = out };
	const struct sink s = { put, &l };

	put_run(r, id, &s);
	putc('\n', out);
}

void
report_csv_header(FILE *out)
{
	static const struct identity unknown;
	static const struct options  options;
	static const struct config   config;
	static const struct trace    trace;
	static const struct stats    stats;
	const struct report	     nothing = { .options = &options,
			 .config = &config,
			 .trace = &trace,
			 .stats = &stats };

	put_line(&nothing, &unknown, put_name, out);
}

int
report_csv_row(const struct report *r, FILE *out, struct error *e)
{
	struct identity id;

	if (identity_of(r, &id, e))
		return -1;
	put_line(r, &id, put_field, out);
	return 0;
}

int
report_csv(const struct report *r, FILE *out, struct error *e)
{
	struct identity id;

	if (identity_of(r, &id, e))
		return -1;
	report_csv_header(out);
	put_line(r, &id, put_field, out);
	return 0;
}

/* ---- keys ---- */

enum { KEY_SEPARATOR = 31 }; /* ASCII's unit separator */

void
report_key(const struct trace *t, const struct identity *id, enum key_kind kind, FILE *out)
{
	char  settings[FINGERPRINT_TEXT], files[FINGERPRINT_TEXT], trace[FINGERPRINT_TEXT];
	char *field[] = { t->name, fingerprint_text(id->settings, settings),
		fingerprint_text(id->files, files), fingerprint_text(t->fingerprint, trace) };

	report_key_of(field, 4, kind, out);
}

void
report_key_of(char *const *field, unsigned n, enum key_kind kind, FILE *out)
{
	fprintf(out, "%s%c%s", field[0], KEY_SEPARATOR, field[n - 3]);
	if (kind == KEY_WHOLE)
		fprintf(out, "%c%s%c%s", KEY_SEPARATOR, field[n - 2], KEY_SEPARATOR, field[n - 1]);
}

/* report.c - print the counters of a run, for a person: one screen, which may change. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/registry.h"
#include "sim/report/notes.h"
#include "sim/report/run/answer.h"
#include "sim/report/run/parts_report.h"
#include "sim/report/run/report.h"
#include "sim/report/run/run_data.h"
#include "sim/report/waits.h"

enum { WORDS_ROOM = 64 };

/* Short-lived text for one printf. */
enum { ROTATION = 16 };

static char *
scratch(void)
{
	static char	buf[ROTATION][NUMBER_TEXT];
	static unsigned next;

	return buf[next++ % ROTATION];
}

static const char *
count(uint64_t n)
{
	return number_group(scratch(), n);
}

/* "1 block", "2,048 blocks" */
static const char *
counted(uint64_t n, const char *noun)
{
	char *text = scratch();

	snprintf(text, NUMBER_TEXT, "%s %s%s", count(n), noun, n == 1 ? "" : "s");
	return text;
}

static const char *
duration(uint64_t us)
{
	return number_time(scratch(), us);
}

/* A response time; all are in one unit, for comparison. */
static const char *
milliseconds(uint64_t us)
{
	char *text = scratch();

	snprintf(text, NUMBER_TEXT, "%s.%03u ms", count(us / 1000), (unsigned)(us % 1000));
	return text;
}

static const char *
percent(uint64_t part, uint64_t whole)
{
	char *text = scratch();

	if (whole)
		snprintf(text, NUMBER_TEXT, "%.1f %%", 100 * (double)part / (double)whole);
	return whole ? text : "-";
}

/* A ratio by its name in ratios.def, times scale; "-" for 0/0. */
static const char *
ratio(const struct report *r, const char *name, double scale, const char *unit)
{
	const struct ratio_info *i = ratio_info;
	char			*text = scratch();
	double			 value;

	while (strcmp(i->name, name))
		i++;
	if (!i->value(r->stats, r->trace->block_bytes, &value))
		return "-";
	snprintf(text, NUMBER_TEXT, "%.*f%s", scale == 100 ? 1 : 2, scale * value, unit);
	return text;
}

static const char *
size(const struct report *r, uint64_t blocks)
{
	return number_bytes(scratch(), blocks * r->trace->block_bytes);
}

/* Settings that differ from their defaults and are not printed elsewhere. */
static void
print_settings(const struct options *o, FILE *out)
{
	const char *comma = "with";

	for (const struct option_info *i = option_info; i->name; i++) {
		const char *text = o->text[i - option_info];

		if (report_setting(i) && text && i != &option_info[OPTION_scheduler] &&
		    (!i->initial || strcmp(text, i->initial))) {
			fprintf(out, "%s %s %s", comma, i->name, text);
			comma = ",";
		}
	}
	if (*comma == ',')
		putc('\n', out);
}

/* What the processor costs if the data sheet says so; else it is among the settings. */
static void
print_costs(const struct report *r, FILE *out)
{
	char text[CPU_COSTS_TEXT];

	if (r->options->cpu.from == CPU_OF_SHEET && cpu_costs_any(&r->config->cpu))
		fprintf(out, "processor: %s, from the data sheet\n",
		    cpu_costs_words(r->config->cpu, text));
}

static uint64_t
counted_calls(const struct report *r)
{
	return r->trace->naccess - r->config->warmup_calls;
}

/* The head of a report without a cache. */
static void
print_device_run(const struct report *r, FILE *out)
{
	const struct options *o = r->options;

	fprintf(out, "%s: %s to %s, each one request to the device: no cache\n", r->trace->name,
	    counted(counted_calls(r), "call"), counted(r->trace->nfiles, "file"));
	fprintf(out, "device %s, scheduler %s, queue %s, replay %s", o->device, o->scheduler,
	    o->text[OPTION_queue], o->text[OPTION_replay]);
	if (r->config->think_scale != 1)
		fprintf(out, ", think-scale %s", o->text[OPTION_think_scale]);
	putc('\n', out);
}

static void
print_run(const struct report *r, FILE *out)
{
	const struct trace   *t = r->trace;
	const struct options *o = r->options;

	if (!r->config->cache_blocks) {
		print_device_run(r, out);
		return;
	}
	if (r->config->replay == REPLAY_UNTIMED) {
		fprintf(out, "%s: %s to %s\n", t->name, counted(counted_calls(r), "call"),
		    counted(t->nfiles, "file"));
		fprintf(out, "cache of %s (%s), policy %s, replay untimed\n",
		    counted(r->config->cache_blocks, "block"), size(r, r->config->cache_blocks),
		    o->policy);
		return;
	}
	fprintf(out, "%s: %s, %s to %s (%s) of %s\n", t->name, counted(counted_calls(r), "call"),
	    counted(r->stats->references, "reference"),
	    counted(r->stats->touched_blocks, r->config->warmup_calls ? "new block" : "block"),
	    size(r, r->stats->touched_blocks), counted(t->nfiles, "file"));
	fprintf(out, "cache of %s (%s), policy %s, prefetch %s\n",
	    counted(r->config->cache_blocks, "block"), size(r, r->config->cache_blocks), o->policy,
	    o->prefetch);
	fprintf(out, "device %s, scheduler %s, layout %s, replay %s\n", o->device, o->scheduler,
	    o->text[OPTION_layout], o->text[OPTION_replay]);
	print_settings(o, out);
	print_costs(r, out);
}

/* ---- where the time went ---- */

static void
print_share(const char *indent, const char *what, uint64_t us, uint64_t all, FILE *out)
{
	fprintf(out, "%s%-*s %13s %7s", indent, 28 - (int)strlen(indent), what, duration(us),
	    percent(us, all));
}

/* The causes of stalls that occurred, the largest first, as shares of all time. */
static void
print_waits(const struct stats *s, uint64_t all, FILE *out)
{
	unsigned order[WAITS], n = 0;

	for (unsigned i = 0; i < WAITS; i++) {
		unsigned at = n++;

		for (; at && wait_us(s, order[at - 1]) < wait_us(s, i); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (unsigned i = 0; i < n && wait_us(s, order[i]); i++) {
		print_share("    ", wait_info[order[i]].what, wait_us(s, order[i]), all, out);
		putc('\n', out);
	}
}

static void
print_time(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	bool		    open = r->config->replay == REPLAY_OPEN;
	uint64_t	    all = s->stall_us + s->cpu_us + (open ? 0 : s->think_us);

	fprintf(out, "%-28s %13s", "elapsed", duration(s->elapsed_us));
	if (r->config->replay == REPLAY_PROCESS)
		fprintf(out, "; %s processes together", count(r->trace->nprocesses));
	else if (!open && r->trace->nprograms)
		fprintf(out, "; %s programs together", count(r->trace->nprograms));
	putc('\n', out);
	if (!open) {
		print_share("  ", "think", s->think_us, all, out);
		putc('\n', out);
	}
	if (s->cpu_us) {
		print_share("  ", "processor", s->cpu_us, all, out);
		putc('\n', out);
	}
	print_share("  ", open ? "stall of all calls" : "stall", s->stall_us, all, out);
	fputs(s->stall_us ? ", waiting for\n" : "\n", out);
	print_waits(s, all, out);
	if (s->wait_process_us)
		fprintf(out, "  %-26s %13s for other processes\n", "wait",
		    duration(s->wait_process_us));
}

static void
print_responses(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;

	if (!s->response_calls || s->response_calls == STAT_UNKNOWN)
		return;
	fprintf(out, "response    %13s on average\n",
	    milliseconds(s->response_us / s->response_calls));
	fprintf(out, "  50 %%      %13s, 90 %% %s, 99 %% %s\n", milliseconds(s->response_p50_us),
	    milliseconds(s->response_p90_us), milliseconds(s->response_p99_us));
	fprintf(out, "  99.9 %%    %13s, longest %s\n", milliseconds(s->response_p999_us),
	    milliseconds(s->response_max_us));
	fprintf(out, "under way   %13s calls on average, at most %s\n",
	    ratio(r, "outstanding_mean", 1, ""), count(s->outstanding_max));
}

static void
print_references(const struct stats *s, FILE *out)
{
	fprintf(out, "references  %13s, %s of them writes\n", count(s->references),
	    percent(s->write_references, s->references));
	fprintf(out, "  hits      %13s %7s", count(s->hits), percent(s->hits, s->references));
	if (s->prefetched_blocks && s->prefetched_blocks != STAT_UNKNOWN)
		fprintf(out, ", %s of them first uses of prefetches", count(s->first_hits));
	putc('\n', out);
	if (s->late_hits)
		fprintf(out, "  late hits %13s %7s, prefetched but still being read\n",
		    count(s->late_hits), percent(s->late_hits, s->references));
	if (s->delayed_hits)
		fprintf(out, "  delayed hits %10s %7s, being read or written for another reason\n",
		    count(s->delayed_hits), percent(s->delayed_hits, s->references));
	fprintf(out, "  misses    %13s %7s", count(s->misses), percent(s->misses, s->references));
	if (s->cold_misses != STAT_UNKNOWN)
		fprintf(out, ", %s of them never referenced before", count(s->cold_misses));
	putc('\n', out);
}

static void
print_evictions(const struct stats *s, FILE *out)
{
	fprintf(out, "evictions   %13s\n", count(s->evictions));
}

/*
 * The device's time for reads is divided equally among all blocks that were read: what each class
 * took of it is an attribution.  age: a median, or STAT_UNKNOWN.
 */
static void
print_outcome(const struct stats *s, const char *name, uint64_t blocks, const char *what,
    uint64_t age, FILE *out)
{
	double busy = (double)(s->demand_busy_us + s->prefetch_busy_us);
	double each = s->read_blocks ? busy / (double)s->read_blocks : 0;

	fprintf(out, "  %-10s%13s %7s %13s  %s", name, count(blocks),
	    percent(blocks, s->prefetched_blocks),
	    duration((uint64_t)((double)blocks * each + 0.5)), what);
	if (age != STAT_UNKNOWN)
		fprintf(out, " (age %s)", duration(age));
	putc('\n', out);
}

static void
print_outcomes(const struct stats *s, FILE *out)
{
	print_outcome(s, "timely", s->outcome_timely_blocks, "used in time",
	    s->prefetch_used_age_p50_us, out);
	print_outcome(s, "late", s->outcome_late_blocks, "used late", STAT_UNKNOWN, out);
	print_outcome(s, "costly", s->outcome_costly_blocks, "used, its victim missed",
	    STAT_UNKNOWN, out);
	print_outcome(s, "useless", s->outcome_useless_blocks, "evicted unused",
	    s->prefetch_wasted_age_p50_us, out);
	print_outcome(s, "polluting", s->outcome_polluting_blocks, "unused, its victim missed",
	    STAT_UNKNOWN, out);
	print_outcome(s, "left", s->prefetch_unused_blocks + s->prefetch_inflight_blocks,
	    "unused at the end", STAT_UNKNOWN, out);
}

static void
print_pollution(const struct stats *s, FILE *out)
{
	fprintf(out, "pollution   %13s misses of what a prefetch had evicted, %s unused\n",
	    count(s->pollution_victim_misses), count(s->pollution_thrash_misses));
	if (s->pollution_misses != STAT_UNKNOWN)
		fprintf(out,
		    "  caused    %13s misses that are hits without prefetching\n"
		    "  covered   %13s hits and late hits that are misses without it\n",
		    count(s->pollution_misses), count(s->covered_references));
}

static void
print_prefetching(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;

	if (!s->prefetched_blocks && !s->planned_blocks)
		return;
	fprintf(out, "prefetched  %13s %-7s %13s\n", count(s->prefetched_blocks), "blocks",
	    "device time");
	fprintf(out, "  accuracy  %13s, coverage %s, timeliness %s\n",
	    ratio(r, "accuracy", 100, " %"), ratio(r, "coverage", 100, " %"),
	    ratio(r, "timeliness", 100, " %"));
	print_outcomes(s, out);
	print_pollution(s, out);
}

/* "vetoed_blocks": "vetoed blocks" */
static const char *
words_of(const char *name, char text[WORDS_ROOM])
{
	snprintf(text, WORDS_ROOM, "%s", name);
	text_replace(text, '_', ' ');
	return text;
}

/* The counters of a plug-in; those of 0 are left out. */
static void
print_counted(const struct plugin_stats *p, FILE *out)
{
	const struct counter *all = p->plugin->counters;
	char		      name[WORDS_ROOM];

	fprintf(out, "counted by %s\n", p->plugin->name);
	for (const struct counter *c = all; c->name; c++) {
		uint64_t n = p->value[c - all];
		bool	 time = !strcmp(c->unit, "us");

		if (n)
			fprintf(out, "  %-24s %13s%s%s\n", words_of(c->name, name),
			    time ? duration(n) : count(n), time ? "" : " ", time ? "" : c->unit);
	}
}

static void
print_own(const struct stats *s, FILE *out)
{
	for (const struct plugin_stats *t = s->own; t < s->own + PLUGIN_STATS_MAX && t->plugin; t++)
		print_counted(t, out);
}

static void
print_advice(const struct stats *s, FILE *out)
{
	if (s->advices)
		fprintf(out, "advice      %13s calls: %s blocks read ahead, %s dropped\n",
		    count(s->advices), count(s->advice_read_blocks),
		    count(s->advice_dropped_blocks));
}

static void
print_sizes(const struct report *r, FILE *out)
{
	const struct stats	*s = r->stats;
	static const char *const label[SIZE_CLASSES] = { "1", "2", "3-4", "5-8", "9-16", "17-32",
		"33-64", "more" };
	const uint64_t		 n[SIZE_CLASSES] = { s->size_1_requests, s->size_2_requests,
			  s->size_3_requests, s->size_5_requests, s->size_9_requests, s->size_17_requests,
			  s->size_33_requests, s->size_65_requests };
	const char		*comma = "";

	fprintf(out, "  size      %13s blocks on average\n  of blocks ",
	    ratio(r, "mean_request_blocks", 1, ""));
	for (unsigned i = 0; i < SIZE_CLASSES; i++) {
		if (!n[i])
			continue;
		fprintf(out, "%s %s: %s", comma, label[i],
		    percent(n[i], s->read_requests + s->write_requests));
		comma = ",";
	}
	putc('\n', out);
}

/* Of the powers of two, some together. */
static void
print_seeks(const struct report *r, FILE *out)
{
	static const struct {
		const char *label;
		unsigned    first, last;
	} bin[] = { { "0", 0, 0 }, { "1", 1, 1 }, { "2-15", 2, 4 }, { "16-255", 5, 8 },
		{ "256-4095", 9, 12 }, { "more", 13, SEEK_CLASSES - 1 } };
	const struct stats *s = r->stats;
	const char	   *comma = "";

	fputs(config_device(r->config)->cylinder ? "  cylinders " : "  distance  ", out);
	for (unsigned i = 0; i < sizeof(bin) / sizeof(*bin); i++) {
		uint64_t n = 0;

		for (unsigned k = bin[i].first; k <= bin[i].last; k++)
			n += (&s->seek_0_requests)[k];
		if (!n)
			continue;
		fprintf(out, "%s %s: %s", comma, bin[i].label,
		    percent(n, s->read_requests + s->write_requests));
		comma = ",";
	}
	putc('\n', out);
}

static void
print_requests(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;

	fprintf(out, "requests    %13s: %s demand, %s prefetch, %s write\n",
	    count(s->read_requests + s->write_requests), count(s->demand_requests),
	    count(s->prefetch_requests), count(s->write_requests));
	if (!(s->read_requests + s->write_requests))
		return;
	print_sizes(r, out);
	print_seeks(r, out);
}

static void
print_device(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	const struct {
		const char *what;
		uint64_t    us;
	} part[SERVICE_PARTS] = {
		{ "queue", s->device_queue_us },
		{ "overhead", s->overhead_us },
		{ "seek", s->seek_us },
		{ "rotation", s->rotation_us },
		{ "transfer", s->transfer_us },
		{ "bus", s->bus_us },
	};
	const char *comma = "  of that   ";

	fprintf(out, "device busy %13s %7s\n", duration(s->device_busy_us),
	    percent(s->device_busy_us, s->elapsed_us));
	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		if (part[i].us) {
			fprintf(out, "%s %s %s", comma, part[i].what,
			    percent(part[i].us, s->device_busy_us));
			comma = ",";
		}
	if (s->device_busy_us)
		putc('\n', out);
	if (s->device_busy_us && s->read_blocks != STAT_UNKNOWN)
		fprintf(out, "  bandwidth %13s used by the application, %s moved\n",
		    ratio(r, "effective_bandwidth", 1, " MB/s"),
		    ratio(r, "raw_bandwidth", 1, " MB/s"));
}

/* The innermost prefetcher, which plans; its controllers only restrict it. */
static const struct prefetcher *
innermost(const struct config *cfg)
{
	const struct choice *c = &cfg->prefetcher;

	while (c->inner)
		c = c->inner;
	return prefetcher_of(c);
}

/* Processes wait for each other only if the trace says so, and there is a cache. */
static void
print_process_note(const struct report *r, FILE *out)
{
	uint64_t broken = r->stats->broken_waits;

	if (!r->trace->nsteps || !r->config->cache_blocks)
		fputs("note: every process starts at its time in the trace: if one waited for "
		      "another, use --replay serial\n",
		    out);
	else if (broken)
		fprintf(out,
		    "note: the trace is damaged: all processes waited for each other, and %s had "
		    "to end\n",
		    counted(broken, "wait"));
}

/* Advice of the trace that had no effect, though the user may expect one. */
static void
print_advice_note(const struct report *r, FILE *out)
{
	const struct prefetcher *p = innermost(r->config);
	uint64_t		 unheard = 0;

	for (size_t i = 0; i < r->trace->nadvice; i++)
		unheard += r->trace->advice[i].kind != ADVICE_DONTNEED;
	if (r->config->ignores_advice && r->trace->nadvice)
		fprintf(out, "note: --advice ignored: %s in the trace had no effect\n",
		    counted(r->trace->nadvice, "call"));
	else if (unheard && p->access && !config_knows_advice(r->config))
		fprintf(out,
		    "note: %s models a kernel without posix_fadvise: of advice, only DONTNEED has an "
		    "effect (%s of other kinds in the trace)\n",
		    p->plugin.name, counted(unheard, "call"));
}

static void
print_notes(const struct report *r, FILE *out)
{
	const struct trace *t = r->trace;

	notes_print(t, out);
	if (r->config->cache_blocks)
		print_advice_note(r, out);
	if (t->lacks & LACKS_FILES && !(t->lacks & LACKS_TIMES) &&
	    (r->config->replay == REPLAY_SERIAL || r->config->replay == REPLAY_PROCESS))
		fputs(
		    "note: the times between requests to volumes are not think time: use --replay "
		    "open for response times\n",
		    out);
	if (r->config->replay == REPLAY_PROCESS && t->nprocesses > 1)
		print_process_note(r, out);
	if (r->config->warmup_calls)
		fprintf(out, "note: the first %s calls are not counted\n",
		    count(r->config->warmup_calls));
}

/* To one decimal, and not -0.0. */
static double
tenths(double x)
{
	return fabs(x) < 0.05 ? 0 : x;
}

/* "+131.2 %" */
static const char *
change(uint64_t now, uint64_t then)
{
	char *text = scratch();

	if (!then)
		return now ? "from 0" : "+0.0 %";
	snprintf(text, NUMBER_TEXT, "%+.1f %%", tenths(100 * ((double)now / (double)then - 1)));
	return text;
}

static void
print_comparison(const struct report *r, FILE *out)
{
	const struct stats *with = r->stats, *without = r->without;
	double		    points = 100 *
	    ((double)with->hits / (double)with->references -
		(double)without->hits / (double)without->references);

	fputs("against none\n", out);
	fprintf(out, "  elapsed   %13s (%s)\n", change(with->elapsed_us, without->elapsed_us),
	    duration(without->elapsed_us));
	if (r->config->replay == REPLAY_OPEN)
		fprintf(out, "  response  %13s on average (%s)\n  99 %%      %13s (%s)\n",
		    change(with->response_us, without->response_us),
		    milliseconds(without->response_us / without->response_calls),
		    change(with->response_p99_us, without->response_p99_us),
		    milliseconds(without->response_p99_us));
	fprintf(out, "  reads     %13s (%s requests)\n",
	    change(with->read_requests, without->read_requests), count(without->read_requests));
	fprintf(out, "  hits      %+13.1f points (%s)\n", tenths(points),
	    percent(without->hits, without->references));
}

/* ---- the report ---- */

/* Without a cache. */
static void
report_device(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    requests = s->read_requests + s->write_requests;

	print_run(r, out);
	fprintf(out, "\nelapsed     %13s", duration(s->elapsed_us));
	if (s->think_us != STAT_UNKNOWN)
		fprintf(out, ", think %s", duration(s->think_us));
	putc('\n', out);
	print_responses(r, out);
	fprintf(out, "requests    %13s, %s of them writes", count(requests),
	    percent(s->write_requests, requests));
	if (s->elapsed_us)
		fprintf(out, "; %.1f a second", (double)requests * 1e6 / (double)s->elapsed_us);
	fprintf(out, "\n  queued    %13s on average; %s found the queue full\n",
	    milliseconds(s->queue_us / (requests ? requests : 1)), count(s->blocked_requests));
	print_device(r, out);
	print_own(s, out);
	print_notes(r, out);
}

/* Without a clock. */
static void
report_untimed(const struct report *r, FILE *out)
{
	print_run(r, out);
	putc('\n', out);
	print_references(r->stats, out);
	print_evictions(r->stats, out);
	print_own(r->stats, out);
	print_notes(r, out);
}

static void
report_timed(const struct report *r, FILE *out)
{
	print_time(r, out);
	putc('\n', out);
	print_run(r, out);
	putc('\n', out);
	print_responses(r, out);
	print_references(r->stats, out);
	print_prefetching(r, out);
	print_advice(r->stats, out);
	print_requests(r, out);
	print_device(r, out);
	print_own(r->stats, out);
	if (r->without)
		print_comparison(r, out);
	if (r->possible)
		possible_print(r->possible, r->stats,
		    (r->without ? r->without : r->stats)->elapsed_us, out);
	parts_text(r, out);
	print_notes(r, out);
}

void
report_text(const struct report *r, FILE *out)
{
	answer_print(r, out);
	putc('\n', out);
	if (!r->config->cache_blocks)
		report_device(r, out);
	else if (r->config->replay == REPLAY_UNTIMED)
		report_untimed(r, out);
	else
		report_timed(r, out);
}

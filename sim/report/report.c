/* report.c - print the counters of a run, for a person: one screen, which may change. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/registry.h"
#include "sim/report/record.h"
#include "sim/report/report.h"

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

/* The head of a report without a cache. */
static void
print_device_run(const struct report *r, FILE *out)
{
	const struct options *o = r->options;

	fprintf(out, "%s: %s to %s, each one request to the device: no cache\n", r->trace->name,
	    counted(r->trace->naccess, "call"), counted(r->trace->nfiles, "file"));
	fprintf(out, "device %s, scheduler %s, queue %s, replay %s", o->device, o->scheduler,
	    o->text[OPTION_queue], o->text[OPTION_replay]);
	if (r->config->think_scale != 1)
		fprintf(out, ", think-scale %s", o->text[OPTION_think_scale]);
	fputs("\n\n", out);
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
		fprintf(out, "%s: %s to %s\n", t->name, counted(t->naccess, "call"),
		    counted(t->nfiles, "file"));
		fprintf(out, "cache of %s (%s), policy %s, replay untimed\n\n",
		    counted(r->config->cache_blocks, "block"), size(r, r->config->cache_blocks),
		    o->policy);
		return;
	}
	fprintf(out, "%s: %s, %s to %s (%s) of %s\n", t->name, counted(t->naccess, "call"),
	    counted(r->stats->references, "reference"), counted(r->stats->touched_blocks, "block"),
	    size(r, r->stats->touched_blocks), counted(t->nfiles, "file"));
	fprintf(out, "cache of %s (%s), policy %s, prefetch %s\n",
	    counted(r->config->cache_blocks, "block"), size(r, r->config->cache_blocks), o->policy,
	    o->prefetch);
	fprintf(out, "device %s, scheduler %s, layout %s, replay %s\n", o->device, o->scheduler,
	    o->text[OPTION_layout], o->text[OPTION_replay]);
	print_settings(o, out);
	putc('\n', out);
}

static const struct {
	const char *what;
	size_t	    offset;
} stalls[] = {
#define STALL(name, what)                                                                          \
	{                                                                                          \
		what, offsetof(struct stats, name)                                                 \
	}
	STALL(stall_miss_us, "misses being read"),
	STALL(stall_ride_us, "readahead read with them"),
	STALL(stall_demand_queue_us, "queued behind demand"),
	STALL(stall_prefetch_queue_us, "queued behind prefetches"),
	STALL(stall_write_queue_us, "queued behind writes"),
	STALL(stall_late_us, "late prefetches"),
	STALL(stall_delayed_us, "delayed hits"),
	STALL(stall_frame_us, "a free frame or request"),
	STALL(stall_write_us, "synchronous writes"),
	STALL(stall_idle_us, "an idle device"),
#undef STALL
};

/* The causes of stalls that occurred, two a line, as shares of all time. */
static void
print_stalls(const struct stats *s, uint64_t all, FILE *out)
{
	unsigned column = 0;

	for (size_t i = 0; i < sizeof(stalls) / sizeof(*stalls); i++) {
		uint64_t us = *(const uint64_t *)(const void *)((const char *)s + stalls[i].offset);

		if (!us)
			continue;
		fprintf(out, "  %-24s %13s %7s%s", stalls[i].what, duration(us), percent(us, all),
		    column ? "\n" : "");
		column = !column;
	}
	if (column)
		putc('\n', out);
}

static void
print_time(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    all = s->think_us + s->stall_us;

	fprintf(out, "elapsed %s", duration(s->elapsed_us));
	if (r->config->replay == REPLAY_OPEN) {
		fprintf(out, "; the calls together waited %s%s\n", duration(s->stall_us),
		    s->stall_us ? " for" : "");
		print_stalls(s, s->stall_us, out);
		return;
	}
	if (r->config->replay == REPLAY_PROCESS)
		fprintf(out, "; of %s processes:", count(r->trace->nprocesses));
	else if (r->trace->nprograms)
		fprintf(out, "; of %s programs:", count(r->trace->nprograms));
	else
		fputs(":", out);
	fprintf(out, " think %s (%s) and stall %s (%s)%s\n", duration(s->think_us),
	    percent(s->think_us, all), duration(s->stall_us), percent(s->stall_us, all),
	    s->stall_us ? ", waiting for" : "");
	print_stalls(s, all, out);
}

static void
print_responses(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;

	if (!s->response_calls || s->response_calls == STAT_UNKNOWN)
		return;
	fprintf(out, "response    %13s on average\n",
	    milliseconds(s->response_us / s->response_calls));
	fprintf(out, "  50 %%      %13s, 90 %% %s, 99 %% %s, 99.9 %% %s, longest %s\n",
	    milliseconds(s->response_p50_us), milliseconds(s->response_p90_us),
	    milliseconds(s->response_p99_us), milliseconds(s->response_p999_us),
	    milliseconds(s->response_max_us));
	fprintf(out, "under way   %13s calls on average, at most %s\n",
	    ratio(r, "outstanding_mean", 1, ""), count(s->outstanding_max));
}

/* "programs    glimpse 640.100 s, csq 12.300 s" */
static void
print_programs(const struct report *r, FILE *out)
{
	const char *comma = "programs   ";

	for (uint32_t i = 0; r->program_us && i < r->trace->nprograms; i++) {
		fprintf(out, "%s %s %s", comma, r->trace->program[i], duration(r->program_us[i]));
		comma = ",";
	}
	if (*comma == ',')
		putc('\n', out);
}

static void
print_references(const struct stats *s, FILE *out)
{
	fprintf(out, "references  %13s, %s of them writes\n", count(s->references),
	    percent(s->write_references, s->references));
	fprintf(out, "  hits      %13s %7s", count(s->hits), percent(s->hits, s->references));
	if (s->prefetched_blocks && s->prefetched_blocks != STAT_UNKNOWN)
		fprintf(out, ", %s of them the first use of a prefetched block",
		    count(s->first_hits));
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

static void
print_prefetching(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    all = s->prefetched_blocks;

	if (!all && !s->planned_blocks)
		return;
	fprintf(out, "prefetched  %13s blocks: accuracy %s, coverage %s, timeliness %s\n",
	    count(all), ratio(r, "accuracy", 100, " %"), ratio(r, "coverage", 100, " %"),
	    ratio(r, "timeliness", 100, " %"));
	fprintf(out, "  used      %13s (%s) in time, %s (%s) late\n",
	    count(s->prefetch_used_blocks), percent(s->prefetch_used_blocks, all),
	    count(s->prefetch_late_blocks), percent(s->prefetch_late_blocks, all));
	fprintf(out, "  unused    %13s (%s) evicted, %s (%s) left at the end\n",
	    count(s->prefetch_wasted_blocks), percent(s->prefetch_wasted_blocks, all),
	    count(s->prefetch_unused_blocks + s->prefetch_inflight_blocks),
	    percent(s->prefetch_unused_blocks + s->prefetch_inflight_blocks, all));
	fprintf(out,
	    "pollution   %13s misses of blocks a prefetch had evicted (%s were unused "
	    "prefetches)\n",
	    count(s->pollution_victim_misses), count(s->pollution_thrash_misses));
}

/* "vetoed_blocks": "vetoed blocks" */
static const char *
words_of(const char *name, char text[WORDS_ROOM])
{
	snprintf(text, WORDS_ROOM, "%s", name);
	for (char *c = text; (c = strchr(c, '_'));)
		*c = ' ';
	return text;
}

/* "  vetoed blocks      1,234 blocks": how many characters. */
static int
print_counter(const struct counter *c, uint64_t n, FILE *out)
{
	char name[WORDS_ROOM];
	bool time = !strcmp(c->unit, "us");

	return fprintf(out, "  %-24s %13s%s%s", words_of(c->name, name),
	    time ? duration(n) : count(n), time ? "" : " ", time ? "" : c->unit);
}

/* The counters of a plug-in, two a line; counters of 0 are left out. */
static void
print_counted(const struct plugin_stats *p, FILE *out)
{
	const struct counter *all = p->plugin->counters;
	int		      width = 48, left = 0; /* of a line that has begun */

	fprintf(out, "counted by %s\n", p->plugin->name);
	for (const struct counter *c = all; c->name; c++) {
		uint64_t n = p->value[c - all];

		if (!n)
			continue;
		fprintf(out, "%*s", left && left < width ? width - left : 0, "");
		left = print_counter(c, n, out) * !left;
		if (!left)
			putc('\n', out);
	}
	if (left)
		putc('\n', out);
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
print_sizes(const struct stats *s, FILE *out)
{
	static const char *const label[SIZE_CLASSES] = { "1", "2", "3-4", "5-8", "9-16", "17-32",
		"33-64", "more" };
	const uint64_t		 n[SIZE_CLASSES] = { s->size_1_requests, s->size_2_requests,
			  s->size_3_requests, s->size_5_requests, s->size_9_requests, s->size_17_requests,
			  s->size_33_requests, s->size_65_requests };
	const char		*comma = "";

	fputs("  of blocks ", out);
	for (unsigned i = 0; i < SIZE_CLASSES; i++) {
		if (!n[i])
			continue;
		fprintf(out, "%s %s: %s", comma, label[i],
		    percent(n[i], s->read_requests + s->write_requests));
		comma = ",";
	}
	putc('\n', out);
}

static void
print_requests(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;

	fprintf(out, "requests    %13s, mean %s blocks: %s demand, %s prefetch, %s write\n",
	    count(s->read_requests + s->write_requests), ratio(r, "mean_request_blocks", 1, ""),
	    count(s->demand_requests), count(s->prefetch_requests), count(s->write_requests));
	if (s->read_requests + s->write_requests)
		print_sizes(s, out);
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
	const char *comma = ":";

	fprintf(out, "device busy %13s %7s", duration(s->device_busy_us),
	    percent(s->device_busy_us, s->elapsed_us));
	for (unsigned i = 0; i < SERVICE_PARTS; i++)
		if (part[i].us) {
			fprintf(out, "%s %s %s", comma, part[i].what,
			    percent(part[i].us, s->device_busy_us));
			comma = ",";
		}
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

static void
print_notes(const struct report *r, FILE *out)
{
	const struct trace *t = r->trace;

	if (t->mmaps && !t->source.touched)
		fprintf(out,
		    "note: reads through mmap are not in the trace (%s mapped %s): "
		    "see --mmap\n",
		    count(t->mmaps), number_bytes(scratch(), t->mmap_bytes));
	if (t->nadvice && innermost(r->config)->access && !config_knows_advice(r->config))
		fprintf(out,
		    "note: %s models a kernel without posix_fadvise: advice has no effect (%s in the trace)\n",
		    innermost(r->config)->plugin.name, counted(t->nadvice, "call"));
	if (t->out_of_order)
		fprintf(out,
		    "note: %s of the trace had to be sorted by time: are its times absolute?\n",
		    counted(t->out_of_order, "record"));
	if (r->config->replay == REPLAY_PROCESS && t->nprocesses > 1)
		fputs("note: every process starts at its time in the trace: if one waited for "
		      "another, use --replay serial\n",
		    out);
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

	if (r->config->replay == REPLAY_OPEN)
		fprintf(out, "against none: response on average %s (%s), of 99 %% within %s (%s)\n",
		    change(with->response_us, without->response_us),
		    milliseconds(without->response_us / without->response_calls),
		    change(with->response_p99_us, without->response_p99_us),
		    milliseconds(without->response_p99_us));
	fprintf(out,
	    "against none: elapsed %s (%s), read requests %s (%s), hits %+.1f points (%s)\n",
	    change(with->elapsed_us, without->elapsed_us), duration(without->elapsed_us),
	    change(with->read_requests, without->read_requests), count(without->read_requests),
	    tenths(points), percent(without->hits, without->references));
	for (uint32_t i = 0; r->program_us && i < r->trace->nprograms; i++)
		fprintf(out, "  %s %s (%s)\n", r->trace->program[i],
		    change(r->program_us[i], r->program_us_without[i]),
		    duration(r->program_us_without[i]));
}

static void
report_device(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    requests = s->read_requests + s->write_requests;

	fprintf(out, "elapsed     %13s", duration(s->elapsed_us));
	if (s->think_us != STAT_UNKNOWN)
		fprintf(out, ", think %s", duration(s->think_us));
	putc('\n', out);
	print_programs(r, out);
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

void
report_text(const struct report *r, FILE *out)
{
	print_run(r, out);
	if (!r->config->cache_blocks) {
		report_device(r, out);
		return;
	}
	if (r->config->replay == REPLAY_UNTIMED) {
		print_references(r->stats, out);
		print_evictions(r->stats, out);
		print_own(r->stats, out);
		print_notes(r, out);
		return;
	}
	print_time(r, out);
	print_responses(r, out);
	print_programs(r, out);
	print_references(r->stats, out);
	print_prefetching(r, out);
	print_advice(r->stats, out);
	print_requests(r, out);
	print_device(r, out);
	print_own(r->stats, out);
	print_notes(r, out);
	if (r->without)
		print_comparison(r, out);
}

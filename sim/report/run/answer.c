/*
 * answer.c - "44 % slower than without prefetching (108.6 s; 75.2 s)".
 */
#include <string.h>

#include "sim/base/number.h"
#include "sim/report/change.h"
#include "sim/report/run/answer.h"

static void
print_bold(const struct report *r, const char *text, FILE *out)
{
	fprintf(out, "%s%s%s", r->colour ? change_bold : "", text, r->colour ? change_plain : "");
}

static void
print_change(const struct report *r, const char *subject, uint64_t now, uint64_t then,
    const char *more, FILE *out)
{
	struct change c = change_of(now, then);
	char	      a[CHANGE_TEXT], b[CHANGE_TEXT];

	change_times(a, b, now, then);
	fprintf(out, "%s%s%s %s without prefetching%s (%s%s%s%s)\n", r->colour ? c.colour : "",
	    subject, c.degree, c.than, r->colour ? change_plain : "", a, now == then ? "" : "; ",
	    now == then ? "" : b, more);
}

static void
print_time(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    all = s->think_us + s->cpu_us + s->stall_us;
	char		    time[CHANGE_TEXT], waiting[CHANGE_TEXT];
	bool		    disk = !strcmp(r->config->device.plugin->name, "disk");

	change_time(time, s->elapsed_us, s->elapsed_us);
	print_bold(r, time, out);
	if (all) {
		change_percent(waiting, (double)s->stall_us / (double)all);
		fprintf(out, ", of which %s waiting for the %s", waiting, disk ? "disk" : "device");
	}
	putc('\n', out);
}

static uint64_t
mean_response(const struct stats *s)
{
	return s->response_calls ? s->response_us / s->response_calls : 0;
}

static void
print_response(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	char		    mean[CHANGE_TEXT], most[CHANGE_TEXT];

	change_times(mean, most, mean_response(s), s->response_p99_us);
	print_bold(r, mean, out);
	fprintf(out, " mean response time, 99 %% within %s\n", most);
}

static void
print_hits(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	char		    text[CHANGE_TEXT], hits[NUMBER_TEXT], references[NUMBER_TEXT];
	double		    all = (double)s->references;

	snprintf(text, sizeof(text), "hit ratio %.1f %%",
	    all > 0 ? 100 * (double)s->hits / all : 0);
	print_bold(r, text, out);
	fprintf(out, " (%s of %s references)\n", number_group(hits, s->hits),
	    number_group(references, s->references));
}

/* "  glimpse 12 % slower (640.1 s; 571.5 s)" */
static void
print_program(const struct report *r, uint32_t i, FILE *out)
{
	uint64_t      now = r->program_us[i], then;
	struct change c;
	char	      a[CHANGE_TEXT], b[CHANGE_TEXT];

	fprintf(out, "  %s ", r->trace->program[i]);
	if (!r->without) {
		change_time(a, now, now);
		fprintf(out, "%s\n", a);
		return;
	}
	then = r->program_us_without[i];
	c = change_of(now, then);
	change_times(a, b, now, then);
	fprintf(out, "%s%s%s (%s%s%s)\n", r->colour ? c.colour : "", c.degree,
	    r->colour ? change_plain : "", a, now == then ? "" : "; ", now == then ? "" : b);
}

void
answer_print(const struct report *r, FILE *out)
{
	bool responses = r->config->replay == REPLAY_OPEN || !r->config->cache_blocks;

	if (r->config->replay == REPLAY_UNTIMED && r->config->cache_blocks)
		print_hits(r, out);
	else if (responses && r->without)
		print_change(r, "responses ", mean_response(r->stats), mean_response(r->without),
		    " on average", out);
	else if (responses)
		print_response(r, out);
	else if (r->without)
		print_change(r, "", r->stats->elapsed_us, r->without->elapsed_us, "", out);
	else
		print_time(r, out);
	for (uint32_t i = 0; r->program_us && i < r->trace->nprograms; i++)
		print_program(r, i, out);
}

/*
 * answer.c - "44 % slower than without prefetching (108.6 s; 75.2 s)".
 *
 * Percentages are changes of the time.  Times in a sentence have the same unit
 * and as many digits as the larger needs, or all if they would look alike.
 */
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/report/answer.h"

enum { TEXT_ROOM = 64 };

static const char plain[] = "\033[m", bold[] = "\033[1m", red[] = "\033[1;31m",
		  green[] = "\033[1;32m";

/* A time as short as a time of `largest` may be. */
static void
short_time(char text[TEXT_ROOM], uint64_t us, uint64_t largest)
{
	double	    unit = largest < 1000 ? 1 : largest < 1000000 ? 1e3 : 1e6;
	const char *name = largest < 1000 ? "us" : largest < 1000000 ? "ms" : "s";
	int	    digits = unit == 1 ? 0 : (double)largest / unit < 10 ? 2 : 1;

	snprintf(text, TEXT_ROOM, "%.*f %s", digits, (double)us / unit, name);
}

static void
two_times(char a[TEXT_ROOM], char b[TEXT_ROOM], uint64_t us_a, uint64_t us_b)
{
	uint64_t largest = us_a > us_b ? us_a : us_b;

	short_time(a, us_a, largest);
	short_time(b, us_b, largest);
	if (us_a != us_b && !strcmp(a, b)) {
		number_time(a, us_a);
		number_time(b, us_b);
	}
}

/* Whole percents from 10 on. */
static void
share(char text[TEXT_ROOM], double x)
{
	snprintf(text, TEXT_ROOM, "%.*f %%", 100 * x < 10 ? 1 : 0, 100 * x);
}

/* "44 % slower than": what the time now is, compared with then. */
struct change {
	char	    degree[TEXT_ROOM];
	const char *than, *colour;
};

static struct change
change_of(uint64_t now, uint64_t then)
{
	struct change c = { "as fast", "as", bold };
	double	      x = then ? (double)now / (double)then - 1 : now ? 1 : 0;
	char	      percent[TEXT_ROOM];

	if (fabs(x) < 0.0005)
		return c;
	share(percent, fabs(x));
	snprintf(c.degree, sizeof(c.degree), "%.*s%s%s", (int)sizeof(c.degree) - 16,
	    then ? percent : "", then ? " " : "", x > 0 ? "slower" : "faster");
	c.than = "than";
	c.colour = x > 0 ? red : green;
	return c;
}

static void
print_bold(const struct report *r, const char *text, FILE *out)
{
	fprintf(out, "%s%s%s", r->colour ? bold : "", text, r->colour ? plain : "");
}

static void
print_change(const struct report *r, const char *subject, uint64_t now, uint64_t then,
    const char *more, FILE *out)
{
	struct change c = change_of(now, then);
	char	      a[TEXT_ROOM], b[TEXT_ROOM];

	two_times(a, b, now, then);
	fprintf(out, "%s%s%s %s without prefetching%s (%s%s%s%s)\n", r->colour ? c.colour : "",
	    subject, c.degree, c.than, r->colour ? plain : "", a, now == then ? "" : "; ",
	    now == then ? "" : b, more);
}

static void
print_time(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	uint64_t	    all = s->think_us + s->stall_us;
	char		    time[TEXT_ROOM], waiting[TEXT_ROOM];
	bool		    disk = !strcmp(r->config->device.plugin->name, "disk");

	short_time(time, s->elapsed_us, s->elapsed_us);
	print_bold(r, time, out);
	if (all) {
		share(waiting, (double)s->stall_us / (double)all);
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
	char		    mean[TEXT_ROOM], most[TEXT_ROOM];

	two_times(mean, most, mean_response(s), s->response_p99_us);
	print_bold(r, mean, out);
	fprintf(out, " mean response time, 99 %% within %s\n", most);
}

static void
print_hits(const struct report *r, FILE *out)
{
	const struct stats *s = r->stats;
	char		    text[TEXT_ROOM], hits[NUMBER_TEXT], references[NUMBER_TEXT];
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
	char	      a[TEXT_ROOM], b[TEXT_ROOM];

	fprintf(out, "  %s ", r->trace->program[i]);
	if (!r->without) {
		short_time(a, now, now);
		fprintf(out, "%s\n", a);
		return;
	}
	then = r->program_us_without[i];
	c = change_of(now, then);
	two_times(a, b, now, then);
	fprintf(out, "%s%s%s (%s%s%s)\n", r->colour ? c.colour : "", c.degree,
	    r->colour ? plain : "", a, now == then ? "" : "; ", now == then ? "" : b);
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

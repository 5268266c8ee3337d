/* replay_text.c - a replay and its prediction, for a person. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/host/report/replay_classes.h"
#include "sim/host/report/replay_report.h"
#include "sim/report/change.h"

#define BUSY_SHARE 0.05 /* of the time, without a processor */

static uint64_t
whole(double us)
{
	return us > 0 ? (uint64_t)(us + 0.5) : 0;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- the answer ---- */

static void
print_time_answer(const struct replay_report *r, FILE *out)
{
	uint64_t    us = whole(rounds_median(r->rounds)->us), expected;
	const char *bold = r->colour ? change_bold : "", *plain = r->colour ? change_plain : "";
	char	    time[CHANGE_TEXT], predicted[CHANGE_TEXT], percent[CHANGE_TEXT];
	double	    x;

	if (!r->predicted->timed) {
		change_time(time, us, us);
		fprintf(out, "%s%s%s; ", bold, time, plain);
		return;
	}
	expected = r->predicted->stats.elapsed_us;
	change_times(time, predicted, us, expected);
	fprintf(out, "%s%s%s; ", bold, time, plain);
	x = us ? (double)expected / (double)us - 1 : expected ? 1 : 0;
	change_percent(percent, fabs(x));
	if (fabs(x) < 0.0005)
		fprintf(out, "as predicted; ");
	else
		fprintf(out, "the prediction is %s %s (%s); ", percent, x > 0 ? "higher" : "lower",
		    predicted);
}

static void
print_pages_answer(const struct replay_report *r, FILE *out)
{
	uint64_t read = rounds_counts(r->rounds, round_pages_read).median;
	uint64_t expected = r->predicted->pages_read, off;
	char	 n[NUMBER_TEXT];

	if (!replay_counts_pages(r)) {
		fputs("the kernel does not count the pages read\n", out);
		return;
	}
	fprintf(out, "%s page%s read, ", number_group(n, read), plural(read));
	off = read > expected ? read - expected : expected - read;
	if (!off)
		fputs("as predicted\n", out);
	else
		fprintf(out, "%s %s than predicted\n", number_group(n, off),
		    read > expected ? "more" : "fewer");
}

/* ---- measured, predicted ---- */

static void
print_heading(const char *what, bool difference, FILE *out)
{
	fprintf(out, "\n%-20s %15s %15s", what, "measured", "predicted");
	if (difference)
		fprintf(out, " %15s", "difference");
	putc('\n', out);
}

static void
print_time_row(const struct replay_report *r, FILE *out)
{
	uint64_t us = whole(rounds_median(r->rounds)->us);
	char	 time[NUMBER_TEXT];

	fprintf(out, "%-20s %15s", "time", number_time(time, us));
	if (!r->predicted->timed) {
		fprintf(out, " %15s %15s\n", "-", "-");
		return;
	}
	fprintf(out, " %15s", number_time(time, r->predicted->stats.elapsed_us));
	if (us)
		fprintf(out, " %+13.1f %%\n",
		    100 * ((double)r->predicted->stats.elapsed_us / (double)us - 1));
	else
		fprintf(out, " %15s\n", "-");
}

static void
print_count_row(const char *what, uint64_t measured, bool known, uint64_t predicted, FILE *out)
{
	char n[NUMBER_TEXT];

	fprintf(out, "%-20s %15s", what, known ? number_group(n, measured) : "-");
	fprintf(out, " %15s", predicted == PREDICT_UNKNOWN ? "-" : number_group(n, predicted));
	if (known && predicted != PREDICT_UNKNOWN)
		fprintf(out, predicted == measured ? " %15" PRId64 "\n" : " %+15" PRId64 "\n",
		    (int64_t)(predicted - measured));
	else
		fprintf(out, " %15s\n", "-");
}

static void
print_spread(const struct replay_report *r, FILE *out)
{
	const struct rounds *all = r->rounds;
	struct round_counts  pages = rounds_counts(all, round_pages_read);
	char		     a[NUMBER_TEXT], b[NUMBER_TEXT];

	if (all->n == 1) {
		fputs("\none run counts\n", out);
		return;
	}
	fprintf(out, "\nmedians of %u runs, which took %s to %s", all->n,
	    number_time(a, whole(all->round[0].us)),
	    number_time(b, whole(all->round[all->n - 1].us)));
	if (pages.least != pages.greatest)
		fprintf(out, " and read %s to %s pages", number_group(a, pages.least),
		    number_group(b, pages.greatest));
	putc('\n', out);
}

static void
print_classes(const struct replay_report *r, FILE *out)
{
	struct replay_classes c = replay_classes_of(r);
	char		      n[NUMBER_TEXT];

	print_heading("calls by response", false, out);
	for (unsigned i = 0; i < REPLAY_CLASSES; i++)
		fprintf(out, "%-20s %15s %15s\n", replay_class_info[i].title,
		    number_group(n, c.measured[i]),
		    r->predicted->timed ? number_group((char[NUMBER_TEXT]){ 0 }, c.predicted[i])
					: "-");
}

/* ---- where the predicted time goes ---- */

static void
print_part(const char *what, uint64_t us, uint64_t all, FILE *out)
{
	char time[NUMBER_TEXT];

	fprintf(out, "%-20s %15s %13.1f %%\n", what, number_time(time, us),
	    number_percent(us, all));
}

static void
print_parts(const struct replay_report *r, FILE *out)
{
	const struct stats *s = &r->predicted->stats;
	uint64_t	    all = s->think_us + s->cpu_us + s->stall_us;

	if (!r->predicted->timed || !all)
		return;
	fprintf(out, "\nwhere the predicted time goes%s\n",
	    r->how->by_process ? ", of all processes" : "");
	if (s->think_us)
		print_part("think", s->think_us, all, out);
	print_part("processor", s->cpu_us, all, out);
	print_part("waiting", s->stall_us, all, out);
}

/* ---- what was done ---- */

static void
print_settings(const struct replay_report *r, FILE *out)
{
	const struct host *h = r->host;
	enum host_from	   from;
	uint32_t	   window;
	char		   n[NUMBER_TEXT];

	putc('\n', out);
	text_print(r->calls->name, out);
	fprintf(out, ": %s %s%s of %u file%s, %s%s%s\n", number_group(n, r->calls->naccess),
	    r->how->writes ? "call" : "read", plural(r->calls->naccess), r->calls->nfiles,
	    plural(r->calls->nfiles), r->how->random ? "advice random" : "no advice",
	    r->how->by_process ? ", a thread for each process" : "",
	    r->how->warm ? ", all in memory before" : "");
	if (r->policy) {
		fprintf(out, "%s pages in memory, kept by ", number_group(n, r->cache_pages));
		text_print(r->policy, out);
		putc('\n', out);
	}
	fprintf(out, "%s %s, %s on device %s\n", h->system, h->release,
	    *h->type ? h->type : "a file system", h->device);
	fprintf(out, "predicted by %s%s%s", r->rule ? r->rule->prefetcher->plugin.name : "none",
	    r->rule && *r->rule->params ? ":" : "", r->rule ? r->rule->params : "");
	if (r->device) {
		fputs(", device ", out);
		text_print(r->device, out);
	}
	putc('\n', out);
	if (r->rule && kernel_rule_window(r->rule, &window, &from) && from == HOST_MEASURED)
		fprintf(out, "the window of %s pages was measured by page faults: %s\n",
		    number_group(n, window), h->why);
}

/* The share of the time that passed without a processor; of threads: of all their calls. */
static double
waited_share(const struct replay_report *r)
{
	const struct round *median = rounds_median(r->rounds);
	double		    waited = median->times.waited_us;
	double		    all = r->how->by_process ? median->times.calls_us : median->us + waited;

	return waited > 0 ? waited / all : 0;
}

static void
print_notes(const struct replay_report *r, FILE *out)
{
	double	 share = waited_share(r);
	uint64_t lost = rounds_counts(r->rounds, round_lost_pages).greatest;
	char	 n[NUMBER_TEXT];

	if (r->rounds->rejected)
		fprintf(out,
		    "note: %u run%s lost up to %s pages that the system reclaimed: rejected\n",
		    r->rounds->rejected, r->rounds->rejected == 1 ? "" : "s",
		    number_group(n, r->rounds->lost_pages));
	if (lost)
		fprintf(out, "note: the system reclaimed up to %s pages of a run that counts\n",
		    number_group(n, lost));
	if (r->how->real_time && !r->real_time)
		fputs("note: --real-time is not permitted here: it needs root or CAP_SYS_NICE\n",
		    out);
	if (share > BUSY_SHARE)
		fprintf(out,
		    "note: the machine is busy: %.0f %% of the time without a processor%s%s\n",
		    100 * share, r->how->by_process ? "" : "; this time is not counted",
		    r->how->real_time ? "" : "; try --real-time as root");
	if (r->left_out)
		fprintf(out, "note: writes are left out: %s; --with-writes makes them\n",
		    number_group(n, r->left_out));
	if (r->how->writes)
		fputs(
		    "note: the kernel reads a page before it writes a part of it: not predicted\n",
		    out);
	if (!r->predicted->timed)
		fprintf(out, "note: no time is predicted: type %s\n",
		    r->how->warm ? "--device here, behind bufsim calibrate, or --cpu"
				 : "--device here, behind bufsim calibrate");
	else if (!r->predicted->stats.cpu_us)
		fputs("note: the processor costs nothing in this prediction: the data sheet has no "
		      "section [cpu_ns]\n",
		    out);
}

void
replay_text(const struct replay_report *r, FILE *out)
{
	print_time_answer(r, out);
	print_pages_answer(r, out);
	print_heading("", true, out);
	print_time_row(r, out);
	print_count_row("pages read", rounds_counts(r->rounds, round_pages_read).median,
	    replay_counts_pages(r), r->predicted->pages_read, out);
	print_count_row("resident pages", rounds_counts(r->rounds, round_resident_pages).median,
	    true, r->predicted->resident_pages, out);
	print_spread(r, out);
	print_classes(r, out);
	print_parts(r, out);
	print_settings(r, out);
	print_notes(r, out);
}

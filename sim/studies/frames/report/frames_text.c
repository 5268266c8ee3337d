/* frames_text.c - a measured allocator of page frames, for a person: the answer, then what it did. */
#include <inttypes.h>

#include "sim/base/number.h"
#include "sim/base/text.h"
#include "sim/studies/frames/report/frames_report.h"

enum { BAR = 40, SAMPLES = FRAGMENT_SAMPLES + 1 };

static double
per(uint64_t part, uint64_t of)
{
	return of ? (double)part / (double)of : 0;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Three digits. */
static char *
scaled_text(char text[FRAMES_TEXT], double n, const char *unit)
{
	snprintf(text, FRAMES_TEXT, "%.*f %s", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, unit);
	return text;
}

char *
frames_rate_text(char text[FRAMES_TEXT], double rate)
{
	return rate < 1e6 ? scaled_text(text, rate / 1e3, "k") : scaled_text(text, rate / 1e6, "M");
}

char *
frames_ns_text(char text[FRAMES_TEXT], double ns)
{
	if (ns < 999.5)
		snprintf(text, FRAMES_TEXT, "%.0f ns", ns);
	else if (ns < 1e6)
		scaled_text(text, ns / 1e3, "us");
	else
		scaled_text(text, ns / 1e6, "ms");
	return text;
}

static double
rate_in(const struct trial_result *r, double ns)
{
	return ns > 0 ? (double)r->counts.operations * 1e9 / ns : 0;
}

/* ---- the answer ---- */

/* "41.2 M operations/s, median of 5 (40.8 M to 41.9 M)". */
static void
print_rate(const struct frames_report *r, FILE *out)
{
	const struct trial_result *t = &r->result;
	char			   rate[FRAMES_TEXT], least[FRAMES_TEXT], most[FRAMES_TEXT];

	fprintf(out, "%s operations/s", frames_rate_text(rate, trial_rate(t)));
	if (r->repeat > 1)
		fprintf(out, ", median of %" PRIu64, r->repeat);
	if (t->elapsed_min_ns < t->elapsed_max_ns)
		fprintf(out, " (%s to %s)", frames_rate_text(least, rate_in(t, t->elapsed_max_ns)),
		    frames_rate_text(most, rate_in(t, t->elapsed_min_ns)));
}

static void
print_events(const char *before, uint64_t n, const char *what, FILE *out)
{
	char number[NUMBER_TEXT];

	fprintf(out, "%s%s %s%s", before, n ? number_group(number, n) : "no", what,
	    n > 1 ? "s" : "");
}

static void
print_answer(const struct frames_report *r, FILE *out)
{
	const struct frames_counts *n = &r->result.counts;

	text_print(r->allocator, out);
	fputs(": ", out);
	print_rate(r, out);
	print_events("; ", n->splits, "split", out);
	print_events(", ", n->merges, "merge", out);
	fprintf(out, ", %.2f locks per operation", per(n->lock_acquisitions, n->operations));
	if (n->failed)
		print_events("; ", n->failed, "request", out);
	fputs(n->failed ? " failed\n\n" : "\n\n", out);
}

/* ---- what it did ---- */

static void
print_count(const char *name, uint64_t n, FILE *out)
{
	char number[NUMBER_TEXT];

	fprintf(out, "%-16s %13s", name, number_group(number, n));
}

static void
print_per_operation(const char *name, uint64_t n, const struct frames_counts *of, FILE *out)
{
	print_count(name, n, out);
	fprintf(out, "  %.3g per operation\n", per(n, of->operations));
}

static void
print_counts(const struct trial_result *t, FILE *out)
{
	const struct frames_counts *n = &t->counts;
	char			    time[NUMBER_TEXT], least[NUMBER_TEXT], most[NUMBER_TEXT];

	print_count("operations", n->operations, out);
	fputs("  requests that were met, and frees\n", out);
	print_count("failed requests", n->failed, out);
	putc('\n', out);
	print_per_operation("splits", n->splits, n, out);
	print_per_operation("merges", n->merges, n, out);
	print_per_operation("locks taken", n->lock_acquisitions, n, out);
	print_count("  contended", n->lock_contended, out);
	fprintf(out, "  %.1f %% of them\n", 100 * per(n->lock_contended, n->lock_acquisitions));
	fprintf(out, "%-16s %13s", "time", number_time(time, (uint64_t)(t->elapsed_ns / 1000)));
	if (t->elapsed_min_ns < t->elapsed_max_ns)
		fprintf(out, "  %s to %s", number_time(least, (uint64_t)(t->elapsed_min_ns / 1000)),
		    number_time(most, (uint64_t)(t->elapsed_max_ns / 1000)));
	putc('\n', out);
}

static void
print_latency(const struct trial_latency *l, FILE *out)
{
	const struct {
		const char *name;
		double	    ns;
	} line[] = {
		{ "median", l->p50 },
		{ "90 % within", l->p90 },
		{ "99 % within", l->p99 },
		{ "99.9 % within", l->p999 },
		{ "longest", l->max },
		{ "mean", l->mean },
	};
	char time[FRAMES_TEXT];

	fputs("\ntime of one operation; on real cores, reading the clock is part of it\n", out);
	for (size_t i = 0; i < sizeof(line) / sizeof(*line); i++)
		fprintf(out, "  %-14s %13s\n", line[i].name, frames_ns_text(time, line[i].ns));
}

/* ---- fragmentation ---- */

static int
highest(const struct trial_fragments *f)
{
	int most = -1;

	for (unsigned i = 0; i < SAMPLES; i++)
		most = f->largest[i] > most ? f->largest[i] : most;
	return most;
}

/* A column for each sample, a row for each order. */
static void
print_largest(const struct trial_fragments *f, FILE *out)
{
	fputs("\nlargest free run from the start of the load to its end, as order\n", out);
	for (int order = highest(f); order >= 0; order--) {
		unsigned end = SAMPLES;

		while (end && f->largest[end - 1] < order)
			end--;
		fprintf(out, "  %5d  ", order);
		for (unsigned i = 0; i < end; i++)
			putc(f->largest[i] >= order ? '#' : ' ', out);
		putc('\n', out);
	}
	if (highest(f) < 0)
		fputs("   none  no page was ever free\n", out);
}

static void
print_met(const struct trial_fragments *f, FILE *out)
{
	char free_pages[NUMBER_TEXT], all[NUMBER_TEXT], pages[NUMBER_TEXT];

	fprintf(out,
	    "\nrequests that are met: when most pages are taken, in %s of %s pages, and after the load\n",
	    number_group(free_pages, f->free_pages), number_group(all, f->total_pages));
	fprintf(out, "  %5s %9s %9s %9s\n", "order", "pages", "met", "after");
	for (unsigned k = 0; k < f->orders; k++) {
		fprintf(out, "  %5u %9s %7.1f %% %7.1f %%", k,
		    number_group(pages, UINT64_C(1) << k), 100 * f->met[k], 100 * f->met_after[k]);
		for (unsigned i = 0; i < (unsigned)(f->met[k] * BAR + 0.5); i++)
			fputs(i ? "#" : "  #", out);
		putc('\n', out);
	}
}

/* ---- all of it ---- */

void
frames_shape_print(const struct frames_report *r, FILE *out)
{
	const struct frames_shape *s = &r->shape;
	char			   n[NUMBER_TEXT];

	fprintf(out, "%" PRIu64 " thread%s on ", s->threads, plural(s->threads));
	text_print(r->cores, out);
	fprintf(out, ", %" PRIu64 " block%s of", s->blocks, plural(s->blocks));
	fprintf(out, " %s page%s", number_group(n, s->block_pages), plural(s->block_pages));
	fprintf(out, " (%s)", number_bytes(n, s->blocks * s->block_pages * FRAME_BYTES));
}

void
frames_text(const struct frames_report *r, FILE *out)
{
	print_answer(r, out);
	print_counts(&r->result, out);
	if (r->latency)
		print_latency(&r->result.latency, out);
	if (r->fragments) {
		print_largest(&r->result.fragments, out);
		print_met(&r->result.fragments, out);
	}
	fputs("\nallocator ", out);
	text_print(r->allocator, out);
	fputs(", workload ", out);
	text_print(r->workload, out);
	fputs(", ", out);
	frames_shape_print(r, out);
	fputs(r->shape.checked ? ", checked\n" : "\n", out);
}

/* scale_text.c - how far programs scale, as text. */
#include <inttypes.h>
#include <math.h>

#include "sim/base/text.h"
#include "sim/studies/scale/scale_report.h"

enum { CELL = 32 };

static const char *
threads(uint32_t n)
{
	return n == 1 ? "thread" : "threads";
}

/* Some digits, without an exponent if that is short: 0.0042, 3.1e-06. */
static const char *
number(char cell[CELL], double x)
{
	snprintf(cell, CELL, "%.3g", x);
	return cell;
}

static const char *
peak(char cell[CELL], double x)
{
	if (isinf(x))
		return "none";
	snprintf(cell, CELL, "%.1f", x);
	return cell;
}

/* ---- sentences ---- */

void
scale_answer(const struct scale *s, FILE *out)
{
	const struct timed_level *to = &s->program->level[s->to];
	size_t			  last = s->program->nlevels - 1;

	fprintf(out, "the region scales to %" PRIu32 " %s: S = %.2f", to->threads,
	    threads(to->threads), s->level[s->to].region_speedup);
	if (s->to < last)
		fprintf(out, "; with %" PRIu32 " threads it is %.2f",
		    s->program->level[last].threads, s->level[last].region_speedup);
	else
		fputs(", the most that were measured", out);
	if (s->group != '-')
		fprintf(out, " (group %c)", s->group);
}

static void
print_interval(struct interval i, const char *(*print)(char cell[CELL], double x), FILE *out)
{
	char low[CELL], high[CELL];

	if (!isnan(i.low))
		fprintf(out, " [%s, %s]", print(low, i.low), print(high, i.high));
}

static void
print_r2(const struct scale *s, FILE *out)
{
	if (!isnan(s->r2))
		fprintf(out, ", R2 %.4f", s->r2);
}

void
scale_law(const struct scale *s, const char *between, FILE *out)
{
	char cell[CELL];

	fprintf(out, "a = %s", number(cell, s->law.a));
	print_interval(s->a, number, out);
	if (!s->b_is_fitted) {
		fputs(" with b = 0", out);
		return;
	}
	fprintf(out, ", b = %s", number(cell, s->law.b));
	print_interval(s->b, number, out);
	fprintf(out, "%speak %s", between, peak(cell, s->peak));
	if (s->law.b > 0 || s->b.high > 0)
		print_interval(s->peak_spread, peak, out);
	print_r2(s, out);
}

/* ---- notes ---- */

static void
note_law(const struct scale *s, FILE *out)
{
	const struct timed_level *last = &s->program->level[s->program->nlevels - 1];
	char			  cell[CELL];

	if (s->law.a <= 0 && s->law.b <= 0)
		fputs("  a and b are at their bound, 0: the region is as fast as linear, or "
		      "faster\n",
		    out);
	else if (!s->b_is_fitted)
		fprintf(out,
		    "  two numbers of threads cannot tell a from b: if all of the loss were b, a "
		    "would be 0 and b %s\n",
		    number(cell, s->law.a / last->threads));
	else if (!isinf(s->peak) && s->peak > last->threads)
		fprintf(out, "  the peak is beyond the %" PRIu32 " threads that were measured\n",
		    last->threads);
	if (!s->has_spread)
		fputs("  no spread: it needs at least two runs of each number of threads\n", out);
}

static size_t
find_fastest(const struct scale *s)
{
	size_t best = 0;

	for (size_t i = 1; i < s->program->nlevels; i++)
		if (s->level[i].speedup > s->level[best].speedup)
			best = i;
	return best;
}

static void
note_whole(const struct scale *s, FILE *out)
{
	size_t	 best = find_fastest(s);
	uint32_t n = s->program->level[best].threads;

	fprintf(out, "the whole program: S = %.2f with %" PRIu32 " %s", s->level[best].speedup, n,
	    threads(n));
	if (isinf(s->limit))
		fputs("; nothing is outside the region\n", out);
	else
		fprintf(out,
		    "; with 1 thread %.1f %% of its time is outside the region, so that S is at "
		    "most %.1f\n",
		    100 * s->outside_share, s->limit);
}

static void
note_kernel(const struct scale *s, FILE *out)
{
	const struct timed_level *first = s->program->level,
				 *last = first + s->program->nlevels - 1;
	double least = 100 * timed_level_kernel(first);
	double most = 100 * timed_level_kernel(last);

	if (!isnan(least) && !isnan(most))
		fprintf(out,
		    "the kernel has %.1f %% of the processor time with 1 thread, and %.1f %% with "
		    "%" PRIu32 "\n",
		    least, most, last->threads);
}

/* ---- tables ---- */

static void
print_levels(const struct scale *s, FILE *out)
{
	const struct timed_level *t = s->program->level;

	fprintf(out, "%7s %5s %10s %10s %9s%s %7s %8s\n", "threads", "runs", "T_non, s", "T_roi, s",
	    "S region", s->has_spread ? "     low    high" : "", "law", "S whole");
	for (size_t i = 0; i < s->program->nlevels; i++) {
		const struct scale_level *l = &s->level[i];

		fprintf(out, "%7" PRIu32 " %5zu %10.4f %10.4f %9.3f", t[i].threads, t[i].nruns,
		    l->outside, t[i].region, l->region_speedup);
		if (s->has_spread)
			fprintf(out, " %7.3f %7.3f", l->region_spread.low, l->region_spread.high);
		fprintf(out, " %7.3f %8.3f\n", l->law, l->speedup);
	}
}

static void
print_one(const struct scale *s, FILE *out)
{
	text_print(s->program->name, out);
	fputs(": ", out);
	scale_answer(s, out);
	fputs("\n  ", out);
	scale_law(s, "\n  ", out);
	putc('\n', out);
	note_law(s, out);
	putc('\n', out);
	print_levels(s, out);
	putc('\n', out);
	note_whole(s, out);
	note_kernel(s, out);
}

enum { PROGRAM_ROOM = 14 };

static void
print_row(const struct scale *s, FILE *out)
{
	char name[PROGRAM_ROOM], a[CELL], b[CELL], top[CELL], limit[CELL] = "-";

	if (!isinf(s->limit))
		snprintf(limit, sizeof(limit), "%.1f", s->limit);
	fprintf(out, "%-13s %5c %9" PRIu32 " %8.2f %7.2f %8s %8s %6s %7s\n",
	    text_clean(name, sizeof(name), s->program->name), s->group,
	    s->program->level[s->to].threads, s->level[s->to].region_speedup,
	    s->level[s->to].speedup, number(a, s->law.a), number(b, s->law.b), peak(top, s->peak),
	    limit);
}

static void
print_all(const struct scale *s, size_t n, FILE *out)
{
	fprintf(out, "%-13s %5s %9s %8s %7s %8s %8s %6s %7s\n", "program", "group", "scales to",
	    "S region", "S whole", "a", "b", "peak", "at most");
	for (size_t i = 0; i < n; i++)
		print_row(&s[i], out);
}

void
scale_text(const struct scale *s, size_t n, FILE *out)
{
	if (n > 1)
		print_all(s, n, out);
	for (size_t i = 0; i < n; i++) {
		fputs(n > 1 ? "\n" : "", out);
		print_one(&s[i], out);
	}
}

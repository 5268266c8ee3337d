/* times.c - durations counted in steps of 1/64. */
#include "sim/studies/frames/model/times.h"

enum { FINE_BITS = 6 };

/* Below 2 x TIMES_FINE each ns is a step; from there on each power of two has TIMES_FINE. */
static unsigned
step_of(uint64_t ns)
{
	unsigned shift;

	if (ns < 2 * TIMES_FINE)
		return (unsigned)ns;
	shift = 63 - (unsigned)__builtin_clzll(ns) - FINE_BITS;
	return shift * TIMES_FINE + (unsigned)(ns >> shift);
}

/* The longest duration of a step. */
static uint64_t
end_of(unsigned step)
{
	unsigned shift;

	if (step < 2 * TIMES_FINE)
		return step;
	shift = step / TIMES_FINE - 1;
	return (((uint64_t)(step % TIMES_FINE) + TIMES_FINE + 1) << shift) - 1;
}

void
times_add(struct times *t, uint64_t ns)
{
	t->seen[step_of(ns)]++;
	t->n++;
	t->sum_ns += ns;
	if (ns > t->max_ns)
		t->max_ns = ns;
}

/* The shortest duration that as many of 1000 do not exceed. */
static double
percentile(const struct times *t, uint64_t of_1000)
{
	uint64_t wanted = t->n - t->n * (1000 - of_1000) / 1000, seen = 0;

	for (unsigned step = 0; step < TIMES_STEPS; step++) {
		seen += t->seen[step];
		if (seen >= wanted && seen)
			return (double)(end_of(step) < t->max_ns ? end_of(step) : t->max_ns);
	}
	return 0;
}

struct trial_latency
times_latency(const struct times *t)
{
	return (struct trial_latency){ .p50 = percentile(t, 500),
		.p90 = percentile(t, 900),
		.p99 = percentile(t, 990),
		.p999 = percentile(t, 999),
		.max = (double)t->max_ns,
		.mean = t->n ? (double)t->sum_ns / (double)t->n : 0 };
}

void
times_join(struct times *t, const struct times *of)
{
	for (unsigned step = 0; step < TIMES_STEPS; step++)
		t->seen[step] += of->seen[step];
	t->n += of->n;
	t->sum_ns += of->sum_ns;
	if (of->max_ns > t->max_ns)
		t->max_ns = of->max_ns;
}

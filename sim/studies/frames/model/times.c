/* times.c - durations counted in steps of 1/64. */
#include "sim/studies/frames/model/times.h"

void
times_add(struct times *t, uint64_t ns)
{
	t->seen[histogram_step(ns, TIMES_BITS)]++;
	t->n++;
	t->sum_ns += ns;
	if (ns > t->max_ns)
		t->max_ns = ns;
}

/* The shortest duration that as many of 1000 do not exceed. */
static double
percentile(const struct times *t, unsigned of_1000)
{
	uint64_t end;

	if (!t->n)
		return 0;
	end = histogram_end(histogram_rank(t->seen, t->n, of_1000), TIMES_BITS);
	return (double)(end < t->max_ns ? end : t->max_ns);
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

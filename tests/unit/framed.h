/* framed.h - made-up results of bufsim frames. */
#ifndef TESTS_UNIT_FRAMED_H
#define TESTS_UNIT_FRAMED_H

#include "sim/studies/frames/report/frames_report.h"

/* 1,000 operations in 10 us, 100 M operations/s: between 8 us and 20 us. */
static inline struct frames_report
framed(const char *allocator, const char *workload, uint64_t threads)
{
	struct frames_report r = { .allocator = allocator,
		.workload = workload,
		.cores = "real",
		.shape = { .blocks = 4, .block_pages = 8, .threads = threads },
		.repeat = 5,
		.result = { .counts = { 1000, 0, 30, 20, 500, 5 },
		    .elapsed_ns = 10000,
		    .elapsed_min_ns = 8000,
		    .elapsed_max_ns = 20000 } };

	return r;
}

/* The same at that many M operations/s. */
static inline struct frames_report
framed_rate(const char *allocator, const char *workload, uint64_t threads, double rate)
{
	struct frames_report r = framed(allocator, workload, threads);

	r.result.elapsed_ns = 1e6 / rate;
	return r;
}

static inline void
framed_latency(struct frames_report *r)
{
	r->latency = true;
	r->result.latency = (struct trial_latency){ 45, 60, 120, 1450, 1.2e6, 52.5 };
}

/* 32 pages; free runs shrink from a block, 2^3 pages, to nothing. */
static inline void
framed_fragments(struct frames_report *r)
{
	struct trial_fragments *f = &r->result.fragments;

	r->fragments = true;
	f->free_pages = 12;
	f->total_pages = 32;
	f->orders = 4;
	for (unsigned k = 0; k < f->orders; k++)
		f->met[k] = 1 - k / 4., f->met_after[k] = k < 3;
	for (int i = 0; i <= FRAGMENT_SAMPLES; i++)
		f->largest[i] = 3 - i / 16;
}

/* A copy, compared as those of a command are; it holds until the next one. */
static inline const struct frames_report *
framed_compared(const struct frames_report *r, size_t n)
{
	static struct frames_report copy[20];

	memcpy(copy, r, n * sizeof(*r));
	frames_compare(copy, n);
	return copy;
}

#endif

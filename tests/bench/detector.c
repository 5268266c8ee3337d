/*
 * detector.c - what prefetch/detect.c costs, beside a walk that only adds up block numbers.
 *
 *   detector TRACE ROUNDS
 *
 * Both go through the block references of all reads, in turns.  Prints how many these
 * are and, of the processor, the least nanoseconds a reference: the walk, the detector.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prefetch/detect.h"
#include "sim/trace/load.h"

static struct error error;

struct learner {
	struct detector detector;
};

static const struct param params[] = {
	DETECTOR_PARAMS(struct learner, detector),
	{ 0 },
};

static const struct plugin plugin = { .name = "detector", .params = params };

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct walk {
	uint64_t references, sum; /* of block numbers, or of classes */
};

/* With a detector, or without if it is NULL. */
ALWAYS_INLINE struct walk
walk(const struct trace *t, struct detector *d)
{
	struct walk w = { 0 };

	for (const struct access *a = t->access; a < t->access + t->naccess; a++) {
		file_t	 file = t->open[a->open].file;
		uint32_t first = access_first(t, a), count = access_count(t, a);

		for (uint32_t b = first; !a->write && b - first < count; b++)
			w.sum += d ? detector_update(d, a->open, file, b) : b ^ w.sum;
		w.references += a->write ? 0 : count;
	}
	return w;
}

static int
time_detector(const struct trace *t, double *seconds, uint64_t *sum)
{
	struct learner l;
	double	       start;

	if (params_set(&plugin, &l, NULL, &error) ||
	    detector_init(&l.detector, t->nopen, t->nfiles, &error))
		return -1;
	start = cpu_seconds();
	*sum = walk(t, &l.detector).sum;
	start = cpu_seconds() - start;
	*seconds = start < *seconds ? start : *seconds;
	detector_release(&l.detector);
	return 0;
}

static int
measure(const struct trace *t, int rounds)
{
	double	    walking = 1e9, detecting = 1e9, start;
	struct walk w;
	uint64_t    classes;

	while (rounds--) {
		start = cpu_seconds();
		w = walk(t, NULL);
		start = cpu_seconds() - start;
		walking = start < walking ? start : walking;
		if (time_detector(t, &detecting, &classes))
			return -1;
		if (w.sum == 1 || classes > CLASS_LOOPING * w.references)
			return error_set(&error, "impossible"); /* or nothing need be computed */
	}
	printf("%llu %.3f %.3f\n", (unsigned long long)w.references,
	    walking / (double)w.references * 1e9, detecting / (double)w.references * 1e9);
	return 0;
}

int
main(int argc, char **argv)
{
	struct trace_options o = { .block_bytes = 4096 };
	struct trace	     t;
	int		     rounds = argc == 3 ? atoi(argv[2]) : 0, failed;

	if (rounds < 1) {
		fprintf(stderr, "usage: detector TRACE ROUNDS\n");
		return 2;
	}
	failed = trace_load(&t, argv[1], &o, &error);
	if (!failed) {
		failed = trace_check(&t, 0, t.naccess, &error) || measure(&t, rounds);
		trace_release(&t);
	}
	if (failed)
		fprintf(stderr, "detector: %s\n", error.text);
	return failed != 0;
}

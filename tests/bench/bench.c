/*
 * bench.c - what a reference costs in time, and a block in memory.
 *
 * Times are of the processor, the best of a few runs.  The same references
 * go through the untimed replay, through a textbook LRU, and with the disk
 * through whole simulations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "sim/registry.h"
#include "sim/sim.h"
#include "tests/bench/textbook.h"

enum { RUNS = 5, FRAMES = 16384 };

static const char *const trace_path[] = {
	"traces/samples/csq.txt.gz",
	"traces/samples/tpch-myisam.txt.gz",
};

static struct error error;

static void *
must(const void *p)
{
	if (!p) {
		fprintf(stderr, "bench: %s\n", error.exit_code ? error.text : "out of memory");
		exit(1);
	}
	return (void *)(uintptr_t)p;
}

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
keep_least(double *best, double seconds)
{
	if (*best == 0 || seconds < *best)
		*best = seconds;
}

/* Every block reference of a trace, in order. */
static block_t *
flatten(const struct trace *t, size_t *n)
{
	block_t *ref;

	*n = 0;
	for (size_t i = 0; i < t->naccess; i++)
		*n += access_count(t, &t->access[i]);
	ref = must(malloc(*n * sizeof(block_t)));
	*n = 0;
	for (size_t i = 0; i < t->naccess; i++) {
		const struct access *a = &t->access[i];
		block_t first = t->file[t->open[a->open].file].base + access_first(t, a);

		for (uint32_t k = 0; k < access_count(t, a); k++)
			ref[(*n)++] = first + k;
	}
	return ref;
}

static double
time_replay(const struct trace *t, const block_t *ref, size_t n, int64_t *hits)
{
	const char	    *params;
	const struct policy *lru = must(registry_find(PLUGIN_POLICY, "lru", &params, &error));
	double		     best = 0;

	for (int i = 0; i < RUNS; i++) {
		struct cache c;
		void	    *self = must(calloc(1, lru->plugin.state_size));
		uint64_t     count = 0;
		double	     start;

		must(cache_init(&c, FRAMES, t->nblocks, &error) ? NULL : &c);
		start = cpu_seconds();
		lru->replay(self, &c, ref, n, &count);
		keep_least(&best, cpu_seconds() - start);
		*hits = (int64_t)count;
		cache_release(&c);
		free(self);
	}
	return best;
}

static double
time_textbook(const block_t *ref, size_t n, int64_t expected)
{
	double best = 0;

	for (int i = 0; i < RUNS; i++) {
		double start = cpu_seconds();

		if (textbook_replay(FRAMES, ref, n) != expected) {
			fprintf(stderr, "bench: the two LRUs disagree\n");
			exit(1);
		}
		keep_least(&best, cpu_seconds() - start);
	}
	return best;
}

static struct config
configure(const char *prefetcher, const char *device, uint64_t frames)
{
	struct config c;
	char	     *owned;

	config_defaults(&c);
	c.cache_blocks = frames;
	c.policy = must(registry_find(PLUGIN_POLICY, "lru", &c.policy_params, &error));
	c.prefetcher =
	    must(registry_find(PLUGIN_PREFETCHER, prefetcher, &c.prefetcher_params, &error));
	c.scheduler = must(registry_find(PLUGIN_SCHEDULER, "fifo", &c.scheduler_params, &error));
	c.device =
	    must(registry_find_device(device, &c.device_params, &c.device_sheet, &owned, &error));
	return c;
}

static double
time_run(const struct trace *t, const char *prefetcher)
{
	struct config cfg = configure(prefetcher, "cheetah9lp", FRAMES);
	double	      best = 0;

	for (int i = 0; i < RUNS; i++) {
		struct sim s;
		double	   start;

		must(sim_init(&s, &cfg, t, &error) ? NULL : &s);
		start = cpu_seconds();
		sim_run(&s);
		keep_least(&best, cpu_seconds() - start);
		sim_release(&s);
	}
	return best;
}

static void
bench_trace(const char *path)
{
	struct trace_options o = { .block_bytes = 4096 };
	struct trace	     t;
	int64_t		     hits;
	size_t		     n;
	double		     start = cpu_seconds(), load, replay, peer, none, readahead;
	block_t		    *ref;

	must(trace_load(&t, path, &o, &error) ? NULL : &t);
	load = cpu_seconds() - start;
	ref = flatten(&t, &n);
	replay = time_replay(&t, ref, n, &hits) / (double)n;
	peer = time_textbook(ref, n, hits) / (double)n;
	none = time_run(&t, "none") / (double)n;
	readahead = time_run(&t, "linux24") / (double)n;
	printf("%-12s %10zu %8.1f %8.1f %7.1fx %10.1f %10.1f %10.1f\n", t.name, n, replay * 1e9,
	    peer * 1e9, peer / replay, none * 1e9, readahead * 1e9, load / (double)t.records * 1e9);
	free(ref);
	trace_release(&t);
}

/* Of the heap, and of what malloc() has mapped. */
static double
bytes_in_use(void)
{
#ifdef __GLIBC__
	struct mallinfo2 m = mallinfo2();

	return (double)(m.uordblks + m.hblkhd);
#else
	return 0; /* other C libraries do not tell */
#endif
}

/* Bytes in use once a simulation of that many frames and blocks is set up. */
static double
memory_of(uint64_t frames, block_t nblocks)
{
	struct config	 cfg = configure("linux24", "null", frames);
	struct access	 a = { .length = 1, .file_size = 1 };
	struct open_file open = { 0 };
	struct file	 f = { .base = 1, .nblocks = nblocks - 1 };
	struct process	 p = { 1 };
	char		 name[] = "one file";
	struct trace	 t = { .name = name,
		    .block_bytes = 4096,
		    .block_shift = 12,
		    .access = &a,
		    .naccess = 1,
		    .open = &open,
		    .nopen = 1,
		    .file = &f,
		    .nfiles = 1,
		    .process = &p,
		    .nprocesses = 1,
		    .nblocks = nblocks };
	double		 before = bytes_in_use(), after;
	struct sim	 s;

	must(sim_init(&s, &cfg, &t, &error) ? NULL : &s);
	after = bytes_in_use();
	sim_release(&s);
	return after - before;
}

static void
bench_memory(void)
{
	const block_t few = 1 << 20, many = 1 << 22;
	double	      base = memory_of(few, few);

	printf("\nmemory: %.1f bytes a frame, %.1f bytes a block of the trace, %zu bytes a call\n",
	    (memory_of(many, few) - base) / (many - few),
	    (memory_of(few, many) - base) / (many - few), sizeof(struct access));
}

int
main(void)
{
	printf("nanoseconds a reference, LRU, %d frames; load: nanoseconds a record\n\n", FRAMES);
	printf("%-12s %10s %8s %8s %8s %10s %10s %10s\n", "trace", "references", "replay",
	    "textbook", "ratio", "run none", "linux24", "load");
	for (size_t i = 0; i < sizeof(trace_path) / sizeof(trace_path[0]); i++)
		bench_trace(trace_path[i]);
	bench_memory();
	return 0;
}

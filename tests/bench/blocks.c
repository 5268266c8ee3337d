/*
 * blocks.c - the block references of a trace, as libCacheSim reads them fastest.
 *
 *   blocks TRACE [OUT]
 *
 * Prints how many references and distinct blocks there are, and the seconds
 * of the processor that loading took.  OUT gets one record of 24 bytes
 * ("oracleGeneral") for each reference: time, block, size 1, and -1 in place
 * of the next use, which LRU does not look at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/trace/load.h"

static struct error error;

static double
cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
write_reference(FILE *f, block_t block)
{
	const struct {
		uint32_t time, block[2], size;
		int32_t	 next_use[2];
	} record = { 0, { (uint32_t)block, 0 }, 1, { -1, -1 } };

	fwrite(&record, sizeof(record), 1, f);
}

struct counts {
	unsigned long long references, blocks;
};

/* Counts, and writes if there is a file; seen is a byte for each block. */
static struct counts
walk(const struct trace *t, FILE *f, unsigned char *seen)
{
	struct counts c = { 0 };

	for (size_t i = 0; i < t->naccess; i++) {
		block_t first = access_block(t, &t->access[i]);
		block_t end = first + access_count(t, &t->access[i]);

		c.references += end - first;
		for (block_t b = first; b < end; b++) {
			c.blocks += !seen[b];
			seen[b] = 1;
			if (f)
				write_reference(f, b);
		}
	}
	return c;
}

static int
describe(const struct trace *t, const char *out, double seconds)
{
	FILE	      *f = out ? fopen(out, "wb") : NULL;
	unsigned char *seen = calloc(t->nblocks, 1);
	struct counts  c = { 0 };

	if (seen && (f || !out))
		c = walk(t, f, seen);
	free(seen);
	if (f && (ferror(f) | fclose(f)))
		f = NULL;
	if (!c.references || (out && !f))
		return error_set(&error, "%s: cannot be written", out ? out : "block count");
	printf("%llu %llu %.6f\n", c.references, c.blocks, seconds);
	return 0;
}

int
main(int argc, char **argv)
{
	struct trace_options o = { .block_bytes = 4096 };
	struct trace	     t;
	double		     start = cpu_seconds();
	int		     failed;

	if (argc < 2) {
		fprintf(stderr, "usage: blocks TRACE [OUT]\n");
		return 2;
	}
	failed = trace_load(&t, argv[1], &o, &error);
	if (!failed) {
		double seconds = cpu_seconds() - start;

		failed = trace_check(&t, 0, t.naccess, &error) ||
		    describe(&t, argc > 2 ? argv[2] : NULL, seconds);
		trace_release(&t);
	}
	if (failed)
		fprintf(stderr, "blocks: %s\n", error.text);
	return failed != 0;
}

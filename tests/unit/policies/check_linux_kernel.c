/*
 * check_linux_kernel.c - the policy linux, compared with the pages that kernels
 * read for csq (traces/samples).
 */
#include "sim/trace/load.h"
#include "tests/unit/policies/player.h"

static struct {
	struct use *use;
	block_t	   *ref;
	size_t	    n;
} reads;

static void
add_read(const struct trace *t, const struct access *a)
{
	uint32_t first = (uint32_t)(a->offset / t->block_bytes);
	uint32_t last = (uint32_t)((a->offset + a->length - 1) / t->block_bytes);

	for (uint32_t i = first; i <= last; i++) {
		reads.ref[reads.n] = t->file[t->open[a->open].file].base + i;
		reads.use[reads.n++] = (struct use){ .index = i, .open = a->open };
	}
}

static void
take_reads(const struct trace *t)
{
	size_t most = 0;

	for (size_t i = 0; i < t->naccess; i++)
		most += 2 + t->access[i].length / t->block_bytes;
	reads.ref = calloc(most, sizeof(*reads.ref));
	reads.use = calloc(most, sizeof(*reads.use));
	for (size_t i = 0; i < t->naccess; i++)
		if (!t->access[i].write)
			add_read(t, &t->access[i]);
}

static uint64_t
misses_of_reads(const struct trace *t, frame_t frames)
{
	struct batch	     batch = { .ref = reads.ref, .use = reads.use, .n = reads.n };
	struct error	     e = { 0 };
	const char	    *params;
	const void	    *found = registry_find(PLUGIN_POLICY, "linux", &params, &e);
	const struct policy *p = found;
	void		    *self = calloc(1, p->plugin.state_size);
	struct cache	     cache;

	ck_assert(!params_set(&p->plugin, self, params, &e));
	ck_assert(!cache_init(&cache, frames, t->nblocks, &e));
	ck_assert(!p->init(self, &cache, t, NULL, &e));
	p->replay(self, &cache, &batch);
	p->release(self);
	free(self);
	cache_release(&cache);
	return reads.n - batch.hits;
}

/*
 * Pages that two set-ups with Linux 6.1 read for the reads of csq, after
 * POSIX_FADV_RANDOM: the second one is that of results/kernel-6.1.csv.
 */
static const struct {
	frame_t	 pages;
	uint64_t read;
	double	 most; /* difference, in per cent */
} kernel[] = {
	{ 3894, 104474, 5 },
	{ 6022, 82609, 5 },
	{ 8088, 70796, 5 },
	{ 12170, 57805, 5 },
	{ 16260, 46214, 5 },
	{ 20355, 33524, 5 },
	{ 3871, 104885, 0.5 },
	{ 4793, 93470, 0.5 },
	{ 5910, 82874, 0.5 },
	{ 7942, 72392, 0.5 },
	{ 10034, 62447, 0.5 },
	{ 12055, 57862, 0.5 },
	{ 14116, 50191, 0.5 },
	{ 16172, 46388, 0.5 },
	{ 18225, 37378, 0.5 },
	{ 20261, 33677, 0.5 },
	{ 24323, 30176, 0.5 },
};

START_TEST(kernels_read_as_many_pages)
{
	const struct trace_options options = { .block_bytes = 4096 };
	struct trace		   t = { 0 };
	struct error		   e = { 0 };

	ck_assert_msg(!trace_load(&t, "traces/samples/csq.txt.gz", &options, &e), "%s", e.text);
	take_reads(&t);
	for (size_t i = 0; i < sizeof(kernel) / sizeof(*kernel); i++) {
		uint64_t read = misses_of_reads(&t, kernel[i].pages);
		double	 percent = 100 * ((double)read / (double)kernel[i].read - 1);

		REQUIRE(percent >= -kernel[i].most && percent <= kernel[i].most,
		    "with %u pages %.2f %% more than the kernel", kernel[i].pages, percent);
	}
	free(reads.ref);
	free(reads.use);
	trace_release(&t);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("linux-kernel");

	tcase_add_test(tests, kernels_read_as_many_pages);
	return run_tests("linux-kernel", tests);
}

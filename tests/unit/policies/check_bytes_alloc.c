/*
 * check_bytes_alloc.c - each policy takes the memory that docs/performance.md says.
 *
 * Linked with --wrap for calloc and the others, so that what init() obtains is counted.
 */
#include <inttypes.h>

#include "tests/unit/allocator.h"
#include "tests/unit/conformance.h"

enum { LITTLE = 16, TRACE_BLOCKS = 200000, LINE = 512, ROWS = 22 };

static struct error error;

/* Bytes that the policy obtains for a cache and a trace. */
static uint64_t
bytes_for(const struct policy *p, frame_t frames, block_t blocks)
{
	struct file	 file = { .base = 1, .nblocks = blocks };
	struct open_file open = { 0 };
	struct access	 call = { .length = 4096 };
	struct trace	 trace = { .block_bytes = 4096,
		    .block_shift = 12,
		    .access = &call,
		    .naccess = 1,
		    .open = &open,
		    .nopen = 1,
		    .file = &file,
		    .nfiles = 1,
		    .nprocesses = 1,
		    .nblocks = blocks + 1 };
	struct future	 future = { 0 };
	struct cache	 c;
	void		*self = calloc(1, p->plugin.state_size + 1);
	int		 status;

	REQUIRE(!cache_init(&c, frames, blocks + 1, &error), "%s", error.text);
	REQUIRE(!params_set(&p->plugin, self, "", &error), "%s", error.text);
	watch_from_here(0);
	status = p->needs & NEEDS_FUTURE ? future_init(&future, &trace, &error) : 0;
	if (!status && p->init)
		status = p->init(self, &c, &trace, &future, &error);
	watch.on = false;
	REQUIRE(!status, "%s: %s", p->plugin.name, error.text);
	if (p->release)
		p->release(self);
	free(self);
	future_release(&future);
	cache_release(&c);
	return watch.bytes;
}

/* The most over some sizes, rounded: tables with a power of two of entries take more than they need. */
static uint64_t
bytes_a_frame(const struct policy *p)
{
	static const frame_t frames[] = { 8191, 8192, 10000, 16384, 20000, 30000 };
	uint64_t	     most = 0, little = bytes_for(p, LITTLE, TRACE_BLOCKS);

	for (size_t i = 0; i < sizeof(frames) / sizeof(*frames); i++) {
		uint64_t more = bytes_for(p, frames[i], TRACE_BLOCKS) - little;
		uint64_t each = (more + frames[i] / 2) / frames[i];

		most = each > most ? each : most;
	}
	return most;
}

/* In tenths. */
static uint64_t
bytes_a_block(const struct policy *p)
{
	uint64_t few = bytes_for(p, LITTLE, TRACE_BLOCKS);

	return (10 * (bytes_for(p, LITTLE, 2 * TRACE_BLOCKS) - few) + TRACE_BLOCKS / 2) /
	    TRACE_BLOCKS;
}

/* The row whose first cell has the policy; false: there is none. */
static bool
find_row(FILE *page, const char *name, uint64_t *frame, double *block)
{
	char line[LINE], quoted[64];

	rewind(page);
	snprintf(quoted, sizeof(quoted), "`%s`", name);
	while (fgets(line, sizeof(line), page)) {
		char *cells = *line == '|' ? strchr(line + 1, '|') : NULL;
		char *found = strstr(line, quoted);

		if (cells && found && found < cells &&
		    sscanf(cells, "| %" SCNu64 " | %lf |", frame, block) == 2)
			return true;
	}
	return false;
}

START_TEST(the_memory_of_each_policy_is_what_the_page_says)
{
	FILE	*page = fopen("docs/performance.md", "r");
	unsigned rows = 0;

	ck_assert_ptr_nonnull(page);
	for (const struct plugin *const *q = PLUGIN_POLICY->list; *q; q++) {
		const struct policy *p = (const struct policy *)*q;
		uint64_t	     frame, measured = bytes_a_frame(p);
		double		     block, of_block = (double)bytes_a_block(p) / 10;

		if (!find_row(page, p->plugin.name, &frame, &block))
			continue; /* one that was added just now */
		rows++;
		ck_assert_msg(frame == measured && block == of_block,
		    "docs/performance.md: %s takes %" PRIu64 " bytes a frame and %g a block more",
		    p->plugin.name, measured, of_block);
	}
	fclose(page);
	ck_assert_uint_ge(rows, ROWS);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("bytes");

	tcase_add_test(tests, the_memory_of_each_policy_is_what_the_page_says);
	return run_tests("bytes", tests);
}

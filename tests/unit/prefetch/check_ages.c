/*
 * check_ages.c - prefetchers hear of writes, so that the ages of blocks are right with them.
 *
 * A prefetcher that plans nothing keeps the clock at the last reference of each block, alone and
 * inside each controller.  An observer of the same run counts the blocks that have come since.
 */
#include <string.h>

#include "sim/core/simulate.h"
#include "tests/unit/conformance.h"

enum { CALLS = 30000, BLOCKS = 6000, FRAMES = 1000, BLOCK_BYTES = 4096 };

extern const struct prefetcher prefetcher_iprp, prefetcher_ledger, prefetcher_fdp,
    prefetcher_switch;

static struct access	access_of[CALLS];
static struct file	file = { .base = 1, .nblocks = BLOCKS, .inode = 1 };
static struct open_file opened = { .file = 0 };
static struct traced	process = { .pid = 1 };
static struct trace	trace = { .name = (char *)(uintptr_t) "ages",
	    .source = { .path = "ages" },
	    .block_bytes = BLOCK_BYTES,
	    .block_shift = 12,
	    .access = access_of,
	    .naccess = CALLS,
	    .longest_bytes = 8 * BLOCK_BYTES,
	    .open = &opened,
	    .nopen = 1,
	    .file = &file,
	    .nfiles = 1,
	    .process = &process,
	    .nprocesses = 1,
	    .nblocks = BLOCKS + 1 };
static struct config	cfg;

/* Of ten calls, `writes` write; most are in a region a little larger than the cache. */
static void
start(uint32_t writes)
{
	uint64_t seed = 1;

	trace.writes = 0;
	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t count = 1 + random_below(&seed, 4);
		uint32_t first =
		    random_below(&seed, random_below(&seed, 4) ? 1300 : BLOCKS - count);
		bool write = random_below(&seed, 10) < writes;

		access_of[i] = (struct access){ .time = (usec_t)i * 1000,
			.offset = (uint64_t)first * BLOCK_BYTES,
			.length = (count * BLOCK_BYTES) & INT32_MAX,
			.file_size = BLOCKS * BLOCK_BYTES,
			.write = write };
		trace.writes += write;
	}
	config_defaults(&cfg);
	cfg.cache_blocks = FRAMES;
	choose_setting(&cfg, PLUGIN_POLICY, "lru");
	choose_setting(&cfg, PLUGIN_PREFETCHER, "none");
	choose_setting(&cfg, PLUGIN_SCHEDULER, "fifo");
	choose_setting(&cfg, PLUGIN_DEVICE, "fixed");
}

static struct stats
run(void)
{
	struct stats st;
	struct error e;

	REQUIRE(!simulate(&cfg, &trace, &st, &e), "%s", e.text);
	return st;
}

/* ---- what is so ---- */

static uint32_t come;		  /* blocks */
static uint32_t last[BLOCKS + 1]; /* come, at the last reference */
static uint64_t heard;

static void
see(void *ctx, const struct event *e)
{
	if (e->kind == EVENT_FILL)
		come++;
	for (uint32_t i = 0; i < e->count; i++)
		last[e->block + i] = come;
}

/* ---- the same, as the prefetcher finds it out ---- */

static uint32_t left;		  /* blocks */
static uint32_t seen[BLOCKS + 1]; /* the clock at the last reference */

static uint32_t
clock_of(const struct cache *c)
{
	return c->nused + left;
}

static void
listener_access(void *self, const struct demand *d, struct plan *plan)
{
	ck_assert(!d->call->write);
	seen[d->base + d->index] = clock_of(d->cache);
}

static void
listener_wrote(void *self, const struct demand *d)
{
	ck_assert(d->call->write && cache_find(d->cache, d->base + d->index));
	ck_assert_uint_eq(d->first, access_first(&trace, d->call));
	ck_assert_uint_eq(d->index + d->left - d->first, access_count(&trace, d->call));
	heard++;
	seen[d->base + d->index] = clock_of(d->cache);
}

/* The cache is full. */
static void
listener_evicted(void *self, block_t b, bool by_prefetch, bool used)
{
	REQUIRE(FRAMES + left - seen[b] == come - last[b], "block %u is %u old, not %u", b,
	    FRAMES + left - seen[b], come - last[b]);
	left++;
}

static const struct prefetcher listener = {
	.plugin = { .name = "listener", .summary = "test: ages" },
	.access = listener_access,
	.wrote = listener_wrote,
	.evicted = listener_evicted,
};

START_TEST(ages_at_eviction_are_those_since_the_last_reference_read_or_written)
{
	static const char *const	      policy[] = { "lru", "fifo", "arc", "linux" };
	static const struct prefetcher *const outer[] = { NULL, &prefetcher_iprp,
		&prefetcher_ledger, &prefetcher_fdp, &prefetcher_switch };
	struct choice			      inner = { .plugin = &listener.plugin };
	struct stats			      st;

	start((uint32_t)_i % 10);
	choose_setting(&cfg, PLUGIN_POLICY, policy[_i % 4]);
	cfg.prefetcher = inner;
	if (outer[_i % 5])
		cfg.prefetcher =
		    (struct choice){ .plugin = &outer[_i % 5]->plugin, .inner = &inner };
	cfg.writes = (enum writes)(_i % 3);
	cfg.wait = (enum wait)(_i % 2);
	cfg.observer =
	    (struct observer){ .mask = 1u << EVENT_FILL | 1u << EVENT_HIT | 1u << EVENT_DELAYED,
		    .see = see };
	come = left = 0;
	heard = 0;
	memset(last, 0, sizeof(last));
	memset(seen, 0, sizeof(seen));
	st = run();
	ck_assert_uint_eq(heard, st.write_references);
	ck_assert_uint_gt(st.evictions, 20000);
}
END_TEST

int
main(void)
{
	TCase *tests = tcase_create("ages");

	tcase_add_loop_test(tests,
	    ages_at_eviction_are_those_since_the_last_reference_read_or_written, 0, 20);
	return run_tests("ages", tests);
}

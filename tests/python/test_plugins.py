"""Plug-ins from a string of C: compiled, checked, scored; and what goes wrong with them."""

import os
import unittest
from pathlib import Path

import bufsim

TOP = Path(__file__).resolve().parents[2]
SMALL = str(TOP / "tests/data/small.txt")

NEXT = """
#include "sim/core/prefetch.h"

struct next {
	uint64_t blocks;
};

static const struct param next_params[] = {
	{ "blocks", PARAM_COUNT, 1, 1, 64, offsetof(struct next, blocks), "read at a miss", NULL },
	{ 0 },
};

static void
next_access(void *self, const struct demand *d, struct plan *plan)
{
	struct next *n = self;

	if (d->how == REF_MISS)
		plan_add(plan, d->index + 1, (uint32_t)n->blocks);
}

PREFETCHER(next,
    .plugin = { .name = "next", .summary = "blocks behind a miss", .state_size = sizeof(struct next),
	.params = next_params },
    .access = next_access);
"""

OLDEST = """
#include "sim/core/flist.h"
#include "sim/core/policy.h"

static void
oldest_hit(void *self, struct cache *c, frame_t f, const struct use *u)
{
}

static frame_t
oldest_evict(void *self, struct cache *c, block_t coming)
{
	frame_t f = flist_last_evictable(self, c->frame);

	flist_remove(self, c->frame, f);
	return %s;
}

static void
oldest_insert(void *self, struct cache *c, frame_t f, const struct use *u)
{
	flist_push(self, c->frame, f);
}

static void
oldest_remove(void *self, struct cache *c, frame_t f)
{
	flist_remove(self, c->frame, f);
}

POLICY(oldest,
    .plugin = { .name = "oldest", .summary = "first in, first out", .state_size = sizeof(struct flist) },
    .on_hit = HIT_IGNORES, .hit = oldest_hit, .evict = oldest_evict, .insert = oldest_insert,
    .remove = oldest_remove);
"""


def with_access(body):
    """A prefetcher whose access() is that."""
    return f"""
#include <stdlib.h>
#include "sim/core/prefetch.h"

static void
bad_access(void *self, const struct demand *d, struct plan *plan)
{{
	{body}
}}

PREFETCHER(bad, .plugin = {{ .name = "bad", .summary = "bad" }}, .access = bad_access);
"""


class Plugins(unittest.TestCase):
    def test_a_prefetcher_runs_with_parameters_and_in_a_controller(self):
        plugin = bufsim.compile(NEXT)
        one = bufsim.run(SMALL, cache="64b", prefetch=plugin)
        self.assertTrue(one.prefetcher.startswith("next"))
        self.assertGreater(one.prefetched_blocks, 0)
        many = bufsim.run(SMALL, cache="64b", prefetch=plugin("blocks=8"))
        self.assertGreater(many.prefetched_blocks, one.prefetched_blocks)
        table = bufsim.compare(SMALL, cache="64b", prefetch=["none", plugin, plugin("blocks=4")])
        self.assertEqual(len(table), 3)

    def test_a_policy_keeps_the_laws(self):
        plugin = bufsim.compile(OLDEST % "f")
        bufsim.check(plugin)
        self.assertEqual(
            bufsim.run(SMALL, cache="64b", policy=plugin).hits, bufsim.run(SMALL, cache="64b", policy="fifo").hits
        )

    def test_the_file_goes_with_the_plugin(self):
        plugin = bufsim.compile(NEXT)
        other = plugin("blocks=2")
        path = plugin.path
        del plugin
        self.assertTrue(os.path.exists(path))
        del other
        self.assertFalse(os.path.exists(path))

    def test_a_score_is_a_number(self):
        plugin = bufsim.compile(NEXT)
        one = bufsim.run(SMALL, cache="64b", prefetch=plugin)
        self.assertEqual(bufsim.score(plugin, SMALL, cache="64b"), one.elapsed_us)
        self.assertEqual(bufsim.score(plugin, [SMALL, SMALL], "misses", cache="64b"), one.misses)
        none = bufsim.run(SMALL, cache="64b", prefetch="none")
        self.assertAlmostEqual(
            bufsim.score(plugin, [SMALL, SMALL], against="none", cache="64b"), one.elapsed_us / none.elapsed_us
        )
        with self.assertRaisesRegex(bufsim.Error, "no number prefetcher"):
            bufsim.score(plugin, SMALL, "prefetcher")
        with self.assertRaisesRegex(bufsim.Error, "no trace"):
            bufsim.score(plugin, [])

    def test_messages_of_the_compiler(self):
        with self.assertRaisesRegex(bufsim.Error, "undeclared") as caught:
            bufsim.compile(with_access("wrong();\n\tnothing_there = 1;"))
        self.assertEqual(caught.exception.record, 8)
        with self.assertRaisesRegex(bufsim.Error, "defines no plug-in"):
            bufsim.compile("int x;")
        before = os.environ.get("CC")
        os.environ["CC"] = "/nowhere/cc"
        try:
            with self.assertRaisesRegex(bufsim.Error, "no C compiler /nowhere/cc"):
                bufsim.compile(NEXT)
        finally:
            os.environ.pop("CC")
            if before is not None:
                os.environ["CC"] = before

    def test_a_crash_and_an_endless_loop_are_errors(self):
        crash = bufsim.compile(with_access("abort();"))
        with self.assertRaisesRegex(bufsim.Error, "SIGABRT"):
            bufsim.score(crash, SMALL)
        with self.assertRaisesRegex(bufsim.Error, "SIGABRT.*bufsim run --pattern"):
            bufsim.check(crash)
        with self.assertRaisesRegex(bufsim.Error, "more than 0.3 s"):
            bufsim.score(bufsim.compile(with_access("for (;;)\n\t\t;")), SMALL, seconds=0.3)

    def test_check_finds_a_plugin_that_differs_between_runs(self):
        source = with_access("static char here; plan_add(plan, d->index + 1, (uintptr_t)&here >> 12 & 7);")
        with self.assertRaisesRegex(bufsim.Error, "two runs give different numbers: bufsim run"):
            bufsim.check(bufsim.compile(source))

    def test_check_finds_an_invalid_victim(self):
        with self.assertRaisesRegex(bufsim.Error, "not true: f &&.*\n*.*bufsim run --pattern"):
            bufsim.check(bufsim.compile(OLDEST % "0"))


if __name__ == "__main__":
    unittest.main()

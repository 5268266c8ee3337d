/* check_pattern_alloc.c - when there is no memory for a workload, an error is all that comes of it. */
#include <string.h>

#include "sim/setup/pattern.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static struct error error;

/* Made and released while allocation n fails; 0: none does. */
static int
make_and_release(const char *text, uint64_t n)
{
	const struct trace_options how = { .block_bytes = 4096 };
	struct trace		   t;
	int			   failed;

	error = (struct error){ 0 };
	watch_from_here(n);
	failed = pattern_load(&t, text, &how, PATTERN_THINK_US, &error);
	if (!failed)
		trace_release(&t);
	watch.on = false;
	REQUIRE(!watch.held, "%s: %lld blocks kept after allocation %llu failed", text,
	    (long long)watch.held, (unsigned long long)n);
	return failed;
}

static const char *const texts[] = { "zipf:calls=50+sequential:calls=9/uniform:calls=5,file=1",
	"cached-4", "small-files:calls=5000", "streams:calls=9,descriptors=own,streams=9" };

START_TEST(making_workloads_without_memory)
{
	uint64_t all;

	ck_assert_msg(!make_and_release(texts[_i], 0), "%s", error.text);
	all = watch.asked;
	REQUIRE(all > 3, "link with --wrap: see tests/unit/allocator.h");
	for (uint64_t n = 1; n <= all; n++)
		REQUIRE(!make_and_release(texts[_i], n) || strstr(error.text, "memory"),
		    "%s, allocation %llu: '%s'", texts[_i], (unsigned long long)n, error.text);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("pattern_alloc");

	tcase_add_loop_test(tc, making_workloads_without_memory, 0,
	    (int)(sizeof(texts) / sizeof(*texts)));
	return run_tests("pattern_alloc", tc);
}

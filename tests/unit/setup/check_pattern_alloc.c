/* check_pattern_alloc.c - when there is no memory for a workload, an error is all that comes of it. */
#include "sim/setup/pattern.h"
#include "tests/unit/allocator.h"
#include "tests/unit/support.h"

static int
make(const void *text, struct error *e)
{
	const struct trace_options how = { .block_bytes = 4096 };
	struct trace		   t;
	int			   failed = pattern_load(&t, text, &how, PATTERN_THINK_US, e);

	if (!failed)
		trace_release(&t);
	return failed;
}

static const char *const texts[] = { "zipf:calls=50+sequential:calls=9/uniform:calls=5,file=1",
	"cached-4", "small-files:calls=5000", "streams:calls=9,descriptors=own,streams=9" };

START_TEST(making_workloads_without_memory)
{
	struct error e;
	uint64_t     all;

	ck_assert(!watch_make(make, texts[_i], 0, &e));
	all = watch.asked;
	REQUIRE(all > 3, "link with --wrap: see tests/unit/allocator.h");
	for (uint64_t n = 1; n <= all; n++)
		REQUIRE(!watch_make(make, texts[_i], n, &e) || strstr(e.text, "memory"),
		    "%s, allocation %llu: '%s'", texts[_i], (unsigned long long)n, e.text);
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

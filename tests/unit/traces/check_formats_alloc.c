/*
 * check_formats_alloc.c - when there is no memory to load or write a trace of
 * any format, an error is all that comes of it.
 */
#include "tests/unit/allocator.h"
#include "tests/unit/traces/samples.h"

/* Loaded and released while allocation n fails; 0: none does. */
static int
load_and_release(const struct sample *s, uint64_t n, uint64_t *fingerprint)
{
	int status;

	watch_from_here(n);
	status = load_scratch(s->format, NULL);
	*fingerprint = trace.fingerprint;
	trace_release(&trace);
	watch.on = false;
	REQUIRE(!watch.held, "%s: %lld blocks kept after allocation %llu failed", s->name,
	    (long long)watch.held, (unsigned long long)n);
	return status;
}

/* Of those that can be loaded: an error, or the same trace without that memory. */
static void
refuse_each(const struct sample *s)
{
	uint64_t expected, fingerprint, all;

	scratch_write(s->bytes, s->n);
	if (load_and_release(s, 0, &expected))
		return;
	all = watch.asked;
	REQUIRE(all > 3, "link with --wrap: see tests/unit/allocator.h");
	for (uint64_t n = 1; n <= all; n++) {
		int status = load_and_release(s, n, &fingerprint);

		REQUIRE(status ? strstr(error.text, "memory") != NULL : fingerprint == expected,
		    "%s, allocation %llu: %d, '%s'", s->name, (unsigned long long)n, status,
		    error.text);
	}
}

START_TEST(loading_its_samples_without_memory)
{
	for (struct sample *s = sample; s < sample + nsamples; s++)
		if (s->format == formats[_i])
			refuse_each(s);
}
END_TEST

/* The small trace written while allocation n fails. */
static int
write_without(const struct format *f, uint64_t n)
{
	struct output *out = output_open(scratch_path, &error);
	int	       status;

	ck_assert_msg(out != NULL, "%s", error.text);
	watch_from_here(n);
	status = f->write(&trace, out, &error);
	watch.on = false;
	output_abandon(out);
	REQUIRE(!watch.held, "%s: %lld blocks kept after allocation %llu failed", f->plugin.name,
	    (long long)watch.held, (unsigned long long)n);
	REQUIRE(!status || strstr(error.text, "memory"), "%s: '%s'", f->plugin.name, error.text);
	return status;
}

START_TEST(writing_without_memory)
{
	const struct format *f = formats[_i];
	uint64_t	     all;

	if (!f->write)
		return;
	make_small_trace();
	ck_assert_msg(!write_without(f, 0), "%s", error.text);
	all = watch.asked;
	for (uint64_t n = 1; n <= all; n++)
		REQUIRE(write_without(f, n), "%s, allocation %llu", f->plugin.name,
		    (unsigned long long)n);
}
END_TEST

int
main(void)
{
	TCase *tc = tcase_create("formats_alloc");
	int    n = samples_formats();

	tcase_add_checked_fixture(tc, samples_find, samples_release);
	tcase_add_loop_test(tc, loading_its_samples_without_memory, 0, n);
	tcase_add_loop_test(tc, writing_without_memory, 0, n);
	return run_tests("formats_alloc", tc);
}
